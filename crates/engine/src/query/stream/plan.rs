//! Plans: the queries that can be evaluated on masks.
//!
//! A plan has one query, or several with only child segments. Each segment has one selector. Names are of limited length, and indexes
//! count from the front. Then it is known at the start of a value whether it is selected. All other queries are evaluated in memory
//! (`evaluate/`).

#![forbid(unsafe_code)]

use crate::framing::distance;
use crate::kernel::Isa;
use crate::query::Order;
use crate::query::evaluate::holds;
use crate::query::excerpt::Span;
use crate::query::regexp::InvalidPatterns;
use crate::query::stream::descend;
use crate::query::stream::descend::Segment;
use crate::query::stream::descend::Segments;
use crate::query::stream::objects_with_member::MemberTest;
use crate::query::stream::path;
use crate::query::stream::path::PlanStep;
use crate::query::stream::search_string::SearchString;
use crate::query::stream::set::MAX_SEGMENTS;
use crate::query::stream::set::Set;
use crate::query::stream::singular::SingularQueries;
use crate::query::syntax;
use crate::query::syntax::Comparison;
use crate::query::syntax::Condition;
use crate::query::syntax::FilterQuery;
use crate::query::syntax::Literal;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Selector;
use crate::query::syntax::Slice;
use crate::query::syntax::Syntax;
use crate::query::syntax::Test;
use crate::scalar::Number;

/// A query that can be evaluated on masks.
#[derive(Clone, Debug)]
pub(in crate::query) struct Plan<'q> {
    pub(super) kind: PlanKind,
    pub(super) condition: Option<&'q Condition>,
    /// A requirement that follows from the condition.
    pub(super) required: Option<RequiredString>,
    /// The condition, if it compares one value of the document with a literal.
    pub(super) compared: Option<ComparedValue>,
    /// The queries, if they can be evaluated on lists of tokens faster.
    pub(super) singular: Option<SingularQueries>,
    paths: Paths,
}

/// The paths of a plan, if it follows more than one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::query) struct Paths {
    /// The bits of the paths; 0 if there is only one.
    pub(in crate::query) bits: u64,
    /// Whether they are those of the selectors of one query. Otherwise each is a query.
    pub(in crate::query) are_one_query: bool,
}

/// A condition on one value of a document.
#[derive(Clone, Debug)]
pub(super) struct ComparedValue {
    /// The path of the value.
    pub(super) steps: Vec<PlanStep>,
    /// How the value is compared with the literal.
    comparison: Comparison,
    /// The literal, if it is a number.
    number: Option<Box<str>>,
    /// The same as a condition on the value.
    condition: Condition,
    /// Whether it holds for a document that has no such value.
    pub(super) without: bool,
}

/// A string that a document must contain at a given path for the condition to hold.
#[derive(Clone, Debug)]
pub(super) struct RequiredString {
    pub(super) path: Vec<SearchString>,
    pub(super) value: SearchString,
    /// Whether this is the whole condition.
    pub(super) is_all: bool,
}

/// The kinds of plan, one per executor.
#[derive(Clone, Debug)]
pub(super) enum PlanKind {
    /// Child segments only.
    Path(Vec<PlanStep>),
    /// At least one descendant segment, or several paths.
    Descent(Segments),
    /// One descendant segment with a filter.
    ObjectsWithMember(Box<MemberTest>),
}

impl ComparedValue {
    fn new(test: &Test) -> Option<Self> {
        let (nodes, comparison, literal) = test.with_literal()?;
        let steps = steps(&nodes.segments)?;
        let left = Operand::Node(FilterQuery { origin: Origin::Current, segments: Vec::new() });
        let test = Test::Compare { left, comparison, right: Operand::Literal(literal.clone()) };
        let condition = Condition { test, root_queries: 0, invalid_patterns: InvalidPatterns::default() };
        // mutant: let without = false;
        let without = comparison == Comparison::NotEqual;
        let number = if let Literal::Number(number) = literal { Some(number.clone()) } else { None };
        Some(Self { steps, comparison, number, condition, without })
    }

