//! `fjson gzip`: its output can be read by other programs, and a file is either complete or absent.

use crate::place::Place;
use crate::place::assert_shows;
use proof::gunzip;
use proof::untested;
use std::fs;
use std::fs::Permissions;
use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

fn expanded(data: &[u8]) -> Vec<u8> {
    gunzip::members(data).expect("gzip data")
}

fn file(place: &Place, name: &str) -> Vec<u8> {
    fs::read(place.path(name)).expect("it is there")
}

/// An indented array of this many numbers.
fn long(count: usize) -> String {
    let numbers = (0..count).map(|number| format!("  {}", number * 7919 % 1_000_003)).collect::<Vec<_>>();
    format!("[\n{}\n]\n", numbers.join(",\n"))
}

#[test]
fn a_file_beside_the_input() {
    let place = Place::with_two();
    assert_eq!(place.fjson("gzip good.json").stdout(), "");
    assert_eq!(expanded(&file(&place, "good.json.gz")), b"{\"a\":[1,2]}");
    assert_eq!(place.names(), ["bad.json", "good.json", "good.json.gz"]);
    assert_shows!(place.fjson("gzip good.json"));
    assert_eq!(place.fjson("gzip --force --keep-space good.json").stdout(), "");
    assert_eq!(expanded(&file(&place, "good.json.gz")), b"{\"a\": [1, 2]}\n");
    assert_shows!(place.fjson("gzip good.json.gz"));
}

#[test]
fn standard_output_and_other_places() {
    let place = Place::with_two();
    let expected = fs::read(place.path("good.json")).expect("it is there");
    for (line, input) in [("gzip -c good.json", None), ("gzip", Some(expected.clone())), ("gzip -", Some(expected))] {
        let run = place.fjson(line);
        let output = input.map_or_else(|| place.fjson(line).output(), |input| run.stdin(input).output());
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(expanded(&output.stdout), b"{\"a\":[1,2]}", "{line}");
    }
    assert_eq!(place.fjson("gzip -o out.gz good.json").stdout(), "");
    assert_eq!(expanded(&file(&place, "out.gz")), b"{\"a\":[1,2]}");
    assert_shows!(place.fjson("gzip -o out.gz good.json bad.json"));
    assert_eq!(place.fjson("gzip -c -o out.gz good.json").status(), Some(2));
}

#[test]
fn an_invalid_document_leaves_no_file() {
    let place = Place::with_two();
    assert_shows!(place.fjson("gzip bad.json"));
    assert_eq!(place.fjson("gzip -o out.gz bad.json").status(), Some(1));
    assert_eq!(place.fjson("gzip --keep-space bad.json").status(), Some(1));
    assert_eq!(place.names(), ["bad.json", "good.json"]);
    place.file("late.json", long(300_000) + "]");
    let output = place.fjson("gzip -c late.json").output();
    assert_eq!(output.status.code(), Some(1));
    assert!(gunzip::members(&output.stdout).is_none());
}

/// Every decompressor on this machine turns `a.json.gz` into what `minify` writes for `a.json`. Returns the missing ones.
fn assert_read_by_all(place: &Place, how: &str) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let minified = place.fjson("minify a.json").output().stdout;
    assert!(expanded(&file(place, "a.json.gz")) == minified, "{how}");
    let python = "import gzip,sys;sys.stdout.buffer.write(gzip.open('a.json.gz').read())";
    for (program, arguments) in [
        (crate::place::FJSON, &["minify", "--lines", "a.json.gz"][..]),
        ("gzip", &["-dc", "a.json.gz"]),
        ("pigz", &["-dc", "a.json.gz"]),
        ("igzip", &["-dc", "a.json.gz"]),
        ("python3", &["-c", python]),
    ] {
        match Command::new(program).args(arguments).current_dir(place.path("")).output() {
            Ok(output) => {
                assert!(output.status.success(), "{program}, {how}: {output:?}");
                let is_same = output.stdout == minified || output.stdout == [&minified[..], b"\n"].concat();
                assert!(is_same, "{program}, {how}");
            }
            Err(_) => missing.push(program),
        }
    }
    missing
}

#[test]
fn every_gunzip_reads_every_level() {
    let place = Place::new();
    place.file("a.json", long(200_000));
    for level in 1..=9 {
        for more in ["", " --rsyncable"] {
            assert_eq!(place.fjson(&format!("gzip -f -{level}{more} a.json")).stdout(), "");
            let missing = assert_read_by_all(&place, &format!("level {level}{more}"));
            if !missing.is_empty() && level == 1 {
                untested::report(&format!("gzip beside {missing:?}, which are not there"));
            }
        }
    }
}

