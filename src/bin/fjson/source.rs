//! Where input comes from: a path or standard input, opened once, and mapped if it is a regular file.
//!
//! Opening once matters: a FIFO has its data only once, and a second look at a path may find another file. Everything
//! else is asked of the open descriptor. This is the program's one file with unsafe code: it decides to map, and it
//! looks at the standard streams before Rust's runtime replaces closed ones by `/dev/null`.

#![expect(unsafe_code, reason = "a memory map is a promise about other processes, and only the program can make it")]

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

/// Which file a regular file is, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// `None` for a pipe, a terminal, a device: those may well be input and output at once.
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

    /// The same path, opened once more, for what stands there now.
    pub fn opened_again(self) -> Result<Self, RunError> {
        match self.name {
            Name::Path(path) => Self::open(path),
            Name::Stdin | Name::Stdout => Ok(self),
        }
    }

    /// The same, to be read in any case.
    pub fn unmapped(self) -> Self {
        Self { may_be_mapped: false, ..self }
    }

    pub fn is_directory(&self) -> bool {
        self.metadata.is_dir()
    }

    /// Which file it is, if it is a regular one.
    pub fn identity(&self) -> Option<Identity> {
        Identity::of(&self.metadata)
    }

    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The size of a regular file. Zero says nothing: files in `/proc` claim it and have content.
    pub fn size(&self) -> Option<u64> {
        Some(self.metadata.len()).filter(|&size| size > 0 && self.metadata.is_file())
    }

    /// The input from its start; `map` allows to map it. Only a regular file can be asked a second time.
    pub fn input(&self, map: bool) -> Input<'_> {
        if map && self.may_be_mapped && self.size().is_some() && self.is_at_start() {
            // SAFETY: the library reads a mapping as bytes that may change at any time and reports a file that did;
            // this process never writes to a file it reads, as `Target` sees to.
            if let Ok(input) = unsafe { Input::map(&self.file) } {
                return input;
            }
        }
        if self.metadata.is_file() && self.name != Name::Stdin {
            // It may have been asked before. If this fails, so will reading.
            (&self.file).rewind().ok();
        }
        Input::from_reader(Widening::new(&self.file))
    }

    /// Whoever gave us standard input may have read a part of it: `(read line; fjson validate) < FILE`.
    fn is_at_start(&self) -> bool {
        self.name != Name::Stdin || (&self.file).stream_position().is_ok_and(|position| position == 0)
    }
}

/// How many more files this process may open, as far as can be told: the one opened next gets the lowest number that is free.
pub fn files_left() -> usize {
    let Ok(next) = rustix::io::dup(rustix::stdio::stderr()) else { return 0 };
    let used = usize::try_from(next.as_raw_fd()).unwrap_or(0);
    let most = getrlimit(Resource::Nofile).current.and_then(|most| usize::try_from(most).ok());
    most.unwrap_or(usize::MAX).saturating_sub(used)
}

pub fn stdout_is_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

static STDIN_CLOSED: AtomicBool = AtomicBool::new(false);
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Before `main`, Rust's runtime opens `/dev/null` in place of a closed standard stream, and output to it would look
/// like success. So the streams are looked at before the runtime starts.
extern "C" fn look_at_standard_streams() {
    let is_closed = |stream| rustix::io::fcntl_getfd(stream).is_err();
    STDIN_CLOSED.store(is_closed(rustix::stdio::stdin()), Ordering::Relaxed);
    STDOUT_CLOSED.store(is_closed(rustix::stdio::stdout()), Ordering::Relaxed);
}

// SAFETY: the loader calls the functions listed in `.init_array` one after another before `main`; this one has the
// right type, makes two system calls and stores two flags, and needs nothing of a runtime that has not started.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = look_at_standard_streams;
