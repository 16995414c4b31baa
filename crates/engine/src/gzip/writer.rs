//! The gzip writer: writes a header, the compressed blocks, and a checksum.

#![forbid(unsafe_code)]

use crate::gzip::Gzip;
use crate::gzip::block::Block;
use crate::gzip::block::compress;
use crate::gzip::threads::Threads;
use crate::options::thread_count;

use zlib_rs::crc32::crc32_combine;

use std::fmt;
use std::io;
use std::io::Write;
use std::mem;

/// A writer that compresses what is written to it into one gzip member, with several threads if it is more than 256
/// KiB.
///
/// The member is complete only after [`finish`](Self::finish).
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
    /// The block being filled.
    block: Block,
    /// Blocks for reuse.
    spare: Vec<Block>,
    compressors: Compressors,
    crc: u32,
    length: u64,
}

/// What compresses the blocks.
enum Compressors {
    /// Undecided, since no block has been compressed yet.
    Undecided,
    /// The caller's thread.
    Caller,
    Threads(Threads),
}

impl<W: Write> fmt::Debug for GzipWriter<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("GzipWriter").field("level", &self.level).finish_non_exhaustive()
    }
}

impl<W: Write> GzipWriter<W> {
    /// Creates a writer to `sink`.
    pub fn new(sink: W, gzip: &Gzip) -> Self {
        Self {
            sink,
            level: gzip.level,
            rsyncable: gzip.rsyncable,
            threads: gzip.threads,
            block: Block::new(gzip.rsyncable),
            spare: Vec::new(),
            compressors: Compressors::Undecided,
            crc: 0,
            length: 0,
        }
    }

    /// Compresses what is left, ends the member and returns the sink.
    ///
    /// # Errors
    /// If writing to the sink fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.block.mark_last();
        self.compress()?;
        while self.write_next()? {}
        self.sink.write_all(&self.crc.to_le_bytes())?;
        // RFC 1952: the length modulo 2^32.
        self.sink.write_all(&self.length.to_le_bytes()[..4])?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Compresses the block, or submits it, and begins the next one.
    fn compress(&mut self) -> io::Result<()> {
        if matches!(self.compressors, Compressors::Undecided) {
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
            Compressors::Threads(threads) => threads.submit(block),
            Compressors::Caller => {
                compress(&mut block, self.level)?;
                self.write_block(block)
            }
            Compressors::Undecided => Ok(()),
        }
    }

    /// Writes the header, and starts threads if there will be more than one block.
    fn begin(&mut self) -> io::Result<()> {
        let threads = thread_count(self.threads);
        let threads = if threads > 1 && !self.block.is_last() { Threads::start(threads, self.level) } else { None };
        self.compressors = threads.map_or(Compressors::Caller, Compressors::Threads);
        // The XFL byte of the header: 4 for the fastest level, 2 for the smallest. The operating system is given as
        // unknown (255).
        let effort = match self.level {
            1 => 4,
            9 => 2,
            _ => 0,
        };
        self.sink.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 255])
    }

    /// Writes the next block returned by the threads. Returns false if there is none.
    fn write_next(&mut self) -> io::Result<bool> {
        let Compressors::Threads(threads) = &mut self.compressors else { return Ok(false) };
        let Some(block) = threads.next_result() else { return Ok(false) };
        self.write_block(block?)?;
        Ok(true)
    }

    fn write_block(&mut self, block: Block) -> io::Result<()> {
        self.sink.write_all(block.compressed())?;
        // mutant: self.crc = block.crc();
        self.crc = crc32_combine(self.crc, block.crc(), block.length() as u64);
        self.spare.push(block);
        Ok(())
    }
}

impl<W: Write> Write for GzipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A block is compressed only when something follows it, because it may be the last one.
        // mutant: if self.block.is_full() {
        if self.block.is_full() && !bytes.is_empty() {
            self.compress()?;
        }
        self.block.take(bytes)
    }

    /// Writes what is compressed. Text in a block that is not full yet keeps waiting.
    fn flush(&mut self) -> io::Result<()> {
        while self.write_next()? {}
        self.sink.flush()
    }
}
