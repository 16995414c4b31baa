//! The two sinks of a search: one reports matches to the handler, the other counts them.
//!
//! Both receive matches, and values on which queries, or the rest of one, are still to be evaluated.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::memory::Grow;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Written;
use crate::query::evaluate::Locations;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Locator;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use crate::query::stream::MatchSink;
use std::ops::ControlFlow;

/// Number of matches in a value that are located in one pass over its text, or one for each [`BYTES`] if these are more. So the passes
/// take time in proportion to the matches, and the matches memory in proportion to the text.
const LOCATED: usize = 1024;
const BYTES: usize = 256;

/// Reports matches to a handler.
pub(super) struct MatchEvaluator<'f> {
    /// What to evaluate on values.
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

    /// Reports what is selected in a value.
    fn evaluate(&mut self, value: Excerpt<'_>) -> Result<(), Error> {
        let (request, mut waiting) = (self.request, Vec::new());
        let most = if self.has_paths { LOCATED.max(value.text.len() / BYTES) as u64 } else { 1 };
        let evaluated = request.spans(value, |span, multiplicity| {
            for _ in 0..multiplicity {
                waiting.grow(span, OutOfMemory::Matches)?;
                if waiting.len() as u64 >= most.min(self.limit - self.count) {
                    let flow = self.receive_matches(&waiting, value)?;
                    waiting.clear();
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        });
        if !waiting.is_empty() {
            _ = self.receive_matches(&waiting, value)?;
        }
        evaluated.map(|_| ())
    }
}

impl MatchSink for MatchEvaluator<'_> {
    fn receive_matches(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        let Excerpt { text, base, record, locations } = within;
        let isa = self.request.isa;
        let mut found = Locations::default();
        let locations = match locations {
            None if self.has_paths => {
                found.find(text, matches.iter().map(|span| distance(base, span.start)), isa)?;
                Some((&found, 0))
            }
            locations => locations,
        };
        Ok(matches.iter().enumerate().try_for_each(|(number, &span)| {
            let locator = locations.map(|(locations, first)| Locator { text, locations, number: first + number, isa });
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
            self.evaluate(value)?;
            if self.is_stopped {
                return Ok(ControlFlow::Break(()));
            }
        }
        // mutant: Ok(if self.limit_reached() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        Ok(if self.limit_reached() && !self.reads_to_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn receive_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        let flow = self.handler.on_written(written)?;
        self.is_stopped = flow.is_break();
        Some(flow)
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
