//! `edit`, `set`, `delete`, `patch` and `merge`: values change, everything else stays, and what cannot be done is said.

use crate::place::Place;
use crate::place::assert_shows;
use std::fs;
use std::time::Duration;
use std::time::SystemTime;

const PACKAGE: &str = "{\r\n\t\"name\": \"app\",\r\n\t\"version\": \"1.9.0\",\r\n\t\"tags\": [\"a\", \"b\"]\r\n}";

fn place() -> Place {
    let place = Place::new();
    place.file("package.json", PACKAGE);
    place
}

#[test]
fn changes_in_the_order_of_the_command_line() {
    let place = place();
    let words = [
        "edit",
        "--set",
        "/version",
        "\"2\"",
        "--test",
        "/version",
        "\"\\u0032\"",
        "--set-string",
        "/version",
        "1.10",
        "--append",
        "/tags",
        "-1",
        "--insert",
        "/tags/0",
        "null",
        "--delete",
        "/name",
        "--rename",
        "/tags",
        "t",
        "--copy",
        "/t/1",
        "/u",
        "--move",
        "/u",
        "/v",
        "package.json",
    ];
    let expected = "{\r\n\t\"version\": \"1.10\",\r\n\t\"t\": [null, \"a\", \"b\", -1],\r\n\t\"v\": \"a\"\r\n}";
    assert_eq!(place.fjson_with(words).stdout(), expected);
    place.file("value.json", " [1] \n");
    let file = place.fjson_with(["edit", "--set-file", "/tags", "value.json", "package.json"]).stdout();
    assert_eq!(file, PACKAGE.replace("[\"a\", \"b\"]", "[1]"));
    assert_eq!(
        place.fjson("edit --parents --set /a/b 1 --missing-ok --delete /c").stdin("{}").stdout(),
        "{\"a\": {\"b\": 1}}"
    );
}

/// Advice about an option is given by commands that have it.
#[test]
fn advice_is_about_options_of_the_command() {
    let place = place();
    place.file("patch.json", "[{\"op\": \"remove\", \"path\": \"/x\"}]");
    for (command, option) in [
        ("set $..x 1", Some("--missing-ok")),
        ("delete /x", Some("--missing-ok")),
        ("edit --rename /x y", Some("--missing-ok")),
        ("set /x/y 1", Some("--parents")),
        ("patch patch.json -", None),
        ("jq --lines .", None),
    ] {
        // jq --lines does not take a document on two lines; its --stream makes events.
        let shown = place.fjson(command).stdin(if option.is_none() { "{\n}\n" } else { "{}\n" }).shown();
        let advice = option.map_or_else(|| "(`--".to_owned(), |option| format!("(`{option}`)"));
        assert!(shown.contains("error: ") && shown.contains(&advice) == option.is_some(), "{command}: {shown}");
    }
}

#[test]
fn shorthands() {
    let place = place();
    let set = place.fjson_with(["set", "/version", "2", "package.json"]).stdout();
    assert_eq!(set, PACKAGE.replace("\"1.9.0\"", "2"));
    let text = place.fjson_with(["set", "-s", "/version", "\"\n", "package.json"]).stdout();
    assert_eq!(text, PACKAGE.replace("1.9.0", "\\\"\\n"));
    let delete = place.fjson("delete /name -p /version package.json").stdout();
    assert_eq!(delete, "{\r\n\t\"tags\": [\"a\", \"b\"]\r\n}");
    assert_eq!(place.fjson("delete $..x --missing-ok").stdin("[1]\n").stdout(), "[1]\n");
    assert_eq!(place.fjson("set $..x 1 --missing-ok").stdin("[1]\n").stdout(), "[1]\n");
    place.file("patch.json", "[{\"op\": \"replace\", \"path\": \"/tags\", \"value\": []}]");
    assert_eq!(place.fjson("patch patch.json package.json").stdout(), PACKAGE.replace("[\"a\", \"b\"]", "[]"));
    let merge = place.fjson("merge - package.json").stdin("{\"version\": \"1.9.0\", \"tags\": null}").stdout();
    assert_eq!(merge, PACKAGE.replace(",\r\n\t\"tags\": [\"a\", \"b\"]", ""));
}

