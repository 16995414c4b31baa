//! Compares the index with a simple tokenizer, for every kernel and window, whole and in pieces.

#![forbid(unsafe_code)]

use super::TokenBatch;
use super::index;
use crate::explain::random::Random;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;

/// Returns the offset and first byte of each token.
fn plain(text: &[u8]) -> Vec<(u64, u8)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += match text[start] {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x1e' => {
                at += 1;
                continue;
            }
            b'"' => {
                let mut end = start + 1;
                while text[end] != b'"' {
                    end += if text[end] == b'\\' { 2 } else { 1 };
                }
                end + 1 - start
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            _ => text[start..].iter().take_while(|byte| !b"{}[]:,\" \t\n\r\x1e".contains(byte)).count(),
        };
        tokens.push((start as u64, text[start]));
    }
    tokens
}

/// Returns the same from the index. All batches must follow each other and end between tokens.
fn listed(input: Input<'_>, options: &Options) -> (Vec<(u64, u8)>, bool) {
    let mut tokens = Vec::new();
    let mut end = 0;
    let result = index(
        input,
        &mut |TokenBatch { offset, text, positions }| {
            assert!(offset >= end && !text.is_empty());
            end = offset + text.len() as u64;
            let from = tokens.len();
            tokens.extend(positions.iter().map(|&at| (offset + u64::from(at), text[at as usize])));
            let alone: Vec<_> = plain(text).into_iter().map(|(at, byte)| (offset + at, byte)).collect();
            assert_eq!(tokens[from..], alone, "no token is cut");
        },
        options,
    );
    (tokens, result.is_ok())
}

/// Checks that all ways to read `text` list the same tokens: those before the error, except perhaps the last one.
fn agree(text: &str, framing: Framing, is_valid: bool, until: usize) {
    let expected = plain(&text.as_bytes()[..until]);
    for isa in Isa::available() {
        for window in [1, 300, 5000, 1 << 18] {
            for piece in [0, 7, 1000] {
                let options = Options::new().isa(isa).window(window).framing(framing);
                let (tokens, accepted) = listed(Input::in_pieces(text.as_bytes(), piece), &options);
                assert_eq!(accepted, is_valid, "{isa} {window} {piece}");
                let short = expected.len() - usize::from(!is_valid);
                assert!(tokens == expected || tokens == expected[..short], "{isa} {window} {piece}");
            }
        }
    }
}

/// A random document with many tokens, some of them long.
fn document(random: &mut Random) -> String {
    let mut text = String::from("[");
    for _ in 0..random.below(60) {
        text += &match random.below(8) {
            0 => ["\"", &"é\\\\".repeat(random.below(40)), "\\\"{[,\""].concat(),
            1 => ["{\"a\" :", &" ".repeat(random.below(90)), "1e5}"].concat(),
            2 => ["\"", &"x".repeat(random.below(6000)), "\""].concat(),
            3 => "7".repeat(1 + random.below(900)),
            4 => "[".repeat(50) + &"]".repeat(50),
            5 => String::from("[ true,null , false ]"),
            _ => String::from("-0.5"),
        };
        text += if random.below(3) == 0 { "," } else { " ,\n" };
    }
    text + "0]"
}

#[test]
fn every_way_lists_the_same_tokens() {
    let mut random = Random::new(7);
    for _ in 0..12 {
        let text = document(&mut random);
        agree(&text, Framing::Document, true, text.len());
        let invalid = text.clone() + " \"";
        agree(&invalid, Framing::Document, false, text.len());
    }
}

#[test]
fn documents_that_are_one_token() {
    for text in ["0", " \"\" ", "\"\\\"\"", "null\n"] {
        agree(text, Framing::Document, true, text.len());
    }
    let long = ["\"", &"\\\\".repeat(9000), "\""].concat();
    agree(&long, Framing::Document, true, long.len());
    let long = "1".repeat(30_000);
    agree(&long, Framing::Document, true, long.len());
}

#[test]
fn several_documents() {
    let text = "[1]\n\n22\n\"a\"\n{}\n";
    agree(text, Framing::Lines, true, text.len());
    agree(text, Framing::Stream, true, text.len());
    let text = "\x1e[1]\n\x1e22\n\x1e\"a\"\n";
    agree(text, Framing::Sequence, true, text.len());
}

/// Valid lines are read together, and line breaks are no tokens.
#[test]
fn many_lines() {
    let mut random = Random::new(8);
    for _ in 0..4 {
        let lines: Vec<_> = (0..20).map(|_| document(&mut random).replace('\n', " ")).collect();
        let text = lines.join("\n");
        agree(&text, Framing::Lines, true, text.len());
        let text = lines.join("\r\n \n") + "\n";
        agree(&text, Framing::Lines, true, text.len());
        let invalid = [&text, "[1]\n[2 \"a\"]\n", &text].concat();
        agree(&invalid, Framing::Lines, false, text.len() + "[1]\n[2 ".len());
    }
}

#[test]
fn nothing_but_brackets() {
    let text = "[".repeat(20_000) + &"]".repeat(20_000);
    agree(&text, Framing::Document, true, text.len());
    let invalid = text.replacen("]]]", "]]}", 1);
    agree(&invalid, Framing::Document, false, 20_002);
}
