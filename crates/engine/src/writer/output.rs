//! Where JSON text is written to: a vector, or through a buffer to any [`Write`].

#![forbid(unsafe_code)]

use std::io;
use std::io::Write;

/// Bytes after which a [`Stream`] flushes its buffer.
const FLUSH_THRESHOLD: usize = 32 * 1024;

/// Where JSON text is written to: `Vec<u8>`, `&mut Vec<u8>` or [`Stream`]. It cannot be implemented for other types.
///
/// ```
/// use fjson::{Output, Stream, Writer};
///
/// fn write_point<O: Output>(writer: &mut Writer<O>, x: i32, y: i32) {
///     writer.begin_array().value(x).value(y).end();
/// }
///
/// let mut writer = Writer::new(Vec::new());
/// write_point(&mut writer, 1, 2);
/// assert_eq!(writer.finish()?, b"[1,2]");
/// let mut writer = Writer::new(Stream::new(std::io::sink()));
/// write_point(&mut writer, 1, 2);
/// writer.finish()?;
/// # Ok::<(), fjson::Error>(())
/// ```
pub trait Output: Sealed {
    /// What is left when all text is written: the vector, or the writer of the stream.
    type Finished;

    /// Returns the buffer that text is appended to.
    #[doc(hidden)]
    fn text(&mut self) -> &mut Vec<u8>;

    /// Flushes the buffer if it is full. Returns the number of bytes flushed.
    #[doc(hidden)]
    fn flush_if_full(&mut self) -> io::Result<usize>;

    /// Flushes the buffer.
    #[doc(hidden)]
    fn finish(self) -> io::Result<Self::Finished>;
}

/// Keeps [`Output`] closed to other crates.
pub trait Sealed {}

macro_rules! vectors {
    ($($vector:ty)+) => {
        $(
            impl Sealed for $vector {}

            impl Output for $vector {
                type Finished = Self;

                #[inline(always)]
                fn text(&mut self) -> &mut Vec<u8> {
                    self
                }

                #[inline(always)]
                fn flush_if_full(&mut self) -> io::Result<usize> {
                    Ok(0)
                }

                #[inline(always)]
                fn finish(self) -> io::Result<Self> {
                    Ok(self)
                }
            }
        )+
    };
}

vectors! { Vec<u8> &mut Vec<u8> }

/// Writes text to any [`Write`] in pieces of about 32 KiB.
///
/// It has a buffer of its own, so the writer needs none. Text that is still in the buffer is lost if the stream is dropped
/// before it is finished.
///
/// ```
/// use fjson::{Stream, Writer};
///
/// let file = std::io::Cursor::new(Vec::new());
/// let mut writer = Writer::new(Stream::new(file));
/// writer.begin_array().value(1).value(2).end();
/// let file = writer.finish()?;
/// assert_eq!(file.into_inner(), b"[1,2]");
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream<W> {
    text: Vec<u8>,
    writer: W,
}

impl<W: Write> Stream<W> {
    /// Returns a stream to `writer`; see the example of [`Stream`].
    #[must_use]
    pub fn new(writer: W) -> Self {
        Self { text: Vec::new(), writer }
    }

    #[cold]
    #[inline(never)]
    fn flush_buffer(&mut self) -> io::Result<usize> {
        let length = self.text.len();
        self.writer.write_all(&self.text)?;
        self.text.clear();
        Ok(length)
    }
}

impl<W> Sealed for Stream<W> {}

impl<W: Write> Output for Stream<W> {
    type Finished = W;

    #[inline(always)]
    fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    #[inline(always)]
    fn flush_if_full(&mut self) -> io::Result<usize> {
        if self.text.len() < FLUSH_THRESHOLD { Ok(0) } else { self.flush_buffer() }
    }

    fn finish(mut self) -> io::Result<W> {
        self.flush_buffer()?;
        self.writer.flush()?;
        Ok(self.writer)
    }
}
