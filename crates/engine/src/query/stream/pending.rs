//! Matches that wait for their text to be validated, or for their order.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use crate::query::stream::Paths;
use crate::query::stream::match_paths::MatchPaths;
use std::mem;

/// A match that has not been flushed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) start: u64,
    /// [`OPEN`] until it is known.
    pub(super) end: u64,
    /// How many times it is selected. In RFC order, the number of its head; [`MatchPaths`] then has the count. With several
    /// paths, the bits of those that select it. If it is sorted, the start of its container.
    pub(super) times: u64,
}

pub(super) const OPEN: u64 = u64::MAX;

/// Passes on the spans to report: each match as many times as it is selected. In RFC order, the matches have been
/// [sorted](MatchPaths::sort), and the first `wanted` of them are passed on. So are those of several paths, in the order of the paths.
#[inline(always)]
pub(super) fn each_span<E>(
    pending: &[Pending],
    match_paths: Option<&MatchPaths>,
    paths: Paths,
    wanted: usize,
    mut on_span: impl FnMut(Span) -> Result<(), E>,
) -> Result<(), E> {
    let span = |pending: &Pending, query| Span { start: pending.start, end: pending.end, query };
    if let Some(match_paths) = match_paths.filter(|match_paths| match_paths.may_repeat()) {
        return match_paths.paths(pending.len()).take(wanted).try_for_each(|index| on_span(span(&pending[index], 0)));
    }
    let Paths { bits, are_one_query } = paths;
    if bits == 0 {
        return pending.iter().try_for_each(|pending| (0..pending.times).try_for_each(|_| on_span(span(pending, 0))));
    }
    let mut wanted = wanted;
    for path in 0..bits.trailing_ones() as usize {
        for pending in pending.iter().filter(|pending| pending.times >> path & 1 == 1) {
            if wanted == 0 {
                return Ok(());
            }
            wanted -= 1;
            on_span(span(pending, if are_one_query { 0 } else { path }))?;
        }
    }
    Ok(())
}

/// What the rest of a query selects in the matches of its first part, evaluated as soon as their text is validated. Later, when the
/// document has ended, it would have to be read again.
pub(super) struct Refined<'s> {
    rest: EvaluationRequest<'s>,
    pending: Vec<Pending>,
    /// The least start of the pending matches, or `u64::MAX`. One in an outer value may begin after one in a value inside it.
    first: u64,
    found: Vec<Span>,
}

impl<'s> Refined<'s> {
    pub(super) fn new(rest: EvaluationRequest<'s>) -> Self {
        Self { rest, pending: Vec::new(), first: u64::MAX, found: Vec::new() }
    }

    /// Returns the least start of the pending matches, or `u64::MAX`.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn clear(&mut self) {
        self.pending.clear();
        self.first = u64::MAX;
    }

    /// Moves the pending matches to the end of `list`, which is empty.
    pub(super) fn move_to(&mut self, list: &mut Vec<Pending>) {
        mem::swap(&mut self.pending, list);
        self.clear();
    }

    /// Adds what the rest selects in a match.
    pub(super) fn add(&mut self, value: Pending, within: Excerpt<'_>) -> Result<(), Error> {
        let Pending { start, end, times } = value;
        self.found.clear();
        // One match in a value cannot be too many.
        if !self.rest.refine(&[Span { start, end, query: 0 }], within, &mut self.found)? {
            return Err(OutOfMemory::Matches.into());
        }
        for &Span { start, end, .. } in &self.found {
            // mutant: if self.pending.is_empty() { self.first = start; }
            self.first = self.first.min(start);
            // mutant: self.pending.grow(Pending { start, end, times: 1 }, OutOfMemory::Matches)?;
            self.pending.grow(Pending { start, end, times }, OutOfMemory::Matches)?;
        }
        Ok(())
    }
}
