//! The NEON kernel: words of 128 positions.
//!
//! The operations on vectors are in `vectors.rs`. Instead of `PEXT`, brackets are taken one by one where they are few, and six
//! rounds of a parallel suffix compress a lane where they are many.

#![expect(unsafe_code, reason = "calls of functions compiled for the instruction set")]

use std::hint::select_unpredictable;
use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::BitXor;
use std::ops::Not;

use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::aarch64::vectors;
use crate::kernel::aarch64::vectors::Lanes;

/// The kernel, and with `PRODUCTS` the witness that carry-less products of 64 bits are available. Every processor has the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon<const PRODUCTS: bool>(());

impl Neon<true> {
    /// Returns the kernel with carry-less products if this machine has them.
    pub(crate) fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("aes").then_some(Self(()))
    }
}

impl Neon<false> {
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// A word of 128 positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word128<const PRODUCTS: bool>(Lanes);

impl<const PRODUCTS: bool> Neon<PRODUCTS> {
    /// Returns the parity of the bits up to each bit, lane by lane.
    #[inline(always)]
    fn parities(self, a: Lanes) -> Lanes {
        if PRODUCTS {
            // SAFETY: a kernel with products exists, so detect() saw aes, which includes PMULL.
            unsafe { vectors::products(a) }
        } else {
            vectors::parities(a)
        }
    }
}

/// Implements the operators of words.
macro_rules! operators {
    ($($operator:ident $method:ident $step:ident),*) => {
        $(
            impl<const PRODUCTS: bool> $operator for Word128<PRODUCTS> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Self(vectors::$step(self.0, other.0))
                }
            }
        )*
    };
}
operators!(BitAnd bitand and, BitOr bitor or, BitXor bitxor xor);

impl<const PRODUCTS: bool> Not for Word128<PRODUCTS> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(vectors::not(self.0))
    }
}

impl<const PRODUCTS: bool> Word for Word128<PRODUCTS> {
    const LANES: usize = 2;

    #[inline(always)]
    fn advance<const N: u32>(self, previous: Self) -> Self {
        Self(vectors::advance::<N>(self.0, previous.0))
    }

    #[inline(always)]
    fn add(self, addend: Self, carry: &mut u32) -> Self {
        Self(vectors::add(self.0, addend.0, carry))
    }

    #[inline(always)]
    fn add_short(self, class: Self, previous: &mut Self) -> Self {
        Self(vectors::add_short(self.0, class.0, &mut previous.0))
    }

    #[inline(always)]
    fn add_lanes(self, addend: Self) -> Self {
        Self(vectors::sum(self.0, addend.0))
    }

    #[inline(always)]
    fn shift_lanes(self, before: Self, count: u32) -> Self {
        Self(vectors::shift_lanes(self.0, before.0, count))
    }

    #[inline(always)]
    fn subtract(self, subtrahend: Self) -> Self {
        let (low, under) = vectors::first(self.0).overflowing_sub(vectors::first(subtrahend.0));
        let (high, _) = vectors::second(self.0).borrowing_sub(vectors::second(subtrahend.0), under);
        Self(vectors::pair([low, high]))
    }

    #[inline(always)]
    fn prefix_xor(self, carry: &mut u32) -> Self {
        Self(vectors::prefix_xor(Neon::<PRODUCTS>(()).parities(self.0), carry))
    }

    #[inline(always)]
    fn any(self) -> bool {
        vectors::any(self.0)
    }

    #[inline(always)]
    fn any_lane_full(self) -> bool {
        vectors::any_lane_full(self.0)
    }

    #[inline(always)]
    fn last(self) -> u32 {
        (vectors::second(self.0) >> 63) as u32
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64]) {
        let (pairs, _) = lanes.as_chunks_mut();
        vectors::store(self.0, &mut pairs[0]);
    }
}

impl<const PRODUCTS: bool> Kernel for Neon<PRODUCTS> {
    type Word = Word128<PRODUCTS>;
    const TILE: usize = 16;
    const PEEKS: bool = true;
    type PerSuperblock<T: Copy> = [T; 16];

    #[inline(always)]
    fn per_superblock<T: Copy>(value: T) -> [T; 16] {
        [value; 16]
    }

    #[inline(always)]
    fn run<P: Pass>(self, pass: P) -> P::Output {
        #[target_feature(enable = "neon,aes")]
        #[inline(never)]
        fn compiled_with_products<P: Pass, K: Kernel>(kernel: K, pass: P) -> P::Output {
            pass.run(kernel)
        }
        #[inline(never)]
        fn compiled<P: Pass, K: Kernel>(kernel: K, pass: P) -> P::Output {
            pass.run(kernel)
        }
        if PRODUCTS {
            // SAFETY: a kernel with products exists, so detect() saw aes.
            unsafe { compiled_with_products(self, pass) }
        } else {
            compiled(self, pass)
        }
    }

    #[inline(always)]
    fn splat(self, lane: u64) -> Self::Word {
        Word128(vectors::splat(lane))
    }

