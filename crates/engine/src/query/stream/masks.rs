//! The masks of one tile, as executors read them.
//!
//! They are filled either by the checker, or by a classifier that finds only strings and brackets. Everything else (commas,
//! colons, whitespace, the text of keys) is read from the bytes, in the one lane where it matters.

#![forbid(unsafe_code)]

use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::StringCarry;
use crate::grammar::Structure;
use crate::grammar::Tile;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::bounds::bounded;
use crate::query::stream::look_behind::copy;
use crate::query::structure::EscapedStringCarry;
use crate::query::structure::leaf_closers;

/// Maximum number of 64-bit lanes in a tile.
pub(super) const TILE_LANES: usize = MAX_TILE_BYTES / 64;

/// How many lanes of `string_start` from before the tile are kept. It limits the length of names.
pub(super) const HISTORY: usize = 16;

/// Maximum number of superblocks in a tile.
const SUPERBLOCKS: usize = MAX_TILE_BYTES / 128;

/// The masks of a tile, in 64-bit lanes. Except for `in_string` and the quotes, they mark bytes outside strings.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Masks {
    /// `{` and `[`.
    open: [u64; TILE_LANES],
    /// `}` and `]`.
    close: [u64; TILE_LANES],
    /// The subset of `close` whose container opens in an earlier lane or contains another container.
    outer_close: [u64; TILE_LANES],
    /// From an opening quote to the byte before the closing one.
    in_string: [u64; TILE_LANES],
    /// Closing quotes.
    string_end: [u64; TILE_LANES],
    /// The subset of `string_end` for strings that contain a backslash. Valid only in the superblocks that `escaped` marks. In
    /// other superblocks, these strings are not keys.
    escaped_end: [u64; TILE_LANES],
    /// Opening quotes: [`HISTORY`] lanes from before the tile, then those of the tile. The length is a power of two, so that
    /// indexes need no bounds check.
    string_start: [u64; 2 * TILE_LANES],
    /// For each superblock, the number of opening brackets less the number of closing ones.
    depth_change: [i32; SUPERBLOCKS],
    /// For each superblock, the number of bits in `outer_close`.
    outer_closes: [u32; SUPERBLOCKS],
    /// Bit *i*: superblock *i* has brackets.
    brackets: u32,
    /// Bit *i*: superblock *i* has bits in `escaped_end`.
    escaped: u32,
}

impl Masks {
    pub(super) fn new() -> Self {
        Self {
            open: [0; TILE_LANES],
            close: [0; TILE_LANES],
            outer_close: [0; TILE_LANES],
            in_string: [0; TILE_LANES],
            string_end: [0; TILE_LANES],
            escaped_end: [0; TILE_LANES],
            string_start: [0; 2 * TILE_LANES],
            depth_change: [0; SUPERBLOCKS],
            outer_closes: [0; SUPERBLOCKS],
            brackets: 0,
            escaped: 0,
        }
    }

    /// Prepares for the next tile. `last` is the number of lanes of the previous tile if a string may reach from it into the
    /// next one; its last opening quotes are then kept.
    #[inline(always)]
    pub(super) fn next_tile(&mut self, last: Option<usize>) {
        match last {
            Some(lanes) => {
                let lanes = lanes.min(TILE_LANES);
                // mutant:
                self.string_start.copy_within(lanes..lanes + HISTORY, 0);
            }
            None => self.string_start[..HISTORY].fill(0),
        }
        self.brackets = 0;
        self.escaped = 0;
    }

    /// Stores the masks of a superblock.
    #[inline(always)]
    fn put<K: Kernel>(&mut self, kernel: K, index: usize, structure: Structure<K::Word>) {
        let Structure { open, close, quotes, in_string, .. } = structure;
        let at = index * K::Word::LANES;
        let to = at + K::Word::LANES;
        let outer = close & !leaf_closers(open, close);
        open.store(&mut self.open[at..to]);
        close.store(&mut self.close[at..to]);
        outer.store(&mut self.outer_close[at..to]);
        in_string.store(&mut self.in_string[at..to]);
        (quotes & !in_string).store(&mut self.string_end[at..to]);
        (quotes & in_string).store(&mut self.string_start[HISTORY + at..HISTORY + to]);
        (self.depth_change[index], self.outer_closes[index]) = kernel.balance(open, close, outer);
        self.brackets |= u32::from((open | close).any()) << index;
    }

