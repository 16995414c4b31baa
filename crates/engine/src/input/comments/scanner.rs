//! Finds comments and trailing commas, and overwrites them, in a text of which more and more is known.

#![forbid(unsafe_code)]

use std::ops::Range;

/// Number of bytes that are held back at most after a comma or the beginning of a comment. A comma before more whitespace and comments
/// than this is not taken for a trailing one.
pub(super) const MOST_HELD: usize = 1 << 20;

/// Receives comments before they are overwritten.
pub(crate) trait Observe {
    /// Receives a comment that begins at `offset`. One that is too long to be held is passed in parts, of which `is_first` marks the
    /// first.
    fn comment(&mut self, offset: u64, text: &[u8], is_first: bool);

    /// Receives the offset of a comma that is overwritten.
    fn comma(&mut self, _offset: u64) {}
}

/// Receives comments, and does nothing with them.
pub(crate) struct Ignore;

impl Observe for Ignore {
    fn comment(&mut self, _: u64, _: &[u8], _: bool) {}
}

/// Where in the text the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Outside strings and comments.
    Json,
    String,
    /// In a comment that ends with the line.
    Line,
    /// In a comment that ends with `*/`.
    Block,
}

pub(super) struct Scanner<O> {
    mode: Mode,
    /// Index of the next byte to look at.
    at: usize,
    /// Index of the first byte of the comment that was not yet overwritten.
    comment: usize,
    /// Offset of the comment, if a part of it was passed on.
    begun: Option<u64>,
    /// Index of the comma with which the tokens end, if it may be a trailing one.
    comma: Option<usize>,
    /// Index after a string that a line break has ended. What is before it is no token.
    broken: usize,
    /// The last byte before the text that is no whitespace, outside comments.
    before: u8,
    observer: O,
}

impl<O: Observe> Scanner<O> {
    pub(super) fn new(observer: O) -> Self {
        Self { mode: Mode::Json, at: 0, comment: 0, begun: None, comma: None, broken: 0, before: b'[', observer }
    }

    /// Scans the text up to its end, or as far as this is possible if more follows. `base` is the offset of its first byte. Returns the
    /// index up to which the text is final.
    pub(super) fn scan(&mut self, text: &mut [u8], base: u64, is_at_end: bool) -> usize {
        let known = if self.is_comment() { self.comment } else { self.at };
        while self.at < text.len() || is_at_end {
            let goes_on = match self.mode {
                Mode::Json => self.json(text, base),
                Mode::String => self.string(text),
                Mode::Line => self.line(text, base, is_at_end),
                Mode::Block => self.block(text, base, is_at_end),
            };
            if !goes_on {
                break;
            }
        }
        if is_at_end {
            return text.len();
        }
        // mutant: if false {
        if self.is_comment() && self.at - self.comment > MOST_HELD {
            self.blank(text, base, self.at);
        }
        let held = if self.is_comment() { self.comment } else { self.at };
        // What was known before has been looked at.
        // mutant: let last = self.comma;
        let last = self.last_token(text, known.min(held)..held).or(self.comma);
        self.comma = last.filter(|&last| self.mode != Mode::String && self.may_be_trailing(text, last));
        self.comma.unwrap_or(held)
    }

    fn is_comment(&self) -> bool {
        matches!(self.mode, Mode::Line | Mode::Block)
    }

    /// Forgets the first bytes of the text, which are final.
    pub(super) fn forget(&mut self, count: usize, text: &[u8]) {
        if let Some(last) = self.last_token(text, 0..count) {
            self.before = text[last];
        }
        self.at -= count;
        self.comment = self.comment.saturating_sub(count);
        self.broken = self.broken.saturating_sub(count);
        self.comma = self.comma.map(|comma| comma - count);
    }

    /// Returns the offset of the comment in which the text ends, if it was too long for its beginning to be held.
    pub(super) fn unterminated(&self) -> Option<u64> {
        self.begun.filter(|_| self.mode == Mode::Block)
    }

    /// Scans text outside strings and comments. Returns whether to go on.
    ///
    /// There are fewer closing brackets than commas, so it looks at those, and from there back to a comma.
    #[inline]
    fn json(&mut self, text: &mut [u8], base: u64) -> bool {
        let is_candidate = |&byte: &u8| matches!(byte, b'"' | b'/' | b']' | b'}');
        let Some(found) = text[self.at..].iter().position(is_candidate) else {
            self.at = text.len();
            return false;
        };
        self.at += found;
        match text[self.at] {
            b'"' => self.mode = Mode::String,
            b'/' => {
                self.mode = match text.get(self.at + 1) {
                    Some(b'/') => Mode::Line,
                    Some(b'*') => Mode::Block,
                    // What follows is not known yet, or this is the end.
                    None => return false,
                    // A slash is an error.
                    Some(_) => Mode::Json,
                };
                if self.mode != Mode::Json {
                    self.comment = self.at;
                    // mutant:
                    self.at += 1;
                }
            }
            _ => {
                let last = self.last_token(text, 0..self.at);
                if let Some(comma) = last.filter(|&last| self.may_be_trailing(text, last)) {
                    text[comma] = b' ';
                    self.observer.comma(base + comma as u64);
                }
            }
        }
        self.at += 1;
        true
    }

