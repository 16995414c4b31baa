//! The width of the terminal that shows messages.

#![forbid(unsafe_code)]

use std::io;
use terminal_size::terminal_size_of;

/// Returns the number of columns of standard error; `None` if it is not a terminal, or one that does not tell.
pub fn columns() -> Option<usize> {
    let columns = terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0));
    columns.filter(|&columns| columns > 0)
}
