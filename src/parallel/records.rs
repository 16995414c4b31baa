//! Many short records at once: whole lines as the elements of one array, and several stretches of them on several cores.
//!
//! A record costs little but its start and end, so short ones are not taken one by one. A stretch of lines is good or it is
//! not; if it is not, the walk takes its records one by one and finds out which is bad, where and why. Records that do not stand on
//! lines are brought there (`batch.rs`).

#![forbid(unsafe_code)]

use std::io;
use std::mem;

use rayon::ThreadPool;

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::OnLines;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::Divisible;
use crate::parallel::batch::RecordBatch;
use crate::parallel::driver::start;
use crate::parallel::work_queue::InOrder;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::run_in_order;
use crate::scan::Consumer;
use crate::scan::Progress;
use crate::scan::padded;
use crate::sink::Stage;

/// Windows that are worth starting threads. A stretch is as long as one.
const LEAST: usize = 16;

/// Bytes in which the first document must end that may be alone, if it is to be taken with others.
const NEARBY: usize = 1 << 13;

/// Stretches for each thread that may be given out and not joined.
const AHEAD: usize = 8;

/// Output that a stretch may have, in its own length; what has more is deep, and the walk's.
const MOST: usize = 16;

/// Stretches without a fault behind which the next fault is no sign of many.
const RARE: u64 = 64;

/// Reads records, a stretch of them at a time; what other threads have read it takes in order.
pub(crate) trait BatchReader {
    /// Reads a stretch on any thread.
    type BatchWorker: BatchWorker;

    fn worker(&self) -> Self::BatchWorker;

    /// Reads the next stretch here. How many records it has; nothing if it is not good, and then nothing has come of it.
    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error>;

    /// Takes what a hand has made of the next stretch, and leaves memory that may be used again. The stretch is as it stands in the
    /// input.
    fn join(
        &mut self,
        output: <Self::BatchWorker as BatchWorker>::Output,
        batch: &[u8],
        passed: &Progress,
        spare: &mut Vec<Vec<u8>>,
    ) -> Result<(), Error>;

    /// Whether no more is wanted.
    fn is_over(&self) -> bool;
}

/// What another thread needs to read a stretch.
pub(crate) trait BatchWorker: Copy + Send + Sync {
    type Output: Send;

    /// Reads a stretch, perhaps into `memory`. Its records and what was made of them; nothing if it is not good.
    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: Vec<u8>) -> Option<(u64, Self::Output)>;
}

/// What is remembered between stretches.
#[derive(Default)]
pub(crate) struct RecordBatches {
    /// Up to here records are taken one by one, since one of them is bad.
    due: u64,
    /// Up to here stretches are taken one by one: what threads have read behind a bad one is lost.
    together_from: u64,
    /// For how many stretches that is so the next time.
    patience: u64,
    pool: Option<ThreadPool>,
    /// There are no threads to be had.
    alone: bool,
    /// Whether somebody has looked for a stretch.
    has_looked: bool,
    /// Memory of a stretch that has been read.
    spare: OnLines,
}

impl RecordBatches {
    /// Passes over as many whole records from `from` on as are in memory, good and wanted.
    pub(crate) fn pass<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        from: u64,
        reader: &mut R,
    ) -> Result<Option<Progress>, Error> {
        let mut passed = Progress { end: from, records: 0 };
        while passed.end >= self.due && !reader.is_over() && self.batch(options, input, reader, &mut passed)? {}
        Ok((passed.end > from).then_some(passed))
    }

    /// Passes over the next stretch, or several of them. False if there is none, or it is not good.
    fn batch<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        reader: &mut R,
        passed: &mut Progress,
    ) -> Result<bool, Error> {
        let text = &input.bytes()[index_of(input, passed.end)..];
        // The first document may be all there is: not much of it is looked at in vain.
        if options.framing == Framing::Documents && !mem::replace(&mut self.has_looked, true) && input.at_end() {
            let near = &text[..text.len().min(NEARBY)];
            if RecordBatch::first(near, options, mem::take(&mut self.spare)).is_none() {
                return Ok(false);
            }
        }
        let Some(batch) = RecordBatch::first(text, options, mem::take(&mut self.spare)) else { return Ok(false) };
        let pieces = text.len() / options.window.max(1);
        if options.threads != 1 && pieces >= LEAST && input.at_end() && passed.end >= self.together_from {
            if self.pool.is_none() && !self.alone {
                self.pool = start(options, pieces);
                self.alone = self.pool.is_none();
            }
            if self.pool.is_some() {
                return self.batches(options, input, reader, passed, batch);
            }
        }
        let end = passed.end + batch.source().len() as u64;
        let records = reader.read(options, &batch, passed)?;
        self.spare = batch.into_memory();
        let Some(records) = records else {
            self.due = end;
            return Ok(false);
        };
        *passed = Progress { end, records: passed.records + records };
        input.release(end);
        Ok(true)
    }

    /// Passes over stretches on all threads, up to the first one that is not good or the last one that is wanted.
    fn batches<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        reader: &mut R,
        passed: &mut Progress,
        first: RecordBatch<'_>,
    ) -> Result<bool, Error> {
        let Some(pool) = &self.pool else { return Ok(false) };
        let work = Batches {
            rest: &input.bytes()[index_of(input, passed.end) + first.source().len()..],
            next: Some(first),
            options,
            worker: reader.worker(),
            ahead: AHEAD * (pool.current_num_threads() + 1),
            read: InOrder::new(),
            spare: Vec::new(),
            spare_lines: Vec::new(),
        };
        let mut good = 0;
        let due = &mut self.due;
        let done = run_in_order(pool, work, |(batch, read), spare| {
            let end = passed.end + batch.len() as u64;
            let Some((records, output)) = read else {
                *due = end;
                return Ok(false);
            };
            reader.join(output, batch, passed, spare)?;
            good += 1;
            *passed = Progress { end, records: passed.records + records };
            input.release(end);
            Ok(!reader.is_over())
        })?;
        if !done {
            self.patience = if good >= RARE { 1 } else { 2 * self.patience.max(1) };
            self.together_from = self.due.saturating_add(self.patience.saturating_mul(options.window as u64));
        }
        Ok(done)
    }
}

