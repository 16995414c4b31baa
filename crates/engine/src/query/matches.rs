//! What a search finds, and what receives it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::query::evaluate;
use crate::query::excerpt::Locator;
use std::fmt;
use std::ops::ControlFlow;
use std::ops::Range;

/// Receives the matches and errors of a [`Search`](crate::Search).
///
/// The search stops if `on_match` or `on_error` returns [`Break`](ControlFlow::Break).
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Error, Framing, Match, MatchHandler, Options, Query, Search};
///
/// #[derive(Default)]
/// struct Found {
///     matches: Vec<(Option<u64>, String)>,
///     invalid_records: Vec<Option<u64>>,
/// }
///
/// impl MatchHandler for Found {
///     fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
///         self.matches.push((matched.record(), String::from_utf8_lossy(matched.text()).into_owned()));
///         ControlFlow::Continue(())
///     }
///
///     fn on_error(&mut self, error: Error) -> ControlFlow<()> {
///         self.invalid_records.push(error.record());
///         ControlFlow::Continue(())
///     }
/// }
///
/// let queries = [Query::new("$.id")?];
/// let options = Options::new().framing(Framing::Lines);
/// let mut found = Found::default();
/// Search::new(&queries).run("{\"id\": 1}\n{\"id\": }\n{\"id\": 3}\n", &options, &mut found)?;
/// assert_eq!(found.matches, [(Some(1), "1".to_owned()), (Some(3), "3".to_owned())]);
/// assert_eq!(found.invalid_records, [Some(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MatchHandler {
    /// Called for each match.
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()>;

    /// Called for each invalid document. With [`Lines`](crate::Framing::Lines) and [`Sequence`](crate::Framing::Sequence), the
    /// search continues with the next record unless this returns `Break`. Otherwise the start of the next document is unknown,
    /// and the search ends.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// Called before a read that may block. A handler that buffers output should flush it here.
    fn on_wait(&mut self) {}

    /// Called for what a [`MatchWriter`] has written, instead of [`on_match`](Self::on_match) for each of these matches. If this returns
    /// `None`, as it does by default, `on_match` is called for them.
    fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        let _ = written;
        None
    }
}

/// Writes the matches in a batch of records or elements, on any thread; see [`Search::run_with`](crate::Search::run_with).
///
/// ```
/// use std::ops::{ControlFlow, Range};
/// use fjson::{Error, Framing, Match, MatchHandler, MatchWriter, Options, Query, Search, Written};
///
/// struct Lines;
///
/// impl MatchWriter for Lines {
///     fn write(&self, matches: &mut dyn Iterator<Item = Match<'_>>, _: Range<u64>, text: &mut Vec<u8>) -> Option<u64> {
///         let mut count = 0;
///         for matched in matches {
///             text.extend_from_slice(matched.text());
///             text.push(b'\n');
///             count += 1;
///         }
///         Some(count)
///     }
/// }
///
/// #[derive(Default)]
/// struct Output(Vec<u8>);
///
/// impl MatchHandler for Output {
///     fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
///         self.0.extend_from_slice(matched.text());
///         self.0.push(b'\n');
///         ControlFlow::Continue(())
///     }
///
///     fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
///         self.0.append(&mut written.text);
///         Some(ControlFlow::Continue(()))
///     }
///
///     fn on_error(&mut self, _: Error) -> ControlFlow<()> {
///         ControlFlow::Break(())
///     }
/// }
///
/// let queries = [Query::new("$.id")?];
/// let (log, mut output) = ("{\"id\": 7}\n".repeat(100_000), Output::default());
/// Search::new(&queries).run_with(&log, &Options::new().framing(Framing::Lines), Some(&Lines), &mut output)?;
/// assert_eq!(output.0, "7\n".repeat(100_000).as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MatchWriter: Sync {
    /// Appends the matches of the records in a `range` of the input, or of the elements of a large array there, to `text`, and returns a
    /// number for the handler. `None` if the handler must receive the matches instead. [`Match::record`] counts from the first of these
    /// records.
    fn write(&self, matches: &mut dyn Iterator<Item = Match<'_>>, range: Range<u64>, text: &mut Vec<u8>)
    -> Option<u64>;
}

/// What a [`MatchWriter`] has written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The text, which the handler may take.
    pub text: Vec<u8>,
    /// The number that the writer has returned.
    pub number: u64,
    /// Where the records or elements are in the input.
    pub range: Range<u64>,
}

/// A node that a query selects: its text and its location.
///
/// ```
/// use fjson::{Options, Query};
/// use std::ops::ControlFlow;
///
/// Query::new("$.a[1]")?.each(r#"{"a": [true, "x"]}"#, &Options::new(), &mut |matched| {
///     assert_eq!(matched.text(), br#""x""#);
///     assert_eq!(matched.range(), 13..16);
///     assert_eq!(matched.path().as_deref(), Some("$['a'][1]"));
///     assert_eq!(matched.short_path().as_deref(), Some("$.a[1]"));
///     assert_eq!(matched.pointer().as_deref(), Some("/a/1"));
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Match<'m> {
    pub(super) text: &'m [u8],
    /// Offset of the text in the input.
    pub(super) start: u64,
    pub(super) record: Option<u64>,
    pub(super) query: usize,
    pub(super) locator: Option<Locator<'m>>,
}

impl<'m> Match<'m> {
    /// The text of the value, exactly as in the input. Strings have their quotes and escapes.
    #[must_use]
    pub fn text(&self) -> &'m [u8] {
        self.text
    }

    /// The range of the text, in bytes from the start of the input.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + self.text.len() as u64
    }

    /// The index, in the slice passed to [`Search::new`](crate::Search::new), of the query that selects it.
    #[must_use]
    pub fn query(&self) -> usize {
        self.query
    }

    /// The number of its document, from 1; `None` with [`Framing::Document`](crate::Framing::Document).
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.record
    }

    /// The normalized path (RFC 9535, section 2.7); `None` if the search is [without paths](crate::Search::without_paths).
    ///
    /// A lone surrogate in a name, which no query can express, is written as its `\uXXXX` escape.
    #[must_use]
    pub fn path(&mut self) -> Option<String> {
        self.locator.map(|locator| evaluate::path(locator.text, &locator.steps()))
    }

    /// The path in a short form, such as `$.a[1]["b c"]`; `None` if the search is [without paths](crate::Search::without_paths).
    ///
    /// Names that consist of ASCII letters, digits and `_`, and do not begin with a digit, follow a dot. Other names are in brackets,
    /// as strings of JSON. [`Query`](crate::Query) reads it and selects this node, unless a name has a lone surrogate, which no query can express,
    /// or is that of an earlier member of the same object.
    #[must_use]
    pub fn short_path(&mut self) -> Option<String> {
        self.locator.map(|locator| evaluate::short_path(locator.text, &locator.steps()))
    }

    /// The JSON Pointer (RFC 6901); `None` if a name on the path has a lone surrogate, or if the search is
    /// [without paths](crate::Search::without_paths).
    #[must_use]
    pub fn pointer(&mut self) -> Option<String> {
        self.locator.and_then(|locator| evaluate::pointer(locator.text, &locator.steps()))
    }
}

impl fmt::Debug for Match<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.text);
        formatter.debug_struct("Match").field("text", &text).field("range", &self.range()).finish_non_exhaustive()
    }
}
