//! `validate` with JSON Schemas: places, reports, options, and schemas that cannot be used.

use crate::place::Place;
use crate::place::as_on_unix;
use crate::place::assert_shows;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

const SCHEMA: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "required": ["version", "name"],
  "properties": {
    "name": {"type": "string", "minLength": 3},
    "version": {"type": "string"},
    "port": {"$ref": "parts/port.json#/$defs/port"},
    "shape": {"oneOf": [
      {"title": "circle", "properties": {"t": {"const": "circle"}, "r": {"type": "number"}}, "required": ["t", "r"]},
      {"properties": {"t": {"const": "square"}, "a": {"type": "number"}}, "required": ["t", "a"]}
    ]}
  },
  "additionalProperties": false
}
"#;

const DOCUMENT: &str = r#"{
  "name": "ab",
  "verison": "é", "port": 70000,
  "shape": {"t": "circle", "r": "5"}
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.file("s.json", SCHEMA);
    place.file("parts/port.json", "{\n  \"$defs\": {\"port\": {\"type\": \"integer\",\n    \"maximum\": 65535}}\n}");
    place.file("d.json", DOCUMENT);
    place
}

#[test]
fn violations_have_places_in_the_document_and_in_the_schema() {
    assert_shows!(place().fjson("validate --schema s.json d.json"));
}

#[test]
fn every_format_reports_violations() {
    for format in ["concise", "json", "jsonl", "github", "gitlab", "sarif", "junit"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(format!("schema__{format}"), place().fjson(&format!("validate --schema s.json --format {format} d.json")).shown());
        }
    }
}

/// The same violations, however the records are read.
#[test]
fn records_are_validated_however_they_are_read() {
    let place = place();
    place.file("id.json", r#"{"properties": {"id": {"type": "integer"}}}"#);
    let mut log = String::new();
    for id in 0..30_000 {
        let text = match id {
            20_000 => "{\"id\": \"é\"}\n\n".to_owned(),
            20_001 => "{\"id\": }\n".to_owned(),
            id if id % 10_000 == 7 => format!("{{\"x\": \"ü\", \"id\": {id}.5}}\n"),
            id => format!("{{\"id\": {id}}}\n"),
        };
        log.push_str(&text);
    }
    place.file("log.jsonl", &log);
    let expected = "log.jsonl:8:18: error[schema/type]: found the number 7.5, expected an integer\n\
        log.jsonl:10008:18: error[schema/type]: found the number 10007.5, expected an integer\n\
        log.jsonl:20001:8: error[schema/type]: found the string \"é\", expected an integer\n\
        log.jsonl:20003:8: error[expected-value]: found `}`, expected a value after the colon\n\
        log.jsonl:20009:18: error[schema/type]: found the number 20007.5, expected an integer\n";
    let stderr = |line: &str, stdin: Option<&str>| {
        let run = place.fjson(line);
        let run = if let Some(text) = stdin { run.stdin(text) } else { run };
        let output = run.output();
        assert_eq!(output.status.code(), Some(1), "{line}");
        String::from_utf8(output.stderr)
            .expect("text")
            .replace("<stdin>", "log.jsonl")
            .replace("log.jsonl.gz", "log.jsonl")
    };
    let arguments = "validate --schema id.json --format concise";
    for options in ["--threads 1", "--threads 4", "--no-mmap", "--no-mmap --threads 4"] {
        assert_eq!(stderr(&format!("{arguments} {options} log.jsonl"), None), expected, "{options}");
    }
    assert_eq!(stderr(&format!("{arguments} --lines"), Some(&log)), expected);
    let compressed = fs::File::create(place.path("log.jsonl.gz")).expect("a file");
    let mut encoder = flate2::write::GzEncoder::new(compressed, flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, log.as_bytes()).expect("compressed");
    encoder.finish().expect("compressed");
    assert_eq!(stderr(&format!("{arguments} log.jsonl.gz"), None), expected);
    let report = place.fjson("validate --schema id.json --format jsonl log.jsonl").output().stdout;
    let records: Vec<u64> = String::from_utf8(report)
        .expect("text")
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).expect("JSON")["record"].as_u64())
        .collect();
    assert_eq!(records, [8, 10_008, 20_001, 20_002, 20_008]);
}

