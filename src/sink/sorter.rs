//! Objects with their members in the order of their names: proven text in its final layout goes in, and comes out with the
//! same bytes in another order.
//!
//! A member moves as it stands, with all that is in it, and what separates members is the same everywhere in an object. So only
//! the places of names have to be known, which the masks tell, and text in which all is in order already is passed on as it
//! is. An object is held until the outermost one around it is closed; arrays around it are not held. Moves are noted and done
//! when the text goes out, so that text in objects in objects is copied once and not once for each of them.

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

/// Set in a mark that is a value behind a name.
pub(crate) const VALUE: u64 = 1 << 63;

/// Bytes of small pieces that are gathered before they are written.
const PIECE: usize = 64 * 1024;

/// What is to be sorted, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Whether names are compared by UTF-16 code units, and not by code points.
    pub(crate) by_units: bool,
    /// How much deeper a member is indented than the bracket that closes its object.
    pub(crate) unit: u64,
    /// The most memory that may be held.
    pub(crate) limit: u64,
}

/// An object that was closed and has members to be moved.
struct Node {
    /// Where its first member begins and its last one ends.
    start: u64,
    end: u64,
    /// Its members in their new order.
    slots: Range<usize>,
    /// What stands between two members.
    separator: Range<u64>,
}

/// A member of an object that is open.
struct Member {
    start: u64,
    /// Known when the object is closed.
    end: u64,
    /// Where the text of its name ends.
    name_end: u64,
    escapes: bool,
}

/// An object that is open.
struct Open {
    /// Where its bracket is.
    start: u64,
    /// Its first member among `members`.
    first: usize,
    is_sorted: bool,
}

/// What is still to be written.
enum Task {
    /// Text in which the nodes from `node` on may lie.
    Span { start: u64, end: u64, node: usize },
    /// The members of a node from this slot on.
    Slots { node: usize, next: usize },
}

/// Text that is sorted on its way out. Places are counted from the start of all text.
pub(crate) struct Sorter {
    order: Order,
    text: Vec<u8>,
    /// Where `text` begins.
    base: u64,
    /// What the text that is taken next has been marked with, counted from its start.
    marks: Vec<u64>,
    /// Whether there was no memory for marks.
    exhausted: bool,
    /// An opening bracket that was the last byte: perhaps its object is empty.
    pending: Option<u64>,
    /// The last string that may be a name.
    name: u64,
    open: Vec<Open>,
    members: Vec<Member>,
    nodes: Vec<Node>,
    slots: Vec<Range<u64>>,
    /// Nodes and slots that were there when the outermost open object began.
    before: (usize, usize),
    pieces: Vec<u8>,
}

/// Why text cannot be sorted.
pub(crate) enum Failure {
    /// An object that must be held takes more memory than this.
    Limit(u64),
    Io(io::Error),
    /// The text and its marks do not belong together: the input has changed between two readings.
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
    pub(crate) fn new(order: Order) -> Self {
        Self {
            order,
            text: Vec::new(),
            base: 0,
            marks: Vec::new(),
            exhausted: false,
            pending: None,
            name: 0,
            open: Vec::new(),
            members: Vec::new(),
            nodes: Vec::new(),
            slots: Vec::new(),
            before: (0, 0),
            pieces: Vec::new(),
        }
    }

    /// Marks a place of the text that is taken next: a bracket of an object, a value behind a name, or the root
    /// (with [`VALUE`]), or any other string. Brackets of an object that is empty may be left out or not.
    #[inline(always)]
    pub(crate) fn mark(&mut self, place: u64) {
        self.exhausted |= self.marks.grow(place, OutOfMemory::Output).is_err();
    }

    /// Forgets the marks.
    pub(crate) fn discard(&mut self) {
        self.marks.clear();
    }

    /// How much text is held.
    pub(crate) fn held(&self) -> usize {
        self.text.len() + self.pieces.len()
    }

