//! A place in an expression, and what is found there.

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::NESTING;
use crate::query::syntax::Origin;

/// The largest integer that every reader of JSON takes for the same number (RFC 7493).
const MAX_INTEGER: i64 = (1 << 53) - 1;

pub(super) struct Cursor<'e> {
    text: &'e str,
    at: usize,
    depth: usize,
    absolute: usize,
}

impl<'e> Cursor<'e> {
    pub(super) fn new(text: &'e str) -> Self {
        Self { text, at: 0, depth: 0, absolute: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'e str {
        &self.text[self.at..]
    }

    pub(super) fn since(&self, start: usize) -> &'e str {
        &self.text[start..self.at]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Goes back, or ahead, to a place between two characters.
    pub(super) fn move_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Takes `token` if it stands here.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// Takes the characters that are `wanted`.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'e str {
        let rest = self.rest();
        let length = rest.find(|character| !wanted(character)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    pub(super) fn take_character(&mut self) -> Option<char> {
        let character = self.rest().chars().next()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(super) fn skip_blank(&mut self) {
        self.take_while(|character| matches!(character, ' ' | '\t' | '\n' | '\r'));
    }

    /// Goes one filter, parenthesis or call deeper.
    pub(super) fn enter(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > NESTING {
            let message = format!("more than {NESTING} filters, parentheses and calls stand inside each other");
            return Err(QueryError::new(self.at, message).with_help("divide the expression into several"));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The origin of a query in a filter that begins at the root.
    pub(super) fn number_root(&mut self) -> Origin {
        self.absolute += 1;
        Origin::Root(self.absolute - 1)
    }

    pub(super) fn absolute(&self) -> usize {
        self.absolute
    }

    /// What stands here is not what was expected.
    pub(super) fn expected(&self, expected: &str) -> QueryError {
        QueryError::new(self.at, format!("found {}, expected {expected}", self.found()))
    }

    /// What stands here, harmless to print.
    fn found(&self) -> String {
        match self.rest().chars().next() {
            None => String::from("the end"),
            Some(' ' | '\t' | '\n' | '\r') => String::from("a blank"),
            Some('`') => String::from("a backquote"),
            Some(character) if character.is_alphanumeric() || character.is_ascii_graphic() => format!("`{character}`"),
            Some(character) => format!("`\\u{{{:04X}}}`", u32::from(character)),
        }
    }

    /// An integer as indexes and slices have it, if one stands here.
    pub(super) fn integer(&mut self) -> Result<Option<i64>, QueryError> {
        let start = self.at;
        self.eat("-");
        let digits = self.take_while(|character| character.is_ascii_digit());
        match digits.as_bytes() {
            [] if self.at == start => return Ok(None),
            [] => return Err(self.expected("a digit")),
            [b'0', _, ..] => return Err(QueryError::new(start, "an integer has no leading zeros")),
            [b'0'] if self.at - start == 2 => {
                return Err(QueryError::new(start, "`-0` is not an index").with_help("write `0`"));
            }
            _ => {}
        }
        let value = self.since(start).parse().ok().filter(|value: &i64| value.abs() <= MAX_INTEGER);
        value.map(Some).ok_or_else(|| {
            QueryError::new(start, "the integer is out of range").with_help("indexes lie within ±9007199254740991")
        })
    }
}
