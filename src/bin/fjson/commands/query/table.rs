//! Rows of comma- or tab-separated values: one row per document that has a match, or per value of `--rows`, and one column per
//! expression.

#![forbid(unsafe_code)]

use crate::commands::query::value;
use fjson::Match;
use fjson::Options;
use std::mem;

const TWO_MATCHES: &str = "an expression has two matches for one row, but a column holds only one value";

/// Name of the column with the names of the inputs.
const FILE: &str = "file";

/// Format of the rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Comma-separated values (RFC 4180), but with line feeds between rows.
    Commas,
    /// Tab-separated values; tabs, line breaks and backslashes are written as `\t`, `\n`, `\r` and `\\`.
    Tabs,
}

/// The row of the current document.
pub struct Row {
    style: Style,
    /// Name of the input in the first column, for `--with-filename`.
    file: Option<Vec<u8>>,
    /// Whether the row has matches that have not been written.
    is_pending: bool,
    /// Record number of the row, if its document is a record.
    record: Option<u64>,
    cells: Vec<Cell>,
}

/// One value of a row.
#[derive(Clone, Default)]
struct Cell {
    is_filled: bool,
    value: Vec<u8>,
}

impl Row {
    /// Creates the row of a table with this number of columns. With `has_files`, the name of the input is a further column.
    pub fn new(style: Style, columns: usize, has_files: bool) -> Self {
        let file = has_files.then(|| FILE.into());
        Self { style, file, is_pending: false, record: None, cells: vec![Cell::default(); columns] }
    }

    /// Writes the names of the columns. Must be called before [`begin_input`](Self::begin_input).
    pub fn write_header<'e>(
        &'e self,
        names: impl Iterator<Item = &'e str> + Clone,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        self.write(names.map(str::as_bytes), out)
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

    /// Writes the row of a value that has no match in any column.
    pub fn write_empty(&self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        self.write(self.cells.iter().map(|_| &b""[..]), out)
    }

    /// Adds a match to the row. If it belongs to another document, the previous row is written first.
    pub fn add(&mut self, matched: &Match<'_>, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.record != matched.record() {
            self.end(out)?;
        }
        (self.is_pending, self.record) = (true, matched.record());
        let cell = &mut self.cells[matched.query()];
        if cell.is_filled {
            return Err(TWO_MATCHES);
        }
        cell.is_filled = true;
        write_value(matched.text(), &mut cell.value)
    }

    /// Whether the row is that of a record, and so complete: its matches are reported together, or there is only one column.
    pub fn is_record(&self) -> bool {
        self.record.is_some()
    }

    /// Writes the row if it has matches and has not been written.
    pub fn write_once(&mut self, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if mem::replace(&mut self.is_pending, false) {
            self.write(self.cells.iter().map(|cell| &cell.value[..]), out)?;
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
        for cell in &mut self.cells {
            cell.is_filled = false;
            cell.value.clear();
        }
    }

    fn write<'c>(
        &'c self,
        cells: impl Iterator<Item = &'c [u8]> + Clone,
        out: &mut Vec<u8>,
    ) -> Result<(), &'static str> {
        let cells = self.file.iter().map(|file| &file[..]).chain(cells);
        // Each byte may need an escape, and each cell quotes and a separator.
        let longest = cells.clone().map(|cell| 2 * cell.len() + 3).sum();
        out.try_reserve(longest).map_err(|_| value::OUT_OF_MEMORY)?;
        let start = out.len();
        for (column, cell) in cells.enumerate() {
            match self.style {
                Style::Commas => {
                    out.extend_from_slice(if column > 0 { b"," } else { b"" });
                    write_quoted(cell, out);
                }
                Style::Tabs => {
                    out.extend_from_slice(if column > 0 { b"\t" } else { b"" });
                    write_escaped(cell, out);
                }
            }
        }
        if self.style == Style::Commas && out.len() == start {
            // CSV readers skip empty lines.
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
        Ok(())
    }
}

/// Appends the cell text of the value `text`.
fn write_value(text: &[u8], cell: &mut Vec<u8>) -> Result<(), &'static str> {
    match text {
        b"null" => Ok(()),
        [b'"', inside @ .., b'"'] => value::write_unescaped(inside, cell),
        _ if value::is_container(text) => value::write_minified(text, &mut Vec::new(), &Options::new(), cell),
        _ => value::write_unchanged(text, cell),
    }
}

fn write_quoted(cell: &[u8], out: &mut Vec<u8>) {
    let is_plain = !cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
        && !cell.starts_with(b" ")
        && !cell.ends_with(b" ");
    if is_plain {
        out.extend_from_slice(cell);
        return;
    }
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
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(style: Style, cells: &[&str]) -> String {
        let mut out = Vec::new();
        Row::new(style, cells.len(), false).write_header(cells.iter().copied(), &mut out).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn values_are_separated() {
        let cells = ["a", "", "b,c", "d\"e", " f", "g\th", "i\nj", "k\\"];
        assert_eq!(row(Style::Commas, &cells), "a,,\"b,c\",\"d\"\"e\",\" f\",g\th,\"i\nj\",k\\\n");
        assert_eq!((row(Style::Commas, &[""]), row(Style::Commas, &["", ""])), ("\"\"\n".to_owned(), ",\n".to_owned()));
        assert_eq!(row(Style::Tabs, &cells), "a\t\tb,c\td\"e\t f\tg\\th\ti\\nj\tk\\\\\n");
    }

    #[test]
    fn cells_hold_raw_values() {
        for (text, expected) in [("null", ""), ("1.50", "1.50"), (r#""\u0061\n""#, "a\n"), ("[ 1, {} ]", "[1,{}]")] {
            let mut cell = Vec::new();
            assert_eq!(write_value(text.as_bytes(), &mut cell), Ok(()));
            assert_eq!(cell, expected.as_bytes());
        }
        assert!(write_value(br#""\ud800""#, &mut Vec::new()).is_err());
    }
}
