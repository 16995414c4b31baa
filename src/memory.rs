//! Memory that may not be there: what grows with the input asks for it, and what was too large is named.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;

/// Lists that grow as long as there is memory.
pub(crate) trait Grow<T> {
    /// Appends an element; `list` says what it is that has to grow.
    fn grow(&mut self, element: T, list: OutOfMemory) -> Result<(), OutOfMemory>;

    /// Makes room for so many elements more.
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

/// Memory that is kept free while threads start, so that they leave what the work itself needs.
///
/// It is one piece that is never touched: it costs room in the address space for a moment, and no memory.
#[derive(Default)]
pub(crate) struct Reserve(Vec<u8>);

impl Reserve {
    /// What the first thread needs. With so much, the allocator gives the piece back to the system as a whole.
    const FIRST: usize = 40 << 20;

    /// What each of the others needs.
    const MORE: usize = 8 << 20;

    /// Keeps free what one more thread needs. False if there is not enough.
    pub(crate) fn add(&mut self) -> bool {
        let size = self.0.capacity().max(Self::FIRST) + Self::MORE;
        self.0.try_reserve_exact(size).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Grow;
    use super::Reserve;
    use crate::error::Error;
    use crate::error::ErrorKind;
    use crate::error::OutOfMemory;

    #[test]
    fn what_was_too_large_is_named() {
        let lack = Vec::<u8>::new().room(usize::MAX, OutOfMemory::Matches).expect_err("too large");
        let error = Error::from(lack);
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

    #[test]
    fn a_reserve_grows() {
        let mut reserve = Reserve::default();
        assert!(reserve.add() && reserve.add());
        assert!(reserve.0.capacity() >= Reserve::FIRST + 2 * Reserve::MORE);
    }
}
