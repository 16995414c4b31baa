//! Where in the document a fault is: the containers around it, as a JSON Pointer, and the opener of the innermost one.
//!
//! The reader that found the fault keeps one bit per level and no names, so the text before the fault is walked once
//! more. It is known to be the front of a valid document, which makes the walk simple: strings are skipped, brackets,
//! commas and colons are counted. Names are kept as spans, and only those of the
//! outermost 1024 levels: deeper than that nobody reads a pointer.

#![forbid(unsafe_code)]

use std::ops::Range;
use std::str::Chars;

use crate::error::ErrorKind;
use crate::input::look;

/// Levels whose names and indexes are kept.
const LEVELS: usize = 1024;

/// The most closers that are spelled out.
const SHOWN_CLOSERS: usize = 10;

/// The longest pointer that is given, in bytes.
const POINTER_LENGTH: usize = 4096;

/// A place in a document. Indexes count from the start of the document.
pub(super) struct Place {
    /// How many containers are open.
    pub(super) depth: usize,
    /// The opener of the innermost of them.
    pub(super) opener: Option<usize>,
    /// What has been read last.
    pub(super) last: Last,
    /// Its span.
    pub(super) span: Range<usize>,
    /// The outermost levels.
    levels: Vec<Level>,
    /// Where the place is: just behind this many bytes.
    end: usize,
}

/// What has been read last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// Nothing: the place is at the start of the document.
    Nothing,
    /// `{` or `[`
    Opener,
    Comma,
    Colon,
    Name,
    /// A value that cannot go on.
    Value,
    /// A name without its closing quote.
    OpenName,
    /// A string without its closing quote, and not a name.
    OpenText,
    /// A number or a literal; it may go on.
    OpenScalar,
}

/// An open container.
struct Level {
    opener: usize,
    /// How many commas have been read in it.
    commas: u64,
    /// In an object: the last name, between its quotes.
    name: Range<usize>,
}

impl Place {
    /// The place behind `document`, the front of a valid document.
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
        // A string behind a bracket or comma was taken for a name; only an object has names.
        if place.opener.is_none_or(|opener| document[opener] == b'[') {
            place.last = match place.last {
                Last::Name => Last::Value,
                Last::OpenName => Last::OpenText,
                last => last,
            };
        }
        place
    }

    fn take(&mut self, document: &[u8], token: Token) {
        let Token { span, whole } = token;
        let level = self.depth.checked_sub(1).and_then(|level| self.levels.get_mut(level));
        look();
        self.last = match document[span.start] {
            b'{' | b'[' => {
                if self.depth < LEVELS {
                    self.levels.push(Level { opener: span.start, commas: 0, name: 0..0 });
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
            b'"' if self.last != Last::Colon && whole => {
                if let Some(level) = level {
                    level.name = span.start + 1..(span.end - 1).max(span.start + 1);
                }
                Last::Name
            }
            b'"' if self.last != Last::Colon => Last::OpenName,
            _ if whole => Last::Value,
            b'"' => Last::OpenText,
            _ => Last::OpenScalar,
        };
        self.span = span;
    }

    /// What would close all containers that are open behind a complete value; `None` if they are many.
    pub(super) fn closers(&self, document: &[u8]) -> Option<String> {
        let is_between = match self.last {
            Last::Opener | Last::Value => true,
            Last::OpenScalar => is_complete(&document[self.span.clone()]),
            _ => false,
        };
        let closer = |level: &Level| if document[level.opener] == b'{' { '}' } else { ']' };
        (is_between && (1..=SHOWN_CLOSERS).contains(&self.depth))
            .then(|| self.levels.iter().rev().map(closer).collect())
    }

    /// The pointer to this place, at which a fault of `kind` is, in the same document, now with what follows.
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
                push_name(&mut pointer, &document[level.name.clone()])?;
            } else {
                pointer.push_str(&level.commas.to_string());
            }
            if pointer.len() > POINTER_LENGTH {
                return None;
            }
        }
        if kind == ErrorKind::DuplicateKey {
            // The member that has the name.
            let name = (Tokens { document, at: self.end }).next()?.span;
            pointer.push('/');
            push_name(&mut pointer, document.get(name.start + 1..name.end.checked_sub(1)?)?)?;
        }
        Some(pointer)
    }

    /// Whether the fault is in, or in place of, a value of the innermost container whose name or index is known.
    fn is_at_child(&self, document: &[u8], kind: ErrorKind) -> bool {
        match self.last {
            Last::Colon | Last::Name | Last::OpenText => true,
            Last::Nothing | Last::Value | Last::OpenName => false,
            Last::OpenScalar => match kind {
                ErrorKind::ExpectedCommaOrClose | ErrorKind::MismatchedClose => false,
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

/// Whether the front of a number or literal is one.
pub(super) fn is_complete(scalar: &[u8]) -> bool {
    matches!(scalar, b"true" | b"false" | b"null") || scalar.last().is_some_and(u8::is_ascii_digit)
}

/// The last opener that made the depth `depth`.
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
    /// Whether it cannot go on: a string with both quotes, a number or literal with something behind it.
    whole: bool,
}

/// The tokens of the front of a valid document.
struct Tokens<'a> {
    document: &'a [u8],
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        look();
        let start = self.at + self.document[self.at..].iter().position(|byte| !is_blank(byte))?;
        let end = match self.document[start] {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => Some(start + 1),
            b'"' => string_end(self.document, start + 1),
            _ => {
                let is_behind = |byte: &u8| is_blank(byte) || matches!(byte, b',' | b']' | b'}');
                self.document[start..].iter().position(is_behind).map(|length| start + length)
            }
        };
        self.at = end.unwrap_or(self.document.len());
        Some(Token { span: start..self.at, whole: end.is_some() })
    }
}

/// The index behind the closing quote of the string whose text starts at `at`.
fn string_end(document: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', document.get(at..)?)?;
        if document[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Appends what the text of a name means, with `~` and `/` written as RFC 6901 has them.
fn push_name(pointer: &mut String, name: &[u8]) -> Option<()> {
    // No longer pointer is given, and a copy does not change while it is taken for characters.
    let name = name.get(..name.len().min(6 * POINTER_LENGTH))?.to_vec();
    let mut rest = std::str::from_utf8(&name).ok()?.chars();
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

/// The character that an escape stands for, if there is one; `rest` starts behind its backslash.
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
            if let Some(mut behind) = rest.as_str().strip_prefix("\\u").map(str::chars)
                && (0xD800..0xDC00).contains(&first)
            {
                second = Some(utf16_unit(&mut behind)?);
                *rest = behind;
            }
            char::decode_utf16([first].into_iter().chain(second)).next()?.ok()?
        }
        character => character,
    })
}

fn utf16_unit(rest: &mut Chars<'_>) -> Option<u16> {
    let (digits, behind) = rest.as_str().split_at_checked(4)?;
    *rest = behind.chars();
    u16::from_str_radix(digits, 16).ok()
}
