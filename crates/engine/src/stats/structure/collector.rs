//! Visits the tokens of documents and finds the place of each value.
//!
//! The keys of most objects are found in the shape of an earlier object at the same place, where the places of their values are known.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::TokenBatch;
use crate::index::Visitor;
use crate::memory::Grow;
use crate::scalar::Number;
use crate::scalar::Prediction;
use crate::scalar::Shapes;
use crate::scalar::Surrogates;
use crate::scalar::has_escapes;
use crate::scalar::number_length;
use crate::scalar::unescape;
use crate::stats::part::Collect;
use crate::stats::structure::node::Members;
use crate::stats::structure::node::NO_NODE;
use crate::stats::structure::node::NodeId;
use crate::stats::structure::node::ONE_TOO_MANY;
use crate::stats::structure::node::TOO_DEEP;
use crate::stats::structure::node::is_listed;
use crate::stats::structure::tree::ROOT;
use crate::stats::structure::tree::Settings;
use crate::stats::structure::tree::Tree;
use crate::stats::tokens::OpenKeys;
use crate::stats::tokens::TokenVisitor;
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

/// A visitor of all tokens that collects the structure of documents.
pub(super) struct Collector {
    tree: Tree,
    /// The containers around the innermost one.
    outer: Vec<Open>,
    innermost: Open,
    names: OpenKeys,
    shapes: Shapes,
    /// The places of the members of each shape.
    known: Vec<KnownPlaces>,
    /// The prediction for the objects at a place with maps.
    maps: HashMap<NodeId, Prediction, RandomState>,
    /// [`Tree::merges`] when the places in `known` and `maps` were found.
    merges: u64,
    /// Maximum of [`Tree::kept`], together with the space for the next number.
    most_kept: u64,
    /// [`Options::max_memory`](crate::Options::max_memory).
    limit: u64,
    is_part: bool,
    /// Whether a part has too many places to be added to others.
    is_too_large: bool,
}

/// An open container, or what is around the root.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    /// Whether the next string is a key.
    expects_key: bool,
    members: u64,
    /// The place of the container.
    node: NodeId,
    /// The place of the next value in it, or of all its elements.
    child: NodeId,
    /// The number of the object, from 1.
    number: u64,
    /// Number of its first key in [`Collector::names`].
    first_name: usize,
    /// The prediction for the object, or for objects in the array.
    prediction: Prediction,
    /// Whether all keys are in [`Collector::names`].
    has_names: bool,
}

/// What is around the root.
const OUTERMOST: Open = Open {
    is_object: false,
    expects_key: false,
    members: 0,
    node: NO_NODE,
    child: NO_NODE,
    number: 0,
    first_name: 0,
    prediction: Prediction::OUTERMOST,
    has_names: false,
};

/// The places of the members of a shape in the objects at one place.
#[derive(Default)]
struct KnownPlaces {
    object: NodeId,
    members: Vec<NodeId>,
}

/// The structure of a part.
#[derive(Default)]
pub(super) struct StructurePart {
    tree: Option<Tree>,
    /// Number of elements of the array in which it begins and ends.
    elements: u64,
    most_kept: u64,
}

