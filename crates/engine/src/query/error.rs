//! [`QueryError`]: the error for an expression that does not compile.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt;

/// The error for an expression that is not valid, with an offset, a message and, for common mistakes, help.
///
/// [`Display`](fmt::Display) writes the message: one sentence, in lower case, without a full stop.
///
/// ```
/// let error = fjson::Query::new("$.books[?@.price = 10]").unwrap_err();
/// assert_eq!(error.offset(), 17);
/// assert_eq!(error.to_string(), "found `=`, expected an operator or `]`");
/// assert!(error.help().is_some_and(|help| help.starts_with("use `==` to compare")));
/// assert_eq!(error.suggestion(), Some("$.books[?@.price == 10]"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    offset: usize,
    message: String,
    help: Option<&'static str>,
    suggestion: Option<String>,
}

impl QueryError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None, suggestion: None }
    }

    pub(super) fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }

    pub(super) fn with_suggestion(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }

    /// Returns the byte offset of the error in the expression. If the expression ends too early, this is its length.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns a second sentence, which says how to correct the expression.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help
    }

    /// Returns a valid expression that was probably meant, for mistakes that are common: names that need quotes, a forgotten
    /// `$` or `@`, operators and words of programming languages.
    ///
    /// ```
    /// for (mistake, suggestion) in [
    ///     ("$.my-key", "$['my-key']"),
    ///     (".tags[]", "$.tags[*]"),
    ///     ("$.users[?age > 30].name", "$.users[?@.age > 30].name"),
    /// ] {
    ///     assert_eq!(fjson::Query::new(mistake).unwrap_err().suggestion(), Some(suggestion));
    /// }
    /// assert_eq!(fjson::Query::new("$.a[?lower(@.b) == 'x']").unwrap_err().suggestion(), None);
    /// ```
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for QueryError {}
