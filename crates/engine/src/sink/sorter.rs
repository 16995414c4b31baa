//! Sorts the members of objects by key: takes validated text in its final layout and writes the same bytes in a different order.
//!
//! Members are moved as they are, including everything nested in them, and the separator between members is the same everywhere in
//! an object. So the sorter only needs to know where keys are, which the masks show. Text that is already in order is written
//! unchanged. An object is held until the outermost object around it is closed; arrays around it are not held. Moves are recorded
//! and carried out when the text is written, so that text in nested objects is copied once instead of once per level.
//!
//! Most objects have the keys of an earlier one in the same order (`scalar/shapes.rs`). Their order is known, and their keys are not
//! compared.

#![forbid(unsafe_code)]

mod moves;
mod numbers;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::TryReserveError;
use std::io;
use std::ops::Range;

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::options::Sort;
use crate::scalar::Prediction;
use crate::scalar::Shapes;
use crate::scalar::compare_keys;
use crate::scalar::compare_keys_natural;
use crate::scalar::compare_keys_utf16;
use crate::scalar::has_escapes;
use moves::MovedObject;
use moves::Pieces;
use moves::Task;
pub(crate) use moves::Write;
use moves::index;
use moves::text_at;
use numbers::Numbers;

/// Flag of a mark: the position is a value after a key.
pub(crate) const VALUE: u64 = 1 << 63;

/// Number of members that the standard library sorts without a buffer (by insertion).
const UNBUFFERED: usize = 20;

/// The order of the members, and parameters of sorting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// How keys are compared.
    pub(crate) sort: Sort,
    /// Number of bytes by which a member is indented deeper than the closing bracket of its object.
    pub(crate) unit: u64,
    /// Greatest number of bytes of memory that may be held.
    pub(crate) limit: u64,
}

/// A member of an open object.
struct MemberSpan {
    start: u64,
    /// Correct only after the object has been closed.
    end: u64,
    /// End of the text of the key, without the quote.
    key_end: u64,
    /// Index of the key in the shape of its object, if the object has its shape.
    key: u32,
    /// Whether the key has escapes.
    escapes: bool,
}

/// An open object.
struct Open {
    /// Position of its bracket.
    start: u64,
    /// Index in `members` of its first member.
    first: usize,
    /// Its index in `nodes`.
    node: usize,
    /// Whether its members are in order, as far as they have been compared.
    is_sorted: bool,
    /// As long as it is met, keys are not compared.
    prediction: Prediction,
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
    /// The numbers of that text, if they are written in their canonical form.
    numbers: Option<Numbers>,
    /// Whether there was not enough memory for marks.
    exhausted: bool,
    /// Position of an opening bracket that was the last byte, so that it is not known yet whether its object is empty.
    pending: Option<u64>,
    /// Position of the last string that may be a key.
    key: u64,
    shapes: Shapes,
    /// For each shape the indices of its keys in their order, or nothing if they are in order.
    orders: Vec<Vec<u32>>,
    /// For each key of a shape, the member that has it. Only used while an object is closed.
    by_key: Vec<Option<usize>>,
    open: Vec<Open>,
    members: Vec<MemberSpan>,
    nodes: Vec<MovedObject>,
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
    /// bytes (`"":0,`) takes 32 bytes in `members` and 16 in `slots`; a member with an object in it (`"":{`) 88 bytes in `open` and 56 in
    /// `nodes` besides.
    pub(crate) const MAX_COST_PER_BYTE: u64 = 64;