    /// Writes what is gathered. Returns how many bytes the writer says it were.
    pub(crate) fn flush(&mut self, write: Write<'_>) -> Result<u64, Failure> {
        let mut out = Pieces { text: &[], base: 0, small: &mut self.pieces, write, written: 0 };
        out.flush()?;
        Ok(out.written)
    }

    /// Takes text and writes what need not be held, or gathers it. Returns how many bytes the writer says it were.
    pub(crate) fn take(&mut self, text: &[u8], write: Write<'_>) -> Result<u64, Failure> {
        let start = self.end();
        if self.exhausted {
            return Err(Failure::Io(io::ErrorKind::OutOfMemory.into()));
        }
        self.text.try_reserve(text.len())?;
        self.text.extend_from_slice(text);
        let mut marks = std::mem::take(&mut self.marks);
        if let Some(pending) = self.pending.take() {
            self.meet(pending)?;
        }
        for &mark in &marks {
            self.meet(mark + start)?;
        }
        marks.clear();
        self.marks = marks;
        self.check_cost(self.end())?;
        self.pass_on(write)
    }

    fn end(&self) -> u64 {
        self.base + self.text.len() as u64
    }

    fn text(&self, start: u64, end: u64) -> Result<&[u8], Failure> {
        text_at(&self.text, self.base, start..end)
    }

    /// The byte at a place; nothing outside of the text.
    fn byte(&self, place: u64) -> Option<u8> {
        self.text.get(index(place.wrapping_sub(self.base))).copied()
    }

    /// Refuses an outermost object that takes too much memory at `place`. What is counted depends on the text alone, and not on
    /// the pieces it comes in.
    fn check_cost(&self, place: u64) -> Result<(), Failure> {
        let Some(outermost) = self.open.first() else { return Ok(()) };
        let lists = size_of_val(&self.open[..])
            + size_of_val(&self.members[..])
            + size_of_val(&self.nodes[self.before.0..])
            + size_of_val(&self.slots[self.before.1..]);
        let cost = place - outermost.start + lists as u64;
        if cost > self.order.limit { Err(Failure::Limit(self.order.limit)) } else { Ok(()) }
    }

    /// Takes note of a mark.
    #[inline]
    fn meet(&mut self, mark: u64) -> Result<(), Failure> {
        let place = mark & !VALUE;
        // The root is laid out like a value behind a name, but there is no object around it.
        if mark & VALUE != 0 && !self.open.is_empty() {
            self.member(place)?;
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
            Some(b'"') if mark & VALUE == 0 => self.name = place,
            _ => {}
        }
        Ok(())
    }

