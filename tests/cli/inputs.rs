//! Directories and lists of names as inputs.

use crate::place::Place;
use crate::place::assert_shows;
use std::fs;

/// Every file has an error, so that the report lists the files that were read.
fn tree() -> Place {
    let place = Place::new();
    for name in [
        "a.json",
        "a.jsonc",
        "b.jsonl",
        "c.ndjson",
        "d.geojson",
        "other.txt",
        "sub/deep/e.json",
        "ignored/f.json",
        ".hidden.json",
        ".config/g.json",
    ] {
        place.file(name, "!");
    }
    place.file(".ignore", "ignored\n");
    place
}

/// The files that were read, in order.
fn visited(place: &Place, options: &str) -> Vec<String> {
    let output = place.fjson(&format!("validate --format concise {options}")).output();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).expect("text");
    text.lines().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
}

/// The message says why a directory has no inputs.
#[test]
fn a_directory_without_inputs_says_why() {
    let place = Place::new();
    place.file("logs/a.jsonl", "1\n");
    for (line, reason) in [
        ("validate -g *.txt logs", "no files in this directory match --glob"),
        ("pretty --check logs", "all JSON files in this directory are skipped"),
    ] {
        let output = place.fjson(line).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(reason), "{line}: {message}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn a_directory_gives_its_json_files() {
    let expected = ["./a.json", "./a.jsonc", "./b.jsonl", "./c.ndjson", "./d.geojson", "./sub/deep/e.json"];
    assert_eq!(visited(&tree(), "."), expected);
    assert_eq!(visited(&tree(), "sub"), ["sub/deep/e.json"]);
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn hidden_and_ignored_files_on_request() {
    let place = tree();
    assert!(visited(&place, "--hidden .").contains(&String::from("./.hidden.json")));
    assert!(visited(&place, "--hidden .").contains(&String::from("./.config/g.json")));
    assert!(!visited(&place, "--hidden .").contains(&String::from("./ignored/f.json")));
    assert!(visited(&place, "--no-ignore .").contains(&String::from("./ignored/f.json")));
    assert!(!visited(&place, "--no-ignore .").contains(&String::from("./.hidden.json")));
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn gitignore_counts_inside_a_git_repository() {
    let place = tree();
    place.file("sub/.gitignore", "deep\n");
    assert_eq!(visited(&place, "sub"), ["sub/deep/e.json"]);
    fs::create_dir(place.path(".git")).expect("the directory is made");
    assert_shows!(place.fjson("validate sub"));
    assert_eq!(visited(&place, "--no-ignore sub"), ["sub/deep/e.json"]);
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn globs_choose_and_leave_out() {
    let place = tree();
    assert_eq!(visited(&place, "-g *.txt ."), ["./other.txt"]);
    assert_eq!(visited(&place, "--glob !*.json ."), ["./a.jsonc", "./b.jsonl", "./c.ndjson", "./d.geojson"]);
    // A file that matches a glob is included even if it is hidden, as in ripgrep; an ignored directory is not searched.
    assert_eq!(visited(&place, "-g *.json -g !sub ."), ["./.hidden.json", "./a.json"]);
}

#[test]
fn a_file_that_is_named_is_always_read() {
    let place = tree();
    assert_eq!(
        visited(&place, "other.txt ignored/f.json .hidden.json"),
        ["other.txt", "ignored/f.json", ".hidden.json"]
    );
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn lists_of_names() {
    let place = tree();
    place.file("list", "a.json\n\nsub\n");
    place.file("list0", "b.jsonl\0other.txt\0");
    place.file("windows", "a.json\r\nsub\r\n");
    assert_eq!(visited(&place, "--files-from windows"), ["a.json", "sub/deep/e.json"]);
    assert_eq!(visited(&place, "--files-from list"), ["a.json", "sub/deep/e.json"]);
    assert_eq!(visited(&place, "--files0-from list0"), ["b.jsonl", "other.txt"]);
    assert_eq!(visited(&place, "d.geojson --files-from list"), ["d.geojson", "a.json", "sub/deep/e.json"]);
    let listed = place.fjson("validate --format concise --files-from -").stdin("c.ndjson\n").output();
    assert!(listed.stderr.starts_with(b"c.ndjson:1:1: "));
}

#[test]
fn an_empty_list_is_fine() {
    assert_eq!(Place::new().fjson("validate --files-from -").stdin("").stdout(), "");
}

#[test]
fn standard_input_is_read_only_once() {
    let place = Place::with_two();
    assert_shows!(place.fjson("validate --files-from - -").stdin("bad.json\n"));
    assert_shows!(place.fjson("validate --format json - -").stdin("[]"));
    assert_shows!(place.fjson("validate --files-from -").stdin("-\nbad.json\n"));
    assert_eq!(place.fjson("validate --files-from - --files0-from -").stdin("good.json\n").status(), Some(2));
    assert_eq!(place.fjson("minify -o out - -").stdin("[]").status(), Some(2));
    assert_eq!(place.names(), ["bad.json", "good.json"]);
}

#[test]
fn standard_input_is_read_for_an_option_or_as_an_input() {
    let place = Place::new();
    place.file("a.json", "{}");
    let both = [
        ("validate --lines --schema -", "{}"),
        ("validate --stream --schema - -", "{}"),
        ("minify --schema - a.json -", "{}"),
        ("query --schema - --files-from - $", "{}"),
        ("edit --lines --set-file /a - -", "1"),
        ("patch -", "[]"),
        ("merge --lines - a.json -", "{}"),
        ("jq --slurpfile x - .", "{}"),
    ];
    for (line, text) in both {
        let output = place.fjson(line).stdin(text).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("an option or an operand reads standard input"), "{line}: {message}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{line}");
    }
    let twice = place.fjson("edit --set-file /a - --set-file /b - a.json").stdin("1").output();
    assert!(String::from_utf8_lossy(&twice.stderr).contains("standard input is given twice"));
    let once = [
        ("validate --schema - a.json", "{}", ""),
        ("edit --set-file /a - a.json", "1", "{\"a\": 1}"),
        ("patch - a.json", "[]", "{}"),
        ("jq -n -c --slurpfile x - $x", "{}", "[{}]\n"),
    ];
    for (line, text, expected) in once {
        assert_eq!(place.fjson(line).stdin(text).stdout(), expected, "{line}");
    }
}

#[test]
fn a_missing_list_gives_status_2() {
    assert_shows!(Place::new().fjson("validate --files-from missing"));
}

#[test]
fn a_directory_without_json_gives_status_2() {
    let place = Place::new();
    place.file("docs/readme.txt", "");
    assert_shows!(place.fjson("validate docs"));
}

#[test]
fn an_invalid_glob_gives_status_2() {
    assert_shows!(tree().fjson("validate -g a{ ."));
}

/// A report that is redirected to a file in the directory would otherwise be a broken input.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn redirected_output_is_no_input() {
    for command in [
        "validate --format gitlab . > report.json",
        "validate --format json . > report.json",
        "pretty --check . > report.json",
        "validate . 2> report.json",
        "minify . > report.json",
    ] {
        let place = Place::new();
        place.file("a.json", "{\n  \"a\": 1\n}\n");
        assert_eq!(place.shell(&format!("$FJSON {command}")).status(), Some(0), "{command}");
    }
    // The directory has no other file.
    for command in ["validate . 2> report.json", "minify . > out.json", "stats . > out.json"] {
        assert_eq!(Place::new().shell(&format!("$FJSON {command}")).status(), Some(2), "{command}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn standard_input_is_read_once() {
    let place = Place::with_two();
    place.file("list", "-\n-\n");
    place.file("one", "-\n");
    for line in [
        "query --lines --count $ --files-from list",
        "validate - --files-from one",
        "validate --files-from one --files0-from -",
        "validate --files-from -",
    ] {
        let output = place.fjson(line).stdin("-\n1\n").output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("standard input is given twice"), "{line}: {message}");
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
    for option in ["--files-from", "--files0-from", "--splits-from"] {
        let output = place.shell(&format!("$FJSON validate {option} - <&-")).output();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "<stdin>: error: the stream is closed\n", "{option}");
        assert_eq!(output.status.code(), Some(2), "{option}");
    }
}

/// Nothing is read after the last match, not even the names of other inputs.
#[test]
fn inputs_after_the_last_match_are_not_opened() {
    let place = Place::with_two();
    assert_eq!(place.fjson("query --first $ good.json missing.json").status(), Some(0));
    assert_eq!(place.fjson("query --first $ missing.json good.json").status(), Some(2));
}
