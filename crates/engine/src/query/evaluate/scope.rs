//! Evaluates filters, and caches results that do not depend on the node being tested.
//!
//! The evaluation recurses over the expression, whose depth the parser limits, but not over the document.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::query::evaluate::automaton::Automaton;
use crate::query::evaluate::document::ValidatedDocument;
use crate::query::evaluate::equality::EqualityClasses;
use crate::query::evaluate::subtree_counts::subtree_counts;
use crate::query::evaluate::value::OperandValue;
use crate::query::regexp::InvalidPatterns;
use crate::query::regexp::Pattern;
use crate::query::regexp::PatternError;
use crate::query::regexp::PatternStyle;
use crate::query::syntax::Comparison;
use crate::query::syntax::FilterQuery;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Regexp;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Test;
use crate::scalar::StringErrorKind;
use crate::scalar::Surrogates;
use crate::scalar::unescape;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ptr;

/// Work of applying segments to one byte of text, where skipping a byte is 1.
const EVALUATION_WORK_PER_BYTE: usize = 8;

/// The document that a query is evaluated on, and cached results of the query's filters.
pub(super) struct Scope<'t> {
    pub(super) document: ValidatedDocument<'t>,
    /// Results of the queries that begin at the root, indexed by their numbers.
    root_counts: Vec<Option<NodeCount>>,
    /// Values of the operands that begin at the root, indexed by the numbers of their queries.
    root_operands: Vec<Option<OperandValue<'t>>>,
    /// Results of the tests that depend on the root alone. The key is the address of the test.
    root_tests: HashMap<usize, bool>,
    /// The nodes that queries in filters select below each container, once the document has an index. The key is the address of the
    /// query's segments.
    subtree_counts: HashMap<usize, Option<Vec<NodeCount>>>,
    /// Equality classes of the containers, once the document has an index.
    classes: OnceCell<Option<EqualityClasses>>,
    /// The last pattern taken from the document for each test. The key is the address of the operand.
    cached_patterns: HashMap<usize, CachedPattern>,
    /// Offset of a pattern that is too large. If there is one, all results are meaningless.
    pub(super) too_large: Option<usize>,
}

/// The number of nodes that a query selects, and the first of them.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeCount {
    /// Number of nodes, counted with multiplicity.
    pub(super) count: u64,
    /// Offset of the first node, if there is one.
    pub(super) first: usize,
}

impl NodeCount {
    /// Adds nodes that come after these.
    pub(super) fn add(&mut self, other: Self) {
        if self.count == 0 {
            self.first = other.first;
        }
        self.count = self.count.saturating_add(other.count);
    }
}

/// A pattern from the document.
struct CachedPattern {
    /// Raw text of the pattern.
    text: Vec<u8>,
    /// Offset of the raw text in the document.
    offset: usize,
    /// `None` if it is not valid, or too large.
    pattern: Option<Pattern>,
}

impl<'t> Scope<'t> {
    pub(super) fn new(document: ValidatedDocument<'t>, root_queries: usize) -> Self {
        Self {
            document,
            root_counts: vec![None; root_queries],
            root_operands: vec![None; root_queries],
            root_tests: HashMap::new(),
            subtree_counts: HashMap::new(),
            classes: OnceCell::new(),
            cached_patterns: HashMap::new(),
            too_large: None,
        }
    }

    /// Returns whether a test holds for the node that begins at `current`.
    pub(super) fn test(&mut self, test: &Test, current: usize) -> bool {
        if !is_of_root(test) {
            return self.evaluate(test, current);
        }
        // Tests do not move during an evaluation, so their address identifies them.
        let key = ptr::from_ref(test).addr();
        if let Some(&holds) = self.root_tests.get(&key) {
            return holds;
        }
        let holds = self.evaluate(test, current);
        self.root_tests.insert(key, holds);
        holds
    }

