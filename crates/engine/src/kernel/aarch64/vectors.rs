//! Operations on NEON vectors: pairs of lanes, and the bytes of a superblock.
//!
//! NEON has what AVX2 lacks at half the width. A load separates every fourth byte (`LD4`). A shift can insert its result into
//! another register (`SLI`, `SRI`), so that one instruction swaps nibbles or joins the parts of a shifted word. Comparisons are
//! unsigned, so the carry out of a lane is one instruction. What it lacks is `PEXT`.

#![expect(unsafe_code, reason = "loads, stores and calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::aarch64::*;
use std::arch::asm;

use crate::kernel::kept_bytes::KEPT_BYTES;
use crate::kernel::steps::features;

features!($, "neon");

/// Two lanes.
pub(super) type Lanes = uint64x2_t;

steps! {
    pub(super) fn and(a: Lanes, b: Lanes) -> Lanes { vandq_u64(a, b) }
    pub(super) fn or(a: Lanes, b: Lanes) -> Lanes { vorrq_u64(a, b) }
    pub(super) fn xor(a: Lanes, b: Lanes) -> Lanes { veorq_u64(a, b) }
    pub(super) fn not(a: Lanes) -> Lanes { vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(a))) }

    // The lane before each lane: the last lane of `previous`, then the first of `word`.
    pub(super) fn lanes_before(word: Lanes, previous: Lanes) -> Lanes { vextq_u64::<1>(previous, word) }

    pub(super) fn advance<const N: u32>(word: Lanes, previous: Lanes) -> Lanes {
        let before = lanes_before(word, previous);
        match N {
            1 => vsriq_n_u64::<63>(vshlq_n_u64::<1>(word), before),
            2 => vsriq_n_u64::<62>(vshlq_n_u64::<2>(word), before),
            3 => vsriq_n_u64::<61>(vshlq_n_u64::<3>(word), before),
            _ => vsriq_n_u64::<60>(vshlq_n_u64::<4>(word), before),
        }
    }

    pub(super) fn sum(a: Lanes, b: Lanes) -> Lanes { vaddq_u64(a, b) }

    // A sum that is less than a summand has overflowed.
    pub(super) fn add_short(a: Lanes, b: Lanes, previous: &mut Lanes) -> Lanes {
        let sum = vaddq_u64(a, b);
        let overflows = vcgtq_u64(b, sum);
        let incoming = lanes_before(overflows, *previous);
        *previous = overflows;
        vsraq_n_u64::<63>(sum, incoming)
    }

    pub(super) fn shift_lanes(a: Lanes, before: Lanes, count: u32) -> Lanes {
        let up = i64::from(count);
        vorrq_u64(vshlq_u64(a, vdupq_n_s64(up)), vshlq_u64(before, vdupq_n_s64(up - 64)))
    }

    // Narrowing with saturation keeps nonzero lanes nonzero.
    pub(super) fn any(a: Lanes) -> bool { vget_lane_u64::<0>(vreinterpret_u64_u32(vqmovn_u64(a))) != 0 }
    pub(super) fn any_lane_full(a: Lanes) -> bool { any(vceqzq_u64(not(a))) }

    pub(super) fn pair(lanes: [u64; 2]) -> Lanes { vcombine_u64(vcreate_u64(lanes[0]), vcreate_u64(lanes[1])) }
    pub(super) fn splat(lane: u64) -> Lanes { vdupq_n_u64(lane) }
    pub(super) fn first(a: Lanes) -> u64 { vgetq_lane_u64::<0>(a) }
    pub(super) fn second(a: Lanes) -> u64 { vgetq_lane_u64::<1>(a) }

    // In each lane, the parity of the bits up to each bit.
    pub(super) fn parities(a: Lanes) -> Lanes {
        let mut x = a;
        x = veorq_u64(x, vshlq_n_u64::<1>(x));
        x = veorq_u64(x, vshlq_n_u64::<2>(x));
        x = veorq_u64(x, vshlq_n_u64::<4>(x));
        x = veorq_u64(x, vshlq_n_u64::<8>(x));
        x = veorq_u64(x, vshlq_n_u64::<16>(x));
        veorq_u64(x, vshlq_n_u64::<32>(x))
    }

    // The parity of the first lane is its last bit. It flips the second lane, and the carry flips both.
    pub(super) fn prefix_xor(parities: Lanes, carry: &mut u32) -> Lanes {
        let carried = vdupq_n_u64(0u64.wrapping_sub(u64::from(*carry)));
        let flips = vreinterpretq_u64_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u64(parities)));
        let inside = veorq_u64(veorq_u64(parities, carried), lanes_before(flips, vdupq_n_u64(0)));
        *carry = (second(inside) >> 63) as u32;
        inside
    }

    // Swap the bits of `high` at the positions of the mask with the bits of `low` that are 4, 2 or 1 positions higher.
    fn swap4(low: uint8x16_t, high: uint8x16_t) -> [uint8x16_t; 2] {
        [vsliq_n_u8::<4>(low, high), vsriq_n_u8::<4>(high, low)]
    }
    fn swap2(low: uint8x16_t, high: uint8x16_t) -> [uint8x16_t; 2] {
        let mask = vdupq_n_u8(0x33);
        [vbslq_u8(mask, low, vshlq_n_u8::<2>(high)), vbslq_u8(mask, vshrq_n_u8::<2>(low), high)]
    }
    fn swap1(low: uint8x16_t, high: uint8x16_t) -> [uint8x16_t; 2] {
        let mask = vdupq_n_u8(0x55);
        [vbslq_u8(mask, low, vshlq_n_u8::<1>(high)), vbslq_u8(mask, vshrq_n_u8::<1>(low), high)]
    }

    // Each register has every fourth byte of a half of the superblock. Byte 8m + k goes to position m of register k.
    pub(super) fn transpose(low: uint8x16x4_t, high: uint8x16x4_t) -> [Lanes; 8] {
        let (p0, p4) = (vuzp1q_u8(low.0, high.0), vuzp2q_u8(low.0, high.0));
        let (p1, p5) = (vuzp1q_u8(low.1, high.1), vuzp2q_u8(low.1, high.1));
        let (p2, p6) = (vuzp1q_u8(low.2, high.2), vuzp2q_u8(low.2, high.2));
        let (p3, p7) = (vuzp1q_u8(low.3, high.3), vuzp2q_u8(low.3, high.3));
        let ([p0, p4], [p1, p5], [p2, p6], [p3, p7]) = (swap4(p0, p4), swap4(p1, p5), swap4(p2, p6), swap4(p3, p7));
        let ([p0, p2], [p1, p3], [p4, p6], [p5, p7]) = (swap2(p0, p2), swap2(p1, p3), swap2(p4, p6), swap2(p5, p7));
        let ([p0, p1], [p2, p3], [p4, p5], [p6, p7]) = (swap1(p0, p1), swap1(p2, p3), swap1(p4, p5), swap1(p6, p7));
        [
            vreinterpretq_u64_u8(p0), vreinterpretq_u64_u8(p1), vreinterpretq_u64_u8(p2), vreinterpretq_u64_u8(p3),
            vreinterpretq_u64_u8(p4), vreinterpretq_u64_u8(p5), vreinterpretq_u64_u8(p6), vreinterpretq_u64_u8(p7),
        ]
    }

    pub(super) fn equal(rows: uint8x16x4_t, byte: u8) -> u64 {
        let byte = vdupq_n_u8(byte);
        mask(vceqq_u8(rows.0, byte), vceqq_u8(rows.1, byte), vceqq_u8(rows.2, byte), vceqq_u8(rows.3, byte))
    }
    pub(super) fn visible(rows: uint8x16x4_t) -> u64 {
        let space = vdupq_n_u8(0x20);
        mask(vcgtq_u8(rows.0, space), vcgtq_u8(rows.1, space), vcgtq_u8(rows.2, space), vcgtq_u8(rows.3, space))
    }
    // One bit for each of 64 bytes, which are 0 or 0xff: each byte keeps its own bit, and three rounds of pairwise sums join them.
    fn mask(a: uint8x16_t, b: uint8x16_t, c: uint8x16_t, d: uint8x16_t) -> u64 {
        let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
        let low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
        let high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
        let sums = vpaddq_u8(low, high);
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
    }

    // As signed numbers, bytes beyond ASCII are less than a space. A byte that is equal to another has the difference 0.
    pub(super) fn is_plain(low: uint8x16x4_t, high: uint8x16x4_t) -> bool {
        let rows = [low.0, low.1, low.2, low.3, high.0, high.1, high.2, high.3];
        let mut least = vdupq_n_s8(0x7f);
        let mut difference = vdupq_n_u8(0xff);
        for row in rows {
            least = vminq_s8(least, vreinterpretq_s8_u8(row));
            difference = vminq_u8(difference, veorq_u8(row, vdupq_n_u8(b'"')));
            difference = vminq_u8(difference, veorq_u8(row, vdupq_n_u8(b'\\')));
        }
        let special = vorrq_u8(vcltq_s8(least, vdupq_n_s8(0x20)), vceqzq_u8(difference));
        !any(vreinterpretq_u64_u8(special))
    }

    pub(super) fn shuffle(bytes: uint8x8_t, order: uint8x8_t) -> uint8x8_t {
        vtbl1_u8(bytes, order)
    }

    pub(super) fn count(value: u64) -> u32 { u32::from(vaddlv_u8(vcnt_u8(vcreate_u8(value)))) }
    // The number of set bits in each byte.
    pub(super) fn counts(a: Lanes) -> Lanes { vreinterpretq_u64_u8(vcntq_u8(vreinterpretq_u8_u64(a))) }
    pub(super) fn total(a: Lanes) -> u32 { u32::from(vaddlvq_u8(vcntq_u8(vreinterpretq_u8_u64(a)))) }
    pub(super) fn balance(rise: Lanes, fall: Lanes) -> i32 {
        let signed = |lanes| vreinterpretq_s8_u8(vcntq_u8(vreinterpretq_u8_u64(lanes)));
        i32::from(vaddlvq_s8(vsubq_s8(signed(rise), signed(fall))))
    }

    // One round of compressing to the right (Warren, *Hacker's Delight*, 2nd ed., 7-4). Bits with an odd number of gaps to their
    // right, counted in units of `N`, move `N` positions. Returns the positions of the gaps with an odd number of gaps up to them.
    pub(super) fn compress_round<const N: i32>(values: &mut Lanes, mask: &mut Lanes, odd: Lanes) {
        let moved = vandq_u64(odd, *mask);
        *mask = vsraq_n_u64::<N>(veorq_u64(*mask, moved), moved);
        let moved = vandq_u64(*values, moved);
        *values = vsraq_n_u64::<N>(veorq_u64(*values, moved), moved);
    }
    pub(super) fn and_not(a: Lanes, b: Lanes) -> Lanes { vbicq_u64(a, b) }
}

