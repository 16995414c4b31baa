//! Conversion of numbers to integers and doubles.
//!
//! Integers are converted exactly or not at all. The standard library finds the nearest double; numbers with very long text
//! or exponents are shortened first, in a way that does not change the nearest double.

#![forbid(unsafe_code)]

use std::str::FromStr;

use crate::scalar::number::Number;
use crate::scalar::print::NumberBuffer;

/// Maximum length of text that the standard library parses unchanged, if the exponent has at most four digits.
const PLAIN: usize = 1024;

/// Number of significant digits that determine the nearest double: a midpoint between two doubles has at most 767. Of the
/// digits after them, it only matters whether there are any.
pub(crate) const MAX_DIGITS: usize = 800;

/// Powers of ten above this are infinite as a double; those below its negative are zero.
const MAX_POWER: i128 = 400;

/// Returns the single that is nearest to a JSON number. The nearest double might round to another one.
#[cfg(any(test, feature = "serde"))]
pub(crate) fn nearest_single(text: &str) -> Option<f32> {
    // Only the standard library's limit on exponents, which more digits can balance, needs the parts of the number.
    if text.len() <= PLAIN { text.parse().ok() } else { Number::new(text.as_bytes())?.nearest() }
}

impl Number<'_> {
    /// Returns the value if it is an integer in range, in any notation.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let value = |text: &'static [u8]| Number::new(text).and_then(|number| number.to_i64());
    /// assert_eq!(value(b"-9223372036854775808"), Some(i64::MIN));
    /// assert_eq!(value(b"9223372036854775808"), None);
    /// assert_eq!(value(b"1.20e1"), Some(12));
    /// assert_eq!(value(b"1.2"), None);
    /// ```
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        let magnitude = self.magnitude()?;
        if self.is_negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    /// Returns the value if it is an integer in range, in any notation. `-0` is 0.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        self.magnitude().filter(|&magnitude| magnitude == 0 || !self.is_negative)
    }

    /// Returns the absolute value if it is an integer in range.
    fn magnitude(&self) -> Option<u64> {
        if self.is_integer() {
            return parse(self.integer.iter().copied());
        }
        let Some(digits) = self.significant else { return Some(0) };
        let power = self.power(digits);
        let zeros = usize::try_from(power + 1 - digits.count()).ok()?;
        // The greatest `u64` has 20 digits.
        if power < 20 { parse(digits.bytes().chain(std::iter::repeat_n(b'0', zeros))) } else { None }
    }

    /// Returns the nearest double; of two that are equally near, the even one. Numbers that are too large become infinite.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let value = |text: &'static [u8]| Number::new(text).unwrap().to_f64();
    /// assert_eq!(value(b"0.1"), 0.1);
    /// assert_eq!(value(b"9007199254740993"), 9007199254740992.0);
    /// assert_eq!(value(b"1e400"), f64::INFINITY);
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.nearest().unwrap_or(f64::NAN)
    }

    /// Returns the nearest double or single, like [`to_f64`](Self::to_f64).
    fn nearest<F: FromStr>(&self) -> Option<F> {
        if self.text.len() <= PLAIN && self.exponent.digits.len() <= 4 {
            // JSON numbers are ASCII, and the standard library accepts all of them.
            return str::from_utf8(self.text).ok()?.parse().ok();
        }
        let sign = if self.is_negative { "-" } else { "" };
        let zero = || format!("{sign}0");
        let text = self.significant.map_or_else(zero, |digits| match self.power(digits) {
            power if power > MAX_POWER => format!("{sign}inf"),
            power if power < -MAX_POWER => zero(),
            power => {
                // mutant: let more = "";
                let more = if digits.count() > MAX_DIGITS as i128 { "1" } else { "" };
                let digits: String = digits.bytes().take(MAX_DIGITS).map(char::from).collect();
                format!("{sign}0.{digits}{more}e{}", power + 1)
            }
        });
        text.parse().ok()
    }

    /// Whether the number survives a round trip through a double: whether the shortest text of the nearest double is the same
    /// number. `0.1` and `1e22` survive; `9007199254740993`, `3.141592653589793238` and `1e400` do not.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let survives = |text: &'static [u8]| Number::new(text).unwrap().survives_f64();
    /// assert!(survives(b"0.10") && !survives(b"9007199254740993"));
    /// ```
    #[must_use]
    pub fn survives_f64(&self) -> bool {
        // Two different numbers of 15 digits never have the same nearest double (C's `DBL_DIG`), so each survives.
        let is_short = |digits| {
            let power = self.power(digits);
            digits.count() <= 15 && power.abs() < 300
        };
        if self.significant.is_none_or(is_short) {
            return true;
        }
        let mut buffer = NumberBuffer::new();
        let printed = buffer.double(self.to_f64());
        printed.and_then(|text| Number::new(text.as_bytes())).is_some_and(|printed| printed == *self)
    }

    /// Whether a double preserves all digits of the number: whether the nearest double, written either with as few digits as
    /// possible or with as many as the number has, is the same number. So doubles that were written with more digits than
    /// necessary also pass, for example by C's `%.17g`: `0.10000000000000001`.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let keeps = |text: &'static [u8]| Number::new(text).unwrap().keeps_digits_in_f64();
    /// assert!(keeps(b"0.1") && keeps(b"0.10000000000000001") && keeps(b"18446744073709552000"));
    /// assert!(!keeps(b"0.10000000000000004") && !keeps(b"9007199254740993") && !keeps(b"1e400"));
    /// ```
    #[must_use]
    pub fn keeps_digits_in_f64(&self) -> bool {
        let Some(digits) = self.significant else { return true };
        // The exact value of a double has at most 767 digits.
        let Some(count) = usize::try_from(digits.count()).ok().filter(|&count| count <= MAX_DIGITS) else {
            return false;
        };
        if count <= 15 && self.power(digits).abs() < 300 {
            return true;
        }
        let is_same = |text: &str| Number::new(text.as_bytes()).is_some_and(|written| written == *self);
        let nearest = self.to_f64();
        // What most programs write.
        if NumberBuffer::new().double(nearest).is_some_and(is_same) {
            return true;
        }
        // Both are needed: if two texts are equally near to the double, the two formats may choose different ones.
        is_same(&format!("{nearest:.*e}", count - 1)) || is_same(&format!("{nearest:e}"))
    }
}

