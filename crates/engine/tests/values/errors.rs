//! What errors say, and where they point.

use std::collections::BTreeMap;

use fjson::ErrorKind;
use fjson::Parser;
use fjson::from_str;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only errors are looked at")]
struct User<'t> {
    id: u32,
    name: &'t str,
    #[serde(default)]
    tags: Vec<Tag>,
    #[serde(default)]
    ages: BTreeMap<u8, i8>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only errors are looked at")]
enum Tag {
    Red,
    Rgb(u8, u8, u8),
}

#[test]
fn errors_have_places() {
    let cases = [
        ("{\"id\": 1}", "missing field `name`", (1, 1), ""),
        ("[{\"id\": 1, \"name\": \"x\"},\n {\"id\": 2}]", "missing field `name`", (2, 2), "/1"),
        ("[{\"id\": -1, \"name\": \"x\"}]", "invalid value: integer `-1`, expected u32", (1, 9), "/0/id"),
        ("[{\"id\": \"1\"}]", "invalid type: string \"1\", expected u32", (1, 9), "/0/id"),
        ("[{\"id\": 1, \"id\": 2}]", "duplicate field `id`", (1, 2), "/0"),
        ("[{\"id\": 1, \"x\": 2}]", "unknown field `x`, expected one of `id`, `name`, `tags`, `ages`", (1, 12), "/0"),
        ("[{\"name\": \"\\n\"}]", "invalid type: string \"\\n\", expected a borrowed string", (1, 11), "/0/name"),
        ("[{\"name\": \"\\ud800\"}]", "lone surrogate in an escape sequence", (1, 11), "/0/name"),
        ("[{\"tags\": [\"Blue\"]}]", "unknown variant `Blue`, expected `Red` or `Rgb`", (1, 12), "/0/tags/0"),
        (
            "[{\"tags\": [{\"Rgb\": [1, 2]}]}]",
            "invalid length 2, expected tuple variant Tag::Rgb with 3 elements",
            (1, 20),
            "/0/tags/0/Rgb",
        ),
        (
            "[{\"tags\": [{\"Rgb\": [1, 2, 3, 4]}]}]",
            "invalid length: more elements than expected",
            (1, 30),
            "/0/tags/0/Rgb/3",
        ),
        ("[{\"tags\": [\"Rgb\"]}]", "invalid type: unit variant, expected tuple variant", (1, 12), "/0/tags/0"),
        (
            "[{\"tags\": [7]}]",
            "invalid type: integer `7`, expected a string or an object with one member, for an enum",
            (1, 12),
            "/0/tags/0",
        ),
        ("[{\"ages\": {\"x\": 1}}]", "invalid type: string \"x\", expected u8", (1, 12), "/0/ages"),
        ("[{\"ages\": {\"1\": 1000}}]", "invalid value: integer `1000`, expected i8", (1, 17), "/0/ages/1"),
        ("7", "invalid type: integer `7`, expected a sequence", (1, 1), ""),
    ];
    for (text, message, place, pointer) in cases {
        let error = if text.starts_with('{') {
            from_str::<User>(text).expect_err("an error")
        } else {
            from_str::<Vec<User>>(text).expect_err("an error")
        };
        assert_eq!((error.to_string().as_str(), error.kind()), (message, ErrorKind::Data), "{text}");
        let position = error.position().map(|position| (position.line, position.column));
        assert_eq!((position, error.pointer()), (Some(place), Some(pointer)), "{text}");
        let excerpt = error.excerpt().expect("an excerpt");
        assert_eq!(excerpt.caret as u64 + 1, place.1, "{text}");
    }
}

/// A type that looks at a value only after it has read it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only errors are looked at")]
enum Late {
    Tagged(Event),
    Small(Small),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only errors are looked at")]
enum Event {
    Start { at: u8 },
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "i64")]
struct Small(i64);

impl TryFrom<i64> for Small {
    type Error = &'static str;

    fn try_from(value: i64) -> Result<Self, &'static str> {
        if value < 10 { Ok(Self(value)) } else { Err("not small") }
    }
}

#[test]
fn errors_that_types_make_are_at_their_value() {
    let place = |error: fjson::Error| (error.line(), error.column(), error.pointer().map(str::to_owned));
    let at = |line, column, pointer: &str| (Some(line), Some(column), Some(pointer.to_owned()));
    let events = from_str::<Vec<Event>>("[{\"kind\": \"Start\", \"at\": 1},\n {\"kind\": \"Start\", \"at\": 300}]");
    assert_eq!(place(events.expect_err("too large")), at(2, 2, "/1"));
    let late = from_str::<BTreeMap<String, Late>>("{\"a\": 1, \"b\": \"x\"}");
    assert_eq!(place(late.expect_err("no variant")), at(1, 15, "/b"));
    let keys = from_str::<Vec<BTreeMap<Small, u8>>>("[{\"1\": 1, \"11\": 2}]");
    assert_eq!(place(keys.expect_err("a key")), at(1, 11, "/0"));
    assert_eq!(place(from_str::<Small>(" 10").expect_err("too large")), at(1, 2, ""));

    let mut parser = Parser::new();
    let document = parser.document(b"[{\"at\": 5},\n 12]").expect("valid");
    let value = document.at(1).expect("an element");
    assert_eq!(place(value.read::<Small>().expect_err("too large")), at(2, 2, "/1"));
    assert_eq!(value.read::<u8>().expect("a number"), 12);
    assert_eq!(place(document.root().read::<Vec<Late>>().expect_err("no variant")), at(1, 2, "/0"));
}

