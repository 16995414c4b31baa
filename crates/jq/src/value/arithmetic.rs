//! The arithmetic operators. The left operand is changed in place if nothing else shares it.

#![forbid(unsafe_code)]
#![expect(clippy::needless_pass_by_value, reason = "operators consume their operands")]

use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
use crate::value::Value;
use crate::value::equal;
use crate::value::number;

/// Strings may not become longer than this by repeating them.
const LONGEST_REPEATED: usize = i32::MAX as usize - 8;

/// Objects nested deeper than this are not merged.
const DEEPEST_MERGE: usize = 10_000;

/// `left + right`: the sum of numbers; strings, arrays and objects joined, the members of `right` replacing those of `left`; `null`
/// added to anything is that.
///
/// # Errors
/// If the types do not fit.
///
/// ```
/// use fjson_jq::value::{Value, arithmetic::add};
///
/// assert_eq!(add(Value::from("a"), Value::from("b"))?.to_string(), r#""ab""#);
/// assert!(add(Value::from("a"), Value::TRUE).is_err());
/// # Ok::<(), fjson_jq::value::Error>(())
/// ```
#[inline]
pub fn add(left: Value, right: Value) -> Result<Value, Error> {
    match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => Ok(Value(Repr::Number(left + right))),
        _ => add_others(left, right),
    }
}

fn add_others(left: Value, right: Value) -> Result<Value, Error> {
    match (left.decoded().0, right.decoded().0) {
        (Repr::Null, right) => Ok(Value(right)),
        (left, Repr::Null) => Ok(Value(left)),
        (Repr::Text(mut left), Repr::Text(right)) => {
            if left.is_empty() {
                return Ok(right.into());
            }
            left.push_str(&right);
            Ok(left.into())
        }
        (Repr::Array(left), Repr::Array(right)) => Ok(join(left, right)),
        (Repr::Object(mut left), Repr::Object(right)) => {
            if left.is_empty() {
                return Ok(right.into());
            }
            for (key, value) in right.iter() {
                left.insert(key.clone(), value.clone());
            }
            Ok(left.into())
        }
        (left, right) => Err(Error::of_two(&Value(left), &Value(right), "cannot be added")),
    }
}

fn join(mut left: Array, right: Array) -> Value {
    if left.is_empty() {
        return right.into();
    }
    left.edit(|items| items.extend(right.into_vec()));
    left.into()
}

/// `left - right`: the difference of numbers; the elements of an array that are not in the other.
///
/// # Errors
/// If the types do not fit.
pub fn subtract(left: Value, right: Value) -> Result<Value, Error> {
    if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
        return Ok(Value(Repr::Number(left - right)));
    }
    match (left.decoded().0, right.decoded().0) {
        (Repr::Array(left), Repr::Array(right)) => {
            let mut kept = Vec::new();
            for item in left.into_vec() {
                // mutant: if true {
                if !contains(&right, &item)? {
                    kept.push(item);
                }
            }
            Ok(kept.into())
        }
        (left, right) => Err(Error::of_two(&Value(left), &Value(right), "cannot be subtracted")),
    }
}

