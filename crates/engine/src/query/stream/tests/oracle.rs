//! A simple evaluator for trees, to compare with, and random documents.

#![forbid(unsafe_code)]

use crate::query::stream::Plan;
use crate::query::stream::path::PlanStep;
use crate::query::stream::plan::PlanKind;

/// Marsaglia's xorshift with 64 bits.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a random number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }
}

/// A value and its range in the text.
pub(super) struct Tree {
    start: u64,
    end: u64,
    value: Value,
}

enum Value {
    Object(Vec<(Vec<u8>, Tree)>),
    Array(Vec<Tree>),
    Scalar,
}

impl Tree {
    /// Parses a valid document.
    pub(super) fn parse(text: &[u8]) -> Self {
        let mut at = 0;
        Self::value(text, &mut at)
    }

    fn blank(text: &[u8], at: &mut usize) {
        while text.get(*at).is_some_and(u8::is_ascii_whitespace) {
            *at += 1;
        }
    }

    fn string(text: &[u8], at: &mut usize) {
        *at += 1;
        while text[*at] != b'"' {
            *at += if text[*at] == b'\\' { 2 } else { 1 };
        }
        *at += 1;
    }

    fn value(text: &[u8], at: &mut usize) -> Self {
        Self::blank(text, at);
        let start = *at;
        let value = match text[*at] {
            b'"' => {
                Self::string(text, at);
                Value::Scalar
            }
            opener @ (b'{' | b'[') => {
                *at += 1;
                let (mut members, mut elements) = (Vec::new(), Vec::new());
                loop {
                    Self::blank(text, at);
                    match text[*at] {
                        b'}' | b']' => break,
                        b',' => *at += 1,
                        _ if opener == b'[' => elements.push(Self::value(text, at)),
                        _ => {
                            let from = *at;
                            Self::string(text, at);
                            let name: String = serde_json::from_slice(&text[from..*at]).expect("a name");
                            Self::blank(text, at);
                            *at += 1;
                            members.push((name.into_bytes(), Self::value(text, at)));
                        }
                    }
                }
                *at += 1;
                if opener == b'{' { Value::Object(members) } else { Value::Array(elements) }
            }
            _ => {
                while !matches!(text.get(*at), None | Some(b',' | b']' | b'}' | b' ' | b'\n' | b'\t' | b'\r')) {
                    *at += 1;
                }
                Value::Scalar
            }
        };
        Self { start: start as u64, end: *at as u64, value }
    }

    fn children(&self) -> Vec<&Tree> {
        match &self.value {
            Value::Object(members) => members.iter().map(|(_, value)| value).collect(),
            Value::Array(elements) => elements.iter().collect(),
            Value::Scalar => Vec::new(),
        }
    }

    /// Returns the ranges of the matches in document order.
    pub(super) fn matches(&self, plan: &Plan<'_>) -> Vec<(u64, u64)> {
        let segments: Vec<(PlanStep, bool)> = match &plan.kind {
            PlanKind::Path(steps) => steps.iter().map(|step| (step.clone(), false)).collect(),
            PlanKind::Descent(segments) => {
                segments.list.iter().map(|segment| (segment.step.clone(), segment.is_descendant)).collect()
            }
            PlanKind::ObjectsWithMember(_) => panic!("filters are not evaluated here"),
        };
        let mut matches = Vec::new();
        self.select(&segments, &mut matches);
        matches.sort_by_key(|&(start, _)| start);
        matches
    }

