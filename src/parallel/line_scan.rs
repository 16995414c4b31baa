//! Batches of records for a consumer that takes the whole input itself. What other threads read is added to it in order.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::batch::RecordBatch;
use crate::parallel::records::BatchReader;
use crate::parallel::records::BatchWorker;
use crate::parallel::records::RecordBatches;
use crate::parallel::records::check_lines;
use crate::profile::Profile;
use crate::profile::scan_with;
use crate::scan::Consumer;
use crate::scan::LookAhead;
use crate::scan::Progress;

/// A consumer that can take a batch of records as if it were one document, in which line breaks separate values.
pub(crate) trait LineConsumer: Consumer {
    /// Ends a batch, after its last tile. If its records end with line breaks, all but the last one have been taken like commas.
    fn end_lines(&mut self) {}
}

/// What other threads read for a consumer.
pub(crate) trait Workers {
    type Worker: BatchWorker;

    /// Returns what other threads need, or `None` if there are to be none.
    fn worker(&self) -> Option<Self::Worker>;

    /// Adds what a worker has read of the next batch to what the consumer has taken. Returns false, and has no effect, if the
    /// consumer must take the batch itself.
    fn join(&mut self, output: &mut <Self::Worker as BatchWorker>::Output) -> Result<bool, Error>;
}

/// Scans documents with the rules of the profile that `options` select. Lines are read in batches.
pub(crate) fn scan_lines<C: LineConsumer, W: Workers>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    workers: W,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    // Batches of records have other framings rewritten, so that their offsets would be wrong.
    if options.framing == Framing::Lines {
        let mut lines = LineScan { options, batches: RecordBatches::default(), workers };
        scan_with(input, options, consumer, &mut lines, on_error)
    } else {
        scan_with(input, options, consumer, &mut (), on_error)
    }
}

/// The look-ahead that reads batches of records.
struct LineScan<'o, W> {
    options: &'o Options,
    batches: RecordBatches,
    workers: W,
}

impl<C: LineConsumer, W: Workers> LookAhead<Profile<'_, C>> for LineScan<'_, W> {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        let mut reader = LineReader { options: self.options, profile, workers: &mut self.workers };
        self.batches.read(self.options, input, from, &mut reader)
    }
}

/// Lets a consumer take whole batches.
struct LineReader<'r, 'c, C, W> {
    options: &'r Options,
    profile: &'r mut Profile<'c, C>,
    workers: &'r mut W,
}

impl<C: LineConsumer, W: Workers> BatchReader for LineReader<'_, '_, C, W> {
    type BatchWorker = W::Worker;

    fn worker(&self) -> Option<W::Worker> {
        self.workers.worker()
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        self.profile.begin(passed.end, None)?;
        let Some(records) = check_lines(self.profile, options, batch) else {
            self.profile.discard();
            return Ok(None);
        };
        self.profile.consumer.end_lines();
        self.profile.release(batch.lines())?;
        Ok(Some(records))
    }

    fn join(
        &mut self,
        output: &mut <W::Worker as BatchWorker>::Output,
        batch: &[u8],
        passed: &Progress,
    ) -> Result<(), Error> {
        if !self.workers.join(output)? {
            // The worker has found it valid.
            self.read(self.options, &RecordBatch::of_lines(batch), passed)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// No other threads.
#[derive(Clone, Copy)]
pub(crate) struct NoWorkers;

impl Workers for NoWorkers {
    type Worker = Self;

    fn worker(&self) -> Option<Self> {
        None
    }

    fn join(&mut self, (): &mut ()) -> Result<bool, Error> {
        Ok(false)
    }
}

impl BatchWorker for NoWorkers {
    type Output = ();

    fn read(self, _: &Options, _: &RecordBatch<'_>, (): ()) -> Option<(u64, ())> {
        None
    }
}
