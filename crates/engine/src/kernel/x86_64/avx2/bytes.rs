//! Comparisons of the bytes of half a block with AVX2.

#![expect(unsafe_code, reason = "calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::x86_64::*;

use crate::kernel::x86_64::avx2::Word256;

steps! {
    pub(super) fn equal(half: Word256, byte: u8) -> u32 {
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(half.0, _mm256_set1_epi8(byte.cast_signed()))).cast_unsigned()
    }
    pub(super) fn invisible(half: Word256) -> u32 {
        let least = _mm256_min_epu8(half.0, _mm256_set1_epi8(0x20));
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(least, half.0)).cast_unsigned()
    }
    pub(super) fn controls_or(half: Word256, bytes: [u8; 2]) -> u32 {
        let [first, second] = bytes.map(|byte| _mm256_cmpeq_epi8(half.0, _mm256_set1_epi8(byte.cast_signed())));
        let control = _mm256_cmpeq_epi8(_mm256_min_epu8(half.0, _mm256_set1_epi8(0x1f)), half.0);
        _mm256_movemask_epi8(_mm256_or_si256(control, _mm256_or_si256(first, second))).cast_unsigned()
    }
}
