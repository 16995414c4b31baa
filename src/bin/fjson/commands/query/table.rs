//! Rows of comma- or tab-separated values: one for each document that has a match, a column for each expression.

#![forbid(unsafe_code)]

use crate::commands::query::output::held;
use fjson::Match;
use fjson::Options;
use fjson::scalar::Surrogates;
use fjson::scalar::unescape;

const TWICE: &str = "an expression has two matches in one document, and a column has room for one";
const NO_RAW_FORM: &str =
    "a match has the escape of a surrogate without the other one of its pair, so it has no raw form";

/// How values are kept apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// RFC 4180, with line feeds.
    Commas,
    /// `\t`, `\n`, `\r` and `\\` stand for what would be mistaken.
    Tabs,
}

/// The row of the document that is being searched.
pub struct Row {
    style: Style,
    /// Whether there is a row to be written, and of which record it is.
    begun: bool,
    record: Option<u64>,
    cells: Vec<Cell>,
}

/// One of a row.
#[derive(Clone, Default)]
struct Cell {
    is_filled: bool,
    value: Vec<u8>,
}

impl Row {
    pub fn new(style: Style, columns: usize) -> Self {
        Self { style, begun: false, record: None, cells: vec![Cell::default(); columns] }
    }

    pub fn write_header<'e>(&self, expressions: impl Iterator<Item = &'e str>, out: &mut Vec<u8>) {
        self.write(expressions.map(str::as_bytes), out);
    }

    /// Puts a match into its column. If it is the first of another document, the row before is written.
    pub fn put(&mut self, matched: &Match<'_>, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if self.record != matched.record() {
            self.end(out);
        }
        (self.begun, self.record) = (true, matched.record());
        let cell = &mut self.cells[matched.query()];
        if cell.is_filled {
            return Err(TWICE);
        }
        cell.is_filled = true;
        write_value(matched.text(), &mut cell.value)
    }

    /// Whether the row is that of a record: then all of its matches come at once, or there is but one column.
    pub fn is_record(&self) -> bool {
        self.record.is_some()
    }

    /// Writes the row, if there is one and that has not been done.
    pub fn write_now(&mut self, out: &mut Vec<u8>) {
        if self.begun {
            self.begun = false;
            self.write(self.cells.iter().map(|cell| &cell.value[..]), out);
        }
    }

    /// Ends the row with its document.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        self.write_now(out);
        for cell in &mut self.cells {
            cell.is_filled = false;
            cell.value.clear();
        }
    }

    fn write<'c>(&self, cells: impl Iterator<Item = &'c [u8]>, out: &mut Vec<u8>) {
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
            // Readers pass over empty lines.
            out.extend_from_slice(b"\"\"");
        }
        out.push(b'\n');
    }
}

/// Writes what stands in a cell.
fn write_value(text: &[u8], cell: &mut Vec<u8>) -> Result<(), &'static str> {
    match text {
        b"null" => {}
        [b'"', inside @ .., b'"'] => {
            cell.extend_from_slice(&unescape(inside, Surrogates::Refuse).map_err(|_| NO_RAW_FORM)?);
        }
        // It was good before, and a vector takes everything.
        [b'[' | b'{', ..] => _ = fjson::minify(held(text, &mut Vec::new()), cell, &Options::new()),
        _ => cell.extend_from_slice(text),
    }
    Ok(())
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
        Row::new(style, cells.len()).write_header(cells.iter().copied(), &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn values_are_kept_apart() {
        let cells = ["a", "", "b,c", "d\"e", " f", "g\th", "i\nj", "k\\"];
        assert_eq!(row(Style::Commas, &cells), "a,,\"b,c\",\"d\"\"e\",\" f\",g\th,\"i\nj\",k\\\n");
        assert_eq!((row(Style::Commas, &[""]), row(Style::Commas, &["", ""])), ("\"\"\n".to_owned(), ",\n".to_owned()));
        assert_eq!(row(Style::Tabs, &cells), "a\t\tb,c\td\"e\t f\tg\\th\ti\\nj\tk\\\\\n");
    }

    #[test]
    fn cells_hold_what_is_meant() {
        for (text, expected) in [("null", ""), ("1.50", "1.50"), (r#""\u0061\n""#, "a\n"), ("[ 1, {} ]", "[1,{}]")] {
            let mut cell = Vec::new();
            assert_eq!(write_value(text.as_bytes(), &mut cell), Ok(()));
            assert_eq!(cell, expected.as_bytes());
        }
        assert!(write_value(br#""\ud800""#, &mut Vec::new()).is_err());
    }
}
