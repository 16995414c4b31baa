//! `query --bad-records`: the records that `--skip-bad` skips, in a file of their own.

use crate::place::Place;
use crate::place::assert_shows;
use serde_json::Value;

/// Invalid records in two files, one of which is not UTF-8.
fn logs() -> Place {
    let place = Place::new();
    place.file("a.jsonl", "{\"a\":1}\n  {\"a\":2,}\r\n{\"a\":3}\n{\"a\": tru, \"\u{1b}\": \"\u{e9}\"}\n[4");
    place.file("b.jsonl", b"{\"a\": 5}\n\"\xff\"\n");
    place
}

#[test]
fn each_skipped_record_is_written() {
    let place = logs();
    assert_shows!(place.fjson("query $.a a.jsonl b.jsonl --skip-bad --bad-records bad.jsonl"));
    insta::assert_snapshot!(place.read("bad.jsonl"));
    assert_eq!(place.fjson("validate bad.jsonl").stdout(), "");
    // Each line has the record as it is in the file.
    let records = place.read("bad.jsonl");
    for (line, expected) in records.lines().zip(["{\"a\":2,}\r", "{\"a\": tru, \"\u{1b}\": \"\u{e9}\"}", "[4"]) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["text"], expected);
        let offset = usize::try_from(line["offset"].as_u64().expect("a number")).expect("fits");
        assert!(place.read("a.jsonl")[offset..].starts_with(expected));
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn ranges_and_readers_have_the_same_bad_records() {
    let place = logs();
    place.fjson("query $.a a.jsonl --skip-bad --bad-records whole").output();
    let without_lines = |name: &str| {
        let records = place.read(name);
        let records = records.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        records.map(|record| (record["offset"].clone(), record["text"].clone())).collect::<Vec<_>>()
    };
    place.fjson("query $.a a.jsonl --skip-bad --bad-records first --range 1/2").output();
    place.fjson("query $.a a.jsonl --skip-bad --bad-records second --range 2/2 --no-mmap --allow-empty").output();
    place.shell("cat a.jsonl | $FJSON query '$.a' --lines --skip-bad --bad-records piped").output();
    assert_eq!([without_lines("first"), without_lines("second")].concat(), without_lines("whole"));
    assert_eq!(without_lines("piped"), without_lines("whole"));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn the_file_is_complete_or_unchanged() {
    let place = logs();
    place.file("bad.jsonl", "old");
    // If an input fails, not everything has been read.
    assert_eq!(place.fjson("query $.a a.jsonl missing --skip-bad --bad-records bad.jsonl").status(), Some(2));
    assert_eq!(place.read("bad.jsonl"), "old");
    // Without invalid records, the file is empty.
    assert_eq!(
        place.fjson("query $.a --lines --skip-bad --bad-records bad.jsonl").stdin("{\"a\":1}\n").stdout(),
        "1\n"
    );
    assert_eq!(place.read("bad.jsonl"), "");
    // If the output fails, neither.
    place.file("bad.jsonl", "old");
    assert_eq!(
        place.shell("$FJSON query '$.a' a.jsonl --skip-bad --bad-records bad.jsonl > /dev/full").status(),
        Some(2)
    );
    assert_eq!(place.read("bad.jsonl"), "old");
    assert_eq!(place.names(), ["a.jsonl", "b.jsonl", "bad.jsonl"]);
}

#[test]
#[cfg_attr(windows, ignore = "needs devices")]
fn errors_of_the_file_are_trouble() {
    let place = logs();
    assert_shows!(place.fjson("query $.a a.jsonl --skip-bad --bad-records missing/bad.jsonl"));
    assert_shows!(place.fjson("query $.a a.jsonl --skip-bad --bad-records /dev/full"));
    assert_shows!(place.fjson("query $.a a.jsonl --skip-bad --bad-records a.jsonl"));
    assert_shows!(place.fjson("query $.a a.jsonl --bad-records bad.jsonl"));
}
