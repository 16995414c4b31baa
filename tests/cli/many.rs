//! `query`, `stats` and `gzip` of many files: on several threads, with the same result as on one.

use crate::place::FJSON;
use crate::place::Place;
use rustix::fs::CWD;
use rustix::fs::FileType;
use rustix::fs::Mode;
use std::fs;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Files of several kinds: valid, invalid, with many keys, empty, compressed and missing.
fn place(count: usize) -> Place {
    let place = Place::new();
    for number in 0..count {
        let name = format!("files/{number:04}");
        match number % 50 {
            7 => place.file(format!("{name}.json"), format!("{{\"id\": {number}, \"bad\": }}")),
            11 => place
                .file(format!("{name}.jsonl"), format!("{{\"id\": {number}}}\n{{\"id\"\n{{\"id\": \"\\ud800\"}}\n")),
            13 => place.file(format!("{name}.json"), ""),
            17 => {
                let keys: Vec<_> = (0..900).map(|key| format!("\"k{}\": {key}.5", number * 900 + key)).collect();
                place.file(format!("{name}.json"), format!("{{\"id\": {number}, {}}}", keys.join(", ")))
            }
            _ => {
                place.file(format!("{name}.json"), format!("{{\"id\": {number}, \"s\": [\"s{number}\", -1e{number}]}}"))
            }
        };
    }
    place
}

/// What a command prints, on both streams, and its status.
fn shown(place: &Place, line: &str) -> String {
    place.fjson(line).shown()
}

#[test]
fn the_result_is_the_same_on_any_number_of_threads() {
    let place = place(600);
    for line in [
        "query $.id files missing",
        "query -r $.id files",
        "query --count $..* files",
        "query --count -H $.id $.s files",
        "query -H --csv --header -p $.id -p $.s[0] files",
        "query --tsv --rows $ @.id files",
        "query --csv --excel --rows $ -p $.id -p @.s[0] files",
        "query --assignments $..* files",
        "query --array $.s[*] files",
        "query --limit 77 $.id files",
        "query --first $.s files",
        "query --lines --skip-bad $.id files",
        "stats files missing",
        "stats --paths files missing",
        "stats --top 100 --format json files",
    ] {
        let expected = shown(&place, &format!("{line} --threads 1"));
        assert!(expected.len() > 10, "{line}: {expected}");
        for threads in [2, 5] {
            let found = shown(&place, &format!("{line} --threads {threads}"));
            assert!(found == expected, "{line} --threads {threads}:\n{found}\n--threads 1:\n{expected}");
        }
    }
}

#[test]
fn the_files_of_gzip_are_the_same_on_any_number_of_threads() {
    let result = |threads: usize| {
        let place = place(200);
        let shown = shown(&place, &format!("gzip files --threads {threads}"));
        let names = Place::names_in(&place.path("files"));
        let compressed =
            names.iter().filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "gz"));
        let texts: Vec<_> =
            compressed.map(|name| fs::read(place.path("files").join(name)).expect("it is there")).collect();
        (shown, names, texts)
    };
    let expected = result(1);
    assert!(expected.2.len() > 150);
    assert!(result(4) == expected);
}

/// An input that waits does not keep others from being read.
#[test]
fn several_threads_are_used() {
    for command in ["query --count $", "gzip"] {
        let place = place(0);
        let names: Vec<_> = (0..40).map(|number| format!("{number}.json")).collect();
        for name in &names {
            place.file(name, "[1]");
        }
        for name in ["waits", "reads"] {
            rustix::fs::mknodat(CWD, place.path(name), FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
        }
        let mut child = Command::new(FJSON)
            .current_dir(place.path("."))
            .args(command.split(' '))
            .args(["--threads", "2"])
            .args(&names)
            .args(["waits", "reads"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut waits = File::options().write(true).open(place.path("waits")).expect("it is opened");
        let path = place.path("reads");
        // More than the buffer of a pipe holds, so that it is written only if it is read.
        let writer = thread::spawn(move || {
            let text = format!("[{}1]", "1, ".repeat(1_000_000));
            File::options().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
        });
        let is_read = (0..100).any(|_| {
            thread::sleep(Duration::from_millis(100));
            writer.is_finished()
        });
        assert!(is_read, "{command} uses one thread");
        waits.write_all(b"[2]").expect("it is read");
        drop(waits);
        writer.join().expect("it ends").expect("all is written");
        assert!(child.wait().expect("the program ends").success());
    }
}

/// Which of two inputs with one output is refused does not depend on the threads.
#[test]
fn the_first_of_two_inputs_with_one_output_is_compressed() {
    let place = Place::new();
    for number in 0..60 {
        place.file(format!("{number:02}.json"), format!("[{number}]"));
        place.file(format!("{number:02}.json.zst"), format!("[{number}, 2]"));
    }
    let names: Vec<_> =
        (0..60).flat_map(|number| [format!("{number:02}.json.zst"), format!("{number:02}.json")]).collect();
    for threads in ["1", "3"] {
        let line = format!("gzip --force --threads {threads} {}", names.join(" "));
        let output = place.fjson(&line).output();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), said.matches("is the output of another input").count()),
            (Some(2), 60),
            "{said}"
        );
        assert_eq!(place.fjson("query -r $[1] 07.json.gz").stdout(), "2\n");
    }
}
