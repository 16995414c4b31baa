//! `fjson` by the name `jq` beside a real jq 1.8: the same output, messages and exit status for random programs, documents and options.
//!
//! The environment variable `FJSON_JQ` names the program.

use crate::place::FJSON;
use crate::place::Place;
use proof::jq_programs;
use proof::random;
use proof::untested;
use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::process::Output;

/// Options of a run.
const OPTIONS: &[&[&str]] = &[
    &["-c"],
    &["-c"],
    &[],
    &["-r"],
    &["-j"],
    &["-a", "-c"],
    &["-S"],
    &["--tab"],
    &["--indent", "1"],
    &["--indent", "0", "-S"],
    &["-C"],
    &["-s", "-c"],
    &["-e", "-c"],
    &["--seq"],
    &["--stream", "-c"],
    &["-R", "-r"],
    &["-n", "-c"],
];

/// Documents in the input of a run.
const DOCUMENTS: usize = 10;

#[test]
fn random_programs_and_documents() {
    let Some(jq) = env::var_os("FJSON_JQ") else {
        return untested::report("random programs beside jq: FJSON_JQ does not name a program jq 1.8");
    };
    let place = Place::new();
    let link = place.path("jq");
    symlink(FJSON, &link).expect("a link");
    random::rounds(1_000, |random| {
        let program = jq_programs::program(random);
        let options = OPTIONS[random.below(OPTIONS.len())];
        let mut input = String::new();
        for _ in 0..DOCUMENTS {
            input.push_str(if options == ["--seq"] { "\u{1e}" } else { "" });
            input += &jq_programs::document(random, 3);
            input.push(if random.one_in(4) { ' ' } else { '\n' });
        }
        place.file("input", &input);
        let run = |jq: &OsStr| -> Output {
            let input = std::fs::File::open(place.path("input")).expect("the input");
            let mut command = Command::new(jq);
            command.args(options).arg(&program).stdin(input).env_clear().env("HOME", place.path("."));
            command.output().expect("jq can be started")
        };
        let (expected, found) = (run(&jq), run(link.as_os_str()));
        for (what, expected, found) in
            [("output", &expected.stdout, &found.stdout), ("message", &expected.stderr, &found.stderr)]
        {
            // What to do instead is said by fjson only.
            let is_jq_s = |line: &&str| !line.starts_with("    help: ");
            let lines = |bytes: &[u8]| {
                String::from_utf8_lossy(bytes).lines().filter(is_jq_s).map(str::to_owned).collect::<Vec<_>>()
            };
            let (expected, found) = (lines(expected), lines(found));
            let differs = expected.iter().zip(&found).position(|(expected, found)| expected != found);
            let at = differs.unwrap_or(expected.len().min(found.len()));
            let (expected, found) = (expected.get(at), found.get(at));
            assert!(expected == found, "jq {options:?} '{program}'\n{input}\n{what}: {found:?}\njq's: {expected:?}");
        }
        let (expected, found) = (expected.status.code(), found.status.code());
        assert!(expected == found, "jq {options:?} '{program}'\n{input}\nstatus: {found:?}\njq's: {expected:?}");
    });
}
