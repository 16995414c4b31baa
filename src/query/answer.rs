//! What is heard of the general evaluator, about documents that are in memory or values in them, and passed on.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::documents::CheckedDocument;
use crate::query::documents::DocumentReader;
use crate::query::documents::DocumentSink;
use crate::query::list::List;
use crate::query::list::Lister;
use crate::query::list::Tally;
use crate::query::request::EvaluationRequest;
use crate::query::request::Place;
use crate::query::stream::Excerpt;
use crate::query::stream::MatchSink;
use crate::query::stream::Span;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Passes on what evaluations answer, of whole documents or of values in them.
pub(super) struct Finder<'f> {
    pub(super) request: EvaluationRequest<'f>,
    order: Order,
    limit: u64,
    handler: &'f mut dyn MatchHandler,
    count: u64,
    /// Whether the handler has ended the search.
    ended: bool,
    /// Whether the text is read on when there are as many matches as are wanted.
    pub(super) reads_on: bool,
    /// Whether matches know their paths.
    pub(super) knows_paths: bool,
}

impl<'f> Finder<'f> {
    pub(super) fn new(
        request: EvaluationRequest<'f>,
        order: Order,
        limit: u64,
        handler: &'f mut dyn MatchHandler,
    ) -> Self {
        Self { request, order, limit, handler, count: 0, ended: false, reads_on: false, knows_paths: false }
    }

    fn is_full(&self) -> bool {
        self.count == self.limit
    }

    /// Passes on a match.
    fn pass(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.ended = self.handler.on_match(matched).is_break();
        self.count += 1;
        if self.ended || self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn evaluate(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        let (request, knows_paths) = (self.request, self.knows_paths);
        request.each(document, self.order, |query, evaluation, found| {
            let text = evaluation.end(found.start).and_then(|end| document.text.get(found.start..end));
            let Some(text) = text else { return ControlFlow::Break(()) };
            let (start, record) = (document.offset + found.start as u64, document.record);
            (0..found.times).try_for_each(|_| {
                let place: Option<&mut dyn Place> = if knows_paths { Some(evaluation) } else { None };
                self.pass(&mut Match { text, start, record, query, place })
            })
        })
    }
}

impl DocumentSink for Finder<'_> {
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

impl<'f> DocumentReader for Finder<'f> {
    type RecordWorker = Lister<'f>;

    fn worker(&self) -> Lister<'f> {
        let Self { request, order, knows_paths, .. } = *self;
        Lister { request, order, limit: self.limit - self.count, knows_paths }
    }

    fn join(&mut self, list: List, batch: Excerpt<'_>) -> ControlFlow<Progress> {
        list.each(batch, self.knows_paths.then_some(self.request.isa), |matched| self.pass(matched))
    }
}

impl MatchSink for Finder<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            if self.is_full() {
                break;
            }
            let Some(value) = self.request.value(span, within) else { continue };
            _ = self.evaluate(value)?;
            if self.ended {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(if self.is_full() && !self.reads_on { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn has_enough(&self) -> bool {
        self.is_full()
    }

    fn join(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(matches.iter().try_for_each(|&span| {
            let (text, record) = (within.of(span), within.record);
            self.pass(&mut Match { text, start: span.start, record, query: 0, place: None })
        }))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}

/// Counts what evaluations answer.
pub(super) struct Counter<'c> {
    pub(super) request: EvaluationRequest<'c>,
    pub(super) counts: &'c mut [u64],
    pub(super) on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl DocumentSink for Counter<'_> {
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        self.request.count(document, self.counts).map(ControlFlow::Continue)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}

impl<'c> DocumentReader for Counter<'c> {
    type RecordWorker = Tally<'c>;

    fn worker(&self) -> Tally<'c> {
        Tally { request: self.request }
    }

    fn join(&mut self, counts: Vec<u64>, _: Excerpt<'_>) -> ControlFlow<Progress> {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum = sum.saturating_add(count);
        }
        ControlFlow::Continue(())
    }
}

impl MatchSink for Counter<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            let Some(value) = self.request.value(span, within) else { continue };
            self.request.count(value, self.counts)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn join(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        _ = DocumentReader::join(self, vec![matches.len() as u64], within);
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
