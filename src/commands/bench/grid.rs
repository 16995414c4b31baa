//! A table of cells, for the terminal and for the page.

#![forbid(unsafe_code)]

use crate::sanitize::markup;
use std::fmt;
use std::fmt::Display;
use std::fmt::Formatter;
use std::ops::Range;

/// Displays as text: each column as wide as its widest cell, words aligned to the left and numbers to the right.
pub struct Grid {
    /// The columns of numbers.
    numbers: Range<usize>,
    /// The cells of each row, and its class on the page. The first row has the headings.
    rows: Vec<(Vec<String>, &'static str)>,
}

impl Grid {
    pub fn new(numbers: Range<usize>, headings: &[&'static str]) -> Self {
        Self { numbers, rows: vec![(headings.iter().map(ToString::to_string).collect(), "")] }
    }

    /// Appends a row. On the page it has the CSS class `class`.
    pub fn push(&mut self, class: &'static str, cells: &[&dyn Display]) {
        self.rows.push((cells.iter().map(ToString::to_string).collect(), class));
    }

    /// Returns the table as HTML.
    pub fn html(&self) -> String {
        let element = |tag: &str, class: &str, content: &str| match class {
            "" => format!("<{tag}>{content}</{tag}>"),
            _ => format!("<{tag} class=\"{class}\">{content}</{tag}>"),
        };
        let mut html = String::from("<div class=\"card scroll\"><table>\n");
        for (number, (cells, class)) in self.rows.iter().enumerate() {
            let tag = if number == 0 { "th" } else { "td" };
            let mut row = String::new();
            for (column, cell) in cells.iter().enumerate() {
                let class = if self.numbers.contains(&column) { "number" } else { "" };
                row += &element(tag, class, &markup(cell));
            }
            html += &element("tr", class, &row);
            html.push('\n');
        }
        html + "</table></div>\n"
    }
}

impl Display for Grid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(|(cells, _)| cells.len()).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for (cells, _) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = cell.chars().count().max(*width);
            }
        }
        for (cells, _) in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in cells.iter().zip(&widths).enumerate() {
                let is_number = self.numbers.contains(&column);
                let cell = if is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
                line.extend(["  ", &cell]);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut grid = Grid::new(1..2, &["what", "GB/s", ""]);
        grid.push("", &[&"é", &12.5, &"<x>"]);
        grid.push("bad", &[&"minify", &7.25, &"words"]);
        assert_eq!(grid.to_string(), "  what    GB/s\n  é       12.5  <x>\n  minify  7.25  words\n");
        assert!(grid.html().contains("<tr class=\"bad\"><td>minify</td><td class=\"number\">7.25</td>"));
        assert!(grid.html().contains("&lt;x&gt;"));
    }
}