    /// Whether the token before the next byte is a comma after a value, and not one after an opening bracket or another comma.
    fn may_be_trailing(&self, text: &[u8], comma: usize) -> bool {
        // mutant: text[comma] == b',' && {
        text[comma] == b',' && self.at - comma <= MOST_HELD && {
            let before = self.last_token(text, 0..comma).map_or(self.before, |last| text[last]);
            !matches!(before, b'[' | b'{' | b',' | b':')
        }
    }

    /// Returns the index of the last byte of a token in a range of the text.
    fn last_token(&self, text: &[u8], range: Range<usize>) -> Option<usize> {
        let start = range.start.max(self.broken).min(range.end);
        let is_token = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        text[start..range.end].iter().rposition(is_token).map(|index| start + index)
    }

    /// Scans a string. A line break and a record separator end it, too, so that a string without a closing quote is an error only in its
    /// record.
    #[inline]
    fn string(&mut self, text: &[u8]) -> bool {
        self.at += plain(&text[self.at..]);
        match text.get(self.at) {
            None => return false,
            Some(b'"') => {
                self.mode = Mode::Json;
                self.at += 1;
            }
            Some(b'\n' | 0x1E) => {
                self.mode = Mode::Json;
                self.at += 1;
                // mutant:
                (self.broken, self.before) = (self.at, b'"');
            }
            Some(b'\\') => match text.get(self.at + 1) {
                None => return false,
                // mutant: Some(_) => self.at += 2,
                Some(next) if *next >= b' ' => self.at += 2,
                _ => self.at += 1,
            },
            Some(_) => self.at += 1,
        }
        true
    }

    fn line(&mut self, text: &mut [u8], base: u64, is_at_end: bool) -> bool {
        if let Some(length) = memchr::memchr2(b'\n', b'\r', &text[self.at..]) {
            return self.end(text, base, self.at + length);
        }
        self.at = text.len();
        // mutant: false
        is_at_end && self.end(text, base, text.len())
    }

    fn block(&mut self, text: &mut [u8], base: u64, is_at_end: bool) -> bool {
        if let Some(length) = memchr::memmem::find(&text[self.at..], b"*/") {
            return self.end(text, base, self.at + length + 2);
        }
        if is_at_end {
            if self.begun.is_none() && text.len() - self.comment <= MOST_HELD {
                // The beginning of the comment stays, and is an error in the text.
                let rest = (self.comment + 2).min(text.len());
                overwrite(&mut text[rest..]);
                self.mode = Mode::Json;
            } else {
                self.begun.get_or_insert(base + self.comment as u64);
            }
            self.at = text.len();
            return false;
        }
        // The star at the end may be the first byte of the end.
        // mutant: self.at = text.len();
        self.at = text.len() - usize::from(text[self.at..].ends_with(b"*"));
        false
    }

    /// Ends a comment at an index.
    fn end(&mut self, text: &mut [u8], base: u64, end: usize) -> bool {
        self.blank(text, base, end);
        self.begun = None;
        self.mode = Mode::Json;
        self.at = end;
        true
    }

    /// Overwrites the comment up to an index.
    fn blank(&mut self, text: &mut [u8], base: u64, end: usize) {
        let part = &mut text[self.comment..end];
        let offset = base + self.comment as u64;
        let is_first = self.begun.is_none();
        self.observer.comment(*self.begun.get_or_insert(offset), part, is_first);
        overwrite(part);
        self.comment = end;
    }
}

/// Overwrites a text with spaces, except its line breaks.
fn overwrite(text: &mut [u8]) {
    for byte in text {
        // mutant: *byte = b' ';
        *byte = if matches!(*byte, b'\n' | b'\r') { *byte } else { b' ' };
    }
}

/// Returns the number of bytes before the first quote, backslash or control character.
///
/// Most strings are short, so eight bytes are tested at once without a call: a byte is less than `n` if subtracting `n` borrows. A borrow
/// from a byte below only marks bytes after the first one that is found.
#[inline]
fn plain(text: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let less = |word: u64, than: u64| word.wrapping_sub(ONES * than) & !word;
        let equals = |byte: u8| less(word ^ (ONES * u64::from(byte)), 1);
        let found = (less(word, 0x20) | equals(b'"') | equals(b'\\')) & HIGH;
        if found != 0 {
            return 8 * index + found.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |&byte: &u8| matches!(byte, b'"' | b'\\') || byte < b' ';
    8 * words.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}
