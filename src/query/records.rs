//! Whole records for the general evaluator: checked a stretch at a time and asked one by one, on several cores.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::parallel;
use crate::parallel::BatchWorker;
use crate::parallel::RecordBatch;
use crate::parallel::RecordBatches;
use crate::query::documents::CheckedDocument;
use crate::query::documents::DocumentReader;
use crate::query::stream::Check;
use crate::query::stream::Excerpt;
use crate::scan::Progress;
use memchr::memchr_iter;
use std::ops::ControlFlow;

/// Deals with records on any thread.
pub(super) trait RecordWorker: Copy + Send + Sync {
    type Output: Default + Send;

    /// Takes the next record of a stretch, with its offset and its number in it; may end the work. Nothing if the records have to be
    /// taken by the reader itself.
    fn take(self, record: CheckedDocument<'_>, output: &mut Self::Output) -> Option<ControlFlow<()>>;
}

/// Passes over as many whole records from `from` on as are in memory and good, with so many others in front of them: to the end of
/// one of which the reader has had enough, which is told too.
pub(super) fn pass<R: DocumentReader>(
    lines: &mut RecordBatches,
    options: &Options,
    input: &Input<'_>,
    from: u64,
    number: u64,
    reader: &mut R,
) -> Result<(Option<Progress>, bool), Error> {
    let mut passing = RecordReader { reader, number, enough: None };
    let passed = lines.pass(options, input, from, &mut passing)?;
    Ok((passing.enough.or(passed), passing.enough.is_some()))
}

struct RecordReader<'p, R> {
    reader: &'p mut R,
    /// Records before the first one.
    number: u64,
    /// The end of the record of which the reader has had enough.
    enough: Option<Progress>,
}

impl<R: DocumentReader> parallel::BatchReader for RecordReader<'_, R> {
    type BatchWorker = CheckedWorker<R::RecordWorker>;

    fn worker(&self) -> Self::BatchWorker {
        CheckedWorker(self.reader.worker())
    }

    fn read(&mut self, options: &Options, batch: &RecordBatch<'_>, passed: &Progress) -> Result<Option<u64>, Error> {
        let records = options.isa.run(Check { text: batch.lines(), options });
        if records.is_some() {
            for record in each_record(batch, passed.end, self.number + passed.records) {
                if self.reader.take(record)?.is_break() {
                    let end = record.offset + record.text.len() as u64;
                    self.end_with(Progress { end, records: record.record.unwrap_or_default() });
                    break;
                }
            }
        }
        Ok(records)
    }

    fn join(
        &mut self,
        output: <R::RecordWorker as RecordWorker>::Output,
        batch: &[u8],
        passed: &Progress,
        _: &mut Vec<Vec<u8>>,
    ) -> Result<(), Error> {
        let number = self.number + passed.records;
        let joined = self.reader.join(output, Excerpt { text: batch, base: passed.end, record: Some(number) });
        if let ControlFlow::Break(last) = joined {
            self.end_with(last);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.enough.is_some()
    }
}

impl<R> RecordReader<'_, R> {
    /// The reader has had enough of what ends here, with so many records.
    fn end_with(&mut self, last: Progress) {
        self.enough = Some(Progress { records: last.records - self.number, ..last });
    }
}

#[derive(Clone, Copy)]
struct CheckedWorker<H>(H);

impl<H: RecordWorker> BatchWorker for CheckedWorker<H> {
    type Output = H::Output;

    fn read(self, options: &Options, batch: &RecordBatch<'_>, _: Vec<u8>) -> Option<(u64, H::Output)> {
        let records = options.isa.run(Check { text: batch.lines(), options })?;
        let mut output = H::Output::default();
        for record in each_record(batch, 0, 0) {
            if self.0.take(record, &mut output)?.is_break() {
                break;
            }
        }
        Some((records, output))
    }
}

/// The records of a stretch that begins at an offset, with so many records in front of it.
fn each_record<'s>(batch: &'s RecordBatch<'_>, offset: u64, number: u64) -> impl Iterator<Item = CheckedDocument<'s>> {
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
