//! Counts the nodes that a query in a filter selects below each container of a document, in one pass for each segment.
//!
//! The passes begin with the last segment, so each one can use the counts of the segment after it. Each pass visits the innermost
//! containers first: a descendant segment selects children of a container, and whatever it selects below these children.

#![forbid(unsafe_code)]

use crate::query::evaluate::index::ContainerIndex;
use crate::query::evaluate::scope::NodeCount;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::selects;
use crate::query::syntax::Segment;

/// Returns what the segments select from each container of a document, by its number in the index. `None` if out of memory.
pub(super) fn subtree_counts(
    scope: &mut Scope<'_>,
    index: &ContainerIndex,
    segments: &[Segment],
) -> Option<Vec<NodeCount>> {
    let mut following = None;
    for segment in segments.iter().rev() {
        following = Some(count_segment(scope, index, segment, following.as_deref())?);
    }
    following
}

/// Returns what a segment and those after it select from each container. `following` has the counts of those after it, if any.
fn count_segment(
    scope: &mut Scope<'_>,
    index: &ContainerIndex,
    segment: &Segment,
    following: Option<&[NodeCount]>,
) -> Option<Vec<NodeCount>> {
    let document = scope.document;
    let mut all = Vec::new();
    all.try_reserve_exact(index.len()).ok()?;
    all.resize(index.len(), NodeCount::default());
    let mut seen = vec![false; segment.selectors.len()];
    for number in (0..index.len()).rev() {
        let Some(mut children) = document.children(index.start(number)) else { continue };
        let mut found = NodeCount::default();
        seen.fill(false);
        while let Some(child) = children.next(document) {
            let inside = index.number(child.start);
            if segment.descendant
                && let Some(inside) = inside
            {
                // mutant:
                found.add(all[inside]);
            }
            for (selector, seen) in segment.selectors.iter().zip(&mut seen) {
                let is_first = segment.descendant || !*seen;
                if is_first && selects(selector, &child, &mut children, scope) {
                    // mutant:
                    *seen = is_name(selector);
                    found.add(match following {
                        None => NodeCount { count: 1, first: child.start },
                        Some(following) => inside.map_or(NodeCount::default(), |inside| following[inside]),
                    });
                }
            }
            children.skip_to(document.end(child.start));
        }
        all[number] = found;
    }
    Some(all)
}
