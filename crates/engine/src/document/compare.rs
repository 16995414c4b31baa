//! Equality, order and hashes of values: what they mean counts, not how they are written.
//!
//! Documents may be deeper than the stack, so the open containers are on a list.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::hash::Hash;
use std::hash::Hasher;
use std::vec;

use crate::document::Elements;
use crate::document::Kind;
use crate::document::Member;
use crate::document::Members;
use crate::document::Value;
use crate::scalar::Number;
use crate::scalar::compare_keys;
use crate::scalar::hash_key;
use crate::scalar::same_key;

/// Two open containers whose contents are compared.
enum Pair<'a, 'b> {
    Arrays(Elements<'a, 'a>, Elements<'b, 'b>),
    /// Objects whose keys have been the same so far.
    Objects(Members<'a, 'a>, Members<'b, 'b>),
    /// The values of objects, in the order of their keys.
    Sorted(vec::IntoIter<(Value<'a, 'a>, Value<'b, 'b>)>),
}

/// Values are equal if they have the same type and the same value. Numbers are compared exactly, in any notation: `1.0` equals `1`, and
/// `0.1` does not equal `0.10000000000000001`. Strings and keys are compared without their escapes. The order of members does not
/// matter, except for members with the same key: these are compared in their order, and their number counts.
///
/// Objects with the same keys in the same order are compared in linear time; otherwise their keys are sorted.
///
/// ```
/// let mut parser = fjson::Parser::new();
/// let document = parser.document(br#"[{"a": 1, "b": ["\u0041"]}, {"b": ["A"], "a": 10e-1}, {"a": 1, "a": 1, "b": ["A"]}]"#)?;
/// let [first, second, third] = [0, 1, 2].map(|index| document.at(index).unwrap());
/// assert!(first == second && first != third);
/// # Ok::<(), fjson::Error>(())
/// ```
impl PartialEq for Value<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        let mut open = Vec::new();
        let mut next = Some((*self, *other));
        loop {
            if let Some((left, right)) = next {
                if left.kind() != right.kind() {
                    return false;
                }
                match left.kind() {
                    Kind::Array => open.push(Pair::Arrays(left.iter(), right.iter())),
                    Kind::Object => open.push(Pair::Objects(left.members(), right.members())),
                    _ if compare_scalars(left, right).is_ne() => return false,
                    _ => {}
                }
            }
            let Some(pair) = open.last_mut() else { return true };
            next = match next_pair(pair) {
                Some(next) => next,
                None => return false,
            };
            if next.is_none() {
                open.pop();
            }
        }
    }
}

impl Eq for Value<'_, '_> {}

/// Returns the next values to compare: `None` if the containers differ, or `Some(None)` at their end.
#[expect(clippy::option_option, reason = "a difference, the end, or two values")]
fn next_pair<'a, 'b>(pair: &mut Pair<'a, 'b>) -> Option<Option<(Value<'a, 'a>, Value<'b, 'b>)>> {
    let (lefts, rights) = match pair {
        Pair::Arrays(left, right) => {
            return match (left.next(), right.next()) {
                (Some(left), Some(right)) => Some(Some((left, right))),
                (None, None) => Some(None),
                _ => None,
            };
        }
        Pair::Sorted(values) => return Some(values.next()),
        Pair::Objects(lefts, rights) => (lefts, rights),
    };
    let (left, right) = match (lefts.next(), rights.next()) {
        (Some(left), Some(right)) => (left, right),
        (None, None) => return Some(None),
        _ => return None,
    };
    if same_key(text(left.key), text(right.key)) {
        return Some(Some((left.value, right.value)));
    }
    let lefts = sorted_members(std::iter::once(left).chain(lefts));
    let rights = sorted_members(std::iter::once(right).chain(rights));
    let are_same = |(left, right): (&Member<'_, '_>, &Member<'_, '_>)| same_key(text(left.key), text(right.key));
    if lefts.len() != rights.len() || !lefts.iter().zip(&rights).all(are_same) {
        return None;
    }
    let values: Vec<_> = lefts.into_iter().zip(rights).map(|(left, right)| (left.value, right.value)).collect();
    *pair = Pair::Sorted(values.into_iter());
    next_pair(pair)
}

/// Returns the text of a string, without its quotes.
fn text<'t>(string: Value<'_, 't>) -> &'t [u8] {
    string.inside()
}

/// Returns members in the order of their keys. Those with the same key keep their order.
pub(crate) fn sorted_members<'p, 't>(members: impl Iterator<Item = Member<'p, 't>>) -> Vec<Member<'p, 't>> {
    let mut members: Vec<_> = members.collect();
    members.sort_by(|left, right| compare_keys(text(left.key), text(right.key)));
    members
}

/// Compares two values of the same type that are not containers.
fn compare_scalars(left: Value<'_, '_>, right: Value<'_, '_>) -> Ordering {
    match left.kind() {
        Kind::String => {
            let (left, right) = (text(left), text(right));
            if same_key(left, right) { Ordering::Equal } else { compare_keys(left, right) }
        }
        Kind::Number => left.as_number().cmp(&right.as_number()),
        Kind::Bool => left.as_bool().cmp(&right.as_bool()),
        _ => Ordering::Equal,
    }
}

