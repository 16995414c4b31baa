//! Reads the documents of an input, and passes each one, validated and in memory, to a [`DocumentEvaluator`].
//!
//! With [`Framing::Document`] and [`Framing::Documents`], an input that is already in memory is not copied. Records that are in
//! memory are read in batches, in place. Other documents, and records that have to be read one by one, are copied to a buffer.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::RecordBatches;
use crate::profile::Profile;
use crate::profile::scan_with;
use crate::query::document_evaluator::DocumentEvaluator;
use crate::query::document_evaluator::DocumentSink;
use crate::query::excerpt::Excerpt;
use crate::query::records::RecordReader;
use crate::scan::Consumer;
use crate::scan::LookAhead;
use crate::scan::Progress;
use std::cell::RefCell;
use std::io::ErrorKind;

/// Passes all documents of `input` to `evaluator`.
pub(super) fn each_document<E: DocumentEvaluator>(
    input: &mut Input<'_>,
    options: &Options,
    evaluator: E,
) -> Result<Summary, Error> {
    // Records are not read from a view, so that the pages of a mapping can be released after they are read.
    if options.framing.starts_with_single_document()
        && let Some((mut view, bytes)) = input.view()
    {
        return read_documents(&mut view, Some(bytes), options, evaluator);
    }
    read_documents(input, None, options, evaluator)
}

/// Passes all documents of `input` to `evaluator`. `whole` is the text of the input, if it is in memory.
fn read_documents<E: DocumentEvaluator>(
    input: &mut Input<'_>,
    whole: Option<&[u8]>,
    options: &Options,
    evaluator: E,
) -> Result<Summary, Error> {
    let is_record = options.framing != Framing::Document;
    // Documents and errors are passed to the same evaluator, but never at the same time.
    let evaluator = RefCell::new(evaluator);
    let mut collector = DocumentCollector {
        evaluator: &evaluator,
        whole: whole.map(|text| (input.start(), text)),
        buffer: Vec::new(),
        start: 0,
        length: 0,
        number: 0,
        is_record,
        is_stopped: false,
    };
    let mut invalid = 0;
    let on_error = &mut |error| {
        invalid += 1;
        evaluator.borrow_mut().on_error(error)
    };
    // With `unique_keys` or `ijson`, `scan_with` applies the profile, and records are read one by one.
    let scanned = if is_record && !options.unique_keys && !options.ijson {
        let mut batches = RecordLookAhead { options, evaluator: &evaluator, batches: RecordBatches::default() };
        scan_with(input, options, &mut collector, &mut batches, on_error)
    } else {
        scan_with(input, options, &mut collector, &mut (), on_error)
    };
    if collector.is_stopped {
        let bytes = collector.start + collector.length - input.start();
        // mutant:
        input.check_unchanged()?;
        // mutant: return Ok(Summary { documents: collector.number, invalid: 0, bytes });
        return Ok(Summary { documents: collector.number, invalid, bytes });
    }
    scanned
}

/// Reads whole records ahead of the scan, in batches.
struct RecordLookAhead<'o, E> {
    options: &'o Options,
    evaluator: &'o RefCell<E>,
    batches: RecordBatches,
}

impl<E: DocumentEvaluator> LookAhead<Profile<'_, DocumentCollector<'_, '_>>> for RecordLookAhead<'_, E> {
    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        Profile { consumer: collector, .. }: &mut Profile<'_, DocumentCollector<'_, '_>>,
    ) -> Result<Option<Progress>, Error> {
        let evaluator = &mut *self.evaluator.borrow_mut();
        let mut records = RecordReader { evaluator, number: collector.number, stopped_at: None };
        let passed = self.batches.read(self.options, input, from, &mut records)?;
        let (passed, ended) = (records.stopped_at.or(passed), records.stopped_at.is_some());
        if let Some(Progress { end, records }) = passed {
            // mutant:
            collector.number += records;
            (collector.start, collector.length) = (end, 0);
        }
        collector.is_stopped = ended;
        if ended { Err(collector.stop_error()) } else { Ok(passed) }
    }
}

/// Collects the text of each document and passes it to the evaluator.
struct DocumentCollector<'c, 't> {
    evaluator: &'c RefCell<dyn DocumentSink + 'c>,
    /// Offset and text of the whole input, if it is in memory.
    whole: Option<(u64, &'t [u8])>,
    /// Text of the document so far, if the input is not in memory.
    buffer: Vec<u8>,
    /// Offset of the document in the input.
    start: u64,
    /// Length of the document so far.
    length: u64,
    /// Number of documents so far.
    number: u64,
    /// Whether documents have numbers.
    is_record: bool,
    /// Whether the evaluator has stopped the reading.
    is_stopped: bool,
}

impl DocumentCollector<'_, '_> {
    /// Returns an error that ends the scan, since a consumer cannot end it otherwise. `read_documents` discards the error.
    fn stop_error(&self) -> Error {
        Error::read(ErrorKind::Interrupted.into(), self.start)
    }
}

impl Consumer for DocumentCollector<'_, '_> {
    const LAYOUT: bool = false;
    // There is no output, but `release` has to receive the text of each document up to the start of the next one.
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.buffer.clear();
        (self.start, self.length) = (offset, 0);
        self.number += 1;
        Ok(())
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.length += text.len() as u64;
        if self.whole.is_none() {
            self.buffer.room(text.len(), OutOfMemory::Document)?;
            self.buffer.extend_from_slice(text);
        }
        Ok(())
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        self.evaluator.borrow_mut().wait();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let text = match self.whole {
            Some((start, whole)) => &whole[distance(start, self.start)..][..distance(0, self.length)],
            None => &self.buffer,
        };
        let record = self.is_record.then_some(self.number);
        let document = Excerpt { text, base: self.start, record, locations: None };
        self.is_stopped = self.evaluator.borrow_mut().receive_document(document)?.is_break();
        if self.is_stopped { Err(self.stop_error()) } else { Ok(()) }
    }
}
