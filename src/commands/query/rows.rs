//! `--rows`: the values that become rows of a table, and the evaluation of the columns on them.
//!
//! The values are collected on lines, because the engine evaluates the lines of a batch together and on several threads. Line
//! breaks in a value are whitespace between tokens, so they are replaced by spaces.

#![forbid(unsafe_code)]

use crate::commands::query::table::Row;
use crate::commands::query::value;
use crate::exit::RunError;
use crate::name::Name;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Search;
use std::ops::ControlFlow;

/// Number of bytes of a batch. Starting threads for a batch takes little time compared to its evaluation.
const BATCH_SIZE: usize = 4 << 20;

/// The file changed after the values were validated.
const CHANGED: &str = "the file changed while it was being read";
const TOO_DEEP: &str = "a row is nested more deeply than these columns accept; use --max-depth to accept more levels";

/// Values that have not been written as rows yet.
#[derive(Default)]
pub struct Batch {
    lines: Vec<u8>,
    count: u64,
}

impl Batch {
    /// Adds a value. Returns an error if there is no memory.
    pub fn add(&mut self, text: &[u8]) -> Result<(), &'static str> {
        let start = self.lines.len();
        value::write_unchanged(text, &mut self.lines)?;
        for byte in &mut self.lines[start..] {
            *byte = if *byte == b'\n' { b' ' } else { *byte };
        }
        self.lines.push(b'\n');
        self.count += 1;
        Ok(())
    }

    pub fn is_full(&self) -> bool {
        self.lines.len() >= BATCH_SIZE
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Passes rows for the values to `write`, and empties the batch. `name` is the input of the values.
    pub fn write(
        &mut self,
        search: &Search<'_>,
        options: &Options,
        name: &Name,
        row: &mut Row,
        write: &mut dyn FnMut(&mut Vec<u8>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let mut writer = RowWriter { name, row, write, text: Vec::new(), rows: 0, failure: None };
        let searched = search.run(&self.lines, &options.clone().framing(Framing::Lines), &mut writer);
        let result = match (writer.failure.take(), searched) {
            (Some(failure), _) => Err(failure),
            (None, Err(error)) => Err(RunError::new(name.clone(), error.to_string())),
            (None, Ok(_)) => writer.end_rows(self.count),
        };
        // The rows before one that cannot be written are complete.
        let mut rest = writer.text;
        self.lines.clear();
        self.count = 0;
        write(&mut rest).and(result)
    }
}

/// Handler that writes the rows of a batch.
struct RowWriter<'w> {
    name: &'w Name,
    row: &'w mut Row,
    write: &'w mut dyn FnMut(&mut Vec<u8>) -> Result<(), RunError>,
    /// Rows that have not been passed to `write` yet.
    text: Vec<u8>,
    /// Number of rows begun.
    rows: u64,
    failure: Option<RunError>,
}

/// Number of bytes of rows that are written at once.
const PIECE: usize = 64 * 1024;

impl RowWriter<'_> {
    fn add(&mut self, matched: &Match<'_>) -> Result<(), RunError> {
        let number = matched.record().unwrap_or_default();
        if number > self.rows {
            // Values without a match in any column are rows, too.
            self.end_rows(number - 1)?;
            self.rows = number;
        }
        self.row.add(matched, &mut self.text).map_err(|reason| self.failure(reason))
    }

    /// Ends the current row, and writes empty ones until there are `count` rows.
    fn end_rows(&mut self, count: u64) -> Result<(), RunError> {
        if self.rows > 0 {
            self.row.end(&mut self.text).map_err(|reason| self.failure(reason))?;
        }
        while self.rows < count {
            self.rows += 1;
            self.row.write_empty(&mut self.text).map_err(|reason| self.failure(reason))?;
            self.flush()?;
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), RunError> {
        if self.text.len() < PIECE { Ok(()) } else { (self.write)(&mut self.text) }
    }

    fn failure(&self, reason: &str) -> RunError {
        RunError::new(self.name.clone(), reason)
    }
}

impl MatchHandler for RowWriter<'_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.failure = self.add(matched).err();
        if self.failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        // The rows were validated before.
        let reason = if error.kind() == ErrorKind::DepthLimit { TOO_DEEP } else { CHANGED };
        self.failure = Some(self.failure(reason));
        ControlFlow::Break(())
    }
}
