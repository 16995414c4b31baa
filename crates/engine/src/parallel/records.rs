//! Batches of short records: whole lines are checked as the elements of one array, and several batches on several
//! threads.
//!
//! Most of the cost of a short record is its start and end, so short records are not read one by one. If a batch is
//! invalid, the scan reads its records one by one and finds which one is invalid, where and why. Records that are not
//! on lines are converted (`batch.rs`).

#![forbid(unsafe_code)]

use std::mem;

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::RewrittenLines;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::parallel::LineConsumer;
use crate::parallel::MAX_OUTPUT_RATIO;
use crate::parallel::OutputOf;
use crate::parallel::batch::RecordBatch;
use crate::parallel::batch_work::BatchCutter;
use crate::parallel::batch_work::BatchReader;
use crate::parallel::batch_work::BatchWork;
use crate::parallel::batch_work::BatchWorker;
use crate::parallel::batch_work::BatchesRead;
use crate::parallel::batch_work::read_batches;
use crate::parallel::pool::Pool;
use crate::positions::Positions;
use crate::profile::Profile;
use crate::profile::accepts;
use crate::profile::has_rules_for_keys_only;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::LookAhead;
use crate::scan::Progress;
use crate::scan::padded;

/// Minimum number of windows for which threads are worthwhile. A batch is about as long as a window.
pub(super) const MIN_WINDOWS: usize = 16;

/// Number of valid batches after which one invalid batch does not suggest that more will follow.
const RARE_ERROR: u64 = 64;

/// Whether concatenated documents are on lines of their own. If so, their ends need not be searched for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum OnLines {
    #[default]
    Unknown,
    /// Those of the last batch are.
    SoFar,
    /// Some of them are not.
    No,
}

/// The look-ahead's state between batches.
#[derive(Default)]
pub(crate) struct RecordBatches {
    /// Offset up to which records are read one by one, because one of them is invalid.
    one_by_one_to: u64,
    /// Offset up to which batches are read by one thread. What threads read after an invalid batch is wasted.
    single_thread_to: u64,
    /// Number of batches to read by one thread after the next invalid one.
    backoff: u64,
    pool: Option<Pool>,
    /// Whether no threads can be started.
    could_not_start_threads: bool,
    /// Whether a batch has been searched for.
    has_looked: bool,
    on_lines: OnLines,
    /// Memory for reuse.
    spare: RewrittenLines,
}

