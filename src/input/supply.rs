//! Who fills the window of a stream: a reader, or what expands the compressed data that a reader delivers.
//!
//! Of a reader, nobody knows which it is before the first bytes are there, and asking for them earlier than the engine does
//! would make a program wait that has something better to do.

#![forbid(unsafe_code)]

use crate::error::Error;
#[cfg(feature = "compression")]
use crate::input::Input;
#[cfg(feature = "compression")]
use crate::input::compressed::Beginning;
#[cfg(feature = "compression")]
use crate::input::compressed::Expanding;

use std::io;
#[cfg(feature = "compression")]
use std::io::Cursor;
use std::io::Read;
#[cfg(feature = "compression")]
use std::mem;

pub(super) enum Supply<'a> {
    Reader(Box<dyn Read + 'a>),
    /// A reader that delivers compressed data if it begins like that, which may expand to so many bytes.
    #[cfg(feature = "compression")]
    Unsure {
        reader: Box<dyn Read + 'a>,
        /// What was read of it so far.
        beginning: Vec<u8>,
        most: u64,
    },
    #[cfg(feature = "compression")]
    Expanding(Box<Expanding<'a>>),
}

impl Supply<'_> {
    /// An error if a file from which it comes changed.
    #[cfg_attr(
        not(feature = "compression"),
        expect(clippy::unnecessary_wraps, reason = "without compression nothing is known of where bytes come from")
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
    pub(super) fn is_unsure(&self) -> bool {
        matches!(self, Self::Unsure { .. })
    }

    /// The same, but for compressed data, which is expanded.
    pub(super) fn expanding(self, most: u64) -> Self {
        match self {
            Self::Reader(reader) => Self::Unsure { reader, beginning: Vec::new(), most },
            other => other,
        }
    }

    /// Reads until it is known what the reader delivers.
    fn make_sure(&mut self) -> io::Result<()> {
        while let Self::Unsure { reader, beginning, most } = self {
            // Enough for all that is not compressed to be read at once.
            let mut room = [0; 4096];
            let count = reader.read(&mut room)?;
            beginning.extend_from_slice(&room[..count]);
            let format = match Beginning::of(beginning, count == 0) {
                Beginning::Unsure => continue,
                Beginning::Plain => None,
                Beginning::Compressed(format) => Some(format),
            };
            let (beginning, most) = (mem::take(beginning), *most);
            let rest = mem::replace(reader, Box::new(io::empty()));
            // The end of a terminal is told once.
            let rest = if count == 0 { Box::new(io::empty()) } else { rest };
            let whole = Cursor::new(beginning).chain(rest);
            *self = match format {
                Some(format) => Self::Expanding(Box::new(Expanding::new(Input::from_reader(whole), format, most))),
                None => Self::Reader(Box::new(whole)),
            };
        }
        Ok(())
    }
}

impl Read for Supply<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        #[cfg(feature = "compression")]
        self.make_sure()?;
        match self {
            Self::Reader(reader) => reader.read(room),
            #[cfg(feature = "compression")]
            Self::Unsure { reader, .. } => reader.read(room),
            #[cfg(feature = "compression")]
            Self::Expanding(expanding) => expanding.read(room),
        }
    }
}
