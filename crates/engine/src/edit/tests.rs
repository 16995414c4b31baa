//! Edits of single texts: their layout, their errors, and inputs of several documents.

#![forbid(unsafe_code)]

mod batches;
mod comments;
mod duplicates;
mod large;
mod limits;
mod model;
#[cfg(feature = "query")]
mod queries;

use super::Edits;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;

fn apply(edits: &Edits, text: &str) -> Result<String, super::EditError> {
    let mut edited = Vec::new();
    let summary = edits.apply(text, &mut edited, &Options::new())?;
    assert_eq!(summary.changed, u64::from(edited != text.as_bytes()));
    Ok(String::from_utf8(edited).expect("UTF-8"))
}

/// Edits as they are given on a command line: their names and operands, one after the other.
fn edits(words: &[&str]) -> Edits {
    let mut edits = Edits::new().parents(words.contains(&"parents")).missing_ok(words.contains(&"missing"));
    let mut words = words.iter().filter(|word| !["parents", "missing"].contains(word));
    while let Some(name) = words.next() {
        let first = words.next().expect("an operand");
        let mut second = || words.next().expect("an operand");
        match *name {
            "set" => edits.set(first, second()),
            "insert" => edits.insert(first, second()),
            "append" => edits.append(first, second()),
            "delete" => edits.delete(first),
            "rename" => edits.rename(first, second()),
            "move" => edits.move_to(first, second()),
            "copy" => edits.copy_to(first, second()),
            "test" => edits.test(first, second()),
            "merge" => edits.merge(first),
            "patch" => edits.patch(first),
            _ => panic!("{name}"),
        }
        .expect("an edit");
    }
    edits
}

