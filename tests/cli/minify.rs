//! `fjson minify`: documents without whitespace, and where newlines are written.

use crate::place::Place;
use crate::place::assert_shows;

#[test]
fn one_document_gets_no_newline() {
    let place = Place::with_two();
    assert_eq!(place.fjson("minify good.json").stdout(), "{\"a\":[1,2]}");
    assert_eq!(place.fjson("minify").stdin(" [ 1 ,\t2 ]\r\n").stdout(), "[1,2]");
}

#[test]
fn newline_ends_the_output_of_each_input() {
    let place = Place::with_two();
    assert_eq!(place.fjson("minify --newline good.json").stdout(), "{\"a\":[1,2]}\n");
    assert_eq!(place.fjson("minify --newline").stdin("[ 1 ][ 2 ]").stdout(), "[1]\n[2]\n");
    assert_eq!(place.fjson("minify --newline --canonical").stdin("[ 1 ]").stdout(), "[1]\n");
    assert_eq!(place.fjson("minify --newline --lines").stdin("[ 1 ]\n").stdout(), "[1]\n");
    assert_eq!(place.fjson("minify --newline good.json good.json").stdout(), "{\"a\":[1,2]}\n".repeat(2));
    for _ in 0..2 {
        assert_eq!(place.fjson("minify -i --newline good.json").stdout(), "");
        assert_eq!(place.read("good.json"), "{\"a\":[1,2]}\n");
    }
    assert_eq!(place.fjson("minify -i good.json").stdout(), "");
    assert_eq!(place.read("good.json"), "{\"a\":[1,2]}");
}

#[test]
fn text_of_numbers_and_strings_stays() {
    let text = r#"[1.0E+2,-0,12345678901234567890,"\u0041 \/ é",1e400]"#;
    assert_eq!(Place::new().fjson("minify").stdin(text).stdout(), text);
}

#[test]
fn several_documents_get_a_line_each() {
    let place = Place::with_two();
    place.file("records.jsonl", "[ 1 ]\n[ 2 ]\n");
    let document = "{\"a\":[1,2]}\n";
    assert_eq!(place.fjson("minify good.json good.json").stdout(), format!("{document}{document}"));
    assert_eq!(place.fjson("minify good.json records.jsonl").stdout(), format!("{document}[1]\n[2]\n"));
    assert_eq!(place.fjson("minify records.jsonl good.json").stdout(), format!("[1]\n[2]\n{document}"));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn a_short_invalid_document_writes_nothing() {
    let place = Place::with_two();
    assert_shows!(place.fjson("minify bad.json"));
    assert_shows!(place.fjson("minify good.json bad.json missing.json good.json"));
    place.file("empty.json", "");
    let output = place.fjson("minify good.json empty.json good.json").output();
    assert_eq!(output.stdout, b"{\"a\":[1,2]}\n{\"a\":[1,2]}\n");
    let output = place.shell("$FJSON minify --lines - good.json").stdin("[1]\n[2 3]\n").output();
    assert_eq!(output.stdout, b"[1]\n[2\n{\"a\":[1,2]}\n");
}

#[test]
fn verbose_tells_what_was_written() {
    assert_shows!(Place::with_two().fjson("minify -v -o out good.json"));
}

#[test]
fn depth_is_not_limited() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(Place::new().fjson("minify").stdin(deep.clone()).stdout(), deep);
}
