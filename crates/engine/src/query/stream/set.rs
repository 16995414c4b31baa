//! Sets of segments of a query, as bit masks.

#![forbid(unsafe_code)]

use crate::query::stream::bounds::bounded;

/// Maximum number of segments a set can hold.
pub(super) const MAX_SEGMENTS: usize = 32;

/// A set of segments. Bit *i* stands for segment *i*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(u32);

impl Set {
    /// Returns the set of the elements of `list` for which `is_in` is true.
    pub(super) fn of<T>(list: &[T], is_in: impl Fn(&T) -> bool) -> Self {
        let mut set = Self::default();
        for (index, one) in list.iter().enumerate().take(MAX_SEGMENTS) {
            if is_in(one) {
                set.add(index);
            }
        }
        set
    }

    /// Returns the set with only this element, which is below [`MAX_SEGMENTS`].
    #[inline(always)]
    pub(super) fn single(index: usize) -> Self {
        Self(1 << index)
    }

    /// Returns the intersection.
    #[inline(always)]
    pub(super) fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the elements that are not in `other`.
    #[inline(always)]
    pub(super) fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether it has exactly one element.
    #[inline(always)]
    pub(super) fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// Adds `index`, which is below [`MAX_SEGMENTS`].
    #[inline(always)]
    pub(super) fn add(&mut self, index: usize) {
        self.0 |= 1 << index;
    }
}

impl IntoIterator for Set {
    type Item = usize;
    type IntoIter = Iter;

    #[inline(always)]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

/// An iterator over a set, in ascending order.
pub(super) struct Iter(u32);

impl Iterator for Iter {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let index = self.0.trailing_zeros() as usize;
        let any = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        if any { Some(bounded::<MAX_SEGMENTS>(index)) } else { None }
    }
}
