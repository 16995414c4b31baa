//! Matches that cannot be printed in the requested form: each is reported with its place, and the search goes on.

use crate::place::Place;
use crate::place::assert_shows;
use serde_json::Value;

/// Records with a lone surrogate, U+0000, and two matches for one column.
fn place() -> Place {
    let place = Place::new();
    place.file(
        "log.jsonl",
        "{\"a\": \"x\", \"b\": [1]}\n{\"a\": \"\\ud800\", \"b\": [2]}\n\n{\"a\": \"\\u0000\", \"b\": [3, 4]}\n{\"a\": \"y\", \"b\": [5]}\n",
    );
    place.file("document.json", "{\n  \"list\": [\"a\", \"\\udc00b\", \"c\",\n    \"\\ud800\"]\n}\n");
    place
}

/// What a run reports: file, kind, line, record and pointer.
type Finding = (String, String, Option<u64>, Option<u64>, String);

/// The findings of a run.
fn findings(place: &Place, line: &str) -> Vec<Finding> {
    let output = place.fjson(&format!("{line} --format jsonl")).output();
    assert_eq!(output.status.code(), Some(1), "{line}");
    let text = String::from_utf8(output.stderr).expect("text");
    let finding = |line: &str| {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        (text("file"), text("kind"), finding["line"].as_u64(), finding["record"].as_u64(), text("pointer"))
    };
    text.lines().map(finding).collect()
}

#[test]
fn each_match_that_cannot_be_printed_has_a_place() {
    let place = place();
    for (line, expected) in [
        ("query -r $.a log.jsonl", &[(2, 2, "/a")][..]),
        ("query -r -0 $.a log.jsonl", &[(2, 2, "/a"), (4, 3, "/a")]),
        ("query --csv $.a log.jsonl", &[(2, 2, "/a")]),
        ("query --tsv -p $.a -p $.b[*] log.jsonl", &[(2, 2, "/a"), (4, 3, "/b/1")]),
        ("query --csv $.b[*] log.jsonl --no-mmap --threads 1", &[(4, 3, "/b/1")]),
        ("query --csv --rows $ @.a log.jsonl", &[(2, 2, "/a")]),
        ("query --csv --rows $.b -p $.a -p @ log.jsonl", &[(2, 2, "/a")]),
    ] {
        let found = findings(&place, line);
        let expected: Vec<_> = expected
            .iter()
            .map(|&(number, record, pointer)| {
                let [file, kind, pointer] = ["log.jsonl", "unprintable", pointer].map(str::to_owned);
                (file, kind, Some(number), Some(record), pointer)
            })
            .collect();
        assert_eq!(found, expected, "{line}");
    }
    let places: Vec<_> =
        findings(&place, "query -r $.list[*] document.json").into_iter().map(|it| (it.2, it.4)).collect();
    assert_eq!(places, [(Some(2), "/list/1".to_owned()), (Some(3), "/list/3".to_owned())]);
}

/// A pipe cannot be read again, so its beginning is kept.
#[test]
fn matches_of_a_pipe_have_a_place_too() {
    let place = place();
    let text = place.read("document.json");
    let output = place.fjson("query -r $.list[*] --format jsonl").stdin(text).output();
    let said = String::from_utf8(output.stderr).expect("text");
    let pointers: Vec<_> =
        said.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["pointer"].clone()).collect();
    assert_eq!(pointers, ["/list/1", "/list/3"]);
    // Far behind what is kept, there is still the record and the offset.
    let long = "[1]\n".repeat(1_100_000) + "[\"\\ud800\"]\n";
    let output = place.fjson("query --lines -r $[0] --format concise").stdin(long).output();
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.code() == Some(1) && said.contains("record 1100001, byte 4400001"), "{said}");
    assert_eq!(output.stdout.len(), 2_200_000);
}

#[test]
fn the_search_goes_on() {
    let place = place();
    assert_shows!(place.fjson("query -r $.a log.jsonl document.json"));
    assert_shows!(place.fjson("query --csv -p $.a -p $.b[*] log.jsonl"));
    assert_shows!(place.fjson("query -r $.list[*] document.json"));
}

#[test]
fn records_with_such_matches_are_skipped_on_request() {
    let place = place();
    assert_shows!(place.fjson("query -r -0 $.a log.jsonl --skip-bad --bad-records bad.jsonl"));
    let bad = place.read("bad.jsonl");
    let bad: Vec<Value> = bad.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let field = |key: &str| bad.iter().map(|record| record[key].clone()).collect::<Vec<_>>();
    assert_eq!(field("line"), [2, 4]);
    assert_eq!(field("kind"), ["unprintable", "unprintable"]);
    assert_eq!(field("pointer"), ["/a", "/a"]);
    assert_eq!(field("text"), ["{\"a\": \"\\ud800\", \"b\": [2]}", "{\"a\": \"\\u0000\", \"b\": [3, 4]}"]);
    assert_eq!(place.fjson("query -r -q $.a log.jsonl --skip-bad").stdout(), "x\n\0\ny\n");
    // In one document there is nothing to skip.
    assert_eq!(place.fjson("query -r -q $.list[*] document.json").status(), Some(1));
}

#[test]
fn lone_surrogates_are_replaced_on_request() {
    let place = place();
    let line = "query -r $.list[*] document.json --replace-surrogates";
    assert_eq!(place.fjson(line).stdout(), "a\n\u{fffd}b\nc\n\u{fffd}\n");
    for (option, null) in [("--csv", "\0"), ("--tsv", "\\0")] {
        let line = format!("query {option} $.a log.jsonl --replace-surrogates");
        assert_eq!(place.fjson(&line).stdout(), format!("x\n\u{fffd}\n{null}\ny\n"), "{option}");
    }
    let line = "query --csv --rows $ @.a log.jsonl --replace-surrogates";
    assert_eq!(place.fjson(line).stdout(), "x\n\u{fffd}\n\0\ny\n");
    // U+0000 still cannot be told from the end of a match.
    assert_eq!(place.fjson("query -r -0 -q $.a log.jsonl --replace-surrogates").status(), Some(1));
}

/// The limit of rows counts what is printed.
#[test]
fn rows_that_are_not_printed_do_not_count() {
    let place = place();
    let output = place.fjson("query -q --csv --limit 2 -p $.a -p $.b[*] log.jsonl").output();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "x,1\ny,5\n");
    assert_eq!(place.fjson("query -q -r $.a log.jsonl -g x --where @.b[0]==2").status(), Some(1));
}
