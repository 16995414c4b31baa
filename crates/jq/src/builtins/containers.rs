//! Functions of arrays and objects.

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "all native functions have the same signature"
)]

use crate::builtins::strings;
use crate::eval::Context;
use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Value;
use crate::value::arithmetic;
use crate::value::compare;
use crate::value::shared_key;

type Output = Result<Value, Error>;

pub(super) fn length(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    length_of(&input)
}

fn length_of(value: &Value) -> Output {
    match value.kind() {
        Kind::Null => Ok(0_usize.into()),
        Kind::String => Ok(strings::length(&value.as_str().unwrap_or_default()).into()),
        Kind::Array | Kind::Object => Ok(value.len().unwrap_or_default().into()),
        Kind::Number => Ok(arithmetic::magnitude(value).unwrap_or_default()),
        Kind::Boolean => Err(Error::of(value, "has no length")),
    }
}

pub(super) fn keys(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    match input.sorted_keys() {
        Some(keys) => Ok(keys),
        None => keys_in_order(&input),
    }
}

pub(super) fn keys_unsorted(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    keys_in_order(&input)
}

fn keys_in_order(value: &Value) -> Output {
    if let Some(keys) = value.keys() {
        return Ok(keys);
    }
    match value.len() {
        Some(length) => Ok((0..length).map(Value::from).collect()),
        None => Err(Error::of(value, "has no keys")),
    }
}

pub(super) fn has(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let key = &arguments[0];
    match (input.kind(), key.kind()) {
        (Kind::Null, _) => Ok(Value::FALSE),
        (Kind::Object, Kind::String) => Ok(input.has_member(&key.as_str().unwrap_or_default()).into()),
        (Kind::Array, Kind::Number) => {
            let index = libm::trunc(key.as_number().unwrap_or(f64::NAN));
            #[expect(clippy::cast_precision_loss, reason = "no array has 2⁵³ elements")]
            Ok((index >= 0.0 && index < input.len().unwrap_or_default() as f64).into())
        }
        (input, key) => Err(Error::new(format!("Cannot check whether {input} has a {key} key"))),
    }
}

pub(super) fn contains(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    // `true` and `false` are different types here.
    // mutant: let are_alike = true;
    let are_alike = input.kind() != Kind::Boolean || input.is_true() == arguments[0].is_true();
    if input.kind() == arguments[0].kind() && are_alike {
        return super::contains::contains(&input, &arguments[0]).map(Value::from);
    }
    Err(Error::of_two(&input, &arguments[0], "cannot have their containment checked"))
}

pub(super) fn to_entries(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    if input.kind() < Kind::Array {
        return Err(Error::of(&input, "has no keys"));
    }
    let mut entries = Vec::new();
    let mut members = input.iterate()?;
    let names = ["key", "value"].map(|name| shared_key(name.into()));
    while let Some((key, value)) = members.next_with_key() {
        let [first, second] = names.clone();
        entries.push(Object::of_distinct(vec![(Some(first), key), (Some(second), value)]).into());
    }
    Ok(entries.into())
}

pub(super) fn from_entries(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let mut object = Object::new();
    for entry in input.iterate()? {
        let mut key = Value::NULL;
        for name in ["key", "Key", "name", "Name"] {
            key = entry.field(name)?;
            if key.is_true() {
                break;
            }
        }
        let Some(name) = key.to_text() else {
            // The last alternative is the result, even if it is false.
            return Err(Error::new(object_key_message(&key)));
        };
        // mutant: let has_value = true;
        let has_value = entry.has_member("value");
        object.insert(name, entry.field(if has_value { "value" } else { "Value" })?);
    }
    Ok(object.into())
}

/// Returns the message for a key of an object that is not a string.
fn object_key_message(key: &Value) -> String {
    format!("Cannot use {} ({}) as object key", key.kind(), crate::value::excerpt(key))
}

