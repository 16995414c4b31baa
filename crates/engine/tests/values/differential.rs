//! Documents against a naive reader, and types against `serde_json`.

use fjson::Parser;
use proof::cases;
use proof::generate;
use proof::hostile;
use proof::mutate;
use proof::random::rounds;
use proof::seeds;
use proof::suites;
use proof::values;
use proof::values::Everything;
use serde_json::Value;

#[test]
fn data_sets() {
    for (name, text) in suites::data_sets() {
        values::document(&text);
        let expected = serde_json::from_slice::<Value>(&text).expect("a data set is valid");
        assert!(fjson::from_slice::<Value>(&text).expect("a data set is valid") == expected, "{name}");
    }
}

#[test]
fn suites_and_own_cases() {
    let texts = ["json-test-suite", "nativejson"].into_iter().filter_map(suites::suite).flatten();
    let cases = cases::all().into_iter().map(|case| case.text.clone());
    for text in texts.map(|(_, text)| text).filter(|text| text.len() < 200_000).chain(cases) {
        values::document(&text);
        values::deserialize(&text);
    }
}

#[test]
fn damaged() {
    rounds(5_000, |random| {
        let mut text = seeds::pick(random);
        if random.one_in(2) {
            mutate::mutate(random, &mut text);
        }
        mutate::shift(random, &mut text);
        values::document(&text);
        values::deserialize(&text);
    });
}

/// Documents made to be expensive. The naive reader recurses, so it reads only the shorter ones of those that are deep.
#[test]
fn hostile_shapes() {
    let shapes = hostile::LONG_TOKENS.into_iter().chain(hostile::DEEP).chain(hostile::WIDE).chain(hostile::RECORDS);
    for (_, shape) in shapes {
        for size in [300, 2_000, 20_000] {
            let text = shape(size);
            values::document(text.as_bytes());
            values::deserialize(text.as_bytes());
        }
    }
}

/// Nested containers, which need links between brackets.
#[test]
fn towers() {
    rounds(250, |random| values::document(&generate::tower(random)));
}

/// Values with a member of each kind are read from the text that `serde_json` writes, valid and damaged.
#[test]
fn every_kind_of_type() {
    let mut parser = Parser::new();
    rounds(8_900, |random| {
        let value = values::random(random);
        let mut text = serde_json::to_vec(&value).expect("it has a form in JSON");
        assert_eq!(parser.read::<Everything>(&text).expect("what was written"), value);
        let pretty = serde_json::to_vec_pretty(&value).expect("it has a form in JSON");
        assert_eq!(fjson::from_slice::<Everything>(&pretty).expect("what was written"), value);
        mutate::mutate(random, &mut text);
        values::deserialize(&text);
    });
}

/// A parser gives the same values whatever it has read before, short after long.
#[test]
fn memory_is_reused() {
    let mut parser = Parser::new();
    let long = format!("[{}\"\\n\", {{\"a\": [[1]]}}]", "[\"text\"], ".repeat(5000));
    for _ in 0..3 {
        let document = parser.document(long.as_bytes()).expect("valid");
        assert_eq!(document.iter().count(), 5002);
        assert_eq!(document.pointer("/5001/a/0/0").and_then(fjson::Value::as_i64), Some(1));
        assert_eq!(
            parser.document(b"{\"a\": \"b\"}").expect("valid").get("a").expect("a").as_str().as_deref(),
            Some("b")
        );
        assert!(parser.document(b"[").is_err());
        assert_eq!(parser.document(b" 7 ").expect("valid").as_u64(), Some(7));
    }
}

/// Values can be read by several threads at the same time.
#[test]
fn values_cross_threads() {
    fn crosses<T: Send + Sync>(value: T) -> T {
        value
    }
    let mut parser = crosses(Parser::new());
    let text = format!("[{}0]", "[[]], ".repeat(1000));
    let root = crosses(parser.document(text.as_bytes()).expect("valid").root());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(root.iter().map(|element| element.iter().count()).sum::<usize>(), 1000));
        }
    });
}

#[derive(serde::Deserialize)]
struct Skipping {
    b: u8,
}

/// Neither a document nor an ignored member needs a deep stack, and neither takes quadratic time.
#[test]
fn deep_documents() {
    let depth = 200_000;
    let text = format!("{{\"deep\": {}{}, \"b\": 1}}", "[".repeat(depth), "]".repeat(depth));
    let mut parser = Parser::new();
    let document = parser.document(text.as_bytes()).expect("valid");
    assert_eq!(document.get("b").and_then(fjson::Value::as_i64), Some(1));
    let mut value = document.get("deep").expect("a member");
    let mut levels = 1;
    while let Some(inner) = value.at(0) {
        (value, levels) = (inner, levels + 1);
        assert!(value.iter().count() <= 1);
    }
    assert_eq!(levels, depth);
    assert_eq!(parser.read::<Skipping>(text.as_bytes()).expect("valid").b, 1);
    let error = parser.read::<Value>(text.as_bytes()).expect_err("too deep");
    assert_eq!((error.kind(), error.offset()), (fjson::ErrorKind::DepthLimit, 9 + 127));
    let mut parser = parser.recursion_limit(300);
    let text = format!("{}{}", "[".repeat(300), "]".repeat(300));
    assert!(parser.read::<Value>(text.as_bytes()).is_ok());
    assert!(parser.read::<Value>(format!("[{text}]").as_bytes()).is_err());
}
