//! Whether the documents that a command writes are colored, and how.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::colorizer::Colorizer;
use crate::colors::Colors;
use crate::report::has_color;
use crate::stderr;
use crate::target::Target;
use std::io;

/// Returns what writes the documents of `target` for people: in color if `color` demands it, or if they are usually colored and
/// standard output has color; with escapes if it is a terminal. Files have neither.
pub fn colorizer(color: Color, is_usual: bool, target: &Target) -> Option<Colorizer> {
    let is_colored = match color {
        Color::Always => target.is_stdout(),
        Color::Never => false,
        Color::Auto => is_usual && target.is_stdout() && has_color(&io::stdout()),
    };
    let escapes = target.is_stdout() && target.is_terminal();
    if !(is_colored || escapes) {
        return None;
    }
    if is_colored && escapes {
        stderr::reset_color_at_termination();
    }
    Some(Colorizer::new(is_colored.then(colors).as_ref(), escapes))
}

/// Returns the colors of the environment. Prints a warning if a variable is invalid.
fn colors() -> Colors {
    let (colors, warning) = Colors::from_environment();
    if let Some(warning) = warning {
        stderr::print(&format!("fjson: warning: {warning}\n")).ok();
    }
    colors
}
