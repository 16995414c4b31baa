//! The report of matches: spans are kept until their text is validated, then passed to the sink with their text.
//!
//! Spans are listed by their start. The text from the first span that is not yet flushed stays in memory, or can be mapped
//! again, so nothing is copied here.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::framing::between;
use crate::input::Input;
use crate::memory::Grow;
use crate::query::Written;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::request::EvaluationRequest;
use crate::query::stream::Listing;
use crate::query::stream::Paths;
use crate::query::stream::SearchOptions;
use crate::query::stream::match_paths::MatchPaths;
use crate::query::stream::pending::OPEN;
use crate::query::stream::pending::Pending;
use crate::query::stream::pending::Refined;
use crate::query::stream::pending::each_span;
use std::ops::ControlFlow;
use std::ops::Range;

/// Receives matches and errors.
pub(in crate::query) trait MatchSink {
    /// Receives validated matches, in the order of the listing, and the text that contains them. May end the search.
    fn receive_matches(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error>;

    /// Receives validated values on which the rest of the query is still to be evaluated. May end the search.
    fn receive_values(&mut self, values: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        self.receive_matches(values, within)
    }

    /// Whether no more matches are wanted. The document may still be read to its end.
    fn has_enough(&self) -> bool {
        false
    }

    /// Receives what was written of the matches of a batch. May end the search. `None` if it receives the matches instead.
    fn receive_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        let _ = written;
        None
    }

    /// Receives the error of an invalid document. Decides whether to continue with the next one.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// Called before a read that may block: flushes output.
    fn wait(&mut self) {}
}

/// A sink that is never called, because all matches are [taken](MatchReport::drain_into) from the report.
pub(super) struct NoSink;

impl MatchSink for NoSink {
    fn receive_matches(&mut self, _: &[Span], _: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Who evaluates the rest of the query.
enum Rest<'s> {
    /// There is none.
    No,
    /// The sink: the matches are values for it.
    Sink,
    /// The report, before it flushes what the rest selects in the matches.
    Report(Refined<'s>),
}

/// The matches of a document that are not flushed yet, and the count of all matches.
pub(in crate::query) struct MatchReport<'s> {
    sink: &'s mut dyn MatchSink,
    listing: Listing,
    /// The count at which the executor stops.
    limit: u64,
    /// Maximum number of matches to report.
    max_reported: u64,
    /// Present if RFC order is wanted and differs from document order.
    match_paths: Option<MatchPaths>,
    /// The paths whose matches are wanted, if there are several.
    paths: Paths,
    /// Present if matches are found in another order than the wanted one; whether they are sorted by their containers first, which
    /// begin at `times`.
    sorts_by_container: Option<bool>,
    /// Whether matches wait for the end of their document, so that an invalid one has none.
    waits_for_end: bool,
    /// Whether the whole text of the document is needed.
    keeps_document: bool,
    start: u64,
    record: Option<u64>,
    count: u64,
    /// Number of matches in earlier documents.
    count_before: u64,
    pending: Vec<Pending>,
    /// Number of matches of the document that have been flushed, or refined.
    flushed: usize,
    rest: Rest<'s>,
    /// Matches whose end is not known yet.
    open: usize,
    batch: Vec<Span>,
    /// Whether the sink has ended the search.
    has_ended: bool,
    /// How many matches are passed to the sink at once: all of a document, if the sink needs their paths.
    batch_size: usize,
}

impl<'s> MatchReport<'s> {
    /// Creates a report to `sink`. `waits_for_end`: matches wait for the end of their document. `keeps_document`: so does all
    /// of its text.
    pub(super) fn new(
        sink: &'s mut dyn MatchSink,
        search: SearchOptions,
        waits_for_end: bool,
        keeps_document: bool,
    ) -> Self {
        let SearchOptions { listing, limit, paths: has_paths, .. } = search;
        let match_paths = if let Listing::RfcOrder { levels } = listing { Some(MatchPaths::new(levels)) } else { None };
        let paths = if let Listing::ByPath(paths) = listing { paths } else { Paths::default() };
        let sorts_by_container = if let Listing::Sorted { by_container } = listing { Some(by_container) } else { None };
        let keeps_document = keeps_document || sorts_by_container.is_some() || has_paths;
        // In all cases, which matches to report is known only at the end of the document.
        let is_late = match_paths.is_some() || paths.bits != 0 || keeps_document;
        Self {
            sink,
            listing,
            limit: if is_late { u64::MAX } else { limit },
            max_reported: limit,
            match_paths,
            paths,
            sorts_by_container,
            waits_for_end: waits_for_end || is_late,
            keeps_document,
            start: 0,
            record: None,
            count: 0,
            count_before: 0,
            pending: Vec::new(),
            flushed: 0,
            rest: Rest::No,
            open: 0,
            batch: Vec::new(),
            has_ended: false,
            batch_size: if has_paths { usize::MAX } else { BATCH },
        }
    }

