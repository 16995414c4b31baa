//! A file that is written to, which no input may be.

#![forbid(unsafe_code)]

use crate::platform::Identity;

pub const SAME_FILE: &str = "input and output are the same file; write to another file";
pub const SAME_FILE_OR_IN_PLACE: &str = "input and output are the same file; use --in-place to edit a file";
const EMPTIED: &str = "is empty: it is also the output, and the shell has emptied it; write to another file";
const EMPTIED_OR_IN_PLACE: &str =
    "is empty: it is also the output, and the shell has emptied it; use --in-place to edit a file";

/// The regular file that is written to, if any, to which no input may refer.
#[derive(Clone, Copy)]
pub struct OutputFile {
    identity: Option<Identity>,
    /// Whether it is written to at once, and not replaced at the end.
    is_direct: bool,
    /// The message if it is also an input.
    message: &'static str,
}

impl OutputFile {
    pub fn new(identity: Option<Identity>, is_direct: bool) -> Self {
        Self { identity, is_direct, message: SAME_FILE }
    }

    /// Returns the same file with another message.
    pub fn with_message(self, message: &'static str) -> Self {
        Self { message, ..self }
    }

    /// Fails with a message if a file of this identity and length is the one that is written to. If it is empty and written to at
    /// once, the shell has truncated it, as in `fjson minify a.json > a.json`.
    pub fn check(self, file: Option<Identity>, length: u64) -> Result<(), &'static str> {
        if self.identity.is_none() || self.identity != file {
            return Ok(());
        }
        match (self.is_direct && length == 0, self.message == SAME_FILE_OR_IN_PLACE) {
            (false, _) => Err(self.message),
            (true, true) => Err(EMPTIED_OR_IN_PLACE),
            (true, false) => Err(EMPTIED),
        }
    }
}
