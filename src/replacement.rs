//! Atomic replacement of a file: readers see the old content or the complete new content.
//!
//! The new content is written to another file in the same directory, which then takes the name of the old one. How a system does
//! this is described in [`platform`](crate::platform).

#![forbid(unsafe_code)]

use crate::exit::FILE_CHANGED;
use crate::platform::Identity;
use crate::platform::NewFile;
use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::SystemTime;

/// Limit on the length of a chain of symbolic links; the same as in Linux.
const MAX_LINKS: usize = 40;

/// A new file that is not visible under its target path until it is committed.
pub struct Replacement {
    target: PathBuf,
    new: NewFile,
    /// Metadata of the existing target; `None` if there is no target yet.
    old: Option<Metadata>,
    /// The only file that may be replaced, and its length and time; `None` if any file may be.
    only: Option<Version>,
}

/// A file, its length, and the time of its last change.
#[derive(Clone, PartialEq, Eq)]
pub struct Version(Identity, u64, Option<SystemTime>);

impl Version {
    /// Returns the version of an open file that this metadata is of; `None` if it is not a regular file.
    pub fn of(identity: Option<Identity>, metadata: &Metadata) -> Option<Self> {
        Some(Self(identity?, metadata.len(), metadata.modified().ok()))
    }
}

impl Replacement {
    /// Creates a file that will replace the file at `path`. Symbolic links are followed. If `only` is given, the commit fails
    /// unless the target is this file in this version.
    pub fn new(path: &Path, only: Option<Version>) -> io::Result<Self> {
        let target = follow(path)?;
        let old = match fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.is_some() {
            // Do not replace a read-only file, even if the permissions of the directory allow it.
            File::options().write(true).open(&target)?;
        }
        // The old file may be private. The new file is private until it gets the mode of the old one.
        let new = NewFile::create(directory_of(&target), old.is_some())?;
        Ok(Self { target, new, old, only })
    }

    pub fn file(&self) -> &File {
        self.new.file()
    }

    /// Replaces the target by the new file. `open` is the target if it is open; it is closed.
    pub fn commit(self, open: Option<File>) -> io::Result<()> {
        let Self { target, new, old, only } = self;
        if let Some(old) = &old {
            new.keep_attributes(old, &target)?;
        }
        let may_replace = || {
            let Some(only) = only else { return Ok(()) };
            let identity = Identity::at(&target);
            if identity != Some(only.0) {
                return Err(io::Error::other("the file was replaced by another one while it was read"));
            }
            // What was added to it would be lost.
            if Version::of(identity, &fs::metadata(&target)?) != Some(only) {
                return Err(io::Error::other(FILE_CHANGED));
            }
            Ok(())
        };
        new.replace(&target, directory_of(&target), open, may_replace)
    }
}

/// Returns the path at the end of a chain of symbolic links. This path need not exist.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => path = directory_of(&path).join(fs::read_link(&path)?),
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Returns the directory that contains `path`.
pub fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
