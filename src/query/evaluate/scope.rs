//! What a filter knows: the document it is in, and what has been found out about it already.
//!
//! Filters, parentheses and calls stand inside each other up to a limit that the parser keeps, so here is recursion over
//! the expression; there is none over the document.

#![forbid(unsafe_code)]

use crate::query::evaluate::automaton::Automaton;
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

pub(super) struct Scope<'t> {
    pub(super) document: Document<'t>,
    /// What the queries from the root have found, by their numbers.
    absolute: Vec<Option<Found>>,
    /// The last pattern that was looked up.
    pattern: Option<LookedUp>,
    /// Where a pattern stands that would take too much memory: then nothing that was found counts.
    pub(super) too_large: Option<usize>,
}

/// What a query in a filter has found.
#[derive(Clone, Copy)]
struct Found {
    /// How many nodes, each as often as it was selected.
    count: u64,
    /// Where the first one begins, if there is one.
    first: usize,
}

/// A pattern from the document.
struct LookedUp {
    text: Vec<u8>,
    whole: bool,
    pattern: Option<Pattern>,
}

impl<'t> Scope<'t> {
    pub(super) fn new(document: Document<'t>, absolute: usize) -> Self {
        Self { document, absolute: vec![None; absolute], pattern: None, too_large: None }
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
                let document = self.document;
                match comparison {
                    Comparison::Equal => left.equals(&right, document),
                    Comparison::NotEqual => !left.equals(&right, document),
                    Comparison::Less => left.is_less(&right),
                    Comparison::LessOrEqual => left.is_less(&right) || left.equals(&right, document),
                    Comparison::Greater => right.is_less(&left),
                    Comparison::GreaterOrEqual => right.is_less(&left) || left.equals(&right, document),
                }
            }
            Test::Matches { text, pattern, whole } => self.matches(text, pattern, *whole, current),
        }
    }

    /// What is to be compared.
    fn value<'v>(&mut self, operand: &'v Operand, current: usize) -> Value<'v>
    where
        't: 'v,
    {
        match operand {
            Operand::Literal(literal) => Value::from(literal),
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
        }
    }

    /// The value of the only node that a query selects.
    fn only<'v>(&mut self, nodes: &Nodes, current: usize) -> Value<'v>
    where
        't: 'v,
    {
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
        let mut automaton = Automaton::new(segments, start);
        let mut found = Found { count: 0, first: 0 };
        while found.count < enough
            && let Some(next) = automaton.next(self)
        {
            if found.count == 0 {
                found.first = next.start;
            }
            found.count = found.count.saturating_add(next.times);
        }
        found
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
        let is_same = |last: &LookedUp| last.whole == whole && last.text == raw;
        if !self.pattern.as_ref().is_some_and(is_same) {
            // A copy, which does not change while it is taken for characters.
            let text = raw.to_vec();
            let value = unescape(&text, Surrogates::Refuse).unwrap_or_default();
            let compiled = str::from_utf8(&value).map_or(Ok(None), |text| Pattern::compile(text, whole));
            if compiled.is_err() {
                self.too_large.get_or_insert(self.document.place_of(raw));
            }
            let pattern = compiled.unwrap_or_default();
            drop(value);
            self.pattern = Some(LookedUp { text, whole, pattern });
        }
        self.pattern.as_ref()?.pattern.as_ref()
    }
}
