//! How matches are written.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use crate::commands::pretty::MAX_DEPTH;
use crate::commands::query::place;
use crate::commands::query::table::Row;
use crate::commands::query::table::Style;
use crate::exit::RunError;
use crate::name::Name;
use crate::source::Source;
use crate::target::Target;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Layout;
use fjson::Match;
use fjson::Options;
use fjson::Query;
use fjson::scalar::StringErrorKind;
use fjson::scalar::Surrogates;
use fjson::scalar::unescape_into;
use std::io;
use std::io::Write;
use std::mem;
use std::ops::ControlFlow;

/// Bytes that are worth a write.
const PIECE: usize = 64 * 1024;

const NO_RAW_FORM: &str =
    "a match has the escape of a surrogate without the other one of its pair, so it has no raw form";
const NUL_INSIDE: &str = "a match has U+0000 in it, so a NUL cannot end it";
const OUT_OF_MEMORY: &str = "out of memory: a match that is not written as it stands";
const TOO_DEEP: &str = "a match is too deep to be indented";

pub struct Output<'o> {
    printing: &'o Printing,
    target: Target,
    /// What has not been written yet.
    text: Vec<u8>,
    /// A match that is read more than once.
    held: Vec<u8>,
    matches: u64,
    most: u64,
    row: Option<Row>,
    /// Whether a string, number or literal is written as it stands, on a line.
    is_plain: bool,
}

impl<'o> Output<'o> {
    pub fn new(printing: &'o Printing, queries: &[Query], most: u64) -> Result<Self, RunError> {
        let style = if printing.csv { Style::Commas } else { Style::Tabs };
        let row = (printing.csv || printing.tsv).then(|| Row::new(style, queries.len()));
        let mut text = Vec::new();
        if printing.header
            && let Some(row) = &row
        {
            row.write_header(queries.iter().map(Query::expression), &mut text);
        }
        let Printing { raw, pretty, null, array, paths, pointers, offsets, .. } = *printing;
        let is_plain = row.is_none() && !(raw || pretty || null || array || paths || pointers || offsets);
        Ok(Self { printing, target: Target::stdout()?, text, held: Vec::new(), matches: 0, most, row, is_plain })
    }

    pub fn must_not_be(&self, source: &Source) -> Result<(), RunError> {
        self.target.taken().must_not_be(source)
    }

    pub fn has_matched(&self) -> bool {
        self.matches > 0
    }

    /// How many more matches are wanted.
    pub fn wanted(&self) -> u64 {
        self.most - self.matches
    }

    /// Whether nothing more is wanted.
    pub fn is_full(&self) -> bool {
        self.wanted() == 0
    }