    /// Returns the literal, if it is a number.
    pub(super) fn literal(&self) -> Option<Number<'_>> {
        Number::new(self.number.as_ref()?.as_bytes())
    }

    /// Whether the condition holds for a document in `text` with this value, given the [literal](Self::literal). `None` if the
    /// document must be read on its own.
    pub(super) fn holds(
        &self,
        literal: Option<Number<'_>>,
        Span { start, end, .. }: Span,
        text: &[u8],
        isa: Isa,
    ) -> Option<bool> {
        let value = &text[distance(0, start)..distance(0, end)];
        if let Some(literal) = literal
            && let Some(value) = Number::new(value)
        {
            let order = value.cmp(&literal);
            return Some(match self.comparison {
                Comparison::Equal => order.is_eq(),
                Comparison::NotEqual => order.is_ne(),
                Comparison::Less => order.is_lt(),
                Comparison::LessOrEqual => order.is_le(),
                Comparison::Greater => order.is_gt(),
                Comparison::GreaterOrEqual => order.is_ge(),
            });
        }
        holds(&self.condition, value, start, isa).ok()
    }
}

impl<'q> Plan<'q> {
    /// Returns the plan of queries, if they have one.
    pub(in crate::query) fn new(queries: &[&Syntax], condition: Option<&'q Condition>) -> Option<Self> {
        match queries {
            [] => None,
            [query] => match kind(query) {
                Some(kind) => Some(Self::with_condition(kind, condition)),
                None => Self::of_paths(paths_of_selectors(query)?.iter().map(Vec::as_slice), true, condition),
            },
            _ => Self::of_paths(queries.iter().map(|query| &query.segments[..]), false, condition),
        }
    }

    /// Returns the plan of several paths, if they have one.
    fn of_paths<'s>(
        paths: impl ExactSizeIterator<Item = &'s [syntax::Segment]> + Clone,
        are_one_query: bool,
        condition: Option<&'q Condition>,
    ) -> Option<Self> {
        Some(Self {
            paths: Paths { bits: bit(paths.len())? - 1, are_one_query },
            singular: SingularQueries::new(paths.clone(), are_one_query),
            ..Self::with_condition(PlanKind::Descent(several(paths)?), condition)
        })
    }

    /// Returns the plan of `$`.
    pub(in crate::query) fn root(condition: Option<&'q Condition>) -> Self {
        Self::with_condition(PlanKind::Path(Vec::new()), condition)
    }

    /// Returns the plan of one query.
    fn with_condition(kind: PlanKind, condition: Option<&'q Condition>) -> Self {
        let required = condition.and_then(|condition| required_string(&condition.test));
        let test = condition.filter(|_| required.is_none()).map(|condition| &condition.test);
        Self {
            kind,
            condition,
            required,
            compared: test.and_then(ComparedValue::new),
            singular: None,
            paths: Paths::default(),
        }
    }

    /// Returns the paths, if more than one is followed.
    pub(in crate::query) fn paths(&self) -> Option<Paths> {
        (self.paths.bits != 0).then_some(self.paths)
    }

    /// Whether its matches can be listed in this order.
    pub(in crate::query) fn has_order(&self, order: Order) -> bool {
        // mutant: true
        order == Order::Rfc || !self.paths.are_one_query
    }

    /// If names lead to a container all of whose children are visited, returns their number, and the plan for a child.
    pub(super) fn of_elements(&self) -> Option<(usize, Self)> {
        let PlanKind::Path(steps) = &self.kind else { return None };
        let names = steps.iter().take_while(|step| matches!(step, PlanStep::Name(_))).count();
        let [PlanStep::All, of_element @ ..] = &steps[names..] else { return None };
        Some((names, Self::with_condition(PlanKind::Path(of_element.to_vec()), None)))
    }

    /// Maximum number of segments in a plan without descendant segments.
    pub(in crate::query) const MAX_CHILD_SEGMENTS: usize = path::MAX_STEPS;

    /// Whether a segment can be part of a plan.
    pub(in crate::query) fn supports(segment: &syntax::Segment) -> bool {
        self::segment(segment).is_some()
    }

    /// Whether the condition, if any, is only that the document has the required string.
    #[inline(always)]
    pub(super) fn is_fully_prefiltered(&self) -> bool {
        self.condition.is_none() || self.required.as_ref().is_some_and(|required| required.is_all)
    }

    /// Whether the query is `$`, so that the match is the whole document.
    pub(super) fn is_root(&self) -> bool {
        matches!(&self.kind, PlanKind::Path(steps) if steps.is_empty())
    }

    /// Whether matches are not found in document order. Matches in unchecked text would then be checked out of order.
    pub(in crate::query) fn needs_checked_text(&self) -> bool {
        matches!(self.kind, PlanKind::ObjectsWithMember(_))
    }

    /// Returns the number of descendant segments. If it is 0, document order is RFC order.
    pub(in crate::query) fn descendants(&self) -> usize {
        match &self.kind {
            PlanKind::Path(_) => 0,
            PlanKind::ObjectsWithMember(_) => 1,
            PlanKind::Descent(segments) => segments.list.iter().filter(|segment| segment.is_descendant).count(),
        }
    }
}

