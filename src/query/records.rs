//! Whole records for the general evaluator: checked a stretch at a time and asked one by one, on several cores.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::parallel;
use crate::parallel::Hand;
use crate::parallel::Lines;
use crate::parallel::Stretch;
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

/// Passes over as many whole records from `from` on as are in memory and good, with so many others in front of them: to the end of
/// one of which the reader has had enough, which is told too.
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
    /// Records before the first one.
    number: u64,
    /// The end of the record of which the reader has had enough.
    enough: Option<Passed>,
}

impl<R: Reader> parallel::Reader for Passing<'_, R> {
    type Hand = Helping<R::Helper>;

    fn hand(&self) -> Self::Hand {
        Helping(self.reader.helper())
    }

    fn read(&mut self, options: &Options, stretch: &Stretch<'_>, passed: &Passed) -> Result<Option<u64>, Error> {
        let records = options.isa.run(Check { text: stretch.lines(), options });
        if records.is_some() {
            for record in each_record(stretch, passed.end, self.number + passed.records) {
                if self.reader.take(record)?.is_break() {
                    let end = record.offset + record.text.len() as u64;
                    self.end_with(Passed { end, records: record.record.unwrap_or_default() });
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
            self.end_with(last);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.enough.is_some()
    }
}

impl<R> Passing<'_, R> {
    /// The reader has had enough of what ends here, with so many records.
    fn end_with(&mut self, last: Passed) {
        self.enough = Some(Passed { records: last.records - self.number, ..last });
    }
}

#[derive(Clone, Copy)]
struct Helping<H>(H);

impl<H: Helper> Hand for Helping<H> {
    type Made = H::Made;

    fn read(self, options: &Options, stretch: &Stretch<'_>, _: Vec<u8>) -> Option<(u64, H::Made)> {
        let records = options.isa.run(Check { text: stretch.lines(), options })?;
        let mut made = H::Made::default();
        for record in each_record(stretch, 0, 0) {
            if self.0.take(record, &mut made)?.is_break() {
                break;
            }
        }
        Some((records, made))
    }
}

/// The records of a stretch that begins at an offset, with so many records in front of it.
fn each_record<'s>(stretch: &'s Stretch<'_>, offset: u64, number: u64) -> impl Iterator<Item = Checked<'s>> {
    let (lines, source, mut shift) = (stretch.lines(), stretch.source(), stretch.shift());
    let (mut start, mut number) = (0, number);
    memchr_iter(b'\n', lines).filter_map(move |end| {
        let line = &lines[start..end];
        let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let (from, shift) = (start + blank, shift.at(start));
        start = end + 1;
        number += u64::from(blank < line.len());
        let text = &source[from - shift..end - shift];
        (blank < line.len()).then_some(Checked { text, offset: offset + (from - shift) as u64, record: Some(number) })
    })
}