    /// If `canonical` is set, numbers are written in their canonical form.
    pub(crate) fn new(order: Order, canonical: bool) -> Self {
        Self {
            order,
            numbers: canonical.then(Numbers::default),
            text: Vec::new(),
            base: 0,
            marks: Vec::new(),
            exhausted: false,
            pending: None,
            key: 0,
            shapes: Shapes::new(),
            orders: Vec::new(),
            by_key: Vec::new(),
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

    /// Marks a position of the text that is added next at which a number begins.
    #[inline(always)]
    pub(crate) fn mark_number(&mut self, place: u64) {
        if let Some(numbers) = &mut self.numbers {
            self.exhausted |= numbers.mark(place).is_err();
        }
    }

    /// Discards the marks.
    pub(crate) fn discard(&mut self) {
        self.marks.clear();
        if let Some(numbers) = &mut self.numbers {
            numbers.discard();
        }
    }

    /// Returns the number of bytes that are held.
    pub(crate) fn held(&self) -> usize {
        self.text.len() + self.pieces.len()
    }

    /// Writes the collected pieces. Returns the number of bytes that `write` reports.
    pub(crate) fn flush(&mut self, write: Write<'_>) -> Result<u64, Failure> {
        let mut out = Pieces::new(&[], 0, &mut self.pieces, write);
        out.flush()?;
        Ok(out.written())
    }

    /// Adds text and writes or collects what need not be held. Returns the number of bytes that `write` reports.
    pub(crate) fn take(&mut self, text: &[u8], write: Write<'_>) -> Result<u64, Failure> {
        let start = self.end();
        if self.exhausted {
            return Err(Failure::Io(io::ErrorKind::OutOfMemory.into()));
        }
        let mut marks = std::mem::take(&mut self.marks);
        if let Some(numbers) = &mut self.numbers {
            numbers.append(text, &mut self.text, &mut marks)?;
        } else {
            self.text.try_reserve(text.len())?;
            self.text.extend_from_slice(text);
        }
        let pending = self.pending.take();
        for mark in pending.into_iter().chain(marks.iter().map(|mark| mark + start)) {
            self.process(mark)?;
        }
        marks.clear();
        self.marks = marks;
        self.check_cost(self.end())?;
        self.write_ready(write)
    }

    fn end(&self) -> u64 {
        self.base + self.text.len() as u64
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
    #[inline(always)]
    fn process(&mut self, mark: u64) -> Result<(), Failure> {
        let place = mark & !VALUE;
        // The root value has the flag of a value after a key, but is not in an object.
        if mark & VALUE != 0 && !self.open.is_empty() {
            self.add_member(place)?;
        }
        match self.byte(place) {
            Some(b'{') => match self.byte(place + 1) {
                // mutant: None => {}
                None => self.pending = Some(place),
                Some(b'}') => {}
                Some(_) => {
                    if self.open.is_empty() {
                        self.before = (self.nodes.len(), self.slots.len());
                    }
                    self.open_object(place)?;
                }
            },
            Some(b'}') if self.byte(place.wrapping_sub(1)) != Some(b'{') => self.close(place)?,
            Some(b'"') if mark & VALUE == 0 => self.key = place,
            _ => {}
        }
        Ok(())
    }

    /// Opens an object that is not empty.
    fn open_object(&mut self, start: u64) -> Result<(), Failure> {
        let prediction =
            self.shapes.predict(self.open.last().map_or(&Prediction::OUTERMOST, |object| &object.prediction));
        self.open.try_reserve(1)?;
        self.nodes.try_reserve(1)?;
        let (first, node, slots) = (self.members.len(), self.nodes.len(), self.slots.len());
        self.open.push(Open { start, first, node, is_sorted: true, prediction });
        self.nodes.push(MovedObject { start, end: start, slots: slots..slots, separator: 0..0 });
        Ok(())
    }

    /// Adds a member whose value begins at `value`. The last string was its key.
    fn add_member(&mut self, value: u64) -> Result<(), Failure> {
        let start = self.key;
        // Length of the closing quote, the colon and possibly a space.
        let distance = if self.byte(value.wrapping_sub(1)) == Some(b' ') { 3 } else { 2 };
        let key_end = value.saturating_sub(distance);
        let key = text_at(&self.text, self.base, start + 1..key_end)?;
        let Some(object) = self.open.last_mut() else { return Ok(()) };
        // mutant: let is_compared = true;
        let is_compared = object.prediction.shape().is_none();
        let found = self.shapes.find_next(&mut object.prediction, &self.text, index(start + 1 - self.base));
        #[expect(clippy::cast_possible_truncation, reason = "a shape has a limited number of keys")]
        let index = found.map_or(0, |(index, _)| index as u32);
        let escapes = found.is_none() && has_escapes(key);
        self.members.try_reserve(1)?;
        // Before the comparison, so that it is written where it stays: to write it to the stack and copy it takes longer.
        self.members.push(MemberSpan { start, end: value, key_end, key: index, escapes });
        if found.is_none()
            && let [.., previous, member] = &self.members[object.first..]
        {
            // mutant: object.is_sorted =
            object.is_sorted &=
                is_compared && compare(&self.text, self.base, self.order.sort, previous, member) != Ordering::Greater;
        }
        Ok(())
    }

    /// Closes the innermost object.
    fn close(&mut self, bracket: u64) -> Result<(), Failure> {
        self.check_cost(bracket)?;
        let Some(object) = self.open.pop() else { return Ok(()) };
        if let Some(shape) = object.prediction.shape() {
            self.shapes.record(&object.prediction);
            if self.orders.get(shape).is_some_and(|order| !order.is_empty()) {
                self.record_moves(&object, bracket, None)?;
            }
        } else {
            let learned = self.learn(&object);
            if !object.is_sorted {
                self.record_moves(&object, bracket, learned)?;
            }
        }
        if self.nodes.len() == object.node + 1 && self.nodes[object.node].slots.is_empty() {
            self.nodes.pop();
        }
        self.members.truncate(object.first);
        Ok(())
    }

    /// Makes the keys of an object the shape at its place, if they can be. Returns the shape if it has changed. Its order is that of
    /// the keys until [`Self::record_moves`] sorts them.
    fn learn(&mut self, object: &Open) -> Option<usize> {
        let members = &mut self.members[object.first..];
        for (key, member) in (0..).zip(members.iter_mut()) {
            member.key = key;
        }
        if members.iter().any(|member| member.escapes) {
            return None;
        }
        let key =
            |member: &MemberSpan| text_at(&self.text, self.base, member.start + 1..member.key_end).unwrap_or_default();
        let shape = self.shapes.learn(&object.prediction, members.iter().map(key))?;
        self.orders.resize_with(self.orders.len().max(shape + 1), Vec::new);
        // mutant:
        self.orders[shape].clear();
        Some(shape)
    }

    /// Sorts the members of an object and records how they must be moved. `learned` is the shape to which their order belongs, if
    /// they do not have a predicted one.
    fn record_moves(&mut self, object: &Open, bracket: u64, learned: Option<usize>) -> Result<(), Failure> {
        let members = &mut self.members[object.first..];
        let [first, second, ..] = members else { return Ok(()) };
        let start = first.start;
        // These checks ensure that the first member begins after the bracket and each member ends after its key, so that members do
        // not overlap even if the input changed.
        let gap = start.checked_sub(object.start + 1).ok_or(Failure::Change)?;
        let separator = second.start.checked_sub(gap + 1).ok_or(Failure::Change)?..second.start;
        // mutant: let end = bracket - gap.min(bracket);
        let end = bracket - gap.saturating_sub(self.order.unit).min(bracket);
        let mut next = end + gap + 1;
        for member in members.iter_mut().rev() {
            member.end = next.checked_sub(gap + 1).filter(|&end| end > member.key_end).ok_or(Failure::Change)?;
            next = member.start;
        }
        let from = self.slots.len();
        self.slots.try_reserve(members.len())?;
        let slot = |member: &MemberSpan| member.start..member.end;
        match object.prediction.shape().and_then(|shape| self.orders.get(shape)) {
            // mutant: Some(order) if !order.is_empty() => {
            Some(order) if order.len() == members.len() => {
                self.slots.extend(order.iter().map(|&key| slot(&members[key as usize])));
            }
            Some(order) => {
                self.by_key.clear();
                self.by_key.resize(order.len(), None);
                for (index, member) in members.iter().enumerate() {
                    self.by_key[member.key as usize] = Some(index);
                }
                let present = order.iter().filter_map(|&key| self.by_key[key as usize]);
                self.slots.extend(present.map(|index| slot(&members[index])));
            }
            None => {
                // `sort_by` aborts if it cannot allocate its buffer, which is not larger than this. It needs none for few members.
                if members.len() > UNBUFFERED {
                    Vec::<MemberSpan>::new().try_reserve_exact(members.len())?;
                }
                // The sort is stable, so members with the same key keep their order.
                members.sort_by(|left, right| compare(&self.text, self.base, self.order.sort, left, right));
                self.slots.extend(members.iter().map(slot));
                if let Some(shape) = learned {
                    let length = self.shapes.length(shape);
                    let keys = members.iter().map(|member| member.key);
                    self.orders[shape].extend(keys.filter(|&key| (key as usize) < length));
                }
            }
        }
        self.nodes[object.node] = MovedObject { start, end, slots: from..self.slots.len(), separator };
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
        let Self { text, base, pieces, tasks, .. } = self;
        let mut out = Pieces::new(text, *base, pieces, write);
        if nodes == 0 {
            out.push(*base..limit)?;
        } else {
            out.push_moved(*base..limit, &self.nodes[..nodes], &self.slots, tasks)?;
        }
        let written = out.written();
        self.nodes.drain(..nodes);
        self.slots.drain(..slots);
        for node in &mut self.nodes {
            node.slots = node.slots.start - slots..node.slots.end - slots;
        }
        for object in &mut self.open {
            object.node -= nodes;
        }
        self.before = (0, 0);
        self.text.drain(..index(limit - self.base));
        self.base = limit;
        Ok(written)
    }
}

/// Compares the keys of two members.
#[inline]
fn compare(text: &[u8], base: u64, sort: Sort, left: &MemberSpan, right: &MemberSpan) -> Ordering {
    // `add_member` has checked that the keys are in the text.
    let [left_key, right_key] =
        [left, right].map(|member| text_at(text, base, member.start + 1..member.key_end).unwrap_or_default());
    match sort {
        Sort::Units => compare_keys_utf16(left_key, right_key),
        Sort::Natural => compare_keys_natural(left_key, right_key),
        Sort::No | Sort::CodePoints if left.escapes || right.escapes => compare_keys(left_key, right_key),
        Sort::No | Sort::CodePoints => left_key.cmp(right_key),
    }
}
