//! Writing values that are still text: the text is copied where it is what jq would write.
//!
//! What jq would write differs in whitespace, in numbers with exponents, in escapes and DEL, and in members with the same key, of which
//! the last one remains. The first three are replaced on the way. The last one is rare, and left to the writer of decoded values.

#![forbid(unsafe_code)]

use std::cell::Cell;

use fjson::Tokens;

use crate::value::Distinct;
use crate::value::Kind;
use crate::value::Lazy;
use crate::value::SeenKeys;
use crate::value::Source;
use crate::value::write_number;
use crate::write::DEEPEST;
use crate::write::Indent;
use crate::write::write_string;

thread_local! {
    /// The memory of the list of open containers.
    static OPEN: Cell<Vec<Open>> = const { Cell::new(Vec::new()) };
}

/// Appends the text of a value, whose lines are indented from `level` on. Of a container, everything after `limit` bytes may be
/// missing. Returns false and appends nothing if the value has to be decoded.
pub(super) fn copy(lazy: &Lazy, indent: Indent, level: usize, limit: usize, out: &mut Vec<u8>) -> bool {
    let source = lazy.source();
    if lazy.kind() == Kind::String && !source.has_delete {
        // It has no escapes.
        out.push(b'"');
        out.extend_from_slice(lazy.text().as_bytes());
        out.push(b'"');
        return true;
    }
    if lazy.kind() == Kind::Number {
        let number = source.number(lazy.token());
        if is_canonical(number) {
            out.extend_from_slice(number);
        } else {
            write_number(number, out);
        }
        return true;
    }
    let tokens = source.tokens();
    let length = out.len();
    let start = tokens.start(lazy.token());
    let mut copier = Copier {
        source,
        tokens,
        text: tokens.text(),
        out,
        from: start,
        end: start,
        open: OPEN.take(),
        next: NextToken::First,
        limit,
    };
    let is_written = match indent {
        Indent::Compact => copier.compact(lazy.token(), level),
        _ => copier.indented(lazy.token(), indent, level),
    };
    let mut open = copier.open;
    open.clear();
    OPEN.set(open);
    if !is_written {
        out.truncate(length);
    }
    is_written
}

/// Whether jq writes a number as it is in the text. It writes others, such as small ones, with an exponent.
#[inline]
fn is_canonical(number: &[u8]) -> bool {
    let has_exponent = number.iter().any(|byte| byte | 0x20 == b'e');
    !(has_exponent || number.starts_with(b"0.0000") || number.starts_with(b"-0.0000"))
}

/// What the next token is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextToken {
    /// The first token, or the first one in a container.
    First,
    /// An element after the first one, or a key, or a closing bracket.
    Next,
    /// The value of a member.
    Value,
}

/// A container that is open.
struct Open {
    token: usize,
    is_object: bool,
    seen: SeenKeys,
}

struct Copier<'c> {
    source: &'c Source,
    tokens: Tokens<'c, 'c>,
    text: &'c [u8],
    out: &'c mut Vec<u8>,
    /// The text between these indexes has to be appended.
    from: usize,
    end: usize,
    open: Vec<Open>,
    next: NextToken,
    limit: usize,
}

impl Copier<'_> {
    fn compact(&mut self, mut token: usize, level: usize) -> bool {
        let (text, positions) = (self.text, self.tokens.positions());
        loop {
            let start = positions[token] as usize;
            let byte = text[start];
            let is_separated = self.next != NextToken::First && !matches!(byte, b']' | b'}');
            if start - self.end != usize::from(is_separated) {
                self.flush();
                if is_separated {
                    self.out.push(if self.next == NextToken::Value { b':' } else { b',' });
                }
                self.from = start;
            }
            let Some(next) = self.token(token, start, byte) else { return false };
            token = next;
            if self.open.is_empty() || self.out.len() + (self.end - self.from) > self.limit {
                self.flush();
                return true;
            }
            if self.open.len() + level > DEEPEST {
                return false;
            }
        }
    }

    fn indented(&mut self, mut token: usize, indent: Indent, level: usize) -> bool {
        let (text, positions) = (self.text, self.tokens.positions());
        loop {
            let start = positions[token] as usize;
            let byte = text[start];
            // The separator is not that of the text.
            self.flush();
            self.from = start;
            match (self.next, byte) {
                (NextToken::First, b']' | b'}') => {}
                (_, b']' | b'}') => indent.line(level + self.open.len() - 1, self.out),
                (NextToken::Value, _) => self.out.extend_from_slice(b": "),
                (next, _) => {
                    if next == NextToken::Next {
                        self.out.push(b',');
                    }
                    if !self.open.is_empty() {
                        indent.line(level + self.open.len(), self.out);
                    }
                }
            }
            let Some(next) = self.token(token, start, byte) else { return false };
            token = next;
            if self.open.is_empty() || self.out.len() > self.limit {
                self.flush();
                return true;
            }
            if self.open.len() + level > DEEPEST {
                return false;
            }
        }
    }

    /// Adds a token to the text that has to be appended, or appends what jq would write instead. Returns the next token; `None` if
    /// several members of an object may have the same key.
    #[inline(always)]
    fn token(&mut self, token: usize, start: usize, byte: u8) -> Option<usize> {
        match byte {
            b'"' => return self.string(token, start),
            b'{' | b'[' => {
                // Beyond the limit, there may be a member that replaces one before it.
                if self.limit != usize::MAX && byte == b'{' && self.source.count_distinct(token).is_none() {
                    return None;
                }
                self.open.push(Open { token, is_object: byte == b'{', seen: SeenKeys::default() });
                self.end = start + 1;
                self.next = NextToken::First;
                return Some(token + 1);
            }
            b'}' | b']' => {
                self.open.pop();
                self.end = start + 1;
            }
            b't' | b'n' => self.end = start + 4,
            b'f' => self.end = start + 5,
            _ => self.number(start),
        }
        self.next = NextToken::Next;
        Some(token + 1)
    }

    #[inline(always)]
    fn string(&mut self, token: usize, start: usize) -> Option<usize> {
        let end = self.tokens.start(token + 1) + 1;
        let mut is_key = false;
        if self.next != NextToken::Value
            && let Some(open) = self.open.last_mut()
            && open.is_object
        {
            is_key = true;
            if open.seen.add(self.source, self.tokens, token) == Distinct::Unknown
                && !self.source.compare_keys(open.token)
            {
                return None;
            }
        }
        if self.source.has_escapes && self.tokens.has_escapes(token)
            || self.source.has_delete && self.text[start..end].contains(&0x7f)
        {
            self.end = start;
            self.flush();
            write_string(&self.source.string(token), false, self.out);
            self.from = end;
        }
        self.end = end;
        self.next = if is_key { NextToken::Value } else { NextToken::Next };
        Some(token + 2)
    }

    #[inline(always)]
    fn number(&mut self, start: usize) {
        let rest = &self.text[start..];
        let mut length = 0;
        while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = rest.get(length) {
            length += 1;
        }
        let number = &rest[..length];
        if !is_canonical(number) {
            self.end = start;
            self.flush();
            write_number(number, self.out);
            self.from = start + length;
        }
        self.end = start + length;
    }

    /// Appends the text that has to be.
    #[inline]
    fn flush(&mut self) {
        self.out.extend_from_slice(&self.text[self.from..self.end]);
        self.from = self.end;
    }
}
