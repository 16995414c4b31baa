//! Random documents as trees, and their text.

use std::ops::Range;

use crate::random::Random;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number of hundredths.
    Number(i64),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Node>),
    /// An object, perhaps with duplicate names.
    Object(Vec<(String, Node)>),
}

/// A value in a document.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub tree: Tree,
    /// Its range.
    pub range: Range<usize>,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}

/// Names and strings: similar, escaped, empty, and with text that looks like members.
pub const TEXTS: [&str; 12] =
    ["a", "b", "c", "ab", "", "\u{e9}", "a\"b", "\\", "'", "\",\"a\":1,\"", "\u{1f600}\n", "a\\\"a\":[{"];

/// A document of at most this many values, with its text.
#[must_use]
pub fn document(random: &mut Random, size: usize) -> (Node, String) {
    let mut maker = Maker { random, text: String::new(), left: size };
    maker.blank();
    let node = maker.node(0);
    maker.blank();
    (node, maker.text)
}

/// A document of this many nested containers, with small values beside them, and its text.
#[must_use]
pub fn tower(random: &mut Random, levels: usize) -> (Node, String) {
    let mut maker = Maker { random, text: String::new(), left: 0 };
    let node = maker.level(levels);
    (node, maker.text)
}

struct Maker<'r> {
    random: &'r mut Random,
    text: String,
    left: usize,
}

impl Maker<'_> {
    fn blank(&mut self) {
        while self.random.one_in(5) {
            self.text += self.random.pick(&[" ", "\n", "\t", "\r", "  "]);
        }
    }

    fn node(&mut self, depth: usize) -> Node {
        let start = self.text.len();
        self.left = self.left.saturating_sub(1);
        let is_flat = self.left == 0 || depth > 12;
        let tree = match self.random.below(if is_flat { 5 } else { 14 }) {
            0 => self.word("null", Tree::Null),
            1 => self.word("true", Tree::Bool(true)),
            2 => self.word("false", Tree::Bool(false)),
            3 => self.number(),
            4 => {
                let text = (*self.random.pick(&TEXTS)).to_owned();
                self.quoted(&text);
                Tree::Text(text)
            }
            5..9 => self.array(depth),
            _ => self.object(depth),
        };
        Node { tree, range: start..self.text.len() }
    }

    fn level(&mut self, levels: usize) -> Node {
        let start = self.text.len();
        let (before, behind) = (self.random.below(5) / 3, self.random.below(5) / 3);
        let count = before + 1 + behind;
        let is_object = self.random.one_in(2);
        let (mut elements, mut members) = (Vec::new(), Vec::new());
        self.text.push(if is_object { '{' } else { '[' });
        for index in 0..count {
            self.text += if index > 0 { "," } else { "" };
            let name = TEXTS[self.random.below(3)].to_owned();
            if is_object {
                self.quoted(&name);
                self.text.push(':');
            }
            self.left = self.random.below(4);
            let node = if index == before && levels > 1 { self.level(levels - 1) } else { self.node(10) };
            if is_object { members.push((name, node)) } else { elements.push(node) }
        }
        self.text.push(if is_object { '}' } else { ']' });
        let tree = if is_object { Tree::Object(members) } else { Tree::Array(elements) };
        Node { tree, range: start..self.text.len() }
    }

    fn word(&mut self, word: &str, tree: Tree) -> Tree {
        self.text += word;
        tree
    }

    fn number(&mut self) -> Tree {
        let hundredths = i64::try_from(self.random.below(500)).expect("a small number") - 150;
        self.text += &number(self.random, hundredths);
        Tree::Number(hundredths)
    }

    fn array(&mut self, depth: usize) -> Tree {
        let mut elements = Vec::new();
        self.text.push('[');
        self.blank();
        for index in 0..self.random.below(6) {
            if index > 0 {
                self.text.push(',');
                self.blank();
            }
            elements.push(self.node(depth + 1));
            self.blank();
        }
        self.text.push(']');
        Tree::Array(elements)
    }

    fn object(&mut self, depth: usize) -> Tree {
        let mut members = Vec::new();
        self.text.push('{');
        self.blank();
        for index in 0..self.random.below(6) {
            if index > 0 {
                self.text.push(',');
                self.blank();
            }
            let most = if self.random.one_in(3) { TEXTS.len() } else { 4 };
            let name = TEXTS[self.random.below(most)].to_owned();
            self.quoted(&name);
            self.blank();
            self.text.push(':');
            self.blank();
            members.push((name, self.node(depth + 1)));
            self.blank();
        }
        self.text.push('}');
        Tree::Object(members)
    }

    fn quoted(&mut self, value: &str) {
        self.text.push('"');
        for character in value.chars() {
            let must = matches!(character, '"' | '\\' | '\0'..' ');
            if self.random.one_in(8) || must && self.random.one_in(2) || character == '\n' {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let unit = if self.random.one_in(2) { format!("{unit:04x}") } else { format!("{unit:04X}") };
                    self.text += "\\u";
                    self.text += &unit;
                }
            } else {
                self.text += if must { "\\" } else { "" };
                self.text.push(character);
            }
        }
        self.text.push('"');
    }
}

/// A number in one of the ways to write it.
pub fn number(random: &mut Random, hundredths: i64) -> String {
    let sign = if hundredths < 0 || hundredths == 0 && random.one_in(2) { "-" } else { "" };
    let (whole, part) = (hundredths.abs() / 100, hundredths.abs() % 100);
    match random.below(4) {
        0 if part == 0 => format!("{sign}{whole}"),
        1 if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        2 => format!("{sign}{}e-2", hundredths.abs()),
        3 => format!("{sign}{}.{}{part:02}0E+1", whole / 10, whole % 10),
        _ => format!("{sign}{whole}.{part:02}"),
    }
}
