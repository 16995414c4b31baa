//! Fallible allocation: everything that grows with the input reports which list ran out of memory.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;

/// Extension of [`Vec`] with fallible growth. `list` is the error to return if there is not enough memory.
pub(crate) trait Grow<T> {
    /// Appends an element.
    fn grow(&mut self, element: T, list: OutOfMemory) -> Result<(), OutOfMemory>;

    /// Reserves capacity for `count` more elements.
    fn room(&mut self, count: usize, list: OutOfMemory) -> Result<(), OutOfMemory>;
}

impl<T> Grow<T> for Vec<T> {
    #[inline(always)]
    fn grow(&mut self, element: T, list: OutOfMemory) -> Result<(), OutOfMemory> {
        self.room(1, list)?;
        self.push(element);
        Ok(())
    }

    #[inline(always)]
    fn room(&mut self, count: usize, list: OutOfMemory) -> Result<(), OutOfMemory> {
        if self.capacity() - self.len() < count { make_room(self, count, list) } else { Ok(()) }
    }
}

#[cold]
#[inline(never)]
fn make_room<T>(elements: &mut Vec<T>, count: usize, list: OutOfMemory) -> Result<(), OutOfMemory> {
    elements.try_reserve(count).map_err(|_| list)
}

/// Address space that is reserved while threads are started, so that they leave enough of it for the work itself.
///
/// It is a single allocation that is never touched. It temporarily takes address space but no physical memory.
#[cfg(any(feature = "compression", feature = "threads"))]
#[derive(Default)]
pub(crate) struct Reserve(Vec<u8>);

#[cfg(any(feature = "compression", feature = "threads"))]
impl Reserve {
    /// Bytes for the first thread. An allocation of this size is returned to the system as a whole when it is freed. 128 MiB of it
    /// are address space that the allocator of glibc takes for a moment when a thread first allocates.
    const FIRST: usize = 168 << 20;

    /// Bytes for each additional thread.
    const MORE: usize = 8 << 20;

    /// Reserves what one more thread needs. Returns false if there is not enough memory.
    pub(crate) fn add(&mut self) -> bool {
        let size = self.0.capacity().max(Self::FIRST) + Self::MORE;
        self.0.try_reserve_exact(size).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Grow;
    #[cfg(any(feature = "compression", feature = "threads"))]
    use super::Reserve;
    use crate::error::Error;
    use crate::error::ErrorKind;
    use crate::error::OutOfMemory;

    #[test]
    fn errors_say_which_list_was_too_large() {
        let failure = Vec::<u8>::new().room(usize::MAX, OutOfMemory::Matches).expect_err("too large");
        let error = Error::from(failure);
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::OutOfMemory, "out of memory: the list of matches")
        );
    }

    #[test]
    fn a_list_grows() {
        let mut list = Vec::new();
        assert!((0..100).all(|element| list.grow(element, OutOfMemory::Matches).is_ok()));
        assert!(list.into_iter().eq(0..100));
    }

    #[cfg(any(feature = "compression", feature = "threads"))]
    #[test]
    fn a_reserve_grows() {
        let mut reserve = Reserve::default();
        assert!(reserve.add() && reserve.add());
        assert!(reserve.0.capacity() >= Reserve::FIRST + 2 * Reserve::MORE);
    }
}