#[test]
fn files_in_place() {
    let place = place();
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in ["dir/a.json", "dir/b.json", "dir/c.jsonl"] {
        let content = if name.ends_with('l') { "{\"n\": 1}\n\n{\"n\":2} \n" } else { PACKAGE };
        let file = place.file(name, content);
        fs::File::options().write(true).open(file).and_then(|file| file.set_modified(old)).expect("a time is set");
    }
    place.file("dir/b.json", "{\"n\": 0}");
    assert_eq!(place.fjson("set /n 0 dir -i").stdout(), "");
    assert_eq!(place.read("dir/a.json"), PACKAGE.replace("]\r\n", "],\r\n\t\"n\": 0\r\n"));
    assert_eq!(place.read("dir/c.jsonl"), "{\"n\": 0}\n\n{\"n\":0} \n");
    let time = |name: &str| fs::metadata(place.path(name)).and_then(|file| file.modified()).expect("a time");
    fs::File::options()
        .write(true)
        .open(place.path("dir/a.json"))
        .and_then(|file| file.set_modified(old))
        .expect("a time is set");
    assert_eq!(place.fjson("set /n 0 dir -i").stdout(), "");
    assert_eq!(time("dir/a.json"), old, "a file that does not change is not touched");
    assert_eq!(place.fjson("set /n 0 --check dir").stdout(), "");
    let check = place.fjson("set /n 1 --check dir/a.json dir/b.json").output();
    assert_eq!(String::from_utf8_lossy(&check.stdout), "dir/a.json\ndir/b.json\n");
    assert_eq!(check.status.code(), Some(1));
    // All changes of a document, or none.
    assert_eq!(place.fjson("edit --set /n 5 --test /n 6 -i dir/b.json").status(), Some(1));
    assert_eq!(place.read("dir/b.json"), "{\"n\": 0}");
    assert_eq!(place.fjson("set /n 5 dir/b.json -o out.json").stdout(), "");
    assert_eq!(place.read("out.json"), "{\"n\": 5}");
    assert_eq!(place.fjson("merge out.json dir/b.json -o out.json").status(), Some(2));
}

#[test]
fn records() {
    let place = Place::new();
    let lines = "{\"a\": 1}\r\n\n{\"a\":2, \"b\": {}}";
    assert_eq!(place.fjson("set /a 3 --lines").stdin(lines).stdout(), "{\"a\": 3}\r\n\n{\"a\":3, \"b\": {}}");
    assert_eq!(place.fjson("set /a 3 --stream").stdin("{\"a\":1}{}\n").stdout(), "{\"a\":3}{\"a\": 3}\n");
    assert_eq!(place.fjson("delete /a --seq").stdin("\u{1e}{\"a\":1}\n").stdout(), "\u{1e}{}\n");
    assert_shows!(place.fjson("set /b/c 1 --lines").stdin(lines));
}

#[test]
fn what_a_document_does_not_allow() {
    let place = place();
    assert_shows!(place.fjson("edit --set /version 1 --delete /tags/2 package.json"));
}

#[test]
fn a_parent_that_does_not_exist() {
    let place = place();
    assert_shows!(place.fjson("set /scripts/test 1 package.json"));
}

#[test]
fn an_index_beyond_the_end() {
    let place = place();
    assert_shows!(place.fjson("set /tags/3 1 package.json"));
    assert_shows!(place.fjson("edit --insert /tags/9 1 package.json"));
    assert_eq!(place.read("package.json"), PACKAGE);
}

