//! How many lines of an input have been read up to a value: the number in messages, and that of `input_line_number`.
//!
//! jq reads whole lines, so the line on which a value ends counts if it has a line break. In a file, lines are counted when somebody
//! asks, by reading it again. Where that is impossible, the offsets of line breaks are kept from when they are read until the values
//! before them are done.

#![forbid(unsafe_code)]

use crate::name::Name;
use crate::source::Source;
use std::collections::VecDeque;
use std::io;
use std::io::BufRead;
use std::io::Read;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

/// Counts the lines of an input.
pub enum LineNumbers {
    /// The input can be read again.
    File(Mutex<Counted>),
    /// The line breaks are noted while it is read.
    Stream(Arc<Mutex<Breaks>>),
    /// All values are parts of the one document of a file, and have the line on which that ends.
    Document,
}

/// The part of a file in which lines have been counted.
#[derive(Default)]
pub struct Counted {
    /// The text that is at hand, and its offset.
    text: Vec<u8>,
    start: u64,
    /// Number of line breaks before it.
    lines: u64,
    /// Offset of the first line break behind it.
    behind: Option<u64>,
}

/// Number of bytes that are at hand.
const AT_HAND: usize = 64 << 10;

/// The line breaks behind the values that are done.
#[derive(Default)]
pub struct Breaks {
    done: u64,
    offsets: VecDeque<u64>,
}

impl LineNumbers {
    pub fn of_file() -> Self {
        Self::File(Mutex::default())
    }

    /// Returns the number of lines up to a value that ends at `end`.
    pub fn at(&self, name: &Name, end: u64) -> u64 {
        match self {
            Self::File(counted) => counted.lock().unwrap_or_else(PoisonError::into_inner).at(name, end),
            Self::Stream(breaks) => breaks.lock().unwrap_or_else(PoisonError::into_inner).at(end),
            // If the file cannot be read again, the first line is as good as any.
            Self::Document => reopened(name, last_line).unwrap_or(0),
        }
    }

    /// Forgets what is before `offset`. Later values end behind it.
    pub fn pass(&self, offset: u64) {
        if let Self::Stream(breaks) = self {
            breaks.lock().unwrap_or_else(PoisonError::into_inner).pass(offset);
        }
    }
}

impl Counted {
    fn at(&mut self, name: &Name, end: u64) -> u64 {
        if end < self.start {
            *self = Self::default();
        }
        if end >= self.start + self.text.len() as u64 {
            // If the file cannot be read again, the lines up to here are the best that is known.
            self.read(name, end).ok();
        }
        let within = usize::try_from(end - self.start).unwrap_or(usize::MAX).min(self.text.len());
        let (before, after) = self.text.split_at(within);
        let lines = self.lines + count(before);
        lines + u64::from(memchr::memchr(b'\n', after).is_some() || self.behind.is_some())
    }

    /// Has the text from `end` on at hand.
    fn read(&mut self, name: &Name, end: u64) -> io::Result<()> {
        reopened(name, |reader| self.read_from(reader, end))
    }

    fn read_from(&mut self, reader: &mut dyn BufRead, end: u64) -> io::Result<()> {
        let (mut position, from) = (0, self.start + self.text.len() as u64);
        self.lines += count(&self.text);
        self.text.clear();
        self.start = end;
        while position < end {
            let bytes = reader.fill_buf()?;
            let length = usize::try_from(end - position).unwrap_or(usize::MAX).min(bytes.len());
            if length == 0 {
                break;
            }
            let known = usize::try_from(from.saturating_sub(position)).unwrap_or(usize::MAX).min(length);
            self.lines += count(&bytes[known..length]);
            reader.consume(length);
            position += length as u64;
        }
        (&mut *reader).take(AT_HAND as u64).read_to_end(&mut self.text)?;
        let text_end = end + self.text.len() as u64;
        // On a long line, it is the one that was found before.
        if self.behind.is_none_or(|behind| behind < text_end) {
            self.behind = next_break(reader)?.map(|distance| text_end + distance);
        }
        Ok(())
    }
}

/// Reads an input once more.
fn reopened<T>(name: &Name, read: impl FnOnce(&mut dyn BufRead) -> io::Result<T>) -> io::Result<T> {
    let source = match name {
        Name::Path(path) => Source::open(path.clone()),
        _ => Source::stdin(),
    };
    let source = source.map_err(|error| io::Error::other(error.reason))?;
    read(&mut source.input(true, false).into_reader())
}

/// Returns the number of lines up to the last byte that is not whitespace.
fn last_line(reader: &mut dyn BufRead) -> io::Result<u64> {
    let (mut lines, mut line) = (0, 0);
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(line + u64::from(lines > line));
        }
        let document = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |last| last + 1);
        if document > 0 {
            line = lines + count(&bytes[..document]);
        }
        lines += count(bytes);
        let length = bytes.len();
        reader.consume(length);
    }
}

/// Returns how many bytes there are before the next line break.
fn next_break(reader: &mut dyn BufRead) -> io::Result<Option<u64>> {
    let mut passed = 0;
    loop {
        let bytes = reader.fill_buf()?;
        let (length, found) = (bytes.len(), memchr::memchr(b'\n', bytes));
        match found {
            Some(at) => return Ok(Some(passed + at as u64)),
            None if length == 0 => return Ok(None),
            None => reader.consume(length),
        }
        passed += length as u64;
    }
}

