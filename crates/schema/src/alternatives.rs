//! `anyOf` and `oneOf`: which alternative was probably meant, and what is wrong with it.

#![forbid(unsafe_code)]

use std::cmp::Reverse;

use fjson::Value;
use jsonschema::JsonType;
use jsonschema::ValidationError;
use jsonschema::error::TypeKind;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Tree;

use crate::finding::Finding;
use crate::message::Message;
use crate::message::expected_type;
use crate::message::one_of;
use crate::sources::Sources;
use crate::words::found;
use crate::words::joined;
use crate::words::quoted;

/// The alternative that was probably meant.
pub(crate) struct Choice {
    pub(crate) message: Message,
    /// Its number, from 0; `None` if the message says everything.
    pub(crate) number: Option<usize>,
    /// Whether all other alternatives are for other types.
    pub(crate) was_meant: bool,
}

/// Chooses among the alternatives of a finding, of which the value follows none. `context` has the errors of each.
pub(crate) fn choose(sources: &Sources, finding: &Finding<'_>, context: &[Vec<ValidationError<'static>>]) -> Choice {
    if let Some(message) = merged(finding, context) {
        return Choice { message, number: None, was_meant: false };
    }
    let base = depth(&finding.pointer);
    let at = |errors: &[ValidationError<'static>], level: usize, is_wanted: fn(&Kind) -> bool| {
        errors.iter().any(|error| depth(error.instance_path().as_str()) == base + level && is_wanted(error.kind()))
    };
    let has_wrong_type = |errors: &[ValidationError<'static>]| at(errors, 0, |kind| matches!(kind, Kind::Type { .. }));
    let best = context.iter().enumerate().filter(|(_, errors)| !errors.is_empty()).min_by_key(|(_, errors)| {
        let is_value = |kind: &Kind| matches!(kind, Kind::Constant { .. } | Kind::Enum { .. });
        let has_wrong_value = (0..2).any(|level| at(errors, level, is_value));
        let deepest = errors.iter().map(|error| depth(error.instance_path().as_str())).max();
        (has_wrong_type(errors), has_wrong_value, Reverse(deepest), errors.len())
    });
    let (value, count) = (found(finding.value), context.len());
    let Some((number, _)) = best else {
        let message = Message::new(format!("found {value}, which matches none of the alternatives"));
        return Choice { message, number: None, was_meant: false };
    };
    let name = name(sources, finding, number).map(|name| format!(" ({name})")).unwrap_or_default();
    let text = if count == 1 {
        format!("found {value}, which does not match the only alternative")
    } else {
        format!(
            "found {value}, which matches none of {count} alternatives; alternative {}{name} is the closest",
            number + 1
        )
    };
    let others = context.iter().filter(|errors| has_wrong_type(errors)).count();
    Choice { message: Message::new(text), number: Some(number), was_meant: others + 1 == count }
}

fn depth(pointer: &str) -> usize {
    pointer.bytes().filter(|&byte| byte == b'/').count()
}

/// Returns the name of an alternative: its title, or what it refers to.
fn name(sources: &Sources, finding: &Finding<'_>, number: usize) -> Option<String> {
    let (_, schema) = sources.find(&format!("{}/{number}", finding.uri.as_deref()?))?;
    if let Some(title) = schema.get("title").and_then(Value::as_str) {
        return Some(quoted(&title));
    }
    let reference = schema.get("$ref")?.as_str()?;
    Some(format!("`{}`", reference.rsplit('/').next()?))
}

/// Returns one message for alternatives that all expect the same thing: a type, a value or a key.
fn merged(finding: &Finding<'_>, context: &[Vec<ValidationError<'static>>]) -> Option<Message> {
    let mut errors = Vec::new();
    for alternative in context {
        let [error] = &alternative[..] else { return None };
        if error.instance_path().as_str() != finding.pointer {
            return None;
        }
        errors.push(error.kind());
    }
    if errors.is_empty() {
        return None;
    }
    let types: Option<Vec<Vec<JsonType>>> = errors.iter().map(|kind| types(kind)).collect();
    if let Some(types) = types {
        let mut types: Vec<JsonType> = types.into_iter().flatten().collect();
        types.dedup();
        return Some(expected_type(finding.value, &types));
    }
    let values: Option<Vec<Vec<Tree>>> = errors.iter().map(|kind| values(kind)).collect();
    if let Some(values) = values {
        return Some(one_of(finding.value, &values.concat()));
    }
    let key = |kind: &&Kind| match kind {
        Kind::Required { property } => property.as_str().map(quoted),
        _ => None,
    };
    let keys: Vec<String> = errors.iter().map(key).collect::<Option<_>>()?;
    Some(Message::new(format!("a required key is missing: {}", joined(&keys, "or"))))
}

fn types(kind: &Kind) -> Option<Vec<JsonType>> {
    match kind {
        Kind::Type { kind: TypeKind::Single(kind) } => Some(vec![*kind]),
        Kind::Type { kind: TypeKind::Multiple(kinds) } => Some(kinds.iter().collect()),
        _ => None,
    }
}

fn values(kind: &Kind) -> Option<Vec<Tree>> {
    match kind {
        Kind::Constant { expected_value } => Some(vec![Tree::clone(expected_value)]),
        Kind::Enum { options } => options.as_array().cloned(),
        _ => None,
    }
}
