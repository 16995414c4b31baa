//! The portable kernel: words of 128 positions. It runs on every machine and is the reference for the other kernels.
//!
//! It uses the same algebra as the other kernels. If all processors of a family have 128-bit vectors, such as SSE2 on x86-64, a
//! word is kept in one of them ([`Pair`]). Relying on auto-vectorization instead was half as fast, because the compiler split the
//! words into separate integers.

#![forbid(unsafe_code)]

use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::BitXor;
use std::ops::Not;

use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;

/// A pair of `u64` lanes, or sixteen bytes: the operations that any processor with 128-bit vectors provides.
pub(super) trait Pair:
    Copy + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    fn new(lanes: [u64; 2]) -> Self;
    fn lanes(self) -> [u64; 2];

    /// Returns a pair with the same value in both lanes.
    fn splat(lane: u64) -> Self;

    /// Shifts each lane left by `N` bits.
    fn up<const N: i32>(self) -> Self;
    /// Shifts each lane right by `N` bits.
    fn down<const N: i32>(self) -> Self;

    /// Shifts each lane left by `count` (0 to 64) bits.
    fn up_by(self, count: u32) -> Self;
    /// Shifts each lane right by `count` (0 to 64) bits.
    fn down_by(self, count: u32) -> Self;

    /// Adds lane by lane, without a carry between them.
    fn plus(self, other: Self) -> Self;

    /// Returns the last lane of `previous` followed by the first lane of `self`.
    fn lane_before(self, previous: Self) -> Self;

    fn any(self) -> bool;
    fn any_lane_full(self) -> bool;

    /// Loads sixteen bytes in order.
    fn load(bytes: &[u8; 16]) -> Self;

    /// Returns the positions of the bytes that are equal to `byte`.
    fn equal(self, byte: u8) -> u16;
    /// Returns the positions of the bytes that are greater than a space.
    fn visible(self) -> u16;

    /// Returns the positions of the bytes that are less than a space or equal to one of `bytes`.
    #[inline(always)]
    fn controls_or(self, bytes: [u8; 2]) -> u16 {
        !(self.visible() | self.equal(b' ')) | self.equal(bytes[0]) | self.equal(bytes[1])
    }

    /// Returns a nonzero pair if and only if one of the bytes is a quote, a backslash, less than a space or beyond ASCII.
    fn special(self) -> Self;

    /// Interleaves the first eight bytes of both pairs, and the last eight.
    fn zip(self, other: Self) -> [Self; 2];
}

/// A word of 128 positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two<P>(P);

impl<P: Pair> BitAnd for Two<P> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<P: Pair> BitOr for Two<P> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<P: Pair> BitXor for Two<P> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl<P: Pair> Not for Two<P> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<P: Pair> Word for Two<P> {
    const LANES: usize = 2;

    #[inline(always)]
    fn advance<const N: u32>(self, previous: Self) -> Self {
        let before = self.0.lane_before(previous.0);
        Self(match N {
            1 => self.0.up::<1>() | before.down::<63>(),
            2 => self.0.up::<2>() | before.down::<62>(),
            3 => self.0.up::<3>() | before.down::<61>(),
            _ => self.0.up::<4>() | before.down::<60>(),
        })
    }

    #[inline(always)]
    fn add(self, addend: Self, carry: &mut u32) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0.lanes(), addend.0.lanes());
        let (low, over) = a0.carrying_add(b0, *carry != 0);
        let (high, over) = a1.carrying_add(b1, over);
        *carry = u32::from(over);
        Self(P::new([low, high]))
    }

    #[inline(always)]
    fn add_short(self, class: Self, previous: &mut Self) -> Self {
        let sum = self.0.plus(class.0);
        let carries = (self.0 & class.0) | ((self.0 | class.0) & !sum);
        let incoming = carries.lane_before(previous.0).down::<63>();
        *previous = Self(carries);
        Self(sum.plus(incoming))
    }

    #[inline(always)]
    fn add_lanes(self, addend: Self) -> Self {
        Self(self.0.plus(addend.0))
    }

    #[inline(always)]
    fn shift_lanes(self, before: Self, count: u32) -> Self {
        Self(self.0.up_by(count) | before.0.down_by(64 - count))
    }

    #[inline(always)]
    fn subtract(self, subtrahend: Self) -> Self {
        let ([a0, a1], [b0, b1]) = (self.0.lanes(), subtrahend.0.lanes());
        let (low, under) = a0.borrowing_sub(b0, false);
        let (high, _) = a1.borrowing_sub(b1, under);
        Self(P::new([low, high]))
    }

    #[inline(always)]
    fn prefix_xor(self, carry: &mut u32) -> Self {
        let mut inside = self.0;
        inside = inside ^ inside.up::<1>();
        inside = inside ^ inside.up::<2>();
        inside = inside ^ inside.up::<4>();
        inside = inside ^ inside.up::<8>();
        inside = inside ^ inside.up::<16>();
        inside = inside ^ inside.up::<32>();
        // The last position of a lane is its parity. If it is set, all later positions are flipped.
        let [low, high] = inside.lanes();
        let first = u64::from(*carry).wrapping_neg();
        let second = first ^ (low >> 63).wrapping_neg();
        *carry = ((second ^ (high >> 63)) & 1) as u32;
        Self(inside ^ P::new([first, second]))
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.any()
    }

    #[inline(always)]
    fn any_lane_full(self) -> bool {
        self.0.any_lane_full()
    }

    #[inline(always)]
    fn last(self) -> u32 {
        (self.0.lanes()[1] >> 63) as u32
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64]) {
        lanes[..2].copy_from_slice(&self.0.lanes());
    }
}

