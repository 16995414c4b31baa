//! What only Linux has: files without a name, and pipes whose size can be changed.

#![forbid(unsafe_code)]

use rustix::fs::AtFlags;
use rustix::fs::CWD;
use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::pipe::fcntl_getpipe_size;
use rustix::pipe::fcntl_setpipe_size;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

/// Creates a file without a name in `directory`; `None` if the file system does not support this.
pub fn create_nameless(directory: &Path, mode: u32) -> io::Result<Option<File>> {
    match rustix::fs::open(directory, OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::from_raw_mode(mode)) {
        Ok(descriptor) => Ok(Path::new("/proc/self/fd").exists().then(|| descriptor.into())),
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a name to a file that has none.
pub fn link(file: &File, name: &Path) -> io::Result<()> {
    let nameless = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(rustix::fs::linkat(CWD, &nameless, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// Enlarges the buffer of `file` to `capacity` bytes if it is a pipe with a smaller one. Errors are ignored.
pub fn enlarge_pipe(file: &File, capacity: usize) {
    if fcntl_getpipe_size(file).is_ok_and(|now| now < capacity) {
        fcntl_setpipe_size(file, capacity).ok();
    }
}
