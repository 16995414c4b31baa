//! Replacement for `guard` on systems without SIGBUS, with the same interface.
//!
//! On these systems a mapped file cannot be truncated (Windows) or there is no memory mapping at all, so no guard is needed.

#![forbid(unsafe_code)]
#![expect(clippy::unused_self, reason = "the interface is that of `guard`")]

use memmap2::Mmap;

use std::fs::Metadata;
use std::ops::Range;

pub(super) struct Guarded(Mmap);

impl Guarded {
    pub(super) fn new(map: Mmap) -> Self {
        Self(map)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn has_faulted(&self) -> bool {
        false
    }

    pub(super) fn release(&self, _: Range<usize>) {}
}

pub(super) fn change_time(_: &Metadata) -> (i64, i64) {
    (0, 0)
}
