//! Copies text of strings with AVX-512: 32 or 64 bytes at once, or fewer with a mask, so that there are few branches for the length of
//! a string, which are often mispredicted.
//!
//! Each string is a call. With all of `Dumper::held` compiled for these instructions it was none, and slower.

use std::arch::x86_64::__m256i;
use std::arch::x86_64::__m512i;
use std::arch::x86_64::_bzhi_u32;
use std::arch::x86_64::_bzhi_u64;
use std::arch::x86_64::_mm256_mask_cmpeq_epi8_mask;
use std::arch::x86_64::_mm256_mask_cmplt_epu8_mask;
use std::arch::x86_64::_mm256_maskz_loadu_epi8;
use std::arch::x86_64::_mm256_set1_epi8;
use std::arch::x86_64::_mm256_storeu_si256;
use std::arch::x86_64::_mm512_loadu_si512;
use std::arch::x86_64::_mm512_mask_cmpeq_epi8_mask;
use std::arch::x86_64::_mm512_mask_cmplt_epu8_mask;
use std::arch::x86_64::_mm512_maskz_loadu_epi8;
use std::arch::x86_64::_mm512_set1_epi8;
use std::arch::x86_64::_mm512_storeu_si512;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;

/// Bytes that are copied together.
pub const BLOCK: usize = 64;

/// What is known about the processor.
static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const ABSENT: u8 = 1;
const PRESENT: u8 = 2;

/// Says whether `dumps` may use AVX-512. With this, tests compare what it writes with and without.
#[pyfunction]
pub fn _allow_avx512(allowed: bool) {
    KNOWN.store(if allowed { UNKNOWN } else { ABSENT }, Ordering::Relaxed);
}

/// The proof that the processor has these instructions.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// Returns the proof.
    #[inline]
    pub fn detect() -> Option<Self> {
        match KNOWN.load(Ordering::Relaxed) {
            ABSENT => None,
            PRESENT => Some(Self(())),
            _ => Self::ask(),
        }
    }

    #[cold]
    fn ask() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        KNOWN.store(if found { PRESENT } else { ABSENT }, Ordering::Relaxed);
        found.then_some(Self(()))
    }

    /// Copies up to 64 bytes. Returns false if any of them must be escaped.
    ///
    /// # Safety
    /// There must be room for 64 bytes.
    #[inline(always)]
    #[expect(clippy::unused_self, reason = "it is the proof")]
    pub unsafe fn copy_short(self, bytes: &[u8], out: *mut u8) -> bool {
        debug_assert!(bytes.len() <= BLOCK, "a short string");
        // SAFETY: self exists, so the processor has the instructions. The caller has made room.
        unsafe { copy_short(bytes, out) }
    }

    /// Copies bytes up to the first one that must be escaped. Returns their number.
    ///
    /// # Safety
    /// There must be room for all of them and 64 bytes more.
    #[inline(always)]
    #[expect(clippy::unused_self, reason = "it is the proof")]
    pub unsafe fn copy_plain(self, bytes: &[u8], out: *mut u8) -> usize {
        // SAFETY: self exists, so the processor has the instructions. The caller has made room.
        unsafe { copy_plain(bytes, out) }
    }
}

/// Returns the length of a short text.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most a block")]
fn short(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}

/// Returns which of the bytes of a mask must be escaped.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
fn bytes_to_escape(mask: u64, block: __m512i) -> u64 {
    _mm512_mask_cmplt_epu8_mask(mask, block, _mm512_set1_epi8(0x20))
        | _mm512_mask_cmpeq_epi8_mask(mask, block, _mm512_set1_epi8(0x22))
        | _mm512_mask_cmpeq_epi8_mask(mask, block, _mm512_set1_epi8(0x5c))
}

/// Returns which of the bytes of a mask must be escaped.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
fn bytes_of_half_to_escape(mask: u32, half: __m256i) -> u32 {
    _mm256_mask_cmplt_epu8_mask(mask, half, _mm256_set1_epi8(0x20))
        | _mm256_mask_cmpeq_epi8_mask(mask, half, _mm256_set1_epi8(0x22))
        | _mm256_mask_cmpeq_epi8_mask(mask, half, _mm256_set1_epi8(0x5c))
}

/// # Safety
/// There must be room for 64 bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
unsafe fn copy_short(bytes: &[u8], out: *mut u8) -> bool {
    if bytes.len() <= BLOCK / 2 {
        // Most strings. A whole block is in two lines of the cache, almost always, which makes writing it slower.
        let mask = _bzhi_u32(!0, short(bytes));
        // SAFETY: no byte outside of the mask is read.
        let half = unsafe { _mm256_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
        // SAFETY: the caller has made room.
        unsafe { _mm256_storeu_si256(out.cast(), half) };
        return bytes_of_half_to_escape(mask, half) == 0;
    }
    let mask = _bzhi_u64(!0, short(bytes));
    // SAFETY: no byte outside of the mask is read.
    let block = unsafe { _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) };
    // SAFETY: the caller has made room.
    unsafe { _mm512_storeu_si512(out.cast(), block) };
    bytes_to_escape(mask, block) == 0
}

/// # Safety
/// There must be room for the bytes and 64 more.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
unsafe fn copy_plain(bytes: &[u8], out: *mut u8) -> usize {
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk::<BLOCK>() {
        // SAFETY: the block has this length.
        let block = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        // SAFETY: the caller has made room.
        let place = unsafe { out.add(at) };
        // SAFETY: as before.
        unsafe { _mm512_storeu_si512(place.cast(), block) };
        let found = bytes_to_escape(!0, block);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    let rest = &bytes[at..];
    let mask = _bzhi_u64(!0, short(rest));
    // SAFETY: no byte outside of the mask is read.
    let block = unsafe { _mm512_maskz_loadu_epi8(mask, rest.as_ptr().cast()) };
    // SAFETY: the caller has made room.
    let place = unsafe { out.add(at) };
    // SAFETY: as before.
    unsafe { _mm512_storeu_si512(place.cast(), block) };
    let found = bytes_to_escape(mask, block);
    at + if found == 0 { rest.len() } else { found.trailing_zeros() as usize }
}