fn kind(syntax: &Syntax) -> Option<PlanKind> {
    if let [syntax::Segment { descendant: true, selectors }] = &syntax.segments[..]
        && let [Selector::Filter(test)] = &selectors[..]
    {
        return member_test(test).map(|test| PlanKind::ObjectsWithMember(Box::new(test)));
    }
    if let Some(steps) = steps(&syntax.segments) {
        return Some(PlanKind::Path(steps));
    }
    let segments = syntax.segments.iter().map(segment).collect::<Option<Vec<_>>>()?;
    let has_descendants = segments.iter().any(|segment| segment.is_descendant);
    let only_steps = segments.iter().all(|segment| !matches!(segment.step, PlanStep::Token { .. }));
    let mut list = segments;
    list.last_mut()?.adds = 1;
    let segments = Segments { first: Set::of(&list[..1], |_| true), list, root: 0 };
    let is_possible = has_descendants && only_steps && segments.list.len() <= descend::MAX_PATH_SEGMENTS;
    is_possible.then_some(PlanKind::Descent(segments))
}

/// Returns the steps of a path with child segments only, if they can be a plan.
fn steps(segments: &[syntax::Segment]) -> Option<Vec<PlanStep>> {
    let steps = segments.iter().map(|part| segment(part).filter(|part| !part.is_descendant).map(|part| part.step));
    steps.collect::<Option<Vec<_>>>().filter(|steps| steps.len() <= path::MAX_STEPS)
}

/// Returns the paths of the selectors of the last segment, if these are several names or indexes, and the segments before it select at
/// most one node. Their matches are then in RFC order, one path after the other.
fn paths_of_selectors(query: &Syntax) -> Option<Vec<Vec<syntax::Segment>>> {
    let (last, before) = query.segments.split_last()?;
    let with = |selector: &Selector| {
        let last = syntax::Segment { descendant: false, selectors: vec![selector.clone()] };
        [before, &[last]].concat()
    };
    let paths: Vec<_> = last.selectors.iter().map(with).collect();
    let is_singular = !last.descendant && paths.iter().flatten().all(syntax::Segment::is_singular);
    (is_singular && paths.len() > 1).then_some(paths)
}