/// The same as `parities`, by carry-less products with all ones.
#[target_feature(enable = "neon,aes")]
#[inline]
pub(super) fn products(a: Lanes) -> Lanes {
    let ones = vreinterpretq_p64_u64(vdupq_n_u64(!0));
    let factors = vreinterpretq_p64_u64(a);
    let low = vmull_p64(vgetq_lane_p64::<0>(factors), vgetq_lane_p64::<0>(ones));
    let high = vmull_high_p64(factors, ones);
    vzip1q_u64(vreinterpretq_u64_p128(low), vreinterpretq_u64_p128(high))
}

/// Adds two words as integers of 128 bits. Left to the compiler, three sums of one superblock are mixed in vector registers, with
/// twice as many instructions.
#[inline(always)]
pub(super) fn add(a: Lanes, b: Lanes, carry: &mut u32) -> Lanes {
    let ([mut low, mut high], mut over) = ([first(a), second(a)], *carry);
    // SAFETY: the assembly only changes its operands and the flags.
    unsafe {
        asm!(
            "cmp {over:w}, #1",
            "adcs {low}, {low}, {other_low}",
            "adcs {high}, {high}, {other_high}",
            "cset {over:w}, cs",
            over = inout(reg) over,
            low = inout(reg) low,
            high = inout(reg) high,
            other_low = in(reg) first(b),
            other_high = in(reg) second(b),
            options(pure, nomem, nostack),
        );
    }
    *carry = over;
    pair([low, high])
}

