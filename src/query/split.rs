//! Queries in two parts: values that the masks find, and what is asked of each of them.
//!
//! A filter, several selectors or an element counted from the end want to see a whole value before they select anything. The
//! segments in front of them only say which values that are, so no more is held at a time than one of those.

#![forbid(unsafe_code)]

use crate::query::Condition;
use crate::query::Query;
use crate::query::stream::Plan;
use crate::query::syntax;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Syntax;
use std::slice;

/// A query in two parts.
pub(super) struct Split {
    /// What the masks find. None of these values lies in another, and they come in the order of RFC 9535.
    pub(super) head: Syntax,
    /// What must hold for such a value.
    condition: Option<Condition>,
    /// What is selected in it.
    rest: Query,
}

impl Split {
    /// The parts of a query: the longest first part, and the rest of it, if neither is empty. A filter takes each child by
    /// itself; so it becomes all children, and a condition on them. One that looks at the root of the document sees more.
    pub(super) fn new(query: &Query) -> Option<Self> {
        let Syntax { segments, absolute: 0 } = &query.syntax else { return None };
        let length = segments.iter().take_while(|segment| !segment.descendant && Plan::takes(segment)).count();
        // One is left for the children of a filter.
        let (head, mut rest) = segments.split_at(length.min(Plan::LONGEST - 1));
        let mut head = head.to_vec();
        let mut condition = None;
        if let [Segment { descendant: false, selectors }, behind @ ..] = rest
            && let [Selector::Filter(test)] = &selectors[..]
        {
            let syntax = syntax::Condition { test: (**test).clone(), absolute: 0 };
            condition = Some(Condition { expression: query.expression.clone(), syntax });
            head.push(Segment { descendant: false, selectors: vec![Selector::Wildcard] });
            rest = behind;
        }
        let rest = Syntax { segments: rest.to_vec(), absolute: 0 };
        (!head.is_empty()).then(|| Self {
            head: Syntax { segments: head, absolute: 0 },
            condition,
            rest: Query { expression: query.expression.clone(), syntax: rest },
        })
    }

    /// What is asked of each value: a query and a condition.
    pub(super) fn questions(&self) -> (&[Query], Option<&Condition>) {
        (slice::from_ref(&self.rest), self.condition.as_ref())
    }
}
