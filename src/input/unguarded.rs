//! A memory map on systems without SIGBUS.
//!
//! The same shape as `guard`, which it stands in for: there a mapped file cannot be truncated (Windows) or there are no
//! maps at all, so there is nothing to guard against.

#![forbid(unsafe_code)]
#![expect(clippy::unused_self, reason = "the shape is that of `guard`")]

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

    pub(super) fn was_hit(&self) -> bool {
        false
    }

    pub(super) fn give_back(&self, _: Range<usize>) {}
}

pub(super) fn change_time(_: &Metadata) -> (i64, i64) {
    (0, 0)
}
