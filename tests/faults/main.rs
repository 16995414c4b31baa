//! The program under faults; the bodies are in `tests/support/src/faults`.
//!
//! `cargo test` runs a short form of each test, and `.ci/run faults` a longer one on the release build. Tests that
//! depend on timing accept every result that a correct program can have.

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use proof::faults::Ending;
use proof::faults::Program;
use proof::faults::all_rounds;
use proof::faults::changing::Changing;
use proof::faults::injected;
use proof::faults::killed::Killed;
use proof::faults::limited;
use proof::faults::outputs;
use proof::untested;
use tempfile::TempDir;

/// The program, in an empty directory that exists as long as the second value.
fn program() -> (Program, TempDir) {
    let path = env::var("FJSON_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_fjson").to_owned());
    let directory = tempfile::tempdir().expect("a temporary directory");
    (Program::new(Path::new(&path), directory.path()), directory)
}

#[test]
#[ignore = "a part of `.ci/run faults`"]
fn files_that_change_while_they_are_read() {
    let (program, _directory) = program();
    let mut changing = Changing::new(program);
    succeeds(all_rounds(20, |random| changing.round(random)));
}

#[test]
fn system_calls_that_fail() {
    if !injected::is_possible() {
        let required = env::var_os("FJSON_REQUIRE_STRACE").is_some();
        assert!(!required, "strace cannot be had, or may not trace");
        untested::report("faults of system calls: strace cannot be had, or may not trace");
        return;
    }
    let (program, _directory) = program();
    succeeds(injected::all(&program, if is_long() { 1 } else { 7 }));
}

/// Nothing is read from the network, whatever a schema refers to.
#[test]
fn schemas_open_no_socket() {
    if !injected::is_possible() {
        untested::report("sockets: strace cannot be had, or may not trace");
        return;
    }
    let (program, _directory) = program();
    let schema = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://localhost:1/a.json",
        "properties": {"a": {"$ref": "b.json"}, "c": {"$ref": "https://example.com/c.json"}}}"#;
    fs::write(program.file("s.json"), schema).expect("a file");
    fs::write(program.file("d.json"), r#"{"$schema": "https://example.com/d.json", "a": 1, "c": 2}"#).expect("a file");
    fs::write(program.file("n.json"), r#"{"type": "object"}"#).expect("a file");
    for (line, status) in [
        ("validate --schema n.json d.json", 0),
        ("validate --schema s.json d.json", 2),
        ("validate --schema s.json --schema-dir . d.json", 2),
        ("validate --schema-from-instance d.json", 2),
        ("validate --check-schema s.json", 1),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let log = program.spare("log");
        let log_name = log.to_str().expect("a plain path");
        let before = ["strace", "-f", "-o", log_name, "-e", "trace=network,execve"];
        let outcome = program.run(program.behind(&before, &words), Duration::from_secs(3));
        assert_eq!(outcome.ending, Ending::Status(status), "{line}: {}", outcome.words());
        let log = fs::read_to_string(&log).expect("strace writes a log");
        assert!(log.contains("execve(") && !log.contains("socket("), "{line}: {log}");
    }
}

#[test]
fn signals_while_files_are_written() {
    let (program, _directory) = program();
    let mut killed = Killed::new(program);
    succeeds(all_rounds(20, |random| killed.round(random)));
}

#[test]
#[ignore = "a part of `.ci/run faults`"]
fn limits_of_the_system() {
    let (program, _directory) = program();
    succeeds(limited::all(&program, if is_long() { 1 } else { 4 }));
}

#[test]
fn outputs_that_fail() {
    let (program, _directory) = program();
    succeeds(outputs::all(&program));
    match outputs::full_file_system(&program) {
        Some(result) => succeeds(result.map(|()| 3)),
        None => untested::report("a full file system: only root can make one"),
    }
}

/// Whether the longer form is requested.
fn is_long() -> bool {
    env::var_os("FJSON_PROGRAM").is_some()
}

fn succeeds(result: Result<u32, String>) {
    match result {
        Ok(runs) => writeln!(io::stdout(), "{runs} rounds").expect("it can be said"),
        Err(failures) => panic!("{failures}"),
    }
}
