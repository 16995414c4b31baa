//! Evaluates a plan on a batch of records in one pass. Several batches are evaluated in parallel.
//!
//! Giving each short record its own tiles would cost more than evaluating the record. Here each record is a line, tiles cross
//! lines, and the executor restarts after each line break. If the condition requires a string, only records that may contain it
//! are evaluated (`record_prefilter.rs`). If it compares one value, a first pass finds that value in all records, and a second one
//! evaluates the records for which the condition holds. Several singular queries are evaluated on a list of tokens (`singular.rs`).
//! Matches are held until the whole batch is known to be valid. If it is not, its records are read again one by one.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::RECORD_SEPARATOR;
use crate::parallel::BatchReader;
use crate::parallel::BatchWorker;
use crate::parallel::ReadAhead;
use crate::parallel::RecordBatch;
use crate::parallel::RecordBatches;
use crate::parallel::count_records;
use crate::query::Written;
use crate::query::evaluate::Locations;
use crate::query::evaluate::holds;
use crate::query::excerpt::Excerpt;
use crate::query::stream::Executor;
use crate::query::stream::Listing;
use crate::query::stream::SearchOptions;
use crate::query::stream::SearchRequest;
use crate::query::stream::batch::CheckedBatch;
use crate::query::stream::batch::UncheckedBatch;
use crate::query::stream::candidates::Candidates;
use crate::query::stream::candidates::Prefiltered;
use crate::query::stream::candidates::records_with;
use crate::query::stream::plan::ComparedValue;
use crate::query::stream::record_matches::Matches;
use crate::query::stream::record_matches::RecordMatches;
use crate::query::stream::record_matches::index;
use crate::query::stream::report::MatchReport;
use crate::query::stream::report::NoSink;
use crate::query::stream::singular::TokenList;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use crate::scan::Progress;
use crate::scan::Values;
use memchr::memchr;
use std::mem;
use std::ops::ControlFlow;

/// Evaluates a request on records, in batches.
#[derive(Default)]
pub(in crate::query) struct RecordSearch {
    batches: RecordBatches,
    /// An earlier result of the current thread, for reuse.
    memory: BatchResult,
}

impl RecordSearch {
    /// Reads records that are in memory, from the offset `from` on, after `before` documents. Returns how far it read, or `None` if the
    /// next document must be read on its own. `Break` has the end of what was read, and the number of the document with the last match
    /// that is wanted.
    pub(in crate::query) fn read(
        &mut self,
        request: SearchRequest<'_>,
        input: &Input<'_>,
        from: u64,
        before: u64,
        report: &mut MatchReport<'_>,
    ) -> Result<ReadAhead, Error> {
        let mut reader = SearchReader::new(request, report, before, &mut self.memory);
        let passed = self.batches.read(request.options, input, from, &mut reader)?;
        let end = passed.map_or(from, |passed| passed.end);
        let last = reader.last.map(|records| Progress { end, records });
        Ok(last.map_or(ControlFlow::Continue(passed), ControlFlow::Break))
    }
}

/// Reads batches and reports their matches.
pub(super) struct SearchReader<'r, 's, 'a> {
    request: SearchRequest<'a>,
    report: &'r mut MatchReport<'s>,
    /// Number of documents before the first batch.
    before: u64,
    /// Number of the record with the last match that is wanted, once it was reported.
    last: Option<u64>,
    memory: &'r mut BatchResult,
}

impl<'r, 's, 'a> SearchReader<'r, 's, 'a> {
    /// Creates a reader that reports after `before` documents.
    pub(super) fn new(
        request: SearchRequest<'a>,
        report: &'r mut MatchReport<'s>,
        before: u64,
        memory: &'r mut BatchResult,
    ) -> Self {
        Self { request, report, before, last: None, memory }
    }

    /// Returns the request with what is left of the limit.
    fn request(&self) -> SearchRequest<'a> {
        SearchRequest {
            search: SearchOptions { limit: self.report.remaining(), ..self.request.search },
            ..self.request
        }
    }
}

impl<'a> BatchReader for SearchReader<'_, '_, 'a> {
    type BatchWorker = SearchRequest<'a>;