    /// Notes that the matches are values on which the rest of the query is to be evaluated: before they are flushed, if they have to
    /// wait and it selects at most one node in each, otherwise by the sink.
    pub(super) fn set_rest(&mut self, rest: EvaluationRequest<'s>) {
        let is_refined = self.match_paths.is_some() && rest.selects_one();
        self.rest = if is_refined { Rest::Report(Refined::new(rest)) } else { Rest::Sink };
    }

    /// Begins a document at `start`. `record` is its number if it is a record.
    pub(super) fn start(&mut self, start: u64, record: Option<u64>) {
        self.start = start;
        self.record = record;
        self.count_before = self.count;
        self.forget();
    }

    /// Returns the number of the document, if it is a record.
    pub(super) fn record(&self) -> Option<u64> {
        self.record
    }

    /// Whether the document has matches.
    pub(super) fn has_found(&self) -> bool {
        self.count > self.count_before
    }

    /// Discards all matches of the document.
    pub(super) fn discard_document(&mut self) {
        self.count = self.count_before;
        self.forget();
    }

    /// Discards the matches that have not been flushed.
    fn forget(&mut self) {
        self.pending.clear();
        if let Rest::Report(refined) = &mut self.rest {
            refined.clear();
        }
        self.flushed = 0;
        self.open = 0;
        if let Some(match_paths) = &mut self.match_paths {
            match_paths.clear();
        }
    }

    /// Returns the number of matches in all documents so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Notes that the documents so far have ended.
    pub(super) fn close(&mut self) {
        self.count_before = self.count;
    }

    /// Returns the number of matches in documents that have ended.
    pub(super) fn count_before(&self) -> u64 {
        self.count_before
    }

    #[inline(always)]
    pub(super) fn lists(&self) -> bool {
        self.listing != Listing::None
    }

    /// Whether the limit is reached.
    #[inline(always)]
    pub(super) fn limit_reached(&self) -> bool {
        self.count >= self.limit
    }

    /// Whether the limit is reached and the ends of all matches are known.
    #[inline(always)]
    pub(super) fn is_complete(&self) -> bool {
        self.open == 0 && self.limit_reached()
    }

    /// Whether the end of a match is not known yet.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        self.open > 0
    }

    /// Returns how many more matches are wanted; `u64::MAX` if there is no limit.
    pub(super) fn remaining(&self) -> u64 {
        if self.max_reported == u64::MAX { u64::MAX } else { self.max_reported.saturating_sub(self.count) }
    }

    /// Whether the search is over: no more matches are wanted, or the sink ended it.
    pub(super) fn is_over(&self) -> bool {
        self.remaining() == 0 || self.has_ended || self.sink.has_enough()
    }

    /// Whether the sink has ended the search.
    #[inline(always)]
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Counts a match `times` times, up to the limit. Returns how many of these were counted. With several paths, counts a match of
    /// these paths.
    #[inline(always)]
    pub(super) fn add(&mut self, times: u64) -> u64 {
        if self.paths.bits != 0 {
            self.count += u64::from((times & self.paths.bits).count_ones());
            return times;
        }
        let times = times.min(self.limit - self.count);
        self.count += times;
        times
    }

    /// Returns the paths to the matches, in RFC order only.
    #[inline(always)]
    pub(super) fn match_paths(&mut self) -> Option<&mut MatchPaths> {
        self.match_paths.as_mut()
    }

    /// Lists a match that begins at `start`. Returns its number, for [`end`](Self::end).
    #[inline(always)]
    pub(super) fn begin(&mut self, start: u64, times: u64) -> Result<usize, OutOfMemory> {
        self.pending.grow(Pending { start, end: OPEN, times }, OutOfMemory::Matches)?;
        self.open += 1;
        Ok(self.flushed + self.pending.len() - 1)
    }

