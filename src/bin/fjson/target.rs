//! Where output goes: standard output, a new file, or back into the input's place.
//!
//! An output that fails must never look like success, so the first failure is remembered here and every target ends
//! with `commit`, which a target that is dropped instead never had: then an old file stays as it was.

#![forbid(unsafe_code)]

use crate::blocking::Blocking;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use crate::pipe::widen;
use crate::replacement::Replacement;
use crate::signals;
use crate::source;
use crate::source::Identity;
use crate::source::Source;
use std::fs;
use std::fs::File;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

pub struct Target {
    name: Name,
    place: Place,
    taken: Taken,
    /// Why a write failed.
    failure: Option<String>,
    written: u64,
    /// Whether the last byte written is no line break.
    line_is_open: bool,
}

/// The regular file that is written to, which must not be an input as well.
#[derive(Clone, Copy)]
pub struct Taken(Option<Identity>);

enum Place {
    /// Written as it comes: standard output, a pipe, a device.
    Stream(File),
    /// A file that appears when it is complete.
    Replacement(Box<Replacement>),
}

impl Target {
    pub fn stdout() -> Result<Self, RunError> {
        if source::stdout_is_closed() {
            return Err(RunError::new(Name::Stdout, "the stream is closed"));
        }
        let file = io::stdout().as_fd().try_clone_to_owned().map(File::from);
        let opened = file.and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| RunError::io(Name::Stdout, &error))?;
        Ok(Self::new(Name::Stdout, Place::Stream(file), Identity::of(&metadata)))
    }

    /// The file at `path`, complete or not at all. A pipe or a device that is already there is written to.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let name = Name::Path(path.to_path_buf());
        let old = fs::metadata(path).ok();
        let place = if old.as_ref().is_some_and(|old| !old.is_file()) {
            File::options().write(true).open(path).map(Place::Stream)
        } else {
            Replacement::new(path, None).map(|replacement| Place::Replacement(Box::new(replacement)))
        };
        let identity = old.as_ref().and_then(Identity::of);
        place
            .map(|place| Self::new(name.clone(), place, identity))
            .map_err(|error| RunError::new(name, format!("cannot be written: {}", reason(&error))))
    }

    /// The place of `source` itself.
    pub fn in_place(source: &Source) -> Result<Self, RunError> {
        let trouble = |reason: &str| RunError::new(source.name.clone(), reason);
        let Some(path) = source.name.path() else {
            return Err(trouble("standard input has no name, so it cannot be edited in place"));
        };
        let identity = source.identity();
        if identity.is_none() {
            return Err(trouble("not a regular file, so it cannot be edited in place"));
        }
        if source.metadata().nlink() > 1 {
            return Err(trouble("the file has several hard links, which editing in place would separate"));
        }
        let replacement = Replacement::new(path, identity)
            .map_err(|error| trouble(&format!("cannot be edited in place: {}", reason(&error))))?;
        Ok(Self::new(source.name.clone(), Place::Replacement(Box::new(replacement)), None))
    }

    fn new(name: Name, place: Place, identity: Option<Identity>) -> Self {
        Self { name, place, taken: Taken(identity), failure: None, written: 0, line_is_open: false }
    }

    /// Lets a new file be read by those who may read `source`, and by nobody else.
    pub fn take_mode_of(&self, source: &Source) -> Result<(), RunError> {
        let Place::Replacement(replacement) = &self.place else { return Ok(()) };
        if !source.metadata().is_file() {
            return Ok(());
        }
        let set = replacement.file().set_permissions(source.metadata().permissions());
        set.map_err(|error| RunError::io(self.name.clone(), &error))
    }

    pub fn taken(&self) -> Taken {
        self.taken
    }

    pub fn written(&self) -> u64 {
        self.written
    }

    /// The failed write, if there was one.
    pub fn trouble(&self) -> Option<RunError> {
        self.failure.as_ref().map(|reason| RunError::new(self.name.clone(), reason))
    }

    /// Appends `text` of our own.
    pub fn print(&mut self, text: impl AsRef<[u8]>) -> Result<(), RunError> {
        self.write_all(text.as_ref()).map_err(|error| RunError::io(self.name.clone(), &error))
    }

    /// Ends a line that was left open.
    pub fn end_line(&mut self) -> Result<(), RunError> {
        if self.line_is_open { self.print("\n") } else { Ok(()) }
    }

    /// Ends a line on a terminal, so that a message can begin a line of its own.
    pub fn end_line_for_message(&mut self) -> Result<(), RunError> {
        match &self.place {
            Place::Stream(file) if file.is_terminal() => self.end_line(),
            Place::Stream(_) | Place::Replacement(_) => Ok(()),
        }
    }

    /// All is written: let it be seen.
    pub fn commit(self) -> Result<(), RunError> {
        match self.place {
            Place::Stream(_) => Ok(()),
            Place::Replacement(replacement) => replacement.commit().map_err(|error| RunError::io(self.name, &error)),
        }
    }
}

impl Taken {
    /// Refuses to read what is being written. An empty file is let through: the shell has emptied it, and the error to
    /// report is that it is empty.
    pub fn must_not_be(self, source: &Source) -> Result<(), RunError> {
        let is_same = self.0.is_some() && self.0 == source.identity();
        if is_same && source.size().is_some() {
            return Err(RunError::new(
                source.name.clone(),
                "input and output are the same file (--in-place edits a file)",
            ));
        }
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match &self.place {
            Place::Stream(file) => file,
            Place::Replacement(replacement) => replacement.file(),
        };
        widen(file, self.written, bytes.len());
        let result = Blocking(file).write(bytes);
        match &result {
            Ok(length) => {
                self.written += *length as u64;
                self.line_is_open = bytes[..*length].last().map_or(self.line_is_open, |&byte| byte != b'\n');
            }
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => signals::die_of_broken_pipe(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.failure = Some(reason(error)),
        }
        result
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
