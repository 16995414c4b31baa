//! Input: bytes in memory, a memory-mapped file, or a reader; plain or compressed.
//!
//! The engine sees the bytes that are currently in memory and requests more when it needs them. For a slice or a mapped file that
//! is the whole input. A reader or decompressor fills a window that is reused. So pipes and files take the same path through the
//! engine and give the same results.

mod comments;
#[cfg(feature = "compression")]
mod compressed;
mod conversions;
mod copied;
mod lines;
mod map;
mod mark;
mod prefix;
mod progress;
mod range;
mod reader;
mod stream;
mod supply;

#[cfg(all(unix, any(test, fuzzing)))]
pub(crate) mod changing;

// The only code that differs between operating systems.
#[cfg(unix)]
mod guard;
#[cfg(not(unix))]
#[path = "unguarded.rs"]
mod guard;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Position;
pub(crate) use comments::KeptComments;
pub use comments::blank_comments;
pub(crate) use copied::Copied;
pub(crate) use lines::START;
pub(crate) use lines::advance;
pub use mark::ByteOrderMark;
pub use prefix::RecordStart;
pub(crate) use range::Boundary;
pub use reader::Reader;

#[cfg(feature = "compression")]
use crate::input::compressed::Beginning;
#[cfg(feature = "compression")]
use crate::input::compressed::Expanding;
use crate::input::map::Mapped;
use crate::input::progress::Progress;
use crate::input::stream::Stream;
use crate::input::supply::Supply;

use std::fmt;
use std::io::Read;
use std::io::Seek;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// The bytes to read: a slice, a memory-mapped file or any reader.
///
/// Every function that takes an input accepts bytes and strings directly: `&str`, `&String`, `&[u8]`, `&Vec<u8>` and byte
/// string literals. [`Input::map`] maps a file, and [`Input::from_reader`] takes anything else.
///
/// ```
/// use fjson::{Input, Options, validate};
///
/// let options = Options::new();
/// validate("[1, 2]", &options)?;
/// validate(b"[1, 2]", &options)?;
/// validate(&String::from("[1, 2]"), &options)?;
/// validate(Input::from_reader("[1, 2]".as_bytes()), &options)?;
/// # Ok::<(), fjson::Error>(())
/// ```
pub struct Input<'a> {
    source: Source<'a>,
    /// Offset of the first byte. Not 0 if the input is a range of a larger one, or if a byte order mark was skipped.
    start: u64,
    /// Length of the byte order mark that was skipped.
    mark: u64,
    /// Counts the bytes in memory or of a mapped file. Those of a reader are counted when they are read.
    progress: Option<Progress<'a>>,
}

enum Source<'a> {
    Memory(&'a [u8]),
    Mapped(Mapped),
    /// A borrowed mapping whose pages are not released.
    View(&'a Mapped),
    Stream(Stream<'a>),
}

impl<'a> Input<'a> {
    /// Creates an input that reads from `reader` into one reused buffer, so memory use does not depend on the length of the input.
    ///
    /// The reader does not need to be buffered. Interrupted reads are retried.
    pub fn from_reader(reader: impl Read + 'a) -> Self {
        Self::from_supply(Supply::Reader(Box::new(reader)))
    }

    /// Creates an input that reads from `reader`, like [`from_reader`](Self::from_reader), and that has
    /// [ranges](Self::range). Without a range, the reader is read from its current position.
    ///
    /// ```
    /// use fjson::{Framing, Input, Options, validate};
    /// use std::io::Cursor;
    ///
    /// let options = Options::new().framing(Framing::Lines);
    /// let input = Input::from_seekable(Cursor::new("[1]\n[2]\n[3]\n"));
    /// assert_eq!(validate(input.range(4.., Framing::Lines)?, &options)?.documents, 2);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn from_seekable(reader: impl Read + Seek + 'a) -> Self {
        Self::from_supply(Supply::Seekable(Box::new(reader)))
    }

    fn from_supply(supply: Supply<'a>) -> Self {
        Self::of(Source::Stream(Stream::new(supply, stream::WINDOW)))
    }

    fn of(source: Source<'a>) -> Self {
        Self { source, start: 0, mark: 0, progress: None }
    }

    /// Returns the same input, whose first byte has this offset in a larger one.
    pub(crate) fn starting_at(self, start: u64) -> Self {
        let source = match self.source {
            Source::Stream(stream) => Source::Stream(stream.starting_at(start)),
            source => source,
        };
        Self { source, start, ..self }
    }

    /// Returns the same input, before which there is only a byte order mark, if anything. Its lines and records are numbered then.
    #[cfg(feature = "compression")]
    pub(crate) fn after_mark(self) -> Self {
        Self { mark: self.start, ..self }
    }

    /// Adds the number of bytes that have been read to `counter` while the input is being read, for a progress display.
    ///
    /// Bytes are counted once, about every 256 KiB, even if they are read again. When the input is dropped, all of its bytes in
    /// memory, or in the file, have been counted. If this is called before `expanded`, compressed bytes are counted; it has no
    /// effect after that. It must be called after [`range`](Self::range).
    ///
    /// ```
    /// use fjson::{Input, Options, validate};
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// let counter = AtomicU64::new(0);
    /// validate(Input::from("[1, 2]").count_into(&counter), &Options::new())?;
    /// validate(Input::from_reader("[3]".as_bytes()).count_into(&counter), &Options::new())?;
    /// assert_eq!(counter.into_inner(), 9);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn count_into(self, counter: &'a AtomicU64) -> Self {
        match self.source {
            Source::Stream(stream) => Self { source: Source::Stream(stream.counting(counter)), ..self },
            source => {
                let input = Self { source, ..self };
                let progress = Progress::new(counter, input.bytes().len() as u64);
                Self { progress: Some(progress), ..input }
            }
        }
    }
}