    /// A value begins, and the last string was its name.
    fn member(&mut self, value: u64) -> Result<(), Failure> {
        let start = self.name;
        // Behind the quote at the end stand a colon and perhaps a space.
        let behind = if self.byte(value.wrapping_sub(1)) == Some(b' ') { 3 } else { 2 };
        let name_end = value.saturating_sub(behind);
        let name = self.text(start + 1, name_end)?;
        let member = Member { start, end: value, name_end, escapes: has_escapes(name) };
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

    /// The innermost object is closed.
    fn close(&mut self, bracket: u64) -> Result<(), Failure> {
        self.check_cost(bracket)?;
        let Some(object) = self.open.pop() else { return Ok(()) };
        if !object.is_sorted {
            self.note(&object, bracket)?;
        }
        self.members.truncate(object.first);
        Ok(())
    }

    /// Takes note of how the members of an object are to be moved.
    fn note(&mut self, object: &Open, bracket: u64) -> Result<(), Failure> {
        let members = &mut self.members[object.first..];
        let [first, second, ..] = members else { return Ok(()) };
        let start = first.start;
        // The first member begins behind the bracket, and each ends behind its name: so the members lie behind each other.
        let gap = start.checked_sub(object.start + 1).ok_or(Failure::Change)?;
        let separator = second.start.checked_sub(gap + 1).ok_or(Failure::Change)?..second.start;
        let end = bracket - gap.saturating_sub(self.order.unit).min(bracket);
        let mut next = end + gap + 1;
        for member in members.iter_mut().rev() {
            member.end = next.checked_sub(gap + 1).filter(|&end| end > member.name_end).ok_or(Failure::Change)?;
            next = member.start;
        }
        // Sorting takes memory without asking, and no more than this.
        Vec::<Member>::new().try_reserve_exact(members.len())?;
        // Of members with the same name, the one that came first stays first.
        members.sort_by(|left, right| compare(&self.text, self.base, self.order.by_units, left, right));
        self.slots.try_reserve(members.len())?;
        let from = self.slots.len();
        self.slots.extend(members.iter().map(|member| member.start..member.end));
        self.nodes.try_reserve(1)?;
        self.nodes.push(Node { start, end, slots: from..self.slots.len(), separator });
        Ok(())
    }

    /// Writes what stands in front of the outermost open object.
    fn pass_on(&mut self, write: Write<'_>) -> Result<u64, Failure> {
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

    /// Writes the text up to `limit` with the members of all nodes in it moved. No recursion: objects may be nested as deep as
    /// memory allows.
    fn write_moved(&mut self, limit: u64, write: Write<'_>) -> Result<u64, Failure> {
        let Self { text, base, nodes, slots, before, pieces, .. } = self;
        let nodes = &mut nodes[..before.0];
        nodes.sort_unstable_by_key(|node| node.start);
        let mut out = Pieces { text, base: *base, small: pieces, write, written: 0 };
        let mut tasks = vec![Task::Span { start: *base, end: limit, node: 0 }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Span { start, end, node } => match nodes.get(node).filter(|found| found.start < end) {
                    None => out.push(start..end)?,
                    Some(found) => {
                        out.push(start..found.start)?;
                        tasks.try_reserve(2)?;
                        let behind = first_from(nodes, node + 1, found.end);
                        tasks.push(Task::Span { start: found.end, end, node: behind });
                        tasks.push(Task::Slots { node, next: found.slots.start });
                    }
                },
                Task::Slots { node, next } => {
                    let Node { slots: all, separator, .. } = &nodes[node];
                    let Some(slot) = slots[..all.end].get(next) else { continue };
                    if next > all.start {
                        out.push(separator.clone())?;
                    }
                    tasks.try_reserve(2)?;
                    tasks.push(Task::Slots { node, next: next + 1 });
                    let inner = first_from(nodes, node + 1, slot.start);
                    tasks.push(Task::Span { start: slot.start, end: slot.end, node: inner });
                }
            }
        }
        Ok(out.written)
    }
}

/// Takes bytes and tells how many came of them.
pub(crate) type Write<'w> = &'w mut dyn FnMut(&[u8]) -> io::Result<u64>;

/// The order of the names of two members.
#[inline]
fn compare(text: &[u8], base: u64, by_units: bool, left: &Member, right: &Member) -> Ordering {
    // They were there when they were met.
    let [left_name, right_name] =
        [left, right].map(|member| text_at(text, base, member.start + 1..member.name_end).unwrap_or_default());
    if by_units {
        compare_keys_utf16(left_name, right_name)
    } else if left.escapes || right.escapes {
        compare_keys(left_name, right_name)
    } else {
        left_name.cmp(right_name)
    }
}

/// The first node from `node` on that begins at `place` or behind it.
fn first_from(nodes: &[Node], node: usize, place: u64) -> usize {
    match nodes.get(node) {
        // Most nodes have no others in them.
        Some(next) if next.start < place => node + nodes[node..].partition_point(|node| node.start < place),
        _ => node,
    }
}

/// The bytes at `range`, of text that begins at `base`.
#[inline]
fn text_at(text: &[u8], base: u64, range: Range<u64>) -> Result<&[u8], Failure> {
    let range = index(range.start.wrapping_sub(base))..index(range.end.wrapping_sub(base));
    text.get(range).ok_or(Failure::Change)
}

/// A place in text that is in memory.
#[expect(clippy::cast_possible_truncation, reason = "text in memory has no more bytes than a pointer can tell")]
#[inline]
fn index(distance: u64) -> usize {
    distance as usize
}

/// Pieces of text on their way out: small ones are gathered.
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
