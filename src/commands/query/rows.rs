//! `--rows`: the values that become rows of a table, and the evaluation of the columns on them.
//!
//! The values are collected on lines, because the engine evaluates the lines of a batch together and on several threads. Line
//! breaks in a value are whitespace between tokens, so they are replaced by spaces.

#![forbid(unsafe_code)]

use crate::commands::query::table;
use crate::commands::query::table::CellKind;
use crate::commands::query::table::Row;
use crate::commands::query::table::TWO_MATCHES;
use crate::commands::query::value;
use crate::exit::FILE_CHANGED;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Match;
use fjson::MatchHandler;
use fjson::MatchWriter;
use fjson::Options;
use fjson::Search;
use fjson::Written;
use fjson::scalar::Surrogates;
use std::mem;
use std::ops::ControlFlow;
use std::ops::Range;

/// Number of bytes of a batch. Starting threads for a batch takes little time compared to its evaluation.
const BATCH_SIZE: usize = 4 << 20;

const TOO_DEEP: &str = "a row is nested more deeply than these columns accept; use --max-depth to accept more levels";

/// Values that have not been written as rows yet.
#[derive(Default)]
pub struct Batch {
    lines: Vec<u8>,
    places: Vec<Place>,
    /// The documents of the values, and perhaps a further one, in order.
    documents: Vec<DocumentRows>,
    /// Number of bytes of their cells.
    document_bytes: usize,
    /// Whether the values that were written last are arrays, in which no column has selected anything.
    pub are_arrays_without_cells: bool,
}

/// Where a value begins.
struct Place {
    in_lines: u64,
    in_input: u64,
}

/// A document with rows, and the columns of the document.
struct DocumentRows {
    record: Option<u64>,
    /// Number of values before its first one.
    first_row: u64,
    /// Whether its rows cannot be printed: they are left out.
    is_broken: bool,
    cells: Vec<DocumentCell>,
}

impl DocumentRows {
    /// Number of bytes of its cells.
    fn bytes(&self) -> usize {
        self.cells.iter().map(|cell| cell.value.len()).sum()
    }
}

/// The value of a column of a document.
struct DocumentCell {
    column: usize,
    kind: CellKind,
    value: Vec<u8>,
}

impl Batch {
    /// Begins an input, whose documents are others than those before.
    pub fn begin_input(&mut self) {
        self.documents.clear();
        self.document_bytes = 0;
    }

