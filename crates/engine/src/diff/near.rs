//! Whether two numbers differ by at most a tolerance: as decimals if they have up to 38 digits in common places, otherwise as doubles,
//! whose errors count against them.

#![forbid(unsafe_code)]

use crate::document::Value;

/// A decimal number.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    coefficient: i128,
    /// The power of ten that the coefficient is multiplied by.
    exponent: i32,
}

impl Decimal {
    /// Returns a number, given in the notation of JSON. `None` if it has too many digits.
    fn new(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let magnitude = digits.strip_prefix('-').unwrap_or(digits);
        let (integer, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
        let mut coefficient: i128 = 0;
        for digit in integer.bytes().chain(fraction.bytes()) {
            coefficient = coefficient.checked_mul(10)?.checked_add((digit - b'0').into())?;
        }
        let exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        let is_negative = magnitude.len() < digits.len();
        Some(Self { coefficient: if is_negative { -coefficient } else { coefficient }, exponent })
    }

    /// Returns the coefficient for another power of ten, which is not larger.
    fn at(&self, exponent: i32) -> Option<i128> {
        let power = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        if self.coefficient == 0 { Some(0) } else { self.coefficient.checked_mul(10_i128.checked_pow(power)?) }
    }
}

/// The largest difference of two numbers that count as equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tolerance {
    double: f64,
    /// The shortest decimal of the double, which is the one that was meant. `None` if it has too many digits or is not finite.
    decimal: Option<Decimal>,
}

impl Tolerance {
    pub(super) fn new(tolerance: f64) -> Self {
        let decimal = if tolerance.is_finite() { Decimal::new(&format!("{tolerance:e}")) } else { None };
        Self { double: tolerance, decimal }
    }

    /// Whether numbers that differ may count as equal.
    pub(super) fn is_positive(self) -> bool {
        self.double > 0.0
    }

    /// Whether two numbers are equal, or differ by at most this.
    pub(super) fn are_near(self, old: Value<'_, '_>, new: Value<'_, '_>) -> bool {
        if old == new {
            return true;
        }
        let near_doubles = || {
            // Infinite doubles have no difference.
            let (old, new) = old.as_f64().zip(new.as_f64())?;
            Some((old - new).abs() + (old.abs() + new.abs()) * f64::EPSILON <= self.double)
        };
        self.is_positive() && self.are_near_decimals(old.raw(), new.raw()).or_else(near_doubles).unwrap_or(false)
    }

    fn are_near_decimals(self, old: &str, new: &str) -> Option<bool> {
        let numbers = [Decimal::new(old)?, Decimal::new(new)?, self.decimal?];
        let exponent = numbers.iter().map(|number| number.exponent).min()?;
        let [old, new, tolerance] = numbers.map(|number| number.at(exponent));
        Some(old?.checked_sub(new?)?.unsigned_abs() <= tolerance?.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::Tolerance;
    use crate::document::Parser;

    #[test]
    fn tolerances() {
        for (numbers, tolerance, expected) in [
            ("[1, 1.0]", 0.0, true),
            ("[1, 1.1]", 0.0, false),
            ("[1.0, 1.1]", 0.1, true),
            ("[0.3, 0.4]", 0.1, true),
            ("[-0.05, 5e-2]", 0.1, true),
            ("[-0.05, 0.051]", 0.1, false),
            ("[9007199254740993, 9007199254740992]", 0.5, false),
            ("[9007199254740993, 9007199254740992]", 1.0, true),
            ("[12345678901234567890123, 12345678901234567890124]", 0.5, false),
            (
                "[123456789012345678901234567890123456789012345, 123456789012345678901234567890123456789012346]",
                0.5,
                false,
            ),
            ("[0.1, 0.1000000000000000055511151231257827021181583404541015625]", 1e-9, true),
            ("[1e30, 1]", 1e-9, false),
            ("[1e400, 1e401]", 1e9, false),
            ("[0, 0e99999999999]", 1.0, true),
            ("[1e-400, 0]", 1e-9, true),
            ("[1, 2]", f64::INFINITY, true),
            ("[1, 2]", f64::NAN, false),
        ] {
            let mut parser = Parser::new();
            let document = parser.document(numbers.as_bytes()).expect("valid");
            let [old, new] = [0, 1].map(|index| document.at(index).expect("a number"));
            assert_eq!(Tolerance::new(tolerance).are_near(old, new), expected, "{numbers} {tolerance}");
            assert_eq!(Tolerance::new(tolerance).are_near(new, old), expected, "{numbers} {tolerance}");
        }
    }
}
