//! The numbers that I-JSON allows: those whose digits a double preserves (RFC 7493, section 2.2); and those that have a canonical
//! form (RFC 8785).
//!
//! The condition is [`Number::keeps_digits_in_f64`]; numbers short enough to meet it in any case are not examined
//! further. A number may be longer than memory. So one of more than [`LONG`] bytes is checked as its text arrives, by
//! its significant digits.

#![forbid(unsafe_code)]

use crate::scalar::MAX_DIGITS;
use crate::scalar::Number;
use crate::scalar::is_short;
use crate::scalar::number_length;

/// Length up to which a number is kept in memory until it is complete.
pub(super) const LONG: usize = 1 << 16;

/// Returns the length of the number at the front of `text`, and whether a double preserves its digits if it is not
/// longer than [`LONG`].
pub(super) fn check_number(text: &[u8]) -> (usize, bool) {
    let length = number_length(text);
    let number = &text[..length];
    let is_exact = || length <= LONG && Number::new(number).is_none_or(|number| number.keeps_digits_in_f64());
    (length, is_short(number) || is_exact())
}

/// Number of digits of which no integer is too large for a double.
const FINITE_DIGITS: usize = 308;

/// Whether the number at the front of `text` is not too large for a double. If there is no number, the text has changed.
pub(super) fn is_finite(text: &[u8]) -> bool {
    let number = &text[..number_length(text)];
    // mutant: let is_small = true;
    let is_small = number.len() <= FINITE_DIGITS && !number.iter().any(|byte| matches!(byte, b'e' | b'E'));
    is_small || Number::new(number).is_none_or(|number| number.to_f64().is_finite())
}

/// An exponent beyond which only zero is a double, whatever the digits are.
const MAX_EXPONENT: i128 = 1 << 100;

/// A number that is read piece by piece: `0.DIGITS × 10^(power + exponent)`.
#[derive(Default)]
pub(super) struct LongNumber {
    /// The digits from the first to the last non-zero one so far, at most [`MAX_DIGITS`].
    digits: String,
    /// Number of zeros after them, which count if a non-zero digit follows.
    zeros: usize,
    has_too_many: bool,
    power: i128,
    exponent: i128,
    exponent_is_negative: bool,
    part: NumberPart,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum NumberPart {
    #[default]
    Integer,
    Fraction,
    Exponent,
}

impl LongNumber {
    /// Reads the part of the number at the front of `text`. Returns its length.
    pub(super) fn take(&mut self, text: &[u8]) -> usize {
        for (index, &byte) in text.iter().enumerate() {
            match (byte, self.part) {
                (b'0'..=b'9', NumberPart::Exponent) => {
                    self.exponent = MAX_EXPONENT.min(10 * self.exponent + i128::from(byte - b'0'));
                }
                (b'0'..=b'9', _) => self.digit(byte),
                (b'.', _) => self.part = NumberPart::Fraction,
                (b'e' | b'E', _) => self.part = NumberPart::Exponent,
                (b'-', NumberPart::Exponent) => self.exponent_is_negative = true,
                (b'-' | b'+', _) => {}
                _ => return index,
            }
        }
        text.len()
    }

    fn digit(&mut self, digit: u8) {
        let is_leading_zero = self.digits.is_empty() && digit == b'0';
        match self.part {
            NumberPart::Integer if !is_leading_zero => self.power += 1,
            // mutant:
            NumberPart::Fraction if is_leading_zero => self.power -= 1,
            _ => {}
        }
        if digit == b'0' {
            // mutant:
            self.zeros += usize::from(!is_leading_zero);
        } else if self.digits.len().saturating_add(self.zeros) < MAX_DIGITS {
            self.digits.extend(std::iter::repeat_n('0', self.zeros));
            self.digits.push(char::from(digit));
            self.zeros = 0;
        } else {
            self.has_too_many = true;
        }
    }

    /// Whether a double cannot preserve its digits, whatever follows.
    pub(super) fn has_too_many_digits(&self) -> bool {
        self.has_too_many
    }

    /// Whether a double preserves its digits, if the number is complete.
    pub(super) fn is_exact(&self) -> bool {
        let exponent = if self.exponent_is_negative { -self.exponent } else { self.exponent };
        let text = format!("0.{}e{}", self.digits, self.power + exponent);
        let is_exact = || Number::new(text.as_bytes()).is_none_or(|number| number.keeps_digits_in_f64());
        !self.has_too_many && (self.digits.is_empty() || is_exact())
    }
}

#[cfg(test)]
mod tests {
    use super::LONG;
    use super::LongNumber;
    use super::check_number;
    use crate::explain::random::Random;
    use crate::scalar::Number;

