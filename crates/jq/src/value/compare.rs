//! Order and equality of values.

#![forbid(unsafe_code)]

use std::cmp::Ordering;

use crate::value::Error;
use crate::value::Iterate;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Value;
use crate::value::number;

/// Values nested deeper than this are not compared, as in jq.
const DEEPEST: usize = 10_000;

/// Returns the order of two values: by type, numbers by value, strings by code points, arrays element by element, objects first by
/// their sorted keys, then by the values of these. NaN is less than any number.
///
/// # Errors
/// If the values are nested more than 10,000 levels deep.
///
/// ```
/// use std::cmp::Ordering;
/// use fjson_jq::value::{Value, compare};
///
/// let value = |text: &str| Value::parse(text.as_bytes()).unwrap();
/// assert_eq!(compare(&value("[1, 2]"), &value("[1, 10]")).unwrap(), Ordering::Less);
/// assert_eq!(compare(&value(r#"{"a": 2}"#), &value(r#"{"b": 1}"#)).unwrap(), Ordering::Less);
/// ```
pub fn compare(left: &Value, right: &Value) -> Result<Ordering, Error> {
    let mut comparison = Comparison { is_for_sorting: false, is_too_deep: false };
    let order = comparison.order(left, right);
    comparison.finish().map(|()| order)
}

/// Comparisons of values that cannot fail: whether values were nested too deep is asked afterwards.
pub(crate) struct Comparison {
    /// NaN is equal to itself, so that the order is total.
    is_for_sorting: bool,
    is_too_deep: bool,
}

impl Comparison {
    pub(crate) fn for_sorting() -> Self {
        Self { is_for_sorting: true, is_too_deep: false }
    }

    /// # Errors
    /// If values were nested more than 10,000 levels deep.
    pub(crate) fn finish(self) -> Result<(), Error> {
        if self.is_too_deep { Err(Error::new("Comparison too deep")) } else { Ok(()) }
    }

    /// Returns the order of two values like [`compare`].
    pub(crate) fn order(&mut self, left: &Value, right: &Value) -> Ordering {
        let mut frames: Vec<Frame> = Vec::new();
        let mut step = self.start(left, right);
        loop {
            match step {
                ShallowOrder::Order(Ordering::Equal) => {}
                ShallowOrder::Order(order) => return order,
                ShallowOrder::Inside(frame) => {
                    self.is_too_deep |= frames.len() > DEEPEST;
                    frames.push(frame);
                }
            }
            step = loop {
                let Some(frame) = frames.last_mut() else { return Ordering::Equal };
                match frame.next() {
                    Ok((left, right)) => break self.start(&left, &right),
                    Err(Ordering::Equal) => drop(frames.pop()),
                    Err(order) => return order,
                }
            };
        }
    }

    fn start(&self, left: &Value, right: &Value) -> ShallowOrder {
        let (left_kind, right_kind) = (left.kind(), right.kind());
        if left_kind != right_kind {
            // mutant: return ShallowOrder::Order(right_kind.cmp(&left_kind));
            return ShallowOrder::Order(left_kind.cmp(&right_kind));
        }
        match left_kind {
            Kind::Null => ShallowOrder::Order(Ordering::Equal),
            Kind::Boolean => ShallowOrder::Order(left.is_true().cmp(&right.is_true())),
            Kind::Number => {
                let is_nan = |value: &Value| value.as_number().is_some_and(f64::is_nan);
                // mutant: if false {
                if self.is_for_sorting && is_nan(left) && is_nan(right) {
                    return ShallowOrder::Order(Ordering::Equal);
                }
                ShallowOrder::Order(number::compare(left, right))
            }
            Kind::String => ShallowOrder::Order(left.as_str().cmp(&right.as_str())),
            Kind::Array => match (left.clone().iterate(), right.clone().iterate()) {
                (Ok(left), Ok(right)) => ShallowOrder::Inside(Frame::Arrays(left, right)),
                _ => ShallowOrder::Order(Ordering::Equal),
            },
            Kind::Object => objects(&left.to_object().unwrap_or_default(), &right.to_object().unwrap_or_default()),
        }
    }
}

/// What is known of the order of two values without looking into containers.
enum ShallowOrder {
    Order(Ordering),
    Inside(Frame),
}

