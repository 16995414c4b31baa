//! `--escape`: certain characters are written as escapes, and nothing else changes.

use crate::place::Place;
use crate::place::assert_shows;

const TEXT: &str = "{ \"<é>\" : [ \"a & b\", \"\\u00e9 \u{2028} 😀\", 1.50 ] }\n";

#[test]
fn minify_escapes_what_is_named() {
    let place = Place::new();
    assert_shows!(place.fjson("minify --escape ascii").stdin(TEXT));
    assert_shows!(place.fjson("minify --escape html").stdin(TEXT));
    assert_shows!(place.fjson("minify --escape js").stdin(TEXT));
    assert_shows!(place.fjson("minify --escape html,ascii").stdin(TEXT));
    let twice = place.fjson("minify --escape html --escape ascii").stdin(TEXT).stdout();
    assert_eq!(twice, place.fjson("minify --escape html,ascii").stdin(TEXT).stdout());
}

#[test]
fn none_writes_characters() {
    let place = Place::new();
    let text = r#"["caf\u00e9 \ud83d\ude00 \/","\u0022\u005c\n\u000a\ud800","\u2028\u003c"]"#;
    let none = "[\"café 😀 /\",\"\\u0022\\u005c\\n\\u000a\\ud800\",\"\u{2028}<\"]";
    assert_eq!(place.fjson("minify --escape none").stdin(text).stdout(), none);
    let html = none.replace('\u{2028}', "\\u2028").replace('<', "\\u003c");
    assert_eq!(place.fjson("minify --escape none,html").stdin(text).stdout(), html);
    place.file("a.json", text);
    assert_eq!(place.fjson("minify -i --escape none a.json").stdout(), "");
    assert_eq!(place.read("a.json"), none);
    assert_eq!(place.fjson("pretty -i a.json").stdout(), "");
    assert_eq!(place.fjson("pretty --check --escape none a.json").stdout(), "");
}

#[test]
fn pretty_escapes_what_is_named() {
    assert_shows!(Place::new().fjson("pretty --escape ascii,html").stdin(TEXT));
}

#[test]
fn other_values_are_refused() {
    assert_shows!(Place::new().fjson("minify --escape latin1").stdin(TEXT));
}

#[test]
fn text_before_an_error_is_escaped_too() {
    assert_shows!(Place::new().fjson("minify --escape ascii").stdin("[\"é\", \"ö\" 1]"));
    let output = Place::new().fjson("minify -q --stream --escape ascii").stdin(b"[\"\xe2\x80\"]").output();
    assert_eq!(output.stdout, b"[\"");
}

#[test]
fn only_files_that_change_are_replaced() {
    let place = Place::new();
    place.file("a.json", "[\"é\"]");
    place.file("b.json", "[\"e\"]");
    assert_eq!(place.fjson("minify -i --escape ascii a.json b.json").stdout(), "");
    assert_eq!(place.read("a.json") + &place.read("b.json"), "[\"\\u00e9\"][\"e\"]");
    place.file("a.json", "[\n  \"é\"\n]\n");
    place.file("b.json", "[\n  \"e\"\n]\n");
    let output = place.fjson("pretty --check --escape ascii a.json b.json").output();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b"a.json\n"[..]));
    assert_eq!(place.fjson("pretty -i --escape ascii a.json b.json").stdout(), "");
    assert_eq!(place.read("a.json"), "[\n  \"\\u00e9\"\n]\n");
    assert_eq!(place.fjson("pretty --check --escape ascii a.json b.json").stdout(), "");
}

#[test]
fn each_document_of_several() {
    let text = "[\"é\"]\n[1]\n{\"<\":\"ü\"}\n";
    let output = Place::new().fjson("minify --lines --escape ascii").stdin(text).stdout();
    assert_eq!(output, "[\"\\u00e9\"]\n[1]\n{\"<\":\"\\u00fc\"}\n");
}
