//! The kinds of the open containers: a stack of one bit per level.
//!
//! Nothing else about an open container has to be remembered to check a document, so a hundred million open brackets
//! take 12.5 MB and there is no recursion anywhere.

#![forbid(unsafe_code)]

/// For each open container, outermost first, whether it is an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds {
    /// Level *i* is bit `i % 64` of word `i / 64`; bits and words from `len` on mean nothing.
    words: Vec<u64>,
    len: u64,
}

impl Kinds {
    /// No container is open.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The `len` lowest bits of `words`, lowest word first.
    ///
    /// # Panics
    /// If `words` has fewer bits.
    pub(crate) fn from_words(words: Vec<u64>, len: u64) -> Self {
        assert!(len <= 64 * words.len() as u64, "a bit for each level");
        Self { words, len }
    }

    /// How many containers are open.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Opens a container.
    pub(crate) fn push(&mut self, object: bool) {
        let word = (self.len / 64) as usize;
        if word == self.words.len() {
            self.words.push(0);
        }
        let bit = self.len % 64;
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(object) << bit;
        self.len += 1;
    }

    /// Closes the innermost container and returns what it was.
    pub(crate) fn pop(&mut self) -> Option<bool> {
        let top = self.top()?;
        self.len -= 1;
        Some(top)
    }

    /// Whether the innermost container is an object; `None` if none is open.
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
                kinds.push(object(level + round));
                assert_eq!((kinds.top(), kinds.len()), (Some(object(level + round)), level + 1));
            }
            for level in (0..200).rev() {
                assert_eq!((kinds.pop(), kinds.len()), (Some(object(level + round)), level));
            }
        }
    }

    #[test]
    fn comes_from_words() {
        let mut kinds = Kinds::from_words(vec![u64::MAX, 0b01], 66);
        assert_eq!([kinds.pop(), kinds.pop(), kinds.pop()], [Some(false), Some(true), Some(true)]);
        kinds.push(false);
        assert_eq!((kinds.top(), kinds.len()), (Some(false), 64));
    }
}
