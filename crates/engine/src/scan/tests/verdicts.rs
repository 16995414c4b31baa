//! Compares the engine with the precise reader on all short texts, uncut and cut after every comma.

#![forbid(unsafe_code)]

use crate::explain::Reader;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;

/// Checks a text after `shift` spaces. Unless the text is cut after a comma, at least one space follows it.
#[inline(always)]
fn check<K: Kernel>(checker: &mut Checker<K>, text: &[u8], shift: usize, is_cut: bool) -> bool {
    let mut scratch = [b' '; MAX_TILE_BYTES];
    let end = shift + text.len();
    scratch[shift..end].copy_from_slice(text);
    let end = (end + usize::from(!is_cut)).next_multiple_of(K::SUPERBLOCK);
    checker.check(&scratch[..end], false, false)
}

/// Checks a text that is cut after every comma. The engine must accept each prefix that the reader accepts.
#[inline(always)]
fn check_cut<K: Kernel>(checker: &mut Checker<K>, text: &[u8], shift: usize) -> bool {
    let mut reader = Reader::new(0, None);
    checker.start_document();
    let mut pieces = text.split(|&byte| byte == b',').peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return check(checker, piece, shift, false) && checker.finish();
        }
        let piece = [piece, b","].concat();
        let reconciled = if check(checker, &piece, shift, true) { checker.reconcile() } else { None };
        assert_eq!(reconciled.is_some(), reader.feed(&piece).is_ok(), "{}", text.escape_ascii());
        match reconciled {
            Some(object) => checker.start_after_comma(object),
            None => break,
        }
    }
    false
}

/// All texts of up to `most` tokens, between a fixed prefix and suffix.
#[derive(Clone, Copy)]
struct All<'t> {
    tokens: &'t [&'t [u8]],
    most: u32,
    around: [&'t [u8]; 2],
}

impl Pass for All<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { tokens, most, around: [before, suffix] } = self;
        let mut checker = Checker::new(kernel, None, false);
        let mut text = Vec::new();
        for length in 0..=most {
            for number in 0..tokens.len().pow(length) {
                text.clear();
                text.extend_from_slice(before);
                let mut digits = number;
                for _ in 0..length {
                    text.extend_from_slice(tokens[digits % tokens.len()]);
                    digits /= tokens.len();
                }
                text.extend_from_slice(suffix);
                let mut reader = Reader::new(0, None);
                let is_valid = reader.feed(&text).is_ok() && reader.finish().is_ok();
                let shift = number % (K::SUPERBLOCK + 3);
                checker.start_document();
                let accepted = check(&mut checker, &text, shift, false) && checker.finish();
                assert_eq!(accepted, is_valid, "{} after {shift} spaces", text.escape_ascii());
                let accepted = check_cut(&mut checker, &text, shift);
                assert_eq!(accepted, is_valid, "{} cut, after {shift} spaces", text.escape_ascii());
            }
        }
    }
}

impl All<'_> {
    fn check(self) {
        for isa in Isa::available() {
            isa.run(self);
        }
    }
}

#[test]
fn up_to_six_tokens() {
    let tokens: [&[u8]; 8] = [b"[", b"]", b"{", b"}", b",", b"\"a\"", b":", b"1"];
    All { tokens: &tokens, most: 6, around: [b"", b""] }.check();
}

#[test]
fn up_to_six_characters_of_numbers() {
    let tokens: [&[u8]; 7] = [b"0", b"7", b"-", b"+", b".", b"e", b","];
    All { tokens: &tokens, most: 6, around: [b"[", b"]"] }.check();
}

#[test]
fn up_to_five_letters() {
    let tokens: [&[u8]; 9] = [b"t", b"r", b"u", b"e", b"f", b"a", b"l", b"s", b"n"];
    All { tokens: &tokens, most: 5, around: [b"", b""] }.check();
}

#[test]
fn up_to_five_characters_of_escapes() {
    let tokens: [&[u8]; 8] = [b"\\", b"\"", b"u", b"0", b"f", b"g", b"n", b"\n"];
    All { tokens: &tokens, most: 5, around: [b"\"", b"0\""] }.check();
}

#[test]
fn up_to_four_bytes_in_a_string() {
    const BYTES: [u8; 20] = [
        b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1,
        0xf4, 0xf5,
    ];
    let tokens: Vec<_> = BYTES.iter().map(std::slice::from_ref).collect();
    All { tokens: &tokens, most: 4, around: [b"\"", b"\""] }.check();
}
