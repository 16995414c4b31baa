//! The evaluator: evaluates any query, in either order, on the text of one validated document in memory. It builds no tree.
//!
//! It is slower than `stream/`, which is tested against it.
//!
//! * `document.rs` navigates the text; `skip.rs` closes levels and `member.rs` finds a member, both with masks; `traversal.rs` is
//!   a depth-first traversal.
//! * `automaton.rs` selects nodes in document order, `ordered.rs` in the order of RFC 9535. `locations.rs` finds the paths of selected
//!   nodes, and `location.rs` writes them.
//! * `selection.rs` decides whether a selector selects a child, `scope.rs` evaluates filters, and `value.rs` compares values.
//! * If filters skip the same text repeatedly, `index.rs` lists all containers, `subtree_counts.rs` counts the nodes that a query
//!   selects below each of them, and `equality.rs` determines which of them are equal.

#![forbid(unsafe_code)]

mod automaton;
mod document;
mod equality;
mod index;
mod location;
mod locations;
mod member;
mod ordered;
mod scope;
mod selection;
mod skip;
mod subtree_counts;
mod traversal;
mod value;

use crate::error::Error;
use crate::kernel::Isa;
use crate::query::syntax::Condition;
use crate::query::syntax::Segment;
use crate::query::syntax::Syntax;
use automaton::Automaton;
use document::ValidatedDocument;
use ordered::Ordered;
use scope::Scope;

pub(super) use automaton::SelectedNode;
pub(super) use index::EvaluationState;
pub(super) use location::PathStep;
pub(super) use location::path;
pub(super) use location::pointer;
pub(super) use location::short_path;
pub(super) use locations::Locations;

/// Returns whether the document `text`, which begins at the offset `start` of the input, meets the condition.
///
/// # Errors
/// The text has changed, or a pattern in it is too large.
pub(super) fn holds(condition: &Condition, text: &[u8], start: u64, isa: Isa) -> Result<bool, Error> {
    let state = EvaluationState::default();
    let document = ValidatedDocument::new(text, isa, &state);
    let mut scope = Scope::new(document, condition.root_queries);
    let holds = scope.test(&condition.test, document.root());
    state.check(start)?;
    scope.too_large.map_or(Ok(holds), |at| Err(Error::pattern_too_large(start + at as u64)))
}

/// Returns the steps to one of the values in `text` that were located.
pub(super) fn steps(text: &[u8], locations: &Locations, number: usize, isa: Isa) -> Vec<PathStep> {
    locations.steps(number, ValidatedDocument::new(text, isa, &EvaluationState::default()))
}

/// The evaluation of a query on a document: an iterator over the nodes it selects.
pub(super) struct Evaluation<'q, 't> {
    scope: Scope<'t>,
    strategy: Strategy<'q>,
}

/// How a query is evaluated.
enum Strategy<'q> {
    /// The query selects at most one node, which was found by following its path. `None` if there is none, or after
    /// [`Evaluation::next`] has returned it.
    Singular(Option<usize>),
    /// Each node once, with its multiplicity, in document order.
    DocumentOrder(Automaton<'q>),
    /// Each node as often as it is selected, in the order of RFC 9535.
    NodeOrder(Ordered<'q>),
}

impl<'q, 't> Evaluation<'q, 't> {
    /// Evaluates `query` on the document `text`, in document order or RFC order. The nodes are meaningless if `state` has an error
    /// afterwards.
    pub(super) fn new(
        query: &'q Syntax,
        text: &'t [u8],
        isa: Isa,
        state: &'t EvaluationState,
        in_document_order: bool,
    ) -> Self {
        let document = ValidatedDocument::new(text, isa, state);
        let mut scope = Scope::new(document, query.root_queries);
        let start = document.root();
        let is_singular = query.segments.iter().all(Segment::is_singular);
        let strategy = if is_singular && let Some(node) = scope.find_singular(start, &query.segments) {
            Strategy::Singular(node)
        } else if in_document_order {
            Strategy::DocumentOrder(Automaton::new(&query.segments, start))
        } else {
            Strategy::NodeOrder(Ordered::new(&query.segments, start, &mut scope))
        };
        Self { scope, strategy }
    }

    /// Evaluates `query`, in document order, on a value that its first segment, a descendant segment, has already selected.
    /// Applies that segment inside the value, too.
    pub(super) fn continue_inside(query: &'q Syntax, text: &'t [u8], isa: Isa, state: &'t EvaluationState) -> Self {
        let document = ValidatedDocument::new(text, isa, state);
        let scope = Scope::new(document, query.root_queries);
        Self { scope, strategy: Strategy::DocumentOrder(Automaton::continue_inside(&query.segments, document.root())) }
    }

    /// Returns the next node.
    pub(super) fn next(&mut self) -> Option<SelectedNode> {
        match &mut self.strategy {
            Strategy::Singular(node) => node.take().map(|start| SelectedNode { start, multiplicity: 1 }),
            Strategy::DocumentOrder(automaton) => automaton.next(&mut self.scope),
            Strategy::NodeOrder(ordered) => {
                ordered.next(&mut self.scope).map(|start| SelectedNode { start, multiplicity: 1 })
            }
        }
    }

    /// Returns the end of a selected value that begins at `start`; `None` if the text has changed.
    pub(super) fn end(&self, start: usize) -> Option<usize> {
        let Scope { document, .. } = &self.scope;
        let end = document.end_of_match(start);
        (!document.has_changed()).then_some(end)
    }

    /// Returns the offset in the document of a pattern that is too large. If there is one, the nodes found so far are void.
    pub(super) fn too_large(&self) -> Option<usize> {
        self.scope.too_large
    }
}
