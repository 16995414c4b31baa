//! Reads small JSON documents with the library itself: the tables of the suites, and an earlier export.

#![forbid(unsafe_code)]

use fjson::Options;
use fjson::Query;
use fjson::scalar;
use fjson::scalar::Surrogates;

/// Returns the texts of the values that an expression selects.
pub fn all(text: &[u8], expression: &str) -> Result<Vec<Vec<u8>>, String> {
    let query = Query::new(expression).map_err(|error| error.to_string())?;
    query.find_all(text, &Options::new()).map_err(|error| error.to_string())
}

/// Returns the string at a JSON Pointer, or `None` if there is no string.
pub fn string_at(text: &[u8], pointer: &str) -> Option<String> {
    let value = all(text, pointer).ok()?.pop()?;
    String::from_utf8(string(&value).ok()?).ok()
}

/// Returns the number at a JSON Pointer, or `None` if there is no number.
pub fn number_at(text: &[u8], pointer: &str) -> Option<f64> {
    number(&all(text, pointer).ok()?.pop()?)
}

/// Returns the value of a number, or `None` if `token` is something else.
pub fn number(token: &[u8]) -> Option<f64> {
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// Returns the value of a string with its quotation marks.
pub fn string(token: &[u8]) -> Result<Vec<u8>, String> {
    let text = inside(token).ok_or("no string")?;
    scalar::unescape(text, Surrogates::Refuse).map(Vec::from).map_err(|error| error.to_string())
}

/// Returns the text between the quotation marks of a string.
pub fn inside(token: &[u8]) -> Option<&[u8]> {
    token.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// Returns the texts of all tokens of a document, in order.
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

pub fn minified(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut minified = Vec::new();
    fjson::minify(text, &mut minified, &Options::new()).map_err(|error| error.to_string())?;
    Ok(minified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let text = br#" [ {"a" : "\u00e9 {", "b": -2.5e1}, {} ] "#;
        let rows = all(text, "$[*]").expect("valid");
        assert_eq!((string_at(&rows[0], "/a").as_deref(), string_at(&rows[0], "/b")), (Some("é {"), None));
        assert_eq!((number_at(&rows[0], "/b"), number_at(&rows[0], "/a"), rows.len()), (Some(-25.0), None, 2));
        assert_eq!(tokens(b"[ 1 ,{}]"), Ok(["[", "1", ",", "{", "}", "]"].map(Vec::from).to_vec()));
        assert!(all(b"[", "$").is_err() && string(br#""\ud800""#).is_err());
    }
}
