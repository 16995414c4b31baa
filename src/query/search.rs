//! One or several queries asked of an input, and what is heard of it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::query::Query;
use crate::query::documents::Checked;
use crate::query::documents::Reader;
use crate::query::documents::each_document;
use crate::query::evaluate::Evaluation;
use crate::query::stream;
use crate::query::stream::Plan;
use std::ops::ControlFlow;
use std::ops::Range;

/// The order in which the matches of a query are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// As RFC 9535 says: behind `..`, what is selected of a node comes before what is selected inside of it; behind several
    /// selectors, what the first selects comes before what the second does. What that order needs is held back, in 24
    /// bytes for each node.
    #[default]
    Rfc,
    /// As they stand in the document. Nothing is held back.
    Document,
}

/// Hears what a search finds.
pub trait Receiver {
    /// A match; may end the search.
    fn found(&mut self, matched: &mut Match<'_>) -> ControlFlow<()>;

    /// A document is bad. With lines and sequences the search goes on behind it if this does not end it.
    fn refused(&mut self, error: Error) -> ControlFlow<()>;

    /// The next bytes of input may take their time: what has been found should be passed on.
    fn wait(&mut self) {}
}

/// A place that a query selects.
pub struct Match<'m> {
    place: &'m mut dyn Place,
    document: Checked<'m>,
    query: usize,
    range: Range<usize>,
}

/// Knows where the last match is.
trait Place {
    fn path(&mut self) -> String;
    fn pointer(&mut self) -> Option<String>;
}

impl Place for Evaluation<'_, '_> {
    fn path(&mut self) -> String {
        self.path()
    }

    fn pointer(&mut self) -> Option<String> {
        self.pointer()
    }
}

impl<'m> Match<'m> {
    /// The value as it stands in the input.
    #[must_use]
    pub fn text(&self) -> &'m [u8] {
        &self.document.text[self.range.clone()]
    }

    /// Where it stands, in bytes from the start of the input.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let offset = self.document.offset;
        offset + self.range.start as u64..offset + self.range.end as u64
    }

    /// Which of the queries selects it, from 0 on.
    #[must_use]
    pub fn query(&self) -> usize {
        self.query
    }

    /// The number of its record, from 1, if the input is a sequence of records.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.document.is_record.then_some(self.document.number)
    }

    /// The normalized path (RFC 9535, section 2.7).
    ///
    /// A surrogate without the other one of its pair, which no query can name, stands there as its escape.
    #[must_use]
    pub fn path(&mut self) -> String {
        self.place.path()
    }

    /// The JSON Pointer (RFC 6901); none if a name on the way has no UTF-8 form.
    #[must_use]
    pub fn pointer(&mut self) -> Option<String> {
        self.place.pointer()
    }
}

/// Queries that are asked together.
///
/// All documents of the input are read once; of each, the matches of the first query come first. For one query alone,
/// [`Query::each`] is simpler.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, Query, Search};
///
/// let queries = [Query::compile("$.id")?, Query::compile("$..tags[*]")?];
/// let log = "{\"id\": 1, \"tags\": [\"a\", \"b\"]}\n{\"id\": 2}\n";
/// let options = Options::new().framing(Framing::Lines);
/// let mut counts = [0; 2];
/// let summary = Search::new(&queries).count(log, &options, &mut counts, &mut |_| ControlFlow::Break(()))?;
/// assert_eq!((counts, summary.documents, summary.invalid), ([2, 2], 2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Search<'q> {
    queries: &'q [Query],
    order: Order,
}

impl<'q> Search<'q> {
    /// Asks these queries.
    #[must_use]
    pub fn new(queries: &'q [Query]) -> Self {
        Self { queries, order: Order::default() }
    }

    /// Wants the matches in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Hands all matches in the documents of `input` to `receiver`, and the errors of bad documents, which have no matches.
    ///
    /// If the receiver ends the search, the rest of the input has not been looked at, and the summary speaks only of what has.
    ///
    /// # Errors
    /// Errors of reading; and of a pattern that comes from the document and would take too much memory.
    pub fn run<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        receiver: &mut dyn Receiver,
    ) -> Result<Summary, Error> {
        each_document(&mut input.into(), options, &mut Finder { search: *self, receiver })
    }

    /// Adds the matches of each query to its number in `counts`. A node that is selected several times counts as often; no
    /// match is listed for it, so it takes no longer if there are many. Errors of bad documents go to `on_error`, as with
    /// [`validate_each`](crate::validate_each).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn count<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        counts: &mut [u64],
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        if let ([query], [count]) = (self.queries, &mut *counts)
            && let Some(plan) = Plan::new(&query.syntax, options)
        {
            let (summary, found) = stream::count(&plan, &mut input.into(), options, on_error)?;
            *count = count.saturating_add(found);
            return Ok(summary);
        }
        each_document(&mut input.into(), options, &mut Counter { queries: self.queries, counts, on_error })
    }
}

/// A pattern that was looked up in the document was too much.
fn check(evaluation: &Evaluation<'_, '_>, document: Checked<'_>) -> Result<(), Error> {
    match evaluation.too_large() {
        Some(place) => Err(Error::pattern_too_large(document.offset + place as u64)),
        None => Ok(()),
    }
}

struct Finder<'f> {
    search: Search<'f>,
    receiver: &'f mut dyn Receiver,
}

impl Reader for Finder<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        for (query, asked) in self.search.queries.iter().enumerate() {
            let mut evaluation = Evaluation::new(&asked.syntax, document.text, self.search.order == Order::Document);
            while let Some(found) = evaluation.next() {
                check(&evaluation, document)?;
                let range = found.start..evaluation.end(found.start);
                for _ in 0..found.times {
                    let place = &mut evaluation;
                    let mut matched = Match { place, document, query, range: range.clone() };
                    if self.receiver.found(&mut matched).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            check(&evaluation, document)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.refused(error)
    }

    fn wait(&mut self) {
        self.receiver.wait();
    }
}

struct Counter<'c> {
    queries: &'c [Query],
    counts: &'c mut [u64],
    on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl Reader for Counter<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        for (query, count) in self.queries.iter().zip(&mut *self.counts) {
            let mut evaluation = Evaluation::new(&query.syntax, document.text, true);
            while let Some(found) = evaluation.next() {
                *count = count.saturating_add(found.times);
            }
            check(&evaluation, document)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
