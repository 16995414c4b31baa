//! Printing of matches.
//!
//! Output goes to the event sink of an input, which breaks if the output has failed.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use crate::args::query::Query;
use crate::colorizer::Colorizer;
use crate::commands::colors;
use crate::commands::pretty::MAX_DEPTH;
use crate::commands::query::place;
use crate::commands::query::rows::Batch;
use crate::commands::query::rows::ValueWriter;
use crate::commands::query::table::Row;
use crate::commands::query::value;
use crate::name::Name;
use crate::report::Event;
use crate::sanitize;
use crate::scheduler::EventSink;
use crate::target::Target;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Layout;
use fjson::Match;
use fjson::MatchWriter;
use fjson::Options;
use fjson::Search;
use fjson::Written;
use std::mem;
use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

/// Size of the output buffer.
const BUFFER_SIZE: usize = 64 * 1024;

/// What colors the name of an input, and the colon after it, as `grep` does.
const LABEL_COLORS: [&str; 2] = ["\x1b[35m", "\x1b[0m\x1b[36m:\x1b[0m"];

const NUL_INSIDE: &str = "a match contains U+0000, so it cannot be terminated by a NUL";
const TOO_DEEP: &str = "a match is nested too deeply to be indented";

/// Printer of matches.
#[derive(Clone)]
pub struct Output<'o> {
    printing: &'o Printing,
    is_terminal: bool,
    /// Output that has not been written yet.
    text: Vec<u8>,
    /// Buffer for the copy of a match; see [`value::stable_input`].
    copy: Vec<u8>,
    /// Number of matches printed, or of rows begun.
    printed: u64,
    /// Largest number of matches or rows to print.
    limit: u64,
    /// Current row, for `--csv` and `--tsv`.
    row: Option<Row>,
    /// The name of the input and a colon, for `--with-filename` without a table.
    label: Vec<u8>,
    /// Whether strings, numbers and literals are printed unchanged, one per line.
    is_plain: bool,
    /// Colors and escapes for people.
    colorizer: Option<Colorizer>,
    /// Whether the output is text with other things than JSON, in which a terminal must not find control characters.
    is_escaped_text: bool,
    /// Buffer for the text to color or to escape.
    uncolored: Vec<u8>,
}

impl<'o> Output<'o> {
    /// Creates a printer to `target`. `names` are those of the columns, one per expression.
    pub fn new(arguments: &'o Query, names: &[String], target: &Target) -> Self {
        let (printing, limit) = (&arguments.printing, arguments.limit());
        let row = printing.is_table().then(|| Row::new(printing, names.len()));
        let Printing { raw, pretty, null_data, array, offsets, .. } = *printing;
        let has_paths = printing.has_paths();
        let is_plain = row.is_none() && !(raw || pretty || null_data || array || has_paths || offsets);
        let is_json = !(printing.is_table() || printing.count || has_paths || offsets);
        let colorizer = if is_json { colors::colorizer(arguments.reporting.color, true, target) } else { None };
        let is_plain = is_plain && !printing.with_filename && colorizer.is_none();
        Self {
            printing,
            is_escaped_text: !is_json && target.is_terminal(),
            is_terminal: target.is_terminal(),
            text: Vec::new(),
            copy: Vec::new(),
            printed: 0,
            limit,
            row,
            label: Vec::new(),
            is_plain,
            colorizer,
            uncolored: Vec::new(),
        }
    }

