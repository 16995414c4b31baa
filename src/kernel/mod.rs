//! The only room that knows a CPU: 64 positions per lane, wide words, and the few operations the grammar is written in.
//!
//! A kernel turns a superblock of input into bit planes and offers operations on mask words. Nothing above it knows an
//! instruction set and nothing in it knows JSON, so RFC 8259 is written once, as algebra over [`Word`]. The unit that is
//! dispatched is a whole [`Pass`]: a consumer compiled without the kernel's features would lose a third of the speed.
//!
//! # Laws
//!
//! Every kernel obeys the laws in `laws.rs`, which run for each kernel the machine has. In words: bit *i* of a word
//! speaks of position *i*, lowest bit of the lowest lane first; a word never sees more of its predecessor than the
//! carry or the previous word it is handed.

mod gaps;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod integers;
mod isa;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod laws;

use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::BitXor;
use std::ops::Not;

pub(crate) use gaps::At;
pub(crate) use gaps::GAP_END;
pub(crate) use gaps::Outline;
pub(crate) use gaps::Plan;
pub use isa::Isa;

/// How far ahead of a superblock the input is asked for: most of a tile, and so near that some of it lies in a page that has been
/// met before. A mapped gigabyte took 2 to 5 % longer with 4096 bytes.
const AHEAD: usize = 3072;

/// A mask as wide as the kernel's vector: one bit per position of a superblock.
///
/// A value of a SIMD word type can only be made by a kernel, and a kernel only by detection: holding a word is the
/// proof that its instructions exist.
pub(crate) trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Lanes in a word.
    const LANES: usize;

    /// The word moved `N` (1 to 4) positions later; the first positions come from the end of `previous`.
    fn advance<const N: u32>(self, previous: Self) -> Self;

    /// Binary sum over all positions, with a carry bit (0 or 1) in and out.
    fn add(self, addend: Self, carry: &mut u32) -> Self;

    /// Like [`add`](Self::add), for starts of runs: `self` holds the positions that follow one outside `class`, and no
    /// lane of `class` is all ones, so that a carry ends in the lane it enters. `previous` holds the carries out of the
    /// lanes in their last positions; the next call reads only the last of them.
    fn add_short(self, class: Self, previous: &mut Self) -> Self;

    /// Binary sum lane by lane: nothing is carried from one lane to the next.
    fn add_lanes(self, addend: Self) -> Self;

    /// Each lane moved `count` (0 to 63) positions later; its first positions come from the end of the same lane of
    /// `before`.
    fn shift_lanes(self, before: Self, count: u32) -> Self;

    /// Binary difference over all positions; the borrow out of the last position is dropped.
    fn subtract(self, subtrahend: Self) -> Self;

    /// Position *i* is the parity of positions 0 to *i*, and of the carry (0 or 1), which becomes the last position.
    fn prefix_xor(self, carry: &mut u32) -> Self;

    /// Whether any position is set.
    fn any(self) -> bool;

    /// Whether some lane has all its 64 positions set.
    fn any_lane_full(self) -> bool;

    /// The last position, as 0 or 1.
    fn last(self) -> u32;

    /// Writes the lanes, 64 positions each, to the front of `lanes`.
    fn store(self, lanes: &mut [u64]);
}

/// The most lanes a word of any kernel has.
pub(crate) const MAX_LANES: usize = 8;

/// The lanes of a word; those it does not have are empty.
#[inline(always)]
pub(crate) fn lanes<W: Word>(word: W) -> [u64; MAX_LANES] {
    let mut lanes = [0; MAX_LANES];
    word.store(&mut lanes);
    lanes
}

/// The operations of one instruction set; a witness that they may be used.
pub(crate) trait Kernel: Copy {
    /// The mask word.
    type Word: Word;

    /// Bytes one word speaks of.
    const SUPERBLOCK: usize = 64 * Self::Word::LANES;

    /// Superblocks that go through the phases together.
    ///
    /// Few enough that masks and staged output stay in the first-level cache, enough that the phases of several
    /// superblocks overlap.
    const TILE: usize;

    /// Whether gaps are better planned for many blocks, by [`outline`](Self::outline), and written by
    /// [`expand`](Self::expand), than copied with the text in between, one after the other.
    const EXPANDS: bool = false;

