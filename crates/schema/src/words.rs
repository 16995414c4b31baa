//! Parts of sentences: values and types as messages name them.

#![forbid(unsafe_code)]

use fjson::Kind;
use fjson::Value;
use jsonschema::JsonType;
use serde_json::Value as Tree;

/// Number of characters of a value that a message shows.
const SHOWN: usize = 60;

/// Number of values in a list that a message shows.
const LISTED: usize = 6;

/// Returns the beginning of a text.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a string in double quotes, as JSON has it.
pub(crate) fn quoted(text: &str) -> String {
    let shown = shortened(text);
    serde_json::to_string(&shown).unwrap_or(shown)
}

/// Returns a value with its type: `the string "a"`, `the number 5`, `an object`.
pub(crate) fn found(value: Value<'_, '_>) -> String {
    match value.kind() {
        Kind::String if value.key().is_none() && is_key(value) => {
            format!("the key {}", quoted(&value.as_str_lossy().unwrap_or_default()))
        }
        Kind::String => format!("the string {}", quoted(&value.as_str_lossy().unwrap_or_default())),
        Kind::Number => format!("the number {}", shortened(value.raw())),
        Kind::Null | Kind::Bool => value.raw().to_owned(),
        Kind::Array if value.is_empty() => "an empty array".to_owned(),
        Kind::Array => "an array".to_owned(),
        Kind::Object if value.is_empty() => "an empty object".to_owned(),
        Kind::Object => "an object".to_owned(),
    }
}

/// Whether a string is the key of a member.
pub(crate) fn is_key(string: Value<'_, '_>) -> bool {
    let rest = &string.tokens().text()[string.range().end..];
    rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Returns a type with its article.
pub(crate) fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

/// Joins words: `a, b or c`.
pub(crate) fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// Returns a value of the schema.
pub(crate) fn shown(tree: &Tree) -> String {
    shortened(&tree.to_string())
}

/// Returns what is expected if that is one of the values of a list.
pub(crate) fn listed(values: &[Tree]) -> String {
    let words: Vec<String> = values.iter().take(LISTED).map(shown).collect();
    match values.len() {
        1 => words.concat(),
        count if count > LISTED => format!("one of {count} values: {}, …", words.join(", ")),
        _ => format!("one of {}", joined(&words, "or")),
    }
}

/// Returns a count with its noun.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
