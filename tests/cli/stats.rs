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

const USERS: &str = r#"{"users":[
 {"id":1,"name":"Ada Lovelace","tags":["a","b"],"score":0.5,"active":true,"address":{"city":"London","geo":[51.5,-0.1]}},
 {"id":20,"name":"Grace","tags":[],"score":12,"active":false,"address":null},
 {"id":300,"name":"","first name":"\u001b[31mred","score":null,"active":true,"address":{"city":"Zürich"}}],
 "page":{"next":null},"prices":{"2024-01-01":1.5}}"#;

#[test]
fn paths() {
    let place = Place::new();
    place.file("users.json", USERS);
    assert_shows!(place.fjson("stats --paths users.json"));
    assert_shows!(place.fjson("stats --paths --levels 1 --format json users.json"));
    let text = place.fjson("stats --paths --format json users.json").stdout();
    let structure: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let paths: Vec<_> = structure["paths"].as_array().expect("an array").iter().map(|place| &place["path"]).collect();
    assert_eq!(paths.len(), 18, "{paths:?}");
    assert!(text.contains(r#""example":"\u001b[31mred""#), "{text}");
    // The paths are expressions.
    for path in paths {
        let path = path.as_str().expect("a string");
        assert_eq!(place.fjson_with(["query", "--count", path, "users.json"]).status(), Some(0), "{path}");
    }
    assert_shows!(place.fjson("stats --paths --stream").stdin(""));
}

#[test]
fn paths_of_maps() {
    let place = Place::new();
    let members = |range: std::ops::Range<usize>| {
        let members: Vec<_> = range.map(|index| format!("\"id-{index}\":{{\"n\":{index},\"s\":\"x\"}}")).collect();
        members.join(",")
    };
    place.file("map.json", format!("{{\"ids\":{{{}}}}}", members(0..2000)));
    assert_shows!(place.fjson("stats --paths map.json"));
    place.file("small.json", format!("{{\"ids\":{{{}}}}}", members(0..30)));
    let rows = |options: &str| place.fjson(&format!("stats --paths small.json {options}")).stdout().lines().count();
    assert_eq!((rows(""), rows("--max-keys 20")), (3 + 2 + 90, 3 + 5 + 3));
}

/// The same from a pipe, from a mapped and a compressed file, on any number of threads.
#[test]
fn paths_do_not_depend_on_the_input_method() {
    let place = Place::new();
    let record =
        |index: usize| format!("{{\"id\":{index},\"m\":{{\"k{}\":[{{\"x\":{}.5}}]}}}}\n", index % 70, index % 7);
    let text: String = (0..40_000).map(record).collect();
    place.file("a.jsonl", &text);
    let expected = place.fjson("stats --paths --format json a.jsonl --threads 1").stdout();
    assert!(expected.contains("$.m.*[*].x"));
    for line in ["a.jsonl", "a.jsonl --threads 3", "a.jsonl --no-mmap", "a.jsonl --kernel portable"] {
        assert_eq!(place.fjson(&format!("stats --paths --format json {line}")).stdout(), expected, "{line}");
    }
    assert_eq!(place.fjson("stats --paths --format json --lines").stdin(text.as_str()).stdout(), expected);
    place.fjson("gzip -k a.jsonl").output();
    if place.names().contains(&"a.jsonl.gz".to_owned()) {
        let got = place.fjson("stats --paths --format json a.jsonl.gz").stdout();
        let rest = |text: &str| text.split_once("\"paths\"").map(|(_, rest)| rest.to_owned());
        assert_eq!(rest(&got), rest(&expected));
    }
    let array = format!("[{}]", text.trim_end().replace('\n', ","));
    place.file("a.json", array);
    let one = place.fjson("stats --paths a.json --threads 1").stdout();
    assert_eq!(place.fjson("stats --paths a.json --threads 3").stdout(), one);
}

#[test]
fn paths_of_bad_inputs() {
    let place = Place::new();
    place.file("bad.json", "{\"a\": [1, 2, x]}");
    place.file("good.json", "{\"a\": [3], \"b\": []}");
    assert_shows!(place.fjson("stats --paths bad.json missing.json good.json"));
    assert_shows!(place.fjson("stats --paths --top 3 good.json"));
    assert_shows!(place.fjson("stats --levels 3 good.json"));
    assert_shows!(place.fjson("stats --paths --levels 300 good.json"));
}

#[test]
fn inferred_schemas() {
    let place = Place::new();
    place.file("users.json", USERS);
    assert_shows!(place.fjson("stats --infer-schema users.json"));
    assert_shows!(place.fjson("stats --infer-schema --strictness strict --levels 2 users.json"));
    assert_shows!(place.fjson("stats --infer-schema --strictness loose --levels 1 users.json"));
    assert_shows!(place.fjson("stats --infer-schema --format json users.json"));
    assert_shows!(place.fjson("stats --paths --strictness strict users.json"));
}

/// Schemas of several files and of records accept each of them. What is bad in an input is reported as without the option.
#[test]
fn inferred_schemas_accept_their_inputs() {
    let place = Place::new();
    place.file("a.json", r#"{"id": 1, "day": "2024-12-31"}"#);
    place.file("b.jsonc", r#"{"id": "x", "more": [/* none */]}"#);
    let records = |range: std::ops::Range<usize>| -> String {
        let record = |index: usize| format!("{{\"id\": {index}, \"k{}\": null}}\n", index % 70);
        range.map(record).collect::<Vec<_>>().concat()
    };
    place.file("c.jsonl", records(0..5000));
    place.file("d.jsonl", records(5000..5100));
    for strictness in ["loose", "normal", "strict"] {
        let schema = place.fjson(&format!("stats --infer-schema --strictness {strictness} a.json b.jsonc c.jsonl"));
        place.file("s.json", schema.stdout());
        assert_eq!(place.fjson("validate --check-schema s.json").status(), Some(0));
        assert_eq!(place.fjson("validate --schema s.json a.json b.jsonc c.jsonl").status(), Some(0), "{strictness}");
        let is_strict = strictness == "strict";
        assert_eq!(place.fjson("validate --schema s.json d.jsonl").status(), Some(i32::from(is_strict)));
    }
    place.file("bad.json", "{\"id\": [1, 2, x]}");
    let output = place.fjson("stats --infer-schema bad.json a.json");
    assert_shows!(output);
}
