//! Programs for jq that are given to `fjson query`: the error names the command that runs them, and a path that is suggested selects
//! what jq prints.

use crate::place::Place;

const USERS: &str = r#"{"users": [
  {"id": 1, "name": "Ada", "age": 36, "tags": ["admin", "dev"], "active": true, "address": {"city": "London"}, "msg": "a.b ($1)"},
  {"id": 2, "name": "Bob", "age": 17, "tags": [], "active": false, "address": null, "msg": "Timeout 30 s"},
  {"id": 3, "name": "Zoë", "age": 52, "tags": ["dev"], "active": null, "msg": "line\rend"}
], "next-page": null, "total": 3, "some key": {"x": 1.5}}"#;

/// Programs, and whether a path is suggested, too.
const PROGRAMS: [(&str, bool); 25] = [
    (".", true),
    (".total", true),
    (".users[0]", true),
    (".users[-1].name", true),
    (".\"some key\".x", true),
    (".[\"some key\"].x", true),
    (".users[].name", true),
    (".users[0:2][].name", false),
    (".users[1:][0].name", false),
    (".users[] | .name", false),
    (".users | map(.name)", false),
    (".users[] | select(.age > 30) | .name", false),
    (".users[] | select(.msg | test(\"(?i)TIMEOUT\")) | .id", false),
    (".users | map(.age) | add", false),
    ("[.users[].id]", false),
    ("{total, n: (.users | length)}", false),
    ("first(.users[].id)", false),
    (".. | booleans", false),
    ("to_entries", false),
    ("keys", false),
    ("length", false),
    ("map_values(type)", false),
    ("del(.users)", false),
    (".total += 1", false),
    (".users[0] | [.id, .name] | @csv", false),
];

#[test]
fn programs_get_the_command_that_runs_them() {
    let place = Place::new();
    place.file("users.json", USERS);
    for (program, has_path) in PROGRAMS {
        let output = place.fjson_with(["query", program, "users.json"]).output();
        assert_eq!(output.status.code(), Some(2), "{program}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let helps: Vec<_> =
            message.lines().filter_map(|line| line.split_once("= help: ").map(|(_, help)| help)).collect();
        let command =
            helps.iter().find_map(|help| help.strip_prefix("this is a program in the language of jq: fjson "));
        let command = command.unwrap_or_else(|| panic!("{program}: {message}"));
        let printed = place.shell(&format!("\"$FJSON\" {command} users.json")).stdout();
        let meant = helps.iter().find_map(|help| help.strip_prefix("did you mean `")?.strip_suffix("`?"));
        assert_eq!(meant.is_some(), has_path, "{program}: {message}");
        if let Some(meant) = meant {
            let found = place.fjson_with(["query", meant, "users.json"]).stdout();
            let [printed, found] =
                [printed, found].map(|text| place.fjson_with(["jq", "-c", "."]).stdin(text).stdout());
            assert_eq!(found, printed, "{program}: {meant}");
        }
    }
    for expression in ["$.a[", "a.b", "users[0].name", "frobnicate", "", "1", "$.a | frobnicate"] {
        let message = place.fjson_with(["query", expression, "users.json"]).output().stderr;
        let message = String::from_utf8_lossy(&message).into_owned();
        assert!(!message.contains("fjson jq"), "{expression}: {message}");
    }
}
