//! The place of a fault in the document: its JSON Pointer and the innermost open container.
//!
//! The reader that found the fault keeps one bit per level and no keys, so the text before the fault is scanned again. It
//! is known to be the start of a valid document, so a simple tokenizer suffices. Keys are kept as spans, for the outermost
//! 1024 levels only, since longer pointers are of no use.

#![forbid(unsafe_code)]

use std::ops::Range;
use std::str::Chars;

use crate::error::ErrorKind;
use crate::input::change_point;

/// Number of levels whose keys and indexes are kept.
const LEVELS: usize = 1024;

/// Maximum number of missing closing brackets that are listed.
const MAX_BRACKETS: usize = 10;

/// Maximum length of a pointer in bytes.
const POINTER_LENGTH: usize = 4096;

/// A place in a document. Indexes are relative to the start of the document.
pub(super) struct Place {
    /// Number of open containers.
    pub(super) depth: usize,
    /// Index of the opening bracket of the innermost one.
    pub(super) opener: Option<usize>,
    /// Kind of the last token.
    pub(super) last: Last,
    /// Span of the last token.
    pub(super) span: Range<usize>,
    /// The outermost [`LEVELS`] open containers.
    levels: Vec<Level>,
    /// Number of bytes before the place.
    end: usize,
}

/// The last token before a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// None: the place is at the start of the document.
    Nothing,
    /// `{` or `[`
    Opener,
    Comma,
    Colon,
    Key,
    /// A value that is complete.
    Value,
    /// A key without its closing quote.
    OpenKey,
    /// A string without its closing quote that is not a key.
    OpenText,
    /// A number or literal that may continue.
    OpenScalar,
}

/// An open container.
struct Level {
    opener: usize,
    /// Number of commas read in it.
    commas: u64,
    /// In an object: span of the last key, without quotes.
    key: Range<usize>,
}

impl Place {
    /// Returns the place after `document`, which is the start of a valid document.
    pub(super) fn of(document: &[u8]) -> Self {
        let mut place =
            Self { depth: 0, opener: None, last: Last::Nothing, span: 0..0, levels: Vec::new(), end: document.len() };
        for token in (Tokens { document, at: 0 }) {
            place.take(document, token);
        }
        place.opener = match place.depth.checked_sub(1) {
            None => None,
            Some(level) if level < LEVELS => Some(place.levels[level].opener),
            Some(_) => last_opener(document, place.depth),
        };
        // So far, a string after a bracket or comma counted as a key, but only objects have keys.
        if place.opener.is_none_or(|opener| document[opener] == b'[') {
            place.last = match place.last {
                Last::Key => Last::Value,
                Last::OpenKey => Last::OpenText,
                last => last,
            };
        }
        place
    }

    fn take(&mut self, document: &[u8], token: Token) {
        let Token { span, is_complete } = token;
        let level = self.depth.checked_sub(1).and_then(|level| self.levels.get_mut(level));
        change_point();
        self.last = match document[span.start] {
            b'{' | b'[' => {
                if self.depth < LEVELS {
                    self.levels.push(Level { opener: span.start, commas: 0, key: 0..0 });
                }
                self.depth += 1;
                Last::Opener
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.levels.truncate(self.depth);
                Last::Value
            }
            b',' => {
                if let Some(level) = level {
                    level.commas += 1;
                }
                Last::Comma
            }
            b':' => Last::Colon,
            b'"' if self.last != Last::Colon && is_complete => {
                if let Some(level) = level {
                    level.key = span.start + 1..(span.end - 1).max(span.start + 1);
                }
                Last::Key
            }
            b'"' if self.last != Last::Colon => Last::OpenKey,
            _ if is_complete => Last::Value,
            b'"' => Last::OpenText,
            _ => Last::OpenScalar,
        };
        self.span = span;
    }

    /// Returns the brackets that would complete the document; `None` if they are not all that is missing, or too many.
    pub(super) fn closing_brackets(&self, document: &[u8]) -> Option<String> {
        let is_between_tokens = match self.last {
            Last::Opener | Last::Value => true,
            Last::OpenScalar => is_complete(&document[self.span.clone()]),
            _ => false,
        };
        let closing = |level: &Level| if document[level.opener] == b'{' { '}' } else { ']' };
        (is_between_tokens && (1..=MAX_BRACKETS).contains(&self.depth))
            .then(|| self.levels.iter().rev().map(closing).collect())
    }

