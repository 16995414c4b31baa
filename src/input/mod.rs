//! Where bytes come from: memory, a mapped file, or a reader; compressed or not.
//!
//! The engine sees a stretch of bytes that is in memory now and asks for more. For memory and for a map the stretch is
//! everything; a reader fills one window that is used again and again, and so does what is expanded. So pipes and files
//! take the same way through the engine and give the same answers.

#[cfg(feature = "compression")]
mod compressed;
mod lines;
mod map;
mod reader;
mod stream;
mod supply;

#[cfg(all(unix, any(test, fuzzing)))]
pub(crate) mod changing;

// The only difference between systems.
#[cfg(unix)]
mod guard;
#[cfg(not(unix))]
#[path = "unguarded.rs"]
mod guard;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Position;
pub(crate) use lines::START;
pub(crate) use lines::advance;
pub use reader::Reader;

#[cfg(feature = "compression")]
use crate::input::compressed::Beginning;
#[cfg(feature = "compression")]
use crate::input::compressed::Expanding;
use crate::input::map::Mapped;
use crate::input::stream::Stream;
use crate::input::supply::Supply;

use std::fmt;
use std::io::Read;
use std::ops::Range;

/// What is to be read: bytes in memory, a mapped file or any reader.
///
/// Every function that takes an input takes bytes and strings directly: `&str`, `&String`, `&[u8]`, `&Vec<u8>` and byte
/// string literals. A file is mapped by [`Input::map`], and anything else is read by [`Input::from_reader`].
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
}

enum Source<'a> {
    Memory(&'a [u8]),
    Mapped(Mapped),
    /// A map of which no pages are given back.
    View(&'a Mapped),
    Stream(Stream<'a>),
}

impl<'a> Input<'a> {
    /// Reads as much as is needed at a time, into one buffer: memory stays bounded however long the input is.
    ///
    /// The reader needs no buffer of its own. A read that was interrupted is repeated.
    pub fn from_reader(reader: impl Read + 'a) -> Self {
        Self { source: Source::Stream(Stream::new(Supply::Reader(Box::new(reader)), stream::WINDOW)) }
    }
}

#[cfg(feature = "compression")]
impl Input<'_> {
    /// Reads gzip and zstd data as what it expands to. Any other input stays as it is.
    ///
    /// Compressed data is told by its first bytes, with which no JSON text can begin. It may have several members or
    /// frames, and is expanded while it is read, beside the caller on a thread of its own unless it is small; memory stays
    /// bounded. All that is told about the input, such as the places of errors, is about the expanded text.
    ///
    /// Data that is damaged, cut short or followed by something else is an error of
    /// [`ErrorKind::Compression`](crate::ErrorKind::Compression); to find that, the rest of the data is expanded even if
    /// the document in it turns out bad. Data that expands to more than `most` bytes is one of
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
    pub fn expanded(self, most: u64) -> Self {
        let stream = match self.source {
            Source::Stream(stream) => stream.expanding(most),
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => match Beginning::of(self.bytes(), true) {
                Beginning::Compressed(format) => {
                    let expanding = Supply::Expanding(Box::new(Expanding::new(self, format, most)));
                    Stream::new(expanding, stream::WINDOW)
                }
                Beginning::Plain | Beginning::Unsure => return self,
            },
        };
        Self { source: Source::Stream(stream) }
    }

    /// Whether the input is expanded. Where it comes from a reader, that has to be read for it.
    ///
    /// # Errors
    /// If reading fails.
    pub fn is_expanded(&mut self) -> Result<bool, Error> {
        let Source::Stream(stream) = &mut self.source else { return Ok(false) };
        if stream.supply().is_unsure() {
            stream.read_more(0)?;
        }
        Ok(stream.supply().is_expanding())
    }
}

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { source: Source::Memory(bytes) }
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        bytes.as_slice().into()
    }
}

