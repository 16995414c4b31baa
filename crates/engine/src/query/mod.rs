//! Queries: JSONPath (RFC 9535) and JSON Pointer (RFC 6901).
//!
//! An expression is parsed into a [`Query`]. Segments that can be decided at the start of a value have a *plan*, which is evaluated on
//! bit masks while the text is read (`stream/`). Anything else is evaluated on the text of a validated value, in memory (`evaluate/`).
//!
//! ```text
//! Search::run:
//!     if every segment has a plan:           plan = all segments    rest = none
//!     else if the first segments have one:   plan = those           rest = the other segments        (split.rs)
//!     else:                                  plan = `$`             rest = all queries
//!
//!     for each document, or batch of short ones, as it is read:
//!         find the values that the plan selects                     (stream/)
//!         for each value, once its text is validated:
//!             without a rest: it is a match
//!             otherwise: what the rest selects in it are matches    (request.rs, evaluate/)
//!             pass the matches to the handler, or count them        (evaluators.rs)
//! ```
//!
//! Several queries have a plan if they have only child segments: one automaton follows all their paths, as it does those of several
//! names in the last segment of one query. A rest after a part of the
//! segments is for matches that are only counted, or reported without paths ([`Search::without_paths`]).
//!
//! In `stream/`, two loops meet. The tile source turns bytes into tiles of masks; the executor evaluates the plan on the current
//! tile, and requests the next one when it runs past the end:
//!
//! ```text
//!  Input ─► source ───────── tile: masks + bytes ───────► executor ─── spans ───► MatchReport ─► MatchSink
//!           DocumentTiles    Tiles (tiles.rs)             path.rs or               holds them until
//!                 ◄────────── next_tile() ─────────────── descend.rs               their text is validated
//! ```
//!
//! `DocumentTiles` validates each tile. If several threads may be used on one large document, it has them validate it, and finds only
//! strings and brackets in what they have validated; so it does in text that is trusted. Short records, and a short document on its
//! own, are read in batches on several threads (`stream/lines.rs`), where a [`MatchWriter`] may write the matches. There, three or more
//! singular queries are evaluated on a list of tokens (`stream/singular.rs`). The elements of a large array are put on lines and read in
//! the same batches if a filter chooses among them, if several names follow, or if there are enough threads (`stream/elements.rs`).
//!
//! With [`unique_keys`](crate::Options::unique_keys) or [`ijson`](crate::Options::ijson), which masks cannot check, the plan is `$`.
//! Batches of records are checked first, and the scan passes any other document to the sink as a value (`documents.rs`).
//!
//! # Two examples
//!
//! `$..a`, printed without paths, on a document of more than a few KiB:
//!
//! 1. `main` calls `commands::query::run`, which compiles the expression with [`Query::new`], opens each input, and calls
//!    [`Search::run`] with a handler that prints.
//! 2. [`Search::run`] makes a `Plan` (`stream/plan.rs`): one descendant segment with the name `a`.
//! 3. `stream` (`stream/mod.rs`) finds each document and runs the executor of the plan, `descend`, on it.
//! 4. `descend` finds closing quotes that may end the key `a` (`stream/seek.rs`), compares the key, finds the end of the value and
//!    adds its span to the `MatchReport`. Meanwhile `DocumentTiles` validates each tile that it makes.
//! 5. `MatchReport` (`stream/report.rs`) sorts the spans into RFC order at the end of the document, and passes them to
//!    `MatchEvaluator` (`evaluators.rs`), which calls the handler. In document order, a single document's matches are passed as soon
//!    as their text is validated.
//!
//! With paths, the document is kept in memory until its end, when `MatchEvaluator` finds the locations of all matches in one pass
//! (`evaluate/locations.rs`).
//!
//! `$[?@.x>1]` differs in three steps, because a filter cannot be decided at the start of a value:
//!
//! * 2: [`Search::run`] splits it (`split.rs`) into `$[*]`, which has a plan, and the condition `@.x>1` on each value.
//! * 4: the executor, `path`, adds the span of each child of the root.
//! * 5: `MatchReport` passes validated spans to `MatchEvaluator` as values. It evaluates the condition on one value at a time, and
//!   passes those for which it holds to the handler.
//!
//! In an array of more than a few MiB, this is so up to the first cut after a comma between two elements. There, `DocumentTiles` has
//! `ElementSearch` search the elements that follow, in batches, and continues after the last comma of these.
//!
//! # Other modules
//!
//! `condition.rs` and `error.rs` hold public types, and `regexp/` the patterns of `match`, `search` and `regex`. `structure.rs` finds
//! the ends of levels and of strings with escapes in masks, for both `stream/` and `evaluate/`.

