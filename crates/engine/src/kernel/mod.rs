//! Kernels: the operations of one instruction set on mask words. All code that depends on the CPU is in this module.
//!
//! A kernel turns a superblock of input into bit planes and provides operations on mask words. Code outside this module does not
//! depend on the instruction set, and code in this module does not depend on JSON. So RFC 8259 is implemented once, as Boolean
//! algebra on [`Word`]. The kernel is selected once for a whole [`Pass`], because a consumer that is not compiled for the
//! instruction set is a third slower.
//!
//! # Laws
//!
//! Every kernel obeys the laws in `laws.rs`, which are tested for each kernel available on the machine. Bit *i* of a word
//! represents position *i* of a superblock; the lowest bit of the lowest lane is position 0. An operation sees the preceding
//! superblock only through the carry or the previous word that it is passed.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod aarch64;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod integers;
mod isa;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod kept_bytes;
mod portable;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod steps;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod laws;

use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::BitXor;
use std::ops::Not;

pub use isa::Isa;
pub(crate) use isa::ROW;
pub(crate) use isa::controls_or;

/// Prefetch distance in bytes: most of a tile, but less than a page, so that part of the prefetched memory is in a page that was
/// already accessed. With 4096 bytes, a mapped gigabyte took 2 to 5 % longer.
#[cfg(target_arch = "x86_64")]
const PREFETCH_DISTANCE: usize = 3072;

/// A mask as wide as the kernel's vector: one bit per position of a superblock.
///
/// Only a kernel can create a word of a SIMD type, and only detection can create a kernel. So a word is a witness that its
/// instructions are available.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes in a word.
    const LANES: usize;

    /// Moves the word `N` (1 to 4) positions later. The first positions come from the end of `previous`.
    fn advance<const N: u32>(self, previous: Self) -> Self;

    /// Returns the binary sum over all positions, with a carry bit (0 or 1) in and out.
    fn add(self, addend: Self, carry: &mut u32) -> Self;

    /// Like [`add`](Self::add), for starts of runs. The position before each position of `self` must be outside `class`, and no
    /// lane of `class` may be all ones, so that a carry ends in the lane that it enters. `previous` receives the carry out of
    /// each lane in the lane's last position. The next call reads only the last of them.
    fn add_short(self, class: Self, previous: &mut Self) -> Self;

    /// Returns the binary sum lane by lane, without carries between lanes.
    fn add_lanes(self, addend: Self) -> Self;

    /// Moves each lane `count` (0 to 63) positions later. Its first positions come from the end of the same lane of `before`.
    fn shift_lanes(self, before: Self, count: u32) -> Self;

    /// Returns the binary difference over all positions. Discards the borrow out of the last position.
    fn subtract(self, subtrahend: Self) -> Self;

    /// Returns a word whose position *i* is the parity of positions 0 to *i* and the carry (0 or 1). Sets the carry to the last
    /// position of the result.
    fn prefix_xor(self, carry: &mut u32) -> Self;

    /// Returns whether any position is set.
    fn any(self) -> bool;

    /// Returns whether all 64 positions of some lane are set.
    fn any_lane_full(self) -> bool;

    /// Returns the last position as 0 or 1.
    fn last(self) -> u32;

    /// Writes the lanes, 64 positions each, to the start of `lanes`.
    fn store(self, lanes: &mut [u64]);
}

/// Greatest number of lanes in a word of any kernel.
pub(crate) const MAX_LANES: usize = 8;

/// Returns the lanes of a word, filled up with zeros.
#[inline(always)]
pub(crate) fn lanes<W: Word>(word: W) -> [u64; MAX_LANES] {
    let mut lanes = [0; MAX_LANES];
    word.store(&mut lanes);
    lanes
}

