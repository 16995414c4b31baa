//! The public interface of a search: queries, options, and the choice of a route, which the documentation of `query/` shows.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
use crate::query::Condition;
use crate::query::MatchHandler;
use crate::query::MatchWriter;
use crate::query::Query;
use crate::query::documents::each_document;
use crate::query::evaluators::CountEvaluator;
use crate::query::evaluators::MatchEvaluator;
use crate::query::request::EvaluationRequest;
use crate::query::split::Split;
use crate::query::stream::Listing;
use crate::query::stream::MatchSink;
use crate::query::stream::Plan;
use crate::query::stream::SearchOptions;
use crate::query::stream::SearchRequest;
use crate::query::stream::stream;
use std::ops::ControlFlow;

/// The order in which the matches of a query are reported.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use fjson::{Error, Match, MatchHandler};
/// use fjson::{Options, Order, Query, Search};
///
/// # struct Texts(Vec<String>);
/// # impl MatchHandler for Texts {
/// #     fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
/// #         self.0.push(String::from_utf8_lossy(matched.text()).into_owned());
/// #         ControlFlow::Continue(())
/// #     }
/// #     fn on_error(&mut self, _: Error) -> ControlFlow<()> {
/// #         ControlFlow::Break(())
/// #     }
/// # }
/// let queries = [Query::new("$..a")?];
/// for (order, expected) in [(Order::Rfc, ["2", "1"]), (Order::Document, ["1", "2"])] {
///     let mut texts = Texts(Vec::new());
///     Search::new(&queries).order(order).run(r#"{"x": {"a": 1}, "a": 2}"#, &Options::new(), &mut texts)?;
///     assert_eq!(texts.0, expected);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// The order of RFC 9535 (sections 2.3 and 2.5): a descendant segment selects children of a node before children of its
    /// descendants, and of several selectors, all that the first one selects comes first. Nodes that have to wait for this
    /// order are buffered, in some tens of bytes each.
    #[default]
    Rfc,
    /// The order of the text. Nothing is buffered for it.
    Document,
}

/// The default depth limit for queries that apply segments to nodes inside each other.
const DEFAULT_MAX_DEPTH: u64 = 1024;

/// A search: one or more queries and options, run over the documents of an input.
///
/// The input is read once. In each document, all matches of the first query come before those of the second, and so on. For a
/// single query with default options, [`Query::each`] is simpler.
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
#[expect(clippy::struct_excessive_bools, reason = "independent settings")]
pub struct Search<'q> {
    queries: &'q [Query],
    order: Order,
    condition: Option<&'q Condition>,
    limit: u64,
    paths: bool,
    stops_early: bool,
    trusts: bool,
    /// Whether no plan is used, so that tests have something to compare with.
    in_memory: bool,
}

