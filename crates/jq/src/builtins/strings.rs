//! Functions of strings.

#![forbid(unsafe_code)]
#![expect(clippy::needless_pass_by_value, reason = "all native functions have the same signature")]

use crate::eval::Context;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Text;
use crate::value::Value;
use crate::value::arithmetic;
use crate::write;

type Output = Result<Value, Error>;

pub(super) fn startswith(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.as_str(), arguments[0].as_str()) {
        (Some(text), Some(start)) => Ok(text.starts_with(&*start).into()),
        _ => Err(Error::new("startswith() requires string inputs")),
    }
}

pub(super) fn endswith(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.as_str(), arguments[0].as_str()) {
        (Some(text), Some(end)) => Ok(text.ends_with(&*end).into()),
        _ => Err(Error::new("endswith() requires string inputs")),
    }
}

pub(super) fn ltrimstr(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.as_str(), arguments[0].as_str()) {
        (Some(text), Some(start)) => Ok(text.strip_prefix(&*start).map_or_else(|| input.clone(), Value::from)),
        _ => Err(Error::new("startswith() requires string inputs")),
    }
}

pub(super) fn rtrimstr(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.as_str(), arguments[0].as_str()) {
        (Some(text), Some(end)) => Ok(text.strip_suffix(&*end).map_or_else(|| input.clone(), Value::from)),
        _ => Err(Error::new("endswith() requires string inputs")),
    }
}

pub(super) fn trimstr(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let trimmed = ltrimstr(context, input, arguments)?;
    rtrimstr(context, trimmed, arguments)
}

/// Whether jq trims this character.
fn is_space(character: char) -> bool {
    character.is_whitespace()
}

fn trim_with(input: Value, trim: fn(&str) -> &str) -> Output {
    let Some(text) = input.as_str() else { return Err(Error::new("trim input must be a string")) };
    let trimmed = trim(&text);
    if trimmed.len() == text.len() {
        return Ok(input.clone());
    }
    Ok(trimmed.into())
}

pub(super) fn trim(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    trim_with(input, |text| text.trim_matches(is_space))
}

pub(super) fn ltrim(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    trim_with(input, |text| text.trim_start_matches(is_space))
}

pub(super) fn rtrim(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    trim_with(input, |text| text.trim_end_matches(is_space))
}

pub(super) fn split(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.as_str(), arguments[0].as_str()) {
        (Some(text), Some(separator)) => {
            context.reserve(arithmetic::size_of_parts(&text, &separator))?;
            Ok(arithmetic::split(&text, &separator))
        }
        _ => Err(Error::new("split input and separator must be strings")),
    }
}

pub(super) fn explode(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let Some(text) = input.as_str() else { return Err(Error::new("explode input must be a string")) };
    context.reserve(text.len() * size_of::<Value>())?;
    Ok(text.chars().map(|character| Value::from(f64::from(u32::from(character)))).collect())
}

pub(super) fn implode(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let Some(codes) = input.to_array() else { return Err(Error::new("implode input must be an array")) };
    context.reserve(codes.len())?;
    let mut text = String::with_capacity(codes.len());
    for code in codes.iter() {
        let Some(number) = code.as_number().filter(|number| !number.is_nan()) else {
            return Err(Error::of(code, "can't be imploded, unicode codepoint needs to be numeric"));
        };
        #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
        let number = number as i64;
        let character = u32::try_from(number).ok().and_then(char::from_u32);
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(text.into())
}

/// Changes the ASCII letters of a string.
fn change_ascii(input: Value, change: fn(&mut str)) -> Output {
    let Ok(text) = input.into_text() else { return Err(Error::new("explode input must be a string")) };
    let mut text = text.into_string();
    change(&mut text);
    Ok(text.into())
}

pub(super) fn ascii_downcase(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    change_ascii(input, str::make_ascii_lowercase)
}

pub(super) fn ascii_upcase(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    change_ascii(input, str::make_ascii_uppercase)
}

/// `ascii`: the character with this code.
pub(super) fn ascii(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    implode(context, vec![input].into(), arguments)
}

pub(super) fn utf8bytelength(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    match input.as_str() {
        Some(text) => Ok(text.len().into()),
        None => Err(Error::of(&input, "only strings have UTF-8 byte length")),
    }
}

/// Returns the number of code points.
pub(super) fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// `_strindices`: where a string occurs in another, in code points.
pub(super) fn strindices(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let Some(text) = input.as_str() else { return Err(Error::of(&input, "cannot be searched, as it is not a string")) };
    let Some(wanted) = arguments[0].as_str() else { return Err(Error::of(&arguments[0], "is not a string")) };
    if wanted.is_empty() {
        return Ok(Vec::new().into());
    }
    let finder = memchr::memmem::Finder::new(wanted.as_bytes());
    let (mut found, mut at, mut counted, mut count) = (Vec::new(), 0, 0, 0);
    while let Some(offset) = text.as_bytes().get(at..).and_then(|rest| finder.find(rest)) {
        at += offset;
        count += length(&text[counted..at]);
        counted = at;
        found.push(count.into());
        if found.len().is_power_of_two() {
            context.reserve(2 * found.len() * size_of::<Value>())?;
        }
        // Occurrences may overlap.
        at += 1;
    }
    Ok(found.into())
}

/// `join(separator)`: the elements as one string; numbers and Booleans become text, `null` is empty.
pub(super) fn join(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let separator = std::mem::take(&mut arguments[0]);
    let mut joined = Value::NULL;
    for item in input.iterate()? {
        joined = match joined.kind() {
            Kind::Null => "".into(),
            _ => arithmetic::add(joined, separator.clone())?,
        };
        let item = match item.kind() {
            Kind::Null => "".into(),
            Kind::Boolean if !item.is_true() => "false".into(),
            Kind::Boolean | Kind::Number => write::to_json(&item).into(),
            _ => item,
        };
        if let Some(text) = item.as_str() {
            context.reserve(text.len())?;
        }
        joined = arithmetic::add(joined, item)?;
    }
    Ok(if joined.is_true() { joined } else { "".into() })
}

/// Returns a string as it is, and any other value as compact JSON, of which everything after `limit` bytes may be missing.
pub(crate) fn to_string(value: Value, limit: usize) -> Text {
    value.into_text().unwrap_or_else(|value| write::beginning(&value, limit).into())
}

pub(super) fn tostring(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    if input.kind() == Kind::String { Ok(input) } else { tojson(context, input, arguments) }
}

pub(super) fn tojson(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let text = write::beginning(&input, context.room());
    context.reserve(text.len())?;
    Ok(text.into())
}

pub(super) fn fromjson(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    match input.as_str() {
        Some(text) => Value::from_json(&text),
        None => Err(Error::of(&input, "only strings can be parsed")),
    }
}

pub(super) fn tonumber(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    if input.kind() == Kind::Number {
        return Ok(input);
    }
    let number = input.as_str().and_then(|text| Value::number_literal(&text));
    number.ok_or_else(|| Error::of(&input, "cannot be parsed as a number"))
}

pub(super) fn toboolean(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    match (input.kind(), input.as_str().as_deref()) {
        (Kind::Boolean, _) => Ok(input),
        (_, Some("true")) => Ok(Value::TRUE),
        (_, Some("false")) => Ok(Value::FALSE),
        _ => Err(Error::of(&input, "cannot be parsed as a boolean")),
    }
}
