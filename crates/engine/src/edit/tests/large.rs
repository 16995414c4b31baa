//! Edits of documents of which only a skeleton is held in memory, beside the same edits of whole documents.

#![forbid(unsafe_code)]

use proof::random::numbered_rounds;
use serde_json::json;

use super::edits;
use super::model;
use crate::edit::EditError;
use crate::edit::EditSummary;
use crate::edit::Edits;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::options::Options;

/// What becomes of a document: the new text and what has changed, or the error.
pub(super) fn outcome(result: Result<EditSummary, EditError>, text: &[u8]) -> String {
    match result {
        Ok(summary) => format!("{summary:?} {}", String::from_utf8_lossy(text)),
        Err(error) => {
            let place = (error.edit(), error.error().kind(), error.error().offset(), error.error().position());
            format!("{place:?} {error} {:?} {:?}", error.error().help(), error.error().pointer())
        }
    }
}

/// Whether the edits can be made in a skeleton. Then the result is that of making them in the whole document.
fn is_the_same(edits: &Edits, text: &str, options: &Options) -> bool {
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    let result = edits.apply_to_skeleton(&Input::from(text), &mut parts, options).transpose();
    let Some(result) = result else {
        assert!(parts.is_empty());
        return false;
    };
    let expected = edits.apply(text, &mut whole, options);
    assert_eq!(outcome(result, &parts), outcome(expected, &whole), "{edits:?} {text}");
    true
}

#[test]
fn edits_of_a_skeleton_are_those_of_the_document() {
    let (mut made, mut left) = (0, 0);
    numbered_rounds(1500, |seed, random| {
        let mut root = json!({"k": 0});
        for key in ["a", "b", "c", "v"] {
            let count = random.below(14);
            root[key] = match random.below(3) {
                0 => (0..count).map(|_| model::value(random, 2)).collect(),
                1 => (0..count).map(|number| (format!("k{number}"), model::value(random, 1))).collect(),
                _ => model::value(random, 3),
            };
        }
        let text = format!(" {}\n", model::laid_out(&root, random, seed % 3));
        let (edits, _) = model::random_edits(&mut root, random, seed % 3 == 1);
        if is_the_same(&edits.parents(random.below(4) == 0), &text, &Options::new()) { made += 1 } else { left += 1 }
    });
    assert!(made + left < 1500 || (made > 500 && left > 50), "{made} {left}");
}

#[test]
fn holes_are_filled_again() {
    let elements = (0..40).map(|number| format!("{{\"id\": {number}}}")).collect::<Vec<_>>().join(",\n    ");
    let text = format!("{{\n  \"log\": [\n    {elements}\n  ],\n  \"s\": \"{}\"\n}}\n", "x".repeat(99));
    for (words, is_made) in [
        (&["set", "/log/30/id", "null"][..], true),
        (&["delete", "/log/39", "append", "/log", "7", "insert", "/log/0", "[]"], true),
        (&["test", "/log/20", "{\"id\": 20}", "move", "/log/20", "/new"], true),
        (&["delete", "/s", "rename", "/log", "entries"], true),
        (&["merge", "{\"s\": null, \"t\": {\"log\": 1}}"], true),
        (&["set", "/log/40", "1"], true),
        (&["set", "/log/x", "1"], true),
        (&["test", "/log/3/id", "4"], true),
        (&["missing", "delete", "/nothing"], true),
        // What another edit has moved.
        (&["rename", "/log", "l", "delete", "/l/5"], false),
        (&["delete", "/log/5", "delete", "/log/0", "delete", "/log/0", "delete", "/log/9"], false),
        (&["copy", "", "/log/2"], false),
    ] {
        assert_eq!(is_the_same(&edits(words), &text, &Options::new()), is_made, "{words:?}");
    }
    // Limits and errors of the document.
    let delete = edits(&["delete", "/log/5"]);
    assert!(is_the_same(&delete, &text[..text.len() - 3], &Options::new()));
    assert!(is_the_same(&delete, &text.replace("\"id\": 20", "\"id\": 2 0"), &Options::new()));
    assert!(!is_the_same(&delete, &text, &Options::new().max_memory(20)));
    let too_long = delete.apply(&text, &mut Vec::new(), &Options::new().max_memory(20)).expect_err("a limit");
    assert_eq!(too_long.error().kind(), ErrorKind::MemoryLimit);
}
