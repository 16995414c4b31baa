//! Tests of values beyond the examples in the documentation.

#![forbid(unsafe_code)]

use std::cmp::Ordering;

use super::Value;
use super::compare;
use super::equal;
use super::memory;

fn value(text: &str) -> Value {
    Value::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_value_has_16_bytes() {
    assert_eq!(size_of::<Value>(), 16);
    assert_eq!(size_of::<Result<Value, super::Error>>(), 16);
}

/// The texts of numbers in jq 1.8.2: in a document, and after adding 0.
const NUMBERS: &[(&str, &str, &str)] = &[
    ("0", "0", "0"),
    ("-0", "-0", "0"),
    ("1.0", "1.0", "1"),
    ("1.000", "1.000", "1"),
    ("0.0", "0.0", "0"),
    ("-0.0", "-0.0", "0"),
    ("3.10", "3.10", "3.1"),
    ("1E5", "1E+5", "100000"),
    ("1e+5", "1E+5", "100000"),
    ("10e5", "1.0E+6", "1000000"),
    ("0e10", "0E+10", "0"),
    ("0.0e5", "0E+4", "0"),
    ("0e-7", "0E-7", "0"),
    ("0e-6", "0.000000", "0"),
    ("-0e-7", "-0E-7", "0"),
    ("0.00001", "0.00001", "1e-05"),
    ("1e-5", "0.00001", "1e-05"),
    ("1e-6", "0.000001", "1e-06"),
    ("1e-7", "1E-7", "1e-07"),
    ("1.5e-6", "0.0000015", "1.5e-06"),
    ("0.0001", "0.0001", "0.0001"),
    ("0.00012345", "0.00012345", "0.00012345"),
    ("0.000012345", "0.000012345", "1.2345e-05"),
    ("123e-9", "1.23E-7", "1.23e-07"),
    ("12345678e-9", "0.012345678", "0.012345678"),
    ("1e15", "1E+15", "1000000000000000"),
    ("1e16", "1E+16", "1e+16"),
    ("1e17", "1E+17", "1e+17"),
    ("12e16", "1.2E+17", "1.2e+17"),
    ("123e15", "1.23E+17", "123000000000000000"),
    ("100000000000000000000", "100000000000000000000", "1e+20"),
    ("123456789012345678", "123456789012345678", "123456789012345680"),
    ("1234567890123456789012", "1234567890123456789012", "1234567890123456800000"),
    ("99999999999999990000", "99999999999999990000", "99999999999999980000"),
    ("12345678901234567890.123e5", "1.2345678901234567890123E+24", "1234567890123456800000000"),
    ("9007199254740993", "9007199254740993", "9007199254740992"),
    ("0.1", "0.1", "0.1"),
    ("0.30000000000000004", "0.30000000000000004", "0.30000000000000004"),
    ("1e1000", "1E+1000", "1.7976931348623157e+308"),
    ("-1e1000", "-1E+1000", "-1.7976931348623157e+308"),
    ("1e999999999", "1E+999999999", "1.7976931348623157e+308"),
    ("1e1000000000", "1.7976931348623157e+308", "1.7976931348623157e+308"),
    ("1e-400", "1E-400", "0"),
    ("5e-324", "5E-324", "5e-324"),
    ("1.5e300", "1.5E+300", "1.5e+300"),
    ("2.5", "2.5", "2.5"),
    ("-17", "-17", "-17"),
    ("1000000", "1000000", "1000000"),
];

#[test]
fn texts_of_numbers() {
    for &(text, literal, computed) in NUMBERS {
        let number = value(text);
        assert_eq!(number.to_string(), literal, "{text}");
        let sum = super::arithmetic::add(number, Value::from(0.0)).expect("a number");
        assert_eq!(sum.to_string(), computed, "{text}");
    }
    assert_eq!(Value::from(-0.0).to_string(), "-0");
    assert_eq!(Value::from(f64::NAN).to_string(), "null");
    assert_eq!(Value::from(f64::NEG_INFINITY).to_string(), "-1.7976931348623157e+308");
}

#[test]
fn numbers_of_texts_are_compared_exactly() {
    let (long, longer) = (value("13911860366432393"), value("13911860366432392"));
    assert_eq!(compare(&long, &longer).ok(), Some(Ordering::Greater));
    assert_eq!(equal(&long, &Value::from(13_911_860_366_432_392.0)).ok(), Some(true));
    assert_eq!(compare(&value("0.1"), &value("0.10000000000000000001")).ok(), Some(Ordering::Less));
    assert_eq!(equal(&value("1.0"), &value("1")).ok(), Some(true));
    assert_eq!(equal(&value("1e2"), &Value::from(100.0)).ok(), Some(true));
}

#[test]
fn order_of_values_of_all_types() {
    let ascending = [
        "null",
        "false",
        "true",
        "-1e1000",
        "-1",
        "0",
        "0.5",
        "1",
        "1e400",
        r#""""#,
        r#""a""#,
        r#""aa""#,
        r#""b""#,
        r#""é""#,
        "[]",
        "[null]",
        "[0]",
        "[0,0]",
        "[1]",
        "[[]]",
        "{}",
        r#"{"a":1}"#,
        r#"{"a":2}"#,
        r#"{"b":0,"a":0}"#,
        r#"{"a":0,"c":0}"#,
        r#"{"b":0}"#,
    ];
    for (place, left) in ascending.iter().enumerate() {
        for (other, right) in ascending.iter().enumerate() {
            let (left, right) = (value(left), value(right));
            assert_eq!(compare(&left, &right).ok(), Some(place.cmp(&other)), "{left}, {right}");
            assert_eq!(equal(&left, &right).ok(), Some(place == other), "{left}, {right}");
        }
    }
    let nan = Value::from(f64::NAN);
    assert_eq!(compare(&nan, &value("-1e1000")).ok(), Some(Ordering::Less));
    assert_eq!(compare(&nan, &nan).ok(), Some(Ordering::Less));
    assert_eq!(equal(&nan, &nan).ok(), Some(false));
}

/// Deep values are read, compared, written and freed without recursion.
#[test]
fn invalid_text_has_a_place() {
    let error = Value::parse(b"{\"a\":\n 1 2}").expect_err("invalid");
    assert_eq!(error.to_string(), "missing comma: found `2`, expected `,` or `}` at line 2, column 4");
}

#[test]
fn depth() {
    let before = memory::live();
    let nested = |levels: usize| {
        (0..levels).fold(Value::NULL, |value, level| {
            if level % 2 == 0 {
                return Value::from(vec![value]);
            }
            let mut object = super::Object::new();
            object.insert("a".into(), value);
            object.into()
        })
    };
    for levels in [10_000, 100_000] {
        let (left, right) = (nested(levels), nested(levels));
        assert_eq!(equal(&left, &right).is_ok(), levels <= 10_000);
        assert_eq!(compare(&left, &right).is_ok(), levels <= 10_000);
        assert_eq!(left.to_string().contains("<skipped: too deep>"), levels > 10_000);
    }
    assert_eq!(memory::live(), before);
    let text = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(Value::parse(text.as_bytes()).map(|value| value.len()).ok().flatten(), Some(1));
    assert!(
        Value::from_json(&text)
            .unwrap_err()
            .to_string()
            .starts_with("Exceeds depth limit for parsing at line 1, column 10001")
    );
    assert_eq!(memory::live(), before);
}

/// An object behaves like a list of members that is searched from the front.
#[test]
fn objects_with_many_members() {
    let mut object = super::Object::new();
    let mut expected: Vec<(String, usize)> = Vec::new();
    let mut state = 1_usize;
    for step in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = format!("k{}", (state >> 33) % 61);
        if (state >> 20).is_multiple_of(3) {
            let at = expected.iter().position(|member| member.0 == key);
            assert_eq!(object.remove(&key).is_some(), at.is_some());
            at.map(|at| expected.remove(at));
        } else {
            object.insert(key.as_str().into(), step.into());
            match expected.iter_mut().find(|member| member.0 == key) {
                Some(member) => member.1 = step,
                None => expected.push((key, step)),
            }
        }
        assert_eq!(object.len(), expected.len());
        if step % 97 == 0 {
            let members: Vec<_> = object.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
            let expected: Vec<_> = expected.iter().map(|(key, step)| (key.clone(), step.to_string())).collect();
            assert_eq!(members, expected);
        }
    }
}

