//! What must hold for every string, key and number: fjson agrees with the standard library and `serde_json`, or, if
//! these have no equivalent, with the definition.
//!
//! In JSON a string is UTF-16, so the reference for strings is a list of code units. Numbers are aligned as decimals.

use std::char::DecodeUtf16Error;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher as _;

use fjson::scalar;
use fjson::scalar::Escape;
use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;
use fjson::scalar::StringErrorKind;
use fjson::scalar::Surrogates;

use crate::decimal::Decimal;
use crate::reader;

/// Longer texts are not compared with others digit by digit.
const LONGEST: usize = 4096;

/// The UTF-16 code units of the string with this text, if it is valid.
fn units(text: &[u8]) -> Option<Vec<u16>> {
    reader::read(&[b"\"", text, b"\""].concat(), None).ok()?;
    let mut rest = str::from_utf8(text).ok()?;
    let mut units = Vec::new();
    while let Some(first) = rest.chars().next() {
        let escaped = rest.chars().nth(1).filter(|_| first == '\\');
        let (character, length) = match escaped {
            None => (first, first.len_utf8()),
            Some('u') => {
                units.push(u16::from_str_radix(&rest[2..6], 16).expect("four digits"));
                rest = &rest[6..];
                continue;
            }
            Some('b') => ('\u{8}', 2),
            Some('f') => ('\u{c}', 2),
            Some('n') => ('\n', 2),
            Some('r') => ('\r', 2),
            Some('t') => ('\t', 2),
            Some(other) => (other, 2),
        };
        units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
        rest = &rest[length..];
    }
    Some(units)
}

/// The code points of code units, including lone surrogates.
fn code_points(units: &[u16]) -> Vec<u32> {
    let code = |unit: Result<char, DecodeUtf16Error>| match unit {
        Ok(character) => u32::from(character),
        Err(lone) => u32::from(lone.unpaired_surrogate()),
    };
    char::decode_utf16(units.iter().copied()).map(code).collect()
}

/// Asserts that the text of a string has the right value, and that this value can be written.
///
/// # Panics
/// If that does not hold.
pub fn string(text: &[u8]) {
    let all = [Surrogates::Refuse, Surrogates::Keep, Surrogates::Replace].map(|how| scalar::unescape(text, how));
    assert_eq!(scalar::has_escapes(text), text.contains(&b'\\'));
    let [refused, kept, replaced] = all;
    let Some(units) = units(text) else {
        scalar::reescape(text, Escape::minimal(), &mut Vec::new()).ok();
        return;
    };
    let kept = kept.expect("a string");
    assert_eq!(replaced.expect("a string"), String::from_utf16_lossy(&units).as_bytes());
    let value = String::from_utf16(&units);
    let lone = char::decode_utf16(units.iter().copied()).any(|unit| unit.is_err());
    let by_serde: Result<String, _> = serde_json::from_slice(&[b"\"", text, b"\""].concat());
    assert_eq!(by_serde.ok(), value.as_ref().ok().cloned());
    match refused {
        Ok(refused) => {
            assert_eq!(refused, value.expect("no lone surrogate").as_bytes());
            assert_eq!(refused, kept);
            value_has_text(str::from_utf8(&refused).expect("UTF-8"), text);
        }
        Err(error) => {
            assert!(lone && error.kind() == StringErrorKind::LoneSurrogate);
            let before = self::units(&text[..error.offset()]).expect("what stands before is a string");
            assert!(String::from_utf16(&before).is_ok());
            assert!((0xd800..0xe000).contains(&self::units(&text[error.offset()..]).expect("an escape")[0]));
        }
    }
    // Written again, it has the same value.
    for way in ways() {
        let mut anew = Vec::new();
        scalar::reescape(text, way, &mut anew).expect("a string");
        assert_eq!(self::units(&anew).as_ref(), Some(&units));
        assert!(scalar::same_key(text, &anew));
    }
}

