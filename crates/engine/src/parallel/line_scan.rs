//! Batches of records for a consumer that takes the whole input itself, on one thread.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::batch::RecordBatch;
use crate::parallel::batch_work::BatchReader;
use crate::parallel::batch_work::BatchWorker;
use crate::parallel::records::RecordBatches;
use crate::parallel::records::take_batch;
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

/// Scans documents with the rules of the profile that `options` select. Lines are read in batches.
pub(crate) fn scan_lines<C: LineConsumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    // Batches of records have other framings rewritten, so that their offsets would be wrong.
    if options.framing == Framing::Lines {
        scan_with(input, options, consumer, &mut LineScan { options, batches: RecordBatches::default() }, on_error)
    } else {
        scan_with(input, options, consumer, &mut (), on_error)
    }
}

/// The look-ahead that reads batches of records.
struct LineScan<'o> {
    options: &'o Options,
    batches: RecordBatches,
}

impl<C: LineConsumer> LookAhead<Profile<'_, C>> for LineScan<'_> {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        self.batches.read(self.options, input, from, &mut LineReader(profile))
    }
}

/// Lets a consumer take whole batches.
struct LineReader<'r, 'c, C>(&'r mut Profile<'c, C>);

impl<C: LineConsumer> BatchReader for LineReader<'_, '_, C> {
    type BatchWorker = NoWorker;

    fn worker(&self) -> Option<NoWorker> {
        None
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        take_batch(self.0, options, batch, passed.end)
    }

    fn join(&mut self, (): &mut (), _: &RecordBatch<'_>, _: &Progress) -> Result<(), Error> {
        Ok(())
    }
}

/// No other threads read batches.
#[derive(Clone, Copy)]
pub(crate) struct NoWorker;

impl BatchWorker for NoWorker {
    type Output = ();

    fn read(self, _: &Options, _: &RecordBatch<'_>, (): ()) -> Option<(u64, ())> {
        None
    }
}
