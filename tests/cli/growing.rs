//! Files that change while they are read: what only grows is read up to the size that it had at first.

use crate::place::FJSON;
use crate::place::Place;
use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// A change of a file.
type Change = fn(&File);

/// Records of more than all buffers of the program and of a pipe hold.
fn records() -> String {
    (0..1_500_000).map(|number| format!("[{number}]\n")).collect::<Vec<_>>().concat()
}

/// Runs a command whose output is read only after `change`, so that it has opened its input and cannot end before.
fn run(place: &Place, line: &str, change: impl FnOnce(&File)) -> Output {
    let mut child = Command::new(FJSON)
        .args(line.split_whitespace())
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut first = [0];
    stdout.read_exact(&mut first).expect("there is output");
    thread::sleep(Duration::from_millis(50));
    change(&File::options().read(true).write(true).open(place.path("log.jsonl")).expect("it is there"));
    let mut text = first.to_vec();
    stdout.read_to_end(&mut text).expect("there is output");
    let output = child.wait_with_output().expect("the program ends");
    Output { stdout: text, ..output }
}

fn append(mut log: &File) {
    use std::io::Seek;
    log.seek(std::io::SeekFrom::End(0)).expect("seeks");
    log.write_all(b"99]\n[100]\n").expect("appends");
}

/// Each way in which a file is read.
const LINES: [&str; 4] =
    ["minify log.jsonl", "minify --no-mmap log.jsonl", "query $ log.jsonl --threads 1", "query $ log.jsonl --no-mmap"];

#[test]
fn a_log_that_grows_is_read_up_to_its_size_at_first() {
    let records = records();
    // The last record is complete, or not, or complete but without a line feed.
    for end in ["", "[2", "[3]"] {
        for line in LINES {
            let place = Place::new();
            place.file("log.jsonl", records.clone() + end);
            let output = run(&place, &format!("{line} -v"), append);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{line} {end}: {message}");
            assert!(output.stdout == records.as_bytes(), "{line} {end}: {} bytes", output.stdout.len());
            let told = "log.jsonl: the file has grown; what was added after it was opened is not read";
            assert!(message.contains(told), "{line} {end}: {message}");
            assert_eq!(message.contains("nor the record at its end"), !end.is_empty(), "{line} {end}: {message}");
        }
    }
}

/// Without `-v`, nothing is said; without an addition, the last record is read.
#[test]
fn a_log_that_does_not_grow_is_read_to_its_end() {
    let records = records() + "[3]";
    for line in LINES {
        let place = Place::new();
        place.file("log.jsonl", &records);
        let output = run(&place, line, |_| ());
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{line}");
        assert!(output.stdout.trim_ascii_end() == records.as_bytes(), "{line}");
    }
}

#[test]
fn a_file_that_changes_otherwise_is_an_error() {
    let changes: [(&str, Change); 4] = [
        ("overwritten", |log| log.write_all_at(b"[7]", 0).expect("writes")),
        ("shortened", |log| log.set_len(8_000_000).expect("cuts")),
        ("overwritten and longer", |log| {
            log.write_all_at(b"[7]", 0).expect("writes");
            append(log);
        }),
        ("written anew and longer", |log| {
            let longer = format!("[\"another\"]\n{}", self::records());
            log.write_all_at(longer.as_bytes(), 0).expect("writes");
        }),
    ];
    for (name, change) in changes {
        let place = Place::new();
        place.file("log.jsonl", records());
        let output = run(&place, "minify log.jsonl --threads 1", change);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.contains("the file changed while it was being read"), "{name}: {message}");
        assert!(message.contains("--no-mmap"), "{name}: {message}");
    }
    // If it is read, each byte is read once, and only a missing end is noticed.
    let place = Place::new();
    place.file("log.jsonl", records());
    let output = run(&place, "minify log.jsonl --no-mmap", |log| log.set_len(8_000_000).expect("cuts"));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("truncated"), "{message}");
}

/// The counts of an input that fails are of what was read of it, and agree with each other.
#[test]
fn statistics_of_an_input_that_fails_are_of_what_was_read() {
    let place = Place::new();
    place.file("good.jsonl", "[1]\n[2]\n");
    place.file("damaged.jsonl", "{\"a\":1}\n".repeat(1000));
    assert_eq!(place.fjson("gzip damaged.jsonl").stdout(), "");
    let mut bytes = std::fs::read(place.path("damaged.jsonl.gz")).expect("it is there");
    bytes.truncate(bytes.len() - 8);
    std::fs::write(place.path("damaged.jsonl.gz"), bytes).expect("it is written");
    let output = place.fjson("stats --format json good.jsonl damaged.jsonl.gz").output();
    assert_eq!(output.status.code(), Some(2));
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let count = |pointer: &str| stats.pointer(pointer).and_then(serde_json::Value::as_u64).expect("a number");
    assert_eq!((count("/inputs"), count("/failed")), (2, 1));
    let objects = count("/objects/count");
    assert!(objects > 0 && count("/documents") >= 2 + objects, "{stats}");
    assert_eq!((count("/keys/count"), count("/arrays/count")), (objects, 2));
    assert!(count("/bytes") >= count("/token_bytes"), "{stats}");
    let table = place.fjson("stats good.jsonl damaged.jsonl.gz").output();
    assert!(String::from_utf8_lossy(&table.stdout).contains("1 failed; all counts are of what was read"));
}
