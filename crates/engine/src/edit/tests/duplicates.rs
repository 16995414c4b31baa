//! Queries in documents whose objects have several members with the same key.

#![forbid(unsafe_code)]

use super::apply;
use super::edits;

const TEXT: &str = r#"{"b": [{"a": 1, "\u0061": 2, "c": {"a": 3}}], "d": 4}"#;

/// What a name selects is the first of them, so the others would stay as they are.
#[test]
fn names_that_several_members_have_are_refused() {
    for path in ["$.b[*].a", "$.b[0]['a', 'c']", "$..c.a", "$.b[*].a.x"] {
        let error = apply(
            &edits(&["parents", "missing", "delete", path]),
            &TEXT.replace("1,", "{\"x\": 1},").replace('3', "[]"),
        );
        match path {
            "$..c.a" => assert!(error.is_ok(), "{path}"),
            _ => assert!(error.unwrap_err().to_string().contains("the first of several members `a`"), "{path}"),
        }
    }
}

#[test]
fn all_of_them_can_be_selected() {
    for (path, expected) in [
        ("$..a", r#"{"b": [{"c": {}}], "d": 4}"#),
        ("$.b[0].*", r#"{"b": [{}], "d": 4}"#),
        ("$.b[*][?@ == 2]", r#"{"b": [{"a": 1, "c": {"a": 3}}], "d": 4}"#),
        ("$.b[*].c", r#"{"b": [{"a": 1, "\u0061": 2}], "d": 4}"#),
        ("$.d", r#"{"b": [{"a": 1, "\u0061": 2, "c": {"a": 3}}]}"#),
    ] {
        assert_eq!(apply(&edits(&["delete", path]), TEXT).expect("an edit"), expected, "{path}");
    }
}
