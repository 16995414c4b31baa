//! Compressed inputs: every command reads them, and damaged ones are errors.

use crate::place::Place;
use crate::place::assert_shows;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

const TEXT: &[u8] = b"{\"a\": [1, 2]}\n";

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("compresses");
    encoder.finish().expect("compresses")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).expect("compresses")
}

/// Compresses with a program.
fn compressed_by(program: &str, text: &[u8]) -> Vec<u8> {
    let place = Place::new();
    place.file("text", text);
    let output = place.shell(&format!("{program} -c < text")).output();
    assert!(output.status.success(), "{program} is needed: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn the_archives_of_bzip2_and_xz_are_read() {
    let place = Place::new();
    let long = format!("[{}]", (0..200_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", "));
    for (program, extension) in
        [("bzip2", "bz2"), ("bzip2 -1", "bz2"), ("xz", "xz"), ("xz -9e -T2", "xz"), ("xz -C sha256", "xz")]
    {
        let name = format!("a.json.{extension}");
        let (whole, two) = (compressed_by(program, long.as_bytes()), compressed_by(program, TEXT));
        place.file(&name, &whole);
        assert_eq!(place.fjson(&format!("minify {name}")).stdout(), long.replace(' ', ""));
        assert_eq!(place.shell(&format!("cat {name} | $FJSON query --count '$[*]'")).stdout(), "200000\n");
        assert_eq!(place.fjson(&format!("validate --max-bytes 1K {name}")).status(), Some(2));
        place.file(&name, &whole[..whole.len() - 1]);
        assert_eq!(place.fjson(&format!("minify {name}")).status(), Some(2), "{program}");
        place.file(format!("log.jsonl.{extension}"), [&two[..], &two].concat());
        assert_eq!(place.fjson(&format!("query $.a[1] log.jsonl.{extension}")).stdout(), "2\n2\n");
        place.file(&name, [&two[..], b"more"].concat());
        let output = place.fjson(&format!("validate {name}")).output();
        assert!(String::from_utf8_lossy(&output.stderr).contains("something else follows the "), "{output:?}");
        assert_eq!(output.status.code(), Some(2));
    }
    assert_eq!(place.fjson("gzip --force log.jsonl.xz").stdout(), "");
    assert_eq!(place.fjson("query $.a[0] log.jsonl.gz").stdout(), "1\n1\n");
}

fn place() -> Place {
    let place = Place::new();
    for (name, text) in [("good.json", TEXT), ("bad.json", b"{\n  \"a\": [1 2]\n}\n"), ("log.jsonl", b"1\n[2\n3\n")] {
        place.file(format!("{name}.gz"), gzip(text));
        place.file(format!("{name}.zst"), zstd(text));
    }
    place
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn every_command_reads_them() {
    let place = place();
    for name in ["good.json.gz", "good.json.zst"] {
        for more in ["", " --no-mmap"] {
            assert_eq!(place.fjson(&format!("validate{more} {name}")).stdout(), "");
            assert_eq!(place.fjson(&format!("minify{more} {name}")).stdout(), "{\"a\":[1,2]}");
            let pretty = "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n";
            assert_eq!(place.fjson(&format!("pretty{more} {name}")).stdout(), pretty);
            assert_eq!(place.fjson(&format!("pretty --check{more} {name}")).status(), Some(1));
        }
        assert_eq!(place.fjson(&format!("query $.a[1] {name}")).stdout(), "2\n");
        assert_eq!(place.shell(&format!("cat {name} | $FJSON minify")).stdout(), "{\"a\":[1,2]}");
        let bench = place.fjson(&format!("bench --time 0.01 --operation minify --format json {name}")).output();
        assert!(String::from_utf8_lossy(&bench.stdout).contains("\"bytes\":14"), "{bench:?}");
    }
}

#[test]
fn places_are_those_of_the_text() {
    assert_shows!(place().fjson("validate bad.json.gz"));
    assert_shows!(place().fjson("validate --format concise bad.json.zst"));
    assert_shows!(place().fjson("validate -v good.json.gz log.jsonl.gz"));
    assert_shows!(place().fjson("validate --format concise log.jsonl.zst"));
}

#[test]
fn jq_counts_the_lines_of_the_text() {
    let place = Place::new();
    place.file("a.json.gz", gzip(b"{\"a\":1}\n{\"a\":2}\n\n{\"a\":3}\n"));
    place.file("short.gz", b"\x1f\x8b");
    for more in ["", "--jsonc", "--no-mmap"] {
        assert_eq!(place.fjson(&format!("jq {more} input_line_number a.json.gz")).stdout(), "1\n2\n4\n", "{more}");
        let output = place.fjson(&format!("jq {more} . a.json.gz short.gz")).output();
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("short.gz: error"), "{more}: {output:?}");
    }
}

#[test]
fn what_is_compressed_twice_is_named() {
    let place = Place::new();
    place.file("a.gz", gzip(&gzip(TEXT)));
    assert_shows!(place.fjson("validate --format concise a.gz"));
}

#[test]
fn what_is_damaged_has_no_verdict() {
    let place = Place::new();
    let whole = gzip(TEXT);
    place.file("cut.gz", &whole[..whole.len() - 9]);
    place.file("more.gz", [&whole[..], b"[1]"].concat());
    let mut flipped = whole.clone();
    let end = flipped.len();
    flipped[end - 6] ^= 1;
    place.file("flipped.gz", &flipped);
    flipped = zstd(TEXT);
    flipped.truncate(12);
    place.file("cut.zst", &flipped);
    assert_shows!(place.fjson("validate cut.gz cut.zst more.gz flipped.gz"));
    assert_shows!(place.fjson("validate --format jsonl cut.gz flipped.gz"));
    for command in ["minify", "pretty", "pretty --check"] {
        for name in ["cut.gz", "cut.zst", "more.gz", "flipped.gz"] {
            assert_eq!(place.fjson(&format!("{command} {name}")).status(), Some(2), "{command} {name}");
        }
    }
    assert_eq!(place.fjson("minify -o out flipped.gz").status(), Some(2));
    assert!(!place.path("out").exists());
}

/// An invalid document in a damaged archive may be due to the damage.
#[test]
fn an_invalid_document_in_a_damaged_file_gives_status_2() {
    let place = Place::new();
    let mut data = gzip(format!("[1 2]{}", " ".repeat(3 << 20)).as_bytes());
    let end = data.len();
    data[end - 6] ^= 1;
    place.file("a.json.gz", &data);
    assert_eq!(place.fjson("minify a.json.gz").status(), Some(2));
    assert_shows!(place.fjson("validate --format concise a.json.gz"));
}

#[test]
fn a_limit_stops_what_would_expand_without_end() {
    let place = Place::new();
    let bomb = format!("[1{}]", " ".repeat(5_000_000));
    place.file("bomb.gz", gzip(bomb.as_bytes()));
    place.file("bomb.zst", zstd(bomb.as_bytes()));
    assert_shows!(place.fjson("validate --max-bytes 1M bomb.gz"));
    for name in ["bomb.gz", "bomb.zst"] {
        for limit in ["0", "100", "4000K", "5000002"] {
            assert_eq!(place.fjson(&format!("minify --max-bytes {limit} {name}")).status(), Some(2), "{limit}");
        }
        assert_eq!(place.fjson(&format!("minify --max-bytes 5000003 {name}")).stdout(), "[1]");
    }
    // Uncompressed inputs do not need it.
    place.file("plain.json", bomb);
    assert_eq!(place.fjson("minify --max-bytes 1 plain.json").stdout(), "[1]");
}

#[test]
fn they_are_not_edited_in_place() {
    let place = place();
    assert_shows!(place.fjson("minify -i good.json.gz"));
    assert_eq!(place.fjson("pretty -i --no-mmap good.json.zst").status(), Some(2));
    assert_eq!(fs::read(place.path("good.json.gz")).expect("it is there"), gzip(TEXT));
    assert_eq!(place.fjson("minify -o good.json good.json.gz").stdout(), "");
    assert_eq!(place.read("good.json"), "{\"a\":[1,2]}");
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn directories_hold_them_too() {
    let place = place();
    place.file("other.gz", gzip(b"text"));
    place.file("a.json", "[ 1 ]");
    assert_shows!(place.fjson("validate --format concise ."));
    // But not when files are edited in place.
    assert_eq!(place.fjson("minify -i .").stdout(), "");
    assert_eq!(place.read("a.json"), "[1]");
    assert_eq!(place.fjson("pretty --check .").output().stdout, b"./a.json\n");
}

/// Each record is processed as soon as it arrives, though the rest of the pipe is still to come.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn a_live_pipe_is_read_as_it_comes() {
    let place = Place::new();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b"[1,\n").expect("compresses");
    encoder.flush().expect("compresses");
    let first = encoder.get_ref().len();
    encoder.write_all(b"2\n").expect("compresses");
    let data = encoder.finish().expect("compresses");
    place.file("first", &data[..first]);
    place.file("rest", &data[first..]);
    let line =
        "mkfifo out; { cat first; head -n 1 out > seen; cat rest; } | $FJSON validate --lines --format concise 2>out";
    place.shell(line).output();
    assert!(place.read("seen").contains("<stdin>:1:4"), "{}", place.read("seen"));
}