    /// Adds the value of a column of a document, whose rows follow. The error is the reason if these rows cannot be printed, or that
    /// there is no memory.
    pub fn add_to_document(
        &mut self,
        column: usize,
        matched: &Match<'_>,
        surrogates: Surrogates,
    ) -> Result<(), &'static str> {
        let document = self.document(matched.record());
        if document.is_broken {
            return Ok(());
        }
        let mut value = Vec::new();
        let kind = if document.cells.iter().any(|cell| cell.column == column) {
            Err(TWO_MATCHES)
        } else {
            table::write_value(matched.text(), surrogates, &mut value)
        };
        let length = value.len();
        match kind {
            Ok(kind) => {
                document.cells.push(DocumentCell { column, kind, value });
                self.document_bytes += length;
                Ok(())
            }
            Err(reason) => {
                document.is_broken = true;
                let unused = document.bytes();
                document.cells.clear();
                self.document_bytes -= unused;
                Err(reason)
            }
        }
    }

    /// Returns the document with this record number, which is the last one or follows it.
    fn document(&mut self, record: Option<u64>) -> &mut DocumentRows {
        let count = self.count();
        if self.documents.last().is_none_or(|document| document.record != record) {
            // A document without rows is no longer needed.
            if let Some(unused) = self.documents.pop_if(|document| document.first_row == count) {
                self.document_bytes -= unused.bytes();
            }
            self.documents.push(DocumentRows { record, first_row: count, is_broken: false, cells: Vec::new() });
        }
        let last = self.documents.len() - 1;
        &mut self.documents[last]
    }

    /// Adds a value. Returns an error if there is no memory.
    pub fn add(&mut self, matched: &Match<'_>) -> Result<(), &'static str> {
        // The document may have no value in any column.
        if !self.documents.is_empty() && self.document(matched.record()).is_broken {
            return Ok(());
        }
        let line = self.lines.len();
        self.places.try_reserve(1).map_err(|_| value::OUT_OF_MEMORY)?;
        value::write_unchanged(matched.text(), &mut self.lines)?;
        for byte in &mut self.lines[line..] {
            *byte = if *byte == b'\n' { b' ' } else { *byte };
        }
        self.lines.push(b'\n');
        self.places.push(Place { in_lines: line as u64, in_input: matched.range().start });
        Ok(())
    }

    /// Takes the lines out of the batch, without their documents.
    pub fn take(&mut self) -> Vec<u8> {
        self.places.clear();
        mem::take(&mut self.lines)
    }

    /// Gives memory back to an empty batch.
    pub fn give_back(&mut self, mut lines: Vec<u8>) {
        lines.clear();
        self.lines = lines;
    }

    pub fn is_full(&self) -> bool {
        self.lines.len() + self.document_bytes >= BATCH_SIZE
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.places.len() as u64
    }

    /// Passes rows for the values to `write`, until it breaks, and empties the batch. Returns the number of rows. The search is that
    /// for the columns of the row, whose numbers follow. Calls `on_failure` with the offset of the match because of which a row cannot
    /// be printed, and the reason.
    pub fn write(
        &mut self,
        (search, columns): (&Search<'_>, &[usize]),
        options: &Options,
        row: &mut Row,
        on_failure: &mut dyn FnMut(u64, &'static str),
        write: &mut dyn FnMut(&mut Vec<u8>) -> ControlFlow<()>,
    ) -> Result<u64, String> {
        let count = self.count();
        let mut failed = 0;
        let rows = Rows { columns, places: &self.places, documents: &self.documents };
        let on_failure = &mut |start, reason| {
            failed += 1;
            on_failure(rows.in_input(start), reason);
        };
        let any_thread = RecordWriter { rows, row: row.clone() };
        let mut writer = RowWriter::new(rows, 0, row, on_failure, write);
        let options = options.clone().framing(Framing::Lines);
        let searched = search.run_with(&self.lines, &options, Some(&any_thread), &mut writer);
        let result = match (writer.failure.take(), searched) {
            (Some(Failure::Output), _) => Ok(()),
            (Some(Failure::Reason(reason)), _) => Err(reason.to_owned()),
            (None, Err(error)) => Err(error.to_string()),
            (None, Ok(_)) => match writer.end_rows(count) {
                Err(Failure::Reason(reason)) => Err(reason.to_owned()),
                Ok(()) | Err(Failure::Output) => Ok(()),
            },
        };
        self.are_arrays_without_cells = count > 0
            && !writer.has_cells
            && self.lines.split_inclusive(|&byte| byte == b'\n').all(|line| line.starts_with(b"["));
        // The rows before one that cannot be written are complete. If the output has failed, it accepts no more.
        let mut rest = writer.text;
        let _ = write(&mut rest);
        self.lines.clear();
        self.places.clear();
        // More rows of the last document may follow.
        self.documents.drain(..self.documents.len().saturating_sub(1));
        for document in &mut self.documents {
            document.first_row = 0;
            self.document_bytes = document.bytes();
        }
        result.map(|()| count - failed)
    }
}

/// Writes rows for the values of a batch of records or elements, on any thread.
pub struct ValueWriter<'s> {
    /// The search for the columns of the row, and their numbers.
    pub search: Search<'s>,
    pub columns: &'s [usize],
    /// Those of the search. It uses one thread.
    pub options: Options,
    /// A row that has no cells.
    pub row: Row,
}

impl MatchWriter for ValueWriter<'_> {
    /// Returns the number of rows.
    fn write(&self, matches: &mut dyn Iterator<Item = Match<'_>>, _: Range<u64>, text: &mut Vec<u8>) -> Option<u64> {
        let (mut batch, mut row, mut has_failed) = (Batch::default(), self.row.clone(), false);
        for matched in matches {
            batch.add(&matched).ok()?;
        }
        let on_failure = &mut |_, _| has_failed = true;
        let written = batch.write((&self.search, self.columns), &self.options, &mut row, on_failure, &mut |rows| {
            text.append(rows);
            ControlFlow::Continue(())
        });
        // The handler, which then receives the matches, reports the failure.
        written.ok().filter(|_| !has_failed && !batch.are_arrays_without_cells)
    }
}

/// Why no more rows are written.
enum Failure {
    /// The output has failed, and the error is known elsewhere.
    Output,
    Reason(&'static str),
}

/// The rows of a batch.
#[derive(Clone, Copy)]
struct Rows<'b> {
    /// The numbers of the columns of the row.
    columns: &'b [usize],
    places: &'b [Place],
    /// The documents of the rows that have not begun, and that of the last row that has.
    documents: &'b [DocumentRows],
}

impl Rows<'_> {
    /// Returns the number of rows before this offset in the lines.
    fn before(&self, offset: u64) -> u64 {
        self.places.partition_point(|place| place.in_lines < offset) as u64
    }

    /// Returns the offset in the input of what is at this offset in the lines.
    fn in_input(&self, offset: u64) -> u64 {
        let row = self.places.partition_point(|place| place.in_lines <= offset).checked_sub(1);
        row.map_or(0, |row| self.places[row].in_input + (offset - self.places[row].in_lines))
    }
}

/// Writes rows on any thread.
struct RecordWriter<'b> {
    rows: Rows<'b>,
    /// A row that has no cells.
    row: Row,
}