/// All ways to escape.
fn ways() -> [Escape; 6] {
    let plain = Escape::minimal();
    [plain, plain.js(), plain.html(), plain.ascii(), plain.ascii().js(), plain.ascii().html()]
}

/// Asserts that a value is escaped correctly; `text` is another text of it.
fn value_has_text(value: &str, text: &[u8]) {
    for way in ways() {
        let mut out = Vec::new();
        scalar::escape(value, way, &mut out).expect("memory");
        let mut anew = Vec::new();
        scalar::reescape(text, way, &mut anew).expect("a string");
        assert_eq!(anew, out);
        assert_eq!(scalar::unescape(&out, Surrogates::Refuse).expect("a string"), value.as_bytes());
        let quoted = [b"\"", &out[..], b"\""].concat();
        assert_eq!(serde_json::from_slice::<String>(&quoted).expect("a string"), value);
        if way == Escape::minimal() {
            assert_eq!(quoted, serde_json::to_vec(value).expect("a string"));
        }
        let out = str::from_utf8(&out).expect("UTF-8");
        assert!(!out.chars().any(|character| way.covers(character) && character != '\\' && character != '"'));
    }
}

/// Asserts that two keys compare as equal, or are ordered, correctly.
///
/// # Panics
/// If that does not hold.
pub fn names(left: &[u8], right: &[u8]) {
    let same = scalar::same_key(left, right);
    let (by_code_point, by_unit) = (scalar::compare_keys(left, right), scalar::compare_keys_utf16(left, right));
    assert_eq!(same, by_code_point.is_eq());
    let hash = |name: &[u8]| {
        let mut hasher = DefaultHasher::new();
        scalar::hash_key(name, &mut hasher);
        hasher.finish()
    };
    assert_eq!(same, hash(left) == hash(right));
    if let (Some(left), Some(right)) = (units(left), units(right)) {
        assert_eq!(same, left == right);
        assert_eq!(by_unit, left.cmp(&right));
        assert_eq!(by_code_point, code_points(&left).cmp(&code_points(&right)));
    }
}

/// The number, if all of a text is one.
fn as_number(text: &[u8]) -> Option<&str> {
    let is_one = matches!(text, [b'-' | b'0'..=b'9', .., b'0'..=b'9'] | [b'0'..=b'9']);
    let is_one = is_one && reader::read(text, None).is_ok();
    is_one.then(|| str::from_utf8(text).expect("ASCII"))
}

/// Asserts that a text is accepted as a number if it is one, and has the right values.
///
/// # Panics
/// If that does not hold.
pub fn number(text: &[u8]) {
    let number = Number::new(text);
    assert_eq!(number.is_some(), as_number(text).is_some());
    let (Some(number), Some(text)) = (number, as_number(text)) else { return };
    assert_eq!(number.text(), text.as_bytes());
    let double = number.to_f64();
    let Some(decimal) = Decimal::new(text).filter(|_| text.len() <= LONGEST) else { return };
    assert_eq!(double.to_bits(), text.parse::<f64>().expect("a number").to_bits());
    if let Ok(by_serde) = serde_json::from_str::<f64>(text) {
        assert_eq!(double.to_bits(), by_serde.to_bits());
    }
    let is_read = |read: f64| read.to_bits() == double.to_bits() || double == 0.0;
    assert!(fjson::from_str(text).map_or(double.is_infinite(), is_read), "{text}");
    assert_eq!(number.is_integer(), !text.contains(['.', 'e', 'E']));
    if number.is_integer() {
        assert_eq!(number.to_i64(), text.parse().ok());
        let unsigned = if decimal.is_zero() { Some(0) } else { text.parse().ok() };
        assert_eq!(number.to_u64(), unsigned);
    }
    let is_value = |value: String| Decimal::new(&value).as_ref() == Some(&decimal);
    assert!(number.to_i64().is_none_or(|value| is_value(value.to_string()) && number.has_integer_value()));
    assert!(number.to_u64().is_none_or(|value| is_value(value.to_string()) && number.has_integer_value()));
    assert_eq!(number.survives_f64(), double.is_finite() && is_value(by_the_standard(double)));
}

