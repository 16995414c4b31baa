//! Programs for jq that are given to `fjson query`: what the error suggests can be run, and prints what jq prints.

use crate::place::Place;
use std::fs;
use std::path::Path;

const USERS: &str = r#"{"users": [
  {"id": 1, "name": "Ada", "age": 36, "tags": ["admin", "dev"], "active": true, "address": {"city": "London"}, "msg": "a.b ($1)"},
  {"id": 2, "name": "Bob", "age": 17, "tags": [], "active": false, "address": null, "msg": "Timeout 30 s"},
  {"id": 3, "name": "Zoë", "age": 52, "tags": ["dev"], "active": null, "msg": "line\rend"}
], "next-page": null, "total": 3, "some key": {"x": 1.5}}"#;

/// Programs, besides those of docs/from-jq.md.
const PROGRAMS: [&str; 40] = [
    ".",
    ".total",
    ".users",
    ".users[0]",
    ".users[-1].name",
    ".\"some key\".x",
    ".[\"some key\"].x",
    ".users[] | .name",
    ".users | .[] | .id",
    ".users | first | .name",
    ".users | last | .name",
    ".users | map(.name)",
    ".users | map(.id) | .[]",
    ".users | map(select(.age > 30))",
    ".users | map(select(.age > 30)) | length",
    ".users | length",
    ".users[0].tags | length",
    ".users[1:] | length",
    ".users[0:2][].name",
    ".users[] | select(.active) | .name",
    ".users[] | select(.active | not) | .name",
    ".users[] | select(.active and .age > 20) | .id",
    ".users[] | select(.address != null) | .id",
    ".users[] | select(.name != \"Ada\") | .id",
    ".users[] | select(.msg | test(\"a.b\")) | .id",
    ".users[] | select(.msg | test(\"line.end\")) | .id",
    ".users[] | select(.msg | test(\"\\\\d+ s$\")) | .id",
    ".users[] | select(.msg | test(\"^timeout\"; \"i\")) | .id",
    ".users[] | select(.msg | test(\"(?i)TIMEOUT\")) | .id",
    ".users[] | select(.name | test(\"^(?:Ada|Bob)$\")) | .id",
    ".users[] | select(.name | test(\"\\\\bZo\")) | .id",
    ".users[] | select(.msg | contains(\"a.b ($1)\")) | .id",
    ".users[] | select(.msg | startswith(\"Time\")) | .id",
    ".users[] | select(.msg | endswith(\"s\")) | .id",
    ".users[] | select(has(\"address\")) | .id",
    "[.users[].id]",
    "[.users[].tags[]] | length",
    "first(.users[].id)",
    "limit(2; .users[].id)",
    ".. | booleans",
];

/// Returns the arguments that the error for a program suggests, as a line for the shell; `None` if it suggests nothing.
fn suggested(place: &Place, program: &str, file: &str) -> Option<String> {
    let output = place.fjson_with(["query", program, file]).output();
    assert_eq!(output.status.code(), Some(2), "{program}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let help = message.lines().filter_map(|line| line.split_once("= help: ")).map(|(_, help)| help).next_back()?;
    if let Some(expression) = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?")) {
        return Some(format!("query '{}'", expression.replace('\'', r"'\''")));
    }
    help.split_once(": fjson ").map(|(_, command)| command.to_owned())
}

/// The lines of an output of JSON values, without the whitespace of jq 1.6 and of fjson, which prints values as they are written.
fn values(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| match serde_json::from_str::<serde_json::Value>(line) {
        Ok(value) => value.to_string(),
        Err(_) => line.to_owned(),
    });
    lines.collect()
}

/// Runs what is suggested for a program, and jq, if it is installed.
fn compare(place: &Place, program: &str, file: &str, command: &str) {
    let ran = place.shell(&format!("\"$FJSON\" {command} {file}")).output();
    let found = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!((ran.status.code(), &*ran.stderr), (Some(0), &b""[..]), "{program}: fjson {command}");
    let options = if command.contains("--csv") || command.contains("--tsv") { "-r" } else { "-c" };
    let jq = place.shell(&format!("jq {options} '{}' {file}", program.replace('\'', r"'\''"))).output();
    if jq.status.code() != Some(127) {
        assert_eq!(values(&found), values(&String::from_utf8_lossy(&jq.stdout)), "{program}: fjson {command}");
    }
}

#[test]
fn suggestions_do_what_jq_does() {
    let place = Place::new();
    place.file("users.json", USERS);
    for program in PROGRAMS {
        let command = suggested(&place, program, "users.json");
        let command = command.unwrap_or_else(|| panic!("no suggestion for {program}"));
        compare(&place, program, "users.json", &command);
    }
}

/// What docs/from-jq.md says of its lines: the error for the expression of each that is not marked † names what does the same.
#[test]
fn lines_of_the_document_get_suggestions() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/from-jq.md");
    let text = fs::read_to_string(document).expect("a document");
    let place = Place::new();
    let setup = text.lines().skip_while(|line| *line != "<!-- console").take_while(|line| *line != "-->");
    for command in setup.filter_map(|line| line.strip_prefix("$ ")) {
        assert_eq!(place.shell(command).status(), Some(0), "{command}");
    }
    let (mut with, mut without) = (0, 0);
    for line in text.lines().filter(|line| line.starts_with("| `jq ") && !line.contains("&&")) {
        let row = line.replace("\\|", "\0");
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        let [_, jq, fjson, note, _] = &cells[..] else { continue };
        let (jq, fjson) = (jq.trim_matches('`'), fjson.trim_matches('`'));
        // The arguments of jq, as the shell splits them.
        let arguments = place.shell(&format!("jq() {{ printf '%s\\0' \"$@\" >&2; }}; {jq} >/dev/null")).output().stderr;
        let arguments = String::from_utf8(arguments).expect("UTF-8");
        let [.., program, file] = arguments.trim_end_matches('\0').split('\0').collect::<Vec<_>>()[..] else {
            continue;
        };
        if !place.path(file).exists() || !fjson.starts_with("fjson query") && program == "." {
            continue;
        }
        if note.contains('†') {
            without += 1;
            continue;
        }
        let command = suggested(&place, program, file);
        let command = command.unwrap_or_else(|| panic!("no suggestion for {program}"));
        // With -s, jq reads something else.
        if !jq.contains(" -s") && !note.contains('≠') {
            compare(&place, program, file, &command);
        }
        with += 1;
    }
    assert!(with >= 35 && without >= 5, "{with} with, {without} without");
}