/// The kernel that every machine can run, on the type of pairs of its processor family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable<P>(std::marker::PhantomData<P>);

impl<P> Portable<P> {
    pub(super) fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

/// Swaps the bits of `high` at the positions of `mask` with the bits of `low` that are `N` positions higher.
#[inline(always)]
fn delta_swap<P: Pair, const N: i32>(low: &mut P, high: &mut P, mask: u64) {
    let difference = (*high ^ low.down::<N>()) & P::splat(mask);
    *high = *high ^ difference;
    *low = *low ^ difference.up::<N>();
}

/// Performs one round of a perfect shuffle of 128 bytes. The highest bit of a byte's position in its register becomes the lowest
/// bit of the register number, and the highest bit of the register number becomes the lowest bit of the position.
#[inline(always)]
fn shuffle<P: Pair>(r: [P; 8]) -> [P; 8] {
    let [a, b] = r[0].zip(r[4]);
    let [c, d] = r[1].zip(r[5]);
    let [e, f] = r[2].zip(r[6]);
    let [g, h] = r[3].zip(r[7]);
    [a, b, c, d, e, f, g, h]
}

impl<P: Pair> Kernel for Portable<P> {
    type Word = Two<P>;
    const TILE: usize = 8;
    const PEEKS: bool = true;
    type PerSuperblock<T: Copy> = [T; 8];

    #[inline(always)]
    fn per_superblock<T: Copy>(value: T) -> [T; 8] {
        [value; 8]
    }

    fn run<Q: Pass>(self, pass: Q) -> Q::Output {
        #[inline(never)]
        fn compiled<P: Pair, Q: Pass>(kernel: Portable<P>, pass: Q) -> Q::Output {
            pass.run(kernel)
        }
        compiled(self, pass)
    }

    #[inline(always)]
    fn splat(self, lane: u64) -> Two<P> {
        Two(P::splat(lane))
    }

    #[inline(always)]
    fn first(self, bit: u32) -> Two<P> {
        Two(P::new([u64::from(bit), 0]))
    }

    #[inline(always)]
    fn carry(self, bit: u32) -> Two<P> {
        self.splat(u64::from(bit) << 63)
    }

    #[inline(always)]
    fn word(self, lanes: &[u64]) -> Two<P> {
        Two(P::new([lanes[0], lanes[1]]))
    }

    #[inline(always)]
    fn equal(self, block: &[u8; 64], byte: u8) -> u64 {
        let (rows, _) = block.as_chunks::<16>();
        let mut mask = 0;
        for (index, row) in rows.iter().enumerate() {
            mask |= u64::from(P::load(row).equal(byte)) << (16 * index);
        }
        mask
    }

    #[inline(always)]
    fn visible(self, block: &[u8; 64]) -> u64 {
        let (rows, _) = block.as_chunks::<16>();
        let mut mask = 0;
        for (index, row) in rows.iter().enumerate() {
            mask |= u64::from(P::load(row).visible()) << (16 * index);
        }
        mask
    }

    #[inline(always)]
    fn controls_or(self, block: &[u8; 64], bytes: [u8; 2]) -> u64 {
        let (rows, _) = block.as_chunks::<16>();
        let mut mask = 0;
        for (index, row) in rows.iter().enumerate() {
            mask |= u64::from(P::load(row).controls_or(bytes)) << (16 * index);
        }
        mask
    }

