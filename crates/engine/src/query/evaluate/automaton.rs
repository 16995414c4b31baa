//! Applies all segments at once, in a single traversal of the document, in document order.
//!
//! Each open container has a count for each segment: how often the segment has to be applied to the container. These counts and
//! the selectors determine the counts of each child, so even a node that is selected a million times is visited once. The
//! traversal skips children to which no segment applies.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::document::Child;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::selects;
use crate::query::evaluate::traversal::Traversal;
use crate::query::syntax::Segment;

/// Selects nodes in document order.
pub(super) struct Automaton<'q> {
    segments: &'q [Segment],
    /// Offset of the node at which the traversal begins; `None` once it has begun.
    start: Option<usize>,
    /// Number of segments, from the first, that are applied to the node at `start`.
    initial_segments: usize,
    descent: Traversal,
    /// For each open container and each segment, how often to apply the segment to the container.
    counts: Vec<u64>,
    /// For each open container and each name selector of a child segment, whether the selector has selected a member. If a key is
    /// duplicate, it selects only the first member.
    seen: Vec<bool>,
    /// Number of name selectors in child segments.
    name_count: usize,
    /// For each segment, how often to apply it to the last child. The last element is how often the child is selected.
    child_counts: Vec<u64>,
    /// Offset of the last child, until it is entered or skipped.
    child: Option<usize>,
}

/// A selected node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) struct SelectedNode {
    /// Offset of the value.
    pub(in crate::query) start: usize,
    /// How often the node is selected.
    pub(in crate::query) multiplicity: u64,
}

impl<'q> Automaton<'q> {
    /// Begins to apply the segments to the node at `start`.
    pub(super) fn new(segments: &'q [Segment], start: usize) -> Self {
        let named = |segment: &Segment| segment.selectors.iter().filter(|selector| is_name(selector)).count();
        Self {
            segments,
            start: Some(start),
            initial_segments: 1,
            descent: Traversal::default(),
            counts: Vec::new(),
            seen: Vec::new(),
            name_count: segments.iter().filter(|segment| !segment.descendant).map(named).sum(),
            child_counts: vec![0; segments.len() + 1],
            child: None,
        }
    }

    /// Begins to apply the segments to a node that the first of them, a descendant segment, has already selected. So both the first
    /// and the second segment are applied to it.
    pub(super) fn continue_inside(segments: &'q [Segment], start: usize) -> Self {
        Self { initial_segments: 2, ..Self::new(segments, start) }
    }

    /// Returns the offset that the traversal has reached.
    pub(super) fn offset(&self) -> usize {
        self.descent.offset()
    }

    /// Returns the next selected node, in document order.
    pub(super) fn next(&mut self, scope: &mut Scope<'_>) -> Option<SelectedNode> {
        if let Some(start) = self.start.take() {
            // mutant: self.child_counts[0] = 1;
            self.child_counts[..self.initial_segments].fill(1);
            if self.segments.is_empty() {
                return Some(SelectedNode { start, multiplicity: 1 });
            }
            self.enter(scope, start);
        }
        loop {
            if scope.document.has_changed() {
                return None;
            }
            if let Some(child) = self.child.take() {
                let is_wanted = self.child_counts[..self.segments.len()].iter().any(|&count| count > 0);
                if !(is_wanted && self.enter(scope, child)) {
                    self.descent.skip_to(scope.document.end(child));
                }
            }
            if self.descent.depth() == 0 {
                return None;
            }
            let Some(child) = self.descent.next(scope.document) else {
                self.descent.exit();
                let depth = self.descent.depth();
                self.counts.truncate(depth * self.segments.len());
                self.seen.truncate(depth * self.name_count);
                continue;
            };
            let start = child.start;
            let multiplicity = self.visit(scope, &child);
            self.child = Some(start);
            if multiplicity > 0 {
                return Some(SelectedNode { start, multiplicity });
            }
        }
    }

    /// Enters a value. Returns false if it is not a container, or if out of memory.
    fn enter(&mut self, scope: &Scope<'_>, start: usize) -> bool {
        let is_container = self.descent.enter(scope.document, start);
        if is_container {
            let counts = &self.child_counts[..self.segments.len()];
            let grown = self.counts.room(counts.len(), OutOfMemory::Levels);
            if let Err(out_of_memory) = grown.and_then(|()| self.seen.room(self.name_count, OutOfMemory::Levels)) {
                scope.document.note_out_of_memory(out_of_memory);
                return false;
            }
            self.counts.extend_from_slice(counts);
            self.seen.resize(self.seen.len() + self.name_count, false);
        }
        is_container
    }

    /// Computes `child_counts` for a child of the innermost container. Returns how often the child is selected.
    fn visit(&mut self, scope: &mut Scope<'_>, child: &Child) -> u64 {
        let level = self.descent.depth() - 1;
        let counts = &self.counts[level * self.segments.len()..];
        let mut seen = self.seen[level * self.name_count..].iter_mut();
        let Some(container) = self.descent.container() else { return 0 };
        self.child_counts.fill(0);
        for (number, (segment, &count)) in self.segments.iter().zip(counts).enumerate() {
            if segment.descendant {
                self.child_counts[number] = self.child_counts[number].saturating_add(count);
            }
            for selector in &segment.selectors {
                let seen = if is_name(selector) && !segment.descendant { seen.next() } else { None };
                let is_seen = seen.as_ref().is_some_and(|seen| **seen);
                // mutant: if count > 0 && selects(selector, child, container, scope) {
                if count > 0 && !is_seen && selects(selector, child, container, scope) {
                    self.child_counts[number + 1] = self.child_counts[number + 1].saturating_add(count);
                    if let Some(seen) = seen {
                        *seen = true;
                    }
                }
            }
        }
        self.child_counts[self.segments.len()]
    }
}
