//! One block of a member: compressed by itself, with what stands before it as its dictionary.
//!
//! A block ends with a flush to a whole byte, so that blocks can be joined as they are (as pigz does). With the 32 KiB
//! before it as dictionary it compresses as well as if it had not been cut out.

#![forbid(unsafe_code)]

use flate2::Compress;
use flate2::Compression;
use flate2::Crc;
use flate2::FlushCompress;
use flate2::Status;

use std::io;

/// Bytes of a block. Output must not depend on the number of threads, so neither may this. With half of it the
/// dictionary, which has to be read anew for each block, costs 10 % of the speed; with more, a document of a megabyte
/// would keep few threads busy.
pub(super) const BLOCK: usize = 256 << 10;

/// As far back as a match may reach.
pub(super) const DICTIONARY: usize = 32 << 10;

/// Our levels in those of zlib-rs: the fastest that compresses minified JSON as well as zlib does on our level, to within
/// 1 % (level 5: 3 %). Its level 1 makes output half as large again as any other, and its level 9 is larger than its level
/// 8 more often than not.
const LEVELS: [u32; 9] = [2, 2, 3, 4, 6, 7, 7, 8, 8];

/// Bytes to be compressed, and what came of them.
pub(super) struct Block {
    /// The dictionary and then the text.
    bytes: Vec<u8>,
    dictionary: usize,
    is_last: bool,
    pub(super) compressed: Vec<u8>,
    pub(super) crc: Crc,
}

impl Block {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), dictionary: 0, is_last: false, compressed: Vec::new(), crc: Crc::new() }
    }

    pub(super) fn length(&self) -> usize {
        self.bytes.len() - self.dictionary
    }

    /// Takes as much of `bytes` as there is room for.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(BLOCK - self.length());
        self.bytes.try_reserve(length)?;
        self.bytes.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    /// Empties the block, which is to stand behind `before`.
    pub(super) fn follow(&mut self, before: &Self) -> io::Result<()> {
        let dictionary = &before.bytes[before.bytes.len().saturating_sub(DICTIONARY)..];
        self.bytes.clear();
        self.bytes.try_reserve(dictionary.len() + BLOCK)?;
        self.bytes.extend_from_slice(dictionary);
        self.dictionary = dictionary.len();
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.length() == BLOCK
    }

    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Says that nothing follows the block.
    pub(super) fn end_here(&mut self) {
        self.is_last = true;
    }
}

/// Compresses `block`, with a codec of its own: one that has been reset still knows something of the block before, and
/// its output would depend on which thread had that.
pub(super) fn compress(block: &mut Block, level: u8) -> io::Result<()> {
    let mut codec = Compress::new(Compression::new(LEVELS[usize::from(level) - 1]), false);
    let (dictionary, text) = block.bytes.split_at(block.dictionary);
    block.crc.reset();
    block.crc.update(text);
    block.compressed.clear();
    if !dictionary.is_empty() {
        codec.set_dictionary(dictionary)?;
    }
    let flush = if block.is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    loop {
        // Text that cannot be compressed grows by less than this, so once is enough.
        block.compressed.try_reserve(text.len() + text.len() / 64 + 1024)?;
        let taken = usize::try_from(codec.total_in()).unwrap_or(usize::MAX);
        let status = codec.compress_vec(&text[taken..], &mut block.compressed, flush)?;
        let is_flushed = block.compressed.len() < block.compressed.capacity();
        if status == Status::StreamEnd || !block.is_last && is_flushed {
            return Ok(());
        }
    }
}
