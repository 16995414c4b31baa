//! `--unique-keys` and `--ijson`, in every command and report format.

use crate::place::Place;
use crate::place::assert_shows;

/// The same key written in two ways, on two lines.
const TWINS: &str = "{\n  \"id\": 1,\n  \"tags\": {\"id\": []},\n  \"\\u0069d\": 2\n}\n";

#[test]
fn a_duplicate_key_is_shown_with_its_first_place() {
    assert_shows!(Place::new().fjson("validate --unique-keys").stdin(TWINS));
    assert_eq!(Place::new().fjson("validate").stdin(TWINS).stdout(), "");
}

#[test]
fn reports_for_machines_have_both_places() {
    for format in ["concise", "json", "github", "gitlab", "sarif", "junit"] {
        assert_shows!(Place::new().fjson(&format!("validate --unique-keys --format {format}")).stdin(TWINS));
    }
}

#[test]
fn what_is_not_i_json() {
    for text in ["[\"\\ud800\"]", "{\"\\ufdd0\": 1}", "[9007199254740993]", "[1e400]", "{\"a\": 1, \"a\": 2}"] {
        assert_shows!(Place::new().fjson("validate --ijson").stdin(text));
        assert_eq!(Place::new().fjson("validate").stdin(text).stdout(), "");
    }
    let fine = "{\"a\": [9007199254740992, 0.1, 1.7976931348623157e308], \"b\": \"\\ud83d\\ude00\"}";
    assert_eq!(Place::new().fjson("validate --ijson").stdin(fine).stdout(), "");
}

#[test]
fn output_ends_before_the_duplicate_key() {
    for command in ["minify --unique-keys", "pretty --ijson"] {
        assert_shows!(Place::new().fjson(command).stdin(TWINS));
    }
}

#[test]
fn every_record_has_names_of_its_own() {
    let text = "{\"a\":1}\n{\"a\":1,\"b\":2,\"a\":3}\n{\"a\":1}\n{\"b\":{\"c\":0,\"c\":0}}\n";
    assert_shows!(Place::new().fjson("validate --lines --unique-keys").stdin(text));
}

#[test]
fn pretty_does_not_check_less() {
    let place = Place::new();
    place.file("twins.json", TWINS);
    assert_shows!(place.fjson("pretty --check --unique-keys twins.json"));
    assert_shows!(place.fjson("pretty -i --unique-keys twins.json"));
}