/// Asserts that two numbers are in the right order.
///
/// # Panics
/// If that does not hold.
pub fn numbers(left: &[u8], right: &[u8]) {
    let (Some(one), Some(other)) = (Number::new(left), Number::new(right)) else { return };
    let order = one.cmp(&other);
    assert_eq!(order, other.cmp(&one).reverse());
    let shown = || format!("{} and {}", left.escape_ascii(), right.escape_ascii());
    if left.len() + right.len() <= LONGEST {
        let decimal = |text| as_number(text).and_then(Decimal::new);
        if let (Some(left), Some(right)) = (decimal(left), decimal(right)) {
            assert_eq!(order, left.cmp(&right), "{}", shown());
        }
    }
}

/// Asserts that a double has the shortest text, in both forms, and is read back from both.
///
/// # Panics
/// If that does not hold.
pub fn double(value: f64) {
    let mut buffer = NumberBuffer::new();
    let Some(usual) = buffer.double(value).map(String::from) else {
        assert!(!value.is_finite());
        assert_eq!(buffer.ecmascript(value), None);
        return;
    };
    let read = |text: &str| Number::new(text.as_bytes()).expect("a number").to_f64();
    assert_eq!(read(&usual).to_bits(), value.to_bits(), "{usual}");
    let ecmascript = buffer.ecmascript(value).expect("a finite double");
    assert_eq!(ecmascript, by_the_standard(value));
    assert_eq!(read(ecmascript).to_bits(), (value + 0.0).to_bits(), "{ecmascript}");
    let shortest = Number::new(ecmascript.as_bytes()).expect("a number");
    assert_eq!(Number::new(usual.as_bytes()), Some(shortest));
    assert_eq!(usual, serde_json::to_string(&value).expect("a finite double"));
}

/// `Number::toString` of ECMAScript 2024 (6.1.6.1.20), step by step.
fn by_the_standard(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // The standard library gives the shortest digits too, and the nearest of those.
    let text = format!("{:e}", value.abs());
    let (digits, exponent) = text.split_once('e').expect("an exponent");
    let digits = even(digits.replace('.', ""), exponent, value.abs());
    let (k, n) = (digits.len(), exponent.parse::<i32>().expect("an exponent") + 1);
    let zeros = |count: i32| "0".repeat(count.unsigned_abs() as usize);
    let point = usize::try_from(n).unwrap_or_default();
    let sign = if value < 0.0 { "-" } else { "" };
    let text = if k <= point && n <= 21 {
        format!("{digits}{}", "0".repeat(point - k))
    } else if 0 < n && n <= 21 {
        format!("{}.{}", &digits[..point], &digits[point..])
    } else if -6 < n && n <= 0 {
        format!("0.{}{digits}", zeros(n))
    } else {
        let e = if n > 0 { '+' } else { '-' };
        let power = (n - 1).abs();
        if k == 1 { format!("{digits}e{e}{power}") } else { format!("{}.{}e{e}{power}", &digits[..1], &digits[1..]) }
    };
    format!("{sign}{text}")
}

/// The even digits where two texts are equally near to the value; the standard library picks either.
fn even(digits: String, exponent: &str, value: f64) -> String {
    let number: u64 = digits.parse().expect("at most 17 digits");
    let decimal =
        |digits: &str| Decimal::new(&format!("{}.{}e{exponent}", &digits[..1], &digits[1..])).expect("a number");
    if digits.len() < 15 || number.is_multiple_of(2) {
        return digits;
    }
    let others = [number - 1, number + 1].map(|other| other.to_string());
    let is_as_near = |other: &&String| decimal(other).half_way(&decimal(&digits)) == Decimal::exact(value);
    others.iter().find(is_as_near).cloned().unwrap_or(digits)
}
