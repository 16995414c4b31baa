//! File names that look like options, in the action for GitHub and in the hooks for pre-commit, as a repository may have them.

use crate::place::FJSON;
use crate::place::Place;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

/// Returns a file of the repository.
fn committed(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("the file is there")
}

/// Runs the last step of the action with these inputs.
fn act(place: &Place, paths: &str, options: &str) -> Output {
    let action = committed("action.yml");
    let script = action.rsplit("run: |\n").next().expect("a step");
    place.file("step.sh", script.lines().map(|line| line.trim_start().to_owned() + "\n").collect::<String>());
    fs::create_dir_all(place.path("temp/fjson/bin")).expect("a directory");
    symlink(FJSON, place.path("temp/fjson/bin/fjson")).ok();
    // As GitHub runs it, and with a valid document on standard input, which must not be read.
    let run = place.shell("bash --noprofile --norc -eo pipefail step.sh");
    let temp = place.path("temp");
    run.env("RUNNER_TEMP", &temp.to_string_lossy()).env("PATHS", paths).env("OPTIONS", options).stdin("[]").output()
}

#[test]
fn the_action_reads_all_of_its_inputs() {
    let place = Place::new();
    place.file("good.json", "[1]");
    place.file("bad.json", "[1 2]");
    place.file("a name with spaces.json", "[1 2]");
    place.file("twice.json", "{\"a\":1,\"a\":2}");
    for (paths, options, status, names) in [
        ("good.json", "", 0, &[][..]),
        ("good.json bad.json", "", 1, &["bad.json"]),
        ("good.json\nbad.json\n", "", 1, &["bad.json"]),
        ("good.json\r\nbad.json\r\n", "", 1, &["bad.json"]),
        ("\n  \ngood.json\n\nbad.json", "", 1, &["bad.json"]),
        ("bad.json\na name with spaces.json\n", "", 1, &["bad.json", "a name with spaces.json"]),
        (".", "", 1, &["bad.json", "a name with spaces.json"]),
        ("twice.json", "", 0, &[]),
        ("twice.json", "--max-depth 7\n--unique-keys", 1, &["twice.json"]),
        ("good.json", "--no-such-option", 2, &[]),
        ("", "", 2, &[]),
        (" \n\n", "", 2, &[]),
    ] {
        let output = act(&place, paths, options);
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(status), "{paths:?} {options:?}: {said}");
        assert!(names.iter().all(|name| said.contains(name)), "{paths:?}: {said}");
        assert!(status != 2 || said.contains("error"), "{paths:?}: {said}");
    }
}

/// A repository in which the name of a file is an option that has files outside of it read or written.
fn hostile() -> Place {
    let place = Place::new();
    place.file("outside/secret.json", "[ 1 ]");
    place.file("repository/list.json", "../outside/secret.json\n");
    place.file("repository/good.json", "[ 1 ]");
    for name in ["--files-from=list.json", "--output=good.json", "-o.json", "--no-such.json"] {
        place.file(format!("repository/{name}"), "[ 2 ]");
    }
    place
}

#[test]
fn no_name_is_an_option_of_the_action() {
    let place = hostile();
    place.file("repository/step.sh", "");
    let output = act(&place, "repository/good.json\n--files-from=repository/list.json\n", "");
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("no such file"), "{said}");
}

/// Returns the command lines of the hooks, with these `args` if they replace those of the hook.
fn hooks(args: Option<&str>) -> Vec<String> {
    let hooks = committed(".pre-commit-hooks.yaml");
    let field = |name: &str| {
        let lines = hooks.lines().filter_map(|line| line.trim().strip_prefix(name));
        lines.map(|value| value.trim().to_owned()).collect::<Vec<_>>()
    };
    let own = field("args:");
    let entries = field("entry:");
    assert_eq!((entries.len(), own.len()), (3, 3));
    let lines = entries.iter().zip(&own).map(|(entry, own)| {
        let own = own.trim_matches(['[', ']']).replace(',', " ");
        entry.replacen("fjson", "$FJSON", 1) + " " + args.unwrap_or(&own)
    });
    lines.collect()
}

/// pre-commit passes the names of the files after the entry and its arguments.
#[test]
fn no_name_is_an_option_of_a_hook() {
    let names = "good.json --files-from=list.json --output=good.json -o.json --no-such.json";
    for line in hooks(None) {
        let place = hostile();
        let output = place.shell(&format!("cd repository; {line} {names}")).output();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
        assert_eq!(place.read("outside/secret.json"), "[ 1 ]", "{line}");
        let is_edit = line.contains("pretty");
        for name in ["good.json", "--files-from=list.json", "--output=good.json", "-o.json"] {
            assert_eq!(place.read(format!("repository/{name}")).contains('\n'), is_edit, "{line} {name}");
        }
    }
    // With own arguments that do not end in --, or in a line of a shell: nothing is read or written.
    for line in
        hooks(Some("--no-ignore")).into_iter().chain(["$FJSON minify -i".to_owned(), "$FJSON minify".to_owned()])
    {
        for name in ["--files-from=list.json", "--output=good.json", "-o.json"] {
            let place = hostile();
            let output = place.shell(&format!("cd repository; {line} {name} good.json")).output();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains(name) && said.contains("a file has the same name"), "{line}: {said}");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}");
            assert_eq!(place.read("outside/secret.json"), "[ 1 ]", "{line}");
            assert_eq!(place.read("repository/good.json"), "[ 1 ]", "{line}");
        }
    }
    // An option with no such file is an option.
    let place = hostile();
    assert_eq!(place.shell("cd outside; $FJSON minify --output=x.json --max-depth=9 secret.json").stdout(), "");
}
