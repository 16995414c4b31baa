//! An open input: a file or standard input. Regular files are memory-mapped.
//!
//! An input is opened only once, because a FIFO can be read only once and a path may refer to another file later. All metadata
//! comes from the open descriptor. This is the only file of the program with unsafe code: it maps files, and it checks the
//! standard streams before Rust's runtime replaces closed ones with `/dev/null`.

#![expect(
    unsafe_code,
    reason = "mapping a file makes assumptions about other processes, which only the program can justify"
)]

use crate::exit::RunError;
use crate::name::Name;
use crate::pipe::Widening;
use fjson::Input;
use rustix::process::Resource;
use rustix::process::getrlimit;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::io::Seek;
use std::os::fd::AsFd;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

/// An open input.
pub struct Source {
    pub name: Name,
    file: File,
    metadata: Metadata,
    may_be_mapped: bool,
}

/// Identity of a regular file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns `None` for pipes, terminals and devices, which may be input and output at the same time.
    pub fn of(metadata: &Metadata) -> Option<Self> {
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }
}

impl Source {
    pub fn open(path: PathBuf) -> Result<Self, RunError> {
        let opened = File::open(&path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((metadata, file)) => Ok(Self { name: Name::Path(path), file, metadata, may_be_mapped: true }),
            Err(error) => Err(RunError::io(Name::Path(path), &error)),
        }
    }

    pub fn stdin() -> Result<Self, RunError> {
        if STDIN_CLOSED.load(Ordering::Relaxed) {
            return Err(RunError::new(Name::Stdin, "the stream is closed"));
        }
        let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let opened = file.and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((metadata, _)) if metadata.is_dir() => Err(RunError::new(Name::Stdin, "is a directory")),
            Ok((metadata, file)) => Ok(Self { name: Name::Stdin, file, metadata, may_be_mapped: true }),
            Err(error) => Err(RunError::io(Name::Stdin, &error)),
        }
    }

    /// Opens the path again, because another file may have replaced it.
    pub fn reopen(self) -> Result<Self, RunError> {
        match self.name {
            Name::Path(path) => Self::open(path),
            Name::Stdin | Name::Stdout => Ok(self),
        }
    }

    /// Returns the same source, which is read instead of mapped.
    pub fn unmapped(self) -> Self {
        Self { may_be_mapped: false, ..self }
    }

    pub fn is_directory(&self) -> bool {
        self.metadata.is_dir()
    }

    /// Returns the identity of a regular file.
    pub fn identity(&self) -> Option<Identity> {
        Identity::of(&self.metadata)
    }

    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns the size of a regular file; `None` if it is 0, because files in `/proc` report size 0 but have content.
    pub fn size(&self) -> Option<u64> {
        Some(self.metadata.len()).filter(|&size| size > 0 && self.metadata.is_file())
    }

    /// Returns the input from its start. It is only mapped if `map` is set. Only a regular file can be read more than once.
    pub fn input(&self, map: bool) -> Input<'_> {
        if map && self.may_be_mapped && self.size().is_some() && self.is_at_start() {
            // SAFETY: the library treats the bytes of a mapping as changing at any time, and reports an input that changed.
            // This process never writes to a file that it reads; `Target` checks this.
            if let Ok(input) = unsafe { Input::map(&self.file) } {
                return input;
            }
        }
        if self.metadata.is_file() && self.name != Name::Stdin {
            // The file may have been read before. If seeking fails, reading fails too.
            (&self.file).rewind().ok();
        }
        Input::from_reader(Widening::new(&self.file))
    }

    /// Whether the input has not been read yet. The parent process may have read a part of standard input:
    /// `(read line; fjson validate) < FILE`.
    fn is_at_start(&self) -> bool {
        self.name != Name::Stdin || (&self.file).stream_position().is_ok_and(|position| position == 0)
    }
}

/// Estimates how many more files this process can open: a new descriptor gets the lowest free number.
pub fn files_left() -> usize {
    let Ok(next) = rustix::io::dup(rustix::stdio::stderr()) else { return 0 };
    let used = usize::try_from(next.as_raw_fd()).unwrap_or(0);
    let limit = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    limit.unwrap_or(usize::MAX).saturating_sub(used)
}

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

// SAFETY: the loader calls the functions in `.init_array` one after another before `main`. This function has the right type,
// makes two system calls and stores two flags; it does not depend on the runtime, which has not started yet.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = check_standard_streams;
