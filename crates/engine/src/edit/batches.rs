//! Edits of inputs in memory and of mapped files, in batches of records: those of a batch are made on any thread, and what becomes of it
//! is written in the order of the input.

#![forbid(unsafe_code)]

use std::io::BufWriter;
use std::io::Write;
use std::ops::ControlFlow;
use std::ops::Range;

use crate::documents::DocumentBatch;
use crate::documents::map_documents;
use crate::edit::BUFFER;
use crate::edit::EditError;
use crate::edit::EditSummary;
use crate::edit::Edits;
use crate::edit::error::Failure;
use crate::edit::making::DocumentLocation;
use crate::edit::making::DocumentSettings;
use crate::edit::making::common_prefix;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::input::START;
use crate::input::advance;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;

/// What becomes of a batch.
#[derive(Default)]
struct Edited {
    /// From where it begins to the end of its last record, or of the last one before that with which an edit has failed.
    range: Range<u64>,
    /// The new text of this range.
    text: Vec<u8>,
    changed: u64,
    first_change: Option<u64>,
    /// Number of values that edits were made at.
    edits: u64,
    failure: Option<Failed>,
}

/// The record with which an edit has failed.
struct Failed {
    /// Its index in the batch.
    index: u64,
    offset: u64,
    raw: Vec<u8>,
    /// Where it begins in the text of the batch.
    start: usize,
    /// The number of the edit.
    edit: usize,
    failure: Failure,
}

impl Edits {
    /// Writes the documents of an input with the changes, on as many threads as `options` allow. Returns `None`, and has written nothing,
    /// if the input is not in memory and no mapped file, or is a JSON text sequence, whose batches have no separators.
    pub(super) fn apply_to_batches(
        &self,
        input: &Input<'_>,
        output: &mut dyn Write,
        options: &Options,
    ) -> Result<Option<EditSummary>, EditError> {
        let has_separators = options.framing == Framing::Sequence;
        let Some((view, bytes)) = input.view().filter(|_| input.start() == 0 && !has_separators) else {
            return Ok(None);
        };
        let mut output = BufWriter::with_capacity(BUFFER, output);
        let (mut summary, mut failure, mut at) = (EditSummary::default(), None, 0);
        let settings = DocumentSettings { is_line: options.framing == Framing::Lines, most: options.max_memory };
        let read = map_documents(
            view,
            options,
            |batch| self.edit_batch(batch, settings),
            |mapped| {
                let write = |output: &mut BufWriter<_>, text: &[u8], at| {
                    output.write_all(text).map_err(|error| EditError::from(Error::write(error, at)))
                };
                let written = mapped.map_err(EditError::from).and_then(|mapped| {
                    let edited = mapped.result?;
                    if !edited.range.is_empty() {
                        // Between batches is only whitespace.
                        write(&mut output, part(bytes, at..edited.range.start), at)?;
                        write(&mut output, &edited.text, edited.range.start)?;
                        at = edited.range.end;
                        input.release(at);
                    }
                    summary.changed += edited.changed;
                    summary.edits += edited.edits;
                    summary.first_change = summary.first_change.or(edited.first_change);
                    match edited.failure {
                        Some(failed) => Err(failed.error(mapped.number, bytes, options)),
                        None => Ok(()),
                    }
                });
                failure = written.err();
                if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        // What was complete before an error is written.
        output.flush().map_err(|error| Error::write(error, at))?;
        input.check_unchanged()?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let read = read?;
        // A line that is being appended is not read.
        let rest = output.write_all(part(bytes, at..read.bytes)).and_then(|()| output.flush());
        rest.map_err(|error| Error::write(error, read.bytes))?;
        input.check_unchanged()?;
        Ok(Some(EditSummary { read, ..summary }))
    }

    fn edit_batch(&self, batch: &DocumentBatch<'_>, settings: DocumentSettings) -> Result<Edited, Error> {
        let mut edited = Edited { range: batch.offset()..batch.offset(), ..Edited::default() };
        // What is not yet copied, up to the end of the last record: what follows that belongs to the next one.
        let mut rest = 0..0;
        for (index, record) in (0..).zip(batch.records()) {
            let (raw, start, offset) = (record.raw().as_bytes(), record.start(), batch.offset_of(record));
            match self.edit(record, None, settings, &mut edited.edits) {
                Ok(Some(changed)) if changed != raw => {
                    edited.copy(batch, rest.start..start)?;
                    edited.add(&changed)?;
                    edited.first_change.get_or_insert_with(|| offset + common_prefix(&changed, raw) as u64);
                    edited.changed += 1;
                    rest.start = start + raw.len();
                }
                Ok(_) => {}
                Err((edit, failure)) => {
                    let mut kept = Vec::new();
                    kept.room(raw.len(), OutOfMemory::Text)?;
                    kept.extend_from_slice(raw);
                    edited.failure = Some(Failed { index, offset, raw: kept, start, edit, failure });
                    break;
                }
            }
            rest.end = start + raw.len();
            edited.range.end = offset + raw.len() as u64;
        }
        edited.copy(batch, rest)?;
        Ok(edited)
    }
}

impl Edited {
    fn add(&mut self, text: &[u8]) -> Result<(), OutOfMemory> {
        self.text.room(text.len(), OutOfMemory::Output)?;
        self.text.extend_from_slice(text);
        Ok(())
    }

    /// Copies a part of the text of a batch.
    fn copy(&mut self, batch: &DocumentBatch<'_>, range: Range<usize>) -> Result<(), OutOfMemory> {
        batch.source_parts(range).try_for_each(|part| self.add(part))
    }
}

impl Failed {
    /// `number` is that of the first document of the batch, and `bytes` the whole input.
    fn error(self, number: u64, bytes: &[u8], options: &Options) -> EditError {
        let has_number = !matches!(options.framing, Framing::Document);
        let place = DocumentLocation {
            text: &self.raw,
            base: self.offset,
            at: advance(START, part(bytes, 0..self.offset)),
            record: has_number.then_some(number + self.index),
        };
        place.error(self.edit, self.failure, |index| index.saturating_sub(self.start))
    }
}

/// Returns a part of the input.
pub(super) fn part(bytes: &[u8], range: Range<u64>) -> &[u8] {
    let [start, end] = [range.start, range.end].map(|offset| usize::try_from(offset).unwrap_or(usize::MAX));
    bytes.get(start..end).unwrap_or_default()
}
