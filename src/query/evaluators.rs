//! The two consumers of documents: one evaluates queries and reports the matches to the handler, the other counts the matches.
//!
//! Both implement [`DocumentEvaluator`], for whole documents, and [`MatchSink`], for values that `stream/` selects and on which the
//! rest of a query is evaluated.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::document_evaluator::CheckedDocument;
use crate::query::document_evaluator::DocumentEvaluator;
use crate::query::document_evaluator::DocumentSink;
use crate::query::request::EvaluationRequest;
use crate::query::request::Locate;
use crate::query::stream::Excerpt;
use crate::query::stream::MatchSink;
use crate::query::stream::Span;
use crate::query::workers::CountWorker;
use crate::query::workers::MatchList;
use crate::query::workers::MatchWorker;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Reports matches to a handler.
pub(super) struct MatchEvaluator<'f> {
    pub(super) request: EvaluationRequest<'f>,
    order: Order,
    limit: u64,
    handler: &'f mut dyn MatchHandler,
    count: u64,
    /// Whether the handler has stopped the search.
    is_stopped: bool,
    /// Whether to read the document to its end after the limit is reached.
    pub(super) reads_to_end: bool,
    /// Whether matches have paths.
    pub(super) has_paths: bool,
}

impl<'f> MatchEvaluator<'f> {
    pub(super) fn new(
        request: EvaluationRequest<'f>,
        order: Order,
        limit: u64,
        handler: &'f mut dyn MatchHandler,
    ) -> Self {
        Self { request, order, limit, handler, count: 0, is_stopped: false, reads_to_end: false, has_paths: false }
    }

    /// Returns whether the limit is reached.
    fn limit_reached(&self) -> bool {
        self.count == self.limit
    }

    /// Reports a match to the handler. Returns `Break` if no more matches are wanted.
    fn forward(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.is_stopped = self.handler.on_match(matched).is_break();
        self.count += 1;
        if self.is_stopped || self.limit_reached() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Evaluates the queries on a document or value and reports the matches.
    fn evaluate(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        let (request, has_paths) = (self.request, self.has_paths);
        request.each(document, self.order, |query, evaluation, found| {
            let text = evaluation.end(found.start).and_then(|end| document.text.get(found.start..end));
            // If the text has changed, `each` returns the error.
            let Some(text) = text else { return ControlFlow::Break(()) };
            let (start, record) = (document.offset + found.start as u64, document.record);
            (0..found.multiplicity).try_for_each(|_| {
                let locator: Option<&mut dyn Locate> = if has_paths { Some(evaluation) } else { None };
                self.forward(&mut Match { text, start, record, query, locator })
            })
        })
    }
}

impl DocumentSink for MatchEvaluator<'_> {
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        self.evaluate(document)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}

impl<'f> DocumentEvaluator for MatchEvaluator<'f> {
    type RecordWorker = MatchWorker<'f>;

    fn worker(&self) -> MatchWorker<'f> {
        let Self { request, order, has_paths, .. } = *self;
        MatchWorker { request, order, limit: self.limit - self.count, has_paths }
    }

    fn join(&mut self, list: MatchList, batch: Excerpt<'_>) -> ControlFlow<Progress> {
        list.each(batch, self.has_paths.then_some(self.request.isa), |matched| self.forward(matched))
    }
}

impl MatchSink for MatchEvaluator<'_> {
    fn receive(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            if self.limit_reached() {
                break;
            }
            let Some(value) = self.request.value(span, within) else { continue };
            _ = self.evaluate(value)?;
            if self.is_stopped {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(if self.limit_reached() && !self.reads_to_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn has_enough(&self) -> bool {
        self.limit_reached()
    }

    fn receive_refined(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(matches.iter().try_for_each(|&span| {
            let (text, record) = (within.of(span), within.record);
            self.forward(&mut Match { text, start: span.start, record, query: 0, locator: None })
        }))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}

/// Counts the matches of each query.
pub(super) struct CountEvaluator<'c> {
    pub(super) request: EvaluationRequest<'c>,
    pub(super) counts: &'c mut [u64],
    pub(super) on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl DocumentSink for CountEvaluator<'_> {
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        self.request.count(document, self.counts).map(ControlFlow::Continue)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}

impl<'c> DocumentEvaluator for CountEvaluator<'c> {
    type RecordWorker = CountWorker<'c>;

    fn worker(&self) -> CountWorker<'c> {
        CountWorker { request: self.request }
    }

    fn join(&mut self, counts: Vec<u64>, _: Excerpt<'_>) -> ControlFlow<Progress> {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum = sum.saturating_add(count);
        }
        ControlFlow::Continue(())
    }
}

impl MatchSink for CountEvaluator<'_> {
    fn receive(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            let Some(value) = self.request.value(span, within) else { continue };
            self.request.count(value, self.counts)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn receive_refined(&mut self, matches: &[Span], _: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        self.counts[0] = self.counts[0].saturating_add(matches.len() as u64);
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
