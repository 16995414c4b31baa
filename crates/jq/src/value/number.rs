//! Numbers: doubles, and numbers of a text, which keep their digits until they are computed with.
//!
//! The texts follow jq 1.8: a computed number is written with the fewest digits that are read as the same double; a number of a text
//! in the notation of the General Decimal Arithmetic specification, which keeps all its digits, trailing zeros included.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::rc::Rc;

use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;

use crate::value::Repr;
use crate::value::Value;
use crate::value::memory::Counted;

/// A number of a text that a double does not preserve.
#[derive(Debug)]
pub(crate) struct Literal {
    /// The nearest double of the number rounded to 17 digits, as in jq.
    pub(crate) double: f64,
    /// How the number is written. This is always JSON.
    pub(crate) text: Box<str>,
    _counted: Counted,
}

impl Literal {
    fn new(double: f64, text: String) -> Rc<Self> {
        let counted = Counted::new(size_of::<Self>() + 2 * size_of::<usize>() + text.len());
        Rc::new(Self { double, text: text.into(), _counted: counted })
    }
}

/// Decimals with this many digits are different doubles, and each is the shortest text of its double.
const PRESERVED: usize = 15;

/// Powers of ten up to the number of digits that are preserved.
const POWERS: [f64; PRESERVED + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Returns the value of a number of JSON.
#[inline]
pub(crate) fn parse_json(text: &[u8]) -> Value {
    match short(text) {
        Some((double, true)) => Value(Repr::Decimal(double)),
        _ => parse(text).unwrap_or_default(),
    }
}

/// Appends a number of JSON as jq writes it.
pub(crate) fn write_number(text: &[u8], out: &mut Vec<u8>) {
    match parse_json(text).0 {
        Repr::Literal(literal) => out.extend_from_slice(literal.text.as_bytes()),
        Repr::Number(double) | Repr::Decimal(double) => write_double(double, out),
        _ => {}
    }
}

/// Returns the double of a number of JSON, as the value of [`parse_json`] has it.
#[inline]
pub(crate) fn double_of_json(text: &[u8]) -> f64 {
    match short(text) {
        Some((double, _)) => double,
        None => parse(text).and_then(|value| value.as_number()).unwrap_or_default(),
    }
}

/// Returns the double of a short number without exponent, and whether it is written like this. Its digits as an integer, and the power
/// of ten that it is divided by, are exact, so that the quotient is the nearest double.
#[inline]
fn short(text: &[u8]) -> Option<(f64, bool)> {
    if text.len() > PRESERVED {
        return None;
    }
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (mut number, mut point) = (0_i64, None);
    for (at, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => number = number * 10 + i64::from(byte - b'0'),
            b'.' => point = Some(at),
            _ => return None,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "15 digits are exact")]
    let mut double = number as f64;
    let mut is_shortest = number != 0 || text == b"0";
    if let Some(point) = point {
        double /= POWERS[digits.len() - point - 1];
        // Small numbers are written with an exponent.
        is_shortest = number != 0 && !digits.ends_with(b"0") && !digits.starts_with(b"0.000");
    }
    Some((if digits.len() == text.len() { double } else { -double }, is_shortest))
}

/// Returns the value of a number in any notation that jq accepts; `None` if it is not a number.
pub(crate) fn parse(text: &[u8]) -> Option<Value> {
    let (is_negative, rest) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | rest => (false, rest),
    };
    let named = |names: &[&str]| names.iter().any(|name| rest.eq_ignore_ascii_case(name.as_bytes()));
    if named(&["nan", "snan"]) {
        return Some(Value(Repr::Number(f64::NAN)));
    }
    if named(&["infinity", "inf"]) {
        return Some(Value(Repr::Number(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY })));
    }
    let decimal = Decimal::parse(is_negative, rest)?;
    let Some(canonical) = decimal.text() else {
        return Some(Value(Repr::Number(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY })));
    };
    let double = decimal.double();
    // A double that is written like this needs no text.
    let mut shortest = Vec::new();
    if canonical.len() <= LONGEST_SHORT {
        write_double(double, &mut shortest);
    }
    Some(Value(if shortest == canonical.as_bytes() {
        Repr::Decimal(double)
    } else {
        Repr::Literal(Literal::new(double, canonical))
    }))
}

/// The longest text of a double without exponent: a sign, `0.000`, 17 digits.
const LONGEST_SHORT: usize = 26;

/// The greatest exponent of a number of a text.
const GREATEST: i64 = 999_999_999;

/// The least exponent of the last digit of a number of a text.
const LEAST: i64 = -1_999_999_997;

