//! Formatting of integers and doubles as the shortest text that is read back as the same value.
//!
//! The digits come from the crates itoa and zmij. This module adds the layout of ECMAScript, which is the canonical one
//! of RFC 8785.

#![forbid(unsafe_code)]

use crate::scalar::number::Number;

/// Maximum length of a double in ECMAScript's layout: a sign, `0.`, five zeros and 17 digits.
const LONGEST: usize = 25;

/// A reusable buffer for formatting numbers without allocation.
///
/// ```
/// use fjson::scalar::NumberBuffer;
///
/// let mut buffer = NumberBuffer::new();
/// assert_eq!(buffer.integer(-12), "-12");
/// assert_eq!(buffer.double(100.0), Some("100.0"));
/// assert_eq!(buffer.ecmascript(100.0), Some("100"));
/// assert_eq!(buffer.ecmascript(1e-7), Some("1e-7"));
/// assert_eq!(buffer.double(f64::NAN), None);
/// ```
pub struct NumberBuffer {
    integer: itoa::Buffer,
    double: zmij::Buffer,
    layout: [u8; LONGEST],
    filled: usize,
}

impl NumberBuffer {
    /// Returns an empty buffer.
    #[must_use]
    #[inline]
    pub fn new() -> Self {
        Self { integer: itoa::Buffer::new(), double: zmij::Buffer::new(), layout: [0; LONGEST], filled: 0 }
    }

    /// Formats a signed integer.
    #[inline]
    pub fn integer(&mut self, value: i64) -> &str {
        self.integer.format(value)
    }

    /// Formats an unsigned integer.
    #[inline]
    pub fn unsigned(&mut self, value: u64) -> &str {
        self.integer.format(value)
    }

    /// Formats a double as the shortest text that is read back as the same value. The text has a fraction or an exponent, as
    /// in most libraries, so that it is not mistaken for an integer. `None` if the value is infinite or NaN, which JSON cannot
    /// represent.
    #[inline]
    pub fn double(&mut self, value: f64) -> Option<&str> {
        value.is_finite().then(|| self.double.format_finite(value))
    }

    /// Formats a double like ECMAScript (`Number::toString`) and RFC 8785: integers below 10²¹ have neither fraction nor
    /// exponent, and `-0` becomes `0`. `None` if the value is infinite or NaN.
    pub fn ecmascript(&mut self, value: f64) -> Option<&str> {
        if !value.is_finite() {
            return None;
        }
        let mut shortest = zmij::Buffer::new();
        let number = Number::new(shortest.format_finite(value).as_bytes())?;
        let Some(significant) = number.significant else { return Some("0") };
        let mut digits = [0; 17];
        let count = significant.bytes().zip(&mut digits).map(|(digit, place)| *place = digit).count();
        let digits = &digits[..count];
        // The value is 0.DIGITS times ten to the power of `point`, which ECMAScript calls `n`.
        let point = i32::try_from(number.power(significant)).ok()? + 1;
        self.filled = 0;
        if number.is_negative() {
            self.push(b"-");
        }
        match usize::try_from(point) {
            // mutant: Ok(point) if (1..=20).contains(&point) => {
            Ok(point) if (1..=21).contains(&point) => {
                let (integer, fraction) = digits.split_at(point.min(count));
                self.push(integer);
                self.push(&[b'0'; 21][..point - integer.len()]);
                if !fraction.is_empty() {
                    self.push(b".");
                    self.push(fraction);
                }
            }
            _ if (-5..=0).contains(&point) => {
                self.push(b"0.");
                self.push(&[b'0'; 5][..point.unsigned_abs() as usize]);
                self.push(digits);
            }
            _ => {
                let (first, rest) = digits.split_at(1);
                self.push(first);
                if !rest.is_empty() {
                    self.push(b".");
                    self.push(rest);
                }
                self.push(if point > 0 { b"e+" } else { b"e-" });
                let mut exponent = itoa::Buffer::new();
                self.push(exponent.format((point - 1).unsigned_abs()).as_bytes());
            }
        }
        str::from_utf8(&self.layout[..self.filled]).ok()
    }