#![forbid(unsafe_code)]

mod condition;
mod documents;
mod error;
mod evaluate;
mod evaluators;
mod excerpt;
mod matches;
mod regexp;
mod request;
mod search;
mod split;
mod stream;
mod structure;
pub(crate) mod syntax;

pub use condition::Condition;
pub use error::QueryError;
pub use matches::Match;
pub use matches::MatchHandler;
pub use matches::MatchWriter;
pub use matches::Written;
pub use regexp::Patterns;
pub use search::Order;
pub use search::Search;

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Syntax;
use crate::scan::stop_at_first;
use std::fmt;
use std::ops::ControlFlow;
use std::slice;
use std::str::FromStr;

/// A compiled expression: JSONPath (RFC 9535) or a JSON Pointer (RFC 6901).
///
/// It can be used for any number of inputs. [`Search`] runs several queries at once and has more options.
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
/// # What the RFCs leave open
///
/// * Duplicate keys: a child segment selects the first member with its name; a descendant segment, a wildcard and a filter select
///   all of them. `length` counts all of them. Two objects are equal if, for each name, their members are equal in order.
/// * The members of an object are visited in the order of the text.
/// * A lone surrogate is a character that no query can name and no pattern matches.
///
/// # Patterns
///
/// `match` and `search` take an I-Regexp (RFC 9485). For a literal that is none, RFC 9535 has them match nothing; here it is an error
/// of the expression. `regex(text, pattern)` and `regex(text, pattern, "i")` extend RFC 9535: they search for a pattern in the syntax
/// of the crate `regex`, and `"i"` ignores case. A pattern from a document that is not valid matches nothing, and
/// [`invalid_patterns`](Self::invalid_patterns) lists it.
#[derive(Clone)]
pub struct Query {
    expression: Box<str>,
    syntax: Syntax,
}

/// What the locations that a query selects depend on, from less to more. A query that depends on one depends on all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dependence {
    /// The names of members.
    Names,
    /// The number of elements, too.
    Positions,
    /// Values, too.
    Values,
}

impl Query {
    /// Returns what the locations that it selects depend on.
    pub(crate) fn dependence(&self) -> Dependence {
        let of_selector = |selector: &Selector| match selector {
            Selector::Name(_) | Selector::Wildcard | Selector::Token { index: None, .. } => Dependence::Names,
            Selector::Index(_) | Selector::Slice(_) | Selector::Token { .. } => Dependence::Positions,
            Selector::Filter(_) => Dependence::Values,
        };
        let selectors = self.syntax.segments.iter().flat_map(|segment| &segment.selectors);
        selectors.map(of_selector).max().unwrap_or(Dependence::Names)
    }

    /// Returns which of this number of steps to a match are those of names in child segments, which select the first of several members
    /// with the same key.
    pub(crate) fn named_steps(&self, steps: usize) -> impl Iterator<Item = usize> {
        let segments = &self.syntax.segments;
        let is_name = |selector: &Selector| matches!(selector, Selector::Name(_) | Selector::Token { .. });
        // Between two descendant segments, it is not known which segment has made a step.
        let first = segments.iter().position(|segment| segment.descendant).unwrap_or(segments.len()).min(steps);
        let after = segments.iter().rev().take_while(|segment| !segment.descendant).count();
        let last = steps.saturating_sub(after).max(first);
        (0..first)
            .zip(segments)
            .chain((last..steps).zip(&segments[segments.len() - (steps - last)..]))
            .filter(move |(_, segment)| segment.selectors.iter().any(is_name))
            .map(|(step, _)| step)
    }