#[test]
fn excerpts_are_cut_like_in_jq() {
    for (text, expected) in [
        (r#""123456789012345678901234567""#, r#""123456789012345678901234567""#),
        (r#""1234567890123456789012345678""#, r#""123456789012345678901234...""#),
        ("[1,2,3,4,5,6,7,8,9,10,11,12,13,14]", "[1,2,3,4,5,6,7,8,9,10,11,...]"),
        ("12345678901234567890123456789012", "12345678901234567890123456..."),
        (r#""ééééééééééééééééééééé""#, r#""éééééééééééé...""#),
    ] {
        assert_eq!(super::excerpt(&value(text)), expected);
    }
}

#[test]
fn slices_are_rounded_outwards() {
    let array = value("[0,1,2,3]");
    for (start, end, expected) in [
        ("1", "3", "[1,2]"),
        ("1.7", "2.2", "[1,2]"),
        ("-2", "null", "[2,3]"),
        ("null", "-1", "[0,1,2]"),
        ("3", "1", "[]"),
        ("-100", "100", "[0,1,2,3]"),
    ] {
        let key = Value::slice_key(value(start), value(end));
        assert_eq!(array.index(&key).map(|slice| slice.to_string()).unwrap_or_default(), expected);
    }
    let key = Value::slice_key(Value::from(1.0), Value::from(3.0));
    assert_eq!(Value::from("aéb😀").index(&key).map(|slice| slice.to_string()).unwrap_or_default(), r#""éb""#);
}
