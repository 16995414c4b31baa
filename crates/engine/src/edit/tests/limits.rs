//! Edits that make a document much larger.

#![forbid(unsafe_code)]

use crate::edit::Edits;
use crate::error::ErrorKind;
use crate::options::Options;

/// The limit on memory.
const MOST: u64 = 1 << 20;

/// Applies a patch to a small document. Returns the length of the result, or the number of the edit that failed, and the kind of its error.
fn apply(patch: &str) -> Result<usize, (Option<usize>, ErrorKind)> {
    let mut edits = Edits::new();
    edits.patch(patch).expect("a patch");
    let mut edited = Vec::new();
    let result = edits.apply(r#"{"x": [1]}"#, &mut edited, &Options::new().max_memory(MOST));
    result.map(|_| edited.len()).map_err(|error| (error.edit(), error.error().kind()))
}

/// Operations that copy a value to new members of the root.
fn copies(from: &str, count: usize) -> String {
    let operations = (0..count).map(|number| format!(r#"{{"op": "copy", "from": "{from}", "path": "/{number}"}}"#));
    format!("[{}]", operations.collect::<Vec<_>>().join(","))
}

/// Each copy of a document into itself doubles it.
#[test]
fn copies_of_copies_are_limited() {
    assert!(apply(&copies("", 10)).is_ok_and(|length| length > 5 << 10));
    let (edit, kind) = apply(&copies("", 60)).unwrap_err();
    assert_eq!(kind, ErrorKind::MemoryLimit);
    assert!(edit.is_none_or(|edit| edit < 20), "{edit:?}");
}

#[test]
fn a_long_result_is_an_error() {
    let long = format!(r#"{{"op": "add", "path": "/x", "value": "{}"}}"#, "y".repeat(100_000));
    let patch = |count| copies("/x", count).replacen('[', &format!("[{long},"), 1);
    assert!(apply(&patch(9)).is_ok_and(|length| length > 900_000));
    assert_eq!(apply(&patch(20)).map_err(|(_, kind)| kind), Err(ErrorKind::MemoryLimit));
    assert_eq!(apply(&patch(10)).map_err(|(_, kind)| kind), Err(ErrorKind::MemoryLimit));
}
