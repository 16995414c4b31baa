//! A new file that replaces another one by a rename.
//!
//! On Linux the new file is created without a name (`O_TMPFILE`), so that nothing is left behind even if the program is killed.
//! After everything is written and synced, the file is linked under the name `.fjson-…` and then renamed to the target. The two
//! steps are needed because a link cannot replace an existing file and a rename needs a name. Signals are delayed during both
//! calls; if the program is killed between them, the file `.fjson-…` is left behind. On other systems, and on file systems without
//! `O_TMPFILE`, the file has this name from the start and is registered with [`signals`].

#![forbid(unsafe_code)]

use crate::platform::unix::system;
use crate::signals;
use crate::signals::Noted;
use rustix::fs::XattrFlags;
use std::fs::File;
use std::fs::Metadata;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::fchown;
use std::path::Path;
use tempfile::TempPath;

/// Limit of Linux on the size of an extended attribute and of the list of attribute names.
const MAX_ATTRIBUTE_SIZE: usize = 64 * 1024;

/// A new file beside the one that it will replace.
pub struct NewFile {
    file: File,
    /// The temporary name, if the file system does not support files without a name.
    name: Option<TempPath>,
    /// Registration of the temporary name for removal by signals.
    noted: Option<Noted>,
}

impl NewFile {
    /// Creates a file in `directory`. Only the user may read a private file.
    pub fn create(directory: &Path, is_private: bool) -> io::Result<Self> {
        let mode = if is_private { 0o600 } else { 0o666 };
        match system::create_nameless(directory, mode)? {
            Some(file) => Ok(Self { file, name: None, noted: None }),
            None => Self::create_named(directory, mode),
        }
    }

    fn create_named(directory: &Path, mode: u32) -> io::Result<Self> {
        let mut temporary = signals::temporary();
        let permissions = Permissions::from_mode(mode);
        let file = tempfile::Builder::new().prefix(".fjson-").permissions(permissions).tempfile_in(directory)?;
        let noted = temporary.note(file.path());
        let (file, name) = file.into_parts();
        Ok(Self { file, name: Some(name), noted: Some(noted) })
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Copies the owner, mode and extended attributes (including access control lists) of the old file to the new one.
    pub fn keep_attributes(&self, old: &Metadata, target: &Path) -> io::Result<()> {
        let new = self.file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            fchown(&self.file, Some(old.uid()), Some(old.gid()))
                .map_err(|error| io::Error::new(error.kind(), "the owner cannot be preserved"))?;
        }
        self.file.set_permissions(old.permissions())?;
        copy_extended_attributes(target, &self.file);
        Ok(())
    }

    /// Renames the file to `target`, a file in `directory`, if `may_replace` allows it. `open` is the target if it is open; it is
    /// closed only after that, because the inode of a closed file can be that of another one.
    pub fn replace(
        self,
        target: &Path,
        directory: &Path,
        open: Option<File>,
        may_replace: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        self.file.sync_all()?;
        let delayed_signals = signals::temporary();
        let name = match self.name {
            Some(name) => name,
            None => give_name(&self.file, directory)?,
        };
        may_replace()?;
        name.persist(target).map_err(|failure| failure.error)?;
        drop(delayed_signals);
        drop(self.noted);
        drop(open);
        // Some file systems cannot sync a directory. The file itself is already on disk.
        File::open(directory).and_then(|directory| directory.sync_all()).ok();
        Ok(())
    }
}

/// Links `file`, which has no name, under a temporary name in `directory`.
fn give_name(file: &File, directory: &Path) -> io::Result<TempPath> {
    let link = |name: &Path| system::link(file, name);
    Ok(tempfile::Builder::new().prefix(".fjson-").make_in(directory, link)?.into_temp_path())
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
