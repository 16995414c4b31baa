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
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::selects;
use crate::query::evaluate::traversal::Traversal;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use std::vec::IntoIter;

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
    Listed(IntoIter<OrderedNode>),
}

/// A selected node.
struct OrderedNode {
    /// Offset of the container of the node.
    parent: usize,
    /// Index of the selector in its segment.
    selector: usize,
    /// Offset of the value.
    start: usize,
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
}

impl<'q> Stage<'q> {
    fn new(segments: &'q [Segment], start: usize, scope: &mut Scope<'_>) -> Self {
        let order_preserving = segments.iter().take_while(|segment| keeps_order(segment)).count();
        let (now, following) = segments.split_at(if segments.is_empty() { 0 } else { order_preserving.max(1) });
        let work = match now {
            [segment] if order_preserving == 0 => Work::Listed(listed(segment, start, following, scope).into_iter()),
            _ => Work::Traverse(Automaton::new(now, start)),
        };
        Self { work, following }
    }

    fn next(&mut self, scope: &mut Scope<'_>) -> Option<usize> {
        match &mut self.work {
            Work::Traverse(automaton) => automaton.next(scope).map(|found| found.start),
            Work::Listed(nodes) => nodes.next().map(|node| node.start),
        }
    }
}

/// Returns the nodes that the segment selects below the node at `start`, in order, if `following` selects anything from them.
fn listed(segment: &Segment, start: usize, following: &[Segment], scope: &mut Scope<'_>) -> Vec<OrderedNode> {
    let document = scope.document;
    let mut nodes = Vec::new();
    let mut descent = Traversal::new(document, start);
    let mut seen = vec![false; segment.selectors.len()];
    while descent.depth() > 0 {
        let Some(child) = descent.next(document) else {
            descent.exit();
            continue;
        };
        let Some(container) = descent.container() else { break };
        let mut has_match = None;
        for ((number, selector), seen) in segment.selectors.iter().enumerate().zip(&mut seen) {
            // mutant: let is_first = true;
            let is_first = segment.descendant || !*seen;
            if is_first && selects(selector, &child, container, scope) {
                *seen = is_name(selector);
                let has_match = *has_match
                    .get_or_insert_with(|| following.is_empty() || scope.selects_from(child.start, following));
                if has_match {
                    let node = OrderedNode { parent: container.start, selector: number, start: child.start };
                    if let Err(out_of_memory) = nodes.grow(node, OutOfMemory::Matches) {
                        document.note_out_of_memory(out_of_memory);
                    }
                }
            }
        }
        if !(segment.descendant && descent.enter(document, child.start)) {
            descent.skip_to(document.end(child.start));
        }
    }
    let is_backward: Vec<_> = segment.selectors.iter().map(is_backward).collect();
    nodes.sort_unstable_by_key(|&OrderedNode { parent, selector, start }| {
        // mutant: (parent, selector, start)
        (parent, selector, if is_backward[selector] { !start } else { start })
    });
    nodes
}
