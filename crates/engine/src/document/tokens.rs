//! The tokens of a checked text, by number: for readers that follow the text in its order, without a value for each step.

#![forbid(unsafe_code)]

use std::fmt;
use std::ops::Range;

use crate::document::Value;
use crate::document::View;
use crate::scalar::StringError;

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// `{`
    BeginObject,
    /// `}`
    EndObject,
    /// `[`
    BeginArray,
    /// `]`
    EndArray,
    /// A string, which may be a key.
    String,
    /// A number.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// A token: its number, where it begins in the text, in bytes, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Token {
    /// The number of the token in the [`Tokens`].
    pub index: usize,
    /// The index of its first byte in the text.
    pub start: usize,
    /// The kind.
    pub kind: TokenKind,
}

/// The tokens of a document, or of some records: where each bracket, string, number and literal begins. Commas and colons are not
/// among them.
///
/// Tokens are numbered from 0 in the order of the text. A string takes two numbers: its opening quote and its closing quote, so the
/// token after a key at number `n` is its value, at `n + 2`. Methods that take the number of a token take constant time, except that
/// brackets are linked once, in linear time, when the end of a container is not near its beginning. They panic if there is no such
/// token.
///
/// ```
/// use fjson::{Parser, TokenKind};
///
/// let mut parser = Parser::new();
/// let document = parser.document(br#"{"a": [1, "b\n"]}"#)?;
/// let tokens = document.tokens();
/// let listed: Vec<_> = tokens.iter().map(|token| (token.index, token.start, token.kind)).collect();
/// assert_eq!(listed[1..4], [(1, 1, TokenKind::String), (3, 6, TokenKind::BeginArray), (4, 7, TokenKind::Number)]);
/// assert_eq!((tokens.close(3), tokens.next(3), tokens.end(3)), (7, 8, 16));
/// assert!(tokens.has_escapes(5) && !tokens.has_escapes(1));
/// assert_eq!(tokens.value(3).raw(), r#"[1, "b\n"]"#);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tokens<'p, 't> {
    view: View<'p, 't>,
}

impl<'p, 't> Tokens<'p, 't> {
    pub(super) fn new(view: View<'p, 't>) -> Self {
        Self { view }
    }

    /// Returns the number of tokens; a string counts as two.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// assert_eq!(parser.document(b"[1, \"a\"]")?.tokens().len(), 5);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn len(self) -> usize {
        self.view.count()
    }

    /// Whether there are no tokens, which is only possible for [`Records`](crate::Records) without any record.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the whole text. It is UTF-8.
    #[must_use]
    #[inline]
    pub fn text(self) -> &'t [u8] {
        self.view.text()
    }

    /// Returns where each token begins in the text, and, as the last entry, the length of the text. This is the fastest way to read
    /// all tokens; the byte at each position tells the kind.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b" [1, \"a\"] ")?;
    /// assert_eq!(document.tokens().positions(), [1, 2, 5, 7, 8, 10]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn positions(self) -> &'p [u32] {
        self.view.positions()
    }

    /// Returns the index in the text of the first byte of a token.
    #[must_use]
    #[inline]
    pub fn start(self, token: usize) -> usize {
        self.view.start(token)
    }

    /// Returns the kind of a token. Both quotes of a string are of the kind [`TokenKind::String`].
    ///
    /// # Panics
    /// If there is no such token.
    #[must_use]
    #[inline]
    pub fn kind(self, token: usize) -> TokenKind {
        match self.view.rest(token)[0] {
            b'{' => TokenKind::BeginObject,
            b'}' => TokenKind::EndObject,
            b'[' => TokenKind::BeginArray,
            b']' => TokenKind::EndArray,
            b'"' => TokenKind::String,
            b't' => TokenKind::True,
            b'f' => TokenKind::False,
            b'n' => TokenKind::Null,
            _ => TokenKind::Number,
        }
    }

    /// Returns the last token of the value that begins with `token`: its closing bracket or quote, or `token` itself.
    #[must_use]
    #[inline]
    pub fn close(self, token: usize) -> usize {
        self.view.skip(token) - 1
    }

    /// Returns the token after the value that begins with `token`.
    #[must_use]
    #[inline]
    pub fn next(self, token: usize) -> usize {
        self.view.skip(token)
    }

    /// Returns the index in the text of the byte after the value that begins with `token`.
    #[must_use]
    #[inline]
    pub fn end(self, token: usize) -> usize {
        self.view.end(token)
    }

    /// Whether a string has escapes, so that its value is not its text. `token` is its opening quote.
    #[must_use]
    #[inline]
    pub fn has_escapes(self, token: usize) -> bool {
        self.view.plain(token).is_none()
    }

    /// Whether any string has escapes.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// assert!(!parser.document(b"[\"a\", 1]")?.tokens().has_any_escapes());
    /// assert!(parser.document(b"[\"a\", \"\\n\"]")?.tokens().has_any_escapes());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn has_any_escapes(self) -> bool {
        self.view.has_any_escapes()
    }

    /// Returns the value of a string that has no escapes, without checking its UTF-8 again; otherwise `None`. `token` is its opening
    /// quote.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"[\"a\", \"\\n\"]")?;
    /// assert_eq!((document.tokens().plain(1), document.tokens().plain(3)), (Some("a"), None));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn plain(self, token: usize) -> Option<&'t str> {
        self.view.plain(token)
    }

    /// Returns the value of a string, whose escapes are replaced, without checking its UTF-8 again. It is written to `scratch`, which is
    /// emptied before. `token` is its opening quote.
    ///
    /// # Errors
    /// If it has the escape of a lone surrogate.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"[\"a\\n\", \"\\ud800\"]")?;
    /// let mut scratch = Vec::new();
    /// assert_eq!(document.tokens().unescape(1, &mut scratch), Ok("a\n"));
    /// assert!(document.tokens().unescape(3, &mut scratch).is_err());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn unescape(self, token: usize, scratch: &mut Vec<u8>) -> Result<&str, StringError> {
        self.view.unescaped(token, scratch)
    }

    /// Returns the value that begins with `token`, such as one whose [number](Value::token) was kept.
    ///
    /// # Panics
    /// If there is no such token, or if it is a closing bracket.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"[1, [2, 3]]")?;
    /// let token = document.at(1).unwrap().token();
    /// assert_eq!(document.tokens().value(token).raw(), "[2, 3]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn value(self, token: usize) -> Value<'p, 't> {
        assert!(!matches!(self.kind(token), TokenKind::EndObject | TokenKind::EndArray), "a value begins here");
        Value::new(self.view, token)
    }

    /// Returns the tokens in the order of the text. Closing quotes are left out.
    #[must_use]
    pub fn iter(self) -> TokenIter<'p, 't> {
        self.range(0..self.len())
    }

    /// Returns the tokens from the first to before the last of these numbers, in the order of the text. Closing quotes are left out;
    /// the first token must not be one.
    ///
    /// ```
    /// use fjson::{Parser, TokenKind};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"{\"a\": [1, true], \"b\": 2}")?;
    /// let (tokens, value) = (document.tokens(), document.get("a").unwrap().token());
    /// let kinds: Vec<_> = tokens.range(value + 1..tokens.close(value)).map(|token| token.kind).collect();
    /// assert_eq!(kinds, [TokenKind::Number, TokenKind::True]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn range(self, tokens: Range<usize>) -> TokenIter<'p, 't> {
        TokenIter { tokens: self, next: tokens.start, end: tokens.end }
    }
}

