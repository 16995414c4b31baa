//! Several inputs at once: the output is that of one input after the other, byte for byte.

use crate::place::FJSON;
use crate::place::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::fs::CWD;
use rustix::fs::FileType;
use rustix::fs::Mode;
use std::collections::BTreeMap;
use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// An array of this many short lines.
fn array(lines: usize) -> String {
    format!("[\n{}  1\n]\n", "  { \"a\": \"x y\", \"\\u00e9\": [ ] },\n".repeat(lines))
}

/// Enough of everything for threads to be started, also in directories.
fn place() -> Place {
    let place = Place::new();
    for number in 0..80 {
        let content =
            ["[1, 2]\n", "{\"a\": [1,\n2}", "", "[\n  1\n]\n", "nil", "[1]", "{\"b\":1, \"a\":[2]}"][number % 7];
        place.file(format!("{number:02}.json"), content);
    }
    place.file("30.jsonl", "[1]\n[\n".repeat(1000));
    // Too long to be handed to a worker, valid and invalid.
    place.file("31.json", [&" ".repeat(17 << 20)[..], "[1,]"].concat());
    place.file("33.json", array(150_000));
    // Too long to be held, at least when they are indented.
    for name in ["32", "34", "35", "36"] {
        place.file(format!("{name}.json"), format!("[{}1]", "[[[[[[[[1, 2]]]]]]]],".repeat(40_000)));
    }
    place.file("37.json", array(40_000) + "]");
    place.file("some/38.json", array(1000));
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(array(200_000).as_bytes()).expect("compresses");
    place.file("some/39.json.gz", encoder.finish().expect("compresses"));
    place.file("some/40.json.zst", zstd::encode_all(&b"[ 1 "[..], 1).expect("compresses"));
    fs::create_dir(place.path("empty")).expect("a directory");
    symlink("38.json", place.path("some/41.json")).expect("a link");
    place
}

fn outcome(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr.clone()).expect("text"))
}

#[test]
fn reports_and_outputs_are_those_of_one_thread() {
    let place = place();
    for command in [
        "validate --max-errors 0",
        "validate --format jsonl --max-errors 300",
        "validate --format junit --no-mmap",
        "validate --format concise --quiet",
        "pretty --check",
        "pretty --check --format json",
        "minify",
        "minify --no-mmap --format sarif --max-errors 3",
        "minify --canonical --quiet",
        "pretty --sort-keys --format concise",
        "pretty --tab --escape ascii --format json",
        "pretty -o /dev/stdout --max-depth 3",
    ] {
        let run = |threads: usize| {
            place.fjson(&format!("{command} --threads {threads} . none.json empty 00.json some/41.json")).output()
        };
        let alone = run(1);
        assert_eq!(alone.status.code(), Some(2), "{command}");
        for threads in [0, 2, 4] {
            let several = run(threads);
            assert_eq!(outcome(&several), outcome(&alone), "{command} on {threads} threads");
            assert!(several.stdout == alone.stdout, "{command} on {threads} threads");
        }
    }
}

#[test]
fn one_file_takes_all_outputs_or_none() {
    let place = place();
    for number in 0..80 {
        place.file(format!("good/{number:02}.json"), array(number * 100));
    }
    for (command, status) in [("minify", 0), ("pretty --indent 1 --ijson", 0), ("minify 01.json", 1), ("pretty no", 2)]
    {
        let run = |threads: usize| {
            place.file("out", "old");
            // The output is refused as an input, wherever it is in the list.
            let output = place.fjson(&format!("{command} --threads {threads} -o out good some/38.json good")).output();
            (outcome(&output), place.read("out"))
        };
        let alone = run(1);
        assert_eq!(alone.0.0, Some(status), "{command}");
        assert_eq!(alone.1 == "old", status > 0, "{command}");
        assert!(run(4) == alone, "{command}");
    }
    let run = |threads: usize| {
        outcome(&place.fjson(&format!("minify --threads {threads} -o good/40.json good none good")).output())
    };
    let alone = run(1);
    assert!(alone.1.contains("good/40.json: error: input and output are the same file"), "{}", alone.1);
    assert_eq!(run(4), alone);
    assert_eq!(place.read("good/40.json"), array(4000));
}

/// All files by name, and the identity of each.
fn contents(place: &Place, directory: &str, contents: &mut BTreeMap<String, (Vec<u8>, u64)>) {
    for name in Place::names_in(&place.path(directory)) {
        let path = format!("{directory}/{name}");
        let metadata = fs::metadata(place.path(&path)).expect("it is there");
        if metadata.is_dir() {
            self::contents(place, &path, contents);
        } else {
            contents.insert(path.clone(), (fs::read(place.path(&path)).expect("it is there"), metadata.ino()));
        }
    }
}

