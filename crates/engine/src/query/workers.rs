//! Evaluation on worker threads, which list or count the matches of records.
//!
//! A handler runs on the caller's thread. So a worker lists the matches of a batch with the steps of their paths, and the
//! reader replays the list once the batches before it have been reported.

#![forbid(unsafe_code)]

use crate::framing::distance;
use crate::query::Match;
use crate::query::document_evaluator::RecordWorker;
use crate::query::evaluate::PathStep;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Locator;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Lists the matches in records.
#[derive(Clone, Copy)]
pub(super) struct MatchWorker<'q> {
    pub(super) request: EvaluationRequest<'q>,
    /// Number of matches in a batch after which the worker stops.
    pub(super) limit: u64,
    pub(super) has_paths: bool,
}

/// The matches in a batch of records.
#[derive(Default)]
pub(super) struct MatchList {
    matches: Vec<ListedMatch>,
    /// Steps to the first match, then those to the second, and so on. Empty if the matches have no paths.
    steps: Vec<PathStep>,
    /// Number of matches, counted with multiplicity.
    count: u64,
}

impl MatchList {
    /// Passes the matches to `on_match`, with their paths if they have some. `batch.record` is the number of records before the batch. If
    /// `on_match` returns `Break`, stops and returns the end and number of the record of that match.
    pub(super) fn each(
        &self,
        batch: Excerpt<'_>,
        has_paths: bool,
        mut on_match: impl FnMut(&mut Match<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<Progress> {
        let before = batch.record.unwrap_or_default();
        let mut rest = &self.steps[..];
        for &ListedMatch { span, record, multiplicity, steps } in &self.matches {
            let last = Progress { end: batch.base + record.end, records: before + record.records };
            let (steps, others) = rest.split_at(steps);
            rest = others;
            let span = Span { start: batch.base + span.start, end: batch.base + span.end, ..span };
            let (text, record) = (batch.of(span), batch.record.and(Some(last.records)));
            let mut steps = || steps.to_vec();
            for _ in 0..multiplicity {
                let locator = if has_paths { Some(Locator { text: batch.text, steps: &mut steps }) } else { None };
                if on_match(&mut Match { text, start: span.start, record, query: span.query, locator }).is_break() {
                    return ControlFlow::Break(last);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A match in a batch of records.
struct ListedMatch {
    /// Span of the value, relative to the batch, and index of the query.
    span: Span,
    /// End of the record, relative to the batch, and number of the record in the batch, from 1.
    record: Progress,
    /// How often the node is selected.
    multiplicity: u64,
    /// Number of steps to the match.
    steps: usize,
}

/// Maximum number of matches, and of steps, in the list of a batch. A worker that finds more rejects the batch, since in RFC order
/// there can be many times more matches than bytes.
const MAX_LISTED: usize = 1 << 15;

impl RecordWorker for MatchWorker<'_> {
    type Output = MatchList;

    fn evaluate(self, record: Excerpt<'_>, list: &mut MatchList) -> Option<ControlFlow<()>> {
        let flow = self.request.each(record, |query, evaluation, found| {
            let Some(end) = evaluation.end(found.start) else { return ControlFlow::Break(()) };
            let steps = if self.has_paths { evaluation.steps() } else { Vec::new() };
            let record_end = record.base + record.text.len() as u64;
            let end = record.base + end as u64;
            list.matches.push(ListedMatch {
                span: Span { start: record.base + found.start as u64, end, query },
                record: Progress { end: record_end, records: record.record.unwrap_or_default() },
                multiplicity: found.multiplicity,
                steps: steps.len(),
            });
            // mutant: list.steps.extend(steps.into_iter().map(|step| step));
            list.steps.extend(steps.into_iter().map(|step| step.shifted_by(distance(0, record.base))));
            list.count = list.count.saturating_add(found.multiplicity);
            let is_enough = list.count >= self.limit || list.matches.len().max(list.steps.len()) > MAX_LISTED;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // After an error, the scan reads the records of the batch one by one and finds the error again.
        flow.ok().filter(|_| list.matches.len().max(list.steps.len()) <= MAX_LISTED)
    }
}

/// Counts the matches in records.
#[derive(Clone, Copy)]
pub(super) struct CountWorker<'q> {
    pub(super) request: EvaluationRequest<'q>,
}

impl RecordWorker for CountWorker<'_> {
    type Output = Vec<u64>;

    fn evaluate(self, record: Excerpt<'_>, counts: &mut Vec<u64>) -> Option<ControlFlow<()>> {
        counts.resize(self.request.queries.len(), 0);
        self.request.count(record, counts).ok().map(ControlFlow::Continue)
    }
}