fn contains(items: &[Value], wanted: &Value) -> Result<bool, Error> {
    for item in items {
        if equal(wanted, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `left * right`: the product of numbers; a string repeated; objects merged recursively.
///
/// # Errors
/// If the types do not fit, or the result is too long or too deep.
pub fn multiply(left: Value, right: Value) -> Result<Value, Error> {
    if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
        return Ok(Value(Repr::Number(left * right)));
    }
    match (left.decoded().0, right.decoded().0) {
        (Repr::Object(left), Repr::Object(right)) => merge(left, right),
        (left, right) => {
            let (left, right) = (Value(left), Value(right));
            let (text, count) = match (left.kind(), right.kind()) {
                (Kind::String, Kind::Number) => (&left, &right),
                (Kind::Number, Kind::String) => (&right, &left),
                _ => return Err(Error::of_two(&left, &right, "cannot be multiplied")),
            };
            repeat(text, count.as_number().unwrap_or_default())
        }
    }
}

fn repeat(text: &Value, count: f64) -> Result<Value, Error> {
    let text = text.as_str().unwrap_or_default();
    // mutant: if count.is_nan() {
    if count.is_nan() || count < 0.0 {
        return Ok(Value::NULL);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
    let count = count as usize;
    if text.len().saturating_mul(count) >= LONGEST_REPEATED {
        return Err(Error::new("Repeat string result too long"));
    }
    Ok(text.repeat(count).into())
}

/// Merges objects, and those below them that have the same key.
fn merge(left: Object, right: Object) -> Result<Value, Error> {
    // Each frame is an object that is being merged, what is merged into it, and the key under which it is put back.
    let mut frames = vec![(left, right, 0, None)];
    loop {
        if frames.len() > DEEPEST_MERGE + 1 {
            return Err(Error::new("Object merge too deep"));
        }
        let Some((merged, from, at, _)) = frames.last_mut() else { return Ok(Value::NULL) };
        if let Some((key, value, next)) = from.next(*at) {
            *at = next;
            if let Some(inner) = value.to_object()
                && let Some(present) = merged.get_mut(key)
                && let Ok(present) = std::mem::take(present).into_object()
            {
                let frame = (present, inner, 0, Some(key.clone()));
                frames.push(frame);
            } else {
                merged.insert(key.clone(), value.clone());
            }
            continue;
        }
        let Some((merged, _, _, key)) = frames.pop() else { return Ok(Value::NULL) };
        match (frames.last_mut(), key) {
            (Some(outer), Some(key)) => outer.0.insert(key, merged.into()),
            _ => return Ok(merged.into()),
        }
    }
}

/// `left / right`: the quotient of numbers; a string split at another.
///
/// # Errors
/// If the types do not fit, or the divisor is 0.
pub fn divide(left: Value, right: Value) -> Result<Value, Error> {
    match (left.as_number(), right.as_number()) {
        (Some(_), Some(0.0)) => Err(Error::of_two(&left, &right, "cannot be divided because the divisor is zero")),
        (Some(left), Some(right)) => Ok(Value(Repr::Number(left / right))),
        _ => match (left.as_str(), right.as_str()) {
            (Some(text), Some(separator)) => Ok(split(&text, &separator)),
            _ => Err(Error::of_two(&left, &right, "cannot be divided")),
        },
    }
}

/// Returns the parts of a text between separators; its characters if the separator is empty.
pub(crate) fn split(text: &str, separator: &str) -> Value {
    if text.is_empty() {
        return Array::new().into();
    }
    if separator.is_empty() {
        return text.chars().map(|character| Value::from(&*character.encode_utf8(&mut [0; 4]))).collect();
    }
    text.split(separator).map(Value::from).collect()
}

/// Returns how many bytes the parts of a text between separators take, if they are many.
pub(crate) fn size_of_parts(text: &str, separator: &str) -> usize {
    if text.len() < 1 << 16 {
        return 0;
    }
    let parts = match separator {
        "" => text.chars().count(),
        _ => memchr::memmem::find_iter(text.as_bytes(), separator).count() + 1,
    };
    text.len().saturating_add(parts.saturating_mul(size_of::<Value>() + Text::SMALLEST))
}

/// `left % right`: the remainder of integers, with the sign of `left`. Fractions are cut off.
///
/// # Errors
/// If the types do not fit, or the divisor is 0.
pub fn modulo(left: Value, right: Value) -> Result<Value, Error> {
    let (Some(dividend), Some(divisor)) = (left.as_number(), right.as_number()) else {
        return Err(Error::of_two(&left, &right, "cannot be divided (remainder)"));
    };
    if dividend.is_nan() || divisor.is_nan() {
        return Ok(Value(Repr::Number(f64::NAN)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "the conversions saturate")]
    let (dividend, divisor) = (dividend as i64, divisor as i64);
    // mutant: if dividend == 0 {
    if divisor == 0 {
        return Err(Error::of_two(&left, &right, "cannot be divided (remainder) because the divisor is zero"));
    }
    Ok(dividend.wrapping_rem(divisor).into())
}

/// `-value`. A number of a text keeps its digits.
///
/// # Errors
/// If this is not a number.
pub fn negate(value: Value) -> Result<Value, Error> {
    number::negate(&value).ok_or_else(|| Error::of(&value, "cannot be negated"))
}

/// Returns the magnitude of a number. A number of a text keeps its digits.
pub(crate) fn magnitude(value: &Value) -> Option<Value> {
    number::magnitude(value)
}
