//! Whole lines for the general evaluator: checked a stretch at a time and asked record by record, on several cores.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::parallel;
use crate::parallel::Hand;
use crate::parallel::Lines;
use crate::query::documents::Checked;
use crate::query::documents::Reader;
use crate::query::stream::Check;
use crate::query::stream::Excerpt;
use crate::walk::Passed;
use memchr::memchr_iter;
use std::ops::ControlFlow;

/// Deals with records on any thread.
pub(super) trait Helper: Copy + Send + Sync {
    type Made: Default + Send;

    /// Takes the next record of a stretch, with its offset and its number in it; may end the work. Nothing if the records have to be
    /// taken by the reader itself.
    fn take(self, record: Checked<'_>, made: &mut Self::Made) -> Option<ControlFlow<()>>;
}

/// Passes over as many whole lines from `from` on as are in memory and good, with so many records in front of them: to the end of
/// a record of which the reader has had enough, which is told too.
pub(super) fn pass<R: Reader>(
    lines: &mut Lines,
    options: &Options,
    input: &Input<'_>,
    from: u64,
    number: u64,
    reader: &mut R,
) -> Result<(Option<Passed>, bool), Error> {
    let mut passing = Passing { reader, number, enough: None };
    let passed = lines.pass(options, input, from, &mut passing)?;
    Ok((passing.enough.or(passed), passing.enough.is_some()))
}

struct Passing<'p, R> {
    reader: &'p mut R,
    /// Records before the first line.
    number: u64,
    /// The end of the record of which the reader has had enough.
    enough: Option<Passed>,
}

impl<R: Reader> parallel::Reader for Passing<'_, R> {
    type Hand = Helping<R::Helper>;

    fn hand(&self) -> Self::Hand {
        Helping(self.reader.helper())
    }

    fn read(&mut self, options: &Options, stretch: &[u8], passed: &Passed) -> Result<Option<u64>, Error> {
        let records = options.isa.run(Check { text: stretch, options });
        if records.is_some() {
            for record in each_record(stretch, passed.end, self.number + passed.records) {
                if self.reader.take(record)?.is_break() {
                    self.end_with(record);
                    break;
                }
            }
        }
        Ok(records)
    }

    fn join(
        &mut self,
        made: <R::Helper as Helper>::Made,
        stretch: &[u8],
        passed: &Passed,
        _: &mut Vec<Vec<u8>>,
    ) -> Result<(), Error> {
        let number = self.number + passed.records;
        let joined = self.reader.join(made, Excerpt { text: stretch, base: passed.end, record: Some(number) });
        if let ControlFlow::Break(last) = joined {
            let record = each_record(stretch, passed.end, number).find(|record| record.record == last);
            // A mapped file may have changed, and the record be gone.
            self.end_with(record.unwrap_or(Checked { text: stretch, offset: passed.end, record: last }));
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.enough.is_some()
    }
}

impl<R> Passing<'_, R> {
    fn end_with(&mut self, record: Checked<'_>) {
        let end = record.offset + record.text.len() as u64;
        self.enough = Some(Passed { end, records: record.record.unwrap_or_default() - self.number });
    }
}

#[derive(Clone, Copy)]
struct Helping<H>(H);

impl<H: Helper> Hand for Helping<H> {
    type Made = H::Made;

    fn read(self, options: &Options, text: &[u8], _: Vec<u8>) -> Option<(u64, H::Made)> {
        let records = options.isa.run(Check { text, options })?;
        let mut made = H::Made::default();
        for record in each_record(text, 0, 0) {
            if self.0.take(record, &mut made)?.is_break() {
                break;
            }
        }
        Some((records, made))
    }
}

/// The records of whole lines that begin at an offset, with so many records in front of them.
fn each_record(text: &[u8], offset: u64, number: u64) -> impl Iterator<Item = Checked<'_>> {
    let (mut start, mut number) = (0, number);
    memchr_iter(b'\n', text).filter_map(move |end| {
        let line = &text[start..end];
        let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let offset = offset + (start + blank) as u64;
        start = end + 1;
        number += u64::from(blank < line.len());
        (blank < line.len()).then_some(Checked { text: &line[blank..], offset, record: Some(number) })
    })
}
