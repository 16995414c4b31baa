//! One or several queries asked of an input, and what is heard of it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::query::Condition;
use crate::query::Query;
use crate::query::answer::Counter;
use crate::query::answer::Finder;
use crate::query::documents::each_document;
use crate::query::list::Refiner;
use crate::query::request::EvaluationRequest;
use crate::query::request::Place;
use crate::query::split::Split;
use crate::query::stream::Excerpt;
use crate::query::stream::Listing;
use crate::query::stream::MatchSink;
use crate::query::stream::Plan;
use crate::query::stream::SearchRequest;
use crate::query::stream::Span;
use crate::query::stream::Wanted;
use crate::query::stream::stream;
use crate::query::syntax::Syntax;
use std::fmt;
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
pub trait MatchHandler {
    /// A match; may end the search.
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()>;

    /// A document is bad. With lines and sequences the search goes on behind it if this does not end it.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// The next bytes of input may take their time: what has been found should be passed on.
    fn on_wait(&mut self) {}
}

/// A place that a query selects.
pub struct Match<'m> {
    pub(super) text: &'m [u8],
    /// Where the text begins in the input.
    pub(super) start: u64,
    pub(super) record: Option<u64>,
    pub(super) query: usize,
    pub(super) place: Option<&'m mut dyn Place>,
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

impl fmt::Debug for Match<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(self.text);
        formatter.debug_struct("Match").field("text", &text).field("range", &self.range()).finish_non_exhaustive()
    }
}

/// The default limit of depth for queries that apply segments to nodes that lie in each other.
const LEVELS: u64 = 1024;