    fn push(&mut self, bytes: &[u8]) {
        self.layout[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }
}

/// Whether the text of a number is known to be what [`NumberBuffer::ecmascript`] writes for its nearest double. May be false for other
/// numbers that it would not change.
///
/// This is so for decimals of up to 15 significant digits without superfluous ones. The nearest doubles of two such decimals differ
/// (C's `DBL_DIG`), so none of the shorter ones is read as the same double.
pub(crate) fn is_ecmascript(text: &[u8]) -> bool {
    let magnitude = text.strip_prefix(b"-").unwrap_or(text);
    match magnitude.iter().position(|&byte| byte == b'.') {
        _ if magnitude.len() > 16 => false,
        // mutant: None => magnitude.len() <= 15 && magnitude.iter().all(u8::is_ascii_digit) ,
        None => magnitude.len() <= 15 && magnitude.iter().all(u8::is_ascii_digit) && text != b"-0",
        Some(point) => {
            let (integer, fraction) = (&magnitude[..point], &magnitude[point + 1..]);
            let is_scientific = integer == b"0" && fraction.starts_with(b"000000");
            // mutant: fraction.iter().all(u8::is_ascii_digit)  && !is_scientific
            fraction.iter().all(u8::is_ascii_digit) && !fraction.ends_with(b"0") && !is_scientific
        }
    }
}

impl Default for NumberBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for NumberBuffer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NumberBuffer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::NumberBuffer;
    use super::is_ecmascript;
    use crate::scalar::Number;

    /// The examples of RFC 8785, appendix B.
    #[test]
    fn ecmascript() {
        let table = [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ];
        let mut buffer = NumberBuffer::new();
        for (bits, text) in table {
            assert_eq!(buffer.ecmascript(f64::from_bits(bits)), Some(text));
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(buffer.ecmascript(value), None);
            assert_eq!(buffer.double(value), None);
        }
    }

    /// Each text that is said to be unchanged is compared with what is written for its value.
    #[test]
    fn texts_that_are_not_changed() {
        let mut buffer = NumberBuffer::new();
        let mut unchanged = 0;
        let mut state = 7_u64;
        let mut random = |end: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % end
        };
        for round in 0..200_000 {
            let digits: String = (0..random(18)).map(|_| random(10).to_string()).collect();
            let zeros = &"00000000"[usize::try_from(random(9)).unwrap_or_default()..];
            let text = match round % 6 {
                0 => digits,
                1 => format!("-{digits}"),
                2 => format!("0.{zeros}{digits}"),
                3 => format!("{digits}.{zeros}{}", random(100)),
                4 => format!("-{digits}{zeros}.{}", random(1000)),
                _ => format!("{digits}e{}", random(30)),
            };
            if let Some(number) = Number::new(text.as_bytes())
                && is_ecmascript(text.as_bytes())
            {
                assert_eq!(buffer.ecmascript(number.to_f64()), Some(text.as_str()));
                unchanged += 1;
            }
        }
        assert!(unchanged > 40_000, "{unchanged}");
        for text in ["0", "-1", "0.5", "0.000001", "123456789012345", "704.983", "-0.00012"] {
            assert!(is_ecmascript(text.as_bytes()), "{text}");
        }
        for text in ["-0", "0.0", "1.50", "1e3", "0.0000001", "1234567890123456", "0.1234567890123456"] {
            assert!(!is_ecmascript(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn usual_layout() {
        let mut buffer = NumberBuffer::new();
        let doubles =
            [(0.0, "0.0"), (-0.0, "-0.0"), (1.5, "1.5"), (1e21, "1e+21"), (1e-7, "1e-7"), (123_456.0, "123456.0")];
        for (value, text) in doubles {
            assert_eq!(buffer.double(value), Some(text));
        }
        assert_eq!(buffer.integer(i64::MIN), "-9223372036854775808");
        assert_eq!(buffer.unsigned(u64::MAX), "18446744073709551615");
    }
}
