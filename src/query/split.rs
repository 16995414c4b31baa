//! Queries in two parts: values that the masks find, and what is asked of each of them.
//!
//! A filter, several selectors or an element counted from the end want to see a whole value before they select anything. The
//! segments in front of them only say which values that are, so no more than one of those is looked at at a time.

#![forbid(unsafe_code)]

use crate::query::Condition;
use crate::query::Order;
use crate::query::Query;
use crate::query::stream::Plan;
use crate::query::syntax;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Syntax;

/// A query in two parts.
pub(super) struct Split {
    /// What the masks find: values in the order of RFC 9535, or in that of the document.
    pub(super) head: Syntax,
    /// What is asked of each of them.
    pub(super) rest: Rest,
}

/// What is asked of values that are found one by one.
pub(super) struct Rest {
    /// What must hold for a value.
    pub(super) condition: Option<Condition>,
    /// What is selected in it.
    pub(super) query: Query,
    /// Whether the first segment of the query is the one that has selected the value, and may select more inside of it. Then
    /// values that lie in others are not asked for themselves.
    pub(super) goes_on: bool,
}

impl Split {
    /// The parts of a query that is answered in this order: the longest first part, and the rest of it, if neither is empty.
    pub(super) fn new(query: &Query, order: Order) -> Option<Self> {
        let Syntax { segments, absolute: 0 } = &query.syntax else { return None };
        let length = segments.iter().take_while(|segment| !segment.descendant && Plan::takes(segment)).count();
        match segments.get(length) {
            Some(segment) if segment.descendant && is_name(segment) => Self::behind_descendant(query, length, order),
            _ => Self::behind_children(query, length),
        }
    }

    /// The first part is this many child segments. A filter takes each child by itself; so it becomes all children, and a
    /// condition on them. One that looks at the root of the document sees more.
    fn behind_children(query: &Query, length: usize) -> Option<Self> {
        // One is left for the children of a filter.
        let (head, mut rest) = query.syntax.segments.split_at(length.min(Plan::LONGEST - 1));
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
        (!head.is_empty()).then(|| Self::of(query, head, rest, condition, false))
    }

    /// The first part ends with a descendant segment, behind this many child segments. The values that it selects may lie in each
    /// other: in the order of the RFC each is asked for itself, in that of the document the outermost are asked once.
    fn behind_descendant(query: &Query, length: usize, order: Order) -> Option<Self> {
        let segments = &query.syntax.segments;
        let (head, rest) = segments.split_at(length + 1);
        let goes_on = order == Order::Document;
        let asked = if goes_on { &segments[length..] } else { rest };
        (!rest.is_empty()).then(|| Self::of(query, head.to_vec(), asked, None, goes_on))
    }

    fn of(query: &Query, head: Vec<Segment>, rest: &[Segment], condition: Option<Condition>, goes_on: bool) -> Self {
        let rest = Syntax { segments: rest.to_vec(), absolute: 0 };
        let query = Query { expression: query.expression.clone(), syntax: rest };
        Self { head: Syntax { segments: head, absolute: 0 }, rest: Rest { condition, query, goes_on } }
    }
}

/// Whether members of one name are selected.
fn is_name(segment: &Segment) -> bool {
    matches!(segment.selectors[..], [Selector::Name(_)]) && Plan::takes(segment)
}
