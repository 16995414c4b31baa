//! Pairs in SSE2 vectors, which make the portable kernel twice as fast on x86-64.
//!
//! Every x86-64 processor has SSE2, so no detection is needed. The compiler still requires `target_feature` functions.

#![expect(unsafe_code, reason = "calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::x86_64::*;

use crate::kernel::portable::Pair;
use crate::kernel::steps::features;
use crate::kernel::x86_64::operators;

/// 128 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2(__m128i);

features!($, "sse2");

steps! {
    fn and(a: Sse2, b: Sse2) -> Sse2 { Sse2(_mm_and_si128(a.0, b.0)) }
    fn or(a: Sse2, b: Sse2) -> Sse2 { Sse2(_mm_or_si128(a.0, b.0)) }
    fn xor(a: Sse2, b: Sse2) -> Sse2 { Sse2(_mm_xor_si128(a.0, b.0)) }
    fn not(a: Sse2) -> Sse2 { Sse2(_mm_xor_si128(a.0, _mm_set1_epi64x(-1))) }
    fn set(lanes: [u64; 2]) -> Sse2 { Sse2(_mm_set_epi64x(lanes[1].cast_signed(), lanes[0].cast_signed())) }
    fn get(a: Sse2) -> [u64; 2] {
        let high = _mm_unpackhi_epi64(a.0, a.0);
        [_mm_cvtsi128_si64(a.0).cast_unsigned(), _mm_cvtsi128_si64(high).cast_unsigned()]
    }
    fn splat(lane: u64) -> Sse2 { Sse2(_mm_set1_epi64x(lane.cast_signed())) }
    fn up<const N: i32>(a: Sse2) -> Sse2 { Sse2(_mm_slli_epi64::<N>(a.0)) }
    fn down<const N: i32>(a: Sse2) -> Sse2 { Sse2(_mm_srli_epi64::<N>(a.0)) }
    fn up_by(a: Sse2, count: u32) -> Sse2 { Sse2(_mm_sll_epi64(a.0, _mm_cvtsi32_si128(count.cast_signed()))) }
    fn down_by(a: Sse2, count: u32) -> Sse2 { Sse2(_mm_srl_epi64(a.0, _mm_cvtsi32_si128(count.cast_signed()))) }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sixteen bits")]
    fn equal(a: Sse2, byte: u8) -> u16 {
        _mm_movemask_epi8(_mm_cmpeq_epi8(a.0, _mm_set1_epi8(byte.cast_signed()))) as u16
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sixteen bits")]
    fn visible(a: Sse2) -> u16 {
        let above = _mm_subs_epu8(a.0, _mm_set1_epi8(0x20));
        !_mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128())) as u16
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sixteen bits")]
    fn controls_or(a: Sse2, bytes: [u8; 2]) -> u16 {
        let [first, second] = bytes.map(|byte| _mm_cmpeq_epi8(a.0, _mm_set1_epi8(byte.cast_signed())));
        let control = _mm_cmpeq_epi8(_mm_min_epu8(a.0, _mm_set1_epi8(0x1f)), a.0);
        _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(first, second))) as u16
    }
    // As signed numbers, bytes beyond ASCII are less than a space.
    fn special(a: Sse2) -> Sse2 {
        let marks = _mm_or_si128(_mm_cmpeq_epi8(a.0, _mm_set1_epi8(0x22)), _mm_cmpeq_epi8(a.0, _mm_set1_epi8(0x5c)));
        Sse2(_mm_or_si128(marks, _mm_cmplt_epi8(a.0, _mm_set1_epi8(0x20))))
    }
    fn plus(a: Sse2, b: Sse2) -> Sse2 { Sse2(_mm_add_epi64(a.0, b.0)) }
    fn lane_before(a: Sse2, previous: Sse2) -> Sse2 {
        Sse2(_mm_castpd_si128(_mm_shuffle_pd::<1>(_mm_castsi128_pd(previous.0), _mm_castsi128_pd(a.0))))
    }
    fn any(a: Sse2) -> bool { _mm_movemask_epi8(_mm_cmpeq_epi8(a.0, _mm_setzero_si128())) != 0xffff }
    fn any_lane_full(a: Sse2) -> bool {
        let full = _mm_cmpeq_epi32(a.0, _mm_set1_epi32(-1));
        _mm_movemask_epi8(_mm_and_si128(full, _mm_srli_epi64::<32>(full))) != 0
    }
    fn zip(a: Sse2, b: Sse2) -> [Sse2; 2] {
        [Sse2(_mm_unpacklo_epi8(a.0, b.0)), Sse2(_mm_unpackhi_epi8(a.0, b.0))]
    }
}

operators!(Sse2);

impl Pair for Sse2 {
    #[inline(always)]
    fn new(lanes: [u64; 2]) -> Self {
        set(lanes)
    }

    #[inline(always)]
    fn lanes(self) -> [u64; 2] {
        get(self)
    }

    #[inline(always)]
    fn splat(lane: u64) -> Self {
        splat(lane)
    }

    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        up::<N>(self)
    }

    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        down::<N>(self)
    }

    #[inline(always)]
    fn up_by(self, count: u32) -> Self {
        up_by(self, count)
    }

    #[inline(always)]
    fn down_by(self, count: u32) -> Self {
        down_by(self, count)
    }

    #[inline(always)]
    fn equal(self, byte: u8) -> u16 {
        equal(self, byte)
    }

    #[inline(always)]
    fn visible(self) -> u16 {
        visible(self)
    }

    #[inline(always)]
    fn controls_or(self, bytes: [u8; 2]) -> u16 {
        controls_or(self, bytes)
    }

    #[inline(always)]
    fn special(self) -> Self {
        special(self)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        plus(self, other)
    }

    #[inline(always)]
    fn lane_before(self, previous: Self) -> Self {
        lane_before(self, previous)
    }

    #[inline(always)]
    fn any(self) -> bool {
        any(self)
    }

    #[inline(always)]
    fn any_lane_full(self) -> bool {
        any_lane_full(self)
    }

    #[expect(clippy::cast_possible_truncation, reason = "one half after the other")]
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        let both = u128::from_le_bytes(*bytes);
        set([both as u64, (both >> 64) as u64])
    }

    #[inline(always)]
    fn zip(self, other: Self) -> [Self; 2] {
        zip(self, other)
    }
}
