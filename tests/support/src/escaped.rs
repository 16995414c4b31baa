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