#[inline(always)]
pub(super) fn load64(bytes: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: 64 readable bytes, and every AArch64 processor has NEON.
    unsafe { vld1q_u8_x4(bytes.as_ptr()) }
}

/// Loads every fourth byte of 64 into each of four registers.
#[inline(always)]
pub(super) fn load_quarters(bytes: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: 64 readable bytes, and every AArch64 processor has NEON.
    unsafe { vld4q_u8(bytes.as_ptr()) }
}

#[inline(always)]
pub(super) fn load8(bytes: &[u8; 8]) -> uint8x8_t {
    // SAFETY: 8 readable bytes, and every AArch64 processor has NEON.
    unsafe { vld1_u8(bytes.as_ptr()) }
}

#[inline(always)]
pub(super) fn load(lanes: &[u64; 2]) -> Lanes {
    // SAFETY: 16 readable bytes, and every AArch64 processor has NEON.
    unsafe { vld1q_u64(lanes.as_ptr()) }
}

#[inline(always)]
pub(super) fn store(a: Lanes, lanes: &mut [u64; 2]) {
    // SAFETY: 16 writable bytes, and every AArch64 processor has NEON.
    unsafe { vst1q_u64(lanes.as_mut_ptr(), a) };
}

/// Copies the bytes of `block` at the positions of `keep` to the start of `out`. `counts` has the number of set bits of each byte
/// of `keep`. Returns their sum.
#[inline(always)]
pub(super) fn compress_block(block: &[u8; 64], keep: u64, counts: u64, out: &mut [u8; 64]) -> usize {
    // Byte i of the product is the sum of the counts up to byte i.
    let ends = counts.wrapping_mul(0x0101_0101_0101_0101);
    let starts = ends << 8;
    let (rows, _) = block.as_chunks::<8>();
    for (index, (row, keep)) in rows.iter().zip(keep.to_le_bytes()).enumerate() {
        let kept = shuffle(load8(row), load8(&KEPT_BYTES[usize::from(keep)]));
        let start = usize::from(starts.to_le_bytes()[index]);
        // SAFETY: the rows before this one have at most eight bytes each, so eight more fit; every AArch64 processor has NEON.
        unsafe { vst1_u8(out.as_mut_ptr().wrapping_add(start), kept) };
    }
    (ends >> 56) as usize
}
