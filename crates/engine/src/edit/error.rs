//! [`EditError`]: why edits cannot be made, with a place in the document and the number of the edit.

#![forbid(unsafe_code)]

use std::error;
use std::fmt;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;

/// The reason why an edit is not one, or why edits cannot be made in a document.
///
/// [`error`](Self::error) has its kind and place. If [`Edits`](crate::Edits) refuse an edit, that is a place in its path, its value or
/// the patch; if they are applied, it is one in the document, unless earlier edits have changed the text there.
///
/// ```
/// use fjson::{Edits, ErrorKind, Options};
///
/// let mut edits = Edits::new();
/// edits.set("/a", "1")?.delete("/b/c")?;
/// let error = edits.apply("{\n \"a\": 0,\n \"b\": {}\n}", &mut Vec::new(), &Options::new()).unwrap_err();
/// assert_eq!((error.edit(), error.error().kind()), (Some(1), ErrorKind::TargetMissing));
/// assert_eq!((error.error().line(), error.error().column()), (Some(3), Some(7)));
/// assert_eq!(error.to_string(), "edit 2: `/b/c` does not exist: the object at `/b` has no member `c`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EditError {
    edit: Option<usize>,
    error: Error,
}

impl EditError {
    pub(super) fn of(edit: usize, error: Error) -> Self {
        Self { edit: Some(edit), error }
    }

    /// Returns the number of the edit, from 0 in the order in which edits were added. `None` if it is no edit that failed: the document
    /// is not valid, or reading or writing it failed.
    #[must_use]
    pub fn edit(&self) -> Option<usize> {
        self.edit
    }

    /// Returns the kind and place of the error.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns the kind and place of the error, without the number of the edit.
    #[must_use]
    pub fn into_error(self) -> Error {
        self.error
    }
}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        Self { edit: None, error }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl error::Error for EditError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        error::Error::source(&self.error)
    }
}

/// Returns the error for a path that is not valid from this offset on.
pub(super) fn invalid_path(offset: usize, message: String, help: Option<&str>) -> Error {
    Error::of_edit(ErrorKind::InvalidPath, offset as u64, message, help)
}

/// Why an edit cannot be made in a document.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) kind: ErrorKind,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
    /// Index in the text of the document of the value that is the reason, if it is not a new one.
    pub(super) place: Option<usize>,
}

/// Why a document cannot be edited.
#[derive(Debug)]
pub(super) enum Failure {
    Refused(Box<Refusal>),
    Error(Error),
    /// A query has selected a value that is not there any more, so it must be evaluated in the changed text.
    Stale,
    /// An edit looks into a part of a large document that is not held in memory.
    Missed,
}

impl Failure {
    /// Adds help to a refusal, unless it has some.
    pub(super) fn with_help(self, help: &'static str) -> Self {
        match self {
            Self::Refused(refusal) => Refusal { help: refusal.help.or(Some(help)), ..*refusal }.into(),
            failure => failure,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<OutOfMemory> for Failure {
    fn from(list: OutOfMemory) -> Self {
        Self::Error(list.into())
    }
}