    /// Returns the pointer for a fault of `kind` at this place. `document` also contains the text after the fault.
    pub(super) fn pointer(&self, document: &[u8], kind: ErrorKind) -> Option<String> {
        if matches!(
            kind,
            ErrorKind::TrailingContent | ErrorKind::EmptyInput | ErrorKind::Encoding | ErrorKind::MissingSeparator
        ) {
            return None;
        }
        let levels = if self.is_at_child(document, kind) { self.depth } else { self.depth.saturating_sub(1) };
        let mut pointer = String::new();
        if levels > self.levels.len() {
            return None;
        }
        for level in &self.levels[..levels] {
            pointer.push('/');
            if document[level.opener] == b'{' {
                push_key(&mut pointer, &document[level.key.clone()])?;
            } else {
                pointer.push_str(&level.commas.to_string());
            }
            if pointer.len() > POINTER_LENGTH {
                return None;
            }
        }
        if kind == ErrorKind::DuplicateKey {
            // The pointer names the member with the duplicate key.
            let key = (Tokens { document, at: self.end }).next()?.span;
            pointer.push('/');
            push_key(&mut pointer, document.get(key.start + 1..key.end.checked_sub(1)?)?)?;
        }
        Some(pointer)
    }

    /// Whether the fault is inside, or in place of, a value of the innermost container whose key or index is known.
    fn is_at_child(&self, document: &[u8], kind: ErrorKind) -> bool {
        match self.last {
            Last::Colon | Last::Key | Last::OpenText => true,
            Last::Nothing | Last::Value | Last::OpenKey => false,
            Last::OpenScalar => match kind {
                // In `0x1F`, the fault is the `x`, but it belongs to the value.
                ErrorKind::ExpectedCommaOrClose => document.get(self.end).is_some_and(|&next| continues_word(next)),
                ErrorKind::MismatchedClose => false,
                ErrorKind::UnexpectedEnd => !is_complete(&document[self.span.clone()]),
                _ => true,
            },
            Last::Opener | Last::Comma => {
                let in_array = self.opener.is_some_and(|opener| document[opener] == b'[');
                in_array && kind != ErrorKind::UnexpectedEnd && !matches!(document.get(self.end), Some(b']' | b'}'))
            }
        }
    }
}

/// Whether a byte after a number or literal is taken for a part of it.
fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

/// Whether the start of a number or literal is complete by itself.
pub(super) fn is_complete(scalar: &[u8]) -> bool {
    matches!(scalar, b"true" | b"false" | b"null") || scalar.last().is_some_and(u8::is_ascii_digit)
}

/// Returns the index of the last opening bracket that increased the depth to `depth`.
fn last_opener(document: &[u8], depth: usize) -> Option<usize> {
    let mut level = 0_usize;
    let mut opener = None;
    for Token { span, .. } in (Tokens { document, at: 0 }) {
        match document[span.start] {
            b'{' | b'[' => {
                level += 1;
                if level == depth {
                    opener = Some(span.start);
                }
            }
            b'}' | b']' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    opener
}

/// A bracket, comma, colon, string, number or literal.
struct Token {
    span: Range<usize>,
    /// Whether it is complete: a string with both quotes, or a number or literal that something follows.
    is_complete: bool,
}

/// The tokens of the start of a valid document.
struct Tokens<'a> {
    document: &'a [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let is_whitespace = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        change_point();
        let start = self.at + self.document[self.at..].iter().position(|byte| !is_whitespace(byte))?;
        let end = match self.document[start] {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => Some(start + 1),
            b'"' => string_end(self.document, start + 1),
            _ => {
                let is_end = |byte: &u8| is_whitespace(byte) || matches!(byte, b',' | b']' | b'}');
                self.document[start..].iter().position(is_end).map(|length| start + length)
            }
        };
        self.at = end.unwrap_or(self.document.len());
        Some(Token { span: start..self.at, is_complete: end.is_some() })
    }
}

/// Returns the index after the closing quote of the string whose text starts at `at`.
fn string_end(document: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', document.get(at..)?)?;
        if document[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Appends an unescaped key, with `~` and `/` escaped as RFC 6901 requires.
fn push_key(pointer: &mut String, key: &[u8]) -> Option<()> {
    // A copy, because a memory-mapped file may change while its bytes are converted to characters. An escape has at most
    // six bytes per byte of the pointer, so no more of the key is needed.
    let key = key.get(..key.len().min(6 * POINTER_LENGTH))?.to_vec();
    let mut rest = std::str::from_utf8(&key).ok()?.chars();
    while let Some(character) = rest.next() {
        match if character == '\\' { escaped(&mut rest)? } else { character } {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            character => pointer.push(character),
        }
        if pointer.len() > POINTER_LENGTH {
            return None;
        }
    }
    Some(())
}

/// Decodes an escape sequence; `rest` starts after its backslash. Returns `None` for a lone surrogate.
fn escaped(rest: &mut Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let first = utf16_unit(rest)?;
            let mut second = None;
            if let Some(mut after) = rest.as_str().strip_prefix("\\u").map(str::chars)
                && (0xD800..0xDC00).contains(&first)
            {
                second = Some(utf16_unit(&mut after)?);
                *rest = after;
            }
            char::decode_utf16([first].into_iter().chain(second)).next()?.ok()?
        }
        character => character,
    })
}

fn utf16_unit(rest: &mut Chars<'_>) -> Option<u16> {
    let (digits, after) = rest.as_str().split_at_checked(4)?;
    *rest = after.chars();
    u16::from_str_radix(digits, 16).ok()
}