    /// Whether to ask in long strings if a superblock [is plain](Self::is_plain), in place of its planes.
    const PEEKS: bool = false;

    /// One `T` for each superblock of a tile.
    type PerSuperblock<T: Copy>: AsRef<[T]> + AsMut<[T]>;

    /// The same `value` for each superblock of a tile.
    fn per_superblock<T: Copy>(value: T) -> Self::PerSuperblock<T>;

    /// Runs a pass compiled for this instruction set.
    fn run<P: Pass>(self, pass: P) -> P::Output;

    /// The word with every lane equal to `lane`.
    fn splat(self, lane: u64) -> Self::Word;

    /// The word whose first position is `bit` (0 or 1) and nothing else is set.
    fn first(self, bit: u32) -> Self::Word;

    /// A word whose last position is `bit` (0 or 1); what the others hold is of no account to [`Word::advance`] by one
    /// or to [`Word::add_short`].
    fn carry(self, bit: u32) -> Self::Word;

    /// The word with the first [`Word::LANES`] of `lanes`: what [`Word::store`] has written.
    ///
    /// # Panics
    /// If `lanes` is shorter.
    fn word(self, lanes: &[u64]) -> Self::Word;

    /// The bytes of `block` that are `byte`.
    fn equal(self, block: &[u8; 64], byte: u8) -> u64;

    /// The bytes of `block` that are greater than a space.
    fn visible(self, block: &[u8; 64]) -> u64;

    /// How many more positions `rise` has than `fall`, and how many `other` has.
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

    /// Whether, of some `marks`, those at level 0 are those of `ground`. The first of `brackets` raise the level for what is
    /// behind them and the second lower it; in front of the word it is `level`.
    #[inline(always)]
    fn is_grounded(self, brackets: [Self::Word; 2], marks: Self::Word, ground: Self::Word, level: i64) -> bool {
        let [opens, closes] = [lanes(brackets[0]), lanes(brackets[1])];
        let (marks, ground) = (lanes(marks), lanes(ground));
        let (mut level, mut wrong) = (level, false);
        for lane in 0..Self::Word::LANES {
            let mut rest = marks[lane];
            while rest != 0 {
                let mark = rest & rest.wrapping_neg();
                rest ^= mark;
                let before = mark - 1;
                let at =
                    level + i64::from(self.count(opens[lane] & before)) - i64::from(self.count(closes[lane] & before));
                wrong |= (at == 0) != (ground[lane] & mark != 0);
            }
            level += i64::from(self.count(opens[lane])) - i64::from(self.count(closes[lane]));
        }
        !wrong
    }

    /// The lanes in which `depth` levels may come to an end, a bit for each, and what is left of the levels behind the word: a lane
    /// may end them that has at least as many `ends` as there are levels in front of it. `brackets` are as for
    /// [`is_grounded`](Self::is_grounded).
    #[inline(always)]
    fn outlets(self, brackets: [Self::Word; 2], ends: Self::Word, depth: usize) -> (u32, usize) {
        let [opens, closes] = [lanes(brackets[0]), lanes(brackets[1])];
        let ends = lanes(ends);
        let (mut depth, mut outlets) = (depth, 0);
        for lane in 0..Self::Word::LANES {
            outlets |= u32::from(self.count(ends[lane]) as usize >= depth) << lane;
            depth =
                depth.wrapping_add(self.count(opens[lane]) as usize).wrapping_sub(self.count(closes[lane]) as usize);
        }
        (outlets, depth)
    }

    /// The position of the set bit of `mask` that `count` (less than 64) others lie below; 64 if there is none.
    fn nth(self, mask: u64, count: u32) -> u32;

    /// Transposes a superblock: word *k* of the result holds bit *k* of each byte.
    ///
    /// # Panics
    /// If `superblock` is shorter than [`Self::SUPERBLOCK`].
    fn planes(self, superblock: &[u8]) -> [Self::Word; 8];

    /// With [`PEEKS`](Self::PEEKS), whether a superblock holds nothing but ASCII text: no quote, no backslash, no control character,
    /// nothing beyond ASCII.
    #[inline(always)]
    fn is_plain(self, _superblock: &[u8]) -> bool {
        false
    }

    /// Copies the bytes of `block` that `keep` names to the front of `out`, in order, and returns how many they are.
    /// Bytes of `out` behind them are overwritten with anything.
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize;

