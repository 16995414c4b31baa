//! Splits a query into a prefix, which has a plan for `stream/`, and a rest, which is evaluated on each value that the prefix
//! selects.
//!
//! A filter, several selectors, or an index counted from the end need a whole value. The segments before them only determine
//! which values these are. So only one such value at a time must be in memory, and not the whole document.

#![forbid(unsafe_code)]

use crate::kernel::Isa;
use crate::query::Order;
use crate::query::Query;
use crate::query::request::EvaluationRequest;
use crate::query::stream::Plan;
use crate::query::syntax::Comparison;
use crate::query::syntax::Condition;
use crate::query::syntax::FilterQuery;
use crate::query::syntax::Literal;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Syntax;
use crate::query::syntax::Test;
use std::slice;

/// The two parts of a query.
pub(super) struct Split {
    /// The segments that have a plan.
    pub(super) prefix: Syntax,
    /// A condition on each value that the prefix selects.
    condition: Option<Condition>,
    /// What to select in the value.
    query: Query,
    /// As [`EvaluationRequest::continues_inside`].
    continues_inside: bool,
}

impl Split {
    /// Splits a query after the longest possible prefix, for matches in `order`. `None` if the prefix or the rest would be empty.
    pub(super) fn new(query: &Query, order: Order) -> Option<Self> {
        // mutant: let Syntax { segments, .. } = &query.syntax else { return None };
        let Syntax { segments, root_queries: 0, .. } = &query.syntax else { return None };
        if let [Segment { descendant: true, selectors }, rest @ ..] = &segments[..]
            && let [Selector::Filter(test)] = &selectors[..]
            && order == Order::Rfc
        {
            return Self::after_filter(query, test, rest);
        }
        // mutant: let length = segments.iter().take_while(|segment| Plan::supports(segment)).count();
        let length = segments.iter().take_while(|segment| !segment.descendant && Plan::supports(segment)).count();
        match segments.get(length) {
            Some(segment) if segment.descendant && is_name(segment) => Self::after_descendant(query, length, order),
            _ => Self::after_children(query, length),
        }
    }

    /// Splits after `length` child segments. A filter after them tests each child on its own; it becomes a wildcard in the prefix
    /// and a condition on each child. Filters that refer to the root `$` need the document; [`new`](Self::new) excludes them.
    fn after_children(query: &Query, length: usize) -> Option<Self> {
        // Leaves room for the wildcard of a filter.
        let (prefix, mut rest) = query.syntax.segments.split_at(length.min(Plan::MAX_CHILD_SEGMENTS - 1));
        let mut prefix = prefix.to_vec();
        let mut condition = None;
        // mutant: if let [Segment { selectors, .. }, after @ ..] = rest
        if let [Segment { descendant: false, selectors }, after @ ..] = rest
            && let [Selector::Filter(test)] = &selectors[..]
        {
            condition = Some(condition_on(query, test));
            prefix.push(Segment { descendant: false, selectors: vec![Selector::Wildcard] });
            rest = after;
        }
        (!prefix.is_empty()).then(|| Self::of(query, prefix, rest, condition, false))
    }

    /// Splits after `length` child segments and a descendant segment. The values that this prefix selects may lie inside each
    /// other. In RFC order each of them is evaluated; in document order only the outermost, including everything inside.
    fn after_descendant(query: &Query, length: usize, order: Order) -> Option<Self> {
        let segments = &query.syntax.segments;
        let (prefix, rest) = segments.split_at(length + 1);
        // mutant: let continues_inside = false;
        let continues_inside = order == Order::Document;
        let applied = if continues_inside { &segments[length..] } else { rest };
        (!rest.is_empty()).then(|| Self::of(query, prefix.to_vec(), applied, None, continues_inside))
    }

    /// Splits after a descendant segment with a filter. The prefix selects the objects that have a member which the filter requires.
    fn after_filter(query: &Query, test: &Test, rest: &[Segment]) -> Option<Self> {
        let (required, is_all) = required(test)?;
        let prefix = vec![Segment { descendant: true, selectors: vec![Selector::Filter(Box::new(required))] }];
        let condition = (!is_all).then(|| condition_on(query, test));
        Some(Self::of(query, prefix, rest, condition, false))
    }

    fn of(
        query: &Query,
        prefix: Vec<Segment>,
        rest: &[Segment],
        condition: Option<Condition>,
        continues_inside: bool,
    ) -> Self {
        let syntax =
            |segments| Syntax { segments, root_queries: 0, invalid_patterns: query.syntax.invalid_patterns.clone() };
        let rest = Query { expression: query.expression.clone(), syntax: syntax(rest.to_vec()) };
        Self { prefix: syntax(prefix), condition, query: rest, continues_inside }
    }

    /// Returns what to evaluate on each value that the prefix selects.
    pub(super) fn request(&self, order: Order, isa: Isa) -> EvaluationRequest<'_> {
        let mut request = EvaluationRequest::new(slice::from_ref(&self.query), self.condition.as_ref(), order, isa);
        request.continues_inside = self.continues_inside;
        request
    }
}

/// Returns a condition on values that a query selects.
fn condition_on(query: &Query, test: &Test) -> Condition {
    Condition { test: test.clone(), root_queries: 0, invalid_patterns: query.syntax.invalid_patterns.clone() }
}

/// Returns a test of one member, which holds wherever `test` holds, and whether that is all of `test`.
fn required(test: &Test) -> Option<(Test, bool)> {
    let has_member = |nodes: &FilterQuery| {
        let first = nodes.segments.first().filter(|first| !first.descendant && is_name(first))?;
        let nodes = FilterQuery { origin: nodes.origin, segments: vec![first.clone()] };
        (nodes.origin == Origin::Current).then_some(Test::Exists(nodes))
    };
    match test {
        Test::Exists(nodes) => Some((has_member(nodes)?, nodes.segments.len() == 1)),
        Test::Compare { .. } => {
            let (nodes, comparison, literal) = test.with_literal()?;
            let has_member = has_member(nodes)?;
            let is_text = comparison == Comparison::Equal && matches!(literal, Literal::String(_));
            match comparison {
                // It holds for objects without the member, too.
                // mutant: Comparison::NotEqual => Some((has_member, false)),
                Comparison::NotEqual => None,
                _ if is_text && nodes.segments.len() == 1 => Some((test.clone(), true)),
                _ => Some((has_member, false)),
            }
        }
        Test::Matches { text: Operand::Node(nodes), .. } => Some((has_member(nodes)?, false)),
        Test::All(tests) => {
            let required = tests.iter().filter_map(required).max_by_key(|(_, is_all)| *is_all)?;
            Some((required.0, false))
        }
        Test::Matches { .. } | Test::Any(_) | Test::Not(_) => None,
    }
}

/// Whether the segment is a single name selector and can be part of a plan.
fn is_name(segment: &Segment) -> bool {
    matches!(segment.selectors[..], [Selector::Name(_)]) && Plan::supports(segment)
}
