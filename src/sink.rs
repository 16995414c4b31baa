//! Where bytes go: a stage that holds back what is not yet proven, in front of a writer.
//!
//! The stage is one piece of memory used again and again. Fresh memory in proportion to the output would cost more than
//! all the checking.

#![forbid(unsafe_code)]

use std::io::ErrorKind;
use std::io::Write;

use crate::error::Error;

/// Bytes of room at first: two windows and what a tile may add. Only what is used of it costs memory.
const ROOM: usize = 512 * 1024 + 8192;

/// Bytes of room beyond a short input.
const MARGIN: usize = 8192;

/// Proven bytes that are worth a write. Smaller pieces, as of short records, wait for each other.
const PIECE: usize = 64 * 1024;

/// Output that is held back until it is proven.
pub(crate) struct Stage<'w> {
    /// Behind a pointer, so that the engine is compiled once and not for each kind of writer.
    writer: &'w mut dyn Write,
    /// Bytes in front of `proven` may go, those up to `filled` are held back, and what is behind may be anything.
    bytes: Vec<u8>,
    proven: usize,
    filled: usize,
    written: u64,
    exhausted: bool,
}

impl<'w> Stage<'w> {
    /// A stage for the output of an input of which `length` bytes are in memory; it grows when there is more.
    pub(crate) fn new(writer: &'w mut dyn Write, length: usize) -> Self {
        Self { writer, bytes: vec![0; ROOM.min(length + MARGIN)], proven: 0, filled: 0, written: 0, exhausted: false }
    }

    /// How many bytes are held back.
    #[inline(always)]
    pub(crate) fn held(&self) -> usize {
        self.filled - self.proven
    }

    /// At least `room` bytes of space behind what is staged. Nothing if there is no memory for it: then the next release
    /// fails.
    #[inline(always)]
    pub(crate) fn space(&mut self, room: usize) -> Option<&mut [u8]> {
        if self.bytes.len() - self.filled < room && !self.grow(room) {
            self.exhausted = true;
            return None;
        }
        Some(&mut self.bytes[self.filled..])
    }

    #[cold]
    fn grow(&mut self, room: usize) -> bool {
        let length = self.filled.saturating_add(room).max(2 * self.bytes.len());
        let grown = self.bytes.try_reserve_exact(length.saturating_sub(self.bytes.len())).is_ok();
        if grown {
            self.bytes.resize(length, 0);
        }
        grown
    }

    /// Stages the first `count` bytes of the space.
    #[inline(always)]
    pub(crate) fn advance(&mut self, count: usize) {
        self.filled += count;
    }

    /// Stages `bytes`.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(space) = self.space(bytes.len()) {
            space[..bytes.len()].copy_from_slice(bytes);
            self.advance(bytes.len());
        }
    }

    /// Lets go all that is staged, and writes it if that is worth a write.
    pub(crate) fn release(&mut self) -> Result<(), Error> {
        self.prove()?;
        if self.proven >= PIECE { self.write() } else { Ok(()) }
    }

    /// Says that all that is staged may go.
    pub(crate) fn prove(&mut self) -> Result<(), Error> {
        if self.exhausted {
            return Err(Error::write(ErrorKind::OutOfMemory.into(), self.written));
        }
        self.proven = self.filled;
        Ok(())
    }

    /// Forgets all that is held back.
    pub(crate) fn discard(&mut self) {
        self.filled = self.proven;
    }

    /// Takes all that is proven out of the stage, in place of writing it.
    pub(crate) fn take(&mut self, reader: impl FnOnce(&[u8])) {
        reader(&self.bytes[..self.proven]);
        self.forget_proven();
    }

    /// Writes all that is proven.
    pub(crate) fn write(&mut self) -> Result<(), Error> {
        if self.proven > 0 {
            self.writer.write_all(&self.bytes[..self.proven]).map_err(|cause| Error::write(cause, self.written))?;
            self.written += self.proven as u64;
            self.forget_proven();
        }
        Ok(())
    }

    fn forget_proven(&mut self) {
        self.bytes.copy_within(self.proven..self.filled, 0);
        self.filled -= self.proven;
        self.proven = 0;
    }

    /// Writes all that is proven and has the writer pass on what it keeps itself.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        self.write()?;
        self.writer.flush().map_err(|cause| Error::write(cause, self.written))
    }
}
