//! `--range` and `--splits-from`: the records that begin in a part of an input.

use crate::place::Place;
use crate::place::assert_shows;
use std::fmt::Write;

/// A file of records of different lengths, one of which is invalid.
fn log() -> (Place, String) {
    let place = Place::new();
    let mut text = String::new();
    for id in 0..2000 {
        let name = "x".repeat(id * id % 997);
        writeln!(text, "{{\"id\": {id}, \"name\": \"{name}\"}}").expect("writes");
    }
    place.file("log.jsonl", &text);
    place.file("log.seq", text.replace("{\"id\"", "\x1e{\"id\""));
    (place, text)
}

/// The ids that are found in each of these ranges, one after the other.
fn ids(place: &Place, options: &str, ranges: &[String]) -> String {
    let found = |range| place.fjson(&format!("query $.id --allow-empty --range {range} {options}")).stdout();
    ranges.iter().map(found).collect()
}

#[test]
fn ranges_have_each_record_once() {
    let (place, text) = log();
    let expected: String = (0..2000).flat_map(|id: u32| [id.to_string(), "\n".to_owned()]).collect();
    let cuts = [0, 1, 17, 18, 4096, 65_536, 100_000, 500_000, text.len() - 1, text.len(), text.len() + 9];
    let mut bytes: Vec<_> = cuts.windows(2).map(|pair| format!("{}..{}", pair[0], pair[1])).collect();
    bytes.push(format!("{}..", text.len() + 9));
    let numbered: Vec<_> = (1..=16).map(|number| format!("{number}/16")).collect();
    for ranges in [&bytes, &numbered, &vec!["..1K".to_owned(), "1K..64k".to_owned(), "64K..".to_owned()]] {
        for options in ["log.jsonl", "--no-mmap log.jsonl", "--seq log.seq", "--threads 1 --where @.id>=0 log.jsonl"] {
            assert!(ids(&place, options, ranges) == expected, "{options} {ranges:?}");
        }
    }
    let minified: String =
        numbered.iter().map(|range| place.fjson(&format!("minify log.jsonl --range {range}")).stdout()).collect();
    assert!(minified == place.fjson("minify log.jsonl").stdout());
    let documents = |range: &str| {
        let stats = place.fjson(&format!("stats --format json log.jsonl {range}")).stdout();
        let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
        stats["documents"].as_u64().expect("a number")
    };
    assert_eq!(documents("--range 1/3") + documents("--range 2/3") + documents("--range 3/3"), documents(""));
}

/// A part of standard input that is a file counts from the start of the file.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn standard_input_may_be_a_file() {
    let (place, text) = log();
    let line =
        "$FJSON query '$.id' --lines --range 1/2 < log.jsonl; $FJSON query '$.id' --lines --range 2/2 < log.jsonl";
    assert_eq!(place.shell(line).stdout().lines().count(), text.lines().count());
}

