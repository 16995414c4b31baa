//! The two sinks for matches that `stream/` finds without further evaluation: one passes them to the handler, the other counts them.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::kernel::Isa;
use crate::memory::Grow;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::evaluate;
use crate::query::evaluate::Locations;
use crate::query::request::Locate;
use crate::query::request::PathLocator;
use crate::query::stream::Excerpt;
use crate::query::stream::MatchSink;
use crate::query::stream::Span;
use std::ops::ControlFlow;

/// Passes the matches of `stream/` to the handler.
pub(super) struct HandlerSink<'l> {
    pub(super) handler: &'l mut dyn MatchHandler,
    /// Present if the handler may ask for paths.
    pub(super) isa: Option<Isa>,
}

impl MatchSink for HandlerSink<'_> {
    fn receive(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        let Excerpt { text: all, base, record, locations } = within;
        let found;
        let locations = match (self.isa, locations) {
            (Some(isa), None) => {
                let mut starts = Vec::new();
                starts.room(matches.len(), OutOfMemory::Matches)?;
                starts.extend(matches.iter().map(|span| distance(base, span.start)));
                found = Locations::find(all, &starts, isa)?;
                Some((&found, 0))
            }
            _ => locations,
        };
        for (number, &span) in matches.iter().enumerate() {
            let mut locator = self.isa.zip(locations).map(|(isa, (locations, first))| {
                let steps = move || evaluate::steps(all, locations, first + number, isa);
                PathLocator { text: all, steps, isa }
            });
            let locator = locator.as_mut().map(|locator| locator as &mut dyn Locate);
            let Span { start, query, .. } = span;
            let mut matched = Match { text: within.of(span), start, record, query, locator };
            if self.handler.on_match(&mut matched).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.handler.on_error(error)
    }

    fn wait(&mut self) {
        self.handler.on_wait();
    }
}

/// Counts the listed matches of each query.
pub(super) struct CountSink<'c> {
    pub(super) counts: &'c mut [u64],
    pub(super) on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl MatchSink for CountSink<'_> {
    fn receive(&mut self, matches: &[Span], _: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for span in matches {
            if let Some(count) = self.counts.get_mut(span.query) {
                *count = count.saturating_add(1);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
