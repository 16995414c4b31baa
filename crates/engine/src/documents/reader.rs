//! Reads documents in batches, or one by one along the scan, and passes them to a receiver.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;

use crate::documents::memory::Memory;
use crate::documents::receiver::Receiver;
use crate::documents::receiver::list;
use crate::documents::whole::read_whole;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::BatchReader;
use crate::parallel::BatchWorker;
use crate::parallel::RecordBatch;
use crate::parallel::RecordBatches;
use crate::profile::Profile;
use crate::profile::scan_with;
use crate::scan::Consumer;
use crate::scan::LookAhead;
use crate::scan::Progress;

/// Passes all documents of `input` to a receiver.
pub(super) fn read<R: Receiver>(input: &mut Input<'_>, options: &Options, receiver: &mut R) -> Result<Summary, Error> {
    let mut memory = Memory::default();
    if let Some(summary) = read_whole(input, options, &mut memory, receiver)? {
        return Ok(summary);
    }
    // Documents and errors are passed to the same receiver, but never at the same time.
    let receiver = RefCell::new(receiver);
    let mut collector = Collector { receiver: &receiver, options, memory, start: 0, number: 0, stopped: None };
    let mut invalid = 0;
    let on_error = &mut |error| {
        invalid += 1;
        receiver.borrow_mut().error(error)
    };
    let scanned = scan_with(input, options, &mut collector, &mut Batches(RecordBatches::default()), on_error);
    let Some(Progress { end, records }) = collector.stopped else { return scanned };
    input.check_unchanged()?;
    Ok(Summary { documents: records, invalid, bytes: end - input.start() })
}

/// Collects the text of each document that is not read in a batch.
struct Collector<'c, R> {
    receiver: &'c RefCell<&'c mut R>,
    options: &'c Options,
    memory: Memory,
    /// Offset of the document in the input.
    start: u64,
    /// Number of documents so far.
    number: u64,
    /// The end and number of the document with which the receiver ended the reading.
    stopped: Option<Progress>,
}

impl<R: Receiver> Collector<'_, R> {
    /// Ends the reading after a document. Returns an error that ends the scan, since a consumer cannot end it otherwise; [`read`]
    /// discards it.
    fn stop(&mut self, last: Progress) -> Error {
        self.stopped = Some(last);
        Error::read(ErrorKind::Interrupted.into(), last.end)
    }
}

impl<R: Receiver> Consumer for Collector<'_, R> {
    const LAYOUT: bool = false;
    // There is no output, but `release` has to receive the text of each document up to the start of the next one.
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.memory.renew()?.text_mut().clear();
        self.start = offset;
        self.number += 1;
        Ok(())
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        let limit = self.options.max_memory;
        let buffer = self.memory.renew()?.text_mut();
        if (buffer.len() + text.len()) as u64 > limit {
            return Err(Error::document_limit(limit, self.start));
        }
        buffer.room(text.len(), OutOfMemory::Document)?;
        buffer.extend_from_slice(text);
        Ok(())
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        if !self.memory.renew()?.try_list_single(self.options)? {
            // The text was valid when it was checked.
            return Err(Error::input_changed(self.start));
        }
        let Some(batch) = self.memory.batch(self.start, &[]) else { return Ok(()) };
        let flow = self.receiver.borrow_mut().batch(&batch, self.number - 1);
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(last) => Err(self.stop(last)),
        }
    }
}

/// Reads whole records ahead of the scan, in batches.
struct Batches(RecordBatches);

impl<R: Receiver> LookAhead<Profile<'_, Collector<'_, R>>> for Batches {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        Profile { consumer: collector, .. }: &mut Profile<'_, Collector<'_, R>>,
    ) -> Result<Option<Progress>, Error> {
        let options = collector.options;
        let mut reader = Reader { collector, stopped: None };
        let passed = self.0.read(options, input, from, &mut reader)?;
        let stopped = reader.stopped;
        if let Some(Progress { records, .. }) = passed {
            collector.number += records;
        }
        match stopped {
            Some(last) => Err(collector.stop(last)),
            None => Ok(passed),
        }
    }
}

/// Passes batches, or what workers have made of them, to the receiver.
struct Reader<'r, 'c, R> {
    collector: &'r mut Collector<'c, R>,
    /// The end and number of the document with which the receiver ended the reading.
    stopped: Option<Progress>,
}

impl<R: Receiver> BatchReader for Reader<'_, '_, R> {
    type BatchWorker = R::Worker;

    fn worker(&self) -> Option<R::Worker> {
        self.collector.receiver.borrow().worker()
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let memory = &mut self.collector.memory;
        let Some(records) = list(options, batch, memory)? else { return Ok(None) };
        let before = self.collector.number + passed.records;
        if let Some(batch) = memory.batch(passed.end, batch.inserted()) {
            self.stopped = self.collector.receiver.borrow_mut().batch(&batch, before).break_value();
        }
        Ok(Some(records))
    }

    fn join(
        &mut self,
        output: &mut <R::Worker as BatchWorker>::Output,
        batch: &RecordBatch<'_>,
        passed: &Progress,
    ) -> Result<(), Error> {
        let before = Progress { records: self.collector.number + passed.records, ..*passed };
        if let ControlFlow::Break(documents) = self.collector.receiver.borrow_mut().join(output, before) {
            self.stopped = Some(Progress { end: batch.end(), records: before.records + documents });
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped.is_some()
    }
}
