//! The rules that schemas are compiled to.

#![forbid(unsafe_code)]

use std::cmp::Ordering;

use fjson::scalar::AnyNumber;
use fjson::scalar::Number;

use crate::compiled::keys::Index;
use crate::compiled::keys::Keys;
use crate::compiled::part::Part;
use crate::number::is_short;

/// What the rules say about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Valid,
    Invalid,
    /// The rules do not say it.
    Unknown,
}

/// The rules of a schema.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The rules of each subschema.
    pub(super) rules: Vec<Rules>,
    /// Whether an integer must be written without fraction, as in draft 4.
    pub(super) has_written_integers: bool,
}

/// The types that a value may have, as bits.
pub(super) type Types = u8;

pub(super) const NULL: Types = 1;
pub(super) const BOOLEAN: Types = 2;
pub(super) const INTEGER: Types = 4;
/// Numbers that are no integers. `number` allows both.
pub(super) const FRACTION: Types = 8;
pub(super) const STRING: Types = 16;
pub(super) const ARRAY: Types = 32;
pub(super) const OBJECT: Types = 64;
pub(super) const ALL: Types = 127;

/// The rules of a subschema. All of them apply.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) types: Types,
    /// The values that are allowed.
    pub(super) values: Option<Vec<Constant>>,
    pub(super) number: Option<NumberRules>,
    /// The least and the greatest number of characters.
    pub(super) length: Option<(u64, u64)>,
    /// What the crate is asked.
    pub(super) part: Option<Box<Part>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    /// Other schemas for the same value.
    pub(super) combined: Vec<Combination>,
}

impl Rules {
    /// Rules that allow everything, or nothing.
    pub(super) fn new(types: Types) -> Self {
        let combined = Vec::new();
        Self { types, values: None, number: None, length: None, part: None, array: None, object: None, combined }
    }

    /// Whether every value is allowed.
    pub(super) fn is_empty(&self) -> bool {
        let Self { types, values, number, length, part, array, object, combined } = self;
        *types == ALL
            && values.is_none()
            && number.is_none()
            && length.is_none()
            && part.is_none()
            && array.is_none()
            && object.is_none()
            && combined.is_empty()
    }
}

/// Schemas that are combined.
#[derive(Debug)]
pub(super) enum Combination {
    All(Vec<Index>),
    Any(Vec<Index>),
    One(Vec<Index>),
    Not(Index),
    /// `if`, `then` and `else`.
    If(Index, Option<Index>, Option<Index>),
}

/// A value of `const` or `enum`.
#[derive(Debug, PartialEq)]
pub(super) enum Constant {
    Null,
    Boolean(bool),
    /// A number that can be compared as a double.
    Number(f64),
    String(Box<str>),
}

/// Bounds of a number.
#[derive(Debug, Default)]
pub(super) struct NumberRules {
    pub(super) minimum: Option<Bound>,
    pub(super) maximum: Option<Bound>,
}

/// A bound, and whether it is excluded.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The text of the number.
    pub(super) text: Box<str>,
    /// The double nearest to it.
    pub(super) nearest: f64,
    /// Whether the number has so few digits that the double stands for it.
    pub(super) is_short: bool,
    pub(super) is_excluded: bool,
}

impl Bound {
    /// Compares a number with the bound. `nearest` is the double nearest to the number, `text` returns its text.
    #[inline]
    pub(super) fn compare<'t>(&self, nearest: f64, text: impl FnOnce() -> &'t [u8]) -> Ordering {
        match nearest.partial_cmp(&self.nearest) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => order,
            // Numbers with the same double may differ, unless both have few digits.
            Some(Ordering::Equal) | None => {
                let text = text();
                // mutant: if true {
                if self.is_short && is_short(text) {
                    return Ordering::Equal;
                }
                Number::new(text).cmp(&Number::new(self.text.as_bytes()))
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct ArrayRules {
    /// The rules of the first elements, and of the others.
    pub(super) first: Vec<Index>,
    pub(super) others: Option<Index>,
    pub(super) least: u64,
    pub(super) most: u64,
    pub(super) is_unique: bool,
}

#[derive(Debug)]
pub(super) struct ObjectRules {
    pub(super) keys: Keys,
    /// The rules of keys that are not among these.
    pub(super) others: Option<Index>,
    /// The bits of the keys that are required.
    pub(super) required: u64,
    pub(super) least: u64,
    pub(super) most: u64,
}

/// Doubles and integers of at most this size are exact, and can be compared as doubles.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns the double nearest to a number, unless that is so large that it may be the nearest one of several integers.
pub(super) fn nearest_double(number: AnyNumber<'_>) -> Option<f64> {
    let double = match number {
        #[expect(clippy::cast_precision_loss, reason = "large numbers are left out below")]
        AnyNumber::U64(number) => number as f64,
        #[expect(clippy::cast_precision_loss, reason = "large numbers are left out below")]
        AnyNumber::I64(number) => number as f64,
        AnyNumber::F64(double) => double,
        AnyNumber::Big(_) => return None,
    };
    (double.abs() < EXACT).then_some(double)
}