pub(super) fn reverse(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    if let Kind::Array = input.kind() {
        let mut array = input.into_array().unwrap_or_default();
        array.edit(|items| items.reverse());
        return Ok(array.into());
    }
    // What jq's definition does: elements from the last to the first, of which other values have none.
    match length_of(&input)?.as_number() {
        Some(length) if length > 0.0 => match input.index(&Value::from(length - 1.0)) {
            Ok(_) => Ok(Array::new().into()),
            Err(error) => Err(error),
        },
        _ => Ok(Array::new().into()),
    }
}

pub(super) fn flatten(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    flatten_to(input, Value::from(-1.0))
}

pub(super) fn flatten_by(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    if compare(&arguments[0], &Value::from(0.0))?.is_lt() {
        return Err(Error::new("flatten depth must not be negative"));
    }
    flatten_to(input, arguments[0].clone())
}

/// Returns the elements of arrays that are elements of arrays, down to a depth.
fn flatten_to(input: Value, depth: Value) -> Output {
    let mut flat = Vec::new();
    let mut frames = vec![(input.iterate()?, depth)];
    while let Some((items, depth)) = frames.last_mut() {
        match items.next() {
            None => drop(frames.pop()),
            // mutant: Some(item) if item.kind() == Kind::Array => {
            Some(item) if item.kind() == Kind::Array && depth.as_number() != Some(0.0) => {
                let depth = arithmetic::subtract(depth.clone(), Value::from(1.0))?;
                frames.push((item.iterate()?, depth));
            }
            Some(item) => flat.push(item),
        }
    }
    Ok(flat.into())
}

pub(super) fn transpose(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let rows: Vec<_> = input.iterate()?.collect();
    let mut width = Value::NULL;
    for row in &rows {
        let length = length_of(row)?;
        // mutant: if compare(&width, &length)?.is_ge() {
        if compare(&width, &length)?.is_le() {
            width = length;
        }
    }
    let width = libm::ceil(width.as_number().unwrap_or_default().max(0.0));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
    let width = width as usize;
    if width > 0 {
        // The length of a number may be anything, but it has no elements.
        rows.iter().try_for_each(|row| row.index(&Value::from(0usize)).map(drop))?;
    }
    context.reserve(width.saturating_mul(rows.len() + 1).saturating_mul(size_of::<Value>()))?;
    (0..width).map(|at| rows.iter().map(|row| row.index(&at.into())).collect::<Output>()).collect()
}

/// `indices(wanted)`: where a string or array occurs in another, or an element in an array.
pub(super) fn indices(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    match (input.kind(), arguments[0].kind()) {
        (Kind::Array, Kind::Array) => input.index(&arguments[0]),
        (Kind::Array, _) => input.index(&vec![arguments[0].clone()].into()),
        (Kind::String, Kind::String) => strings::strindices(context, input, arguments),
        _ => input.index(&arguments[0]),
    }
}

pub(super) fn index(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    indices(context, input, arguments)?.index(&Value::from(0.0))
}

pub(super) fn rindex(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let found = indices(context, input, arguments)?;
    let last = found.index(&Value::slice_key(Value::from(-1.0), Value::NULL))?;
    last.index(&Value::from(0.0))
}

/// `bsearch(wanted)`: the index of an element in a sorted array; if there is none, -1 minus the index where it could be inserted.
pub(super) fn bsearch(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let Some(length) = input.len().filter(|_| input.kind() == Kind::Array) else {
        return Err(Error::of(&input, "cannot be searched from"));
    };
    let (mut start, mut end) = (0, length);
    while start < end {
        let middle = start + (end - start) / 2;
        match compare(&arguments[0], &input.element(middle).unwrap_or_default())? {
            std::cmp::Ordering::Equal => return Ok(middle.into()),
            std::cmp::Ordering::Less => end = middle,
            // mutant: std::cmp::Ordering::Greater => end = middle,
            std::cmp::Ordering::Greater => start = middle + 1,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "no array has 2⁵³ elements")]
    Ok((-1.0 - start as f64).into())
}

pub(super) fn toarray(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    Ok(if input.kind() == Kind::Array { input } else { vec![input].into() })
}

/// `have_decnum`, `have_literal_numbers`: numbers of a text keep their digits.
pub(super) fn have_decnum(_: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(Value::TRUE)
}
