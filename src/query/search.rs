//! One or several queries asked of an input, and what is heard of it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::query::Condition;
use crate::query::Query;
use crate::query::documents::Checked;
use crate::query::documents::Reader;
use crate::query::documents::each_document;
use crate::query::evaluate::Evaluation;
use crate::query::evaluate::holds;
use crate::query::split::Split;
use crate::query::stream::Ask;
use crate::query::stream::Excerpt;
use crate::query::stream::Listing;
use crate::query::stream::Plan;
use crate::query::stream::Sink;
use crate::query::stream::Span;
use crate::query::stream::Wanted;
use crate::query::stream::stream;
use crate::query::syntax::Syntax;
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
    text: &'m [u8],
    /// Where the text begins in the input.
    start: u64,
    record: Option<u64>,
    query: usize,
    place: Option<&'m mut dyn Place>,
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
        self.text
    }

    /// Where it stands, in bytes from the start of the input.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + self.text.len() as u64
    }

    /// Which of the queries selects it, from 0 on.
    #[must_use]
    pub fn query(&self) -> usize {
        self.query
    }

    /// The number of its record, from 1, if the input is a sequence of records.
    #[must_use]
    pub fn record(&self) -> Option<u64> {
        self.record
    }

    /// The normalized path (RFC 9535, section 2.7); none if the search goes [without](Search::without_paths).
    ///
    /// A surrogate without the other one of its pair, which no query can name, stands there as its escape.
    #[must_use]
    pub fn path(&mut self) -> Option<String> {
        self.place.as_mut().map(|place| place.path())
    }

    /// The JSON Pointer (RFC 6901); none if a name on the way has no UTF-8 form, or if the search goes
    /// [without](Search::without_paths).
    #[must_use]
    pub fn pointer(&mut self) -> Option<String> {
        self.place.as_mut()?.pointer()
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
    condition: Option<&'q Condition>,
    limit: u64,
    paths: bool,
    stops_early: bool,
    trusts: bool,
}

impl<'q> Search<'q> {
    /// Asks these queries.
    #[must_use]
    pub fn new(queries: &'q [Query]) -> Self {
        Self {
            queries,
            order: Order::default(),
            condition: None,
            limit: u64::MAX,
            paths: true,
            stops_early: false,
            trusts: false,
        }
    }

    /// Wants the matches in this order.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Asks only documents for which the condition holds; the others have no matches.
    #[must_use]
    pub fn only_if(mut self, condition: &'q Condition) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Wants no more than so many matches; [`count`](Self::count) counts all.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Does not want to know the paths of matches.
    ///
    /// Then a single query of the most usual kind is answered while the text comes in, many times as fast: one selector for
    /// each segment, names of no more than 159 bytes, elements counted from the front, and no filters. A document is not held
    /// then, if not for the order of a descendant segment, and no more is remembered of a match than 32 bytes. A query that only begins so, with child segments
    /// or with a filter that does not look at the root of the document, holds one of the values that these select at a time.
    #[must_use]
    pub fn without_paths(mut self) -> Self {
        self.paths = false;
        self
    }

    /// Does not read to the end of a document, or to that of the input, once it is known that nothing more can match or
    /// is wanted. What has not been read is not checked. Records are always read.
    #[must_use]
    pub fn stop_early(mut self) -> Self {
        self.stops_early = true;
        self
    }

    /// Believes that the documents are valid, and checks only what matches.
    ///
    /// Of a document that is not valid anything may be said to match then. Documents of a [stream](Framing::Stream) are checked
    /// all the same, and those of a query that is none of those that [`without_paths`](Self::without_paths) speaks of.
    #[must_use]
    pub fn trust(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Hands all matches in the documents of `input` to `receiver`, and the errors of bad documents.
    ///
    /// A bad document has no matches, with one exception: if it is the only one of its input and was not held, what ends in
    /// front of its first error has been handed over before.
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
        let mut input = input.into();
        if self.limit == 0 {
            return Ok(Summary::default());
        }
        if !self.paths
            && let Some(plan) = self.plan(options)
        {
            let levels = plan.descendants();
            let moves = self.order == Order::Rfc && levels > 0;
            let wanted = self.wanted(options, if moves { Listing::InOrder { levels } } else { Listing::AsFound });
            let ask = Ask { plan: &plan, options, wanted };
            return stream(ask, &mut input, &mut Listener { receiver }).map(|(summary, _)| summary);
        }
        let mut finder = Finder { search: *self, isa: options.isa, receiver, count: 0, ended: false, reads_on: false };
        if !self.paths
            && let Some(split) = self.split()
            && let Some(plan) = self.plan_of(&split.head, options)
        {
            (finder.search.queries, finder.search.condition) = split.questions();
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, Listing::AsFound) };
            finder.reads_on = wanted.drain;
            return stream(Ask { plan: &plan, options, wanted }, &mut input, &mut finder).map(|(summary, _)| summary);
        }
        each_document(&mut input, options, &mut finder)
    }

    /// The two parts of the query, if there is but one.
    fn split(&self) -> Option<Split> {
        let [query] = self.queries else { return None };
        Split::new(query)
    }

    fn plan_of<'p>(&self, syntax: &'p Syntax, options: &Options) -> Option<Plan<'p>>
    where
        'q: 'p,
    {
        Plan::new(syntax, self.condition.map(|condition| &condition.syntax), options)
    }

    /// How the masks answer, if there is but one query and they can.
    fn plan(&self, options: &Options) -> Option<Plan<'q>> {
        let [query] = self.queries else { return None };
        self.plan_of(&query.syntax, options)
    }

    fn wanted(&self, options: &Options, listing: Listing) -> Wanted {
        let may_leave = self.trusts || self.stops_early && options.framing == Framing::Document;
        // A condition wants the whole document.
        let may_leave = may_leave && self.condition.is_none();
        Wanted { listing, limit: self.limit, trust: self.trusts, drain: !may_leave }
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
        let mut input = input.into();
        let mut counter =
            Counter { queries: self.queries, condition: self.condition, isa: options.isa, counts, on_error };
        if let Some(plan) = self.plan(options) {
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, Listing::None) };
            let (summary, found) = stream(Ask { plan: &plan, options, wanted }, &mut input, &mut counter)?;
            if let Some(count) = counts.first_mut() {
                *count = count.saturating_add(found);
            }
            return Ok(summary);
        }
        if let Some(split) = self.split()
            && let Some(plan) = self.plan_of(&split.head, options)
        {
            (counter.queries, counter.condition) = split.questions();
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, Listing::AsFound) };
            return stream(Ask { plan: &plan, options, wanted }, &mut input, &mut counter).map(|(summary, _)| summary);
        }
        each_document(&mut input, options, &mut counter)
    }
}

