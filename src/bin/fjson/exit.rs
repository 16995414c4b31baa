//! How the program ends: 0, 1 or 2; and what it says when it could not answer.
//!
//! Scripts read the status, so there are three values and one order: the worst of all inputs wins.

#![forbid(unsafe_code)]

use crate::name::Name;
use crate::sanitize;
use crate::stderr;
use rustix::io::Errno;
use std::io;
use std::process::ExitCode;

/// What the program answers. A later variant is worse than an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Valid, written, formatted.
    Fine,
    /// The answer is no: a document is invalid, or `--check` found a file it would change.
    No,
    /// No answer: wrong usage, an input or output failed, an input changed while it was read.
    RunError,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// What went wrong outside the documents, and with what.
#[derive(Debug)]
pub struct RunError {
    pub name: Name,
    /// One lower-case sentence without a full stop.
    pub reason: String,
    /// Whether as many files are open as may be, so that it may work when others are closed.
    pub is_crowded: bool,
}

impl RunError {
    pub fn new(name: Name, reason: impl Into<String>) -> Self {
        Self { name, reason: reason.into(), is_crowded: false }
    }

    pub fn io(name: Name, error: &io::Error) -> Self {
        let is_crowded = matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE));
        Self { is_crowded, ..Self::new(name, reason(error)) }
    }

    /// Says it on standard error. If that fails too, the exit status still tells.
    pub fn say(&self) -> Exit {
        stderr::say(&format!("{}: error: {}\n", self.name, sanitize::text(&self.reason))).ok();
        Exit::RunError
    }
}

/// The system's sentence for an error, without its number and its capital.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let mut letters = text.split(" (os error").next().unwrap_or(&text).chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
