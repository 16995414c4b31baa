//! Output that is compared with the input it was made of, in place of being written.
//!
//! As long as both are equal, output and input stand at the same offset; only whitespace in front of a token not seen yet may be
//! ahead in the input, and waits.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use std::io;
use std::io::Write;

/// Input and output on their way to each other: what one of them is ahead by.
#[derive(Default)]
pub(super) struct Comparison {
    input: Vec<u8>,
    output: Vec<u8>,
    /// Bytes of input so far, and bytes that were found equal.
    read: u64,
    equal: u64,
    /// Whether input and output differ behind the bytes that were found equal.
    differs: bool,
    /// Whether they are sure to differ, though the output has not come that far: no more input is needed.
    enough: bool,
}

impl Comparison {
    /// A piece of input, of which and of what was waiting the output has been written. It cannot go on with a gap wider than
    /// `widest`, so if more input waits for it, the difference lies in there.
    pub(super) fn meet(&mut self, text: &[u8], widest: usize) -> Result<(), OutOfMemory> {
        self.read += text.len() as u64;
        if self.differs {
            return Ok(());
        }
        if !self.enough {
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
            self.enough = true;
        }
        Ok(())
    }

    /// Goes to `offset`, over what separates documents: nothing, or `first` and perhaps more. More is never output.
    pub(super) fn pass_over(&mut self, offset: u64, first: Option<u8>) -> Result<(), OutOfMemory> {
        let skipped = offset - self.read;
        if skipped > 0 {
            self.meet(first.as_slice(), usize::MAX)?;
            self.read = offset;
            self.enough |= skipped > first.as_slice().len() as u64;
        }
        Ok(())
    }

    pub(super) fn first_difference(&self) -> Option<u64> {
        let unequal = self.differs || self.enough || !self.input.is_empty() || !self.output.is_empty();
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
