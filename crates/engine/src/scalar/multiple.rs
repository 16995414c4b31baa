//! Whether a number is a multiple of another one, exactly: nothing is converted to doubles, in which 0.3 is no multiple of 0.1.

#![forbid(unsafe_code)]

use crate::scalar::number::Number;
use crate::scalar::number::Significant;

impl Number<'_> {
    /// Whether this number is an integer multiple of `divisor`, exactly. Zero is a multiple of every number, and the only multiple of
    /// zero.
    ///
    /// Takes time proportional to the number of digits of this number; with more than 18 digits in `divisor`, to the product of both.
    /// Exponents do not matter.
    ///
    /// ```
    /// use fjson::scalar::Number;
    ///
    /// let number = |text: &'static str| Number::new(text.as_bytes()).unwrap();
    /// assert!(number("0.3").is_multiple_of(&number("0.1")));
    /// assert!(number("1e1000000").is_multiple_of(&number("8")));
    /// assert!(!number("9007199254740993").is_multiple_of(&number("2")));
    /// ```
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Number<'_>) -> bool {
        let (mine, others) = match (self.significant, divisor.significant) {
            (None, _) => return true,
            (Some(_), None) => return false,
            (Some(mine), Some(others)) => (mine, others),
        };
        // Both are integers without trailing zeros, times a power of ten.
        let zeros = self.power_difference(divisor) - mine.count() + others.count();
        // If the divisor has more factors of ten, this number, whose last digit is not zero, cannot be a multiple of it.
        let Ok(zeros) = usize::try_from(zeros) else { return zeros > 0 && is_multiple(mine, usize::MAX, others) };
        is_multiple(mine, zeros, others)
    }
}

/// Whether the digits, followed by so many zeros, are a multiple of those of the divisor.
fn is_multiple(digits: Significant<'_>, zeros: usize, divisor: Significant<'_>) -> bool {
    #[expect(clippy::cast_sign_loss, reason = "the length of a text")]
    let length = divisor.count() as usize;
    // Each zero adds a factor of two and of five, and the divisor has fewer than four for each of its digits.
    let digits = digits.bytes().chain(std::iter::repeat_n(b'0', zeros.min(4 * length)));
    if length <= 18 {
        let divisor = divisor.bytes().fold(0, |value, digit| 10 * value + u128::from(digit - b'0'));
        return digits.fold(0, |rest, digit| (10 * rest + u128::from(digit - b'0')) % divisor) == 0;
    }
    let divisor: Vec<u8> = divisor.bytes().map(|digit| digit - b'0').collect();
    // The rest of a division by hand, with one digit more than the divisor, the highest first.
    let mut rest = vec![0; length + 1];
    for digit in digits {
        rest.rotate_left(1);
        rest[length] = digit - b'0';
        while rest[0] > 0 || rest[1..] >= divisor[..] {
            let mut borrow = 0;
            for (place, &digit) in rest[1..].iter_mut().zip(&divisor).rev() {
                let take = digit + borrow;
                borrow = u8::from(*place < take);
                *place = *place + 10 * borrow - take;
            }
            rest[0] -= borrow;
        }
    }
    rest.iter().all(|&digit| digit == 0)
}

#[cfg(test)]
mod tests {
    use crate::explain::random::Random;
    use crate::scalar::Number;

    fn is_multiple(number: &str, divisor: &str) -> bool {
        let [number, divisor] = [number, divisor].map(|text| Number::new(text.as_bytes()).expect("a number"));
        number.is_multiple_of(&divisor)
    }

    #[test]
    fn small_numbers() {
        let mut random = Random::new(89);
        for _ in 0..if cfg!(miri) { 20 } else { 10_000 } {
            let (left, right) = (random.below(100_000) as u64, 1 + random.below(300) as u64);
            let (left_zeros, right_zeros) = (random.below(5), random.below(5));
            let value =
                |integer: u64, zeros: usize| u128::from(integer) * 10_u128.pow(u32::try_from(zeros).expect("a few"));
            let expected = value(left, left_zeros).is_multiple_of(value(right, right_zeros));
            let shift = random.below(7);
            let text = |integer: u64, zeros: usize| format!("{integer}e{}", zeros.cast_signed() - shift.cast_signed());
            let (left, right) = (text(left, left_zeros), text(right, right_zeros));
            assert_eq!(is_multiple(&left, &right), expected, "{left} {right}");
            assert_eq!(is_multiple(&format!("-{left}"), &right), expected, "-{left} {right}");
        }
    }

    #[test]
    fn large_numbers() {
        let long = "123456789012345678901234567890123456789";
        // Three times as much.
        assert!(is_multiple("370370367037037036703703703670370370367", long));
        assert!(!is_multiple("370370367037037036703703703670370370368", long));
        assert!(is_multiple(&format!("{long}e99999999999999999999"), long));
        assert!(!is_multiple(long, &format!("{long}e1")));
        assert!(is_multiple("1e400", "2e-99999999999999999999999999999999999999999999"));
        assert!(!is_multiple("1e400", "3"));
        // 2⁷⁰ and 5³⁰ divide a power of ten that has enough zeros.
        assert!(is_multiple("1e70", "1180591620717411303424") && !is_multiple("1e69", "1180591620717411303424"));
        assert!(is_multiple("1e30", "931322574615478515625") && !is_multiple("1e29", "931322574615478515625"));
        assert!(is_multiple("0.0", "7") && is_multiple("0", "0e5") && !is_multiple("1", "0"));
    }
}
