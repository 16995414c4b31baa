//! The place of a fault in the document: its JSON Pointer and the innermost open container.
//!
//! The reader that found the fault keeps one bit per level and no keys, so the text before the fault is scanned again. It
//! is known to be the start of a valid document, so its brackets and commas suffice; a simple tokenizer reads
//! on from the last of them, and reads the keys. Only the outermost 1024 levels are kept, since longer pointers are of no use.

#![forbid(unsafe_code)]

use std::ops::Range;
use std::str::Chars;

use crate::error::ErrorKind;
use crate::grammar::Level;
use crate::grammar::OpenContainers;
use crate::grammar::is_whitespace;
use crate::input::change_point;

/// Number of levels that are kept.
pub(super) const LEVELS: usize = 1024;

/// Maximum number of missing closing brackets that are listed.
const MAX_BRACKETS: usize = 10;

/// Maximum length of a pointer in bytes.
const POINTER_LENGTH: usize = 4096;

/// Maximum length of the text of a key, without the quotes, that fits into a pointer: an escape has at most six bytes for each byte
/// of the pointer.
pub(super) const KEY_LENGTH: usize = 6 * POINTER_LENGTH;

/// A place in a document. Indexes are relative to the start of the document.
pub(super) struct FaultPlace {
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

impl Last {
    /// Returns the last token if a token that begins with `byte` follows this one. A string after a bracket or comma counts as a
    /// key.
    fn then(self, byte: u8, is_complete: bool) -> Self {
        match byte {
            b'{' | b'[' => Self::Opener,
            b'}' | b']' => Self::Value,
            b',' => Self::Comma,
            b':' => Self::Colon,
            b'"' if self != Self::Colon && is_complete => Self::Key,
            b'"' if self != Self::Colon => Self::OpenKey,
            _ if is_complete => Self::Value,
            b'"' => Self::OpenText,
            _ => Self::OpenScalar,
        }
    }
}

impl FaultPlace {
    /// Returns the place after `document`, which is the start of a valid document.
    pub(super) fn of(document: &[u8]) -> Self {
        Self::after(document, &OpenContainers::default(), 0)
    }

    /// Returns the place after `document`. `before` are the containers that are open after its first `read` bytes.
    pub(super) fn after(document: &[u8], before: &OpenContainers, read: usize) -> Self {
        let mut found = before.clone();
        found.read(&document[read..], read, LEVELS);
        let (depth, levels) = (found.depth, found.levels);
        let (mut last, mut span) = (Last::Nothing, 0..0);
        for token in (TokenReader { document, at: found.last }) {
            change_point();
            last = last.then(document[token.span.start], token.is_complete);
            span = token.span;
        }
        let opener = match depth.checked_sub(1) {
            None => None,
            Some(level) if level < LEVELS => levels.get(level).map(|level| level.opener),
            Some(_) => last_opener(document, before, depth),
        };
        // Only objects have keys.
        if opener.is_none_or(|opener| document[opener] == b'[') {
            last = match last {
                Last::Key => Last::Value,
                Last::OpenKey => Last::OpenText,
                last => last,
            };
        }
        Self { depth, opener, last, span, levels, end: document.len() }
    }