/// Digits and an exponent: the number is the digits as an integer, times ten to the power of the exponent.
struct Decimal {
    is_negative: bool,
    /// Without leading zeros, but for the number 0.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn parse(is_negative: bool, text: &[u8]) -> Option<Self> {
        let count = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (integer, rest) = text.split_at(count(text));
        let (fraction, rest) = match rest {
            [b'.', rest @ ..] => rest.split_at(count(rest)),
            rest => (&[][..], rest),
        };
        if integer.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = match rest {
            [] => 0,
            [b'e' | b'E', rest @ ..] => {
                let digits = rest.strip_prefix(b"-").or(rest.strip_prefix(b"+")).unwrap_or(rest);
                if digits.is_empty() || count(digits) < digits.len() {
                    return None;
                }
                let magnitude = digits.iter().fold(0_i64, |number, digit| {
                    number.saturating_mul(10).saturating_add(i64::from(digit - b'0')).min(1 << 60)
                });
                if rest[0] == b'-' { -magnitude } else { magnitude }
            }
            _ => return None,
        };
        let zeros = integer.iter().chain(fraction).take_while(|&&digit| digit == b'0').count();
        let mut digits: Vec<u8> = integer.iter().chain(fraction).skip(zeros).copied().collect();
        let is_zero = digits.is_empty();
        if is_zero {
            digits.push(b'0');
        }
        let mut exponent = exponent.saturating_sub_unsigned(fraction.len() as u64);
        if is_zero {
            exponent = exponent.clamp(LEAST, GREATEST);
        } else if exponent < LEAST {
            (digits, exponent) = (vec![b'0'], LEAST);
        }
        Some(Self { is_negative, digits, exponent })
    }

    /// Returns the exponent of the first digit.
    fn first(&self) -> i64 {
        self.exponent.saturating_add_unsigned(self.digits.len() as u64) - 1
    }

    /// Returns how the number is written; `None` if it is too large.
    fn text(&self) -> Option<String> {
        let first = self.first();
        if first > GREATEST && self.digits != b"0" {
            return None;
        }
        let mut text = String::with_capacity(self.digits.len() + 14);
        if self.is_negative {
            text.push('-');
        }
        let digits = str::from_utf8(&self.digits).ok()?;
        if self.exponent <= 0 && first >= -6 {
            if let Ok(first) = usize::try_from(first) {
                text.push_str(&digits[..=first]);
                if self.exponent < 0 {
                    text.push('.');
                    text.push_str(&digits[first + 1..]);
                }
            } else {
                text.push_str("0.");
                text.extend((first + 1..0).map(|_| '0'));
                text.push_str(digits);
            }
            return Some(text);
        }
        text.push_str(&digits[..1]);
        if digits.len() > 1 {
            text.push('.');
            text.push_str(&digits[1..]);
        }
        text.push_str(if first < 0 { "E-" } else { "E+" });
        text.push_str(&first.unsigned_abs().to_string());
        Some(text)
    }

    /// Returns the nearest double of the number, which is first rounded to 17 digits.
    fn double(&self) -> f64 {
        let significant = self.digits.iter().rposition(|&digit| digit != b'0').map_or(0, |last| last + 1);
        let mut digits = self.digits[..significant.min(17)].to_vec();
        let mut exponent = self.exponent.saturating_add_unsigned((self.digits.len() - digits.len()) as u64);
        if let Some(rest) = self.digits.get(17..significant).filter(|rest| !rest.is_empty()) {
            let is_odd = digits.last().is_some_and(|digit| digit % 2 == 1);
            if rest > b"5" || rest == b"5" && is_odd {
                exponent += increment(&mut digits);
            }
        }
        if digits.is_empty() {
            return if self.is_negative { -0.0 } else { 0.0 };
        }
        let digits = String::from_utf8(digits).unwrap_or_default();
        let double = format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN);
        if self.is_negative { -double } else { double }
    }
}

/// Adds 1 to an integer. Returns by how much its exponent grows, since it has no more digits than before.
fn increment(digits: &mut [u8]) -> i64 {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return 0;
        }
        *digit = b'0';
    }
    if let Some(first) = digits.first_mut() {
        *first = b'1';
    }
    1
}

/// Returns the order of two numbers. Two numbers of texts are compared exactly, others as doubles; NaN is less than any number.
pub(crate) fn compare(left: &Value, right: &Value) -> Ordering {
    let (Some(left_double), Some(right_double)) = (left.as_number(), right.as_number()) else { return Ordering::Equal };
    match left_double.partial_cmp(&right_double) {
        Some(Ordering::Equal) => exact_order(&left.to_decoded().0, &right.to_decoded().0),
        Some(order) => order,
        None if left_double.is_nan() => Ordering::Less,
        None => Ordering::Greater,
    }
}

/// Returns the order of two numbers with the same double.
fn exact_order(left: &Repr, right: &Repr) -> Ordering {
    let shortest = |double: f64| {
        let mut text = Vec::new();
        write_double(double, &mut text);
        text
    };
    let order = |left: &[u8], right: &[u8]| Number::new(left).cmp(&Number::new(right));
    match (left, right) {
        (Repr::Literal(left), Repr::Literal(right)) => order(left.text.as_bytes(), right.text.as_bytes()),
        (Repr::Literal(left), Repr::Decimal(right)) => order(left.text.as_bytes(), &shortest(*right)),
        (Repr::Decimal(left), Repr::Literal(right)) => order(&shortest(*left), right.text.as_bytes()),
        _ => Ordering::Equal,
    }
}

