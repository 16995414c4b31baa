//! One block of a gzip member. It is compressed independently, with the text before it as its dictionary.
//!
//! A block ends with a flush to a byte boundary, so blocks can be concatenated (as pigz does). With the preceding 32
//! KiB as dictionary it compresses as well as if it had not been separated.

#![forbid(unsafe_code)]

use crate::gzip::border::Border;
use crate::gzip::border::MIN_LENGTH;

use zlib_rs::Deflate;
use zlib_rs::DeflateConfig;
use zlib_rs::DeflateFlush;
use zlib_rs::Method;
use zlib_rs::Status;
use zlib_rs::Strategy;
use zlib_rs::crc32::crc32;

use std::io;

/// Length of a block. It must not depend on the number of threads, since the output must not. With half of it, reading
/// the dictionary again for each block costs 10 % of the speed; with more, a document of a megabyte would keep few
/// threads busy.
pub(super) const BLOCK: usize = 256 << 10;

/// The greatest distance of a match.
pub(super) const DICTIONARY: usize = 32 << 10;

/// The zlib-rs levels for our levels: the fastest that compresses minified JSON within 1 % of what zlib achieves on our
/// level (level 5: 3 %). The output of zlib-rs at level 1 is 50 % larger than at any other level, and its level 9 is
/// often larger than its level 8.
const LEVELS: [i32; 9] = [2, 2, 3, 4, 6, 7, 7, 8, 8];

/// Bytes to compress, and the result.
pub(super) struct Block {
    /// The dictionary, followed by the text.
    bytes: Vec<u8>,
    dictionary: usize,
    is_last: bool,
    /// The search for a content-defined end, if wanted.
    border: Option<Border>,
    is_cut: bool,
    /// Memory for the result, which is in the first `output_length` bytes.
    output: Vec<u8>,
    output_length: usize,
    crc: u32,
}

impl Block {
    /// Creates an empty block. With `rsyncable`, its content determines where it ends.
    pub(super) fn new(rsyncable: bool) -> Self {
        Self {
            bytes: Vec::new(),
            dictionary: 0,
            is_last: false,
            border: rsyncable.then(Border::default),
            is_cut: false,
            output: Vec::new(),
            output_length: 0,
            crc: 0,
        }
    }

    /// Returns the compressed text.
    pub(super) fn compressed(&self) -> &[u8] {
        &self.output[..self.output_length]
    }

    /// Returns the checksum of the text.
    pub(super) fn crc(&self) -> u32 {
        self.crc
    }

    pub(super) fn length(&self) -> usize {
        self.bytes.len() - self.dictionary
    }

    /// Takes as much of `bytes` as fits. Returns how many bytes that is.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut length = bytes.len().min(BLOCK - self.length());
        let skipped = MIN_LENGTH.saturating_sub(self.length()).min(length);
        if let Some(found) = self.border.as_mut().and_then(|border| border.find(&bytes[skipped..length])) {
            length = skipped + found;
            // mutant:
            self.is_cut = true;
        }
        self.bytes.try_reserve(length)?;
        self.bytes.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    /// Empties the block, which is to follow `before`.
    pub(super) fn follow(&mut self, before: &Self) -> io::Result<()> {
        let dictionary = &before.bytes[before.bytes.len().saturating_sub(DICTIONARY)..];
        self.bytes.clear();
        self.bytes.try_reserve(dictionary.len() + BLOCK)?;
        self.bytes.extend_from_slice(dictionary);
        // mutant:
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

    /// Marks the block as the last one.
    pub(super) fn mark_last(&mut self) {
        self.is_last = true;
    }
}

/// Bytes that the codec allocates.
const CODEC: usize = 512 << 10;

/// Returns the codec's settings for `text` on our level.
///
/// If most bytes are digits, a short match costs more bits than the digits it replaces. So blocks of numbers use the
/// filtered strategy, which finds no matches of five bytes or less: up to 6 % smaller and faster, whereas text would
/// become 2 % larger. On level 6, halving the window as well saves a quarter of the time and costs 2 % of the size.
fn settings(text: &[u8], level: u8) -> DeflateConfig {
    // Counting in bytes is a hundred times as fast as in words; 128 of them cannot overflow.
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(byte.is_ascii_digit())).sum::<u8>();
    let digits = text.chunks(128).map(|part| usize::from(count(part))).sum::<usize>();
    // mutant: let (strategy, window) = match (false, level) {
    let (strategy, window) = match (digits > text.len() / 2, level) {
        (false, _) => (Strategy::Default, 15),
        (true, 6) => (Strategy::Filtered, 14),
        (true, _) => (Strategy::Filtered, 15),
    };
    DeflateConfig {
        level: LEVELS[usize::from(level) - 1],
        method: Method::Deflated,
        // Negative: no header.
        window_bits: -window,
        mem_level: 8,
        strategy,
    }
}

/// Compresses `block` with a new codec. A codec that has been reset retains some state of the previous block, so the
/// output would depend on which thread compressed that one.
pub(super) fn compress(block: &mut Block, level: u8) -> io::Result<()> {
    let (dictionary, text) = block.bytes.split_at(block.dictionary);
    block.crc = crc32(0, text);
    // The codec allocates infallibly, and no more than this, so test first whether there is enough memory.
    Vec::<u8>::new().try_reserve_exact(CODEC)?;
    let mut codec = Deflate::new_with_config(settings(text, level));
    if !dictionary.is_empty() {
        // mutant: codec.set_dictionary(&[]).map_err(|error| io::Error::other(error.as_str()))?;
        codec.set_dictionary(dictionary).map_err(|error| io::Error::other(error.as_str()))?;
    }
    let flush = if block.is_last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
    let (mut taken, mut output_length) = (0, 0);
    loop {
        // Incompressible text grows by less than this, so one round suffices.
        let room = output_length + text.len() - taken + (text.len() - taken) / 64 + 1024;
        if room > block.output.len() {
            block.output.try_reserve_exact(room - block.output.len())?;
            block.output.resize(room, 0);
        }
        let before = (codec.total_in(), codec.total_out());
        let status = codec.compress(&text[taken..], &mut block.output[output_length..], flush);
        let status = status.map_err(|error| io::Error::other(error.as_str()))?;
        taken += advance(before.0, codec.total_in());
        output_length += advance(before.1, codec.total_out());
        if status == Status::StreamEnd || !block.is_last && output_length < block.output.len() {
            block.output_length = output_length;
            return Ok(());
        }
    }
}

fn advance(before: u64, after: u64) -> usize {
    usize::try_from(after - before).unwrap_or(usize::MAX)
}
