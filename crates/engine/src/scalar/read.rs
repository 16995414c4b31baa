//! Numbers of text that is known to be valid JSON, without looking for their end first.
//!
//! Eight digits are converted with three multiplications. The nearest double comes from the algorithm of Eisel and Lemire
//! (*Number parsing at a gigabyte per second*, 2021): one or two multiplications by a power of five of 128 bits. It is
//! limited to powers of ten from -27 to 55, for which the table is made by short exact arithmetic, and to numbers of at
//! most 19 digits. The few others go to the standard library.

#![forbid(unsafe_code)]

use crate::scalar::number::Number;

/// A number in the form in which most readers want it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Numeric {
    /// An integer without fraction and exponent.
    Unsigned(u64),
    /// A negative integer without fraction and exponent.
    Negative(i64),
    /// The nearest double of any other number, including `-0` and integers that are too large. Infinite if it is too large
    /// for a double.
    Double(f64),
}

/// The powers of ten that a group of digits is shifted by.
const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Greatest number of digits that fit an integer of 64 bits.
const MAX_DIGITS: usize = 19;

/// Reads the number at the start of `text`, which is part of a valid document.
#[inline(always)]
pub(crate) fn read_number(text: &[u8]) -> Numeric {
    // Most numbers are integers of a few digits.
    if let Some(&bytes) = text.first_chunk() {
        let bytes = u64::from_le_bytes(bytes);
        let (digits, count) = leading_digits(bytes);
        if 0 < count && count < 8 {
            #[expect(clippy::cast_possible_truncation, reason = "the next byte")]
            let next = (bytes >> (8 * count)) as u8;
            if !matches!(next, b'.' | b'e' | b'E') {
                return Numeric::Unsigned(eight_digits(digits << (64 - 8 * count)));
            }
        }
    }
    match any_number(text) {
        (Form::Unsigned, bits) => Numeric::Unsigned(bits),
        (Form::Negative, bits) => Numeric::Negative(bits.cast_signed()),
        (Form::Double, bits) => Numeric::Double(f64::from_bits(bits)),
    }
}

/// The variant of a [`Numeric`]. Together with 64 bits, it is returned in registers.
#[derive(Clone, Copy)]
enum Form {
    Unsigned,
    Negative,
    Double,
}

/// Bytes that a number without exponent and with at most 19 digits has, with those that are read together with its last digits.
const WINDOW: usize = 48;

/// Reads any number.
#[inline(never)]
fn any_number(text: &[u8]) -> (Form, u64) {
    match text.first_chunk().and_then(number_in) {
        Some(number) => number,
        None => other_number(text),
    }
}

/// Reads a number of at most 19 digits without exponent. `None` for others.
#[inline(always)]
fn number_in(window: &[u8; WINDOW]) -> Option<(Form, u64)> {
    let is_negative = window[0] == b'-';
    let start = usize::from(is_negative);
    let (integral, count) = digits_in(window, start, 0)?;
    let (mantissa, places) = match window[start + count] {
        b'.' => digits_in(window, start + count + 1, integral)?,
        b'e' | b'E' => return None,
        _ if count > MAX_DIGITS => return None,
        _ => return Some(integer(integral, is_negative)),
    };
    // A zero before the point is not one of the digits that must fit.
    let significant = count - usize::from(window[start] == b'0') + places;
    if significant > MAX_DIGITS || matches!(window[start + count + 1 + places], b'e' | b'E') {
        return None;
    }
    let double = nearest(mantissa, -self::places(places))?;
    Some((Form::Double, double.to_bits() | u64::from(is_negative) << 63))
}

/// Like [`digits`], for at most 20 digits. `None` if there are more.
#[inline(always)]
fn digits_in(window: &[u8; WINDOW], at: usize, value: u64) -> Option<(u64, usize)> {
    let (first, count) = leading_digits(eight_bytes(window, at)?);
    if count < 8 {
        return Some((join(value, first, count), count as usize));
    }
    let value = join_eight(value, first);
    let (second, count) = leading_digits(eight_bytes(window, at + 8)?);
    if count < 8 {
        return Some((join(value, second, count), 8 + count as usize));
    }
    let value = join_eight(value, second);
    let (third, count) = leading_digits(eight_bytes(window, at + 16)?);
    if count > 4 {
        return None;
    }
    Some((join(value, third, count), 16 + count as usize))
}

#[inline(always)]
fn eight_bytes(window: &[u8; WINDOW], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*window.get(at..)?.first_chunk()?))
}

