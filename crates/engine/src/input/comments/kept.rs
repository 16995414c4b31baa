//! Keeps the comments of an input together with the number of tokens before each, so that they can be written between the same tokens.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::collections::TryReserveError;
use std::collections::VecDeque;
use std::io;
use std::io::Read;
use std::mem;
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

    /// Whether it has, or needs, the end of a line.
    fn has_line_end(&self) -> bool {
        self.ends_line() || self.text.contains(&b'\n')
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
    /// The containers whose lines cannot be joined because of the comments in them, by their numbers in the order of their opening
    /// brackets, from 1; none if [nobody asks](Self::note_containers).
    unjoinable: Option<BTreeSet<u64>>,
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

    /// Notes which containers cannot be written on one line. Called before the input is read.
    pub(crate) fn note_containers(&mut self) {
        self.unjoinable = Some(BTreeSet::new());
    }

    /// Whether the lines of a container that has been read to its end can be joined.
    pub(crate) fn can_join(&self, container: u64) -> bool {
        self.unjoinable.as_ref().is_none_or(|unjoinable| !unjoinable.contains(&container))
    }

    /// Forgets the containers before this one.
    pub(crate) fn forget_containers(&mut self, before: u64) {
        if let Some(unjoinable) = &mut self.unjoinable {
            while unjoinable.first().is_some_and(|&first| first < before) {
                unjoinable.pop_first();
            }
        }
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
    /// Number of containers that have begun.
    containers: u64,
    /// The numbers of those that are open, and of the tokens that open them.
    open: Vec<(u64, u64)>,
    /// How many of these, from the outermost on, are noted as unjoinable.
    noted: usize,
    /// The first byte of the last token.
    last: u8,
    /// Whether a comment after it has a line of its own.
    has_own_line: bool,
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
                if placed.has_line_end() {
                    self.note_open(&mut kept);
                }
                self.has_own_line |= placed.begins_line;
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
                    // Elsewhere, a comment that has a line of its own does not keep it.
                    if mem::take(&mut self.has_own_line) && self.last != b':' && !matches!(byte, b',' | b':') {
                        self.note_open(kept);
                    }
                    self.last = byte;
                }
                match byte {
                    b'{' | b'[' if kept.unjoinable.is_some() => {
                        self.containers += 1;
                        let open = (self.containers, self.tokens);
                        kept.is_out_of_memory |= self.open.try_reserve(1).map(|()| self.open.push(open)).is_err();
                    }
                    b'}' | b']' => {
                        // Comments in an empty container get lines of their own.
                        let is_last = |comment: &Comment| comment.tokens == self.tokens - 1;
                        if self.open.last().is_some_and(|open| open.1 == self.tokens - 1)
                            && kept.placed.back().is_some_and(is_last)
                        {
                            self.note_open(kept);
                        }
                        self.open.pop();
                        self.noted = self.noted.min(self.open.len());
                    }
                    _ => {}
                }
                self.begins_line = false;
                next
            }
        };
    }

    /// Notes that the lines of the open containers cannot be joined.
    fn note_open(&mut self, kept: &mut KeptComments) {
        if let Some(unjoinable) = &mut kept.unjoinable {
            unjoinable.extend(self.open[self.noted..].iter().map(|open| open.0));
            self.noted = self.open.len();
        }
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
            containers: 0,
            open: Vec::new(),
            noted: 0,
            last: 0,
            has_own_line: false,
            next: None,
            end: start,
        };
        let input = Self::from_supply(Supply::Reader(Box::new(reader))).starting_at(start);
        (Self { mark, ..input }, kept)
    }
}