    #[inline(always)]
    fn first(self, bit: u32) -> Self::Word {
        Word128(vectors::pair([u64::from(bit), 0]))
    }

    #[inline(always)]
    fn carry(self, bit: u32) -> Self::Word {
        self.splat(u64::from(bit) << 63)
    }

    #[inline(always)]
    fn word(self, lanes: &[u64]) -> Self::Word {
        let (pairs, _) = lanes.as_chunks();
        Word128(vectors::load(&pairs[0]))
    }

    #[inline(always)]
    fn equal(self, block: &[u8; 64], byte: u8) -> u64 {
        vectors::equal(vectors::load64(block), byte)
    }

    #[inline(always)]
    fn visible(self, block: &[u8; 64]) -> u64 {
        vectors::visible(vectors::load64(block))
    }

    #[inline(always)]
    fn balance(self, rise: Self::Word, fall: Self::Word, other: Self::Word) -> (i32, u32) {
        (vectors::balance(rise.0, fall.0), vectors::total(other.0))
    }

    #[inline(always)]
    fn nth(self, mask: u64, count: u32) -> u32 {
        let mut mask = mask;
        for _ in 0..count {
            mask &= mask.wrapping_sub(1);
        }
        mask.trailing_zeros()
    }

    // The loads and `transpose` move byte 8m + k to position m of register k, and the bits of each group of eight bytes to eight
    // registers.
    #[inline(always)]
    fn planes(self, superblock: &[u8]) -> [Self::Word; 8] {
        let (halves, _) = superblock[..128].as_chunks::<64>();
        vectors::transpose(vectors::load_quarters(&halves[0]), vectors::load_quarters(&halves[1])).map(Word128)
    }

    #[inline(always)]
    fn is_plain(self, superblock: &[u8]) -> bool {
        let (halves, _) = superblock[..128].as_chunks::<64>();
        vectors::is_plain(vectors::load64(&halves[0]), vectors::load64(&halves[1]))
    }

    #[inline(always)]
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize {
        if keep == !0 {
            *out = *block;
            return 64;
        }
        vectors::compress_block(block, keep, vectors::first(vectors::counts(vectors::splat(keep))), out)
    }

    #[inline(always)]
    fn compress(self, superblock: &[u8], keep: Self::Word, out: &mut [u8]) -> usize {
        let (blocks, _) = superblock[..128].as_chunks();
        let [keep, counts] =
            [keep.0, vectors::counts(keep.0)].map(|word| [vectors::first(word), vectors::second(word)]);
        let mut count = 0;
        for (lane, block) in blocks.iter().enumerate() {
            let Some(out) = out[count..].first_chunk_mut() else { return count };
            count += vectors::compress_block(block, keep[lane], counts[lane], out);
        }
        count
    }

    #[inline(always)]
    fn pack(self, masks: [Self::Word; 3], out: [&mut [u64]; 3]) -> usize {
        let [a, b, c] = out;
        let [all, open, object] = masks.map(|mask| [vectors::first(mask.0), vectors::second(mask.0)]);
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
        vectors::count(value)
    }

    #[inline(always)]
    fn extract(self, value: u64, mask: u64) -> u64 {
        self.extract_both([value, 0], mask)[0]
    }

    // Six rounds move each bit by the number of gaps in the mask below it.
    #[inline(always)]
    fn extract_both(self, values: [u64; 2], mask: u64) -> [u64; 2] {
        let mut mask = vectors::splat(mask);
        let mut values = vectors::and(vectors::pair(values), mask);
        let mut gaps = vectors::sum(vectors::not(mask), vectors::not(mask));
        macro_rules! round {
            ($by:literal) => {
                let odd = self.parities(gaps);
                vectors::compress_round::<$by>(&mut values, &mut mask, odd);
                gaps = vectors::and_not(gaps, odd);
            };
        }
        round!(1);
        round!(2);
        round!(4);
        round!(8);
        round!(16);
        let odd = self.parities(gaps);
        vectors::compress_round::<32>(&mut values, &mut mask, odd);
        [vectors::first(values), vectors::second(values)]
    }

    // One iteration per bit, over the lanes of all masks. Loops over single lanes would end at unpredictable iterations.
    #[inline(always)]
    fn extract_group(self, values: [&[u64; 8]; 2], masks: &[u64; 8], count: u32) -> [u64; 2] {
        let ([mut one, mut other], mut lane, mut rest) = ([0; 2], 0, masks[0]);
        for _ in 0..count {
            let position = rest.trailing_zeros();
            one = values[0][lane] >> position << 63 | one >> 1;
            other = values[1][lane] >> position << 63 | other >> 1;
            rest &= rest.wrapping_sub(1);
            let is_last = rest == 0;
            lane = (lane + usize::from(is_last)) % 8;
            rest = select_unpredictable(is_last, masks[lane], rest);
        }
        let unused = 64 - count.max(1);
        [one >> unused, other >> unused]
    }

    // The processors with NEON fetch ahead of a sequential reader by themselves, also across pages.
    #[inline(always)]
    fn prefetch(self, _superblock: &[u8]) {}
}
