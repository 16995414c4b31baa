//! Values as trees of `serde_json`, in which the crate `jsonschema` takes schemas.

#![forbid(unsafe_code)]

use fjson::Kind;
use fjson::Value;
use jsonschema::json::cmp;
use serde_json::Map;
use serde_json::Value as Tree;

use crate::number::Number;
use crate::number::serde_number;

/// Copies a value to a tree. Of members with the same key, the last one counts.
pub(crate) fn tree(value: Value<'_, '_>) -> Tree {
    match value.kind() {
        Kind::Null => Tree::Null,
        Kind::Bool => Tree::Bool(value.as_bool() == Some(true)),
        Kind::Number => value.to_number().map_or(Tree::Null, |number| Tree::Number(serde_number(number, value))),
        Kind::String => Tree::String(value.as_str_lossy().unwrap_or_default().into_owned()),
        Kind::Array => Tree::Array(value.iter().map(tree).collect()),
        Kind::Object => {
            let member = |member: fjson::Member<'_, '_>| {
                (member.key.as_str_lossy().unwrap_or_default().into_owned(), tree(member.value))
            };
            Tree::Object(value.members().map(member).collect::<Map<_, _>>())
        }
    }
}

/// Whether a value equals a tree.
pub(crate) fn equal(value: Value<'_, '_>, expected: &Tree) -> bool {
    match (value.kind(), expected) {
        (Kind::Null, Tree::Null) => true,
        (Kind::Bool, Tree::Bool(expected)) => value.as_bool() == Some(*expected),
        (Kind::String, Tree::String(expected)) => value.as_str_lossy().is_some_and(|text| text == *expected),
        (Kind::Number, Tree::Number(expected)) => {
            Number::of(value).is_some_and(|number| cmp::equal_numbers(&number, expected))
        }
        (Kind::Array, Tree::Array(expected)) => {
            value.len() == expected.len() && value.iter().zip(expected).all(|(element, other)| equal(element, other))
        }
        (Kind::Object, Tree::Object(expected)) => {
            let is_equal = |member: fjson::Member<'_, '_>| {
                let key = member.key.as_str_lossy().unwrap_or_default();
                expected.get(&*key).is_some_and(|other| equal(member.value, other))
            };
            value.len() == expected.len() && value.members().all(is_equal)
        }
        _ => false,
    }
}