#[test]
fn every_gunzip_reads_every_length() {
    const BLOCK: usize = 256 << 10;
    let place = Place::new();
    for length in [0, 3, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
        let text = if length == 0 { String::new() } else { format!("\"{}\"", "lorem ip".repeat(BLOCK / 4)) };
        let text = text.get(..length.saturating_sub(1)).map(|text| text.to_owned() + "\"").filter(|_| length > 0);
        place.file("a.json", text.unwrap_or_default());
        let lines = if length == 0 { " --lines" } else { "" };
        assert_eq!(place.fjson(&format!("gzip -f{lines} a.json")).stdout(), "");
        assert_read_by_all(&place, &format!("{length} bytes"));
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn the_same_input_gives_the_same_bytes() {
    let place = Place::new();
    place.file("a.json", long(200_000));
    assert_eq!(place.fjson("gzip a.json").stdout(), "");
    let first = file(&place, "a.json.gz");
    assert_eq!(first[..10], *b"\x1f\x8b\x08\0\0\0\0\0\0\xff");
    fs::rename(place.path("a.json"), place.path("b.json")).expect("renames");
    assert_eq!(place.fjson("gzip --no-mmap b.json").stdout(), "");
    assert!(file(&place, "b.json.gz") == first);
    let piped = place.shell("cat b.json | taskset -c 0 $FJSON gzip").output().stdout;
    assert!(piped == first || piped.is_empty(), "one processor, or no taskset");
}

#[test]
fn compressed_inputs_are_expanded_first() {
    let place = Place::with_two();
    place.file("a.json.zst", zstd::encode_all(&b"[ 1 ]"[..], 3).expect("compresses"));
    assert_eq!(place.fjson("gzip a.json.zst").stdout(), "");
    assert_eq!(expanded(&file(&place, "a.json.gz")), b"[1]");
    assert_eq!(place.fjson("gzip -9 -o again.gz a.json.gz").stdout(), "");
    assert_eq!(expanded(&file(&place, "again.gz")), b"[1]");
    assert_eq!(place.fjson("gzip -o a.json.gz a.json.gz").status(), Some(2));
}

#[test]
fn a_directory_and_lines() {
    let place = Place::new();
    place.file("d/a.json", "[ 1 ]");
    place.file("d/b.jsonl", "[ 1 ]\n[ 2 ]\n");
    place.file("d/c.json.gz", "not looked at");
    assert_eq!(place.fjson("gzip d").stdout(), "");
    assert_eq!(expanded(&file(&place, "d/b.jsonl.gz")), b"[1]\n[2]\n");
    assert_eq!(Place::names_in(&place.path("d")), ["a.json", "a.json.gz", "b.jsonl", "b.jsonl.gz", "c.json.gz"]);
}

// Needs file modes.
#[cfg(unix)]
#[test]
fn what_is_private_stays_private() {
    let place = Place::with_two();
    fs::set_permissions(place.path("good.json"), Permissions::from_mode(0o600)).expect("the mode is set");
    assert_eq!(place.shell("umask 022; $FJSON gzip good.json").stdout(), "");
    assert_eq!(fs::metadata(place.path("good.json.gz")).expect("it is there").mode() & 0o777, 0o600);
}

// Needs signals.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file() {
    let place = Place::new();
    let mut child = Command::new(crate::place::FJSON)
        .args(["gzip", "-o", "out.gz", "--stream", "/dev/zero"])
        .current_dir(place.path(""))
        .spawn()
        .expect("the program runs");
    child.wait().expect("zeros are no JSON");
    for signal in ["INT", "TERM", "KILL"] {
        let mut gzip = Command::new(crate::place::FJSON);
        let gzip = gzip.args(["gzip", "-o", "out.gz"]).current_dir(place.path("")).stdin(Stdio::piped());
        let mut child = gzip.spawn().expect("the program runs");
        // It never reaches the end of its input.
        let text = long(300_000);
        let input = child.stdin.as_mut().expect("a pipe");
        input.write_all(&text.as_bytes()[..text.len() - 10]).expect("it reads");
        thread::sleep(Duration::from_millis(200));
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        assert!(!child.wait().expect("it ends").success());
        assert!(place.names().is_empty(), "{signal}");
    }
}

/// An invalid document in a damaged archive is status 2, also where the text is compressed without being minified.
#[test]
fn damage_after_an_invalid_document_gives_status_2() {
    let place = Place::new();
    let text = format!("[1 2{}]", " ".repeat(2_000_000));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text.as_bytes()).expect("memory takes all");
    let mut archive = encoder.finish().expect("memory takes all");
    place.file("sound.json.gz", &archive);
    *archive.last_mut().expect("a length") ^= 1;
    place.file("damaged.json.gz", archive);
    for option in ["", "--keep-space"] {
        assert_eq!(place.fjson(&format!("gzip -c {option} sound.json.gz")).status(), Some(1), "{option}");
        assert_eq!(place.fjson(&format!("gzip -c {option} damaged.json.gz")).status(), Some(2), "{option}");
    }
}

/// Neither an existing file nor another output is replaced by the output of one of several inputs.
#[test]
fn several_inputs_do_not_replace_one_output() {
    let place = Place::new();
    place.file("dir/a.json", "1");
    place.file("dir/b.json", "2");
    place.file("out.gz", "old");
    let output = place.fjson("gzip -o out.gz dir").output();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(place.read("out.gz"), "old");

    place.file("c.json", "[1]");
    let compressed = place.fjson("gzip --stdout c.json").output().stdout;
    place.file("c.json.zst", &compressed);
    for names in ["c.json c.json.zst", "c.json ./c.json.zst", "dir/../c.json c.json.zst"] {
        let output = place.fjson(&format!("gzip --force {names}")).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("is the output of another input"), "{message}");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(expanded(&file(&place, "c.json.gz")), b"[1]");
    }
}