    /// Sets the end of a match.
    #[inline(always)]
    pub(super) fn end(&mut self, number: usize, end: u64) {
        if let Some(pending) = self.pending.get_mut(number - self.flushed) {
            pending.end = end;
            self.open -= 1;
        }
    }

    /// Returns the offset from which text must stay in memory, if any.
    pub(super) fn keep(&self) -> Option<u64> {
        let refined = if let Rest::Report(refined) = &self.rest { refined.first() } else { u64::MAX };
        let first = self.pending.first().map_or(u64::MAX, |pending| pending.start).min(refined);
        if self.keeps_document { Some(self.start) } else { (first != u64::MAX).then_some(first) }
    }

    /// Returns the matches that end at or before `valid_end`, without those inside other matches.
    pub(super) fn outermost(&self, valid_end: u64) -> impl Iterator<Item = Span> + Clone {
        let mut after = 0;
        self.pending.iter().take_while(move |pending| pending.end <= valid_end).filter_map(move |pending| {
            let is_outermost = pending.end > after;
            after = after.max(pending.end);
            is_outermost.then_some(Span { start: pending.start, end: pending.end, query: 0 })
        })
    }

    /// Whether matches are flushed before their document ends.
    pub(super) fn is_eager(&self) -> bool {
        !self.waits_for_end
    }

    /// Flushes the matches that end at or before `valid_end`, unless matches wait for the end of the document.
    pub(super) fn advance(&mut self, input: &Input<'_>, valid_end: u64) -> Result<(), Error> {
        if self.waits_for_end { self.refine(input, valid_end) } else { self.flush(input, valid_end) }
    }

    /// Refines the matches that end at or before `valid_end`.
    fn refine(&mut self, input: &Input<'_>, valid_end: u64) -> Result<(), Error> {
        let Rest::Report(refined) = &mut self.rest else { return Ok(()) };
        let within = Excerpt { text: input.bytes(), base: input.base(), record: self.record, locations: None };
        let done = self.pending.iter().take_while(|pending| pending.end <= valid_end).count();
        self.flushed += done;
        self.pending.drain(..done).try_for_each(|value| refined.add(value, within))
    }

    /// Flushes the remaining matches of a document that ends at `end`.
    pub(super) fn finish(&mut self, input: &Input<'_>, end: u64) -> Result<(), Error> {
        self.refine(input, end)?;
        if let Rest::Report(refined) = &mut self.rest {
            refined.move_to(&mut self.pending);
        }
        self.sort_and_trim()?;
        self.flush(input, end)
    }

