//! Compares the output with the input it was made of, instead of writing it.
//!
//! As long as both are equal, they have the same length, except that whitespace before the next token may be missing in the output.
//! That part of the input is kept until the output catches up.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use std::io;
use std::io::Write;

/// State of the comparison: the parts of the input and output that have not been compared.
#[derive(Default)]
pub(super) struct Comparison {
    input: Vec<u8>,
    output: Vec<u8>,
    /// Offset of the input up to which it was read.
    read: u64,
    /// Offset of the input up to which it equals the output.
    equal: u64,
    /// Whether input and output differ at the offset `equal`.
    differs: bool,
    /// Whether they certainly differ, although the output has not reached the difference yet. No more input is needed.
    must_differ: bool,
}

impl Comparison {
    /// Begins at an offset of the input.
    pub(super) fn from(start: u64) -> Self {
        Self { read: start, equal: start, ..Self::default() }
    }

    /// Adds a piece of input and compares it with the output made of it, which has already been written. The output continues with
    /// at most `widest` bytes of whitespace. So if more than `widest` bytes of input are left, the difference is among them.
    pub(super) fn compare(&mut self, text: &[u8], widest: usize) -> Result<(), OutOfMemory> {
        self.read += text.len() as u64;
        if self.differs {
            return Ok(());
        }
        if !self.must_differ {
            self.input.room(text.len(), OutOfMemory::Output)?;
            self.input.extend_from_slice(text);
        }
        let both = self.input.len().min(self.output.len());
        let equal = self.input.iter().zip(&self.output).take_while(|(input, output)| input == output).count();
        self.equal += equal as u64;
        self.differs = equal < both;
        self.input.drain(..both);
        self.output.drain(..both);
        if self.input.len() > widest {
            self.input.truncate(widest);
            self.must_differ = true;
        }
        Ok(())
    }

    /// Skips the separator of two documents, up to `offset` of the input. `first` is its first byte, if it may be output. The
    /// rest of the separator is never output, so a longer separator is a difference.
    pub(super) fn skip_to(&mut self, offset: u64, first: Option<u8>) -> Result<(), OutOfMemory> {
        let skipped = offset - self.read;
        if skipped > 0 {
            self.compare(first.as_slice(), usize::MAX)?;
            self.read = offset;
            self.must_differ |= skipped > first.as_slice().len() as u64;
        }
        Ok(())
    }

    pub(super) fn first_difference(&self) -> Option<u64> {
        let unequal = self.differs || self.must_differ || !self.input.is_empty() || !self.output.is_empty();
        unequal.then_some(self.equal)
    }
}

impl Write for Comparison {
    fn write(&mut self, output: &[u8]) -> io::Result<usize> {
        if !self.differs {
            self.output.try_reserve(output.len())?;
            self.output.extend_from_slice(output);
        }
        Ok(output.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