#[test]
fn a_duplicate_key_on_the_path() {
    let place = Place::new();
    let text = "{\"a\": {\"b\": 1, \"\\u0062\": 2}}";
    place.file("a.json", text);
    assert_shows!(place.fjson("set /a/b/c 1 -i a.json"));
    assert_eq!(place.fjson("merge - -i a.json").stdin("{\"a\": {\"b\": 3}}").status(), Some(1));
    assert_eq!(place.read("a.json"), text);
    assert_eq!(place.fjson("set $..b 3 a.json").stdout(), text.replace(": 1", ": 3").replace(": 2", ": 3"));
}

/// A file that is the patch and an input, too.
#[test]
fn the_same_file_twice() {
    let place = Place::new();
    place.file("a.json", "{\"a\": 1}");
    assert_eq!(place.fjson("merge a.json a.json").stdout(), "{\"a\": 1}");
    assert_eq!(place.fjson("diff a.json a.json").stdout(), "");
    assert_shows!(place.fjson("patch a.json a.json"));
}

#[test]
fn indentation_of_a_new_document() {
    let place = Place::new();
    let new = place.fjson("edit --parents --set /a/- 1 --indent 4").stdin("{}\n").stdout();
    assert_eq!(new, "{\n    \"a\": [\n        1\n    ]\n}\n");
    assert_eq!(place.fjson("set /a 1 --indent x").stdin("{}").status(), Some(2));
}

#[test]
fn a_test_that_fails() {
    let place = place();
    assert_shows!(place.fjson("edit --test /tags/1 1 package.json"));
}

#[test]
fn a_query_without_matches() {
    let place = place();
    assert_shows!(place.fjson("delete $..x package.json"));
}

#[test]
fn the_changes_that_check_finds() {
    let place = place();
    assert_shows!(place.fjson("set /version 1 --check --format json package.json"));
}

#[test]
fn a_value_that_is_not_json() {
    let place = place();
    assert_shows!(place.fjson("set /version 1.2.3 package.json"));
    assert_shows!(place.fjson("edit --test /version it's package.json"));
    for (value, help) in [
        ("{\"id\":3,}", "remove the comma at line 1 column 8"),
        ("'x'", "JSON strings use double quotes"),
        ("True", "write `true`\n  = help: did you mean '\"True\"'? --string takes it as it is"),
    ] {
        let output = place.fjson_with(["set", "/a", value, "package.json"]).output();
        let shown = String::from_utf8_lossy(&output.stderr);
        assert!(shown.ends_with(&format!("  = help: {help}\n")), "{shown}");
    }
}

#[test]
fn a_path_that_is_not_valid() {
    let place = place();
    assert_shows!(place.fjson("set /a~b 1 package.json"));
    assert_shows!(place.fjson("delete $.a[ package.json"));
    assert_shows!(place.fjson("set package.json /version 1"));
    assert_shows!(place.fjson("delete package.json $.a"));
    assert_shows!(place.fjson("edit --move /a $.b package.json"));
}

#[test]
fn a_patch_that_is_none() {
    let place = place();
    place.file("patch.json", "[\n  {\"op\": \"replace\", \"path\": \"/a\"}\n]");
    assert_shows!(place.fjson("patch patch.json package.json"));
    place.file("patch.json", "[1,]");
    assert_shows!(place.fjson("patch patch.json package.json"));
    assert_shows!(place.fjson("patch - -").stdin("[]"));
    assert_shows!(place.fjson("merge missing.json package.json"));
}

#[test]
fn no_changes() {
    assert_shows!(place().fjson("edit package.json"));
}

#[test]
fn compressed_files() {
    let place = place();
    assert_eq!(place.fjson("gzip --keep-space package.json").stdout(), "");
    assert_eq!(place.fjson("set /version 2 package.json.gz").stdout(), PACKAGE.replace("\"1.9.0\"", "2"));
    assert_shows!(place.fjson("set /version 2 -i package.json.gz"));
}
