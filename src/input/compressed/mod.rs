//! Compressed input: gzip and zstd data that the engine sees as what it expands to.
//!
//! Expanding takes ten times as long as checking, so behind the first megabyte it goes on on a thread of its own. The
//! engine's thread alone may read the input; it hands over compressed pieces and takes expanded ones. There are few
//! buffers and they go back and forth, so memory stays flat whatever the data expands to.
//!
//! ```text
//!   input ─► piece ─► ┌ worker ┐ ─► expanded ─► window ─► engine
//!              ▲      └────────┘       │
//!              └─────── empty ◄────────┘
//! ```

#![forbid(unsafe_code)]

mod decoder;
mod format;
mod worker;

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::input::Input;
use crate::input::compressed::decoder::Decoder;
use crate::input::compressed::worker::Worker;
use crate::input::reader::Reader;
pub(super) use format::Beginning;
pub(super) use format::Format;

use std::io;
use std::io::BufRead;
use std::io::Read;
use std::mem;

/// What expands to less than this is not worth a thread.
const ALONE: usize = 1 << 20;

/// Compressed bytes that are taken at once. They are copied, because a mapped file may change while a codec reads it, and
/// no codec promises to look at a byte only once.
const PIECE: usize = 1 << 20;

/// A reader of what compressed data expands to.
pub(super) struct Expanding<'a> {
    compressed: Reader<'a>,
    hands: Hands,
    expanded: u64,
    /// How much it may expand to.
    most: u64,
}

/// Who expands.
enum Hands {
    Own(Expander),
    Worker(Worker),
    /// Nobody: nothing is left.
    Idle,
}

/// A decoder and the piece it is at.
struct Expander {
    decoder: Decoder,
    piece: Vec<u8>,
    used: usize,
}

impl<'a> Expanding<'a> {
    pub(super) fn new(compressed: Input<'a>, format: Format, most: u64) -> Self {
        let expander = Expander { decoder: Decoder::new(format), piece: Vec::new(), used: 0 };
        Self { compressed: compressed.into_reader(), hands: Hands::Own(expander), expanded: 0, most }
    }

    /// The input before it is expanded.
    pub(super) fn compressed(&self) -> &Input<'_> {
        self.compressed.input()
    }

    /// Expands some more; 0 at the end.
    fn expand(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.expanded > ALONE as u64 {
            self.hands = match mem::replace(&mut self.hands, Hands::Idle) {
                Hands::Own(expander) => Worker::take_over(expander),
                hands => hands,
            };
        }
        match &mut self.hands {
            Hands::Own(expander) => loop {
                let made = expander.expand(room)?;
                if made > 0 {
                    return Ok(made);
                }
                expander.used = 0;
                fill(&mut expander.piece, &mut self.compressed)?;
                if expander.piece.is_empty() {
                    expander.decoder.finish()?;
                    return Ok(0);
                }
            },
            Hands::Worker(worker) => worker.read(&mut self.compressed, room),
            Hands::Idle => Ok(0),
        }
    }
}

impl Read for Expanding<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // One byte more than is allowed tells that there is more.
        let allowed = usize::try_from(self.most - self.expanded).unwrap_or(usize::MAX).saturating_add(1);
        let length = room.len().min(allowed);
        let made = self.expand(&mut room[..length])?;
        if made == allowed {
            self.hands = Hands::Idle;
            return Err(Error::expansion_limit(self.most).into());
        }
        self.expanded += made as u64;
        if made == 0 {
            self.hands = Hands::Idle;
        }
        Ok(made)
    }
}

impl Expander {
    /// Expands into `room`; nothing if the piece is used up.
    fn expand(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        let (taken, made) = self.decoder.expand(&self.piece[self.used..], room)?;
        self.used += taken;
        Ok(made)
    }
}

/// Puts the next piece into `piece`, which is empty at the end.
fn fill(piece: &mut Vec<u8>, compressed: &mut Reader<'_>) -> io::Result<()> {
    piece.clear();
    let bytes = compressed.fill_buf()?;
    let length = bytes.len().min(PIECE);
    piece.try_reserve_exact(length)?;
    piece.extend_from_slice(&bytes[..length]);
    compressed.consume(length);
    Ok(())
}
