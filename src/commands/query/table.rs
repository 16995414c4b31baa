//! Rows of comma- or tab-separated values: one row per document that has a match, or per value of `--rows`, and one column per
//! expression.

#![forbid(unsafe_code)]

use crate::args::query::Printing;
use crate::commands::query::value;
use fjson::Match;
use fjson::Options;
use fjson::scalar::Surrogates;
use std::mem;

pub const TWO_MATCHES: &str = "an expression has two matches for one row, but a column holds only one value; \
                           for a row per element of an array, use --rows, as in --rows '$.items[*]'";

/// Names of the columns with the names of the inputs and with the offsets of documents.
const FILE: &str = "file";
const OFFSET: &str = "offset";

/// How the values of a table are written.
#[derive(Clone)]
struct Format {
    /// Comma-separated values (RFC 4180). Otherwise tab-separated values, in which tabs, line breaks, backslashes and U+0000 are
    /// written as `\t`, `\n`, `\r`, `\\` and `\0`, as by jq.
    has_commas: bool,
    /// What ends a row: a line feed, or CRLF as in RFC 4180.
    line_end: &'static [u8],
    /// Text for null and missing values. A value that equals it is quoted, unless it is not known (`None`).
    null: Option<Vec<u8>>,
    quotes_strings: bool,
    surrogates: Surrogates,
}

/// The row of the current document.
#[derive(Clone)]
pub struct Row {
    format: Format,
    /// Name of the input in the first column, for `--with-filename`.
    file: Option<Vec<u8>>,
    /// Offset of the document in the next column, for `--offsets`.
    offset: Option<String>,
    /// Whether the row has matches that have not been written.
    is_pending: bool,
    /// Whether the row cannot be printed: its further matches are left out.
    is_broken: bool,
    /// Record number of the row, if its document is a record.
    record: Option<u64>,
    cells: Vec<Cell>,
}

/// One value of a row.
#[derive(Clone, Default)]
struct Cell {
    is_filled: bool,
    kind: CellKind,
    value: Vec<u8>,
}

/// What the value of a cell is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum CellKind {
    /// Null or missing.
    #[default]
    Null,
    String,
    /// A number or a literal.
    Scalar,
    /// An object or array as JSON.
    Container,
}

impl Row {
    /// Creates the row of a table with this number of columns. The name of the input and the offset are further columns.
    pub fn new(printing: &Printing, columns: usize) -> Self {
        let format = Format {
            has_commas: printing.csv,
            line_end: if printing.excel { b"\r\n" } else { b"\n" },
            null: printing.null.as_ref().map(|null| null.clone().into_bytes()),
            quotes_strings: printing.quote_strings,
            surrogates: printing.surrogates(),
        };
        let (file, offset) = (printing.with_filename.then(Vec::new), printing.has_record_offsets().then(String::new));
        Self {
            format,
            file,
            offset,
            is_pending: false,
            is_broken: false,
            record: None,
            cells: vec![Cell::default(); columns],
        }
    }

