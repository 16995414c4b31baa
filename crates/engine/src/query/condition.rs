//! [`Condition`]: a public type for conditions on whole documents.

#![forbid(unsafe_code)]

use crate::query::Patterns;
use crate::query::error::QueryError;
use crate::query::syntax;
use std::fmt;
use std::str::FromStr;

/// A compiled condition on documents: a logical expression, as after the `?` of a filter (RFC 9535, section 2.3.5).
///
/// Both `@` and `$` refer to the root of the document. [`Search::condition`](crate::Search::condition) restricts a search to
/// documents that meet a condition.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Condition, Framing, Options, Query, Search};
///
/// let log = "{\"level\": \"info\", \"id\": 1}\n{\"level\": \"error\", \"id\": 2}\n";
/// let (queries, condition) = ([Query::new("$.id")?], Condition::new("@.level == 'error'")?);
/// let options = Options::new().framing(Framing::Lines);
/// let mut counts = [0];
/// let search = Search::new(&queries).condition(&condition);
/// search.count(log, &options, &mut counts, &mut |_| ControlFlow::Break(()))?;
/// assert_eq!(counts, [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Condition {
    pub(super) expression: Box<str>,
    pub(super) syntax: syntax::Condition,
}

impl Condition {
    /// Compiles a condition, which is written without the `?`.
    ///
    /// # Errors
    /// Returns the first syntax error or type error, as [`Query::new`](crate::Query::new) does.
    pub fn new(expression: &str) -> Result<Self, QueryError> {
        Self::with_patterns(expression, Patterns::default())
    }

    /// Compiles a condition whose `match` and `search` take patterns in this syntax.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_patterns(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        Ok(Self { expression: expression.into(), syntax: syntax::Condition::parse(expression, patterns)? })
    }

    /// Returns the patterns of documents that are not valid, as [`Query::invalid_patterns`](crate::Query::invalid_patterns) does.
    #[must_use]
    pub fn invalid_patterns(&self) -> Vec<String> {
        self.syntax.invalid_patterns.texts()
    }

    /// Returns the source text of the condition.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }
}

impl FromStr for Condition {
    type Err = QueryError;

    fn from_str(expression: &str) -> Result<Self, QueryError> {
        Self::new(expression)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Condition").field(&self.expression).finish()
    }
}