/// Returns the place of a type in the order of values.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Null => 0,
        Kind::Bool => 1,
        Kind::Number => 2,
        Kind::String => 3,
        Kind::Array => 4,
        Kind::Object => 5,
    }
}

impl PartialOrd for Value<'_, '_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The order of jq: null, false, true, numbers, strings, arrays, objects. Numbers are compared exactly, strings by code point, and
/// arrays element by element. Objects are compared by their sorted keys first, then by their values in the order of the keys. Members
/// with the same key are all compared, in their order.
///
/// ```
/// let mut parser = fjson::Parser::new();
/// let document = parser.document(br#"[{"a": 0}, [2], [1, 5], "b", "a", 2, 1e0, true, null]"#)?;
/// let mut values: Vec<_> = document.iter().collect();
/// values.sort();
/// let texts: Vec<_> = values.iter().map(|value| value.raw()).collect();
/// assert_eq!(texts, ["null", "true", "1e0", "2", "\"a\"", "\"b\"", "[1, 5]", "[2]", "{\"a\": 0}"]);
/// # Ok::<(), fjson::Error>(())
/// ```
impl Ord for Value<'_, '_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut open = Vec::new();
        let mut next = Some((*self, *other));
        loop {
            if let Some((left, right)) = next {
                let order = match (left.kind(), right.kind()) {
                    (Kind::Array, Kind::Array) => {
                        open.push(Pair::Arrays(left.iter(), right.iter()));
                        Ordering::Equal
                    }
                    (Kind::Object, Kind::Object) => {
                        let (lefts, rights) = (sorted_members(left.members()), sorted_members(right.members()));
                        let keys = compare_sorted_keys(&lefts, &rights);
                        let values = lefts.into_iter().zip(rights).map(|(left, right)| (left.value, right.value));
                        open.push(Pair::Sorted(values.collect::<Vec<_>>().into_iter()));
                        keys
                    }
                    (mine, others) if mine == others => compare_scalars(left, right),
                    (mine, others) => rank(mine).cmp(&rank(others)),
                };
                if order.is_ne() {
                    return order;
                }
            }
            next = match open.last_mut() {
                None => return Ordering::Equal,
                Some(Pair::Arrays(lefts, rights)) => match (lefts.next(), rights.next()) {
                    (Some(left), Some(right)) => Some((left, right)),
                    (left, right) if left.is_some() || right.is_some() => return left.is_some().cmp(&right.is_some()),
                    _ => None,
                },
                Some(Pair::Sorted(values)) => values.next(),
                Some(Pair::Objects(..)) => None,
            };
            if next.is_none() {
                open.pop();
            }
        }
    }
}

/// Compares two sorted lists of keys like arrays.
fn compare_sorted_keys(lefts: &[Member<'_, '_>], rights: &[Member<'_, '_>]) -> Ordering {
    let mut keys = lefts.iter().zip(rights).map(|(left, right)| compare_keys(text(left.key), text(right.key)));
    keys.find(|order| order.is_ne()).unwrap_or_else(|| lefts.len().cmp(&rights.len()))
}

/// The rest of an open container whose contents are hashed.
enum Rest<'a> {
    Elements(Elements<'a, 'a>),
    /// In the order of the keys.
    Members(vec::IntoIter<Member<'a, 'a>>),
}

/// Equal values have equal hashes.
///
/// ```
/// use std::collections::HashSet;
///
/// let mut parser = fjson::Parser::new();
/// let document = parser.document(br#"[1, 1.0, "a", "\u0061", {"x": 1, "y": 2}, {"y": 2, "x": 1}]"#)?;
/// assert_eq!(document.iter().collect::<HashSet<_>>().len(), 3);
/// # Ok::<(), fjson::Error>(())
/// ```
impl Hash for Value<'_, '_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut open = Vec::new();
        let mut next = Some(*self);
        loop {
            if let Some(value) = next {
                state.write_u8(rank(value.kind()));
                match value.kind() {
                    Kind::Null => {}
                    Kind::Bool => value.as_bool().hash(state),
                    Kind::Number => value.as_number().hash(state),
                    Kind::String => hash_key(text(value), state),
                    Kind::Array => open.push(Rest::Elements(value.iter())),
                    Kind::Object => open.push(Rest::Members(sorted_members(value.members()).into_iter())),
                }
            }
            next = match open.last_mut() {
                None => return,
                Some(Rest::Elements(elements)) => elements.next(),
                Some(Rest::Members(members)) => members.next().map(|member| {
                    hash_key(text(member.key), state);
                    member.value
                }),
            };
            if next.is_none() {
                // So that the elements of a container are not taken for those of another one.
                state.write_u8(u8::MAX);
                open.pop();
            }
        }
    }
}

