//! What functions read that take more than text: text in memory, files, and objects with a method `read`, each of them plain or
//! compressed.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::BufRead;
use std::io::Cursor;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use pyo3::exceptions::PyBlockingIOError;
use pyo3::exceptions::PyOSError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::exceptions::PyStopIteration;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::types::PyString;

use crate::channel::Wanted;
use crate::errors::Origin;
use crate::errors::exception;
use crate::errors::name_as_text;
use crate::text::Text;
use crate::threads;

/// What is read.
pub enum Source<'py> {
    /// Text in memory.
    Text(Text<'py>),
    /// A file, and its name for messages.
    File(File, String),
    /// An object with a method `read`.
    Reader(Py<PyAny>),
}

impl<'py> Source<'py> {
    /// Takes an argument: text, or an object with a method `read`, or `os.PathLike` for the name of a file.
    ///
    /// # Errors
    /// If it is something else, or if the file cannot be opened.
    pub fn of(argument: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(text) = Text::of(argument)? {
            return if names_file(&text) {
                Err(name_as_text(argument.py(), text.bytes()))
            } else {
                Ok(Self::Text(text))
            };
        }
        if argument.hasattr("__fspath__")? {
            return Self::open(argument.py(), argument.extract::<PathBuf>()?);
        }
        if argument.hasattr("read")? {
            return Ok(Self::Reader(argument.clone().unbind()));
        }
        let message = "expected JSON text (bytes, bytearray, memoryview or str), a pathlib.Path or a binary file";
        Err(PyTypeError::new_err(message))
    }

    /// Takes an argument that names a file, or is a file.
    ///
    /// # Errors
    /// If the file cannot be opened, or if the argument is neither.
    pub fn of_file(argument: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = argument.extract::<OsString>() {
            return Self::open(argument.py(), name.into());
        }
        if argument.hasattr("__fspath__")? || argument.hasattr("read")? {
            return Self::of(argument);
        }
        Err(PyTypeError::new_err("expected the name of a file (str or os.PathLike) or a binary file"))
    }

    /// Opens a file without the global interpreter lock: a named pipe waits until something writes to it.
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let name = path.display().to_string();
        let opened = py.detach(|| {
            let file = File::open(&path)?;
            let is_directory = file.metadata().is_ok_and(|metadata| metadata.is_dir());
            if is_directory { Err(io::Error::from_raw_os_error(IS_A_DIRECTORY)) } else { Ok(file) }
        });
        match opened {
            Ok(file) => Ok(Self::File(file, name)),
            Err(error) => Err(os_error(&error, &name)),
        }
    }

    /// Reads the source without the global interpreter lock.
    ///
    /// # Errors
    /// The error of `work` as an exception.
    pub fn read<T: Send>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(Input<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let result = match self {
            Self::Text(text) => {
                let bytes = text.bytes();
                py.detach(|| work(expanded(Input::from(bytes))))
            }
            Self::File(file, _) => py.detach(|| work(expanded(file_input(file)))),
            Self::Reader(reader) => {
                let reader = PythonReader::new(reader.clone_ref(py));
                py.detach(|| work(expanded(Input::from_reader(reader))))
            }
        };
        result.map_err(|error| exception(py, error.into(), self.origin()))
    }

    /// Returns text in memory that is not compressed.
    pub fn plain(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) if !is_compressed(text.bytes()) => Some(text.bytes()),
            _ => None,
        }
    }

    /// Returns where the text of errors is from.
    pub fn origin(&self) -> Origin<'_> {
        match (self.plain(), self) {
            (Some(text), _) => Origin::Text(text),
            (None, Self::File(_, name)) => Origin::File(Some(name)),
            // The offset of an error in compressed text is one in the text that was decompressed.
            (None, _) => Origin::File(None),
        }
    }

    /// Returns the whole text, which is read now if it is in a file or compressed.
    ///
    /// # Errors
    /// If reading fails, if the file changes meanwhile, or if compressed data has more text than the library reads as one document.
    pub fn into_text(self, py: Python<'py>) -> PyResult<(Text<'py>, Option<String>)> {
        let (text, name) = match self {
            Self::Text(text) if is_compressed(text.bytes()) => {
                let bytes = text.bytes();
                (py.detach(|| read_whole(Input::from(bytes), 0)), None)
            }
            Self::Text(text) => return Ok((text, None)),
            Self::File(file, name) => {
                let length = file.metadata().map_or(0, |metadata| metadata.len());
                (py.detach(|| read_whole(file_input(&file), length)), Some(name))
            }
            Self::Reader(reader) => {
                let reader = PythonReader::new(reader);
                (py.detach(|| read_whole(Input::from_reader(reader), 0)), None)
            }
        };
        match text {
            Ok(text) => Ok((Text::Copied(text), name)),
            Err(error) => Err(reading_error(py, error, name.as_deref())),
        }
    }

    /// Returns the source for another thread.
    pub fn into_shared(self) -> Shared {
        match self {
            Self::Text(Text::Bytes(bytes)) => Shared::Bytes(HeldBytes::new(&bytes)),
            Self::Text(text) => Shared::Copied(text.bytes().into()),
            Self::File(file, _) if file.metadata().is_ok_and(|metadata| metadata.is_file()) => Shared::File(file),
            Self::File(file, _) => Shared::Stream(Box::new(file)),
            Self::Reader(reader) => Shared::Stream(Box::new(ThreadReader(PythonReader::new(reader)))),
        }
    }
}

