//! Batches of records, or of the elements of an array, as work for several threads.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::RewrittenLines;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::batch::RecordBatch;
use crate::parallel::elements::Pieces;
use crate::parallel::pool::Pool;
use crate::parallel::work_queue::InOrder;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::run_in_order;
use crate::scan::Progress;

/// A reader of record batches. It also receives, in order, what other threads have read.
pub(crate) trait BatchReader {
    /// Reads a batch on any thread.
    type BatchWorker: BatchWorker;

    /// Returns what other threads need, or `None` if they cannot read batches.
    fn worker(&self) -> Option<Self::BatchWorker>;

    /// Reads the next batch on the current thread. Returns the number of its records, or `None` if it is invalid; then
    /// it has had no effect.
    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error>;

    /// Takes a worker's output for the next batch. What it leaves there is reused.
    fn join(
        &mut self,
        output: &mut <Self::BatchWorker as BatchWorker>::Output,
        batch: &RecordBatch<'_>,
        passed: &Progress,
    ) -> Result<(), Error>;

    /// Whether no more records are wanted.
    fn is_over(&self) -> bool {
        false
    }
}

/// What another thread needs to read a batch.
pub(crate) trait BatchWorker: Copy + Send + Sync {
    /// What is read of a batch. Its memory is reused for other batches.
    type Output: Default + Send;

    /// Reads a batch. `memory` is an earlier output. Returns the number of records and the output, or `None` if the batch
    /// is invalid.
    fn read(self, options: &Options, batch: &RecordBatch<'_>, memory: Self::Output) -> Option<(u64, Self::Output)>;
}

/// Cuts a text into batches.
pub(super) enum BatchCutter<'t> {
    /// The records of the rest of a text.
    Records { rest: &'t [u8], framing: Framing },
    /// Elements of an array.
    Elements(Pieces<'t>),
}

impl<'t> BatchCutter<'t> {
    /// Returns how many batches may be issued and not joined for each thread. Batches of elements have copies of their text.
    fn unjoined_per_thread(&self) -> usize {
        match self {
            Self::Records { .. } => 8,
            Self::Elements(_) => 4,
        }
    }

    /// Returns the next batch, which begins at this offset.
    fn next(&mut self, offset: u64, options: &Options, lines: RewrittenLines) -> Option<RecordBatch<'t>> {
        match self {
            Self::Records { rest, framing } => {
                let batch = RecordBatch::first(rest, options, *framing, lines)?.at(offset);
                *rest = &rest[batch.source().len()..];
                Some(batch)
            }
            Self::Elements(pieces) => Some(RecordBatch::elements_in(pieces.next()?, offset, lines)),
        }
    }
}

/// A worker's result for a batch.
type ReadBatch<W> = Option<(u64, <W as BatchWorker>::Output)>;

/// Batches as work for the queue.
pub(super) struct BatchWork<'t, W: BatchWorker> {
    /// The next batch to issue; `None` at the end.
    next: Option<RecordBatch<'t>>,
    /// Cuts the batches after it.
    cutter: BatchCutter<'t>,
    options: &'t Options,
    worker: W,
    /// Limit of the batches that are issued and not joined.
    max_unjoined: usize,
    read: InOrder<(RecordBatch<'t>, ReadBatch<W>)>,
    /// Outputs and lines for reuse.
    spare: Vec<(W::Output, RewrittenLines)>,
}

impl<'t, W: BatchWorker> BatchWork<'t, W> {
    /// Returns the work of a first batch and all after it.
    pub(super) fn new(
        pool: &Pool,
        first: RecordBatch<'t>,
        cutter: BatchCutter<'t>,
        options: &'t Options,
        worker: W,
    ) -> Self {
        let max_unjoined = cutter.unjoined_per_thread() * (pool.threads() + 1);
        Self { next: Some(first), cutter, options, worker, max_unjoined, read: InOrder::new(), spare: Vec::new() }
    }
}

impl<'t, W: BatchWorker> OrderedWork for BatchWork<'t, W> {
    type Job = (usize, RecordBatch<'t>, &'t Options, W, W::Output);
    type Done = (usize, RecordBatch<'t>, ReadBatch<W>);
    type Output = (RecordBatch<'t>, ReadBatch<W>);
    type Memory = (W::Output, RewrittenLines);

    fn next(&mut self) -> Option<Self::Job> {
        if self.read.len() == self.max_unjoined {
            return None;
        }
        let next = self.next.take()?;
        let (output, lines) = self.spare.pop().unwrap_or_default();
        self.next = self.cutter.next(next.end(), self.options, lines);
        Some((self.read.issue(), next, self.options, self.worker, output))
    }

    fn is_all_issued(&self) -> bool {
        self.next.is_none()
    }

    fn run((number, mut batch, options, worker, memory): Self::Job) -> Self::Done {
        let read = read_batch(&mut batch, options, worker, memory);
        (number, batch, read)
    }

    fn complete(&mut self, (number, batch, read): Self::Done) {
        self.read.put(number, (batch, read));
    }

    fn take_output(&mut self) -> Option<Self::Output> {
        self.read.take().map(|(_, output)| output)
    }

    fn is_finished(&self) -> bool {
        self.is_all_issued() && self.read.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<Self::Memory> {
        &mut self.spare
    }
}

/// Reads a batch. `memory` is an earlier output. Returns the number of records and the output, or `None` if the batch is invalid.
pub(super) fn read_batch<W: BatchWorker>(
    batch: &mut RecordBatch<'_>,
    options: &Options,
    worker: W,
    memory: W::Output,
) -> ReadBatch<W> {
    if !batch.put_on_lines(options.isa) {
        return None;
    }
    let read = worker.read(options, batch, memory)?;
    // mutant: Some(read)
    batch.elements().is_none_or(|elements| elements == read.0).then_some(read)
}

/// How far batches were read.
pub(super) struct BatchesRead {
    /// The number of valid batches.
    pub(super) valid: u64,
    /// Where the first invalid one ends, if there is one.
    pub(super) invalid_end: Option<u64>,
}

/// Reads batches with all threads, up to the first invalid one or the last one wanted.
pub(super) fn read_batches<R: BatchReader>(
    pool: &Pool,
    work: BatchWork<'_, R::BatchWorker>,
    input: &Input<'_>,
    reader: &mut R,
    passed: &mut Progress,
) -> Result<BatchesRead, Error> {
    let mut batches = BatchesRead { valid: 0, invalid_end: None };
    run_in_order(pool, work, |(batch, read), spare| {
        let Some((records, mut output)) = read else {
            batches.invalid_end = Some(batch.end());
            return Ok(false);
        };
        reader.join(&mut output, &batch, passed)?;
        batches.valid += 1;
        *passed = Progress { end: batch.end(), records: passed.records + records };
        input.release(passed.end);
        spare.push((output, batch.into_memory()));
        Ok(!reader.is_over())
    })?;
    Ok(batches)
}
