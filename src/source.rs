//! An open input: a file or standard input. Regular files are memory-mapped.
//!
//! An input is opened only once, because a FIFO can be read only once and a path may refer to another file later. All metadata
//! comes from the open descriptor. A file can be read several times, also at once: each reader has a position of its own, and the one
//! that the descriptor shares with other processes stays where it is.

#![expect(
    unsafe_code,
    reason = "mapping a file makes assumptions about other processes, which only the program can justify"
)]

use crate::args::values::Part;
use crate::exit::RunError;
use crate::extension::is_compressed;
use crate::growing::Growing;
use crate::name::Name;
use crate::output_file::OutputFile;
use crate::pipe::Widening;
use crate::platform;
use crate::platform::Identity;
use fjson::Input;
use std::cell::Ref;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::ops::Bound;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Where standard input begins, if it is a file.
static START: OnceLock<u64> = OnceLock::new();

/// The content of a pipe on standard input that is read more than once.
static HELD: OnceLock<Vec<u8>> = OnceLock::new();

/// Maximum number of bytes of it: 1 GiB.
const MAX_HELD: u64 = 1 << 30;

const TOO_LARGE_TO_HOLD: &str = "the input is read twice, so it may have at most 1 GiB; save it to a file";
const READ_TWICE: &str =
    "the input is read twice, but it is not a regular file; save it to a file, or use standard input";

/// An open input.
pub struct Source {
    pub name: Name,
    file: File,
    /// `None` for a pipe or a console, on systems that have no metadata of them.
    metadata: Option<Metadata>,
    may_be_mapped: bool,
    /// Where reading begins. The parent process may have read a part of standard input: `(read line; fjson validate) < FILE`.
    start: u64,
    part: Option<Part>,
    /// Length up to which the file is read, if it has grown since it was read before.
    most: Option<u64>,
    /// What was read of a pipe, if it is to be kept.
    kept: Option<RefCell<Kept>>,
}

/// Number of bytes of the beginning of a pipe that can be read again.
const MAX_KEPT: usize = 4 << 20;

/// Number of bytes of a pipe that are kept until they are forgotten: more than what is read ahead.
const MAX_AHEAD: usize = 64 << 20;

/// What was read of a pipe: all bytes from an offset on, up to [`MAX_AHEAD`].
#[derive(Default)]
pub struct Kept {
    pub from: u64,
    pub bytes: VecDeque<u8>,
    /// Whether bytes that follow were not kept.
    is_cut: bool,
}

impl Source {
    /// Opens a file that is named on the command line: `-` is standard input.
    pub fn named(path: &Path) -> Result<Self, RunError> {
        if path == "-" { Self::stdin() } else { Self::open(path.to_path_buf()) }
    }

    pub fn open(path: PathBuf) -> Result<Self, RunError> {
        if path.as_os_str().is_empty() {
            return Err(RunError::new(Name::Path(path), "the name of the file is empty"));
        }
        let opened = platform::open(&path).and_then(|file| Ok((platform::metadata(&file)?, file)));
        match opened {
            Ok((metadata, file)) => Ok(Self::new(Name::Path(path), file, metadata)),
            Err(error) => Err(RunError::io(Name::Path(path), &error)),
        }
    }

    pub fn stdin() -> Result<Self, RunError> {
        if platform::stdin_is_closed() {
            return Err(RunError::new(Name::Stdin, "the stream is closed"));
        }
        let opened = platform::stdin().and_then(|file| Ok((platform::metadata(&file)?, file)));
        match opened {
            Ok((Some(metadata), _)) if metadata.is_dir() => Err(RunError::new(Name::Stdin, "is a directory")),
            Ok((metadata, file)) => {
                let start = *START.get_or_init(|| (&file).stream_position().unwrap_or(0));
                Ok(Self { start, ..Self::new(Name::Stdin, file, metadata) })
            }
            Err(error) => Err(RunError::io(Name::Stdin, &error)),
        }
    }

