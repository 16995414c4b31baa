//! A part of an input that consists of whole records: from the first boundary at or after one offset to the first boundary at or
//! after another.
//!
//! Both ends are found by the same rule, which only looks at the text after the offset. So adjacent ranges share their border
//! wherever it is, and ranges that cover an input contain each of its records once.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::input::Source;
#[cfg(feature = "compression")]
use crate::input::compressed::Beginning;
use crate::input::supply::READ_TOO_MUCH;
use crate::input::supply::SeekableRead;
use crate::input::supply::Supply;

use std::io;
use std::io::Read;
use std::io::SeekFrom;
use std::ops::Range;

/// Where records begin. The start of the input is a boundary, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// After each of these bytes.
    After(u8),
    /// At each of these bytes.
    At(u8),
}

impl Boundary {
    /// Returns the offset at which the search for the first boundary at or after `offset` begins, and the distance from the byte
    /// that is found to the boundary. `offset` is not 0.
    fn search(self, offset: u64) -> (u64, u8, u64) {
        match self {
            // mutant: Self::After(byte) => (offset, byte, 1),
            Self::After(byte) => (offset - 1, byte, 1),
            Self::At(byte) => (offset, byte, 0),
        }
    }

    /// Returns the offset of the first boundary at or after `offset` that `bytes` show, which begin at `base`.
    fn find(self, bytes: &[u8], base: u64, offset: u64) -> Option<u64> {
        if offset == 0 {
            return Some(0);
        }
        let (from, byte, distance) = self.search(offset);
        let from = usize::try_from(from.saturating_sub(base)).unwrap_or(usize::MAX);
        let index = memchr::memchr(byte, bytes.get(from..)?)?;
        Some(base + (from + index) as u64 + distance)
    }
}

const IS_COMPRESSED: &str = "ranges need uncompressed input: compressed data can only be read from its start";
const CANNOT_SEEK: &str = "ranges need a file: this input can only be read from its start";

impl Input<'_> {
    /// Restricts the input to the records that begin in `range`.
    pub(crate) fn records_in(self, range: Range<u64>, boundary: Boundary) -> Result<Self, Error> {
        let source = match self.source {
            Source::Stream(stream) => match stream.into_supply() {
                Some(Supply::Seekable(reader)) => {
                    let reader = RangeReader::new(reader, range, boundary)?;
                    let start = reader.offset;
                    return Ok(Self::from_supply(Supply::Reader(Box::new(reader))).starting_at(start));
                }
                _ => return Err(Error::range(CANNOT_SEEK, None)),
            },
            source => source,
        };
        let whole = Self { source, ..self };
        let bytes = whole.bytes();
        check_uncompressed(bytes)?;
        let end = whole.start + bytes.len() as u64;
        // The input may be a range itself.
        let find = |offset| {
            if offset <= whole.start { whole.start } else { boundary.find(bytes, whole.start, offset).unwrap_or(end) }
        };
        let start = find(range.start);
        // mutant: let end = range.end;
        let end = if range.end <= start { start } else { find(range.end) };
        Ok(whole.part(start..end))
    }
}

fn check_uncompressed(bytes: &[u8]) -> Result<(), Error> {
    if is_compressed(bytes) { Err(Error::range(IS_COMPRESSED, None)) } else { Ok(()) }
}

#[cfg(feature = "compression")]
fn is_compressed(bytes: &[u8]) -> bool {
    matches!(Beginning::of(bytes, true), Beginning::Compressed(_))
}

/// Without the feature, compressed data is an error in the text.
#[cfg(not(feature = "compression"))]
fn is_compressed(_: &[u8]) -> bool {
    false
}

/// Number of bytes that are read at a time while the first boundary is searched for.
const PIECE: usize = 64 << 10;

/// Reads the records that begin in a range.
struct RangeReader<'a> {
    reader: Box<dyn SeekableRead + 'a>,
    /// Bytes that were read while the first boundary was searched for, from the boundary on.
    ahead: Vec<u8>,
    /// Number of bytes of `ahead` that have been delivered.
    delivered: usize,
    /// Offset in the input of the next byte to deliver.
    offset: u64,
    /// End of the range: the bytes from the first boundary at or after it on are not delivered.
    to: u64,
    boundary: Boundary,
    is_at_end: bool,
}

impl<'a> RangeReader<'a> {
    fn new(mut reader: Box<dyn SeekableRead + 'a>, range: Range<u64>, boundary: Boundary) -> Result<Self, Error> {
        let error = |offset| move |cause| Error::read(cause, offset);
        let mut beginning = [0; 6];
        reader.rewind().map_err(error(0))?;
        let length = fill(&mut *reader, &mut beginning).map_err(error(0))?;
        check_uncompressed(&beginning[..length])?;
        // A range may begin after the end of the input.
        let end = reader.seek(SeekFrom::End(0)).map_err(error(0))?;
        let mut offset = if range.start == 0 { 0 } else { boundary.search(range.start).0.min(end) };
        reader.seek(SeekFrom::Start(offset)).map_err(error(offset))?;
        let mut ahead = Vec::new();
        let mut is_found = range.start == 0;
        while !is_found {
            ahead.resize(PIECE, 0);
            let length = fill(&mut *reader, &mut ahead).map_err(error(offset))?;
            ahead.truncate(length);
            // Without a boundary, the range begins at the end of the input.
            let found = boundary.find(&ahead, offset, range.start);
            let start = found.unwrap_or(offset + length as u64);
            ahead.drain(..usize::try_from(start - offset).unwrap_or(length));
            is_found = found.is_some() || length < PIECE;
            offset = start;
        }
        // mutant: let is_at_end = false;
        let is_at_end = range.end <= offset;
        Ok(Self { reader, ahead, delivered: 0, offset, to: range.end, boundary, is_at_end })
    }
}