#[test]
fn patterns_choose_the_schema() {
    let place = Place::new();
    place.file("string.json", r#"{"type": "string"}"#);
    place.file("number.json", r#"{"type": "number"}"#);
    for name in ["a/x.json", "a/y.json", "b/x.json"] {
        place.file(name, "true");
    }
    let shown = |line: &str| {
        let output = place.fjson(line).output();
        as_on_unix(String::from_utf8(output.stderr).expect("text"))
    };
    let all = "validate --format concise --schema a/*=string.json --schema y.json=number.json a b";
    assert_eq!(
        shown(all),
        "a/x.json:1:1: error[schema/type]: found true, expected a string\n\
         a/y.json:1:1: error[schema/type]: found true, expected a number\n"
    );
    place.file("c=d.json", r#"{"type": "null"}"#);
    let named = shown("validate --format concise --schema c=d.json ./b/x.json");
    assert_eq!(named, "./b/x.json:1:1: error[schema/type]: found true, expected null\n");
    let warning = "fjson: warning: nothing was validated against a schema, because no input has a name that matches a pattern of --schema\n";
    for command in ["validate", "validate --quiet", "minify", "query $.a --allow-empty", "gzip --stdout"] {
        let expected = if command.contains("--quiet") { "" } else { warning };
        let stderr = place.fjson(&format!("{command} b/x.json --schema c=string.json")).output().stderr;
        assert_eq!(String::from_utf8_lossy(&stderr), expected, "{command}");
    }
    place.file("b/p.json", "true\n");
    assert_eq!(shown("pretty --check b/p.json --schema c=string.json"), warning);
    let one = shown("validate --format concise --schema c=string.json --schema x.json=c=d.json a/y.json b/x.json");
    assert_eq!(one, named.replace("./", ""));
}

#[test]
fn documents_name_their_schema() {
    let place = place();
    place.file("sub/named.json", r#"{"$schema": "../s.json", "name": "abc", "version": 1}"#);
    place.file("sub/draft.json", r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "strin"}"#);
    place.file("sub/none.json", r#"{"name": 1}"#);
    place.file("sub/remote.json", r#"{"$schema": "https://example.com/none.json"}"#);
    assert_shows!(place.fjson("validate --schema-from-instance --format concise sub"));
    place.file(
        "dir/none.json",
        r#"{"$id": "https://example.com/none.json", "required": ["x"], "additionalProperties": false}"#,
    );
    assert_shows!(place.fjson("validate --schema-from-instance --schema-dir dir sub/remote.json"));
}

#[test]
fn schemas_that_cannot_be_used() {
    let place = place();
    let cases = [
        ("{\"type\": }", "--schema x.json"),
        ("{\n  \"type\": \"int\",\n  \"required\": \"a\"\n}", "--schema x.json"),
        ("{\"$schema\": \"https://json-schema.org/draft/2020-13/schema\"}", "--schema x.json"),
        ("{\"$schema\": \"https://example.com/meta\"}", "--schema x.json"),
        ("{\"properties\": {\n  \"a\": {\"$ref\": \"missing.json\"}}}", "--schema x.json"),
        ("{\"$ref\": \"parts/port.json#/$defs/prot\"}", "--schema x.json"),
        ("{\"$ref\": \"#nowhere\"}", "--schema x.json"),
        ("{\"$ref\": \"bad.json\"}", "--schema x.json"),
        ("{\"pattern\": \"(a\"}", "--schema x.json"),
        ("\u{feff}{}", "--schema x.json"),
        ("{\"$ref\": \"parts\"}", "--schema x.json"),
        ("{\"items\": {\"$ref\": \"a b.json\"}}", "--schema x.json"),
        ("{\"$id\": \"%%\"}", "--schema x.json"),
        ("{\"a\": 1, \"a\": 2}", "--schema x.json"),
        ("{\"required\": [\"\\ud800\"]}", "--schema x.json"),
        ("{}", "--schema x.json --schema-at /a"),
        ("{}", "--schema none.json"),
        ("{}", "--schema parts"),
        ("{}", "--schema {=x.json"),
    ];
    place.file("bad.json", "{\n\"type\": tru}");
    let mut shown = String::new();
    for (schema, options) in cases {
        place.file("x.json", schema);
        let run = place.fjson(&format!("validate {options} d.json")).shown();
        write!(shown, "{options}: {schema}\n{run}\n\n").expect("a string");
        assert!(run.ends_with("exit status: 2"), "{options}: {schema}\n{run}");
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn schemas_are_checked() {
    let place = place();
    place.file("bad.json", "{\n  \"items\": {\"type\": \"strng\"},\n  \"$ref\": \"missing.json\"\n}");
    place.file("worse.json", " {\"$ref\": \"missing.json\"}");
    assert_shows!(place.fjson("validate --check-schema s.json bad.json worse.json"));
    let draft = place.fjson("validate --check-schema --draft 4 -").stdin(r#"{"exclusiveMinimum": 5}"#);
    assert_eq!(draft.status(), Some(1));
    assert_eq!(place.fjson("validate --check-schema -").stdin(r#"{"exclusiveMinimum": 5}"#).status(), Some(0));
}

#[test]
fn what_schemas_cannot_see_is_an_error() {
    let place = place();
    place.file("any.json", "true");
    let duplicate = place.fjson("validate --schema any.json --format concise -").stdin(r#"{"a": 1, "a": 2}"#).output();
    assert_eq!(
        String::from_utf8_lossy(&duplicate.stderr),
        "<stdin>:1:10: error[duplicate-key]: duplicate key `a`, first used at line 1 column 2 (byte 1)\n"
    );
    // A document that is not valid JSON has that error alone.
    let broken = place.fjson("validate --schema s.json --format concise -").stdin(r#"{"name": 1,}"#).output();
    assert_eq!(String::from_utf8_lossy(&broken.stderr).lines().count(), 1);
}

#[test]
fn formats_drafts_and_pointers() {
    let place = Place::new();
    place.file(
        "api.json",
        r##"{"components": {"schemas": {
        "Pet": {"properties": {"born": {"format": "date"}, "owner": {"$ref": "#/components/schemas/Own%20er"}}},
        "Own er": {"minimum": 5, "exclusiveMinimum": true}}}}"##,
    );
    place.file("pet.json", r#"{"born": "soon", "owner": 5}"#);
    let status = |options: &str| {
        place
            .fjson(&format!("validate -q --schema api.json --schema-at /components/schemas/Pet {options} pet.json"))
            .status()
    };
    assert_eq!(status("--draft 4"), Some(1));
    assert_eq!(status("--draft 4 --formats ignore"), Some(1));
    place.file("pet.json", r#"{"born": "soon", "owner": 6}"#);
    assert_eq!(status("--draft 4 --formats ignore"), Some(0));
    assert_eq!(status("--draft 4"), Some(1));
    // In later drafts, `exclusiveMinimum` is a number.
    let usage = place.fjson("validate --draft 4 pet.json").output();
    assert_eq!(usage.status.code(), Some(2));
}

/// A recursive schema on a deep document, and more violations than are held in memory.
#[test]
fn deep_documents_and_many_violations() {
    let place = Place::new();
    place.file(
        "tree.json",
        r##"{"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "object", "additionalProperties": {"$ref": "#"}}]}"##,
    );
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let run =
        |text: String, options: &str| place.fjson(&format!("validate --schema tree.json {options} -")).stdin(text);
    assert_eq!(run(deep(1000), "").status(), Some(0));
    // Threads have less stack than the first one.
    for number in 0..10 {
        place.file(format!("deep/{number}.json"), deep(1000));
        place.file(format!("deep/x{number}.json"), deep(999).replacen("[]", "[1]", 1));
    }
    let output = place.fjson("validate --schema tree.json --threads 4 --format concise deep").output();
    assert_eq!((output.status.code(), output.stderr.split(|&byte| byte == b'\n').count()), (Some(1), 11));
    assert_eq!(run(deep(1001), "-q").status(), Some(1));
    let advice = String::from_utf8(run(deep(1001), "--max-depth 5000").output().stderr).expect("UTF-8");
    assert!(advice.contains("1000 levels are the most, whatever `--max-depth` says"), "{advice}");
    assert_eq!(run(deep(100_000), "-q --max-depth none").status(), Some(1));
    let invalid = run(deep(999).replacen("[]", "[1]", 1), "--format concise").output();
    assert_eq!(invalid.status.code(), Some(1));
    place.file("numbers.json", r#"{"items": {"type": "string"}}"#);
    let numbers = format!("[{}1]", "1,".repeat(99_999));
    let shown = place.fjson("validate --schema numbers.json --max-errors 0 --format concise -").stdin(numbers).output();
    let text = String::from_utf8(shown.stderr).expect("text");
    assert_eq!(text.lines().count(), 65_537, "{}", &text[text.len() - 300..]);
    assert!(text.ends_with("<stdin>: a document has more violations than the 65536 that are looked for\n"));
}

/// Schemas with comments: by name or with `--jsonc`, referenced ones and those in directories, too.
#[test]
fn schemas_may_have_comments() {
    let place = Place::new();
    place.file(
        "s.jsonc",
        "{\n  // a number\n  \"properties\": {\"a\": {\"$ref\": \"part.jsonc\"}, \"b\": {\"$ref\": \"urn:b\"},},\n}",
    );
    place.file("part.jsonc", "/* of one\n file */ {\"type\": \"integer\"}");
    place.file("schemas/b.jsonc", "// by its identifier\n{\"$id\": \"urn:b\", \"type\": \"string\"}");
    place.file("plain.json", "{\"type\": /* comment */ \"object\"}");
    place.file("d.json", "{\"a\": 1.5, \"b\": 2, \"$schema\": \"s.jsonc\"}");
    assert_shows!(place.fjson("validate --schema s.jsonc --schema-dir schemas d.json"));
    assert_eq!(place.fjson("validate --schema-from-instance --schema-dir schemas d.json").status(), Some(1));
    assert_eq!(place.fjson("validate --check-schema --schema-dir schemas s.jsonc schemas").status(), Some(0));
    assert_eq!(place.fjson("validate --schema plain.json --jsonc d.json").status(), Some(0));
    assert_shows!(place.fjson("validate --schema plain.json d.json"));
    assert_shows!(place.fjson("validate --schema part.jsonc --no-jsonc d.json"));
}

/// Far from the beginning of a pipe, lines and columns are those of a file.
#[test]
fn lines_are_known_everywhere_in_pipes() {
    let place = Place::new();
    place.file("id.json", r#"{"properties": {"id": {"type": "integer"}}}"#);
    let filler = "x".repeat(1000);
    let mut log = String::from("\u{feff}");
    for id in 0..7000 {
        let number = if id % 2500 == 2499 { "2.5" } else { "1" };
        // Blank lines, and a record that is no JSON.
        let end = ["\n", "\n\n", "\nx\n"][usize::from(id % 1000 == 7) + usize::from(id == 5007)];
        writeln!(log, "{{\"é\": \"{filler}\", \"id\": {number}}}{end}").expect("a string");
    }
    place.file("log.jsonl", &log);
    let errors = |line: &str, stdin: Option<&str>| {
        let run = place.fjson(&format!("validate --schema id.json --bom accept --format concise {line}"));
        let run = if let Some(text) = stdin { run.stdin(text) } else { run };
        String::from_utf8(run.output().stderr).expect("text").replace("<stdin>", "log.jsonl")
    };
    let expected = errors("log.jsonl", None);
    assert_eq!(expected.lines().count(), 3, "{expected}");
    for options in ["--lines", "--lines --threads 1", "--lines --jsonc"] {
        assert_eq!(errors(options, Some(&log)), expected, "{options}");
    }
    assert_eq!(errors("--lines --jsonc log.jsonl", None), expected);
}

/// Excerpts show comments, and columns count their characters.
#[test]
fn excerpts_show_comments() {
    let place = Place::new();
    place.file("id.json", r#"{"properties": {"id": {"type": "integer"}}}"#);
    let text = "// é\n{ /* ü ü */ \"id\": /* ö */ 2.5, // end\n}\n";
    place.file("a.jsonc", text);
    place.file("b.jsonc", format!("\u{feff}{text}"));
    assert_shows!(place.fjson("validate --schema id.json a.jsonc"));
    assert_shows!(place.fjson("validate --schema id.json --bom accept b.jsonc"));
    assert_shows!(place.fjson("validate --schema id.json --jsonc").stdin(text));
}

/// What would not be checked at all is an error.
#[test]
fn nothing_is_left_unchecked_without_a_word() {
    let place = Place::new();
    place.file("a.json", "{\"$schema\": 5}");
    for (line, message) in [
        ("validate --schema-from-instance a.json", "found no text as `$schema`"),
        ("validate --schema-from-instance --schema-dir none a.json", "no such file or directory"),
        ("validate --schema-from-instance --schema-dir a.json a.json", "is no directory (--schema-dir)"),
    ] {
        let output = place.fjson(&format!("{line} --format concise")).output();
        let stderr = as_on_unix(String::from_utf8_lossy(&output.stderr).into_owned());
        assert!(stderr.contains(message) && output.status.code() == Some(2), "{line}: {stderr}");
    }
}

/// They are ignored, so everything seems to be valid.
#[test]
fn misspelled_keywords_are_noted() {
    let place = Place::new();
    place.file(
        "s.json",
        "{\n  \"type\": \"object\",\n  \"propertys\": {\"a\": {\"typ\": 1}},\n  \"require\": [\"a\"]\n}",
    );
    place.file("a.json", "{}");
    let note = "s.json:3:3: note: JSON Schema has no keyword \"propertys\", so it is ignored; did you mean \"properties\"?\n\
        s.json:4:3: note: JSON Schema has no keyword \"require\", so it is ignored; did you mean \"required\"?\n";
    for (line, expected) in [
        ("validate --schema s.json a.json", note),
        ("validate --check-schema s.json", note),
        ("validate --check-schema s.json --format concise", note),
        ("validate --check-schema s.json -q", ""),
        ("validate --schema s.json a.json --format jsonl", note),
    ] {
        let output = place.fjson(line).output();
        assert_eq!(
            (String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()),
            (expected, Some(0)),
            "{line}"
        );
    }
}

/// With `-v`, the first value of each input that a place of the schema calls deprecated.
#[test]
fn deprecated_values_are_noted() {
    let place = Place::new();
    place.file(
        "s.json",
        r##"{"properties": {"old": {"$ref": "#/$defs/old"}, "new": {"anyOf": [
            {"type": "string", "deprecated": true}, {"type": "number"}]}},
            "items": {"deprecated": false}, "patternProperties": {"^x}": {"deprecated": true}},
            "$defs": {"old": {"type": "integer", "deprecated": true, "deprecationMessage": "use \"new\""}}}"##,
    );
    place.file("a.json", "{\n  \"old\": 1, \"new\": 5,\n  \"x}\": null}");
    place.file("b.jsonl", "{\"new\": \"a\"}\n{\"old\": \"x\", \"new\": \"b\"}\n{\"old\": 3}\n[1]\n");
    let notes = |line: &str| {
        let output = place.fjson(line).output();
        let text = String::from_utf8(output.stderr).expect("text");
        text.split_inclusive('\n').filter(|line| line.contains("note: ")).collect::<String>()
    };
    let expected = "a.json:2:3: note: the key \"old\" is deprecated; use \"new\"\n\
        a.json:3:3: note: the key \"x}\" is deprecated\n\
        b.jsonl:1:2: note: the key \"new\" is deprecated\n\
        b.jsonl:3:2: note: the key \"old\" is deprecated; use \"new\"\n";
    assert_eq!(notes("validate -v --schema s.json a.json b.jsonl"), expected);
    assert_eq!(notes("validate --schema s.json a.json b.jsonl"), "");
    assert_eq!(place.fjson("validate -v --schema s.json a.json").status(), Some(0));
}
