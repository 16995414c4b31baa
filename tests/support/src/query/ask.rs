//! Random queries, with their text.

use std::fmt::Write as _;

use crate::query::tree::TEXTS;
use crate::query::tree::Tree;
use crate::query::tree::number;
use crate::random::Random;

/// A segment: what is selected from each node, or from it and all its descendants.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Whether it is a descendant segment (`..`).
    pub descendant: bool,
    /// The selectors, in order.
    pub selectors: Vec<Selector>,
}

/// A selector.
#[derive(Clone, Debug)]
pub enum Selector {
    /// A member.
    Name(String),
    /// All children.
    Wildcard,
    /// An element.
    Index(i64),
    /// A slice: start, end, step.
    Slice([Option<i64>; 3]),
    /// A filter.
    Filter(Test),
}

/// A test of `@`.
#[derive(Clone, Debug)]
pub enum Test {
    /// One of them holds.
    Any(Vec<Test>),
    /// All of them hold.
    All(Vec<Test>),
    /// It does not hold.
    Not(Box<Test>),
    /// A query has a match.
    Exists(Query),
    /// An operator between two values.
    Compare(Operand, &'static str, Operand),
    /// `match` or `search` for a letter: in the whole text, or anywhere.
    Letter(Operand, char, bool),
}

/// A query in a filter.
#[derive(Clone, Debug)]
pub struct Query {
    /// Whether it begins at `$`.
    pub absolute: bool,
    /// The rest of it.
    pub segments: Vec<Segment>,
}

/// A value, or `Nothing`.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A literal.
    Literal(Tree),
    /// The result of a singular query.
    Node(Query),
    /// `length`
    Length(Box<Operand>),
    /// `count`
    Count(Query),
    /// `value`
    Value(Query),
}

/// A query and its text.
#[must_use]
pub fn query(random: &mut Random) -> (Vec<Segment>, String) {
    let mut asker = Asker { random, text: String::from("$") };
    let most = asker.random.below(4);
    let segments = asker.segments(most, 0);
    (segments, asker.text)
}

/// A query whose first segment is a descendant segment with a filter, now and then with one more segment, and its text.
#[must_use]
pub fn filter_behind_descendants(random: &mut Random) -> (Vec<Segment>, String) {
    let mut asker = Asker { random, text: String::from("$..[?") };
    let test = asker.any(0);
    asker.text.push(']');
    let mut segments = vec![Segment { descendant: true, selectors: vec![Selector::Filter(test)] }];
    let more = asker.random.below(4) / 3;
    segments.extend(asker.segments(more, 1));
    (segments, asker.text)
}

struct Asker<'r> {
    random: &'r mut Random,
    text: String,
}

