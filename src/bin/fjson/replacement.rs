//! Atomic replacement of a file: readers see the old content or the complete new content.
//!
//! The new file is created without a name (`O_TMPFILE`), so that nothing is left behind even if the program is killed. After
//! everything is written and synced, the file is linked under the name `.fjson-…` and then renamed to the target. The two steps
//! are needed because a link cannot replace an existing file and a rename needs a name. Signals are delayed during both calls;
//! if the program is killed between them, the file `.fjson-…` is left behind. On file systems without `O_TMPFILE`, the file has
//! this name from the start and is registered with [`signals`].

#![forbid(unsafe_code)]

use crate::signals;
use crate::signals::Noted;
use crate::source::Identity;
use rustix::fs::AtFlags;
use rustix::fs::CWD;
use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::fs::XattrFlags;
use rustix::io::Errno;
use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::fs::Permissions;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::fchown;
use std::path::Path;
use std::path::PathBuf;
use tempfile::TempPath;

/// Limit on the length of a chain of symbolic links; the same as in Linux.
const MAX_LINKS: usize = 40;
/// Limit of Linux on the size of an extended attribute and of the list of attribute names.
const MAX_ATTRIBUTE_SIZE: usize = 64 * 1024;

/// A new file that is not visible under its target path until it is committed.
pub struct Replacement {
    target: PathBuf,
    file: File,
    /// The temporary name, if the file system does not support files without a name.
    name: Option<TempPath>,
    /// Registration of the temporary name for removal by signals.
    noted: Option<Noted>,
    /// Metadata of the existing target; `None` if there is no target yet.
    old: Option<Metadata>,
    /// The only file that may be replaced; `None` if any file may be.
    only: Option<Identity>,
}

impl Replacement {
    /// Creates a file that will replace the file at `path`. Symbolic links are followed. If `only` is given, the commit fails
    /// unless the target is this file.
    pub fn new(path: &Path, only: Option<Identity>) -> io::Result<Self> {
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
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let (file, name, noted) = create(directory_of(&target), mode)?;
        Ok(Self { target, file, name, noted, old, only })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Replaces the target by the new file.
    pub fn commit(self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_attributes(old, &self.target, &self.file)?;
        }
        self.file.sync_all()?;
        let delayed_signals = signals::temporary();
        let name = match self.name {
            Some(name) => name,
            None => give_name(&self.file, directory_of(&self.target))?,
        };
        if self.only.is_some() && fs::metadata(&self.target).ok().and_then(|now| Identity::of(&now)) != self.only {
            return Err(io::Error::other("the file was replaced by another one while it was read"));
        }
        name.persist(&self.target).map_err(|failure| failure.error)?;
        drop(delayed_signals);
        drop(self.noted);
        // Some file systems cannot sync a directory. The file itself is already on disk.
        File::open(directory_of(&self.target)).and_then(|directory| directory.sync_all()).ok();
        Ok(())
    }
}

/// Returns the path at the end of a chain of symbolic links. This path need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = directory_of(&path).join(next),
            // Not a link, or the path does not exist.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(error) => return Err(error),
        }
    }
    Err(Errno::LOOP.into())
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

type Created = (File, Option<TempPath>, Option<Noted>);

/// Creates a file without a name in `directory`, or with a temporary name if the file system does not support this.
fn create(directory: &Path, mode: u32) -> io::Result<Created> {
    match rustix::fs::open(directory, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::from_raw_mode(mode)) {
        Ok(descriptor) if Path::new("/proc/self/fd").exists() => Ok((descriptor.into(), None, None)),
        Ok(_) | Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => create_named(directory, mode),
        Err(error) => Err(error.into()),
    }
}

fn create_named(directory: &Path, mode: u32) -> io::Result<Created> {
    let mut temporary = signals::temporary();
    let file =
        tempfile::Builder::new().prefix(".fjson-").permissions(Permissions::from_mode(mode)).tempfile_in(directory)?;
    let noted = temporary.note(file.path());
    let (file, name) = file.into_parts();
    Ok((file, Some(name), Some(noted)))
}

/// Links `file`, which has no name, under a temporary name in `directory`.
fn give_name(file: &File, directory: &Path) -> io::Result<TempPath> {
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |name: &Path| Ok(rustix::fs::linkat(CWD, &nameless, CWD, name, AtFlags::SYMLINK_FOLLOW)?);
    Ok(tempfile::Builder::new().prefix(".fjson-").make_in(directory, link)?.into_temp_path())
}

/// Copies the owner, mode and extended attributes (including access control lists) of the old file to the new one.
fn keep_attributes(old: &Metadata, target: &Path, file: &File) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))
            .map_err(|error| io::Error::new(error.kind(), "the owner cannot be preserved"))?;
    }
    file.set_permissions(old.permissions())?;
    copy_extended_attributes(target, file);
    Ok(())
}

/// Copies the extended attributes. Errors are ignored, because some attributes can only be set by the system.
fn copy_extended_attributes(target: &Path, file: &File) {
    let mut names = vec![0; MAX_ATTRIBUTE_SIZE];
    let length = rustix::fs::listxattr(target, &mut names).unwrap_or(0);
    let mut value = vec![0; MAX_ATTRIBUTE_SIZE];
    for name in names[..length].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = rustix::fs::getxattr(target, name, &mut value) {
            rustix::fs::fsetxattr(file, name, &value[..length], XattrFlags::empty()).ok();
        }
    }
}