/// Two containers that are being compared.
enum Frame {
    Arrays(Iterate, Iterate),
    /// Objects with the same keys.
    Objects(std::vec::IntoIter<(Value, Value)>),
}

fn objects(left: &Object, right: &Object) -> ShallowOrder {
    let (left, right) = (left.sorted(), right.sorted());
    let order = left.iter().map(|member| member.0).cmp(right.iter().map(|member| member.0));
    if order.is_ne() {
        return ShallowOrder::Order(order);
    }
    let pairs: Vec<_> = left.into_iter().zip(right).map(|(left, right)| (left.1.clone(), right.1.clone())).collect();
    ShallowOrder::Inside(Frame::Objects(pairs.into_iter()))
}

impl Frame {
    /// Returns the next two values, or the order of the containers if there are none.
    fn next(&mut self) -> Result<(Value, Value), Ordering> {
        match self {
            Self::Arrays(left, right) => match (left.next(), right.next()) {
                (Some(left), Some(right)) => Ok((left, right)),
                // mutant: (left, right) => Err(right.is_some().cmp(&left.is_some())),
                (left, right) => Err(left.is_some().cmp(&right.is_some())),
            },
            Self::Objects(pairs) => pairs.next().ok_or(Ordering::Equal),
        }
    }
}

/// Whether two values are equal: numbers by value, objects regardless of the order of their members. NaN is not equal to itself,
/// but a container that shares its content with another is equal to it.
///
/// # Errors
/// If the values are nested more than 10,000 levels deep.
///
/// ```
/// use fjson_jq::value::{Value, equal};
///
/// let value = |text: &str| Value::parse(text.as_bytes()).unwrap();
/// assert!(equal(&value(r#"{"a": 1, "b": 2.0}"#), &value(r#"{"b": 2, "a": 1}"#)).unwrap());
/// ```
pub fn equal(left: &Value, right: &Value) -> Result<bool, Error> {
    // The most common values need no list.
    if left.kind() < Kind::Array {
        return Ok(same_scalars(left, right));
    }
    let mut pairs = vec![(left.clone(), right.clone(), 0)];
    while let Some((left, right, depth)) = pairs.pop() {
        if depth > DEEPEST {
            return Err(Error::new("Equality check too deep"));
        }
        match (left.kind(), right.kind()) {
            (Kind::Array, Kind::Array) => {
                if is_same(&left, &right) {
                    continue;
                }
                let (left, right) = (left.into_array().unwrap_or_default(), right.into_array().unwrap_or_default());
                if left.len() != right.len() {
                    return Ok(false);
                }
                // Reversed, so that the first elements are compared first.
                let both = left.iter().cloned().zip(right.iter().cloned());
                pairs.extend(both.rev().map(|(left, right)| (left, right, depth + 1)));
            }
            (Kind::Object, Kind::Object) => {
                if is_same(&left, &right) {
                    continue;
                }
                let (left, right) = (left.into_object().unwrap_or_default(), right.into_object().unwrap_or_default());
                if left.len() != right.len() {
                    return Ok(false);
                }
                for (key, left) in left.iter() {
                    // mutant: let Some(right) = right.get(key) else { continue };
                    let Some(right) = right.get(key) else { return Ok(false) };
                    pairs.push((left.clone(), right.clone(), depth + 1));
                }
            }
            _ => {
                if !same_scalars(&left, &right) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether two containers share their content, so that not even NaN in them differs.
fn is_same(left: &Value, right: &Value) -> bool {
    match (&left.0, &right.0) {
        (Repr::Array(left), Repr::Array(right)) => left.is_same(right),
        (Repr::Object(left), Repr::Object(right)) => left.is_same(right),
        (Repr::Lazy(left), Repr::Lazy(right)) => left.is_same(right),
        _ => false,
    }
}

/// Whether two values are equal, at least one of which is not a container.
#[inline]
fn same_scalars(left: &Value, right: &Value) -> bool {
    match (left.kind(), right.kind()) {
        (Kind::Null, Kind::Null) => true,
        (Kind::Boolean, Kind::Boolean) => left.is_true() == right.is_true(),
        (Kind::String, Kind::String) => left.as_str() == right.as_str(),
        // NaN is less than any number.
        (Kind::Number, Kind::Number) => number::compare(left, right).is_eq(),
        _ => false,
    }
}
