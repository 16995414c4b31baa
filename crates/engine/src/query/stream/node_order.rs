//! RFC order for queries with one descendant segment.
//!
//! RFC 9535 wants the children that a descendant segment selects of a node before those that it selects of nodes inside that
//! node, and nodes in the order in which they begin. A selected child is called a *head* here. There is no nesting stack that
//! could tell which container a head belongs to, since most containers are never visited. It is enough to know the depth of
//! each head, and the lowest depth since the previous head. If that is not below the depth of the head, the previous head lies
//! in the same container, or inside one in it; in the latter case the new head comes first.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;

/// Heads, numbered in document order and linked in RFC order.
#[derive(Debug)]
pub(super) struct NodeOrder {
    /// The successor of each head. Entry 0 precedes the first head.
    next: Vec<u32>,
    /// The last head in RFC order.
    last: u32,
    /// Containers with heads, each inside the one before.
    blocks: Vec<Block>,
    /// Whether the two orders differ.
    is_moved: bool,
}

/// A container whose heads so far are adjacent in the list.
#[derive(Debug)]
struct Block {
    /// The depth inside it.
    depth: usize,
    /// Its last own head. Those further inside follow it.
    own: u32,
    /// The predecessor of its first head.
    before: u32,
}

const NONE: u32 = u32::MAX;

impl NodeOrder {
    pub(super) fn new() -> Self {
        Self { next: vec![NONE], last: 0, blocks: Vec::new(), is_moved: false }
    }

    /// Removes all heads.
    pub(super) fn clear(&mut self) {
        self.next.truncate(1);
        self.next[0] = NONE;
        self.last = 0;
        self.blocks.clear();
        self.is_moved = false;
    }

    /// Adds the next head, at `depth`. `low` is the lowest depth since the previous one. Returns its number, from 1.
    pub(super) fn add(&mut self, depth: usize, low: usize) -> Result<u32, OutOfMemory> {
        let head = u32::try_from(self.next.len()).ok().filter(|&head| head != NONE).ok_or(OutOfMemory::Ways)?;
        let mut before = None;
        while let Some(left) = self.blocks.pop_if(|block| block.depth > low) {
            before = Some(left.before);
        }
        if let Some(before) = before
            && self.blocks.last().is_none_or(|block| block.depth < low)
        {
            self.blocks.grow(Block { depth: low, own: before, before }, OutOfMemory::Levels)?;
        }
        let predecessor = match self.blocks.last_mut() {
            Some(block) if block.depth == depth => std::mem::replace(&mut block.own, head),
            _ => {
                self.blocks.grow(Block { depth, own: head, before: self.last }, OutOfMemory::Levels)?;
                self.last
            }
        };
        let successor = std::mem::replace(&mut self.next[predecessor as usize], head);
        self.next.grow(successor, OutOfMemory::Ways)?;
        if predecessor == self.last {
            self.last = head;
        } else {
            self.is_moved = true;
        }
        Ok(head)
    }

    /// Returns the number of heads.
    #[inline(always)]
    pub(super) fn heads(&self) -> usize {
        self.next.len() - 1
    }

    /// Sorts a list by the heads of its elements. The sort is stable.
    pub(super) fn sort<T: Clone>(&self, list: &mut Vec<T>, head: impl Fn(&T) -> u32) -> Result<(), OutOfMemory> {
        if !self.is_moved && list.is_sorted_by_key(&head) {
            return Ok(());
        }
        let ranks = self.ranks()?;
        let mut offsets = begins(&ranks, list.iter().map(&head))?;
        let mut sorted = Vec::new();
        sorted.room(list.len(), OutOfMemory::Matches)?;
        sorted.extend_from_slice(list);
        for entry in list.drain(..) {
            let offset = &mut offsets[ranks[head(&entry) as usize - 1] as usize];
            sorted[*offset] = entry;
            *offset += 1;
        }
        *list = sorted;
        Ok(())
    }

    /// Returns the position of each head in RFC order, by its number less 1.
    pub(super) fn ranks(&self) -> Result<Vec<u32>, OutOfMemory> {
        let mut ranks = Vec::new();
        ranks.room(self.heads(), OutOfMemory::Ways)?;
        ranks.resize(self.heads(), 0);
        let (mut head, mut rank) = (self.next[0], 0);
        while let Some(&next) = self.next.get(head as usize) {
            ranks[head as usize - 1] = rank;
            rank += 1;
            head = next;
        }
        Ok(ranks)
    }
}

/// Returns where the range of each head begins in a list that is sorted by head, by the rank of the head. The last entry is the
/// length of the list.
pub(super) fn begins(ranks: &[u32], heads: impl Iterator<Item = u32>) -> Result<Vec<usize>, OutOfMemory> {
    let mut begins = Vec::new();
    begins.room(ranks.len() + 1, OutOfMemory::Ways)?;
    begins.resize(ranks.len() + 1, 0);
    for head in heads {
        begins[ranks[head as usize - 1] as usize + 1] += 1;
    }
    for rank in 0..ranks.len() {
        begins[rank + 1] += begins[rank];
    }
    Ok(begins)
}

#[cfg(test)]
mod tests {
    use super::NodeOrder;

    /// Heads of random trees, against where their containers begin.
    #[test]
    fn heads_come_in_the_order_of_their_containers() {
        let mut state = 1_u64;
        let mut die = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut order = NodeOrder::new();
        for _ in 0..2000 {
            order.clear();
            let (mut starts, mut low) = (vec![0], 0);
            let mut heads = Vec::new();
            for offset in 1..40 {
                match die() % 3 {
                    0 => starts.push(offset),
                    1 if starts.len() > 1 => {
                        starts.pop();
                        low = low.min(starts.len());
                    }
                    _ => {
                        let number = order.add(starts.len(), low).expect("there are few");
                        heads.push((starts[starts.len() - 1], offset, number));
                        low = starts.len();
                    }
                }
            }
            let mut found = heads.clone();
            order.sort(&mut found, |&(_, _, number)| number).expect("there is memory");
            heads.sort_unstable();
            assert_eq!(found, heads);
        }
    }
}
