//! Gaps with AVX-512: plans 32 gaps at once, and writes 64 bytes of text and gaps at once.

#![expect(unsafe_code, reason = "stores and calls of functions compiled for the instruction set")]

#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "a list of intrinsics would only repeat the file")
)]
use std::arch::x86_64::*;

use crate::kernel::At;
use crate::kernel::GAP_END;
use crate::kernel::Outline;
use crate::kernel::Plan;
use crate::kernel::x86_64::avx512::Avx512;
use crate::kernel::x86_64::avx512::INDEXES;
use crate::kernel::x86_64::avx512::Word512;
use crate::kernel::x86_64::avx512::compact_bytes;
use crate::kernel::x86_64::avx512::count;
use crate::kernel::x86_64::avx512::extract;

steps! {
    // The levels of all 64 positions, as bytes relative to the start of the block: a running sum of +1 after a rise and -1 at a
    // fall, in four doubling steps within 128 bits and then across the four sums.
    fn levels(_kernel: Avx512, rises: u64, falls: u64) -> Word512 {
        let mut sum = _mm512_sub_epi8(_mm512_movm_epi8(falls), _mm512_movm_epi8(rises << 1));
        sum = _mm512_add_epi8(sum, _mm512_bslli_epi128::<1>(sum));
        sum = _mm512_add_epi8(sum, _mm512_bslli_epi128::<2>(sum));
        sum = _mm512_add_epi8(sum, _mm512_bslli_epi128::<4>(sum));
        sum = _mm512_add_epi8(sum, _mm512_bslli_epi128::<8>(sum));
        let zero = _mm512_setzero_si512();
        let total = _mm512_shuffle_epi8(sum, _mm512_set1_epi8(15));
        let before = _mm512_add_epi8(
            _mm512_add_epi8(_mm512_alignr_epi64::<6>(total, zero), _mm512_alignr_epi64::<4>(total, zero)),
            _mm512_alignr_epi64::<2>(total, zero),
        );
        Word512(_mm512_add_epi8(sum, before))
    }

    // Positions of 32 marks, from bytes.
    fn widen_positions(bytes: Word512, at: At) -> Word512 {
        let position = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes.0));
        Word512(_mm512_add_epi16(position, _mm512_set1_epi16(at.position.cast_signed())))
    }
    // Widths of the gaps of 32 marks, from relative levels.
    #[expect(clippy::cast_possible_truncation, reason = "the gaps are less than 2^16 wide")]
    fn widen_gaps(bytes: Word512, flat: u32, at: At) -> Word512 {
        let relative = _mm512_cvtepi8_epi16(_mm512_castsi512_si256(bytes.0));
        let level = _mm512_add_epi16(relative, _mm512_set1_epi16(at.level as i16));
        let level = _mm512_max_epi16(level, _mm512_setzero_si512());
        let inset = _mm512_mullo_epi16(level, _mm512_set1_epi16(at.unit as i16));
        Word512(_mm512_add_epi16(_mm512_maskz_mov_epi16(!flat, inset), _mm512_set1_epi16(1)))
    }
    // First bytes of the gaps.
    fn first_bytes(_kernel: Avx512, flat: u64) -> Word512 {
        Word512(_mm512_mask_blend_epi8(flat, _mm512_set1_epi8(0x0a), _mm512_set1_epi8(0x20)))
    }
    // Without the first 32 bytes.
    fn drop_half(bytes: Word512) -> Word512 { Word512(_mm512_shuffle_i64x2::<0b11_10>(bytes.0, bytes.0)) }

    fn nonzero(block: Word512) -> u64 { _mm512_test_epi8_mask(block.0, block.0) }
    // At each position, the parity of it and all positions before it.
    fn parity(_kernel: Avx512, mask: u64) -> u64 {
        let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(mask.cast_signed()), _mm_set1_epi8(-1));
        _mm_cvtsi128_si64(product).cast_unsigned()
    }
    // The content of gaps: their first bytes, and `filler` everywhere else.
    fn filled(gaps: Word512, filler: u8) -> Word512 {
        let first = _mm512_test_epi8_mask(gaps.0, _mm512_set1_epi8(!GAP_END.cast_signed()));
        Word512(_mm512_mask_mov_epi8(_mm512_set1_epi8(filler.cast_signed()), first, gaps.0))
    }
    // The inverse of `compact_bytes`: the bytes of `text`, in order, at `places`, and those of `around` at all other positions.
    fn expand_bytes(around: Word512, places: u64, text: Word512) -> Word512 {
        Word512(_mm512_mask_expand_epi8(around.0, places, text.0))
    }
}

#[expect(clippy::unused_self, reason = "the witness is the proof that the instruction exists")]
impl Avx512 {
    #[inline(always)]
    fn store_numbers(self, numbers: Word512, out: &mut [u16; 32]) {
        // SAFETY: 32 writable numbers of two bytes, and self exists, so detect() saw avx512f.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), numbers.0) };
    }
}

/// [`Kernel::outline`](crate::kernel::Kernel::outline).
#[expect(clippy::cast_possible_truncation, reason = "32 marks at a time")]
#[inline(always)]
pub(super) fn outline(kernel: Avx512, outline: Outline, at: At, plan: Plan<'_>) -> usize {
    let marks = outline.marks.count_ones() as usize;
    let mut levels = compact_bytes(levels(kernel, outline.rises, outline.falls), outline.marks);
    let mut indexes = compact_bytes(kernel.load(&INDEXES.0), extract(kernel, outline.marks, outline.keep));
    let mut flat = extract(kernel, outline.flat, outline.marks);
    let Plan { positions, widths, firsts } = plan;
    if let Some(firsts) = firsts.first_chunk_mut() {
        kernel.store(first_bytes(kernel, flat), firsts);
    }
    let (positions, _) = positions[..64].as_chunks_mut();
    let (widths, _) = widths[..64].as_chunks_mut();
    for (positions, widths) in positions.iter_mut().zip(widths).take(marks.div_ceil(32)) {
        kernel.store_numbers(widen_positions(indexes, at), positions);
        kernel.store_numbers(widen_gaps(levels, flat as u32, at), widths);
        indexes = drop_half(indexes);
        levels = drop_half(levels);
        flat >>= 32;
    }
    marks
}

/// [`Kernel::expand`](crate::kernel::Kernel::expand).
#[inline(always)]
pub(super) fn expand(
    kernel: Avx512,
    text: &[u8; 64],
    gaps: &[u8; 64],
    filler: u8,
    inside: &mut u64,
    out: &mut [u8; 64],
) -> usize {
    let gaps = kernel.load(gaps);
    let in_gap = parity(kernel, nonzero(gaps)) ^ *inside;
    *inside = (in_gap.cast_signed() >> 63).cast_unsigned();
    kernel.store(expand_bytes(filled(gaps, filler), !in_gap, kernel.load(text)), out);
    count(kernel, !in_gap) as usize
}
