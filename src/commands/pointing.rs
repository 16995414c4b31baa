//! Errors in an argument of the command line: the argument, with a caret under the place.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::exit::Exit;
use crate::report::excerpt;
use crate::report::excerpt::Line;
use crate::report::wants_color;
use crate::stderr;
use anstyle::AnsiColor;
use anstyle::Style;
use std::fmt::Write;

/// Number of bytes of an argument that are shown before and after the position of the error.
const SHOWN: usize = 60;

/// Prints the error at a byte offset of an argument, and how to correct it.
pub fn point(
    argument: &str,
    offset: usize,
    message: &str,
    help: impl IntoIterator<Item = String>,
    color: Color,
) -> Exit {
    let [bold, red, blue] = if wants_color(color) {
        let color = |color: AnsiColor| color.on_default().bold();
        [Style::new().bold(), color(AnsiColor::Red), color(AnsiColor::Blue)]
    } else {
        [Style::new(); 3]
    };
    let (line, caret) = excerpt::draw(&cut(argument, offset), 4);
    let mut text = format!(
        "{bold}fjson:{bold:#} {red}error:{red:#} {bold}{message}{bold:#}\n  {blue}|{blue:#} {line}\n  {blue}|{blue:#} {:caret$}{red}^{red:#}\n",
        ""
    );
    for help in help {
        // Writing to a string cannot fail.
        writeln!(text, "  {blue}={blue:#} help: {help}").ok();
    }
    // If writing fails, the exit status still reports the error.
    stderr::print(&text).ok();
    Exit::Error
}

/// Returns the part of the argument around a byte offset.
fn cut(argument: &str, offset: usize) -> Line<'_> {
    let start = argument.floor_char_boundary(offset.saturating_sub(SHOWN));
    let end = argument.ceil_char_boundary((offset + SHOWN).min(argument.len()));
    Line {
        bytes: &argument.as_bytes()[start..end],
        caret: offset - start,
        cut_left: start > 0,
        cut_right: end < argument.len(),
    }
}
