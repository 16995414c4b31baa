//! The interface between the reading of documents and their evaluation: what consumes the documents of an input, on the caller's
//! thread and on workers.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::query::stream::Excerpt;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// A document, or a value in one, that was validated.
#[derive(Clone, Copy)]
pub(super) struct CheckedDocument<'t> {
    pub(super) text: &'t [u8],
    /// Offset of `text` in the input.
    pub(super) offset: u64,
    /// Number of the document, from 1, if the input may hold several. Invalid documents are numbered, too.
    pub(super) record: Option<u64>,
}

/// Consumes the documents of an input.
pub(super) trait DocumentSink {
    /// Handles a valid document. `Break` stops the reading.
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error>;

    /// Handles the error of an invalid document. `Break` stops the reading.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// Called before a read that may block.
    fn wait(&mut self);
}

impl<S: DocumentSink> DocumentSink for &mut S {
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        S::take(self, document)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        S::on_error(self, error)
    }

    fn wait(&mut self) {
        S::wait(self);
    }
}

/// Consumes the documents of an input, and the output of workers that consume batches of records on other threads.
pub(super) trait DocumentEvaluator: DocumentSink {
    /// Consumes records on another thread.
    type RecordWorker: RecordWorker;

    /// Returns a worker for the next batches.
    fn worker(&self) -> Self::RecordWorker;

    /// Handles the output of a worker for a batch of records. `batch.record` is the number of records before the batch. `Break`
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

    /// Handles the next record of a batch. The offset and number of the record are relative to the batch. `Break` skips the other
    /// records of the batch. `None` rejects the whole batch, so that the scan reads its records one by one.
    fn take(self, record: CheckedDocument<'_>, output: &mut Self::Output) -> Option<ControlFlow<()>>;
}
