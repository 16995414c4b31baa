//! A writer that compresses: blocks out, a header before them and a checksum behind.

#![forbid(unsafe_code)]

use crate::gzip::Gzip;
use crate::gzip::block::Block;
use crate::gzip::block::compress;
use crate::gzip::threads::Threads;

use zlib_rs::crc32::crc32_combine;

use std::fmt;
use std::io;
use std::io::Write;
use std::mem;
use std::thread;

/// Compresses what is written to it, on several threads when it is more than 256 KiB, into one gzip member.
///
/// Any verb can write to it. The member is complete only after [`finish`](Self::finish).
///
/// ```
/// use fjson::{Gzip, GzipWriter, Layout, Options, pretty};
///
/// let mut writer = GzipWriter::new(Vec::new(), &Gzip::new());
/// pretty("[1,2]", &mut writer, &Layout::tab(), &Options::new())?;
/// assert_eq!(writer.finish()?[..2], [0x1f, 0x8b]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GzipWriter<W: Write> {
    sink: W,
    level: u8,
    rsyncable: bool,
    threads: usize,
    /// What is being filled.
    block: Block,
    /// Blocks to be used again.
    spare: Vec<Block>,
    compressors: Compressors,
    crc: u32,
    length: u64,
}

/// Who compresses.
enum Compressors {
    /// Not known yet: nothing was compressed.
    None,
    /// The caller's thread.
    Own,
    Threads(Threads),
}

impl<W: Write> fmt::Debug for GzipWriter<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GzipWriter").field("level", &self.level).finish_non_exhaustive()
    }
}

impl<W: Write> GzipWriter<W> {
    /// A writer to `sink`.
    pub fn new(sink: W, gzip: &Gzip) -> Self {
        Self {
            sink,
            level: gzip.level,
            rsyncable: gzip.rsyncable,
            threads: gzip.threads,
            block: Block::new(gzip.rsyncable),
            spare: Vec::new(),
            compressors: Compressors::None,
            crc: 0,
            length: 0,
        }
    }

    /// Compresses what is left, ends the member and gives the sink back.
    ///
    /// # Errors
    /// If writing to the sink fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.block.end_here();
        self.compress()?;
        while self.write_next()? {}
        self.sink.write_all(&self.crc.to_le_bytes())?;
        // RFC 1952: the length modulo 2^32.
        self.sink.write_all(&self.length.to_le_bytes()[..4])?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Has the block compressed and begins the next one.
    fn compress(&mut self) -> io::Result<()> {
        if matches!(self.compressors, Compressors::None) {
            self.begin()?;
        }
        if matches!(&self.compressors, Compressors::Threads(threads) if threads.is_busy()) {
            self.write_next()?;
        }
        let mut next = self.spare.pop().unwrap_or_else(|| Block::new(self.rsyncable));
        next.follow(&self.block)?;
        let mut block = mem::replace(&mut self.block, next);
        self.length += block.length() as u64;
        match &mut self.compressors {
            Compressors::Threads(threads) => threads.hand_out(block),
            Compressors::Own => {
                compress(&mut block, self.level)?;
                self.write_block(block)
            }
            Compressors::None => Ok(()),
        }
    }

    /// Writes the header, and starts threads if there will be more than one block.
    fn begin(&mut self) -> io::Result<()> {
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = if threads > 1 && !self.block.is_last() { Threads::start(threads, self.level) } else { None };
        self.compressors = threads.map_or(Compressors::Own, Compressors::Threads);
        // What was tried hardest, or least, is said here; the system is not.
        let effort = match self.level {
            1 => 4,
            9 => 2,
            _ => 0,
        };
        self.sink.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 255])
    }

    /// Writes the next block that comes back from the team; false if none is out.
    fn write_next(&mut self) -> io::Result<bool> {
        let Compressors::Threads(threads) = &mut self.compressors else { return Ok(false) };
        let Some(block) = threads.take_back() else { return Ok(false) };
        self.write_block(block?)?;
        Ok(true)
    }

    fn write_block(&mut self, block: Block) -> io::Result<()> {
        self.sink.write_all(block.compressed())?;
        self.crc = crc32_combine(self.crc, block.crc(), block.length() as u64);
        self.spare.push(block);
        Ok(())
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A block is not compressed before something follows it: it may be the last one.
        if self.block.is_full() && !bytes.is_empty() {
            self.compress()?;
        }
        self.block.take(bytes)
    }

    /// Passes on what is compressed. What waits for its block to be full goes on waiting.
    fn flush(&mut self) -> io::Result<()> {
        while self.write_next()? {}
        self.sink.flush()
    }
}