    fn worker(&self) -> Option<SearchRequest<'a>> {
        Some(self.request())
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let memory = mem::take(self.memory);
        let Some((records, mut result)) = self.request().read(options, batch, memory) else { return Ok(None) };
        self.join(&mut result, batch, passed)?;
        *self.memory = result;
        Ok(Some(records))
    }

    fn join(&mut self, result: &mut BatchResult, batch: &RecordBatch<'_>, passed: &Progress) -> Result<(), Error> {
        let BatchResult { found, locations, written, is_written, .. } = result;
        if *is_written && self.report.relay_written(found.count, written) {
            if self.report.is_over() {
                let last = found.by_record.last().map_or(0, |last| last.record);
                self.last = Some(self.before + passed.records + last);
            }
            return Ok(());
        }
        for span in &mut found.spans {
            (span.start, span.end) = (span.start + passed.end, span.end + passed.end);
        }
        let (mut rest, all) = (&found.spans[..], found.spans.len());
        for &RecordMatches { record, matches } in &found.by_record {
            let locations = locations.as_ref().map(|locations| (locations, all - rest.len()));
            let (spans, others) = rest.split_at(matches);
            let record = batch.record(self.before + passed.records, record);
            self.report.relay(spans, Excerpt { text: batch.source(), base: passed.end, record, locations })?;
            rest = others;
            if self.report.is_over() {
                self.last = record;
                break;
            }
        }
        self.report.add(found.count.saturating_sub(found.spans.len() as u64));
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.report.is_over()
    }
}

impl BatchWorker for SearchRequest<'_> {
    type Output = BatchResult;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: BatchResult) -> Option<(u64, BatchResult)> {
        let text = batch.lines();
        // Masks check the grammar, not the rules of a profile.
        // mutant: if false {
        if options.is_strict() && count_records(options, batch).is_none() {
            return None;
        }
        // Unchecked, a number without whitespace after it would hide the separator that follows it.
        // mutant: if self.search.trust && options.framing == Framing::Sequence && false {
        if self.search.trust && options.framing == Framing::Sequence && memchr(RECORD_SEPARATOR, text).is_some() {
            return None;
        }
        let BatchResult { found, locations, mut tokens, mut lists, mut written, .. } = memory;
        let found = found.cleared();
        let (records, mut found) = match &self.plan.singular {
            Some(queries) if self.plan.condition.is_none() && !self.search.trust => {
                queries.find(text, options, &mut tokens, found)?
            }
            _ => options.isa.run(SearchBatch { text, request: self, memory: found, lists: &mut lists })?,
        };
        if let Some(rest) = self.rest {
            let refined = found.refined(rest, text, mem::take(&mut lists.matches))?;
            lists.matches = mem::replace(&mut found, refined);
        }
        // mutant:
        found.shift(batch.shift());
        let mut locations = self.search.paths.then(|| locations.unwrap_or_default());
        if let Some(locations) = &mut locations {
            let starts = found.spans.iter().map(|span| index(span.start));
            locations.find(batch.source(), starts, options.isa).ok()?;
        }
        let is_written =
            self.writer.is_some_and(|writer| found.write(writer, batch, locations.as_ref(), options.isa, &mut written));
        Some((records, BatchResult { found, locations, tokens, lists, written, is_written }))
    }
}

/// The matches of a valid batch, and memory for the next one.
#[derive(Default)]
pub(in crate::query) struct BatchResult {
    found: Matches,
    /// The locations of the matches, if their paths are wanted.
    locations: Option<Locations>,
    /// A list of tokens.
    tokens: TokenList,
    lists: Lists,
    /// The matches as they were written.
    written: Written,
    is_written: bool,
}

/// Lists that are used only while a batch is read.
#[derive(Default)]
struct Lists {
    /// What the second step of a search begins with: values that a condition compares, or in which the rest of the query is evaluated.
    matches: Matches,
    /// The numbers of the records for which a condition holds, and where their lines begin.
    admitted: Vec<(u64, u64)>,
}

/// The pass that evaluates a plan on a batch.
struct SearchBatch<'s> {
    text: &'s [u8],
    request: SearchRequest<'s>,
    memory: Matches,
    lists: &'s mut Lists,
}

