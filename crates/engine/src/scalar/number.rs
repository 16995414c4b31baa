//! Parsing and exact comparison of numbers of any length.
//!
//! A double has about 17 digits and powers of ten up to 308; JSON has no limits. Different numbers may have the same nearest
//! double, so a comparison of doubles may silently give a wrong result. Numbers are therefore compared as decimals.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::hash::Hash;
use std::hash::Hasher;

/// A JSON number, which borrows its text.
///
/// Numbers are compared by their exact value: nothing is rounded, and `-0` equals `0`.
///
/// ```
/// use fjson::scalar::Number;
///
/// let number = |text: &'static str| Number::new(text.as_bytes()).unwrap();
/// assert_eq!(number("100"), number("1.00e+2"));
/// assert!(number("1e400") < number("1e401"));
/// assert!(number("0.1") < number("0.1000000000000000055511151231257827"));
/// assert!(Number::new(b"01").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number<'t> {
    pub(super) text: &'t [u8],
    pub(super) is_negative: bool,
    pub(super) integer: &'t [u8],
    /// Without trailing zeros.
    pub(super) fraction: &'t [u8],
    pub(super) exponent: Exponent<'t>,
    /// The significant digits; `None` if the number is 0. They are found once, so that a comparison takes no longer than the shorter
    /// number needs.
    pub(super) significant: Option<Significant<'t>>,
}

/// An exponent: its sign, and its digits without leading zeros (empty if it is 0).
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponent<'t> {
    pub(super) is_negative: bool,
    pub(super) digits: &'t [u8],
}

/// The significant digits of a number that is not 0: from the first to the last digit that is not 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Significant<'t> {
    /// Those before the decimal point.
    pub(super) head: &'t [u8],
    /// Those after the decimal point.
    pub(super) tail: &'t [u8],
    /// Power of ten of the first digit, ignoring the exponent.
    place: i128,
}

/// Number of digits that a double always preserves, wherever the decimal point is (`DBL_DIG` of C).
const PRESERVED_DIGITS: usize = 15;

/// Whether a byte outside strings may belong to a number.
pub(crate) fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Returns the length of the number at the front of `text`, which is part of a valid document.
#[inline]
pub(crate) fn number_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_number_byte(byte)).unwrap_or(text.len())
}

/// Whether a number has no exponent and so few characters that a double preserves its digits. The doubles of different numbers of
/// this kind are different.
#[inline]
pub(crate) fn is_short(text: &[u8]) -> bool {
    // mutant: text.len() <= PRESERVED_DIGITS || !text.iter().any(|byte| matches!(byte, b'e' | b'E'))
    text.len() <= PRESERVED_DIGITS && !text.iter().any(|byte| matches!(byte, b'e' | b'E'))
}

impl<'t> Number<'t> {
    /// Parses `text`; `None` if it is not a JSON number (RFC 8259, section 6).
    #[must_use]
    pub fn new(text: &'t [u8]) -> Option<Self> {
        let (is_negative, rest) = text.strip_prefix(b"-").map_or((false, text), |rest| (true, rest));
        let (integer, rest) = split(rest)?;
        if integer.len() > 1 && integer[0] == b'0' {
            return None;
        }
        let (fraction, rest) = match rest.strip_prefix(b".") {
            Some(rest) => split(rest)?,
            None => (&[][..], rest),
        };
        // mutant:
        let fraction = without_trailing_zeros(fraction);
        let mut exponent = Exponent { is_negative: false, digits: &[] };
        let mut rest = rest;
        if let [b'e' | b'E', after @ ..] = rest {
            let unsigned = after.strip_prefix(b"-").or(after.strip_prefix(b"+")).unwrap_or(after);
            (exponent.digits, rest) = split(unsigned)?;
            exponent.digits = without_leading_zeros(exponent.digits);
            exponent.is_negative = after[0] == b'-';
        }
        let significant = significant(integer, fraction);
        rest.is_empty().then_some(Self { text, is_negative, integer, fraction, exponent, significant })
    }