/// Texts, edits, and texts with these edits.
#[test]
fn layouts_stay() {
    for (text, words, expected) in [
        // A replacement.
        (" {\"a\" : 1.10 , \"b\":2}\r\n", &["set", "/b", "1e3"][..], " {\"a\" : 1.10 , \"b\":1e3}\r\n"),
        ("1\n", &["set", "", "[1,\n  2]"], "[1,\n  2]\n"),
        ("[[\r\n], 1]\n", &["set", "/1", "[2,\n  3]"], "[[\r\n], [2,\r\n  3]]\n"),
        // What is around a document is not always there when it is changed.
        ("1\r\n", &["set", "", "[1,\n  2]"], "[1,\n  2]\r\n"),
        // A value is joined to stay on the line.
        ("{\"a\": 1}", &["set", "/a", "{\"b\":\n1,\n\"c\":\n2}"], "{\"a\": {\"b\": 1, \"c\": 2}}"),
        ("{\"a\":1}", &["set", "/a", "{\"b\":\n1,\n\"c\":\n2}"], "{\"a\":{\"b\":1,\"c\":2}}"),
        // New members and elements.
        ("{\"a\":1}", &["set", "/b", "2"], "{\"a\":1,\"b\":2}"),
        ("{ \"a\": 1 }", &["set", "/b", "2"], "{ \"a\": 1, \"b\": 2 }"),
        (
            "{\r\n\t\"a\": [1, 2],\r\n\t\"b\" : 3\r\n}",
            &["set", "/a/-", "3", "set", "/c\"", "4"],
            "{\r\n\t\"a\": [1, 2, 3],\r\n\t\"b\" : 3,\r\n\t\"c\\\"\": 4\r\n}",
        ),
        ("[ 1,2 ]", &["insert", "/0", "0"], "[ 0,1,2 ]"),
        ("[\n 1,\n 2 ]", &["insert", "/1", "9", "insert", "/0", "8"], "[\n 8,\n 1,\n 9,\n 2 ]"),
        ("[\n\n    1\n]", &["append", "", "2"], "[\n\n    1,\n    2\n]"),
        ("[ ]", &["append", "", "2", "append", "", "3"], "[2, 3]"),
        (
            "{\n  \"a\": {}, \"b\": [ ]\n}",
            &["set", "/a/x", "1", "set", "/b/-", "2", "set", "/b/-", "{}"],
            "{\n  \"a\": {\n    \"x\": 1\n  }, \"b\": [\n    2,\n    {}\n  ]\n}",
        ),
        ("{\n\t\"a\": [{}, {\"b\": 1}]\n}", &["set", "/a/0/b", "0"], "{\n\t\"a\": [{\"b\": 0}, {\"b\": 1}]\n}"),
        ("{\"a\":{}}", &["parents", "set", "/a/b/c/-", "1"], "{\"a\":{\"b\":{\"c\":[1]}}}"),
        ("{\n  \"a\": 1\n}\n", &["parents", "set", "/b/c", "1"], "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 1\n  }\n}\n"),
        // Deleted ones.
        ("{\"a\": 1, \"b\": 2, \"c\": 3}", &["delete", "/b"], "{\"a\": 1, \"c\": 3}"),
        ("{ \"a\": 1 , \"b\": 2 }", &["delete", "/b"], "{ \"a\": 1 }"),
        ("[ 1 ,\n 2 ]", &["delete", "/0"], "[ 2 ]"),
        ("[\n  1,\n  2,\n  3\n]", &["delete", "/2", "delete", "/0"], "[\n  2\n]"),
        ("{\n  \"a\": 1\n}", &["delete", "/a"], "{}"),
        ("{\n  \"a\": 1\n}", &["delete", "/a", "set", "/b", "2"], "{\n  \"b\": 2\n}"),
        // Values on several lines.
        (
            "{\n  \"a\": {\n    \"b\": 1\n  }\n}",
            &["set", "/a/c", "{\n  \"d\": [\n    1\n  ]\n}"],
            "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\n      \"d\": [\n        1\n      ]\n    }\n  }\n}",
        ),
        ("{\r\n\t\"a\": 1\r\n}", &["set", "/b", "[\n\t2\n]"], "{\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t2\r\n\t]\r\n}"),
        ("{\"a\":[1]}", &["set", "/a/-", "{\n  \"b\": 2,\n  \"c\":\n3\n}"], "{\"a\":[1,{\"b\": 2,\"c\":3}]}"),
        (
            "{\n \"a\": {\n  \"b\": [\n   1\n  ]\n }\n}",
            &["move", "/a/b", "/b"],
            "{\n \"a\": {},\n \"b\": [\n  1\n ]\n}",
        ),
        // Keys.
        ("{\"a\" :1, \"b\":2}", &["rename", "/a", "é\n"], "{\"é\\n\" :1, \"b\":2}"),
        (
            "{\"\\u0061\":1,\"~\":{\"/\":2}}",
            &["rename", "/a", "a", "set", "/~0/~1", "3"],
            "{\"\\u0061\":1,\"~\":{\"/\":3}}",
        ),
        (
            "{\"a\": {\"b\": 1}}",
            &["copy", "/a", "/c", "set", "/c/b", "2", "copy", "/c", "/d", "delete", "/d/b"],
            "{\"a\": {\"b\": 1}, \"c\": {\"b\": 2}, \"d\": {}}",
        ),
        ("[1,2,3]", &["move", "/0", "/2", "move", "/1", "/1"], "[2,3,1]"),
        ("{\"a\":{\"b\":1}}", &["move", "/a/b", ""], "1"),
        // Merges keep what is equal.
        (
            "{\"a\":1.0, \"b\":[ 1 ], \"c\":{\"d\":2}}",
            &["merge", "{\"a\":1,\"b\":[1],\"c\":{\"d\":null,\"e\":{\"f\":null}}}"],
            "{\"a\":1.0, \"b\":[ 1 ], \"c\":{\"e\":{}}}",
        ),
    ] {
        assert_eq!(
            apply(&edits(words), text).map_err(|error| error.to_string()).as_deref(),
            Ok(expected),
            "{text} {words:?}"
        );
    }
}

#[cfg(feature = "query")]
#[test]
fn queries_select_all_matches() {
    for (text, words, expected) in [
        (
            "[{\"a\": 1}, {\"b\": 2}, {\"a\": {\"a\": 3}}]",
            &["set", "$..a", "0"][..],
            "[{\"a\": 0}, {\"b\": 2}, {\"a\": 0}]",
        ),
        ("[{\"a\": 1}, {\"b\": 2}, {\"a\": {\"a\": 3}}]", &["delete", "$..a"], "[{}, {\"b\": 2}, {}]"),
        ("[1,2,3,4,5]", &["delete", "$[?@ > 1 && @ != 4]"], "[1,4]"),
        ("[1,2,3]", &["delete", "$[1]", "set", "$[1]", "9", "insert", "$[*]", "0"], "[0,1,0,9]"),
        ("[[1,[2]],[]]", &["append", "$..[?count(@.*) >= 0]", "7"], ""),
        ("[[1,[2]],[]]", &["append", "$[*]", "7"], "[[1,[2],7],[7]]"),
        (
            "{\"a\":{\"x\":1},\"b\":{\"x\":2}}",
            &["rename", "$.*.x", "y", "test", "$.b.y", "2"],
            "{\"a\":{\"y\":1},\"b\":{\"y\":2}}",
        ),
        ("[1, 2]", &["set", "/0", "5", "delete", "$[?@ == 5]"], "[2]"),
        ("7", &["set", "$", "8"], "8"),
        // Several in one pass, until one sees what the others have changed.
        (
            "{\"a\":[1,2],\"b\":{\"a\":3}}",
            &[
                "set", "$.a[*]", "0", "delete", "$.b.a", "test", "$.a[1]", "0", "append", "$.a", "5", "set", "$.a[2]",
                "6",
            ],
            "{\"a\":[0,0,6],\"b\":{}}",
        ),
    ] {
        let edited = apply(&edits(words), text).ok();
        assert_eq!(edited.as_deref(), (!expected.is_empty()).then_some(expected), "{text} {words:?}");
    }
}

