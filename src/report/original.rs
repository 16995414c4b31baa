//! Excerpts of JSON with comments as it is written. The engine sees spaces instead of comments.

#![forbid(unsafe_code)]

use fjson::Error;
use fjson::ErrorKind;
use fjson::Excerpt;
use memchr::memmem;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

/// Number of bytes around a place that an excerpt may be cut from. An excerpt of the whole text would count its lines each time.
pub const AROUND: usize = 1024;

/// Largest size of a file whose comments are in excerpts.
pub const MAX_TEXT: u64 = 16 << 20;

/// Returns the part of a line around an offset in a text.
pub fn excerpt(text: &[u8], offset: usize) -> Option<Excerpt> {
    let from = offset.saturating_sub(AROUND);
    Excerpt::of(&text[from..text.len().min(offset + AROUND)], offset - from)
}

/// A file with comments, and what the engine sees of it.
pub struct Original {
    path: PathBuf,
    text: Vec<u8>,
    blanked: Vec<u8>,
}

impl Original {
    /// Reads a file. It has no text if it is too long or no regular file, or cannot be read.
    pub fn read(path: &Path) -> Self {
        let mut text = Vec::new();
        let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()));
        let read = file.map(|file| file.take(MAX_TEXT + 1).read_to_end(&mut text));
        if !matches!(read, Some(Ok(_))) || text.len() as u64 > MAX_TEXT {
            text.clear();
        }
        let mut blanked = text.clone();
        fjson::blank_comments(&mut blanked);
        Self { path: path.to_owned(), text, blanked }
    }

    /// Whether this is the file with a path.
    pub fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }

    /// Returns the excerpt of an error with the comments that are in the file. `None` if the file is not what the engine has read:
    /// compressed, in another encoding, or changed since.
    pub fn excerpt(&self, error: &Error) -> Option<Excerpt> {
        let shown = error.excerpt()?;
        let offset = usize::try_from(error.offset()).ok()?;
        let start = if error.kind() == ErrorKind::UnexpectedEnd {
            // What is shown is the last text before the end.
            let end = self.blanked.len().min(offset.saturating_add(shown.bytes.len()));
            memmem::rfind(&self.blanked[..end], &shown.bytes)?
        } else {
            offset.checked_sub(shown.caret)?
        };
        if !self.blanked.get(start..)?.starts_with(&shown.bytes) {
            return None;
        }
        let mut excerpt = excerpt(&self.text, start + shown.caret)?;
        excerpt.line = shown.line;
        Some(excerpt)
    }
}
