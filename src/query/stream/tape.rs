//! The bytes of the current tile and of those before it, copied to where every look at them is inside one array.
//!
//! Looking back for the text of a name, or at 64 bytes that end behind the input, would else have to ask each time what is in
//! memory. A copy that stays in the first-level cache costs less than the questions, and a file that changes while it is read
//! cannot make two looks at a byte disagree with the masks of its tile.

#![forbid(unsafe_code)]

use crate::grammar::MAX_TILE_BYTES;

/// Bytes before a tile that can still be looked at.
pub(super) const BACK: usize = 1024;

/// Bytes on the tape; a power of two.
const LENGTH: usize = 8 * 1024;

/// A few tiles of text.
#[derive(Debug)]
pub(super) struct Tape {
    /// With room for a look at 64 bytes that begins anywhere.
    bytes: Box<[u8; LENGTH + 64]>,
    /// The offset of the first byte; wraps around if that is before the start of the input.
    base: u64,
    /// Behind the last tile.
    end: usize,
}

impl Tape {
    /// An empty tape in front of `offset`.
    pub(super) fn new(offset: u64) -> Self {
        Self { bytes: Box::new([b' '; LENGTH + 64]), base: offset.wrapping_sub(BACK as u64), end: BACK }
    }

    /// Goes to another place: nothing lies before it.
    pub(super) fn move_to(&mut self, offset: u64) {
        self.bytes[..BACK].fill(b' ');
        self.base = offset.wrapping_sub(BACK as u64);
        self.end = BACK;
    }

    /// Takes a tile of so many bytes and what it was padded with.
    #[inline(always)]
    pub(super) fn append(&mut self, padded: &[u8], length: usize) {
        if self.end > LENGTH - MAX_TILE_BYTES {
            self.bytes.copy_within(self.end - BACK..self.end, 0);
            self.base = self.base.wrapping_add((self.end - BACK) as u64);
            self.end = BACK;
        }
        self.bytes[self.end..self.end + padded.len()].copy_from_slice(padded);
        self.end += length;
    }

    /// Blanks what lies in the last tile behind its first bytes.
    #[cold]
    pub(super) fn truncate(&mut self, taken: usize, length: usize, padded: usize) {
        let start = self.end - taken;
        self.bytes[start + length..start + padded].fill(b' ');
        self.end = start + length;
    }

    #[expect(clippy::cast_possible_truncation, reason = "it is an index, if the place is on the tape")]
    #[inline(always)]
    fn index(&self, offset: u64) -> usize {
        offset.wrapping_sub(self.base) as usize % LENGTH
    }

    /// The byte at an offset of the input.
    #[inline(always)]
    pub(super) fn byte(&self, offset: u64) -> u8 {
        self.bytes[self.index(offset)]
    }

    /// The 64 bytes from an offset on; what lies behind the last tile is anything.
    #[inline(always)]
    pub(super) fn block(&self, offset: u64) -> &[u8; 64] {
        let index = self.index(offset);
        let (blocks, _) = self.bytes[index..index + 64].as_chunks::<64>();
        &blocks[0]
    }

    /// The eight bytes before an offset.
    #[inline(always)]
    pub(super) fn eight_before(&self, offset: u64) -> [u8; 8] {
        let index = self.index(offset.wrapping_sub(8));
        let (words, _) = self.bytes[index..index + 8].as_chunks::<8>();
        words[0]
    }

    /// The bytes between two offsets, at most [`BACK`] before the tile.
    #[inline(always)]
    pub(super) fn between(&self, from: u64, to: u64) -> &[u8] {
        &self.bytes[self.index(from)..self.index(to)]
    }
}

#[cfg(test)]
mod tests {
    use super::BACK;
    use super::Tape;

    #[test]
    fn what_was_taken_can_be_looked_at() {
        let text: Vec<u8> = (0..200_000_u32).map(|index| (index % 251) as u8).collect();
        let (mut tape, mut taken, mut length) = (Tape::new(3), 0, 1_usize);
        while taken + 2048 < text.len() {
            tape.append(&text[taken..taken + length.next_multiple_of(64)], length);
            taken += length;
            length = length * 7 % 2048 + 1;
            let end = taken as u64 + 3;
            let back = taken.saturating_sub(BACK);
            assert_eq!(tape.between(back as u64 + 3, end), &text[back..taken]);
            if taken >= 8 {
                assert_eq!(tape.eight_before(end), text[taken - 8..taken]);
            }
            if taken >= 64 {
                assert_eq!(tape.block(end - 64)[..], text[taken - 64..taken]);
            }
            assert_eq!(tape.byte(end - 1), text[taken - 1]);
        }
        tape.truncate(5, 2, 5);
        assert_eq!(tape.byte(taken as u64 + 3 - 3), b' ');
    }
}