impl Visitor for Collector {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        self.outer.clear();
        self.innermost = OUTERMOST;
        self.names.truncate(0);
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        self.visit(batch)
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl Collect for Collector {
    type Settings = Settings;
    type Part = StructurePart;

    fn settings(&self) -> Settings {
        self.tree.settings
    }

    fn of_part(settings: Settings, _: StructurePart, limit: u64) -> Self {
        Self { is_part: true, ..Self::new(Tree::new(settings, 0), limit) }
    }

    fn into_part(self) -> Option<StructurePart> {
        let Self { innermost, tree, most_kept, .. } = self;
        (!self.is_too_large).then_some(StructurePart { tree: Some(tree), elements: innermost.members, most_kept })
    }

    fn enter_array(&mut self, level: u64) {
        // The root of the tree is the array.
        self.tree = Tree::new(self.tree.settings, level.saturating_sub(1));
        self.outer = vec![OUTERMOST];
        let node = if level > self.tree.settings.levels + 1 { TOO_DEEP } else { ROOT };
        self.innermost = Open { node, ..OUTERMOST };
    }

    fn can_add(&self) -> bool {
        self.tree.has_room()
    }

    /// A part that might have too many places, or too long numbers, must be visited in order.
    fn add(&mut self, part: &StructurePart) -> Result<bool, OutOfMemory> {
        let StructurePart { tree: Some(tree), elements, most_kept } = part else { return Ok(false) };
        if self.tree.kept + most_kept > self.limit {
            return Ok(false);
        }
        let target = if self.outer.is_empty() { ROOT } else { self.innermost.node };
        if !is_listed(target) {
            // None of the values in the part has a place, either.
            self.tree.values += tree.values;
            self.tree.add_unlisted(target, tree.values);
            return Ok(true);
        }
        if !self.tree.add(target, tree) {
            return Ok(false);
        }
        if !self.outer.is_empty() {
            self.innermost.members += elements;
            let arrays = &mut self.tree.node_mut(target).arrays;
            arrays.largest = arrays.largest.max(self.innermost.members);
        }
        Ok(true)
    }
}

impl TokenVisitor for Collector {
    fn open(&mut self, is_object: bool) -> Result<(), OutOfMemory> {
        let node = self.value();
        if is_listed(node) {
            let node = self.tree.node_mut(node);
            let containers = if is_object { &mut node.objects } else { &mut node.arrays };
            containers.count += 1;
        }
        let around = &self.innermost.prediction;
        let prediction = if is_object { self.shapes.predict(around) } else { *around };
        self.tree.objects += u64::from(is_object);
        let mut open = Open {
            is_object,
            expects_key: is_object,
            members: 0,
            node,
            child: if is_listed(node) { NO_NODE } else { node },
            number: self.tree.objects,
            first_name: self.names.count(),
            prediction,
            has_names: is_object && prediction.is_new() && is_listed(node),
        };
        if is_object
            && is_listed(node)
            && let Members::Any(_) = self.tree.node(node).members
        {
            (open.prediction, open.has_names) = (self.map_prediction(node), false);
        }
        self.outer.grow(mem::replace(&mut self.innermost, open), OutOfMemory::Levels)
    }

    fn close(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let open = mem::replace(&mut self.innermost, outer);
        if is_listed(open.node) {
            let node = self.tree.node_mut(open.node);
            let containers = if open.is_object { &mut node.objects } else { &mut node.arrays };
            containers.empty += u64::from(open.members == 0);
        }
        if !open.is_object {
            return;
        }
        self.shapes.record(&open.prediction);
        if open.has_names {
            self.learn(&open);
        }
        self.names.truncate(open.first_name);
    }

    #[inline]
    fn string(&mut self, text: &[u8], range: Range<usize>) -> Result<(), OutOfMemory> {
        if self.innermost.expects_key {
            return self.key(text, range);
        }
        let node = self.value();
        if is_listed(node) {
            let (text, at, notes) = (&text[range], self.tree.values - 1, self.tree.settings.notes_strings);
            let (node, escapes) = (self.tree.node_mut(node), has_escapes(text));
            node.add_string(text, escapes, at);
            if notes {
                node.note_string(text, escapes);
            }
        }
        Ok(())
    }

    fn scalar(&mut self, first: u8, text: &[u8], offset: u64) -> Result<(), Error> {
        let place = self.value();
        if !is_listed(place) {
            return Ok(());
        }
        let at = self.tree.values - 1;
        let node = self.tree.node_mut(place);
        match first {
            b't' => {
                node.trues += 1;
                node.show(b"true", at);
            }
            b'f' => {
                node.falses += 1;
                node.show(b"false", at);
            }
            b'n' => node.nulls += 1,
            _ => {
                let text = &text[..number_length(text)];
                node.show(text, at);
                let Some(number) = node.numbers.count(text, node.doubles.as_ref()) else { return Ok(()) };
                self.extend_range(place, number, offset)?;
            }
        }
        Ok(())
    }
}

impl Collector {
    pub(super) fn new(tree: Tree, limit: u64) -> Self {
        Self {
            merges: tree.merges,
            tree,
            outer: Vec::new(),
            innermost: OUTERMOST,
            names: OpenKeys::default(),
            shapes: Shapes::new(),
            known: Vec::new(),
            maps: HashMap::default(),
            most_kept: 0,
            limit,
            is_part: false,
            is_too_large: false,
        }
    }

    /// Returns the structure.
    pub(super) fn into_tree(self) -> Tree {
        self.tree
    }

    /// Counts a value that begins, and returns its place.
    #[inline]
    fn value(&mut self) -> NodeId {
        self.tree.values += 1;
        let open = &mut self.innermost;
        let place = if open.is_object {
            open.expects_key = true;
            open.child
        } else if self.outer.is_empty() {
            ROOT
        } else if is_listed(open.node) {
            self.tree.node_mut(open.node).arrays.add_member(open.members);
            open.members += 1;
            if is_listed(open.child) { open.child } else { self.element() }
        } else {
            open.node
        };
        if !is_listed(place) {
            self.tree.add_unlisted(place, 1);
        }
        place
    }

