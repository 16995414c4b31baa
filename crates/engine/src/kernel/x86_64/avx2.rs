//! The AVX2 kernel, with BMI2: words of 256 positions.
//!
//! Byte unpacks and delta swaps between registers make the bit planes. Shifts across lanes and carries take two or three
//! instructions where AVX-512 needs one.

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
use crate::kernel::kept_bytes::KEPT_BYTES;
use crate::kernel::lanes;
use crate::kernel::steps::features;
use crate::kernel::x86_64::in_register;
use crate::kernel::x86_64::operators;
use crate::kernel::x86_64::word;

features!($, "avx2,bmi1,bmi2,lzcnt,popcnt", ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]);

// Must follow `features!`, because it uses the macro `steps!`.
mod bytes;

/// The witness that AVX2 is available, created only by [`Avx2::detect`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Returns the kernel if this machine can run it.
    pub(crate) fn detect() -> Option<Self> {
        supported().then_some(Self(()))
    }

    /// Returns the kernel, of which any word is a witness.
    #[inline(always)]
    fn of(_: Word256) -> Self {
        Self(())
    }
}

/// A word of 256 positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word256(__m256i);

steps! {
    fn and(a: Word256, b: Word256) -> Word256 { Word256(_mm256_and_si256(a.0, b.0)) }
    fn or(a: Word256, b: Word256) -> Word256 { Word256(_mm256_or_si256(a.0, b.0)) }
    fn xor(a: Word256, b: Word256) -> Word256 { Word256(_mm256_xor_si256(a.0, b.0)) }
    fn not(a: Word256) -> Word256 { Word256(_mm256_xor_si256(a.0, _mm256_set1_epi64x(-1))) }

    // The lane before each lane: the last lane of `previous`, then the first three of `word`.
    fn lanes_before(word: Word256, previous: Word256) -> Word256 {
        Word256(_mm256_alignr_epi8::<8>(word.0, _mm256_permute2x128_si256::<0x21>(previous.0, word.0)))
    }

    fn advance<const N: u32>(word: Word256, previous: Word256) -> Word256 {
        let before = lanes_before(word, previous).0;
        Word256(match N {
            1 => _mm256_or_si256(_mm256_add_epi64(word.0, word.0), _mm256_srli_epi64::<63>(before)),
            2 => _mm256_or_si256(_mm256_slli_epi64::<2>(word.0), _mm256_srli_epi64::<62>(before)),
            3 => _mm256_or_si256(_mm256_slli_epi64::<3>(word.0), _mm256_srli_epi64::<61>(before)),
            _ => _mm256_or_si256(_mm256_slli_epi64::<4>(word.0), _mm256_srli_epi64::<60>(before)),
        })
    }

    // The carry out of each bit of a sum. The top bit of a lane is the carry out of the lane.
    fn carries(a: Word256, b: Word256, sum: Word256) -> Word256 { (a & b) | ((a | b) & !sum) }

    fn add_lanes(a: Word256, b: Word256) -> Word256 { Word256(_mm256_add_epi64(a.0, b.0)) }
    fn top_bits(a: Word256) -> u32 { _mm256_movemask_pd(_mm256_castsi256_pd(a.0)).cast_unsigned() }

    // A lane that overflows generates a carry, and a lane of all ones propagates one. Adding the two masks as integers
    // propagates the carries.
    fn add(a: Word256, b: Word256, carry: &mut u32) -> Word256 {
        let sum = add_lanes(a, b);
        let generate = top_bits(carries(a, b, sum));
        let propagate = top_bits(Word256(_mm256_cmpeq_epi64(sum.0, _mm256_set1_epi64x(-1))));
        let raised = in_register!((generate * 2 + *carry + propagate) ^ propagate);
        *carry = raised >> 4;
        Word256(_mm256_sub_epi64(sum.0, Avx2::of(a).entry(&LANE_MASKS, raised).0))
    }

    fn add_short(a: Word256, b: Word256, previous: &mut Word256) -> Word256 {
        let sum = add_lanes(a, b);
        let generate = carries(a, b, sum);
        let incoming = _mm256_srli_epi64::<63>(lanes_before(generate, *previous).0);
        *previous = generate;
        Word256(_mm256_add_epi64(sum.0, incoming))
    }

    fn shift_lanes(a: Word256, before: Word256, count: u32) -> Word256 {
        let up = _mm_cvtsi32_si128(count.cast_signed());
        let down = _mm_cvtsi32_si128(64 - count.cast_signed());
        Word256(_mm256_or_si256(_mm256_sll_epi64(a.0, up), _mm256_srl_epi64(before.0, down)))
    }

    fn subtract(a: Word256, b: Word256) -> Word256 {
        let difference = Word256(_mm256_sub_epi64(a.0, b.0));
        let generate = top_bits((!a & b) | ((!a | b) & difference));
        let propagate = top_bits(Word256(_mm256_cmpeq_epi64(difference.0, _mm256_setzero_si256())));
        let borrowed = (generate * 2 + propagate) ^ propagate;
        Word256(_mm256_add_epi64(difference.0, Avx2::of(a).entry(&LANE_MASKS, borrowed).0))
    }

    // Doubling shifts. On processors with AVX2 but no AVX-512 this is faster than a carry-less product per 128 bits.
    fn prefix_xor(a: Word256, carry: &mut u32) -> Word256 {
        let mut x = a.0;
        x = _mm256_xor_si256(x, _mm256_add_epi64(x, x));
        x = _mm256_xor_si256(x, _mm256_slli_epi64::<2>(x));
        x = _mm256_xor_si256(x, _mm256_slli_epi64::<4>(x));
        x = _mm256_xor_si256(x, _mm256_slli_epi64::<8>(x));
        x = _mm256_xor_si256(x, _mm256_slli_epi64::<16>(x));
        x = _mm256_xor_si256(x, _mm256_slli_epi64::<32>(x));
        let mut parity = top_bits(Word256(x));
        parity ^= parity << 1;
        parity ^= parity << 2;
        let flip = (parity << 1) ^ 0u32.wrapping_sub(*carry);
        *carry = flip >> 4 & 1;
        Word256(_mm256_xor_si256(x, Avx2::of(a).entry(&LANE_MASKS, flip).0))
    }

    fn any(a: Word256) -> bool { _mm256_testz_si256(a.0, a.0) == 0 }
    fn any_lane_full(a: Word256) -> bool {
        let full = _mm256_cmpeq_epi64(a.0, _mm256_set1_epi64x(-1));
        _mm256_testz_si256(full, full) == 0
    }
    fn last(a: Word256) -> u32 { top_bits(a) >> 3 }
    fn empty_lanes(a: Word256) -> u32 { top_bits(Word256(_mm256_cmpeq_epi64(a.0, _mm256_setzero_si256()))) }
    fn permute(a: Word256, order: Word256) -> Word256 { Word256(_mm256_permutevar8x32_epi32(a.0, order.0)) }

    fn splat(_kernel: Avx2, lane: u64) -> Word256 { Word256(_mm256_set1_epi64x(lane.cast_signed())) }
    fn first(_kernel: Avx2, bit: u32) -> Word256 {
        Word256(_mm256_zextsi128_si256(_mm_cvtsi32_si128(bit.cast_signed())))
    }

    // Two halves of 16 bytes. In each, byte k is next to byte k + 8.
    fn interleave(_kernel: Avx2, low: __m128i, high: __m128i) -> Word256 {
        let order = _mm256_setr_epi8(
            0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
        );
        Word256(_mm256_shuffle_epi8(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high), order))
    }

    fn unpack16(a: Word256, b: Word256) -> [Word256; 2] {
        [Word256(_mm256_unpacklo_epi16(a.0, b.0)), Word256(_mm256_unpackhi_epi16(a.0, b.0))]
    }
    fn unpack32(a: Word256, b: Word256) -> [Word256; 2] {
        [Word256(_mm256_unpacklo_epi32(a.0, b.0)), Word256(_mm256_unpackhi_epi32(a.0, b.0))]
    }
    fn unpack64(a: Word256, b: Word256) -> [Word256; 2] {
        [Word256(_mm256_unpacklo_epi64(a.0, b.0)), Word256(_mm256_unpackhi_epi64(a.0, b.0))]
    }

    // Swap the bits of `high` at the positions of the mask with the bits of `low` that are 4, 2 or 1 positions higher.
    fn swap4(low: &mut Word256, high: &mut Word256) {
        let difference = and(xor(Word256(_mm256_srli_epi16::<4>(low.0)), *high), Word256(_mm256_set1_epi8(0x0f)));
        *high = *high ^ difference;
        *low = *low ^ Word256(_mm256_slli_epi16::<4>(difference.0));
    }
    fn swap2(low: &mut Word256, high: &mut Word256) {
        let difference = and(xor(Word256(_mm256_srli_epi16::<2>(low.0)), *high), Word256(_mm256_set1_epi8(0x33)));
        *high = *high ^ difference;
        *low = *low ^ Word256(_mm256_slli_epi16::<2>(difference.0));
    }
    fn swap1(low: &mut Word256, high: &mut Word256) {
        let difference = and(xor(Word256(_mm256_srli_epi16::<1>(low.0)), *high), Word256(_mm256_set1_epi8(0x55)));
        *high = *high ^ difference;
        *low = *low ^ Word256(_mm256_slli_epi16::<1>(difference.0));
    }

    fn shuffle(_kernel: Avx2, bytes: __m128i, order: __m128i) -> __m128i { _mm_shuffle_epi8(bytes, order) }

    fn nth(_kernel: Avx2, mask: u64, count: u32) -> u32 { _pdep_u64(1 << count, mask).trailing_zeros() }

    fn count(_kernel: Avx2, value: u64) -> u32 { in_register!(value.count_ones()) }
    fn extract(_kernel: Avx2, value: u64, mask: u64) -> u64 {
        in_register!(_pext_u64(value, mask))
    }
}