    /// Writes the names of the columns.
    pub fn write_header<'e>(
        &self,
        names: impl Iterator<Item = &'e str>,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let further = [self.file.is_some().then_some(FILE), self.offset.is_some().then_some(OFFSET)];
        let names = further.into_iter().flatten().chain(names).map(|name| (CellKind::String, name.as_bytes()));
        self.format.write(names.collect::<Vec<_>>().into_iter(), out)
    }

    /// Begins the rows of an input with this name. Discards a row that could not be written.
    pub fn begin_input(&mut self, name: &[u8]) {
        if let Some(file) = &mut self.file {
            file.clear();
            file.extend_from_slice(name);
        }
        self.is_pending = false;
        self.clear();
    }

    /// Whether a match is that of `$`, which has the offset of the document and is the first query if there are offsets.
    pub fn is_offset(&self, matched: &Match<'_>) -> bool {
        self.offset.is_some() && matched.query() == 0
    }

    /// Begins the row of the document that `root` is. The previous row is written first.
    pub fn begin(&mut self, root: &Match<'_>, out: &mut Vec<u8>) -> Result<(), &'static str> {
        self.end(out)?;
        (self.record, self.offset) = (root.record(), Some(root.range().start.to_string()));
        Ok(())
    }

    /// Whether a match is the first one of its row.
    pub fn starts_with(&self, matched: &Match<'_>) -> bool {
        let is_begun = self.is_pending || self.is_broken || self.cells.iter().any(|cell| cell.is_filled);
        !is_begun || self.record != matched.record()
    }

    /// Begins the row of a value, which is written even if it has no match in any column.
    pub fn begin_value(&mut self) {
        self.is_pending = true;
    }

    /// Adds a match in a column to the row of a value, unless the row cannot be printed.
    pub fn add_to(&mut self, column: usize, text: &[u8]) -> Result<(), &'static str> {
        if self.is_broken {
            return Ok(());
        }
        let cell = &mut self.cells[column];
        if cell.is_filled {
            return Err(TWO_MATCHES);
        }
        cell.is_filled = true;
        cell.kind = write_value(text, self.format.surrogates, &mut cell.value)?;
        Ok(())
    }

    /// Fills a cell of the row of a value.
    pub fn fill(&mut self, column: usize, kind: CellKind, value: &[u8]) -> Result<(), &'static str> {
        let cell = &mut self.cells[column];
        (cell.is_filled, cell.kind) = (true, kind);
        value::write_unchanged(value, &mut cell.value)
    }

    /// Adds a match to the row. If it belongs to another document, the previous row is written first.
    pub fn add(&mut self, matched: &Match<'_>, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.record != matched.record() {
            self.end(out)?;
        }
        self.record = matched.record();
        self.is_pending = !self.is_broken;
        self.add_to(matched.query() - usize::from(self.offset.is_some()), matched.text())
    }

    /// Whether the row has matches and has not been written.
    pub fn is_pending(&self) -> bool {
        self.is_pending
    }

    /// Discards the row of a match that cannot be printed.
    pub fn discard(&mut self, matched: &Match<'_>) {
        self.clear();
        (self.is_pending, self.is_broken, self.record) = (false, true, matched.record());
    }

    /// Whether the row is that of a record, and so complete: its matches are reported together, or there is only one column. A further
    /// match for that column is an error.
    pub fn is_record(&self) -> bool {
        self.record.is_some()
    }

    /// Writes the row if it has matches and has not been written.
    pub fn write_once(&mut self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if mem::replace(&mut self.is_pending, false) {
            self.write(self.cells.iter().map(|cell| (cell.kind, &cell.value[..])), out)?;
        }
        Ok(())
    }

    /// Writes the row and starts an empty one.
    pub fn end(&mut self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        self.write_once(out)?;
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.is_broken = false;
        for cell in &mut self.cells {
            cell.is_filled = false;
            cell.kind = CellKind::Null;
            cell.value.clear();
        }
    }

    fn write<'c>(
        &'c self,
        cells: impl Iterator<Item = (CellKind, &'c [u8])> + Clone,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let file = self.file.iter().map(|file| (CellKind::String, &file[..]));
        let offset = self.offset.iter().map(|offset| (CellKind::Scalar, offset.as_bytes()));
        self.format.write(file.chain(offset).chain(cells), out)
    }
}

impl Format {
    fn write<'c>(
        &self,
        cells: impl Iterator<Item = (CellKind, &'c [u8])> + Clone,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let null = self.null.as_deref().unwrap_or_default();
        // Each byte may need an escape, and each cell quotes and a separator.
        let longest = cells.clone().map(|(_, cell)| 2 * cell.len() + null.len() + 3).sum();
        let is_null = |cell| self.null.as_deref() == Some(cell);
        out.try_reserve(longest).map_err(|_| value::OUT_OF_MEMORY)?;
        let start = out.len();
        for (column, (kind, cell)) in cells.enumerate() {
            if column > 0 {
                out.push(if self.has_commas { b',' } else { b'\t' });
            }
            match kind {
                CellKind::Null => out.extend_from_slice(null),
                _ if !self.has_commas => write_escaped(cell, out),
                CellKind::String if self.quotes_strings => write_quoted(cell, out),
                CellKind::Scalar if !is_null(cell) => out.extend_from_slice(cell),
                _ if must_be_quoted(cell) || is_null(cell) => write_quoted(cell, out),
                _ => out.extend_from_slice(cell),
            }
        }
        if self.has_commas && out.len() == start {
            // CSV readers skip empty lines.
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(self.line_end);
        Ok(())
    }
}

/// Appends the cell text of the value `text`. Returns what it is.
pub fn write_value(text: &[u8], surrogates: Surrogates, cell: &mut Vec<u8>) -> Result<CellKind, &'static str> {
    match text {
        b"null" => return Ok(CellKind::Null),
        [b'"', inside @ .., b'"'] => {
            value::write_unescaped(inside, surrogates, cell)?;
            return Ok(CellKind::String);
        }
        _ if value::is_container(text) => value::write_minified(text, &mut Vec::new(), &Options::new(), cell)?,
        _ => {
            value::write_unchanged(text, cell)?;
            return Ok(CellKind::Scalar);
        }
    }
    Ok(CellKind::Container)
}

