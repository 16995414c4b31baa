//! Comparisons of the bytes of a block with AVX-512.

#![expect(unsafe_code, reason = "calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::x86_64::*;

use crate::kernel::x86_64::avx512::Word512;

steps! {
    pub(super) fn equal(block: Word512, byte: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(block.0, _mm512_set1_epi8(byte.cast_signed()))
    }
    pub(super) fn visible(block: Word512) -> u64 { _mm512_cmpgt_epu8_mask(block.0, _mm512_set1_epi8(0x20)) }
    pub(super) fn controls_or(block: Word512, bytes: [u8; 2]) -> u64 {
        let [first, second] = bytes.map(|byte| _mm512_set1_epi8(byte.cast_signed()));
        _mm512_cmplt_epu8_mask(block.0, _mm512_set1_epi8(0x20))
            | _mm512_cmpeq_epi8_mask(block.0, first)
            | _mm512_cmpeq_epi8_mask(block.0, second)
    }
}
