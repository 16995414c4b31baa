//! Edits of JSON with comments: which comments stay, where new items are put, and random edits beside a model.

#![forbid(unsafe_code)]

use proof::comments::sprinkle;
use proof::random::Random;
use proof::random::numbered_rounds;
use proof::random::rounds;

use super::edits;
use super::model;
use crate::document::Parser;
use crate::edit::EditError;
use crate::edit::Edits;
use crate::input::Input;
use crate::input::blank_comments;
use crate::options::Framing;
use crate::options::Options;

fn apply(edits: &Edits, text: &str, size: usize) -> Result<String, EditError> {
    let mut edited = Vec::new();
    let summary = edits.apply_with_comments(Input::in_pieces(text.as_bytes(), size), &mut edited, &Options::new())?;
    assert_eq!(summary.changed, u64::from(edited != text.as_bytes()));
    Ok(String::from_utf8(edited).expect("UTF-8"))
}

/// The text with spaces for its comments, and their number.
fn blank(text: &str) -> (String, usize) {
    let mut blank = text.as_bytes().to_vec();
    let count = blank_comments(&mut blank);
    (String::from_utf8(blank).expect("UTF-8"), count)
}

/// Texts, edits, and texts with these edits.
#[test]
fn comments_outside_of_changes_stay() {
    for (text, words, expected) in [
        // Values and keys.
        ("// a\n[1 /* b */, // c\n]// d", &["set", "/0", "2"][..], "// a\n[2 /* b */, // c\n]// d"),
        ("{/*a*/\"x\"/*b*/:/*c*/1/*d*/}", &["rename", "/x", "y"], "{/*a*/\"y\"/*b*/:/*c*/1/*d*/}"),
        ("{\"a\": {// x\n}}", &["set", "/a", "0"], "{\"a\": 0}"),
        ("[ // x\r\n]", &["append", "", "1"], "[ // x\r\n1\r\n]"),
        // Deleted items take the comments on their line with them.
        (
            "{\n  // of a\n  \"a\": 1, // one\n  // of b\n  /* x */ \"b\": 2, // two\n  // of c\n  \"c\": 3 // three\n}",
            &["delete", "/b"],
            "{\n  // of a\n  \"a\": 1, // one\n  // of b\n  // of c\n  \"c\": 3 // three\n}",
        ),
        (
            "{\n  // of a\n  \"a\": 1, // one\n  // of b\n  \"b\": 2 // two\n  // end\n}",
            &["delete", "/b"],
            "{\n  // of a\n  \"a\": 1 // one\n  // of b\n  // end\n}",
        ),
        (
            "{ // all\n  // of a\n  \"a\": 1, // one\n  \"b\": 2,\n}",
            &["delete", "/a"],
            "{ // all\n  // of a\n  \"b\": 2,\n}",
        ),
        ("{\n  // of a\n  \"a\": 1, // one\n}", &["delete", "/a"], "{\n  // of a\n}"),
        ("{ // all\n  \"a\": 1\n}", &["delete", "/a"], "{ // all\n}"),
        ("{\n  \"a\": 1, // one\n}", &["delete", "/a"], "{}"),
        ("[1, /* two */ 2, /* three */ 3 /* all */]", &["delete", "/1"], "[1, /* three */ 3 /* all */]"),
        ("[1, /* two */ 2 /* all */]", &["delete", "/1"], "[1]"),
        ("[1,2,/* end */]", &["delete", "/1"], "[1,/* end */]"),
        ("[1, // one\n 2]", &["delete", "/1"], "[1 // one\n]"),
        ("[\n // one\n 1, 2]", &["delete", "/0"], "[\n // one\n 2]"),
        // New items.
        ("{\n  \"a\": 1, // one\n  // end\n}", &["set", "/b", "2"], "{\n  \"a\": 1, // one\n  \"b\": 2,\n  // end\n}"),
        ("{\n  \"a\": 1 // one\n}", &["set", "/b", "2"], "{\n  \"a\": 1, // one\n  \"b\": 2\n}"),
        ("[1, 2,]", &["append", "", "3"], "[1, 2, 3,]"),
        ("[1, 2 // two\n]", &["append", "", "3"], "[1, 2, // two\n3\n]"),
        ("[1 /* one */]", &["append", "", "2"], "[1, /* one */ 2]"),
        (
            "[ // all\n  // of 1\n  1, // one\n  // of 2\n  2\n]",
            &["insert", "/1", "9", "insert", "/0", "8"],
            "[ // all\n  8,\n  // of 1\n  1, // one\n  9,\n  // of 2\n  2\n]",
        ),
        ("[\n  /* x */ 1\n]", &["append", "", "2"], "[\n  /* x */ 1,\n  2\n]"),
        ("{\"a\": /* x */ 1}", &["set", "/b", "2"], "{\"a\": /* x */ 1, \"b\": 2}"),
        // Empty containers.
        ("{ /* none */ }", &["set", "/a", "1"], "{ /* none */ \"a\": 1 }"),
        ("[\n  // none\n]", &["append", "", "1", "append", "", "2"], "[\n  // none\n  1,\n  2\n]"),
        ("{\n\t\"a\": [ // none\n\t]\n}", &["append", "/a", "1"], "{\n\t\"a\": [ // none\n\t\t1\n\t]\n}"),
        ("[ // none\n]", &["append", "", "1"], "[ // none\n1\n]"),
        ("[/**/]", &["append", "", "1", "delete", "/0"], "[/**/]"),
        // Values that are moved keep theirs.
        (
            "{\n  \"a\": [1], \"b\": {\n    // x\n    \"c\": 2, // y\n  }\n}",
            &["move", "/b", "/a/-"],
            "{\n  \"a\": [1, {\n    // x\n    \"c\": 2, // y\n  }]\n}",
        ),
        (
            "{\n  \"a\": { // x\n    \"c\": 2\n  }\n}",
            &["copy", "/a", "/b", "set", "/b/c", "3", "test", "/b", "{\"c\": 3}"],
            "{\n  \"a\": { // x\n    \"c\": 2\n  },\n  \"b\": { // x\n    \"c\": 3\n  }\n}",
        ),
        (
            "{\n  // of a\n  \"a\": 1, // one\n  \"b\": {}, // two\n}",
            &["merge", "{\"a\": null, \"b\": {\"c\": 3}, \"d\": 4}"],
            "{\n  // of a\n  \"b\": {\n    \"c\": 3\n  }, // two\n  \"d\": 4,\n}",
        ),
    ] {
        for size in [0, 1] {
            let edited = apply(&edits(words), text, size).map_err(|error| error.to_string());
            assert_eq!(edited.as_deref(), Ok(expected), "{text} {words:?}");
        }
    }
}