/// Whether a value of comma-separated values needs quotes.
fn must_be_quoted(cell: &[u8]) -> bool {
    cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
        || cell.starts_with(b" ")
        || cell.ends_with(b" ")
}

fn write_quoted(cell: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for part in cell.split_inclusive(|&byte| byte == b'"') {
        out.extend_from_slice(part);
        if part.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

fn write_escaped(cell: &[u8], out: &mut Vec<u8>) {
    for &byte in cell {
        match byte {
            b'\t' => out.extend_from_slice(br"\t"),
            b'\n' => out.extend_from_slice(br"\n"),
            b'\r' => out.extend_from_slice(br"\r"),
            b'\\' => out.extend_from_slice(br"\\"),
            0 => out.extend_from_slice(br"\0"),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(has_commas: bool, null: Option<&str>) -> Format {
        Format {
            has_commas,
            line_end: b"\n",
            null: null.map(|null| null.as_bytes().to_vec()),
            quotes_strings: false,
            surrogates: Surrogates::Refuse,
        }
    }

    fn row(format: &Format, cells: &[(CellKind, &str)]) -> String {
        let mut out = Vec::new();
        format.write(cells.iter().map(|(kind, cell)| (*kind, cell.as_bytes())), &mut out).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn values_are_separated() {
        let cells = ["a", "", "b,c", "d\"e", " f", "g\th", "i\nj", "k\\", "l\0"].map(|cell| (CellKind::String, cell));
        let (commas, tabs) = (format(true, None), format(false, None));
        assert_eq!(row(&commas, &cells), "a,,\"b,c\",\"d\"\"e\",\" f\",g\th,\"i\nj\",k\\,l\0\n");
        assert_eq!(row(&commas, &cells[1..2]), "\"\"\n");
        assert_eq!(row(&commas, &[cells[1], cells[1]]), ",\n");
        assert_eq!(row(&tabs, &cells), "a\t\tb,c\td\"e\t f\tg\\th\ti\\nj\tk\\\\\tl\\0\n");
    }

    #[test]
    fn null_differs_from_every_value() {
        let cells = [
            (CellKind::Null, ""),
            (CellKind::String, ""),
            (CellKind::String, "NA"),
            (CellKind::Scalar, "7"),
            (CellKind::String, "7"),
        ];
        assert_eq!(row(&format(true, None), &cells), ",,NA,7,7\n");
        assert_eq!(row(&format(true, Some("")), &cells), ",\"\",NA,7,7\n");
        assert_eq!(row(&format(true, Some("NA")), &cells), "NA,,\"NA\",7,7\n");
        assert_eq!(row(&format(true, Some("7")), &cells), "7,,NA,\"7\",\"7\"\n");
        let quoted = Format { quotes_strings: true, ..format(true, Some("")) };
        assert_eq!(row(&quoted, &cells), ",\"\",\"NA\",7,\"7\"\n");
        let cells = [(CellKind::Null, ""), (CellKind::String, "\\N"), (CellKind::String, "")];
        assert_eq!(row(&format(false, Some("\\N")), &cells), "\\N\t\\\\N\t\n");
    }

    #[test]
    fn cells_hold_raw_values() {
        for (text, expected, is_string) in
            [("1.50", "1.50", false), (r#""\u0061\n""#, "a\n", true), ("[ 1, {} ]", "[1,{}]", false)]
        {
            let mut cell = Vec::new();
            let kind = write_value(text.as_bytes(), Surrogates::Refuse, &mut cell).expect("memory");
            assert_eq!((&cell[..], kind == CellKind::String), (expected.as_bytes(), is_string));
        }
        assert!(write_value(b"null", Surrogates::Refuse, &mut Vec::new()) == Ok(CellKind::Null));
        let mut cell = Vec::new();
        assert!(write_value(br#""\ud800""#, Surrogates::Refuse, &mut cell).is_err());
        assert!(write_value(br#""\ud800""#, Surrogates::Replace, &mut cell) == Ok(CellKind::String));
        assert_eq!(cell, "\u{fffd}".as_bytes());
    }
}