impl RecordBatches {
    /// Reads as many whole records from `from` on as are in memory, valid and wanted.
    pub(crate) fn read<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        from: u64,
        reader: &mut R,
    ) -> Result<Option<Progress>, Error> {
        let mut passed = Progress { end: from, records: 0 };
        while passed.end >= self.one_by_one_to
            && !reader.is_over()
            && self.batch(options, input, reader, &mut passed)?
        {}
        Ok((passed.end > from).then_some(passed))
    }

    /// Reads the next batch, or several. Returns false if there is none or one is invalid.
    fn batch<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        reader: &mut R,
        passed: &mut Progress,
    ) -> Result<bool, Error> {
        let text = &input.bytes()[index_of(input, passed.end)..];
        // The first document may be the only one, so only a little of it is searched.
        if options.framing == Framing::Documents
            && !mem::replace(&mut self.has_looked, true)
            && input.at_end()
            && !RecordBatch::ends_nearby(text, options)
        {
            return Ok(false);
        }
        let mut framing = self.framing(options);
        let mut batch = RecordBatch::first(text, options, framing, mem::take(&mut self.spare));
        if batch.is_none() && framing != options.framing {
            framing = options.framing;
            batch = RecordBatch::first(text, options, framing, mem::take(&mut self.spare));
        }
        let Some(batch) = batch.map(|batch| batch.at(passed.end)) else { return Ok(false) };
        let is_guess = framing != options.framing;
        if self.on_lines != OnLines::No {
            self.on_lines = if batch.is_on_lines() { OnLines::SoFar } else { OnLines::No };
        }
        let pieces = text.len() / options.window.max(1);
        let may_divide = options.threads != 1 && input.at_end() && passed.end >= self.single_thread_to;
        if may_divide
            && pieces >= MIN_WINDOWS
            && let Some(worker) = reader.worker()
        {
            if self.pool.is_none() && !self.could_not_start_threads {
                self.pool = Pool::start(options, pieces);
                self.could_not_start_threads = self.pool.is_none();
            }
            if self.pool.is_some() {
                return self.batches(options, input, reader, worker, passed, batch);
            }
        }
        let end = batch.end();
        let records = reader.read(options, &batch, passed)?;
        self.spare = batch.into_memory();
        let Some(records) = records else {
            if is_guess {
                self.on_lines = OnLines::No;
            } else {
                self.one_by_one_to = end;
            }
            return Ok(is_guess);
        };
        *passed = Progress { end, records: passed.records + records };
        input.release(end);
        Ok(true)
    }

    /// Returns the framing of the next batch. Concatenated documents that are on lines are read as such.
    fn framing(&self, options: &Options) -> Framing {
        let is_concatenated = matches!(options.framing, Framing::Stream | Framing::Documents);
        if is_concatenated && self.on_lines == OnLines::SoFar { Framing::Lines } else { options.framing }
    }

    /// Reads batches with all threads, up to the first invalid one or the last one wanted. Returns false if there is one.
    fn batches<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        reader: &mut R,
        worker: R::BatchWorker,
        passed: &mut Progress,
        first: RecordBatch<'_>,
    ) -> Result<bool, Error> {
        let Some(pool) = &self.pool else { return Ok(false) };
        let framing = self.framing(options);
        let rest = &input.bytes()[index_of(input, passed.end) + first.source().len()..];
        let work = BatchWork::new(pool, first, BatchCutter::Records { rest, framing }, options, worker);
        let BatchesRead { valid, invalid_end } = read_batches(pool, work, input, reader, passed)?;
        let Some(end) = invalid_end else { return Ok(!reader.is_over()) };
        if framing != options.framing {
            self.on_lines = OnLines::No;
            return Ok(true);
        }
        self.one_by_one_to = end;
        self.backoff = if valid >= RARE_ERROR { 1 } else { 2 * self.backoff.max(1) };
        self.single_thread_to = end.saturating_add(self.backoff.saturating_mul(options.window as u64));
        Ok(false)
    }
}

/// A look-ahead that reads batches of records with several threads.
pub(super) struct RecordScan<'o, C: Divisible> {
    options: &'o Options,
    batches: RecordBatches,
    /// An earlier output of the caller's thread, for reuse.
    memory: OutputOf<C>,
}

impl<'o, C: Divisible> RecordScan<'o, C> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self { options, batches: RecordBatches::default(), memory: Default::default() }
    }
}

impl<C: Divisible> LookAhead<Profile<'_, C>> for RecordScan<'_, C> {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        let mut reader = OutputReader { options: self.options, profile, memory: &mut self.memory };
        self.batches.read(self.options, input, from, &mut reader)
    }
}

/// Lets a consumer take the output of other consumers for batches.
struct OutputReader<'r, 'c, C: Divisible> {
    options: &'r Options,
    profile: &'r mut Profile<'c, C>,
    /// An earlier output of the current thread, for reuse.
    memory: &'r mut OutputOf<C>,
}

impl<C: Divisible> BatchReader for OutputReader<'_, '_, C> {
    type BatchWorker = OutputWorker<C::Factory>;

    fn worker(&self) -> Option<Self::BatchWorker> {
        let consumer = &self.profile.consumer;
        consumer.can_join().then(|| OutputWorker(consumer.factory()))
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        if let Some(worker) = self.worker() {
            let Some((records, output)) = worker.read(options, batch, mem::take(self.memory)) else {
                return Ok(None);
            };
            let is_joined = self.profile.consumer.join(&output, 0)?;
            *self.memory = output;
            if is_joined {
                return Ok(Some(records));
            }
        }
        take_batch(self.profile, options, batch, passed.end)
    }

    fn join(&mut self, output: &mut OutputOf<C>, batch: &RecordBatch<'_>, passed: &Progress) -> Result<(), Error> {
        if !self.profile.consumer.join(output, 0)? {
            take_batch(self.profile, self.options, batch, passed.end)?;
        }
        Ok(())
    }
}

