//! Places in a text, and messages about them, for programs that find errors of their own in valid documents.

#![forbid(unsafe_code)]

use std::fmt;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Excerpt;
use crate::error::Position;
use crate::explain::Text;

impl Position {
    /// Returns the line and column of the byte at `offset` in a text, or of its end if it is shorter. Takes time proportional to
    /// `offset`.
    ///
    /// ```
    /// use fjson::Position;
    ///
    /// let position = Position::of("[1,\n é, 2]".as_bytes(), 9);
    /// assert_eq!((position.line, position.column), (2, 5));
    /// ```
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Self {
        Text::whole(text).position(offset.min(text.len()))
    }
}

impl Excerpt {
    /// Returns the part of the line around the byte at `offset` of a text, as in an [`Error`]. `None` if the line is empty.
    ///
    /// ```
    /// use fjson::Excerpt;
    ///
    /// let excerpt = Excerpt::of(b"[1,\n  {\"a\": 2}\n]", 12).unwrap();
    /// assert_eq!((excerpt.bytes.as_slice(), excerpt.line, excerpt.caret), (&b"  {\"a\": 2}"[..], 2, 8));
    /// ```
    #[must_use]
    pub fn of(text: &[u8], offset: usize) -> Option<Self> {
        Text::whole(text).excerpt(offset.min(text.len()), ErrorKind::Misuse)
    }
}

impl Error {
    /// Returns the number of characters before the error, for languages that count them instead of bytes. `text` is the whole input. A
    /// byte that is not UTF-8 counts as a character, unless it is one that continues another.
    ///
    /// ```
    /// let text = "[\"é\", }";
    /// let error = fjson::validate(text, &fjson::Options::new()).unwrap_err();
    /// assert_eq!((error.offset(), error.char_offset(text.as_bytes())), (7, 6));
    /// ```
    #[must_use]
    pub fn char_offset(&self, text: &[u8]) -> u64 {
        let before = usize::try_from(self.offset()).map_or(text, |offset| &text[..offset.min(text.len())]);
        before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64
    }
}

/// A message about a place in a text: what a linter or a schema has found there. [`Error`] has the same parts for invalid JSON.
///
/// ```
/// use fjson::{Diagnostic, Parser};
///
/// let text = b"{\n  \"port\": 99999\n}";
/// let mut parser = Parser::new();
/// let port = parser.document(text)?.get("port").unwrap();
/// let diagnostic = Diagnostic::new(text, port.start(), "99999 is greater than 65535")
///     .rule("maximum")
///     .help("choose another port")
///     .pointer(port.to_pointer())
///     .related(text, port.key().unwrap().start(), "this member");
/// assert_eq!((diagnostic.position.line, diagnostic.position.column), (2, 11));
/// assert_eq!(diagnostic.to_string(), "99999 is greater than 65535");
/// assert_eq!(diagnostic.related[0].position.column, 3);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Byte offset in the text.
    pub offset: u64,
    /// Line and column.
    pub position: Position,
    /// What was found, and what was expected.
    pub message: String,
    /// A second sentence that says how to fix it.
    pub help: Option<String>,
    /// The name of the rule that is broken.
    pub rule: Option<String>,
    /// The JSON Pointer of the value.
    pub pointer: Option<String>,
    /// The part of the line around the place. Its bytes are untrusted.
    pub excerpt: Option<Excerpt>,
    /// Other places that help to understand the message.
    pub related: Vec<Related>,
}

/// A place that helps to understand a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// Byte offset in its text.
    pub offset: u64,
    /// Line and column.
    pub position: Position,
    /// What is there.
    pub message: String,
}

impl Diagnostic {
    /// Returns a message about the byte at `offset` of a text.
    #[must_use]
    pub fn new(text: &[u8], offset: usize, message: impl Into<String>) -> Self {
        Self {
            offset: offset as u64,
            position: Position::of(text, offset),
            message: message.into(),
            help: None,
            rule: None,
            pointer: None,
            excerpt: Excerpt::of(text, offset),
            related: Vec::new(),
        }
    }

    /// Sets the sentence that says how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the name of the rule that is broken.
    #[must_use]
    pub fn rule(mut self, rule: impl Into<String>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// Sets the JSON Pointer of the value.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds a place that helps to understand the message. It may be in another text.
    #[must_use]
    pub fn related(mut self, text: &[u8], offset: usize, message: impl Into<String>) -> Self {
        let position = Position::of(text, offset);
        self.related.push(Related { offset: offset as u64, position, message: message.into() });
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;
    use super::Position;

    /// Positions are those of counting characters, and the caret of an excerpt is at the place.
    #[test]
    fn places_of_a_text() {
        let text = "é\n\n\"😀 x\"\r\n[1]";
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..offset];
            let line = 1 + before.matches('\n').count() as u64;
            let column = 1 + before.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u64;
            let position = Position::of(text.as_bytes(), offset);
            assert_eq!((position.line, position.column), (line, column), "{offset}");
            if let Some(excerpt) = Excerpt::of(text.as_bytes(), offset) {
                assert_eq!(excerpt.line, line);
                let rest = &excerpt.bytes[excerpt.caret..];
                assert!(text.as_bytes()[offset..].starts_with(rest), "{offset}");
            }
        }
        assert_eq!(Position::of(b"1\n", 99), Position::of(b"1\n", 2));
        assert!(Excerpt::of(b"", 0).is_none());
    }
}
