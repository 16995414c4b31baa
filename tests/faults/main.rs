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
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::thread;
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

/// No configuration is read but `~/.jq`, no other program is started, and nothing comes from the network.
#[test]
fn nothing_else_is_opened() {
    /// What the loader, the threads and the search for processors read.
    const SYSTEM: [&str; 6] = ["/lib", "/usr/lib", "/etc/ld.so", "/proc/", "/sys/", "/dev/null"];
    if !injected::is_possible() {
        untested::report("files that are opened: strace cannot be had, or may not trace");
        return;
    }
    let (program, _directory) = program();
    for (name, content) in [("a.json", "{\"a\": 1}"), ("s.json", "{}"), ("p.json", "{\"b\": 2}")] {
        fs::write(program.file(name), content).expect("a file");
    }
    fs::write(program.spare(".jq"), "def f: 1;").expect("a file");
    let own = program.spare(".jq").to_string_lossy().into_owned();
    let log = program.spare("log");
    for (line, reads_own) in [
        ("validate --schema s.json a.json", false),
        ("minify -o out.json a.json", false),
        ("pretty a.json", false),
        ("query $.a a.json", false),
        ("stats a.json", false),
        ("gzip -c a.json", false),
        ("merge p.json a.json", false),
        ("diff -q a.json p.json", false),
        ("jq --sandbox .a|tojson a.json", false),
        ("jq .a|tojson a.json", true),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let before = ["strace", "-f", "-o", log.to_str().expect("a plain path"), "-e", "trace=%file,%network"];
        let mut command = program.behind(&before, &words);
        command.env("HOME", program.spare(""));
        let outcome = program.run(command, Duration::from_secs(3));
        assert!(matches!(outcome.ending, Ending::Status(0 | 1)), "{line}: {}", outcome.words());
        let log = fs::read_to_string(&log).expect("strace writes a log");
        assert!(log.matches("execve(").count() == 1 && !log.contains("socket("), "{line}: {log}");
        let opened = log.lines().filter(|line| line.contains("openat(") && !line.contains(" = -1 "));
        let mut paths = opened.filter_map(|line| line.split('"').nth(1)).filter(|path| path.starts_with('/'));
        let found = paths.find(|path| !SYSTEM.iter().any(|known| path.starts_with(known)));
        assert_eq!(found, reads_own.then_some(&*own), "{line}: {log}");
    }
}

/// Where a file system has no files without a name, the new file has one from the start. `strace` makes it such a file system.
#[test]
fn signals_remove_files_with_names() {
    /// HUP, INT, QUIT, USR1, USR2, ALRM, TERM, STKFLT, XCPU, VTALRM, PROF, IO, PWR, and some of those for real time.
    const SIGNALS: [i32; 16] = [1, 2, 3, 10, 12, 14, 15, 16, 24, 26, 27, 29, 30, 35, 50, 64];
    if !injected::is_possible() {
        untested::report("files with names: strace cannot be had, or may not trace");
        return;
    }
    let (program, _directory) = program();
    let directory = program.file("").to_string_lossy().trim_end_matches('/').to_owned();
    let before =
        ["strace", "-D", "-f", "-o", "/dev/null", "-P", &*directory, "-e", "inject=open,openat:error=EOPNOTSUPP"];
    let mut running = Vec::new();
    // As under `nohup`; the program leaves them so.
    let status = fs::read_to_string("/proc/self/status").expect("it can be read");
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_ignored = |signal: &i32| ignored.unwrap_or_default() >> (signal - 1) & 1 == 1;
    for signal in SIGNALS.into_iter().filter(|signal| !is_ignored(signal)) {
        let out = program.file(&format!("{signal:02}.json"));
        fs::write(&out, "old").expect("a file");
        let words = ["minify", "-o", out.to_str().expect("a plain path")];
        let mut child = program.behind(&before, &words).stdin(Stdio::piped()).spawn().expect("strace starts");
        child.stdin.as_mut().expect("a pipe").write_all(b"[1, ").expect("the program reads");
        running.push((signal, child));
    }
    let names = || program.names().into_iter().filter(|name| name.starts_with(".fjson-")).count();
    for _ in 0..1000 {
        if names() == running.len() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(names(), running.len(), "{:?}", program.names());
    for (signal, child) in &running {
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{signal}");
    }
    for (signal, mut child) in running {
        // Waiting would close the pipe, and the document would end before the tracer passes the signal on.
        let _pipe = child.stdin.take();
        let status = child.wait().expect("the program ends");
        assert_eq!(status.signal(), Some(signal), "{status}");
        assert_eq!(fs::read(program.file(&format!("{signal:02}.json"))).expect("a file"), b"old");
    }
    assert_eq!(names(), 0, "{:?}", program.names());
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
