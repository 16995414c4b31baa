//! What is asked of documents that are in memory, or of values in them.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::kernel::Isa;
use crate::query::Condition;
use crate::query::Order;
use crate::query::Query;
use crate::query::documents::CheckedDocument;
use crate::query::evaluate::Evaluation;
use crate::query::evaluate::EvaluationState;
use crate::query::evaluate::Found;
use crate::query::evaluate::holds;
use crate::query::split::Rest;
use crate::query::stream::Excerpt;
use crate::query::stream::Span;
use std::ops::ControlFlow;
use std::slice;

/// Knows where the last match is.
pub(super) trait Place {
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

/// What is asked of each document, or of each value that the first part of a query finds.
#[derive(Clone, Copy)]
pub(super) struct EvaluationRequest<'q> {
    pub(super) queries: &'q [Query],
    condition: Option<&'q Condition>,
    pub(super) isa: Isa,
    /// Whether queries [go on](Rest::goes_on) in values.
    goes_on: bool,
    /// The end of the last value that was asked.
    asked: u64,
}

impl<'q> EvaluationRequest<'q> {
    /// Of documents.
    pub(super) fn new(queries: &'q [Query], condition: Option<&'q Condition>, isa: Isa) -> Self {
        Self { queries, condition, isa, goes_on: false, asked: 0 }
    }

    /// Of values.
    pub(super) fn of_rest(rest: &'q Rest, isa: Isa) -> Self {
        let Rest { condition, query, goes_on } = rest;
        Self { goes_on: *goes_on, ..Self::new(slice::from_ref(query), condition.as_ref(), isa) }
    }

    /// A value as a document, unless it lies in one in which its query has gone on.
    pub(super) fn value<'t>(&mut self, span: Span, within: Excerpt<'t>) -> Option<CheckedDocument<'t>> {
        if self.goes_on && span.start < self.asked {
            return None;
        }
        self.asked = span.end;
        Some(CheckedDocument { text: within.of(span), offset: span.start, record: within.record })
    }

    /// Whether a document is asked at all.
    fn are_asked(&self, document: CheckedDocument<'_>) -> Result<bool, Error> {
        let condition = self.condition.map(|condition| &condition.syntax);
        let state = EvaluationState::default();
        let holds = holds(condition, document.text, self.isa, &state);
        unless_changed(&state, document)?;
        holds.map_err(|place| too_large(document, place))
    }

    /// Asks a document, until it is `found` that there is enough: of a number of the query, who answers it, and the answer. An error
    /// if the document has changed since it was checked.
    pub(super) fn each(
        &self,
        document: CheckedDocument<'_>,
        order: Order,
        mut found: impl FnMut(usize, &mut Evaluation<'q, '_>, Found) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        if !self.are_asked(document)? {
            return Ok(ControlFlow::Continue(()));
        }
        let state = EvaluationState::default();
        for (number, Query { syntax, .. }) in self.queries.iter().enumerate() {
            let mut evaluation = if self.goes_on {
                Evaluation::inside(syntax, document.text, self.isa, &state)
            } else {
                Evaluation::new(syntax, document.text, self.isa, &state, order == Order::Document)
            };
            loop {
                let next = evaluation.next();
                unless_changed(&state, document)?;
                // A pattern that was looked up in the document was too much.
                evaluation.too_large().map_or(Ok(()), |place| Err(too_large(document, place)))?;
                let Some(next) = next else { break };
                let flow = found(number, &mut evaluation, next);
                unless_changed(&state, document)?;
                if flow.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Adds the matches of each query in a document to its number.
    pub(super) fn count(&self, document: CheckedDocument<'_>, counts: &mut [u64]) -> Result<(), Error> {
        let flow = self.each(document, Order::Document, |query, _, found| {
            if let Some(count) = counts.get_mut(query) {
                *count = count.saturating_add(found.times);
            }
            ControlFlow::Continue(())
        });
        flow.map(|_| ())
    }
}

/// An error if the document has changed since it was checked.
fn unless_changed(state: &EvaluationState, document: CheckedDocument<'_>) -> Result<(), Error> {
    state.check(document.offset)
}

fn too_large(document: CheckedDocument<'_>, place: usize) -> Error {
    Error::pattern_too_large(document.offset + place as u64)
}
