//! An input as a reader: its bytes one after another, for whoever wants them and not a verdict.
//!
//! What expands compressed data reads through it, and so may a caller, who then gets bytes that were expanded already.

#![forbid(unsafe_code)]

#[cfg(feature = "compression")]
use crate::error::Error;
use crate::input::Input;

use std::io;
use std::io::BufRead;
use std::io::Read;

/// Reads the bytes of an [`Input`]; see [`Input::into_reader`].
#[derive(Debug)]
pub struct Reader<'a> {
    input: Input<'a>,
    /// Offset of the first byte that was not read.
    place: u64,
}

impl<'a> Input<'a> {
    /// The bytes of the input, as a reader without a copy of its own.
    ///
    /// An error that is not the underlying reader's has an [`Error`](crate::Error) inside: the file changed while it was
    /// read, or its compressed content is damaged.
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
        Reader { input: self, place: 0 }
    }
}

impl Reader<'_> {
    /// To be called before a verdict about what was read, if not all was: an error if the file changed, or if what is left of
    /// compressed data is damaged.
    #[cfg(feature = "compression")]
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
        self.input.release(self.place);
        let end = self.input.base() + self.input.bytes().len() as u64;
        if self.place == end && !self.input.at_end() {
            self.input.read_more(self.place)?;
        }
        let gone = usize::try_from(self.place - self.input.base()).unwrap_or(usize::MAX);
        let bytes = &self.input.bytes()[gone..];
        if bytes.is_empty() {
            self.input.check_unchanged()?;
        }
        Ok(bytes)
    }

    fn consume(&mut self, count: usize) {
        self.place += count as u64;
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(room)?;
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