/// A text, edits, the kind of the error, the number of the edit that fails, and the offset and message of the error.
type Refused = (&'static str, &'static [&'static str], ErrorKind, usize, u64, &'static str);

const REFUSED: &[Refused] = &[
    (
        "{\"a\": [1]}",
        &["set", "/a/1", "2"],
        ErrorKind::TargetMissing,
        0,
        6,
        "`/a/1` does not exist: the array at `/a` has 1 element",
    ),
    (
        "{\"a\": [1]}",
        &["delete", "/a/-"],
        ErrorKind::TargetMissing,
        0,
        6,
        "`/a/-` does not exist: the array at `/a` has 1 element",
    ),
    (
        "{\"a\": [1]}",
        &["set", "/a/x", "2"],
        ErrorKind::TargetMissing,
        0,
        6,
        "`/a/x` does not exist: `x` is no index of the array at `/a`",
    ),
    (
        "{\"a\": [1]}",
        &["delete", "/b"],
        ErrorKind::TargetMissing,
        0,
        0,
        "`/b` does not exist: the object has no member `b`",
    ),
    (
        "{\"a\": [1]}",
        &["parents", "set", "/b/c", "1", "set", "/b/c/d", "1"],
        ErrorKind::TargetMissing,
        1,
        0,
        "`/b/c/d` does not exist: `/b/c` is a number",
    ),
    (
        "{\"a\": [1]}",
        &["set", "/b/c", "1"],
        ErrorKind::TargetMissing,
        0,
        0,
        "`/b` does not exist: the object has no member `b`",
    ),
    ("{\"a\": [1]}", &["delete", ""], ErrorKind::TargetUnsuitable, 0, 0, "the root of a document cannot be deleted"),
    (
        "{\"a\": 1, \"\\u0061\": 2}",
        &["set", "/a", "3"],
        ErrorKind::TargetUnsuitable,
        0,
        0,
        "`/a` is the place of several members with the same key",
    ),
    (
        "{\"a\": 1, \"\\u0061\": 2}",
        &["merge", "{\"a\":3}"],
        ErrorKind::TargetUnsuitable,
        0,
        0,
        "the object has several members `a`",
    ),
    (
        "{\"a\": 1, \"b\": 2}",
        &["rename", "/a", "b"],
        ErrorKind::TargetUnsuitable,
        0,
        6,
        "the object has a member `b` already",
    ),
    (
        "[1]",
        &["rename", "/0", "b"],
        ErrorKind::TargetUnsuitable,
        0,
        1,
        "`/0` is no member of an object, so it has no key",
    ),
    (
        "{\"a\": [1]}",
        &["move", "/a", "/a/0"],
        ErrorKind::TargetUnsuitable,
        0,
        6,
        "`/a` cannot be moved into itself, to `/a/0`",
    ),
    (
        "{\"a\": [1]}",
        &["test", "/a/0", "2"],
        ErrorKind::TestFailed,
        0,
        7,
        "`/a/0` differs from the expected value, `2`",
    ),
    (
        "{\"a\": [1]}",
        &["set", "/a/0", "3", "test", "", "[]"],
        ErrorKind::TestFailed,
        1,
        0,
        "the root differs from the expected value, an array",
    ),
    (
        "{\"a\": [1]}",
        &["append", "/a/0", "2"],
        ErrorKind::TargetUnsuitable,
        0,
        7,
        "`/a/0` is a number, expected an array to append to",
    ),
];

/// What cannot be done, and where the reason is.
#[test]
fn edits_are_refused() {
    for &(text, words, kind, edit, offset, message) in REFUSED {
        let text = format!("\n {text}");
        let error = apply(&edits(words), &text).expect_err("it is refused");
        let message = if edit > 0 { format!("edit {}: {message}", edit + 1) } else { message.to_owned() };
        let found = (error.error().kind(), error.edit(), error.error().offset(), error.to_string());
        assert_eq!(found, (kind, Some(edit), offset + 2, message), "{text} {words:?}");
        assert_eq!((error.error().line(), error.error().column()), (Some(2), Some(offset + 2)));
    }
}

#[test]
fn what_is_no_edit() {
    let mut edits = Edits::new();
    edits.set("/a", "1").expect("an edit");
    let path = edits.set("/a~", "1").expect_err("no path");
    assert_eq!((path.edit(), path.error().kind(), path.error().offset()), (Some(1), ErrorKind::InvalidPath, 2));
    let value = edits.set("/a", "1.2.3").expect_err("no value");
    assert_eq!((value.edit(), value.error().kind(), value.error().offset()), (Some(1), ErrorKind::TrailingContent, 3));
    assert_eq!(edits.move_to("a", "").expect_err("no pointer").error().kind(), ErrorKind::InvalidPath);
    for (patch, edit, offset, message) in [
        ("{\"a\":1}", 1, 0, "a JSON Patch is an array of operations"),
        ("[1]", 1, 1, "an operation of a JSON Patch is an object"),
        ("[{\"op\":\"remove\",\"path\":\"\"},{\"path\":\"\"}]", 2, 27, "the operation has no member `op`"),
        ("[{\"op\":\"add\",\"path\":\"\"}]", 1, 1, "the operation has no member `value`"),
        ("[{\"op\":\"move\",\"path\":\"\"}]", 1, 1, "the operation has no member `from`"),
        ("[{\"op\":\"rm\",\"path\":\"\"}]", 1, 7, "found `\"rm\"`, expected an operation of JSON Patch"),
        ("[{\"op\":\"remove\",\"path\":\"a\"}]", 1, 23, "expected a JSON Pointer"),
        ("[{\"op\":\"remove\",\"path\":null}]", 1, 23, "found `null`, expected a JSON Pointer"),
        ("[{\"op\":\"remove\",\"path\":\"/a\",\"op\":\"add\"}]", 1, 28, "the operation has several members `op`"),
    ] {
        let error = edits.patch(patch).expect_err("no patch");
        let found = (error.edit(), error.error().kind(), error.error().offset(), error.to_string());
        assert_eq!(found, (Some(edit), ErrorKind::InvalidPatch, offset, message.to_owned()), "{patch}");
    }
    assert_eq!(edits.len(), 1);
    for (patch, help) in [
        ("{\"op\":\"remove\",\"path\":\"/a\"}", "put the operation into `[` and `]`"),
        ("{\"a\":1}", "if it shows only what changes, it is a merge patch (RFC 7396)"),
    ] {
        assert_eq!(edits.patch(patch).expect_err("no patch").error().help(), Some(help), "{patch}");
    }
}

/// Everything between documents stays, however the input is read.
#[test]
fn inputs_of_several_documents() {
    let edits = edits(&["test", "/id", "1", "set", "/x", "[\n 1,\n 2\n]"]);
    let record = ["{\"id\": 1}", "{ \"id\":1.0,\"s\":\"\\n\" }"];
    let edited = ["{\"id\": 1, \"x\": [1, 2]}", "{ \"id\":1.0,\"s\":\"\\n\",\"x\":[1,2] }"];
    for (framing, before, between, after) in [
        (Framing::Lines, "\r\n \n", "\t\r\n\n ", "\n \n"),
        (Framing::Stream, " \n", "", "\n\n"),
        (Framing::Documents, "", "\n", ""),
        (Framing::Sequence, "\u{1e}", "\n\u{1e}\u{1e}\n", "\n"),
    ] {
        for count in [1, 2, 700] {
            let join = |records: [&str; 2]| {
                let all: Vec<_> = (0..count).map(|index| records[index % 2]).collect();
                format!("{before}{}{after}", all.join(between))
            };
            let (text, expected) = (join(record), join(edited));
            for size in [0, 1, 4000] {
                let mut out = Vec::new();
                let summary = edits
                    .apply(Input::in_pieces(text.as_bytes(), size), &mut out, &Options::new().framing(framing))
                    .expect("valid");
                assert_eq!(String::from_utf8_lossy(&out), expected, "{framing:?} {count} {size}");
                let counts = (summary.read.documents, summary.changed, summary.read.bytes);
                assert_eq!(counts, (count as u64, count as u64, text.len() as u64));
            }
        }
    }
    let mut out = Vec::new();
    let lines = "{\"id\":1}\n\n{\"id\":2}\n{\"id\":1}\n";
    let error = edits.apply(lines, &mut out, &Options::new().framing(Framing::Lines)).expect_err("a test fails");
    assert_eq!(
        (error.error().record(), error.error().line(), error.error().pointer()),
        (Some(2), Some(3), Some("/id"))
    );
    assert_eq!(out, b"{\"id\":1,\"x\":[1,2]}");
    let error =
        edits.apply("{\"id\":1}\n{\"id\":}\n", &mut out, &Options::new().framing(Framing::Lines)).expect_err("invalid");
    assert_eq!((error.edit(), error.error().kind(), error.error().offset()), (None, ErrorKind::ExpectedValue, 15));
}

/// A document is as deep as it likes.
#[test]
fn deep_documents() {
    let depth = 20_000;
    let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let pointer = "/0".repeat(depth);
    let edited = apply(&edits(&["set", &pointer, "2", "copy", "", "/-", "test", "/1", "[]"]), &text);
    assert_eq!(edited.expect_err("another value").error().kind(), ErrorKind::TestFailed);
    let edited = apply(&edits(&["set", &pointer, "2"]), &text).expect("edited");
    assert_eq!(edited, text.replace('1', "2"));
}

/// Members are found in a table when there have been searches before, with keys that come, go, and are there twice.
#[test]
fn many_edits_of_a_wide_object() {
    let members: Vec<_> = (0..40).map(|number| format!("\"k{number}\":{number}")).collect();
    let text = format!("{{{}}}", members.join(","));
    let mut words: Vec<String> = Vec::new();
    for number in 0..40 {
        let key = format!("/k{number}");
        match number % 4 {
            0 => words.extend(["delete".into(), key.clone(), "set".into(), key, "0".into()]),
            1 => words.extend([
                "rename".into(),
                key.clone(),
                format!("n{number}"),
                "test".into(),
                format!("/n{number}"),
                number.to_string(),
            ]),
            2 => words.extend(["delete".into(), key]),
            _ => words.extend(["set".into(), key, "true".into()]),
        }
    }
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let kept = (0..40).filter(|number| number % 2 == 1).map(|number| match number % 4 {
        1 => format!("\"n{number}\":{number}"),
        _ => format!("\"k{number}\":true"),
    });
    let added = (0..40).step_by(4).map(|number| format!("\"k{number}\":0"));
    let expected = format!("{{{}}}", kept.chain(added).collect::<Vec<_>>().join(","));
    assert_eq!(apply(&edits(&words), &text).expect("edits that can be made"), expected);
    let twice = format!("{{{},\"\\u006b3\":0}}", members.join(","));
    for edit in [["set", "/k3", "1"], ["test", "/k3", "3"]] {
        let words = ["set", "/k1", "1", "set", "/k2", "1", "delete", "/k4"].into_iter().chain(edit).collect::<Vec<_>>();
        let error = apply(&edits(&words), &twice).expect_err("two members");
        assert_eq!((error.edit(), error.error().kind()), (Some(3), ErrorKind::TargetUnsuitable));
    }
    let gone = apply(&edits(&["delete", "/k3", "delete", "/k3"]), &text).expect_err("no member");
    assert_eq!((gone.edit(), gone.error().kind()), (Some(1), ErrorKind::TargetMissing));
}

#[test]
fn indentation_where_the_document_shows_none() {
    for (text, indent, expected) in [
        ("{}", Some(4), "{\n    \"a\": {\n        \"b\": 1\n    }\n}"),
        ("{}", Some(0), "{\n\"a\": {\n\"b\": 1\n}\n}"),
        ("{}", None, "{\"a\": {\"b\": 1}}"),
        // What has a layout keeps it.
        ("{\n \"c\": 0\n}", Some(4), "{\n \"c\": 0,\n \"a\": {\n  \"b\": 1\n }\n}"),
        ("{\"c\":0}", Some(4), "{\"c\":0,\"a\":{\"b\":1}}"),
    ] {
        let edits = edits(&["parents", "set", "/a/b", "1"]);
        let edits = if let Some(spaces) = indent { edits.indent(spaces) } else { edits };
        assert_eq!(apply(&edits, text).expect("an edit"), expected);
    }
}
