//! Queries: what JSONPath (RFC 9535) and JSON Pointer (RFC 6901) select in a document.
//!
//! `syntax/` reads an expression, and `regexp.rs` the patterns in it; `evaluate/` answers it for one document in memory;
//! `documents.rs` brings the documents of an input there, checked, `records.rs` many of them at once, and `search.rs` is what callers
//! ask and hear. `stream/` finds what can be found without all that, from masks alone; `split.rs` parts a query of which they find
//! only the beginning.

#![forbid(unsafe_code)]

mod answer;
mod condition;
mod documents;
mod error;
mod evaluate;
mod list;
mod records;
mod regexp;
mod request;
mod search;
mod split;
mod stream;
mod structure;
pub(crate) mod syntax;

pub use condition::Condition;
pub use error::QueryError;
pub use search::Match;
pub use search::MatchHandler;
pub use search::Order;
pub use search::Search;

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::query::syntax::Syntax;
use std::fmt;
use std::ops::ControlFlow;
use std::slice;
use std::str::FromStr;

/// A compiled expression: JSONPath (RFC 9535) or a JSON Pointer (RFC 6901).
///
/// ```
/// use fjson::{Options, Query};
///
/// let text = r#"{"books": [{"title": "Emma", "price": 8.90}, {"title": "Ulysses", "price": 1.2e1}]}"#;
/// let query = Query::new("$.books[?@.price < 10].title")?;
/// assert_eq!(query.find_all(text, &Options::new())?, [br#""Emma""#]);
///
/// let pointer = Query::new("/books/1/price")?;
/// assert_eq!(pointer.find_all(text, &Options::new())?, [b"1.2e1"]);
///
/// assert!(Query::new("books[0]").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What the RFCs leave open: where members of one object share a name, a child segment takes the first one of its name and a
/// descendant segment, a wildcard and a filter take each; `length` counts all of them, and two such objects are equal if
/// the members of each name are, in their order. Objects are visited in the order of the text. A surrogate without the
/// other one of its pair is a character that no query can name, and patterns do not match it.
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
    pub fn new(expression: &str) -> Result<Self, QueryError> {
        Ok(Self { expression: expression.into(), syntax: Syntax::parse(expression)? })
    }

    /// The expression that was compiled.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// Hands each match in the documents of `input` to `on_match`, in the order of RFC 9535, until that breaks off.
    ///
    /// A document is checked before it is searched, so a bad one has no matches.
    ///
    /// # Errors
    /// The first error of the first bad document, behind the matches of the good ones before it; or an error of reading.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Options, Query};
    ///
    /// let query = Query::new("$..a")?;
    /// let mut found = Vec::new();
    /// query.each(r#"{"x": {"a": 1}, "a": [2]}"#, &Options::new(), &mut |matched| {
    ///     found.push((matched.path(), matched.range(), matched.text().to_vec()));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(found, [
    ///     (Some("$['a']".to_owned()), 21..24, b"[2]".to_vec()),
    ///     (Some("$['x']['a']".to_owned()), 12..13, b"1".to_vec()),
    /// ]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_match: &mut dyn FnMut(&mut Match<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        Search::new(slice::from_ref(self)).until_first_error(input, options, on_match)
    }

    /// Counts the matches in the documents of `input`, each as often as it is selected. It takes no longer if there are many.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn count<'a>(&self, input: impl Into<Input<'a>>, options: &Options) -> Result<u64, Error> {
        let (mut counts, mut first) = ([0], None);
        Search::new(slice::from_ref(self)).count(input, options, &mut counts, &mut |error| {
            first = Some(error);
            ControlFlow::Break(())
        })?;
        first.map_or(Ok(counts[0]), Err)
    }

    /// The texts of all matches, as they stand in `input`.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn find_all<'a>(&self, input: impl Into<Input<'a>>, options: &Options) -> Result<Vec<Vec<u8>>, Error> {
        let mut texts = Vec::new();
        Search::new(slice::from_ref(self)).without_paths().until_first_error(input, options, &mut |matched| {
            texts.push(matched.text().to_vec());
            ControlFlow::Continue(())
        })?;
        Ok(texts)
    }
}

impl Search<'_> {
    fn until_first_error<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_match: &mut dyn FnMut(&mut Match<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let mut first = FirstError { on_match, error: None };
        let summary = self.run(input, options, &mut first)?;
        first.error.map_or(Ok(summary), Err)
    }
}

/// Ends with the first error.
struct FirstError<'f> {
    on_match: &'f mut dyn FnMut(&mut Match<'_>) -> ControlFlow<()>,
    error: Option<Error>,
}

impl MatchHandler for FirstError<'_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        (self.on_match)(matched)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.error = Some(error);
        ControlFlow::Break(())
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(expression: &str) -> Result<Self, QueryError> {
        Self::new(expression)
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Query").field(&self.expression).finish()
    }
}