    /// The text of the number.
    #[must_use]
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Whether the number has a minus sign, even if it is `-0`.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Whether the number is written as an integer, without fraction and exponent.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.integer.len() + usize::from(self.is_negative) == self.text.len()
    }

    /// Whether the value is an integer, as in `1.0` and `1.50e1`, but not in `1.5`.
    #[must_use]
    pub fn has_integer_value(&self) -> bool {
        self.is_integer() || self.significant.is_none_or(|digits| self.power(digits) + 1 >= digits.count())
    }

    /// Returns how much greater the power of ten of the first significant digit is than that of another number, if neither is 0. If the
    /// magnitude exceeds [`FAR`], only its sign is exact.
    pub(super) fn power_difference(&self, other: &Number<'_>) -> i128 {
        let place = |significant: Option<Significant<'_>>| significant.map_or(0, |digits| digits.place);
        self.exponent.minus(other.exponent) + place(self.significant) - place(other.significant)
    }

    /// Returns the power of ten of the first significant digit. If its magnitude exceeds [`FAR`], only its sign is exact.
    pub(super) fn power(&self, digits: Significant<'t>) -> i128 {
        self.exponent.minus(Exponent { is_negative: false, digits: &[] }) + digits.place
    }
}

impl<'t> Significant<'t> {
    /// Returns the number of digits.
    pub(super) fn count(self) -> i128 {
        (self.head.len() + self.tail.len()) as i128
    }

    /// Returns the digits in ASCII.
    pub(super) fn bytes(self) -> impl Iterator<Item = u8> + 't {
        self.head.iter().chain(self.tail).copied()
    }
}

/// A number greater than the number of digits of any text.
const FAR: i128 = 1 << 100;

impl Exponent<'_> {
    /// Returns this exponent minus `other`. If the magnitude exceeds [`FAR`], only the sign is exact.
    fn minus(self, other: Exponent<'_>) -> i128 {
        let mut difference = 0;
        for place in (0..self.digits.len().max(other.digits.len())).rev() {
            difference = 10 * difference + self.digit(place) - other.digit(place);
            // The remaining digits cannot change the sign any more.
            if difference.abs() > FAR {
                break;
            }
        }
        difference
    }

    /// Returns the digit for this power of ten, with the sign of the exponent.
    fn digit(self, place: usize) -> i128 {
        let index = self.digits.len().checked_sub(place + 1);
        let digit = index.map_or(0, |index| i128::from(self.digits[index] - b'0'));
        if self.is_negative { -digit } else { digit }
    }
}

/// Returns the significant digits of a number without exponent; `None` if it is 0.
fn significant<'t>(integer: &'t [u8], fraction: &'t [u8]) -> Option<Significant<'t>> {
    let integer = without_leading_zeros(integer);
    if let Some(last) = integer.len().checked_sub(1) {
        let head = if fraction.is_empty() { without_trailing_zeros(integer) } else { integer };
        return Some(Significant { head, tail: fraction, place: last as i128 });
    }
    let tail = without_leading_zeros(fraction);
    let zeros = (fraction.len() - tail.len()) as i128;
    (!tail.is_empty()).then_some(Significant { head: &[], tail, place: -1 - zeros })
}

/// Splits `text` after its leading digits; `None` if there are none.
fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let count = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (count > 0).then(|| text.split_at(count))
}

fn without_leading_zeros(digits: &[u8]) -> &[u8] {
    &digits[digits.iter().position(|&digit| digit != b'0').unwrap_or(digits.len())..]
}

fn without_trailing_zeros(digits: &[u8]) -> &[u8] {
    &digits[..digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1)]
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number<'_> {}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.text == other.text {
            return Ordering::Equal;
        }
        let has_exponent = |number: &Self| !number.exponent.digits.is_empty();
        if self.is_negative == other.is_negative && !has_exponent(self) && !has_exponent(other) {
            let integers = self.integer.len().cmp(&other.integer.len()).then_with(|| self.integer.cmp(other.integer));
            let magnitudes = integers.then_with(|| self.fraction.cmp(other.fraction));
            return if self.is_negative { magnitudes.reverse() } else { magnitudes };
        }
        let by_sign = |is_negative| if is_negative { Ordering::Less } else { Ordering::Greater };
        let (mine, others) = match (self.significant, other.significant) {
            (None, None) => return Ordering::Equal,
            (Some(_), None) => return by_sign(self.is_negative),
            (None, Some(_)) => return by_sign(!other.is_negative),
            (Some(_), Some(_)) if self.is_negative != other.is_negative => return by_sign(self.is_negative),
            (Some(mine), Some(others)) => (mine, others),
        };
        // mutant: let powers = self.exponent.minus(other.exponent) ;
        let powers = self.power_difference(other);
        let magnitudes = powers.cmp(&0).then_with(|| mine.bytes().cmp(others.bytes()));
        if self.is_negative { magnitudes.reverse() } else { magnitudes }
    }
}

