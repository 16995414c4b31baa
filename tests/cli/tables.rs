//! Tables that a cluster reads: `--null`, `--quote-strings`, `--offsets` and `--with-filename` as columns.

use crate::place::Place;
use crate::place::assert_shows;

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
    assert_eq!(place.fjson("query --rows $ -p $.id b.jsonl --csv --offsets").status(), Some(2));
    assert_eq!(place.fjson("query $.id b.jsonl --null-data").stdout(), "2\0");
}