    /// Adds the names of the columns, if they are wanted.
    pub fn add_header(&mut self, names: &[String]) -> Result<(), &'static str> {
        match &self.row {
            Some(row) if self.printing.header => row.write_header(names.iter().map(String::as_str), &mut self.text),
            _ => Ok(()),
        }
    }

    /// Begins an input with this name.
    pub fn begin_input(&mut self, name: &Name) {
        let name = name.printed(self.is_terminal);
        if let Some(row) = &mut self.row {
            row.begin_input(&name);
        } else if self.printing.with_filename {
            let is_colored = self.colorizer.as_ref().is_some_and(Colorizer::has_colors);
            let [start, colon] = if is_colored { LABEL_COLORS } else { ["", ":"] };
            self.label = [start.as_bytes(), &name, colon.as_bytes()].concat();
        }
    }

    /// Returns a printer of rows for any thread, given the search for the columns of the row and their numbers.
    pub fn value_writer<'s>(
        &self,
        (search, columns): (Search<'s>, &'s [usize]),
        options: Options,
    ) -> Option<ValueWriter<'s>> {
        let row = self.row.clone()?;
        Some(ValueWriter { search, columns, options: options.threads(1), row })
    }

    /// Returns a printer of batches of records for any thread. `None` if what is printed of a match depends on those before it, or is made
    /// for a terminal.
    pub fn record_writer(&self, options: &Options) -> Option<RecordWriter<'o>> {
        let is_independent = self.limit == u64::MAX && !self.printing.array;
        let is_for_terminal = self.is_terminal || self.colorizer.is_some();
        (is_independent && !is_for_terminal).then(|| RecordWriter {
            output: Self { text: Vec::new(), ..self.clone() },
            options: options.clone().threads(1),
            buffers: Mutex::default(),
        })
    }

    /// Adds what a [`RecordWriter`] or [`ValueWriter`] has written. The row before it is complete.
    pub fn add_written(
        &mut self,
        written: &Written,
        sink: &mut dyn EventSink,
    ) -> Result<ControlFlow<()>, &'static str> {
        if let Some(row) = &mut self.row {
            row.end(&mut self.text)?;
        }
        self.printed += written.number;
        let flow = self.push(&written.text, sink);
        Ok(if self.text.len() >= BUFFER_SIZE && flow.is_continue() { self.flush(sink) } else { flow })
    }

    /// Returns the number of matches printed, or of rows begun.
    pub fn printed(&self) -> u64 {
        self.printed
    }

    /// Returns how many more matches or rows may be printed.
    pub fn remaining(&self) -> u64 {
        self.limit - self.printed
    }

    /// Whether the limit on the number of matches or rows is reached.
    pub fn is_full(&self) -> bool {
        self.remaining() == 0
    }

    /// Prints a match. Breaks if the limit on the number of matches or rows is reached, or if the output has failed. The error is
    /// the reason if the match cannot be printed in the requested form.
    pub fn write(
        &mut self,
        matched: &mut Match<'_>,
        options: &Options,
        sink: &mut dyn EventSink,
    ) -> Result<ControlFlow<()>, &'static str> {
        if self.row.is_some() {
            return self.add_to_row(matched, sink);
        }
        let text = matched.text();
        let mut flow = if self.is_plain && !value::is_container(text) {
            let flow = self.push(text, sink);
            self.text.push(b'\n');
            flow
        } else {
            self.write_one(matched, options, sink)?
        };
        self.printed += 1;
        if self.text.len() >= BUFFER_SIZE && flow.is_continue() {
            flow = self.flush(sink);
        }
        Ok(if self.is_full() { ControlFlow::Break(()) } else { flow })
    }

    /// Adds a match to the row of its document. Breaks if that row would be one too many: until then, the last row may get more
    /// matches, or too many of them.
    fn add_to_row(&mut self, matched: &Match<'_>, sink: &mut dyn EventSink) -> Result<ControlFlow<()>, &'static str> {
        let is_full = self.is_full();
        let Some(row) = &mut self.row else { return Ok(ControlFlow::Continue(())) };
        let is_first = row.starts_with(matched);
        if is_full && is_first {
            return Ok(ControlFlow::Break(()));
        }
        if row.is_offset(matched) {
            row.begin(matched, &mut self.text)?;
            return Ok(ControlFlow::Continue(()));
        }
        let is_counted = !is_first && row.is_pending();
        match row.add(matched, &mut self.text) {
            Ok(()) => self.printed += u64::from(is_first),
            Err(reason) => {
                // The row is not printed.
                self.printed -= u64::from(is_counted);
                row.discard(matched);
                return Err(reason);
            }
        }
        Ok(if self.text.len() >= BUFFER_SIZE { self.flush(sink) } else { ControlFlow::Continue(()) })
    }

    /// Appends text to the buffer. Long text is written directly.
    #[inline]
    fn push(&mut self, text: &[u8], sink: &mut dyn EventSink) -> ControlFlow<()> {
        if text.len() < BUFFER_SIZE {
            self.text.extend_from_slice(text);
            return ControlFlow::Continue(());
        }
        self.flush(sink)?;
        self.write_out(text, sink)
    }

    /// Prints a match. The error is the reason if the match cannot be printed in the requested form.
    #[inline(never)]
    fn write_one(
        &mut self,
        matched: &mut Match<'_>,
        options: &Options,
        sink: &mut dyn EventSink,
    ) -> Result<ControlFlow<()>, &'static str> {
        let start = self.text.len();
        self.text.extend_from_slice(&self.label);
        let has_unchanged_text = !self.printing.null_data && self.colorizer.is_none();
        if has_unchanged_text && self.is_unchanged(matched.text()) {
            if self.printing.array {
                self.text.extend_from_slice(if self.printed == 0 { b"[" } else { b"," });
            }
            let flow = self.push(matched.text(), sink);
            if !self.printing.array {
                self.text.push(b'\n');
            }
            return Ok(flow);
        }
        let after_label = self.text.len();
        if let Err(reason) = self.append(matched, options) {
            self.text.truncate(start);
            return Err(reason);
        }
        if self.colorizer.is_none() {
            return Ok(ControlFlow::Continue(()));
        }
        let is_json = !(self.printing.raw && matched.text().starts_with(b"\""));
        Ok(self.color_from(after_label, is_json, sink))
    }

    /// Colors the buffer from `start` on, or only escapes it if it is not JSON.
    fn color_from(&mut self, start: usize, is_json: bool, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let Some(mut colorizer) = self.colorizer.take() else { return ControlFlow::Continue(()) };
        let mut uncolored = mem::take(&mut self.uncolored);
        uncolored.clear();
        uncolored.extend_from_slice(&self.text[start..]);
        self.text.truncate(start);
        let mut flow = ControlFlow::Continue(());
        if is_json {
            for piece in uncolored.chunks(BUFFER_SIZE / 4) {
                colorizer.write(piece, &mut self.text);
                if self.text.len() >= BUFFER_SIZE && flow.is_continue() {
                    flow = self.flush(sink);
                }
            }
            // The matches of an array are one document.
            if !self.printing.array {
                colorizer.end(&mut self.text);
            }
        } else if self.is_terminal {
            sanitize::escape(&uncolored, &mut self.text);
        } else {
            self.text.extend_from_slice(&uncolored);
        }
        self.colorizer = Some(colorizer);
        self.uncolored = uncolored;
        flow
    }

    /// Whether a match is printed exactly as it is in the document.
    fn is_unchanged(&self, text: &[u8]) -> bool {
        let Printing { raw, pretty, offsets, raw_bytes, .. } = *self.printing;
        let is_raw_string = raw && text.first() == Some(&b'"');
        !(is_raw_string || pretty || self.printing.has_paths() || offsets)
            && (raw_bytes || !value::has_line_breaks(text))
    }

    /// Appends a match in the requested form to the buffer.
    fn append(&mut self, matched: &mut Match<'_>, options: &Options) -> Result<(), &'static str> {
        let printing = self.printing;
        if printing.array {
            self.text.extend_from_slice(if self.printed == 0 { b"[" } else { b"," });
            self.text.extend_from_slice(if printing.pretty { b"\n  " } else { b"" });
        }
        let start = self.text.len();
        let text = matched.text();
        if printing.assignments {
            place::write_assignment(matched, &mut self.text)?;
        } else if printing.paths || printing.pointers || printing.offsets {
            place::write(matched, printing, &mut self.text)?;
        } else if printing.raw
            && let [b'"', inside @ .., b'"'] = text
        {
            value::write_unescaped(inside, printing.surrogates(), &mut self.text)?;
        } else {
            self.write_value(text, options)?;
        }
        if printing.null_data {
            if self.text[start..].contains(&0) {
                return Err(NUL_INSIDE);
            }
            self.text.push(0);
        } else if !printing.array {
            self.text.push(b'\n');
        }
        Ok(())
    }

    fn write_value(&mut self, text: &[u8], options: &Options) -> Result<(), &'static str> {
        let printing = self.printing;
        let options = || options.clone().framing(Framing::Document);
        if printing.pretty {
            let start = self.text.len();
            let options = options().max_depth(Some(MAX_DEPTH));
            let input = value::stable_input(text, &mut self.copy);
            let written = fjson::pretty(input, value::FallibleWriter(&mut self.text), &Layout::spaces(2), &options);
            written
                .map_err(|error| if error.kind() == ErrorKind::DepthLimit { TOO_DEEP } else { value::OUT_OF_MEMORY })?;
            // Removes the final newline; the caller adds the terminator.
            self.text.pop();
            if printing.array {
                self.indent_from(start);
            }
        } else if !printing.raw_bytes && value::has_line_breaks(text) {
            value::write_minified(text, &mut self.copy, &options(), &mut self.text)?;
        } else {
            value::write_unchanged(text, &mut self.text)?;
        }
        Ok(())
    }

    /// Indents the lines of the buffer from `start` on by one level, except the first one. Strings contain no line breaks.
    fn indent_from(&mut self, start: usize) {
        let value = self.text.split_off(start);
        for line in value.split_inclusive(|&byte| byte == b'\n') {
            self.text.extend_from_slice(line);
            self.text.extend_from_slice(if line.ends_with(b"\n") { b"  " } else { b"" });
        }
    }

    /// Writes the buffer before the search waits for more input. The row of a record is complete at this point and is written too.
    pub fn flush_before_wait(&mut self, sink: &mut dyn EventSink) -> Result<ControlFlow<()>, &'static str> {
        if let Some(row) = &mut self.row
            && row.is_record()
        {
            row.write_once(&mut self.text)?;
        }
        Ok(self.flush(sink))
    }

    /// Ends the last row of an input and writes the buffer.
    pub fn end_input(&mut self, sink: &mut dyn EventSink) -> Result<ControlFlow<()>, &'static str> {
        if let Some(row) = &mut self.row {
            row.end(&mut self.text)?;
        }
        Ok(self.flush(sink))
    }

    /// Ends the output. An array is only closed if it is complete.
    pub fn end(&mut self, is_complete: bool, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if self.printing.array && is_complete {
            let last = if self.printing.pretty { &b"\n]\n"[..] } else { b"]\n" };
            let start = self.text.len();
            self.text.extend_from_slice(if self.printed == 0 { b"[]\n" } else { last });
            self.color_from(start, true, sink)?;
        }
        self.flush(sink)
    }

    /// Prints a number of matches on a line.
    pub fn print_count(&mut self, count: u64, sink: &mut dyn EventSink) -> ControlFlow<()> {
        self.printed = self.printed.saturating_add(count);
        self.text.extend_from_slice(&self.label);
        self.text.extend_from_slice(format!("{count}\n").as_bytes());
        self.flush(sink)
    }

    /// Prints a row for each value in `batch`, and empties it. `search` is that for the columns of the row, and `columns` has their
    /// numbers. Calls `on_failure` with the offset of the match because of which a row cannot be printed, and the reason.
    pub fn write_rows(
        &mut self,
        batch: &mut Batch,
        columns: &[usize],
        search: &Search<'_>,
        options: &Options,
        sink: &mut dyn EventSink,
        on_failure: &mut dyn FnMut(u64, &'static str),
    ) -> Result<ControlFlow<()>, String> {
        // The row is taken out, because its text is written to this output.
        let Some(mut row) = self.row.take() else { return Ok(ControlFlow::Continue(())) };
        let mut flow = ControlFlow::Continue(());
        let written = batch.write((search, columns), options, &mut row, on_failure, &mut |rows| {
            self.text.append(rows);
            flow = self.flush(sink);
            flow
        });
        self.row = Some(row);
        self.printed += written?;
        Ok(flow)
    }

    pub fn flush(&mut self, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let text = mem::take(&mut self.text);
        let flow = self.write_out(&text, sink);
        self.text = text;
        self.text.clear();
        flow
    }

    fn write_out(&mut self, text: &[u8], sink: &mut dyn EventSink) -> ControlFlow<()> {
        if text.is_empty() {
            return ControlFlow::Continue(());
        }
        if self.is_escaped_text {
            self.uncolored.clear();
            sanitize::escape(text, &mut self.uncolored);
            return sink.write(&self.uncolored);
        }
        sink.write(text)
    }
}