/// Returns the segments of several paths, if all are child segments.
fn several<'s>(paths: impl Iterator<Item = &'s [syntax::Segment]>) -> Option<Segments> {
    let mut segments = Segments { list: Vec::new(), first: Set::default(), root: 0 };
    for (number, path) in paths.enumerate() {
        let Some(last) = path.len().checked_sub(1) else {
            segments.root |= bit(number)?;
            continue;
        };
        if segments.list.len() + path.len() > MAX_SEGMENTS {
            return None;
        }
        segments.first.add(segments.list.len());
        for (index, part) in path.iter().enumerate() {
            let mut part = segment(part).filter(|part| !part.is_descendant)?;
            part.step = match part.step {
                PlanStep::Token { index: Some(_), .. } => return None,
                PlanStep::Token { name, index: None } => PlanStep::Name(name),
                step => step,
            };
            part.adds = if index == last { bit(number)? } else { 0 };
            segments.list.push(part);
        }
    }
    Some(segments)
}

/// Returns a test of which members an object must have, if it is one.
fn member_test(test: &Test) -> Option<MemberTest> {
    let (nodes, text) = match test {
        Test::Exists(nodes) => (nodes, None),
        _ => equals_text(test).map(|(nodes, text)| (nodes, Some(text)))?,
    };
    match (nodes.origin, &nodes.segments[..]) {
        (Origin::Current, [segment]) => Some(MemberTest { name: child_name(segment)?, text }),
        _ => None,
    }
}

/// Returns the query and the string of a test whether they are equal.
fn equals_text(test: &Test) -> Option<(&FilterQuery, SearchString)> {
    match test.with_literal()? {
        (nodes, Comparison::Equal, Literal::String(text)) => Some((nodes, SearchString::new(text)?)),
        _ => None,
    }
}

/// Returns the name that a segment selects among the children, if it selects nothing else.
fn child_name(segment: &syntax::Segment) -> Option<SearchString> {
    match &segment.selectors[..] {
        [Selector::Name(name)] if !segment.descendant => SearchString::new(name),
        _ => None,
    }
}

/// Returns the bit of the query with this number, if there are not too many.
fn bit(number: usize) -> Option<u64> {
    u32::try_from(number).ok().and_then(|number| 1_u64.checked_shl(number))
}

/// Returns a string that must be present for `test` to hold.
fn required_string(test: &Test) -> Option<RequiredString> {
    if let Test::All(tests) = test {
        return tests.iter().find_map(required_string).map(|required| RequiredString { is_all: false, ..required });
    }
    let (nodes, value) = equals_text(test)?;
    let path = nodes.segments.iter().map(child_name).collect::<Option<_>>()?;
    Some(RequiredString { path, value, is_all: true })
}

fn segment(segment: &syntax::Segment) -> Option<Segment> {
    let [selector] = &segment.selectors[..] else { return None };
    Some(Segment { step: step(selector)?, is_descendant: segment.descendant, adds: 0 })
}

fn step(selector: &Selector) -> Option<PlanStep> {
    Some(match selector {
        Selector::Name(name) => PlanStep::Name(SearchString::new(name)?),
        Selector::Wildcard => PlanStep::All,
        Selector::Index(index) => item(u64::try_from(*index).ok()?),
        Selector::Slice(Slice { start, end, step }) => {
            let first = u64::try_from(start.unwrap_or(0)).ok()?;
            let end = end.map_or(Some(u64::MAX), |end| u64::try_from(end).ok())?;
            let step = u64::try_from(*step).ok()?;
            // A step of 0 selects no elements.
            if step == 0 { PlanStep::Items { first: 0, end: 0, step: 1 } } else { PlanStep::Items { first, end, step } }
        }
        Selector::Filter(_) => return None,
        Selector::Token { name, index } => {
            let index = index.and_then(|index| u64::try_from(index).ok());
            PlanStep::Token { name: SearchString::new(name)?, index }
        }
    })
}

fn item(index: u64) -> PlanStep {
    PlanStep::Items { first: index, end: index + 1, step: 1 }
}
