//! `fjson stats`: statistics over all inputs.

use crate::place::Place;
use crate::place::assert_shows;

const DOCUMENT: &str = r#"{"id": 1, "tags": ["a", "b", "a", "caf\u00e9"], "n": [-0.5, 1e400, 12345678901234567890, 0.1],
 "in": {"id": "é", "\u0069d": null, "ok": true, "no": false, "none": {}, "lone": "\ud800"}}"#;

#[test]
fn help() {
    assert_shows!(Place::new().fjson("stats --help"));
}

#[test]
fn a_table() {
    let place = Place::new();
    place.file("a.json", DOCUMENT);
    place.file("b.jsonl", "{\"id\": 2}\n{\"id\": 3}\n");
    assert_shows!(place.fjson("stats a.json b.jsonl"));
    assert_shows!(place.fjson("stats --top 1 b.jsonl"));
}

#[test]
fn a_document() {
    let place = Place::new();
    place.file("a.json", DOCUMENT);
    assert_shows!(place.fjson("stats --format json a.json"));
    let text = place.fjson("stats --format json a.json").stdout();
    let stats: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(stats["keys"]["frequent"][0]["key"], "id");
}

#[test]
fn nothing_is_nothing() {
    assert_shows!(Place::new().fjson("stats --stream").stdin(""));
    assert_shows!(Place::new().fjson("stats --format json --stream").stdin(""));
}

#[test]
fn bad_inputs_are_reported_and_count_up_to_the_error() {
    let place = Place::new();
    place.file("bad.json", "[1, 2, x]");
    place.file("good.json", "[3]");
    assert_shows!(place.fjson("stats bad.json missing.json good.json"));
    assert_shows!(place.fjson("stats -q --lines").stdin("[1]\n[1,\n[2]\n"));
}

#[test]
fn depth_is_limited_by_default() {
    let deep = "[".repeat(10_001) + &"]".repeat(10_001);
    assert_eq!(Place::new().fjson("stats -q").stdin(deep.as_str()).status(), Some(1));
    assert_eq!(Place::new().fjson("stats --max-depth none").stdin(deep.as_str()).status(), Some(0));
}

#[test]
fn names_are_harmless_in_a_table() {
    let text = Place::new().fjson("stats").stdin(r#"{"\u001b[31mred": 1}"#).stdout();
    assert!(!text.contains('\u{1b}'));
}

/// The same from a pipe as from a mapped file, and on every kernel.
#[test]
fn results_do_not_depend_on_the_input_method() {
    let place = Place::new();
    place.file("a.json", DOCUMENT.repeat(2000));
    let expected = place.fjson("stats --stream --format json a.json").stdout();
    for line in ["--no-mmap a.json", "--kernel portable a.json", "--kernel portable --no-mmap a.json"] {
        assert_eq!(place.fjson(&format!("stats --stream --format json {line}")).stdout(), expected);
    }
}

/// Text after the error of a mapped file is not counted either.
#[test]
fn the_bytes_of_a_broken_document_are_counted_alike() {
    let place = Place::new();
    for (length, at) in [(4097, 4096), (4097, 10), (300_000, 100), (600_000, 599_999)] {
        let mut text = format!("[{}]", " ".repeat(length - 2)).into_bytes();
        text[at] = b'}';
        place.file("broken.json", &text);
        let bytes = |run: crate::place::Run| {
            let output = run.output();
            assert_eq!(output.status.code(), Some(1));
            let stats: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            stats["bytes"].as_u64()
        };
        let command = "stats -q --format json";
        assert_eq!(bytes(place.fjson(&format!("{command} broken.json"))), Some(at as u64));
        assert_eq!(bytes(place.fjson(&format!("{command} --no-mmap broken.json"))), Some(at as u64));
        assert_eq!(bytes(place.fjson(command).stdin(text)), Some(at as u64));
    }
}

/// Keys in the JSON may be shown in a terminal: what is not visible there is escaped.
#[test]
fn keys_in_json_are_safe_to_display() {
    let place = Place::new();
    let key = "a\u{7f}\u{9b}31m\u{202e}\u{feff}b";
    let text = place.fjson("stats --format json").stdin(format!("{{\"{key}\": 1}}")).stdout();
    assert!(text.contains(r#""a\u007f\u009b31m\u202e\ufeffb""#), "{text}");
    let stats: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(stats["keys"]["frequent"][0]["key"], key);
}
