//! The brackets of a fragment: a stretch from behind one comma up to behind another, read without what came before it.
//!
//! What it does to the containers around it can be told without knowing them: of which kind the innermost is that it begins
//! in, which ones it closes and what must be around each of those, and which it opens. So fragments are read at the same
//! time and joined in their order, by the same comparisons that a walk over all of it would have made.

#![forbid(unsafe_code)]

use super::Flush;
use super::Nesting;
use super::Queue;
use crate::grammar::Kinds;
use crate::kernel::Kernel;

/// What has been seen of the containers around a fragment that is being read. The innermost stands at depth 1.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// Whether the innermost one at the start is an object, as the segment in front of the first bracket says.
    pub(super) first: Option<bool>,
    /// For each one that was closed, whether what is around it is an object.
    pub(super) closed: Kinds,
    /// The greatest depth beyond the limit, which is only looked at there.
    deepest: u64,
}

impl Around {
    /// The depth counts from the innermost container that is left.
    pub(super) fn meet_depth(&mut self, depth: usize) {
        self.deepest = self.deepest.max((depth as u64).saturating_sub(self.closed.len()));
    }
}

/// What a fragment does to the containers around it.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// Whether it begins in an object.
    first: bool,
    /// For each container around it that it closes, whether what is around that is an object.
    closed: Kinds,
    /// For each container that it leaves open, whether what is around that is an object.
    opened: Kinds,
    /// Whether it ends in an object; unknown if the last thing in it closes a container around it.
    last: Option<bool>,
    /// A depth that it does not exceed, if it begins at depth 1.
    deepest: u64,
}

impl Nesting {
    /// Begins a fragment.
    pub(in crate::grammar) fn start_fragment(&mut self) {
        let max_depth = self.max_depth;
        self.start();
        self.around = Some(Box::default());
        self.depth = 1;
        // Looking for the greatest depth takes time, so nobody does below half of what is allowed.
        self.limit = max_depth / 2;
    }

    /// Ends a fragment at a comma. `object` is the kind of the container there as far as the text since the last bracket
    /// tells it. Nothing if the fragment can be part of no document.
    #[inline(always)]
    pub(in crate::grammar) fn end_fragment<K: Kernel>(&mut self, kernel: K, object: Option<bool>) -> Option<Fragment> {
        let last = kernel.run(Flush { queue: self.queue, nesting: self });
        self.queue = Queue::default();
        self.take_fragment((last.length > 0).then_some((last.openers & 1 == 1, last.objects & 1)), object)
    }

    /// `last` is the last bracket: whether it opens, and the kind of the segment in front of it.
    fn take_fragment(&mut self, last: Option<(bool, u64)>, mut object: Option<bool>) -> Option<Fragment> {
        let mut closes_last = false;
        if let Some((opens, enclosing)) = last {
            if !self.root_seen {
                self.around.as_mut()?.first = Some(enclosing == 1);
            }
            if opens {
                self.push(enclosing, 1);
                if self.depth > self.limit {
                    self.meet_limit(self.depth);
                }
            } else if self.depth > 1 {
                self.depth -= 1;
                let popped = self.bits_at(self.depth) & 1 == 1;
                self.failed |= object.is_some_and(|object| object != popped);
                object = Some(popped);
            } else {
                self.around.as_mut()?.closed.push(object == Some(true)).ok()?;
                closes_last = true;
            }
        }
        let around = self.around.take()?;
        let first = around.first.or(object)?;
        if self.failed || object.is_none() && !closes_last {
            return None;
        }
        let mut opened = Kinds::new();
        for depth in (1..self.depth).step_by(63) {
            let count = (self.depth - depth).min(63);
            #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
            opened.extend(self.bits_at(depth) & ((1 << count) - 1), count as u32).ok()?;
        }
        let deepest = around.deepest.max(self.limit as u64);
        Some(Fragment { first, closed: around.closed, opened, last: object, deepest })
    }

    /// Joins the next fragment of a document at a comma where this is settled, with the comma's container an object or not.
    /// Returns the kind of the container at the end of the fragment. Nothing, and nothing has changed, if the fragment
    /// cannot follow, or may be too deep.
    pub(crate) fn join(&mut self, object: bool, fragment: &Fragment) -> Option<bool> {
        let closed = usize::try_from(fragment.closed.len()).ok()?;
        let deepest = self.depth as u64 - 1 + fragment.deepest;
        if fragment.first != object || closed >= self.depth || deepest > self.limit as u64 {
            return None;
        }
        let mut depth = self.depth;
        let mut differ = 0;
        for (enclosing, count) in fragment.closed.pieces() {
            depth -= count as usize;
            let expected = (self.bits_at(depth).reverse_bits() >> 1) >> (63 - count);
            let mut compared = (1 << count) - 1;
            if fragment.last.is_none() && depth + closed == self.depth {
                // What is around the last one nobody has told.
                compared >>= 1;
            }
            differ |= (expected ^ enclosing) & compared;
        }
        if differ != 0 {
            return None;
        }
        let object = fragment.last.unwrap_or(self.bits_at(depth) & 1 == 1);
        self.depth = depth;
        self.lowest = self.lowest.min(depth);
        for (bits, count) in fragment.opened.pieces() {
            self.push(bits, count);
        }
        // If there is no memory for them, nothing will do from here on.
        (!self.failed).then_some(object)
    }
}
