//! What changed between two documents, by value.
//!
//! Hashes of all values (`hashes.rs`) tell which differ. Values with equal hashes are compared once (`equal.rs`), and are left out if they
//! are equal. Objects are compared by their keys (`objects.rs`); the elements of arrays are matched first (`align.rs`), and those that are
//! left are paired (`arrays.rs`). What differs is a tree of the containers that the two documents have in common (`changes.rs`), from
//! which patches are written (`patch.rs`, `jd.rs`). Documents may be deeper than the stack, so the open containers are on a list.
//!
//! If the hashes of two containers are equal but the containers are not, they are walked: from there on, hashes are not trusted, so that
//! the same values are not compared again at each level. With a tolerance for numbers, that is so from the root.

#![forbid(unsafe_code)]

mod align;
mod arrays;
mod changes;
mod equal;
mod hashes;
mod jd;
mod near;
mod objects;
mod options;
mod pairing;
mod patch;
mod steps;
#[cfg(test)]
mod tests;
mod unordered;

pub use changes::Change;
pub use changes::Changes;
pub use options::ArrayMatching;
pub use options::DiffOptions;

use std::cell::Cell;
use std::vec;

use crate::diff::changes::ChangeNode;
use crate::diff::changes::State;
use crate::diff::hashes::NONE;
use crate::diff::hashes::Seeds;
use crate::diff::hashes::Side;
use crate::diff::hashes::number;
use crate::diff::near::Tolerance;
use crate::diff::steps::Steps;
use crate::document::Kind;
use crate::document::Records;
use crate::document::Value;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// Compares two documents by value: the notation of numbers, escapes, whitespace and the order of members do not count.
///
/// An object with duplicate keys, or with the escape of a lone surrogate in a key, is compared as a whole.
///
/// Memory grows with both documents by 12 bytes for each token, by some 16 bytes for each item of the objects and arrays that differ, as
/// long as they are compared, and by 40 bytes for each difference. Time is linear, except that the items of objects and arrays that differ
/// are sorted. Short arrays are aligned so that the least number of elements is removed or added; in long ones with many differences,
/// it may be more.
///
/// # Errors
/// If a path in the options is not valid, or if there is not enough memory.
///
/// ```
/// use fjson::{DiffOptions, Parser, diff};
///
/// let (mut left, mut right) = (Parser::new(), Parser::new());
/// let old = left.document(br#"{"name": "app", "version": 1.0, "tags": ["a", "b", "c"]}"#)?.root();
/// let new = right.document(br#"{"tags": ["a", "c"], "version": 1, "name": "\u0061pp", "license": "MIT"}"#)?.root();
/// let changes = diff(old, new, &DiffOptions::new())?;
/// assert_eq!(changes.to_patch(), r#"[
///   {"op": "remove", "path": "/tags/1"},
///   {"op": "add", "path": "/license", "value": "MIT"}
/// ]"#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn diff<'v>(old: Value<'v, 'v>, new: Value<'v, 'v>, options: &DiffOptions) -> Result<Changes<'v>, Error> {
    let mut differ = Differ::new([&[old], &[new]], options)?;
    let is_same = old.raw() == new.raw();
    let [old, new] = [old, new].map(|value| number(value.token()));
    differ.roots = (old, new);
    if !is_same {
        let is_alike = differ.have_same_hash(old, new);
        if differ.tolerance().is_positive() || !differ.are_equal(old, new)? {
            let is_walk = differ.tolerance().is_positive() || is_alike;
            differ.compare(NONE, ComparedItem { old, new, is_walk, ..ComparedItem::root() })?;
        }
    }
    differ.finish()
}

/// Compares records like the elements of two arrays, with pointers such as `/3/name` for a member of the fourth record.
///
/// # Errors
/// Like [`diff`].
///
/// ```
/// use fjson::{DiffOptions, Parser, diff_records};
///
/// let (mut left, mut right) = (Parser::new(), Parser::new());
/// let old = left.records(b"{\"id\": 1}\n{\"id\": 2, \"a\": true}\n{\"id\": 3}\n")?;
/// let new = right.records(b"{\"id\": 1}\n{\"id\": 2, \"a\": false}\n")?;
/// let changes = diff_records(&old, &new, &DiffOptions::new())?;
/// let pointers: Vec<_> = changes.iter().map(|change| change.pointer()).collect();
/// assert_eq!(pointers, ["/1/a", "/2"]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn diff_records<'v>(
    old: &Records<'v, 'v>,
    new: &Records<'v, 'v>,
    options: &DiffOptions,
) -> Result<Changes<'v>, Error> {
    let list = |records: &Records<'v, 'v>| {
        let mut list = Vec::new();
        records.clone().try_for_each(|record| list.grow(record, OutOfMemory::Matches))?;
        Ok::<_, OutOfMemory>(list)
    };
    let (old, new) = (list(old)?, list(new)?);
    if old.is_empty() || new.is_empty() {
        return Ok(Changes::of_one_side(&old, &new)?);
    }
    let mut differ = Differ::new([&old, &new], options)?;
    let [olds, news] = [&old, &new].map(|list| list.iter().map(|value| number(value.token())).collect::<Vec<_>>());
    let steps = differ.steps_of_elements(&olds, &news, differ.tolerance().is_positive())?;
    differ.open(NONE, ComparedItem::root(), steps)?;
    differ.finish()
}

/// An element or a member in two containers at the same place, or the root. Values are named by their first tokens; [`NONE`] is no value.
#[derive(Clone, Copy, Debug)]
struct ComparedItem {
    old: u32,
    new: u32,
    place: ItemPlace,
    /// Whether equal hashes say nothing about the values.
    is_walk: bool,
    /// Whether it is equal, and on the list for those around it.
    is_context: bool,
}