/// The operations of one instruction set, and a zero-sized witness that it is available.
pub(crate) trait Kernel: Copy + 'static {
    /// The mask word.
    type Word: Word;

    /// Number of bytes represented by a word.
    const SUPERBLOCK: usize = 64 * Self::Word::LANES;

    /// Number of superblocks that go through the phases together.
    ///
    /// Small enough that masks and staged output stay in the L1 cache, and large enough that the phases of several superblocks
    /// overlap.
    const TILE: usize;

    /// Whether to test inside long strings if a superblock [is plain](Self::is_plain) before computing its bit planes.
    const PEEKS: bool = false;

    /// An array with one `T` per superblock of a tile.
    type PerSuperblock<T: Copy>: AsRef<[T]> + AsMut<[T]>;

    /// Returns an array with `value` for each superblock of a tile.
    fn per_superblock<T: Copy>(value: T) -> Self::PerSuperblock<T>;

    /// Runs a pass compiled for this instruction set.
    fn run<P: Pass>(self, pass: P) -> P::Output;

    /// Returns a word in which every lane is `lane`.
    fn splat(self, lane: u64) -> Self::Word;

    /// Returns a word whose first position is `bit` (0 or 1) and whose other positions are 0.
    fn first(self, bit: u32) -> Self::Word;

    /// Returns a word whose last position is `bit` (0 or 1). The other positions are unspecified; [`Word::advance`] by one and
    /// [`Word::add_short`] ignore them.
    fn carry(self, bit: u32) -> Self::Word;

    /// Returns a word with the first [`Word::LANES`] of `lanes`. The inverse of [`Word::store`].
    ///
    /// # Panics
    /// If `lanes` is shorter.
    fn word(self, lanes: &[u64]) -> Self::Word;

    /// Returns the positions of the bytes of `block` that are equal to `byte`.
    fn equal(self, block: &[u8; 64], byte: u8) -> u64;

    /// Returns the positions of the bytes of `block` that are greater than a space.
    fn visible(self, block: &[u8; 64]) -> u64;

    /// Returns the positions of the bytes of `block` that are less than a space or equal to one of `bytes`.
    #[inline(always)]
    fn controls_or(self, block: &[u8; 64], bytes: [u8; 2]) -> u64 {
        let control = !(self.visible(block) | self.equal(block, b' '));
        control | self.equal(block, bytes[0]) | self.equal(block, bytes[1])
    }

    /// Returns the number of positions of `rise` minus that of `fall`, and the number of positions of `other`.
    #[inline(always)]
    fn balance(self, rise: Self::Word, fall: Self::Word, other: Self::Word) -> (i32, u32) {
        let (rises, falls, others) = (lanes(rise), lanes(fall), lanes(other));
        let (mut balance, mut number) = (0, 0);
        for lane in 0..Self::Word::LANES {
            balance += self.count(rises[lane]).cast_signed() - self.count(falls[lane]).cast_signed();
            number += self.count(others[lane]);
        }
        (balance, number)
    }

    /// Returns whether the `marks` at level 0 are exactly those in `top_level`. `brackets` are the opening brackets, which increase
    /// the level of the positions after them, and the closing brackets, which decrease it. `level` is the level before the word.
    #[inline(always)]
    fn matches_top_level(
        self,
        brackets: [Self::Word; 2],
        marks: Self::Word,
        top_level: Self::Word,
        level: i64,
    ) -> bool {
        let [opens, closes] = [lanes(brackets[0]), lanes(brackets[1])];
        let (marks, top_level) = (lanes(marks), lanes(top_level));
        let (mut level, mut wrong) = (level, false);
        for lane in 0..Self::Word::LANES {
            let mut rest = marks[lane];
            while rest != 0 {
                let mark = rest & rest.wrapping_neg();
                rest ^= mark;
                let before = mark - 1;
                let at =
                    level + i64::from(self.count(opens[lane] & before)) - i64::from(self.count(closes[lane] & before));
                wrong |= (at == 0) != (top_level[lane] & mark != 0);
            }
            level += i64::from(self.count(opens[lane])) - i64::from(self.count(closes[lane]));
        }
        !wrong
    }

    /// Finds the lanes in which all of `depth` open levels may be closed: those with at least as many `ends` as there are open
    /// levels before the lane. Returns a bit for each of these lanes and the number of open levels after the word. `brackets` are
    /// as for [`matches_top_level`](Self::matches_top_level).
    #[inline(always)]
    fn closing_lanes(self, brackets: [Self::Word; 2], ends: Self::Word, depth: usize) -> (u32, usize) {
        let [opens, closes] = [lanes(brackets[0]), lanes(brackets[1])];
        let ends = lanes(ends);
        let (mut depth, mut closing_lanes) = (depth, 0);
        for lane in 0..Self::Word::LANES {
            closing_lanes |= u32::from(self.count(ends[lane]) as usize >= depth) << lane;
            depth =
                depth.wrapping_add(self.count(opens[lane]) as usize).wrapping_sub(self.count(closes[lane]) as usize);
        }
        (closing_lanes, depth)
    }

    /// Returns the position of the set bit of `mask` that has `count` (less than 64) set bits below it; 64 if there is none.
    fn nth(self, mask: u64, count: u32) -> u32;

    /// Transposes a superblock: word *k* of the result holds bit *k* of each byte.
    ///
    /// # Panics
    /// If `superblock` is shorter than [`Self::SUPERBLOCK`].
    fn planes(self, superblock: &[u8]) -> [Self::Word; 8];

    /// With [`PEEKS`](Self::PEEKS), returns whether a superblock is plain ASCII text: no quote, no backslash, no control character
    /// and no byte beyond ASCII.
    #[inline(always)]
    fn is_plain(self, _superblock: &[u8]) -> bool {
        false
    }

    /// Copies the bytes of `block` at the positions of `keep` to the start of `out`, in order, and returns their number. The
    /// bytes of `out` after them are unspecified.
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize;

    /// Like [`compress_block`](Self::compress_block), for a superblock.
    ///
    /// # Panics
    /// If a slice is shorter than [`Self::SUPERBLOCK`].
    #[inline(always)]
    fn compress(self, superblock: &[u8], keep: Self::Word, out: &mut [u8]) -> usize {
        let (blocks, _) = superblock[..Self::SUPERBLOCK].as_chunks();
        let mut count = 0;
        for (block, keep) in blocks.iter().zip(lanes(keep)) {
            let Some(out) = out[count..].first_chunk_mut() else { return count };
            count += self.compress_block(block, keep, out);
        }
        count
    }

    /// Writes the lanes of `masks` in which the first mask is not zero to the start of the three slices and returns their number.
    /// Up to [`Word::LANES`] entries of each slice are overwritten.
    ///
    /// # Panics
    /// If a slice is shorter than [`Word::LANES`].
    fn pack(self, masks: [Self::Word; 3], out: [&mut [u64]; 3]) -> usize;

    /// Returns the number of set bits.
    fn count(self, value: u64) -> u32;

    /// Moves the bits of `value` at the positions of `mask` together at the low end (`pext`).
    fn extract(self, value: u64, mask: u64) -> u64;

    /// Like [`extract`](Self::extract), for two values and one mask.
    #[inline(always)]
    fn extract_both(self, values: [u64; 2], mask: u64) -> [u64; 2] {
        [self.extract(values[0], mask), self.extract(values[1], mask)]
    }

    /// Like [`extract_both`](Self::extract_both), for the lanes of two values and masks, whose results are put together. The masks
    /// have `count` bits in all, at most 63. Masks without bits come last.
    #[inline(always)]
    fn extract_group(self, values: [&[u64; 8]; 2], masks: &[u64; 8], _count: u32) -> [u64; 2] {
        let ([mut first, mut second], mut length) = ([0; 2], 0);
        for (lane, &mask) in masks.iter().enumerate() {
            let [one, other] = self.extract_both([values[0][lane], values[1][lane]], mask);
            first |= one << length;
            second |= other << length;
            length += self.count(mask);
        }
        [first, second]
    }

    /// Writes `base` plus each position of `marks`, in order, to the start of `out`, and returns their number. Up to 64 entries of
    /// `out` are overwritten.
    ///
    /// # Panics
    /// If `out` is shorter than 64.
    #[inline(always)]
    fn list(self, marks: u64, base: u32, out: &mut [u32]) -> usize {
        let count = marks.count_ones() as usize;
        let (groups, _) = out[..64].as_chunks_mut::<8>();
        let mut rest = marks;
        // Always eight at a time: superfluous stores cost less than the mispredictions of one branch per position.
        for group in groups.iter_mut().take(count.div_ceil(8)) {
            for position in group {
                *position = base.wrapping_add(rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
            }
        }
        count
    }

    /// Prefetches the memory [`PREFETCH_DISTANCE`] bytes after a superblock. This is only a hint: the address need not be valid.
    fn prefetch(self, superblock: &[u8]);
}

/// A pass over the input, generic over the kernel.
pub(crate) trait Pass {
    /// The result of the pass.
    type Output;

    /// Runs the pass. Implementations, and all functions they call that take words, must be `#[inline(always)]`.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}
