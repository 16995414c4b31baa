//! The AVX-512 kernel, with GFNI, VBMI, VBMI2 and VPCLMULQDQ: words of 512 positions.
//!
//! An affine map of 8 × 8 bit matrices transposes bits, `vpshldq` shifts masks across lanes, carries propagate in mask registers,
//! and one instruction compresses bytes. That makes it twice as fast as the AVX2 kernel.

#![expect(unsafe_code, reason = "loads, stores, prefetches and calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::x86_64::*;

use crate::kernel::Kernel;
use crate::kernel::PREFETCH_DISTANCE;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::steps::features;
use crate::kernel::x86_64::in_register;
use crate::kernel::x86_64::operators;
use crate::kernel::x86_64::word;

features!($, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,vpclmulqdq", [
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2",
    "avx512vpopcntdq", "gfni", "vpclmulqdq"
]);

// Must follow `features!`, because they use the macro `steps!`.
mod bytes;

/// The witness that the instruction set is available, created only by [`Avx512::detect`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Returns the kernel if this machine can run it.
    pub(crate) fn detect() -> Option<Self> {
        supported().then_some(Self(()))
    }
}

/// A word of 512 positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word512(__m512i);

steps! {
    fn and(a: Word512, b: Word512) -> Word512 { Word512(_mm512_and_si512(a.0, b.0)) }
    fn or(a: Word512, b: Word512) -> Word512 { Word512(_mm512_or_si512(a.0, b.0)) }
    fn xor(a: Word512, b: Word512) -> Word512 { Word512(_mm512_xor_si512(a.0, b.0)) }
    fn not(a: Word512) -> Word512 { Word512(_mm512_xor_si512(a.0, _mm512_set1_epi64(-1))) }

    fn advance<const N: u32>(word: Word512, previous: Word512) -> Word512 {
        let before = _mm512_alignr_epi64::<7>(word.0, previous.0);
        Word512(match N {
            1 => _mm512_shldi_epi64::<1>(word.0, before),
            2 => _mm512_shldi_epi64::<2>(word.0, before),
            3 => _mm512_shldi_epi64::<3>(word.0, before),
            _ => _mm512_shldi_epi64::<4>(word.0, before),
        })
    }

    // A lane that overflows generates a carry, and a lane of all ones propagates one. Adding the two masks as integers
    // propagates the carries (Mula's and Lemire's trick for long additions with mask registers).
    #[expect(clippy::cast_possible_truncation, reason = "a lane is a bit of eight")]
    fn add(a: Word512, b: Word512, carry: &mut u32) -> Word512 {
        let sum = _mm512_add_epi64(a.0, b.0);
        let ones = _mm512_set1_epi64(-1);
        let generate = u32::from(_mm512_cmplt_epu64_mask(sum, b.0));
        let propagate = u32::from(_mm512_cmpeq_epi64_mask(sum, ones));
        let raised = in_register!((generate * 2 + *carry + propagate) ^ propagate);
        *carry = raised >> 8;
        Word512(_mm512_mask_sub_epi64(sum, raised as u8, sum, ones))
    }

    fn add_short(a: Word512, b: Word512, previous: &mut Word512) -> Word512 {
        let sum = _mm512_add_epi64(a.0, b.0);
        let generate = _mm512_ternarylogic_epi64::<{ MAJORITY_NOT_SUM }>(a.0, b.0, sum);
        let incoming = _mm512_srli_epi64::<63>(_mm512_alignr_epi64::<7>(generate, previous.0));
        *previous = Word512(generate);
        Word512(_mm512_add_epi64(sum, incoming))
    }

    fn add_lanes(a: Word512, b: Word512) -> Word512 { Word512(_mm512_add_epi64(a.0, b.0)) }
    fn shift_lanes(a: Word512, before: Word512, count: u32) -> Word512 {
        Word512(_mm512_shldv_epi64(a.0, before.0, _mm512_set1_epi64(i64::from(count))))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a lane is a bit of eight")]
    fn subtract(a: Word512, b: Word512) -> Word512 {
        let difference = _mm512_sub_epi64(a.0, b.0);
        let generate = u32::from(_mm512_cmplt_epu64_mask(a.0, b.0));
        let propagate = u32::from(_mm512_testn_epi64_mask(difference, difference));
        let borrowed = (generate * 2 + propagate) ^ propagate;
        Word512(_mm512_mask_add_epi64(difference, borrowed as u8, difference, _mm512_set1_epi64(-1)))
    }

    // Within a lane: carry-less product with all ones. Across lanes: the eight parities, in a general-purpose register.
    #[expect(clippy::cast_possible_truncation, reason = "a lane is a bit of eight")]
    fn prefix_xor(a: Word512, carry: &mut u32) -> Word512 {
        let ones = _mm512_set1_epi64(-1);
        let even = _mm512_clmulepi64_epi128::<0x00>(a.0, ones);
        let odd = _mm512_clmulepi64_epi128::<0x01>(a.0, ones);
        let inside = _mm512_unpacklo_epi64(even, odd);
        let mut parity = u32::from(_mm512_movepi64_mask(inside));
        parity ^= parity << 1;
        parity ^= parity << 2;
        parity ^= parity << 4;
        let flip = (parity << 1) ^ 0u32.wrapping_sub(*carry);
        *carry = flip >> 8 & 1;
        Word512(_mm512_xor_si512(inside, _mm512_movm_epi64(flip as u8)))
    }

    fn any(a: Word512) -> bool { _mm512_test_epi64_mask(a.0, a.0) != 0 }
    fn any_lane_full(a: Word512) -> bool { _mm512_cmpeq_epi64_mask(a.0, _mm512_set1_epi64(-1)) != 0 }
    fn last(a: Word512) -> u32 { u32::from(_mm512_movepi64_mask(a.0)) >> 7 }

    fn splat(_kernel: Avx512, lane: u64) -> Word512 { Word512(_mm512_set1_epi64(lane.cast_signed())) }
    fn first(_kernel: Avx512, bit: u32) -> Word512 {
        Word512(_mm512_zextsi128_si512(_mm_cvtsi32_si128(bit.cast_signed())))
    }

    fn compact(word: Word512, lanes: __mmask8) -> Word512 { Word512(_mm512_maskz_compress_epi64(lanes, word.0)) }
    fn occupied(word: Word512) -> __mmask8 { _mm512_test_epi64_mask(word.0, word.0) }
    fn compact_bytes(block: Word512, keep: u64) -> Word512 { Word512(_mm512_maskz_compress_epi8(keep, block.0)) }

    // Eight bytes become eight bits of each plane. With the reversed bytes of a lane as the matrix and the identity matrix as the
    // input, the affine map gives the transposed 8 × 8 bit matrix: byte k of the lane has bit k of each of the eight bytes.
    fn transpose_tiles(block: Word512) -> Word512 {
        let reversed = _mm512_shuffle_epi8(block.0, _mm512_set4_epi64(
            0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607,
        ));
        let unit = _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed());
        Word512(_mm512_gf2p8affine_epi64_epi8::<0>(unit, reversed))
    }

    // Gathers the bytes of planes 0, 2, 4, 6 (or 1, 3, 5, 7) of two blocks in units of 128 bits, one unit per plane.
    fn gather_planes(first: Word512, second: Word512, order: Word512) -> Word512 {
        Word512(_mm512_permutex2var_epi8(first.0, order.0, second.0))
    }

    // Units 0 and 2 (or 1 and 3) of both words.
    fn even_units(a: Word512, b: Word512) -> Word512 { Word512(_mm512_shuffle_i64x2::<0x88>(a.0, b.0)) }
    fn odd_units(a: Word512, b: Word512) -> Word512 { Word512(_mm512_shuffle_i64x2::<0xdd>(a.0, b.0)) }

    // Adds `base` to sixteen byte-sized positions, widened to 32 bits.
    fn widen_places(bytes: Word512, base: u32) -> Word512 {
        let place = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes.0));
        Word512(_mm512_add_epi32(place, _mm512_set1_epi32(base.cast_signed())))
    }

    fn drop_sixteen(bytes: Word512) -> Word512 { Word512(_mm512_alignr_epi64::<2>(bytes.0, bytes.0)) }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "two numbers side by side")]
    fn balance(rise: Word512, fall: Word512, other: Word512) -> (i32, u32) {
        let difference = _mm512_sub_epi64(_mm512_popcnt_epi64(rise.0), _mm512_popcnt_epi64(fall.0));
        let both = _mm512_add_epi64(difference, _mm512_slli_epi64::<32>(_mm512_popcnt_epi64(other.0)));
        let both = _mm512_reduce_add_epi64(both);
        let difference = both as i32;
        (difference, ((both - i64::from(difference)) >> 32) as u32)
    }

    // The level before each lane and after the last one, relative to the start of the word: running sums.
    fn levels(brackets: [Word512; 2]) -> (__m512i, i64) {
        let [Word512(open), Word512(close)] = brackets;
        let none = _mm512_setzero_si512();
        let rise = _mm512_sub_epi64(_mm512_popcnt_epi64(open), _mm512_popcnt_epi64(close));
        let sums = _mm512_add_epi64(rise, _mm512_alignr_epi64::<7>(rise, none));
        let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<6>(sums, none));
        let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<4>(sums, none));
        let behind = _mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_alignr_epi64::<7>(sums, sums)));
        (_mm512_alignr_epi64::<7>(sums, none), behind)
    }

    #[expect(clippy::cast_possible_truncation, reason = "as wide as an address")]
    fn closing_lanes(brackets: [Word512; 2], ends: Word512, depth: usize) -> (u32, usize) {
        let (levels, rise) = levels(brackets);
        let depths = _mm512_add_epi64(levels, _mm512_set1_epi64(depth.cast_signed() as i64));
        let closing_lanes = _mm512_cmpge_epu64_mask(_mm512_popcnt_epi64(ends.0), depths);
        (u32::from(closing_lanes), depth.wrapping_add_signed(rise as isize))
    }

    // One mark of each lane at a time. Most lanes have at most two marks.
    fn matches_top_level(brackets: [Word512; 2], marks: Word512, top_level: Word512, level: i64) -> bool {
        let [Word512(open), Word512(close)] = brackets;
        let ones = _mm512_set1_epi64(-1);
        let levels = _mm512_add_epi64(levels(brackets).0, _mm512_set1_epi64(level));
        let (mut rest, mut wrong) = (marks.0, 0);
        loop {
            for _ in 0..2 {
                let less = _mm512_add_epi64(rest, ones);
                let before = _mm512_andnot_si512(rest, less);
                let mark = _mm512_andnot_si512(less, rest);
                let opened = _mm512_popcnt_epi64(_mm512_and_si512(open, before));
                let closed = _mm512_popcnt_epi64(_mm512_and_si512(close, before));
                let low = _mm512_cmpeq_epi64_mask(_mm512_add_epi64(levels, opened), closed);
                wrong |= _mm512_test_epi64_mask(rest, rest) & (low ^ _mm512_test_epi64_mask(mark, top_level.0));
                rest = _mm512_and_si512(rest, less);
            }
            if _mm512_test_epi64_mask(rest, rest) == 0 {
                return wrong == 0;
            }
        }
    }

    fn nth(_kernel: Avx512, mask: u64, count: u32) -> u32 { _pdep_u64(1 << count, mask).trailing_zeros() }

    fn count(_kernel: Avx512, value: u64) -> u32 { in_register!(value.count_ones()) }
    fn extract(_kernel: Avx512, value: u64, mask: u64) -> u64 {
        in_register!(_pext_u64(value, mask))
    }
}

