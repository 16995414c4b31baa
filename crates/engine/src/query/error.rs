//! [`QueryError`]: the error for an expression that does not compile.

#![forbid(unsafe_code)]

use crate::query::syntax::correction::Correction;
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
    correction: Option<Correction>,
}

impl QueryError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), help: None, correction: None }
    }

    pub(super) fn with_help(self, help: &'static str) -> Self {
        Self { help: Some(help), ..self }
    }

    pub(super) fn with_correction(self, correction: Option<Correction>) -> Self {
        Self { correction, ..self }
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

    /// Returns a valid expression that was probably meant, for mistakes that are common: those of names that need quotes, and of
    /// people who know jq or another dialect of JSONPath.
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
        self.correction.as_ref().map(|correction| &*correction.expression)
    }

    /// Returns whether the expression asked for a number of values, as in `$.tags.length()`. Then that is the number of matches of
    /// [`suggestion`](Self::suggestion).
    #[must_use]
    pub fn suggests_counting(&self) -> bool {
        self.correction.as_ref().is_some_and(|correction| correction.is_count)
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for QueryError {}
