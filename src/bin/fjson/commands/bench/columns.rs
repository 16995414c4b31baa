//! A table in plain text: columns as wide as they must be, words to the left, numbers to the right.

#![forbid(unsafe_code)]

use std::fmt;
use std::fmt::Formatter;
use std::ops::Range;

/// Writes the rows; `numbers` are the columns of numbers.
pub fn write(f: &mut Formatter<'_>, numbers: Range<usize>, rows: &[Vec<String>]) -> fmt::Result {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<_> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let cell = if numbers.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
            line.extend(["  ", &cell]);
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Example;

    impl fmt::Display for Example {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            let rows = [["verb", "GB/s", ""], ["é", "12.5", "x"], ["minify", "7.25", "words"]];
            write(f, 1..2, &rows.map(|row| row.map(str::to_owned).to_vec()))
        }
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(Example.to_string(), "  verb    GB/s\n  é       12.5  x\n  minify  7.25  words\n");
    }
}
