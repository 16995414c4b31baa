//! Appends numbers. Integers of up to 64 bits are written to their place directly, others and floating-point numbers by the
//! crates itoa and zmij.

#![forbid(unsafe_code)]

use std::mem::MaybeUninit;

use crate::writer::append::Room;
use crate::writer::append::append;
use crate::writer::append::write;
use crate::writer::pieces::push_short;

/// Appends an integer, given its sign and its magnitude; see [`push_string`](crate::push_string).
///
/// ```
/// let mut text = Vec::new();
/// fjson::push_integer(&mut text, true, 1 << 63);
/// assert_eq!(text, b"-9223372036854775808");
/// ```
#[inline]
pub fn push_integer(out: &mut Vec<u8>, is_negative: bool, magnitude: u64) {
    if magnitude < EIGHT_DIGITS {
        push_short_integer(out, is_negative, magnitude);
    } else {
        push_long_integer(out, is_negative, magnitude);
    }
}

fn push_short_integer(out: &mut Vec<u8>, is_negative: bool, magnitude: u64) {
    append(out, |room: &mut Room<'_, 9>| put_short_integer(room, is_negative, magnitude));
}

fn push_long_integer(out: &mut Vec<u8>, is_negative: bool, magnitude: u64) {
    append(out, |room: &mut Room<'_, INTEGER_ROOM>| put_long_integer(room, is_negative, magnitude));
}

/// Writes an integer, given its sign and its magnitude, to the start of `room`, and returns its text. This is for programs with buffers
/// of their own that are not vectors.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut room = [MaybeUninit::uninit(); fjson::INTEGER_ROOM];
/// assert_eq!(fjson::write_integer(&mut room, true, 12), b"-12");
/// ```
#[inline]
pub fn write_integer(room: &mut [MaybeUninit<u8>; INTEGER_ROOM], is_negative: bool, magnitude: u64) -> &[u8] {
    write(room, |room| {
        if magnitude < EIGHT_DIGITS {
            put_short_integer(room, is_negative, magnitude)
        } else {
            put_long_integer(room, is_negative, magnitude)
        }
    })
}

/// Enough bytes for any integer of 64 bits.
pub const INTEGER_ROOM: usize = 25;

#[inline(always)]
fn put_short_integer<const N: usize>(room: &mut Room<'_, N>, is_negative: bool, magnitude: u64) -> usize {
    room.put(0, b"-");
    let (start, count) = (usize::from(is_negative), digit_count(magnitude));
    let digits = digits(magnitude) | DIGITS_ZERO;
    room.put(start, &(digits >> (64 - 8 * count)).to_le_bytes());
    start + count
}

#[inline(always)]
fn put_long_integer(room: &mut Room<'_, INTEGER_ROOM>, is_negative: bool, magnitude: u64) -> usize {
    room.put(0, b"-");
    let (start, count) = (usize::from(is_negative), digit_count(magnitude));
    let Some(others) = count.checked_sub(16) else {
        room.put(start, &(sixteen_digits(magnitude) >> (128 - 8 * count)).to_le_bytes());
        return start + count;
    };
    if others > 0 {
        let first = digits(magnitude / SIXTEEN_DIGITS) | DIGITS_ZERO;
        room.put(start, &(first >> (64 - 8 * others)).to_le_bytes());
    }
    room.put(start + others, &sixteen_digits(magnitude % SIXTEEN_DIGITS).to_le_bytes());
    start + count
}

/// The first number with more than eight digits.
const EIGHT_DIGITS: u64 = 100_000_000;

/// The first number with more than sixteen digits.
const SIXTEEN_DIGITS: u64 = EIGHT_DIGITS * EIGHT_DIGITS;

/// Returns sixteen digits as text, the first one in the lowest byte.
#[inline(always)]
fn sixteen_digits(value: u64) -> u128 {
    let [high, low] = [value / EIGHT_DIGITS, value % EIGHT_DIGITS].map(|half| u128::from(digits(half) | DIGITS_ZERO));
    high | low << 64
}

/// Returns the number of decimal digits. It does not wait for the digits themselves, and what is written next only waits for it.
#[inline(always)]
fn digit_count(value: u64) -> usize {
    // The greatest power of ten that may have as many bits: 1233 / 2^12 is about the logarithm of 2.
    let guess = ((value | 1).ilog2() as usize * 1233) >> 12;
    guess + 1 + usize::from(value >= NEXT_POWERS[guess])
}

/// The powers of ten from 10 on.
const NEXT_POWERS: [u64; 19] = {
    let (mut powers, mut index) = ([10; 19], 1);
    while index < 19 {
        powers[index] = 10 * powers[index - 1];
        index += 1;
    }
    powers
};

/// Eight digits `0`.
const DIGITS_ZERO: u64 = 0x3030_3030_3030_3030;

/// Returns the eight decimal digits of a number, one per byte, the first one in the lowest byte.
///
/// They are computed together. A product with a rounded reciprocal divides all parts of a word, which are small enough for that:
/// 4 digits by 100, and then 2 digits by 10.
#[inline(always)]
fn digits(value: u64) -> u64 {
    // 12345678: fours 1234 | 5678, pairs 12 | 34 | 56 | 78.
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = (fours * 10_486) >> 20 & 0x0000_007f_0000_007f;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = (pairs * 103) >> 10 & 0x000f_000f_000f_000f;
    tens | (pairs - 10 * tens) << 8
}

/// Appends an integer that may have more than 64 bits.
pub(crate) fn push_wide_integer(out: &mut Vec<u8>, is_negative: bool, magnitude: u128) {
    if let Ok(magnitude) = u64::try_from(magnitude) {
        return push_integer(out, is_negative, magnitude);
    }
    if is_negative {
        out.push(b'-');
    }
    out.extend_from_slice(itoa::Buffer::new().format(magnitude).as_bytes());
}

/// Appends the shortest text that is read back as the same `f64`, or `null` if the number is infinite or NaN; see
/// [`push_string`](crate::push_string).
///
/// ```
/// let mut text = Vec::new();
/// fjson::push_float(&mut text, 1e300);
/// fjson::push_float(&mut text, f64::NAN);
/// assert_eq!(text, b"1e+300null");
/// ```
#[inline]
pub fn push_float(out: &mut Vec<u8>, value: f64) {
    push_any_float(out, value);
}

/// Appends the shortest text that is read back as the same `f32`, like [`push_float`].
///
/// ```
/// let mut text = Vec::new();
/// fjson::push_single(&mut text, 0.1);
/// assert_eq!(text, b"0.1");
/// ```
#[inline]
pub fn push_single(out: &mut Vec<u8>, value: f32) {
    push_any_float(out, value);
}

/// Appends a number of either type, or `null`.
#[inline]
pub(crate) fn push_any_float(out: &mut Vec<u8>, value: impl zmij::Float + Into<f64> + Copy) {
    if value.into().is_finite() {
        push_float_text(out, zmij::Buffer::new().format_finite(value).as_bytes());
    } else {
        out.extend_from_slice(b"null");
    }
}

/// Appends the text of a number, which has at most 24 bytes.
#[inline(always)]
fn push_float_text(out: &mut Vec<u8>, text: &[u8]) {
    // Three pieces that may overlap. Lengths of about sixteen are frequent, so a branch between less and more would often be
    // mispredicted.
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>())
        && let middle = (text.len() - 8).min(8)
        && let Some(between) = text[middle..].first_chunk::<8>()
        && text.len() <= 24
    {
        append(out, |room: &mut Room<'_, 24>| {
            room.put(0, first);
            room.put(middle, between);
            room.put(text.len() - 8, last);
            text.len()
        });
    } else {
        push_short(out, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_those_of_the_standard_library() {
        let check = |value: i128| {
            for capacity in [0, 4096] {
                let mut out = Vec::with_capacity(capacity);
                push_wide_integer(&mut out, value < 0, value.unsigned_abs());
                assert_eq!(String::from_utf8_lossy(&out), value.to_string());
            }
            if let Ok(magnitude) = u64::try_from(value.unsigned_abs()) {
                let mut room = [MaybeUninit::uninit(); INTEGER_ROOM];
                let written = write_integer(&mut room, value < 0, magnitude);
                assert_eq!(String::from_utf8_lossy(written), value.to_string());
            }
        };
        (-100_000..100_000).for_each(check);
        for digits in 1..=39 {
            let text = &"-123456789012345678901234567890123456789"[..=digits];
            let integer: i128 = text.parse().expect("an integer");
            [integer, -integer].into_iter().for_each(check);
        }
        for power in 0..38 {
            let power = 10_i128.pow(power);
            [power - 1, power, power + 1, 1 - power, -power, 3 * power, 9 * power].into_iter().for_each(check);
        }
        [i128::MIN, i128::MAX, i64::MIN.into(), u64::MAX.into()].into_iter().for_each(check);
        let mut value = 1_u64;
        for _ in 0..200_000 {
            value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            check(i128::from(value >> (value & 63)));
        }
    }

    #[test]
    fn doubles() {
        let mut out = Vec::new();
        for value in [0.0, -0.0, 1.5, f64::MIN_POSITIVE, -f64::MAX, f64::NAN, f64::INFINITY] {
            push_float(&mut out, value);
            out.push(b' ');
        }
        push_single(&mut out, 0.1_f32);
        let expected = "0.0 -0.0 1.5 2.2250738585072014e-308 -1.7976931348623157e+308 null null 0.1";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
