//! Tables that a cluster reads: `--null`, `--quote-strings`, `--offsets` and `--with-filename` as columns.

use crate::place::Place;
use crate::place::assert_shows;
use proof::random::Random;
use proof::random::rounds;

const LOG: &str = "{\"id\":1,\"s\":\"\"}\n{\"x\":0}\n\n{\"id\":null,\"s\":\"NA\"}\n[1,]\n{\"id\":\"7\",\"s\":{\"a\":[]}}\n{\"id\":7}\n";

fn log() -> Place {
    let place = Place::new();
    place.file("a.jsonl", LOG);
    place.file("b.jsonl", "{\"id\":2,\"s\":\"b,\\\\N\"}\n");
    place
}

fn table(options: &str) -> String {
    let output = log().fjson(&format!("query -p id=$.id -p s=$.s --skip-bad {options}")).output();
    assert_eq!(output.status.code(), Some(0), "{options}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn null_and_missing_values_differ_from_strings() {
    let options = |options: &str| table(&format!("a.jsonl {options}"));
    assert_eq!(options("--csv"), "1,\n,NA\n7,\"{\"\"a\"\":[]}\"\n7,\n");
    assert_eq!(options("--csv --null="), "1,\"\"\n,NA\n7,\"{\"\"a\"\":[]}\"\n7,\n");
    assert_eq!(options("--csv --null NA"), "1,\nNA,\"NA\"\n7,\"{\"\"a\"\":[]}\"\n7,NA\n");
    assert_eq!(options("--csv --null - --quote-strings"), "1,\"\"\n-,\"NA\"\n\"7\",\"{\"\"a\"\":[]}\"\n7,-\n");
    assert_eq!(options("--tsv --null \\N"), "1\t\n\\N\tNA\n7\t{\"a\":[]}\n7\t\\N\n");
    assert_eq!(table("b.jsonl --tsv --null \\N"), "2\tb,\\\\N\n");
    assert_eq!(options("--csv --quote-strings --header").lines().next(), Some("\"id\",\"s\""));
}

#[test]
fn names_and_offsets_are_columns() {
    let expected = "file,offset,id,s\na.jsonl,0,1,\na.jsonl,25,,NA\na.jsonl,51,7,\"{\"\"a\"\":[]}\"\na.jsonl,75,7,\n\
        b.jsonl,0,2,\"b,\\N\"\n";
    assert_eq!(table("a.jsonl b.jsonl --csv --header --offsets --with-filename"), expected);
    assert_eq!(table("a.jsonl --tsv --offsets --threads 3"), "0\t1\t\n25\t\tNA\n51\t7\t{\"a\":[]}\n75\t7\t\n");
    // The offset is that in the file, whatever the range, and finds the record.
    let parts: String =
        (1..=9).map(|part| table(&format!("a.jsonl --allow-empty --csv --offsets --range {part}/9"))).collect();
    assert_eq!(parts, table("a.jsonl --csv --offsets"));
    for row in parts.lines() {
        let offset: usize = row.split(',').next().and_then(|offset| offset.parse().ok()).expect("a number");
        assert!(LOG[offset..].starts_with('{'), "{row}");
    }
    let place = log();
    assert_eq!(place.fjson("query $.none --csv --offsets b.jsonl").status(), Some(1));
    assert_eq!(
        place.fjson("query $.a --csv --offsets --stream").stdin(" {\"a\":1} {} [] {\"a\":2}").stdout(),
        "1,1\n15,2\n"
    );
    assert_eq!(place.fjson("query $.a --csv --offsets").stdin(" {\"a\":1}").stdout(), "1,1\n");
}

#[test]
fn what_would_be_ambiguous_is_refused() {
    let place = log();
    assert_shows!(place.fjson("query $.id a.jsonl --csv --null="));
    assert_shows!(place.fjson("query $.id a.jsonl --csv --null a,b"));
    assert_shows!(place.fjson("query $.id a.jsonl --null x"));
    assert_shows!(place.fjson("query $.id a.jsonl --tsv --quote-strings"));
    assert_eq!(place.fjson("query $.id b.jsonl --csv --null= --with-filename").stdout(), "b.jsonl,2\n");
    assert_eq!(place.fjson("query --rows $ -p @.id b.jsonl --csv --offsets").status(), Some(2));
    assert_eq!(place.fjson("query $.id b.jsonl --null-data").stdout(), "2\0");
}

/// The first rows are those of the whole table, and the search ends with them: what follows is not read.
#[test]
fn a_limit_counts_rows() {
    let place = log();
    for (options, status) in [
        ("-p $.id -p $.s --csv", Some(0)),
        ("-p $.s -p $.id --tsv --offsets", Some(0)),
        ("-p $.id --tsv -H --offsets", Some(0)),
        ("--rows $ -p @.id -p @.s --csv", Some(0)),
        ("-p $.none --csv", Some(1)),
        ("--rows $ -p @.none -p $.id --csv -H", Some(0)),
    ] {
        let run = |limit: &str, skip: &str| {
            place.fjson(&format!("query {options} {skip} {limit} --header a.jsonl b.jsonl a.jsonl")).output()
        };
        let whole = run("", "--skip-bad").stdout;
        let whole: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        for limit in 1..=whole.len() {
            let output = run(&format!("--limit {limit}"), "--skip-bad");
            assert_eq!(output.stdout, whole[..whole.len().min(limit + 1)].concat(), "{options} --limit {limit}");
            assert_eq!(output.status.code(), status, "{options} --limit {limit}");
        }
        // The invalid record is the fourth.
        if whole.len() > 1 {
            let output = run("--first", "");
            assert_eq!(output.stdout, whole[..2].concat(), "{options}");
            assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{options}");
        }
    }
    let two = "{\"id\": 1, \"id2\": [1, 2]} {\"id\": 2} {\"id\": 3} oops";
    assert_eq!(place.fjson("query $.id --csv --limit 2").stdin(two).stdout(), "1\n2\n");
    assert_eq!(place.fjson("query --rows $.id2[*] @ --csv --first").stdin(two).stdout(), "1\n");
    let ambiguous = place.fjson("query -p $.id -p $.id2[*] --csv --first").stdin(two).output();
    assert_eq!((ambiguous.status.code(), &*ambiguous.stdout), (Some(1), &b"2,\n"[..]));
}

/// The last row is seen at once, though the pipe stays open, and the next match ends the search.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn a_limit_ends_the_search_of_a_live_pipe() {
    let place = Place::new();
    let line = "mkfifo in out; exec 3<>in; { timeout 60 $FJSON query --lines $.a --csv --first <in; echo end; } >out & \
        exec 4<out; echo '{\"a\": 1}' >&3; head -n 1 <&4; echo '{\"a\": 2}' >&3; cat <&4";
    assert_eq!(place.shell(line).stdout(), "1\nend\n");
}

