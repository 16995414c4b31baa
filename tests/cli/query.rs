//! `fjson query`: all ways to print, the exit status, and the compliance suite from outside.

use crate::place::FJSON;
use crate::place::Place;
use crate::place::assert_shows;
use proof::check;
use proof::suites;
use serde_json::Value;
use std::io::Read;
use std::io::Write;
use std::process::Command;
use std::process::Stdio;

const SHOP: &str = r#"{"books": [
  {"title": "Emma", "price": 8.90, "tags": ["a", "b"]},
  {"title": "Tab\t\u00e9", "price": 1.2e1,
   "tags": []}
]}
"#;

fn shop() -> Place {
    let place = Place::new();
    place.file("shop.json", SHOP);
    place
}

/// Standard output of a query on the shop.
fn found(options: &str, expression: &str) -> String {
    let place = shop();
    place.fjson_with(["query", expression, "shop.json"].into_iter().chain(options.split_whitespace())).stdout()
}

#[test]
fn each_match_is_printed_on_its_own_line_unchanged() {
    assert_eq!(found("", "$.books[*].price"), "8.90\n1.2e1\n");
    assert_eq!(found("", "$..title"), "\"Emma\"\n\"Tab\\t\\u00e9\"\n");
    assert_eq!(found("", "$.books[0]"), "{\"title\": \"Emma\", \"price\": 8.90, \"tags\": [\"a\", \"b\"]}\n");
    assert_eq!(found("", "/books/1"), "{\"title\":\"Tab\\t\\u00e9\",\"price\":1.2e1,\"tags\":[]}\n");
    assert_eq!(
        found("--raw-bytes", "/books/1"),
        "{\"title\": \"Tab\\t\\u00e9\", \"price\": 1.2e1,\n   \"tags\": []}\n"
    );
    assert_eq!(found("--raw-bytes", ""), format!("{}\n", SHOP.trim_end()));
    assert_eq!(found("--pretty", "$.books[0].tags"), "[\n  \"a\",\n  \"b\"\n]\n");
    assert_eq!(found("--array", "$..price"), "[8.90,1.2e1]\n");
    let indented = found("--array --pretty", "$.books[0]['tags','price']");
    assert_eq!(indented, "[\n  [\n    \"a\",\n    \"b\"\n  ],\n  8.90\n]\n");
    let place = Place::new();
    assert_eq!(place.fjson("pretty").stdin(&*indented).stdout(), indented);
    assert_eq!(place.fjson("query --array --pretty $.x").stdin("{}").output().stdout, b"[]\n");
    assert_eq!(found("--array", "$.books[1,0]").matches('\n').count(), 1);
}

