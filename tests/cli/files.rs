//! Unusual inputs: pipes, `/proc`, directories, links, names with any bytes, and files without read permission.

use crate::place::FJSON;
use crate::place::Place;
use crate::place::assert_shows;
#[cfg(unix)]
use rustix::fs::CWD;
#[cfg(unix)]
use rustix::fs::FileType;
#[cfg(unix)]
use rustix::fs::Mode;
use std::ffi::OsStr;
use std::fs;
use std::fs::Permissions;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;

const NOBODY: u32 = 65534;

// Needs a FIFO.
#[cfg(unix)]
#[test]
fn a_fifo_is_opened_once() {
    let place = Place::new();
    let fifo = place.path("fifo");
    rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
    // A second reader would wait forever for a second writer.
    let writer = thread::spawn(move || fs::write(fifo, "[ 1 ]"));
    assert_eq!(place.fjson("minify fifo").stdout(), "[1]");
    writer.join().expect("the writer ends").expect("all is written");
}

#[cfg(unix)]
#[test]
fn a_fifo_is_not_edited_in_place_and_not_waited_for() {
    let place = Place::new();
    let fifo = place.path("fifo");
    rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
    for command in ["minify", "pretty", "set /a 1", "jq ."] {
        let output = place.fjson(&format!("{command} -i fifo")).output();
        let message = "fifo: error: cannot be edited in place: not a regular file\n";
        assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), message), "{command}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs /proc")]
fn files_of_size_zero_may_have_content() {
    let place = Place::new();
    let path = "/proc/sys/kernel/pid_max";
    let number = fs::read_to_string(path).expect("Linux has it");
    assert_eq!(place.fjson(&format!("minify {path}")).stdout(), number.trim_end());
    let output = place.fjson("validate --format concise /proc/self/status").output();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.starts_with("/proc/self/status:1:1: error["), "{text}");
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn reading_and_mapping_give_the_same() {
    let place = Place::with_two();
    assert_eq!(place.fjson("validate --no-mmap bad.json").shown(), place.fjson("validate bad.json").shown());
    assert_eq!(place.fjson("minify --no-mmap good.json").stdout(), place.fjson("minify good.json").stdout());
    assert_eq!(place.fjson("pretty --no-mmap good.json").stdout(), place.fjson("pretty good.json").stdout());
    assert_eq!(place.shell("$FJSON minify < good.json").stdout(), "{\"a\":[1,2]}");
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn standard_input_is_read_from_its_current_offset() {
    let place = Place::new();
    place.file("input", "not JSON\n[1]\n");
    assert_eq!(place.shell("(read line; $FJSON minify) < input").stdout(), "[1]");
}

// Needs symbolic links.
#[cfg(unix)]
#[test]
fn what_cannot_be_opened_is_named_with_its_reason() {
    let place = Place::with_two();
    symlink("loop", place.path("loop")).expect("a link");
    symlink("nowhere", place.path("dangling")).expect("a link");
    assert_shows!(place.fjson("validate missing.json loop dangling good.json/x.json bad.json"));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn a_directory_on_standard_input_gives_status_2() {
    assert_shows!(Place::new().shell("$FJSON validate < ."));
}

// Needs file modes.
#[cfg(unix)]
#[test]
fn a_file_without_read_permission_gives_status_2() {
    let place = Place::with_two();
    fs::set_permissions(place.path("bad.json"), Permissions::from_mode(0o000)).expect("the mode is set");
    // Root may read anything, so another user tries, with a copy of the program in a place that this user may enter.
    fs::set_permissions(place.path("."), Permissions::from_mode(0o755)).expect("the mode is set");
    // By another process: a program that one of our processes has open for writing cannot be started.
    let copied = Command::new("cp").arg(FJSON).arg(place.path("program")).status();
    assert!(copied.expect("cp runs").success());
    let mut command = Command::new(place.path("program"));
    command.current_dir(place.path(".")).args(["validate", "bad.json", "good.json"]);
    if fs::metadata(place.path(".")).is_ok_and(|directory| directory.uid() == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "bad.json: error: permission denied\n");
    assert_eq!(output.status.code(), Some(2));
}

// Needs names of any bytes.
#[cfg(unix)]
#[test]
fn names_may_be_any_bytes() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"a\x1b[31m\n\xff\xe2\x80\xae.json");
    place.file(name, "[1 2]");
    for format in ["human", "concise", "json", "github", "gitlab", "sarif", "junit"] {
        let run = place.fjson_with([OsStr::new("validate"), OsStr::new("--format"), OsStr::new(format), name]);
        let output = run.output();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("the report is UTF-8");
        assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
        assert_eq!(output.status.code(), Some(1));
    }
    assert_shows!(place.fjson_with([OsStr::new("validate"), name]));
    assert_eq!(place.fjson_with([OsStr::new("minify"), name]).status(), Some(1));
}

