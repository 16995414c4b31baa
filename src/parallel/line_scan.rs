//! Batches of records for consumers whose output cannot be divided. The consumer itself takes each batch, on the current thread.

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

/// Scans documents with the rules of the profile that `options` select. Lines are read in batches.
pub(crate) fn scan_lines<C: LineConsumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    // Batches of records have other framings rewritten, so that their offsets would be wrong.
    if options.framing == Framing::Lines {
        scan_with(input, options, consumer, &mut LineScan::new(options), on_error)
    } else {
        scan_with(input, options, consumer, &mut (), on_error)
    }
}

/// A look-ahead that reads batches of records on the current thread.
pub(crate) struct LineScan<'o> {
    options: &'o Options,
    batches: RecordBatches,
}

impl<'o> LineScan<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self { options, batches: RecordBatches::default() }
    }
}

impl<C: LineConsumer> LookAhead<Profile<'_, C>> for LineScan<'_> {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        self.batches.read(self.options, input, from, &mut LineReader { profile })
    }
}

/// Lets a consumer take whole batches.
struct LineReader<'r, 'c, C> {
    profile: &'r mut Profile<'c, C>,
}

impl<C: LineConsumer> BatchReader for LineReader<'_, '_, C> {
    type BatchWorker = NoWorker;

    fn worker(&self) -> Option<NoWorker> {
        None
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

    fn join(&mut self, output: NoOutput, _: &[u8], _: &Progress, _: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        match output {}
    }

    fn is_over(&self) -> bool {
        false
    }
}

/// There are no other threads, and so no results of them.
#[derive(Clone, Copy)]
enum NoWorker {}

enum NoOutput {}

impl BatchWorker for NoWorker {
    type Output = NoOutput;

    fn read(self, _: &Options, _: &RecordBatch<'_>, _: Vec<u8>) -> Option<(u64, NoOutput)> {
        match self {}
    }
}