/// The depth limit of the command line applies to the columns, too, and an error says what it is.
#[test]
fn deep_rows() {
    let place = Place::new();
    place.file("deep.json", format!("{{\"r\":{{\"x\":{}{}}}}}", "[".repeat(1500), "]".repeat(1500)));
    let line = "--csv --rows $.r -p @..[?@.z].q deep.json";
    assert_eq!(place.fjson(&format!("query --max-depth 5000 {line}")).stdout(), "\"\"\n");
    let output = place.fjson(&format!("query {line}")).output();
    assert!(String::from_utf8_lossy(&output.stderr).contains("use --max-depth"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn tables_for_excel() {
    let place = log();
    let excel = |options: &str| place.fjson(&format!("query -p id=$.id -p s=$.s --csv --excel {options}")).stdout();
    assert_eq!(excel("b.jsonl"), "\u{feff}2,\"b,\\N\"\r\n");
    assert_eq!(excel("--header b.jsonl b.jsonl"), "\u{feff}id,s\r\n2,\"b,\\N\"\r\n2,\"b,\\N\"\r\n");
    assert_eq!(excel("--header --null= --first b.jsonl"), "\u{feff}id,s\r\n2,\"b,\\N\"\r\n");
    assert_eq!(place.fjson("query $.none --csv --excel b.jsonl").output().stdout, b"");
    // Line breaks in values are not changed.
    let text = place.fjson("query $.a --csv --excel").stdin(r#"{"a":"x\ny"}"#).stdout();
    assert_eq!(text, "\u{feff}\"x\ny\"\r\n");
    assert_eq!(place.fjson("query $.id b.jsonl --tsv --excel").status(), Some(2));
}

/// U+0000 as jq writes it.
#[test]
fn tab_separated_values_are_escaped_like_those_of_jq() {
    let place = Place::new();
    let text = r#"{"a":"x\u0000y\t\\\r\n","b":1.50}"#;
    let got = place.fjson("query -p $.a -p $.b --tsv").stdin(text).stdout();
    assert_eq!(got, "x\\0y\\t\\\\\\r\\n\t1.50\n");
    place.file("a.json", text);
    if cfg!(unix) && place.shell("jq --version").status() == Some(0) {
        assert_eq!(place.shell("jq -r '[.a] | @tsv' a.json").stdout(), got.replace("\t1.50", ""));
    }
}

/// Random cells, read back by the `csv` module of Python, and with its reader and the inverse escapes for tab-separated values.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn python_reads_the_cells() {
    const PROGRAM: &str = r#"
import csv, json, re, sys
with open("cells.jsonl", encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]
expected = [[row[name] for name in ("a", "b", "c")] for row in rows]
def read(name, encoding):
    with open(name, encoding=encoding, newline="") as table:
        return list(csv.reader(table, strict=True))
assert read("cells.csv", "utf-8") == expected, "CSV"
assert read("quoted.csv", "utf-8") == expected, "quoted CSV"
assert read("excel.csv", "utf-8-sig") == expected, "CSV for Excel"
text = open("excel.csv", "rb").read()
assert text.startswith(b"\xef\xbb\xbf") and text.endswith(b"\r\n")
escapes = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\", "0": "\0"}
with open("cells.tsv", encoding="utf-8", newline="\n") as table:
    got = [[re.sub(r"\\(.)", lambda it: escapes[it[1]], cell) for cell in line[:-1].split("\t")] for line in table]
assert got == expected, "TSV"
"#;
    let place = Place::new();
    if place.shell("python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'").status() != Some(0) {
        proof::untested::report("U+0000 in tables: Python 3.11, whose csv module reads U+0000, is not installed");
        return;
    }
    place.file("program.py", PROGRAM);
    rounds(2, |random| {
        let cell = |random: &mut Random| {
            let pieces =
                [",", "\"", "\n", "\r", "\r\n", "\t", "\\", "\\t", "\0", " ", "é", "x", "=1", "\u{feff}", "'", ";"];
            (0..random.below(5)).map(|_| random.pick(&pieces)).collect::<String>()
        };
        let row = |random: &mut Random| {
            serde_json::json!({"a": cell(random), "b": cell(random), "c": cell(random)}).to_string()
        };
        let rows: Vec<_> = (0..200).map(|_| row(random)).collect();
        place.file("cells.jsonl", rows.join("\n") + "\n");
        for (name, options) in [
            ("cells.csv", "--csv"),
            ("quoted.csv", "--csv --quote-strings"),
            ("excel.csv", "--csv --excel"),
            ("cells.tsv", "--tsv"),
        ] {
            let table = place.fjson(&format!("query -p $.a -p $.b -p $.c cells.jsonl {options}")).stdout();
            place.file(name, table);
        }
        assert_eq!(place.shell("python3 program.py").stdout(), "");
    });
}
