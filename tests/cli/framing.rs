//! Several documents in one input: `--lines`, `--stream`, `--seq`, and names that imply them.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn every_bad_line_is_reported() {
    assert_shows!(Place::new().fjson("validate --lines").stdin("1\n[2,]\n\n{\"a\":3}\n{\"b\" 4}\n"));
}

#[test]
fn names_imply_lines() {
    let place = Place::new();
    place.file("a.jsonl", "1\n2\n");
    place.file("a.ndjson", "1\n2\n");
    place.file("a.json", "1\n2\n");
    assert_eq!(place.fjson("validate a.jsonl a.ndjson").stdout(), "");
    assert_eq!(place.fjson("validate a.json").status(), Some(1));
    assert_eq!(place.fjson("validate --lines a.json").stdout(), "");
    assert_eq!(place.fjson("minify a.jsonl").stdout(), "1\n2\n");
}

#[test]
fn concatenated_documents() {
    let place = Place::new();
    assert_eq!(place.fjson("validate --stream").stdin("{}[] 1\n2").stdout(), "");
    assert_eq!(place.fjson("minify --stream").stdin("{ }[ ] 1\n2").stdout(), "{}\n[]\n1\n2\n");
    assert_shows!(place.fjson("validate --stream").stdin("[1] [2,] [3]"));
}

#[test]
fn text_sequences() {
    let place = Place::new();
    assert_eq!(place.fjson("validate --seq").stdin("\x1e{}\n\x1e[1]\n").stdout(), "");
    assert_eq!(place.fjson("minify --seq").stdin("\x1e{ }\n\x1e[ 1 ]\n").stdout(), "\x1e{}\n\x1e[1]\n");
    assert_shows!(place.fjson("validate --seq").stdin("\x1e[1,]\n\x1e[2]\n\x1e[3,]\n"));
}

#[test]
fn one_framing_at_a_time() {
    assert_shows!(Place::new().fjson("validate --lines --seq -"));
}

#[test]
fn minify_and_pretty_stop_at_a_bad_record() {
    let place = Place::new();
    let text = "{ \"a\": 1 }\n[2,]\n[ 3 ]\n";
    assert_shows!(place.fjson("minify --lines").stdin(text));
    assert_shows!(place.fjson("pretty --lines").stdin(text));
}