#[cfg(feature = "compression")]
impl Input<'_> {
    /// Decompresses gzip, zstd, bzip2 and xz data. Leaves any other input unchanged.
    ///
    /// Compressed data is recognized by its first bytes, which cannot begin a JSON text. It may consist of several members,
    /// frames or streams. Unless it is small, a separate thread decompresses it while the caller reads, in bounded memory. All
    /// positions, such as those of errors, refer to the decompressed text.
    ///
    /// Data that is damaged, truncated or followed by anything else is an error of the kind
    /// [`ErrorKind::Compression`](crate::ErrorKind::Compression). To detect this, the rest of the data is decompressed even if
    /// the document in it is invalid. Data that decompresses to more than `limit` bytes is an error of the kind
    /// [`ErrorKind::ExpansionLimit`](crate::ErrorKind::ExpansionLimit).
    ///
    /// ```
    /// use fjson::{ErrorKind, Input, Options, validate};
    ///
    /// let gzip = *b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x8b\x36\x8c\x05\0\xb8\x32\x2f\x4c\x03\0\0\0";
    /// let options = Options::new();
    /// assert_eq!(validate(Input::from(&gzip[..]).expanded(u64::MAX), &options)?.bytes, 3);
    /// assert_eq!(validate(Input::from("[1]").expanded(u64::MAX), &options)?.bytes, 3);
    ///
    /// let error = validate(Input::from(&gzip[..]).expanded(2), &options).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::ExpansionLimit);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn expanded(self, limit: u64) -> Self {
        let (start, mark) = (self.start, self.mark);
        let stream = match self.source {
            Source::Stream(stream) => stream.expanding(limit),
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => match Beginning::of(self.bytes(), true) {
                Beginning::Compressed(format) => {
                    let expanding = Supply::Expanding(Box::new(Expanding::new(self, format, limit)));
                    return Self::from_supply(expanding);
                }
                Beginning::Plain | Beginning::Unknown => return self,
            },
        };
        Self { source: Source::Stream(stream), start, mark, progress: None }
    }

    /// Returns whether the input is being decompressed. May read from a reader to find out.
    ///
    /// # Errors
    /// If reading fails.
    pub fn is_expanded(&mut self) -> Result<bool, Error> {
        let Source::Stream(stream) = &mut self.source else { return Ok(false) };
        if stream.supply().is_unknown() {
            stream.read_more(0)?;
        }
        Ok(stream.supply().is_expanding())
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.source {
            Source::Memory(_) => "Memory",
            Source::Mapped(_) | Source::View(_) => "Mapped",
            Source::Stream(_) => "Stream",
        };
        formatter.debug_struct("Input").field("source", &name).finish_non_exhaustive()
    }
}

/// Marks a place that may read the same bytes again. Tests change the file at these places.
#[inline(always)]
pub(crate) fn change_point() {
    #[cfg(all(unix, any(test, fuzzing)))]
    changing::change_point();
}

