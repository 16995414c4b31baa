//! What becomes of the documents of an input: functions that receive them one by one, or in batches on any thread.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::documents::DocumentBatch;
use crate::documents::Mapped;
use crate::documents::Record;
use crate::documents::memory::Memory;
use crate::error::Error;
use crate::options::Options;
use crate::parallel::BatchWorker;
use crate::parallel::NoWorker;
use crate::parallel::RecordBatch;
use crate::parallel::count_records;
use crate::scan::Progress;

/// Receives documents and errors in the order of the input.
pub(super) trait Receiver {
    /// Prepares the result of a batch on any thread.
    type Worker: BatchWorker;

    fn worker(&self) -> Option<Self::Worker>;

    /// Receives documents that follow `before` others. `Break` has the number and the end of the last one that is wanted.
    fn batch(&mut self, batch: &DocumentBatch<'_>, before: u64) -> ControlFlow<Progress>;

    /// Receives the output of a worker for the next documents, which follow `before`. `Break` has how many there are.
    fn join(&mut self, output: &mut <Self::Worker as BatchWorker>::Output, before: Progress) -> ControlFlow<u64>;

    fn error(&mut self, error: Error) -> ControlFlow<()>;
}

/// Passes each document to a function.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Result<Record<'_>, Error>) -> ControlFlow<()>> Receiver for Each<F> {
    type Worker = NoWorker;

    fn worker(&self) -> Option<NoWorker> {
        None
    }

    fn batch(&mut self, batch: &DocumentBatch<'_>, before: u64) -> ControlFlow<Progress> {
        for (index, value) in batch.records().enumerate() {
            let (offset, number) = (batch.offset_of(value), before + index as u64 + 1);
            if (self.0)(Ok(Record { value, offset, number })).is_break() {
                return ControlFlow::Break(Progress { end: batch.end_of(index).unwrap_or(offset), records: number });
            }
        }
        ControlFlow::Continue(())
    }

    fn join(&mut self, (): &mut (), _: Progress) -> ControlFlow<u64> {
        ControlFlow::Continue(())
    }

    fn error(&mut self, error: Error) -> ControlFlow<()> {
        (self.0)(Err(error))
    }
}

/// Passes batches to a function on any thread, and the results to another one.
pub(super) struct Map<'f, F, G> {
    pub(super) map: &'f F,
    pub(super) take: G,
}

impl<'f, T, F, G> Receiver for Map<'f, F, G>
where
    T: Send,
    F: Fn(&DocumentBatch<'_>) -> T + Sync,
    G: FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
{
    type Worker = Mapper<'f, F>;

    fn worker(&self) -> Option<Self::Worker> {
        Some(Mapper(self.map))
    }

    fn batch(&mut self, batch: &DocumentBatch<'_>, before: u64) -> ControlFlow<Progress> {
        let documents = batch.records().len() as u64;
        let mapped = Mapped { result: (self.map)(batch), offset: batch.offset(), number: before + 1, documents };
        (self.take)(Ok(mapped)).map_break(|()| Progress { end: batch.end(), records: before + documents })
    }

    fn join(&mut self, output: &mut Output<T>, before: Progress) -> ControlFlow<u64> {
        let Some((documents, result)) = output.result.take() else { return ControlFlow::Continue(()) };
        let mapped = Mapped { result, offset: before.end, number: before.records + 1, documents };
        (self.take)(Ok(mapped)).map_break(|()| documents)
    }

    fn error(&mut self, error: Error) -> ControlFlow<()> {
        (self.take)(Err(error))
    }
}

/// Lists the records of a batch and computes its result, on any thread.
pub(super) struct Mapper<'f, F>(&'f F);

impl<F> Clone for Mapper<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Mapper<'_, F> {}

/// The number of documents of a batch and its result, and memory for the next one.
pub(super) struct Output<T> {
    memory: Memory,
    result: Option<(u64, T)>,
}

impl<T> Default for Output<T> {
    fn default() -> Self {
        Self { memory: Memory::default(), result: None }
    }
}

impl<T: Send, F: Fn(&DocumentBatch<'_>) -> T + Sync> BatchWorker for Mapper<'_, F> {
    type Output = Output<T>;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, mut output: Output<T>) -> Option<(u64, Output<T>)> {
        // If there is not enough memory, the scan finds that again.
        let records = list(options, batch, &mut output.memory).ok()??;
        let result = (self.0)(&output.memory.batch(batch.offset(), batch.inserted())?);
        output.result = Some((records, result));
        Some((records, output))
    }
}

/// Lists the tokens of a batch. Returns the number of records, or `None` if any is invalid.
pub(super) fn list(options: &Options, batch: &RecordBatch<'_>, memory: &mut Memory) -> Result<Option<u64>, Error> {
    let records = memory.list_records(batch.lines(), options)?;
    if records.is_some() && !memory.is_accepted(options) && count_records(options, batch).is_none() {
        return Ok(None);
    }
    if records.is_some() && !batch.is_on_lines() {
        memory.restore_whitespace(batch.source(), batch.inserted());
    }
    Ok(records)
}
