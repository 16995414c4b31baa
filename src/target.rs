//! Output: standard output, a new file, or the replacement of an input file.
//!
//! A failed output must never be reported as success, so a target stores its failed write. A target must be committed; if it is
//! dropped instead, an existing file stays unchanged.

#![forbid(unsafe_code)]

use crate::blocking::Blocking;
use crate::exit::RunError;
use crate::exit::reason;
use crate::name::Name;
use crate::output_file::OutputFile;
use crate::pipe::widen;
use crate::platform;
use crate::platform::Identity;
use crate::replacement::Replacement;
use crate::replacement::Version;
use crate::signals;
use crate::source::Source;
use crate::stderr;
use std::fs;
use std::fs::File;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::Path;

const NOT_REGULAR: &str = "cannot be edited in place: not a regular file";

/// Names under which standard output can be opened.
const STDOUT_NAMES: [&str; 4] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"];

/// Names under which standard error can be opened.
const STDERR_NAMES: [&str; 4] = ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "/proc/thread-self/fd/2"];

/// An output that is being written.
pub struct Target {
    name: Name,
    destination: Destination,
    output_file: OutputFile,
    /// Reason of the last failed write.
    failure: Option<String>,
    /// Number of bytes written.
    written: u64,
    /// Whether the last byte written is not a line feed.
    line_is_open: bool,
    is_terminal: bool,
}

enum Destination {
    /// Written immediately: standard output, a pipe or a device.
    Stream(File),
    /// A file that becomes visible when it is complete.
    Replacement(Box<Replacement>),
}

impl Target {
    pub fn stdout() -> Result<Self, RunError> {
        if platform::stdout_is_closed() {
            return Err(RunError::new(Name::Stdout, "the stream is closed"));
        }
        let opened = platform::stdout().and_then(|file| Ok((platform::metadata(&file)?, file)));
        let (metadata, file) = opened.map_err(|error| RunError::io(Name::Stdout, &error))?;
        let identity = metadata.and_then(|metadata| Identity::of(&file, &metadata));
        Ok(Self::new(Name::Stdout, Destination::Stream(file), identity))
    }

