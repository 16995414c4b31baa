//! A new file that replaces another one by a rename.
//!
//! The new file has the name `.fjson-…` until then and is registered with [`signals`]. The rename is atomic: the target is the old
//! file or the new one, and is never missing. (`ReplaceFile` would keep more attributes, but it can fail after it has removed the
//! old file.) The rename fails while another program, such as a virus scanner or an editor, has the target open in a way that does
//! not allow its removal, so it is tried again for a while. If it never succeeds, the target keeps its old content.

#![forbid(unsafe_code)]

use crate::signals;
use crate::signals::Noted;
use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tempfile::TempPath;

/// How many milliseconds to wait before each attempt after the first, about two seconds in total.
const WAITS: [u64; 9] = [2, 4, 8, 16, 32, 64, 128, 256, 1500];

/// `ERROR_SHARING_VIOLATION`, `ERROR_LOCK_VIOLATION` and `ERROR_USER_MAPPED_FILE`: another program uses the file.
const IN_USE: [i32; 3] = [32, 33, 1224];

/// A new file beside the one that it will replace.
pub struct NewFile {
    file: File,
    name: TempPath,
    /// Registration of the temporary name for removal by signals.
    noted: Noted,
}

impl NewFile {
    /// Creates a file in `directory`. Its access rights are those that the directory gives to new files.
    pub fn create(directory: &Path, _is_private: bool) -> io::Result<Self> {
        let mut temporary = signals::temporary();
        let file = tempfile::Builder::new().prefix(".fjson-").tempfile_in(directory)?;
        let noted = temporary.note(file.path());
        let (file, name) = file.into_parts();
        Ok(Self { file, name, noted })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Does nothing: a file that can be replaced is not read-only, and the access rights are those of the directory.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "other systems copy the attributes of the old file"
    )]
    pub fn keep_attributes(&self, _: &Metadata, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Renames the file to `target`, if `may_replace` allows it. `open` is the target if it is open; it is closed between the
    /// two, because an open file cannot be replaced, and the index of a closed file can be that of another one.
    pub fn replace(
        self,
        target: &Path,
        _: &Path,
        open: Option<File>,
        may_replace: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.file.sync_all()?;
        drop(self.file);
        let delayed_signals = signals::temporary();
        may_replace()?;
        drop(open);
        // This also removes the attribute that marks temporary files.
        let name = self.name.keep().map_err(|failure| failure.error)?;
        if let Err(error) = rename(&name, target) {
            fs::remove_file(&name).ok();
            return Err(error);
        }
        drop(delayed_signals);
        drop(self.noted);
        Ok(())
    }
}

fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for wait in WAITS {
        match fs::rename(from, to) {
            Err(error) if is_in_use(&error) => thread::sleep(Duration::from_millis(wait)),
            result => return result,
        }
    }
    fs::rename(from, to)
}

fn is_in_use(error: &io::Error) -> bool {
    let is_listed = error.raw_os_error().is_some_and(|code| IN_USE.contains(&code));
    is_listed || error.kind() == io::ErrorKind::PermissionDenied
}
