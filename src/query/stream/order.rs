//! The order of RFC 9535, from matches in the order of the document.
//!
//! Behind a single descendant segment the RFC wants what that selects of a node before what it selects inside of the node,
//! and nodes in the order in which they begin. Nodes that are found on the way have no place in a stack of containers here,
//! since most containers are never looked at; but it is enough to know, of each child that the segment selects (a *head*), how
//! many containers are open around it, and how few were since the last one. If those have not become fewer than are open
//! now, the last one lies inside of the container of this one, and this one comes first.

#![forbid(unsafe_code)]

/// Heads in the order in which they are found, linked in the order that is wanted.
#[derive(Debug)]
pub(super) struct Order {
    /// What follows each head; the first entry stands in front of all of them.
    next: Vec<u32>,
    last: u32,
    /// Containers with heads in them, each inside of the one before.
    blocks: Vec<Block>,
    /// Whether the two orders differ.
    is_moved: bool,
}

/// A container of which all heads so far are linked one behind the other.
#[derive(Debug)]
struct Block {
    /// Containers that are open in it.
    depth: usize,
    /// The last head in front of those that lie further inside.
    own: u32,
    /// What stands in front of the first head.
    before: u32,
}

const NONE: u32 = u32::MAX;

impl Order {
    pub(super) fn new() -> Self {
        Self { next: vec![NONE], last: 0, blocks: Vec::new(), is_moved: false }
    }

    /// Forgets all heads.
    pub(super) fn clear(&mut self) {
        self.next.truncate(1);
        self.next[0] = NONE;
        self.last = 0;
        self.blocks.clear();
        self.is_moved = false;
    }

    /// Takes the next head, around which `depth` containers are open, and since the one before never fewer than `low`.
    /// Returns its number, from 1 on; nothing if there are too many.
    pub(super) fn add(&mut self, depth: usize, low: usize) -> Option<u32> {
        let head = u32::try_from(self.next.len()).ok().filter(|&head| head != NONE)?;
        let mut before = None;
        while let Some(left) = self.blocks.pop_if(|block| block.depth > low) {
            before = Some(left.before);
        }
        if let Some(before) = before
            && self.blocks.last().is_none_or(|block| block.depth < low)
        {
            self.blocks.push(Block { depth: low, own: before, before });
        }
        let behind = match self.blocks.last_mut() {
            Some(block) if block.depth == depth => std::mem::replace(&mut block.own, head),
            _ => {
                self.blocks.push(Block { depth, own: head, before: self.last });
                self.last
            }
        };
        let follower = std::mem::replace(&mut self.next[behind as usize], head);
        self.next.push(follower);
        if behind == self.last {
            self.last = head;
        } else {
            self.is_moved = true;
        }
        Some(head)
    }

    /// How many heads there are.
    #[inline(always)]
    pub(super) fn heads(&self) -> usize {
        self.next.len() - 1
    }

    /// Brings a list into the order of its heads.
    pub(super) fn sort<T>(&self, list: &mut [T], head: impl Fn(&T) -> u32) {
        match self.ranks() {
            Some(ranks) => list.sort_by_key(|entry| ranks[head(entry) as usize - 1]),
            None => list.sort_by_key(head),
        }
    }

    /// Where in the order each head comes, by its number less 1; nothing if that is what this says.
    pub(super) fn ranks(&self) -> Option<Vec<u32>> {
        if !self.is_moved {
            return None;
        }
        let mut ranks = vec![0; self.heads()];
        let (mut head, mut rank) = (self.next[0], 0);
        while let Some(&next) = self.next.get(head as usize) {
            ranks[head as usize - 1] = rank;
            rank += 1;
            head = next;
        }
        Some(ranks)
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    /// Heads of random trees, against where their containers begin.
    #[test]
    fn heads_come_in_the_order_of_their_containers() {
        let mut state = 1_u64;
        let mut die = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut order = Order::new();
        for _ in 0..2000 {
            order.clear();
            let (mut starts, mut low) = (vec![0], 0);
            let mut heads = Vec::new();
            for place in 1..40 {
                match die() % 3 {
                    0 => starts.push(place),
                    1 if starts.len() > 1 => {
                        starts.pop();
                        low = low.min(starts.len());
                    }
                    _ => {
                        let number = order.add(starts.len(), low).expect("there are few");
                        heads.push((starts[starts.len() - 1], place, number));
                        low = starts.len();
                    }
                }
            }
            let ranks = order.ranks();
            heads.sort_unstable();
            let rank = |number: u32| ranks.as_ref().map_or(number, |ranks| ranks[number as usize - 1]);
            assert!(heads.is_sorted_by_key(|&(_, _, number)| rank(number)), "{heads:?}");
        }
    }
}
