//! What `query` is asked in a document: what the user wants to know, or else every value of its most frequent name.
//!
//! No single expression makes sense in every document. A name that is there, at whatever depth, is what people look for
//! most, and with the most frequent one an engine that is only fast where nothing is found has little to show. Only the
//! number of matches is wanted, because printing them would be a measurement of what they are.

#![forbid(unsafe_code)]

use crate::commands::bench::verb::count;
use fjson::Error;
use fjson::Options;
use fjson::Query;
use fjson::Stats;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Of a longer name, statistics have the beginning only.
const LONGEST_NAME: usize = 60;

/// An expression and how many matches it has.
#[derive(Clone)]
pub struct Question {
    pub query: Query,
    pub matches: u64,
}

impl Question {
    /// The document must be valid. None if there is nothing to ask, which cannot be.
    pub fn of(text: &[u8], given: Option<&Query>, options: &Options) -> Result<Option<Self>, Error> {
        let query = match given {
            Some(query) => query.clone(),
            None => match usual(text, options)? {
                Some(query) => query,
                None => return Ok(None),
            },
        };
        // Two questions at once are answered by walking through the whole document: another way than that which one
        // alone may take, so that the two can be compared.
        let (_, counts) = count(&[query.clone(), query.clone()], text, options)?;
        Ok(Some(Self { query, matches: counts[0] }))
    }
}

/// Every value of the most frequent name; where there is no name, every value.
fn usual(text: &[u8], options: &Options) -> Result<Option<Query>, Error> {
    let (mut stats, mut first) = (Stats::new(), None);
    stats.read(text, options, &mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    if let Some(error) = first {
        return Err(error);
    }
    let keys = stats.frequent_keys(usize::MAX);
    let key = keys.iter().map(|frequent| &*frequent.key).find(|key| key.len() <= LONGEST_NAME);
    let mut expressions = key.map(descendants).into_iter().chain(["$..*".to_owned()]);
    Ok(expressions.find_map(|expression| Query::new(&expression).ok()))
}

/// The expression for every value of a name.
fn descendants(name: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    if name.starts_with(is_letter) && name.chars().all(|letter| is_letter(letter) || letter.is_ascii_digit()) {
        return format!("$..{name}");
    }
    let mut quoted = String::new();
    for character in name.chars() {
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

    fn asked(text: &str) -> (String, u64) {
        let question = Question::of(text.as_bytes(), None, &Options::new()).expect("it is valid").expect("a question");
        (question.query.expression().to_owned(), question.matches)
    }

    #[test]
    fn the_most_frequent_name_is_looked_for() {
        for (text, expression, matches) in [
            (r#"{"b": 1, "a": {"a": 2}}"#, "$..a", 2),
            (r#"[{"a": 1}, {"a": 2}, {"b": 3}]"#, "$..a", 2),
            (r#"{"it's \\ \u0001 é": 1}"#, r"$..['it\'s \\ \u0001 é']", 1),
            (r#"{"2": [{"2": null}]}"#, "$..['2']", 2),
            (r#"{"": 1}"#, "$..['']", 1),
            ("[1, [2]]", "$..*", 3),
            ("1", "$..*", 0),
        ] {
            assert_eq!(asked(text), (expression.to_owned(), matches), "{text}");
        }
        let long = "n".repeat(LONGEST_NAME + 1);
        assert_eq!(asked(&format!(r#"[{{"{long}": 1}}, {{"{long}": 1}}, {{"b": 1}}]"#)), ("$..b".to_owned(), 1));
    }

    #[test]
    fn what_the_user_asks_is_asked() {
        let given = Query::new("$[?@ > 1]").expect("an expression");
        let question = Question::of(b"[1, 2, 3]", Some(&given), &Options::new()).expect("valid").expect("a question");
        assert_eq!((question.query.expression(), question.matches), ("$[?@ > 1]", 2));
        assert!(Question::of(b"[1,]", Some(&given), &Options::new()).is_err());
    }
}
