//! The source that fills the window of a stream: a reader, or the decompressor of a reader's data.
//!
//! The first bytes of a reader show whether its data is compressed. They are read only when the engine requests them, so that a
//! program does not block earlier than necessary.

#![forbid(unsafe_code)]

use crate::error::Error;
#[cfg(feature = "compression")]
use crate::input::Input;
#[cfg(feature = "compression")]
use crate::input::compressed::Beginning;
#[cfg(feature = "compression")]
use crate::input::compressed::Expanding;
use crate::input::progress::Counting;

use std::io;
#[cfg(feature = "compression")]
use std::io::Cursor;
use std::io::Read;
use std::io::Seek;
#[cfg(feature = "compression")]
use std::mem;
use std::sync::atomic::AtomicU64;

/// The error of a reader that is wrong about what it has read.
pub(super) const READ_TOO_MUCH: &str = "the reader says that it read more than there was room for";

/// A reader that can seek.
pub(super) trait SeekableRead: Read + Seek {}

impl<R: Read + Seek> SeekableRead for R {}

pub(super) enum Supply<'a> {
    Reader(Box<dyn Read + 'a>),
    /// A reader of which ranges can be read.
    Seekable(Box<dyn SeekableRead + 'a>),
    /// A reader whose first bytes have yet to show whether its data is compressed.
    #[cfg(feature = "compression")]
    Unknown {
        reader: Box<dyn Read + 'a>,
        /// Bytes read so far.
        beginning: Vec<u8>,
        /// Greatest number of bytes that compressed data may decompress to.
        limit: u64,
    },
    #[cfg(feature = "compression")]
    Expanding(Box<Expanding<'a>>),
}

impl<'a> Supply<'a> {
    /// Returns the same supply, but counts the bytes that a reader delivers.
    pub(super) fn counting(self, counter: &'a AtomicU64) -> Self {
        match self {
            Self::Reader(reader) => Self::Reader(Box::new(Counting { reader, counter })),
            Self::Seekable(reader) => Self::Reader(Box::new(Counting { reader, counter })),
            #[cfg(feature = "compression")]
            other => other,
        }
    }
}

impl Supply<'_> {
    /// Returns an error if the compressed data comes from a mapped file that changed.
    #[cfg_attr(
        not(feature = "compression"),
        expect(clippy::unnecessary_wraps, reason = "fails only for compressed data")
    )]
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        match self {
            #[cfg(feature = "compression")]
            Self::Expanding(expanding) => expanding.compressed().check_unchanged(),
            _ => Ok(()),
        }
    }

    pub(super) fn is_expanding(&self) -> bool {
        match self {
            #[cfg(feature = "compression")]
            Self::Expanding(_) => true,
            _ => false,
        }
    }
}

#[cfg(feature = "compression")]
impl Supply<'_> {
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }

    /// Returns the same supply, but decompresses compressed data.
    pub(super) fn expanding(self, limit: u64) -> Self {
        match self {
            Self::Reader(reader) => Self::Unknown { reader, beginning: Vec::new(), limit },
            Self::Seekable(reader) => Self::Unknown { reader, beginning: Vec::new(), limit },
            other => other,
        }
    }

    /// Reads until it is known whether the data is compressed.
    fn detect(&mut self) -> io::Result<()> {
        while let Self::Unknown { reader, beginning, limit } = self {
            // Large enough to read a short uncompressed input at once.
            let mut buffer = [0; 4096];
            let count = reader.read(&mut buffer)?;
            beginning.extend_from_slice(buffer.get(..count).ok_or_else(|| io::Error::other(READ_TOO_MUCH))?);
            let format = match Beginning::of(beginning, count == 0) {
                Beginning::Unknown => continue,
                Beginning::Plain => None,
                Beginning::Compressed(format) => Some(format),
            };
            let (beginning, limit) = (mem::take(beginning), *limit);
            let rest = mem::replace(reader, Box::new(io::empty()));
            // A terminal reports the end only once.
            let rest = if count == 0 { Box::new(io::empty()) } else { rest };
            let whole = Cursor::new(beginning).chain(rest);
            *self = match format {
                Some(format) => Self::Expanding(Box::new(Expanding::new(Input::from_reader(whole), format, limit))),
                None => Self::Reader(Box::new(whole)),
            };
        }
        Ok(())
    }
}

impl Read for Supply<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(feature = "compression")]
        self.detect()?;
        match self {
            Self::Reader(reader) => reader.read(buffer),
            Self::Seekable(reader) => reader.read(buffer),
            #[cfg(feature = "compression")]
            Self::Unknown { reader, .. } => reader.read(buffer),
            #[cfg(feature = "compression")]
            Self::Expanding(expanding) => expanding.read(buffer),
        }
    }
}
