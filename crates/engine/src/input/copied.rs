//! Keeps a copy of what is read from an input, for operations that write what is between its documents as it is.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io;
use std::io::BufRead as _;
use std::io::Read;
use std::ops::Range;
use std::rc::Rc;

use crate::error::Error;
use crate::error::Position;
use crate::input::Input;
use crate::input::Reader;
use crate::input::START;
use crate::input::advance;

/// What was read of an input and is not yet taken.
#[derive(Debug)]
pub(crate) struct Copied<'a> {
    reader: Reader<'a>,
    bytes: Vec<u8>,
    /// Number of bytes that were taken and are still at the beginning of the list.
    taken: usize,
    /// Offset in the input of the next byte to be taken, and its line and column.
    offset: u64,
    at: Position,
}

impl Copied<'_> {
    /// Returns an error if the file changed or the rest of compressed data is damaged. Must be called before a result is reported
    /// if the input was not read to its end.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.reader.check()
    }

    /// Passes the bytes before an offset to `take`, and forgets them. They have been read.
    pub(crate) fn take<T>(&mut self, offset: u64, take: impl FnOnce(&[u8]) -> T) -> T {
        let count = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let rest = &self.bytes[self.taken..];
        let part = &rest[..count.min(rest.len())];
        let result = take(part);
        self.at = advance(self.at, part);
        self.taken += part.len();
        self.offset += part.len() as u64;
        // Each byte is moved once at most on average.
        if self.taken > self.bytes.len() / 2 {
            self.bytes.drain(..self.taken);
            self.taken = 0;
        }
        result
    }

    /// Returns the bytes in a range, which have been read and not yet taken.
    pub(crate) fn part(&self, range: Range<u64>) -> &[u8] {
        let rest = &self.bytes[self.taken..];
        let [start, end] = [range.start, range.end].map(|offset| {
            usize::try_from(offset.saturating_sub(self.offset)).map_or(rest.len(), |it| it.min(rest.len()))
        });
        &rest[start..end]
    }

    /// Passes all bytes to `take`, and forgets them.
    pub(crate) fn take_rest<T>(&mut self, take: impl FnOnce(&[u8]) -> T) -> T {
        self.take(u64::MAX, take)
    }

    /// Returns the line and column of the next byte to be taken.
    pub(crate) fn at(&self) -> Position {
        self.at
    }
}

/// A reader that keeps a copy of what it reads.
struct Copying<'a> {
    copied: Rc<RefCell<Copied<'a>>>,
}

impl Read for Copying<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Copied { reader, bytes: copied, .. } = &mut *self.copied.borrow_mut();
        let available = reader.fill_buf()?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        copied.try_reserve(count).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // The copy is of what was passed on: a mapped file may change meanwhile.
        copied.extend_from_slice(&buffer[..count]);
        reader.consume(count);
        Ok(count)
    }
}

impl<'a> Input<'a> {
    /// Returns an input with the same bytes, and a list of those that were read from it.
    pub(crate) fn copied(self) -> (Self, Rc<RefCell<Copied<'a>>>) {
        let (start, mark) = (self.start, self.mark);
        let copied = Copied { reader: self.into_reader(), bytes: Vec::new(), taken: 0, offset: start, at: START };
        let copied = Rc::new(RefCell::new(copied));
        let reader = Copying { copied: Rc::clone(&copied) };
        (Self { mark, ..Self::from_reader(reader).starting_at(start) }, copied)
    }
}

#[cfg(test)]
mod tests {
    use super::Input;
    use crate::error::Position;
    use std::io::Read;

    #[test]
    fn bytes_are_taken_in_order() {
        let text = "{\n 1}\né 2\n".repeat(3000);
        for size in [0, 1, 1000] {
            let (input, copied) = Input::in_pieces(text.as_bytes(), size).copied();
            let mut read = String::new();
            input.into_reader().read_to_string(&mut read).expect("reads");
            assert!(read == text);
            let mut all = Vec::new();
            let mut copied = copied.borrow_mut();
            for offset in (0..text.len() as u64).step_by(77) {
                copied.take(offset, |part| all.extend_from_slice(part));
                assert_eq!(all.len() as u64, offset);
            }
            copied.take_rest(|part| all.extend_from_slice(part));
            assert!(all == text.as_bytes());
            assert_eq!(copied.at(), Position { line: 9001, column: 1 });
        }
    }
}
