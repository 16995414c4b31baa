//! A growing list of positions, which a kernel writes.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::memory::Grow;

/// Room for the positions that a tile may have, plus those that are written beyond the end of the list.
const ROOM: usize = MAX_TILE_BYTES + 64;

/// Positions in ascending order. The memory is reused.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Only the first `count` are positions.
    entries: Vec<u32>,
    count: usize,
}

impl List {
    /// Returns the positions.
    #[inline(always)]
    pub(crate) fn positions(&self) -> &[u32] {
        &self.entries[..self.count]
    }

    /// Returns the positions, to change them.
    pub(crate) fn positions_mut(&mut self) -> &mut [u32] {
        &mut self.entries[..self.count]
    }

    /// Removes the positions and keeps the memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Removes the last position and returns it.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let last = *self.positions().last()?;
        self.count -= 1;
        Some(last)
    }

    /// Makes room for the positions of a tile.
    #[inline(always)]
    pub(crate) fn reserve(&mut self) -> Result<(), OutOfMemory> {
        if self.entries.len() < self.count + ROOM {
            let length = 2 * self.count + ROOM;
            self.entries.room(length - self.entries.len(), OutOfMemory::Tokens)?;
            self.entries.resize(length, 0);
        }
        Ok(())
    }

    /// Adds the positions of the bits in the first lanes of a word that stands for the text from index `base` on. There must be
    /// room for them.
    #[inline(always)]
    pub(crate) fn add<K: Kernel>(&mut self, kernel: K, marks: K::Word, base: usize, used_lanes: usize) {
        for (lane, &marks) in lanes(marks).iter().enumerate().take(used_lanes) {
            #[expect(clippy::cast_possible_truncation, reason = "no text is listed that is 4 GiB or longer")]
            let base = (base + 64 * lane) as u32;
            self.count += kernel.list(marks, base, &mut self.entries[self.count..]);
        }
    }

    /// Adds to `counts`, for each bit of `ends` in the first lanes of a word, the number of positions before it, if those of `marks` are
    /// added next.
    #[inline(always)]
    pub(crate) fn ends_between<W: Word>(&self, marks: W, ends: W, used_lanes: usize, counts: &mut Vec<u32>) {
        let mut count = self.count();
        for (&marks, ends) in lanes(marks).iter().zip(lanes(ends)).take(used_lanes) {
            let mut rest = ends;
            while rest != 0 {
                let before = (1 << rest.trailing_zeros()) - 1;
                counts.push(count + (marks & before).count_ones());
                rest &= rest - 1;
            }
            count += marks.count_ones();
        }
    }

    /// Returns the number of positions.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "no text is listed that is 4 GiB or longer")]
    pub(crate) fn count(&self) -> u32 {
        self.count as u32
    }

    /// Adds positions that `write` writes to a part of the list of this length, for which there must be room. It returns their
    /// number, or `None` to add nothing.
    #[inline(always)]
    pub(crate) fn add_with(&mut self, room: usize, write: impl FnOnce(&mut [u32]) -> Option<usize>) {
        self.count += write(&mut self.entries[self.count..][..room]).unwrap_or(0);
    }

    /// Adds one position. There must be room for it.
    pub(crate) fn push(&mut self, position: u32) {
        self.entries[self.count] = position;
        self.count += 1;
    }

    /// Returns the size of the memory in bytes.
    #[cfg(feature = "serde")]
    pub(crate) fn memory(&self) -> usize {
        size_of::<u32>() * self.entries.capacity()
    }
}
