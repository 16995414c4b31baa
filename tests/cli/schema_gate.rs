//! `minify`, `pretty`, `query` and `gzip` with `--schema`: nothing is written of an input that is invalid.

use crate::place::Place;
use crate::place::assert_shows;
use std::fs;

fn place() -> Place {
    let place = Place::new();
    place.file("s.json", r#"{"properties": {"id": {"type": "integer"}}}"#);
    place.file("good.json", "{\"id\": 1}\n");
    place.file("bad.json", "{\n  \"id\": \"é\"\n}\n");
    place.file("bad.jsonl", "{\"id\": 1}\n{\"id\": 2.5}\n{\"id\": 3}\n");
    place
}

/// The commands that write to standard output, and what they write of the good file.
const COMMANDS: [(&str, &str); 4] = [
    ("minify", "{\"id\":1}"),
    ("minify --canonical", "{\"id\":1}"),
    ("pretty", "{\n  \"id\": 1\n}\n"),
    ("query $.id", "1\n"),
];

#[test]
fn invalid_inputs_are_not_written() {
    let place = place();
    for (command, written) in COMMANDS {
        for file in ["bad.json", "bad.jsonl"] {
            let run = place.fjson(&format!("{command} --schema s.json {file}")).output();
            assert_eq!((run.status.code(), &*run.stdout), (Some(1), &b""[..]), "{command} {file}");
            assert!(String::from_utf8_lossy(&run.stderr).contains("2:"), "{command} {file}");
        }
        for line in ["good.json", "--threads 1 good.json", "--no-mmap good.json"] {
            let run = place.fjson(&format!("{command} --schema s.json {line}")).output();
            let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            assert_eq!((run.status.code(), &*out, &*err), (Some(0), written, ""), "{command} {line}");
        }
        // Both, in this order, and the error of the second one.
        let run = place.fjson(&format!("{command} --schema s.json good.json bad.json")).output();
        assert_eq!(run.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&run.stdout).trim_end(), written.trim_end(), "{command}");
    }
    assert_shows!(place.fjson("pretty --schema s.json bad.json"));
    assert_shows!(place.fjson("query --schema s.json $.id bad.jsonl"));
    assert_shows!(place.fjson("minify --schema s.json --format jsonl bad.json"));
    // Documents that follow each other have numbers from the second one on.
    assert_shows!(place.fjson("minify --schema s.json").stdin("{\"id\": 1}\n{\"id\": 2.5}\n"));
}

#[test]
fn tables_of_a_pipe_have_lines_in_their_reports() {
    let place = place();
    for options in ["--csv -p $.id", "--csv --rows $ -p @.id", "--csv --columns auto"] {
        let run = place.fjson(&format!("query --lines --schema s.json --format concise {options}"));
        let run = run.stdin("{\"id\":1}\n\n{\"id\":\"x\"}\n").output();
        let report = String::from_utf8_lossy(&run.stderr);
        assert!(report.starts_with("<stdin>:3:7: error"), "{options}: {report}");
    }
}

/// Standard input is read once, and held.
#[test]
fn standard_input_is_held() {
    let place = place();
    for (command, written) in COMMANDS {
        let run = place.fjson(&format!("{command} --schema s.json")).stdin("{\"id\": 1}\n").output();
        assert_eq!((run.status.code(), &*run.stdout), (Some(0), written.as_bytes()), "{command}");
        let run = place.fjson(&format!("{command} --schema s.json")).stdin("{\n\"id\": \"x\"}").output();
        assert_eq!((run.status.code(), &*run.stdout), (Some(1), &b""[..]), "{command}");
        assert!(String::from_utf8_lossy(&run.stderr).starts_with("<stdin>:2:7: error"), "{command}");
    }
}

#[test]
fn old_outputs_stay() {
    let place = place();
    place.file("out", "old");
    place.file("bad.json.gz", "old");
    for command in ["minify -o out", "pretty -o out", "gzip -o out", "gzip --force"] {
        let run = place.fjson(&format!("{command} --schema s.json bad.json")).output();
        assert_eq!(run.status.code(), Some(1), "{command}");
        assert_eq!(fs::read_to_string(place.path("out")).expect("a file"), "old", "{command}");
        assert_eq!(fs::read_to_string(place.path("bad.json.gz")).expect("a file"), "old", "{command}");
    }
    for command in ["minify -i", "pretty -i --indent 4"] {
        let run = place.fjson(&format!("{command} --schema s.json bad.json good.json")).output();
        assert_eq!(run.status.code(), Some(1), "{command}");
        assert_eq!(fs::read_to_string(place.path("bad.json")).expect("a file"), "{\n  \"id\": \"é\"\n}\n", "{command}");
    }
    assert_eq!(fs::read_to_string(place.path("good.json")).expect("a file"), "{\n    \"id\": 1\n}\n");
    assert_eq!(place.fjson("gzip --schema s.json good.json").status(), Some(0));
    assert!(place.names().contains(&"good.json.gz".to_owned()));
    assert_eq!(place.fjson("gzip -c --schema s.json bad.json").output().stdout, b"");
}

#[test]
fn comments_are_not_validated_and_stay() {
    let place = place();
    place.file("c.jsonc", "{ // one\n  \"id\": 1, // two\n}\n");
    assert_shows!(place.fjson("pretty --schema s.json c.jsonc"));
    place.file("c.jsonc", "{ // one\n  \"id\": null, // two\n}\n");
    assert_eq!(place.fjson("pretty --check --schema s.json c.jsonc").status(), Some(1));
}

#[test]
fn what_does_not_go_together() {
    let place = place();
    assert_shows!(place.fjson("query --trust --schema s.json $ good.json"));
    assert_shows!(place.fjson("query --lines --skip-bad --schema s.json $ good.json"));
    assert_shows!(place.fjson("minify --schema none.json good.json"));
    assert_shows!(place.fjson("minify --schema-dir . good.json"));
}
