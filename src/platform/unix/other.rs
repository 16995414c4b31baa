//! The functions of `linux.rs` for systems without these features, such as macOS.

#![forbid(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

/// Every file has a name.
#[expect(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
pub fn create_nameless(_: &Path, _: u32) -> io::Result<Option<File>> {
    Ok(None)
}

/// Never called, because every file has a name.
pub fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system chooses the size of a pipe.
pub fn enlarge_pipe(_: &File, _: usize) {}