    fn select(&self, segments: &[(PlanStep, bool)], matches: &mut Vec<(u64, u64)>) {
        let Some(((step, is_descendant), rest)) = segments.split_first() else {
            matches.push((self.start, self.end));
            return;
        };
        match (step, &self.value) {
            (PlanStep::Name(name), Value::Object(members)) => {
                let mut named = members.iter().filter(|(other, _)| other[..] == *name.text());
                for (_, value) in named.by_ref().take(if *is_descendant { usize::MAX } else { 1 }) {
                    value.select(rest, matches);
                }
            }
            (PlanStep::All, _) => self.children().into_iter().for_each(|child| child.select(rest, matches)),
            (PlanStep::Items { first, end, step }, Value::Array(elements)) => {
                for (index, element) in (0..).zip(elements) {
                    if index >= *first && index < *end && (index - first) % step == 0 {
                        element.select(rest, matches);
                    }
                }
            }
            (PlanStep::Token { name, .. }, Value::Object(members)) => {
                if let Some((_, value)) = members.iter().find(|(other, _)| other[..] == *name.text()) {
                    value.select(rest, matches);
                }
            }
            (PlanStep::Token { index: Some(index), .. }, Value::Array(elements)) => {
                if let Some(element) = usize::try_from(*index).ok().and_then(|index| elements.get(index)) {
                    element.select(rest, matches);
                }
            }
            _ => {}
        }
        if *is_descendant {
            self.children().into_iter().for_each(|child| child.select(segments, matches));
        }
    }
}

/// Keys as written in documents: plain, with escapes, and easily confused with others.
const NAMES: [&str; 22] = [
    "a",
    "a",
    "a",
    "b",
    "b",
    "c",
    "label",
    "label",
    r"\u0061",
    r"l\u0061bel",
    r"\u0062",
    "",
    r#"\"q"#,
    r"\\u0061",
    "abel",
    "xlabel",
    r#"x\"label"#,
    r"a\\",
    r"\/",
    "é",
    r"labe\u006c",
    "x\\ny",
];

/// Strings whose contents look like structure.
const STRINGS: [&str; 10] = [
    r#""""#,
    r#""a""#,
    r#""\"a\":1""#,
    r#""{\"label\":[""#,
    r#""]}""#,
    r#""\\""#,
    r#""x\\\"a""#,
    r#"", \"a\" : ""#,
    r#""label""#,
    r#""[[[{{""#,
];

/// Returns a random document of about `size` bytes.
pub(super) fn document(random: &mut Random, size: usize) -> Vec<u8> {
    let mut text = String::new();
    let spaced = random.below(3);
    blank(random, spaced, &mut text);
    value(random, size, 0, spaced, &mut text);
    blank(random, spaced, &mut text);
    text.into_bytes()
}

fn blank(random: &mut Random, spaced: usize, text: &mut String) {
    match spaced {
        1 if random.below(3) == 0 => *text += [" ", "  ", "\t", "    "][random.below(4)],
        2 if random.below(2) == 0 => {
            let most = if random.below(30) == 0 { 200 } else { 5 };
            *text += &" ".repeat(random.below(most));
        }
        _ => {}
    }
}

fn value(random: &mut Random, size: usize, depth: usize, spaced: usize, text: &mut String) {
    let start = text.len();
    let small = size < 8 || depth > 0 && random.below(6) == 0 || depth > 40;
    if small {
        match random.below(12) {
            0 => *text += "null",
            1 => *text += "-1.5e3",
            2 => *text += "[]",
            3 => *text += "{}",
            4 => *text += STRINGS[random.below(STRINGS.len())],
            5 => {
                *text += "\"";
                let most = if random.below(20) == 0 { 3000 } else { 30 };
                *text += &"s".repeat(random.below(most));
                *text += if random.below(2) == 0 { "\\\\\"" } else { "\"" };
            }
            6 => {
                *text += "[";
                for index in 0..random.below(5) {
                    *text += if index > 0 { ",{\"b\":[1]}" } else { "{\"a\":2}" };
                }
                *text += "]";
            }
            _ => *text += &random.below(1000).to_string(),
        }
        return;
    }
    let is_object = random.below(2) == 0;
    *text += if is_object { "{" } else { "[" };
    let mut first = true;
    while first || text.len() - start < size && random.below(40) > 0 {
        if !first {
            *text += ",";
        }
        first = false;
        blank(random, spaced, text);
        if is_object {
            *text += "\"";
            *text += NAMES[random.below(NAMES.len())];
            *text += "\"";
            blank(random, spaced, text);
            *text += ":";
            blank(random, spaced, text);
        }
        let left = size.saturating_sub(text.len() - start);
        let share = left / (1 + random.below(4));
        value(random, share, depth + 1, spaced, text);
        blank(random, spaced, text);
    }
    *text += if is_object { "}" } else { "]" };
}