#[repr(align(32))]
struct Aligned<T>(T);

/// Entry *m*: all ones in the lanes whose bits are set in *m*.
static LANE_MASKS: Aligned<[[u64; 4]; 16]> = {
    let mut table = [[0; 4]; 16];
    let mut index = 0;
    while index < 64 {
        if (index / 4) >> (index % 4) & 1 == 1 {
            table[index / 4][index % 4] = !0;
        }
        index += 1;
    }
    Aligned(table)
};

/// Entry *m*: the permutation (in units of 32 bits) that moves the lanes whose bits are not set in *m* to the front.
static FRONT_ORDERS: Aligned<[[u64; 4]; 16]> = {
    let mut table = [[0; 4]; 16];
    let mut empty = 0;
    while empty < 16 {
        let (mut lane, mut front) = (0, 0);
        while lane < 4 {
            if empty >> lane & 1 == 0 {
                table[empty][front] = ((2 * lane + 1) << 32) | (2 * lane);
                front += 1;
            }
            lane += 1;
        }
        empty += 1;
    }
    Aligned(table)
};

#[expect(clippy::unused_self, reason = "the witness is the proof that the instruction exists")]
impl Avx2 {
    #[inline(always)]
    fn entry(self, table: &'static Aligned<[[u64; 4]; 16]>, index: u32) -> Word256 {
        // SAFETY: 32 readable bytes, aligned as the table is, and self exists, so detect() saw avx2.
        Word256(unsafe { _mm256_load_si256(table.0[index as usize & 15].as_ptr().cast()) })
    }

