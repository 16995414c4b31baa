//! `--rows`: the values that become rows of a table, and the evaluation of the columns on them.
//!
//! The values are collected on lines, because the engine evaluates the lines of a batch together and on several threads. Line
//! breaks in a value are whitespace between tokens, so they are replaced by spaces.

#![forbid(unsafe_code)]

use crate::commands::query::table::Row;
use crate::commands::query::value;
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
    /// Offset of each value in the input.
    starts: Vec<u64>,
}

impl Batch {
    /// Adds a value that begins at `start`. Returns an error if there is no memory.
    pub fn add(&mut self, text: &[u8], start: u64) -> Result<(), &'static str> {
        let line = self.lines.len();
        self.starts.try_reserve(1).map_err(|_| value::OUT_OF_MEMORY)?;
        value::write_unchanged(text, &mut self.lines)?;
        for byte in &mut self.lines[line..] {
            *byte = if *byte == b'\n' { b' ' } else { *byte };
        }
        self.lines.push(b'\n');
        self.starts.push(start);
        Ok(())
    }

    pub fn is_full(&self) -> bool {
        self.lines.len() >= BATCH_SIZE
    }

    /// Passes rows for the values to `write`, until it breaks, and empties the batch. Returns the number of rows. Calls `on_failure`
    /// with the offset of each value whose row cannot be printed, and the reason.
    pub fn write(
        &mut self,
        search: &Search<'_>,
        options: &Options,
        row: &mut Row,
        on_failure: &mut dyn FnMut(u64, &'static str),
        write: &mut dyn FnMut(&mut Vec<u8>) -> ControlFlow<()>,
    ) -> Result<u64, String> {
        let count = self.starts.len() as u64;
        let mut failed = 0;
        let on_failure = &mut |number: u64, reason| {
            failed += 1;
            let start = usize::try_from(number - 1).ok().and_then(|index| self.starts.get(index));
            on_failure(start.copied().unwrap_or_default(), reason);
        };
        let mut writer = RowWriter { row, write, on_failure, text: Vec::new(), rows: 0, failure: None };
        let searched = search.run(&self.lines, &options.clone().framing(Framing::Lines), &mut writer);
        let result = match (writer.failure.take(), searched) {
            (Some(Failure::Output), _) => Ok(()),
            (Some(Failure::Reason(reason)), _) => Err(reason.to_owned()),
            (None, Err(error)) => Err(error.to_string()),
            (None, Ok(_)) => match writer.end_rows(count) {
                Err(Failure::Reason(reason)) => Err(reason.to_owned()),
                Ok(()) | Err(Failure::Output) => Ok(()),
            },
        };
        // The rows before one that cannot be written are complete. If the output has failed, it accepts no more.
        let mut rest = writer.text;
        let _ = write(&mut rest);
        self.lines.clear();
        self.starts.clear();
        result.map(|()| count - failed)
    }
}

/// Why no more rows are written.
enum Failure {
    /// The output has failed, and the error is known elsewhere.
    Output,
    Reason(&'static str),
}

/// Handler that writes the rows of a batch.
struct RowWriter<'w> {
    row: &'w mut Row,
    write: &'w mut dyn FnMut(&mut Vec<u8>) -> ControlFlow<()>,
    /// Receives the number of each row that cannot be printed, and the reason.
    on_failure: &'w mut dyn FnMut(u64, &'static str),
    /// Rows that have not been passed to `write` yet.
    text: Vec<u8>,
    /// Number of rows begun.
    rows: u64,
    failure: Option<Failure>,
}

/// Number of bytes of rows that are written at once.
const PIECE: usize = 64 * 1024;

impl RowWriter<'_> {
    fn add(&mut self, matched: &Match<'_>) -> Result<(), Failure> {
        let number = matched.record().unwrap_or_default();
        if number > self.rows {
            // Values without a match in any column are rows, too.
            self.end_rows(number - 1)?;
            self.rows = number;
        }
        match self.row.add(matched, &mut self.text) {
            Err(value::OUT_OF_MEMORY) => Err(Failure::Reason(value::OUT_OF_MEMORY)),
            Err(reason) => {
                self.row.discard(matched);
                (self.on_failure)(number, reason);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Ends the current row, and writes empty ones until there are `count` rows.
    fn end_rows(&mut self, count: u64) -> Result<(), Failure> {
        if self.rows > 0 {
            self.row.end(&mut self.text).map_err(Failure::Reason)?;
        }
        while self.rows < count {
            self.rows += 1;
            self.row.write_empty(&mut self.text).map_err(Failure::Reason)?;
            self.flush()?;
        }
        self.flush()
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
        self.failure = self.add(matched).err();
        if self.failure.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        // The rows were validated before.
        let reason = if error.kind() == ErrorKind::DepthLimit { TOO_DEEP } else { CHANGED };
        self.failure = Some(Failure::Reason(reason));
        ControlFlow::Break(())
    }
}
