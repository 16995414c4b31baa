//! JSONTestSuite: 95 documents to accept, 188 to reject, 35 on which RFC 8259 leaves the choice.

use std::collections::BTreeMap;
use std::fs;

use proof::check;
use proof::reader;
use proof::suites;
use proof::suites::Files;

use crate::everywhere;

/// The files with this prefix, of which there must be `count`.
fn group(initial: &str, count: usize) -> Option<Files> {
    let mut files = suites::part("json-test-suite", "test_parsing/")?;
    files.retain(|name, _| name.starts_with(initial));
    assert_eq!(files.len(), count, "files {initial}*");
    Some(files)
}

#[test]
fn accepted() {
    for (name, text) in group("y_", 95).into_iter().flatten() {
        assert_eq!(reader::read(&text, None), Ok(()), "{name}");
        everywhere::agrees(&text);
    }
}

#[test]
fn rejected() {
    for (name, text) in group("n_", 188).into_iter().flatten() {
        assert!(reader::read(&text, None).is_err(), "{name}");
        everywhere::agrees(&text);
    }
}

/// Each of these files has a decision and a reason in `corpus/decisions.json`.
#[test]
fn decided() {
    let text = fs::read(suites::root().join("corpus/decisions.json")).expect("corpus/decisions.json");
    let groups: Vec<serde_json::Value> = serde_json::from_slice(&text).expect("an array");
    let mut decisions = BTreeMap::new();
    for group in &groups {
        let accept = group["verdict"] == "accept";
        assert!(accept || group["verdict"] == "reject" && group["reason"].is_string());
        for name in group["files"].as_array().expect("names") {
            let twice = decisions.insert(name.as_str().expect("a name"), accept);
            assert!(twice.is_none(), "{name} is decided twice");
        }
    }
    assert_eq!(decisions.len(), 35);
    for (name, text) in group("i_", 35).into_iter().flatten() {
        assert_eq!(reader::read(&text, None).is_ok(), decisions[name.as_str()], "{name}");
        everywhere::agrees(&text);
    }
}

/// Every file with each of its bytes removed, or replaced by another.
#[test]
fn damaged() {
    const INSTEAD: &[u8] = b"\"\\[]{},:-+.0eEtn \n\x00\x80\xc3\xff";
    const LONGEST: usize = 200;
    let files = suites::part("json-test-suite", "test_parsing/").into_iter().flatten();
    for (_, text) in files.filter(|(_, text)| text.len() <= LONGEST) {
        for at in 0..text.len() {
            let (before, after) = (&text[..at], &text[at + 1..]);
            check::document(&[before, after].concat());
            for &byte in INSTEAD {
                check::document(&[before, &[byte], after].concat());
            }
        }
    }
}

/// Documents that parsers read differently; here only their validity matters.
#[test]
fn transformed() {
    let Some(files) = suites::part("json-test-suite", "test_transform/") else { return };
    for text in files.values() {
        everywhere::agrees(text);
    }
}
