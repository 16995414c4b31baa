//! The numbers of I-JSON: those of which a double keeps every digit.
//!
//! RFC 7493, section 2.2. What has a right to be called short is let pass without a second look; the rest is read as a double
//! and compared.

#![forbid(unsafe_code)]

use crate::scalar::Number;

/// So many digits are always kept, wherever the point stands among them (C's `DBL_DIG`).
const SHORT: usize = 15;

/// The length of the number at the front of `text`, and whether a double keeps its digits.
pub(super) fn judge_number(text: &[u8]) -> (usize, bool) {
    let mut length = 0;
    let mut has_exponent = false;
    while let Some(&byte) = text.get(length)
        && is_of_number(byte)
    {
        has_exponent |= matches!(byte, b'e' | b'E');
        length += 1;
    }
    let is_short = length <= SHORT && !has_exponent;
    (length, is_short || Number::new(&text[..length]).is_none_or(|number| number.keeps_digits_in_f64()))
}

/// Whether a byte outside strings may belong to a number.
pub(super) fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

#[cfg(test)]
mod tests {
    use super::judge_number;

    #[test]
    fn borders() {
        for (number, is_kept) in [
            ("0", true),
            ("-0.0", true),
            ("0e999999", true),
            ("123456789012345", true),
            ("0.00000000000000000000123", true),
            // 2^53 and its neighbours, and 2^53 + 2.
            ("9007199254740991", true),
            ("9007199254740992", true),
            ("9007199254740993", false),
            ("-9007199254740993", false),
            ("9007199254740993.0e0", false),
            ("9007199254740994", true),
            // As JavaScript writes 2^64, and as it is.
            ("18446744073709552000", true),
            ("18446744073709551616", true),
            ("18446744073709551615", false),
            // As C's `%.17g` writes a double, and one digit beside it.
            ("0.1", true),
            ("0.10000000000000001", true),
            ("0.10000000000000004", false),
            ("-65.613616999999977", true),
            // Half way between two numbers of 17 digits: one is its shortest text, one what `%.17g` writes.
            ("257622681334773.125", true),
            ("257622681334773.12", true),
            ("257622681334773.13", true),
            ("257622681334773.14", false),
            // RFC 7493's own examples.
            ("1E400", false),
            ("3.141592653589793238462643383279", false),
            // The greatest double, what is rounded to it, and what is not.
            ("1.7976931348623157e308", true),
            ("1.7976931348623158e308", false),
            ("1.7976931348623159e308", false),
            ("179769313486231570000000000000000000000e270", true),
            // The least double, and what is hardly more than half of it, and less.
            ("5e-324", true),
            ("4.9e-324", true),
            ("4.94065645841246544176568792868e-324", true),
            ("3e-324", false),
            ("2e-324", false),
            ("1e-400", false),
            // A double to its last digit, and one digit more.
            ("0.1000000000000000055511151231257827021181583404541015625", true),
            ("0.10000000000000000555111512312578270211815834045410156251", false),
        ] {
            assert_eq!(judge_number(number.as_bytes()), (number.len(), is_kept), "{number}");
            assert_eq!(judge_number(format!("{number},1").as_bytes()), (number.len(), is_kept), "{number}");
        }
    }

    /// However a double is written with its own digits, it passes.
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
                    assert_eq!(judge_number(text.as_bytes()), (text.len(), true), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_long_number_takes_no_long_time() {
        for text in [format!("0.{}", "123".repeat(1 << 20)), format!("1{}", "0".repeat(1 << 20))] {
            assert_eq!(judge_number(text.as_bytes()), (text.len(), false));
        }
    }
}
