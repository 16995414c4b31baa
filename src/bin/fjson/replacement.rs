//! A new file in the place of an old one: the old content or the new, never half.
//!
//! The file is written without a name (`O_TMPFILE`), so that an interrupted program leaves nothing behind, not even if
//! it is killed. Only when all is written and on disk does it get a name, `.fjson-…`, and in the next call that of its
//! target: a link cannot take the place of a file, and a rename needs a name. Signals wait for both calls; a program
//! killed between them leaves the first name behind. Where a file system has no nameless files, the file has that name
//! from the start, and the signals know it.

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

/// As many as Linux follows.
const MOST_LINKS: usize = 40;
/// No attribute and no list of attributes is longer on Linux.
const LONGEST_ATTRIBUTE: usize = 64 * 1024;

pub struct Replacement {
    target: PathBuf,
    file: File,
    /// The temporary name, where there has to be one, and that the signals know it.
    name: Option<TempPath>,
    noted: Option<Noted>,
    /// What the target is now, unless it is new.
    old: Option<Metadata>,
    /// The only file that may be replaced, if it matters.
    only: Option<Identity>,
}

impl Replacement {
    /// Starts a file that is to stand at `path`, or where the symbolic link `path` leads. With `only`, it may
    /// take no other file's place.
    pub fn new(path: &Path, only: Option<Identity>) -> io::Result<Self> {
        let target = follow(path)?;
        let old = match fs::metadata(&target) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.is_some() {
            // A file one may not write to is not to be replaced either, whatever the directory would allow.
            File::options().write(true).open(&target)?;
        }
        // The old file may be private: until its mode is known to fit, nobody else may read the new one.
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let (file, name, noted) = create(directory_of(&target), mode)?;
        Ok(Self { target, file, name, noted, old, only })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in its place.
    pub fn commit(self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_attributes(old, &self.target, &self.file)?;
        }
        self.file.sync_all()?;
        let signals_wait = signals::temporary();
        let name = match self.name {
            Some(name) => name,
            None => give_name(&self.file, directory_of(&self.target))?,
        };
        if self.only.is_some() && fs::metadata(&self.target).ok().and_then(|now| Identity::of(&now)) != self.only {
            return Err(io::Error::other("the file was replaced by another while it was read"));
        }
        name.persist(&self.target).map_err(|failure| failure.error)?;
        drop(signals_wait);
        drop(self.noted);
        // Not every file system can sync a directory; the file itself is safe by now.
        File::open(directory_of(&self.target)).and_then(|directory| directory.sync_all()).ok();
        Ok(())
    }
}

/// The file behind a chain of symbolic links; its last link may point to nothing yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = directory_of(&path).join(next),
            // Not a link, or nothing there yet.
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

fn give_name(file: &File, directory: &Path) -> io::Result<TempPath> {
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |name: &Path| Ok(rustix::fs::linkat(CWD, &nameless, CWD, name, AtFlags::SYMLINK_FOLLOW)?);
    Ok(tempfile::Builder::new().prefix(".fjson-").make_in(directory, link)?.into_temp_path())
}

/// Gives `file` the owner, mode and extended attributes (among them access control lists) of the file it replaces.
fn keep_attributes(old: &Metadata, target: &Path, file: &File) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))
            .map_err(|error| io::Error::new(error.kind(), "the owner cannot be kept"))?;
    }
    file.set_permissions(old.permissions())?;
    copy_extended_attributes(target, file);
    Ok(())
}

/// As far as the file system and our rights go: some attributes belong to the system.
fn copy_extended_attributes(target: &Path, file: &File) {
    let mut names = vec![0; LONGEST_ATTRIBUTE];
    let length = rustix::fs::listxattr(target, &mut names).unwrap_or(0);
    let mut value = vec![0; LONGEST_ATTRIBUTE];
    for name in names[..length].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = rustix::fs::getxattr(target, name, &mut value) {
            rustix::fs::fsetxattr(file, name, &value[..length], XattrFlags::empty()).ok();
        }
    }
}
