//! Runs one document at every alignment, and split in two at every byte.

use fjson::Input;
use proof::check;
use proof::check::Verb;
use proof::pieces::Pieces;

/// Spaces before a document: enough for each of its bytes to be first and last of a lane.
const MOST_BLANKS: usize = 128;

/// A longer document is split at only this many places.
const MOST_CUTS: usize = 500;

/// Every kernel agrees with the reference about the document, at every alignment and however it arrives.
pub fn agrees(text: &[u8]) {
    check::document(text);
    shifted(text, MOST_BLANKS);
    cut(text);
    one_by_one(text);
}

/// With spaces before it.
pub fn shifted(text: &[u8], most: usize) {
    let text = [&vec![b' '; most], text].concat();
    for blanks in 0..=most {
        for verb in Verb::ALL {
            check::agree(verb, &text[most - blanks..]);
        }
    }
}

/// In two pieces, split at every byte, with tiny windows.
fn cut(text: &[u8]) {
    let step = text.len().div_ceil(MOST_CUTS).max(1);
    for verb in Verb::ALL {
        let expected = check::reference(verb, text);
        for &isa in check::kernels() {
            let options = check::options(verb, isa).window(1);
            for at in (0..text.len()).step_by(step) {
                let input = Input::from_reader(Pieces::new(text, [at]));
                let got = check::outcome(verb, input, &options);
                check::same(&expected, &got, text, format_args!("{verb:?} on {isa}, cut at {at}"));
            }
        }
    }
}

/// One byte at a time, with windows of several sizes.
fn one_by_one(text: &[u8]) {
    for verb in Verb::ALL {
        let expected = check::reference(verb, text);
        for &isa in check::kernels() {
            for window in [1, 64, 1000] {
                let options = check::options(verb, isa).window(window);
                let input = Input::from_reader(Pieces::new(text, std::iter::repeat(1)));
                let got = check::outcome(verb, input, &options);
                check::same(&expected, &got, text, format_args!("{verb:?} on {isa}, byte by byte, window {window}"));
            }
        }
    }
}