/// `EISDIR` of all systems.
const IS_A_DIRECTORY: i32 = 21;

/// Longest string that is looked up as the name of a file.
const MAX_NAME: usize = 4096;

/// Whether a string is the name of a file, which was probably meant. The system is not asked about strings that begin like JSON.
fn names_file(text: &Text<'_>) -> bool {
    let Text::String(_) = text else { return false };
    let bytes = text.bytes();
    let begins_like_json = bytes.first().is_none_or(|first| b"{[\"-0123456789 \t\r\n".contains(first))
        || [&b"true"[..], b"false", b"null"].iter().any(|literal| bytes.starts_with(literal));
    !begins_like_json && bytes.len() <= MAX_NAME && str::from_utf8(bytes).is_ok_and(|name| Path::new(name).is_file())
}

/// A source that another thread reads.
pub enum Shared {
    Bytes(HeldBytes),
    Copied(Arc<[u8]>),
    /// A file that can be mapped.
    File(File),
    /// What can be read only once.
    Stream(Box<dyn Read + Send>),
}

impl Shared {
    /// Returns the input.
    pub fn input(&mut self) -> Input<'_> {
        match self {
            Self::Bytes(bytes) => expanded(Input::from(bytes.bytes())),
            Self::Copied(bytes) => expanded(Input::from(&**bytes)),
            Self::File(file) => expanded(file_input(file)),
            Self::Stream(stream) => expanded(Input::from_reader(stream)),
        }
    }

    /// Returns the same source, which ends with an error when nobody waits for what is read of it. What is not a stream ends anyway.
    pub fn while_wanted(self, wanted: Wanted) -> Self {
        match self {
            Self::Stream(stream) => Self::Stream(Box::new(WhileWanted { stream, wanted })),
            other => other,
        }
    }

    /// Returns the lines that begin in a range of bytes.
    ///
    /// # Errors
    /// If the source is compressed, or if it can only be read from its start.
    pub fn input_in(&mut self, range: Range<u64>) -> Result<Input<'_>, Error> {
        if range == (0..u64::MAX) {
            return Ok(self.input());
        }
        let whole = match self {
            Self::Bytes(bytes) => Input::from(bytes.bytes()),
            Self::Copied(bytes) => Input::from(&**bytes),
            Self::File(file) => file_input(file),
            Self::Stream(stream) => Input::from_reader(stream),
        };
        whole.range(range, Framing::Lines)
    }

    /// Whether it can be read only once.
    pub fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Returns the same source, to be read again. `None` if it can be read only once.
    ///
    /// # Errors
    /// If the system has no more files.
    pub fn again(&self, py: Python<'_>) -> io::Result<Option<Self>> {
        Ok(Some(match self {
            Self::Bytes(bytes) => Self::Bytes(bytes.again(py)),
            Self::Copied(bytes) => Self::Copied(Arc::clone(bytes)),
            Self::File(file) => Self::File(file.try_clone()?),
            Self::Stream(_) => return Ok(None),
        }))
    }

    /// Returns the first lines of a range of the source, at least `count` of them if it has as many, and the source, which is as before.
    ///
    /// # Errors
    /// An error of reading, as [`reading_error`] takes it.
    pub fn first_lines(self, range: Range<u64>, count: u64) -> io::Result<(Vec<u8>, Self)> {
        match self {
            Self::Stream(stream) if range == (0..u64::MAX) => {
                let mut recorder = Recorder { stream, recorded: Vec::new() };
                let lines = first_lines(expanded(Input::from_reader(&mut recorder)), count)?;
                let Recorder { stream, recorded } = recorder;
                Ok((lines, Self::Stream(Box::new(Cursor::new(recorded).chain(stream)))))
            }
            mut source => {
                let lines = first_lines(source.input_in(range)?, count)?;
                Ok((lines, source))
            }
        }
    }
}

/// Keeps what is read from a stream.
struct Recorder {
    stream: Box<dyn Read + Send>,
    recorded: Vec<u8>,
}

impl Read for Recorder {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(out)?;
        self.recorded.extend_from_slice(&out[..count]);
        Ok(count)
    }
}

/// Returns the first lines of an input, and no part of another one.
fn first_lines(input: Input<'_>, count: u64) -> io::Result<Vec<u8>> {
    let (mut reader, mut lines, mut rest) = (input.into_reader(), Vec::new(), count);
    while rest > 0 {
        let text = reader.fill_buf()?;
        // A window of a stream, or the whole of what is in memory.
        let text = &text[..text.len().min(READ)];
        if text.is_empty() {
            return Ok(lines);
        }
        let pieces = text.split(|byte| *byte == b'\n').count() as u64;
        rest = rest.saturating_sub(pieces - 1);
        lines.extend_from_slice(text);
        let length = text.len();
        reader.consume(length);
    }
    let complete = lines.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    lines.truncate(complete);
    Ok(lines)
}

