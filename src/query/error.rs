//! The error of an expression that does not compile.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt;

/// Why an expression is not a valid query: an offset, a message and, for common mistakes, help.
///
/// [`Display`](fmt::Display) writes the message: one sentence, in lower case, without a full stop.
///
/// ```
/// let error = fjson::Query::new("$.books[?@.price = 10]").unwrap_err();
/// assert_eq!(error.offset(), 17);
/// assert_eq!(error.to_string(), "found `=`, expected an operator or `]`");
/// assert!(error.help().is_some_and(|help| help.starts_with("use `==` to compare")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    offset: usize,
    message: String,
    help: Option<&'static str>,
}

impl QueryError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None }
    }

    pub(super) fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }

    /// The offset of the error, in bytes from the start of the expression; the length of the expression if it ends too early.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// A second sentence: how to correct the expression.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for QueryError {}
