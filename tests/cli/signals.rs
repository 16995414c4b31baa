//! Interrupts: the program ends by the signal, the old file is kept, and no other file is left.

use crate::place::FJSON;
use crate::place::Place;
use proof::untested;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Signals from outside whose default action ends a program.
const ENDING: [Signal; 10] = [
    Signal::INT,
    Signal::TERM,
    Signal::HUP,
    Signal::QUIT,
    Signal::USR1,
    Signal::USR2,
    Signal::ALARM,
    Signal::VTALARM,
    Signal::PROF,
    Signal::XCPU,
];

/// The program, half way through a document with `-o out.json`.
fn half_way(place: &Place) -> Child {
    let mut child = Command::new(FJSON)
        .current_dir(place.path("."))
        .args(["minify", "-o", "out.json"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let half = format!("[{}", "1, ".repeat(1_000_000));
    child.stdin.as_mut().expect("a pipe").write_all(half.as_bytes()).expect("the program reads");
    thread::sleep(Duration::from_millis(100));
    child
}

/// Whether the caller of the tests ignores the signal, as `nohup` does: then the program ignores it too.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("the system tells");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("ignored signals are listed");
    let mask = u64::from_str_radix(mask.trim(), 16).expect("a mask");
    mask >> (signal.as_raw() - 1) & 1 == 1
}

#[test]
fn a_signal_ends_the_program_and_leaves_nothing() {
    for signal in ENDING.into_iter().chain([Signal::KILL]) {
        if is_ignored(signal) {
            untested::report(&format!("{signal:?} is ignored by the caller of the tests"));
            continue;
        }
        let place = Place::new();
        place.file("out.json", "old");
        let child = half_way(&place);
        kill_process(Pid::from_child(&child), signal).expect("the program is there");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.signal(), Some(signal.as_raw()));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(place.names(), ["out.json"]);
        assert_eq!(place.read("out.json"), "old");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let place = Place::new();
    place.file("a.json", "[ 1 ]");
    let program = "trap '' HUP; exec 3<&0; $FJSON minify -o out <&3 & sleep 0.1; kill -HUP $!; wait $!";
    let line = format!("{{ cat a.json; sleep 0.3; }} | {{ {program}; }}");
    assert_eq!(place.shell(&line).status(), Some(0));
    assert_eq!(place.read("out"), "[1]");
}

/// The content may be that of a private file, so nobody else can read the new file before it has the mode of the old one.
#[test]
#[cfg(target_os = "linux")]
fn a_file_that_will_replace_another_is_private() {
    let place = Place::new();
    place.file("out.json", "old");
    fs::set_permissions(place.path("out.json"), fs::Permissions::from_mode(0o644)).expect("the mode is set");
    let mut child = half_way(&place);
    let directory = place.path(".").canonicalize().expect("a directory");
    let files = fs::read_dir(format!("/proc/{}/fd", child.id())).expect("the program is there");
    let modes = files.filter_map(|file| {
        let file = file.expect("an entry").path();
        let is_new = fs::read_link(&file).ok()?.starts_with(&directory);
        is_new.then(|| fs::metadata(&file).expect("a file").permissions().mode() & 0o777)
    });
    assert_eq!(modes.collect::<Vec<_>>(), [0o600]);
    child.stdin.take().expect("a pipe").write_all(b"1]").expect("the program reads");
    assert!(child.wait().expect("the program ends").success());
    assert_eq!(fs::metadata(place.path("out.json")).expect("a file").permissions().mode() & 0o777, 0o644);
}
