//! The report formats.

use crate::place::Place;
use crate::place::assert_shows;
use serde_json::Value;
use std::collections::BTreeSet;

/// An invalid document, an invalid record, a valid input, and a missing one.
const INPUTS: &str = "bad.json records.jsonl good.json missing.json";

fn place() -> Place {
    let place = Place::with_two();
    place.file("records.jsonl", "1\n{\"a\": [1, 2}\n");
    place
}

fn stdout(format: &str, inputs: &str) -> String {
    let output = place().fjson(&format!("validate --format {format} {inputs}")).output();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8(output.stdout).expect("the report is UTF-8")
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the report is JSON")
}

#[test]
fn human() {
    assert_shows!(place().fjson(&format!("validate --format human {INPUTS}")));
}

#[test]
fn concise() {
    assert_shows!(place().fjson(&format!("validate --format concise {INPUTS}")));
}

#[test]
fn json() {
    assert_shows!(place().fjson(&format!("validate --format json {INPUTS}")));
    let report = parsed(&stdout("json", INPUTS));
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["errors"][1]["record"], 2);
    assert_eq!(report["inputs"], 3);
    assert_eq!(parsed(&stdout("json", "good.json"))["errors"], Value::Array(Vec::new()));
}

#[test]
fn jsonl() {
    assert_shows!(place().fjson(&format!("validate --format jsonl {INPUTS}")));
    let report = stdout("jsonl", INPUTS);
    assert_eq!(report.lines().map(parsed).filter(|finding| finding["file"].is_string()).count(), 3);
    assert_eq!(stdout("jsonl", "good.json"), "");
}

#[test]
fn github() {
    assert_shows!(place().fjson(&format!("validate --format github {INPUTS}")));
    assert_eq!(stdout("github", "good.json"), "");
}

#[test]
fn gitlab() {
    assert_shows!(place().fjson(&format!("validate --format gitlab {INPUTS}")));
    let report = parsed(&stdout("gitlab", INPUTS));
    let fingerprint = |index: usize| report[index]["fingerprint"].as_str().expect("a fingerprint").to_owned();
    assert_ne!(fingerprint(0), fingerprint(1));
    assert_eq!(parsed(&stdout("gitlab", "good.json")), Value::Array(Vec::new()));
    let place = Place::new();
    place.file("schema.json", r#"{"required": ["a"]}"#);
    place.file("records.jsonl", "{}\n{}\n{}\n");
    let output = place.fjson("validate --schema schema.json --format gitlab records.jsonl").output();
    let report = parsed(&String::from_utf8(output.stdout).expect("text"));
    let all: BTreeSet<_> =
        report.as_array().expect("issues").iter().map(|issue| issue["fingerprint"].as_str()).collect();
    assert_eq!(all.len(), 3);
}

#[test]
fn sarif() {
    assert_shows!(place().fjson(&format!("validate --format sarif {INPUTS}")));
    let report = parsed(&stdout("sarif", INPUTS));
    let run = &report["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
    }
    assert_eq!(parsed(&stdout("sarif", "good.json"))["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn junit() {
    assert_shows!(place().fjson(&format!("validate --format junit {INPUTS}")));
    for inputs in [INPUTS, "good.json", "<a&\"'>.json"] {
        assert_well_formed(&stdout("junit", inputs));
    }
}

#[test]
fn a_report_can_be_cut_short() {
    let place = Place::new();
    assert_shows!(place.fjson("validate --lines --max-errors 1 --format json").stdin("x\ny\nz\n"));
}

#[test]
fn a_report_beside_a_document_goes_to_standard_error() {
    assert_shows!(place().fjson("minify --format json bad.json"));
}

/// Tags open and close in order, attributes are quoted, and there are no stray special characters.
fn assert_well_formed(xml: &str) {
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let mut open = Vec::new();
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        let entities_end = text.split('&').skip(1).all(|entity| entity.contains(';'));
        assert!(entities_end && tag.matches('"').count() % 2 == 0, "{piece}");
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty());
}

/// Viewers resolve a plain absolute path against their own root.
#[test]
#[cfg_attr(windows, ignore = "the URI of a drive is in windows.rs")]
fn sarif_has_a_file_uri_for_an_absolute_input() {
    let place = place();
    let path = place.file("a b.json", "[1 2]");
    let output = place.fjson_with(["validate".as_ref(), "--format=sarif".as_ref(), path.as_os_str()]).output();
    let report = parsed(&String::from_utf8(output.stdout).expect("the report is text"));
    let uri = &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let directory = place.path("").to_string_lossy().into_owned();
    assert_eq!(uri, &format!("file://{directory}a%20b.json"));
}

/// Other lines would be in the middle of the document.
#[test]
fn a_report_on_standard_error_has_nothing_else() {
    let place = Place::new();
    place.file("log.jsonl", "1\n[1,]\n2\n");
    place.file("a.json", "[1]");
    for line in [
        "query --format json --skip-bad $ log.jsonl",
        "query --format sarif --skip-bad -v $ log.jsonl",
        "minify --format json -v a.json a.json",
        "minify --format json --max-errors 1 log.jsonl log.jsonl",
        "query --format json --skip-bad --bad-records missing/x $ log.jsonl",
        "query --format gitlab $ missing.json",
    ] {
        let output = place.fjson(line).output();
        parsed(&String::from_utf8(output.stderr).unwrap_or_else(|_| panic!("{line}: UTF-8")));
    }
}

/// Systems that show reports compare the names with those of a repository.
#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn names_in_reports_do_not_begin_with_a_dot() {
    let place = Place::new();
    place.file("sub/bad.json", "[1,]");
    for (format, name) in
        [("github", "file=sub/bad.json,"), ("gitlab", "\"sub/bad.json\""), ("sarif", "\"sub/bad.json\"")]
    {
        let output = place.fjson(&format!("validate --format {format} .")).output();
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains(name) && !report.contains("./sub"), "{report}");
    }
}
