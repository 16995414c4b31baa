//! A stack of the kinds of the open containers, one bit per level.
//!
//! Validation needs no other information about an open container. A hundred million open brackets take 12.5 MB, and there is no
//! recursion.

#![forbid(unsafe_code)]

use std::collections::TryReserveError;

/// For each open container, outermost first, whether it is an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    /// Level *i* is bit `i % 64` of word `i / 64`. Bits and words from `len` on are unspecified.
    words: Vec<u64>,
    len: u64,
}

impl Kinds {
    /// Creates an empty stack.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Creates a stack from the `len` lowest bits of `words`, lowest word first.
    ///
    /// # Panics
    /// If `words` has fewer bits.
    pub(crate) fn from_words(words: Vec<u64>, len: u64) -> Self {
        assert!(len <= 64 * words.len() as u64, "a bit for each level");
        Self { words, len }
    }

    /// Returns a copy, or an error if there is not enough memory.
    pub(crate) fn copied(&self) -> Result<Self, TryReserveError> {
        let mut words = Vec::new();
        words.try_reserve_exact(self.words.len())?;
        words.extend_from_slice(&self.words);
        Ok(Self { words, len: self.len })
    }

    /// Returns the number of open containers.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Opens a container, if there is memory for it.
    pub(crate) fn push(&mut self, object: bool) -> Result<(), TryReserveError> {
        let word = (self.len / 64) as usize;
        if word == self.words.len() {
            self.words.try_reserve(1)?;
            self.words.push(0);
        }
        let bit = self.len % 64;
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(object) << bit;
        self.len += 1;
        Ok(())
    }

    /// Opens `count` (at most 63) containers with the kinds in the low bits of `objects`. All other bits of `objects` must be 0.
    pub(crate) fn extend(&mut self, objects: u64, count: u32) -> Result<(), TryReserveError> {
        let (word, bit) = ((self.len / 64) as usize, self.len % 64);
        if self.words.len() < word + 2 {
            self.words.try_reserve(2)?;
            self.words.resize(word + 2, 0);
        }
        self.words[word] = self.words[word] & ((1 << bit) - 1) | objects << bit;
        self.words[word + 1] = objects >> 1 >> (63 - bit);
        self.len += u64::from(count);
        Ok(())
    }

    /// Returns the levels in pieces of 63 and a shorter last one, each as the bits and their number.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u64, u32)> {
        (0..self.len).step_by(63).map(|level| {
            let (word, bit) = ((level / 64) as usize, level % 64);
            let above = self.words.get(word + 1).copied().unwrap_or_default();
            let bits = self.words[word] >> bit | above << 1 << (63 - bit);
            let count = (self.len - level).min(63) as u32;
            (bits & ((1 << count) - 1), count)
        })
    }

    /// Closes the innermost container and returns whether it was an object; `None` if none was open.
    pub(crate) fn pop(&mut self) -> Option<bool> {
        let top = self.top()?;
        self.len -= 1;
        Some(top)
    }

    /// Returns whether the innermost container is an object; `None` if none is open.
    pub(crate) fn top(&self) -> Option<bool> {
        let top = self.len.checked_sub(1)?;
        Some(self.words[(top / 64) as usize] >> (top % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_stack() {
        let object = |level: u64| level.is_multiple_of(3);
        let mut kinds = Kinds::new();
        assert_eq!((kinds.top(), kinds.pop(), kinds.len()), (None, None, 0));
        for round in 0..2 {
            for level in 0..200 {
                kinds.push(object(level + round)).expect("there is memory");
                assert_eq!((kinds.top(), kinds.len()), (Some(object(level + round)), level + 1));
            }
            for level in (0..200).rev() {
                assert_eq!((kinds.pop(), kinds.len()), (Some(object(level + round)), level));
            }
        }
    }

    #[test]
    fn many_levels_at_once() {
        let object = |level: u64| level.is_multiple_of(3);
        let mut kinds = Kinds::new();
        for count in (0..=63).chain([63; 4]).chain([1; 70]) {
            let from = kinds.len();
            kinds
                .extend((0..count).map(|level| u64::from(object(from + u64::from(level))) << level).sum(), count)
                .expect("there is memory");
            assert_eq!(kinds.len(), from + u64::from(count));
        }
        let mut level = 0;
        for (bits, count) in kinds.pieces() {
            assert!(bits >> count == 0 && (count == 63 || level + u64::from(count) == kinds.len()));
            assert!((0..count).all(|bit| (bits >> bit & 1 == 1) == object(level + u64::from(bit))));
            level += u64::from(count);
        }
        assert_eq!(level, kinds.len());
        assert!((0..level).rev().all(|level| kinds.pop() == Some(object(level))));
    }

    #[test]
    fn comes_from_words() {
        let mut kinds = Kinds::from_words(vec![u64::MAX, 0b01], 66);
        assert_eq!([kinds.pop(), kinds.pop(), kinds.pop()], [Some(false), Some(true), Some(true)]);
        kinds.push(false).expect("there is memory");
        assert_eq!((kinds.top(), kinds.len()), (Some(false), 64));
    }
}
