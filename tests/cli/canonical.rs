//! `--canonical`: equivalent documents have the same form.

use crate::place::Place;
use crate::place::assert_shows;

const TEXT: &str =
    "{ \"b\": [ 1.50, 1E3, -0 ], \"\\u0061\": \"\\/ \\u00e9 \\u001F\", \"\u{e000}\": 1, \"\u{10000}\": 2 }";

#[test]
fn the_form() {
    let place = Place::new();
    let form = "{\"a\":\"/ é \\u001f\",\"b\":[1.5,1000,0],\"\u{10000}\":2,\"\u{e000}\":1}";
    assert_eq!(place.fjson("minify --canonical").stdin(TEXT).stdout(), form);
    assert_eq!(place.fjson("minify --canonical").stdin(form).stdout(), form);
    assert_eq!(place.fjson("minify --canonical --lines").stdin("1.0\n[ 1e2 ]\n").stdout(), "1\n[100]\n");
}

#[test]
fn what_has_no_form_is_refused() {
    let place = Place::new();
    assert_shows!(place.fjson("minify --canonical").stdin("[1, {\"a\": 1, \"\\u0061\": 2}]"));
    assert_shows!(place.fjson("minify --canonical").stdin("[1, \"\\ud83d\"]"));
    assert_shows!(place.fjson("minify --canonical").stdin("[1, -1e400]"));
}

#[test]
fn options_that_change_the_form_are_refused() {
    let place = Place::new();
    assert_shows!(place.fjson("minify --canonical --escape ascii").stdin("1"));
    assert_eq!(place.fjson("minify --canonical -S").stdin("1").status(), Some(2));
    assert_eq!(place.fjson("pretty --canonical").stdin("1").status(), Some(2));
}

#[test]
fn in_place() {
    let place = Place::new();
    place.file("a.json", TEXT);
    assert_eq!(place.fjson("minify -i --canonical a.json").stdout(), "");
    let form = place.read("a.json");
    assert_eq!(place.fjson("minify -i --canonical a.json").stdout(), "");
    assert_eq!(place.read("a.json"), form);
}

/// What the guide says: digits that a double does not keep are lost, unless --ijson refuses them.
#[test]
fn numbers_are_rounded_to_doubles() {
    let place = Place::new();
    let form = |number: &str| place.fjson("minify --canonical").stdin(number).stdout();
    assert_eq!(form("9007199254740993"), form("9007199254740992"));
    assert_eq!(place.fjson("minify --canonical --ijson").stdin("9007199254740993").status(), Some(1));
    assert_eq!(place.fjson("minify --canonical --ijson").stdin("9007199254740992").stdout(), "9007199254740992");
}
