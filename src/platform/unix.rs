//! Unix: Linux, macOS and other systems with POSIX interfaces.

#![expect(unsafe_code, reason = "a function that runs before `main`")]

#[cfg(target_os = "linux")]
mod linux;
mod new_file;
#[cfg(not(target_os = "linux"))]
mod other;
mod signals;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use other as system;

pub use new_file::NewFile;
pub use signals::end_by_broken_pipe;
pub use signals::exit_on_out_of_memory;
pub use signals::ignore_file_size_limit;
pub use signals::on_termination;
pub use system::enlarge_pipe;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::poll;
use rustix::io::Errno;
use rustix::process::Resource;
use rustix::process::getrlimit;
use rustix::time::ClockId;
use rustix::time::clock_gettime;
use std::ffi::OsStr;
use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::io::Read;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The keys that end the input of a terminal.
pub const END_OF_INPUT: &str = "Ctrl-D";

/// The C library that the program is linked with.
pub const C_LIBRARY: &str = if cfg!(target_env = "gnu") {
    "GNU"
} else if cfg!(target_env = "musl") {
    "musl"
} else {
    "of the system"
};

/// Identity of a regular file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns `None` for pipes, terminals and devices, which may be input and output at the same time.
    pub fn of(_: &File, metadata: &Metadata) -> Option<Self> {
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Returns the identity of the file that `path` names now.
    pub fn at(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

/// Returns the number of names of a file.
pub fn hard_links(_: &File, metadata: &Metadata) -> u64 {
    metadata.nlink()
}

/// Opens a file or a directory for reading.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns the metadata of an open file; `None` if the system has none for this kind of file.
pub fn metadata(file: &File) -> io::Result<Option<Metadata>> {
    file.metadata().map(Some)
}

/// Returns the path that is written as `bytes` in a list of files. Any bytes are a path.
#[expect(clippy::unnecessary_wraps, reason = "other systems do not accept all bytes")]
pub fn path(bytes: &[u8]) -> io::Result<&Path> {
    Ok(Path::new(OsStr::from_bytes(bytes)))
}

/// Returns standard input as a file.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns standard output as a file.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns standard error as a file.
pub fn stderr() -> io::Result<File> {
    io::stderr().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns whether the program was started without standard input.
pub fn stdin_is_closed() -> bool {
    STDIN_CLOSED.load(Ordering::Relaxed)
}

/// Returns whether the program was started without standard output.
pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Records which standard streams are closed. Before `main`, Rust's runtime opens `/dev/null` in place of closed streams, and
/// output would be lost without an error; therefore this runs before the runtime starts.
extern "C" fn check_standard_streams() {
    let is_closed = |stream| rustix::io::fcntl_getfd(stream).is_err();
    STDIN_CLOSED.store(is_closed(rustix::stdio::stdin()), Ordering::Relaxed);
    STDOUT_CLOSED.store(is_closed(rustix::stdio::stdout()), Ordering::Relaxed);
}

// SAFETY: the loader calls the functions in this section one after another before `main`. This function has the right type, makes
// two system calls and stores two flags; it does not depend on the runtime, which has not started yet.
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = check_standard_streams;

/// Reads from a file. Waits if the file is non-blocking and there is nothing to read: another process that shares standard input,
/// such as a Node program, may have set it to non-blocking.
pub fn read(file: &File, buffer: &mut [u8]) -> io::Result<usize> {
    retry(file, PollFlags::IN, |mut file| file.read(buffer))
}

/// Reads from a regular file at an offset.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    FileExt::read_at(file, buffer, offset)
}

/// Writes to a file. Waits if the file is non-blocking and nothing can be written.
pub fn write(file: &File, bytes: &[u8]) -> io::Result<usize> {
    retry(file, PollFlags::OUT, |mut file| file.write(bytes))
}

/// Writes to standard error in the same way. Needs no new file descriptor.
pub fn write_to_stderr(bytes: &[u8]) -> io::Result<usize> {
    retry(&io::stderr(), PollFlags::OUT, |mut stderr| stderr.write(bytes))
}

/// Repeats `call` until it no longer fails with `WouldBlock`. Waits for `ready` in between.
fn retry<F: AsFd>(file: &F, ready: PollFlags, mut call: impl FnMut(&F) -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call(file) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(file, ready)], None)?;
            }
            result => return result,
        }
    }
}

/// Estimates how many more files this process can open: a new descriptor gets the lowest free number.
pub fn files_left() -> usize {
    let Ok(next) = rustix::io::dup(rustix::stdio::stderr()) else { return 0 };
    let used = usize::try_from(next.as_raw_fd()).unwrap_or(0);
    let limit = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX).saturating_sub(used)
}

/// Returns whether the limit on open files was reached, of this process or of the system.
pub fn is_file_limit(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}

/// The unit in which processor times are counted.
pub const PROCESSOR_TIME_UNIT: Duration = Duration::from_micros(1);

/// Returns the processor time of all threads.
pub fn process_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Returns the processor time of this thread.
pub fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}
