//! The tokens of a batch by kind, and the keys of open objects that may become shapes: what the collectors share.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::TokenBatch;
use crate::input::change_point;
use crate::memory::Grow;
use crate::scalar::Shapes;
use std::ops::Range;

/// Receives tokens by their kinds. Commas and colons are not listed; they follow from the values around them.
pub(super) trait TokenVisitor {
    /// An object or an array begins.
    fn open(&mut self, is_object: bool) -> Result<(), OutOfMemory>;

    /// It ends.
    fn close(&mut self);

    /// A key or a string, whose raw text is in a range of `text`.
    fn string(&mut self, text: &[u8], range: Range<usize>) -> Result<(), OutOfMemory>;

    /// A number or literal at the start of `text`, with its first byte and its offset in the input.
    fn scalar(&mut self, first: u8, text: &[u8], offset: u64) -> Result<(), Error>;

    /// Receives the tokens of a batch.
    #[inline(always)]
    fn visit(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        let TokenBatch { offset, text, positions, .. } = batch;
        let ends = positions.iter().skip(1).map(|&next| next as usize).chain([text.len()]);
        for (&start, end) in positions.iter().zip(ends) {
            change_point();
            let start = start as usize;
            match text[start] {
                bracket @ (b'{' | b'[') => self.open(bracket == b'{')?,
                b'}' | b']' => self.close(),
                b'"' => {
                    let end = text[start..end].iter().rposition(|&byte| byte == b'"').unwrap_or_default() + start;
                    self.string(text, start + 1..end.max(start + 1))?;
                }
                first => self.scalar(first, &text[start..end], offset + start as u64)?,
            }
        }
        Ok(())
    }
}

/// The keys of open objects that may become shapes, without escapes.
#[derive(Default)]
pub(super) struct OpenKeys {
    text: Vec<u8>,
    /// The end of each key.
    ends: Vec<usize>,
}

impl OpenKeys {
    /// Returns the number of keys.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// Removes all but the first `count` keys.
    #[inline]
    pub(super) fn truncate(&mut self, count: usize) {
        self.text.truncate(self.start(count));
        self.ends.truncate(count);
    }

    /// Returns the keys from number `first` on.
    pub(super) fn since(&self, first: usize) -> impl ExactSizeIterator<Item = &[u8]> {
        (first..self.ends.len()).map(|number| &self.text[self.start(number)..self.ends[number]])
    }

    /// Adds a key without escapes to those of an object, which begin with number `first`. Returns false if the object has too many keys,
    /// or too long ones, to become a shape.
    pub(super) fn add(&mut self, first: usize, key: &[u8]) -> Result<bool, OutOfMemory> {
        let bytes = self.text.len() - self.start(first) + key.len();
        if bytes > Shapes::MAX_BYTES || self.ends.len() - first >= Shapes::MAX_KEYS {
            return Ok(false);
        }
        self.text.room(key.len(), OutOfMemory::Keys)?;
        self.text.extend_from_slice(key);
        self.ends.grow(self.text.len(), OutOfMemory::Keys)?;
        Ok(true)
    }

    /// Returns where a key begins.
    #[inline]
    fn start(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}