/// What a hand says of a stretch.
type ReadBatch<H> = Option<(u64, <H as BatchWorker>::Output)>;

/// Stretches, on the desk.
struct Batches<'t, H: BatchWorker> {
    /// What is given out next. Nothing if no stretch follows.
    next: Option<RecordBatch<'t>>,
    /// What follows it.
    rest: &'t [u8],
    options: &'t Options,
    worker: H,
    /// Stretches that may be given out and not joined.
    ahead: usize,
    read: InOrder<(&'t [u8], ReadBatch<H>)>,
    /// Memory of stretches that have been written.
    spare: Vec<Vec<u8>>,
    /// Memory of stretches that have been read.
    spare_lines: Vec<OnLines>,
}

impl<'t, H: BatchWorker> OrderedWork for Batches<'t, H> {
    type Job = (usize, RecordBatch<'t>, &'t Options, H, Vec<u8>);
    type Done = (usize, RecordBatch<'t>, ReadBatch<H>);
    type Piece = (&'t [u8], ReadBatch<H>);

    fn next(&mut self) -> Option<Self::Job> {
        if self.read.len() == self.ahead {
            return None;
        }
        let next = self.next.take()?;
        self.next = RecordBatch::first(self.rest, self.options, self.spare_lines.pop().unwrap_or_default());
        if let Some(next) = &self.next {
            self.rest = &self.rest[next.source().len()..];
        }
        Some((self.read.issue(), next, self.options, self.worker, self.spare.pop().unwrap_or_default()))
    }

    fn is_handed_out(&self) -> bool {
        self.next.is_none()
    }

    fn run((number, batch, options, worker, memory): Self::Job) -> Self::Done {
        let read = worker.read(options, &batch, memory);
        (number, batch, read)
    }

    fn complete(&mut self, (number, batch, read): Self::Done) {
        self.read.put(number, (batch.source(), read));
        self.spare_lines.push(batch.into_memory());
    }

    fn piece(&mut self) -> Option<Self::Piece> {
        self.read.take().map(|(_, piece)| piece)
    }

    fn is_finished(&self) -> bool {
        self.is_handed_out() && self.read.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<Vec<u8>> {
        &mut self.spare
    }
}

/// Has a consumer take what is made of lines.
pub(super) struct OutputReader<'c, C> {
    pub(super) consumer: &'c mut C,
    /// Memory for what is made here.
    pub(super) memory: &'c mut Vec<u8>,
}

impl<C: Divisible> BatchReader for OutputReader<'_, C> {
    type BatchWorker = OutputWorker<C::ChunkFactory>;

    fn worker(&self) -> Self::BatchWorker {
        OutputWorker(self.consumer.factory())
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, _: &Progress) -> Result<Option<u64>, Error> {
        let Some((records, output)) = self.worker().read(options, batch, mem::take(self.memory)) else {
            return Ok(None);
        };
        self.consumer.join(&output.memory[..output.filled], 0)?;
        *self.memory = output.memory;
        Ok(Some(records))
    }

    fn join(&mut self, output: Output, _: &[u8], _: &Progress, spare: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        self.consumer.join(&output.memory[..output.filled], 0)?;
        spare.push(output.memory);
        Ok(())
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// Makes consumers that take one stretch each.
#[derive(Clone, Copy)]
pub(super) struct OutputWorker<M>(M);

impl<M: ChunkFactory> BatchWorker for OutputWorker<M> {
    type Output = Output;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: Vec<u8>) -> Option<(u64, Output)> {
        let mut nowhere = io::sink();
        let mut part = self.0.part(Stage::on(&mut nowhere, memory));
        let check = Check { text: batch.lines(), max_depth: options.max_depth, consumer: &mut part };
        let records = options.isa.run(check)?;
        M::end_lines(&mut part);
        let (memory, filled) = M::into_memory(part)?;
        Some((records, Output { memory, filled }))
    }
}

/// The output of a stretch, at the front of the memory.
pub(super) struct Output {
    memory: Vec<u8>,
    filled: usize,
}

/// Whole lines, to be checked as the elements of one array.
struct Check<'t, 'c, C> {
    text: &'t [u8],
    max_depth: Option<u64>,
    consumer: &'c mut C,
}

impl<C: Consumer> Pass for Check<'_, '_, C> {
    /// How many records there are, if all are good; then the consumer has taken them.
    type Output = Option<u64>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
        let Self { text, max_depth, consumer } = self;
        // The array is a level of its own.
        let mut checker = Checker::new(kernel, max_depth.map(|depth| depth.saturating_add(1)), C::LAYOUT);
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut lines = checker.start_lines();
        let most = MOST * text.len();
        for piece in text.chunks(Checker::<K>::TILE) {
            let whole = piece.len() == Checker::<K>::TILE;
            let tile = if whole { piece } else { padded::<K>(&mut scratch, piece, 0) };
            if !checker.check_lines(tile, C::LAYOUT, &mut lines) {
                return None;
            }
            if C::OUTPUT {
                consumer.take(kernel, checker.masks(), tile, piece.len());
                if consumer.held() > most {
                    return None;
                }
            }
        }
        checker.end_lines(&lines)
    }
}
