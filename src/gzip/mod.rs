//! Compressing: a checked document as one gzip member, on several threads.
//!
//! Made of other verbs: what `minify` or `validate` lets through goes to a [`GzipWriter`], which knows nothing of JSON. So
//! any verb can write compressed, and compressing runs beside checking, which takes a fortieth of its time.

#![forbid(unsafe_code)]

mod block;
mod border;
mod threads;
mod writer;

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

/// How [`gzip`] and [`GzipWriter`] compress.
#[derive(Clone, Debug)]
pub struct Gzip {
    level: u8,
    keep_space: bool,
    rsyncable: bool,
    threads: usize,
}

impl Gzip {
    /// Level 6, whitespace removed, as many threads as there are processors.
    #[must_use]
    pub fn new() -> Self {
        Self { level: 6, keep_space: false, rsyncable: false, threads: 0 }
    }

    /// How hard to try, from 1 (fast) to 9 (small). Other numbers mean the nearest of these.
    #[must_use]
    pub fn level(mut self, level: u8) -> Self {
        self.level = level.clamp(1, 9);
        self
    }

    /// Compresses the input as it is, with its whitespace.
    #[must_use]
    pub fn keep_space(mut self, keep_space: bool) -> Self {
        self.keep_space = keep_space;
        self
    }

    /// Ends blocks where their text says so, not after so many bytes. Then an edit changes the output around it and leaves
    /// most of what follows as it was, so that rsync and stores of backups need not copy all of it again. It makes the
    /// output a little larger.
    #[must_use]
    pub fn rsyncable(mut self, rsyncable: bool) -> Self {
        self.rsyncable = rsyncable;
        self
    }

    /// Compresses on so many threads beside the caller's; 0 means one for each processor, 1 none but the caller's. The
    /// output does not depend on it.
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

/// Compresses `input` to `sink`, checking it and removing insignificant whitespace on the way. Memory stays bounded.
///
/// The output is one member that every reader of gzip takes (RFC 1952), without a name or a time in it: the same input
/// gives the same bytes, on every machine and however many threads there are.
///
/// # Errors
/// Those of [`minify`](crate::minify()). What has been written then is not a complete member, so nobody can take it for one.
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
        let mut copying = Copying { input: input.into().into_reader(), writer: &mut writer, failure: None };
        let result = validate(Input::from_reader(&mut copying), options);
        if let Some(cause) = copying.failure {
            return Err(Error::write(cause, 0));
        }
        if result.is_err() {
            // The walk sees a reader, which cannot tell that its text has changed, or is damaged further on.
            copying.input.check()?;
        }
        result?
    } else {
        minify(input, &mut writer, options)?
    };
    writer.finish().map_err(|cause| Error::write(cause, summary.bytes))?;
    Ok(summary)
}

/// Reads an input and writes all of it to a writer as well.
struct Copying<'w, 'a, W: Write> {
    input: Reader<'a>,
    writer: &'w mut GzipWriter<W>,
    /// Why writing failed, which looks like a failed reading.
    failure: Option<io::Error>,
}

impl<W: Write> Read for Copying<'_, '_, W> {
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
