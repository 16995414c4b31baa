//! Excerpts of JSON with comments as it is written. The engine sees spaces instead of comments.

#![forbid(unsafe_code)]

use fjson::Error;
use fjson::Excerpt;
use memchr::memmem;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Number of bytes around a place that an excerpt may be cut from. An excerpt of the whole text would count its lines each time.
pub const AROUND: usize = 1024;

/// Largest size of a file whose comments are in excerpts.
pub const MAX_TEXT: u64 = 16 << 20;

/// Returns the part of a line around an offset in a text.
pub fn excerpt(text: &[u8], offset: usize) -> Option<Excerpt> {
    let from = offset.saturating_sub(AROUND);
    Excerpt::of(&text[from..text.len().min(offset + AROUND)], offset - from)
}

/// Returns the excerpt of an error with the comments that are in the file. `None` if the file is not what has been read: compressed, in
/// another encoding, changed since, or no regular file.
pub fn excerpt_of_file(path: &Path, error: &Error) -> Option<Excerpt> {
    let shown = error.excerpt()?;
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))?;
    let mut text = Vec::new();
    file.take(MAX_TEXT).read_to_end(&mut text).ok()?;
    let mut blanked = text.clone();
    fjson::blank_comments(&mut blanked);
    // If the text ends too early, the place that is shown is before the error.
    let start = error.offset().checked_sub(shown.caret as u64).and_then(|start| usize::try_from(start).ok());
    let start = start
        .filter(|&start| blanked.get(start..).is_some_and(|rest| rest.starts_with(&shown.bytes)))
        .or_else(|| memmem::rfind(&blanked, &shown.bytes))?;
    let mut excerpt = excerpt(&text, start + shown.caret)?;
    excerpt.line = shown.line;
    Some(excerpt)
}
