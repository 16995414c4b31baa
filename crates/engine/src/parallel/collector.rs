//! Reads whole documents: records in batches, and along the scan what batches cannot have.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;

use crate::error::Error;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::options::Summary;
use crate::profile::Profile;
use crate::profile::scan_with;
use crate::scan::Consumer;
use crate::scan::LookAhead;
use crate::scan::Progress;

/// How far records were read ahead, or `None` if none were. `Break` has the end and the number of the last document that is wanted.
pub(crate) type ReadAhead = ControlFlow<Progress, Option<Progress>>;

/// Receives the documents of an input and its errors, in order.
pub(crate) trait DocumentReceiver {
    /// Reads records that are in memory, from the offset `from` on, after `before` documents. Returns how far it read, or `None` if the
    /// next document is to be collected.
    fn read_records(&mut self, input: &Input<'_>, from: u64, before: u64) -> Result<ReadAhead, Error>;

    /// Begins to collect a document.
    fn begin(&mut self) -> Result<(), Error>;

    /// Receives the next part of the text of the document that begins at `start`.
    fn append(&mut self, text: &[u8], start: u64) -> Result<(), Error>;

    /// Ends the document, which is valid and has this number. `Break` as in [`ReadAhead`].
    fn end(&mut self, start: u64, number: u64) -> Result<ControlFlow<Progress>, Error>;

    /// Receives the error of an invalid document. Decides whether to continue with the next one.
    fn error(&mut self, error: Error) -> ControlFlow<()>;

    /// Called before a read that may block.
    fn wait(&mut self) {}
}

/// Passes all documents of `input` to `receiver`, with the rules of the profile that `options` select.
pub(crate) fn collect_documents<R: DocumentReceiver>(
    input: &mut Input<'_>,
    options: &Options,
    receiver: &mut R,
) -> Result<Summary, Error> {
    // Documents and errors are passed to the same receiver, but never at the same time.
    let receiver = RefCell::new(receiver);
    let mut collector = Collector { receiver: &receiver, start: 0, number: 0, stopped: None };
    let mut invalid = 0;
    let scanned = scan_with(input, options, &mut collector, &mut Batches, &mut |error| {
        invalid += 1;
        receiver.borrow_mut().error(error)
    });
    let Some(Progress { end, records }) = collector.stopped else { return scanned };
    // mutant:
    input.check_unchanged()?;
    // mutant: Ok(Summary { documents: records, invalid: 0, bytes: end - input.start() })
    Ok(Summary { documents: records, invalid, bytes: end - input.start() })
}

/// Collects the text of each document that is not read in a batch.
struct Collector<'c, R> {
    receiver: &'c RefCell<&'c mut R>,
    /// Offset of the document in the input.
    start: u64,
    /// Number of documents so far.
    number: u64,
    /// The end and number of the document with which the receiver ended the reading.
    stopped: Option<Progress>,
}

impl<R> Collector<'_, R> {
    /// Ends the reading after a document. Returns an error that ends the scan, since a consumer cannot end it otherwise;
    /// [`collect_documents`] discards it.
    fn stop(&mut self, last: Progress) -> Error {
        self.stopped = Some(last);
        Error::read(ErrorKind::Interrupted.into(), last.end)
    }
}

impl<R: DocumentReceiver> Consumer for Collector<'_, R> {
    const LAYOUT: bool = false;
    // There is no output, but `release` has to receive the text of each document up to the start of the next one.
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.start = offset;
        self.number += 1;
        self.receiver.borrow_mut().begin()
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.receiver.borrow_mut().append(text, self.start)
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        self.receiver.borrow_mut().wait();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let flow = self.receiver.borrow_mut().end(self.start, self.number)?;
        flow.break_value().map_or(Ok(()), |last| Err(self.stop(last)))
    }
}

/// The look-ahead that has the receiver read records.
struct Batches;

impl<R: DocumentReceiver> LookAhead<Profile<'_, Collector<'_, R>>> for Batches {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        Profile { consumer: collector, .. }: &mut Profile<'_, Collector<'_, R>>,
    ) -> Result<Option<Progress>, Error> {
        let flow = collector.receiver.borrow_mut().read_records(input, from, collector.number)?;
        match flow {
            ControlFlow::Continue(passed) => {
                collector.number += passed.map_or(0, |passed| passed.records);
                Ok(passed)
            }
            ControlFlow::Break(last) => Err(collector.stop(last)),
        }
    }
}
