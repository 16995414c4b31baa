//! `diff`: what differs is said for people and for programs, and the exit status is that of diff(1).

use crate::place::Place;
use crate::place::assert_shows;

const OLD: &str = "{\"name\": \"app\", \"version\": 1.0, \"tags\": [\"a\", \"b\", \"c\"], \"users\": [{\"id\": 1, \"x\": [1, 2]}, {\"id\": 2}]}\n";
const NEW: &str = "{\"users\": [{\"id\": 2}, {\"x\": [1, 3], \"id\": 1}],\n\"tags\": [\"a\", \"c\"], \"version\": 1, \"name\": \"App\", \"more\": {\"a\": 0}}\n";

fn place() -> Place {
    let place = Place::new();
    place.file("old.json", OLD);
    place.file("new.json", NEW);
    place
}

#[test]
fn differences_are_lines() {
    let place = place();
    assert_shows!(place.fjson("diff old.json new.json"));
    assert_shows!(place.fjson("diff --array key=/id -U 1 old.json new.json"));
    assert_shows!(place.fjson("diff --array position --color always old.json new.json"));
    assert_eq!(place.fjson("diff old.json -").stdin(OLD.replace("1.0", "10e-1")).stdout(), "");
    let quiet = place.fjson("diff -q old.json new.json").output();
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(1), 0));
}

#[test]
fn long_values_are_abridged() {
    let place = place();
    let long = format!("{}\\n{}", "x".repeat(56), "y".repeat(50));
    place.file("old.json", format!("{{\"a\": [{}1], \"b\": 1}}", "10, ".repeat(30)));
    place.file("new.json", format!("{{\"b\": \"{long}\", \"c\": {{\"d\": \"{long}\"}}}}"));
    assert_shows!(place.fjson("diff old.json new.json"));
    assert_shows!(place.fjson("diff --full old.json new.json"));
}

#[test]
fn patches_make_the_second_document() {
    let place = place();
    for (form, command) in [("patch", "patch"), ("merge", "merge")] {
        let patch = place.fjson(&format!("diff --format {form} old.json new.json")).output().stdout;
        place.file("changes.json", patch);
        place.file("made.json", place.fjson(&format!("{command} changes.json old.json")).stdout());
        assert_eq!(place.fjson("diff made.json new.json").status(), Some(0), "{form}");
    }
    assert_eq!(place.fjson("diff --format patch old.json old.json").stdout(), "[]\n");
    assert_eq!(place.fjson("diff --format merge old.json old.json").stdout(), "{}\n");
    assert_eq!(place.fjson("diff --format jd old.json old.json").stdout(), "");
    place.file("null.json", "{\"a\": null}");
    assert_shows!(place.fjson("diff --format merge old.json null.json"));
}

#[test]
fn some_values_do_not_count() {
    let place = place();
    place.file("a.json", "{\"at\": 1, \"a\": [{\"at\": 2, \"x\": 1.0}]}");
    place.file("b.json", "{\"a\": [{\"x\": 1.001, \"at\": 3}], \"at\": 4}");
    assert_eq!(place.fjson("diff --ignore $..at --tolerance 1e-2 a.json b.json").stdout(), "");
    let ignored = place.fjson("diff --ignore /at --ignore $..at a.json b.json").output();
    assert_eq!(String::from_utf8_lossy(&ignored.stdout), "~ /a/0/x: 1.0 → 1.001\n1 difference: 1 changed\n");
    place.file("a.json", "{\"a\": 1, \"a\": 2}");
    place.file("b.json", "{\"a\": 2, \"a\": 1}");
    assert_shows!(place.fjson("diff a.json b.json"));
}

#[test]
fn records_are_joined_by_their_keys() {
    let place = place();
    place.file(
        "a.jsonl",
        "{\"id\": \"a\", \"n\": 1}\n\n{\"id\": \"b\", \"n\": 2}\n{\"id\": \"c\"}\n{\"id\": \"b\", \"n\": 3}\n",
    );
    place.file(
        "b.jsonl",
        "{\"id\": \"c\"}\n{\"n\": 2.0, \"id\": \"b\"}\n{\"id\": \"\\u0061\", \"n\": 2}\n{\"id\": \"d\"}\n",
    );
    assert_shows!(place.fjson("diff --key /id a.jsonl b.jsonl"));
    // Without a file that can be read again, and with a compressed one.
    let by_key = String::from_utf8_lossy(&place.fjson("diff --key /id a.jsonl b.jsonl").output().stdout).into_owned();
    let piped = place.fjson("diff --key /id - b.jsonl").stdin(place.read("a.jsonl")).output();
    assert_eq!((String::from_utf8_lossy(&piped.stdout).into_owned(), piped.status.code()), (by_key.clone(), Some(1)));
    place.fjson("gzip -o a.jsonl.gz a.jsonl --lines").stdout();
    assert_eq!(String::from_utf8_lossy(&place.fjson("diff --key /id a.jsonl.gz b.jsonl").output().stdout), by_key);
    assert_eq!(place.fjson("diff --key /id a.jsonl a.jsonl").stdout(), "");
    assert_shows!(place.fjson("diff --key /n a.jsonl b.jsonl"));
    assert_shows!(place.fjson("diff a.jsonl b.jsonl"));
    assert_shows!(place.fjson("diff --format patch a.jsonl b.jsonl"));
}

