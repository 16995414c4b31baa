//! What a filter knows: the document it is in, and what has been found out about it already.
//!
//! Filters, parentheses and calls stand inside each other up to a limit that the parser keeps, so here is recursion over
//! the expression; there is none over the document.

#![forbid(unsafe_code)]

use crate::query::evaluate::automaton::Automaton;
use crate::query::evaluate::below::below_each;
use crate::query::evaluate::classes::Classes;
use crate::query::evaluate::document::Document;
use crate::query::evaluate::value::Value;
use crate::query::regexp::Pattern;
use crate::query::syntax::Comparison;
use crate::query::syntax::Nodes;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Regexp;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Test;
use crate::scalar::Surrogates;
use crate::scalar::unescape;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Bytes that cost as much to be stepped over as one to which segments are applied.
const STEP: usize = 8;

pub(super) struct Scope<'t> {
    pub(super) document: Document<'t>,
    /// What the queries from the root have found, by their numbers.
    absolute: Vec<Option<Found>>,
    /// What operands that begin at the root are.
    operands: Vec<Option<Value<'t>>>,
    /// What queries in filters select below each container, once the document has an index: by where their segments are.
    below: HashMap<usize, Option<Vec<Found>>>,
    /// Which containers are equal, once it has one.
    classes: OnceCell<Option<Classes>>,
    /// The last pattern that was looked up.
    pattern: Option<LookedUp>,
    /// Where a pattern stands that would take too much memory: then nothing that was found counts.
    pub(super) too_large: Option<usize>,
}

/// What a query in a filter has found.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// How many nodes, each as often as it was selected.
    pub(super) count: u64,
    /// Where the first one begins, if there is one.
    pub(super) first: usize,
}

impl Found {
    /// Adds what was found behind it.
    pub(super) fn add(&mut self, other: Self) {
        if self.count == 0 {
            self.first = other.first;
        }
        self.count = self.count.saturating_add(other.count);
    }
}

/// A pattern from the document.
struct LookedUp {
    text: Vec<u8>,
    /// Where it is.
    place: usize,
    whole: bool,
    pattern: Option<Pattern>,
}

impl<'t> Scope<'t> {
    pub(super) fn new(document: Document<'t>, absolute: usize) -> Self {
        Self {
            document,
            absolute: vec![None; absolute],
            operands: vec![None; absolute],
            below: HashMap::new(),
            classes: OnceCell::new(),
            pattern: None,
            too_large: None,
        }
    }

    /// Whether a test holds for the node that begins at `current`.
    pub(super) fn test(&mut self, test: &Test, current: usize) -> bool {
        match test {
            Test::Any(tests) => tests.iter().any(|test| self.test(test, current)),
            Test::All(tests) => tests.iter().all(|test| self.test(test, current)),
            Test::Not(test) => !self.test(test, current),
            Test::Exists(nodes) => self.find(nodes, current, 1).count > 0,
            Test::Compare { left, comparison, right } => {
                let (left, right) = (self.value(left, current), self.value(right, current));
                match comparison {
                    Comparison::Equal => self.are_equal(&left, &right),
                    Comparison::NotEqual => !self.are_equal(&left, &right),
                    Comparison::Less => left.is_less(&right),
                    Comparison::LessOrEqual => left.is_less(&right) || self.are_equal(&left, &right),
                    Comparison::Greater => right.is_less(&left),
                    Comparison::GreaterOrEqual => right.is_less(&left) || self.are_equal(&left, &right),
                }
            }
            Test::Matches { text, pattern, whole } => self.matches(text, pattern, *whole, current),
        }
    }

    fn are_equal(&self, left: &Value<'_>, right: &Value<'_>) -> bool {
        let document = self.document;
        if let (Value::Container(left), Value::Container(right)) = (left, right)
            && let Some(index) = document.index()
            && let (Some(left), Some(right)) = (index.number(*left), index.number(*right))
            && let Some(classes) = self.classes.get_or_init(|| Classes::new(document, index))
        {
            return classes.are_equal(left, right);
        }
        left.equals(right, document)
    }

