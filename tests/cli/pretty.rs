//! `fjson pretty`: layouts, `--check`, and the depth limit.

use crate::place::Place;
use crate::place::assert_shows;

const TEXT: &str = r#"{"a":[1,[],{}],"b":{"c":"x y"}}"#;

#[test]
fn two_spaces_by_default() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty").stdin(TEXT));
    assert_eq!(place.fjson("pretty --indent 2").stdin(TEXT).stdout(), place.fjson("pretty").stdin(TEXT).stdout());
}

#[test]
fn other_layouts() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --indent 0").stdin(TEXT));
    assert_shows!(place.fjson("pretty --indent 16").stdin(TEXT));
    assert_eq!(place.fjson("pretty --tab").stdin("[[1]]").stdout(), "[\n\t[\n\t\t1\n\t]\n]\n");
}

#[test]
fn layouts_that_are_refused() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --indent 17 -"));
    assert_shows!(place.fjson("pretty --indent 4 --tab -"));
    assert_shows!(place.fjson("pretty --indent tab -"));
    assert_shows!(place.fjson("pretty --indent -1 -"));
}

#[test]
fn several_documents_follow_each_other() {
    let place = Place::new();
    place.file("a.json", "[1]");
    place.file("b.json", "{}");
    assert_eq!(place.fjson("pretty a.json b.json").stdout(), "[\n  1\n]\n{}\n");
    assert_eq!(place.fjson("pretty --lines").stdin("[1]\n2\n").stdout(), "[\n  1\n]\n2\n");
}

#[test]
fn a_short_invalid_document_writes_nothing() {
    assert_shows!(Place::with_two().fjson("pretty bad.json"));
    let output = Place::with_two().fjson("pretty --indent 0 bad.json good.json").output();
    assert_eq!(output.stdout, b"{\n\"a\": [\n1,\n2\n]\n}\n");
}

#[test]
fn check_names_what_would_change() {
    let place = Place::with_two();
    place.file("done.json", "{\n  \"a\": 1\n}\n");
    place.file("no_newline.json", "{\n  \"a\": 1\n}");
    assert_eq!(place.fjson("pretty --check done.json").stdout(), "");
    assert_shows!(place.fjson("pretty --check done.json good.json no_newline.json"));
    assert_shows!(place.fjson("pretty --check --tab done.json"));
    assert_shows!(place.fjson("pretty --check").stdin("[1]"));
    assert_shows!(place.fjson("pretty --check -q good.json"));
    assert_shows!(place.fjson("pretty --check good.json bad.json missing.json"));
    assert_eq!(place.read("good.json"), "{\"a\": [1, 2]}\n");
}

#[test]
fn check_reports_to_machines_too() {
    let place = Place::with_two();
    assert_shows!(place.fjson("pretty --check --format concise good.json"));
    assert_shows!(place.fjson("pretty --check --format github good.json"));
    assert_shows!(place.fjson("pretty --check --format json good.json bad.json"));
}

#[test]
fn check_goes_with_no_output() {
    assert_shows!(Place::new().fjson("pretty --check -o out a.json"));
    assert_shows!(Place::new().fjson("pretty --check -i a.json"));
}

#[test]
fn depth_is_limited_by_default() {
    let place = Place::new();
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(place.fjson("pretty --indent 0").stdin(nested(10_000)).status(), Some(0));
    let output = place.fjson("pretty --indent 0").stdin(nested(10_001)).output();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(place.fjson("pretty --indent 0 --max-depth none").stdin(nested(10_001)).status(), Some(0));
    assert_shows!(place.fjson("pretty --max-depth 1").stdin("[[]]"));
}

#[test]
fn verbose_tells_what_was_written() {
    assert_shows!(Place::with_two().fjson("pretty -v -o out good.json"));
}

/// An editor that replaces its text by the output would otherwise get a half of it.
#[test]
fn a_short_document_is_checked_before_it_is_printed() {
    let place = Place::new();
    let long = |bytes: usize| format!("[{}1,]", "12345678, ".repeat(bytes / 10));
    for (text, prints) in [("[1, 2,]".to_owned(), false), (long(1 << 20), false), (long(3 << 20), true)] {
        place.file("a.json", &text);
        for line in
            ["pretty", "minify", "pretty a.json", "minify a.json", "pretty --no-mmap a.json", "pretty -o - a.json"]
        {
            let output = place.fjson(line).stdin(text.clone()).output();
            // The output of `minify` is short enough to be held even of the longest of these.
            if !prints || line.ends_with("a.json") {
                assert_eq!(output.stdout.is_empty(), !prints, "{line}, {} bytes", text.len());
            }
            assert_eq!(output.status.code(), Some(1), "{line}");
            assert!(!output.stderr.is_empty());
        }
    }
    assert_eq!(place.fjson("pretty").stdin("[1]").stdout(), "[\n  1\n]\n");
}
