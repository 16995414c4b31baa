//! Plans: the queries that can be evaluated on masks.
//!
//! A plan has one selector per segment. Names are of limited length, and indexes count from the front. Then it is known at the
//! start of a value whether it is selected. All other queries are evaluated in memory (`evaluate/`).

#![forbid(unsafe_code)]

use crate::options::Options;
use crate::query::stream::descend::Segment;
use crate::query::stream::name::Name;
use crate::query::stream::path;
use crate::query::stream::path::Step;
use crate::query::stream::set;
use crate::query::syntax;
use crate::query::syntax::Comparison;
use crate::query::syntax::Condition;
use crate::query::syntax::Literal;
use crate::query::syntax::Operand;
use crate::query::syntax::Selector;
use crate::query::syntax::Slice;
use crate::query::syntax::Syntax;
use crate::query::syntax::Test;

/// A query that can be evaluated on masks.
#[derive(Clone, Debug)]
pub(in crate::query) struct Plan<'q> {
    pub(super) kind: Kind,
    pub(super) condition: Option<&'q Condition>,
    /// A requirement that follows from the condition.
    pub(super) key: Option<Key>,
}

/// A string that a document must contain at a given path for the condition to hold.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) path: Vec<Name>,
    pub(super) value: Name,
    /// Whether this is the whole condition.
    pub(super) is_all: bool,
}

/// The two kinds of plan, one per executor.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Child segments only.
    Path(Vec<Step>),
    /// At least one descendant segment.
    Descent(Vec<Segment>),
}

impl<'q> Plan<'q> {
    /// Returns the plan of a query, if it has one. No query has one with `unique_keys` or `ijson`, which masks cannot check.
    pub(in crate::query) fn new(
        syntax: &'q Syntax,
        condition: Option<&'q Condition>,
        options: &Options,
    ) -> Option<Self> {
        if options.unique_keys || options.ijson {
            return None;
        }
        let key = condition.and_then(|condition| key(&condition.test));
        kind(syntax).map(|kind| Self { kind, condition, key })
    }

    /// The most segments in a plan without descendant segments.
    pub(in crate::query) const LONGEST: usize = path::MAX_STEPS;

    /// Whether a segment can be part of a plan.
    pub(in crate::query) fn supports(segment: &syntax::Segment) -> bool {
        self::segment(segment).is_some()
    }

    /// Whether the condition, if any, is fully expressed by the key.
    #[inline(always)]
    pub(super) fn is_sure(&self) -> bool {
        self.condition.is_none() || self.key.as_ref().is_some_and(|key| key.is_all)
    }

    /// Whether the query is `$`, so that the match is the whole document.
    pub(super) fn is_root(&self) -> bool {
        matches!(&self.kind, Kind::Path(steps) if steps.is_empty())
    }

    /// Returns the number of descendant segments. If it is 0, document order is RFC order.
    pub(in crate::query) fn descendants(&self) -> usize {
        match &self.kind {
            Kind::Path(_) => 0,
            Kind::Descent(segments) => segments.iter().filter(|segment| segment.is_descendant).count(),
        }
    }
}

fn kind(syntax: &Syntax) -> Option<Kind> {
    let segments = syntax.segments.iter().map(segment).collect::<Option<Vec<_>>>()?;
    let has_descendants = segments.iter().any(|segment| segment.is_descendant);
    if has_descendants {
        let only_steps = segments.iter().all(|segment| !matches!(segment.step, Step::Token { .. }));
        return (segments.len() <= set::MAX_SEGMENTS && only_steps).then_some(Kind::Descent(segments));
    }
    let steps: Vec<_> = segments.into_iter().map(|segment| segment.step).collect();
    (steps.len() <= path::MAX_STEPS).then_some(Kind::Path(steps))
}

/// Returns a string that must be present for `test` to hold.
fn key(test: &Test) -> Option<Key> {
    match test {
        Test::All(tests) => tests.iter().find_map(key).map(|key| Key { is_all: false, ..key }),
        Test::Compare {
            left: Operand::Node(nodes),
            comparison: Comparison::Equal,
            right: Operand::Literal(literal),
        }
        | Test::Compare {
            left: Operand::Literal(literal),
            comparison: Comparison::Equal,
            right: Operand::Node(nodes),
        } => {
            let Literal::String(value) = literal else { return None };
            let name = |segment: &syntax::Segment| match &segment.selectors[..] {
                [Selector::Name(name)] => Name::new(name),
                _ => None,
            };
            let path = nodes.segments.iter().map(name).collect::<Option<_>>()?;
            Some(Key { path, value: Name::new(value)?, is_all: true })
        }
        _ => None,
    }
}

fn segment(segment: &syntax::Segment) -> Option<Segment> {
    let [selector] = &segment.selectors[..] else { return None };
    Some(Segment { step: step(selector)?, is_descendant: segment.descendant })
}

fn step(selector: &Selector) -> Option<Step> {
    Some(match selector {
        Selector::Name(name) => Step::Name(Name::new(name)?),
        Selector::Wildcard => Step::All,
        Selector::Index(index) => item(u64::try_from(*index).ok()?),
        Selector::Slice(Slice { start, end, step }) => {
            let first = u64::try_from(start.unwrap_or(0)).ok()?;
            let end = end.map_or(Some(u64::MAX), |end| u64::try_from(end).ok())?;
            let step = u64::try_from(*step).ok()?;
            // A step of 0 selects no elements.
            if step == 0 { Step::Items { first: 0, end: 0, step: 1 } } else { Step::Items { first, end, step } }
        }
        Selector::Filter(_) => return None,
        Selector::Token { name, index } => {
            let index = index.and_then(|index| u64::try_from(index).ok());
            Step::Token { name: Name::new(name)?, index }
        }
    })
}

fn item(index: u64) -> Step {
    Step::Items { first: index, end: index + 1, step: 1 }
}