impl<'q> Search<'q> {
    /// Returns a search for what `queries` select, in RFC order, with paths and without a limit.
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
            in_memory: false,
        }
    }

    /// Reports the matches in this order.
    ///
    /// In RFC order, if a query is evaluated in memory, the segments after a second `..`, or after a name or filter after `..`, are
    /// applied to one node at a time. These nodes may lie inside each other, so that the time grows with the depth. Such a
    /// search accepts at most 1,024 levels unless [`max_depth`](Options::max_depth) is set.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Searches only documents for which the condition holds. The others have no matches.
    #[must_use]
    pub fn condition(mut self, condition: &'q Condition) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Reports at most `limit` matches in all. With a limit of 0, nothing is read. [`count`](Self::count) ignores the limit.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// Reports matches without their paths.
    ///
    /// A single query of a common kind is answered while the text comes in, many times as fast as others. Each of its segments has
    /// one selector: a name of at most 159 bytes, a wildcard, or an index or slice counted from the front. There are at most 16
    /// segments, or 8 if one is a descendant segment. Several queries are answered together in this way if they have only child
    /// segments, up to 32 in all, and so are several names and indexes in the last segment of a query in RFC order, if the other segments
    /// are names and indexes. Without paths, such a search does not keep the document in memory, except where RFC order after
    /// `..` needs it.
    ///
    /// Without paths, if only the first segments are of this kind (child segments, then perhaps `..` with a name), the rest of the
    /// query is evaluated on one of the values they select at a time, unless one of its filters refers to the root `$`. In RFC
    /// order, the same is done if the first segment is `..` with a filter that requires a member, as `?@.name == 'text'` does.
    ///
    /// With [`unique_keys`](Options::unique_keys) and [`ijson`](Options::ijson), all queries are evaluated on whole documents.
    #[must_use]
    pub fn without_paths(mut self) -> Self {
        self.paths = false;
        self
    }

    /// Stops reading when the [limit](Self::limit) is reached. The rest of the document and of the input is then not checked.
    /// Records, and the documents of a [stream](crate::Framing::Stream), are always read to their end.
    #[must_use]
    pub fn stop_early(mut self) -> Self {
        self.stops_early = true;
        self
    }

    /// Assumes that the documents are valid, and checks only the matches.
    ///
    /// In an invalid document the search may report any values. It leaves a document as soon as nothing more can match.
    /// Documents are still checked where their ends must be found by reading ([`Stream`](crate::Framing::Stream),
    /// [`Documents`](crate::Framing::Documents)), with paths, and for queries that are not answered while the text
    /// comes in (see [`without_paths`](Self::without_paths)).
    #[must_use]
    pub fn trust(mut self) -> Self {
        self.trusts = true;
        self
    }

    /// Reports all matches in the documents of `input`, and the errors of invalid documents, to `handler`.
    ///
    /// An invalid document has no matches, with one exception: with [`Framing::Document`](crate::Framing::Document) and
    /// [`Framing::Documents`](crate::Framing::Documents), if the document is not kept in memory, matches that end before its
    /// first error have already been reported.
    ///
    /// If the handler stops the search, the rest of the input is not read, and the summary covers only what was.
    ///
    /// # Errors
    /// An error of the input: a failed read, a mapped file that changed, or memory that could not be allocated. Also a pattern
    /// that is taken from a document and takes more than 2 MiB when compiled. Errors *in* documents go to the handler.
    pub fn run<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        handler: &mut dyn MatchHandler,
    ) -> Result<Summary, Error> {
        self.run_with(input, options, None, handler)
    }

    /// Like [`run`](Self::run), but `writer` writes the matches of records, and of elements of large arrays, on as many threads as
    /// [`Options::threads`] allows. The handler receives what it has written in the order of the input, and between that the matches that
    /// it does not write: those in what is not read in batches, and all if there is a [limit](Self::limit).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_with<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        writer: Option<&dyn MatchWriter>,
        handler: &mut dyn MatchHandler,
    ) -> Result<Summary, Error> {
        let mut input = input.into();
        if self.limit == 0 {
            return Ok(Summary::default());
        }
        let route = self.route(options, true);
        let mut evaluator = MatchEvaluator {
            request: self.request(&route, options),
            handler,
            // Without a rest, `stream` applies the limit.
            limit: if matches!(route.rest, Rest::None) { u64::MAX } else { self.limit },
            reads_to_end: !self.may_stop_early(options) && options.framing.starts_with_single_document(),
            has_paths: self.paths,
            count: 0,
            is_stopped: false,
        };
        let writer = writer.filter(|_| self.limit == u64::MAX);
        self.evaluate(&mut input, options, &route, writer, &mut evaluator).0
    }

    /// Evaluates all queries on whole documents, which the scan reads.
    #[cfg(test)]
    pub(super) fn in_memory(mut self) -> Self {
        (self.in_memory, self.paths) = (true, true);
        self
    }

    /// Chooses the route. `lists`: matches are listed, not only counted.
    fn route(&self, options: &Options, lists: bool) -> Route<'q> {
        // Masks do not show whether keys are unique, or what I-JSON demands of numbers and strings.
        // mutant: if self.in_memory {
        if self.in_memory || options.is_strict() {
            return Route { plan: Plan::root(None), rest: Rest::Documents, listing: Listing::AsFound };
        }
        let condition = self.condition.map(|condition| &condition.syntax);
        let queries: Vec<_> = self.queries.iter().map(|query| &query.syntax).collect();
        if let Some(plan) = Plan::new(&queries, condition).filter(|plan| plan.has_order(self.order)) {
            let lists = lists || plan.paths().is_some();
            let listing = if lists { self.listing(&plan) } else { Listing::None };
            return Route { plan, rest: Rest::None, listing };
        }
        if !self.paths
            && let [query] = self.queries
            && let Some(split) = Split::new(query, self.order)
            && let Some(plan) = Plan::new(&[&split.prefix], condition)
        {
            let listing = self.listing(&plan);
            return Route { plan, rest: Rest::Split(split), listing };
        }
        Route { plan: Plan::root(condition), rest: Rest::All, listing: Listing::AsFound }
    }

    /// Returns what to evaluate on values or documents.
    fn request<'r>(&'r self, route: &'r Route<'_>, options: &Options) -> EvaluationRequest<'r> {
        if let Rest::Split(split) = &route.rest {
            return split.request(self.order, options.isa);
        }
        // Any other plan includes the condition.
        let condition = self.condition.filter(|_| matches!(route.rest, Rest::Documents));
        let condition = condition.map(|condition| &condition.syntax);
        EvaluationRequest::new(self.queries, condition, self.order, options.isa)
    }

    /// Takes the route. Also returns the number of matches that are only counted, even after a failure.
    fn evaluate(
        &self,
        input: &mut Input<'_>,
        options: &Options,
        route: &Route<'_>,
        writer: Option<&dyn MatchWriter>,
        sink: &mut dyn MatchSink,
    ) -> (Result<Summary, Error>, u64) {
        let rest = (!matches!(route.rest, Rest::None)).then(|| self.request(route, options));
        let is_limited = self.order == Order::Rfc
            && rest.is_some_and(|rest| {
                route.plan.descendants() > 0 || rest.queries.iter().any(|query| query.syntax.descendants() > 1)
            });
        let options = with_depth_limit(options, is_limited);
        let search = SearchOptions {
            listing: route.listing,
            limit: if rest.is_some() { u64::MAX } else { self.limit },
            trust: self.trusts && !matches!(route.rest, Rest::All | Rest::Documents),
            reads_to_end: !self.may_stop_early(&options),
            divides_elements: self.limit == u64::MAX,
            paths: self.paths,
        };
        let request = SearchRequest { plan: &route.plan, options: &options, search, rest, writer };
        if matches!(route.rest, Rest::Documents) {
            return (each_document(input, request, !self.in_memory, sink), 0);
        }
        let (result, found) = stream(request, input, sink);
        (result, if route.listing == Listing::None { found } else { 0 })
    }

    /// Whether to stop reading a document after the last match that is wanted.
    fn may_stop_early(&self, options: &Options) -> bool {
        // A condition needs the whole document.
        (self.trusts || self.stops_early && options.framing.starts_with_single_document()) && self.condition.is_none()
    }

    /// Returns the order in which `stream/` lists matches.
    fn listing(&self, plan: &Plan<'_>) -> Listing {
        if let Some(paths) = plan.paths() {
            return Listing::ByPath(paths);
        }
        if plan.needs_checked_text() {
            return Listing::Sorted { by_container: self.order == Order::Rfc };
        }
        match (self.order, plan.descendants()) {
            (Order::Document, _) | (Order::Rfc, 0) => Listing::AsFound,
            (Order::Rfc, levels) => Listing::RfcOrder { levels },
        }
    }

    /// Whether queries without paths are answered together while the text comes in.
    pub(crate) fn answers_together(queries: &[Query]) -> bool {
        let queries: Vec<_> = queries.iter().map(|query| &query.syntax).collect();
        Plan::new(&queries, None).is_some()
    }

    /// Adds the number of matches of each query to its element of `counts`.
    ///
    /// A node that is selected several times counts that many times. Matches are not listed, so the time does not depend on
    /// their number. Errors of invalid documents go to `on_error`, as with [`validate_each`](crate::validate_each).
    ///
    /// # Errors
    /// As [`run`](Self::run). The matches before the error are counted.
    ///
    /// # Panics
    /// If `counts` does not have one element for each query.
    pub fn count<'a>(
        &self,
        input: impl Into<Input<'a>>,
        options: &Options,
        counts: &mut [u64],
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        assert_eq!(counts.len(), self.queries.len(), "one count for each query");
        let search = Self { order: Order::Document, limit: u64::MAX, paths: false, ..*self };
        let route = search.route(options, false);
        let mut counter = CountEvaluator { request: search.request(&route, options), counts, on_error };
        let (result, found) = search.evaluate(&mut input.into(), options, &route, None, &mut counter);
        if let Some(count) = counts.first_mut() {
            *count = count.saturating_add(found);
        }
        result
    }
}

/// How a search is evaluated.
struct Route<'q> {
    /// A plan of the queries, of the first part of one, or of `$`.
    plan: Plan<'q>,
    /// What is evaluated on the values that the plan selects, or on the documents.
    rest: Rest,
    /// What the plan lists.
    listing: Listing,
}

/// What is evaluated on values that a plan selects.
#[expect(clippy::large_enum_variant, reason = "a search has one")]
enum Rest {
    /// Nothing: they are the matches.
    None,
    /// The second part of the query.
    Split(Split),
    /// All queries, on whole documents.
    All,
    /// The same, on documents that are read by the scan.
    Documents,
}

/// Returns options with a depth limit of [`DEFAULT_MAX_DEPTH`], unless the caller set one or `is_limited` is false. A search
/// that applies segments to nodes inside each other reads a byte once for each level around it.
fn with_depth_limit(options: &Options, is_limited: bool) -> Options {
    Options { max_depth: options.max_depth.or(is_limited.then_some(DEFAULT_MAX_DEPTH)), ..options.clone() }
}