/// Truth table of `(a & b) | ((a | b) & !sum)`, the carry out of each bit of a sum.
const MAJORITY_NOT_SUM: i32 = 0xd4;

#[repr(align(64))]
struct Aligned([u8; 64]);

/// Returns the permutation for `gather_planes`: plane `2 * unit + odd` of the first block's eight lanes, then of the second's.
#[expect(clippy::cast_possible_truncation, reason = "bytes of two blocks: below 128")]
const fn gathering_order(odd: usize) -> Aligned {
    let mut order = [0; 64];
    let mut index = 0;
    while index < 64 {
        let (unit, block, lane) = (index / 16, index / 8 % 2, index % 8);
        order[index] = (64 * block + 8 * lane + 2 * unit + odd) as u8;
        index += 1;
    }
    Aligned(order)
}

/// Bytes that are equal to their indexes.
#[expect(clippy::cast_possible_truncation, reason = "below 64")]
static INDEXES: Aligned = {
    let mut indexes = [0; 64];
    let mut index = 0;
    while index < 64 {
        indexes[index] = index as u8;
        index += 1;
    }
    Aligned(indexes)
};

static EVEN_PLANES: Aligned = gathering_order(0);
static ODD_PLANES: Aligned = gathering_order(1);

#[expect(clippy::unused_self, reason = "the witness is the proof that the instruction exists")]
impl Avx512 {
    #[inline(always)]
    fn load(self, block: &[u8; 64]) -> Word512 {
        // SAFETY: the block is 64 readable bytes, and self exists, so detect() saw avx512f.
        Word512(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, word: Word512, block: &mut [u8; 64]) {
        // SAFETY: the block is 64 writable bytes, and self exists, so detect() saw avx512f.
        unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), word.0) };
    }
}

