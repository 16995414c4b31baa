//! Reports for other programs, validated against the schemas of their formats: by `fjson` itself, and `JUnit` by its rules.

use crate::place::Place;
use proof::suites;
use std::fs;

/// Inputs with every kind of finding, and the command lines that report them.
fn place() -> Place {
    let place = Place::new();
    place.file(
        "s.json",
        r#"{"properties": {"id": {"type": "integer"}, "x": {"oneOf": [{"const": 1}, {"type": "null"}]}}}"#,
    );
    place.file("not.json", "{\"type\": \"int\"}");
    place.file("a.json", "{\"id\": \"<&\\\"é\\u001b>\", \"x\": 2}");
    place.file("b c.jsonl", "{\"id\": 1}\n{\"id\": }\n{\"id\": 2.5}\n");
    place.file("good.json", "{\"id\": 1}\n");
    place
}

const LINES: [&str; 5] = [
    "validate --schema s.json",
    "validate --schema not.json",
    "validate",
    "validate --unique-keys --max-errors 5",
    "pretty --check",
];

/// The report of each line, about good and bad inputs, none at all, and one that is missing.
fn reports(place: &Place, format: &str) -> Vec<(String, String)> {
    let lines = LINES.iter().flat_map(|line| {
        let inputs = [&["a.json", "b c.jsonl", "good.json", "missing.json"][..], &["good.json"]];
        inputs
            .map(|inputs| line.split(' ').chain(["--format", format]).chain(inputs.iter().copied()).collect::<Vec<_>>())
    });
    let report = |words: &Vec<&str>| String::from_utf8(place.fjson_with(words).output().stdout).expect("text");
    lines.map(|words| (words.join(" "), report(&words))).collect()
}

fn follow(place: &Place, format: &str, schema: &str) {
    for (line, report) in reports(place, format) {
        place.file("report.json", &report);
        let output = place.fjson(&format!("validate --schema {schema} report.json")).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {message}\n{report}");
    }
}

#[test]
fn sarif_reports_follow_the_schema_of_sarif() {
    let Some(schema) = suites::sarif_schema() else { return };
    let place = place();
    // Two patterns have a bracket that is not escaped, which ECMAScript refuses with the flag `u`.
    let schema = String::from_utf8(schema).expect("text").replace("{2}]?$", "{2}\\\\]?$");
    place.file("sarif.schema.json", schema);
    follow(&place, "sarif", "sarif.schema.json");
    // The schema is not one that accepts everything.
    place.file("report.json", r#"{"version": "2.1.0", "runs": [{"results": []}]}"#);
    assert_eq!(place.fjson("validate --schema sarif.schema.json report.json").status(), Some(1));
}

#[test]
fn gitlab_reports_are_what_gitlab_documents() {
    let place = place();
    place.file(
        "gitlab.schema.json",
        fs::read(suites::root().join("corpus/reports/gitlab.schema.json")).expect("a file"),
    );
    follow(&place, "gitlab", "gitlab.schema.json");
    place.file(
        "report.json",
        r#"[{"description": "x", "check_name": "y", "severity": "major", "location": {"path": "z"}}]"#,
    );
    assert_eq!(place.fjson("validate --schema gitlab.schema.json report.json").status(), Some(1));
}

/// Attributes that the elements of a `JUnit` report must have, and the elements that may be in them.
const JUNIT: [(&str, &[&str], &[&str]); 5] = [
    ("testsuites", &["tests", "failures", "errors"], &["testsuite"]),
    ("testsuite", &["name", "tests", "failures", "errors"], &["testcase"]),
    ("testcase", &["name", "classname"], &["failure", "error"]),
    ("failure", &["message", "type"], &[]),
    ("error", &["message", "type"], &[]),
];

/// Elements are nested and have attributes as the schemas of `JUnit` demand, counts are right, and text is escaped.
#[test]
fn junit_reports_have_the_structure_of_junit() {
    for (line, report) in reports(&place(), "junit") {
        let rest = report.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
        let (mut open, mut counts, mut claimed) = (Vec::<&str>::new(), [0; 3], None);
        for part in rest.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("{line}: {part}"));
            let is_whole = |text: &str| {
                text.split('&')
                    .skip(1)
                    .all(|part| ["lt;", "gt;", "amp;", "quot;", "apos;", "#"].iter().any(|name| part.starts_with(name)))
            };
            assert!(is_whole(tag) && is_whole(text), "{line}: {part}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{line}");
                continue;
            }
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let name = tag.split(' ').next().expect("a name");
            let (_, attributes, _) =
                JUNIT.iter().find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("{line}: {name}"));
            for attribute in *attributes {
                assert!(tag.contains(&format!(" {attribute}=\"")), "{line}: {tag} without {attribute}");
            }
            match open.last() {
                None => claimed = Some(["tests", "failures", "errors"].map(|name| number(tag, name))),
                Some(around) => {
                    let (_, _, inner) = JUNIT.iter().find(|(known, ..)| known == around).expect("an element");
                    assert!(inner.contains(&name), "{line}: {name} in {around}");
                }
            }
            if let Some(index) = ["testcase", "failure", "error"].iter().position(|counted| *counted == name) {
                counts[index] += 1;
            }
            if !is_empty {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{line}: {open:?}");
        assert_eq!(claimed, Some(counts), "{line}");
    }
}

fn number(tag: &str, attribute: &str) -> u64 {
    let (_, rest) = tag.split_once(&format!(" {attribute}=\"")).expect("an attribute");
    rest.split('"').next().expect("a value").parse().expect("a number")
}