impl<'a, const LENGTH: usize> From<&'a [u8; LENGTH]> for Input<'a> {
    fn from(bytes: &'a [u8; LENGTH]) -> Self {
        bytes.as_slice().into()
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Self {
        text.as_bytes().into()
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        text.as_bytes().into()
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

/// Said wherever text is looked at that may have been looked at before: where tests change it.
#[inline(always)]
pub(crate) fn look() {
    #[cfg(all(unix, any(test, fuzzing)))]
    changing::look();
}

impl Input<'_> {
    /// What is in memory now.
    pub(crate) fn bytes(&self) -> &[u8] {
        look();
        match &self.source {
            Source::Memory(bytes) => bytes,
            Source::Mapped(mapped) => mapped.bytes(),
            Source::View(mapped) => mapped.bytes(),
            Source::Stream(stream) => stream.bytes(),
        }
    }

    /// The same input, of which all bytes stay in memory, if they are there now.
    pub(crate) fn view(&self) -> Option<(Input<'_>, &[u8])> {
        let source = match &self.source {
            Source::Memory(bytes) => Source::Memory(bytes),
            Source::Mapped(mapped) => Source::View(mapped),
            Source::View(mapped) => Source::View(mapped),
            Source::Stream(_) => return None,
        };
        Some((Input { source }, self.bytes()))
    }

    /// Offset in the input of the first byte in memory.
    pub(crate) fn base(&self) -> u64 {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => 0,
            Source::Stream(stream) => stream.base(),
        }
    }

    /// Line and column of the first byte in memory.
    pub(crate) fn at(&self) -> Position {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => START,
            Source::Stream(stream) => stream.at(),
        }
    }

    /// Whether all of it stays in memory, wherever the reading is.
    pub(crate) fn stays(&self) -> bool {
        !matches!(self.source, Source::Stream(_))
    }

    /// Whether nothing follows what is in memory.
    pub(crate) fn at_end(&self) -> bool {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => true,
            Source::Stream(stream) => stream.at_end(),
        }
    }

    /// Brings at least one more byte into memory, or the end. What lies before the offset `keep` may leave it, but for
    /// the few bytes right before that an excerpt shows.
    pub(crate) fn read_more(&mut self, keep: u64) -> Result<(), Error> {
        match &mut self.source {
            Source::Memory(_) | Source::Mapped(_) | Source::View(_) => Ok(()),
            Source::Stream(stream) => stream.read_more(keep),
        }
    }

    /// Says that what lies before `offset` has been read: a map gives its memory back. It can still be read again.
    pub(crate) fn release(&self, offset: u64) {
        if let Source::Mapped(mapped) = &self.source {
            mapped.release(offset);
        }
    }

    /// Says that some of what was released has been read again, and will hardly be once more.
    pub(crate) fn release_again(&self, range: Range<u64>) {
        if let Source::Mapped(mapped) = &self.source {
            mapped.release_again(range);
        }
    }

    /// To be asked before any verdict: an error if the file changed while it was read.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        match &self.source {
            Source::Mapped(mapped) => mapped.check_unchanged(),
            Source::View(mapped) => mapped.check_unchanged(),
            Source::Memory(_) => Ok(()),
            Source::Stream(stream) => stream.supply().check_unchanged(),
        }
    }

    /// What has come of reading the input.
    ///
    /// # Panics
    /// If one reading has found what another has not ([`Fault::change`](crate::error::Fault::change)), and all have read the same
    /// bytes: a bug in this library, of which nobody knows which reading is right.
    pub(crate) fn outcome<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        let may_change = match &self.source {
            Source::Memory(_) => false,
            Source::Mapped(_) | Source::View(_) => true,
            Source::Stream(stream) => stream.has_failed() || stream.supply().is_expanding(),
        };
        if let Err(error) = &result {
            let disagree = error.kind() == ErrorKind::InputChanged && !may_change;
            assert!(!disagree, "two readings of the same bytes disagree at offset {}", error.offset());
        }
        result
    }

    /// To be called when the rest of the input will not be looked at: an error if compressed data is damaged there, for
    /// then what came before may be wrong as well.
    pub(crate) fn check_rest(&mut self) -> Result<(), Error> {
        if let Source::Stream(stream) = &mut self.source {
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

    /// A file with this content and without a name, so that nobody else finds it and it is gone when it is closed.
    pub(super) fn file(content: &[u8]) -> File {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("fjson-input-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = env::temp_dir().join(name);
        let mut file = File::options().read(true).write(true).create_new(true).open(&path).expect("creates");
        fs::remove_file(&path).expect("removes");
        file.write_all(content).expect("writes");
        file
    }

    /// A text that comes in pieces of `size` bytes.
    struct Pieces<'a> {
        text: &'a [u8],
        size: usize,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let (mut piece, _) = self.text.split_at(self.size.min(self.text.len()));
            let count = piece.read(room)?;
            self.text = &self.text[count..];
            Ok(count)
        }
    }

    impl<'a> Input<'a> {
        /// Reads `text` in pieces of `size` bytes; from memory if that is 0.
        pub(crate) fn in_pieces(text: &'a [u8], size: usize) -> Self {
            if size == 0 { text.into() } else { Self::from_reader(Pieces { text, size }) }
        }
    }

    #[test]
    #[should_panic = "two readings of the same bytes disagree at offset 2"]
    fn bytes_that_cannot_change_do_not() {
        drop(Input::from("[1]").outcome::<()>(Err(Error::input_changed(2))));
    }

    #[test]
    fn memory_is_all_there() {
        let bytes = b"[1,\n2]".to_vec();
        for mut input in [Input::from("[1,\n2]"), Input::from(&bytes[..]), Input::from(&bytes)] {
            input.read_more(u64::MAX).expect("there is nothing to read");
            input.release(u64::MAX);
            input.check_unchanged().expect("nobody wrote");
            assert_eq!((input.bytes(), input.base(), input.at(), input.at_end()), (&bytes[..], 0, START, true));
        }
    }

    #[test]
    fn a_reader_is_there_bit_by_bit() {
        let mut input = Input::from_reader(&b"[1,\n2]"[..]);
        assert_eq!((input.bytes(), input.base(), input.at(), input.at_end()), (&b""[..], 0, START, false));
        input.read_more(0).expect("reads");
        assert_eq!((input.bytes(), input.base(), input.at_end()), (&b"[1,\n2]"[..], 0, false));
        input.read_more(7).expect("reads");
        assert_eq!((input.bytes(), input.base(), input.at_end()), (&b"[1,\n2]"[..], 0, true));
        input.check_unchanged().expect("a reader cannot tell");
    }
}
