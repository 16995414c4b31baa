//! Order and equality of values.

#![forbid(unsafe_code)]

use std::cmp::Ordering;

use crate::value::Error;
use crate::value::Object;
use crate::value::Repr;
use crate::value::Text;
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
        let mut frames = Vec::new();
        let mut pair = (left, right);
        loop {
            let order = match self.start(pair.0, pair.1) {
                Step::Order(order) => order,
                Step::Inside(frame) => {
                    self.is_too_deep |= frames.len() > DEEPEST;
                    frames.push(frame);
                    Ordering::Equal
                }
            };
            if order.is_ne() {
                return order;
            }
            pair = loop {
                let Some(frame) = frames.last_mut() else { return Ordering::Equal };
                match frame.next() {
                    Ok(pair) => break pair,
                    Err(Ordering::Equal) => drop(frames.pop()),
                    Err(order) => return order,
                }
            };
        }
    }

    fn start<'v>(&self, left: &'v Value, right: &'v Value) -> Step<'v> {
        match (&left.0, &right.0) {
            (Repr::Boolean(left), Repr::Boolean(right)) => Step::Order(left.cmp(right)),
            (Repr::Text(left), Repr::Text(right)) => Step::Order(left.cmp(right)),
            (Repr::Array(left), Repr::Array(right)) => Step::Inside(Frame::Arrays(left.iter(), right.iter())),
            (Repr::Object(left), Repr::Object(right)) => objects(left, right),
            _ => match (left.as_number(), right.as_number()) {
                (Some(a), Some(b)) if self.is_for_sorting && a.is_nan() && b.is_nan() => Step::Order(Ordering::Equal),
                (Some(_), Some(_)) => Step::Order(number::compare(left, right)),
                _ => Step::Order(left.kind().cmp(&right.kind())),
            },
        }
    }
}

/// What is known of the order of two values without looking into containers.
enum Step<'v> {
    Order(Ordering),
    Inside(Frame<'v>),
}

/// Two containers that are being compared.
enum Frame<'v> {
    Arrays(std::slice::Iter<'v, Value>, std::slice::Iter<'v, Value>),
    /// Objects with the same keys.
    Objects(std::vec::IntoIter<(&'v Value, &'v Value)>),
}

fn objects<'v>(left: &'v Object, right: &'v Object) -> Step<'v> {
    let (left, right) = (left.sorted(), right.sorted());
    let keys = |members: &[(&'v Text, &'v Value)]| members.iter().map(|member| member.0).collect::<Vec<_>>();
    let order = keys(&left).cmp(&keys(&right));
    if order.is_ne() {
        return Step::Order(order);
    }
    let pairs: Vec<_> = left.into_iter().zip(right).map(|(left, right)| (left.1, right.1)).collect();
    Step::Inside(Frame::Objects(pairs.into_iter()))
}

impl<'v> Frame<'v> {
    /// Returns the next two values, or the order of the containers if there are none.
    fn next(&mut self) -> Result<(&'v Value, &'v Value), Ordering> {
        match self {
            Self::Arrays(left, right) => match (left.next(), right.next()) {
                (Some(left), Some(right)) => Ok((left, right)),
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
    if left.len().is_none() {
        return Ok(same_scalars(left, right));
    }
    let mut pairs = vec![(left, right, 0)];
    while let Some((left, right, depth)) = pairs.pop() {
        if depth > DEEPEST {
            return Err(Error::new("Equality check too deep"));
        }
        match (&left.0, &right.0) {
            (Repr::Array(left), Repr::Array(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                if !left.is_same(right) {
                    // Reversed, so that the first elements are compared first.
                    pairs.extend(left.iter().zip(right.iter()).rev().map(|(left, right)| (left, right, depth + 1)));
                }
            }
            (Repr::Object(left), Repr::Object(right)) => {
                if left.len() != right.len() {
                    return Ok(false);
                }
                if !left.is_same(right) {
                    for (key, left) in left.iter() {
                        let Some(right) = right.get(key) else { return Ok(false) };
                        pairs.push((left, right, depth + 1));
                    }
                }
            }
            _ => {
                if !same_scalars(left, right) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether two values are equal, at least one of which is not a container.
fn same_scalars(left: &Value, right: &Value) -> bool {
    match (&left.0, &right.0) {
        (Repr::Null, Repr::Null) => true,
        (Repr::Boolean(left), Repr::Boolean(right)) => left == right,
        (Repr::Text(left), Repr::Text(right)) => left == right,
        _ => {
            left.as_number().is_some_and(|number| !number.is_nan())
                && right.as_number().is_some_and(|number| !number.is_nan())
                && number::compare(left, right).is_eq()
        }
    }
}