/// Returns the even or odd planes, depending on `order`, of eight blocks of transposed bit matrices.
#[inline(always)]
fn finish_planes(tiles: [Word512; 8], order: Word512) -> [Word512; 4] {
    let a = gather_planes(tiles[0], tiles[1], order);
    let b = gather_planes(tiles[2], tiles[3], order);
    let c = gather_planes(tiles[4], tiles[5], order);
    let d = gather_planes(tiles[6], tiles[7], order);
    let (low_even, high_even) = (even_units(a, b), even_units(c, d));
    let (low_odd, high_odd) = (odd_units(a, b), odd_units(c, d));
    [
        even_units(low_even, high_even),
        even_units(low_odd, high_odd),
        odd_units(low_even, high_even),
        odd_units(low_odd, high_odd),
    ]
}

operators!(Word512);

word!(Word512, 8, _mm512_storeu_si512);

impl Kernel for Avx512 {
    type Word = Word512;
    const TILE: usize = 8;
    type PerSuperblock<T: Copy> = [T; Self::TILE];

    #[inline(always)]
    fn per_superblock<T: Copy>(value: T) -> [T; Self::TILE] {
        [value; Self::TILE]
    }

    #[inline(always)]
    fn run<P: Pass>(self, pass: P) -> P::Output {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni,vpclmulqdq"
        )]
        #[inline(never)]
        fn compiled<P: Pass>(kernel: Avx512, pass: P) -> P::Output {
            pass.run(kernel)
        }
        // SAFETY: self exists, so detect() saw the features.
        unsafe { compiled(self, pass) }
    }

    #[inline(always)]
    fn splat(self, lane: u64) -> Word512 {
        splat(self, lane)
    }

    #[inline(always)]
    fn first(self, bit: u32) -> Word512 {
        first(self, bit)
    }

    #[inline(always)]
    fn carry(self, bit: u32) -> Word512 {
        splat(self, u64::from(bit) << 63)
    }

    #[inline(always)]
    fn word(self, lanes: &[u64]) -> Word512 {
        let lanes = &lanes[..8];
        // SAFETY: the slice is 64 readable bytes, and self exists, so detect() saw avx512f.
        Word512(unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn equal(self, block: &[u8; 64], byte: u8) -> u64 {
        bytes::equal(self.load(block), byte)
    }

    #[inline(always)]
    fn visible(self, block: &[u8; 64]) -> u64 {
        bytes::visible(self.load(block))
    }

    #[inline(always)]
    fn controls_or(self, block: &[u8; 64], bytes: [u8; 2]) -> u64 {
        bytes::controls_or(self.load(block), bytes)
    }

    #[inline(always)]
    fn balance(self, rise: Word512, fall: Word512, other: Word512) -> (i32, u32) {
        balance(rise, fall, other)
    }

    #[inline(always)]
    fn matches_top_level(self, brackets: [Word512; 2], marks: Word512, top_level: Word512, level: i64) -> bool {
        matches_top_level(brackets, marks, top_level, level)
    }

    #[inline(always)]
    fn closing_lanes(self, brackets: [Word512; 2], ends: Word512, depth: usize) -> (u32, usize) {
        closing_lanes(brackets, ends, depth)
    }

    #[inline(always)]
    fn nth(self, mask: u64, count: u32) -> u32 {
        nth(self, mask, count)
    }

    #[inline(always)]
    fn planes(self, superblock: &[u8]) -> [Word512; 8] {
        let (blocks, _) = superblock[..512].as_chunks::<64>();
        macro_rules! tile {
            ($index:literal) => {
                transpose_tiles(self.load(&blocks[$index]))
            };
        }
        let tiles = [tile!(0), tile!(1), tile!(2), tile!(3), tile!(4), tile!(5), tile!(6), tile!(7)];
        let [p0, p2, p4, p6] = finish_planes(tiles, self.load(&EVEN_PLANES.0));
        let [p1, p3, p5, p7] = finish_planes(tiles, self.load(&ODD_PLANES.0));
        [p0, p1, p2, p3, p4, p5, p6, p7]
    }

    #[inline(always)]
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize {
        // Compress in a register and store all of it, because `vpcompressb` with a memory destination is slow on Zen 4.
        self.store(compact_bytes(self.load(block), keep), out);
        keep.count_ones() as usize
    }

    #[inline(always)]
    fn pack(self, masks: [Word512; 3], out: [&mut [u64]; 3]) -> usize {
        let lanes = occupied(masks[0]);
        let [a, b, c] = out;
        Word::store(compact(masks[0], lanes), a);
        Word::store(compact(masks[1], lanes), b);
        Word::store(compact(masks[2], lanes), c);
        lanes.count_ones() as usize
    }

    #[inline(always)]
    fn count(self, value: u64) -> u32 {
        count(self, value)
    }

    #[inline(always)]
    fn extract(self, value: u64, mask: u64) -> u64 {
        extract(self, value, mask)
    }

    #[inline(always)]
    fn list(self, marks: u64, base: u32, out: &mut [u32]) -> usize {
        let count = marks.count_ones() as usize;
        let mut indexes = compact_bytes(self.load(&INDEXES.0), marks);
        let (groups, _) = out[..64].as_chunks_mut::<16>();
        // Two at least: stores that are not needed cost less than the mispredictions of a branch on their number.
        for group in groups.iter_mut().take(if count <= 32 { 2 } else { 4 }) {
            let places = widen_places(indexes, base);
            // SAFETY: sixteen writable entries of four bytes; self exists, so detect() saw avx512f.
            unsafe { _mm512_storeu_si512(group.as_mut_ptr().cast(), places.0) };
            indexes = drop_sixteen(indexes);
        }
        count
    }

    #[inline(always)]
    fn prefetch(self, superblock: &[u8]) {
        for block in 0..8 {
            let place = superblock.as_ptr().wrapping_add(PREFETCH_DISTANCE + 64 * block);
            // SAFETY: a prefetch is a hint and never faults, wherever it points.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
        }
    }
}
