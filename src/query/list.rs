//! What is found in a stretch of records by whoever helps with it, and handed over later.

#![forbid(unsafe_code)]

use crate::framing::distance;
use crate::kernel::Isa;
use crate::query::Match;
use crate::query::Order;
use crate::query::documents::CheckedDocument;
use crate::query::evaluate;
use crate::query::evaluate::Step;
use crate::query::records::RecordWorker;
use crate::query::request::EvaluationRequest;
use crate::query::request::Place;
use crate::query::stream::Excerpt;
use crate::query::stream::Refine;
use crate::query::stream::Span;
use crate::scan::Progress;
use std::iter;
use std::ops::ControlFlow;

/// Lists what evaluations answer, on any thread.
#[derive(Clone, Copy)]
pub(super) struct Lister<'q> {
    pub(super) request: EvaluationRequest<'q>,
    pub(super) order: Order,
    /// No more matches than so many are wanted.
    pub(super) limit: u64,
    pub(super) knows_paths: bool,
}

/// What is found in a stretch of records.
#[derive(Default)]
pub(super) struct List {
    matches: Vec<Listed>,
    /// The steps to the first match, then those to the second, and so on, if their paths are to be known.
    steps: Vec<Step>,
    count: u64,
}

impl List {
    /// Hands over all matches in a stretch, in front of which there are as many records as its record says, or those up to the record
    /// in which one is enough, whose end and number are told. If a kernel is given, they know their places.
    pub(super) fn each(
        &self,
        batch: Excerpt<'_>,
        isa: Option<Isa>,
        mut hear: impl FnMut(&mut Match<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<Progress> {
        let before = batch.record.unwrap_or_default();
        let mut rest = &self.steps[..];
        for &Listed { query, span, record, times, steps } in &self.matches {
            let last = Progress { end: batch.base + record.end, records: before + record.records };
            let (steps, others) = rest.split_at(steps);
            rest = others;
            let span = Span { start: batch.base + span.start, end: batch.base + span.end };
            let (text, record) = (batch.of(span), batch.record.and(Some(last.records)));
            let mut trail = isa.map(|isa| Trail { text: batch.text, steps, isa });
            for _ in 0..times {
                let place = trail.as_mut().map(|trail| trail as &mut dyn Place);
                if hear(&mut Match { text, start: span.start, record, query, place }).is_break() {
                    return ControlFlow::Break(last);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A match in a stretch of records.
struct Listed {
    query: usize,
    /// Where it is in the stretch.
    span: Span,
    /// Where its record ends in the stretch, and its number in it, from 1 on.
    record: Progress,
    times: u64,
    /// How many steps lead to it.
    steps: usize,
}

/// The most matches of a stretch that are listed, and the most steps to them. Who finds more is not helped: in the order of the RFC
/// there may be many times as many matches as there are bytes.
const MOST: usize = 1 << 15;

impl RecordWorker for Lister<'_> {
    type Output = List;

    fn take(self, record: CheckedDocument<'_>, list: &mut List) -> Option<ControlFlow<()>> {
        let flow = self.request.each(record, self.order, |query, evaluation, found| {
            let Some(end) = evaluation.end(found.start) else { return ControlFlow::Break(()) };
            let steps = if self.knows_paths { evaluation.steps() } else { Vec::new() };
            let record_end = record.offset + record.text.len() as u64;
            let end = record.offset + end as u64;
            list.matches.push(Listed {
                query,
                span: Span { start: record.offset + found.start as u64, end },
                record: Progress { end: record_end, records: record.record.unwrap_or_default() },
                times: found.times,
                steps: steps.len(),
            });
            list.steps.extend(steps.into_iter().map(|step| step.within(distance(0, record.offset))));
            list.count = list.count.saturating_add(found.times);
            let is_enough = list.count >= self.limit || list.matches.len().max(list.steps.len()) > MOST;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // What is wrong will be found again by who takes the records one by one.
        flow.ok().filter(|_| list.matches.len().max(list.steps.len()) <= MOST)
    }
}

/// Counts what evaluations answer, on any thread.
#[derive(Clone, Copy)]
pub(super) struct Tally<'q> {
    pub(super) request: EvaluationRequest<'q>,
}

impl RecordWorker for Tally<'_> {
    type Output = Vec<u64>;

    fn take(self, record: CheckedDocument<'_>, counts: &mut Vec<u64>) -> Option<ControlFlow<()>> {
        counts.resize(self.request.queries.len(), 0);
        self.request.count(record, counts).ok().map(ControlFlow::Continue)
    }
}

/// Finds the answers to the rest of a query in values that the masks have found, on any thread.
pub(super) struct Refiner<'q> {
    pub(super) request: EvaluationRequest<'q>,
    pub(super) order: Order,
}

impl Refine for Refiner<'_> {
    fn refine(&self, values: &[Span], within: Excerpt<'_>, found: &mut Vec<Span>) -> Option<()> {
        let mut request = self.request;
        // One node may be selected any number of times.
        let most = within.text.len();
        for &span in values {
            let Some(value) = request.value(span, within) else { continue };
            let flow = request.each(value, self.order, |_, evaluation, next| {
                let Some(end) = evaluation.end(next.start) else { return ControlFlow::Break(()) };
                let [start, end] = [next.start, end].map(|place| value.offset + place as u64);
                let times = distance(0, next.times.min(most as u64 + 1));
                found.extend(iter::repeat_n(Span { start, end }, times));
                if found.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if !flow.is_ok_and(|flow| flow.is_continue()) {
                return None;
            }
        }
        Some(())
    }
}

/// Where the match is that was listed.
struct Trail<'t> {
    /// The text in which it was, and the steps to it.
    text: &'t [u8],
    steps: &'t [Step],
    isa: Isa,
}

impl Place for Trail<'_> {
    fn path(&mut self) -> String {
        evaluate::path(self.text, self.steps, self.isa)
    }

    fn pointer(&mut self) -> Option<String> {
        evaluate::pointer(self.text, self.steps, self.isa)
    }
}