/// Prints the matches in batches of records, on any thread.
pub struct RecordWriter<'o> {
    /// A printer that has printed nothing of the input.
    output: Output<'o>,
    options: Options,
    /// Buffers of earlier outputs, for reuse.
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl RecordWriter<'_> {
    fn buffers(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MatchWriter for RecordWriter<'_> {
    /// Returns the number of matches printed, or of rows.
    fn write(&self, matches: &mut dyn Iterator<Item = Match<'_>>, _: Range<u64>, text: &mut Vec<u8>) -> Option<u64> {
        let (mut output, mut sink) = (self.output.clone(), Collected(text));
        output.text = self.buffers().pop().unwrap_or_default();
        for mut matched in matches {
            // What cannot be printed is reported by the handler, which then receives all matches of the batch.
            if output.write(&mut matched, &self.options, &mut sink).ok()?.is_break() {
                return None;
            }
        }
        let flow = output.end_input(&mut sink).ok()?;
        self.buffers().push(output.text);
        flow.is_continue().then(|| output.printed - self.output.printed)
    }
}

/// Output in memory. It breaks if there is no more.
struct Collected<'t>(&'t mut Vec<u8>);

impl EventSink for Collected<'_> {
    fn send(&mut self, _: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        if value::write_unchanged(bytes, self.0).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
