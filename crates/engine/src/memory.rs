//! Fallible allocation: everything that grows with the input reports which list ran out of memory.

#![forbid(unsafe_code)]

#[cfg(any(feature = "compression", feature = "threads"))]
mod threads;

use crate::error::OutOfMemory;
#[cfg(feature = "compression")]
pub(crate) use threads::Begin;
#[cfg(any(feature = "compression", feature = "threads"))]
pub(crate) use threads::ThreadStarter;

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

#[cfg(test)]
mod tests {
    use super::Grow;
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
}
