//! A cursor over the characters of an expression.
//!
//! All parsing functions of an expression share the cursor. So it also counts the nesting depth, and the queries in filters that
//! begin at the root.

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::regexp::InvalidPatterns;
use crate::query::regexp::Patterns;
use crate::query::syntax::MAX_NESTING;
use crate::query::syntax::Origin;

/// The largest integer of the exact range of I-JSON (RFC 7493, section 2.2; RFC 9535, section 2.1).
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// A position in an expression.
pub(super) struct Cursor<'e> {
    text: &'e str,
    offset: usize,
    /// Nesting depth of filters, parentheses and calls.
    depth: usize,
    /// Number of queries in filters that begin at the root, so far.
    root_queries: usize,
    /// The syntax of the patterns of `match` and `search`.
    patterns: Patterns,
    invalid_patterns: InvalidPatterns,
}

impl<'e> Cursor<'e> {
    pub(super) fn new(text: &'e str, patterns: Patterns) -> Self {
        Self { text, offset: 0, depth: 0, root_queries: 0, patterns, invalid_patterns: InvalidPatterns::default() }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    pub(super) fn rest(&self) -> &'e str {
        &self.text[self.offset..]
    }

    /// Returns the text from `start` to the cursor.
    pub(super) fn since(&self, start: usize) -> &'e str {
        &self.text[start..self.offset]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.offset == self.text.len()
    }

    /// Moves backward or forward to `offset`, which must be a character boundary.
    pub(super) fn move_to(&mut self, offset: usize) {
        self.offset = offset;
    }

    /// Skips `token` if it is next, and returns whether it was.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.offset += if found { token.len() } else { 0 };
        found
    }

    /// Reads characters as long as they are `wanted`.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'e str {
        let rest = self.rest();
        let length = rest.find(|character| !wanted(character)).unwrap_or(rest.len());
        self.offset += length;
        &rest[..length]
    }

    pub(super) fn take_character(&mut self) -> Option<char> {
        let character = self.rest().chars().next()?;
        self.offset += character.len_utf8();
        Some(character)
    }

    pub(super) fn skip_whitespace(&mut self) {
        self.take_while(|character| matches!(character, ' ' | '\t' | '\n' | '\r'));
    }

    /// Enters a filter, parenthesis or call.
    pub(super) fn enter(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let message = format!("filters, parentheses and calls are nested more than {MAX_NESTING} levels deep");
            return Err(QueryError::new(self.offset, message).with_help("split the expression into several"));
        }
        Ok(())
    }

    /// Leaves a filter, parenthesis or call.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the origin of a query that begins at the root, with the next number.
    pub(super) fn next_root(&mut self) -> Origin {
        self.root_queries += 1;
        Origin::Root(self.root_queries - 1)
    }

    pub(super) fn root_queries(&self) -> usize {
        self.root_queries
    }

    pub(super) fn patterns(&self) -> Patterns {
        self.patterns
    }

    /// Returns where invalid patterns of documents are noted.
    pub(super) fn invalid_patterns(&self) -> InvalidPatterns {
        self.invalid_patterns.clone()
    }

    /// Returns the error if something other than `expected` is next.
    pub(super) fn expected(&self, expected: &str) -> QueryError {
        QueryError::new(self.offset, format!("found {}, expected {expected}", self.found()))
    }

    /// Returns a description of the next character that is safe to print.
    fn found(&self) -> String {
        match self.rest().chars().next() {
            None => String::from("the end of the expression"),
            Some(' ' | '\t' | '\n' | '\r') => String::from("whitespace"),
            Some('`') => String::from("a backquote"),
            Some(character) if character.is_alphanumeric() || character.is_ascii_graphic() => format!("`{character}`"),
            Some(quote @ ('“' | '”' | '„' | '‘' | '’')) => format!("`{quote}` (U+{:04X})", u32::from(quote)),
            Some(character) => format!("U+{:04X}", u32::from(character)),
        }
    }

    /// Parses the integer of an index or slice, if one is next.
    pub(super) fn integer(&mut self) -> Result<Option<i64>, QueryError> {
        let start = self.offset;
        self.eat("-");
        let digits = self.take_while(|character| character.is_ascii_digit());
        match digits.as_bytes() {
            [] if self.offset == start => return Ok(None),
            [] => return Err(self.expected("a digit")),
            [b'0', _, ..] => return Err(QueryError::new(start, "an integer cannot have leading zeros")),
            [b'0'] if self.offset - start == 2 => {
                return Err(QueryError::new(start, "`-0` is not allowed in an index or a slice").with_help("write `0`"));
            }
            _ => {}
        }
        // mutant: let value = self.since(start).parse().ok();
        let value = self.since(start).parse().ok().filter(|value: &i64| value.abs() <= MAX_INTEGER);
        value.map(Some).ok_or_else(|| {
            QueryError::new(start, "the integer is out of range").with_help("integers are limited to ±9007199254740991")
        })
    }
}
