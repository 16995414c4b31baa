//! Evaluates records in batches, on several threads.
//!
//! A batch is validated as a whole, then its records are evaluated one by one. If a batch is invalid, or a worker gives up, its
//! records are left to the scan, which reads them one by one.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::options::Options;
use crate::parallel;
use crate::parallel::BatchWorker;
use crate::parallel::RecordBatch;
use crate::parallel::count_records;
use crate::query::document_evaluator::DocumentEvaluator;
use crate::query::document_evaluator::RecordWorker;
use crate::query::excerpt::Excerpt;
use crate::scan::Progress;
use memchr::memchr_iter;
use std::mem;
use std::ops::ControlFlow;

/// Passes the records of batches, or the output of workers, to an evaluator.
pub(super) struct RecordReader<'p, E> {
    pub(super) evaluator: &'p mut E,
    /// Number of records before the first batch.
    pub(super) number: u64,
    /// End of the record at which the evaluator stopped the reading. The number of that record counts from the first batch.
    pub(super) stopped_at: Option<Progress>,
}

impl<E: DocumentEvaluator> parallel::BatchReader for RecordReader<'_, E> {
    type BatchWorker = CheckedWorker<E::RecordWorker>;

    fn worker(&self) -> Option<Self::BatchWorker> {
        Some(CheckedWorker(self.evaluator.worker()))
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let records = count_records(options, batch);
        if records.is_some() {
            for record in each_record(batch, passed.end, self.number + passed.records) {
                if self.evaluator.receive_document(record)?.is_break() {
                    let end = record.base + record.text.len() as u64;
                    // mutant (2 lines):
                    self.stop_at(Progress { end, records: record.record.unwrap_or_default() });
                    break;
                }
            }
        }
        Ok(records)
    }

    fn join(
        &mut self,
        output: &mut <E::RecordWorker as RecordWorker>::Output,
        batch: &[u8],
        passed: &Progress,
    ) -> Result<(), Error> {
        let number = self.number + passed.records;
        let batch = Excerpt { text: batch, base: passed.end, record: Some(number), locations: None };
        let joined = self.evaluator.join(mem::take(output), batch);
        if let ControlFlow::Break(last) = joined {
            self.stop_at(last);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped_at.is_some()
    }
}

impl<E> RecordReader<'_, E> {
    /// Notes that the evaluator stopped the reading at the end of this record.
    fn stop_at(&mut self, last: Progress) {
        self.stopped_at = Some(Progress { records: last.records - self.number, ..last });
    }
}

/// Validates a batch, then passes its records to a worker.
#[derive(Clone, Copy)]
pub(super) struct CheckedWorker<W>(W);

impl<W: RecordWorker> BatchWorker for CheckedWorker<W> {
    type Output = W::Output;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, _: W::Output) -> Option<(u64, W::Output)> {
        let records = count_records(options, batch)?;
        let mut output = W::Output::default();
        for record in each_record(batch, 0, 0) {
            if self.0.evaluate(record, &mut output)?.is_break() {
                break;
            }
        }
        Some((records, output))
    }
}

/// Returns the records of a batch that begins at `offset` and follows `number` records. Blank lines are no records.
fn each_record<'s>(batch: &'s RecordBatch<'_>, offset: u64, number: u64) -> impl Iterator<Item = Excerpt<'s>> {
    // `shift` converts an offset in `lines` to one in `source`, which may separate records by something other than line feeds.
    let (lines, source, mut shift) = (batch.lines(), batch.source(), batch.shift());
    let (mut start, mut number) = (0, number);
    memchr_iter(b'\n', lines).filter_map(move |end| {
        let line = &lines[start..end];
        let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let (from, shift) = (start + blank, shift.at(start));
        start = end + 1;
        // mutant: number += 1;
        number += u64::from(blank < line.len());
        // mutant: let text = &source[from..end];
        let text = &source[from - shift..end - shift];
        let (base, record) = (offset + (from - shift) as u64, Some(number));
        (blank < line.len()).then_some(Excerpt { text, base, record, locations: None })
    })
}