#[test]
fn strings_are_raw_if_asked_for() {
    assert_eq!(found("-r", "$..title"), "Emma\nTab\t\u{e9}\n");
    assert_eq!(found("-r", "$..price"), "8.90\n1.2e1\n");
    assert_eq!(found("-r -0", "$..title"), "Emma\0Tab\t\u{e9}\0");
    assert_eq!(found("-0", "$..title"), "\"Emma\"\0\"Tab\\t\\u00e9\"\0");
    assert_eq!(found("-0 --pretty", "$.books[0].tags"), "[\n  \"a\",\n  \"b\"\n]\0");
    let place = Place::new();
    assert_shows!(place.fjson("query -r $.*").stdin(r#"{"a": "fine", "b": "\ud800"}"#));
    assert_shows!(place.fjson("query -r -0 $.*").stdin(r#"["fine", "\u0000"]"#));
}

#[test]
fn places() {
    assert_eq!(found("--paths", "$..tags[0]"), "$['books'][0]['tags'][0]\n");
    assert_eq!(found("--pointers", "$..tags[0]"), "/books/0/tags/0\n");
    assert_eq!(found("--offsets", "$..price"), "41..45\n104..109\n");
    let columns = "$['books'][0]['price']\t/books/0/price\t41..45\n";
    assert_eq!(found("--offsets --pointers --paths --first", "$..price"), columns);
    assert_eq!(found("--pointers -0", "$..tags[0]"), "/books/0/tags/0\0");
    let place = Place::new();
    assert_shows!(place.fjson("query --pointers $.*").stdin(r#"{"\ud800": 1}"#));
    assert_eq!(place.fjson("query --paths $.*").stdin(r#"{"\ud800": 1}"#).stdout(), "$['\\ud800']\n");
}

#[test]
fn numbers_of_matches() {
    assert_eq!(found("--count", "$..*"), "11\n");
    assert_eq!(found("--first", "$..price"), "8.90\n");
    assert_eq!(found("--limit 3", "$..*").lines().count(), 3);
    let place = shop();
    assert_eq!(
        place.fjson("query -p $..price -p $..tags[*] -p $..none --count shop.json shop.json").stdout(),
        "4\n4\n0\n"
    );
    assert_eq!(place.fjson("query $..price shop.json shop.json --limit 3").stdout(), "8.90\n1.2e1\n8.90\n");
}

#[test]
fn order() {
    let place = Place::new();
    let text = r#"{"x": {"a": 1}, "a": 2}"#;
    assert_eq!(place.fjson("query $..a").stdin(text).stdout(), "2\n1\n");
    assert_eq!(place.fjson("query $..a --order document").stdin(text).stdout(), "1\n2\n");
    assert_eq!(place.fjson("query $[0,0] --order document").stdin("[7]").stdout(), "7\n7\n");
}

#[test]
fn several_expressions() {
    let place = Place::new();
    let log = "{\"id\":1,\"n\":\"a\"}\n{\"id\":2}\n";
    assert_eq!(place.fjson("query --lines -p $.n -p /id").stdin(log).stdout(), "\"a\"\n1\n2\n");
    place.file("log.jsonl", log);
    assert_eq!(place.fjson("query -p $.n -p /id log.jsonl").stdout(), "\"a\"\n1\n2\n");
}

#[test]
fn tables() {
    let place = Place::new();
    place
        .file("log.jsonl", "{\"id\":1,\"n\":\"a,b\"}\n{\"x\":0}\n{\"id\":null,\"n\":{\"c\": \"\\t\"}}\n{\"n\":true}\n");
    let csv = "1,\"a,b\"\n,\"{\"\"c\"\":\"\"\\t\"\"}\"\n,true\n";
    assert_eq!(place.fjson("query -p $.id -p $.n --csv log.jsonl").stdout(), csv);
    let tsv = "$.id\t$.n\n1\ta,b\n\t{\"c\":\"\\\\t\"}\n\ttrue\n";
    assert_eq!(place.fjson("query -p $.id -p $.n --tsv --header log.jsonl").stdout(), tsv);
    assert_shows!(place.fjson("query $.* --csv log.jsonl"));
    // Readers do not take an empty line for a row.
    assert_eq!(
        place.fjson("query --csv --header -p $.a").stdin("{\"a\":null}{\"a\":1}{\"a\":\"\"}").stdout(),
        "$.a\n\"\"\n1\n\"\"\n"
    );
    assert_eq!(place.fjson("query --csv -p $.a").stdin("{\"a\":1}{\"b\":2}{\"a\":3}").stdout(), "1\n3\n");
}

#[test]
fn columns_have_names() {
    let place = Place::new();
    let log = "{\"id\":1,\"n\":\"a\"}\n{\"id\":2}\n";
    place.file("log.jsonl", log);
    let named = ["query", "-p", "id=$.id", "-p", "the name=/n", "-p", "all=", "-p", "$.n", "--csv", "log.jsonl"];
    let rows = "1,a,\"{\"\"id\"\":1,\"\"n\"\":\"\"a\"\"}\",a\n2,,\"{\"\"id\"\":2}\",\n";
    assert_eq!(place.fjson_with(named).stdout(), rows);
    let header = [&named[..], &["--header"]].concat();
    assert_eq!(place.fjson_with(header).stdout(), format!("id,the name,all,$.n\n{rows}"));
    assert_eq!(place.fjson("query id=$.id log.jsonl --tsv --header").stdout(), "id\n1\n2\n");
    assert_shows!(place.fjson("query -p $.id -p id=$.id log.jsonl"));
    assert_shows!(place.fjson("query -p id=$.a[ --csv log.jsonl"));
}

#[test]
fn rows_are_the_values_of_an_array() {
    let place = Place::new();
    let text =
        "{\"items\": [{\"id\": 1, \"n\": \"a\"}, {\"n\":\n\"b\"},\n {\"x\": {\"n\": 0}}, 5, {\"id\": [2,\r\n3]}]}";
    let rows = "1,a\n,b\n,\n,\n\"[2,3]\",\n";
    place.file("a.json", text);
    let command = "query --rows $.items[*] -p id=@.id -p n=@.n --csv";
    assert_eq!(place.fjson(&format!("{command} a.json")).stdout(), rows);
    assert_eq!(place.fjson(&format!("{command} --header a.json")).stdout(), format!("id,n\n{rows}"));
    for (status, stdout, stderr) in every_way("--rows $.items[*] -p id=@.id -p n=@.n --csv", text) {
        assert_eq!((status, &*stdout), (Some(0), rows), "{stderr}");
    }
    // Documents follow each other, and a selector of rows can be a filter.
    let filtered = ["query", "--rows", "$.items[?@.id]", "@.id", "--tsv"];
    assert_eq!(place.fjson_with(filtered).stdin(format!("{text} {text}")).stdout(), "1\n[2,3]\n1\n[2,3]\n");
    // Rows before an error are printed.
    let broken = place.fjson("query --rows $[*] @.a --csv").stdin("[{\"a\": 1}, {\"a\": 2} 3]").output();
    assert_eq!((broken.status.code(), &*broken.stdout), (Some(1), &b"1\n2\n"[..]));
    let lines =
        place.fjson("query --lines --rows $[*] @.a --csv").stdin("[{\"a\": 1}]\n[2,]\n[{\"a\": 3}, {}]\n").output();
    assert_eq!((lines.status.code(), &*lines.stdout), (Some(1), &b"1\n3\n\"\"\n"[..]));
    let none = place.fjson("query --rows $.none @.a --csv --header a.json").output();
    assert_eq!((none.status.code(), &*none.stdout), (Some(1), &b"@.a\n"[..]));
    let twice = place.fjson("query --rows $.items[*] @.* --csv a.json a.json").output();
    assert_eq!(twice.status.code(), Some(1));
    assert_shows!(place.fjson("query --rows $.items[*] $.id a.json"));
}

/// There are more rows than in one batch, and each is evaluated as if it were a document.
#[test]
fn rows_of_several_batches() {
    let place = Place::new();
    let item = |n: usize| {
        if n.is_multiple_of(7) { String::from("{}") } else { format!("{{\"n\": {n},\n\"s\": \"{n:0>99}\"}}") }
    };
    let items: Vec<_> = (0..90_000).map(item).collect();
    place.file("big.json", format!("[{}]", items.join(",\n")));
    let table = place.fjson("query --rows $[*] -p @.n -p @.s --csv big.json").stdout();
    let row = |n: usize| if n.is_multiple_of(7) { String::from(",") } else { format!("{n},{n:0>99}") };
    assert!(table.lines().eq((0..90_000).map(row)));
    assert_eq!(place.fjson("query --rows $[*] -p @.n -p @.s --csv big.json --threads 1").stdout(), table);
    assert_eq!(place.fjson("query --rows $[*] -p @.n -p @.s --csv big.json --no-mmap --trust").stdout(), table);
}

#[test]
fn the_names_of_inputs() {
    let place = Place::new();
    place.file("a.json", "{\"a\": [1, \"x\"]}");
    place.file("b.json", "{\"a\": [true]}");
    let found = |line: &str| place.fjson(line).stdout();
    assert_eq!(found("query $.a[*] a.json b.json"), "1\n\"x\"\ntrue\n");
    assert_eq!(found("query -H $.a[*] a.json b.json"), "a.json:1\na.json:\"x\"\nb.json:true\n");
    assert_eq!(found("query -Hr $.a[1] a.json"), "a.json:x\n");
    assert_eq!(found("query --with-filename --pointers $.a[*] b.json"), "b.json:/a/0\n");
    assert_eq!(found("query -H $.a[*] a.json b.json --no-filename"), "1\n\"x\"\ntrue\n");
    assert_eq!(found("query -H --count -p $.a[*] -p $.a a.json b.json"), "a.json:2\na.json:1\nb.json:1\nb.json:1\n");
    assert_eq!(found("query -H $.a[0] --csv --header a.json b.json"), "file,$.a[0]\na.json,1\nb.json,true\n");
    assert_eq!(
        found("query -H --rows $.a[*] v=@ --tsv --header a.json b.json"),
        "file\tv\na.json\t1\na.json\tx\nb.json\ttrue\n"
    );
    assert_eq!(place.fjson("query -H $.a").stdin("{\"a\":1}").stdout(), "<stdin>:1\n");
    let none = place.fjson("query -H --count $.x a.json").output();
    assert_eq!((none.status.code(), &*none.stdout), (Some(1), &b"a.json:0\n"[..]));
    assert_eq!(found("query --array --pretty $.a[*] a.json b.json"), "[\n  1,\n  \"x\",\n  true\n]\n");
    assert_eq!(found("query --array --pretty $.a b.json"), "[\n  [\n    true\n  ]\n]\n");
}

/// A row that was written before more input arrived is the only one of its document.
#[test]
fn a_column_has_room_for_one_match_however_the_document_comes() {
    for text in ["[1,2]", "[1,2]\n", "[1,2]\n[3]"] {
        for (status, _, stderr) in every_way("--csv -p $[*]", text) {
            assert_eq!(status, Some(1), "{stderr}");
        }
        assert_eq!(byte_by_byte_status(&["query", "--csv", "-p", "$[*]"], text.as_bytes()), Some(1));
    }
}

#[test]
fn records() {
    let place = Place::new();
    let text = "{\"a\":1}\n{\"a\":[1,\n\n{\"a\":3}\n";
    assert_shows!(place.fjson("query --lines $.a").stdin(text));
    assert_shows!(place.fjson("query --lines $.a --skip-bad").stdin(text));
    assert_shows!(place.fjson("query --lines $.a --skip-bad --count").stdin(text));
    assert_eq!(place.fjson("query --stream $.a").stdin("{\"a\":1}{\"a\":2} [3]").stdout(), "1\n2\n");
    assert_eq!(place.fjson("query --seq $.a").stdin("\x1e{\"a\":1}\n\x1e{\"a\":2}\n").stdout(), "1\n2\n");
}

/// Expressions that are evaluated in all possible ways, with their numbers of matches in `{"a":1}`.
const WAYS: [(&str, usize); 9] = [
    ("$.a", 1),
    ("$.x", 0),
    ("/a", 1),
    ("$..a", 1),
    ("$[?@>0]", 1),
    ("$..[?@>0]", 1),
    ("$", 1),
    ("$['a','a']", 2),
    ("$.a --paths", 1),
];

/// Runs a query on a text in a file and through a pipe, with one thread and with two; returns the status and the output.
fn every_way(arguments: &str, text: &str) -> Vec<(Option<i32>, String, String)> {
    let place = Place::new();
    place.file("f.json", text);
    let mut outcomes = Vec::new();
    for threads in ["1", "2"] {
        for file in [Some("f.json"), None] {
            let words = ["query", "--threads", threads].into_iter().chain(arguments.split(' ')).chain(file);
            let output = place.fjson_with(words).stdin(text).output();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("f.json:", "<stdin>:");
            outcomes.push((output.status.code(), text(&output.stdout), text(&output.stderr)));
        }
    }
    outcomes
}

#[test]
fn a_hundred_thousand_documents_are_counted() {
    let text = "{\"a\":1}\n".repeat(100_000);
    for (expression, matches) in WAYS {
        let arguments = format!("--count {}", expression.trim_end_matches(" --paths"));
        for (status, stdout, stderr) in every_way(&arguments, &text) {
            let expected = (Some(i32::from(matches == 0)), format!("{}\n", 100_000 * matches));
            assert_eq!(((status, stdout), &*stderr), (expected, ""), "{arguments}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "starts the program so often that it takes minutes under wine")]
fn text_that_no_expression_needs_is_validated() {
    for (text, record) in [
        ("{\"a\":1} oops", Some("record 2, ")),
        ("{\"a\":1}}", Some("record 2, ")),
        ("{\"a\":1,\"b\":[1,2", None),
        ("{\"a\":1}\n{\"a\":1}\n{\"a\":x}\n{\"a\":1}\n", Some("record 3, ")),
        ("{\"a\":tru}", None),
        ("", None),
        (" \n", None),
    ] {
        let mut messages = Vec::new();
        for (expression, _) in WAYS {
            for arguments in [expression.to_owned(), format!("--where @ {expression}")] {
                for (status, _, stderr) in every_way(&arguments, text) {
                    assert_eq!(
                        (status, stderr.matches("error: ").count()),
                        (Some(1), 1),
                        "{arguments} {text}: {stderr}"
                    );
                    assert_eq!(record.is_some(), stderr.contains("record"), "{arguments} {text}: {stderr}");
                    assert!(stderr.contains(record.unwrap_or_default()), "{arguments} {text}: {stderr}");
                    messages.push(stderr);
                }
            }
        }
        messages.dedup();
        assert_eq!(messages.len(), 1, "{text}: {messages:?}");
    }
}

#[test]
fn a_second_document_is_refused_with_single() {
    for (expression, _) in WAYS {
        for (status, stdout, stderr) in every_way(&format!("--single {expression}"), "{\"a\":1}\n{\"a\":1}\n") {
            assert_eq!(status, Some(1), "{expression}");
            assert!(stderr.contains("another document follows"), "{expression}: {stdout} {stderr}");
        }
    }
    let place = Place::new();
    place.file("f.jsonl", "1\n2\n");
    assert_eq!(place.fjson("query --single $ f.jsonl").status(), Some(1));
    assert_eq!(place.fjson("query $ f.jsonl").stdout(), "1\n2\n");
}

/// The default is the same as `--stream`.
#[test]
fn a_stream_is_what_documents_are() {
    let text = "{\"a\":1}{\"a\":1} {\"a\":1}\n\n{\"a\":1}";
    for (expression, matches) in WAYS {
        let outcomes = every_way(expression, text);
        assert_eq!(outcomes[0].1.lines().count(), 4 * matches, "{expression}");
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{expression}");
        assert_eq!(every_way(&format!("--stream {expression}"), text), outcomes, "{expression}");
    }
}

#[test]
fn the_search_continues_after_an_invalid_record() {
    let lines = "{\"a\":1}\n{\"a\":1,}\n{\"a\":1}\n{\"a\"\n{\"a\":1}\n";
    let sequence: String = lines.lines().flat_map(|line| ["\x1e", line, "\n"]).collect();
    for (framing, text) in [("--lines", lines), ("--seq", &sequence)] {
        for (expression, matches) in WAYS {
            for (status, stdout, stderr) in every_way(&format!("{framing} {expression}"), text) {
                assert_eq!((status, stdout.lines().count()), (Some(1), 3 * matches), "{framing} {expression}");
                let reported = ["record 2, ", "record 4, "].map(|record| stderr.matches(record).count());
                assert_eq!(reported, [1, 1], "{framing} {expression}: {stderr}");
            }
            let skipping = format!("{framing} --skip-bad {expression}");
            for (status, stdout, stderr) in every_way(&skipping, text) {
                let expected = (Some(i32::from(matches == 0)), 3 * matches);
                assert_eq!((status, stdout.lines().count()), expected, "{skipping}: {stderr}");
                assert!(stderr.contains("2 invalid records skipped"), "{skipping}: {stderr}");
            }
        }
    }
    // It is unknown where the next document of a stream begins.
    for (status, stdout, stderr) in every_way("--skip-bad $.a", "{\"a\":1} {\"a\":} {\"a\":1}") {
        assert_eq!((status, &*stdout), (Some(2), ""), "{stderr}");
        assert!(stderr.ends_with("error: --skip-bad needs records; use --lines or --seq\n"), "{stderr}");
    }
    assert_eq!(Place::new().fjson("query --trust --stream $.a").stdin("{\"a\":1}").status(), Some(2));
}

#[test]
fn reading_ends_early_only_on_request() {
    let place = Place::new();
    let text = r#"{"a":[1,2,3],"b":4"#;
    let early = ["$.a[0] --first", "$..* --first --order document", "/a/2 --limit 1"];
    for arguments in early.map(|arguments| format!("query {arguments}")) {
        assert_eq!(place.fjson(&arguments).stdin(text).status(), Some(0), "{arguments}");
    }
    assert_eq!(place.fjson("query --trust $.a[0]").stdin(text).status(), Some(0));
    // A limit that is not reached does not end it. RFC order, paths and what follows are known only at the end.
    for arguments in [
        "$.a[0]",
        "$.a[0] --count",
        "/a/2",
        "$.a[-1]",
        "$.a[0] --limit 2",
        "$..* --first",
        "$.a[0] --paths --first",
        "$.*",
        "$[?@[1]]",
        "$..a[-1]",
    ] {
        assert_eq!(place.fjson(&format!("query {arguments}")).stdin(text).status(), Some(1), "{arguments}");
    }
    for (name, text) in [("1.json", "[1,2]"), ("2.json", "[3,4]"), ("3.json", "[5")] {
        place.file(name, text);
    }
    assert_eq!(place.fjson("query $[*] --limit 3 1.json 2.json 3.json").stdout(), "1\n2\n3\n");
}

#[test]
fn text_before_an_error_is_printed() {
    let place = Place::new();
    assert_shows!(place.fjson("query $[*].a").stdin(r#"[{"a":1},{"a":2},{"a":3 4}]"#));
    assert_shows!(place.fjson("query $.a --lines").stdin("{\"a\":1}\n{\"a\":2,}\n{\"a\":3}\n"));
    // Lines that arrive one by one.
    let text = format!("{}{{\"a\":[}}\n{{\"a\":8}}\n", "{\"a\":[7 ,7]}\n".repeat(3));
    assert_eq!(byte_by_byte(&["query", "$.a[1]", "--lines", "--skip-bad"], text.as_bytes()), "7\n7\n7\n");
}

#[test]
fn a_condition_selects_documents() {
    let place = Place::new();
    place.file("log.jsonl", "{\"level\":\"info\",\"id\":1}\n{\"level\":\"err\\u006fr\",\"id\":2}\n{\"id\":3}\n");
    let asked = |condition: &str| place.fjson_with(["query", "$.id", "log.jsonl", "--where", condition]).stdout();
    assert_eq!(asked("@.level == 'error'"), "2\n");
    assert_eq!(asked("@.id > 1"), "2\n3\n");
    assert_eq!(asked("-1 < @.id"), "1\n2\n3\n");
    assert_eq!(asked("!@.level || $.id < 2"), "1\n3\n");
    let both = ["query", "-p", "$.id", "-p", "$.level", "log.jsonl", "--csv", "--where", "@.level"];
    assert_eq!(place.fjson_with(both).stdout(), "1,info\n2,error\n");
    assert_eq!(place.fjson_with(["query", "--count", "$.*", "log.jsonl", "--where", "@.id != 1"]).stdout(), "3\n");
    assert_eq!(place.fjson_with(["query", "$[0]", "--where", "@[1]"]).stdin("[7,true]").stdout(), "7\n");
    assert_shows!(place.fjson_with(["query", "$.id", "--where", "@.level = 'error'"]));
    assert_shows!(place.fjson_with(["query", "$.id", "--where", "@.a b"]));
}

#[test]
fn trust_checks_what_is_printed() {
    let place = Place::new();
    let text = r#"{"x":[1,,tru],"a":[1,2],"b":[1,]}"#;
    assert_eq!(place.fjson("query --trust $.a").stdin(text).stdout(), "[1,2]\n");
    assert_shows!(place.fjson("query --trust $.b").stdin(text));
    assert_shows!(place.fjson("query --trust $.a").stdin(r#"{"a":[1"#));
    assert_eq!(place.fjson("query --trust $.a --lines").stdin("{\"a\":1}\n{\"b\":?}\n{\"a\":3}\n").stdout(), "1\n3\n");
    assert_eq!(place.fjson("query --trust --count $..a").stdin(text).stdout(), "1\n");
    assert_shows!(place.fjson("query --trust --max-depth 3 $.a").stdin(text));
}

#[test]
fn the_status_tells() {
    let place = Place::with_two();
    assert_eq!(place.fjson("query $.a good.json").status(), Some(0));
    assert_eq!(place.fjson("query $.b good.json").status(), Some(1));
    assert_eq!(place.fjson("query --count $.b good.json").status(), Some(1));
    assert_eq!(place.fjson("query --array $.b good.json").output().stdout, b"[]\n");
    assert_eq!(place.fjson("query $.a missing.json").status(), Some(2));
    assert_eq!(place.fjson("query $.a bad.json good.json").status(), Some(1));
    assert_shows!(place.fjson("query $.a bad.json good.json"));
    assert_shows!(place.fjson("query --array $.a good.json bad.json"));
    assert_shows!(place.fjson("query --count $.a bad.json"));
}

#[test]
fn mistakes_in_the_expression() {
    let place = Place::new();
    assert_shows!(place.fjson_with(["query", "$.books[?@.price = 10]"]));
    assert_shows!(place.fjson_with(["query", ""]).stdin("[1, 2"));
    assert_shows!(place.fjson_with(["query", ".a"]));
    assert_shows!(place.fjson_with(["query", &format!("${}!{}", ".name".repeat(40), ".name".repeat(40))]));
    assert_shows!(place.fjson_with(["query", "$['日本'].\u{1b}[31m"]));
    assert_shows!(place.fjson("query"));
    assert_shows!(place.fjson("query -p -1"));
    assert_shows!(place.fjson("query $ --limit 0"));
    assert_shows!(place.fjson("query $ --count --first"));
    assert_shows!(place.fjson("query $ --header"));
}

/// The output of the program for a text that arrives through a pipe, one byte at a time.
fn byte_by_byte(arguments: &[&str], text: &[u8]) -> String {
    let (status, output) = in_bytes(arguments, text);
    assert!(matches!(status, Some(0 | 1)), "{arguments:?}");
    output
}

fn byte_by_byte_status(arguments: &[&str], text: &[u8]) -> Option<i32> {
    in_bytes(arguments, text).0
}

fn in_bytes(arguments: &[&str], text: &[u8]) -> (Option<i32>, String) {
    let mut command = Command::new(FJSON);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    for byte in text {
        // Reading stops when nothing more can match.
        if stdin.write_all(&[*byte]).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
    drop(stdin);
    let mut output = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("UTF-8");
    (child.wait().expect("it ends").code(), output)
}

#[test]
#[cfg_attr(windows, ignore = "starts the program so often that it takes minutes under wine")]
fn the_compliance_suite() {
    let Some(files) = suites::suite("jsonpath-cts") else { return };
    let suite: Value = serde_json::from_slice(&files["cts.json"]).expect("JSON");
    let place = Place::new();
    let kernels: Vec<_> = check::kernels().iter().map(ToString::to_string).collect();
    let mut counts = [0, 0, 0];
    for test in suite["tests"].as_array().expect("tests") {
        let (name, selector) = (test["name"].as_str().expect("a name"), test["selector"].as_str().expect("a selector"));
        if selector.contains('\0') {
            // Too long for an argument of a program.
            counts[2] += 1;
        } else if test["invalid_selector"] == true {
            counts[1] += 1;
            let output = place.fjson_with(["query", selector]).stdin("[]").output();
            assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{name}");
            assert!(output.stderr.starts_with(b"fjson: error: "), "{name}");
        } else {
            counts[0] += 1;
            let list = |one: &str, several: &str| match &test[several] {
                Value::Array(several) => several.clone(),
                _ => vec![test[one].clone()],
            };
            let values = list("result", "results");
            let lines = |paths: &Value| -> String {
                let paths = paths.as_array().expect("paths").iter().filter_map(Value::as_str);
                paths.flat_map(|path| [path, "\n"]).collect()
            };
            let paths: Vec<_> = list("result_paths", "results_paths").iter().map(lines).collect();
            let text = serde_json::to_vec(&test["document"]).expect("a document");
            place.file("document.json", &text);
            for kernel in &kernels {
                let output =
                    place.fjson_with(["query", selector, "document.json", "--array", "--kernel", kernel]).output();
                let found: Value = serde_json::from_slice(&output.stdout).expect("an array");
                assert!(values.contains(&found), "{name} on {kernel}: {found}");
                let found = byte_by_byte(&["query", selector, "--paths", "--kernel", kernel], &text);
                assert!(paths.contains(&found), "{name} on {kernel}: {found}");
            }
        }
    }
    assert_eq!(counts.iter().sum::<i32>(), 703, "{counts:?}");
}

/// An input that fails does not end the search, unless the output has failed.
#[test]
fn the_search_continues_after_an_input_that_fails() {
    let place = Place::new();
    place.file("a.json", r#"{"id": "\ud800"}"#);
    place.file("b.json", r#"{"id": 2}"#);
    place.file("c.jsonl", "{\"id\": 3}\n{\"id\": }\n");
    for (line, expected, status) in [
        ("query -r $.id a.json b.json c.jsonl --skip-bad", "3\n", 2),
        ("query -r $.id a.json b.json", "2\n", 1),
        ("query --count $.id --skip-bad c.jsonl b.json", "1\n", 2),
        ("query $.id nope.json b.json", "2\n", 2),
    ] {
        let output = place.fjson(line).output();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{line}");
        assert_eq!(output.status.code(), Some(status), "{line}");
    }
}

/// A record that is skipped is not written where the matches are.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn bad_records_do_not_replace_the_matches() {
    let place = Place::new();
    place.file("a.jsonl", "{\"id\": 3}\n{\"id\": }\n");
    let query = "$FJSON query '$.id' a.jsonl --skip-bad --bad-records";
    for (line, expected) in [
        (
            format!("{query} out > out"),
            "out: error: standard output or standard error is redirected to the same file; write to another file\n",
        ),
        (format!("{query} -"), "error: standard output has the matches; write the bad records to another file\n"),
    ] {
        let output = place.shell(&line).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.ends_with(expected), "{message}");
        assert_eq!(output.status.code(), Some(2));
    }
    place.shell(&format!("{query} /dev/stderr 2> log")).stdout();
    assert!(place.read("log").contains("\"text\":\"{\\\"id\\\": }\""), "{}", place.read("log"));
}

/// Damage ends the search, but the matches before it were found.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn matches_before_damage_are_counted() {
    let place = Place::new();
    let lines: Vec<_> = (0..100_000_u64).map(|number| format!("{{\"id\": {}}}\n", number * number)).collect();
    place.file("a.jsonl", lines.concat());
    place.shell("$FJSON gzip --stdout -1 a.jsonl | head -c 100000 > cut.jsonl.gz").stdout();
    let counts = ["-p $.id", "-p $.id -p $.nosuch", "-p $[?@>=0]", "-p $..id"].map(|queries| {
        let output = place.fjson(&format!("query --count {queries} cut.jsonl.gz")).output();
        assert_eq!(output.status.code(), Some(2), "{queries}");
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    });
    assert!(counts[0].as_deref().is_some_and(|count| count != "0"));
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn patterns_of_the_document() {
    for (text, query, expected) in [
        // A lone surrogate is no pattern, and an invalid pattern matches nothing.
        (r#"{"p": "\ud800", "x": ["a", ""]}"#, "$.x[?search(@, $.p)]", "0\n"),
        (r#"{"p": "\ud800", "x": ["a", ""]}"#, "$.x[?match(@, $.p)]", "0\n"),
        (r#"{"p": "a", "q": "b", "x": ["a", "b", "ab", "c"]}"#, "$.x[?search(@, $.p) || match(@, $.q)]", "3\n"),
        (r#"{"x": [{"p": "a", "s": "xa"}, {"p": "b", "s": "xa"}]}"#, "$.x[?search(@.s, @.p) && @.s]", "1\n"),
    ] {
        let count = Place::new().fjson_with(["query", "--count", "--allow-empty", "-q", query]).stdin(text).stdout();
        assert_eq!(count, expected, "{query}");
    }
}

/// With a limit, the last row may still get a second match, which is an error.
#[test]
fn a_limit_does_not_hide_a_second_match() {
    let text = r#"{"x": {"a": 1}, "b": {"a": 2}}"#;
    assert_eq!(byte_by_byte_status(&["query", "--csv", "--limit=1", "-p", "$.*.a"], text.as_bytes()), Some(1));
}
