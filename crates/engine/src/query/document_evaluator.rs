//! The interface between the reading of documents and their evaluation: what consumes the documents of an input, on the caller's
//! thread and on workers.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::query::excerpt::Excerpt;
use crate::query::stream::MatchSink;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Consumes the documents of an input.
pub(super) trait DocumentSink: MatchSink {
    /// Receives a valid document. `Break` stops the reading.
    fn receive_document(&mut self, document: Excerpt<'_>) -> Result<ControlFlow<()>, Error>;
}

/// Consumes the documents of an input, and the output of workers that consume batches of records on other threads.
pub(super) trait DocumentEvaluator: DocumentSink {
    /// Consumes records on another thread.
    type RecordWorker: RecordWorker;

    /// Returns a worker for the next batches.
    fn worker(&self) -> Self::RecordWorker;

    /// Receives the output of a worker for a batch of records. `batch.record` is the number of records before the batch. `Break`
    /// stops the reading, and has the end and number of the last record that was used.
    fn join(
        &mut self,
        output: <Self::RecordWorker as RecordWorker>::Output,
        batch: Excerpt<'_>,
    ) -> ControlFlow<Progress>;
}

/// Evaluates records on any thread.
pub(super) trait RecordWorker: Copy + Send + Sync {
    type Output: Default + Send;

    /// Evaluates the next record of a batch. The offset and number of the record are relative to the batch. `Break` skips the other
    /// records of the batch. `None` rejects the whole batch, so that the scan reads its records one by one.
    fn evaluate(self, record: Excerpt<'_>, output: &mut Self::Output) -> Option<ControlFlow<()>>;
}