    /// Does the same with a superblock.
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

    /// Writes the lanes of `masks` in which the first mask is not zero to the front of the three slices, and returns
    /// how many they are. Up to [`Word::LANES`] entries of each slice are overwritten.
    ///
    /// # Panics
    /// If a slice is shorter than [`Word::LANES`].
    fn pack(self, masks: [Self::Word; 3], out: [&mut [u64]; 3]) -> usize;

    /// How many bits are set.
    fn count(self, value: u64) -> u32;

    /// The bits of `value` at the positions that `mask` names, moved together at the low end (`pext`).
    fn extract(self, value: u64, mask: u64) -> u64;

    /// Plans a gap in front of each mark of a block, in the text that is kept of it. For the *n*-th of `outline.marks`, in
    /// order, `plan.positions[n]` is set to the number of positions of `outline.keep` before it, plus `at.position`,
    /// `plan.widths[n]` to the width of the gap, and `plan.firsts[n]` to its first byte. The gap is a space for the
    /// positions of `outline.flat`, and otherwise a line break and `at.unit` bytes for each level. The level is `at.level`,
    /// plus the positions of `outline.rises` before the mark, less those of `outline.falls` up to it, and at least 0. All gaps
    /// must be narrower than 64 KiB. Returns how many marks there are. Up to 64 places are overwritten.
    ///
    /// # Panics
    /// If a slice of `plan` is shorter than 64.
    #[expect(clippy::cast_possible_truncation, reason = "as promised")]
    #[inline(always)]
    fn outline(self, outline: Outline, at: At, plan: Plan<'_>) -> usize {
        let mut rest = outline.marks;
        let places = plan.positions[..64].iter_mut().zip(&mut plan.widths[..64]).zip(&mut plan.firsts[..64]);
        for ((position, width), first) in places.take(rest.count_ones() as usize) {
            let mark = rest & rest.wrapping_neg();
            rest ^= mark;
            *position = at.position + (outline.keep & (mark - 1)).count_ones() as u16;
            let gap = outline.gap(mark, at.level, at.unit);
            *width = gap.unwrap_or(1) as u16;
            *first = if gap.is_some() { b'\n' } else { b' ' };
        }
        outline.marks.count_ones() as usize
    }

    /// Writes 64 bytes of text with gaps, and returns how many of them are of `text`. A gap starts where `gaps` has the first
    /// byte of it, and ends in front of a [`GAP_END`]; all else in `gaps` is 0. Behind their first bytes gaps are `filler`. At
    /// the start and at the end `inside` is all ones if that is in a gap, and else 0.
    #[inline(always)]
    fn expand(self, text: &[u8; 64], gaps: &[u8; 64], filler: u8, inside: &mut u64, out: &mut [u8; 64]) -> usize {
        let mut rest = text.iter();
        for (out, &gap) in out.iter_mut().zip(gaps) {
            *inside ^= if gap == 0 { 0 } else { !0 };
            let filler = if gap == 0 { filler } else { gap };
            *out = if *inside == 0 { rest.next().copied().unwrap_or(0) } else { filler };
        }
        64 - rest.len()
    }

    /// Writes `base` plus each position of `marks`, in order, to the front of `out`, and returns how many they are. Up to 64
    /// entries of `out` are overwritten.
    ///
    /// # Panics
    /// If `out` is shorter than 64.
    #[inline(always)]
    fn list(self, marks: u64, base: u32, out: &mut [u32]) -> usize {
        let count = marks.count_ones() as usize;
        let (groups, _) = out[..64].as_chunks_mut::<8>();
        let mut rest = marks;
        // Eight at a time, needed or not: a branch for each would be guessed wrong more often than eight stores cost.
        for group in groups.iter_mut().take(count.div_ceil(8)) {
            for position in group {
                *position = base.wrapping_add(rest.trailing_zeros());
                rest &= rest.wrapping_sub(1);
            }
        }
        count
    }

    /// Asks the memory for what lies [`AHEAD`] of a superblock. Only a hint: the place need not exist.
    fn prefetch(self, superblock: &[u8]);
}

/// One walk over the input, generic over the kernel.
pub(crate) trait Pass {
    /// What the walk yields.
    type Output;

    /// The walk. Mark the implementation and everything below it that touches words `#[inline(always)]`.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}