#[test]
fn errors_have_absolute_offsets() {
    let place = Place::new();
    place.file("log.jsonl", "{\"a\": 1}\n{\"a\": [1, 2}\n{\"a\": 3}\n{\"a\" 4}\n");
    assert_shows!(place.fjson("validate log.jsonl --range 5..25"));
    assert_shows!(place.fjson("validate log.jsonl --range 0..25"));
    assert_shows!(place.fjson("validate log.jsonl --range 25.. --format concise"));
    assert_shows!(place.fjson("validate log.jsonl --range 5.. --format jsonl"));
    assert_shows!(place.fjson("validate log.jsonl --range 2/2 -v"));
    assert_eq!(place.fjson("query $.a --offsets log.jsonl --range 20..31").stdout(), "28..29\n");
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn what_has_no_ranges_is_refused() {
    let place = Place::new();
    place.file("a.json", "[1]\n");
    place.file("a.jsonl", "[1]\n");
    assert_shows!(place.fjson("validate a.json --range 1/2"));
    assert_shows!(place.fjson("validate --stream a.json --range 1/2"));
    assert_shows!(place.shell("cat a.jsonl | $FJSON query '$[0]' --lines --range 1/2"));
    assert_eq!(place.shell("cat a.jsonl | $FJSON query '$[0]' --lines --range 2/2").status(), Some(2));
    assert_shows!(place.shell("$FJSON gzip -c a.jsonl > a.jsonl.gz; $FJSON query '$[0]' a.jsonl.gz --range 2.."));
    assert_shows!(place.fjson("minify -i a.jsonl --range 1/2"));
    assert_shows!(place.fjson("validate a.jsonl --range 5..1"));
    assert_shows!(place.fjson("validate a.jsonl --range 3/2"));
    assert_shows!(place.fjson("validate a.jsonl --range 7"));
    assert_eq!(place.fjson("query $ --single --range 1/2 a.jsonl").status(), Some(2));
    // A range that is everything has no conditions.
    assert_eq!(place.fjson("query $[0] a.jsonl.gz a.json --range 0..").stdout(), "1\n1\n");
    assert_eq!(place.fjson("query $[0] a.jsonl.gz a.json --range 1/1").stdout(), "1\n1\n");
}

#[test]
fn a_list_of_splits() {
    let (place, text) = log();
    place.file("small.jsonl", "{\"id\": -1}\n{\"id\": -2}\n");
    let half = text.len() / 2;
    let splits = format!(
        "log.jsonl\t0\t{half}\n\nsmall.jsonl\t3\t12\nlog.jsonl\t{half}\t\nsmall.jsonl\t\t\nsmall.jsonl\t3\t4\r\nlog.jsonl\t1G\t2G\n"
    );
    place.file("splits", &splits);
    let expected: Vec<_> = (0..2000).map(|id| id.to_string()).collect();
    let before = expected.iter().take_while(|id| text.find(&format!("{{\"id\": {id},")).expect("found") < half).count();
    let expected = [&expected[..before], &["-2".into()], &expected[before..], &["-1".into(), "-2".into()]].concat();
    for options in ["", "--no-mmap"] {
        let found = place.fjson(&format!("query $.id --splits-from splits {options}")).stdout();
        assert!(found.lines().eq(&expected), "{options}: {found}");
    }
    let read = place.fjson("query $.id --splits-from -").stdin(&*splits).stdout();
    assert_eq!(read.lines().count(), expected.len());
    // Many splits, on several threads, in the order of the list.
    let step = 1000;
    let splits = (0..=text.len() / step).fold(String::new(), |mut list, index| {
        writeln!(list, "log.jsonl\t{}\t{}", index * step, (index + 1) * step).expect("writes");
        list
    });
    let minified = place.fjson("minify --threads 3 --splits-from -").stdin(splits).stdout();
    assert!(minified == place.fjson("minify log.jsonl").stdout());
}

#[test]
fn a_wrong_list_of_splits() {
    let place = Place::new();
    place.file("a.jsonl", "1\n[2\n3\n");
    place.file("sub/b.jsonl", "1\n");
    place.file("splits", "a.jsonl\na.jsonl\t2\tx\nsub\t0\t1\na.jsonl\t9\t2\nmissing.jsonl\t1\t2\na.jsonl\t2\t5\n");
    assert_shows!(place.fjson("validate --splits-from splits"));
    assert_shows!(place.fjson("validate --splits-from splits --range 1/2"));
    assert_shows!(place.fjson("validate --splits-from -").stdin("-\t0\t5\n"));
}

#[test]
fn allow_empty() {
    let place = Place::new();
    place.file("a.jsonl", "{\"a\": 1}\n[\n");
    place.file("empty.jsonl", "");
    let status = |line: &str| place.fjson(line).status();
    assert_eq!(status("query $.b empty.jsonl"), Some(1));
    assert_eq!(place.fjson("query $.b --allow-empty empty.jsonl").stdout(), "");
    assert_eq!(place.fjson("query $.b --allow-empty --seq").stdin("").stdout(), "");
    assert_eq!(place.fjson("query $.b --allow-empty --stream").stdin(" \n").stdout(), "");
    assert_eq!(place.fjson("query $.b --allow-empty").stdin("{} []").stdout(), "");
    assert_eq!(place.fjson("query $.b --allow-empty --count").stdin("{} []").stdout(), "0\n");
    assert_eq!(place.fjson("query $.b --allow-empty --range 1/2 a.jsonl").stdout(), "");
    // Status 1 means an invalid document alone, and status 2 everything that a retry may change.
    assert_eq!(status("query $.b --allow-empty a.jsonl"), Some(1));
    assert_eq!(status("query $.a --allow-empty a.jsonl"), Some(1));
    assert_eq!(status("query $.a --allow-empty missing.jsonl"), Some(2));
    for range in ["1/3", "2/3", "3/3"] {
        assert_eq!(place.fjson(&format!("query $ --range {range} --allow-empty empty.jsonl")).stdout(), "");
    }
}
