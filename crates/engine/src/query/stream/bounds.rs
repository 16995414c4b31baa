//! Array indexes that are in bounds by construction, where a checked access would be too slow.

#![forbid(unsafe_code)]

/// Returns `index`, which the caller knows to be below `BOUND`.
///
/// A larger index is a bug. It panics in builds with debug assertions (tests, fuzz targets). In other builds it wraps around:
/// the access stays within the array, and the compiler removes the bounds check.
#[inline(always)]
pub(super) fn bounded<const BOUND: usize>(index: usize) -> usize {
    debug_assert!(index < BOUND, "index {index} where all are below {BOUND}");
    index % BOUND
}
