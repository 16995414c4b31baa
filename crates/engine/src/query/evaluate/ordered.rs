//! Selects nodes in the order of RFC 9535, which is not always document order.
//!
//! A child segment with one selector usually selects nodes in document order, so a run of these segments is evaluated in one
//! traversal by an [`Automaton`]. Any other segment (a descendant segment, or one with several selectors or a slice with negative
//! step) is applied to one node at a time: the nodes that it selects are listed, in 24 bytes each, sorted, and passed to the
//! following segments one by one. Only nodes that lead to a match are listed.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::automaton::Automaton;
use crate::query::evaluate::location::PathStep;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::may_select_after;
use crate::query::evaluate::selection::selects;
use crate::query::evaluate::traversal::Traversal;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;

/// Selects nodes in the order of RFC 9535.
pub(super) struct Ordered<'q> {
    /// The stages of the evaluation. Each is applied to the last node of the one before it.
    stages: Vec<Stage<'q>>,
}

/// One or more segments that are applied together, and the segments after them.
struct Stage<'q> {
    work: Work<'q>,
    following: &'q [Segment],
}

/// How a stage selects nodes.
enum Work<'q> {
    /// In one traversal.
    Traverse(Automaton<'q>),
    /// From a sorted list.
    Listed(NodeList<'q>),
}

/// The nodes that a segment selects, in order.
struct NodeList<'q> {
    segment: &'q Segment,
    entries: Vec<OrderedNode>,
    /// Number of entries that `next` has returned.
    returned: usize,
    /// Offset of the node to which the segment is applied.
    start: usize,
    /// A second traversal, to the nodes that `next` returns, for their paths.
    descent: Option<Traversal>,
}

/// A selected node.
#[derive(Clone, Copy)]
struct OrderedNode {
    /// Offset of the container of the node.
    parent: u64,
    /// Offset of the value.
    start: u64,
    /// Index of the selector in the upper 16 bits, index of the child in the lower 48.
    selector_and_index: u64,
}

/// Number of bits of a child index in an entry.
const INDEX_BITS: u32 = 48;

impl OrderedNode {
    /// Returns the index of the selector in its segment.
    fn selector(&self) -> usize {
        (self.selector_and_index >> INDEX_BITS) as usize
    }

    /// Returns the index of the child in its container.
    fn index(&self) -> i64 {
        (self.selector_and_index & ((1 << INDEX_BITS) - 1)).cast_signed()
    }
}

/// Returns whether the selector selects elements in reverse order.
fn is_backward(selector: &Selector) -> bool {
    matches!(selector, Selector::Slice(slice) if slice.step < 0)
}

/// Returns whether a segment selects nodes in document order, and none of them twice.
fn keeps_order(segment: &Segment) -> bool {
    !segment.descendant && segment.selectors.len() == 1 && !segment.selectors.iter().any(is_backward)
}

impl<'q> Ordered<'q> {
    /// Begins to apply the segments to the node at `start`.
    pub(super) fn new(segments: &'q [Segment], start: usize, scope: &mut Scope<'_>) -> Self {
        Self { stages: vec![Stage::new(segments, start, scope)] }
    }

    /// Returns the offset of the next node.
    pub(super) fn next(&mut self, scope: &mut Scope<'_>) -> Option<usize> {
        loop {
            let stage = self.stages.last_mut()?;
            let Some(start) = stage.next(scope) else {
                self.stages.pop();
                continue;
            };
            if stage.following.is_empty() {
                return Some(start);
            }
            let next = Stage::new(stage.following, start, scope);
            self.stages.push(next);
        }
    }

    /// Returns the steps to the last node.
    pub(super) fn steps(&mut self, scope: &Scope<'_>) -> Vec<PathStep> {
        let mut steps = Vec::new();
        for stage in &mut self.stages {
            match &mut stage.work {
                Work::Traverse(automaton) => steps.extend(automaton.steps()),
                Work::Listed(list) => list.steps(scope, &mut steps),
            }
        }
        steps
    }
}

