//! Reads the records of one window.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use serde_core::de::DeserializeOwned;

use crate::de::Deserializer;
use crate::document::Index;
use crate::document::RECURSION_LIMIT;
use crate::document::View;
use crate::error::Error;
use crate::error::Position;
use crate::explain::Text;
use crate::explain::explain;
use crate::explain::locate_in;
use crate::input::Input;
use crate::lines::cutter::WindowText;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::scan;

/// Memory that is reused from window to window.
#[derive(Debug, Default)]
pub(super) struct Memory {
    index: Index,
    /// Receives strings with escapes.
    scratch: Vec<u8>,
}

/// The values of a window, in order. Errors count records from the start of the window.
#[derive(Debug)]
pub(super) struct Window<T> {
    pub(super) values: Vec<Result<T, Error>>,
}

/// The start of a window or of a line in the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    offset: u64,
    line: u64,
    /// Whether lines are counted from the start of the whole input, and not from that of a range.
    has_lines: bool,
}

impl Start {
    /// Returns the start of an input whose first byte has this offset.
    pub(super) fn of_input(offset: u64) -> Self {
        Self { offset, line: 1, has_lines: offset == 0 }
    }

    /// Moves over a window or a line.
    pub(super) fn pass(&mut self, text: &[u8]) {
        self.offset += text.len() as u64;
        self.line += memchr::memchr_iter(b'\n', text).count() as u64;
    }

    /// Returns what is known about the error in a record. The text of `line` begins here, and the record at index `document` of it.
    fn text(self, line: &[u8], document: usize, record: u64) -> Text<'_> {
        Text {
            bytes: line,
            base: self.offset,
            at: Position { line: self.line, column: 1 },
            has_lines: self.has_lines,
            document: self.offset + document as u64,
            framing: Framing::Lines,
            record: Some(record),
        }
    }
}

impl<T> Window<T> {
    /// Adds the number of records before the window to its errors, and its own records to the number.
    pub(super) fn count(&mut self, records: &mut u64) {
        for error in self.values.iter_mut().filter_map(|value| value.as_mut().err()) {
            error.follow(*records);
        }
        *records += self.values.len() as u64;
    }
}

impl Memory {
    /// Reads the records of a window.
    ///
    /// # Errors
    /// Returns an error only if there is not enough memory.
    pub(super) fn read<T: DeserializeOwned>(
        &mut self,
        text: &WindowText,
        start: Start,
        options: &Options,
    ) -> Result<Window<T>, Error> {
        let is_strict = options.unique_keys || options.ijson;
        if !is_strict && let Some((view, records)) = View::of_lines(text.with_line_break(), &mut self.index, options)? {
            return Ok(Window { values: read_view(view, start, records, &mut self.scratch) });
        }
        let mut errors = Vec::new();
        scan(&mut Input::from(text.in_input()), options, &mut Check, &mut |error| {
            errors.push(error);
            ControlFlow::Continue(())
        })?;
        self.read_lines(text.in_input(), start, errors, options)
    }

    /// Reads the records one by one, except for those that have errors. These were found in the window alone, and are explained
    /// again where they are in the input.
    fn read_lines<T: DeserializeOwned>(
        &mut self,
        text: &[u8],
        mut start: Start,
        errors: Vec<Error>,
        options: &Options,
    ) -> Result<Window<T>, Error> {
        let window = start.offset;
        let mut errors = errors.into_iter().peekable();
        let mut values = Vec::new();
        let plain = options.clone().unique_keys(false).ijson(false);
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            if let Some(document) = line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
                let record = values.len() as u64 + 1;
                if let Some(error) = errors.next_if(|error| error.record() == Some(record)) {
                    values.push(Err(explain(error.fault().after(window), &start.text(line, document, record))));
                } else {
                    let view = View::of_document(line, &mut self.index, &plain)?;
                    let mut value = Deserializer::new(view, &mut self.scratch, RECURSION_LIMIT);
                    values.push(T::deserialize(&mut value).map_err(|error| {
                        let error = error.with_offset(document as u64).after(start.offset);
                        locate_in(error, &start.text(line, document, record))
                    }));
                }
            }
            start.pass(line);
        }
        Ok(Window { values })
    }
}

/// Reads the records of a checked window.
fn read_view<T: DeserializeOwned>(
    view: View<'_, '_>,
    window: Start,
    records: u64,
    scratch: &mut Vec<u8>,
) -> Vec<Result<T, Error>> {
    let text = view.text();
    let mut values = Vec::new();
    // If there is not enough memory, the list grows with its values.
    values.try_reserve(usize::try_from(records).unwrap_or(0)).ok();
    // The start of the line of the last error, and its index in the window.
    let (mut start, mut line) = (window, 0);
    let mut deserializer = Deserializer::new(view, scratch, RECURSION_LIMIT);
    for record in 1..=records {
        let token = deserializer.next;
        let result = T::deserialize(&mut deserializer);
        if result.is_err() || deserializer.next == token {
            deserializer.restart(view.pass(token));
        }
        values.push(result.map_err(|error| {
            let document = view.start(token);
            if let Some(last) = memchr::memrchr(b'\n', &text[line..document]) {
                start.pass(&text[line..=line + last]);
                line += last + 1;
            }
            let error = error.with_offset(document as u64).after(window.offset);
            locate_in(error, &start.text(&text[line..], document - line, record))
        }));
    }
    values
}