/// Equal numbers have equal hashes, in any notation.
impl Hash for Number<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Some(digits) = self.significant else { return state.write_u8(0) };
        state.write_u8(if self.is_negative { 1 } else { 2 });
        // Larger powers are not exact, and equal numbers may then have different ones, depending on the decimal point.
        state.write_i128(self.power(digits).clamp(-FAR / 2, FAR / 2));
        digits.bytes().for_each(|digit| state.write_u8(digit));
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Number;

    fn number(text: &str) -> Number<'_> {
        Number::new(text.as_bytes()).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn valid_and_invalid_numbers() {
        for text in ["0", "-0", "1", "-12", "0.0", "10.05", "1e1", "1E+01", "-1.5e-07", "0e0", "0.1E1"] {
            assert_eq!(number(text).text(), text.as_bytes());
        }
        for text in
            ["", "-", "+1", "01", "-01", "1.", ".1", "1e", "1e+", "1e-", "1.e1", "1 ", " 1", "1x", "1e1.0", "NaN"]
        {
            assert!(Number::new(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn integers() {
        let kinds = |text| (number(text).is_integer(), number(text).has_integer_value());
        for text in ["0", "-0", "10", "-12345678901234567890123"] {
            assert_eq!(kinds(text), (true, true), "{text}");
        }
        for text in ["1.0", "0.0", "0e-99999999999999999999999999999999999999999", "1e2", "1.50e1", "1200e-2", "1e999"]
        {
            assert_eq!(kinds(text), (false, true), "{text}");
        }
        for text in ["1.5", "0.1", "1e-1", "1.55e1", "1200e-3", "1e-99999999999999999999999999999999999999999999"] {
            assert_eq!(kinds(text), (false, false), "{text}");
        }
    }

    /// Numbers in ascending order; those on one line are equal.
    const ORDER: &str = "
        -1e99999999999999999999999999999999999999999999999999999999999999
        -1e401
        -1e400 -10e399
        -9007199254740993 -9007199254740993.0
        -9007199254740992
        -1.1
        -1
        -1e-99999999999999999999999999999999999999999999999999999999999999
        0 -0 0.0 -0.00e9 0e99999999999999999999999999999999999999999999999999999
        1e-99999999999999999999999999999999999999999999999999999999999999 0.01e-99999999999999999999999999999999999999999999999999999999999997
        2e-99999999999999999999999999999999999999999999999999999999999999
        1e-99999999999999999999999999999999999999999999999999999999999998 0.1e-99999999999999999999999999999999999999999999999999999999999997
        1e-400
        5e-324
        0.1 1e-1 0.0001e3 100e-3 0.10
        0.1000000000000000055511151231257827
        0.11
        1 1.0 1e0 1E-0 0.01e2 100.00e-02
        1.0000000000000000000000000000000000000000000000001
        9
        10 1e1 1e+01 10.0
        100 1e2 1.00e+2
        9007199254740992
        9007199254740993
        9007199254740993.5
        1e400 10e399
        1e401
        9e99999999999999999999999999999999999999999999999999999999999999
        1e100000000000000000000000000000000000000000000000000000000000000 1000e99999999999999999999999999999999999999999999999999999999999997
        1e100000000000000000000000000000000000000000000000000000000000001";

    #[test]
    fn equal_numbers_have_equal_hashes() {
        use std::hash::BuildHasher;
        use std::hash::RandomState;
        let state = RandomState::new();
        let mut hashes = Vec::new();
        for line in ORDER.trim().lines() {
            let mut line_hashes = line.split_whitespace().map(|text| state.hash_one(number(text)));
            let first = line_hashes.next().expect("a number");
            assert!(line_hashes.all(|hash| hash == first), "{line}");
            hashes.push(first);
        }
        hashes.sort_unstable();
        hashes.dedup();
        // Numbers with huge exponents may share a hash.
        assert!(hashes.len() + 7 > ORDER.trim().lines().count(), "{hashes:?}");
    }

    #[test]
    fn order_is_that_of_the_values() {
        let lines = || ORDER.trim().lines().map(str::split_whitespace);
        let numbers: Vec<_> =
            (0..).zip(lines()).flat_map(|(place, line)| line.map(move |text| (place, number(text)))).collect();
        for (place, left) in &numbers {
            for (other, right) in &numbers {
                assert_eq!(left.cmp(right), i32::cmp(place, other), "{left:?}, {right:?}");
            }
        }
    }

    #[test]
    fn long_numbers_take_linear_time() {
        let zeros = "0".repeat(5_000_000);
        let texts = [format!("1{zeros}1"), format!("1{zeros}2"), format!("0.{zeros}1e5000010"), format!("1e{zeros}9")];
        let [small, large, shifted, exponent] = texts.each_ref().map(|text| number(text));
        assert_eq!(small.cmp(&large), Ordering::Less);
        assert_eq!(shifted, exponent);
    }
}
