//! Reads the tables of the suites: an array of objects whose members are all strings.
//!
//! With the library itself, its index and its strings: a test that needs a value uses what it tests.

#![forbid(unsafe_code)]

use fjson::Options;
use fjson::scalar;
use fjson::scalar::Surrogates;
use std::collections::BTreeMap;

/// The members of one object.
pub type Row = BTreeMap<String, String>;

/// The rows of a table.
pub fn rows(text: &[u8]) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut name = None;
    for token in tokens(text)? {
        match token.first() {
            Some(b'{') => rows.push(Row::new()),
            Some(b'"') => {
                let value = String::from_utf8(string(&token)?).map_err(|error| error.to_string())?;
                match name.take() {
                    None => name = Some(value),
                    Some(name) => drop(rows.last_mut().ok_or("a name outside an object")?.insert(name, value)),
                }
            }
            _ => {}
        }
    }
    Ok(rows)
}

/// The texts of all tokens of a document, in order.
pub fn tokens(text: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let mut tokens = Vec::new();
    let take = &mut |batch: fjson::TokenBatch<'_>| {
        let starts = batch.positions.iter().map(|&start| start as usize);
        let ends = starts.clone().skip(1).chain([batch.text.len()]);
        tokens.extend(starts.zip(ends).map(|(start, end)| batch.text[start..end].trim_ascii_end().to_vec()));
    };
    fjson::index(text, take, &Options::new()).map_err(|error| error.to_string())?;
    Ok(tokens)
}

/// The value of a string with its quotes.
pub fn string(token: &[u8]) -> Result<Vec<u8>, String> {
    let text = inside(token).ok_or("no string")?;
    scalar::unescape(text, Surrogates::Refuse).map(Vec::from).map_err(|error| error.to_string())
}

/// What stands between the quotes of a string.
pub fn inside(token: &[u8]) -> Option<&[u8]> {
    token.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read() {
        let rows = rows(br#" [ {"a" : "1", "b": "\u00e9 {"}, {} ] "#).expect("a table");
        let expected = [("a", "1"), ("b", "é {")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(rows, [Row::from(expected), Row::new()]);
        assert!(super::rows(br#"[{"a": "\ud800"}]"#).is_err());
        assert!(super::rows(b"[").is_err());
    }
}