    /// What is to be compared. What begins at the root is looked up once.
    fn value<'v>(&mut self, operand: &'v Operand, current: usize) -> Value<'v>
    where
        't: 'v,
    {
        let root = root_of(operand);
        if let Some(value) = root.and_then(|number| self.operands[number]) {
            return value;
        }
        let value = match operand {
            Operand::Literal(literal) => return Value::from(literal),
            Operand::Node(nodes) | Operand::Value(nodes) => self.only(nodes, current),
            Operand::Count(nodes) => Value::Count(self.find(nodes, current, u64::MAX).count),
            Operand::Length(operand) => match self.value(operand, current) {
                Value::String(text) => {
                    let value = unescape(text, Surrogates::Keep).unwrap_or_default();
                    let is_first = |byte: &&u8| **byte & 0xc0 != 0x80;
                    Value::Count(value.iter().filter(is_first).count() as u64)
                }
                Value::Container(start) => Value::Count(self.document.count(start).unsigned_abs()),
                _ => Value::Nothing,
            },
        };
        if let Some(number) = root {
            // Behind that of its own argument, if it is a length.
            self.operands[number] = Some(value);
        }
        value
    }

    /// The value of the only node that a query selects.
    fn only(&mut self, nodes: &Nodes, current: usize) -> Value<'t> {
        match self.find(nodes, current, 2) {
            Found { count: 1, first } => Value::at(self.document, first),
            _ => Value::Nothing,
        }
    }

    /// Counts the nodes that a query in a filter selects, up to `enough`.
    fn find(&mut self, nodes: &Nodes, current: usize, enough: u64) -> Found {
        match nodes.origin {
            Origin::Current => self.find_from(current, &nodes.segments, enough),
            Origin::Root(number) => {
                if let Some(found) = self.absolute[number] {
                    return found;
                }
                let found = self.find_from(self.document.root(), &nodes.segments, enough);
                self.absolute[number] = Some(found);
                found
            }
        }
    }

    fn find_from(&mut self, start: usize, segments: &[Segment], enough: u64) -> Found {
        if let Some(end) = self.step_by_step(start, segments) {
            return Found { count: u64::from(end.is_some()), first: end.unwrap_or_default() };
        }
        if let Some(found) = self.known_below(start, segments) {
            return found;
        }
        let mut automaton = Automaton::new(segments, start);
        let mut found = Found::default();
        while found.count < enough
            && let Some(next) = automaton.next(self)
        {
            found.add(Found { count: next.times, first: next.start });
        }
        self.document.charge(STEP.saturating_mul(automaton.at().saturating_sub(start)));
        found
    }

    /// Whether segments select anything from a node.
    pub(super) fn selects_from(&mut self, start: usize, segments: &[Segment]) -> bool {
        self.find_from(start, segments, 1).count > 0
    }

    /// What segments of which some have descendants select from a container, if the document has an index.
    fn known_below(&mut self, start: usize, segments: &[Segment]) -> Option<Found> {
        let index = self.document.index()?;
        if !segments.iter().any(|segment| segment.descendant) {
            return None;
        }
        let number = index.number(start)?;
        // Segments stay where they are as long as they are asked.
        let key = segments.as_ptr().addr();
        if !self.below.contains_key(&key) {
            let found = below_each(self, index, segments);
            self.below.insert(key, found);
        }
        self.below.get(&key)?.as_ref()?.get(number).copied()
    }

    /// Goes straight to the only node that names and indexes from the start can select. Nothing if there are others.
    #[expect(clippy::option_option, reason = "the outer one tells that another way must be taken")]
    pub(super) fn step_by_step(&self, mut start: usize, segments: &[Segment]) -> Option<Option<usize>> {
        for segment in segments {
            let next = match &*segment.selectors {
                _ if segment.descendant => return None,
                [Selector::Name(name)] => self.document.member(start, name),
                [Selector::Index(index)] if *index >= 0 => self.document.element(start, *index),
                [Selector::Token { name, index }] => {
                    let element = |index: &i64| self.document.element(start, *index);
                    self.document.member(start, name).or_else(|| index.as_ref().and_then(element))
                }
                _ => return None,
            };
            let Some(next) = next else { return Some(None) };
            start = next;
        }
        Some(Some(start))
    }

    fn matches(&mut self, text: &Operand, pattern: &Regexp, whole: bool, current: usize) -> bool {
        let Value::String(text) = self.value(text, current) else { return false };
        let Ok(text) = unescape(text, Surrogates::Keep) else { return false };
        match pattern {
            Regexp::Fixed(pattern) => pattern.as_ref().is_some_and(|pattern| pattern.is_match(&text)),
            Regexp::Operand(operand) => match self.value(operand, current) {
                Value::String(pattern) => self.look_up(pattern, whole).is_some_and(|pattern| pattern.is_match(&text)),
                _ => false,
            },
        }
    }

    /// Compiles a pattern of the document, unless it is the same as before.
    fn look_up(&mut self, raw: &[u8], whole: bool) -> Option<&Pattern> {
        let place = self.document.place_of(raw);
        let is_same = |last: &LookedUp| last.whole == whole && (last.place == place || last.text == raw);
        if !self.pattern.as_ref().is_some_and(is_same) {
            // A copy, which does not change while it is taken for characters.
            let text = raw.to_vec();
            let value = unescape(&text, Surrogates::Refuse).unwrap_or_default();
            let compiled = str::from_utf8(&value).map_or(Ok(None), |text| Pattern::compile(text, whole));
            if compiled.is_err() {
                self.too_large.get_or_insert(place);
            }
            let pattern = compiled.unwrap_or_default();
            drop(value);
            self.pattern = Some(LookedUp { text, place, whole, pattern });
        }
        self.pattern.as_ref()?.pattern.as_ref()
    }
}

/// The number of the query from the root that an operand is made of.
fn root_of(operand: &Operand) -> Option<usize> {
    match operand {
        Operand::Literal(_) => None,
        Operand::Length(operand) => root_of(operand),
        Operand::Node(nodes) | Operand::Value(nodes) | Operand::Count(nodes) => match nodes.origin {
            Origin::Root(number) => Some(number),
            Origin::Current => None,
        },
    }
}