/// The place of an item in its containers.
#[derive(Clone, Copy, Debug)]
enum ItemPlace {
    Root,
    Member,
    Element {
        /// The index in the first document with all changes before this one; [`NONE`] is the place after the last element.
        at: u32,
        /// The indices in both documents, or of the elements after it.
        old: u32,
        new: u32,
        /// The element before it in the second document, and that after it in the first one.
        before: u32,
        after: u32,
    },
}

impl ComparedItem {
    fn root() -> Self {
        Self { old: NONE, new: NONE, place: ItemPlace::Root, is_walk: false, is_context: false }
    }

    fn member() -> Self {
        Self { place: ItemPlace::Member, ..Self::root() }
    }
}

/// The contents of two containers that are being compared.
struct Frame {
    node: u32,
    items: vec::IntoIter<ComparedItem>,
}

struct Differ<'o, 'v> {
    options: &'o DiffOptions,
    seeds: Seeds,
    old: Side<'v>,
    new: Side<'v>,
    /// The number of values that were looked at to see whether they are near to each other.
    steps: Cell<usize>,
    /// The documents; [`NONE`] if there are several records.
    roots: (u32, u32),
    nodes: Vec<ChangeNode>,
    frames: Vec<Frame>,
}

impl<'o, 'v> Differ<'o, 'v> {
    /// Computes the hashes of the documents, or of the records, of both sides.
    fn new(roots: [&[Value<'v, 'v>]; 2], options: &'o DiffOptions) -> Result<Self, Error> {
        let seeds = Seeds::new(options.tolerance.is_positive());
        let side = |roots: &[Value<'v, 'v>]| {
            let tokens = roots[0].tokens();
            let end = roots.last().map_or(0, |root| tokens.next(root.token()));
            let ignored = options.ignored_in(roots)?;
            Ok::<_, Error>(Side::new(tokens, roots[0].token()..end, &seeds, ignored)?)
        };
        let (old, new) = (side(roots[0])?, side(roots[1])?);
        let (steps, roots) = (Cell::new(0), (NONE, NONE));
        Ok(Self { options, seeds, old, new, steps, roots, nodes: Vec::new(), frames: Vec::new() })
    }

    fn tolerance(&self) -> Tolerance {
        self.options.tolerance
    }

    /// Compares what is in the open containers, and returns all differences.
    fn finish(mut self) -> Result<Changes<'v>, Error> {
        while let Some(frame) = self.frames.last_mut() {
            let node = frame.node;
            match frame.items.next() {
                Some(item) => self.compare(node, item)?,
                None => drop(self.frames.pop()),
            }
        }
        Ok(Changes::new(Some(self.old.tokens), Some(self.new.tokens), self.roots, self.nodes))
    }

    /// Compares two values at the same place. What is in containers is compared later.
    fn compare(&mut self, parent: u32, item: ComparedItem) -> Result<(), OutOfMemory> {
        let ComparedItem { old, new, is_walk, .. } = item;
        if item.is_context {
            return self.add(parent, item, State::Context);
        }
        if old == NONE || new == NONE {
            return self.add(parent, item, State::Changed);
        }
        if self.old.is_ignored(old) || self.new.is_ignored(new) {
            return Ok(());
        }
        let (left, right) = (self.old.value(old), self.new.value(new));
        match (left.kind(), right.kind()) {
            (Kind::Array, Kind::Array) => {
                let steps = self.steps_of_arrays(left, right, is_walk)?;
                self.open(parent, item, steps)
            }
            (Kind::Object, Kind::Object) => match self.steps_of_objects(left, right, is_walk)? {
                Some(steps) => self.open(parent, item, steps),
                None if is_walk && left == right => Ok(()),
                None => self.add(parent, item, State::Changed),
            },
            _ if self.are_equal_scalars(left, right) => Ok(()),
            _ => self.add(parent, item, State::Changed),
        }
    }

    fn are_equal_scalars(&self, left: Value<'_, '_>, right: Value<'_, '_>) -> bool {
        match (left.kind(), right.kind()) {
            (Kind::Number, Kind::Number) => self.tolerance().are_near(left, right),
            (Kind::Array | Kind::Object, _) | (_, Kind::Array | Kind::Object) => false,
            _ => left == right,
        }
    }

    fn add(&mut self, parent: u32, item: ComparedItem, state: State) -> Result<(), OutOfMemory> {
        self.nodes.grow(ChangeNode { parent, item, state }, OutOfMemory::Matches)
    }

    /// Begins to compare what is in two containers.
    fn open(&mut self, parent: u32, item: ComparedItem, items: Vec<ComparedItem>) -> Result<(), OutOfMemory> {
        let node = number(self.nodes.len());
        self.add(parent, item, State::Inside)?;
        self.frames.grow(Frame { node, items: items.into_iter() }, OutOfMemory::Levels)
    }

    /// Adds two values at the same place to the items to be compared, unless they are equal.
    fn pair(&self, steps: &mut Steps, item: ComparedItem) -> Result<(), OutOfMemory> {
        let ComparedItem { old, new, is_walk, .. } = item;
        if self.old.is_ignored(old) || self.new.is_ignored(new) {
            return Ok(());
        }
        if !is_walk {
            if !self.have_same_hash(old, new) {
                return steps.changed(item);
            }
            return if self.are_equal(old, new)? {
                steps.equal(item)
            } else {
                steps.changed(ComparedItem { is_walk: true, ..item })
            };
        }
        let are_equal = self.are_equal_scalars(self.old.value(old), self.new.value(new));
        if are_equal { steps.equal(item) } else { steps.changed(item) }
    }
}