/// Queries that are asked together.
///
/// All documents of the input are read once; of each, the matches of the first query come first. For one query alone,
/// [`Query::each`] is simpler.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, Query, Search};
///
/// let queries = [Query::new("$.id")?, Query::new("$..tags[*]")?];
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
    ///
    /// In that of the RFC, what stands behind a second `..`, or behind a name behind `..` if masks do not answer it, is applied to one
    /// node after the other, which may lie in each other. Then documents may have up to 1,024 levels, unless
    /// [`max_depth`](Options::max_depth) says otherwise.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Asks only documents for which the condition holds; the others have no matches.
    #[must_use]
    pub fn condition(mut self, condition: &'q Condition) -> Self {
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
    /// then, if not for the order of a descendant segment, and no more is remembered of a match than 32 bytes. A query that only
    /// begins so, with child segments and perhaps a name behind `..`, holds one of the values that these select at a time, unless
    /// one of its filters looks at the root of the document.
    #[must_use]
    pub fn without_paths(mut self) -> Self {
        self.paths = false;
        self
    }

    /// Does not read on once there are as many matches as the [limit](Self::limit) wants: what follows in the document, and in the
    /// input, is not checked then. Records, and documents of a [stream](crate::Framing::Stream), are always read to their end.
    #[must_use]
    pub fn stop_early(mut self) -> Self {
        self.stops_early = true;
        self
    }

    /// Believes that the documents are valid, and checks only what matches.
    ///
    /// Of a document that is not valid anything may be said to match then, and a document is left where nothing more can match.
    /// Where documents have to be read to find their ends ([`Stream`](crate::Framing::Stream), [`Documents`](crate::Framing::Documents))
    /// they are checked all the same, and so they are for a query that [`without_paths`](Self::without_paths) does not name.
    #[must_use]
    pub fn trust(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Hands all matches in the documents of `input` to `handler`, and the errors of bad documents.
    ///
    /// A bad document has no matches, with one exception: with [`Framing::Document`](crate::Framing::Document) and
    /// [`Framing::Documents`](crate::Framing::Documents), if it was not held, what ends in front of its first error has been handed
    /// over before.
    ///
    /// If the handler ends the search, the rest of the input has not been looked at, and the summary speaks only of what has.
    ///
    /// # Errors
    /// Errors of reading; and of a pattern that comes from the document and would take too much memory.
    pub fn run<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        handler: &mut dyn MatchHandler,
    ) -> Result<Summary, Error> {
        let mut input = input.into();
        if self.limit == 0 {
            return Ok(Summary::default());
        }
        if !self.paths
            && let Some(plan) = self.plan(options)
        {
            let request =
                SearchRequest { plan: &plan, options, wanted: self.wanted(options, self.listing(&plan)), rest: None };
            return stream(request, &mut input, &mut Listener { handler }).map(|(summary, _)| summary);
        }
        let request = EvaluationRequest::new(self.queries, self.condition, options.isa);
        let mut finder = Finder::new(request, self.order, self.limit, handler);
        if !self.paths
            && let Some(split) = self.split(self.order)
            && let Some(plan) = self.plan_of(&split.head, options)
        {
            let rest = Refiner { request: EvaluationRequest::of_rest(&split.rest, options.isa), order: self.order };
            finder.request = rest.request;
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, self.listing(&plan)) };
            finder.reads_on = wanted.drain && options.framing.begins_alone();
            let options = limited(options, self.order == Order::Rfc && plan.descendants() > 0);
            let request = SearchRequest { plan: &plan, options: &options, wanted, rest: Some(&rest) };
            return stream(request, &mut input, &mut finder).map(|(summary, _)| summary);
        }
        finder.knows_paths = self.paths;
        let descends_again =
            |query: &Query| query.syntax.segments.iter().filter(|segment| segment.descendant).count() > 1;
        let options = limited(options, self.order == Order::Rfc && self.queries.iter().any(descends_again));
        each_document(&mut input, &options, &mut finder)
    }

    /// The two parts of the query, if there is but one.
    fn split(&self, order: Order) -> Option<Split> {
        let [query] = self.queries else { return None };
        Split::new(query, order)
    }

    /// How the masks list what they find.
    fn listing(&self, plan: &Plan<'_>) -> Listing {
        match (self.order, plan.descendants()) {
            (Order::Document, _) | (Order::Rfc, 0) => Listing::AsFound,
            (Order::Rfc, levels) => Listing::InOrder { levels },
        }
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
        let may_leave = self.trusts || self.stops_early && options.framing.begins_alone();
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
    ///
    /// # Panics
    /// If `counts` is not as long as there are queries.
    pub fn count<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        counts: &mut [u64],
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        assert_eq!(counts.len(), self.queries.len(), "one count for each query");
        let mut input = input.into();
        let request = EvaluationRequest::new(self.queries, self.condition, options.isa);
        let mut counter = Counter { request, counts, on_error };
        if let Some(plan) = self.plan(options) {
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, Listing::None) };
            let request = SearchRequest { plan: &plan, options, wanted, rest: None };
            let (summary, found) = stream(request, &mut input, &mut counter)?;
            if let Some(count) = counts.first_mut() {
                *count = count.saturating_add(found);
            }
            return Ok(summary);
        }
        if let Some(split) = self.split(Order::Document)
            && let Some(plan) = self.plan_of(&split.head, options)
        {
            let rest =
                Refiner { request: EvaluationRequest::of_rest(&split.rest, options.isa), order: Order::Document };
            counter.request = rest.request;
            let wanted = Wanted { limit: u64::MAX, ..self.wanted(options, Listing::AsFound) };
            let request = SearchRequest { plan: &plan, options, wanted, rest: Some(&rest) };
            return stream(request, &mut input, &mut counter).map(|(summary, _)| summary);
        }
        each_document(&mut input, options, &mut counter)
    }
}

/// The options of a search that applies segments to nodes which lie in each other, one after the other: it takes as many times as
/// long as there are levels, so there may be no more than [`LEVELS`] unless the caller says so.
fn limited(options: &Options, is_limited: bool) -> Options {
    Options { max_depth: options.max_depth.or(is_limited.then_some(LEVELS)), ..options.clone() }
}

/// Passes on what the masks answer.
struct Listener<'l> {
    handler: &'l mut dyn MatchHandler,
}

impl MatchSink for Listener<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(matches.iter().try_for_each(|&span| {
            let (text, record) = (within.of(span), within.record);
            self.handler.on_match(&mut Match { text, start: span.start, record, query: 0, place: None })
        }))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}