    /// Creates or replaces the file at `path` when the target is committed. An existing pipe or device, and an open file by the name
    /// of its descriptor, are written to directly.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        if STDOUT_NAMES.iter().any(|name| path == *name) {
            return Self::stdout();
        }
        let name = Name::Path(path.to_path_buf());
        let destination = if STDERR_NAMES.iter().any(|name| path == *name) {
            platform::stderr().map(Destination::Stream)
        } else if is_direct(path) {
            // An open file is shared with those who have it open, so it is only appended to.
            let mut options = File::options();
            let options = if names_descriptor(path) { options.append(true) } else { options.write(true) };
            options.open(path).map(Destination::Stream)
        } else {
            Replacement::new(path, None).map(|replacement| Destination::Replacement(Box::new(replacement)))
        };
        let identity = Identity::at(path);
        destination
            .map(|destination| Self::new(name.clone(), destination, identity))
            .map_err(|error| RunError::new(name, format!("cannot be written: {}", reason(&error))))
    }

    /// Fails if the file of this name exists and cannot be edited in place, which need not be opened to know that: opening a pipe waits
    /// for its writer.
    pub fn check_in_place_at(path: &Path) -> Result<(), RunError> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                Err(RunError::new(Name::Path(path.to_path_buf()), NOT_REGULAR))
            }
            _ => Ok(()),
        }
    }

    /// Fails if `source` cannot be edited in place, whatever its content.
    pub fn check_in_place(source: &Source) -> Result<(), RunError> {
        let run_error = |reason: &str| Err(RunError::new(source.name.clone(), reason));
        match source.name.path() {
            None => run_error("standard input cannot be edited in place"),
            Some(_) if source.identity().is_none() => run_error(NOT_REGULAR),
            Some(_) => Ok(()),
        }
    }

    /// Replaces `source`, which [can be edited](Self::check_in_place), when the target is committed.
    pub fn in_place(source: &Source) -> Result<Self, RunError> {
        let run_error = |reason: &str| RunError::new(source.name.clone(), reason);
        let path = source.name.path().unwrap_or(Path::new(""));
        let version = source.regular().and_then(|metadata| Version::of(source.identity(), metadata));
        if source.has_several_names() {
            return Err(run_error(
                "cannot be edited in place: the file has several hard links, which would be separated",
            ));
        }
        let replacement = Replacement::new(path, version)
            .map_err(|error| run_error(&format!("cannot be edited in place: {}", reason(&error))))?;
        Ok(Self::new(source.name.clone(), Destination::Replacement(Box::new(replacement)), None))
    }

    fn new(name: Name, destination: Destination, identity: Option<Identity>) -> Self {
        let is_direct = matches!(destination, Destination::Stream(_));
        let output_file = OutputFile::new(identity, is_direct);
        let is_terminal = matches!(&destination, Destination::Stream(file) if file.is_terminal());
        Self { name, destination, output_file, failure: None, written: 0, line_is_open: false, is_terminal }
    }

    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Gives a new file the mode of `source`, so that only users who can read `source` can read it.
    pub fn copy_mode(&self, source: &Source) -> Result<(), RunError> {
        let Destination::Replacement(replacement) = &self.destination else { return Ok(()) };
        let Some(metadata) = source.regular() else { return Ok(()) };
        let set = replacement.file().set_permissions(metadata.permissions());
        set.map_err(|error| RunError::io(self.name.clone(), &error))
    }

    /// Returns the file to which no input may refer.
    pub fn output_file(&self) -> OutputFile {
        self.output_file
    }

    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the error of a failed write, if there was one.
    pub fn write_error(&self) -> Option<RunError> {
        self.failure.as_ref().map(|reason| RunError::new(self.name.clone(), reason))
    }

    /// Whether the output is standard output, not a file of its own.
    pub fn is_stdout(&self) -> bool {
        self.name == Name::Stdout
    }

    /// Writes `text`, and converts an error.
    pub fn print(&mut self, text: impl AsRef<[u8]>) -> Result<(), RunError> {
        self.write_all(text.as_ref()).map_err(|error| RunError::io(self.name.clone(), &error))
    }

    /// Writes a line feed if the last line is not terminated.
    pub fn end_line(&mut self) -> Result<(), RunError> {
        if self.line_is_open { self.print("\n") } else { Ok(()) }
    }

    /// Ends the line if the output is a terminal, so that a message starts on a new line.
    pub fn end_line_for_message(&mut self) -> Result<(), RunError> {
        if self.is_terminal { self.end_line() } else { Ok(()) }
    }

    /// Makes the complete output visible.
    pub fn commit(self) -> Result<(), RunError> {
        self.commit_and_close(None)
    }

    /// Makes the complete output visible in place of `source`, and closes `source`.
    pub fn commit_over(self, source: Source) -> Result<(), RunError> {
        self.commit_and_close(Some(source.into_file()))
    }

    fn commit_and_close(self, old: Option<File>) -> Result<(), RunError> {
        match self.destination {
            Destination::Stream(_) => Ok(()),
            Destination::Replacement(replacement) => {
                replacement.commit(old).map_err(|error| RunError::io(self.name, &error))
            }
        }
    }
}

/// Whether an output is written to at once: a standard stream or another open file by the name of its descriptor, a pipe or a device.
/// Any other file is replaced when its new content is complete.
pub fn is_direct(path: &Path) -> bool {
    let is_stream = STDOUT_NAMES.iter().chain(&STDERR_NAMES).any(|name| path == *name) || names_descriptor(path);
    is_stream || fs::metadata(path).is_ok_and(|old| !old.is_file())
}

/// Whether a path is the name of a descriptor of this process or another one.
fn names_descriptor(path: &Path) -> bool {
    let number = path.to_str().and_then(|path| {
        let of_process = || path.strip_prefix("/proc/")?.split_once("/fd/").map(|(_, number)| number);
        path.strip_prefix("/dev/fd/").or_else(of_process)
    });
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match &self.destination {
            Destination::Stream(file) => file,
            Destination::Replacement(replacement) => replacement.file(),
        };
        widen(file, self.written, bytes.len());
        let write = || Blocking(file).write(bytes);
        let result = if self.is_terminal { stderr::write_data(write, bytes) } else { write() };
        match &result {
            Ok(length) => {
                self.written += *length as u64;
                self.line_is_open = bytes[..*length].last().map_or(self.line_is_open, |&byte| byte != b'\n');
            }
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => signals::terminate_by_broken_pipe(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => self.failure = Some(reason(error)),
        }
        result
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
