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
        ("map(.name) users.json", "fjson jq 'map(.name)' users.json"),
        (".users|length users.json", "fjson jq '.users|length' users.json"),
        ("keys users.json", "fjson jq keys users.json"),
        ("$.users users.json", "fjson query '$.users' users.json"),
        (".users users.json", "fjson jq .users users.json"),
        ("count $..* users.json", "fjson query --count '$..*' users.json"),
        ("count users.json", "fjson query --count '$[*]' users.json"),
        ("get users.json", "fjson query '$' users.json"),
        ("paths users.json", "fjson query --paths '$..*' users.json"),
        ("sort users.json", "fjson pretty --sort-keys users.json"),
        ("missing.json", "fjson validate missing.json"),
        ("schema s.json users.json", "fjson validate --schema s.json users.json"),
        ("add /b 1 users.json", "fjson set /b 1 users.json"),
        ("-c . users.json", "fjson jq -c . users.json"),
        ("--arg x 1 .users users.json", "fjson jq --arg x 1 .users users.json"),
        ("validat users.json", "a similar subcommand exists: 'validate'"),
        ("valdiate users.json", "a similar subcommand exists: 'validate'"),
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
            ["-r", ".users[] | [.name] | @csv"],
            "= help: this is a program in the language of jq: fjson jq '.users[] | [.name]",
        ),
        (["-r", "keys"], "= help: this is a program in the language of jq: fjson jq keys"),
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
    for line in [
        ". users.json",
        ".users[].tags[] users.json",
        "count $..* users.json",
        "count users.json",
        "get users.json",
        "paths users.json",
        "keys users.json",
        "length users.json",
        "check .",
    ] {
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
fn a_word_that_is_like_no_command_has_no_suggestion() {
    let message = |line: &str| String::from_utf8_lossy(&users().fjson(line).output().stderr).into_owned();
    assert!(message("valdate users.json").contains("'validate'"));
    assert!(!message("nosuch users.json").contains("similar"));
}

/// The option, and what the tip says. A tip that names an option or a command does so for one that exists.
#[test]
fn options_of_other_programs_get_what_does_the_same() {
    let place = users();
    for (line, tip) in [
        ("pretty -c users.json", "without whitespace: fjson minify users.json"),
        ("minify -c users.json", "the output is compact"),
        ("gzip -d users.json.gz", "to decompress: gzip -d"),
        ("gzip -k users.json", "the input file is always kept"),
        ("query -o out $.users users.json", "to write to a file: fjson query EXPR FILE > OUTPUT"),
        ("validate -r .", "directories are always searched recursively"),
        ("query --arg x 1 $.users users.json", "JSONPath has no variables"),
        ("validate --depth 3 users.json", "to limit the nesting depth: --max-depth N"),
        ("validate --depth=3 users.json", "to limit the nesting depth: --max-depth N"),
        ("pretty --strip-comments users.json", "pretty --strip removes comments"),
        ("query --unescape $.users users.json", "without quotes and escapes: -r"),
        ("pretty --unescape users.json", "fjson query -r EXPR FILE"),
        ("stats -i users.json", "this command changes no files"),
        ("pretty --spaces 4 users.json", "by N spaces: --indent N"),
        ("pretty --indent-width 4 users.json", "by N spaces: --indent N"),
        ("pretty --write users.json", "to change the file itself: -i"),
        ("minify -w users.json", "to change the file itself: -i"),
        ("pretty --no-indent users.json", "without whitespace: fjson minify users.json"),
        ("pretty --json-lines users.json", "each line: --lines"),
        ("pretty --ensure-ascii users.json", "as escapes: --escape ascii"),
        ("pretty --no-ensure-ascii users.json", "text stays as it is"),
        ("pretty -indent 4 users.json", "two dashes: --indent"),
        ("stats -threads=2 users.json", "two dashes: --threads=2"),
        ("validate -s schema.json users.json", "--schema FILE"),
        ("rename /a /b users.json", "fjson edit --rename /a /b users.json"),
        ("minify --indent 2 users.json", "indented: fjson pretty --indent 2 users.json"),
        ("minify --indent=2 users.json", "indented: fjson pretty --indent=2 users.json"),
        ("edit --replace /a 1 users.json", "to set a value: --set PATH JSON"),
        ("edit --remove /a users.json", "to delete values: --delete PATH"),
        ("edit --add /a 1 users.json", "--set PATH JSON; an element before another one: --insert"),
        ("diff --json users.json users.json", "a JSON Patch: --format patch"),
        ("pretty --splat users.json", " pretty [OPTIONS] [FILE]..."),
    ] {
        let output = place.fjson(line).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(tip) && !message.contains("a similar argument"), "{line}: {message}");
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
    assert_eq!(place.fjson("validate --max-depth 3 users.json").status(), Some(1));
    assert_eq!(place.fjson("minify users.json").status(), Some(0));
}

/// What a message advises works, or it says why there is nothing that does.
#[test]
fn advice_fits_the_command_line() {
    let place = users();
    place.file("one.patch", r#"{"op": "remove", "path": "/my-key"}"#);
    place.file("c.jsonc", "// nothing\n");
    for (words, input, tip) in [
        (&["query", "--single", "$"][..], "1 2", "concatenated JSON (`--lines`, `--stream` instead of `--single`)"),
        (&["query", "--csv", "--columns", "auto"], "[[1]]", "but 1 of 1 row is not an object (the first: "),
        (&["query", "--csv", "--columns", "auto"], "[[1]]", "name the columns: --rows '$[*]' -p '@[0]'"),
        (&["validate"], "{},\n", "help: remove it"),
        (&["validate"], "{}\n---\n{}", "help: this is YAML: remove these lines, and read the input as JSON Lines"),
        (&["validate", "--bom", "accept"], "\u{feff}\u{feff}1", "help: remove it: it may be left over"),
        (&["validate"], "{a\": 1}", "help: put `\"` before it"),
        (&["validate", "c.jsonc"], "", "the input contains only whitespace or comments, expected a JSON value"),
        (&["set", "/name", "users.json"], "", "help: the value comes before the file"),
        (&["patch", "one.patch", "users.json"], "", "help: put the operation into `[` and `]`"),
        (&["validate", "--schema", "https://json.schemastore.org/a.json"], "1", "nothing is read from the network"),
        (&["validate", ""], "", "tip: an argument is empty; it may be a variable of the shell that is not set"),
        (&["query", "--where"], "", "but none was supplied\n\nFor more"),
        (&["jq", ".", ""], "", "'': error: the name of the file is empty"),
    ] {
        let output = place.fjson_with(words.iter().copied()).stdin(input).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(tip), "{words:?}: {message}");
        assert_ne!(output.status.code(), Some(0), "{words:?}");
    }
}

/// Texts and keys may begin with a hyphen.
#[test]
fn texts_that_look_like_options() {
    let place = users();
    for (words, changed) in [
        (&["edit", "--set-string", "/a", "-x", "--delete", "/b"][..], "{\"a\":\"-x\"}"),
        (&["edit", "--set-string", "/a", "--set", "--set", "/b", "-1"], "{\"a\":\"--set\",\"b\":-1}"),
        (&["edit", "--rename", "/a", "-x"], "{\"-x\":1,\"b\":2}"),
        (&["set", "--string", "/a", "--", "-x"], "{\"a\":\"-x\",\"b\":2}"),
    ] {
        let output = place.fjson_with(words.iter().copied()).stdin("{\"a\":1,\"b\":2}");
        assert_eq!(output.stdout(), changed, "{words:?}");
    }
}

#[test]
fn the_expression_may_be_left_out_after_a_condition() {
    let place = users();
    let whole = format!("{USERS}\n");
    let absolute = place.path("users.json");
    let absolute = absolute.to_str().expect("text");
    for words in [
        ["--where", "@['my-key'] == 1", "users.json"],
        ["--where", "@['my-key'] == 1", absolute],
        ["-p", "$", "users.json"],
    ] {
        assert_eq!(place.fjson_with(["query"].into_iter().chain(words)).stdout(), whole, "{words:?}");
    }
    let condition = ["query", "--where", "@.users"];
    assert_eq!(place.fjson_with(condition).stdin(USERS).stdout(), whole);
    assert_eq!(place.fjson_with(condition.into_iter().chain(["-"])).stdin(USERS).stdout(), whole);
    // An operand that can be an expression is one.
    assert_eq!(place.fjson_with(condition.into_iter().chain(["/my-key", "users.json"])).stdout(), "1\n");
    assert_eq!(place.fjson_with(condition.into_iter().chain(["$['my-key']"])).stdin(USERS).stdout(), "1\n");
}

/// Each of these expressions is refused, and the one that is suggested has a match.
#[test]
fn expressions_that_are_refused_get_one_that_works() {
    let place = Place::new();
    place.file(
        "pods.json",
        r#"{"items": [{"metadata": {"name": "a.b"}, "n": 1}, {"metadata": {"name": "c"}, "n": 2}]}"#,
    );
    let suggestion = |words: &[&str]| {
        let output = place.fjson_with(["query"].iter().chain(words).chain(&["pods.json"])).output();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let meant = message.split_once("did you mean `").and_then(|(_, rest)| rest.split_once("`?"));
        meant.unwrap_or_else(|| panic!("{words:?}: {message}")).0.to_owned()
    };
    for (mistake, matches) in [
        ("items.0.n", "1\n"),
        ("$.items[(@.length-1)].n", "2\n"),
        ("$.items[?search(@.metadata.name, '\\.')].n", "1\n"),
        ("$.items[?@.metadata.name == “c”].n", "2\n"),
        ("$[‘items’][0].n", "1\n"),
    ] {
        let meant = suggestion(&[mistake]);
        assert_eq!(place.fjson_with(["query", &meant, "pods.json"]).stdout(), matches, "{mistake}: {meant}");
    }
    let meant = suggestion(&["--where", "?@.items[0].n==1", "$.items[0].n"]);
    assert_eq!(place.fjson_with(["query", "--where", &meant, "$.items[0].n", "pods.json"]).stdout(), "1\n");
    let message = place.fjson("query paths pods.json").output().stderr;
    assert!(String::from_utf8_lossy(&message).contains("language of jq: fjson jq paths"));
    let message = String::from_utf8_lossy(&place.fjson("query nosuch.json $.a").output().stderr).into_owned();
    assert!(message.contains("which does not exist") && message.contains("fjson query '$.a' nosuch.json"), "{message}");
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn an_output_that_the_shell_has_emptied_is_named() {
    let place = users();
    for command in ["minify", "pretty"] {
        place.file("users.json", USERS);
        let output = place.shell(&format!("$FJSON {command} users.json > users.json")).output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("the shell has emptied it") && message.contains("--in-place"), "{message}");
        assert_eq!(output.status.code(), Some(2));
    }
    place.file("users.json", USERS);
    let message = place.shell("$FJSON query '$' users.json > users.json").output().stderr;
    assert!(String::from_utf8_lossy(&message).contains("the shell has emptied it"));
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