/// The bytes of an object, which cannot change, for threads that do not hold the global interpreter lock.
pub struct HeldBytes {
    owner: Py<PyBytes>,
    start: *const u8,
    length: usize,
}

// SAFETY: a `bytes` object cannot change, and this holds a reference to it. Dropping that in another thread is what `Py` is made for.
unsafe impl Send for HeldBytes {}

impl HeldBytes {
    fn new(bytes: &Bound<'_, PyBytes>) -> Self {
        let text = bytes.as_bytes();
        Self { start: text.as_ptr(), length: text.len(), owner: bytes.clone().unbind() }
    }

    fn again(&self, py: Python<'_>) -> Self {
        Self { start: self.start, length: self.length, owner: self.owner.clone_ref(py) }
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: these are the bytes of the object, which exists for as long as its owner here.
        unsafe { slice::from_raw_parts(self.start, self.length) }
    }
}

/// Decompresses what is compressed. Memory is bounded, so the length is not limited.
fn expanded(input: Input<'_>) -> Input<'_> {
    input.expanded(u64::MAX)
}

fn is_compressed(text: &[u8]) -> bool {
    expanded(Input::from(text)).is_expanded().unwrap_or(true)
}

/// Maps a file, or reads it if it cannot be mapped.
fn file_input(file: &File) -> Input<'_> {
    // SAFETY: the library guards the mapping: a file that is truncated or changed while it is read is an error, and nothing that is
    // read from it is trusted to stay the same.
    match unsafe { Input::map(file) } {
        Ok(input) => input,
        Err(_) => Input::from_reader(file),
    }
}

/// Longest text of compressed data: that of a document.
const MAX_TEXT: u64 = 1 << 30;

/// Copies an input, which has about `length` bytes.
fn read_whole(input: Input<'_>, length: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    text.try_reserve(usize::try_from(length).unwrap_or(usize::MAX)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    input.expanded(MAX_TEXT).into_reader().read_to_end(&mut text)?;
    Ok(text)
}

/// Returns an error of reading a whole text as an exception: one that the method `read` has raised, one of the library, or one of the
/// operating system.
pub fn reading_error(py: Python<'_>, error: io::Error, name: Option<&str>) -> PyErr {
    let error = match error.downcast::<PyErr>() {
        Ok(error) => return error,
        Err(error) => error,
    };
    match (error.downcast::<Error>(), name) {
        (Ok(error), name) => exception(py, error.into(), Origin::File(name)),
        (Err(error), Some(name)) => os_error(&error, name),
        (Err(error), None) => error.into(),
    }
}

/// Returns an error of the operating system as an exception with the name of the file.
fn os_error(error: &io::Error, name: &str) -> PyErr {
    let number = error.raw_os_error();
    let message = error.to_string();
    let message = message.split(" (os error").next().unwrap_or_default().to_owned();
    match number {
        Some(number) => PyOSError::new_err((number, message, name.to_owned())),
        None => PyOSError::new_err(format!("{name}: {message}")),
    }
}

/// An object with a method `read`.
pub struct PythonReader {
    object: Py<PyAny>,
    rest: Vec<u8>,
    at: usize,
}

/// Number of bytes that are asked for at once.
const READ: usize = 1 << 18;

impl PythonReader {
    fn new(object: Py<PyAny>) -> Self {
        Self { object, rest: Vec::new(), at: 0 }
    }

    fn refill(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let read = self.object.bind(py).call_method1("read", (READ,)).map_err(|error| not_an_end(py, error))?;
            self.at = 0;
            self.rest.clear();
            if let Ok(bytes) = read.cast::<PyBytes>() {
                self.rest.extend_from_slice(bytes.as_bytes());
            } else if let Ok(text) = read.cast::<PyString>() {
                self.rest.extend_from_slice(text.to_str()?.as_bytes());
            } else if read.is_none() {
                return Err(PyBlockingIOError::new_err(
                    "read() returned None: a file that does not wait has no data yet",
                ));
            } else {
                return Err(PyTypeError::new_err("read() must return bytes or str"));
            }
            Ok(())
        })
    }
}

/// Returns an error of the method `read`. `StopIteration` would end the iteration that reads, as if there were no more data (PEP 479).
fn not_an_end(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyStopIteration>(py) {
        return error;
    }
    let raised = PyRuntimeError::new_err("read() raised StopIteration");
    raised.set_cause(py, Some(error));
    raised
}

/// An object with a method `read` that a thread of this library calls.
struct ThreadReader(PythonReader);

impl Read for ThreadReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        threads::call(|| self.0.read(out))
    }
}

/// A stream that is read for as long as anybody waits for what it has.
struct WhileWanted {
    stream: Box<dyn Read + Send>,
    wanted: Wanted,
}

impl Read for WhileWanted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.wanted.get() { self.stream.read(out) } else { Err(io::Error::other("nobody waits for what is read")) }
    }
}

impl Read for PythonReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            self.refill().map_err(io::Error::other)?;
        }
        let rest = &self.rest[self.at..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}