#[test]
fn values_have_the_names_of_json() {
    let messages = [
        (from_str::<u8>("null").err(), "invalid type: null, expected u8"),
        (from_str::<u8>("1.50").err(), "invalid type: floating point `1.5`, expected u8"),
        (from_str::<u8>("1e300").err(), "invalid type: floating point `1e300`, expected u8"),
        (from_str::<u8>("2.0").err(), "invalid type: floating point `2.0`, expected u8"),
        (from_str::<u8>("[]").err(), "invalid type: sequence, expected u8"),
    ];
    for (error, message) in messages {
        assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(message));
    }
}

#[test]
fn invalid_text_is_reported_first() {
    let error = from_str::<u8>("[1, 2,]").expect_err("invalid");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpectedValue, 6));
    let error = fjson::from_reader::<u8>("".as_bytes()).expect_err("empty");
    assert!(error.is_eof());
}

#[test]
fn numbers_out_of_range() {
    let errors = [
        (from_str::<f64>("1e400").expect_err("too large"), "f64"),
        (from_str::<f32>("-1e39").expect_err("too large"), "f32"),
        (from_str::<i8>("1e400").expect_err("too large"), "i8"),
        (from_str::<serde_json::Value>("1e400").expect_err("too large"), "any valid JSON value"),
        (from_str::<u128>("340282366920938463463374607431768211456").expect_err("too large"), "u128"),
        (from_str::<u128>("-1").expect_err("negative"), "u128"),
        (from_str::<i128>("170141183460469231731687303715884105728").expect_err("too large"), "i128"),
    ];
    for (error, expected) in errors {
        assert_eq!(error.to_string(), format!("number out of range, expected {expected}"));
        assert_eq!((error.column(), error.pointer()), (Some(1), Some("")));
    }
    assert_eq!(from_str::<u128>("340282366920938463463374607431768211455").expect("the greatest"), u128::MAX);
    assert_eq!(from_str::<i128>("-170141183460469231731687303715884105728").expect("the least"), i128::MIN);
}

/// The text is refused before it is read, so the zeros need no memory.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_text_of_4_gib_is_too_long() {
    let text = vec![0; 1 << 32];
    let errors = [Parser::new().document(&text).err(), fjson::from_slice::<u8>(&text).err()];
    for error in errors {
        let error = error.expect("an error");
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        assert_eq!(error.to_string(), "the document has 4294967296 bytes, and only 4294967295 can be indexed");
    }
}

/// A value that is read whatever it is.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Lenient<T>(T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(T::deserialize(deserializer).unwrap_or_default()))
    }
}

#[derive(Debug, Default, Deserialize, PartialEq, Eq, Hash)]
enum Color {
    #[default]
    Red,
}

/// An implementation may ignore an error. What follows the value is then read, or there is another error, as in `serde_json`; never a
/// part of the value.
#[test]
fn ignored_errors() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Outer {
        a: Lenient<u32>,
        #[serde(default)]
        admin: bool,
    }
    fn check<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str, expected: Option<&T>) {
        assert!(expected.is_some() || serde_json::from_str::<T>(text).is_err(), "{text}");
        assert_eq!(from_str(text).ok().as_ref(), expected, "{text}");
        let lines: Vec<_> = fjson::lines::<T>(&format!("{text}\n{text}\n"), &fjson::Options::new()).collect();
        assert_eq!(lines.len(), 2, "{text}");
    }
    check::<Vec<Lenient<Color>>>("[5, \"Red\"]", Some(&vec![Lenient(Color::Red), Lenient(Color::Red)]));
    check::<Vec<Lenient<Color>>>(
        "[{\"Blue\": [1, {}]}, \"Red\"]",
        Some(&vec![Lenient(Color::Red), Lenient(Color::Red)]),
    );
    check::<Vec<Lenient<u32>>>("[\"x\", 7, 5e9]", Some(&vec![Lenient(0), Lenient(7), Lenient(0)]));
    check::<Vec<Lenient<u32>>>("[[1, 2], 3]", Some(&vec![Lenient(0), Lenient(3)]));
    check::<Vec<Lenient<(u8, u8)>>>("[[1, 2, 3], [4, 5]]", Some(&vec![Lenient((0, 0)), Lenient((4, 5))]));
    check::<Vec<Lenient<(u8, u8)>>>("[[[1], [2]], [4, 5]]", Some(&vec![Lenient((0, 0)), Lenient((4, 5))]));
    check::<Vec<Lenient<u128>>>("[-1]", None);
    check::<Lenient<Color>>("5", Some(&Lenient(Color::Red)));
    check("{\"a\": {\"admin\": true}, \"admin\": false}", Some(&Outer { a: Lenient(0), admin: false }));
    check::<std::collections::HashMap<Lenient<u32>, String>>("{\"x\": \"y\"}", None);
}
