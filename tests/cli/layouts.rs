//! `pretty --width` and `--compact-arrays`: containers on one line.

use crate::place::Place;
use crate::place::assert_shows;

const TEXT: &str =
    r#"{"name":"é","points":[[0,1],[20,30]],"empty":[],"tags":["one","two","three"],"at":{"x":1,"y":{"z":[]}}}"#;

#[test]
fn containers_that_fit_are_on_one_line() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --width 30").stdin(TEXT));
    assert_shows!(place.fjson("pretty --width 29 --tab").stdin(TEXT));
    assert_eq!(place.fjson("pretty --width 1").stdin(TEXT).stdout(), place.fjson("pretty").stdin(TEXT).stdout());
    let line = TEXT.replace(':', ": ").replace(',', ", ") + "\n";
    let columns = line.trim_end().chars().count();
    assert_eq!(place.fjson(&format!("pretty --width {columns}")).stdin(TEXT).stdout(), line);
    assert_ne!(place.fjson(&format!("pretty --width {}", columns - 1)).stdin(TEXT).stdout(), line);
}

#[test]
fn arrays_of_scalars() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --compact-arrays").stdin(TEXT));
    assert_shows!(place.fjson("pretty --compact-arrays --width 20").stdin(TEXT));
    let long = format!("[{}1]", "1, ".repeat(100_000));
    assert_eq!(place.fjson("pretty --compact-arrays").stdin(long.clone()).stdout(), long + "\n");
}

/// The layout is that of the final text, whatever else is asked for.
#[test]
fn with_other_options() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --width 30 -S --escape ascii").stdin(TEXT));
    place.file("a.json", TEXT);
    for options in ["--width 30", "--width 60 --indent 4", "--compact-arrays", "--width 30 -S"] {
        assert_eq!(place.fjson(&format!("pretty --check {options} a.json")).status(), Some(1), "{options}");
        assert_eq!(place.fjson(&format!("pretty -i {options} a.json")).stdout(), "");
        assert_eq!(place.fjson(&format!("pretty --check {options} a.json")).stdout(), "", "{options}");
    }
    let lines = "{ \"a\": [1] }\n[2]\n";
    assert_eq!(place.fjson("pretty --lines --width 40").stdin(lines).stdout(), "{\"a\": [1]}\n[2]\n");
    assert_eq!(place.fjson("pretty --seq --width 40").stdin("\x1e[ 1 ]\n").stdout(), "\x1e[1]\n");
    let colored = place.fjson("pretty --width 40 --color always").stdin("[1]").stdout();
    assert!(colored.contains('\x1b') && colored.lines().count() == 1, "{colored}");
}

#[test]
fn text_before_an_error_is_not_joined() {
    assert_shows!(Place::new().fjson("pretty --width 40").stdin("[[1,2],[3,{\"a\":4} 5]"));
}

#[test]
fn widths_that_are_refused() {
    let place = Place::new();
    assert_shows!(place.fjson("pretty --width 0 -"));
    assert_shows!(place.fjson("pretty --width -1 -"));
    assert_shows!(place.fjson("pretty --width 2000000 -"));
}
