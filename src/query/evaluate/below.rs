//! How many nodes a query in a filter selects below each container of a document, all in one pass.
//!
//! What a descendant segment selects below a node is what it selects of its children and below them. So the last segment is
//! counted for all containers, the innermost first, and each segment in front of it from what is known behind it.

#![forbid(unsafe_code)]

use crate::query::evaluate::index::Index;
use crate::query::evaluate::scope::Found;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::selects;
use crate::query::syntax::Segment;

/// What segments select from each container of a document, by its number in the index. Nothing if there is no memory.
pub(super) fn below_each(scope: &mut Scope<'_>, index: &Index, segments: &[Segment]) -> Option<Vec<Found>> {
    let mut behind = None;
    for segment in segments.iter().rev() {
        behind = Some(apply(scope, index, segment, behind.as_deref())?);
    }
    behind
}

/// What a segment selects from each container, if it is the last one, or else what those behind it select from that.
fn apply(scope: &mut Scope<'_>, index: &Index, segment: &Segment, behind: Option<&[Found]>) -> Option<Vec<Found>> {
    let document = scope.document;
    let mut all = Vec::new();
    all.try_reserve_exact(index.len()).ok()?;
    all.resize(index.len(), Found::default());
    let mut seen = vec![false; segment.selectors.len()];
    for number in (0..index.len()).rev() {
        let Some(mut children) = document.children(index.start(number)) else { continue };
        let mut found = Found::default();
        seen.fill(false);
        while let Some(child) = children.next(document) {
            let inside = index.number(child.start);
            if segment.descendant
                && let Some(inside) = inside
            {
                found.add(all[inside]);
            }
            for (selector, seen) in segment.selectors.iter().zip(&mut seen) {
                let is_first = segment.descendant || !*seen;
                if is_first && selects(selector, &child, &mut children, scope) {
                    *seen = is_name(selector);
                    found.add(match behind {
                        None => Found { count: 1, first: child.start },
                        Some(behind) => inside.map_or(Found::default(), |inside| behind[inside]),
                    });
                }
            }
            children.go_on(document.end(child.start));
        }
        all[number] = found;
    }
    Some(all)
}
