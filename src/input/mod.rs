//! Where bytes come from: memory, a mapped file, or a reader.
//!
//! The engine sees a stretch of bytes that is in memory now and asks for more. For memory and for a map the stretch is
//! everything; a reader fills one window that is used again and again. So pipes and files take the same way through
//! the engine and give the same answers.

mod lines;
mod map;
mod stream;

// The only difference between systems.
#[cfg(unix)]
mod guard;
#[cfg(not(unix))]
#[path = "unguarded.rs"]
mod guard;

use crate::error::Error;
use crate::error::Position;
pub(crate) use lines::START;
pub(crate) use lines::advance;

use crate::input::map::Mapped;
use crate::input::stream::Stream;

use std::fmt;
use std::io::Read;

/// What is to be read: bytes in memory, a mapped file or any reader.
///
/// Every function that takes an input takes bytes and strings directly:
///
/// ```
/// use fjson::{Input, Options, validate};
///
/// let options = Options::new();
/// validate("[1, 2]", &options)?;
/// validate(Input::from_reader("[1, 2]".as_bytes()), &options)?;
/// # Ok::<(), fjson::Error>(())
/// ```
pub struct Input<'a> {
    source: Source<'a>,
}

enum Source<'a> {
    Memory(&'a [u8]),
    Mapped(Mapped),
    Stream(Stream<'a>),
}

impl<'a> Input<'a> {
    /// Reads as much as is needed at a time, into one buffer: memory stays bounded however long the input is.
    ///
    /// The reader needs no buffer of its own. A read that was interrupted is repeated.
    pub fn from_reader(reader: impl Read + 'a) -> Self {
        Self { source: Source::Stream(Stream::new(reader, stream::WINDOW)) }
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

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        text.as_bytes().into()
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match &self.source {
            Source::Memory(_) => "Memory",
            Source::Mapped(_) => "Mapped",
            Source::Stream(_) => "Stream",
        };
        formatter.debug_struct("Input").field("source", &name).finish_non_exhaustive()
    }
}

impl Input<'_> {
    /// What is in memory now.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.source {
            Source::Memory(bytes) => bytes,
            Source::Mapped(mapped) => mapped.bytes(),
            Source::Stream(stream) => stream.bytes(),
        }
    }

    /// Offset in the input of the first byte in memory.
    pub(crate) fn base(&self) -> u64 {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) => 0,
            Source::Stream(stream) => stream.base(),
        }
    }

    /// Line and column of the first byte in memory.
    pub(crate) fn at(&self) -> Position {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) => START,
            Source::Stream(stream) => stream.at(),
        }
    }

    /// Whether nothing follows what is in memory.
    pub(crate) fn at_end(&self) -> bool {
        match &self.source {
            Source::Memory(_) | Source::Mapped(_) => true,
            Source::Stream(stream) => stream.at_end(),
        }
    }

    /// Brings at least one more byte into memory, or the end. What lies before the offset `keep` may leave it, but for
    /// the few bytes right before that an excerpt shows.
    pub(crate) fn read_more(&mut self, keep: u64) -> Result<(), Error> {
        match &mut self.source {
            Source::Memory(_) | Source::Mapped(_) => Ok(()),
            Source::Stream(stream) => stream.read_more(keep),
        }
    }

    /// Says that what lies before `offset` has been read: a map gives its memory back. It can still be read again.
    pub(crate) fn release(&mut self, offset: u64) {
        if let Source::Mapped(mapped) = &mut self.source {
            mapped.release(offset);
        }
    }

    /// To be asked before any verdict: an error if the file changed while it was read.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        match &self.source {
            Source::Mapped(mapped) => mapped.check_unchanged(),
            Source::Memory(_) | Source::Stream(_) => Ok(()),
        }
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
