//! Real documents of several megabytes: they are valid, and the output equals that of the reference.

use fjson::Input;
use proof::check;
use proof::check::Verb;
use proof::pieces::Pieces;
use proof::suites;

#[test]
fn in_memory() {
    for text in suites::data_sets().values() {
        check::document(text);
    }
}

/// Pieces of the size that a pipe delivers.
#[test]
fn in_pieces() {
    for (name, text) in suites::data_sets() {
        for verb in Verb::ALL {
            let expected = check::reference(verb, &text);
            for &isa in check::kernels() {
                for (piece, window) in [(65_536, 262_144), (4096, 4096), (7777, 1)] {
                    let pieces = Pieces::new(&text, std::iter::repeat(piece));
                    let got =
                        check::outcome(verb, Input::from_reader(pieces), &check::options(verb, isa).window(window));
                    check::same(&expected, &got, &text, format_args!("{verb:?} of {name} on {isa}, {piece} at a time"));
                }
            }
        }
    }
}