impl Pass for SearchBatch<'_> {
    /// The number of records and their matches. `None` if the records must be read one by one.
    type Output = Option<(u64, Matches)>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { text, request, memory: found, lists } = self;
        let SearchRequest { options, search, .. } = request;
        let mut sink = NoSink;
        let report = MatchReport::new(&mut sink, search, true, request.plan.condition.is_some());
        let mut checked = if search.trust { None } else { Some(CheckedBatch::new(kernel, text, options)) };
        let mut unchecked;
        let mut candidates = None;
        let source: &mut dyn TileSource<K> = match (&request.plan.required, &request.plan.compared, &mut checked) {
            (Some(required), _, checked) => {
                let prefiltered = Prefiltered::new(kernel, text, required, checked.as_mut());
                candidates = Some(Candidates::Prefiltered(Box::new(prefiltered)));
                unchecked = UncheckedBatch::new(kernel, text);
                &mut unchecked
            }
            (None, Some(compared), checked) => {
                let source: &mut dyn TileSource<K> = match checked {
                    Some(checked) => checked,
                    None => &mut UncheckedBatch::new(kernel, text),
                };
                candidates = Some(admitted(kernel, source, compared, request, text, lists)?);
                unchecked = UncheckedBatch::new(kernel, text);
                &mut unchecked
            }
            (None, None, Some(checked)) => checked,
            (None, None, None) => {
                unchecked = UncheckedBatch::new(kernel, text);
                &mut unchecked
            }
        };
        let tiles = Tiles::new(kernel, source, report);
        let is_rfc_order = matches!(search.listing, Listing::RfcOrder { .. });
        let executor = Executor::new(request.plan, is_rfc_order);
        // A search that only counts, at any depth, need not know where records begin.
        let is_continuous = !search.trust
            && request.plan.condition.is_none()
            && search.listing == Listing::None
            && search.limit == u64::MAX
            && matches!(&executor, Executor::Descent(descent) if descent.searches_anywhere());
        let is_admitted =
            request.plan.is_fully_prefiltered() || matches!(candidates, Some(Candidates::Admitted { .. }));
        let records = Records { tiles, executor, is_continuous, candidates, is_admitted, request, text, found };
        let (mut records, found) = kernel.run(records)?;
        if let Some(checked) = &mut checked {
            let checked = checked.records()?;
            if is_continuous {
                records = checked;
            } else if checked != records {
                return None;
            }
        }
        // mutant: if false {
        if search.trust {
            let texts = found.spans.iter().map(|span| (span.start, &text[index(span.start)..index(span.end)]));
            Values::new(kernel).check(texts, |_| None).ok()?;
        }
        Some((records, found))
    }
}

/// The pass that evaluates the records of a batch: all of them, or the candidates.
struct Records<'r, 's, 'p, 't, K: Kernel> {
    tiles: Tiles<'s, K, dyn TileSource<K> + 's>,
    executor: Executor<'r>,
    /// Whether the batch is searched as if it were one document.
    is_continuous: bool,
    candidates: Option<Candidates<'r, 'p, 't, K>>,
    /// Whether the condition, if any, holds for all records that are evaluated.
    is_admitted: bool,
    request: SearchRequest<'r>,
    text: &'r [u8],
    found: Matches,
}

impl<K: Kernel> Records<'_, '_, '_, '_, K> {
    /// Evaluates the plan on the record whose value begins at `root`. Returns an offset in the record after everything that was
    /// read.
    #[inline(always)]
    fn evaluate(&mut self, root: u64) -> Result<u64, Stop> {
        let (Outcome::RootEnded(offset) | Outcome::Exhausted(offset)) =
            self.executor.run(&mut self.tiles, root, self.is_continuous)?;
        Ok(offset)
    }

    /// Keeps the matches of a record that was evaluated up to `after`, or discards them if the condition does not hold.
    /// Returns `None` if the record must be read on its own.
    #[inline(always)]
    fn accept(&mut self, root: u64, after: u64) -> Option<()> {
        if !self.tiles.report.has_found() {
            return Some(());
        }
        // mutant: if false {
        if !self.is_admitted && !self.admits(root, after)? {
            self.tiles.report.discard_document();
            return Some(());
        }
        let before = self.found.spans.len();
        self.tiles.report.drain_into(&mut self.found.spans).ok()?;
        self.found.assign(before, self.tiles.report.record().unwrap_or_default())
    }