#[test]
fn a_name_that_looks_like_an_option() {
    let place = Place::new();
    place.file("-q", "[1 2]");
    place.file("long/".to_owned() + &"n".repeat(255), "[]");
    assert_eq!(place.fjson("validate -- -q").status(), Some(1));
    assert_eq!(place.fjson("validate ./-q").status(), Some(1));
    assert_eq!(place.fjson_with(["validate", "--no-ignore", &format!("long/{}", "n".repeat(255))]).stdout(), "");
}

#[test]
fn the_locale_changes_nothing() {
    let place = Place::with_two();
    let expected = place.fjson("validate bad.json").shown();
    for locale in ["tr_TR.UTF-8", "de_DE.UTF-8", "C.UTF-8"] {
        assert_eq!(place.fjson("validate bad.json").env("LC_ALL", locale).shown(), expected);
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs /proc")]
fn an_input_that_fails_while_it_is_read_gives_status_2() {
    assert_shows!(Place::new().fjson("validate /proc/self/mem"));
    assert_shows!(Place::new().fjson("minify --no-mmap /proc/self/mem"));
}

/// A file is read again while it is read: for numbers of lines, for places of violations, and for what a program of jq leads to. The
/// readings have positions of their own, wherever the file begins and however it is read.
#[cfg(unix)]
#[test]
fn a_file_is_read_again_while_it_is_read() {
    let place = Place::new();
    let record = |number: u32| format!("{{\"id\": \"{number:06}\", \"x\": {}}}\n", number % 7000);
    let records: String = (0..20_000).map(record).collect();
    let elements: String = (0..600_000).map(|number| record(number).trim_end().to_owned() + ",\n").collect();
    let document = format!("[{}]\n", elements.trim_end_matches(",\n"));
    assert!(document.len() > 16 << 20);
    place.file("schema.json", r#"{"properties": {"id": {"deprecated": true}, "x": {"maximum": 6990}}}"#);
    for (text, command, count) in [
        (&records, "jq -c input_line_number", 20_000),
        (&records, "jq -cR input_line_number", 20_000),
        (&records, "jq -c '[., input] | input_line_number'", 10_000),
        (&records, "jq -c 'if .x == 3 then error(.) else .id end'", 19_997),
        (&records, "validate --lines --schema schema.json --max-errors 0 --format jsonl -v", 18),
        (&document, "jq -c '.[].id'", 600_000),
        (&document, "jq -c '.[] | select(.x == 3) | .id, input_line_number'", 172),
    ] {
        place.file("text", text);
        place.file("more", format!("a line before it\n{text}"));
        place.file("text.jsonc", text);
        let run = |line: String| {
            let output = place.shell(&line).output();
            let shown = String::from_utf8(output.stdout).expect("text").replace("<stdin>", "text");
            (shown.replace("text.jsonc", "text"), output.status.code())
        };
        let expected = run(format!("cat text | $FJSON {command}"));
        assert_eq!(expected.0.lines().count(), count, "{command}");
        for line in [
            format!("$FJSON {command} text"),
            format!("$FJSON {command} --no-mmap text"),
            format!("$FJSON {command} text.jsonc"),
            format!("$FJSON {command} --jsonc < text"),
            format!("$FJSON {command} --no-mmap < text"),
            format!("(read line; $FJSON {command}) < more"),
            format!("(read line; $FJSON {command} --bom accept) < more"),
        ] {
            assert!(run(line.clone()) == expected, "{line}");
        }
    }
}
