//! Compression: a validated document as one gzip member, on several threads.
//!
//! Built on other operations: the output of `minify`, or the input that `validate` reads, goes to a [`GzipWriter`],
//! which knows nothing of JSON. So every command can write compressed output. Compression runs concurrently with
//! validation, which takes a fortieth of its time.

#![forbid(unsafe_code)]

mod block;
mod border;
mod threads;
mod writer;

#[cfg(test)]
#[path = "../../../../tests/support/src/gunzip.rs"]
mod gunzip;
#[cfg(test)]
mod tests;

use std::io;
use std::io::BufRead;
use std::io::Read;
use std::io::Write;

use crate::error::Error;
use crate::input::Input;
use crate::input::Reader;
use crate::minify::minify;
use crate::options::Options;
use crate::options::Summary;
use crate::validate::validate;
pub use writer::GzipWriter;

/// The settings of [`gzip`] and [`GzipWriter`].
#[derive(Clone, Debug)]
pub struct Gzip {
    level: u8,
    keep_space: bool,
    rsyncable: bool,
    threads: usize,
}

impl Gzip {
    /// Level 6, without whitespace, with as many threads as there are processors.
    #[must_use]
    pub fn new() -> Self {
        Self { level: 6, keep_space: false, rsyncable: false, threads: 0 }
    }

    /// Sets the compression level, from 1 (fastest) to 9 (smallest). Other values are clamped.
    #[must_use]
    pub fn level(mut self, level: u8) -> Self {
        self.level = level.clamp(1, 9);
        self
    }

    /// Sets whether whitespace is kept and the input is compressed as it is.
    #[must_use]
    pub fn keep_space(mut self, keep_space: bool) -> Self {
        self.keep_space = keep_space;
        self
    }

    /// Sets whether the content, instead of a fixed length, determines where blocks end. Then an edit changes the
    /// output near it and leaves most of the rest unchanged, so that rsync and backup stores have less to copy. The
    /// output is slightly larger.
    #[must_use]
    pub fn rsyncable(mut self, rsyncable: bool) -> Self {
        self.rsyncable = rsyncable;
        self
    }

    /// Sets the number of threads that compress beside the caller's. 0 means one per processor; with 1, only the
    /// caller's thread works. The output does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

impl Default for Gzip {
    fn default() -> Self {
        Self::new()
    }
}

/// Compresses `input` to `sink`, validates it, and removes insignificant whitespace on the way. Memory stays bounded.
///
/// The output is one gzip member (RFC 1952) without a file name or a time. So the same input gives the same bytes on
/// every machine and with any number of threads.
///
/// # Errors
/// Returns the errors of [`minify`](crate::minify()). What has been written then is an incomplete member, which readers
/// reject.
///
/// ```
/// use fjson::{Gzip, Input, Options, gzip, minify};
///
/// let options = Options::new();
/// let mut small = Vec::new();
/// gzip("{ \"a\" : [ 1.50 ] }", &mut small, &Gzip::new(), &options)?;
///
/// let mut text = Vec::new();
/// minify(Input::from(&small).expanded(u64::MAX), &mut text, &options)?;
/// assert_eq!(text, b"{\"a\":[1.50]}");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn gzip<'a>(
    input: impl Into<Input<'a>>,
    sink: impl Write,
    gzip: &Gzip,
    options: &Options,
) -> Result<Summary, Error> {
    let mut writer = GzipWriter::new(sink, gzip);
    let summary = if gzip.keep_space {
        let input = input.into();
        let (start, is_numbered) = (input.start(), input.is_numbered());
        let mut tee = Tee { input: input.into_reader(), writer: &mut writer, failure: None };
        let copy = Input::from_reader(&mut tee).starting_at(start);
        let result = validate(if is_numbered { copy.after_mark() } else { copy }, options);
        // mutant: if let Some(cause) = None {
        if let Some(cause) = tee.failure {
            return Err(Error::write(cause, 0));
        }
        if result.is_err() {
            // The scan reads from a reader and cannot tell whether its text has changed or is damaged further on.
            tee.input.check()?;
        }
        result?
    } else {
        minify(input, &mut writer, options)?
    };
    writer.finish().map_err(|cause| Error::write(cause, summary.bytes))?;
    Ok(summary)
}

/// A reader that also writes everything it reads to a writer.
struct Tee<'w, 'a, W: Write> {
    input: Reader<'a>,
    writer: &'w mut GzipWriter<W>,
    /// The error of writing, which the scan sees as an error of reading.
    failure: Option<io::Error>,
}

impl<W: Write> Read for Tee<'_, '_, W> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let bytes = self.input.fill_buf()?;
        let length = bytes.len().min(room.len());
        room[..length].copy_from_slice(&bytes[..length]);
        self.input.consume(length);
        if let Err(cause) = self.writer.write_all(&room[..length]) {
            self.failure = Some(cause);
            return Err(io::ErrorKind::Other.into());
        }
        Ok(length)
    }
}
