//! Splits a query into a head, which `stream/` evaluates on masks, and a rest, which is evaluated on each value the head selects.
//!
//! Some segments need a value in memory: those with a filter, several selectors or an index counted from the end, for example.
//! The segments before them select the values, so only one of these values at a time is in memory instead of the whole document.

#![forbid(unsafe_code)]

use crate::query::Condition;
use crate::query::Order;
use crate::query::Query;
use crate::query::stream::Plan;
use crate::query::syntax;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Syntax;

/// The two parts of a query.
pub(super) struct Split {
    /// The first segments, which `stream/` evaluates.
    pub(super) head: Syntax,
    /// The other segments, which are evaluated on each value that the head selects.
    pub(super) rest: Rest,
}

/// The part of a query that is evaluated on one value at a time.
pub(super) struct Rest {
    /// Condition for evaluating the query on the value.
    pub(super) condition: Option<Condition>,
    /// Query to evaluate on the value.
    pub(super) query: Query,
    /// Whether the first segment of `query` is the descendant segment with which the head ends. The evaluation of a value then
    /// also applies that segment inside the value, so values inside other selected values are not evaluated again.
    pub(super) continues_inside: bool,
}

impl Split {
    /// Splits a query after its longest possible head, for matches in the given order. `None` if the query cannot be split.
    pub(super) fn new(query: &Query, order: Order) -> Option<Self> {
        let Syntax { segments, root_queries: 0 } = &query.syntax else { return None };
        let length = segments.iter().take_while(|segment| !segment.descendant && Plan::takes(segment)).count();
        match segments.get(length) {
            Some(segment) if segment.descendant && is_name(segment) => Self::after_descendant(query, length, order),
            _ => Self::after_children(query, length),
        }
    }

    /// Splits a query after `length` child segments. A filter directly after them tests each child independently, so it becomes a
    /// wildcard in the head and a condition on each child. (Filters that refer to the root `$` need the whole document;
    /// [`new`](Self::new) excludes them.)
    fn after_children(query: &Query, length: usize) -> Option<Self> {
        // Reserve one segment for the wildcard that replaces a filter.
        let (head, mut rest) = query.syntax.segments.split_at(length.min(Plan::LONGEST - 1));
        let mut head = head.to_vec();
        let mut condition = None;
        if let [Segment { descendant: false, selectors }, after @ ..] = rest
            && let [Selector::Filter(test)] = &selectors[..]
        {
            let syntax = syntax::Condition { test: (**test).clone(), root_queries: 0 };
            condition = Some(Condition { expression: query.expression.clone(), syntax });
            head.push(Segment { descendant: false, selectors: vec![Selector::Wildcard] });
            rest = after;
        }
        (!head.is_empty()).then(|| Self::of(query, head, rest, condition, false))
    }

    /// Splits a query after `length` child segments and a descendant segment. This head may select values that lie inside each
    /// other. In RFC order, the rest is evaluated on each of them. In document order, it is evaluated only on the outermost ones,
    /// which includes the values inside them.
    fn after_descendant(query: &Query, length: usize, order: Order) -> Option<Self> {
        let segments = &query.syntax.segments;
        let (head, rest) = segments.split_at(length + 1);
        let continues_inside = order == Order::Document;
        let applied = if continues_inside { &segments[length..] } else { rest };
        (!rest.is_empty()).then(|| Self::of(query, head.to_vec(), applied, None, continues_inside))
    }

    fn of(
        query: &Query,
        head: Vec<Segment>,
        rest: &[Segment],
        condition: Option<Condition>,
        continues_inside: bool,
    ) -> Self {
        let rest = Syntax { segments: rest.to_vec(), root_queries: 0 };
        let query = Query { expression: query.expression.clone(), syntax: rest };
        Self { head: Syntax { segments: head, root_queries: 0 }, rest: Rest { condition, query, continues_inside } }
    }
}

/// Returns whether the segment has a single selector, a name selector that plans support.
fn is_name(segment: &Segment) -> bool {
    matches!(segment.selectors[..], [Selector::Name(_)]) && Plan::takes(segment)
}