impl Read for RangeReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_at_end {
            return Ok(0);
        }
        let ahead = &self.ahead[self.delivered..];
        let mut count = if ahead.is_empty() {
            self.reader.read(buffer)?
        } else {
            let count = ahead.len().min(buffer.len());
            buffer[..count].copy_from_slice(&ahead[..count]);
            self.delivered += count;
            count
        };
        let bytes = buffer.get(..count).unwrap_or_default();
        if let Some(end) = self.boundary.find(bytes, self.offset, self.to) {
            count = usize::try_from(end - self.offset).unwrap_or(count);
            self.is_at_end = true;
        }
        // A reader may claim more than the room it was given, which is an error later.
        self.offset = self.offset.saturating_add(count as u64);
        Ok(count)
    }
}

/// Reads until the buffer is full or the input ends. Returns the number of bytes.
fn fill(reader: &mut dyn SeekableRead, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) if count > buffer.len() - length => return Err(io::Error::other(READ_TOO_MUCH)),
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::input::tests::file;
    use std::io::Cursor;
    use std::io::Seek;
    use std::iter;

    /// A reader that delivers a few bytes at a time.
    struct Slow<'a>(Cursor<&'a [u8]>);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(3);
            self.0.read(&mut buffer[..most])
        }
    }

    impl Seek for Slow<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    /// Returns the offset and the text of an input.
    fn read(input: Input<'_>) -> (u64, Vec<u8>) {
        let start = input.start();
        let mut text = Vec::new();
        input.into_reader().read_to_end(&mut text).expect("reads");
        (start, text)
    }

    /// Returns the same range of each kind of input, which must all be equal.
    fn part(text: &[u8], range: Range<u64>, boundary: Boundary) -> (u64, Vec<u8>) {
        let file = file(text);
        let inputs = [
            Input::from(text),
            Input::map_for_test(&file),
            Input::from_seekable(&file),
            Input::from_seekable(Slow(Cursor::new(text))),
        ];
        let parts = inputs.map(|input| read(input.records_in(range.clone(), boundary).expect("a range")));
        for other in &parts[1..] {
            assert_eq!(*other, parts[0], "{range:?} of {:?}", text.escape_ascii().to_string());
        }
        parts[0].clone()
    }

    /// Returns the offset of the first boundary at or after `offset`, one byte at a time.
    fn naive(text: &[u8], offset: usize, boundary: Boundary) -> usize {
        let is_boundary = |at: &usize| {
            *at == 0
                || *at == text.len()
                || match boundary {
                    Boundary::After(byte) => text[*at - 1] == byte,
                    Boundary::At(byte) => text[*at] == byte,
                }
        };
        (offset..text.len()).find(is_boundary).unwrap_or(text.len())
    }

    #[test]
    fn each_range_of_small_texts() {
        for text in ["", "\n", "1", "1\n", "\n1", "ab\ncd\n", "\n\nab\n\n\ncdefghij\n", "ab\ncdefghijk"] {
            for boundary in [Boundary::After(b'\n'), Boundary::At(b'\n')] {
                for from in 0..=text.len() + 1 {
                    for to in 0..=text.len() + 2 {
                        let start = naive(text.as_bytes(), from, boundary);
                        let end = naive(text.as_bytes(), to, boundary).max(start);
                        let expected = (start as u64, text.as_bytes()[start..end].to_vec());
                        assert_eq!(part(text.as_bytes(), from as u64..to as u64, boundary), expected);
                    }
                }
            }
        }
    }

    /// Records that are longer than the pieces in which a reader looks for a boundary.
    #[test]
    fn ranges_of_a_long_text() {
        let lines = [10, PIECE - 11, 1, 2 * PIECE, 3 * PIECE + 7, 0, 5];
        let text = lines.map(|length| [&vec![b'7'; length][..], b"\n"].concat()).concat();
        let borders = iter::successors(Some(0), |at| Some(at + 9973)).take_while(|at| *at < text.len());
        let borders: Vec<_> = borders.chain([text.len()]).collect();
        let mut all = Vec::new();
        for pair in borders.windows(2) {
            let range = pair[0] as u64..pair[1] as u64;
            let (start, part) = part(&text, range.clone(), Boundary::After(b'\n'));
            assert_eq!(start, naive(&text, pair[0], Boundary::After(b'\n')) as u64);
            all.extend_from_slice(&part);
        }
        assert!(all == text);
    }

    #[test]
    fn what_has_no_ranges_is_refused() {
        let refused = |input: Input<'_>| {
            let error = input.records_in(1..2, Boundary::After(b'\n')).expect_err("no ranges");
            assert_eq!(error.kind(), ErrorKind::RangeUnsupported);
            error.to_string()
        };
        assert_eq!(refused(Input::from_reader(&b"1\n2\n"[..])), CANNOT_SEEK);
        #[cfg(feature = "compression")]
        {
            let zstd = [0x28, 0xb5, 0x2f, 0xfd, 0];
            assert_eq!(refused(Input::from(&zstd)), IS_COMPRESSED);
            assert_eq!(refused(Input::from_seekable(Cursor::new(zstd))), IS_COMPRESSED);
            assert_eq!(refused(Input::from(&zstd).expanded(1)), CANNOT_SEEK);
            let xz = [0xfd, b'7', b'z', b'X', b'Z', 0, 0];
            assert_eq!(refused(Input::from_seekable(Cursor::new(xz))), IS_COMPRESSED);
        }
    }
}
