//! What the evaluator finds, to compare with, and random documents.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::ops::Range;

use crate::error::Error;
use crate::options::Options;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;

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

/// Stores the ranges of matches.
struct Ranges(Vec<Range<u64>>);

impl MatchHandler for Ranges {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.0.push(matched.range());
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        panic!("{error}");
    }
}

/// Returns the ranges of the matches in a document, in document order, as the evaluator finds them.
pub(super) fn evaluated(expression: &str, text: &[u8]) -> Vec<Range<u64>> {
    let (queries, mut ranges) = ([Query::new(expression).expect("a query")], Ranges(Vec::new()));
    let search = Search::new(&queries).order(Order::Document).in_memory();
    search.run(text, &Options::new(), &mut ranges).expect("it can be read");
    ranges.0
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
