//! What is wrong with an expression, and where in it.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt;

/// Why an expression is not a query: a place in it, a sentence, and perhaps what to do.
///
/// Shown with `{}` it is one sentence that begins in lower case and has no full stop.
///
/// ```
/// let error = fjson::Query::new("$.books[?@.price = 10]").unwrap_err();
/// assert_eq!(error.offset(), 17);
/// assert_eq!(error.to_string(), "found `=`, expected an operator or `]`");
/// assert!(error.help().is_some_and(|help| help.starts_with("to compare, write `==`")));
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

    /// Where, in bytes from the start of the expression; its length if it ends too early.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// A second sentence: what to do about it.
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