/// Returns a number with the other sign. A number of a text keeps its digits, and its zero stays positive.
pub(crate) fn negate(value: &Value) -> Option<Value> {
    let value = &*value.to_decoded();
    Some(Value(match &value.0 {
        Repr::Number(number) => Repr::Number(-number),
        Repr::Decimal(number) => Repr::Decimal(if *number == 0.0 { 0.0 } else { -number }),
        Repr::Literal(literal) => {
            let text = match literal.text.strip_prefix('-') {
                Some(magnitude) => magnitude.to_owned(),
                None if literal.double == 0.0 && is_zero(&literal.text) => return Some(value.clone()),
                None => format!("-{}", literal.text),
            };
            return parse(text.as_bytes());
        }
        _ => return None,
    }))
}

fn is_zero(text: &str) -> bool {
    text.bytes().take_while(|byte| *byte != b'E').all(|byte| matches!(byte, b'0' | b'.' | b'-'))
}

/// Returns the magnitude of a number. A number of a text keeps its digits.
pub(crate) fn magnitude(value: &Value) -> Option<Value> {
    let value = &*value.to_decoded();
    match &value.0 {
        Repr::Literal(literal) if literal.text.starts_with('-') => negate(value),
        Repr::Literal(_) => Some(value.clone()),
        Repr::Decimal(number) => Some(Value(Repr::Decimal(number.abs()))),
        Repr::Number(number) => Some(Value(Repr::Number(number.abs()))),
        _ => None,
    }
}

/// Doubles below this are written without exponent if they are integers.
const PLAIN: f64 = 1e15;

/// Appends the text of a computed number. Infinite numbers become the greatest ones, NaN becomes `null`.
#[inline]
pub(crate) fn write_double(double: f64, out: &mut Vec<u8>) {
    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates, and is compared with the double")]
    let integer = double as i64;
    #[expect(clippy::cast_precision_loss, reason = "numbers that lose digits are too large")]
    let is_integer = double.abs() < PLAIN && (integer as f64).to_bits() == double.to_bits();
    if is_integer {
        out.extend_from_slice(NumberBuffer::new().integer(integer).as_bytes());
        return;
    }
    write_fraction(double, out);
}

/// Appends the text of a number that is not a short integer.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "a double has at most 17 digits")]
fn write_fraction(double: f64, out: &mut Vec<u8>) {
    if double.is_nan() || double == 0.0 {
        // Zero that is not an integer has a sign.
        out.extend_from_slice(if double.is_nan() { &b"null"[..] } else { b"-0" });
        return;
    }
    let mut buffer = NumberBuffer::new();
    let text = buffer.double(double.clamp(f64::MIN, f64::MAX)).unwrap_or_default().as_bytes();
    let text = match text {
        [b'-', rest @ ..] => {
            out.push(b'-');
            rest
        }
        rest => rest,
    };
    let mantissa = text.split(|byte| matches!(byte, b'e' | b'E')).next().unwrap_or_default();
    let exponent: i32 = text
        .get(mantissa.len() + 1..)
        .map_or(0, |text| str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or_default());
    let integer = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
    let mut digits = [0; 32];
    let mut count = 0;
    let mut zeros = 0;
    for digit in mantissa.iter().filter(|byte| **byte != b'.') {
        if count == 0 && *digit == b'0' {
            zeros += 1;
        } else if count < digits.len() {
            digits[count] = *digit;
            count += 1;
        }
    }
    while count > 0 && digits[count - 1] == b'0' {
        count -= 1;
    }
    // The number is 0.DIGITS times ten to the power of `point`.
    layout(&digits[..count], integer as i32 - zeros + exponent, out);
}

/// Appends digits, with the decimal point after `point` of them.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "a double has at most 17 digits")]
fn layout(digits: &[u8], point: i32, out: &mut Vec<u8>) {
    if point <= -4 || point > digits.len() as i32 + 15 {
        out.push(digits[0]);
        if digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        out.extend_from_slice(if point < 1 { b"e-" } else { b"e+" });
        let exponent = (point - 1).unsigned_abs();
        if exponent < 10 {
            out.push(b'0');
        }
        out.extend_from_slice(NumberBuffer::new().unsigned(u64::from(exponent)).as_bytes());
        return;
    }
    match usize::try_from(point) {
        Ok(point) if point > 0 => {
            let (integer, fraction) = digits.split_at(point.min(digits.len()));
            out.extend_from_slice(integer);
            out.resize(out.len() + point - integer.len(), b'0');
            if !fraction.is_empty() {
                out.push(b'.');
                out.extend_from_slice(fraction);
            }
        }
        _ => {
            out.extend_from_slice(b"0.");
            out.resize(out.len() + point.unsigned_abs() as usize, b'0');
            out.extend_from_slice(digits);
        }
    }
}