#[test]
fn files_are_replaced_as_by_one_thread() {
    for command in
        ["minify -i", "minify -i --canonical --format jsonl", "pretty -i --sort-keys", "pretty -i --no-mmap -q"]
    {
        let run = |threads: usize| {
            let place = place();
            fs::hard_link(place.path("07.json"), place.path("linked.json")).expect("a link");
            let before = &mut BTreeMap::new();
            contents(&place, ".", before);
            place.file("twice", array(100));
            // A file that is named twice is found as it was left, even if that was a moment ago.
            let names = ". none.json twice ./twice some/39.json.gz 00.json ./some/41.json . empty some";
            let output = place.fjson(&format!("{command} --threads {threads} {names}")).output();
            assert_eq!(output.stdout, b"");
            let after = &mut BTreeMap::new();
            contents(&place, ".", after);
            // No two files have the same identity, but the set of unchanged ones is the same.
            let left_alone: Vec<_> =
                after.iter().map(|(name, (_, file))| before.get(name).map(|(_, old)| old == file)).collect();
            let bytes: BTreeMap<_, _> = after.iter().map(|(name, (bytes, _))| (name.clone(), bytes.clone())).collect();
            (outcome(&output), left_alone, bytes)
        };
        let alone = run(1);
        assert_eq!(alone.0.0, Some(2), "{command}");
        assert!(alone.1.contains(&Some(true)) && alone.1.contains(&Some(false)), "{command}");
        for threads in [2, 4] {
            let several = run(threads);
            assert_eq!((&several.0, &several.1), (&alone.0, &alone.1), "{command} on {threads} threads");
            assert!(several.2 == alone.2, "{command} on {threads} threads");
        }
    }
}

/// When reading a list that grows, each input is reported before the next one is named.
#[test]
fn inputs_of_a_growing_list_are_processed_line_by_line() {
    for command in ["validate", "minify", "minify -i"] {
        let place = Place::new();
        place.file("bad.json", "[");
        let script = format!(
            "mkfifo list report; $FJSON {command} --threads 2 --format concise --files-from list 2> report > /dev/null & \
             exec 4< report 3> list; for i in $(seq 40); do echo bad.json >&3; read line <&4; echo $i; done; \
             exec 3>&-; wait"
        );
        let output = place.shell(&script).output();
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 40, "{command}");
    }
}

/// Output for the records of a pipe is not held back until it is as large as for a file, however many files come before it.
#[test]
fn matches_of_a_pipe_among_files_are_printed_while_it_is_open() {
    let place = Place::with_two();
    rustix::fs::mknodat(CWD, place.path("fifo"), FileType::Fifo, Mode::RWXU, 0).expect("a FIFO");
    let mut child = Command::new(FJSON)
        .current_dir(place.path("."))
        .args(["minify", "--lines", "--threads", "3"])
        .args(["good.json"; 40])
        .args(["fifo", "good.json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || lines.for_each(|line| sender.send(line).expect("somebody listens")));
    let mut fifo = fs::File::options().write(true).open(place.path("fifo")).expect("somebody reads");
    let mut fed = 0;
    let mut printed = 0;
    for _ in 0..4 {
        // 80 KB, of which 64 are worth a write.
        fifo.write_all("[ 1 ]\n".repeat(20_000).as_bytes()).expect("somebody reads");
        fed += 20_000;
        while printed < 40 + fed - 15_000 {
            let line = receiver.recv_timeout(Duration::from_secs(20)).expect("it comes before the end");
            assert_eq!(line.expect("text"), if printed < 40 { "{\"a\":[1,2]}" } else { "[1]" });
            printed += 1;
        }
    }
    drop(fifo);
    assert!(child.wait().expect("it ends").success());
    reader.join().expect("it ends");
    assert_eq!(receiver.into_iter().count(), 40 + fed + 1 - printed);
}

#[test]
fn a_report_that_fails_ends_the_reading_of_many_inputs() {
    let place = Place::new();
    place.file("bad.json", "[\n".repeat(3));
    let list = "bad.json\n".repeat(2000);
    for threads in [1, 3] {
        let line =
            format!("$FJSON validate --threads {threads} --format jsonl --max-errors 0 --files-from - > /dev/full");
        let output = place.shell(&line).stdin(list.clone()).output();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "<stdout>: error: no space left on device\n");
    }
}

#[test]
fn an_output_that_fails_ends_everything() {
    let place = place();
    for command in [
        "minify --threads N . > /dev/full",
        "pretty --threads N -q . > /dev/full",
        "minify --threads N -o /dev/full .",
        "minify --threads N . >&-",
    ] {
        let run = |threads: &str| outcome(&place.shell(&format!("$FJSON {}", command.replace('N', threads))).output());
        let alone = run("1");
        assert_eq!(alone.0, Some(2), "{command}");
        assert_eq!(run("4"), alone, "{command}");
    }
    let run = |threads: usize| {
        let output = place.shell(&format!("ulimit -f 4096; $FJSON pretty --threads {threads} . > out"));
        let output = outcome(&output.output());
        let written = place.read("out");
        fs::remove_file(place.path("out")).expect("it was there");
        (output, written)
    };
    let alone = run(1);
    assert!(alone.0.1.ends_with("<stdout>: error: file too large\n"), "{}", alone.0.1);
    assert!(run(4) == alone);
    // The status of the first command of the pipeline, as reported by the shell.
    let through = "{ sleep 0.2; $FJSON pretty --threads 4 -q .; echo $? >&3; } 3>status | head -c 100000 | wc -c; \
                   cat status";
    assert_eq!(place.shell(through).stdout(), "100000\n141\n");
}