    /// Returns the place of the elements of the innermost array.
    fn element(&mut self) -> NodeId {
        let mut child = self.tree.element(self.innermost.node);
        if child == ONE_TOO_MANY && self.make_room() {
            child = self.tree.element(self.innermost.node);
        }
        self.innermost.child = child;
        child
    }

    /// Makes room for places. Returns false if there is none.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.is_part {
            self.is_too_large = true;
            return false;
        }
        let has_room = self.tree.make_room();
        for open in self.outer.iter_mut().chain([&mut self.innermost]) {
            open.node = self.tree.resolved(open.node);
            open.child = self.tree.resolved(open.child);
        }
        self.tree.settle();
        has_room
    }

    /// Returns a prediction for maps at a place: all their members are at one place.
    fn map_prediction(&mut self, node: NodeId) -> Prediction {
        self.forget_merged();
        let shapes = &mut self.shapes;
        *self.maps.entry(node).or_insert_with(|| shapes.of_map())
    }

    /// Forgets the places that are known of shapes if some have been merged.
    #[inline]
    fn forget_merged(&mut self) {
        if self.merges != self.tree.merges {
            self.merges = self.tree.merges;
            self.known.clear();
            self.maps.clear();
        }
    }

    /// Makes the keys of an object the shape at its place.
    fn learn(&mut self, open: &Open) {
        let learned = self.shapes.learn(&open.prediction, self.names.since(open.first_name));
        if let Some(known) = learned.and_then(|shape| self.known.get_mut(shape)) {
            *known = KnownPlaces::default();
        }
    }

    /// Finds the place of the value of a key.
    #[inline]
    fn key(&mut self, text: &[u8], range: Range<usize>) -> Result<(), OutOfMemory> {
        let open = &mut self.innermost;
        open.expects_key = false;
        if !is_listed(open.node) {
            return Ok(());
        }
        let node = self.tree.node_mut(open.node);
        node.objects.add_member(open.members);
        open.members += 1;
        if let Members::Any(child) = node.members {
            open.child = child;
            open.has_names = false;
            return Ok(());
        }
        let Some(shape) = open.prediction.shape() else { return self.new_key(&text[range]) };
        let Some((index, _)) = self.shapes.find_next(&mut open.prediction, text, range.start) else {
            return self.new_key(&text[range]);
        };
        self.forget_merged();
        let open = &mut self.innermost;
        if let Some(known) = self.known.get(shape)
            && known.object == open.node
            && let Some(&child) = known.members.get(index)
            && is_listed(child)
        {
            open.child = child;
            self.tree.node_mut(child).occurs_in(open.number);
            return Ok(());
        }
        self.new_key(&text[range])?;
        self.remember(shape, index);
        Ok(())
    }

    /// Finds the place of the value of a key that is not in a known shape.
    fn new_key(&mut self, raw: &[u8]) -> Result<(), OutOfMemory> {
        let escapes = has_escapes(raw);
        let key = if escapes { unescape(raw, Surrogates::Keep).unwrap_or_default() } else { Cow::Borrowed(raw) };
        let mut child = self.tree.member(self.innermost.node, &key);
        if child == ONE_TOO_MANY && self.make_room() {
            child = self.tree.member(self.innermost.node, &key);
        }
        self.innermost.child = child;
        let is_new = is_listed(child) && self.tree.node_mut(child).occurs_in(self.innermost.number);
        let open = &mut self.innermost;
        open.has_names = open.has_names && is_new && !escapes && self.names.add(open.first_name, raw)?;
        Ok(())
    }

    /// Keeps the place of the value of the last key, which has this index in a shape.
    fn remember(&mut self, shape: usize, index: usize) {
        self.forget_merged();
        let Open { node, child, .. } = self.innermost;
        let keys = self.shapes.length(shape);
        if self.known.len() <= shape {
            self.known.resize_with(shape + 1, KnownPlaces::default);
        }
        let known = &mut self.known[shape];
        if known.object != node || known.members.len() != keys {
            *known = KnownPlaces { object: node, members: vec![NO_NODE; keys] };
        }
        known.members[index] = child;
    }

    /// Makes a number the least or the greatest one of its place if it is. Fails if that takes too much memory.
    fn extend_range(&mut self, place: NodeId, number: Number<'_>, offset: u64) -> Result<(), Error> {
        let needed = self.tree.kept + 2 * number.text().len() as u64;
        self.most_kept = self.most_kept.max(needed);
        if needed > self.limit {
            return Err(Error::token_limit(self.limit, offset));
        }
        let at = self.tree.values - 1;
        let node = self.tree.node_mut(place);
        let before = node.kept_bytes();
        node.extend_range(number, at)?;
        self.tree.kept = self.tree.kept + self.tree.node(place).kept_bytes() - before;
        Ok(())
    }
}