    /// Stores the masks of a tile that was checked, and copies its text to `to`.
    #[inline(always)]
    pub(super) fn fill<K: Kernel>(
        &mut self,
        kernel: K,
        tile: &Tile<K>,
        text: &[u8],
        to: &mut [u8],
        escapes: &mut EscapedStringCarry,
    ) {
        let mut active = tile.active().peekable();
        // A local copy, so that the compiler can keep it in registers.
        let mut state = *escapes;
        let superblocks = text.chunks_exact(K::SUPERBLOCK).zip(to.chunks_exact_mut(K::SUPERBLOCK));
        for (index, (superblock, to)) in superblocks.enumerate() {
            copy(superblock, to);
            // A superblock that is not active lies entirely inside a string.
            let nothing = kernel.splat(0);
            let mut structure = Structure {
                open: nothing,
                close: nothing,
                comma: nothing,
                quotes: nothing,
                in_string: !nothing,
                backslash: tile.backslashes(index),
            };
            if let Some((_, known, _)) = active.next_if(|(active, ..)| *active == index) {
                structure = Structure {
                    open: known.open,
                    close: known.close,
                    comma: known.comma,
                    quotes: known.quotes,
                    in_string: known.in_string,
                    ..structure
                };
            }
            self.put(kernel, index, structure);
            if let Some(ends) = state.closing_quotes(structure) {
                self.put_escaped::<K>(index, ends);
            }
        }
        *escapes = state;
    }

    /// Computes and stores the masks of a tile of which only strings and brackets are needed, and copies its text to `to`.
    #[inline(always)]
    pub(super) fn classify<K: Kernel>(
        &mut self,
        kernel: K,
        text: &[u8],
        to: &mut [u8],
        strings: &mut StringCarry,
        escapes: &mut EscapedStringCarry,
    ) {
        let (mut known, mut state) = (*strings, *escapes);
        let superblocks = text.chunks_exact(K::SUPERBLOCK).zip(to.chunks_exact_mut(K::SUPERBLOCK));
        for (index, (superblock, to)) in superblocks.enumerate() {
            kernel.prefetch(superblock);
            copy(superblock, to);
            let structure = known.classify(kernel, superblock);
            self.put(kernel, index, structure);
            if let Some(ends) = state.closing_quotes(structure) {
                self.put_escaped::<K>(index, ends);
            }
        }
        (*strings, *escapes) = (known, state);
    }

    /// Stores the closing quotes of strings with backslashes in a superblock.
    #[cold]
    #[inline(always)]
    fn put_escaped<K: Kernel>(&mut self, index: usize, ends: K::Word) {
        let at = index * K::Word::LANES;
        ends.store(&mut self.escaped_end[at..at + K::Word::LANES]);
        self.escaped |= 1 << index;
    }

    /// Clears all masks after the first `length` bytes of a tile of `superblocks` superblocks.
    #[cold]
    pub(super) fn truncate<K: Kernel>(&mut self, length: usize, superblocks: usize) {
        for lane in length / 64..superblocks * K::Word::LANES {
            let keep = if lane == length / 64 { (1 << (length % 64)) - 1 } else { 0 };
            for mask in [
                &mut self.open,
                &mut self.close,
                &mut self.outer_close,
                &mut self.in_string,
                &mut self.string_end,
                &mut self.escaped_end,
            ] {
                mask[lane] &= keep;
            }
            self.string_start[HISTORY + lane] &= keep;
        }
        for index in 0..superblocks {
            let lanes = index * K::Word::LANES..(index + 1) * K::Word::LANES;
            let total =
                |mask: &[u64; TILE_LANES]| mask[lanes.clone()].iter().map(|lane| lane.count_ones()).sum::<u32>();
            self.depth_change[index] = total(&self.open).cast_signed() - total(&self.close).cast_signed();
            self.outer_closes[index] = total(&self.outer_close);
        }
    }

