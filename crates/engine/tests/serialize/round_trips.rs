//! What is written is read back as the same value, by every way to write and to read.
//!
//! A round has 100 values, so `FJSON_FUZZ_N=10000` compares a million of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fjson::Layout;
use fjson::Options;
use fjson::Parser;
use fjson::RawValue;
use fjson::scalar::Number;
use proof::generate;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;
use proof::typed;
use proof::typed::Typed;
use serde::Deserialize;
use serde::Serialize;

#[test]
fn values_of_every_representation() {
    let mut parser = Parser::new();
    rounds(580, |random| {
        let values: Vec<Typed> = (0..100).map(|_| typed::any(random)).collect();
        let mut lines = Vec::new();
        for value in &values {
            let compact = fjson::to_vec(value).expect("a text");
            assert_eq!(compact, serde_json::to_vec(value).expect("a text"));
            assert_eq!(parser.read::<Typed>(&compact).expect("valid"), *value);
            let layout = if random.one_in(2) { Layout::tab() } else { Layout::spaces(1) };
            let indented = fjson::to_vec_pretty(value, &layout).expect("a text");
            assert_eq!(fjson::from_slice::<Typed>(&indented).expect("valid"), *value);
            let size = 1 + random.below(200);
            let pieces = Pieces::new(&compact, std::iter::repeat(size));
            assert_eq!(fjson::from_reader::<Typed>(pieces).expect("valid"), *value);
            lines.extend_from_slice(&compact);
            lines.push(b'\n');
        }
        let read: Result<Vec<Typed>, _> = fjson::lines(&lines, &Options::new()).collect();
        assert_eq!(read.expect("valid"), values);
        let indented = fjson::to_string_pretty(&values, &Layout::default()).expect("a text");
        assert_eq!(fjson::from_str::<Vec<Typed>>(&indented).expect("valid"), values);
    });
}

/// Types that only fjson knows, whose text is kept.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Texts<'t> {
    #[serde(borrow)]
    number: Number<'t>,
    #[serde(borrow)]
    value: RawValue<'t>,
    #[serde(borrow)]
    numbers: Vec<Number<'t>>,
    #[serde(borrow)]
    values: BTreeMap<Cow<'t, str>, Option<RawValue<'t>>>,
    #[serde(borrow)]
    either: Either<'t>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Either<'t> {
    #[serde(borrow)]
    Number(Number<'t>),
    Both(#[serde(borrow)] Number<'t>, #[serde(borrow)] RawValue<'t>),
    Named {
        #[serde(borrow)]
        value: RawValue<'t>,
    },
}

/// Returns the text of a value that is not null, which would be read as no value.
fn raw(random: &mut Random) -> RawValue<'static> {
    let text = String::from_utf8(generate::document(random, 100)).expect("UTF-8");
    let value = RawValue::new(text).expect("valid");
    if value.text() == "null" { RawValue::new("[null]").expect("valid") } else { value }
}

#[test]
fn texts_are_kept() {
    rounds(13_000, |random| {
        let numbers: Vec<_> = (0..4).map(|_| generate::number(random)).collect();
        let number = |index: usize| Number::new(&numbers[index]).expect("a number");
        let texts = Texts {
            number: number(0),
            value: raw(random),
            numbers: vec![number(1), number(2)],
            values: [("a", Some(raw(random))), ("\n", None)].map(|(key, value)| (key.into(), value)).into(),
            either: match random.below(3) {
                0 => Either::Number(number(3)),
                1 => Either::Both(number(3), raw(random)),
                _ => Either::Named { value: raw(random) },
            },
        };
        let compact = fjson::to_vec(&texts).expect("a text");
        assert_eq!(fjson::from_slice::<Texts<'_>>(&compact).expect("valid"), texts);
        for text in [&numbers[0], texts.value.text().as_bytes()] {
            assert!(compact.windows(text.len()).any(|part| part == text));
        }
        let indented = fjson::to_vec_pretty(&texts, &Layout::default()).expect("a text");
        assert_eq!(fjson::from_slice::<Texts<'_>>(&indented).expect("valid"), texts);
    });
}
