//! The exit status of the program (0, 1 or 2) and errors that are not errors in a document.
//!
//! The exit status is that of the worst input.

#![forbid(unsafe_code)]

use crate::name::Name;
use crate::platform;
use crate::sanitize;
use crate::stderr;
use std::io;
use std::process::ExitCode;

/// Why a run fails if an input changed while it was read, in the words of the library.
pub const FILE_CHANGED: &str = "the file changed while it was being read";

/// Exit status of the program. A later variant is worse than an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Success: all documents are valid, and all output was written.
    Success,
    /// A document is invalid, `--check` found an input that is not formatted, or a query has no match.
    Invalid,
    /// Wrong usage, an input or output failed, or an input changed while it was read.
    Error,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that is not an error in a document, such as a failed read or write.
#[derive(Debug)]
pub struct RunError {
    /// Name of the input or output.
    pub name: Name,
    /// One lower-case sentence without a full stop.
    pub reason: String,
    /// Whether the limit on open files was reached, so that a retry may succeed after other files are closed.
    pub is_file_limit: bool,
}

impl RunError {
    pub fn new(name: Name, reason: impl Into<String>) -> Self {
        Self { name, reason: reason.into(), is_file_limit: false }
    }

    pub fn io(name: Name, error: &io::Error) -> Self {
        let is_file_limit = platform::is_file_limit(error);
        Self { is_file_limit, ..Self::new(name, reason(error)) }
    }

    /// Prints the error to standard error. If that fails, the exit status still reports it.
    pub fn print(&self) -> Exit {
        stderr::print(&format!("{}: error: {}\n", self.name, sanitize::text(&self.reason))).ok();
        Exit::Error
    }
}

/// Returns the operating system's message for an error, without the error number and the full stop, and with a lower-case first
/// letter.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let mut letters = text.split(" (os error").next().unwrap_or(&text).trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