/// Reads a number that is long, has an exponent, or is near the end of the text.
#[inline(never)]
fn other_number(text: &[u8]) -> (Form, u64) {
    let is_negative = text.first() == Some(&b'-');
    let start = usize::from(is_negative);
    let (mut mantissa, mut end) = digits(text, start, 0);
    let mut count = end - start;
    let mut exponent = 0;
    match text.get(end) {
        Some(b'.') => {
            // A zero before the point is not one of the digits that must fit.
            count -= usize::from(text[start] == b'0');
            let start = end + 1;
            (mantissa, end) = digits(text, start, mantissa);
            count += end - start;
            exponent = -places(end - start);
            if let Some(b'e' | b'E') = text.get(end) {
                end += add_exponent(&text[end..], &mut exponent);
            }
        }
        Some(b'e' | b'E') => end += add_exponent(&text[end..], &mut exponent),
        _ if count > MAX_DIGITS => return long_integer(&text[..end]),
        _ => return integer(mantissa, is_negative),
    }
    if count <= MAX_DIGITS
        && let Some(double) = nearest(mantissa, exponent)
    {
        return (Form::Double, (if is_negative { -double } else { double }).to_bits());
    }
    (Form::Double, by_std(&text[..end]).to_bits())
}

#[inline(always)]
fn places(count: usize) -> i64 {
    // Numbers with more digits than this go to the standard library.
    i64::try_from(count).unwrap_or(i64::MAX >> 1)
}

#[inline(always)]
fn integer(magnitude: u64, is_negative: bool) -> (Form, u64) {
    if !is_negative {
        return (Form::Unsigned, magnitude);
    }
    match 0_i64.checked_sub_unsigned(magnitude) {
        Some(integer) if integer != 0 => (Form::Negative, integer.cast_unsigned()),
        #[expect(clippy::cast_precision_loss, reason = "the conversion rounds to the nearest double")]
        _ => (Form::Double, (-(magnitude as f64)).to_bits()),
    }
}

/// Returns an integer of more than 19 digits.
#[cold]
fn long_integer(text: &[u8]) -> (Form, u64) {
    let integer = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    integer.map_or_else(|| (Form::Double, by_std(text).to_bits()), |integer| (Form::Unsigned, integer))
}

#[cold]
fn by_std(text: &[u8]) -> f64 {
    Number::new(text).map_or(f64::NAN, |number| number.to_f64())
}

/// Appends the digits of `text` from `at` on to `value`, modulo 2⁶⁴. Returns it and the index after them.
#[inline(always)]
fn digits(text: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    loop {
        let bytes = match text[at..].first_chunk() {
            Some(bytes) => *bytes,
            None => last_bytes(&text[at..]),
        };
        let (digits, count) = leading_digits(u64::from_le_bytes(bytes));
        if count == 8 {
            value = join_eight(value, digits);
            at += 8;
            continue;
        }
        return (join(value, digits, count), at + count as usize);
    }
}

/// Appends less than eight digits to `value`, modulo 2⁶⁴. How many there are, and whether there are any, varies too much for a branch.
#[inline(always)]
fn join(value: u64, digits: u64, count: u32) -> u64 {
    // The first digit is in the lowest byte, so this prepends zeros.
    let digits = (digits << 8) << (56 - 8 * count);
    value.wrapping_mul(TENS[count as usize]).wrapping_add(eight_digits(digits))
}

/// Appends eight digits to `value`, modulo 2⁶⁴.
#[inline(always)]
fn join_eight(value: u64, digits: u64) -> u64 {
    value.wrapping_mul(TENS[8]).wrapping_add(eight_digits(digits))
}

/// Returns the values of the digits among eight bytes, and how many of them are digits before any other byte.
#[inline(always)]
fn leading_digits(bytes: u64) -> (u64, u32) {
    let digits = bytes ^ 0x3030_3030_3030_3030;
    // Sets the highest bit of each byte that is not a digit.
    let others = (((digits & 0x7f7f_7f7f_7f7f_7f7f) + 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    (digits, others.trailing_zeros() / 8)
}

/// Returns the last bytes of a text, followed by zeros.
#[cold]
fn last_bytes(text: &[u8]) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..text.len()].copy_from_slice(text);
    bytes
}