impl MatchWriter for RecordWriter<'_> {
    /// Returns the number of cells.
    fn write(
        &self,
        matches: &mut dyn Iterator<Item = Match<'_>>,
        range: Range<u64>,
        text: &mut Vec<u8>,
    ) -> Option<u64> {
        let before = self.rows.before(range.start);
        let (mut row, mut cells, mut has_failed) = (self.row.clone(), 0, false);
        let mut on_failure = |_, _| has_failed = true;
        let mut keep = |_: &mut Vec<u8>| ControlFlow::Continue(());
        let mut writer = RowWriter::new(self.rows, before, &mut row, &mut on_failure, &mut keep);
        writer.text = mem::take(text);
        for matched in matches {
            writer.add(before + matched.record()?, &matched).ok()?;
            cells += 1;
        }
        writer.end_rows(self.rows.before(range.end)).ok()?;
        *text = writer.text;
        // The handler, which then receives the matches, reports the failure.
        (!has_failed).then_some(cells)
    }
}

/// Handler that writes the rows of a batch.
struct RowWriter<'w> {
    rows: Rows<'w>,
    row: &'w mut Row,
    write: &'w mut dyn FnMut(&mut Vec<u8>) -> ControlFlow<()>,
    /// Receives the offset in the lines of the match because of which a row cannot be printed, and the reason.
    on_failure: &'w mut dyn FnMut(u64, &'static str),
    /// Rows that have not been passed to `write` yet.
    text: Vec<u8>,
    /// Number of rows begun.
    begun: u64,
    /// Whether a column has selected anything.
    has_cells: bool,
    failure: Option<Failure>,
}

/// Number of bytes of rows that are written at once.
const PIECE: usize = 64 * 1024;

impl<'w> RowWriter<'w> {
    /// Creates a writer of the rows after the first `before`.
    fn new(
        rows: Rows<'w>,
        before: u64,
        row: &'w mut Row,
        on_failure: &'w mut dyn FnMut(u64, &'static str),
        write: &'w mut dyn FnMut(&mut Vec<u8>) -> ControlFlow<()>,
    ) -> Self {
        Self { rows, row, write, on_failure, text: Vec::new(), begun: before, has_cells: false, failure: None }
    }

    /// Adds a match in the row with this number, from 1.
    fn add(&mut self, number: u64, matched: &Match<'_>) -> Result<(), Failure> {
        self.has_cells = true;
        // Values without a match in any column are rows, too.
        self.begin_rows(number)?;
        let column = self.rows.columns.get(matched.query()).copied().unwrap_or_default();
        match self.row.add_to(column, matched.text()) {
            Err(value::OUT_OF_MEMORY) => Err(Failure::Reason(value::OUT_OF_MEMORY)),
            Err(reason) => {
                self.row.discard(matched);
                (self.on_failure)(matched.range().start, reason);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Begins rows until this number of them has begun.
    fn begin_rows(&mut self, count: u64) -> Result<(), Failure> {
        while self.begun < count {
            self.end_row()?;
            while let [_, next, ..] = self.rows.documents
                && next.first_row <= self.begun
            {
                self.rows.documents = &self.rows.documents[1..];
            }
            self.row.begin_value();
            // The first rows may be those of a document without columns.
            let document = self.rows.documents.first().filter(|document| document.first_row <= self.begun);
            for DocumentCell { column, kind, value } in document.map_or(&[][..], |document| &document.cells) {
                self.row.fill(*column, *kind, value).map_err(Failure::Reason)?;
            }
            self.begun += 1;
        }
        Ok(())
    }

    /// Ends the row that has begun, if there is one.
    fn end_row(&mut self) -> Result<(), Failure> {
        if self.begun > 0 {
            self.row.end(&mut self.text).map_err(Failure::Reason)?;
        }
        self.flush()
    }

    /// Ends the rows, of which there are `count`.
    fn end_rows(&mut self, count: u64) -> Result<(), Failure> {
        self.begin_rows(count)?;
        self.end_row()
    }

    /// Adds rows that were written on any thread.
    fn add_written(&mut self, written: &mut Written) -> Result<(), Failure> {
        self.end_rows(self.rows.before(written.range.start))?;
        self.begun = self.rows.before(written.range.end);
        self.has_cells |= written.number > 0;
        self.text.append(&mut written.text);
        self.flush()
    }

    /// Continues unless it has failed.
    fn flow(&self) -> ControlFlow<()> {
        if self.failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.text.len() < PIECE || (self.write)(&mut self.text).is_continue() {
            Ok(())
        } else {
            Err(Failure::Output)
        }
    }
}

impl MatchHandler for RowWriter<'_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.failure = self.add(matched.record().unwrap_or_default(), matched).err();
        self.flow()
    }

    fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        self.failure = self.add_written(written).err();
        Some(self.flow())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        // The rows were validated before.
        let reason = if error.kind() == ErrorKind::DepthLimit { TOO_DEEP } else { FILE_CHANGED };
        self.failure = Some(Failure::Reason(reason));
        ControlFlow::Break(())
    }
}