    fn new(name: Name, file: File, metadata: Option<Metadata>) -> Self {
        Self { name, file, metadata, may_be_mapped: true, start: 0, part: None, most: None, kept: None }
    }

    /// Opens the path again, because another file may have replaced it.
    pub fn reopen(self) -> Result<Self, RunError> {
        match self.name {
            Name::Path(path) => Ok(Self { part: self.part, ..Self::open(path)? }),
            Name::Stdin | Name::Stdout => Ok(self),
        }
    }

    /// Makes sure that the source can be read again. Standard input is held in memory for this, unless it is a file.
    pub fn hold(&self) -> Result<(), RunError> {
        if self.can_be_read_again() {
            return Ok(());
        }
        if self.name != Name::Stdin {
            return Err(RunError::new(self.name.clone(), READ_TWICE));
        }
        let mut content = Vec::new();
        let read = Widening::new(&self.file).take(MAX_HELD + 1).read_to_end(&mut content);
        read.map_err(|error| RunError::io(Name::Stdin, &error))?;
        if content.len() as u64 > MAX_HELD {
            return Err(RunError::new(Name::Stdin, TOO_LARGE_TO_HOLD));
        }
        HELD.get_or_init(|| content);
        Ok(())
    }

    /// Whether this is a file, or standard input that is in memory.
    pub fn can_be_read_again(&self) -> bool {
        match self.name {
            Name::Stdin => self.size().is_some() || HELD.get().is_some(),
            _ => self.regular().is_some(),
        }
    }

    /// Returns the same source, of which at most this number of bytes is read.
    pub fn up_to(self, most: u64) -> Self {
        Self { most: Some(most), may_be_mapped: false, ..self }
    }

    /// Returns the same source, which is read instead of mapped.
    pub fn unmapped(self) -> Self {
        Self { may_be_mapped: false, ..self }
    }

    /// Returns the same source, of which only the records in a part are read.
    pub fn part(self, part: Option<Part>) -> Self {
        Self { part, ..self }
    }

    /// Returns the same source, of which what is read is kept if it cannot be read again.
    pub fn kept(self) -> Self {
        let kept = (!self.can_be_read_again()).then(RefCell::default);
        Self { kept, ..self }
    }

