//! Adapter that provides the bytes of an input through [`Read`] and [`BufRead`].
//!
//! The decompressor reads compressed data through it. A caller that uses it gets decompressed bytes.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;

use std::io;
use std::io::BufRead;
use std::io::Read;

/// Reads the bytes of an [`Input`]; see [`Input::into_reader`].
#[derive(Debug)]
pub struct Reader<'a> {
    input: Input<'a>,
    /// Offset of the next byte to read.
    offset: u64,
}

impl<'a> Input<'a> {
    /// Converts the input into a reader of its bytes. The reader has no additional buffer.
    ///
    /// An error that does not come from the underlying reader contains an [`Error`](crate::Error): the file changed while it was
    /// read, or compressed data is damaged.
    ///
    /// ```
    /// use fjson::Input;
    /// use std::io::Read;
    ///
    /// let mut text = String::new();
    /// Input::from("[1, 2]").into_reader().read_to_string(&mut text)?;
    /// assert_eq!(text, "[1, 2]");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn into_reader(self) -> Reader<'a> {
        Reader { offset: self.start(), input: self }
    }
}

impl Reader<'_> {
    /// Returns an error if the file changed or the rest of compressed data is damaged. Must be called before a result is reported
    /// if the input was not read to its end.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.input.check_rest()?;
        self.input.check_unchanged()
    }

    #[cfg(feature = "compression")]
    pub(super) fn input(&self) -> &Input<'_> {
        &self.input
    }
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.release(self.offset);
        if self.offset == self.input.end_in_memory() && !self.input.at_end() {
            self.input.read_more(self.offset)?;
        }
        let consumed = usize::try_from(self.offset - self.input.base()).unwrap_or(usize::MAX);
        let bytes = &self.input.bytes()[consumed..];
        if bytes.is_empty() {
            self.input.check_unchanged()?;
        }
        Ok(bytes)
    }

    fn consume(&mut self, count: usize) {
        self.offset += count as u64;
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_once() {
        let text = (0..=250).cycle().take(700_000).collect::<Vec<u8>>();
        for size in [0, 1000, 300_000] {
            let mut copy = Vec::new();
            Input::in_pieces(&text, size).into_reader().read_to_end(&mut copy).expect("reads");
            assert!(copy == text, "in pieces of {size} bytes");
        }
    }
}
