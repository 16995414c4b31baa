//! Error messages for invalid expressions, with a caret under the position of the error.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::exit::Exit;
use crate::report::excerpt;
use crate::report::excerpt::Line;
use crate::report::wants_color;
use crate::sanitize;
use crate::stderr;
use anstyle::AnsiColor;
use anstyle::Style;
use fjson::QueryError;
use std::fmt::Write;

/// Number of bytes of an expression that are shown before and after the position of the error.
const SHOWN: usize = 60;

/// Prints the error in an expression.
pub fn explain(expression: &str, error: &QueryError, color: Color) -> Exit {
    let [bold, red, blue] = if wants_color(color) {
        let color = |color: AnsiColor| color.on_default().bold();
        [Style::new().bold(), color(AnsiColor::Red), color(AnsiColor::Blue)]
    } else {
        [Style::new(); 3]
    };
    let (line, caret) = excerpt::draw(&cut(expression, error.offset()));
    let mut text = format!(
        "{bold}fjson:{bold:#} {red}error:{red:#} {bold}{error}{bold:#}\n  {blue}|{blue:#} {line}\n  {blue}|{blue:#} {:caret$}{red}^{red:#}\n",
        ""
    );
    if let Some(help) = error.help() {
        // Writing to a string cannot fail.
        writeln!(text, "  {blue}={blue:#} help: {help}").ok();
    }
    // If writing fails, the exit status still reports the error.
    stderr::print(&text).ok();
    Exit::Error
}

/// Returns the part of the expression around a byte offset.
fn cut(expression: &str, offset: usize) -> Line<'_> {
    let start = expression.floor_char_boundary(offset.saturating_sub(SHOWN));
    let end = expression.ceil_char_boundary((offset + SHOWN).min(expression.len()));
    Line {
        bytes: &expression.as_bytes()[start..end],
        caret: offset - start,
        cut_left: start > 0,
        cut_right: end < expression.len(),
    }
}

/// Prints the error for an expression that is not UTF-8.
pub fn report_not_utf8() -> Exit {
    report("the expression is not UTF-8")
}

/// Prints the error for an expression with a name, when there are no columns.
pub fn report_name(argument: &str) -> Exit {
    report(&format!("only columns have names: {} needs --csv or --tsv", sanitize::text(argument)))
}

/// Prints the error for `--null ''` in a table with one column of comma-separated values.
pub fn report_empty_null() -> Exit {
    report("--null '' needs a second column, because CSV readers skip empty lines; use another text or --with-filename")
}

fn report(message: &str) -> Exit {
    stderr::print(&format!("fjson: error: {message}\n")).ok();
    Exit::Error
}