    pub fn write(
        &mut self,
        matched: &mut Match<'_>,
        name: &Name,
        options: &Options,
    ) -> Result<ControlFlow<()>, RunError> {
        let text = matched.text();
        if self.is_plain && !is_container(text) {
            self.put(text)?;
            self.text.push(b'\n');
        } else if let Err(reason) = self.write_one(matched, options)? {
            return Err(RunError::new(name.clone(), reason));
        }
        self.matches += 1;
        if self.text.len() >= PIECE {
            self.flush()?;
        }
        Ok(if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Appends text, or writes it at once if it is long.
    #[inline]
    fn put(&mut self, text: &[u8]) -> Result<(), RunError> {
        if text.len() < PIECE {
            self.text.extend_from_slice(text);
            return Ok(());
        }
        self.flush()?;
        self.write_out(text)
    }

    /// Writes a match; why it cannot be written is not the output's trouble.
    #[inline(never)]
    fn write_one(&mut self, matched: &mut Match<'_>, options: &Options) -> Result<Result<(), &'static str>, RunError> {
        if self.row.is_none() && !self.printing.null && self.is_as_it_stands(matched.text()) {
            if self.printing.array {
                self.text.extend_from_slice(if self.matches == 0 { b"[" } else { b"," });
            }
            self.put(matched.text())?;
            if !self.printing.array {
                self.text.push(b'\n');
            }
            return Ok(Ok(()));
        }
        Ok(self.append(matched, options))
    }

    /// Whether a match is printed as it stands in the document.
    fn is_as_it_stands(&self, text: &[u8]) -> bool {
        let Printing { raw, pretty, paths, pointers, offsets, raw_bytes, .. } = *self.printing;
        let is_text = raw && text.first() == Some(&b'"');
        let breaks = || is_container(text) && memchr::memchr2(b'\n', b'\r', text).is_some();
        !(is_text || pretty || paths || pointers || offsets) && (raw_bytes || !breaks())
    }

    fn append(&mut self, matched: &mut Match<'_>, options: &Options) -> Result<(), &'static str> {
        if let Some(row) = &mut self.row {
            return row.put(matched, &mut self.text);
        }
        let printing = self.printing;
        if printing.array {
            self.text.extend_from_slice(if self.matches == 0 { b"[" } else { b"," });
            self.text.extend_from_slice(if printing.pretty { b"\n  " } else { b"" });
        }
        let start = self.text.len();
        let text = matched.text();
        if printing.paths || printing.pointers || printing.offsets {
            place::write(matched, printing, &mut self.text)?;
        } else if printing.raw
            && let [b'"', inside @ .., b'"'] = text
        {
            unescape_into(inside, Surrogates::Refuse, &mut self.text).map_err(|error| match error.kind() {
                StringErrorKind::OutOfMemory => OUT_OF_MEMORY,
                _ => NO_RAW_FORM,
            })?;
        } else {
            self.write_value(text, options)?;
        }
        if printing.null {
            if self.text[start..].contains(&0) {
                self.text.truncate(start);
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
            let written =
                fjson::pretty(held(text, &mut self.held), Growing(&mut self.text), &Layout::spaces(2), &options);
            written.map_err(|error| if error.kind() == ErrorKind::DepthLimit { TOO_DEEP } else { OUT_OF_MEMORY })?;
            // Its line break; ours comes later.
            self.text.pop();
            if printing.array {
                self.indent_from(start);
            }
        } else if !printing.raw_bytes && is_container(text) && memchr::memchr2(b'\n', b'\r', text).is_some() {
            // It was good before.
            fjson::minify(held(text, &mut self.held), Growing(&mut self.text), &options())
                .map_err(|_| OUT_OF_MEMORY)?;
        } else {
            Growing(&mut self.text).write_all(text).map_err(|_| OUT_OF_MEMORY)?;
        }
        Ok(())
    }

    /// Indents the lines from a place on, without the first one, by a level: a string has no line break in it.
    fn indent_from(&mut self, start: usize) {
        let value = self.text.split_off(start);
        for line in value.split_inclusive(|&byte| byte == b'\n') {
            self.text.extend_from_slice(line);
            self.text.extend_from_slice(if line.ends_with(b"\n") { b"  " } else { b"" });
        }
    }

    /// More may take its time: what there is is written, and of a row all there is to be if its document is a record.
    pub fn wait(&mut self) -> Result<(), RunError> {
        if let Some(row) = &mut self.row
            && row.is_record()
        {
            row.write_now(&mut self.text);
        }
        self.flush()
    }

    /// An input ends, and with it its last row.
    pub fn end_input(&mut self) -> Result<(), RunError> {
        if let Some(row) = &mut self.row {
            row.end(&mut self.text);
        }
        self.flush()
    }

    /// Ends what is written; an array is only closed if it has all that was to come.
    pub fn end(&mut self, is_complete: bool) -> Result<(), RunError> {
        if self.printing.array && is_complete {
            let last = if self.printing.pretty { &b"\n]\n"[..] } else { b"]\n" };
            self.text.extend_from_slice(if self.matches == 0 { b"[]\n" } else { last });
        }
        self.flush()
    }

    /// Writes something else.
    pub fn print(&mut self, text: &[u8]) -> Result<(), RunError> {
        self.text.extend_from_slice(text);
        self.flush()
    }

    pub fn flush(&mut self) -> Result<(), RunError> {
        let text = mem::take(&mut self.text);
        let written = self.write_out(&text);
        self.text = text;
        self.text.clear();
        written
    }

    fn write_out(&mut self, text: &[u8]) -> Result<(), RunError> {
        let written = self.target.write_all(text);
        written.map_err(|error| self.target.trouble().unwrap_or_else(|| RunError::io(Name::Stdout, &error)))
    }
}

/// A match as an input whose bytes do not change, as those of a file may.
pub fn held<'h>(text: &'h [u8], copy: &'h mut Vec<u8>) -> Input<'h> {
    if text.len() > PIECE {
        return Input::from_reader(text);
    }
    copy.clear();
    copy.extend_from_slice(text);
    Input::from(&*copy)
}

/// Takes everything, as long as there is memory.
struct Growing<'g>(&'g mut Vec<u8>);

impl Write for Growing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_container(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'[' | b'{'))
}
