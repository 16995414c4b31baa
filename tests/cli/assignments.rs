//! `fjson query --assignments`: paths and values, which `serde_json`, jq and fjson itself read back.

use crate::place::Place;
use crate::place::assert_shows;
use proof::generate;
use proof::places;
use proof::random::rounds;
use proof::suites;

const DOCUMENT: &str =
    r#"{"a":[{"b":1,"c d":null},[]],"é":"\u00e9","":{"x.y":{"9":true}},"it's \"q\"\\":-1.50,"_z9":{}}"#;

#[test]
fn one_line_for_each_value() {
    let place = Place::new();
    assert_shows!(place.fjson("query --assignments $..*").stdin(DOCUMENT));
    assert_shows!(place.fjson("query --assignments -p $ -p $.a[0].*").stdin(DOCUMENT));
    assert_eq!(place.fjson("query --assignments $..b -H").stdin(DOCUMENT).stdout(), "<stdin>:$.a[0].b = 1\n");
    assert_eq!(place.fjson("query --assignments /a/1 --null-data").stdin(DOCUMENT).stdout(), "$.a[1] = []\0");
}

/// The order is that of the text, unless another one is asked for.
#[test]
fn the_order_is_that_of_the_text() {
    let place = Place::new();
    let text = r#"{"a":{"x":1},"b":2}"#;
    let document = "$.a = {}\n$.a.x = 1\n$.b = 2\n";
    assert_eq!(place.fjson("query --assignments $..*").stdin(text).stdout(), document);
    assert_eq!(place.fjson("query --assignments $..* --order document").stdin(text).stdout(), document);
    let rfc = "$.a = {}\n$.b = 2\n$.a.x = 1\n";
    assert_eq!(place.fjson("query --assignments $..* --order rfc").stdin(text).stdout(), rfc);
    assert_eq!(place.fjson("query --assignments $..* --limit 2").stdin(text).stdout(), "$.a = {}\n$.a.x = 1\n");
}

#[test]
fn records_streams_and_threads() {
    let place = Place::new();
    let records: Vec<_> = (0..30_000).map(|index| format!("{{\"id\":{index},\"t\":[\"x\"]}}")).collect();
    let line = |index: usize| format!("$.id = {index}\n$.t = []\n$.t[0] = \"x\"\n");
    let expected: String = (0..30_000).map(line).collect();
    place.file("a.jsonl", records.join("\n"));
    for options in ["a.jsonl", "--threads 1 a.jsonl", "--threads 3 a.jsonl", "--no-mmap a.jsonl"] {
        assert_eq!(place.fjson(&format!("query --assignments $..* {options}")).stdout(), expected, "{options}");
    }
    assert_eq!(place.fjson("query --assignments $..*").stdin("[1] {\"a\":[]}").stdout(), "$[0] = 1\n$.a = []\n");
    assert_eq!(place.fjson("query --assignments $..* --seq").stdin("\x1e[1]\n\x1e2\n").stdout(), "$[0] = 1\n");
}

fn assert_assigned(place: &Place, text: &[u8]) {
    let Some(expected) = places::assignments(text) else { return };
    let output = place.fjson("query --assignments --max-depth none -p $ -p $..*").stdin(text).output();
    assert_eq!(output.status.code(), Some(0), "{}", text.escape_ascii());
    let got = String::from_utf8(output.stdout).expect("the output is text");
    assert_eq!(got, expected.join("\n") + "\n", "{}", text.escape_ascii());
}

#[test]
fn random_documents_and_the_corpus() {
    let place = Place::new();
    rounds(200, |random| assert_assigned(&place, &generate::document(random, 2000)));
    for text in suites::data_sets().values() {
        assert_assigned(&place, text);
    }
}

/// A path selects the value beside it.
#[test]
fn queries_read_the_paths() {
    let place = Place::new();
    place.file("a.json", DOCUMENT);
    for line in place.fjson("query --assignments $..* a.json").stdout().lines() {
        let (path, value) = line.split_once(" = ").expect("an assignment");
        assert_eq!(place.fjson_with(["query", "--assignments", path, "a.json"]).stdout(), format!("{line}\n"));
        let found = place.fjson_with(["query", path, "a.json"]).stdout();
        assert!(["{}", "[]"].contains(&value) || found.trim_end() == value, "{line}: {found}");
    }
    // What no query can name is printed all the same.
    let lone = place.fjson("query --assignments $.*").stdin(r#"{"\ud800":1}"#).stdout();
    assert_eq!(lone, "$[\"\\ud800\"] = 1\n");
}

/// With `$` cut, the lines are a program for jq that makes the document.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn jq_reads_the_lines() {
    let place = Place::new();
    if place.shell("jq --version").status() != Some(0) {
        proof::untested::report("paths as programs of jq: jq is not installed");
        return;
    }
    place.file("a.json", DOCUMENT);
    let program = r"$FJSON query --assignments '$..*' a.json | sed -E 's/^\$\.?/./' | paste -sd '|' - > program.jq";
    assert_eq!(place.shell(program).stdout(), "");
    let made = place.shell("jq -nc -f program.jq").stdout();
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(value(&made), value(DOCUMENT));
}

#[test]
fn other_forms_are_refused() {
    let place = Place::new();
    for option in
        ["--raw", "--count", "--array", "--pretty", "--csv", "--paths", "--pointers", "--offsets", "--raw-bytes"]
    {
        assert_eq!(place.fjson(&format!("query --assignments $ {option}")).stdin("1").status(), Some(2), "{option}");
    }
}
