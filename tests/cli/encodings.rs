//! `--bom` and `--encoding`: byte order marks, UTF-16 and UTF-32.

use crate::place::Place;
use crate::place::assert_shows;
use std::fs;

const MARK: &str = "\u{feff}";

/// The text in UTF-16LE, with a mark.
fn utf16(text: &str) -> Vec<u8> {
    format!("{MARK}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Every command that reads documents, and its output for `[ 1 ]`.
const COMMANDS: [(&str, &str); 6] = [
    ("validate", ""),
    ("minify", "[1]"),
    ("minify --canonical -o -", "[1]"),
    ("pretty --indent 0", "[\n1\n]\n"),
    ("query $[0]", "1\n"),
    ("query --count $[0]", "1\n"),
];

#[test]
fn a_mark_is_accepted_if_asked_for() {
    let place = Place::new();
    let text = format!("{MARK}[ 1 ]");
    place.file("marked.json", &text);
    place.file("plain.json", "[ 1 ]");
    for (command, expected) in COMMANDS {
        assert_ne!(place.fjson(command).stdin(text.clone()).status(), Some(0), "{command}");
        for bom in ["--bom accept", "--bom strip", "--encoding auto"] {
            for input in ["", "marked.json", "plain.json", "--no-mmap marked.json"] {
                let run = place.fjson(&format!("{command} {bom} {input}")).stdin(text.clone());
                assert_eq!(run.stdout(), expected, "{command} {bom} {input}");
            }
        }
    }
    for command in ["stats --bom accept marked.json", "gzip --bom accept marked.json"] {
        assert_eq!(place.fjson(command).status(), Some(0), "{command}");
    }
    assert_eq!(place.fjson("query --lines --bom accept $.a").stdin(format!("{MARK}{{\"a\":1}}\n")).stdout(), "1\n");
    assert_shows!(place.fjson("validate marked.json"));
}

#[test]
fn places_after_a_mark_count_its_bytes() {
    let place = Place::new();
    assert_shows!(place.fjson("validate --bom accept").stdin(format!("{MARK}[1,]")));
    assert_eq!(place.fjson("query --bom accept --offsets $[0]").stdin(format!("{MARK}[1]")).stdout(), "4..5\n");
    assert_shows!(place.fjson("validate --bom accept").stdin(format!("{MARK}{MARK}[1]")));
}

/// A mark that is an error is no part of the lines after it, either.
#[test]
fn violations_after_a_mark_have_the_same_places_however_it_is_treated() {
    let place = Place::new();
    place.file("s.json", r#"{"type": "array"}"#);
    place.file("a.jsonl", format!("{MARK}1\n2\n\n3\n"));
    for more in ["", "--no-mmap", "--bom accept", "--encoding auto"] {
        let output = place.fjson(&format!("validate --schema s.json --format concise {more} a.jsonl")).output();
        let report = String::from_utf8_lossy(&output.stderr).into_owned();
        for start in ["a.jsonl:2:1: error[schema", "a.jsonl:4:1: error[schema"] {
            assert!(report.contains(start), "{more}: {report}");
        }
    }
}

#[test]
fn a_check_strips_the_mark_of_a_pipe() {
    let place = Place::new();
    for (text, status) in [("[ 1 ]", 1), ("[\n  1\n]\n", 0), ("\u{feff}[\n  1\n]\n", 1), ("[1,]", 1), ("", 1)] {
        assert_eq!(place.fjson("pretty --check --bom strip").stdin(text).status(), Some(status), "{text:?}");
    }
    assert_eq!(place.fjson("set --check --lines --bom strip /b 1").stdin("{\"a\":1}\n").status(), Some(1));
}

#[test]
fn a_mark_in_text_is_skipped_if_asked_for() {
    let place = Place::new();
    place.file("a.txt", format!("{MARK}ab\n"));
    place.file("a.json", format!("{MARK}[1]\n"));
    for (options, expected) in
        [("", "3\n"), ("--bom accept", "2\n"), ("--bom strip", "2\n"), ("--encoding auto", "2\n")]
    {
        assert_eq!(place.fjson(&format!("jq -R {options} length a.txt")).stdout(), expected, "{options}");
        if !options.is_empty() {
            let slurped = place.fjson(&format!("jq -n -c {options} --slurpfile x a.json $x")).stdout();
            assert_eq!(slurped, "[[1]]\n", "{options}");
        }
    }
}

#[test]
fn in_place_a_mark_is_kept_or_removed() {
    let place = Place::new();
    let marked = format!("{MARK}[ 1 ]");
    place.file("a.json", &marked);
    assert_eq!(place.fjson("pretty -i --bom accept --indent 0 a.json").stdout(), "");
    assert_eq!(place.read("a.json"), format!("{MARK}[\n1\n]\n"));
    assert_eq!(place.fjson("pretty --check --bom accept --indent 0 a.json").stdout(), "");
    assert_shows!(place.fjson("pretty --check --bom strip --indent 0 a.json"));
    assert_eq!(place.fjson("pretty -i --bom strip --indent 0 a.json").stdout(), "");
    assert_eq!(place.read("a.json"), "[\n1\n]\n");
    assert_eq!(place.fjson("pretty --check --bom strip --indent 0 a.json").stdout(), "");
    place.file("bad.json", format!("{MARK}[1,]"));
    assert_eq!(place.fjson("minify -i --bom strip bad.json").status(), Some(1));
    assert_eq!(place.read("bad.json"), format!("{MARK}[1,]"));
}

#[test]
fn utf_16_and_utf_32_are_decoded() {
    let place = Place::new();
    let text = "[ 1 ]";
    let utf32: Vec<u8> = format!("{MARK}{text}").chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    let big: Vec<u8> = format!("{MARK}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (name, bytes) in [("little", utf16(text)), ("big", big), ("utf32", utf32), ("utf8", text.into())] {
        place.file(format!("{name}.json"), &bytes);
        for (command, expected) in COMMANDS {
            for input in [String::new(), format!("{name}.json"), format!("--no-mmap {name}.json")] {
                let run = place.fjson(&format!("{command} --encoding auto {input}")).stdin(bytes.clone());
                assert_eq!(run.stdout(), expected, "{command} {input} {name}");
            }
        }
    }
    assert_eq!(place.fjson("minify --encoding auto").stdin(utf16("[\"é😀\"]")).stdout(), "[\"é😀\"]");
    assert_shows!(place.fjson("validate little.json"));
}

#[test]
fn places_are_those_of_the_decoded_text() {
    let place = Place::new();
    assert_shows!(place.fjson("validate --encoding auto").stdin(utf16("[\n\"é\",]")));
    // Half of a surrogate pair.
    let cut = [utf16("[\"a"), vec![0x3d, 0xd8]].concat();
    assert_shows!(place.fjson("validate --encoding auto").stdin(cut));
}

#[test]
fn other_encodings_are_not_edited_in_place() {
    let place = Place::new();
    let path = place.file("a.json", utf16("[ 1 ]"));
    assert_shows!(place.fjson("minify -i --encoding auto a.json"));
    assert_eq!(fs::read(path).expect("it is there"), utf16("[ 1 ]"));
}
