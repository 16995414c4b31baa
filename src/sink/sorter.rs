//! Sorts the members of objects by key: takes validated text in its final layout and writes the same bytes in a different order.
//!
//! Members are moved as they are, including everything nested in them, and the separator between members is the same everywhere in
//! an object. So the sorter only needs to know where keys are, which the masks show. Text that is already in order is written
//! unchanged. An object is held until the outermost object around it is closed; arrays around it are not held. Moves are recorded
//! and carried out when the text is written, so that text in nested objects is copied once instead of once per level.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::TryReserveError;
use std::io;
use std::ops::Range;

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::scalar::compare_keys;
use crate::scalar::compare_keys_utf16;
use crate::scalar::has_escapes;

/// Flag of a mark: the position is a value after a key.
pub(crate) const VALUE: u64 = 1 << 63;

/// Number of members that the standard library sorts without a buffer (by insertion).
const UNBUFFERED: usize = 20;

/// Number of bytes of small pieces that are collected before they are written.
const PIECE: usize = 64 * 1024;

/// The order of the members, and parameters of sorting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Whether keys are compared by UTF-16 code units instead of code points.
    pub(crate) by_units: bool,
    /// Number of bytes by which a member is indented deeper than the closing bracket of its object.
    pub(crate) unit: u64,
    /// Greatest number of bytes of memory that may be held.
    pub(crate) limit: u64,
}

/// A closed object whose members must be moved.
struct Node {
    /// Start of its first member.
    start: u64,
    /// End of its last member.
    end: u64,
    /// Its members in their new order, as a range of `Sorter::slots`.
    slots: Range<usize>,
    /// Text between two members.
    separator: Range<u64>,
}

/// A member of an open object.
struct Member {
    start: u64,
    /// Correct only after the object has been closed.
    end: u64,
    /// End of the text of the key, without the quote.
    key_end: u64,
    /// Whether the key has escapes.
    escapes: bool,
}

/// An open object.
struct Open {
    /// Position of its bracket.
    start: u64,
    /// Index in `members` of its first member.
    first: usize,
    is_sorted: bool,
}

/// A part of the output that is yet to be written.
enum Task {
    /// A range of text. The first node that may be in it is `node`.
    Span { start: u64, end: u64, node: usize },
    /// The members of a node, from the slot `next` on.
    Slots { node: usize, next: usize },
}

/// Sorts text before it is written. Positions count from the start of all text.
pub(crate) struct Sorter {
    order: Order,
    /// Text that has not been written yet.
    text: Vec<u8>,
    /// Position of the first byte of `text`.
    base: u64,
    /// Marks of the text that is added next, relative to its start.
    marks: Vec<u64>,
    /// Whether there was not enough memory for marks.
    exhausted: bool,
    /// Position of an opening bracket that was the last byte, so that it is not known yet whether its object is empty.
    pending: Option<u64>,
    /// Position of the last string that may be a key.
    key: u64,
    open: Vec<Open>,
    members: Vec<Member>,
    nodes: Vec<Node>,
    /// Members in their new order, for all nodes.
    slots: Vec<Range<u64>>,
    /// Numbers of nodes and slots when the outermost open object began.
    before: (usize, usize),
    /// Memory for the parts of the output that are yet to be written.
    tasks: Vec<Task>,
    /// Small pieces that are collected.
    pieces: Vec<u8>,
}

/// Why text cannot be sorted.
pub(crate) enum Failure {
    /// Holding an object takes more memory than this number of bytes.
    Limit(u64),
    Io(io::Error),
    /// The text and its marks do not match: the input changed between two passes.
    Change,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Self {
        Self::Io(io::ErrorKind::OutOfMemory.into())
    }
}

impl Sorter {
    /// Bound of the memory for one byte of input, in records of which at most 16 bytes are written for each byte. A member of five
    /// bytes (`"":0,`) takes 40 bytes in `members` and 16 in `slots`, an object of two 24 in `open` and 64 in `nodes`.
    pub(crate) const MAX_COST_PER_BYTE: u64 = 64;

