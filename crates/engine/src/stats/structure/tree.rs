//! The places of values: a tree of bounded size.
//!
//! Objects with very many different keys are maps: their members have one place. That a place is a map never ends, and depends
//! only on the set of keys, so the tree of several parts is the same in whatever order they are merged. Only when there are too many
//! places, which depends on the order, the places of maps with fewer keys are merged; [`Tree::add`] refuses parts that
//! might get there.

#![forbid(unsafe_code)]

use crate::stats::structure::node::Members;
use crate::stats::structure::node::NO_NODE;
use crate::stats::structure::node::NodeId;
use crate::stats::structure::node::ONE_TOO_MANY;
use crate::stats::structure::node::StepFromParent;
use crate::stats::structure::node::StructureNode;
use crate::stats::structure::node::TOO_DEEP;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

/// Maximum number of places. With keys of the maximum length, they take about 40 MiB.
const MAX_NODES: usize = 50_000;

/// Number of different keys above which an object is always a map.
const MAX_KEYS: usize = 1000;

/// Maximum number of bytes of a key. An object with a longer one is a map.
const MAX_KEY_BYTES: usize = 256;

/// Numbers of keys above which objects become maps when there are too many places, and whether only those with rare keys do.
const LADDER: [(usize, bool); 9] =
    [(50, true), (20, true), (8, true), (3, true), (100, false), (50, false), (20, false), (8, false), (3, false)];

/// The place of documents.
pub(super) const ROOT: NodeId = 0;

/// What the places of a tree are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Maximum number of steps of a path.
    pub(super) levels: u64,
    /// Number of different keys above which an object may be a map.
    pub(super) max_keys: usize,
    /// Whether it is noted what the strings at each place have in common.
    pub(super) notes_strings: bool,
}

/// All places.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) settings: Settings,
    nodes: Vec<StructureNode>,
    /// Numbers of places that were merged into others, for reuse.
    free: Vec<NodeId>,
    /// The same, while a change is under way.
    freed: Vec<NodeId>,
    /// Where they were merged into.
    merged: HashMap<NodeId, NodeId, RandomState>,
    /// Counts the changes in which places were merged.
    pub(super) merges: u64,
    /// Number of places, and its maximum so far.
    count: usize,
    most: usize,
    /// Whether there are too many places, although all that can be merged is.
    is_full: bool,
    /// Number of bytes of the least and the greatest numbers.
    pub(super) kept: u64,
    /// Number of objects that were visited, and not added as parts. It distinguishes them.
    pub(super) objects: u64,
    /// Number of values.
    pub(super) values: u64,
    /// Number of values without a place, because there are too many.
    pub(super) unlisted: u64,
    /// Number of values without a place, because of the number of levels.
    pub(super) deeper: u64,
}

impl Tree {
    /// Creates a tree whose root has this level.
    pub(super) fn new(settings: Settings, level: u64) -> Self {
        Self {
            settings,
            nodes: vec![StructureNode::new(NO_NODE, StepFromParent::Root, level, 0)],
            free: Vec::new(),
            freed: Vec::new(),
            merged: HashMap::default(),
            merges: 0,
            count: 1,
            most: 1,
            is_full: false,
            kept: 0,
            objects: 0,
            values: 0,
            unlisted: 0,
            deeper: 0,
        }
    }