    /// Returns what was kept of a pipe. `None` for a file, which can be read again.
    pub fn kept_so_far(&self) -> Option<Ref<'_, Kept>> {
        self.kept.as_ref().map(RefCell::borrow)
    }

    /// Returns the beginning of what was kept, if it was not forgotten. `None` for a file, which can be read again.
    pub fn beginning(&self) -> Option<Vec<u8>> {
        let kept = self.kept_so_far()?;
        Some(if kept.from == 0 { kept.bytes.iter().take(MAX_KEPT).copied().collect() } else { Vec::new() })
    }

    /// Forgets what was kept up to this offset.
    pub fn forget_kept(&self, offset: u64) {
        let Some(mut kept) = self.kept.as_ref().map(RefCell::borrow_mut) else { return };
        let count = usize::try_from(offset.saturating_sub(kept.from)).unwrap_or(usize::MAX).min(kept.bytes.len());
        kept.bytes.drain(..count);
        kept.from += count as u64;
    }

    /// Whether only a part of the source is read.
    pub fn is_part(&self) -> bool {
        self.range().is_some()
    }

    /// Returns the range of bytes in which the records to read begin; `None` for all records.
    pub fn range(&self) -> Option<(Bound<u64>, Bound<u64>)> {
        let part = self.part.filter(|part| !part.is_everything())?;
        let (from, to) = part.range(self.regular().map_or(0, Metadata::len));
        Some((Bound::Included(from), to.map_or(Bound::Unbounded, Bound::Excluded)))
    }

    /// Whether the file has the length and the time of its last change that it had when it was opened.
    pub fn is_unchanged(&self) -> bool {
        let version = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        let now = platform::metadata(&self.file).ok().flatten();
        self.metadata.as_ref().map(version) == now.as_ref().map(version)
    }

    /// Reads the bytes at an offset of a file.
    pub fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        Growing::new(&self.file, self.start + offset, u64::MAX, false).read_exact(bytes)
    }

    pub fn into_file(self) -> File {
        self.file
    }

    pub fn is_directory(&self) -> bool {
        self.metadata.as_ref().is_some_and(Metadata::is_dir)
    }

    /// Returns the identity of a regular file.
    pub fn identity(&self) -> Option<Identity> {
        Identity::of(&self.file, self.regular()?)
    }

    /// Fails if the source is a file that is written to.
    pub fn check_differs_from(&self, output: OutputFile) -> Result<(), RunError> {
        let checked = output.check(self.identity(), self.regular().map_or(0, Metadata::len));
        checked.map_err(|message| RunError::new(self.name.clone(), message))
    }

    /// Returns whether the file has more than one name.
    pub fn has_several_names(&self) -> bool {
        self.regular().is_some_and(|metadata| platform::hard_links(&self.file, metadata) > 1)
    }

    /// Returns the metadata of a regular file.
    pub fn regular(&self) -> Option<&Metadata> {
        self.metadata.as_ref().filter(|metadata| metadata.is_file())
    }

    /// Returns the size of a regular file, or of the part that is read; `None` if it is 0, because files in `/proc` report size 0
    /// but have content.
    pub fn size(&self) -> Option<u64> {
        let size = self.regular()?.len();
        let length = self.part.map_or(size, |part| part.length(size));
        Some(length).filter(|&length| length > 0)
    }

    /// Returns the input from its start. It is only mapped if `map` is set. Only a regular file can be read more than once, up to the
    /// length that it had when it was opened; with `has_lines`, up to the last line that was complete if it has grown.
    pub fn input(&self, map: bool, has_lines: bool) -> Input<'_> {
        if self.name == Name::Stdin
            && let Some(content) = HELD.get()
        {
            return Input::from(content);
        }
        if map && self.may_be_mapped && self.size().is_some() && self.start == 0 {
            // SAFETY: the library treats the bytes of a mapping as changing at any time, and reports an input that changed.
            // This process never writes to a file that it reads; `Target` checks this.
            if let Ok(input) = unsafe { Input::map(&self.file) } {
                return input;
            }
        }
        let length = self.most.unwrap_or_else(|| self.regular().map_or(0, Metadata::len));
        if length > 0 {
            let reader = Growing::new(&self.file, self.start, length, has_lines);
            return if self.is_part() { Input::from_seekable(reader) } else { Input::from_reader(reader) };
        }
        if self.regular().is_some() && self.name != Name::Stdin {
            // A file in `/proc` has content, and may have been read before. If seeking fails, reading fails too.
            (&self.file).rewind().ok();
        }
        match &self.kept {
            _ if self.regular().is_some() && self.is_part() => Input::from_seekable(&self.file),
            Some(kept) => Input::from_reader(Keeping { inner: Widening::new(&self.file), kept }),
            None => Input::from_reader(Widening::new(&self.file)),
        }
    }

    /// Returns a note for people if the file has grown since it was opened. `read` is the number of bytes that were read.
    pub fn growth(&self, read: u64, has_lines: bool) -> Option<String> {
        let length = self.regular()?.len();
        let now = platform::metadata(&self.file).ok()??.len();
        let is_cut =
            has_lines && self.name.path().is_some_and(|path| !is_compressed(path)) && read < length && !self.is_part();
        let rest = if is_cut { ", nor the record at its end, which was incomplete" } else { "" };
        let name = &self.name;
        (now > length)
            .then(|| format!("{name}: the file has grown; what was added after it was opened is not read{rest}\n"))
    }
}

/// A reader that keeps what it reads.
struct Keeping<'k> {
    inner: Widening<'k>,
    kept: &'k RefCell<Kept>,
}

impl Read for Keeping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let mut kept = self.kept.borrow_mut();
        kept.is_cut |= count > MAX_AHEAD - kept.bytes.len();
        if !kept.is_cut {
            kept.bytes.extend(&buffer[..count]);
        }
        Ok(count)
    }
}
