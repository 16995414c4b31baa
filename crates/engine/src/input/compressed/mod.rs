//! Transparent decompression of gzip, zstd, bzip2 and xz input.
//!
//! Decompression takes ten times as long as validation, so after the first megabyte a separate thread does it. Only the engine's
//! thread may read the input. It sends compressed pieces to the worker and receives decompressed ones. The few buffers are
//! recycled, so memory use does not depend on the size of the data.
//!
//! ```text
//!   input ─► piece ─► ┌ worker ┐ ─► expanded ─► window ─► engine
//!              ▲      └────────┘       │
//!              └─────── empty ◄────────┘
//! ```

#![forbid(unsafe_code)]

mod bzip2_stream;
mod decoder;
mod format;
mod progress;
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

/// Number of decompressed bytes up to which no thread is started.
const WORKER_THRESHOLD: usize = 1 << 20;

/// Size of a piece of compressed data in bytes. Pieces are copied, because a mapped file may change while a codec reads it, and no
/// codec guarantees that it reads a byte only once.
const PIECE: usize = 1 << 20;

/// A reader that decompresses the data of another one.
pub(super) struct Expanding<'a> {
    compressed: Reader<'a>,
    mode: Mode,
    /// Number of bytes decompressed so far.
    expanded: u64,
    /// Greatest number of bytes the data may decompress to.
    limit: u64,
}

/// Where decompression takes place.
enum Mode {
    /// On the calling thread.
    Inline(Expander),
    /// On a separate thread.
    Worker(Worker),
    /// Nowhere: there is no more data.
    Done,
}

/// A decoder and its current piece of compressed data.
struct Expander {
    decoder: Decoder,
    piece: Vec<u8>,
    /// Number of bytes of `piece` that the decoder has consumed.
    used: usize,
}

impl<'a> Expanding<'a> {
    pub(super) fn new(compressed: Input<'a>, format: Format, limit: u64) -> Self {
        let expander = Expander { decoder: Decoder::new(format), piece: Vec::new(), used: 0 };
        Self { compressed: compressed.into_reader(), mode: Mode::Inline(expander), expanded: 0, limit }
    }

    /// Returns the compressed input.
    pub(super) fn compressed(&self) -> &Input<'_> {
        self.compressed.input()
    }

    /// Decompresses more data into `output` and returns the number of bytes; 0 at the end.
    fn expand(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if self.expanded > WORKER_THRESHOLD as u64 {
            self.mode = match mem::replace(&mut self.mode, Mode::Done) {
                Mode::Inline(expander) => Worker::take_over(expander),
                mode => mode,
            };
        }
        match &mut self.mode {
            Mode::Inline(expander) => loop {
                let produced = expander.expand(output)?;
                if produced > 0 {
                    return Ok(produced);
                }
                expander.used = 0;
                fill(&mut expander.piece, &mut self.compressed)?;
                if expander.piece.is_empty() {
                    // mutant:
                    expander.decoder.finish()?;
                    return Ok(0);
                }
            },
            Mode::Worker(worker) => worker.read(&mut self.compressed, output),
            Mode::Done => Ok(0),
        }
    }
}

impl Read for Expanding<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        // One byte more than allowed shows that the limit is exceeded.
        let allowed = usize::try_from(self.limit - self.expanded).unwrap_or(usize::MAX).saturating_add(1);
        let length = output.len().min(allowed);
        let produced = self.expand(&mut output[..length])?;
        // mutant: if false {
        if produced == allowed {
            self.mode = Mode::Done;
            return Err(Error::expansion_limit(self.limit).into());
        }
        self.expanded += produced as u64;
        if produced == 0 {
            self.mode = Mode::Done;
        }
        Ok(produced)
    }
}

impl Expander {
    /// Decompresses into `output` and returns the number of bytes; 0 if the piece is used up.
    fn expand(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        let (consumed, produced) = self.decoder.expand(&self.piece[self.used..], output)?;
        self.used += consumed;
        Ok(produced)
    }
}

/// Reads the next piece of compressed data into `piece`; leaves it empty at the end.
fn fill(piece: &mut Vec<u8>, compressed: &mut Reader<'_>) -> io::Result<()> {
    piece.clear();
    let bytes = compressed.fill_buf()?;
    let length = bytes.len().min(PIECE);
    piece.try_reserve_exact(length)?;
    piece.extend_from_slice(&bytes[..length]);
    compressed.consume(length);
    Ok(())
}