    #[test]
    fn borders() {
        for (number, is_exact) in [
            ("0", true),
            ("-0.0", true),
            ("0e999999", true),
            ("123456789012345", true),
            ("0.00000000000000000000123", true),
            // 2^53 and its neighbors, and 2^53 + 2.
            ("9007199254740991", true),
            ("9007199254740992", true),
            ("9007199254740993", false),
            ("-9007199254740993", false),
            ("9007199254740993.0e0", false),
            ("9007199254740994", true),
            // 2^64 as JavaScript writes it, and exactly.
            ("18446744073709552000", true),
            ("18446744073709551616", true),
            ("18446744073709551620", true),
            ("18446744073709551630", false),
            ("18446744073709551615", false),
            // A double as C's `%.17g` writes it, and a neighbor in the last digit.
            ("0.1", true),
            ("0.10000000000000001", true),
            ("0.10000000000000004", false),
            ("-65.613616999999977", true),
            // Half way between two numbers of 17 digits: one is the shortest text, the other is what `%.17g` writes.
            ("257622681334773.125", true),
            ("257622681334773.12", true),
            ("257622681334773.13", true),
            ("257622681334773.14", false),
            // Examples of RFC 7493.
            ("1E400", false),
            ("3.141592653589793238462643383279", false),
            // The greatest double, two greater numbers, and the greatest double in another form.
            ("1.7976931348623157e308", true),
            ("1.7976931348623158e308", false),
            ("1.7976931348623159e308", false),
            ("179769313486231570000000000000000000000e270", true),
            // The least double in several forms, and numbers that are rounded to it or to zero.
            ("5e-324", true),
            ("4.9e-324", true),
            ("4.94065645841246544176568792868e-324", true),
            ("3e-324", false),
            ("2e-324", false),
            ("1e-400", false),
            // A double to its last digit, and with one digit more.
            ("0.1000000000000000055511151231257827021181583404541015625", true),
            ("0.10000000000000000555111512312578270211815834045410156251", false),
        ] {
            assert_eq!(check_number(number.as_bytes()), (number.len(), is_exact), "{number}");
            assert_eq!(check_number(format!("{number},1").as_bytes()), (number.len(), is_exact), "{number}");
        }
    }

    /// A double passes whichever way its digits are written.
    #[test]
    fn doubles_pass() {
        let mut bits = 0x3ff0_0000_0000_0000_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let double = f64::from_bits(bits);
            if double.is_finite() {
                for text in
                    [format!("{double}"), format!("{double:e}"), format!("{double:.16e}"), format!("{double:.40e}")]
                {
                    assert_eq!(check_number(text.as_bytes()), (text.len(), true), "{text}");
                }
            }
        }
    }

    /// However its text is cut, a number gets the same result as from [`Number::keeps_digits_in_f64`].
    #[test]
    fn pieces_are_checked_as_the_whole() {
        let mut random = Random::new(7);
        let mut kept = 0;
        for round in 0..30_000 {
            let mut text = ["", "-"][random.below(2)].to_owned();
            let digits = |random: &mut Random, text: &mut String| {
                for _ in 0..=random.below(3) {
                    let count = [1, 3, 17, 400, 1000][random.below(if round % 10 == 0 { 5 } else { 3 })];
                    let digit = ["0", "0", "1", "5", "9"][random.below(5)];
                    *text += &digit.repeat(random.below(count) + 1);
                }
            };
            digits(&mut random, &mut text);
            let sign = usize::from(text.starts_with('-'));
            let zeros = text[sign..].bytes().take_while(|&byte| byte == b'0').count();
            text.replace_range(sign..sign + zeros, if zeros + sign == text.len() { "0" } else { "" });
            if random.below(2) == 0 {
                text.push('.');
                digits(&mut random, &mut text);
            }
            if random.below(2) == 0 {
                text += ["e", "E+", "e-", "e-000"][random.below(4)];
                let most = [10, 400, 3000][random.below(3)];
                text += &random.below(most).to_string();
            }
            let cut = random.below(text.len() + 1);
            let mut number = LongNumber::default();
            assert_eq!(number.take(&text.as_bytes()[..cut]), cut, "{text}");
            assert_eq!(number.take(format!("{},", &text[cut..]).as_bytes()), text.len() - cut, "{text}");
            let expected = Number::new(text.as_bytes()).expect("a number").keeps_digits_in_f64();
            assert_eq!(number.is_exact(), expected, "{text}");
            kept += usize::from(expected);
        }
        assert!((5_000..25_000).contains(&kept), "{kept}");
    }

    /// A double preserves the significant digits of numbers of any length.
    #[test]
    fn long_numbers() {
        let zeros = "0".repeat(1 << 20);
        for (text, is_exact) in [
            (format!("0.{}", "123".repeat(1 << 20)), false),
            (format!("1{zeros}"), false),
            (format!("1{zeros}e-1048576"), true),
            (format!("0.{zeros}1"), false),
            (format!("-0.{zeros}15e1048577"), true),
            (format!("1.{zeros}"), true),
            (format!("1.{zeros}1"), false),
            (format!("0.{zeros}"), true),
            (format!("0e{}", "9".repeat(1 << 20)), true),
            (format!("1e{}", "9".repeat(1 << 20)), false),
            (format!("12e-{zeros}1"), true),
        ] {
            assert!(text.len() > LONG);
            let mut number = LongNumber::default();
            for piece in text.as_bytes().chunks(1000) {
                number.take(piece);
                assert!(number.digits.len() <= 800);
            }
            assert_eq!(number.is_exact(), is_exact, "{text:.30}");
        }
    }
}
