//! Queries: what JSONPath (RFC 9535) and JSON Pointer (RFC 6901) select in a document.
//!
//! `syntax/` reads an expression, and `regexp.rs` the patterns in it.

#![forbid(unsafe_code)]

mod error;
mod regexp;
pub(crate) mod syntax;

pub use error::QueryError;

use crate::query::syntax::Syntax;
use std::fmt;

/// A compiled expression: JSONPath (RFC 9535) or a JSON Pointer (RFC 6901).
///
/// ```
/// use fjson::Query;
///
/// let query = Query::compile("$.books[?@.price < 10].title")?;
/// let pointer = Query::compile("/books/0/title")?;
/// assert!(Query::compile("books[0]").is_err());
/// # Ok::<(), fjson::QueryError>(())
/// ```
#[derive(Clone)]
pub struct Query {
    expression: Box<str>,
    syntax: Syntax,
}

impl Query {
    /// Compiles an expression: a JSON Pointer if it is empty or begins with `/`, or else JSONPath.
    ///
    /// # Errors
    /// The first place where the expression breaks a rule of its RFC, be it one of grammar or of types.
    pub fn compile(expression: &str) -> Result<Self, QueryError> {
        Ok(Self { expression: expression.into(), syntax: Syntax::parse(expression)? })
    }

    /// The expression that was compiled.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Query").field(&self.expression).finish()
    }
}