/// Has a consumer for each batch take it.
#[derive(Clone, Copy)]
struct OutputWorker<F>(F);

impl<F: ConsumerFactory> BatchWorker for OutputWorker<F> {
    type Output = F::Output;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: F::Output) -> Option<(u64, F::Output)> {
        let mut part = self.0.part(options, memory);
        let records = take_batch(&mut Profile::new(options, &mut part), options, batch, 0).ok()??;
        Some((records, F::into_output(part)?))
    }
}

/// Has a consumer take a batch as a document at `offset`. Returns the number of records. If one is invalid, returns `None`, and the
/// consumer has discarded the batch.
pub(super) fn take_batch<C: LineConsumer>(
    profile: &mut Profile<'_, C>,
    options: &Options,
    batch: &RecordBatch<'_>,
    offset: u64,
) -> Result<Option<u64>, Error> {
    profile.begin(offset, None)?;
    let Some(records) = check_lines(profile, options, batch) else {
        profile.discard();
        return Ok(None);
    };
    profile.consumer.end_lines();
    // Line breaks that were inserted are not in the input.
    profile.release(batch.lines()).map_err(|error| {
        let place = error.offset().saturating_sub(offset);
        let inserted = batch.shift().at(usize::try_from(place).unwrap_or(usize::MAX));
        error.moved_back(inserted as u64)
    })?;
    Ok(Some(records))
}

/// Checks a batch. Returns the number of its records, or `None` if one is invalid.
pub(crate) fn count_records(options: &Options, batch: &RecordBatch<'_>) -> Option<u64> {
    check_lines(&mut Profile::new(options, &mut Check), options, batch)
}

/// Checks a batch and has the consumer take it. Returns the number of its records, or `None` if one is invalid.
fn check_lines<C: Consumer>(profile: &mut Profile<'_, C>, options: &Options, batch: &RecordBatch<'_>) -> Option<u64> {
    // Nearly always a list shows that no key is there twice, in half the time that the rules take.
    if !C::OUTPUT && has_rules_for_keys_only(options) {
        let mut tokens = Positions::default();
        if let Ok(Some(records)) = tokens.list_lines(batch.lines(), options)
            && accepts(batch.lines(), &tokens, options)
        {
            return Some(records);
        }
    }
    let check = CheckLines { text: batch.lines(), max_depth: options.max_depth, consumer: &mut *profile };
    let records = options.isa.run(check)?;
    let is_valid = !profile.is_strict() || profile.check_rules(batch.lines(), End::Document) == Ok(true);
    is_valid.then_some(records)
}

/// The check of whole lines as the elements of one array.
struct CheckLines<'t, 'c, C> {
    text: &'t [u8],
    max_depth: Option<u64>,
    consumer: &'c mut C,
}

impl<C: Consumer> Pass for CheckLines<'_, '_, C> {
    /// The number of records, if all are valid; then the consumer has taken them.
    type Output = Option<u64>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
        let Self { text, max_depth, consumer } = self;
        // The array adds a level.
        // mutant: let mut checker = Checker::new(kernel, max_depth.map(|depth| depth), C::LAYOUT);
        let mut checker = Checker::new(kernel, max_depth.map(|depth| depth.saturating_add(1)), C::LAYOUT);
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut lines = checker.start_lines();
        let max_output = MAX_OUTPUT_RATIO * text.len();
        let (tiles, rest) = text.split_at(text.len() / Checker::<K>::TILE * Checker::<K>::TILE);
        // Without output, the masks are not needed.
        let has_output = consumer.has_output();
        let size = if has_output { Checker::<K>::TILE } else { Checker::<K>::RUN };
        let last = (!rest.is_empty()).then(|| (padded::<K>(&mut scratch, rest, 0), rest.len()));
        for (tile, length) in tiles.chunks(size).map(|tile| (tile, tile.len())).chain(last) {
            if !checker.check_lines(tile, C::LAYOUT, &mut lines) {
                return None;
            }
            if has_output {
                consumer.take(kernel, checker.tile(), tile, length);
                if consumer.held() > max_output {
                    return None;
                }
            }
        }
        checker.end_lines(&lines)
    }
}