impl Asker<'_> {
    fn blank(&mut self) {
        if self.random.one_in(8) {
            self.text += self.random.pick(&[" ", "\t", "\n", "\r\n"]);
        }
    }

    fn segments(&mut self, count: usize, depth: usize) -> Vec<Segment> {
        (0..count).map(|_| self.segment(depth)).collect()
    }

    fn segment(&mut self, depth: usize) -> Segment {
        self.blank();
        let descendant = self.random.one_in(3);
        let letters = ["a", "b", "c", "\u{e9}"];
        if self.random.one_in(3) {
            self.text += if descendant { ".." } else { "." };
            let selectors = if self.random.one_in(3) {
                self.text.push('*');
                vec![Selector::Wildcard]
            } else {
                let name = *self.random.pick(&[&letters[0], &letters[1], &letters[2], &letters[3]]);
                self.text += name;
                vec![Selector::Name(name.to_owned())]
            };
            return Segment { descendant, selectors };
        }
        self.text += if descendant { "..[" } else { "[" };
        let mut selectors = Vec::new();
        loop {
            self.blank();
            selectors.push(self.selector(depth));
            self.blank();
            if !self.random.one_in(4) {
                break;
            }
            self.text.push(',');
        }
        self.text.push(']');
        Segment { descendant, selectors }
    }

    fn selector(&mut self, depth: usize) -> Selector {
        match self.random.below(if depth > 1 { 6 } else { 9 }) {
            0 | 1 => Selector::Name(self.name()),
            2 => {
                self.text.push('*');
                Selector::Wildcard
            }
            3 => Selector::Index(self.integer()),
            4 | 5 => {
                let mut bounds = [None; 3];
                for (place, bound) in bounds.iter_mut().enumerate() {
                    if place > 0 {
                        self.text.push(':');
                    }
                    if self.random.one_in(2) {
                        self.blank();
                        *bound = Some(self.integer());
                        self.blank();
                    }
                }
                Selector::Slice(bounds)
            }
            _ => {
                self.text.push('?');
                self.blank();
                Selector::Filter(self.any(depth))
            }
        }
    }

    fn integer(&mut self) -> i64 {
        let integer = i64::try_from(self.random.below(9)).expect("a small number") - 4;
        self.text += &integer.to_string();
        integer
    }

    fn name(&mut self) -> String {
        let most = if self.random.one_in(3) { TEXTS.len() } else { 4 };
        let name = TEXTS[self.random.below(most)].to_owned();
        self.quoted(&name);
        name
    }

    fn quoted(&mut self, value: &str) {
        let quote = if self.random.one_in(2) { '"' } else { '\'' };
        self.text.push(quote);
        for character in value.chars() {
            let must = character == quote || character == '\\';
            if character < ' ' || self.random.one_in(8) {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(self.text, "\\u{unit:04x}").expect("a string");
                }
            } else {
                self.text += if must { "\\" } else { "" };
                self.text.push(character);
            }
        }
        self.text.push(quote);
    }

    fn any(&mut self, depth: usize) -> Test {
        let mut tests = vec![self.all(depth)];
        while self.random.one_in(5) {
            self.blank();
            self.text += "||";
            self.blank();
            tests.push(self.all(depth));
        }
        Test::Any(tests)
    }

    fn all(&mut self, depth: usize) -> Test {
        let mut tests = vec![self.basic(depth)];
        while self.random.one_in(5) {
            self.blank();
            self.text += "&&";
            self.blank();
            tests.push(self.basic(depth));
        }
        Test::All(tests)
    }

    fn basic(&mut self, depth: usize) -> Test {
        let negated = self.random.one_in(4);
        if negated {
            self.text.push('!');
        }
        let test = match self.random.below(if negated { 3 } else { 8 }) {
            0 => {
                self.text.push('(');
                self.blank();
                let test = self.any(depth + 1);
                self.blank();
                self.text.push(')');
                test
            }
            1 => Test::Exists(self.inner(depth)),
            2 => {
                let whole = self.random.one_in(2);
                self.text += if whole { "match(" } else { "search(" };
                let operand = self.operand(depth + 1);
                let letter = if self.random.one_in(2) { 'a' } else { 'b' };
                write!(self.text, ", '{letter}' )").expect("a string");
                Test::Letter(operand, letter, whole)
            }
            _ => {
                let left = self.operand(depth);
                self.blank();
                let operator = *self.random.pick(&[&"==", &"!=", &"<", &"<=", &">", &">="]);
                self.text += operator;
                self.blank();
                Test::Compare(left, operator, self.operand(depth))
            }
        };
        if negated { Test::Not(Box::new(test)) } else { test }
    }

    fn inner(&mut self, depth: usize) -> Query {
        let absolute = self.random.one_in(4);
        self.text.push(if absolute { '$' } else { '@' });
        let count = self.random.below(3);
        Query { absolute, segments: self.segments(count, depth + 1) }
    }

    fn operand(&mut self, depth: usize) -> Operand {
        match self.random.below(if depth > 2 { 5 } else { 9 }) {
            0 | 5 => Operand::Literal(self.literal()),
            1..5 => {
                let absolute = self.random.one_in(6);
                self.text.push(if absolute { '$' } else { '@' });
                let mut segments = Vec::new();
                for _ in 0..self.random.below(3) {
                    self.text.push('[');
                    let selector = if self.random.one_in(3) {
                        Selector::Index(self.integer())
                    } else {
                        Selector::Name(self.name())
                    };
                    self.text.push(']');
                    segments.push(Segment { descendant: false, selectors: vec![selector] });
                }
                Operand::Node(Query { absolute, segments })
            }
            6 => {
                self.text += "length(";
                let operand = self.operand(depth + 1);
                self.text.push(')');
                Operand::Length(Box::new(operand))
            }
            which => {
                self.text += if which == 7 { "count(" } else { "value(" };
                let query = self.inner(depth + 1);
                self.text.push(')');
                if which == 7 { Operand::Count(query) } else { Operand::Value(query) }
            }
        }
    }

    fn literal(&mut self) -> Tree {
        let (text, tree) = match self.random.below(6) {
            0 => ("null", Tree::Null),
            1 => ("true", Tree::Bool(true)),
            2 => ("false", Tree::Bool(false)),
            3 => return Tree::Text(self.name()),
            _ => {
                let hundredths = i64::try_from(self.random.below(6)).expect("a small number") * 100;
                self.text += &number(self.random, hundredths);
                return Tree::Number(hundredths);
            }
        };
        self.text += text;
        tree
    }
}
