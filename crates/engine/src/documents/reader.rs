//! Reads documents in batches, or one by one along the scan, and passes them to a receiver.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::documents::memory::Memory;
use crate::documents::receiver::Receiver;
use crate::documents::receiver::list;
use crate::documents::whole::read_whole;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::BatchReader;
use crate::parallel::BatchWorker;
use crate::parallel::DocumentReceiver;
use crate::parallel::ReadAhead;
use crate::parallel::RecordBatch;
use crate::parallel::RecordBatches;
use crate::parallel::collect_documents;
use crate::scan::Progress;

/// Passes all documents of `input` to a receiver.
pub(super) fn read<R: Receiver>(input: &mut Input<'_>, options: &Options, receiver: &mut R) -> Result<Summary, Error> {
    let mut memory = Memory::default();
    if let Some(summary) = read_whole(input, options, &mut memory, receiver)? {
        return Ok(summary);
    }
    collect_documents(input, options, &mut Lister { receiver, options, memory, batches: RecordBatches::default() })
}

/// Lists the tokens of documents, and of records in batches.
struct Lister<'r, R> {
    receiver: &'r mut R,
    options: &'r Options,
    memory: Memory,
    batches: RecordBatches,
}

impl<R: Receiver> DocumentReceiver for Lister<'_, R> {
    fn read_records(&mut self, input: &Input<'_>, from: u64, before: u64) -> Result<ReadAhead, Error> {
        let Self { receiver, options, memory, batches } = self;
        let mut reader = Reader { receiver: &mut **receiver, memory, before, stopped: None };
        let passed = batches.read(options, input, from, &mut reader)?;
        Ok(reader.stopped.map_or(ControlFlow::Continue(passed), ControlFlow::Break))
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.memory.renew()?.text_mut().clear();
        Ok(())
    }

    fn append(&mut self, text: &[u8], start: u64) -> Result<(), Error> {
        let limit = self.options.max_memory;
        let buffer = self.memory.renew()?.text_mut();
        if (buffer.len() + text.len()) as u64 > limit {
            return Err(Error::document_limit(limit, start));
        }
        buffer.room(text.len(), OutOfMemory::Document)?;
        buffer.extend_from_slice(text);
        Ok(())
    }

    fn end(&mut self, start: u64, number: u64) -> Result<ControlFlow<Progress>, Error> {
        if !self.memory.renew()?.try_list_single(self.options)? {
            // The text was valid when it was checked.
            return Err(Error::input_changed(start));
        }
        let Some(batch) = self.memory.batch(start, &[]) else { return Ok(ControlFlow::Continue(())) };
        Ok(self.receiver.batch(&batch, number - 1))
    }

    fn error(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.error(error)
    }
}

/// Passes batches, or what workers have made of them, to the receiver.
struct Reader<'r, R> {
    receiver: &'r mut R,
    memory: &'r mut Memory,
    /// Number of documents before the first batch.
    before: u64,
    /// The end and number of the document with which the receiver ended the reading.
    stopped: Option<Progress>,
}

impl<R: Receiver> BatchReader for Reader<'_, R> {
    type BatchWorker = R::Worker;

    fn worker(&self) -> Option<R::Worker> {
        self.receiver.worker()
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let Some(records) = list(options, batch, self.memory)? else { return Ok(None) };
        if let Some(batch) = self.memory.batch(passed.end, batch.inserted()) {
            self.stopped = self.receiver.batch(&batch, self.before + passed.records).break_value();
        }
        Ok(Some(records))
    }

    fn join(
        &mut self,
        output: &mut <R::Worker as BatchWorker>::Output,
        batch: &RecordBatch<'_>,
        passed: &Progress,
    ) -> Result<(), Error> {
        let before = Progress { records: self.before + passed.records, ..*passed };
        if let ControlFlow::Break(documents) = self.receiver.join(output, before) {
            self.stopped = Some(Progress { end: batch.end(), records: before.records + documents });
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped.is_some()
    }
}