fn count(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

impl Breaks {
    fn at(&mut self, end: u64) -> u64 {
        let before = self.offsets.partition_point(|&offset| offset < end);
        self.done + before as u64 + u64::from(before < self.offsets.len())
    }

    fn pass(&mut self, end: u64) {
        while self.offsets.pop_front_if(|&mut offset| offset < end).is_some() {
            self.done += 1;
        }
    }
}

/// A reader that notes line breaks.
///
/// As in jq, a line comes as a whole: what follows the last line break of what was read waits for the rest of its line. If there is no
/// line break, the last byte waits, so that a value never comes without the line break directly behind it.
pub struct Noting<R> {
    inner: R,
    offset: u64,
    breaks: Arc<Mutex<Breaks>>,
    /// What waits. It has no line break.
    waiting: Vec<u8>,
}

impl<R: Read> Noting<R> {
    /// Returns the reader, and what it notes.
    pub fn new(inner: R) -> (Self, LineNumbers) {
        let breaks = Arc::<Mutex<Breaks>>::default();
        (Self { inner, offset: 0, breaks: breaks.clone(), waiting: Vec::new() }, LineNumbers::Stream(breaks))
    }

    fn note(&mut self, text: &[u8]) {
        let mut breaks = self.breaks.lock().unwrap_or_else(PoisonError::into_inner);
        let offset = self.offset;
        breaks.offsets.extend(memchr::memchr_iter(b'\n', text).map(|at| offset + at as u64));
        self.offset += text.len() as u64;
    }
}

impl<R: Read> Read for Noting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = self.waiting.len().min(buffer.len());
        buffer[..before].copy_from_slice(&self.waiting[..before]);
        if before == buffer.len() {
            self.waiting.drain(..before);
            self.offset += before as u64;
            return Ok(before);
        }
        let length = self.inner.read(&mut buffer[before..])?;
        let read = &buffer[..before + length];
        let complete = match memchr::memrchr(b'\n', read) {
            Some(last) => last + 1,
            None if length == 0 => read.len(),
            None => read.len() - 1,
        };
        self.waiting.clear();
        self.waiting.extend_from_slice(&read[complete..]);
        if complete == 0 && length > 0 {
            return self.read(buffer);
        }
        self.note(&buffer[..complete]);
        Ok(complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "1\n[2,\n3]\n\n4 5\n6";

    /// The ends of the documents of `TEXT`, and the lines that jq names.
    const ENDS: [(u64, u64); 5] = [(1, 1), (8, 3), (11, 5), (13, 5), (15, 5)];

    #[test]
    fn lines_of_a_stream() {
        let (mut noting, numbers) = Noting::new(TEXT.as_bytes());
        let mut text = String::new();
        noting.read_to_string(&mut text).expect("reads");
        assert_eq!(text, TEXT);
        for (end, line) in ENDS {
            assert_eq!(numbers.at(&Name::Stdin, end), line, "{end}");
            numbers.pass(end - 1);
        }
    }

    #[test]
    fn a_value_comes_with_the_line_break_behind_it() {
        for size in [1, 2, 3, 5, 100] {
            let pieces = TEXT.as_bytes().chunks(size);
            let inner = pieces.fold(Box::new(io::empty()) as Box<dyn Read>, |all, piece| Box::new(all.chain(piece)));
            let (mut noting, numbers) = Noting::new(inner);
            let (mut text, mut buffer) = (Vec::new(), [0; 4]);
            loop {
                let length = noting.read(&mut buffer).expect("reads");
                text.extend_from_slice(&buffer[..length]);
                let done = text.len() as u64;
                for (end, line) in ENDS.into_iter().filter(|(end, _)| *end <= done && *end != 11) {
                    assert_eq!(numbers.at(&Name::Stdin, end), line, "{end} in pieces of {size} after {done}");
                }
                if length == 0 {
                    break;
                }
            }
            assert_eq!(text, TEXT.as_bytes());
        }
    }

    #[test]
    fn the_line_on_which_a_document_ends() {
        for (text, line) in [("[1]", 0), ("[1]\n", 1), ("[\n1]\n\n\n", 2), ("\n[\n1]  \n \n", 3), ("[\n1] \t", 1)] {
            for size in 1..text.len() {
                let mut reader = io::BufReader::with_capacity(size, text.as_bytes());
                assert_eq!(last_line(&mut reader).expect("reads"), line, "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn lines_of_a_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        let long = format!("{TEXT}{}\n{}", " ".repeat(3 * AT_HAND), "7\n".repeat(AT_HAND));
        std::fs::write(&path, &long).expect("writes");
        let (name, numbers) = (Name::Path(path), LineNumbers::of_file());
        for (end, line) in [(1, 1), (8, 3), (13, 5), (15, 6), (1, 1)] {
            assert_eq!(numbers.at(&name, end), line, "{end}");
        }
        let start = (TEXT.len() + 3 * AT_HAND + 1) as u64;
        for record in [0, 1, 70, 40_000, 50_000, 65_535] {
            assert_eq!(numbers.at(&name, start + 2 * record + 1), 7 + record, "{record}");
        }
    }
}
