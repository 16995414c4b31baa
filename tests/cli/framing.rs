//! Several documents in one input: `--lines`, `--stream`, `--seq`, and file extensions that imply them.

use crate::place::FJSON;
use crate::place::Place;
use crate::place::assert_shows;
#[cfg(unix)]
use rustix::process::Pid;
#[cfg(unix)]
use rustix::process::Signal;
#[cfg(unix)]
use rustix::process::kill_process;
use std::io::Read;
use std::io::Write;
use std::process::Command;
use std::process::Stdio;
use std::sync::mpsc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

#[test]
fn every_bad_line_is_reported() {
    assert_shows!(Place::new().fjson("validate --lines").stdin("1\n[2,]\n\n{\"a\":3}\n{\"b\" 4}\n"));
}

#[test]
fn names_imply_lines() {
    let place = Place::new();
    place.file("a.jsonl", "1\n2\n");
    place.file("a.ndjson", "1\n2\n");
    place.file("a.json", "1\n2\n");
    assert_eq!(place.fjson("validate a.jsonl a.ndjson").stdout(), "");
    assert_eq!(place.fjson("validate a.json").status(), Some(1));
    assert_eq!(place.fjson("validate --lines a.json").stdout(), "");
    assert_eq!(place.fjson("minify a.jsonl").stdout(), "1\n2\n");
}

#[test]
fn concatenated_documents() {
    let place = Place::new();
    assert_eq!(place.fjson("validate --stream").stdin("{}[] 1\n2").stdout(), "");
    assert_eq!(place.fjson("minify --stream").stdin("{ }[ ] 1\n2").stdout(), "{}\n[]\n1\n2\n");
    assert_shows!(place.fjson("validate --stream").stdin("[1] [2,] [3]"));
}

/// Only `validate` and `gzip` take a second document for a mistake.
#[test]
fn concatenated_documents_need_no_option() {
    let place = Place::new();
    let text = "{ \"a\": 1 }{ \"a\": 2 }\n[ 3 ] 4\n";
    assert_eq!(place.fjson("minify").stdin(text).stdout(), "{\"a\":1}\n{\"a\":2}\n[3]\n4\n");
    assert_eq!(place.fjson("pretty --tab").stdin("{}[1]").stdout(), "{}\n[\n\t1\n]\n");
    assert_eq!(place.fjson("minify --canonical").stdin("{\"b\":1,\"a\":2}{}").stdout(), "{\"a\":2,\"b\":1}\n{}\n");
    assert_eq!(place.fjson("minify -S").stdin("{\"b\":1,\"a\":2}{}").stdout(), "{\"a\":2,\"b\":1}\n{}\n");
    let stats = place.fjson("stats --format json").stdin(text).stdout();
    assert!(stats.replace(' ', "").contains("\"documents\":4"), "{stats}");
    for command in ["validate", "gzip -c"] {
        assert_eq!(place.fjson(command).stdin(text).status(), Some(1), "{command}");
    }
    // One document is as before, and none is an error.
    assert_eq!(place.fjson("minify").stdin(" [ 3 ] \n").stdout(), "[3]");
    assert_eq!(place.fjson("minify").stdin(" \n").status(), Some(1));
    place.file("several.json", text);
    assert_eq!(place.fjson("minify -i several.json").stdout(), "");
    assert_eq!(place.read("several.json"), "{\"a\":1}\n{\"a\":2}\n[3]\n4\n");
    assert_eq!(place.fjson("pretty -i several.json").stdout(), "");
    assert_eq!(place.fjson("pretty --check several.json").stdout(), "");
    // A short input is checked before anything is written.
    let output = place.fjson("minify").stdin("[ 1 ] [ 2 ] oops").output();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]));
}

#[test]
fn text_sequences() {
    let place = Place::new();
    assert_eq!(place.fjson("validate --seq").stdin("\x1e{}\n\x1e[1]\n").stdout(), "");
    assert_eq!(place.fjson("minify --seq").stdin("\x1e{ }\n\x1e[ 1 ]\n").stdout(), "\x1e{}\n\x1e[1]\n");
    assert_shows!(place.fjson("validate --seq").stdin("\x1e[1,]\n\x1e[2]\n\x1e[3,]\n"));
}

#[test]
fn one_framing_at_a_time() {
    assert_shows!(Place::new().fjson("validate --lines --seq -"));
}

#[test]
fn minify_and_pretty_stop_at_a_bad_record() {
    let place = Place::new();
    let text = "{ \"a\": 1 }\n[2,]\n[ 3 ]\n";
    assert_shows!(place.fjson("minify --lines").stdin(text));
    assert_shows!(place.fjson("pretty --lines").stdin(text));
}

/// When following a log, each record is processed when it arrives, not when the next one does.
// Needs signals.
#[cfg(unix)]
#[test]
fn a_record_is_written_before_the_next_is_waited_for() {
    for (arguments, expected) in [
        ("minify --lines", "{\"a\":1}\n"),
        ("minify --stream", "{\"a\":1}\n"),
        ("minify --stream -S", "{\"a\":1}\n"),
        ("minify --stream --unique-keys", "{\"a\":1}\n"),
        ("pretty --lines", "{\n  \"a\": 1\n}\n"),
        ("pretty --stream", "{\n  \"a\": 1\n}\n"),
        ("pretty --stream -S --ijson", "{\n  \"a\": 1\n}\n"),
        ("query $.a", "1\n"),
        ("query $..a", "1\n"),
        ("query $[?@==1]", "1\n"),
        ("query --ijson $.a", "1\n"),
        ("query --csv -p $.a -p $.b", "1,\n"),
        ("query --csv -p $.a", "1\n"),
        ("query --lines $.a", "1\n"),
        ("query --stream $.a", "1\n"),
        ("query --stream --ijson $.a", "1\n"),
        ("query --lines $..a --trust", "1\n"),
        ("query --lines --where @.a==1 $.a", "1\n"),
        ("query --lines $[?@>0]", "1\n"),
        ("query --lines --paths $.a", "$['a']\n"),
        ("query --stream --paths $.a", "$['a']\n"),
        ("query --lines --csv -p $.a -p $.b", "1,\n"),
        ("query --stream --tsv -p $.a", "1\n"),
    ] {
        let mut command = Command::new(FJSON);
        command.args(arguments.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut stdout = child.stdout.take().expect("a pipe");
        // Do not wait forever.
        let (pid, (done, is_done)) = (Pid::from_child(&child), mpsc::channel::<()>());
        let guard = thread::spawn(move || {
            if is_done.recv_timeout(Duration::from_mins(1)) == Err(RecvTimeoutError::Timeout) {
                kill_process(pid, Signal::KILL).expect("it runs");
            }
        });
        for _ in 0..3 {
            // In two pieces: the first does not show where the document ends.
            for piece in ["{\"a\" ", ": 1}\n"] {
                stdin.write_all(piece.as_bytes()).expect("the program reads");
                thread::sleep(Duration::from_millis(5));
            }
            let mut written = vec![0; expected.len()];
            stdout.read_exact(&mut written).expect("so much is written");
            assert_eq!(String::from_utf8_lossy(&written), expected, "{arguments}");
        }
        drop((stdin, done));
        assert!(child.wait().expect("it ends").success(), "{arguments}");
        guard.join().expect("it ends");
    }
}