/// Edits that see those before them read their text again.
#[cfg(feature = "query")]
#[test]
fn comments_stay_between_edits() {
    let words = ["append", "$.a", "2", "set", "$.a[?@ == 2]", "3", "delete", "$..[?@ == 1]"];
    let edited = apply(&edits(&words), "{\"a\": [ // x\n  1, // one\n], /* y */ }", 0).expect("edits");
    assert_eq!(edited, "{\"a\": [ // x\n  3,\n], /* y */ }");
}

#[test]
fn records_with_comments() {
    let edits = edits(&["set", "/b", "2", "delete", "/a"]);
    for (framing, text, expected) in [
        (
            Framing::Lines,
            "// x\n{\"a\": 1, /* y */ \"c\": 3} // z\n\n/* { */ {\"a\": 1} /* } */\n",
            "// x\n{ /* y */ \"c\": 3, \"b\": 2} // z\n\n/* { */ {\"b\": 2} /* } */\n",
        ),
        (Framing::Stream, "{\"a\": 1,}/**/{// x\n\"a\": 1}", "{\"b\": 2,}/**/{// x\n\"b\": 2}"),
    ] {
        for size in [0, 1] {
            let mut edited = Vec::new();
            let input = Input::in_pieces(text.as_bytes(), size);
            let options = Options::new().framing(framing);
            let summary = edits.apply_with_comments(input, &mut edited, &options).expect("edits");
            assert_eq!(String::from_utf8_lossy(&edited), expected);
            assert_eq!((summary.changed, summary.read.bytes), (2, text.len() as u64));
        }
    }
}

/// A text with random comments.
fn sprinkled(text: &str, random: &mut Random) -> String {
    String::from_utf8(sprinkle(random, text.as_bytes())).expect("UTF-8")
}

/// Edits have the effect that they have without comments.
#[test]
fn edits_among_comments_agree_with_a_model() {
    numbered_rounds(800, |seed, random| {
        let (text, mut model) = model::document(random, seed % 3);
        let text = sprinkled(&text, random);
        let (edits, is_possible) = model::random_edits(&mut model, random, seed % 3 == 1);
        let edited = apply(&edits, &text, 0);
        assert_eq!(edited.is_ok(), is_possible, "{text} {edits:?} {edited:?}");
        let Ok(edited) = edited else { return };
        let found = serde_json::from_str::<serde_json::Value>(&blank(&edited).0);
        let found = found.unwrap_or_else(|error| panic!("{error}: {text} {edits:?} {edited}"));
        assert_eq!(found, model, "{text} {edits:?} {edited}");
    });
}

/// Replacements leave all other bytes, and new items that are deleted again leave all but whitespace at the ends of lines, and comments on
/// the line of the item, which are then those of the item.
#[test]
fn changes_among_comments_are_taken_back() {
    rounds(600, |random| {
        let (text, root) = model::document(random, 2);
        let text = sprinkled(&text, random);
        let (plain, comments) = blank(&text);
        let at = model::pointer(&root, random);
        let Some(old) = root.pointer(&at) else { return };
        let mut parser = Parser::new();
        let range = parser.document(plain.as_bytes()).expect("valid").pointer(&at).expect("a value").range();
        let edited = apply(&edits(&["set", &at, "[7]"]), &text, 0).expect("changed");
        assert_eq!(edited, format!("{}[7]{}", &text[..range.start], &text[range.end..]));
        let place = match old {
            serde_json::Value::Array(elements) if !elements.is_empty() => random.below(elements.len() + 1).to_string(),
            serde_json::Value::Object(members) if !members.is_empty() => "new".to_owned(),
            _ => return,
        };
        let place = format!("{at}/{place}");
        let edited = apply(&edits(&["insert", &place, "7"]), &text, 0).expect("changed");
        assert_eq!(blank(&edited).1, comments, "{text} {place} {edited}");
        let new =
            parser.document(blank(&edited).0.as_bytes()).expect("valid").pointer(&place).expect("a value").start();
        let line = edited[..new].rfind('\n').map_or(0, |end| end + 1);
        if edited[line..].lines().next().is_some_and(|line| line.contains('/')) {
            return;
        }
        let back = apply(&edits(&["delete", &place]), &edited, 0).expect("changed");
        let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&back), lines(&text), "{place} {edited}");
    });
}