/// Parses digits as an integer; `None` if it is out of range.
fn parse(digits: impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0_u64;
    for digit in digits {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::Number;
    use super::nearest_single;

    fn number(text: &str) -> Number<'_> {
        Number::new(text.as_bytes()).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn integers_are_exact_or_none() {
        let values = [
            ("0", Some(0), Some(0)),
            ("-0.0e5", Some(0), Some(0)),
            ("18446744073709551615", None, Some(u64::MAX)),
            ("18446744073709551616", None, None),
            ("9223372036854775807.0", Some(i64::MAX), Some(i64::MAX.unsigned_abs())),
            ("-9223372036854775808", Some(i64::MIN), None),
            ("-9223372036854775809", None, None),
            ("-9.223372036854775808e18", Some(i64::MIN), None),
            ("0.00012e5", Some(12), Some(12)),
            ("0.00012e4", None, None),
            ("1e19", None, Some(10_000_000_000_000_000_000)),
            ("1e20", None, None),
            ("1e-99999999999999999999999999999999999999", None, None),
            ("1e99999999999999999999999999999999999999", None, None),
        ];
        for (text, signed, unsigned) in values {
            assert_eq!((number(text).to_i64(), number(text).to_u64()), (signed, unsigned), "{text}");
        }
    }

    /// Numbers that the standard library parses incorrectly: long exponents that are balanced by many zeros.
    #[test]
    fn long_numbers_are_rounded_correctly() {
        let zeros = "0".repeat(1_000_000);
        let values = [
            (format!("0.{zeros}15e1000001"), 1.5),
            (format!("-15{zeros}e-1000001"), -1.5),
            ("1e00000000000000000000000000001".to_owned(), 10.0),
            ("1e-99999999999999999999999999999999999999999999".to_owned(), 0.0),
            (format!("0e{}", "9".repeat(50)), 0.0),
            (format!("1e{}", "9".repeat(50)), f64::INFINITY),
            // Halfway between 2⁵³ and the next double, which is odd; and slightly above.
            (format!("9007199254740993.{zeros}"), 9_007_199_254_740_992.0),
            (format!("9007199254740993.{zeros}1"), 9_007_199_254_740_994.0),
        ];
        for (text, value) in values {
            assert_eq!(number(&text).to_f64().to_bits(), f64::to_bits(value), "{text:.30}");
            #[expect(
                clippy::cast_possible_truncation,
                reason = "these doubles are singles, or round to the nearest one"
            )]
            let single = value as f32;
            assert_eq!(nearest_single(&text).map(f32::to_bits), Some(single.to_bits()), "{text:.30}");
        }
    }

    #[test]
    fn round_trips() {
        for text in ["0", "-0.0", "0.1", "1e22", "1.7976931348623157e308", "5e-324", "9007199254740992", "1e23", "0.30"]
        {
            assert!(number(text).survives_f64(), "{text}");
        }
        for text in ["9007199254740993", "3.141592653589793238", "1e400", "1e-400", "1.7976931348623158e308", "4e-324"]
        {
            assert!(!number(text).survives_f64(), "{text}");
        }
    }
}
