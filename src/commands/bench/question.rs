//! The query that `query` evaluates on a document: the user's, or else one that selects all values of the most frequent key.
//!
//! No single expression fits all documents. Selecting a key at any depth is a common query, and the most frequent key has many
//! matches, so that an engine cannot skip the text. Matches are counted and not printed, because the time to print them would
//! depend on their values.

#![forbid(unsafe_code)]

use crate::commands::bench::operation::count;
use fjson::Options;
use fjson::Query;
use fjson::Stats;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Statistics cut longer keys.
const LONGEST_KEY: usize = 60;

/// A query and its number of matches.
#[derive(Clone)]
pub struct Question {
    pub query: Query,
    pub matches: u64,
}

impl Question {
    /// Returns the query for a valid document.
    pub fn of(text: &[u8], given: Option<&Query>, options: &Options) -> Option<Self> {
        let query = given.cloned().or_else(|| default(text, options))?;
        // Two queries at once are evaluated on the whole document. A single query may be evaluated in another way, so its
        // count is checked against this one.
        let (_, counts) = count(&[query.clone(), query.clone()], text, options).ok()?;
        Some(Self { query, matches: counts[0] })
    }
}

/// Returns the query for all values of the most frequent key, or for all values if there are no keys.
fn default(text: &[u8], options: &Options) -> Option<Query> {
    let mut stats = Stats::new();
    stats.read(text, options, &mut |_| ControlFlow::Break(())).ok()?;
    let keys = stats.frequent_keys(usize::MAX);
    let key = keys.iter().map(|frequent| &*frequent.key).find(|key| key.len() <= LONGEST_KEY);
    let mut expressions = key.map(descendants).into_iter().chain(["$..*".to_owned()]);
    expressions.find_map(|expression| Query::new(&expression).ok())
}

/// Returns the expression that selects all values of a key.
fn descendants(key: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    if key.starts_with(is_letter) && key.chars().all(|letter| is_letter(letter) || letter.is_ascii_digit()) {
        return format!("$..{key}");
    }
    let mut quoted = String::new();
    for character in key.chars() {
        match character {
            '\'' | '\\' => quoted.extend(['\\', character]),
            // Writing to a string cannot fail.
            control @ ..' ' => _ = write!(quoted, "\\u{:04x}", u32::from(control)),
            other => quoted.push(other),
        }
    }
    format!("$..['{quoted}']")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> (String, u64) {
        let question = Question::of(text.as_bytes(), None, &Options::new()).expect("it is valid");
        (question.query.expression().to_owned(), question.matches)
    }

    #[test]
    fn the_most_frequent_key_is_selected() {
        for (text, expression, matches) in [
            (r#"{"b": 1, "a": {"a": 2}}"#, "$..a", 2),
            (r#"[{"a": 1}, {"a": 2}, {"b": 3}]"#, "$..a", 2),
            (r#"{"it's \\ \u0001 é": 1}"#, r"$..['it\'s \\ \u0001 é']", 1),
            (r#"{"2": [{"2": null}]}"#, "$..['2']", 2),
            (r#"{"": 1}"#, "$..['']", 1),
            ("[1, [2]]", "$..*", 3),
            ("1", "$..*", 0),
        ] {
            assert_eq!(question(text), (expression.to_owned(), matches), "{text}");
        }
        let long = "n".repeat(LONGEST_KEY + 1);
        assert_eq!(question(&format!(r#"[{{"{long}": 1}}, {{"{long}": 1}}, {{"b": 1}}]"#)), ("$..b".to_owned(), 1));
    }

    #[test]
    fn the_query_of_the_user_is_used() {
        let given = Query::new("$[?@ > 1]").expect("an expression");
        let question = Question::of(b"[1, 2, 3]", Some(&given), &Options::new()).expect("valid");
        assert_eq!((question.query.expression(), question.matches), ("$[?@ > 1]", 2));
        assert!(Question::of(b"[1,]", Some(&given), &Options::new()).is_none());
    }
}
