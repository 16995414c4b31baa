//! Numbers converted once, to the type that keeps them.

#![forbid(unsafe_code)]

use crate::scalar::number::Number;
use crate::scalar::number::number_length;
use crate::scalar::read::Numeric;
use crate::scalar::read::read_number;

/// A number in the type that fits it best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyNumber<'t> {
    /// An integer without fraction and exponent that is not negative.
    U64(u64),
    /// A negative integer without fraction and exponent.
    I64(i64),
    /// The double nearest to a number with a fraction or an exponent, or to `-0`. Infinite if the number is too large for a double.
    F64(f64),
    /// An integer that fits neither 64-bit type.
    Big(Number<'t>),
}

/// Converts the number at the start of `text`, in one pass. The text must be part of a valid document, such as that of a
/// [`Token`](crate::Token); of other text, the result is unspecified. [`Number::new`] checks its text.
///
/// ```
/// use fjson::scalar::{AnyNumber, convert_number};
///
/// assert_eq!(convert_number(b"12, 13]"), AnyNumber::U64(12));
/// assert_eq!(convert_number(b"-7"), AnyNumber::I64(-7));
/// assert_eq!(convert_number(b"3.141592653589793"), AnyNumber::F64(3.141592653589793));
/// let AnyNumber::Big(number) = convert_number(b"18446744073709551616]") else { panic!() };
/// assert_eq!(number.text(), b"18446744073709551616");
/// ```
#[must_use]
#[inline]
pub fn convert_number(text: &[u8]) -> AnyNumber<'_> {
    match read_number(text) {
        Numeric::Unsigned(integer) => AnyNumber::U64(integer),
        Numeric::Negative(integer) => AnyNumber::I64(integer),
        Numeric::Double(double) if double.abs() < MIN_BIG => AnyNumber::F64(double),
        Numeric::Double(double) => big(text, double),
    }
}

/// No integer that fits neither 64-bit type is nearer to zero than this.
const MIN_BIG: f64 = 9_223_372_036_854_775_808.0;

#[cold]
fn big(text: &[u8], double: f64) -> AnyNumber<'_> {
    match Number::new(&text[..number_length(text)]) {
        Some(number) if number.is_integer() => AnyNumber::Big(number),
        _ => AnyNumber::F64(double),
    }
}

impl<'t> Number<'t> {
    /// Converts the number; see [`convert_number`].
    ///
    /// ```
    /// use fjson::scalar::{AnyNumber, Number};
    ///
    /// assert_eq!(Number::new(b"1e3").unwrap().convert(), AnyNumber::F64(1000.0));
    /// ```
    #[must_use]
    pub fn convert(&self) -> AnyNumber<'t> {
        convert_number(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::AnyNumber;
    use super::convert_number;
    use crate::explain::random::Random;
    use crate::scalar::Number;

    #[test]
    fn numbers_have_the_type_that_keeps_them() {
        let mut random = Random::new(83);
        for _ in 0..if cfg!(miri) { 20 } else { 20_000 } {
            let digits = |random: &mut Random, most: usize| -> String {
                (0..=random.below(most)).map(|_| char::from(b"0123456789"[random.below(10)])).collect()
            };
            let integer = digits(&mut random, 22);
            let integer = integer.trim_start_matches('0');
            let sign = ["", "-"][random.below(2)];
            let fraction = if random.below(3) == 0 { format!(".{}", digits(&mut random, 5)) } else { String::new() };
            let exponent = if random.below(4) == 0 { format!("e{}", digits(&mut random, 2)) } else { String::new() };
            let text = format!("{sign}{}{fraction}{exponent}", if integer.is_empty() { "0" } else { integer });
            let is_integer = fraction.is_empty() && exponent.is_empty() && text != "-0";
            let expected = match (text.parse::<u64>(), text.parse::<i64>()) {
                (Ok(integer), _) if is_integer => AnyNumber::U64(integer),
                (_, Ok(integer)) if is_integer => AnyNumber::I64(integer),
                _ if is_integer => AnyNumber::Big(Number::new(text.as_bytes()).expect("a number")),
                _ => AnyNumber::F64(text.parse().expect("a double")),
            };
            assert_eq!(convert_number(text.as_bytes()), expected, "{text}");
            assert_eq!(convert_number(format!("{text},1").as_bytes()), expected, "{text}");
            let followed = format!("{text},{}", "0".repeat(random.below(60)));
            assert_eq!(convert_number(followed.as_bytes()), expected, "{text}");
        }
        for (text, integer) in [("18446744073709551615", u64::MAX), ("9223372036854775808", 1 << 63)] {
            assert_eq!(convert_number(text.as_bytes()), AnyNumber::U64(integer));
        }
        assert_eq!(convert_number(b"-9223372036854775808"), AnyNumber::I64(i64::MIN));
        for text in ["18446744073709551616", "-9223372036854775809", "-18446744073709551615"] {
            assert!(
                matches!(convert_number(text.as_bytes()), AnyNumber::Big(number) if number.text() == text.as_bytes())
            );
        }
    }
}