impl Input<'_> {
    /// Returns the part of an input in memory between two offsets.
    fn part(self, range: Range<u64>) -> Self {
        let index = |offset: u64| usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        let indexes = index(range.start)..index(range.end);
        let source = match self.source {
            Source::Memory(bytes) => Source::Memory(&bytes[indexes]),
            Source::Mapped(mapped) => Source::Mapped(mapped.part(indexes)),
            source @ (Source::View(_) | Source::Stream(_)) => source,
        };
        Self { source, start: range.start, ..self }
    }
}

impl Input<'_> {
    /// Returns the bytes that are currently in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        change_point();
        match &self.source {
            Source::Memory(bytes) => bytes,
            Source::Mapped(mapped) => mapped.bytes(),
            Source::View(mapped) => mapped.bytes(),
            Source::Stream(stream) => stream.bytes(),
        }
    }

    /// Returns all bytes of an input that is in memory and cannot change, unless they must be counted.
    #[inline]
    pub(crate) fn memory(&self) -> Option<&[u8]> {
        match self.source {
            Source::Memory(bytes) if self.progress.is_none() => Some(bytes),
            _ => None,
        }
    }

    /// Returns a view of the input whose bytes all stay in memory, and those bytes. Returns `None` for a stream.
    pub(crate) fn view(&self) -> Option<(Input<'_>, &[u8])> {
        let source = match &self.source {
            Source::Memory(bytes) => Source::Memory(bytes),
            Source::Mapped(mapped) => Source::View(mapped),
            Source::View(mapped) => Source::View(mapped),
            Source::Stream(_) => return None,
        };
        Some((Input { source, start: self.start, mark: self.mark, progress: None }, self.bytes()))
    }

    /// Returns the whole input if it is in memory, or if none of it has been discarded and the rest can be read. Returns `None` if it
    /// is longer than `limit`, or a range of a larger input.
    pub(crate) fn whole(&mut self, limit: usize) -> Result<Option<&[u8]>, Error> {
        while self.base() == 0 && !self.at_end() && self.bytes().len() <= limit {
            self.read_more(0)?;
        }
        let is_whole = self.start == 0 && self.base() == 0 && self.at_end();
        Ok(Some(self.bytes()).filter(|bytes| is_whole && bytes.len() <= limit))
    }

    /// Returns the offset in the input of the first byte in memory.
    pub(crate) fn base(&self) -> u64 {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => self.start,
            Source::Stream(stream) => stream.base(),
        }
    }

    /// Returns the offset of the first byte of the input. It is not 0 if the input is a range of a larger one, or if a byte order
    /// mark was skipped. Lines are counted from there.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Whether the lines and records of the input are all of those of a file, so that their numbers are known.
    pub(crate) fn is_numbered(&self) -> bool {
        self.start == self.mark
    }

    /// Returns the offset after the bytes in memory.
    pub(crate) fn end_in_memory(&self) -> u64 {
        self.base() + self.bytes().len() as u64
    }

    /// Returns the line and column of the first byte in memory.
    pub(crate) fn at(&self) -> Position {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => START,
            Source::Stream(stream) => stream.at(),
        }
    }

    /// Returns whether the bytes in memory reach to the end of the input.
    pub(crate) fn at_end(&self) -> bool {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => true,
            Source::Stream(stream) => stream.at_end(),
        }
    }

    /// Reads at least one more byte into memory, or reaches the end. May discard the bytes before the offset `keep`, except for a
    /// few directly before it that an error excerpt needs.
    pub(crate) fn read_more(&mut self, keep: u64) -> Result<(), Error> {
        match &mut self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => Ok(()),
            Source::Stream(stream) => stream.read_more(keep),
        }
    }

    /// Releases the memory of a mapping before `offset`, which has been read. The bytes can still be read again.
    pub(crate) fn release(&self, offset: u64) {
        if let Source::Mapped(mapped) = &self.source {
            mapped.release(offset - self.start);
        }
        if let Some(progress) = &self.progress {
            progress.advance(offset - self.start);
        }
    }

    /// Releases the memory of a range that was read again after [`release`](Self::release).
    pub(crate) fn release_again(&self, range: Range<u64>) {
        if let Source::Mapped(mapped) = &self.source {
            mapped.release_again(range.start - self.start..range.end - self.start);
        }
    }

    /// Returns an error if the file changed while it was read. Must be called before any result is reported.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        match &self.source {
            Source::Mapped(mapped) => mapped.check_unchanged(),
            Source::View(mapped) => mapped.check_unchanged(),
            Source::Memory(_) => Ok(()),
            Source::Stream(stream) => stream.supply().check_unchanged(),
        }
    }

    /// Returns the offset of the line around `offset` if a mapped file got the rest of it after it was mapped.
    pub(crate) fn incomplete_line(&self, offset: u64) -> Option<u64> {
        let mapped = match &self.source {
            Source::Mapped(mapped) => mapped,
            Source::View(mapped) => mapped,
            Source::Memory(_) | Source::Stream(_) => return None,
        };
        Some(self.start + mapped.incomplete_line(offset - self.start)?)
    }

    /// Returns the result of reading the input.
    ///
    /// # Panics
    /// If two passes over the input disagree ([`Fault::change`](crate::error::Fault::change)) although its bytes cannot have
    /// changed. This is a bug in this library, and it is unknown which pass is right.
    pub(crate) fn outcome<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        let may_change = match &self.source {
            Source::Memory(_) => false,
            Source::Mapped(_) | Source::View(_) => true,
            Source::Stream(stream) => stream.has_failed() || stream.supply().is_expanding(),
        };
        if let Err(error) = &result {
            let disagree = error.kind() == ErrorKind::InputChanged && !may_change;
            // mutant: assert!(true, "two readings of the same bytes disagree at offset {}", error.offset());
            assert!(!disagree, "two readings of the same bytes disagree at offset {}", error.offset());
        }
        result
    }

    /// Decompresses the rest of compressed data and returns an error if it is damaged, because then the data before it may be
    /// wrong, too. Must be called if the rest of the input will not be read.
    pub(crate) fn check_rest(&mut self) -> Result<(), Error> {
        if let Source::Stream(stream) = &mut self.source {
            // mutant: while false {
            while stream.supply().is_expanding() && !stream.at_end() {
                stream.read_more(u64::MAX)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::env;
    use std::fs;
    use std::fs::File;
    use std::io;
    use std::io::Write;
    use std::process;
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering;

    /// Creates an unlinked file with this content. No other process can open it, and it disappears when it is closed.
    pub(super) fn file(content: &[u8]) -> File {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("fjson-input-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        let mut file = File::options().read(true).write(true).create_new(true).open(&path).expect("creates");
        fs::remove_file(&path).expect("removes");
        file.write_all(content).expect("writes");
        file
    }

    /// A reader that delivers a text in pieces of `size` bytes.
    struct Pieces<'a> {
        text: &'a [u8],
        size: usize,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let (mut piece, _) = self.text.split_at(self.size.min(self.text.len()));
            let count = piece.read(buffer)?;
            self.text = &self.text[count..];
            Ok(count)
        }
    }

    impl<'a> Input<'a> {
        /// Creates an input that reads `text` in pieces of `size` bytes, or from memory if `size` is 0.
        pub(crate) fn in_pieces(text: &'a [u8], size: usize) -> Self {
            if size == 0 { text.into() } else { Self::from_reader(Pieces { text, size }) }
        }
    }

    #[test]
    #[should_panic = "two readings of the same bytes disagree at offset 2"]
    fn disagreement_on_unchangeable_bytes_panics() {
        drop(Input::from("[1]").outcome::<()>(Err(Error::input_changed(2))));
    }

    #[test]
    fn a_slice_is_entirely_in_memory() {
        let bytes = b"[1,\n2]".to_vec();
        for mut input in [Input::from("[1,\n2]"), Input::from(&bytes[..]), Input::from(&bytes)] {
            input.read_more(u64::MAX).expect("there is nothing to read");
            input.release(u64::MAX);
            input.check_unchanged().expect("no write");
            assert_eq!((input.bytes(), input.base(), input.at(), input.at_end()), (&bytes[..], 0, START, true));
        }
    }

    #[test]
    fn a_reader_is_read_incrementally() {
        let mut input = Input::from_reader(&b"[1,\n2]"[..]);
        assert_eq!((input.bytes(), input.base(), input.at(), input.at_end()), (&b""[..], 0, START, false));
        input.read_more(0).expect("reads");
        assert_eq!((input.bytes(), input.base(), input.at_end()), (&b"[1,\n2]"[..], 0, false));
        input.read_more(7).expect("reads");
        assert_eq!((input.bytes(), input.base(), input.at_end()), (&b"[1,\n2]"[..], 0, true));
        input.check_unchanged().expect("always succeeds for a reader");
    }
}