impl<'q> Stage<'q> {
    fn new(segments: &'q [Segment], start: usize, scope: &mut Scope<'_>) -> Self {
        let order_preserving = segments.iter().take_while(|segment| keeps_order(segment)).count();
        let (now, following) = segments.split_at(if segments.is_empty() { 0 } else { order_preserving.max(1) });
        let work = match now {
            [segment] if order_preserving == 0 => Work::Listed(NodeList::new(segment, start, following, scope)),
            _ => Work::Traverse(Automaton::new(now, start)),
        };
        Self { work, following }
    }

    fn next(&mut self, scope: &mut Scope<'_>) -> Option<usize> {
        match &mut self.work {
            Work::Traverse(automaton) => automaton.next(scope).map(|found| found.start),
            Work::Listed(list) => list.next(),
        }
    }
}

impl<'q> NodeList<'q> {
    /// Lists the nodes that the segment selects below the node at `start`, if `following` selects anything from them.
    fn new(segment: &'q Segment, start: usize, following: &[Segment], scope: &mut Scope<'_>) -> Self {
        let document = scope.document;
        let mut entries = Vec::new();
        let mut descent = Traversal::new(document, start);
        let mut seen = vec![false; segment.selectors.len()];
        while descent.depth() > 0 {
            let Some(child) = descent.next(document) else {
                descent.exit();
                continue;
            };
            let Some(container) = descent.container_at(descent.depth() - 1) else { break };
            let mut has_match = None;
            for ((number, selector), seen) in segment.selectors.iter().enumerate().zip(&mut seen) {
                // mutant: let is_first = true;
                let is_first = segment.descendant || !*seen;
                if is_first && selects(selector, &child, container, scope) {
                    *seen = is_name(selector);
                    let has_match = *has_match
                        .get_or_insert_with(|| following.is_empty() || scope.selects_from(child.start, following));
                    if has_match {
                        let selector_and_index = (number as u64) << INDEX_BITS | child.index.unsigned_abs();
                        let parent = container.start as u64;
                        let entry = OrderedNode { parent, start: child.start as u64, selector_and_index };
                        if let Err(out_of_memory) = entries.grow(entry, OutOfMemory::Matches) {
                            document.note_out_of_memory(out_of_memory);
                        }
                    }
                }
            }
            let more = |(selector, &seen)| may_select_after(selector, &child, seen);
            if !segment.descendant && !segment.selectors.iter().zip(&seen).any(more) {
                break;
            }
            if !(segment.descendant && descent.enter(document, child.start)) {
                descent.skip_to(document.end(child.start));
            }
        }
        let is_backward: Vec<_> = segment.selectors.iter().map(is_backward).collect();
        entries.sort_unstable_by_key(|entry| {
            let number = entry.selector();
            // mutant: (entry.parent, number, entry.start)
            (entry.parent, number, if is_backward[number] { !entry.start } else { entry.start })
        });
        Self { segment, entries, returned: 0, start, descent: None }
    }

    fn next(&mut self) -> Option<usize> {
        let entry = self.entries.get(self.returned)?;
        self.returned += 1;
        Some(to_offset(entry.start))
    }

    /// Appends the steps to the last node.
    fn steps(&mut self, scope: &Scope<'_>, steps: &mut Vec<PathStep>) {
        let Some(entry) = self.returned.checked_sub(1).and_then(|last| self.entries.get(last)) else { return };
        let document = scope.document;
        if self.segment.descendant {
            // Entries are sorted by parent, so this traversal only moves forward.
            let descent = self.descent.get_or_insert_with(|| Traversal::new(document, self.start));
            descent.advance_to(document, to_offset(entry.parent));
            steps.extend(descent.steps());
        }
        let start = to_offset(entry.start);
        let is_member = document.byte(to_offset(entry.parent)) == b'{';
        steps.push(if is_member {
            PathStep::Name(document.name_before(start))
        } else {
            PathStep::Index(entry.index())
        });
    }
}

/// Converts an offset in the document to an index.
#[expect(clippy::cast_possible_truncation, reason = "it was made from a usize")]
fn to_offset(offset: u64) -> usize {
    offset as usize
}
