//! Reads the records of a window, one after the other.

#![forbid(unsafe_code)]

use std::iter::Peekable;
use std::ops::ControlFlow;
use std::ops::Deref;
use std::vec;

use serde_core::Deserialize;

use crate::de::Deserializer;
use crate::document::Listed;
use crate::document::Parser;
use crate::document::View;
use crate::error::Error;
use crate::error::Position;
use crate::explain::Text;
use crate::explain::explain;
use crate::explain::locate_in;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::scan;

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

    /// Moves over some lines.
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
            near: None,
            has_lines: self.has_lines,
            document: self.offset + document as u64,
            framing: Framing::Lines,
            record: Some(record),
            abridged: None,
        }
    }
}

/// The records of a window that have not been read, and memory that is reused from window to window.
#[derive(Debug)]
pub(super) struct Records {
    options: Options,
    /// Number of records in the windows before.
    before: u64,
    /// Number of records of the window that have been read.
    count: u64,
    /// Number of records of the window, if all are valid.
    total: u64,
    /// The first token of the next record, if all are valid.
    token: usize,
    /// The start of the window.
    window: Start,
    /// The start of a line, which is the next one if some record is invalid; and its index in the window.
    start: Start,
    line: usize,
    /// The errors of the invalid records. They were found in the window alone.
    errors: Peekable<vec::IntoIter<Error>>,
    /// Receives strings with escapes.
    scratch: Vec<u8>,
    /// Reads the valid lines of a window that has invalid ones. It has the recursion limit of all values.
    parser: Parser,
}

impl Records {
    /// Returns the reader of an input whose first byte has this offset.
    pub(super) fn new(offset: u64, options: &Options) -> Self {
        let start = Start::of_input(offset);
        Self {
            options: options.clone().framing(Framing::Lines).threads(1),
            before: 0,
            count: 0,
            total: 0,
            token: 0,
            window: start,
            start,
            line: 0,
            errors: Vec::new().into_iter().peekable(),
            scratch: Vec::new(),
            parser: Parser::with_options(&options.clone().unique_keys(false).ijson(false)),
        }
    }

    /// Sets how many containers may be open in a value.
    pub(super) fn limit_recursion(&mut self, levels: usize) {
        self.parser.recursion_limit = levels;
    }

    /// Begins a window at `start`, which may be the end of the input.
    pub(super) fn begin_window(&mut self, start: Start) {
        self.before += self.count;
        (self.count, self.total, self.token, self.line) = (0, 0, 0, 0);
        (self.window, self.start) = (start, start);
    }

    /// Checks a window that begins at `start`.
    ///
    /// # Errors
    /// Returns an error only if there is not enough memory.
    pub(super) fn check<S: Deref<Target = [u8]>>(&mut self, window: &mut Listed<S>, start: Start) -> Result<(), Error> {
        self.begin_window(start);
        if let Some(records) = window.list_lines(&self.options)? {
            self.total = records;
            return Ok(());
        }
        let mut errors = Vec::new();
        scan(&mut Input::from(&**window.text_mut()), &self.options, &mut Check, &mut |error| {
            errors.push(error);
            ControlFlow::Continue(())
        })?;
        self.errors = errors.into_iter().peekable();
        Ok(())
    }

    /// Counts records from the next window on.
    #[cfg(feature = "threads")]
    pub(super) fn forget(&mut self) {
        (self.before, self.count) = (0, 0);
    }

    /// Returns the number of records that have been read in all windows.
    pub(super) fn read(&self) -> u64 {
        self.before + self.count
    }

    /// Returns the number of records of the window, or 0 if it is not known.
    #[cfg(feature = "threads")]
    pub(super) fn total(&self) -> usize {
        usize::try_from(self.total).unwrap_or(0)
    }

    /// Reads the next record of a window, if there is one. `view` has the tokens if all records are valid.
    #[inline]
    pub(super) fn next<'de, T: Deserialize<'de>>(
        &mut self,
        text: &'de [u8],
        view: Option<View<'_, 'de>>,
    ) -> Option<Result<T, Error>> {
        let Some(view) = view else { return self.next_line(text) };
        if self.count == self.total {
            return None;
        }
        self.count += 1;
        let mut deserializer = Deserializer::new(view, &mut self.scratch, self.parser.recursion_limit);
        deserializer.next = self.token;
        match T::deserialize(&mut deserializer) {
            Ok(value) if deserializer.next != self.token => {
                self.token = deserializer.next;
                Some(Ok(value))
            }
            Ok(_) => {
                let error = deserializer.unread();
                Some(Err(self.after_failure(view, error)))
            }
            Err(error) => Some(Err(self.after_failure(view, error))),
        }
    }

    /// Passes a record that was not read, and adds its place to the error.
    #[cold]
    fn after_failure(&mut self, view: View<'_, '_>, error: Error) -> Error {
        let text = view.text();
        let document = view.start(self.token);
        self.token = view.pass(self.token);
        if let Some(last) = memchr::memrchr(b'\n', &text[self.line..document]) {
            self.start.pass(&text[self.line..=self.line + last]);
            self.line += last + 1;
        }
        let error = error.with_offset(document as u64).after(self.window.offset);
        locate_in(error, &self.start.text(&text[self.line..], document - self.line, self.read()))
    }

    /// Reads the next record of a window with invalid records. The errors of these are explained again where they are in the input.
    #[cold]
    fn next_line<'de, T: Deserialize<'de>>(&mut self, text: &'de [u8]) -> Option<Result<T, Error>> {
        loop {
            let rest = &text[self.line..];
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            if length == 0 {
                return None;
            }
            let (line, start) = (&rest[..length], self.start);
            self.line += length;
            self.start.pass(line);
            let Some(document) = line.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) else {
                continue;
            };
            self.count += 1;
            if let Some(error) = self.errors.next_if(|error| error.record() == Some(self.count)) {
                let fault = error.fault().after(self.window.offset);
                return Some(Err(explain(fault, &start.text(line, document, self.read()))));
            }
            let result = match self.parser.deserializer(line) {
                Ok(mut deserializer) => {
                    T::deserialize(&mut deserializer).and_then(|value| deserializer.read_all().map(|()| value))
                }
                Err(error) => return Some(Err(error)),
            };
            return Some(result.map_err(|error| {
                let error = error.with_offset(document as u64).after(start.offset);
                locate_in(error, &start.text(line, document, self.read()))
            }));
        }
    }
}
