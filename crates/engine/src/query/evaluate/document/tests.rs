//! Tests of navigation in a valid document, and in a text that has changed.

#![forbid(unsafe_code)]

use super::Child;
use super::ValidatedDocument;
use crate::kernel::Isa;
use crate::query::evaluate::index::EvaluationState;

#[test]
fn ends_of_values_are_found() {
    let state = EvaluationState::default();
    for (text, end) in [
        ("1", 1),
        (" 1", 2),
        ("-1.5e3,", 6),
        ("true]", 4),
        (r#""a\"\\"x"#, 7),
        (r#"[[],{"]":"\\]"}]x"#, 16),
        ("{}}", 2),
    ] {
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        assert_eq!(document.end(document.root()), end, "{text}");
    }
    assert_eq!(ValidatedDocument::new(b"[[1,\"]\"]],2", Isa::detect(), &state).close_levels(2, 2), 9);
    assert!(!state.has_changed());
}

fn children(text: &str) -> Vec<Child> {
    let state = EvaluationState::default();
    let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
    let mut children = document.children(document.root()).expect("a container");
    let mut list = Vec::new();
    while let Some(child) = children.next(document) {
        children.skip_to(document.end(child.start));
        list.push(child);
    }
    assert_eq!(children.offset(), text.len());
    assert_eq!(usize::try_from(document.count(document.root())), Ok(list.len()));
    assert!(!document.has_changed());
    list
}

#[test]
fn children_are_listed() {
    assert_eq!(children(" [ ]"), []);
    assert_eq!(children("{}"), []);
    let child = |start, index, name| Child { start, index, name };
    assert_eq!(children("[1 , [2,3],\"]\"]"), [child(1, 0, None), child(5, 1, None), child(11, 2, None)]);
    let members = [child(5, 0, Some(2..3)), child(16, 1, Some(8..11)), child(21, 2, Some(19..19))];
    assert_eq!(children(r#"{"a":1,"b\"" :  1,"":2}"#).len(), members.len());
}

#[test]
fn keys_before_values_are_found() {
    for (text, name) in [
        (r#"{"a":1}"#, "a"),
        (r#"{"":1}"#, ""),
        ("{\"a b\" \n: 1}", "a b"),
        (r#"{"x":"y","a\"b":1}"#, r#"a\"b"#),
        (r#"{"x\\":"\\","\\\\":1}"#, r"\\\\"),
        (r#"{"\\\"":1}"#, r#"\\\""#),
    ] {
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        let start = text.find('1').expect("the value");
        assert_eq!(document.slice(document.name_before(start)), name.as_bytes(), "{text}");
        assert!(!document.has_changed());
    }
}

/// Invalid text is detected. From then on, every operation returns immediately.
#[test]
fn changes_of_the_text_are_detected() {
    for text in [
        "[,",
        "[,]",
        "[1,]",
        "[1",
        "[1 2]",
        "[1:2]",
        "[}",
        "[\0",
        "[\0]",
        "[:::",
        "[\"",
        "[\"]",
        "[\"\\\"]",
        "[[",
        "[a",
        "{:",
        "{:1}",
        "{\"a",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{\"a\":1",
        "{1",
        "{1:1}",
        "{]",
        "{\"",
    ] {
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        assert!(document.count(0) < 3 && state.has_changed(), "{text}");
        for offset in 0..=text.len() {
            assert_eq!(document.end(offset), text.len());
            assert_eq!(document.close_levels(offset, 1), text.len());
            assert_eq!(document.name_before(offset), 0..0);
        }
    }
    for text in ["", "[[", "[\"", "\"\\", "\"", "\0", ",", "{"] {
        let state = EvaluationState::default();
        ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state).end(0);
        assert!(state.has_changed(), "{text}");
    }
    for text in ["", "1", ":", "\"a", "\"a\"", "\"a\"1", "a\":", "\"a\\\":", "a\\\":", ":\"\":\"\\\":"] {
        let state = EvaluationState::default();
        ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state).name_before(text.len());
        assert!(state.has_changed(), "{text}");
    }
    // Offsets in the middle of another value.
    for (text, offset) in [("[111]", 2), ("[\"abc\"]", 2), ("[\"a\\\"b\"]", 4), ("[true]", 2), ("[ ]", 1), ("[1]", 9)] {
        let state = EvaluationState::default();
        ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state).end_of_match(offset);
        assert!(state.has_changed(), "{text}");
    }
}