    /// Whether the innermost open container is known. It may not be if the text before it was abridged, and it is very deep.
    pub(super) fn has_opener(&self) -> bool {
        self.depth == 0 || self.opener.is_some()
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
                // The first token after the last comma, or after the opening bracket.
                push_key(&mut pointer, key_at(document, level.last + 1)?)?;
            } else {
                pointer.push_str(&level.commas.to_string());
            }
            if pointer.len() > POINTER_LENGTH {
                return None;
            }
        }
        if kind == ErrorKind::DuplicateKey {
            // The pointer names the member with the duplicate key.
            pointer.push('/');
            push_key(&mut pointer, key_at(document, self.end)?)?;
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

/// Returns the index of the last opening bracket that increased the depth to `depth`, if it is not before the last bracket that was
/// read before.
fn last_opener(document: &[u8], before: &OpenContainers, depth: usize) -> Option<usize> {
    let mut level = before.depth;
    let is_opener = level == depth && matches!(document.get(before.last), Some(b'{' | b'['));
    let mut opener = is_opener.then_some(before.last);
    // The bracket itself has been counted, if there is one.
    let at = if level == 0 { 0 } else { before.last + 1 };
    for Token { span, .. } in (TokenReader { document, at }) {
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
pub(super) struct Token {
    pub(super) span: Range<usize>,
    /// Whether it is complete: a string with both quotes, or a number or literal that something follows.
    pub(super) is_complete: bool,
}

/// The tokens of the start of a valid document.
pub(super) struct TokenReader<'a> {
    pub(super) document: &'a [u8],
    pub(super) at: usize,
}

impl Iterator for TokenReader<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        change_point();
        let start = self.at + self.document.get(self.at..)?.iter().position(|&byte| !is_whitespace(byte))?;
        let end = match self.document[start] {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => Some(start + 1),
            b'"' => string_end(self.document, start + 1),
            _ => {
                let is_end = |&byte: &u8| is_whitespace(byte) || matches!(byte, b',' | b']' | b'}');
                self.document[start..].iter().position(is_end).map(|length| start + length)
            }
        };
        self.at = end.unwrap_or(self.document.len());
        Some(Token { span: start..self.at, is_complete: end.is_some() })
    }
}

/// Returns the text of the string that follows at `at`.
fn key_at(document: &[u8], at: usize) -> Option<&[u8]> {
    let key = (TokenReader { document, at }).next()?.span;
    document.get(key.start + 1..key.end.checked_sub(1)?)
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
    // A copy, because a memory-mapped file may change while its bytes are converted to characters.
    let key = key.get(..key.len().min(KEY_LENGTH))?.to_vec();
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

#[cfg(test)]
mod tests {
    use super::FaultPlace;
    use super::Last;
    use super::TokenReader;
    use crate::error::ErrorKind;
    use crate::explain::random::Random;
    use std::ops::Range;

    /// An open container: the index of its bracket, the commas in it, and its last key.
    type Open = (usize, u64, Range<usize>);

    /// Reference implementation, token by token.
    fn plain(document: &[u8]) -> (Vec<Open>, Last, Range<usize>) {
        let (mut open, mut last, mut place): (Vec<Open>, _, _) = (Vec::new(), Last::Nothing, 0..0);
        for token in (TokenReader { document, at: 0 }) {
            let before = last;
            last = last.then(document[token.span.start], token.is_complete);
            match document[token.span.start] {
                b'{' | b'[' => open.push((token.span.start, 0, 0..0)),
                b'}' | b']' => _ = open.pop(),
                b',' => open.iter_mut().next_back().into_iter().for_each(|level| level.1 += 1),
                b'"' if before != Last::Colon && token.is_complete => {
                    let key = token.span.start + 1..token.span.end - 1;
                    open.iter_mut().next_back().into_iter().for_each(|level| level.2 = key.clone());
                }
                _ => {}
            }
            place = token.span;
        }
        let is_in_object = open.last().is_some_and(|&(opener, ..)| document[opener] == b'{');
        let last = match last {
            Last::Key if !is_in_object => Last::Value,
            Last::OpenKey if !is_in_object => Last::OpenText,
            last => last,
        };
        (open, last, place)
    }

    /// At every byte of random documents.
    #[test]
    fn places_and_pointers_equal_those_of_a_plain_tokenizer() {
        for seed in 1..300 {
            let mut random = Random::new(seed);
            let document = format!(r#"[1, {{"k\"": {}}}]"#, random.document()).into_bytes();
            for cut in 0..=document.len() {
                let (open, last, span) = plain(&document[..cut]);
                let place = FaultPlace::of(&document[..cut]);
                assert_eq!((place.depth, place.last, &place.span), (open.len(), last, &span), "seed {seed}, cut {cut}");
                assert_eq!(place.opener, open.last().map(|level| level.0));
                let levels: Vec<_> = place.levels.iter().map(|level| (level.opener, level.commas)).collect();
                assert_eq!(levels, open.iter().map(|level| (level.0, level.1)).collect::<Vec<_>>());
                let kind = ErrorKind::InvalidNumber;
                let children =
                    if place.is_at_child(&document, kind) { open.len() } else { open.len().saturating_sub(1) };
                let mut pointer = String::new();
                for (opener, commas, key) in &open[..children] {
                    pointer.push('/');
                    if document[*opener] == b'{' {
                        super::push_key(&mut pointer, &document[key.clone()]).expect("short");
                    } else {
                        pointer += &commas.to_string();
                    }
                }
                assert_eq!(place.pointer(&document, kind), Some(pointer), "seed {seed}, cut {cut}");
            }
        }
    }
}
