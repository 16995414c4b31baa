//! Windows.
//!
//! Rust's runtime opens standard streams in binary mode, so line breaks are never translated. A console is different: it takes
//! UTF-16, so reads and writes of a console go through the standard library, which converts them.

#![forbid(unsafe_code)]

mod new_file;
mod signals;

pub use new_file::NewFile;
pub use signals::end_by_broken_pipe;
pub use signals::exit_on_out_of_memory;
pub use signals::ignore_file_size_limit;
pub use signals::on_termination;

use cpu_time::ProcessTime;
use cpu_time::ThreadTime;
use std::fs::File;
use std::fs::Metadata;
use std::fs::OpenOptions;
use std::io;
use std::io::IsTerminal;
use std::io::Read;
use std::io::Write;
use std::os::windows::fs::FileExt;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::str;
use std::time::Duration;
use winapi_util::file::information;
use winapi_util::file::typ;

/// Lets `CreateFile` open directories (`FILE_FLAG_BACKUP_SEMANTICS`).
const ALSO_DIRECTORIES: u32 = 0x0200_0000;
/// `ERROR_TOO_MANY_OPEN_FILES`.
const TOO_MANY_OPEN_FILES: i32 = 4;

/// The keys that end the input of a terminal.
pub const END_OF_INPUT: &str = "Ctrl-Z and Enter";

/// The C library that the program is linked with.
pub const C_LIBRARY: &str = if cfg!(target_env = "gnu") { "msvcrt or UCRT, built with GNU tools" } else { "UCRT" };

/// Identity of a regular file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    volume: u64,
    index: u64,
}

impl Identity {
    /// Returns `None` for pipes, consoles and devices, which may be input and output at the same time.
    pub fn of(file: &File, metadata: &Metadata) -> Option<Self> {
        let information = metadata.is_file().then(|| information(file))?.ok()?;
        Some(Self { volume: information.volume_serial_number(), index: information.file_index() })
    }

    /// Returns the identity of the file that `path` names now.
    pub fn at(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        Self::of(&file, &metadata(&file).ok()??)
    }
}

/// Returns the number of names of a file.
pub fn hard_links(file: &File, _: &Metadata) -> u64 {
    information(file).map_or(1, |information| information.number_of_links())
}

/// Opens a file or a directory for reading.
pub fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(ALSO_DIRECTORIES).open(path)
}

/// Returns the metadata of an open file; `None` if the system has none for this kind of file, such as a pipe, a console, and under
/// wine a redirected stream.
pub fn metadata(file: &File) -> io::Result<Option<Metadata>> {
    let is_disk = typ(file)?.is_disk();
    Ok(file.metadata().ok().filter(|_| is_disk))
}

/// Returns the path that is written as `bytes` in a list of files. It must be Unicode.
pub fn path(bytes: &[u8]) -> io::Result<&Path> {
    // A list that was written as text has CRLF at the ends of its lines.
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let text = str::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "a file name in the list is not valid UTF-8"))?;
    Ok(Path::new(text))
}

/// Returns standard input as a file.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Returns standard output as a file.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// Returns standard error as a file.
pub fn stderr() -> io::Result<File> {
    io::stderr().as_handle().try_clone_to_owned().map(File::from)
}

/// Returns false: a closed stream is an invalid handle, and the first operation on it fails.
pub fn stdin_is_closed() -> bool {
    false
}

/// Returns false: a closed stream is an invalid handle, and the first operation on it fails.
pub fn stdout_is_closed() -> bool {
    false
}

/// Reads from a file.
pub fn read(mut file: &File, buffer: &mut [u8]) -> io::Result<usize> {
    if file.is_terminal() { io::stdin().read(buffer) } else { file.read(buffer) }
}

/// Reads from a regular file at an offset.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Writes to a file.
pub fn write(mut file: &File, bytes: &[u8]) -> io::Result<usize> {
    if file.is_terminal() {
        let mut console = io::stdout().lock();
        console.write_all(bytes).and_then(|()| console.flush()).map(|()| bytes.len())
    } else {
        file.write(bytes)
    }
}

/// Writes to standard error.
pub fn write_to_stderr(bytes: &[u8]) -> io::Result<usize> {
    io::stderr().write(bytes)
}

/// The size of a pipe is fixed.
pub fn enlarge_pipe(_: &File, _: usize) {}

/// Returns the number of files that can be opened. The limit is that of memory.
pub fn files_left() -> usize {
    usize::MAX
}

/// Returns whether the limit on open files was reached.
pub fn is_file_limit(error: &io::Error) -> bool {
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}

/// The unit in which processor times are counted.
pub const PROCESSOR_TIME_UNIT: Duration = Duration::from_micros(15_625);

/// Returns the processor time of all threads.
pub fn process_time() -> Duration {
    ProcessTime::try_now().map_or(Duration::ZERO, |time| time.as_duration())
}

/// Returns the processor time of this thread.
pub fn thread_time() -> Duration {
    ThreadTime::try_now().map_or(Duration::ZERO, |time| time.as_duration())
}
