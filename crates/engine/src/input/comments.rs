//! JSON with comments (JSONC): comments and trailing commas become whitespace before the engine sees the text.
//!
//! Every byte of a comment becomes a space, except line breaks, and so does a comma before a closing bracket. The text keeps its length,
//! so each token keeps its offset and its line, and everything that reads JSON reads JSON with comments as well.
//!
//! ```text
//!   [1, // one↵ /* two */ 2,]
//!   [1,       ↵           2 ]
//! ```
//!
//! Whether a comma is a trailing one depends on what follows the whitespace and comments after it, and whether a comment ends is known
//! at its end. Until then their bytes are held back, at most 1 MiB of them.

#![forbid(unsafe_code)]

mod kept;
mod scanner;

use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::input::Supply;
use crate::input::supply::READ_TOO_MUCH;

pub(crate) use kept::KeptComments;
use scanner::Ignore;
use scanner::Observe;
use scanner::Scanner;

use std::io;
use std::io::Read;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// Number of bytes that are read at a time. They stay in the L1 and L2 cache until they are passed on.
const PIECE: usize = 64 << 10;

impl<'a> Input<'a> {
    /// Accepts JSON with comments: `//` up to the end of the line, `/* */`, and a comma before `]` or `}`.
    ///
    /// They are replaced by spaces of the same length. Line breaks stay. So offsets and lines are those of the input; columns count
    /// each byte of a comment before them on the same line. A comment that does not end is an error at its beginning. The rest of the
    /// text must be valid JSON: commas that no value precedes are errors, and so are comments that begin with `#`.
    ///
    /// At most 1 MiB are held in memory: a comma with more whitespace and comments between it and the bracket is an error, and where
    /// a longer comment does not end, the line of the error is not known.
    ///
    /// Must be called after [`range`](Self::range), `expanded` and [`skip_byte_order_mark`](Self::skip_byte_order_mark).
    ///
    /// ```
    /// use fjson::{Input, Options, minify};
    ///
    /// let mut out = Vec::new();
    /// let text = "{\n  // the name\n  \"name\": \"a//b\", /* and so on */\n}";
    /// minify(Input::from(text).skip_comments(), &mut out, &Options::new())?;
    /// assert_eq!(out, br#"{"name":"a//b"}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn skip_comments(self) -> Self {
        self.skip_comments_with(Ignore)
    }

    /// Accepts JSON with comments, like [`skip_comments`](Self::skip_comments), and adds the number of comments to `counter` while the
    /// input is being read. A program that writes what it has read learns from this whether there were comments.
    ///
    /// ```
    /// use fjson::{Input, Options, validate};
    /// use std::sync::atomic::AtomicU64;
    ///
    /// let comments = AtomicU64::new(0);
    /// validate(Input::from("[1, /* two */] // three").count_comments_into(&comments), &Options::new())?;
    /// assert_eq!(comments.into_inner(), 2);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn count_comments_into(self, counter: &'a AtomicU64) -> Self {
        self.skip_comments_with(Count(counter))
    }

    /// Accepts JSON with comments, and passes them on.
    fn skip_comments_with(self, observer: impl Observe + 'a) -> Self {
        let (start, mark) = (self.start, self.mark);
        let reader = CommentBlanker::new(self.into_reader(), start, observer);
        let input = Self::from_supply(Supply::Reader(Box::new(reader))).starting_at(start);
        Self { mark, ..input }
    }
}

/// Replaces the comments and trailing commas of a text by spaces, as [`Input::skip_comments`] does. A comment that does not end keeps
/// its first two bytes, which are an error in the text. Returns the number of comments.
///
/// ```
/// use fjson::{Parser, blank_comments};
///
/// let mut text = b"[1, // one\n 2,]".to_vec();
/// assert_eq!(blank_comments(&mut text), 1);
/// assert_eq!(text, b"[1,       \n 2 ]");
/// # let mut parser = Parser::new();
/// # assert_eq!(parser.document(&text)?.root().len(), 2);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn blank_comments(text: &mut [u8]) -> usize {
    let count = AtomicU64::new(0);
    Scanner::new(Count(&count)).scan(text, 0, true);
    usize::try_from(count.into_inner()).unwrap_or(usize::MAX)
}

/// Counts comments.
struct Count<'c>(&'c AtomicU64);

impl Observe for Count<'_> {
    fn comment(&mut self, _: u64, _: &[u8], is_first: bool) {
        self.0.fetch_add(u64::from(is_first), Ordering::Relaxed);
    }
}

/// A reader that replaces comments and trailing commas by spaces.
struct CommentBlanker<R, O> {
    reader: R,
    scanner: Scanner<O>,
    /// Text that was read and is not yet passed on, and room for more.
    text: Vec<u8>,
    /// Index in `text` of the next byte to pass on.
    start: usize,
    /// Index in `text` after the last byte that can be passed on.
    decided: usize,
    /// Index in `text` after the last byte that was read.
    end: usize,
    /// Offset in the input of the first byte of `text`.
    base: u64,
    is_at_end: bool,
}

impl<R: Read, O: Observe> CommentBlanker<R, O> {
    fn new(reader: R, base: u64, observer: O) -> Self {
        let scanner = Scanner::new(observer);
        Self { reader, scanner, text: Vec::new(), start: 0, decided: 0, end: 0, base, is_at_end: false }
    }

    /// Reads more text, and decides what of it can be passed on.
    fn fill(&mut self) -> io::Result<()> {
        if self.decided > 0 {
            self.scanner.forget(self.decided, &self.text);
            self.text.copy_within(self.decided..self.end, 0);
            self.base += self.decided as u64;
            (self.start, self.end, self.decided) = (0, self.end - self.decided, 0);
        }
        // A short input does not touch a whole piece.
        let room = self.end + if self.text.is_empty() { PIECE / 16 } else { PIECE };
        if self.text.len() < room {
            // So that each byte is moved twice at most on average.
            let more = room + self.end / 2 - self.text.len();
            self.text.try_reserve_exact(more).map_err(|_| Error::from(OutOfMemory::Text))?;
            self.text.resize(self.text.len() + more, 0);
        }
        let count = self.reader.read(&mut self.text[self.end..room])?;
        if count > room - self.end {
            return Err(io::Error::other(READ_TOO_MUCH));
        }
        self.end += count;
        self.is_at_end = count == 0;
        self.decided = self.scanner.scan(&mut self.text[..self.end], self.base, self.is_at_end);
        match self.scanner.unterminated().filter(|_| self.is_at_end) {
            Some(offset) => {
                self.decided = 0;
                let message = "found a comment that does not end, expected `*/` after it".to_owned();
                Err(Error::new(ErrorDetails::bare(ErrorKind::UnexpectedEnd, offset, message)).into())
            }
            None => Ok(()),
        }
    }
}

impl<R: Read, O: Observe> Read for CommentBlanker<R, O> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.start == self.decided && !self.is_at_end {
            self.fill()?;
        }
        let count = (&self.text[self.start..self.decided]).read(buffer)?;
        self.start += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
