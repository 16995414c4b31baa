//! The general way to answer a query: over the text of one checked document in memory, with nothing built from it.
//!
//! It takes every query and keeps every order, and it is what the faster way is measured against. `document.rs` steps over
//! the text, `skip.rs` over what is long and `member.rs` to a name; `automaton.rs` answers in the order of the document and
//! `ordered.rs` in that of the RFC; `scope.rs`, `selection.rs` and `value.rs` decide what is selected; `place.rs` writes where it is.
//! Where filters step over the same text again and again, `index.rs` knows its containers, `below.rs` what a query selects below each
//! of them, and `classes.rs` which of them are equal.

#![forbid(unsafe_code)]

mod automaton;
mod below;
mod classes;
mod descent;
mod document;
mod index;
mod member;
mod ordered;
mod place;
mod scope;
mod selection;
mod skip;
mod value;

use crate::kernel::Isa;
use crate::query::syntax::Condition;
use crate::query::syntax::Segment;
use crate::query::syntax::Syntax;
use automaton::Automaton;
use document::Document;
use ordered::Ordered;
use scope::Scope;

pub(super) use automaton::Found;
pub(super) use index::EvaluationState;
pub(super) use place::Step;

/// Whether a condition holds for the document `text`, if there is one; or where in it a pattern stands that would take too
/// much memory. It is of no account if the text has changed since it was checked, which may be noticed.
pub(super) fn holds(
    condition: Option<&Condition>,
    text: &[u8],
    isa: Isa,
    state: &EvaluationState,
) -> Result<bool, usize> {
    let Some(condition) = condition else { return Ok(true) };
    let document = Document::new(text, isa, state);
    let mut scope = Scope::new(document, condition.absolute);
    let holds = scope.test(&condition.test, document.root());
    scope.too_large.map_or(Ok(holds), Err)
}

/// The normalized path of the node to which steps lead in `text`.
pub(super) fn path(text: &[u8], steps: &[Step], isa: Isa) -> String {
    place::path(Document::new(text, isa, &EvaluationState::default()), steps)
}

/// The JSON Pointer to that node; none if a name in it has no UTF-8 form.
pub(super) fn pointer(text: &[u8], steps: &[Step], isa: Isa) -> Option<String> {
    place::pointer(Document::new(text, isa, &EvaluationState::default()), steps)
}

/// A query at work on a document.
pub(super) struct Evaluation<'q, 't> {
    scope: Scope<'t>,
    way: Way<'q>,
}

enum Way<'q> {
    /// One node at most, until it is asked for, and what has led to it.
    Straight(Option<usize>, &'q [Segment]),
    /// Each node once, with how often it is selected.
    OfDocument(Automaton<'q>),
    OfRfc(Ordered<'q>),
}

impl<'q, 't> Evaluation<'q, 't> {
    /// Begins to answer `query` for the document `text`, in the order of the document or of the RFC. What it finds is of no account
    /// once the text has changed since it was checked, which may be noticed.
    pub(super) fn new(
        query: &'q Syntax,
        text: &'t [u8],
        isa: Isa,
        state: &'t EvaluationState,
        in_document_order: bool,
    ) -> Self {
        let document = Document::new(text, isa, state);
        let mut scope = Scope::new(document, query.absolute);
        let start = document.root();
        let is_singular = query.segments.iter().all(Segment::is_singular);
        let way = if is_singular && let Some(node) = scope.step_by_step(start, &query.segments) {
            Way::Straight(node, &query.segments)
        } else if in_document_order {
            Way::OfDocument(Automaton::new(&query.segments, start))
        } else {
            Way::OfRfc(Ordered::new(&query.segments, start, &mut scope))
        };
        Self { scope, way }
    }

    /// Begins to answer `query`, in the order of the document, for a value that its first segment has selected and in which it may
    /// select more.
    pub(super) fn inside(query: &'q Syntax, text: &'t [u8], isa: Isa, state: &'t EvaluationState) -> Self {
        let document = Document::new(text, isa, state);
        let scope = Scope::new(document, query.absolute);
        Self { scope, way: Way::OfDocument(Automaton::inside(&query.segments, document.root())) }
    }

    /// The next node that is selected.
    pub(super) fn next(&mut self) -> Option<Found> {
        match &mut self.way {
            Way::Straight(node, _) => node.take().map(|start| Found { start, times: 1 }),
            Way::OfDocument(automaton) => automaton.next(&mut self.scope),
            Way::OfRfc(ordered) => ordered.next(&mut self.scope).map(|start| Found { start, times: 1 }),
        }
    }

    /// The place behind the value that begins at `start`, which was found; nothing if the text has changed.
    pub(super) fn end(&self, start: usize) -> Option<usize> {
        let Scope { document, .. } = &self.scope;
        let end = document.end_of_found(start);
        (!document.has_changed()).then_some(end)
    }

    /// Where in the document a pattern stands that would take too much memory: then what was found is not the answer.
    pub(super) fn too_large(&self) -> Option<usize> {
        self.scope.too_large
    }

    /// The normalized path of the node that was found last.
    pub(super) fn path(&mut self) -> String {
        place::path(self.scope.document, &self.steps())
    }

    /// The JSON Pointer to the node that was found last; none if a name in it has no UTF-8 form.
    pub(super) fn pointer(&mut self) -> Option<String> {
        place::pointer(self.scope.document, &self.steps())
    }

    /// The steps to the node that was found last.
    pub(super) fn steps(&mut self) -> Vec<Step> {
        match &mut self.way {
            Way::Straight(_, segments) => {
                let mut automaton = Automaton::new(segments, self.scope.document.root());
                automaton.next(&mut self.scope);
                automaton.steps().collect()
            }
            Way::OfDocument(automaton) => automaton.steps().collect(),
            Way::OfRfc(ordered) => ordered.steps(&self.scope),
        }
    }
}
