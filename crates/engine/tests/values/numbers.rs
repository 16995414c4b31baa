//! Numbers: every double is the nearest one. Millions of numbers of many shapes are compared with the standard library.

use std::collections::BTreeMap;

use fjson::Parser;
use proof::random::Random;
use proof::random::rounds;
use serde::Deserialize;
use serde::Deserializer;

/// A number that is likely to be near a border: of the digits read at once, of the fast path, of a double.
fn number(random: &mut Random) -> String {
    let digits = |random: &mut Random, most| {
        let count = 1 + random.below(most);
        (0..count).map(|_| char::from(random.byte_of(b"0123456789999000"))).collect::<String>()
    };
    let sign = if random.one_in(3) { "-" } else { "" };
    match random.below(8) {
        0 => format!("{:e}", finite(f64::from_bits(random.bits()))),
        1 => format!("{}", finite(f64::from_bits(random.bits())) % 1e40),
        2 => format!("{}", random.bits().cast_signed() >> random.below(64)),
        3 => format!("{sign}{}.{}", random.bits() >> random.below(64), digits(random, 20)),
        4 => format!("{sign}0.{}{}", "0".repeat(random.below(30)), digits(random, 20)),
        // Halfway between two doubles, and next to it.
        5 => {
            let odd = (1_u64 << 53 | random.bits() >> 11) * 2 + 1;
            format!(
                "{sign}{}{}",
                u128::from(odd) << random.below(60),
                random.pick(&["", ".0", ".5", "e0", ".00000001"])
            )
        }
        6 => format!("{sign}{}e{}", random.bits() >> random.below(64), random.below(120).cast_signed() - 60),
        _ => format!(
            "{sign}{}.{}E{}{}",
            random.below(100),
            digits(random, 18),
            random.pick(&["", "+", "-"]),
            digits(random, 3)
        ),
    }
}

fn finite(double: f64) -> f64 {
    if double.is_finite() { double } else { 0.25 }
}

#[test]
fn doubles_are_those_of_the_standard_library() {
    let mut parser = Parser::new();
    rounds(50, |random| {
        let numbers: Vec<_> = (0..10_000).map(|_| number(random)).collect();
        let text = format!("[{}]", numbers.join(","));
        let document = parser.document(text.as_bytes()).expect("valid");
        let mut count = 0;
        for (value, text) in document.iter().zip(&numbers) {
            let expected: f64 = text.parse().expect("a number");
            let found = value.as_f64().expect("a number");
            let is_zero = expected == 0.0 && found == 0.0 && text.parse::<i64>().is_ok();
            assert!(found.to_bits() == expected.to_bits() || is_zero, "{text}: {found:e}, expected {expected:e}");
            assert_eq!(value.raw(), text);
            if let Ok(expected) = text.parse() {
                assert_eq!(value.as_i64(), Some(expected), "{text}");
            }
            if let Ok(expected) = text.parse() {
                assert_eq!(value.as_u64(), Some(expected), "{text}");
            }
            count += 1;
        }
        assert_eq!(count, numbers.len());
        let in_range: Vec<_> = numbers.iter().filter(|text| text.parse().is_ok_and(f64::is_finite)).cloned().collect();
        let text = format!("[{}]", in_range.join(","));
        let found = parser.read::<Vec<f64>>(text.as_bytes()).expect("numbers in range");
        assert_eq!(found.len(), in_range.len());
        for (text, found) in in_range.iter().zip(found) {
            let expected = text.parse::<f64>().expect("a number");
            assert!(found.to_bits() == expected.to_bits() || found == 0.0 && expected == 0.0, "{text}: {found:e}");
        }
    });
}

/// Rounding a number up to a power of two carries into the exponent.
#[test]
fn numbers_below_powers_of_two() {
    let mut parser = Parser::new();
    for power in -100..200 {
        let text = format!("{:.18e}", 2_f64.powi(power));
        let (digits, exponent) = text.split_once('e').expect("an exponent");
        let digits: u64 = digits.replace('.', "").parse().expect("19 digits");
        let exponent: i32 = exponent.parse().expect("a number");
        for less in [0, 1, 30, 55, 56, 100, 300, 555, 556, 1000] {
            let text = format!("{}e{}", digits - less, exponent - 18);
            assert_eq!(parser.document(text.as_bytes()).expect("valid").as_f64(), text.parse().ok(), "{text}");
        }
    }
}

/// A number may be the whole text, so that no byte follows it.
#[test]
fn numbers_at_the_end() {
    let mut parser = Parser::new();
    for length in 1..40 {
        let digits = &"1234567890123456789012345678901234567890"[..length];
        for text in [
            digits.to_owned(),
            format!("-{digits}"),
            format!("0.{digits}"),
            format!("1e-{length}"),
            format!("{digits}E7"),
        ] {
            assert_eq!(parser.document(text.as_bytes()).expect("valid").as_f64(), text.parse().ok(), "{text}");
        }
    }
}

/// The double nearest to this number is halfway between two singles, so that rounding twice gives the wrong one. Keys are read
/// like values.
#[test]
fn singles_are_rounded_once() {
    /// Any `f32`, by its bits, so that it can be a key.
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Bits(u32);
    impl<'de> Deserialize<'de> for Bits {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            f32::deserialize(deserializer).map(|single| Self(single.to_bits()))
        }
    }
    let text = "1.00000005960464477540";
    let nearest: f32 = text.parse().expect("a number");
    assert_eq!(nearest.to_bits(), 1_f32.to_bits() + 1);
    assert_eq!(fjson::from_str::<Bits>(text).expect("a number"), Bits(nearest.to_bits()));
    let keys: BTreeMap<Bits, u8> = fjson::from_str(&format!("{{\"{text}\": 1, \"2\": 2}}")).expect("numbers");
    assert_eq!(keys, BTreeMap::from([(Bits(nearest.to_bits()), 1), (Bits(2_f32.to_bits()), 2)]));
    let error = fjson::from_str::<BTreeMap<Bits, u8>>("{\"1e39\": 1}").expect_err("too large");
    assert_eq!((error.to_string().as_str(), error.column()), ("number out of range, expected f32", Some(2)));
}
