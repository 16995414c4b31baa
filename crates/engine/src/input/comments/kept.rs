//! Keeps the comments of an input together with the number of tokens before each, so that they can be written between the same tokens.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::TryReserveError;
use std::collections::VecDeque;
use std::io;
use std::io::Read;
use std::rc::Rc;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::input::Supply;
use crate::input::comments::scanner::Observe;

/// A comment that was read.
#[derive(Debug)]
pub(crate) struct Comment {
    /// Number of tokens before it.
    pub(crate) tokens: u64,
    pub(crate) text: Vec<u8>,
    /// Whether nothing but whitespace is before it on its line.
    pub(crate) begins_line: bool,
    /// Whether a token or another comment follows on its line.
    pub(crate) is_followed: bool,
    /// Its offset and length in the input, until its place among the tokens is known.
    offset: u64,
    length: u64,
}

impl Comment {
    /// Whether it ends with its line.
    pub(crate) fn ends_line(&self) -> bool {
        self.text.starts_with(b"//")
    }
}

/// The comments that were read and not yet taken.
#[derive(Debug, Default)]
pub(crate) struct KeptComments {
    /// Comments whose place among the tokens is known.
    placed: VecDeque<Comment>,
    /// Comments in text that was not yet passed on.
    ahead: VecDeque<Comment>,
    /// Offset of the first comment.
    first: Option<u64>,
    /// Whether there was no memory for a comment, which is an error of reading.
    is_out_of_memory: bool,
}

impl KeptComments {
    /// Adds a part of a comment.
    fn add(&mut self, offset: u64, text: &[u8], is_first: bool) -> Result<(), TryReserveError> {
        if is_first {
            self.ahead.try_reserve(1)?;
            // Where it is placed, there is room for it.
            self.placed.try_reserve(self.ahead.len() + 1)?;
            let (text, begins_line, is_followed) = (Vec::new(), false, false);
            self.ahead.push_back(Comment { tokens: 0, text, begins_line, is_followed, offset, length: 0 });
        }
        if let Some(comment) = self.ahead.back_mut() {
            comment.text.try_reserve(text.len())?;
            comment.text.extend_from_slice(text);
            comment.length += text.len() as u64;
        }
        Ok(())
    }

    /// Returns the next comment if at most this number of tokens are before it.
    pub(crate) fn next(&mut self, tokens: u64) -> Option<Comment> {
        self.placed.pop_front_if(|comment| comment.tokens <= tokens)
    }

    /// Returns the offset of the first comment of the input that was read so far.
    pub(crate) fn first(&self) -> Option<u64> {
        self.first
    }
}

/// Keeps what the scanner finds.
struct Keep(Rc<RefCell<KeptComments>>);

impl Observe for Keep {
    fn comment(&mut self, offset: u64, text: &[u8], is_first: bool) {
        let mut kept = self.0.borrow_mut();
        kept.first.get_or_insert(offset);
        kept.is_out_of_memory |= kept.add(offset, text, is_first).is_err();
    }
}

/// What the byte before belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Space,
    Scalar,
    String,
    Escape,
}

/// A reader that counts the tokens of the text without comments, and places the comments among them.
struct Placing<'a> {
    reader: Box<dyn Read + 'a>,
    kept: Rc<RefCell<KeptComments>>,
    /// Offset of the next byte.
    offset: u64,
    tokens: u64,
    inside: Inside,
    /// Whether nothing but whitespace is before the next byte on its line.
    begins_line: bool,
    /// Offset of the next comment.
    next: Option<u64>,
    /// Offset of the end of the comment that the next byte is in.
    end: u64,
}

impl Placing<'_> {
    fn count(&mut self, text: &[u8]) {
        let kept = Rc::clone(&self.kept);
        let mut kept = kept.borrow_mut();
        for &byte in text {
            let offset = self.offset;
            self.offset += 1;
            if offset < self.end {
                continue;
            }
            self.next = self.next.or_else(|| kept.ahead.front().map(|comment| comment.offset));
            if self.next == Some(offset)
                && let Some(comment) = kept.ahead.pop_front()
            {
                self.follow(&mut kept);
                let placed = Comment { tokens: self.tokens, begins_line: self.begins_line, ..comment };
                (self.next, self.end) = (None, offset + placed.length);
                (self.begins_line, self.inside) = (false, Inside::Space);
                kept.placed.push_back(placed);
                continue;
            }
            self.byte(byte, &mut kept);
        }
    }

    fn byte(&mut self, byte: u8, kept: &mut KeptComments) {
        self.inside = match (self.inside, byte) {
            (Inside::String, b'\\') => Inside::Escape,
            (Inside::String, b'"') => Inside::Space,
            (Inside::String | Inside::Escape, _) => Inside::String,
            (_, b'\n' | b'\r') => {
                self.begins_line = true;
                Inside::Space
            }
            (_, b' ' | b'\t') => Inside::Space,
            (inside, _) => {
                let is_punctuation = matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':');
                let next = match byte {
                    b'"' => Inside::String,
                    _ if is_punctuation => Inside::Space,
                    _ => Inside::Scalar,
                };
                if !(inside == Inside::Scalar && next == Inside::Scalar) {
                    self.follow(kept);
                    self.tokens += 1;
                }
                self.begins_line = false;
                next
            }
        };
    }

    /// Notes that something follows the last comment.
    fn follow(&self, kept: &mut KeptComments) {
        // It was not taken, because it is before a token that is not yet known.
        if let Some(last) = kept.placed.back_mut().filter(|last| last.tokens == self.tokens) {
            last.is_followed |= !self.begins_line;
        }
    }
}

impl Read for Placing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if self.kept.borrow().is_out_of_memory {
            return Err(Error::from(OutOfMemory::Text).into());
        }
        self.count(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

impl Input<'_> {
    /// Accepts JSON with comments, like [`skip_comments`](Self::skip_comments), and keeps the comments. They are in memory until they
    /// are taken.
    pub(crate) fn keep_comments(self) -> (Self, Rc<RefCell<KeptComments>>) {
        let (start, mark) = (self.start, self.mark);
        let kept = Rc::new(RefCell::new(KeptComments::default()));
        let reader = Placing {
            reader: Box::new(self.skip_comments_with(Keep(Rc::clone(&kept))).into_reader()),
            kept: Rc::clone(&kept),
            offset: start,
            tokens: 0,
            inside: Inside::Space,
            begins_line: true,
            next: None,
            end: start,
        };
        let input = Self::from_supply(Supply::Reader(Box::new(reader))).starting_at(start);
        (Self { mark, ..input }, kept)
    }
}
