//! [`EvaluationRequest`]: the queries to evaluate on each document or value, and the condition for this.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::kernel::Isa;
use crate::query::Condition;
use crate::query::Order;
use crate::query::Query;
use crate::query::document_evaluator::CheckedDocument;
use crate::query::evaluate;
use crate::query::evaluate::Evaluation;
use crate::query::evaluate::EvaluationState;
use crate::query::evaluate::PathStep;
use crate::query::evaluate::SelectedNode;
use crate::query::evaluate::holds;
use crate::query::split::Rest;
use crate::query::stream::Excerpt;
use crate::query::stream::Span;
use crate::query::syntax::Segment;
use std::ops::ControlFlow;
use std::slice;

/// Writes the location of the last match.
pub(super) trait Locate {
    /// Returns the normalized path.
    fn path(&mut self) -> String;

    /// Returns the JSON Pointer; `None` if a key has a lone surrogate.
    fn pointer(&mut self) -> Option<String>;
}

impl Locate for Evaluation<'_, '_> {
    fn path(&mut self) -> String {
        self.path()
    }

    fn pointer(&mut self) -> Option<String> {
        self.pointer()
    }
}

/// Writes the location of a match in `text`, which has the steps that `steps` returns.
pub(super) struct PathLocator<'t, F> {
    pub(super) text: &'t [u8],
    pub(super) steps: F,
    pub(super) isa: Isa,
}

impl<S: AsRef<[PathStep]>, F: Fn() -> S> Locate for PathLocator<'_, F> {
    fn path(&mut self) -> String {
        evaluate::path(self.text, (self.steps)().as_ref(), self.isa)
    }

    fn pointer(&mut self) -> Option<String> {
        evaluate::pointer(self.text, (self.steps)().as_ref(), self.isa)
    }
}

/// What to evaluate on each document, or on each value that the prefix of a query selects.
#[derive(Clone, Copy)]
pub(super) struct EvaluationRequest<'q> {
    pub(super) queries: &'q [Query],
    condition: Option<&'q Condition>,
    pub(super) isa: Isa,
    /// As [`Rest::continues_inside`].
    continues_inside: bool,
    /// Offset of the end of the last value that was evaluated.
    last_end: u64,
}

impl<'q> EvaluationRequest<'q> {
    /// Returns a request for documents.
    pub(super) fn new(queries: &'q [Query], condition: Option<&'q Condition>, isa: Isa) -> Self {
        Self { queries, condition, isa, continues_inside: false, last_end: 0 }
    }

    /// Returns a request for values that the prefix of a query selects.
    pub(super) fn for_rest(rest: &'q Rest, isa: Isa) -> Self {
        let Rest { condition, query, continues_inside } = rest;
        Self { continues_inside: *continues_inside, ..Self::new(slice::from_ref(query), condition.as_ref(), isa) }
    }

    /// Whether the queries are a single one that selects at most one node, and there is no condition.
    pub(super) fn selects_one(&self) -> bool {
        let is_single = matches!(self.queries, [query] if query.syntax.segments.iter().all(Segment::is_singular));
        is_single && self.condition.is_none() && !self.continues_inside
    }

    /// Returns the value to evaluate; `None` if the evaluation of an earlier value covers it, or if it has no children to select.
    pub(super) fn value<'t>(&mut self, span: Span, within: Excerpt<'t>) -> Option<CheckedDocument<'t>> {
        if span.end - span.start <= 2 && self.queries.iter().all(|query| !query.syntax.segments.is_empty()) {
            return None;
        }
        if self.continues_inside && span.start < self.last_end {
            return None;
        }
        self.last_end = span.end;
        Some(CheckedDocument { text: within.of(span), offset: span.start, record: within.record })
    }

    /// Returns whether the document meets the condition, if there is one.
    fn admits(&self, document: CheckedDocument<'_>) -> Result<bool, Error> {
        let condition = self.condition.map(|condition| &condition.syntax);
        let state = EvaluationState::default();
        let holds = holds(condition, document.text, self.isa, &state);
        check_unchanged(&state, document)?;
        holds.map_err(|offset| too_large(document, offset))
    }

    /// Evaluates each query on a document. Calls `on_node` for each node, with the index of the query and its evaluation, until it
    /// returns `Break`. Returns an error if the document changed after it was checked.
    pub(super) fn each(
        &self,
        document: CheckedDocument<'_>,
        order: Order,
        mut on_node: impl FnMut(usize, &mut Evaluation<'q, '_>, SelectedNode) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        if !self.admits(document)? {
            return Ok(ControlFlow::Continue(()));
        }
        let state = EvaluationState::default();
        for (number, Query { syntax, .. }) in self.queries.iter().enumerate() {
            let mut evaluation = if self.continues_inside {
                Evaluation::continue_inside(syntax, document.text, self.isa, &state)
            } else {
                Evaluation::new(syntax, document.text, self.isa, &state, order == Order::Document)
            };
            loop {
                let next = evaluation.next();
                check_unchanged(&state, document)?;
                // A pattern from the document is too large.
                evaluation.too_large().map_or(Ok(()), |offset| Err(too_large(document, offset)))?;
                let Some(next) = next else { break };
                let flow = on_node(number, &mut evaluation, next);
                check_unchanged(&state, document)?;
                if flow.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Adds the number of matches of each query to its element of `counts`.
    pub(super) fn count(&self, document: CheckedDocument<'_>, counts: &mut [u64]) -> Result<(), Error> {
        let flow = self.each(document, Order::Document, |query, _, found| {
            if let Some(count) = counts.get_mut(query) {
                *count = count.saturating_add(found.multiplicity);
            }
            ControlFlow::Continue(())
        });
        flow.map(|_| ())
    }
}

/// Returns an error if the document changed after it was checked.
fn check_unchanged(state: &EvaluationState, document: CheckedDocument<'_>) -> Result<(), Error> {
    state.check(document.offset)
}

fn too_large(document: CheckedDocument<'_>, offset: usize) -> Error {
    Error::pattern_too_large(document.offset + offset as u64)
}
