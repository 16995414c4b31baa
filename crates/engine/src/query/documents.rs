//! Passes each document of an input, validated and in memory, to a sink, as a value on which queries are to be evaluated.
//!
//! The scan drives this, so it can apply the rules for unique keys and I-JSON, which masks cannot check.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::profile::scan_with;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::stream::MatchSink;
use crate::scan::Consumer;
use std::cell::RefCell;
use std::io::ErrorKind;

/// Passes all documents of `input` to `sink`.
pub(super) fn each_document(
    input: &mut Input<'_>,
    options: &Options,
    sink: &mut dyn MatchSink,
) -> Result<Summary, Error> {
    // Documents and errors are passed to the same sink, but never at the same time.
    let sink = RefCell::new(sink);
    let is_record = options.framing != Framing::Document;
    let mut collector =
        DocumentCollector { sink: &sink, text: Vec::new(), start: 0, number: 0, is_record, is_stopped: false };
    let mut invalid = 0;
    let scanned = scan_with(input, options, &mut collector, &mut (), &mut |error| {
        invalid += 1;
        sink.borrow_mut().on_error(error)
    });
    if collector.is_stopped {
        let bytes = collector.start + collector.text.len() as u64 - input.start();
        // mutant:
        input.check_unchanged()?;
        // mutant: return Ok(Summary { documents: collector.number, invalid: 0, bytes });
        return Ok(Summary { documents: collector.number, invalid, bytes });
    }
    scanned
}

/// Collects the text of each document and passes it to the sink.
struct DocumentCollector<'c, 's> {
    sink: &'c RefCell<&'s mut dyn MatchSink>,
    /// Text of the document so far.
    text: Vec<u8>,
    /// Offset of the document in the input.
    start: u64,
    /// Number of documents so far.
    number: u64,
    /// Whether documents have numbers.
    is_record: bool,
    /// Whether no more documents are wanted.
    is_stopped: bool,
}

impl Consumer for DocumentCollector<'_, '_> {
    const LAYOUT: bool = false;
    // There is no output, but `release` has to receive the text of each document up to the start of the next one.
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.text.clear();
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
        self.text.room(text.len(), OutOfMemory::Document)?;
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn discard(&mut self) {}

    fn flush(&mut self) -> Result<(), Error> {
        self.sink.borrow_mut().wait();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let record = self.is_record.then_some(self.number);
        let within = Excerpt { text: &self.text, base: self.start, record, locations: None };
        let document = Span { start: self.start, end: self.start + self.text.len() as u64, query: 0 };
        let mut sink = self.sink.borrow_mut();
        self.is_stopped = sink.receive_values(&[document], within)?.is_break() || sink.has_enough();
        // The error ends the scan, since a consumer cannot end it otherwise. `each_document` discards it.
        if self.is_stopped { Err(Error::read(ErrorKind::Interrupted.into(), self.start)) } else { Ok(()) }
    }
}
