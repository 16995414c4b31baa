//! A text that an error is explained with instead of that of the document.

#![forbid(unsafe_code)]

use crate::error::Position;
use crate::grammar::OpenContainers;

/// A text in place of that of a document before a fault: errors in it have been repaired, or only what is needed of it was kept.
#[derive(Default)]
pub(crate) struct Substitute {
    /// The text up to the fault, and a few bytes after it.
    pub(super) text: Vec<u8>,
    /// Length of the text up to the fault.
    pub(super) length: usize,
    /// Indexes in the text whose places in the document are known, in order.
    pub(super) known: Vec<Known>,
    /// The containers that are open after the first bytes of the text, and the number of these bytes.
    pub(super) open: OpenContainers,
    pub(super) read: usize,
}

/// An index in a substitute, and its place in the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) index: usize,
    /// Offset in the document.
    pub(super) offset: u64,
    /// Line and column, if they can no longer be counted.
    pub(super) position: Option<Position>,
}

impl Substitute {
    /// Returns the offset in the document of an index in the text, and its line and column if they can no longer be counted.
    pub(super) fn place(&self, index: usize) -> (u64, Option<Position>) {
        place(&self.known, index)
    }
}

/// Returns the offset in the document of an index in a text, and its line and column if these are known.
pub(super) fn place(known: &[Known], index: usize) -> (u64, Option<Position>) {
    let before = known.partition_point(|known| known.index <= index).checked_sub(1);
    let Some(known) = before.map(|before| known[before]) else { return (index as u64, None) };
    (known.offset + (index - known.index) as u64, known.position.filter(|_| known.index == index))
}