impl<'p, 't> IntoIterator for Tokens<'p, 't> {
    type Item = Token;
    type IntoIter = TokenIter<'p, 't>;

    fn into_iter(self) -> TokenIter<'p, 't> {
        self.iter()
    }
}

impl fmt::Debug for Tokens<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// The tokens of a text, in its order; see [`Tokens::iter`].
#[derive(Clone, Debug)]
pub struct TokenIter<'p, 't> {
    tokens: Tokens<'p, 't>,
    next: usize,
    end: usize,
}

impl Iterator for TokenIter<'_, '_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        if self.next >= self.end {
            return None;
        }
        let index = self.next;
        let kind = self.tokens.kind(index);
        self.next = index + if kind == TokenKind::String { 2 } else { 1 };
        Some(Token { index, start: self.tokens.start(index), kind })
    }
}

#[cfg(test)]
mod tests {
    use super::TokenKind;
    use crate::document::Parser;
    use crate::explain::random::Random;

    /// The kinds of a text that is built token by token, and the ends of its containers, are those that the list tells.
    #[test]
    fn random_documents() {
        let mut random = Random::new(37);
        let mut parser = Parser::new();
        for round in 0..if cfg!(miri) { 3 } else { 300 } {
            let (mut text, mut expected, mut open) = (String::from("[0"), Vec::new(), vec![0]);
            expected.push((TokenKind::BeginArray, 0));
            expected.push((TokenKind::Number, 1));
            for _ in 0..random.below(if round % 10 == 0 { 2000 } else { 60 }) {
                text += [",", " ,\n", " , "][random.below(3)];
                let start = text.len();
                let (kind, token) = match random.below(7) {
                    0 => (TokenKind::String, "\"a\\\"]\""),
                    1 => (TokenKind::String, "\"\""),
                    2 => (TokenKind::True, "true"),
                    3 => (TokenKind::False, "false"),
                    4 => (TokenKind::Null, "null"),
                    5 => (TokenKind::BeginArray, "[-1.5e3"),
                    _ => (TokenKind::Number, "12"),
                };
                text += token;
                expected.push((kind, start));
                if kind == TokenKind::BeginArray {
                    open.push(start);
                    expected.push((TokenKind::Number, start + 1));
                } else if open.len() > 1 && random.below(3) == 0 {
                    expected.push((TokenKind::EndArray, text.len()));
                    text += "]";
                    open.pop();
                }
            }
            while open.pop().is_some() {
                expected.push((TokenKind::EndArray, text.len()));
                text += "]";
            }
            let document = parser.document(text.as_bytes()).expect("valid");
            let tokens = document.tokens();
            assert!(tokens.iter().map(|token| (token.kind, token.start)).eq(expected), "{text}");
            let mut levels = Vec::new();
            for token in tokens {
                match token.kind {
                    TokenKind::BeginArray => levels.push(token.index),
                    TokenKind::EndArray => {
                        let begin = levels.pop().expect("an open array");
                        assert_eq!((tokens.close(begin), tokens.next(begin)), (token.index, token.index + 1));
                        assert_eq!(tokens.end(begin), token.start + 1);
                    }
                    TokenKind::String => {
                        let raw = tokens.value(token.index).raw();
                        assert_eq!(tokens.has_escapes(token.index), raw.contains('\\'));
                        assert_eq!(tokens.end(token.index), token.start + raw.len());
                    }
                    _ => assert_eq!(tokens.close(token.index), token.index),
                }
            }
            assert_eq!(document.iter().count(), document.len());
        }
    }

    #[test]
    #[should_panic = "a value begins here"]
    fn a_closing_bracket_is_no_value() {
        let mut parser = Parser::new();
        let document = parser.document(b"[]").expect("valid");
        assert!(document.tokens().value(1).is_null());
    }
}
