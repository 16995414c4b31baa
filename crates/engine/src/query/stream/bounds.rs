//! Array indexes that are in bounds by construction, where a checked access would be too slow.

#![forbid(unsafe_code)]

/// Returns `index`, which the caller knows to be below `BOUND`.
///
/// A larger index is a bug, and panics rather than give a wrong result. The compiler then needs no other check of the bounds.
#[inline(always)]
pub(super) fn bounded<const BOUND: usize>(index: usize) -> usize {
    if index >= BOUND {
        out_of_bounds(index, BOUND);
    }
    index
}

#[cold]
#[inline(never)]
fn out_of_bounds(index: usize, bound: usize) -> ! {
    panic!("index {index} where all are below {bound}")
}

#[cfg(test)]
mod tests {
    use super::bounded;

    #[test]
    fn an_index_below_the_bound_is_unchanged() {
        assert_eq!([bounded::<3>(0), bounded::<3>(2)], [0, 2]);
    }

    #[test]
    #[should_panic = "index 3 where all are below 3"]
    fn another_index_is_not_used() {
        bounded::<3>(3);
    }
}