/// Whether a document is asked at all.
fn is_asked(condition: Option<&Condition>, document: Checked<'_>, isa: Isa) -> Result<bool, Error> {
    let condition = condition.map(|condition| &condition.syntax);
    holds(condition, document.text, isa).map_err(|place| Error::pattern_too_large(document.offset + place as u64))
}

impl<'t> Excerpt<'t> {
    /// A value in it, as a document.
    fn value(self, span: Span) -> Checked<'t> {
        Checked { text: self.of(span), offset: span.start, record: self.record }
    }
}

/// A pattern that was looked up in the document was too much.
fn check(evaluation: &Evaluation<'_, '_>, document: Checked<'_>) -> Result<(), Error> {
    match evaluation.too_large() {
        Some(place) => Err(Error::pattern_too_large(document.offset + place as u64)),
        None => Ok(()),
    }
}

/// Passes on what the masks answer.
struct Listener<'l> {
    receiver: &'l mut dyn Receiver,
}

impl Sink for Listener<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(matches.iter().try_for_each(|&span| {
            let (text, record) = (within.of(span), within.record);
            self.receiver.found(&mut Match { text, start: span.start, record, query: 0, place: None })
        }))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.refused(error)
    }

    fn wait(&mut self) {
        self.receiver.wait();
    }
}

/// Passes on what evaluations answer, of whole documents or of values in them.
struct Finder<'f> {
    search: Search<'f>,
    isa: Isa,
    receiver: &'f mut dyn Receiver,
    count: u64,
    /// Whether the receiver has ended the search.
    ended: bool,
    /// Whether the text is read on when there are as many matches as are wanted.
    reads_on: bool,
}

impl Finder<'_> {
    fn is_full(&self) -> bool {
        self.count == self.search.limit
    }

    fn evaluate(&mut self, document: Checked<'_>) -> Result<(), Error> {
        if !is_asked(self.search.condition, document, self.isa)? {
            return Ok(());
        }
        for (query, asked) in self.search.queries.iter().enumerate() {
            let mut evaluation =
                Evaluation::new(&asked.syntax, document.text, self.isa, self.search.order == Order::Document);
            while let Some(found) = evaluation.next() {
                check(&evaluation, document)?;
                let text = &document.text[found.start..evaluation.end(found.start)];
                let (start, record) = (document.offset + found.start as u64, document.record);
                for _ in 0..found.times {
                    let place: Option<&mut dyn Place> = if self.search.paths { Some(&mut evaluation) } else { None };
                    self.ended = self.receiver.found(&mut Match { text, start, record, query, place }).is_break();
                    self.count += 1;
                    if self.ended || self.is_full() {
                        return Ok(());
                    }
                }
            }
            check(&evaluation, document)?;
        }
        Ok(())
    }
}

impl Reader for Finder<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        self.evaluate(document)?;
        Ok(if self.ended || self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.refused(error)
    }

    fn wait(&mut self) {
        self.receiver.wait();
    }
}

impl Sink for Finder<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            if self.is_full() {
                break;
            }
            self.evaluate(within.value(span))?;
            if self.ended {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(if self.is_full() && !self.reads_on { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
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
    condition: Option<&'c Condition>,
    isa: Isa,
    counts: &'c mut [u64],
    on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl Reader for Counter<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        if !is_asked(self.condition, document, self.isa)? {
            return Ok(ControlFlow::Continue(()));
        }
        for (query, count) in self.queries.iter().zip(&mut *self.counts) {
            let mut evaluation = Evaluation::new(&query.syntax, document.text, self.isa, true);
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

impl Sink for Counter<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            if Reader::take(self, within.value(span))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