impl Value<'_, '_> {
    /// Whether this is a number that equals another one exactly.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"10e-1")?;
    /// assert!(document.is_number(Number::new(b"1").unwrap()));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn is_number(self, number: Number<'_>) -> bool {
        self.as_number().is_some_and(|mine| mine == number)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;
    use std::hash::RandomState;

    use super::rank;
    use super::text;
    use crate::document::Kind;
    use crate::document::Parser;
    use crate::document::Value;
    use crate::explain::random::Random;
    use crate::scalar::compare_keys;

    /// Returns a normal form of a value: the same for equal values only. It recurses, unlike what it tests.
    fn normal(value: Value<'_, '_>) -> String {
        match value.kind() {
            Kind::Array => {
                let elements: Vec<_> = value.iter().map(normal).collect();
                format!("[{}]", elements.join(","))
            }
            Kind::Object => {
                let mut members: Vec<_> = value.members().collect();
                members.sort_by(|left, right| compare_keys(text(left.key), text(right.key)));
                let members: Vec<_> =
                    members.iter().map(|member| format!("{}:{}", normal(member.key), normal(member.value))).collect();
                format!("{{{}}}", members.join(","))
            }
            Kind::String => format!("{:?}", value.as_str_lossy().unwrap_or_default()),
            Kind::Number => value.as_i64().map_or_else(|| value.raw().to_owned(), |integer| integer.to_string()),
            Kind::Bool | Kind::Null => value.raw().to_owned(),
        }
    }

    /// Returns a random value, which is often equal to another one.
    fn random_value(random: &mut Random, depth: usize, text: &mut String) {
        let leaves =
            ["1", "1.0", "10e-1", "\"a\"", "\"\\u0061\"", "null", "true", "false", "2", "\"b\"", "0.5", "[]", "{}"];
        match random.below(if depth == 0 { 1 } else { 3 }) {
            0 => *text += leaves[random.below(leaves.len())],
            1 => {
                *text += "[";
                for index in 0..random.below(3) {
                    *text += if index == 0 { "" } else { ", " };
                    random_value(random, depth - 1, text);
                }
                *text += "]";
            }
            _ => {
                *text += "{";
                for index in 0..random.below(4) {
                    *text += if index == 0 { "" } else { "," };
                    *text += ["\"a\": ", "\"\\u0061\":", "\"b\":", "\"c\":"][random.below(4)];
                    random_value(random, depth - 1, text);
                }
                *text += "}";
            }
        }
    }

    #[test]
    fn values_are_equal_if_their_normal_forms_are() {
        let mut random = Random::new(53);
        let state = RandomState::new();
        let mut equal = 0;
        for _ in 0..if cfg!(miri) { 1 } else { 30 } {
            let mut text = String::from("[");
            for index in 0..40 {
                text += if index == 0 { "" } else { "," };
                random_value(&mut random, 3, &mut text);
            }
            text += "]";
            let mut parser = Parser::new();
            let document = parser.document(text.as_bytes()).expect("valid");
            let values: Vec<_> = document.iter().map(|value| (value, normal(value), state.hash_one(value))).collect();
            for (left, left_form, left_hash) in &values {
                for (right, right_form, right_hash) in &values {
                    let is_equal = left_form == right_form;
                    equal += usize::from(is_equal);
                    assert_eq!(left == right, is_equal, "{left} {right}");
                    assert_eq!(left.cmp(right).is_eq(), is_equal, "{left} {right}");
                    assert_eq!(left.cmp(right), right.cmp(left).reverse(), "{left} {right}");
                    assert_eq!(left_hash == right_hash, is_equal, "{left} {right}");
                    if left.kind() != right.kind() {
                        assert_eq!(left.cmp(right), rank(left.kind()).cmp(&rank(right.kind())));
                    }
                    // The order is transitive.
                    for (middle, ..) in values.iter().step_by(7) {
                        assert!(!(left <= middle && middle <= right) || left <= right, "{left} {middle} {right}");
                    }
                }
            }
        }
        // More than each value and itself.
        assert!(cfg!(miri) || equal > 1500, "{equal}");
    }

    #[test]
    fn deep_values() {
        let text = format!("[{0}1{1},{0}1{1},{0}2{1}]", "[{\"a\":".repeat(50_000), "}]".repeat(50_000));
        let mut parser = Parser::new();
        let document = parser.document(text.as_bytes()).expect("valid");
        let values: Vec<_> = document.iter().collect();
        assert!(values[0] == values[1] && values[0] < values[2]);
        let state = RandomState::new();
        assert_eq!(state.hash_one(values[0]), state.hash_one(values[1]));
    }

    /// The order of objects is that of jq.
    #[test]
    fn order_of_objects() {
        let text = br#"[{}, {"a": 1}, {"a": 2}, {"a": 0, "b": 0}, {"a": 1, "b": 0}, {"b": 0}, {"b": 0, "c": 0}]"#;
        let mut parser = Parser::new();
        let document = parser.document(text).expect("valid");
        assert!(document.iter().is_sorted() && document.iter().zip(document.iter().skip(1)).all(|(a, b)| a < b));
    }
}