    #[inline(always)]
    fn load16(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 readable bytes, and self exists, so detect() saw avx2.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load32(self, bytes: &[u8; 32]) -> Word256 {
        // SAFETY: 32 readable bytes, and self exists, so detect() saw avx2.
        Word256(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load8(self, bytes: &[u8; 8]) -> __m128i {
        // SAFETY: 8 readable bytes, and self exists, so detect() saw avx2.
        unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }
    }

    /// Copies the bytes of `blocks` at the positions of `keep`, one lane per block, to the start of `out`. Returns their number.
    #[inline(always)]
    fn compress_blocks(self, blocks: &[[u8; 64]], keep: &[u64], out: &mut [u8]) -> usize {
        let out = &mut out[..64 * blocks.len()];
        let mut count = 0;
        for (block, keep) in blocks.iter().zip(keep) {
            let (rows, _) = block.as_chunks::<8>();
            for (row, keep) in rows.iter().zip(keep.to_le_bytes()) {
                let kept = shuffle(self, self.load8(row), self.load8(&KEPT_BYTES[usize::from(keep)]));
                // SAFETY: the rows before this one have written at most eight bytes each, so eight more fit; detect() saw avx2.
                unsafe { _mm_storel_epi64(out.as_mut_ptr().wrapping_add(count).cast(), kept) };
                count += in_register!(usize::from(keep).count_ones() as usize);
            }
        }
        count
    }
}

/// Returns the halves of a block.
#[inline(always)]
fn halves(block: &[u8; 64]) -> [&[u8; 32]; 2] {
    let (halves, _) = block.as_chunks::<32>();
    [&halves[0], &halves[1]]
}

operators!(Word256);

word!(Word256, 4, _mm256_storeu_si256);

impl Kernel for Avx2 {
    type Word = Word256;
    const TILE: usize = 8;
    type PerSuperblock<T: Copy> = [T; Self::TILE];

    #[inline(always)]
    fn per_superblock<T: Copy>(value: T) -> [T; Self::TILE] {
        [value; Self::TILE]
    }

    #[inline(always)]
    fn run<P: Pass>(self, pass: P) -> P::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[inline(never)]
        fn compiled<P: Pass>(kernel: Avx2, pass: P) -> P::Output {
            pass.run(kernel)
        }
        // SAFETY: self exists, so detect() saw the features.
        unsafe { compiled(self, pass) }
    }

    #[inline(always)]
    fn splat(self, lane: u64) -> Word256 {
        splat(self, lane)
    }

    #[inline(always)]
    fn first(self, bit: u32) -> Word256 {
        first(self, bit)
    }

    #[inline(always)]
    fn carry(self, bit: u32) -> Word256 {
        splat(self, u64::from(bit) << 63)
    }

    #[inline(always)]
    fn word(self, lanes: &[u64]) -> Word256 {
        let lanes = &lanes[..4];
        // SAFETY: the slice is 32 readable bytes, and self exists, so detect() saw avx2.
        Word256(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn equal(self, block: &[u8; 64], byte: u8) -> u64 {
        let [low, high] = halves(block);
        u64::from(bytes::equal(self.load32(low), byte)) | u64::from(bytes::equal(self.load32(high), byte)) << 32
    }

    #[inline(always)]
    fn visible(self, block: &[u8; 64]) -> u64 {
        let [low, high] = halves(block);
        !(u64::from(bytes::invisible(self.load32(low))) | u64::from(bytes::invisible(self.load32(high))) << 32)
    }

    #[inline(always)]
    fn controls_or(self, block: &[u8; 64], bytes: [u8; 2]) -> u64 {
        let [low, high] = halves(block).map(|half| u64::from(bytes::controls_or(self.load32(half), bytes)));
        low | high << 32
    }

    #[inline(always)]
    fn nth(self, mask: u64, count: u32) -> u32 {
        nth(self, mask, count)
    }

    // Register j starts with bytes 16j to 16j + 15 of both halves of the superblock. Three rounds of unpacking move byte 8m + k to
    // register k. Three rounds of delta swaps transpose the bits inside the bytes.
    #[inline(always)]
    fn planes(self, superblock: &[u8]) -> [Word256; 8] {
        let (rows, _) = superblock[..256].as_chunks::<16>();
        macro_rules! row {
            ($index:literal) => {
                interleave(self, self.load16(&rows[$index]), self.load16(&rows[$index + 8]))
            };
        }
        let [a0, a1] = unpack16(row!(0), row!(1));
        let [a2, a3] = unpack16(row!(2), row!(3));
        let [a4, a5] = unpack16(row!(4), row!(5));
        let [a6, a7] = unpack16(row!(6), row!(7));
        let [b0, b1] = unpack32(a0, a2);
        let [b2, b3] = unpack32(a1, a3);
        let [b4, b5] = unpack32(a4, a6);
        let [b6, b7] = unpack32(a5, a7);
        let [mut p0, mut p1] = unpack64(b0, b4);
        let [mut p2, mut p3] = unpack64(b1, b5);
        let [mut p4, mut p5] = unpack64(b2, b6);
        let [mut p6, mut p7] = unpack64(b3, b7);
        swap4(&mut p0, &mut p4);
        swap4(&mut p1, &mut p5);
        swap4(&mut p2, &mut p6);
        swap4(&mut p3, &mut p7);
        swap2(&mut p0, &mut p2);
        swap2(&mut p1, &mut p3);
        swap2(&mut p4, &mut p6);
        swap2(&mut p5, &mut p7);
        swap1(&mut p0, &mut p1);
        swap1(&mut p2, &mut p3);
        swap1(&mut p4, &mut p5);
        swap1(&mut p6, &mut p7);
        [p0, p1, p2, p3, p4, p5, p6, p7]
    }

    #[inline(always)]
    fn compress_block(self, block: &[u8; 64], keep: u64, out: &mut [u8; 64]) -> usize {
        if keep == !0 {
            *out = *block;
            return 64;
        }
        self.compress_blocks(std::slice::from_ref(block), &[keep], out)
    }

    // No special case for full blocks: where text and whitespace mix, its branch is mispredicted too often.
    #[inline(always)]
    fn compress(self, superblock: &[u8], keep: Word256, out: &mut [u8]) -> usize {
        let (blocks, _) = superblock[..256].as_chunks();
        self.compress_blocks(blocks, &lanes(keep), out)
    }

    #[inline(always)]
    fn pack(self, masks: [Word256; 3], out: [&mut [u64]; 3]) -> usize {
        let empty = empty_lanes(masks[0]);
        let order = self.entry(&FRONT_ORDERS, empty);
        let [a, b, c] = out;
        permute(masks[0], order).store(a);
        permute(masks[1], order).store(b);
        permute(masks[2], order).store(c);
        4 - empty.count_ones() as usize
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
    fn prefetch(self, superblock: &[u8]) {
        for block in 0..4 {
            let place = superblock.as_ptr().wrapping_add(PREFETCH_DISTANCE + 64 * block);
            // SAFETY: a prefetch is a hint and never faults, wherever it points.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
        }
    }
}
