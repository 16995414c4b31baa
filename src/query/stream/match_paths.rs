//! The order of RFC 9535 behind several descendant segments.
//!
//! Behind one, it is the [order](super::node_order) of its heads. The next one selects anew for each node that the segments in
//! front of it lead to, also for one that lies inside of another; so a match comes as often as there are chains of nodes on the
//! way to it. But all heads of a segment that lie inside of a node follow each other, both in the text and in their order. A
//! node needs no more than to know from where to where, and no chain is ever written down.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::stream::node_order::NodeOrder;
use crate::query::stream::node_order::begins;
use std::ops::Range;

/// What leads to the matches of a document: a level for each descendant segment.
#[derive(Debug, Default)]
pub(super) struct MatchPaths {
    levels: Vec<Level>,
    /// Nodes that have not ended, each inside of the one before.
    open: Vec<Open>,
}

/// A descendant segment, and the child segments behind it.
#[derive(Debug)]
struct Level {
    /// Its heads.
    order: NodeOrder,
    /// How many containers were open at least since the last head.
    low: usize,
    /// What these segments lead to, if that is not the matches.
    nodes: Vec<Node>,
}

/// A container to which the next descendant segment is applied.
#[derive(Clone, Debug)]
struct Node {
    /// The head through which it was found.
    head: u32,
    /// The heads of the next level that are inside of it, by their numbers less 1, and one at least; when the matches are in order,
    /// the next level's nodes, or the matches.
    inside: Range<usize>,
}

#[derive(Debug)]
struct Open {
    level: usize,
    node: usize,
    /// Containers that are open in it.
    depth: usize,
}

impl MatchPaths {
    /// For so many descendant segments.
    pub(super) fn new(levels: usize) -> Self {
        let level = || Level { order: NodeOrder::new(), low: 0, nodes: Vec::new() };
        Self { levels: (0..levels).map(|_| level()).collect(), open: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        for level in &mut self.levels {
            level.order.clear();
            level.low = 0;
            level.nodes.clear();
        }
    }

    /// Takes the next head of a level, around which `depth` containers are open. Returns its number, from 1 on.
    #[inline(always)]
    pub(super) fn head(&mut self, level: usize, depth: usize) -> Result<u32, OutOfMemory> {
        let Level { order, low, .. } = &mut self.levels[level];
        let head = order.add(depth, *low);
        *low = depth;
        head
    }

    /// Takes a node that the segments up to those of a level lead to, through this head; `depth` containers are open in it.
    #[inline(always)]
    pub(super) fn enter(&mut self, level: usize, head: u32, depth: usize) -> Result<(), OutOfMemory> {
        let heads = self.levels[level + 1].order.heads();
        let nodes = &mut self.levels[level].nodes;
        self.open.grow(Open { level, node: nodes.len(), depth }, OutOfMemory::Levels)?;
        nodes.grow(Node { head, inside: heads..heads }, OutOfMemory::Ways)
    }

    /// No more than `depth` containers are open.
    #[inline(always)]
    pub(super) fn leave(&mut self, depth: usize) {
        for level in &mut self.levels {
            level.low = level.low.min(depth);
        }
        while let Some(Open { level, node, .. }) = self.open.pop_if(|open| open.depth > depth) {
            let heads = self.levels[level + 1].order.heads();
            let nodes = &mut self.levels[level].nodes;
            nodes[node].inside.end = heads;
            // Then nothing is in those that lie inside of it either.
            nodes.pop_if(|last| last.inside.is_empty());
        }
    }

    /// Brings the matches of a document into the order of their heads, which `head` tells, and prepares for
    /// [`paths`](Self::paths).
    pub(super) fn settle<M: Clone>(
        &mut self,
        matches: &mut Vec<M>,
        head: impl Fn(&M) -> u32,
    ) -> Result<(), OutOfMemory> {
        self.leave(0);
        let Some(last) = self.levels.last() else { return Ok(()) };
        last.order.sort(matches, &head)?;
        for level in (1..self.levels.len()).rev() {
            let (outer, inner) = self.levels.split_at_mut(level);
            let mut places = match inner {
                [last] => Places::new(&last.order, matches.iter().map(&head))?,
                _ => Places::new(&inner[0].order, inner[0].nodes.iter().map(|node| node.head))?,
            };
            let Level { order, nodes, .. } = &mut outer[level - 1];
            // Nodes that lie in others first.
            for node in nodes.iter_mut().rev() {
                node.inside = places.of_heads(node.inside.clone());
            }
            nodes.retain(|node| !node.inside.is_empty());
            order.sort(nodes, |node| node.head)?;
        }
        Ok(())
    }

    /// Whether a match may be found on several ways.
    pub(super) fn repeat(&self) -> bool {
        self.levels.len() > 1
    }

    /// The indexes of so many matches as often as they are found, in the order of RFC 9535. They have been
    /// [settled](Self::settle).
    pub(super) fn paths(&self, matches: usize) -> Paths<'_> {
        let others = &self.levels[..self.levels.len().saturating_sub(1)];
        let first = others.first().map_or(matches, |level| level.nodes.len());
        let mut way = Vec::with_capacity(self.levels.len());
        way.push(0..first);
        Paths { others, way }
    }
}

/// Goes from chain to chain.
pub(super) struct Paths<'c> {
    /// All levels but the last.
    others: &'c [Level],
    /// For each level on the way, what is left of the nodes inside of the one above.
    way: Vec<Range<usize>>,
}

impl Iterator for Paths<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        loop {
            let level = self.way.len().checked_sub(1)?;
            match (self.way[level].next(), self.others.get(level)) {
                (Some(index), Some(level)) => self.way.push(level.nodes[index].inside.clone()),
                (Some(index), None) => return Some(index),
                (None, _) => {
                    self.way.pop();
                }
            }
        }
    }
}

/// Where in a list, which is in the order of its heads, that stands which is found through a head.
struct Places {
    /// Where it begins, by the rank of the head; behind all of them, where the list ends.
    begins: Vec<usize>,
    /// The least rank from each head on and up to some other one, by the number of the head less 1: those, and the head
    /// behind.
    ranks: Vec<u32>,
    behind: Vec<u32>,
}

impl Places {
    fn new(order: &NodeOrder, heads: impl Iterator<Item = u32>) -> Result<Self, OutOfMemory> {
        let ranks = order.ranks()?;
        let begins = begins(&ranks, heads)?;
        let mut behind = Vec::new();
        behind.room(ranks.len(), OutOfMemory::Ways)?;
        behind.extend((1..).take(ranks.len()));
        Ok(Self { begins, ranks, behind })
    }

    /// What is found through heads that follow each other in both orders, by their numbers less 1. Of heads that have been
    /// asked for before, all must be among these, or none.
    fn of_heads(&mut self, heads: Range<usize>) -> Range<usize> {
        let (mut least, mut head) = (u32::MAX, heads.start);
        while head < heads.end {
            least = least.min(self.ranks[head]);
            head = self.behind[head] as usize;
        }
        self.ranks[heads.start] = least;
        self.behind[heads.start] = u32::try_from(heads.end).unwrap_or(u32::MAX);
        self.begins[least as usize]..self.begins[least as usize + heads.len()]
    }
}
