//! Command lines that are not quite right: the message names the command or expression that was meant.

use crate::place::Place;
use crate::place::assert_shows;

const USERS: &str = r#"{"users": [{"name": "Ada", "tags": ["x"]}], "my-key": 1}"#;

fn users() -> Place {
    let place = Place::new();
    place.file("users.json", USERS);
    place
}

#[test]
fn words_of_other_tools_get_the_command_that_was_meant() {
    let place = users();
    assert_shows!(place.fjson("users.json"));
    assert_shows!(place.fjson(". users.json"));
    assert_shows!(place.fjson("fmt users.json"));
    for (line, tip) in [
        ("format users.json", "fjson pretty -i users.json"),
        ("check users.json", "fjson validate users.json"),
        ("lint .", "fjson validate ."),
        ("cat users.json", "fjson pretty users.json"),
        ("jq .users[].name users.json", "fjson query '$.users[*].name' users.json"),
        ("jq -r .my-key users.json", "fjson query -r \"\\$['my-key']\" users.json"),
        ("$.users users.json", "fjson query '$.users' users.json"),
        (".users users.json", "fjson query '$.users' users.json"),
        ("count $..* users.json", "fjson query --count '$..*' users.json"),
        ("sort users.json", "fjson pretty --sort-keys users.json"),
        ("missing.json", "fjson validate missing.json"),
        ("validat users.json", "a similar subcommand exists: 'validate'"),
    ] {
        let output = place.fjson(line).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(tip), "{line}: {message}");
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
}

#[test]
fn options_and_programs_of_jq_get_what_does_the_same() {
    let place = users();
    for (words, tip) in [
        (["-c", ".users[]"], "each match is printed on one line"),
        (["-s", "."], "one array: --array"),
        (["--sort-keys", "."], "fjson pretty --sort-keys"),
        (
            ["-r", "select(.x == 1) | .y"],
            "= help: search only some of the documents: fjson query --where '@.x == 1' '$.y'",
        ),
        (
            ["-r", ".users[] | [.name] | @csv"],
            "= help: print a table: fjson query --csv --rows '$.users[*]' -p '$.name'",
        ),
        (["-r", ".users | sort_by(.name)"], "= help: this is a program for jq, which computes values"),
        (["-r", "keys"], "= help: print where the members are: fjson query --pointers '$.*'"),
        (["--count", ".users"], "= help: did you mean `$.users`?"),
    ] {
        let output = place.fjson_with(["query"].into_iter().chain(words).chain(["users.json"])).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(tip) && !message.contains("-- -"), "{words:?}: {message}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

/// What a tip says works.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn commands_that_are_suggested_can_be_run() {
    let place = users();
    for line in
        [". users.json", "jq .users[].name users.json", "jq -r .my-key users.json", "count $..* users.json", "check ."]
    {
        let output = place.fjson(line).output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let (_, command) = message.split_once(": fjson ").expect("a tip");
        let command = command.lines().next().expect("a line");
        assert_eq!(place.shell(&format!("$FJSON {command}")).status(), Some(0), "{line}: {command}");
    }
}

#[test]
fn expressions_are_corrected() {
    let place = users();
    assert_shows!(place.fjson_with(["query", "$.my-key", "users.json"]));
    assert_shows!(place.fjson_with(["query", ".users[].tags[]", "users.json"]));
    assert_shows!(place.fjson_with(["query", "$.users[0].tags | length", "users.json"]));
    assert_shows!(place.fjson_with(["query", "$", "--where", "level = error", "users.json"]));
    let valid = place.fjson_with(["query", "$..[?(@.tags)].name", "users.json"]);
    assert_eq!(valid.stdout(), "\"Ada\"\n");
}

#[test]
fn an_expression_and_a_file_may_be_swapped() {
    let place = users();
    assert_shows!(place.fjson_with(["query", "users.json"]));
    assert_shows!(place.fjson_with(["query", "users.json", "$.users"]));
    assert_shows!(place.fjson_with(["query", "$.users", "$.my-key", "users.json"]));
    assert_shows!(place.fjson_with(["query", "-p", "$.users", "$['my-key']", "users.json"]));
    let message = place.fjson("query . users.json").output().stderr;
    assert!(String::from_utf8_lossy(&message).contains("did you mean `$`?"));
    // A file may have such a name.
    place.file("$.json", "1");
    assert_eq!(place.fjson_with(["query", "$", "$.json"]).stdout(), "1\n");
}

#[test]
fn values_of_options_say_what_is_expected() {
    let place = users();
    assert_shows!(place.fjson("validate --threads x users.json"));
    assert_shows!(place.fjson("validate --threads -1 users.json"));
    assert_shows!(place.fjson("stats --top x users.json"));
    assert_shows!(place.fjson("stats --top -3 users.json"));
    assert_shows!(place.fjson("pretty --indet 4 users.json"));
}
