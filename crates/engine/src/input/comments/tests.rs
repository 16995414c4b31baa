//! Tests of the replacement of comments and trailing commas, against a reference that looks at one byte at a time.

#![forbid(unsafe_code)]

use super::scanner::Ignore;
use super::scanner::MOST_HELD;
use super::scanner::Scanner;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::input::blank_comments;

use std::io;
use std::io::Read;

/// Replaces comments, and then commas, in two passes over single bytes.
fn naive(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (text.to_vec(), 0);
    let mut is_string = vec![false; text.len()];
    let mut in_string = false;
    while at < text.len() {
        let here = &text[at..];
        if in_string {
            is_string[at] = true;
            match here {
                [b'\\', next, ..] if *next >= b' ' => {
                    is_string[at + 1] = true;
                    at += 1;
                }
                [b'"' | b'\n' | 0x1E, ..] => in_string = false,
                _ => {}
            }
            at += 1;
            continue;
        }
        let length = match here {
            [b'/', b'/', ..] => here.iter().position(|byte| b"\r\n".contains(byte)).unwrap_or(here.len()),
            [b'/', b'*', rest @ ..] => {
                let Some(length) = rest.windows(2).position(|end| end == b"*/") else {
                    blank(&mut out[at + 2..]);
                    break;
                };
                length + 4
            }
            _ => {
                in_string = here[0] == b'"';
                is_string[at] = in_string;
                at += 1;
                continue;
            }
        };
        blank(&mut out[at..at + length]);
        at += length;
    }
    let is_blank = |byte: u8| b" \t\r\n".contains(&byte);
    let tokens: Vec<usize> = (0..out.len()).filter(|&index| !is_blank(out[index])).collect();
    for place in 1..tokens.len().saturating_sub(1) {
        let [before, comma, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
        let follows_value = is_string[before] || !b"[{,:".contains(&text[before]);
        if out[comma] == b',' && !is_string[comma] && b"]}".contains(&out[after]) && follows_value {
            out[comma] = b' ';
        }
    }
    out
}

fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|byte| !b"\r\n".contains(byte)).for_each(|byte| *byte = b' ');
}

fn read(text: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    Input::in_pieces(text, size).skip_comments().into_reader().read_to_end(&mut out).expect("reads");
    out
}

#[test]
fn comments_and_trailing_commas_become_spaces() {
    for (text, expected) in [
        ("", ""),
        ("[1,]", "[1 ]"),
        ("{\"a\": 1 ,\n }", "{\"a\": 1  \n }"),
        ("[1, // one\n 2 /* two */, /* three\r\n*/ ]//", "[1,       \n 2                    \r\n   ]  "),
        ("\"//\" // \"", "\"//\"     "),
        ("\"\\\"//\", '/**/'", "\"\\\"//\", '    '"),
        ("/* // */1", "        1"),
        ("/* /* */1", "        1"),
        ("// */ /*\r1", "        \r1"),
        ("/**/1/***/", "    1     "),
        // The star of the beginning is not that of the end.
        ("/*/1", "/*  "),
        ("1 /* \n x", "1 /* \n  "),
        ("[,]", "[,]"),
        ("[1,,]", "[1,,]"),
        ("{\"a\":,}", "{\"a\":,}"),
        ("[[],{},]", "[[],{} ]"),
        ("\"[\",]", "\"[\" ]"),
        ("[1/,]", "[1/ ]"),
        ("1 / 2", "1 / 2"),
        ("/", "/"),
        ("\"a\n//\"]\n", "\"a\n    \n"),
        ("\"\\\n//", "\"\\\n  "),
        ("{\"a\" /* key */ : /* colon */ 1}", "{\"a\"           :             1}"),
    ] {
        for size in 0..=text.len() {
            let out = read(text.as_bytes(), size);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{text:?} in pieces of {size}");
        }
        let mut out = text.as_bytes().to_vec();
        blank_comments(&mut out);
        assert_eq!(String::from_utf8_lossy(&out), expected, "{text:?}");
    }
}

#[test]
fn random_bytes_are_read_as_by_the_reference() {
    const BYTES: &[u8] = b"//**\"\"\\,,]}[{:  \n\ra\x1e\t";
    let mut state = 39_u64;
    let mut below = |bound: usize| {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).expect("it is less than the bound")
    };
    for round in 0..1500 {
        let length = below(if round % 8 == 0 { 200 } else { 24 });
        let text: Vec<u8> = (0..length).map(|_| BYTES[below(BYTES.len())]).collect();
        let expected = naive(&text);
        for size in [0, 1, 2, 1 + below(30)] {
            let out = read(&text, size);
            assert!(out == expected, "{} in pieces of {size}: {}", text.escape_ascii(), out.escape_ascii());
        }
    }
}

#[test]
fn a_long_comment_is_final_before_its_end() {
    let mut text = format!("[1 /*{}", " ".repeat(2 * MOST_HELD)).into_bytes();
    assert!(Scanner::new(Ignore).scan(&mut text, 0, false) > MOST_HELD);
}

/// Texts with more bytes after a comma, or in a comment, than are held.
#[test]
fn little_is_held_in_memory() {
    for (length, is_held) in [(MOST_HELD - 10, true), (MOST_HELD + 90_000, false)] {
        let blanks = " ".repeat(length);
        for size in [0, 40_000] {
            let text = format!("[1,{blanks}/**/]");
            let expected = if is_held { text.replace(',', " ") } else { text.clone() }.replace("/**/", "    ");
            assert!(read(text.as_bytes(), size) == expected.as_bytes(), "{length} blanks in pieces of {size}");

            let text = format!("[1 /*{blanks}");
            let mut out = Vec::new();
            let mut reader = Input::in_pieces(text.as_bytes(), size).skip_comments().into_reader();
            match reader.read_to_end(&mut out).map_err(io::Error::downcast::<Error>) {
                Ok(_) => assert!(is_held && out == text.as_bytes()),
                Err(error) => {
                    let error = error.expect("an error of this library");
                    assert_eq!((is_held, error.kind(), error.offset()), (false, ErrorKind::UnexpectedEnd, 3));
                }
            }
            assert!(read(format!("{text}*/]").as_bytes(), size).ends_with(b"  ]"));
        }
    }
}
