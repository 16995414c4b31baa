//! An open input: a file or standard input. Regular files are memory-mapped.
//!
//! An input is opened only once, because a FIFO can be read only once and a path may refer to another file later. All metadata
//! comes from the open descriptor.

#![expect(
    unsafe_code,
    reason = "mapping a file makes assumptions about other processes, which only the program can justify"
)]

use crate::args::values::Part;
use crate::exit::RunError;
use crate::name::Name;
use crate::pipe::Widening;
use crate::platform;
use crate::platform::Identity;
use fjson::Input;
use std::fs::File;
use std::fs::Metadata;
use std::io::Seek;
use std::ops::Bound;
use std::path::PathBuf;

/// An open input.
pub struct Source {
    pub name: Name,
    file: File,
    /// `None` for a pipe or a console, on systems that have no metadata of them.
    metadata: Option<Metadata>,
    may_be_mapped: bool,
    part: Option<Part>,
}

impl Source {
    pub fn open(path: PathBuf) -> Result<Self, RunError> {
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
            Ok((metadata, file)) => Ok(Self::new(Name::Stdin, file, metadata)),
            Err(error) => Err(RunError::io(Name::Stdin, &error)),
        }
    }

    fn new(name: Name, file: File, metadata: Option<Metadata>) -> Self {
        Self { name, file, metadata, may_be_mapped: true, part: None }
    }

    /// Opens the path again, because another file may have replaced it.
    pub fn reopen(self) -> Result<Self, RunError> {
        match self.name {
            Name::Path(path) => Ok(Self { part: self.part, ..Self::open(path)? }),
            Name::Stdin | Name::Stdout => Ok(self),
        }
    }

    /// Returns the same source, which is read instead of mapped.
    pub fn unmapped(self) -> Self {
        Self { may_be_mapped: false, ..self }
    }

    /// Returns the same source, of which only the records in a part are read.
    pub fn part(self, part: Option<Part>) -> Self {
        Self { part, ..self }
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

    /// Returns the input from its start. It is only mapped if `map` is set. Only a regular file can be read more than once.
    pub fn input(&self, map: bool) -> Input<'_> {
        if map && self.may_be_mapped && self.size().is_some() && self.is_at_start() {
            // SAFETY: the library treats the bytes of a mapping as changing at any time, and reports an input that changed.
            // This process never writes to a file that it reads; `Target` checks this.
            if let Ok(input) = unsafe { Input::map(&self.file) } {
                return input;
            }
        }
        if self.regular().is_some() && self.is_part() {
            return Input::from_seekable(&self.file);
        }
        if self.regular().is_some() && self.name != Name::Stdin {
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
