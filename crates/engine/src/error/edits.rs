//! Errors of edits.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;

impl Error {
    /// An edit is not one, or cannot be made. The offset is one of the path, or of the document.
    pub(crate) fn of_edit(kind: ErrorKind, offset: u64, message: String, help: Option<&str>) -> Self {
        Self::new(ErrorDetails { help: help.map(str::to_owned), ..ErrorDetails::bare(kind, offset, message) })
    }

    /// Returns an error at the same place that says something else.
    pub(crate) fn saying(mut self, kind: ErrorKind, message: String, help: Option<&str>) -> Self {
        (self.0.kind, self.0.message, self.0.help) = (kind, message, help.map(str::to_owned));
        self
    }
}
