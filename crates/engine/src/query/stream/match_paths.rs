//! RFC order for queries with several descendant segments.
//!
//! For one descendant segment, it is the [order](super::node_order) of its heads. A further descendant segment is applied to
//! each node that the segments before it select, including nodes inside other such nodes. So a match is reported once for each
//! chain of nodes that leads to it. But all heads of a segment inside a node are adjacent, both in the text and in RFC order.
//! It is therefore enough to store, for each node, the range of heads inside it. Chains are never stored.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::stream::node_order::NodeOrder;
use crate::query::stream::node_order::begins;
use std::ops::Range;

/// The nodes that lead to the matches of a document, with one level per descendant segment.
#[derive(Debug, Default)]
pub(super) struct MatchPaths {
    levels: Vec<DescentLevel>,
    /// The nodes that have not ended, each inside the one before.
    open: Vec<Open>,
}

/// A descendant segment and the child segments that follow it.
#[derive(Debug)]
struct DescentLevel {
    /// Its heads.
    order: NodeOrder,
    /// The lowest depth since the last head.
    low: usize,
    /// The nodes that these segments select, except on the last level, where these are the matches.
    nodes: Vec<DescentNode>,
}

/// A container to which the next descendant segment is applied.
#[derive(Clone, Debug)]
struct DescentNode {
    /// The head through which it was found.
    head: u32,
    /// The heads of the next level inside it, by their numbers less 1; at least one. After [`sort`](MatchPaths::sort), the
    /// next level's nodes or the matches instead.
    inside: Range<usize>,
}

/// A node that has not ended.
#[derive(Debug)]
struct Open {
    level: usize,
    node: usize,
    /// Number of open containers inside it, including itself.
    depth: usize,
}

impl MatchPaths {
    /// Creates the paths for `levels` descendant segments.
    pub(super) fn new(levels: usize) -> Self {
        let level = || DescentLevel { order: NodeOrder::new(), low: 0, nodes: Vec::new() };
        Self { levels: (0..levels).map(|_| level()).collect(), open: Vec::new() }
    }

    /// Removes all heads and nodes.
    pub(super) fn clear(&mut self) {
        self.open.clear();
        for level in &mut self.levels {
            level.order.clear();
            level.low = 0;
            level.nodes.clear();
        }
    }

    /// Adds the next head of a level, at `depth`. Returns its number, from 1.
    #[inline(always)]
    pub(super) fn head(&mut self, level: usize, depth: usize) -> Result<u32, OutOfMemory> {
        let DescentLevel { order, low, .. } = &mut self.levels[level];
        let head = order.add(depth, *low);
        *low = depth;
        head
    }

    /// Adds a node that the segments of `level` select through `head`. `depth` is the depth inside it.
    #[inline(always)]
    pub(super) fn enter(&mut self, level: usize, head: u32, depth: usize) -> Result<(), OutOfMemory> {
        let heads = self.levels[level + 1].order.heads();
        let nodes = &mut self.levels[level].nodes;
        self.open.grow(Open { level, node: nodes.len(), depth }, OutOfMemory::Levels)?;
        nodes.grow(DescentNode { head, inside: heads..heads }, OutOfMemory::Ways)
    }

    /// Records that the depth has decreased to `depth`.
    #[inline(always)]
    pub(super) fn leave(&mut self, depth: usize) {
        for level in &mut self.levels {
            // mutant: level.low = depth;
            level.low = level.low.min(depth);
        }
        while let Some(Open { level, node, .. }) = self.open.pop_if(|open| open.depth > depth) {
            let heads = self.levels[level + 1].order.heads();
            let nodes = &mut self.levels[level].nodes;
            nodes[node].inside.end = heads;
            // If it has no heads inside, neither do nodes inside it.
            nodes.pop_if(|last| last.inside.is_empty());
        }
    }

    /// Sorts the matches of a document by their heads, and prepares for [`paths`](Self::paths). `head` returns the head of a
    /// match.
    pub(super) fn sort<M: Clone>(&mut self, matches: &mut Vec<M>, head: impl Fn(&M) -> u32) -> Result<(), OutOfMemory> {
        self.leave(0);
        let Some(last) = self.levels.last() else { return Ok(()) };
        last.order.sort(matches, &head)?;
        for level in (1..self.levels.len()).rev() {
            let (outer, inner) = self.levels.split_at_mut(level);
            let mut offsets = match inner {
                [last] => Places::new(&last.order, matches.iter().map(&head))?,
                _ => Places::new(&inner[0].order, inner[0].nodes.iter().map(|node| node.head))?,
            };
            let DescentLevel { order, nodes, .. } = &mut outer[level - 1];
            // Inner nodes first.
            for node in nodes.iter_mut().rev() {
                node.inside = offsets.of_heads(node.inside.clone());
            }
            // mutant (2 lines):
            nodes.retain(|node| !node.inside.is_empty());
            order.sort(nodes, |node| node.head)?;
        }
        Ok(())
    }

    /// Whether a match may be reported several times.
    pub(super) fn may_repeat(&self) -> bool {
        self.levels.len() > 1
    }

    /// Returns the indexes of `matches` matches in RFC order, each as many times as it is selected. The matches must be
    /// [sorted](Self::sort).
    pub(super) fn paths(&self, matches: usize) -> Paths<'_> {
        let others = &self.levels[..self.levels.len().saturating_sub(1)];
        let first = others.first().map_or(matches, |level| level.nodes.len());
        let mut way = Vec::with_capacity(self.levels.len());
        way.push(0..first);
        Paths { others, way }
    }
}

/// An iterator over the chains.
pub(super) struct Paths<'c> {
    /// All levels but the last.
    others: &'c [DescentLevel],
    /// For each level of the current chain, the remaining nodes inside the node of the level above.
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

/// Maps heads to ranges in a list that is sorted by head.
struct Places {
    /// Start of the range of each head, by the rank of the head; at the end, the length of the list.
    begins: Vec<usize>,
    /// For each head (by its number less 1), the least rank in a run of heads that starts with it.
    ranks: Vec<u32>,
    /// The end of that run.
    run_ends: Vec<u32>,
}

impl Places {
    fn new(order: &NodeOrder, heads: impl Iterator<Item = u32>) -> Result<Self, OutOfMemory> {
        let ranks = order.ranks()?;
        let begins = begins(&ranks, heads)?;
        let mut run_ends = Vec::new();
        run_ends.room(ranks.len(), OutOfMemory::Ways)?;
        run_ends.extend((1..).take(ranks.len()));
        Ok(Self { begins, ranks, run_ends })
    }

    /// Returns the range of the list for `heads`, a range of head numbers less 1 that are adjacent in both orders. If some of
    /// these heads were passed before, all heads passed then must be in this range.
    fn of_heads(&mut self, heads: Range<usize>) -> Range<usize> {
        let (mut least, mut head) = (u32::MAX, heads.start);
        while head < heads.end {
            // mutant: least = least.min(self.ranks[heads.start]);
            least = least.min(self.ranks[head]);
            head = self.run_ends[head] as usize;
        }
        self.ranks[heads.start] = least;
        self.run_ends[heads.start] = u32::try_from(heads.end).unwrap_or(u32::MAX);
        self.begins[least as usize]..self.begins[least as usize + heads.len()]
    }
}