/// Returns the number with these digits, one per byte, the first in the lowest byte: joins pairs, then pairs of pairs.
#[inline(always)]
fn eight_digits(digits: u64) -> u64 {
    let pairs = (digits.wrapping_mul(2561) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(6_553_601) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(42_949_672_960_001) >> 32
}

/// Adds the exponent at the start of `text`, which begins with its letter. Returns its length.
#[inline]
fn add_exponent(text: &[u8], exponent: &mut i64) -> usize {
    let is_negative = text.get(1) == Some(&b'-');
    let start = 1 + usize::from(is_negative || text.get(1) == Some(&b'+'));
    let (magnitude, end) = digits(text, start, 0);
    // Any exponent of so many digits is out of the range of the table, and so is the sum.
    let magnitude = if end - start > 9 { 999_999_999 } else { magnitude.cast_signed() };
    *exponent += if is_negative { -magnitude } else { magnitude };
    end
}

/// Least power of ten of the table. Five to its magnitude fits 64 bits, which the rounding of its reciprocal relies on.
const LEAST: i64 = -27;

/// Greatest power of ten of the table. Five to this power fits 128 bits.
const GREATEST: i64 = 55;

/// Number of entries of the table: from [`LEAST`] to [`GREATEST`].
const TABLE: usize = 83;

/// The powers of five as numbers of 128 bits whose highest bit is set, the low half first. Those with negative exponents
/// are rounded up.
static FIVES: [[u64; 2]; TABLE] = fives();

#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "small constants")]
const fn fives() -> [[u64; 2]; TABLE] {
    assert!(GREATEST - LEAST + 1 == TABLE as i64);
    let mut table = [[0; 2]; TABLE];
    let zero = TABLE - 1 - GREATEST as usize;
    let mut power: u128 = 1;
    let mut exponent = 0;
    while zero + exponent < TABLE {
        table[zero + exponent] = halves(power << power.leading_zeros());
        if 0 < exponent && exponent <= zero {
            table[zero - exponent] = halves(reciprocal(power));
        }
        if zero + exponent + 1 < TABLE {
            power *= 5;
        }
        exponent += 1;
    }
    table
}

#[expect(clippy::cast_possible_truncation, reason = "the low half")]
const fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// Returns the first 128 bits of the reciprocal of a number of less than 64 bits that is not a power of two, rounded up.
const fn reciprocal(divisor: u128) -> u128 {
    // Long division, bit by bit. The first bit of the quotient is 1.
    let mut remainder = 1_u128 << divisor.ilog2();
    let (mut quotient, mut bits) = (0, 0);
    while bits < 128 {
        remainder <<= 1;
        quotient <<= 1;
        if remainder >= divisor {
            remainder -= divisor;
            quotient |= 1;
        }
        bits += 1;
    }
    quotient + 1
}

/// Returns the double nearest to `mantissa` · 10^`exponent`. `None` if the table does not suffice to find it.
#[inline(always)]
fn nearest(mantissa: u64, exponent: i64) -> Option<f64> {
    const MANTISSA_BITS: u32 = 52;
    if mantissa == 0 {
        return Some(0.0);
    }
    let &[low_five, five] = FIVES.get(usize::try_from(exponent - LEAST).ok()?)?;
    let shift = mantissa.leading_zeros();
    let normalized = mantissa << shift;
    let product = u128::from(normalized) * u128::from(five);
    let [mut low, mut high] = halves(product);
    // The bits after those that are rounded are all ones: the low half of the power may carry into them.
    if high & 0x1ff == 0x1ff {
        let [_, more] = halves(u128::from(normalized) * u128::from(low_five));
        let (sum, carry) = low.overflowing_add(more);
        (low, high) = (sum, high + u64::from(carry));
    }
    if low == u64::MAX {
        return None;
    }
    let upper_bit = u32::from(high >> 63 == 1);
    let dropped = upper_bit + 64 - MANTISSA_BITS - 3;
    let mut rounded = high >> dropped;
    // The binary exponent: the logarithm of 10 to the base 2, as a fraction of 2^16.
    let power = ((exponent * 217_706) >> 16) + 63 + i64::from(upper_bit) - i64::from(shift) + 1023;
    // All results are far from the least and the greatest double, because the powers of ten are small.
    // Exactly halfway between two doubles: round to the even one.
    if low <= 1 && (-4..=23).contains(&exponent) && rounded & 3 == 1 && rounded << dropped == high {
        rounded &= !1;
    }
    rounded = (rounded + (rounded & 1)) >> 1;
    let overflows = rounded >> (MANTISSA_BITS + 1) != 0;
    let power = power.cast_unsigned() + u64::from(overflows);
    let fraction = if overflows { 0 } else { rounded & !(1 << MANTISSA_BITS) };
    Some(f64::from_bits(power << MANTISSA_BITS | fraction))
}