    /// Sorts the matches of a document into RFC order if that is wanted, and removes those beyond the limit.
    #[inline(always)]
    fn sort_and_trim(&mut self) -> Result<(), OutOfMemory> {
        if self.match_paths.is_some() || self.sorts_by_container.is_some() {
            self.sort()?;
        }
        if self.count > self.max_reported {
            self.trim();
        }
        Ok(())
    }

    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "the number of a head")]
    fn sort(&mut self) -> Result<(), OutOfMemory> {
        if let Some(match_paths) = &mut self.match_paths {
            match_paths.sort(&mut self.pending, |pending| pending.times as u32)?;
        }
        if let Some(by_container) = self.sorts_by_container {
            let container = |pending: &Pending| if by_container { pending.times } else { 0 };
            self.pending.sort_unstable_by_key(|pending| (container(pending), pending.start));
        }
        for pending in &mut self.pending {
            pending.times = 1;
        }
        Ok(())
    }

    #[cold]
    fn trim(&mut self) {
        let mut excess = self.count - self.max_reported;
        self.count = self.max_reported;
        // Matches that are found in several ways are cut to the limit when they are flushed.
        let repeats = self.paths.bits != 0 || self.match_paths.as_ref().is_some_and(MatchPaths::may_repeat);
        while excess > 0
            && !repeats
            && let Some(last) = self.pending.last_mut()
        {
            let taken = last.times.min(excess);
            (last.times, excess) = (last.times - taken, excess - taken);
            self.pending.pop_if(|last| last.times == 0);
        }
    }

    /// Flushes the matches that end at or before `valid_end`. All text from [`keep`](Self::keep) to `valid_end` is in memory.
    pub(super) fn flush(&mut self, input: &Input<'_>, valid_end: u64) -> Result<(), Error> {
        // To find paths, the sink needs the document from its start.
        let (text, base) = match self.batch_size {
            BATCH => (input.bytes(), input.base()),
            _ => (between(input, self.start, valid_end), self.start),
        };
        let within = Excerpt { text, base, record: self.record, locations: None };
        let done = self.pending.iter().take_while(|pending| pending.end <= valid_end).count();
        if !self.has_ended {
            let wanted = self.wanted();
            let Self { sink, pending, match_paths, paths, rest, batch, has_ended, batch_size, .. } = self;
            let mut read_range = Range { start: u64::MAX, end: 0 };
            let mut pass = |batch: &mut Vec<Span>| {
                let taken = if matches!(rest, Rest::Sink) {
                    sink.receive_values(batch, within)
                } else {
                    sink.receive_matches(batch, within)
                };
                *has_ended = taken?.is_break();
                for span in batch.drain(..) {
                    read_range = read_range.start.min(span.start)..read_range.end.max(span.end);
                }
                // Reading the text again made its pages resident.
                if read_range.end - read_range.start > RELEASE_BYTES {
                    input.release_again(read_range.clone());
                    read_range = Range { start: u64::MAX, end: 0 };
                }
                if *has_ended { Err(None) } else { Ok(()) }
            };
            batch.clear();
            let passed = each_span(&pending[..done], match_paths.as_ref(), *paths, wanted, |span| {
                batch.grow(span, OutOfMemory::Matches).map_err(|error| Some(error.into()))?;
                if batch.len() == *batch_size { pass(batch) } else { Ok(()) }
            });
            let rest = passed.and_then(|()| if batch.is_empty() { Ok(()) } else { pass(batch) });
            if let Err(Some(error)) = rest {
                return Err(error);
            }
        }
        self.pending.drain(..done);
        self.flushed += done;
        Ok(())
    }

    /// Moves all matches of a document that has ended to `found`.
    #[inline(always)]
    pub(super) fn drain_into(&mut self, found: &mut Vec<Span>) -> Result<(), OutOfMemory> {
        self.sort_and_trim()?;
        each_span(&self.pending, self.match_paths.as_ref(), self.paths, self.wanted(), |span| {
            found.grow(span, OutOfMemory::Matches)
        })?;
        self.flushed += self.pending.len();
        self.pending.clear();
        Ok(())
    }

    /// Passes matches that were found in a batch of records to the sink, and counts them, up to the limit.
    pub(super) fn relay(&mut self, found: &[Span], within: Excerpt<'_>) -> Result<(), Error> {
        let wanted = usize::try_from(self.remaining()).unwrap_or(usize::MAX);
        let found = &found[..found.len().min(wanted)];
        self.count += found.len() as u64;
        if !found.is_empty() && !self.has_ended {
            self.has_ended = self.sink.receive_matches(found, within)?.is_break();
        }
        Ok(())
    }

    /// Passes what was written of some matches to the sink, and counts these. There is no limit. Returns false if the sink receives them
    /// instead.
    pub(super) fn relay_written(&mut self, count: u64, written: &mut Written) -> bool {
        if !self.has_ended {
            let Some(flow) = self.sink.receive_written(written) else { return false };
            self.has_ended = flow.is_break();
        }
        self.count += count;
        true
    }

    /// Returns how many matches of the document are wanted, when it has ended.
    fn wanted(&self) -> usize {
        usize::try_from(self.count - self.count_before).unwrap_or(usize::MAX)
    }

    /// Flushes the matches that end before an error and discards the others, or discards all of them if matches wait.
    pub(super) fn flush_before(&mut self, input: &Input<'_>, fault: Fault) -> Result<(), Error> {
        if self.waits_for_end || !self.lists() {
            self.discard_document();
        } else {
            self.pending.retain(|pending| {
                // Directly before the error, a number or literal may be incomplete.
                let shows_end = |end| matches!(between(input, end - 1, end), b"\"" | b"]" | b"}");
                // mutant: pending.end < fault.offset || pending.end == fault.offset
                pending.end < fault.offset || pending.end == fault.offset && shows_end(pending.end)
            });
            self.flush(input, fault.offset)?;
        }
        self.forget();
        Ok(())
    }

    /// Reports an invalid document. The sink decides whether to continue with the next one.
    pub(super) fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.sink.on_error(error)
    }

    /// Tells the sink that the next read may block.
    pub(super) fn wait(&mut self) {
        self.sink.wait();
    }
}

/// How many matches are passed to the sink at once.
const BATCH: usize = 1024;

/// When the reported matches span more bytes than this, their pages are released together.
const RELEASE_BYTES: u64 = 8 << 20;