    #[inline]
    pub(super) fn node(&self, node: NodeId) -> &StructureNode {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut StructureNode {
        &mut self.nodes[node as usize]
    }

    /// Counts values that have no place.
    pub(super) fn add_unlisted(&mut self, reason: NodeId, count: u64) {
        *(if reason == TOO_DEEP { &mut self.deeper } else { &mut self.unlisted }) += count;
    }

    /// Returns the place of the members with this key, which is unescaped, in the objects at a place. Their value has not been counted.
    pub(super) fn member(&mut self, parent: NodeId, key: &[u8]) -> NodeId {
        let node = self.node(parent);
        if node.level >= self.settings.levels {
            return TOO_DEEP;
        }
        let keys = match &node.members {
            Members::Any(child) => return *child,
            Members::ByKey(keys) => keys,
        };
        if let Some(&child) = keys.get(key) {
            return child;
        }
        if keys.len() >= self.most_keys() || key.len() > MAX_KEY_BYTES {
            if keys.is_empty() && self.count >= MAX_NODES {
                return ONE_TOO_MANY;
            }
            let any = self.make_map(parent, self.values);
            self.settle();
            return any;
        }
        if self.count >= MAX_NODES { ONE_TOO_MANY } else { self.create_member(parent, key, self.values) }
    }

    /// Returns the place of the elements of the arrays at a place. One of them is the last value that was counted.
    pub(super) fn element(&mut self, parent: NodeId) -> NodeId {
        let node = self.node(parent);
        match node.element {
            // mutant:
            NO_NODE if node.level >= self.settings.levels => TOO_DEEP,
            NO_NODE if self.count >= MAX_NODES => ONE_TOO_MANY,
            NO_NODE => self.create_element(parent, self.values - 1),
            known => known,
        }
    }

    fn most_keys(&self) -> usize {
        self.settings.max_keys.max(MAX_KEYS)
    }

    fn create(&mut self, parent: NodeId, step: StepFromParent, first: u64) -> NodeId {
        let node = StructureNode::new(parent, step, self.node(parent).level + 1, first);
        self.count += 1;
        self.most = self.most.max(self.count);
        if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            id
        } else {
            self.nodes.push(node);
            #[expect(clippy::cast_possible_truncation, reason = "there are at most twice `MAX_NODES`")]
            let id = (self.nodes.len() - 1) as NodeId;
            id
        }
    }

    fn create_member(&mut self, parent: NodeId, key: &[u8], first: u64) -> NodeId {
        let key: Arc<[u8]> = Arc::from(key);
        let child = self.create(parent, StepFromParent::Member(Arc::clone(&key)), first);
        if let Members::ByKey(keys) = &mut self.node_mut(parent).members {
            keys.insert(key, child);
        }
        child
    }

    fn create_element(&mut self, parent: NodeId, first: u64) -> NodeId {
        let child = self.create(parent, StepFromParent::Element, first);
        self.node_mut(parent).element = child;
        child
    }

    /// Makes the objects at a place maps, unless they are. Returns the place of their members. If there are none yet, `first` is the
    /// number of values before the first one.
    fn make_map(&mut self, parent: NodeId, first: u64) -> NodeId {
        let keys = match &self.node(parent).members {
            Members::Any(child) => return *child,
            Members::ByKey(_) => self.node_mut(parent).take_members().unwrap_or_default(),
        };
        let first = keys.values().map(|&child| self.node(child).first).min().unwrap_or(first);
        let any = self.create(parent, StepFromParent::AnyMember, first);
        self.node_mut(parent).members = Members::Any(any);
        for child in keys.into_values() {
            self.merge(any, None, child, 0);
        }
        any
    }

    /// Merges a place, and those in it, into another: a place of this tree, which is then no longer one, or of another tree, before
    /// whose values there are `base` others.
    fn merge(&mut self, target: NodeId, other: Option<&Self>, source: NodeId, base: u64) {
        let mut pending = vec![(target, source)];
        while let Some((target, source)) = pending.pop() {
            let target = self.resolved(target);
            let taken;
            let node = if let Some(tree) = other {
                tree.node(source)
            } else {
                let gone = StructureNode::new(NO_NODE, StepFromParent::Root, 0, 0);
                taken = mem::replace(self.node_mut(source), gone);
                self.merged.insert(source, target);
                self.freed.push(source);
                self.count -= 1;
                self.kept -= taken.kept_bytes();
                &taken
            };
            let known = self.node_mut(target);
            let before = known.kept_bytes();
            known.add(node, base);
            self.kept = self.kept + self.node(target).kept_bytes() - before;
            if node.element != NO_NODE {
                let element = match self.node(target).element {
                    NO_NODE => self.create_element(target, u64::MAX),
                    known => known,
                };
                pending.push((element, node.element));
            }
            match &node.members {
                Members::Any(child) => pending.push((self.make_map(target, u64::MAX), *child)),
                Members::ByKey(keys) => {
                    for (key, &child) in keys {
                        pending.push((self.member_to_merge(target, key), child));
                    }
                }
            }
        }
    }