    /// Compiles an expression: a JSON Pointer if it is empty or begins with `/`, otherwise JSONPath.
    ///
    /// # Errors
    /// The first syntax error, type error in a filter (RFC 9535, section 2.4.3), or error in a literal pattern. Filters, parentheses and calls may be
    /// nested up to 100 levels deep, a segment may have up to 65,536 selectors, and a compiled pattern may take up to 2 MiB.
    pub fn new(expression: &str) -> Result<Self, QueryError> {
        Self::with_patterns(expression, Patterns::default())
    }

    /// Compiles an expression whose `match` and `search` take patterns in this syntax.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_patterns(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        Ok(Self { expression: expression.into(), syntax: Syntax::parse(expression, patterns)? })
    }

    /// Returns the patterns that searches with this query, or with clones of it, took from documents, and that are not valid.
    ///
    /// Such a pattern matches nothing. Each text is listed once, in the order of the bytes: the first 1,000 texts, and of each
    /// the first 1,000 bytes. A text with lone surrogates is listed with its escapes.
    ///
    /// ```
    /// use fjson::{Options, Query};
    ///
    /// let query = Query::new("$.names[?search(@, $.pattern)]")?;
    /// assert_eq!(query.count(r#"{"pattern": "[a", "names": ["a", "b"]}"#, &Options::new())?, 0);
    /// assert_eq!(query.invalid_patterns(), ["[a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn invalid_patterns(&self) -> Vec<String> {
        self.syntax.invalid_patterns.texts()
    }

    /// The source text of the expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// Whether it consists of names and indexes only, so that it selects at most one value. Every JSON Pointer does.
    ///
    /// ```
    /// use fjson::Query;
    ///
    /// let singular = ["$.a[0]", "/a/0", "$"].map(|expression| Query::new(expression).unwrap().is_singular());
    /// assert_eq!((singular, Query::new("$..a")?.is_singular()), ([true; 3], false));
    /// # Ok::<(), fjson::QueryError>(())
    /// ```
    #[must_use]
    pub fn is_singular(&self) -> bool {
        self.syntax.segments.iter().all(Segment::is_singular)
    }

    /// Returns the names from the outermost one if the query consists of names only, so that it selects members of objects. `None` for
    /// other queries, and for JSON Pointers with a token that may be an index.
    ///
    /// ```
    /// use fjson::Query;
    ///
    /// assert_eq!(Query::new("$.a['b c']")?.names(), Some(vec!["a", "b c"]));
    /// assert_eq!(Query::new("/a/b~1c")?.names(), Some(vec!["a", "b/c"]));
    /// let others = ["$.a[0]", "$.*", "$..a", "/a/0"].map(|expression| Query::new(expression).unwrap().names().is_none());
    /// assert_eq!(others, [true; 4]);
    /// # Ok::<(), fjson::QueryError>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> Option<Vec<&str>> {
        let names = self.syntax.segments.iter().map(|segment| match &*segment.selectors {
            [Selector::Name(name) | Selector::Token { name, index: None }] if !segment.descendant => Some(name.value()),
            _ => None,
        });
        names.collect()
    }

    /// Calls `on_match` for each match in the documents of `input`, in the order of RFC 9535, until it returns
    /// [`Break`](ControlFlow::Break).
    ///
    /// A document is checked before it is searched, so an invalid one has no matches.
    ///
    /// # Errors
    /// The first error in a document, after the matches of the documents before it; or any error of [`Search::run`].
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

    /// Counts the matches in all documents of `input`. A node that is selected several times counts that many times.
    ///
    /// The time does not depend on the number of matches.
    ///
    /// # Errors
    /// As [`each`](Self::each).
    ///
    /// ```
    /// use fjson::{Options, Query};
    ///
    /// let query = Query::new("$..id")?;
    /// assert_eq!(query.count(r#"[{"id": 1}, {"x": {"id": 2}}]"#, &Options::new())?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count<'a>(&self, input: impl Into<Input<'a>>, options: &Options) -> Result<u64, Error> {
        let mut counts = [0];
        stop_at_first(|on_error| Search::new(slice::from_ref(self)).count(input, options, &mut counts, on_error))?;
        Ok(counts[0])
    }

    /// Collects the texts of all matches, exactly as in `input`, in the order of RFC 9535.
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

/// Calls `on_match` for each match, and stops at the first error.
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