    pub(crate) fn new(order: Order) -> Self {
        Self {
            order,
            text: Vec::new(),
            base: 0,
            marks: Vec::new(),
            exhausted: false,
            pending: None,
            key: 0,
            open: Vec::new(),
            members: Vec::new(),
            nodes: Vec::new(),
            slots: Vec::new(),
            before: (0, 0),
            tasks: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Marks a position of the text that is added next: a bracket of an object, a value after a key or the root value (both with
    /// [`VALUE`]), or any other string. Marks of the brackets of an empty object are optional.
    #[inline(always)]
    pub(crate) fn mark(&mut self, place: u64) {
        self.exhausted |= self.marks.grow(place, OutOfMemory::Output).is_err();
    }

    /// Discards the marks.
    pub(crate) fn discard(&mut self) {
        self.marks.clear();
    }

    /// Returns the number of bytes that are held.
    pub(crate) fn held(&self) -> usize {
        self.text.len() + self.pieces.len()
    }

    /// Writes the collected pieces. Returns the number of bytes that `write` reports.
    pub(crate) fn flush(&mut self, write: Write<'_>) -> Result<u64, Failure> {
        let mut out = Pieces { text: &[], base: 0, small: &mut self.pieces, write, written: 0 };
        out.flush()?;
        Ok(out.written)
    }

    /// Adds text and writes or collects what need not be held. Returns the number of bytes that `write` reports.
    pub(crate) fn take(&mut self, text: &[u8], write: Write<'_>) -> Result<u64, Failure> {
        let start = self.end();
        if self.exhausted {
            return Err(Failure::Io(io::ErrorKind::OutOfMemory.into()));
        }
        self.text.try_reserve(text.len())?;
        self.text.extend_from_slice(text);
        let mut marks = std::mem::take(&mut self.marks);
        if let Some(pending) = self.pending.take() {
            self.process(pending)?;
        }
        for &mark in &marks {
            self.process(mark + start)?;
        }
        marks.clear();
        self.marks = marks;
        self.check_cost(self.end())?;
        self.write_ready(write)
    }

    fn end(&self) -> u64 {
        self.base + self.text.len() as u64
    }

    fn text(&self, start: u64, end: u64) -> Result<&[u8], Failure> {
        text_at(&self.text, self.base, start..end)
    }

    /// Returns the byte at a position, or `None` if it is not in memory.
    fn byte(&self, place: u64) -> Option<u8> {
        self.text.get(index(place.wrapping_sub(self.base))).copied()
    }

    /// Returns an error if the outermost open object takes too much memory when the text reaches `place`. The cost depends only on
    /// the text, not on how it is split into pieces.
    fn check_cost(&self, place: u64) -> Result<(), Failure> {
        let Some(outermost) = self.open.first() else { return Ok(()) };
        let lists = size_of_val(&self.open[..])
            + size_of_val(&self.members[..])
            + size_of_val(&self.nodes[self.before.0..])
            + size_of_val(&self.slots[self.before.1..]);
        let cost = place - outermost.start + lists as u64;
        if cost > self.order.limit { Err(Failure::Limit(self.order.limit)) } else { Ok(()) }
    }

    /// Processes a mark.
    #[inline]
    fn process(&mut self, mark: u64) -> Result<(), Failure> {
        let place = mark & !VALUE;
        // The root value has the flag of a value after a key, but is not in an object.
        if mark & VALUE != 0 && !self.open.is_empty() {
            self.add_member(place)?;
        }
        match self.byte(place) {
            Some(b'{') => match self.byte(place + 1) {
                None => self.pending = Some(place),
                Some(b'}') => {}
                Some(_) => {
                    if self.open.is_empty() {
                        self.before = (self.nodes.len(), self.slots.len());
                    }
                    self.open.try_reserve(1)?;
                    self.open.push(Open { start: place, first: self.members.len(), is_sorted: true });
                }
            },
            Some(b'}') if self.byte(place.wrapping_sub(1)) != Some(b'{') => self.close(place)?,
            Some(b'"') if mark & VALUE == 0 => self.key = place,
            _ => {}
        }
        Ok(())
    }

    /// Adds a member whose value begins at `value`. The last string was its key.
    fn add_member(&mut self, value: u64) -> Result<(), Failure> {
        let start = self.key;
        // Length of the closing quote, the colon and possibly a space.
        let distance = if self.byte(value.wrapping_sub(1)) == Some(b' ') { 3 } else { 2 };
        let key_end = value.saturating_sub(distance);
        let key = self.text(start + 1, key_end)?;
        let member = Member { start, end: value, key_end, escapes: has_escapes(key) };
        let first = self.open.last().map_or(0, |object| object.first);
        let previous = self.members.get(first..).and_then(|members| members.last());
        let is_sorted = previous.is_none_or(|previous| {
            compare(&self.text, self.base, self.order.by_units, previous, &member) != Ordering::Greater
        });
        if let Some(object) = self.open.last_mut() {
            object.is_sorted &= is_sorted;
        }
        self.members.try_reserve(1)?;
        self.members.push(member);
        self.check_cost(value)
    }

    /// Closes the innermost object.
    fn close(&mut self, bracket: u64) -> Result<(), Failure> {
        self.check_cost(bracket)?;
        let Some(object) = self.open.pop() else { return Ok(()) };
        if !object.is_sorted {
            self.record_moves(&object, bracket)?;
        }
        self.members.truncate(object.first);
        Ok(())
    }

    /// Sorts the members of an object and records how they must be moved.
    fn record_moves(&mut self, object: &Open, bracket: u64) -> Result<(), Failure> {
        let members = &mut self.members[object.first..];
        let [first, second, ..] = members else { return Ok(()) };
        let start = first.start;
        // These checks ensure that the first member begins after the bracket and each member ends after its key, so that members do
        // not overlap even if the input changed.
        let gap = start.checked_sub(object.start + 1).ok_or(Failure::Change)?;
        let separator = second.start.checked_sub(gap + 1).ok_or(Failure::Change)?..second.start;
        let end = bracket - gap.saturating_sub(self.order.unit).min(bracket);
        let mut next = end + gap + 1;
        for member in members.iter_mut().rev() {
            member.end = next.checked_sub(gap + 1).filter(|&end| end > member.key_end).ok_or(Failure::Change)?;
            next = member.start;
        }
        // `sort_by` aborts if it cannot allocate its buffer, which is not larger than this. It needs none for few members.
        if members.len() > UNBUFFERED {
            Vec::<Member>::new().try_reserve_exact(members.len())?;
        }
        // The sort is stable, so members with the same key keep their order.
        members.sort_by(|left, right| compare(&self.text, self.base, self.order.by_units, left, right));
        self.slots.try_reserve(members.len())?;
        let from = self.slots.len();
        self.slots.extend(members.iter().map(|member| member.start..member.end));
        self.nodes.try_reserve(1)?;
        self.nodes.push(Node { start, end, slots: from..self.slots.len(), separator });
        Ok(())
    }

    /// Writes the text before the outermost open object.
    fn write_ready(&mut self, write: Write<'_>) -> Result<u64, Failure> {
        let open = self.open.first().map(|object| object.start);
        let limit = open.or(self.pending).unwrap_or(self.end());
        if limit == self.base {
            return Ok(0);
        }
        if self.open.is_empty() {
            self.before = (self.nodes.len(), self.slots.len());
        }
        let (nodes, slots) = self.before;
        let written = if nodes == 0 {
            let Self { text, base, pieces, .. } = self;
            let mut out = Pieces { text, base: *base, small: pieces, write, written: 0 };
            out.push(*base..limit)?;
            out.written
        } else {
            self.write_moved(limit, write)?
        };
        self.nodes.drain(..nodes);
        self.slots.drain(..slots);
        for node in &mut self.nodes {
            node.slots = node.slots.start - slots..node.slots.end - slots;
        }
        self.before = (0, 0);
        self.text.drain(..index(limit - self.base));
        self.base = limit;
        Ok(written)
    }

    /// Writes the text up to `limit` and moves the members of all nodes in it. Not recursive, so that memory is the only limit of
    /// the nesting depth.
    fn write_moved(&mut self, limit: u64, write: Write<'_>) -> Result<u64, Failure> {
        let Self { text, base, nodes, slots, before, tasks, pieces, .. } = self;
        tasks.try_reserve(1)?;
        let nodes = &mut nodes[..before.0];
        nodes.sort_unstable_by_key(|node| node.start);
        let mut out = Pieces { text, base: *base, small: pieces, write, written: 0 };
        tasks.clear();
        tasks.push(Task::Span { start: *base, end: limit, node: 0 });
        while let Some(task) = tasks.pop() {
            match task {
                Task::Span { start, end, node } => match nodes.get(node).filter(|found| found.start < end) {
                    None => out.push(start..end)?,
                    Some(found) => {
                        out.push(start..found.start)?;
                        tasks.try_reserve(2)?;
                        let after = first_from(nodes, node + 1, found.end);
                        tasks.push(Task::Span { start: found.end, end, node: after });
                        tasks.push(Task::Slots { node, next: found.slots.start });
                    }
                },
                Task::Slots { node, mut next } => {
                    let Node { slots: all, separator, .. } = &nodes[node];
                    while let Some(slot) = slots[..all.end].get(next) {
                        if next > all.start {
                            out.push(separator.clone())?;
                        }
                        next += 1;
                        let inner = first_from(nodes, node + 1, slot.start);
                        if nodes.get(inner).is_some_and(|inner| inner.start < slot.end) {
                            tasks.try_reserve(2)?;
                            tasks.push(Task::Slots { node, next });
                            tasks.push(Task::Span { start: slot.start, end: slot.end, node: inner });
                            break;
                        }
                        out.push(slot.clone())?;
                    }
                }
            }
        }
        Ok(out.written)
    }
}

/// Writes bytes and returns how many were written, which is more if they are escaped.
pub(crate) type Write<'w> = &'w mut dyn FnMut(&[u8]) -> io::Result<u64>;

/// Compares the keys of two members.
#[inline]
fn compare(text: &[u8], base: u64, by_units: bool, left: &Member, right: &Member) -> Ordering {
    // `add_member` has checked that the keys are in the text.
    let [left_key, right_key] =
        [left, right].map(|member| text_at(text, base, member.start + 1..member.key_end).unwrap_or_default());
    if by_units {
        compare_keys_utf16(left_key, right_key)
    } else if left.escapes || right.escapes {
        compare_keys(left_key, right_key)
    } else {
        left_key.cmp(right_key)
    }
}

/// Returns the index of the first node from `node` on that begins at or after `place`.
fn first_from(nodes: &[Node], node: usize, place: u64) -> usize {
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
fn text_at(text: &[u8], base: u64, range: Range<u64>) -> Result<&[u8], Failure> {
    let range = index(range.start.wrapping_sub(base))..index(range.end.wrapping_sub(base));
    text.get(range).ok_or(Failure::Change)
}

/// Converts a distance in text that is in memory to an index.
#[expect(clippy::cast_possible_truncation, reason = "text in memory is shorter than the address space")]
#[inline]
fn index(distance: u64) -> usize {
    distance as usize
}

/// Writes pieces of text and collects small ones.
struct Pieces<'p, 'w> {
    text: &'p [u8],
    base: u64,
    small: &'p mut Vec<u8>,
    write: Write<'w>,
    written: u64,
}

impl Pieces<'_, '_> {
    #[inline]
    fn push(&mut self, range: Range<u64>) -> Result<(), Failure> {
        let piece = text_at(self.text, self.base, range)?;
        if self.small.len() + piece.len() > PIECE {
            self.flush()?;
        }
        if piece.len() > PIECE {
            self.written += (self.write)(piece)?;
        } else {
            self.small.extend_from_slice(piece);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.written += (self.write)(self.small)?;
        self.small.clear();
        Ok(())
    }
}
