//! Numbers as the validator sees them.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cmp::Ordering;

use fjson::Value;
use fjson::scalar::AnyNumber;
use fjson::scalar::Number as ScalarNumber;
use fjson::scalar::NumberBuffer;
use jsonschema::json::JsonNumber;
use serde_json::Number as SerdeNumber;

/// Length of a text of at most 15 digits, a point or a sign. Two different numbers of 15 digits have different doubles.
const SHORT: usize = 16;

/// Whether a number has so few digits that its double stands for it.
#[inline]
pub(crate) fn is_short(text: &[u8]) -> bool {
    // mutant: text.len() <= 4 * SHORT && !text.iter().any(|byte| matches!(byte, b'e' | b'E'))
    text.len() <= SHORT && !text.iter().any(|byte| matches!(byte, b'e' | b'E'))
}

/// A number, converted once.
#[derive(Clone, Copy)]
pub(crate) struct Number<'a> {
    value: Value<'a, 'a>,
    number: AnyNumber<'a>,
}

impl<'a> Number<'a> {
    /// Returns the number, if the value is one.
    pub(crate) fn of(value: Value<'a, 'a>) -> Option<Self> {
        value.to_number().map(|number| Self { value, number })
    }
}

impl JsonNumber for Number<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        match self.number {
            AnyNumber::U64(number) => Some(number),
            _ => None,
        }
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        match self.number {
            AnyNumber::U64(number) => i64::try_from(number).ok(),
            AnyNumber::I64(number) => Some(number),
            AnyNumber::F64(_) | AnyNumber::Big(_) => None,
        }
    }

    #[inline]
    fn as_f64(&self) -> Option<f64> {
        if is_short(self.value.raw().as_bytes()) {
            return self.value.as_f64();
        }
        self.value.as_number().map(beside)
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.value.raw())
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        Cow::Owned(serde_number(self.number, self.value))
    }

    #[inline]
    fn is_integer(&self) -> bool {
        self.is_written_as_integer() || self.value.as_number().is_some_and(|number| number.has_integer_value())
    }

    #[inline]
    fn is_written_as_integer(&self) -> bool {
        match self.number {
            AnyNumber::U64(_) | AnyNumber::I64(_) | AnyNumber::Big(_) => true,
            // `-0` is a double.
            AnyNumber::F64(double) => double == 0.0 && self.value.raw() == "-0",
        }
    }
}

/// Returns the nearest double or, if the number is another than that, one beside it. So the number compares with short numbers as it
/// should.
fn beside(number: ScalarNumber<'_>) -> f64 {
    // An instance may be too large for a double, which the validator does not expect.
    let nearest = number.to_f64().clamp(f64::MIN, f64::MAX);
    let mut buffer = NumberBuffer::new();
    let written = buffer.double(nearest).and_then(|text| ScalarNumber::new(text.as_bytes()));
    let beside = match written.map_or(Ordering::Equal, |written| number.cmp(&written)) {
        // mutant: Ordering::Less => nearest,
        Ordering::Less => nearest.next_down(),
        Ordering::Equal => nearest,
        Ordering::Greater => nearest.next_up(),
    };
    beside.clamp(f64::MIN, f64::MAX)
}

/// Returns the number in a tree: an integer of 64 bits, or the nearest finite double.
pub(crate) fn serde_number(number: AnyNumber<'_>, value: Value<'_, '_>) -> SerdeNumber {
    match number {
        AnyNumber::U64(number) => number.into(),
        AnyNumber::I64(number) => number.into(),
        AnyNumber::F64(_) | AnyNumber::Big(_) => {
            let double = value.as_f64().unwrap_or_default().clamp(f64::MIN, f64::MAX);
            SerdeNumber::from_f64(double).unwrap_or_else(|| 0.into())
        }
    }
}
