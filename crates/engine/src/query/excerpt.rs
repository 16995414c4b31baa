//! Validated text, and the values in it with their locations, as the parts of a search pass them on.

#![forbid(unsafe_code)]

use crate::framing::distance;
use crate::kernel::Isa;
use crate::query::evaluate;
use crate::query::evaluate::Locations;
use crate::query::evaluate::PathStep;

/// A value: its start and end in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    /// The number of the query that selects it.
    pub(super) query: usize,
}

/// Part of the input: a document, or some of one, or a value in one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excerpt<'t> {
    pub(super) text: &'t [u8],
    /// Its offset in the input.
    pub(super) base: u64,
    /// Number of the document, from 1, if it is a record. Invalid records are numbered, too.
    pub(super) record: Option<u64>,
    /// The locations of its matches, if they are known, and the number of the first match there.
    pub(super) locations: Option<(&'t Locations, usize)>,
}

impl<'t> Excerpt<'t> {
    /// Returns the text of a value.
    pub(super) fn of(&self, span: Span) -> &'t [u8] {
        &self.text[distance(self.base, span.start)..distance(self.base, span.end)]
    }

    /// Returns a value as an excerpt of its own.
    pub(super) fn value(&self, span: Span) -> Self {
        Self { text: self.of(span), base: span.start, record: self.record, locations: None }
    }
}

/// The location of a match.
#[derive(Clone, Copy)]
pub(super) struct Locator<'m> {
    /// The text of the document, or of several.
    pub(super) text: &'m [u8],
    pub(super) locations: &'m Locations,
    /// The number of the match there.
    pub(super) number: usize,
    pub(super) isa: Isa,
}

impl Locator<'_> {
    /// Returns the steps to the match.
    pub(super) fn steps(&self) -> Vec<PathStep> {
        evaluate::steps(self.text, self.locations, self.number, self.isa)
    }
}
