//! Evaluates records in batches, on several threads.
//!
//! A batch is validated as a whole, then its records are evaluated one by one. If a batch is invalid, or a worker gives up, its
//! records are left to the scan, which reads them one by one.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::parallel;
use crate::parallel::BatchWorker;
use crate::parallel::RecordBatch;
use crate::parallel::RecordBatches;
use crate::parallel::count_records;
use crate::query::document_evaluator::CheckedDocument;
use crate::query::document_evaluator::DocumentEvaluator;
use crate::query::document_evaluator::RecordWorker;
use crate::query::stream::Excerpt;
use crate::scan::Progress;
use memchr::memchr_iter;
use std::mem;
use std::ops::ControlFlow;

/// Reads complete records that are in memory, from the offset `from` to the first batch that is not valid. `number` is the number
/// of records before them. Returns the end and number of the records that were read, if any were, and whether the reader stopped
/// the reading there.
pub(super) fn read_batches<R: DocumentEvaluator>(
    batches: &mut RecordBatches,
    options: &Options,
    input: &Input<'_>,
    from: u64,
    number: u64,
    reader: &mut R,
) -> Result<(Option<Progress>, bool), Error> {
    let mut records = RecordReader { reader, number, stopped_at: None };
    let passed = batches.read(options, input, from, &mut records)?;
    Ok((records.stopped_at.or(passed), records.stopped_at.is_some()))
}

/// Passes the records of batches, or the output of workers, to a reader.
struct RecordReader<'p, R> {
    reader: &'p mut R,
    /// Number of records before the first batch.
    number: u64,
    /// End of the record at which the reader stopped the reading.
    stopped_at: Option<Progress>,
}

impl<R: DocumentEvaluator> parallel::BatchReader for RecordReader<'_, R> {
    type BatchWorker = CheckedWorker<R::RecordWorker>;

    fn worker(&self) -> Option<Self::BatchWorker> {
        Some(CheckedWorker(self.reader.worker()))
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let records = count_records(options, batch);
        if records.is_some() {
            for record in each_record(batch, passed.end, self.number + passed.records) {
                if self.reader.take(record)?.is_break() {
                    let end = record.offset + record.text.len() as u64;
                    self.stop_at(Progress { end, records: record.record.unwrap_or_default() });
                    break;
                }
            }
        }
        Ok(records)
    }

    fn join(
        &mut self,
        output: &mut <R::RecordWorker as RecordWorker>::Output,
        batch: &[u8],
        passed: &Progress,
    ) -> Result<(), Error> {
        let number = self.number + passed.records;
        let batch = Excerpt { text: batch, base: passed.end, record: Some(number), locations: None };
        let joined = self.reader.join(mem::take(output), batch);
        if let ControlFlow::Break(last) = joined {
            self.stop_at(last);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped_at.is_some()
    }
}

impl<R> RecordReader<'_, R> {
    /// Notes that the reader stopped the reading at the end of this record.
    fn stop_at(&mut self, last: Progress) {
        self.stopped_at = Some(Progress { records: last.records - self.number, ..last });
    }
}

/// Validates a batch, then passes its records to a worker.
#[derive(Clone, Copy)]
struct CheckedWorker<W>(W);

impl<W: RecordWorker> BatchWorker for CheckedWorker<W> {
    type Output = W::Output;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, _: W::Output) -> Option<(u64, W::Output)> {
        let records = count_records(options, batch)?;
        let mut output = W::Output::default();
        for record in each_record(batch, 0, 0) {
            if self.0.take(record, &mut output)?.is_break() {
                break;
            }
        }
        Some((records, output))
    }
}

/// Returns the records of a batch that begins at `offset` and follows `number` records. Blank lines are no records.
fn each_record<'s>(batch: &'s RecordBatch<'_>, offset: u64, number: u64) -> impl Iterator<Item = CheckedDocument<'s>> {
    // `shift` converts an offset in `lines` to one in `source`, which may separate records by something other than line feeds.
    let (lines, source, mut shift) = (batch.lines(), batch.source(), batch.shift());
    let (mut start, mut number) = (0, number);
    memchr_iter(b'\n', lines).filter_map(move |end| {
        let line = &lines[start..end];
        let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let (from, shift) = (start + blank, shift.at(start));
        start = end + 1;
        number += u64::from(blank < line.len());
        let text = &source[from - shift..end - shift];
        (blank < line.len()).then_some(CheckedDocument {
            text,
            offset: offset + (from - shift) as u64,
            record: Some(number),
        })
    })
}
