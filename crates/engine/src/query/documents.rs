//! Evaluates queries on whole documents, which the scan validates, so that it can apply the rules for unique keys and I-JSON, which
//! masks cannot check. Records are checked, and then evaluated, in batches.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Summary;
use crate::parallel::DocumentReceiver;
use crate::parallel::ReadAhead;
use crate::parallel::collect_documents;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::stream::MatchSink;
use crate::query::stream::RecordSearch;
use crate::query::stream::SearchRequest;
use crate::scan::Progress;
use std::ops::ControlFlow;

/// Evaluates the rest of a request, whose plan is `$`, on all documents of `input`. With `reads_batches`, records are read in batches.
pub(super) fn each_document(
    input: &mut Input<'_>,
    request: SearchRequest<'_>,
    reads_batches: bool,
    sink: &mut dyn MatchSink,
) -> Result<Summary, Error> {
    let records = reads_batches.then(RecordSearch::default);
    collect_documents(input, request.options, &mut Evaluator { request, sink, text: Vec::new(), records })
}

/// Collects the text of each document and passes it to the sink, as a value on which the queries are to be evaluated.
struct Evaluator<'e, 's> {
    request: SearchRequest<'e>,
    sink: &'s mut dyn MatchSink,
    /// Text of the document so far.
    text: Vec<u8>,
    /// The search of records in batches.
    records: Option<RecordSearch>,
}

impl DocumentReceiver for Evaluator<'_, '_> {
    fn read_records(&mut self, input: &Input<'_>, from: u64, before: u64) -> Result<ReadAhead, Error> {
        let Self { request, sink, records: Some(records), .. } = self else { return Ok(ControlFlow::Continue(None)) };
        records.read(*request, input, from, before, &mut request.report(&mut **sink))
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.text.clear();
        Ok(())
    }

    fn append(&mut self, text: &[u8], _: u64) -> Result<(), Error> {
        self.text.room(text.len(), OutOfMemory::Document)?;
        self.text.extend_from_slice(text);
        Ok(())
    }

    fn end(&mut self, start: u64, number: u64) -> Result<ControlFlow<Progress>, Error> {
        let record = (self.request.options.framing != Framing::Document).then_some(number);
        let within = Excerpt { text: &self.text, base: start, record, locations: None };
        let end = start + self.text.len() as u64;
        let is_over = self.sink.receive_values(&[Span { start, end, query: 0 }], within)?.is_break();
        let is_over = is_over || self.sink.has_enough();
        Ok(if is_over { ControlFlow::Break(Progress { end, records: number }) } else { ControlFlow::Continue(()) })
    }

    fn error(&mut self, error: Error) -> ControlFlow<()> {
        self.sink.on_error(error)
    }

    fn wait(&mut self) {
        self.sink.wait();
    }
}
