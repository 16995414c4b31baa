//! Decimals of any length, digit by digit: the reference for comparing numbers and for finding the nearest double.
//!
//! Everything here is simple. Digits are aligned at the decimal point and compared or added from one end to the other.

use std::cmp::Ordering;

/// A decimal: its digits, and the number of digits before the point.
#[derive(Clone, Debug)]
pub struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    point: i64,
}

/// An exponent beyond this is too large for aligned digits.
const GREATEST: i64 = 20_000;

impl Decimal {
    /// The decimal value of a JSON number, unless its exponent is too large for this module.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent = exponent.parse::<i64>().ok().filter(|exponent| exponent.abs() <= GREATEST)?;
        let unsigned = mantissa.trim_start_matches('-');
        let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = [integer, fraction].concat().bytes().map(|digit| digit - b'0').collect();
        let point = i64::try_from(integer.len()).ok()? + exponent;
        Some(Self { is_negative: mantissa.starts_with('-'), digits, point })
    }

    /// The exact value of a double.
    ///
    /// # Panics
    /// If it is infinite or NaN.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        // The smallest double has 1,074 digits behind the point.
        Self::new(&format!("{value:.1074}")).expect("a finite double")
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.iter().all(|&digit| digit == 0)
    }

    /// The number half way to another one of the same sign.
    #[must_use]
    pub fn half_way(&self, other: &Self) -> Self {
        let (point, [left, right]) = lined_up(self, other);
        let mut sum: Vec<u8> = left.iter().zip(&right).map(|(left, right)| left + right).collect();
        // Halves and carries: an odd digit passes ten on to the next.
        sum.push(0);
        for index in 0..sum.len() - 1 {
            sum[index + 1] += 10 * (sum[index] % 2);
            sum[index] /= 2;
        }
        let last = sum.len() - 1;
        sum[last] /= 2;
        let mut digits = vec![0; sum.len() + 1];
        let mut carry = 0;
        for (index, digit) in sum.iter().enumerate().rev() {
            let value = digit + carry;
            digits[index + 1] = value % 10;
            carry = value / 10;
        }
        digits[0] = carry;
        Self { is_negative: self.is_negative, digits, point: point + 1 }
    }

    /// A number slightly farther from 0.
    #[must_use]
    pub fn and_a_little(mut self) -> Self {
        self.digits.push(1);
        self
    }

    /// A number slightly closer to 0.
    ///
    /// # Panics
    /// If it is 0.
    #[must_use]
    pub fn less_a_little(mut self) -> Self {
        let last = self.digits.iter().rposition(|&digit| digit != 0).expect("not 0");
        self.digits[last] -= 1;
        self.digits[last + 1..].fill(9);
        self.digits.extend([9; 3]);
        self
    }

    /// Its text without an exponent.
    #[must_use]
    pub fn text(&self) -> String {
        let digit = |place: i64| {
            let index = usize::try_from(place).ok();
            char::from(b'0' + index.and_then(|index| self.digits.get(index)).copied().unwrap_or(0))
        };
        let count = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        let integer: String = (0..self.point.max(0)).map(digit).collect();
        let integer = integer.trim_start_matches('0');
        let fraction: String = (self.point..count.max(self.point + 1)).map(digit).collect();
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}.{fraction}", if integer.is_empty() { "0" } else { integer })
    }
}

/// The digits of both, aligned, and the position of the point in them.
fn lined_up(left: &Decimal, right: &Decimal) -> (i64, [Vec<u8>; 2]) {
    let point = left.point.max(right.point);
    let zeros = |count: i64| vec![0; usize::try_from(count).expect("not negative")];
    let mut lined_up = [left, right].map(|decimal| [zeros(point - decimal.point), decimal.digits.clone()].concat());
    let length = lined_up[0].len().max(lined_up[1].len());
    for digits in &mut lined_up {
        digits.resize(length, 0);
    }
    (point, lined_up)
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |decimal: &Self| if decimal.is_zero() { 0 } else { 1 - 2 * i32::from(decimal.is_negative) };
        let (_, [left, right]) = lined_up(self, other);
        let magnitudes = if sign(self) < 0 { right.cmp(&left) } else { left.cmp(&right) };
        sign(self).cmp(&sign(other)).then(magnitudes)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn halves() {
        for (left, right, middle) in
            [("1", "2", "1.5"), ("9.5", "10.75", "10.125"), ("0", "0.001", "0.0005"), ("-99", "-99.9", "-99.45")]
        {
            let decimal = |text| Decimal::new(text).expect("a number");
            assert_eq!(decimal(left).half_way(&decimal(right)), decimal(middle));
            assert_eq!(decimal(&decimal(left).half_way(&decimal(right)).text()), decimal(middle));
        }
    }
}
