//! Indexes that are below their bound by what their callers know, where a check would cost too much.

#![forbid(unsafe_code)]

/// The index, which is below `BOUND`. If it is not, that is a bug, and builds with debug assertions (tests, fuzz targets) stop;
/// others do not pay for the check, but they do not leave the array either.
#[inline(always)]
pub(super) fn bounded<const BOUND: usize>(index: usize) -> usize {
    debug_assert!(index < BOUND, "index {index} where all are below {BOUND}");
    index % BOUND
}
