//! The elements of a large array, searched in batches, as records are, mostly by several threads.
//!
//! The executor follows the names that lead to the array. From a comma between two of its elements on, batches of elements are
//! validated and searched, and the executor continues after the last comma of these. If a batch is invalid, it continues before that
//! batch, so all errors are its own.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Nesting;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::ElementBatches;
use crate::parallel::Reached;
use crate::parallel::thread_count;
use crate::query::request::EvaluationRequest;
use crate::query::stream::Listing;
use crate::query::stream::Plan;
use crate::query::stream::SearchOptions;
use crate::query::stream::SearchRequest;
use crate::query::stream::lines::BatchResult;
use crate::query::stream::lines::SearchReader;
use crate::query::stream::report::MatchReport;
use crate::scan::AfterComma;

/// What is searched for in each element of an array.
pub(super) struct ElementPlan<'q> {
    /// The number of steps of the whole plan that lead to the array.
    pub(super) steps: usize,
    plan: Plan<'q>,
    listing: Listing,
    rest: Option<EvaluationRequest<'q>>,
    options: Options,
}

impl<'q> ElementPlan<'q> {
    /// Returns the plan of the elements. `None` if they cannot be searched on their own, or if that would not be faster. A condition is
    /// evaluated faster on batches, even by one thread. To follow a path, the executor takes less time than two threads do that put
    /// elements on lines first.
    pub(super) fn new(request: SearchRequest<'q>) -> Option<Self> {
        let SearchRequest { plan, options, search, rest, .. } = request;
        let is_divisible = search.divides_elements && search.limit == u64::MAX && !search.trust && !search.paths;
        let is_listed_as_found = matches!(search.listing, Listing::None | Listing::AsFound);
        let is_alone = options.framing.starts_with_single_document();
        if !is_divisible || !is_listed_as_found || !is_alone || plan.condition.is_some() {
            return None;
        }
        let (steps, plan) = plan.of_elements()?;
        let whole = rest.filter(|_| plan.is_root()).and_then(plan_of);
        let needed = if rest.is_some() { 2 } else { 3 };
        if whole.is_none() && thread_count(options) < needed {
            return None;
        }
        let (plan, rest) = whole.map_or((plan, rest), |plan| (plan, None));
        let listing = plan.paths().map_or(search.listing, Listing::ByPath);
        let around = steps as u64 + 1;
        // mutant: let max_depth = options.max_depth;
        let max_depth = options.max_depth.map(|depth| depth.saturating_sub(around));
        Some(Self { steps, plan, listing, rest, options: options.clone().framing(Framing::Lines).max_depth(max_depth) })
    }

    /// Returns the search for it.
    pub(super) fn search<'a>(&'a self, request: SearchRequest<'a>) -> ElementSearch<'a> {
        let Self { steps, plan, listing, rest, options } = self;
        let search = SearchOptions { listing: *listing, ..request.search };
        let request = SearchRequest { plan, options, search, rest: *rest, ..request };
        ElementSearch { request, level: steps + 1, batches: ElementBatches::default() }
    }
}

/// Returns the plan of a condition and what is selected if it holds, or of several paths, if they have one.
fn plan_of(rest: EvaluationRequest<'_>) -> Option<Plan<'_>> {
    let (query, condition, order) = rest.parts()?;
    let plan = Plan::new(&[query], condition)?;
    let is_faster = condition.is_some() || plan.paths().is_some();
    (is_faster && plan.descendants() == 0 && plan.has_order(order)).then_some(plan)
}

/// The search of the elements of an array.
pub(super) struct ElementSearch<'a> {
    /// For one element.
    request: SearchRequest<'a>,
    /// The number of containers that are open in the array.
    level: usize,
    batches: ElementBatches,
}

impl ElementSearch<'_> {
    /// Whether no more elements are searched in batches.
    pub(super) fn is_over(&self) -> bool {
        self.batches.is_over()
    }

    /// Searches elements from a comma on, and reports their matches.
    pub(super) fn read(
        &mut self,
        input: &Input<'_>,
        from: AfterComma,
        nesting: &Nesting,
        report: &mut MatchReport<'_>,
    ) -> Result<Reached, Error> {
        let mut memory = BatchResult::default();
        let mut reader = SearchReader::new(self.request, report, 0, &mut memory);
        self.batches.read(self.request.options, input, from, (nesting, self.level), &mut reader)
    }
}
