//! The matches in a batch of records, and what is made of them on the thread that has found them.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::kernel::Isa;
use crate::memory::Grow;
use crate::parallel::RecordBatch;
use crate::parallel::Shift;
use crate::query::Match;
use crate::query::MatchWriter;
use crate::query::Written;
use crate::query::evaluate::Locations;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Locator;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use std::iter;

/// Matches in a batch, with their offsets in it.
#[derive(Default)]
pub(super) struct Matches {
    /// How many there are, if they are only counted or listed.
    pub(super) count: u64,
    pub(super) spans: Vec<Span>,
    pub(super) by_record: Vec<RecordMatches>,
}

impl Matches {
    pub(super) fn cleared(mut self) -> Self {
        self.count = 0;
        self.spans.clear();
        self.by_record.clear();
        self
    }

    /// Applies the rest of the query to the values that were found. `memory` is that of earlier matches.
    pub(super) fn refined(&self, rest: EvaluationRequest<'_>, text: &[u8], memory: Self) -> Option<Self> {
        let mut refined = memory.cleared();
        let mut values = &self.spans[..];
        for &RecordMatches { record, matches } in &self.by_record {
            let (of_record, others) = values.split_at(matches);
            values = others;
            let before = refined.spans.len();
            let within = Excerpt { text, base: 0, record: Some(record), locations: None };
            rest.refine(of_record, within, &mut refined.spans).ok().filter(|is_complete| *is_complete)?;
            refined.assign(before, record)?;
        }
        refined.count = refined.spans.len() as u64;
        Some(refined)
    }

    /// Has the matches written. Returns whether that was possible.
    pub(super) fn write(
        &self,
        writer: &dyn MatchWriter,
        batch: &RecordBatch<'_>,
        locations: Option<&Locations>,
        isa: Isa,
        written: &mut Written,
    ) -> bool {
        let (text, base) = (batch.source(), batch.offset());
        let records = self.by_record.iter().flat_map(|by| iter::repeat_n(by.record, by.matches));
        let mut matches = self.spans.iter().zip(records).enumerate().map(|(number, (span, record))| Match {
            text: &text[index(span.start)..index(span.end)],
            start: base + span.start,
            record: batch.record(0, record),
            query: span.query,
            locator: locations.map(|locations| Locator { text, locations, number, isa }),
        });
        written.range = base..batch.end();
        written.text.clear();
        let number = writer.write(&mut matches, written.range.clone(), &mut written.text);
        written.number = number.unwrap_or_default();
        number.is_some()
    }

    /// Assigns the matches after the first `before` to `record`. Returns `None` if there is no memory for it.
    #[inline(always)]
    pub(super) fn assign(&mut self, before: usize, record: u64) -> Option<()> {
        let matches = self.spans.len() - before;
        if matches > 0 {
            self.by_record.grow(RecordMatches { record, matches }, OutOfMemory::Matches).ok()?;
        }
        Some(())
    }

    /// Converts offsets in the lines to offsets in the source.
    pub(super) fn shift(&mut self, mut shift: Shift<'_>) {
        let mut rest = &mut self.spans[..];
        for record_matches in &self.by_record {
            let (spans, others) = rest.split_at_mut(record_matches.matches);
            let by = spans.first().map_or(0, |first| shift.at(index(first.start)) as u64);
            for span in spans {
                (span.start, span.end) = (span.start - by, span.end - by);
            }
            rest = others;
        }
    }
}

/// The number of matches of a record.
pub(super) struct RecordMatches {
    /// Number of the record in the batch, from 1.
    pub(super) record: u64,
    pub(super) matches: usize,
}

/// Returns an offset in a batch as an index.
#[expect(clippy::cast_possible_truncation, reason = "an index in the batch")]
pub(super) fn index(offset: u64) -> usize {
    offset as usize
}
