//! Writes text whose objects are moved: the second half of sorting.
//!
//! Text in nested objects is copied once, and small pieces are collected.

#![forbid(unsafe_code)]

use std::io;
use std::ops::Range;

use super::Failure;

/// Number of bytes of small pieces that are collected before they are written.
const PIECE: usize = 64 * 1024;

/// Number of bytes that are copied at once, even for a shorter piece: faster than a call that copies the exact number.
const COPY: usize = 64;

/// An object whose members must be moved. Until it is closed, and if it turns out to be in order, it has no slots.
pub(super) struct MovedObject {
    /// Start of its first member.
    pub(super) start: u64,
    /// End of its last member.
    pub(super) end: u64,
    /// Its members in their new order, as a range of the sorter's slots.
    pub(super) slots: Range<usize>,
    /// Text between two members.
    pub(super) separator: Range<u64>,
}

/// A part of the output that is yet to be written.
pub(super) enum Task {
    /// A range of text. The first node that may be in it is `node`.
    Span { start: u64, end: u64, node: usize },
    /// The members of a node, from the slot `next` on.
    Slots { node: usize, next: usize },
}

/// Writes bytes and returns how many were written, which is more if they are escaped.
pub(crate) type Write<'w> = &'w mut dyn FnMut(&[u8]) -> io::Result<u64>;

/// Writes pieces of text and collects small ones.
pub(super) struct Pieces<'p, 'w> {
    text: &'p [u8],
    base: u64,
    small: &'p mut Vec<u8>,
    write: Write<'w>,
    written: u64,
}

impl<'p, 'w> Pieces<'p, 'w> {
    /// Creates a writer of pieces of `text`, which begins at position `base`. Those that are collected are in `small`.
    pub(super) fn new(text: &'p [u8], base: u64, small: &'p mut Vec<u8>, write: Write<'w>) -> Self {
        Self { text, base, small, write, written: 0 }
    }

    /// Returns the number of bytes that `write` has reported.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    #[inline]
    pub(super) fn push(&mut self, range: Range<u64>) -> Result<(), Failure> {
        let start = index(range.start.wrapping_sub(self.base));
        let piece = text_at(self.text, self.base, range)?;
        if self.small.len() + piece.len() > PIECE {
            self.flush()?;
        }
        if piece.len() <= COPY
            && let Some(bytes) = self.text[start..].first_chunk::<COPY>()
        {
            let length = self.small.len() + piece.len();
            self.small.extend_from_slice(bytes);
            self.small.truncate(length);
            return Ok(());
        }
        if piece.len() > PIECE {
            self.written += (self.write)(piece)?;
        } else {
            self.small.extend_from_slice(piece);
        }
        Ok(())
    }

    /// Writes a range of text and moves the members of all nodes in it. Not recursive, so that memory is the only limit of the
    /// nesting depth. `tasks` is reused memory.
    pub(super) fn push_moved(
        &mut self,
        range: Range<u64>,
        nodes: &[MovedObject],
        slots: &[Range<u64>],
        tasks: &mut Vec<Task>,
    ) -> Result<(), Failure> {
        tasks.try_reserve(1)?;
        tasks.clear();
        tasks.push(Task::Span { start: range.start, end: range.end, node: 0 });
        while let Some(task) = tasks.pop() {
            match task {
                Task::Span { start, end, mut node } => {
                    while nodes.get(node).is_some_and(|found| found.start < end && found.slots.is_empty()) {
                        node += 1;
                    }
                    match nodes.get(node).filter(|found| found.start < end) {
                        None => self.push(start..end)?,
                        Some(found) => {
                            self.push(start..found.start)?;
                            tasks.try_reserve(2)?;
                            // mutant: let after = node + 1;
                            let after = first_from(nodes, node + 1, found.end);
                            tasks.push(Task::Span { start: found.end, end, node: after });
                            tasks.push(Task::Slots { node, next: found.slots.start });
                        }
                    }
                }
                Task::Slots { node, mut next } => {
                    let MovedObject { slots: all, separator, .. } = &nodes[node];
                    while let Some(slot) = slots[..all.end].get(next) {
                        if next > all.start {
                            self.push(separator.clone())?;
                        }
                        next += 1;
                        let inner = first_from(nodes, node + 1, slot.start);
                        if nodes.get(inner).is_some_and(|inner| inner.start < slot.end) {
                            tasks.try_reserve(2)?;
                            tasks.push(Task::Slots { node, next });
                            tasks.push(Task::Span { start: slot.start, end: slot.end, node: inner });
                            break;
                        }
                        self.push(slot.clone())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the pieces that have been collected.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.written += (self.write)(self.small)?;
        self.small.clear();
        Ok(())
    }
}

/// Returns the index of the first node from `node` on that begins at or after `place`.
fn first_from(nodes: &[MovedObject], node: usize, place: u64) -> usize {
    match nodes.get(node) {
        // Most nodes contain few others, so the search begins with short steps.
        Some(next) if next.start < place => {
            let mut step = 1;
            while nodes.get(node + step).is_some_and(|node| node.start < place) {
                step *= 2;
            }
            let range = &nodes[node + step / 2..nodes.len().min(node + step)];
            node + step / 2 + range.partition_point(|node| node.start < place)
        }
        _ => node,
    }
}

/// Returns the bytes at `range` of text that begins at `base`.
#[inline]
pub(super) fn text_at(text: &[u8], base: u64, range: Range<u64>) -> Result<&[u8], Failure> {
    let range = index(range.start.wrapping_sub(base))..index(range.end.wrapping_sub(base));
    text.get(range).ok_or(Failure::Change)
}

/// Converts a distance in text that is in memory to an index.
#[expect(clippy::cast_possible_truncation, reason = "text in memory is shorter than the address space")]
#[inline]
pub(super) fn index(distance: u64) -> usize {
    distance as usize
}
