//! The brackets of a fragment: a part of a document from just after one comma to just after another, checked without the text
//! before it.
//!
//! The effect of a fragment on the containers around it can be determined without knowing them: the kind of the container that the
//! fragment begins in, how many containers it closes and of which kind the one around each must be, and which containers it leaves
//! open. So threads check fragments in parallel and join them in order, with the same comparisons that a sequential scan makes.

#![forbid(unsafe_code)]

use super::Flush;
use super::Nesting;
use super::Queue;
use crate::grammar::Kinds;
use crate::kernel::Kernel;

/// What is known so far about the containers around a fragment. The innermost one has depth 1.
#[derive(Clone, Default)]
pub(super) struct Around {
    /// Whether the innermost one at the start is an object, according to the segment before the first bracket.
    pub(super) first: Option<bool>,
    /// For each closed container, whether the container around it is an object.
    pub(super) closed: Kinds,
    /// Greatest depth, recorded only where it exceeds the limit.
    deepest: u64,
}

impl Around {
    /// Records a depth. `depth` is relative to the containers that are still open.
    pub(super) fn record_depth(&mut self, depth: usize) {
        self.deepest = self.deepest.max((depth as u64).saturating_sub(self.closed.len()));
    }
}

/// The effect of a fragment on the containers around it.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// Whether it begins in an object.
    first: bool,
    /// For each container around it that it closes, whether the next outer container is an object.
    closed: Kinds,
    /// For each container that it leaves open, whether the next outer container is an object.
    opened: Kinds,
    /// Whether it ends in an object. `None` if that is unknown because its last bracket closes a container around it.
    last: Option<bool>,
    /// Upper bound of its depth, if it begins at depth 1.
    deepest: u64,
}

impl Fragment {
    /// Whether it consists of whole elements of an array.
    pub(crate) fn is_elements(&self) -> bool {
        !self.first && self.closed.len() == 0 && self.opened.len() == 0
    }
}

impl Nesting {
    /// Starts a fragment.
    pub(in crate::grammar) fn start_fragment(&mut self) {
        let max_depth = self.max_depth;
        self.start();
        self.around = Some(Box::default());
        self.depth = 1;
        // Finding the greatest depth takes time, so it is skipped up to half of the allowed depth.
        self.limit = max_depth / 2;
    }

    /// Ends a fragment at a comma. `object` tells whether the comma's container is an object, if the text since the last bracket
    /// shows it. Returns `None` if the fragment cannot be part of any document.
    #[inline(always)]
    pub(in crate::grammar) fn end_fragment<K: Kernel>(&mut self, kernel: K, object: Option<bool>) -> Option<Fragment> {
        let last = kernel.run(Flush { queue: self.queue, nesting: self });
        self.queue = Queue::default();
        self.take_fragment((last.length > 0).then_some((last.openers & 1 == 1, last.objects & 1)), object)
    }

    /// Ends a fragment whose last bracket is `last`: whether it is an opening bracket, and the kind of the segment before it.
    fn take_fragment(&mut self, last: Option<(bool, u64)>, mut object: Option<bool>) -> Option<Fragment> {
        let mut closes_last = false;
        if let Some((opens, enclosing)) = last {
            if !self.root_seen {
                self.around.as_mut()?.first = Some(enclosing == 1);
            }
            if opens {
                self.push(enclosing, 1);
                if self.depth > self.limit {
                    self.check_depth(self.depth);
                }
            } else if self.depth > 1 {
                self.depth -= 1;
                let popped = self.bits_at(self.depth) & 1 == 1;
                // mutant:
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

    /// Appends the next fragment of a document. The state must be [reconciled](Self::reconcile) at a comma; `object` tells whether the
    /// comma's container is an object. Returns whether the container at the end of the fragment is an object. Returns `None` if the
    /// fragment cannot follow or may be too deep; the state is then unchanged. Also returns `None` if there is not enough memory.
    pub(crate) fn join(&mut self, object: bool, fragment: &Fragment) -> Option<bool> {
        let closed = usize::try_from(fragment.closed.len()).ok()?;
        let deepest = self.depth as u64 - 1 + fragment.deepest;
        // mutant: if fragment.first != object || closed >= self.depth {
        // mutant: if fragment.first != object || closed > self.depth || deepest > self.limit as u64 {
        // mutant: if closed >= self.depth || deepest > self.limit as u64 {
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
                // The kind of the container around the last one is unknown.
                // mutant:
                compared >>= 1;
            }
            // mutant:
            differ |= (expected ^ enclosing) & compared;
        }
        if differ != 0 {
            return None;
        }
        // mutant: let object = fragment.last.unwrap_or(object);
        let object = fragment.last.unwrap_or(self.bits_at(depth) & 1 == 1);
        self.depth = depth;
        self.lowest = self.lowest.min(depth);
        for (bits, count) in fragment.opened.pieces() {
            self.push(bits, count);
        }
        // A failed allocation is permanent.
        (!self.failed).then_some(object)
    }
}
