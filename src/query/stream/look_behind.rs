//! The bytes of the current tile and of those before it, copied to where every look at them is inside one array.
//!
//! Looking back for the text of a name, or at 64 bytes that end behind the input, would else have to ask each time what is in
//! memory. A copy that stays in the first-level cache costs less than the questions, and a file that changes while it is read
//! cannot make two looks at a byte disagree with the masks of its tile.

#![forbid(unsafe_code)]

use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::MAX_LANES;
use crate::query::stream::bounds::bounded;

/// Bytes before a tile that can still be looked at.
pub(super) const BACK: usize = 1024;

/// Bytes on the tape; a power of two.
const LENGTH: usize = 8 * 1024;

/// Aligned, since a tile is stored in whole vectors.
#[derive(Debug)]
#[repr(align(64))]
struct Bytes([u8; LENGTH + ROOM]);

/// How much can be looked at from any offset on.
const ROOM: usize = 64 * MAX_LANES;

/// A few tiles of text.
#[derive(Debug)]
pub(super) struct LookBehind {
    bytes: Box<Bytes>,
    /// The offset of the first byte; wraps around if that is before the start of the input.
    base: u64,
    /// Behind the last tile.
    end: usize,
}

impl LookBehind {
    /// An empty tape in front of `offset`.
    pub(super) fn new(offset: u64) -> Self {
        Self { bytes: Box::new(Bytes([b' '; LENGTH + ROOM])), base: offset.wrapping_sub(BACK as u64), end: BACK }
    }

    /// Goes to another place: what lies before it is anything.
    pub(super) fn move_to(&mut self, offset: u64) {
        self.base = offset.wrapping_sub(BACK as u64);
        self.end = BACK;
    }

    /// Where the next tile is to be [copied](copy): so many bytes of text, and what it was padded with.
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

    /// Blanks what lies in the last tile behind its first bytes.
    #[cold]
    pub(super) fn truncate(&mut self, taken: usize, length: usize, padded: usize) {
        let start = self.end - taken;
        self.bytes.0[start + length..start + padded].fill(b' ');
        self.end = start + length;
    }

    #[expect(clippy::cast_possible_truncation, reason = "it is an index, if the place is on the tape")]
    #[inline(always)]
    fn index(&self, offset: u64) -> usize {
        bounded::<LENGTH>(offset.wrapping_sub(self.base) as usize)
    }

    /// The byte at an offset of the input.
    #[inline(always)]
    pub(super) fn byte(&self, offset: u64) -> u8 {
        self.bytes.0[self.index(offset)]
    }

    /// The 64 bytes from an offset on; what lies behind the last tile is anything.
    #[inline(always)]
    pub(super) fn block(&self, offset: u64) -> &[u8; 64] {
        let index = self.index(offset);
        let (blocks, _) = self.bytes.0[index..index + 64].as_chunks::<64>();
        &blocks[0]
    }

    /// The bytes of so many words from an offset on; what lies behind the last tile is anything.
    #[inline(always)]
    pub(super) fn blocks(&self, offset: u64, words: usize) -> &[[u8; 64]] {
        let index = self.index(offset);
        self.bytes.0[index..index + 64 * words].as_chunks::<64>().0
    }

    /// The eight bytes before an offset.
    #[inline(always)]
    pub(super) fn eight_before(&self, offset: u64) -> [u8; 8] {
        let index = self.index(offset.wrapping_sub(8));
        let (words, _) = self.bytes.0[index..index + 8].as_chunks::<8>();
        words[0]
    }

    /// The bytes between two offsets, at most [`BACK`] before the tile.
    #[inline(always)]
    pub(super) fn between(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes.0[self.index(from)..self.index(to)]
    }
}

/// Copies a superblock. To copy them one by one, between other work, takes less time than to copy a tile.
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
