//! The two sinks of a search: one reports matches to the handler, the other counts them.
//!
//! Both receive matches and values from `stream/`, and evaluate the rest of a query on the values. As [`DocumentEvaluator`]s they
//! evaluate queries on whole documents.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::memory::Grow;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::document_evaluator::DocumentEvaluator;
use crate::query::document_evaluator::DocumentSink;
use crate::query::evaluate;
use crate::query::evaluate::Locations;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Locator;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use crate::query::stream::MatchSink;
use crate::query::workers::CountWorker;
use crate::query::workers::MatchList;
use crate::query::workers::MatchWorker;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Reports matches to a handler.
pub(super) struct MatchEvaluator<'f> {
    /// What to evaluate on documents and values.
    pub(super) request: EvaluationRequest<'f>,
    pub(super) handler: &'f mut dyn MatchHandler,
    pub(super) limit: u64,
    /// Whether to read the document to its end after the limit is reached.
    pub(super) reads_to_end: bool,
    /// Whether matches have paths.
    pub(super) has_paths: bool,
    /// Number of matches reported.
    pub(super) count: u64,
    /// Whether the handler has stopped the search.
    pub(super) is_stopped: bool,
}

impl MatchEvaluator<'_> {
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
}

impl MatchSink for MatchEvaluator<'_> {
    fn receive_matches(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        let Excerpt { text: all, base, record, locations } = within;
        let isa = self.has_paths.then_some(self.request.isa);
        let found;
        let locations = match (isa, locations) {
            (Some(isa), None) => {
                let mut starts = Vec::new();
                starts.room(matches.len(), OutOfMemory::Matches)?;
                starts.extend(matches.iter().map(|span| distance(base, span.start)));
                found = Locations::find(all, &starts, isa)?;
                Some((&found, 0))
            }
            _ => locations,
        };
        Ok(matches.iter().enumerate().try_for_each(|(number, &span)| {
            let mut steps = isa
                .zip(locations)
                .map(|(isa, (locations, first))| move || evaluate::steps(all, locations, first + number, isa));
            let locator = steps.as_mut().map(|steps| Locator { text: all, steps });
            let Span { start, query, .. } = span;
            self.forward(&mut Match { text: within.of(span), start, record, query, locator })
        }))
    }

    fn receive_values(&mut self, values: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in values {
            if self.limit_reached() {
                break;
            }
            let Some(value) = self.request.value(span, within) else { continue };
            _ = self.receive_document(value)?;
            if self.is_stopped {
                return Ok(ControlFlow::Break(()));
            }
        }
        // mutant: Ok(if self.limit_reached() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        Ok(if self.limit_reached() && !self.reads_to_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn has_enough(&self) -> bool {
        self.limit_reached()
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}

impl DocumentSink for MatchEvaluator<'_> {
    fn receive_document(&mut self, document: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        let (request, has_paths) = (self.request, self.has_paths);
        request.each(document, |query, evaluation, found| {
            let text = evaluation.end(found.start).and_then(|end| document.text.get(found.start..end));
            // If the text has changed, `each` returns the error.
            let Some(text) = text else { return ControlFlow::Break(()) };
            let (start, record) = (document.base + found.start as u64, document.record);
            let mut steps = || evaluation.steps();
            (0..found.multiplicity).try_for_each(|_| {
                let locator = if has_paths { Some(Locator { text: document.text, steps: &mut steps }) } else { None };
                self.forward(&mut Match { text, start, record, query, locator })
            })
        })
    }
}

impl<'f> DocumentEvaluator for MatchEvaluator<'f> {
    type RecordWorker = MatchWorker<'f>;

    fn worker(&self) -> MatchWorker<'f> {
        let Self { request, has_paths, .. } = *self;
        MatchWorker { request, limit: self.limit - self.count, has_paths }
    }

    fn join(&mut self, list: MatchList, batch: Excerpt<'_>) -> ControlFlow<Progress> {
        list.each(batch, self.has_paths, |matched| self.forward(matched))
    }
}

/// Counts the matches of each query.
pub(super) struct CountEvaluator<'c> {
    pub(super) request: EvaluationRequest<'c>,
    pub(super) counts: &'c mut [u64],
    pub(super) on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl MatchSink for CountEvaluator<'_> {
    fn receive_matches(&mut self, matches: &[Span], _: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for span in matches {
            if let Some(count) = self.counts.get_mut(span.query) {
                // mutant:
                *count = count.saturating_add(1);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn receive_values(&mut self, values: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in values {
            let Some(value) = self.request.value(span, within) else { continue };
            self.request.count(value, self.counts)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }
}

impl DocumentSink for CountEvaluator<'_> {
    fn receive_document(&mut self, document: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        self.request.count(document, self.counts).map(ControlFlow::Continue)
    }
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