    #[inline(always)]
    pub(super) fn open(&self, lane: usize) -> u64 {
        self.open[bounded::<TILE_LANES>(lane)]
    }

    #[inline(always)]
    pub(super) fn close(&self, lane: usize) -> u64 {
        self.close[bounded::<TILE_LANES>(lane)]
    }

    #[inline(always)]
    pub(super) fn outer_close(&self, lane: usize) -> u64 {
        self.outer_close[bounded::<TILE_LANES>(lane)]
    }

    #[inline(always)]
    pub(super) fn in_string(&self, lane: usize) -> u64 {
        self.in_string[bounded::<TILE_LANES>(lane)]
    }

    #[inline(always)]
    pub(super) fn string_end(&self, lane: usize) -> u64 {
        self.string_end[bounded::<TILE_LANES>(lane)]
    }

    /// Returns the opening quotes of the lane that is `back` lanes before `lane`; at most [`HISTORY`] lanes before the tile.
    #[inline(always)]
    pub(super) fn string_start(&self, lane: usize, back: usize) -> u64 {
        self.string_start[bounded::<{ 2 * TILE_LANES }>((HISTORY + lane).wrapping_sub(back))]
    }

    /// Returns the closing quotes of the superblock that begins at `lane`.
    #[inline(always)]
    pub(super) fn string_ends(&self, lane: usize) -> &[u64] {
        &self.string_end[bounded::<TILE_LANES>(lane)..]
    }

    /// Returns the opening quotes of the superblock-sized range that begins `back` lanes before `lane`.
    #[inline(always)]
    pub(super) fn string_starts(&self, lane: usize, back: usize) -> &[u64] {
        &self.string_start[bounded::<{ 2 * TILE_LANES }>((HISTORY + lane).wrapping_sub(back))..]
    }

    /// Returns the closing quotes of all keys with a backslash, and perhaps of other strings.
    #[inline(always)]
    pub(super) fn escaped_end<K: Kernel>(&self, lane: usize) -> u64 {
        if self.has_escaped::<K>(lane) { self.escaped_end[bounded::<TILE_LANES>(lane)] } else { 0 }
    }

    #[inline(always)]
    pub(super) fn has_escaped<K: Kernel>(&self, lane: usize) -> bool {
        self.escaped >> (lane / K::Word::LANES) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn has_brackets<K: Kernel>(&self, lane: usize) -> bool {
        self.brackets >> (lane / K::Word::LANES) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn depth_change<K: Kernel>(&self, lane: usize) -> i32 {
        self.depth_change[bounded::<SUPERBLOCKS>(lane / K::Word::LANES)]
    }

    #[inline(always)]
    pub(super) fn outer_closes<K: Kernel>(&self, lane: usize) -> u32 {
        self.outer_closes[bounded::<SUPERBLOCKS>(lane / K::Word::LANES)]
    }

    /// Returns how many of `levels` levels are open after the superblock that begins at `lane`. `None` if they may end in it.
    #[inline(always)]
    pub(super) fn remaining_levels<K: Kernel>(&self, kernel: K, lane: usize, levels: usize) -> Option<usize> {
        if self.outer_closes::<K>(lane) as usize >= levels {
            let at = bounded::<TILE_LANES>(lane);
            let brackets = [kernel.word(&self.open[at..]), kernel.word(&self.close[at..])];
            let (closing_lanes, left) = kernel.closing_lanes(brackets, kernel.word(&self.outer_close[at..]), levels);
            // mutant: return Some(left);
            return (closing_lanes == 0).then_some(left);
        }
        Some(levels.wrapping_add_signed(self.depth_change::<K>(lane) as isize))
    }
}