#[test]
fn comments_do_not_count() {
    let place = Place::new();
    place.file("tsconfig.json", "{ // x\n  \"a\": [1, /* two */ 2,],\n}");
    place.file("a.json", "{\"a\": [1, 2, 3]} // y");
    place.file("b.json", "{\"a\": [1, 2]}");
    assert_eq!(place.fjson("diff tsconfig.json b.json").stdout(), "");
    let differs = String::from_utf8(place.fjson("diff --jsonc a.json tsconfig.json").output().stdout).expect("UTF-8");
    assert_eq!(differs, "- /a/2: 3\n1 difference: 1 removed\n");
    assert_eq!(place.fjson("diff a.json b.json").status(), Some(2));
    assert_eq!(place.fjson("diff --no-jsonc tsconfig.json b.json").status(), Some(2));
    // Records, read twice and at once.
    place.file("a.jsonl", "// x\n{\"id\": 1, /* y */ \"n\": 1} // z\n{\"id\": 2,}\n");
    place.file("b.jsonl", "{\"id\": 2} // x\n{\"id\": 1, \"n\": 2}\n");
    let expected = "~ 1 /n: 1 → 2\n1 difference: 1 changed\n";
    let joined = place.fjson("diff --jsonc --key /id a.jsonl b.jsonl").output().stdout;
    assert_eq!(String::from_utf8_lossy(&joined), expected);
    assert_eq!(place.fjson("diff --jsonc --lines a.jsonl a.jsonl").stdout(), "");
}

/// Records by key, beside the differences of two objects with the records as members.
#[test]
fn many_records_are_joined() {
    let place = Place::new();
    let record = |index: usize, n: usize| format!("{{\"id\": {index}, \"n\": {n}}}\n");
    let old: String = (0..20_000).map(|index| record(index, index)).collect();
    let new: String =
        (0..20_000).rev().filter(|index| index % 5000 != 3).map(|index| record(index, index / 7000 + index)).collect();
    place.file("a.jsonl", old);
    place.file("b.jsonl", new);
    for threads in [1, 3] {
        let output = place.fjson(&format!("diff --key /id --threads {threads} a.jsonl b.jsonl")).output();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let count = |mark: &str| text.lines().filter(|line| line.starts_with(mark)).count();
        assert_eq!((count("~ "), count("- "), count("+ ")), (12_998, 4, 0), "{threads}");
        assert!(
            text.contains("~ 7000 /n: 7000 → 7001\n") && text.contains("- 10003: {\"id\":10003,\"n\":10003}\n"),
            "{text}"
        );
    }
}

#[test]
fn trouble_has_status_2() {
    let place = place();
    place.file("bad.json", "{\"a\": 1,}");
    assert_shows!(place.fjson("diff old.json bad.json"));
    assert_shows!(place.fjson("diff old.json missing.json"));
    assert_shows!(place.fjson("diff - -"));
    assert_shows!(place.fjson("diff --ignore $.a] old.json new.json"));
    for line in [
        "--array key=id",
        "--array best",
        "--tolerance -1",
        "-U x",
        "--format jd --array key=/id",
        "--key id",
        "--key /a --array set",
    ] {
        assert_eq!(place.fjson(&format!("diff {line} old.json new.json")).status(), Some(2), "{line}");
    }
    assert_eq!(place.fjson("diff . new.json").status(), Some(2));
}

/// The recipes for git, where it is installed.
#[test]
#[cfg(unix)]
fn git_shows_differences_of_values() {
    use crate::place::FJSON;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    let place = place();
    if place.shell("command -v git").output().stdout.is_empty() {
        return;
    }
    fs::create_dir(place.path("programs")).expect("a directory");
    symlink(FJSON, place.path("programs/fjson")).expect("a link to the program");
    let run = |line: &str| {
        let line = format!("PATH=$PWD/programs:$PATH; export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat; {line}");
        let output = place.shell(&line).output();
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let recipes =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/recipes.md")).expect("the recipes");
    let lines: Vec<_> =
        recipes.lines().filter(|line| line.contains("fjson diff \"$") || line.contains("diff=fjson")).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    run("git init -q . && git config user.name A && git config user.email a@b && git add old.json && git commit -qm a");
    for line in lines {
        run(line);
    }
    run("cp new.json old.json; cp new.json added.json; git add -N added.json");
    let (shown, errors) = run("git diff old.json");
    assert!(shown.starts_with("old.json\n~ /name: \"app\" → \"App\"\n- /tags/1: \"b\"\n"), "{shown}{errors}");
    let (shown, errors) = run("git diff added.json");
    assert!(shown.starts_with("added.json\n+ (root): {"), "{shown}{errors}");
    run("rm .gitattributes");
    let (shown, errors) = run("git difftool --no-prompt --tool fjson -- old.json");
    assert!(shown.starts_with("~ /name: \"app\" → \"App\"\n"), "{shown}{errors}");
}