    fn evaluate(&mut self, test: &Test, current: usize) -> bool {
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
            Test::Matches { text, pattern } => self.matches(text, pattern, current),
        }
    }

    fn are_equal(&self, left: &OperandValue<'_>, right: &OperandValue<'_>) -> bool {
        let document = self.document;
        if let (OperandValue::Container(left), OperandValue::Container(right)) = (left, right)
            && let Some(index) = document.index()
            && let (Some(left), Some(right)) = (index.number(*left), index.number(*right))
            && let Some(classes) = self.classes.get_or_init(|| EqualityClasses::new(document, index))
        {
            return classes.are_equal(left, right);
        }
        left.equals(right, document)
    }

    /// Returns the value of an operand. One that begins at the root is evaluated once.
    fn value<'v>(&mut self, operand: &'v Operand, current: usize) -> OperandValue<'v>
    where
        't: 'v,
    {
        let root = root_of(operand);
        if let Some(value) = root.and_then(|number| self.root_operands[number]) {
            return value;
        }
        let value = match operand {
            Operand::Literal(literal) => return OperandValue::from(literal),
            Operand::Node(nodes) | Operand::Value(nodes) => self.single_value(nodes, current),
            Operand::Count(nodes) => OperandValue::Count(self.find(nodes, current, u64::MAX).count),
            Operand::Length(operand) => match self.value(operand, current) {
                OperandValue::String(text) => {
                    let value = unescape(text, Surrogates::Keep).unwrap_or_default();
                    let is_first_byte = |byte: &&u8| **byte & 0xc0 != 0x80;
                    OperandValue::Count(value.iter().filter(is_first_byte).count() as u64)
                }
                OperandValue::Container(start) => OperandValue::Count(self.document.count(start).unsigned_abs()),
                _ => OperandValue::Nothing,
            },
        };
        if let Some(number) = root {
            // The value of `length` replaces that of its argument, which has the same number.
            self.root_operands[number] = Some(value);
        }
        value
    }

    /// Returns the value of the node, if the query selects exactly one; otherwise `Nothing`.
    fn single_value(&mut self, nodes: &FilterQuery, current: usize) -> OperandValue<'t> {
        match self.find(nodes, current, 2) {
            NodeCount { count: 1, first } => OperandValue::at(self.document, first),
            _ => OperandValue::Nothing,
        }
    }

    /// Counts the nodes that a query in a filter selects. May stop at `max` or more.
    fn find(&mut self, nodes: &FilterQuery, current: usize, max: u64) -> NodeCount {
        match nodes.origin {
            Origin::Current => self.find_from(current, &nodes.segments, max),
            Origin::Root(number) => {
                if let Some(found) = self.root_counts[number] {
                    return found;
                }
                let found = self.find_from(self.document.root(), &nodes.segments, max);
                self.root_counts[number] = Some(found);
                found
            }
        }
    }

    /// Counts the nodes that segments select from the node at `start`. May stop at `max` or more.
    fn find_from(&mut self, start: usize, segments: &[Segment], max: u64) -> NodeCount {
        if let Some(end) = self.find_singular(start, segments) {
            return NodeCount { count: u64::from(end.is_some()), first: end.unwrap_or_default() };
        }
        if let Some(found) = self.find_in_subtree_counts(start, segments) {
            return found;
        }
        let mut automaton = Automaton::new(segments, start);
        let mut found = NodeCount::default();
        while found.count < max
            && let Some(next) = automaton.next(self)
        {
            found.add(NodeCount { count: next.multiplicity, first: next.start });
        }
        self.document.add_work(EVALUATION_WORK_PER_BYTE.saturating_mul(automaton.offset().saturating_sub(start)));
        found
    }

    /// Returns whether the segments select anything from the node at `start`.
    pub(super) fn selects_from(&mut self, start: usize, segments: &[Segment]) -> bool {
        self.find_from(start, segments, 1).count > 0
    }

    /// Returns what segments, at least one of them a descendant segment, select from a container. `None` without an index.
    fn find_in_subtree_counts(&mut self, start: usize, segments: &[Segment]) -> Option<NodeCount> {
        let index = self.document.index()?;
        if !segments.iter().any(|segment| segment.descendant) {
            return None;
        }
        let number = index.number(start)?;
        // The segments do not move during an evaluation, so their address identifies them.
        let key = segments.as_ptr().addr();
        if !self.subtree_counts.contains_key(&key) {
            let found = subtree_counts(self, index, segments);
            self.subtree_counts.insert(key, found);
        }
        self.subtree_counts.get(&key)?.as_ref()?.get(number).copied()
    }

    /// Finds the node to which a path of names and indexes leads from `start`. Returns `Some(None)` if there is no such node, and
    /// `None` if the path has other segments.
    #[expect(clippy::option_option, reason = "the two levels mean different things")]
    pub(super) fn find_singular(&self, mut start: usize, segments: &[Segment]) -> Option<Option<usize>> {
        for segment in segments {
            let next = match &*segment.selectors {
                _ if segment.descendant => return None,
                [Selector::Name(name)] => self.document.member(start, name),
                [Selector::Index(index)] => self.document.element(start, *index),
                [Selector::Token { name, index }] => {
                    let element = |index: &i64| self.document.element(start, *index);
                    // mutant: None.or_else(|| index.as_ref().and_then(element))
                    self.document.member(start, name).or_else(|| index.as_ref().and_then(element))
                }
                _ => return None,
            };
            let Some(next) = next else { return Some(None) };
            start = next;
        }
        Some(Some(start))
    }

    /// Returns whether the value of `text` is a string that the pattern matches.
    fn matches(&mut self, text: &Operand, pattern: &Regexp, current: usize) -> bool {
        let OperandValue::String(text) = self.value(text, current) else { return false };
        let Ok(text) = unescape(text, Surrogates::Keep) else { return false };
        match pattern {
            Regexp::Fixed(pattern) => pattern.as_ref().is_some_and(|pattern| pattern.is_match(&text)),
            Regexp::Operand(operand, style, invalid) => match self.value(operand, current) {
                OperandValue::String(pattern) => self
                    .dynamic_pattern(operand, pattern, *style, invalid)
                    .is_some_and(|pattern| pattern.is_match(&text)),
                _ => false,
            },
        }
    }

    /// Returns the compiled form of a pattern in the document, the value of `operand`, cached if it is the same as before.
    fn dynamic_pattern(
        &mut self,
        operand: &Operand,
        raw: &[u8],
        style: PatternStyle,
        invalid: &InvalidPatterns,
    ) -> Option<&Pattern> {
        let key = ptr::from_ref(operand).addr();
        let offset = self.document.offset_of(raw);
        let is_same = |last: &CachedPattern| last.offset == offset || last.text == raw;
        if !self.cached_patterns.get(&key).is_some_and(is_same) {
            // This copies the pattern, since a memory-mapped text may change while it is decoded.
            let text = raw.to_vec();
            let pattern = match unescape(&text, Surrogates::Refuse) {
                Ok(value) => {
                    let pattern = String::from_utf8_lossy(&value);
                    match Pattern::compile(&pattern, style) {
                        Ok(pattern) => Some(pattern),
                        Err(PatternError::TooLarge) => {
                            self.too_large.get_or_insert(offset);
                            None
                        }
                        Err(PatternError::Syntax(_)) => {
                            invalid.add(&pattern);
                            None
                        }
                    }
                }
                Err(error) => {
                    if error.kind() == StringErrorKind::OutOfMemory {
                        self.document.note_out_of_memory(OutOfMemory::Document);
                    } else {
                        // No pattern has a lone surrogate.
                        invalid.add(&String::from_utf8_lossy(&text));
                    }
                    None
                }
            };
            self.cached_patterns.insert(key, CachedPattern { text, offset, pattern });
        }
        self.cached_patterns.get(&key)?.pattern.as_ref()
    }
}

/// Whether a test depends on the root alone, so that it is evaluated once.
fn is_of_root(test: &Test) -> bool {
    let is_of_root = |operand: &Operand| root_of(operand).is_some();
    let is_constant = |operand: &Operand| matches!(operand, Operand::Literal(_)) || is_of_root(operand);
    match test {
        Test::Compare { left, right, .. } => {
            is_constant(left) && is_constant(right) && (is_of_root(left) || is_of_root(right))
        }
        Test::Matches { text, pattern: Regexp::Fixed(_) } => is_of_root(text),
        Test::Matches { text, pattern: Regexp::Operand(pattern, ..) } => is_constant(text) && is_of_root(pattern),
        _ => false,
    }
}

/// Returns the number of the query from the root on which an operand depends, if there is one.
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