    #[inline(always)]
    fn nth(self, mask: u64, count: u32) -> u32 {
        let mut mask = mask;
        for _ in 0..count {
            mask &= mask.wrapping_sub(1);
        }
        mask.trailing_zeros()
    }

    // Register j starts with bytes 16j to 16j + 15. Four rounds of shuffling move byte 8m + k to position m of register k. Three
    // rounds of delta swaps transpose the bits inside the bytes (Warren, *Hacker's Delight*, 2nd ed., 7-3).
    #[inline(always)]
    fn planes(self, superblock: &[u8]) -> [Two<P>; 8] {
        let (rows, _) = superblock[..128].as_chunks::<16>();
        macro_rules! row {
            ($index:literal) => {
                P::load(&rows[$index])
            };
        }
        let rows = [row!(0), row!(1), row!(2), row!(3), row!(4), row!(5), row!(6), row!(7)];
        let [mut r0, mut r1, mut r2, mut r3, mut r4, mut r5, mut r6, mut r7] = shuffle(shuffle(shuffle(shuffle(rows))));
        delta_swap::<P, 4>(&mut r0, &mut r4, 0x0f0f_0f0f_0f0f_0f0f);
        delta_swap::<P, 4>(&mut r1, &mut r5, 0x0f0f_0f0f_0f0f_0f0f);
        delta_swap::<P, 4>(&mut r2, &mut r6, 0x0f0f_0f0f_0f0f_0f0f);
        delta_swap::<P, 4>(&mut r3, &mut r7, 0x0f0f_0f0f_0f0f_0f0f);
        delta_swap::<P, 2>(&mut r0, &mut r2, 0x3333_3333_3333_3333);
        delta_swap::<P, 2>(&mut r1, &mut r3, 0x3333_3333_3333_3333);
        delta_swap::<P, 2>(&mut r4, &mut r6, 0x3333_3333_3333_3333);
        delta_swap::<P, 2>(&mut r5, &mut r7, 0x3333_3333_3333_3333);
        delta_swap::<P, 1>(&mut r0, &mut r1, 0x5555_5555_5555_5555);
        delta_swap::<P, 1>(&mut r2, &mut r3, 0x5555_5555_5555_5555);
        delta_swap::<P, 1>(&mut r4, &mut r5, 0x5555_5555_5555_5555);
        delta_swap::<P, 1>(&mut r6, &mut r7, 0x5555_5555_5555_5555);
        [Two(r0), Two(r1), Two(r2), Two(r3), Two(r4), Two(r5), Two(r6), Two(r7)]
    }

    #[inline(always)]
    fn is_plain(self, superblock: &[u8]) -> bool {
        let (rows, _) = superblock[..128].as_chunks::<16>();
        let mut special = P::splat(0);
        for row in rows {
            special = special | P::load(row).special();
        }
        !special.any()
    }

    #[inline(always)]
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize {
        if keep == !0 {
            *out = *block;
            return 64;
        }
        // Copy whole runs of kept bytes, because runs of whitespace are few and long.
        let (mut count, mut from, mut rest) = (0, 0, keep);
        while rest != 0 {
            let gap = rest.trailing_zeros() as usize;
            rest >>= gap;
            from += gap;
            let run = rest.trailing_ones() as usize;
            out[count..count + run].copy_from_slice(&block[from..from + run]);
            count += run;
            from += run;
            rest = rest.checked_shr(rest.trailing_ones()).unwrap_or(0);
        }
        count
    }

    #[inline(always)]
    fn pack(self, masks: [Two<P>; 3], out: [&mut [u64]; 3]) -> usize {
        let [a, b, c] = out;
        let [all, open, object] = masks.map(|mask| mask.0.lanes());
        let mut count = 0;
        for lane in 0..2 {
            a[count] = all[lane];
            b[count] = open[lane];
            c[count] = object[lane];
            count += usize::from(all[lane] != 0);
        }
        count
    }

    #[inline(always)]
    fn count(self, value: u64) -> u32 {
        value.count_ones()
    }

    #[inline(always)]
    fn extract(self, value: u64, mask: u64) -> u64 {
        let (mut result, mut rest, mut count) = (0, mask, 0);
        while rest != 0 {
            result |= (value >> rest.trailing_zeros() & 1) << count;
            rest &= rest - 1;
            count += 1;
        }
        result
    }

    #[inline(always)]
    fn prefetch(self, _superblock: &[u8]) {}
}