    /// Whether the condition holds for the whole record.
    #[inline(never)]
    fn admits(&self, root: u64, after: u64) -> Option<bool> {
        let end = index(after) + memchr(b'\n', &self.text[index(after)..])?;
        let Some(condition) = self.request.plan.condition else { return Some(true) };
        holds(condition, &self.text[index(root)..end], root, self.request.options.isa).ok()
    }

    /// Evaluates the records. Returns how many the batch has. `None` if one is incomplete or must be read on its own.
    #[inline(always)]
    fn all(&mut self) -> Option<u64> {
        let (mut records, mut offset) = (0, 0);
        let mut is_inside = false;
        let stop = loop {
            let root = if let Some(candidates) = &mut self.candidates {
                let Some((number, root)) = candidates.next(&mut self.tiles).ok()? else {
                    return candidates.records();
                };
                records = number;
                root
            } else {
                match self.tiles.skip_whitespace(offset) {
                    Ok(root) => {
                        records += 1;
                        root
                    }
                    Err(stop) => break stop,
                }
            };
            is_inside = true;
            self.tiles.report.start(root, Some(records));
            let after = match self.evaluate(root) {
                Ok(after) => after,
                Err(stop) => break stop,
            };
            if self.candidates.is_none() {
                offset = match self.tiles.line_break(after) {
                    Ok(end) => end,
                    Err(stop) => break stop,
                };
            }
            is_inside = false;
            self.accept(root, after)?;
        };
        if self.candidates.is_some() {
            return None;
        }
        if stop == Stop::Enough {
            return self.count_rest(records);
        }
        // The checker knows the number of records of a batch that is searched as one document.
        (!is_inside || self.is_continuous && matches!(stop, Stop::End | Stop::EndAnywhere)).then_some(records)
    }

    /// Keeps the last matches that are wanted. In checked text, counts the records after the last of `records`, in which they are;
    /// unchecked text is not read further.
    #[inline(always)]
    fn count_rest(&mut self, mut records: u64) -> Option<u64> {
        let before = self.found.spans.len();
        self.tiles.report.drain_into(&mut self.found.spans).ok()?;
        self.found.assign(before, records)?;
        if self.request.search.trust {
            return Some(records);
        }
        let mut offset = self.tiles.stopped_at();
        while let Ok(end) = self.tiles.line_break(offset) {
            offset = match self.tiles.skip_whitespace(end + 1) {
                Ok(offset) => offset,
                Err(_) => return Some(records),
            };
            records += 1;
        }
        None
    }
}

impl<K: Kernel> Pass for Records<'_, '_, '_, '_, K> {
    /// As for [`SearchBatch`].
    type Output = Option<(u64, Matches)>;

    #[inline(always)]
    fn run<L: Kernel>(mut self, _: L) -> Self::Output {
        self.tiles.begin(0, None);
        let records = self.all()?;
        Some((records, Matches { count: self.tiles.report.count(), ..self.found }))
    }
}

/// Finds the value that a condition compares in all records of a batch, and returns the records for which the condition holds. `None`
/// if the records must be read one by one.
#[inline(always)]
fn admitted<'c, K: Kernel>(
    kernel: K,
    source: &mut dyn TileSource<K>,
    compared: &ComparedValue,
    request: SearchRequest<'_>,
    text: &[u8],
    lists: &'c mut Lists,
) -> Option<Candidates<'c, 'c, 'c, K>> {
    let search = SearchOptions { listing: Listing::AsFound, limit: u64::MAX, paths: false, ..request.search };
    let mut sink = NoSink;
    let report = MatchReport::new(&mut sink, search, true, false);
    let source: &mut dyn TileSource<K> = &mut *source;
    let tiles = Tiles::new(kernel, source, report);
    let executor = Executor::Path(&compared.steps);
    let (found, candidates) = (mem::take(&mut lists.matches).cleared(), None);
    let records =
        Records { tiles, executor, is_continuous: false, candidates, is_admitted: true, request, text, found };
    let (count, found) = kernel.run(records)?;
    let values = found.by_record.iter().map(|record| record.record).zip(found.spans.iter().copied());
    records_with(compared, text, values, request.options.isa, &mut lists.admitted)?;
    lists.matches = found;
    Some(Candidates::Admitted { list: lists.admitted.iter(), count })
}
