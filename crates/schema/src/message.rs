//! The messages: one sentence for each keyword, and a second one if it is clear what was meant.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::ops::Range;

use fjson::Value;
use jsonschema::JsonType;
use jsonschema::ValidationError;
use jsonschema::error::TypeKind;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value as Tree;

use crate::finding::Finding;
use crate::formats::format_name;
use crate::pattern::Refusal;
use crate::pattern::is_portable;
use crate::pattern::translated;
use crate::sources::Sources;
use crate::suggest::similar;
use crate::tree::equal;
use crate::words::counted;
use crate::words::found;
use crate::words::joined;
use crate::words::listed;
use crate::words::quoted;
use crate::words::shortened;
use crate::words::shown;
use crate::words::type_name;

/// What a violation says.
pub(crate) struct Message {
    /// The bytes that it is about; `None` for those of the value.
    pub(crate) range: Option<Range<usize>>,
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

impl Message {
    pub(crate) fn new(text: String) -> Self {
        Self { range: None, text, help: None }
    }
}

/// Describes a finding that is neither about unknown keys nor about alternatives.
pub(crate) fn message(sources: &Sources, finding: &Finding<'_>) -> Message {
    let value = finding.value;
    let what = found(value);
    let length = value.len() as u64;
    let text = match &finding.kind {
        Kind::Type { kind: TypeKind::Single(kind) } => return expected_type(value, &[*kind]),
        Kind::Type { kind: TypeKind::Multiple(kinds) } => {
            return expected_type(value, &kinds.iter().collect::<Vec<_>>());
        }
        Kind::Enum { options } => return one_of(value, options.as_array().map_or(&[], Vec::as_slice)),
        Kind::Constant { expected_value } => return one_of(value, std::slice::from_ref(&**expected_value)),
        Kind::Required { property } => return missing_key(sources, finding, property.as_str().unwrap_or_default()),
        Kind::UniqueItems => return repeated_element(value),
        Kind::FalseSchema => not_allowed(finding),
        Kind::Not { .. } => format!("found {what}, which must not match the schema of `not`"),
        Kind::OneOfMultipleValid { context } => several(&what, context),
        Kind::Minimum { limit } => format!("found {what}, expected at least {limit}"),
        Kind::Maximum { limit } => format!("found {what}, expected at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("found {what}, expected more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("found {what}, expected less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("found {what}, expected a multiple of {multiple_of}"),
        Kind::MinLength { limit } => wrong_length(value, "at least", *limit),
        Kind::MaxLength { limit } => wrong_length(value, "at most", *limit),
        Kind::MinItems { limit } => wrong_count(length, "element", "at least", *limit),
        Kind::MaxItems { limit } => wrong_count(length, "element", "at most", *limit),
        Kind::AdditionalItems { limit } => wrong_count(length, "element", "at most", *limit as u64),
        Kind::MinProperties { limit } => wrong_count(length, "key", "at least", *limit),
        Kind::MaxProperties { limit } => wrong_count(length, "key", "at most", *limit),
        Kind::UnevaluatedItems { unexpected } => return unexpected_element(value, unexpected),
        Kind::Contains => contained(sources, finding),
        Kind::Pattern { pattern } => {
            // The validator has it as it was rewritten for the engine.
            let written = finding.uri.as_deref().and_then(|uri| sources.find(uri)?.1.as_str());
            format!("found {what}, expected a match of `{}`", shortened(written.as_deref().unwrap_or(pattern)))
        }
        Kind::Format { format } => return wrong_format(value, format),
        Kind::ContentEncoding { content_encoding } => format!("found {what}, expected text in {content_encoding}"),
        Kind::FromUtf8 { .. } => format!("found {what}, expected base64 of text in UTF-8"),
        Kind::ContentMediaType { content_media_type } => {
            format!("found {what}, expected text of the media type {content_media_type}")
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            format!("found {what}, for which the pattern takes too many steps")
        }
        Kind::Custom { message, .. } => {
            format!("found {what}, expected {}", message.split_once(':').map_or(&**message, |(_, expected)| expected))
        }
        Kind::Referencing(error) => format!("a reference of the schema cannot be resolved: {error}"),
        Kind::AdditionalProperties { .. }
        | Kind::UnevaluatedProperties { .. }
        | Kind::PropertyNames { .. }
        | Kind::AnyOf { .. }
        | Kind::OneOfNotValid { .. } => format!("found {what}, which breaks the rule `{}`", finding.kind.keyword()),
    };
    Message::new(text)
}

/// A value has another type than the expected ones.
pub(crate) fn expected_type(value: Value<'_, '_>, expected: &[JsonType]) -> Message {
    let mut names: Vec<String> = expected.iter().map(|&kind| type_name(kind).to_owned()).collect();
    // "true, false or null" reads better than "true or false or null".
    if names.len() > 1 {
        names = names.iter().flat_map(|name| name.split(" or ").map(str::to_owned)).collect();
    }
    let mut message = Message::new(format!("found {}, expected {}", found(value), joined(&names, "or")));
    let is_expected = |kind: JsonType| expected.contains(&kind);
    message.help = if let Some(text) = value.as_str() {
        let is_number = fjson::scalar::Number::new(text.as_bytes()).is_some_and(|number| {
            is_expected(JsonType::Number) || is_expected(JsonType::Integer) && number.has_integer_value()
        });
        let is_literal = is_expected(JsonType::Boolean) && matches!(&*text, "true" | "false")
            || is_expected(JsonType::Null) && text == "null";
        (is_number || is_literal).then(|| format!("remove the quotes: {}", shortened(&text)))
    } else if is_expected(JsonType::String) && value.is_empty() && !value.raw().starts_with(['[', '{']) {
        (!value.is_null()).then(|| format!("put it in quotes: \"{}\"", shortened(value.raw())))
    } else {
        None
    };
    message
}

/// A value is none of the expected ones.
pub(crate) fn one_of(value: Value<'_, '_>, expected: &[Tree]) -> Message {
    let mut message = Message::new(format!("found {}, expected {}", found(value), listed(expected)));
    let meant = match value.as_str() {
        Some(text) => {
            let texts = expected.iter().filter_map(Tree::as_str);
            let bare = expected.iter().find(|one| !one.is_string() && one.to_string() == *text).map(Tree::to_string);
            bare.or_else(|| similar(&text, texts).filter(|_| expected.len() > 1).map(quoted))
        }
        None => expected.iter().find(|one| one.as_str() == Some(value.raw())).map(shown),
    };
    message.help = meant.map(|meant| format!("did you mean {meant}?"));
    message
}

/// Returns the key that requires another one, if the schema has a list of those that it requires.
fn dependent(sources: &Sources, finding: &Finding<'_>, missing: &str) -> Option<String> {
    if !finding.path.ends_with("/dependentRequired") && !finding.path.ends_with("/dependencies") {
        return None;
    }
    let requires = |member: &fjson::Member<'_, '_>| {
        let is_there = member.key.as_str().is_some_and(|key| finding.value.get(&key).is_some());
        is_there && member.value.iter().any(|key| key.as_str().is_some_and(|key| key == missing))
    };
    // The URI has the number of the list, which is not that of the member.
    finding.schema(sources)?.members().find(requires)?.key.as_str().map(Cow::into_owned)
}

fn missing_key(sources: &Sources, finding: &Finding<'_>, key: &str) -> Message {
    let object = finding.value;
    let dependencies = ["/dependentRequired/", "/dependentSchemas/", "/dependencies/"];
    let cause = dependencies.iter().find_map(|keyword| finding.path.rsplit_once(keyword)).map(|(_, cause)| cause);
    let cause = match cause.map(|cause| cause.split_once('/').unwrap_or((cause, ""))) {
        Some((cause, "required")) => Some(cause.replace("~1", "/").replace("~0", "~")),
        _ => dependent(sources, finding, key),
    };
    let because = cause.map(|cause| format!(", which the key {} requires", quoted(&cause))).unwrap_or_default();
    let mut message = Message::new(format!(
        "the {}key {} is missing{because}",
        if because.is_empty() { "required " } else { "" },
        quoted(key)
    ));
    let keys: Vec<_> = object.members().filter_map(|member| Some((member.key.as_str()?, member.key))).collect();
    if let Some(like) = similar(key, keys.iter().map(|(key, _)| &**key))
        && let Some((_, place)) = keys.iter().find(|(key, _)| key == like)
    {
        let between = &object.tokens().text()[object.start()..place.start()];
        let lines = between.split(|&byte| byte == b'\n').count() as u64 - 1;
        let place =
            if lines == 0 { "on the same line".to_owned() } else { format!("{} below", counted(lines, "line")) };
        message.help = Some(format!("the key {}, {place}, looks like it", quoted(like)));
    }
    message
}

fn not_allowed(finding: &Finding<'_>) -> String {
    let last = finding.path.rsplit('/').next().unwrap_or_default();
    let index: u64 = finding.pointer.rsplit('/').next().and_then(|index| index.parse().ok()).unwrap_or_default();
    match finding.value.key() {
        None if last == "propertyNames" => "found an object with keys, but none is allowed here".to_owned(),
        None if matches!(last, "items" | "additionalItems") && index > 0 => {
            let most = counted(index, "element");
            let text = format!("found {} at index {index}, but at most {most} are allowed", found(finding.value));
            text.replace("1 element are", "1 element is")
        }
        Some(key) => format!("the key {} is not allowed here", quoted(&key.as_str_lossy().unwrap_or_default())),
        None => format!("found {}, but no value is allowed here", found(finding.value)),
    }
}

/// An element equals an earlier one. The message is about the second of them.
#[expect(clippy::mutable_key_type, reason = "what a value caches does not change how it is hashed")]
fn repeated_element(array: Value<'_, '_>) -> Message {
    let mut seen = std::collections::HashMap::new();
    for (index, element) in array.iter().enumerate() {
        if let Some(first) = seen.insert(element, index) {
            let text =
                format!("found {} twice, at indexes {first} and {index}, expected unique elements", found(element));
            return Message { range: Some(element.range()), text, help: None };
        }
    }
    Message::new("found an element twice, expected unique elements".to_owned())
}

/// The first element that no schema is for.
fn unexpected_element(array: Value<'_, '_>, unexpected: &[String]) -> Message {
    // The validator has the elements and not their indexes. Mostly, they are those at the end.
    let first: Option<Tree> = unexpected.first().and_then(|first| serde_json::from_str(first).ok());
    let is_first = |element: &Value<'_, '_>| first.as_ref().is_some_and(|first| equal(*element, first));
    let last = array.at(array.len().saturating_sub(unexpected.len())).filter(is_first);
    let element = last.or_else(|| array.iter().find(is_first));
    let more = match unexpected.len() {
        0 | 1 => String::new(),
        2 => "; neither is 1 other".to_owned(),
        count => format!("; neither are {} others", count - 1),
    };
    let what = element.map_or_else(|| "an element".to_owned(), found);
    let text = format!("found {what}, which is not allowed in this array{more}");
    Message { range: element.map(Value::range), text, help: None }
}

fn several(what: &str, context: &[Vec<ValidationError<'static>>]) -> String {
    let matching = context.iter().enumerate().filter(|(_, errors)| errors.is_empty());
    let numbers: Vec<String> = matching.map(|(number, _)| (number + 1).to_string()).collect();
    if numbers.len() < 2 {
        return format!("found {what}, which matches more than one alternative, expected exactly one to match");
    }
    format!("found {what}, which matches alternatives {}, expected exactly one to match", joined(&numbers, "and"))
}

fn contained(sources: &Sources, finding: &Finding<'_>) -> String {
    let limit = |key: &str| finding.schema(sources)?.get(key)?.as_u64();
    let (mut least, mut most) = (limit("minContains"), limit("maxContains"));
    match &*finding.keyword() {
        "minContains" => most = None,
        "maxContains" => (least, most) = (None, most.or(Some(1))),
        _ => {}
    }
    let expected = match (least, most) {
        (None | Some(1), None) => "at least one".to_owned(),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (Some(least), Some(most)) => format!("at least {least} and at most {most}"),
    };
    format!("found {}, expected {expected} of its elements to match the schema of `contains`", found(finding.value))
}

fn wrong_length(string: Value<'_, '_>, bound: &str, limit: u64) -> String {
    let length = string.as_str_lossy().map_or(0, |text| text.chars().count() as u64);
    format!("found {} of {}, expected {bound} {limit}", found(string), counted(length, "character"))
}

fn wrong_count(length: u64, noun: &str, bound: &str, limit: u64) -> String {
    format!("found {}, expected {bound} {limit}", counted(length, noun))
}

fn wrong_format(value: Value<'_, '_>, format: &str) -> Message {
    if format == "regex" {
        let (text, help) = not_a_pattern(&value.as_str_lossy().unwrap_or_default());
        return Message { range: None, text, help };
    }
    let text = format!("found {}, expected {} (format `{}`)", found(value), format_name(format), shortened(format));
    Message::new(text)
}

/// Says why a text is not a pattern, and what to do.
pub(crate) fn not_a_pattern(pattern: &str) -> (String, Option<String>) {
    let shown = shortened(pattern);
    match translated(pattern) {
        Err(Refusal { reason, help }) => {
            (format!("`{shown}` is not a regular expression: {reason}"), help.map(str::to_owned))
        }
        Ok(_) if !is_portable(pattern) => {
            (format!("`{shown}` is not a regular expression: it has a group that ECMA-262 has not"), None)
        }
        Ok(_) => (
            format!("the regular expression `{shown}` cannot be used: it is too large, or has an unknown property"),
            None,
        ),
    }
}