    /// Returns the place to merge members with this key into.
    fn member_to_merge(&mut self, parent: NodeId, key: &[u8]) -> NodeId {
        let keys = match &self.node(parent).members {
            Members::Any(child) => return *child,
            Members::ByKey(keys) => keys,
        };
        match keys.get(key) {
            Some(&child) => child,
            None if keys.len() >= self.most_keys() => self.make_map(parent, u64::MAX),
            None => self.create_member(parent, key, u64::MAX),
        }
    }

    /// Returns the place that this one was merged into during the present change, or itself.
    pub(super) fn resolved(&self, mut node: NodeId) -> NodeId {
        while let Some(&target) = self.merged.get(&node) {
            node = target;
        }
        node
    }

    /// Ends a change: the numbers of the places that were merged may be used again.
    pub(super) fn settle(&mut self) {
        self.merges += u64::from(!self.freed.is_empty());
        self.free.append(&mut self.freed);
        self.merged.clear();
    }

    /// Makes maps of objects with many keys when there are too many places. Returns whether there are fewer now. The places that the
    /// caller knows must be [resolved](Self::resolved) before the change is [settled](Self::settle).
    pub(super) fn make_room(&mut self) -> bool {
        if self.is_full {
            return false;
        }
        for (keys, only_rare) in LADDER {
            self.make_maps(keys, only_rare);
            if self.count <= MAX_NODES / 2 {
                return true;
            }
        }
        self.is_full = true;
        self.count < MAX_NODES
    }

    /// Makes maps of objects with more than `max_keys` different keys, perhaps only of those that [look like maps](Self::is_map_like).
    pub(super) fn make_maps(&mut self, max_keys: usize, only_rare: bool) {
        let mut pending = vec![ROOT];
        while let Some(node) = pending.pop() {
            if let Members::ByKey(keys) = &self.node(node).members
                && keys.len() > max_keys
                && (!only_rare || self.is_map_like(node))
            {
                self.make_map(node, u64::MAX);
            }
            pending.extend(self.node(node).children());
        }
    }

    /// Whether the keys of objects look like data: of several objects, most have few of the keys; or there is one object, and its
    /// members have the same type.
    fn is_map_like(&self, node: NodeId) -> bool {
        let Members::ByKey(keys) = &self.node(node).members else { return true };
        let objects = self.node(node).objects.count;
        if objects > 1 {
            let present: u64 = keys.values().map(|&child| self.node(child).present).sum();
            return u128::from(present) * 2 < u128::from(objects) * keys.len() as u128;
        }
        let types = |node: &StructureNode| {
            [
                node.objects.count > 0,
                node.arrays.count > 0,
                node.strings.count > 0,
                node.numbers.count > 0,
                node.trues + node.falses > 0,
            ]
        };
        let mut types = keys.values().map(|&child| types(self.node(child))).filter(|types| *types != [false; 5]);
        let first = types.next();
        types.all(|types| Some(types) == first)
    }

    /// Whether places can be added.
    pub(super) fn has_room(&self) -> bool {
        self.count < MAX_NODES
    }

    /// Adds the tree of the next part, whose root has the place `target`. Returns false, and adds nothing, if the tree could become
    /// too large on the way.
    pub(super) fn add(&mut self, target: NodeId, part: &Self) -> bool {
        if self.count + part.most > MAX_NODES {
            return false;
        }
        self.merge(target, Some(part), ROOT, self.values);
        self.settle();
        self.values += part.values;
        self.unlisted += part.unlisted;
        self.deeper += part.deeper;
        true
    }
}
