//! The look-behind buffer: a copy of the bytes of the current tile and of those before it, in one array.
//!
//! To read the text of a key that began earlier, or 64 bytes that extend past the end of the input, each access would otherwise
//! have to check what is in memory. A copy that stays in the first-level cache is cheaper than these checks. Also, if a file
//! changes while it is read, the bytes still agree with the masks of their tile.

#![forbid(unsafe_code)]

use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::MAX_LANES;
use crate::query::stream::bounds::bounded;

/// Bytes before a tile that can still be read.
pub(super) const BACK: usize = 1024;

/// Bytes in the buffer; a power of two.
const LENGTH: usize = 8 * 1024;

/// Aligned, because tiles are stored as whole vectors.
#[derive(Debug)]
#[repr(align(64))]
struct Bytes([u8; LENGTH + ROOM]);

/// Number of bytes that can be read from any offset.
const ROOM: usize = 64 * MAX_LANES;

/// The look-behind buffer.
#[derive(Debug)]
pub(super) struct LookBehind {
    bytes: Box<Bytes>,
    /// Offset in the input of the first byte. It wraps around if that is before the start of the input.
    base: u64,
    /// Index after the last tile.
    end: usize,
}

impl LookBehind {
    /// Returns a buffer whose first tile begins at `offset`.
    pub(super) fn new(offset: u64) -> Self {
        Self { bytes: Box::new(Bytes([b' '; LENGTH + ROOM])), base: offset.wrapping_sub(BACK as u64), end: BACK }
    }

    /// Continues with a tile at `offset`. The bytes before it are then unspecified.
    pub(super) fn move_to(&mut self, offset: u64) {
        self.base = offset.wrapping_sub(BACK as u64);
        self.end = BACK;
    }

    /// Returns where to copy the next tile: `length` bytes of text, `padded` bytes with padding.
    #[inline(always)]
    pub(super) fn append(&mut self, padded: usize, length: usize) -> &mut [u8] {
        if self.end > LENGTH - MAX_TILE_BYTES {
            self.bytes.0.copy_within(self.end - BACK..self.end, 0);
            self.base = self.base.wrapping_add((self.end - BACK) as u64);
            self.end = BACK;
        }
        let start = self.end;
        self.end += length;
        &mut self.bytes.0[start..start + padded]
    }

    /// Replaces the text after the first `length` of the `taken` bytes of the last tile, and its padding, with spaces.
    #[cold]
    pub(super) fn truncate(&mut self, taken: usize, length: usize, padded: usize) {
        let start = self.end - taken;
        self.bytes.0[start + length..start + padded].fill(b' ');
        self.end = start + length;
    }

    #[expect(clippy::cast_possible_truncation, reason = "an index, if the offset is in the buffer")]
    #[inline(always)]
    fn index(&self, offset: u64) -> usize {
        bounded::<LENGTH>(offset.wrapping_sub(self.base) as usize)
    }

    /// Returns the byte at an offset of the input.
    #[inline(always)]
    pub(super) fn byte(&self, offset: u64) -> u8 {
        self.bytes.0[self.index(offset)]
    }

    /// Returns the 64 bytes from an offset on. Bytes after the last tile are unspecified.
    #[inline(always)]
    pub(super) fn block(&self, offset: u64) -> &[u8; 64] {
        let index = self.index(offset);
        let (blocks, _) = self.bytes.0[index..index + 64].as_chunks::<64>();
        &blocks[0]
    }

    /// Returns the bytes of this number of lanes from an offset on. Bytes after the last tile are unspecified.
    #[inline(always)]
    pub(super) fn blocks(&self, offset: u64, lanes: usize) -> &[[u8; 64]] {
        let index = self.index(offset);
        self.bytes.0[index..index + 64 * lanes].as_chunks::<64>().0
    }

    /// Returns the eight bytes before an offset.
    #[inline(always)]
    pub(super) fn eight_before(&self, offset: u64) -> [u8; 8] {
        let index = self.index(offset.wrapping_sub(8));
        let (lanes, _) = self.bytes.0[index..index + 8].as_chunks::<8>();
        lanes[0]
    }

    /// Returns the bytes between two offsets, at most [`BACK`] before the tile.
    #[inline(always)]
    pub(super) fn between(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes.0[self.index(from)..self.index(to)]
    }
}

/// Copies a superblock. Copying superblocks one by one between other work is faster than copying a whole tile.
#[inline(always)]
pub(super) fn copy(from: &[u8], to: &mut [u8]) {
    let ((from, _), (to, _)) = (from.as_chunks::<64>(), to.as_chunks_mut::<64>());
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

#[cfg(test)]
mod tests {
    use super::BACK;
    use super::LookBehind;
    use super::MAX_TILE_BYTES;

    #[test]
    fn what_was_taken_can_be_looked_at() {
        let text: Vec<u8> = (0..200_000_u32).map(|index| (index % 251) as u8).collect();
        let (mut look_behind, mut taken, mut length) = (LookBehind::new(3), 0, 1_usize);
        while taken + MAX_TILE_BYTES < text.len() {
            let padded = length.next_multiple_of(64);
            look_behind.append(padded, length).copy_from_slice(&text[taken..taken + padded]);
            taken += length;
            length = length * 7 % MAX_TILE_BYTES + 1;
            let end = taken as u64 + 3;
            let back = taken.saturating_sub(BACK);
            assert_eq!(look_behind.between(back as u64 + 3, end), &text[back..taken]);
            if taken >= 8 {
                assert_eq!(look_behind.eight_before(end), text[taken - 8..taken]);
            }
            if taken >= 64 {
                assert_eq!(look_behind.block(end - 64)[..], text[taken - 64..taken]);
            }
            assert_eq!(look_behind.byte(end - 1), text[taken - 1]);
        }
        look_behind.truncate(5, 2, 5);
        assert_eq!(look_behind.byte(taken as u64 + 3 - 3), b' ');
    }
}
