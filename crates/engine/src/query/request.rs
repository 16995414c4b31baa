//! [`EvaluationRequest`]: the queries to evaluate on each document or value, and the condition for this.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::kernel::Isa;
use crate::memory::Grow;
use crate::query::Order;
use crate::query::Query;
use crate::query::evaluate::Evaluation;
use crate::query::evaluate::EvaluationState;
use crate::query::evaluate::SelectedNode;
use crate::query::evaluate::holds;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::syntax::Condition;
use crate::query::syntax::Segment;
use crate::query::syntax::Syntax;
use std::iter;
use std::ops::ControlFlow;

/// What to evaluate on each document, or on each value that the prefix of a query selects.
#[derive(Clone, Copy)]
pub(super) struct EvaluationRequest<'q> {
    pub(super) queries: &'q [Query],
    condition: Option<&'q Condition>,
    order: Order,
    pub(super) isa: Isa,
    /// Whether the first segment of the query is the descendant segment that selected the value, and continues to select inside
    /// it. Values inside others are then covered and not evaluated on their own.
    pub(super) continues_inside: bool,
    /// Offset of the end of the last value that was evaluated.
    last_end: u64,
}

impl<'q> EvaluationRequest<'q> {
    pub(super) fn new(queries: &'q [Query], condition: Option<&'q Condition>, order: Order, isa: Isa) -> Self {
        Self { queries, condition, order, isa, continues_inside: false, last_end: 0 }
    }

    /// Whether the queries are a single one that selects at most one node, and there is no condition.
    pub(super) fn selects_one(&self) -> bool {
        let is_single = matches!(self.queries, [query] if query.syntax.segments.iter().all(Segment::is_singular));
        is_single && self.condition.is_none() && !self.continues_inside
    }

    /// Returns the only query, the condition and the order, unless the query continues inside the value.
    pub(super) fn parts(self) -> Option<(&'q Syntax, Option<&'q Condition>, Order)> {
        let [query] = self.queries else { return None };
        (!self.continues_inside).then_some((&query.syntax, self.condition, self.order))
    }

    /// Returns the value to evaluate; `None` if the evaluation of an earlier value covers it, or if it has no children to select.
    pub(super) fn value<'t>(&mut self, span: Span, within: Excerpt<'t>) -> Option<Excerpt<'t>> {
        if span.end - span.start <= 2 && self.queries.iter().all(|query| !query.syntax.segments.is_empty()) {
            return None;
        }
        // mutant: if false {
        if self.continues_inside && span.start < self.last_end {
            return None;
        }
        self.last_end = span.end;
        Some(within.value(span))
    }

    /// Evaluates each query on a document or value, if that meets the condition. Calls `on_node` for each node, with the index of
    /// the query and its evaluation, until it returns `Break`. Returns an error if the text changed after it was checked.
    fn each(
        &self,
        document: Excerpt<'_>,
        mut on_node: impl FnMut(usize, &Evaluation<'q, '_>, SelectedNode) -> Result<ControlFlow<()>, Error>,
    ) -> Result<ControlFlow<()>, Error> {
        let Excerpt { text, base, .. } = document;
        if let Some(condition) = self.condition
            && !holds(condition, text, base, self.isa)?
        {
            return Ok(ControlFlow::Continue(()));
        }
        let state = EvaluationState::default();
        for (number, Query { syntax, .. }) in self.queries.iter().enumerate() {
            let mut evaluation = if self.continues_inside {
                Evaluation::continue_inside(syntax, text, self.isa, &state)
            } else {
                Evaluation::new(syntax, text, self.isa, &state, self.order == Order::Document)
            };
            loop {
                let next = evaluation.next();
                state.check(base)?;
                // A pattern from the document is too large.
                evaluation.too_large().map_or(Ok(()), |at| Err(Error::pattern_too_large(base + at as u64)))?;
                let Some(next) = next else { break };
                let flow = on_node(number, &evaluation, next)?;
                state.check(base)?;
                if flow.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Evaluates the queries on a document or value. Calls `on_span` for each value that is selected, and how often it is, until it
    /// returns `Break`.
    pub(super) fn spans(
        &self,
        document: Excerpt<'_>,
        mut on_span: impl FnMut(Span, u64) -> Result<ControlFlow<()>, Error>,
    ) -> Result<ControlFlow<()>, Error> {
        self.each(document, |query, evaluation, SelectedNode { start, multiplicity }| {
            // If the text has changed, `each` returns the error.
            let Some(end) = evaluation.end(start) else { return Ok(ControlFlow::Break(())) };
            let [start, end] = [start, end].map(|offset| document.base + offset as u64);
            on_span(Span { start, end, query }, multiplicity)
        })
    }

    /// Adds the number of matches of each query to its element of `counts`.
    pub(super) fn count(&self, document: Excerpt<'_>, counts: &mut [u64]) -> Result<(), Error> {
        let flow = self.each(document, |query, _, found| {
            if let Some(count) = counts.get_mut(query) {
                *count = count.saturating_add(found.multiplicity);
            }
            Ok(ControlFlow::Continue(()))
        });
        flow.map(|_| ())
    }

    /// Appends to `found` what the queries select in `values`, the values of one record. Returns false if it is too much, and the
    /// record must be read again on its own.
    pub(super) fn refine(mut self, values: &[Span], within: Excerpt<'_>, found: &mut Vec<Span>) -> Result<bool, Error> {
        // A node may be selected any number of times. More than one match per byte are too many.
        let max_matches = within.text.len();
        for &span in values {
            // mutant: let value = within.value(span);
            let Some(value) = self.value(span, within) else { continue };
            let flow = self.spans(value, |span, multiplicity| {
                let multiplicity = distance(0, multiplicity.min(max_matches as u64 + 1));
                found.room(multiplicity, OutOfMemory::Matches)?;
                found.extend(iter::repeat_n(span, multiplicity));
                Ok(if found.len() > max_matches { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            });
            if flow?.is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
