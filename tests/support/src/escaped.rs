//! What must hold for output with `--escape`: it is the output without it, escaped character by character.

use std::iter;

use fjson::Input;
use fjson::Layout;
use fjson::Options;
use fjson::scalar::Escape;

use crate::check;
use crate::check::Shown;
use crate::check::Verb;
use crate::pieces::Pieces;
use crate::random::Random;
use crate::writer;

/// A choice of what to escape: its option, whether the output is ASCII then, and which characters it escapes.
type Choice = (Escape, bool, fn(char) -> bool);

/// Every choice whose output differs from the others'.
fn choices() -> [Choice; 5] {
    let is_html = |character| "<>&\u{2028}\u{2029}".contains(character);
    let plain = Escape::minimal();
    [
        (plain.ascii(), true, |character| !character.is_ascii()),
        (plain.html(), false, is_html),
        (plain.js(), false, |character| "\u{2028}\u{2029}".contains(character)),
        (plain.ascii().html(), true, |character| !character.is_ascii() || "<>&".contains(character)),
        (plain.html().js(), false, is_html),
    ]
}

/// Asserts that every kernel escapes as the reference does, in memory and in pieces, whatever the window, up to an error if any.
///
/// # Panics
/// If it does not.
pub fn document(text: &[u8], random: &mut Random) {
    for verb in [Verb::Minify, Verb::Pretty] {
        let plain = check::reference(verb, text);
        for (escape, ascii, takes) in choices() {
            let expected = check::Outcome {
                written: writer::escape(&plain.written, ascii, takes),
                verdict: plain.verdict,
                error: None,
            };
            for &isa in check::kernels() {
                let (window, largest) = (check::window(random), check::window(random));
                for window in [window, 1 << 18] {
                    let options = check::options(verb, isa).window(window).escape(escape);
                    let got = check::outcome(verb, text, &options);
                    check::same(&expected, &got, text, format_args!("{verb:?} {escape:?} on {isa}, window {window}"));
                    let sizes = iter::repeat_with(|| random.below(largest + 2));
                    let got = check::outcome(verb, Input::from_reader(Pieces::new(text, sizes)), &options);
                    let how = format_args!("{verb:?} {escape:?} on {isa}, window {window}, pieces up to {largest}");
                    check::same(&expected, &got, text, how);
                    if expected.verdict.is_ok() {
                        let differs = difference(verb, text, &options);
                        let expected = check::first_difference(text, &expected.written);
                        assert_eq!(differs, expected, "{verb:?} {escape:?} on {isa}: {}", Shown(text));
                    }
                }
            }
        }
    }
}

/// The first difference between input and output, according to the library.
pub(crate) fn difference(verb: Verb, text: &[u8], options: &Options) -> Option<u64> {
    let difference = match verb {
        Verb::Pretty => fjson::pretty_difference(text, &Layout::default(), options),
        Verb::Validate | Verb::Minify => fjson::minified_difference(text, options),
    };
    difference.expect("a valid document")
}

/// Asserts that every kernel unescapes as [`unescape`] does, in memory and in pieces, on one thread or several, up to an error if any.
///
/// # Panics
/// If it does not.
pub fn unescaped(text: &[u8], random: &mut Random) {
    for verb in [Verb::Minify, Verb::Pretty] {
        let plain = check::reference(verb, text);
        let expected = check::Outcome { written: unescape(&plain.written), verdict: plain.verdict, error: None };
        for &isa in check::kernels() {
            let (window, largest) = (check::window(random), check::window(random));
            for window in [window, 1 << 18] {
                let options = check::options(verb, isa).window(window).threads(1 + random.below(3)).unescape(true);
                let got = check::outcome(verb, text, &options);
                check::same(&expected, &got, text, format_args!("{verb:?} unescaped on {isa}, window {window}"));
                let sizes = iter::repeat_with(|| random.below(largest + 2));
                let got = check::outcome(verb, Input::from_reader(Pieces::new(text, sizes)), &options);
                let how = format_args!("{verb:?} unescaped on {isa}, window {window}, pieces up to {largest}");
                check::same(&expected, &got, text, how);
                if expected.verdict.is_ok() {
                    let differs = difference(verb, text, &options);
                    let expected = check::first_difference(text, &expected.written);
                    assert_eq!(differs, expected, "{verb:?} unescaped on {isa}: {}", Shown(text));
                }
            }
        }
    }
}

/// The text with characters instead of escapes, except for control characters, quotes, backslashes and lone surrogates.
#[must_use]
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (length, character) = match (text[at], unit(at), unit(at + 6)) {
            (b'\\', Some(high @ 0xd800..0xdc00), Some(low @ 0xdc00..0xe000)) => {
                (12, char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)))
            }
            (b'\\', Some(unit), _) => (6, char::from_u32(unit)),
            (b'\\', None, _) => (2, text[at..].starts_with(b"\\/").then_some('/')),
            _ => (1, None),
        };
        match character.filter(|&character| character >= ' ' && !"\"\\".contains(character)) {
            Some(character) => out.extend(character.to_string().bytes()),
            None => out.extend_from_slice(&text[at..text.len().min(at + length)]),
        }
        at += length;
    }
    out
}
