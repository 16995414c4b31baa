//! One block of a member: compressed by itself, with what stands before it as its dictionary.
//!
//! A block ends with a flush to a whole byte, so that blocks can be joined as they are (as pigz does). With the 32 KiB
//! before it as dictionary it compresses as well as if it had not been cut out.

#![forbid(unsafe_code)]

use crate::gzip::border::Border;
use crate::gzip::border::LEAST;

use zlib_rs::Deflate;
use zlib_rs::DeflateConfig;
use zlib_rs::DeflateFlush;
use zlib_rs::Method;
use zlib_rs::Status;
use zlib_rs::Strategy;
use zlib_rs::crc32::crc32;

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
const LEVELS: [i32; 9] = [2, 2, 3, 4, 6, 7, 7, 8, 8];

/// Bytes to be compressed, and what came of them.
pub(super) struct Block {
    /// The dictionary and then the text.
    bytes: Vec<u8>,
    dictionary: usize,
    is_last: bool,
    /// Where it ends before it is full, if that is wanted.
    border: Option<Border>,
    is_cut: bool,
    /// Storage for what came of them, of which the first `made` bytes count.
    output: Vec<u8>,
    made: usize,
    crc: u32,
}

impl Block {
    /// An empty block; with `rsyncable` its text says where it ends.
    pub(super) fn new(rsyncable: bool) -> Self {
        Self {
            bytes: Vec::new(),
            dictionary: 0,
            is_last: false,
            border: rsyncable.then(Border::default),
            is_cut: false,
            output: Vec::new(),
            made: 0,
            crc: 0,
        }
    }

    /// What the text became.
    pub(super) fn compressed(&self) -> &[u8] {
        &self.output[..self.made]
    }

    /// The checksum of the text.
    pub(super) fn crc(&self) -> u32 {
        self.crc
    }

    pub(super) fn length(&self) -> usize {
        self.bytes.len() - self.dictionary
    }

    /// Takes as much of `bytes` as there is room for.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut length = bytes.len().min(BLOCK - self.length());
        let skipped = LEAST.saturating_sub(self.length()).min(length);
        if let Some(found) = self.border.as_mut().and_then(|border| border.find(&bytes[skipped..length])) {
            length = skipped + found;
            self.is_cut = true;
        }
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
        self.border = self.border.is_some().then(Border::default);
        self.is_cut = false;
        Ok(())
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_cut || self.length() == BLOCK
    }

    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Says that nothing follows the block.
    pub(super) fn end_here(&mut self) {
        self.is_last = true;
    }
}

/// Bytes that the codec holds.
const CODEC: usize = 512 << 10;

/// How to compress `text` on our level.
///
/// Where most bytes are digits, a short match costs more bits than the few digits it stands for. So blocks of numbers
/// are filtered, which finds no match of five bytes or less: up to 6 % smaller, and faster, where text would become 2 %
/// larger. On level 6 a window of half the size as well takes a quarter off the time, for 2 % of the size.
fn settings(text: &[u8], level: u8) -> DeflateConfig {
    // Counted in bytes and not in words, a hundred times as fast: 128 of them cannot overflow.
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(byte.is_ascii_digit())).sum::<u8>();
    let digits = text.chunks(128).map(|part| usize::from(count(part))).sum::<usize>();
    let (strategy, window) = match (digits > text.len() / 2, level) {
        (false, _) => (Strategy::Default, 15),
        (true, 6) => (Strategy::Filtered, 14),
        (true, _) => (Strategy::Filtered, 15),
    };
    DeflateConfig {
        level: LEVELS[usize::from(level) - 1],
        method: Method::Deflated,
        // Negative: without a header.
        window_bits: -window,
        mem_level: 8,
        strategy,
    }
}

/// Compresses `block`, with a codec of its own: one that has been reset still knows something of the block before, and
/// its output would depend on which thread had that.
pub(super) fn compress(block: &mut Block, level: u8) -> io::Result<()> {
    let (dictionary, text) = block.bytes.split_at(block.dictionary);
    block.crc = crc32(0, text);
    // It takes memory without asking, and no more than this.
    Vec::<u8>::new().try_reserve_exact(CODEC)?;
    let mut codec = Deflate::new_with_config(settings(text, level));
    if !dictionary.is_empty() {
        codec.set_dictionary(dictionary).map_err(|error| io::Error::other(error.as_str()))?;
    }
    let flush = if block.is_last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
    let (mut taken, mut made) = (0, 0);
    loop {
        // Text that cannot be compressed grows by less than this, so once is enough.
        let room = made + text.len() - taken + (text.len() - taken) / 64 + 1024;
        if room > block.output.len() {
            block.output.try_reserve_exact(room - block.output.len())?;
            block.output.resize(room, 0);
        }
        let before = (codec.total_in(), codec.total_out());
        let status = codec.compress(&text[taken..], &mut block.output[made..], flush);
        let status = status.map_err(|error| io::Error::other(error.as_str()))?;
        taken += advance(before.0, codec.total_in());
        made += advance(before.1, codec.total_out());
        if status == Status::StreamEnd || !block.is_last && made < block.output.len() {
            block.made = made;
            return Ok(());
        }
    }
}

fn advance(before: u64, after: u64) -> usize {
    usize::try_from(after - before).unwrap_or(usize::MAX)
}
