//! The recipes for editors, make and shells, in the real programs where they are installed.

use crate::place::FJSON;
use crate::place::Place;
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Returns the block of docs/recipes.md in a language.
fn recipe(language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes.md");
    let text = fs::read_to_string(path).expect("the recipes");
    let start = format!("```{language}\n");
    let block = text.split(&start).nth(1).and_then(|rest| rest.split("```").next());
    block.expect("a block").to_owned()
}

/// A place with an invalid and a valid file, and the program as `fjson` in `programs`.
fn place() -> Place {
    let place = Place::new();
    place.file("config/bad.json", "{\n  \"a\": [1, 2,],\n  \"b\": 'x'\n}\n");
    place.file("config/good.json", "{\"a\":1}\n");
    fs::create_dir(place.path("programs")).expect("a directory");
    symlink(FJSON, place.path("programs/fjson")).expect("a link to the program");
    place
}

/// Runs a line if `program` is installed, with `fjson` in the path. Returns what it prints.
fn run(place: &Place, program: &str, line: &str) -> Option<String> {
    if place.shell(&format!("command -v {program}")).output().stdout.is_empty() {
        return None;
    }
    let output = place.shell(&format!("PATH=$PWD/programs:$PATH; {line}")).output();
    Some(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn vim_finds_the_error_and_formats_what_is_valid() {
    let place = place();
    place.file("vimrc", format!("filetype on\n{}", recipe("vim")));
    let edit = "vim -Nu vimrc -i NONE -es -c 'edit config/bad.json' -c 'silent! make!'";
    let list = r#"-c 'call writefile(map(getqflist(), {_, e -> printf("%s:%d:%d:%s:%s", bufname(e.bufnr), e.lnum, e.col, e.type, e.text)}), "found")'"#;
    if run(&place, "vim", &format!("{edit} {list} -c 'qall!' < /dev/null")).is_none() {
        return;
    }
    assert_eq!(place.read("found"), "config/bad.json:2:14:e:trailing comma: found `]`, expected a value\n");
    let format = "vim -Nu vimrc -i NONE -es -c 'edit config/good.json' -c 'normal gg=G' -c 'wq' < /dev/null";
    run(&place, "vim", format);
    assert_eq!(place.read("config/good.json"), "{\n  \"a\": 1\n}\n");
    // An invalid document stays as it is.
    let bad = place.read("config/bad.json");
    let format = "vim -Nu vimrc -i NONE -es -c 'edit config/bad.json' -c 'normal gg=G' -c 'wq' < /dev/null";
    run(&place, "vim", format);
    assert_eq!(place.read("config/bad.json"), bad);
}

/// The pattern for VS Code matches what the command of the task prints, and its groups are what they are said to be.
#[test]
fn the_pattern_for_vs_code_matches() {
    let tasks: Value = serde_json::from_str(&recipe("json")).expect("valid JSON");
    let task = &tasks["tasks"][0];
    let pattern = &task["problemMatcher"]["pattern"];
    let regex = Regex::new(pattern["regexp"].as_str().expect("a pattern")).expect("a regular expression");
    let output = run(&place(), "sh", task["command"].as_str().expect("a command")).expect("sh is there");
    let line = output.lines().next().expect("an error");
    let groups = regex.captures(line).unwrap_or_else(|| panic!("{line}"));
    for (name, expected) in [
        ("file", "./config/bad.json"),
        ("line", "2"),
        ("column", "14"),
        ("severity", "error"),
        ("code", "expected-value"),
        ("message", "trailing comma: found `]`, expected a value"),
    ] {
        let group = usize::try_from(pattern[name].as_u64().expect("a group")).expect("a small number");
        assert_eq!(groups.get(group).map(|found| found.as_str()), Some(expected), "{name}");
    }
}

#[test]
fn make_checks_formats_and_minifies() {
    let place = place();
    place.file("Makefile", recipe("make"));
    let Some(output) = run(&place, "make", "make check-json") else { return };
    assert!(output.contains("config/bad.json:2:14: error: trailing comma"), "{output}");
    fs::remove_file(place.path("config/bad.json")).expect("the file is there");
    run(&place, "make", "make format-json dist/good.json");
    assert_eq!(place.read("config/good.json"), "{\n  \"a\": 1\n}\n");
    assert_eq!(place.read("dist/good.json"), "{\"a\":1}");
}
