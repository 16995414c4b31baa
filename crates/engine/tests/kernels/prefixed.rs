//! Inputs with a byte order mark, and records with other text before them: as without it, and each byte at its place.

use std::iter;

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::RecordStart;
use proof::check;
use proof::check::Shown;
use proof::check::Verb;
use proof::framing;
use proof::generate;
use proof::mutate;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;

/// An input in memory, or one that is read in pieces.
fn input<'a>(text: &'a [u8], random: &'a mut Random) -> Input<'a> {
    if random.one_in(2) {
        return text.into();
    }
    let largest = check::window(random);
    Input::from_reader(Pieces::new(text, iter::repeat_with(move || random.below(largest + 2))))
}

#[test]
fn a_mark_changes_only_offsets() {
    let place = |error: &Error| (error.kind(), error.line(), error.column(), error.pointer().map(ToOwned::to_owned));
    rounds(1_000, |random| {
        let mut text = if random.one_in(2) { seeds::pick(random) } else { generate::document(random, 3000) };
        if random.one_in(2) {
            mutate::mutate(random, &mut text);
        }
        let marked = [b"\xef\xbb\xbf", &text[..]].concat();
        for verb in Verb::ALL {
            let framing = [Framing::Document, Framing::Documents, Framing::Lines][random.below(3)];
            for &isa in check::kernels() {
                let options = check::options(verb, isa).framing(framing).window(check::window(random));
                let options = options.threads(1 + random.below(3));
                let expected = check::outcome(verb, &text, &options);
                let input = input(&marked, random).skip_byte_order_mark().expect("reads");
                let got = check::outcome(verb, input, &options);
                let verdict = expected.verdict.map_err(|(kind, offset)| (kind, offset + 3));
                assert_eq!(got.verdict, verdict, "{verb:?} on {isa}: {}", Shown(&text));
                assert_eq!(Shown(&got.written), Shown(&expected.written), "{verb:?} on {isa}: {}", Shown(&text));
                if let (Some(got), Some(expected)) = (&got.error, &expected.error) {
                    let (got, mut expected) = (place(got), place(expected));
                    // What is no longer in memory depends on the pieces.
                    if got.3.is_none() {
                        expected.3 = None;
                    }
                    assert_eq!(got, expected, "{verb:?} on {isa}: {}", Shown(&text));
                }
            }
        }
    });
}

#[test]
fn text_before_records_is_blank() {
    const PREFIXES: [&str; 7] = ["", "12:30:01 INFO ", "web_1 | ", "}]", "\"x\" 1", "\u{feff}", "né\t"];
    rounds(760, |random| {
        let (mut text, mut blank) = (Vec::new(), Vec::new());
        for _ in 0..random.below(60) {
            let prefix = random.pick(&PREFIXES).as_bytes();
            text.extend_from_slice(prefix);
            blank.extend(iter::repeat_n(b' ', prefix.len()));
            if !random.one_in(5) {
                let mut record = if random.one_in(4) { seeds::pick(random) } else { generate::document(random, 200) };
                if random.one_in(10) {
                    mutate::mutate(random, &mut record);
                }
                record.retain(|&byte| byte != b'\n');
                let record = [b"[", &record[..], b"]"].concat();
                text.extend_from_slice(&record);
                blank.extend_from_slice(&record);
            }
            text.push(b'\n');
            blank.push(b'\n');
        }
        for &isa in check::kernels() {
            let options = Options::new().isa(isa).framing(Framing::Lines).window(check::window(random));
            let options = options.threads(1 + random.below(3));
            let expected = framing::report(&blank, &options);
            let prefixed = input(&text, random).skip_prefixes(RecordStart::Bracket);
            assert_eq!(framing::report(prefixed, &options), expected, "{isa}: {}", Shown(&text));
            for verb in [Verb::Minify, Verb::Pretty] {
                let prefixed = input(&text, random).skip_prefixes(RecordStart::Bracket);
                let (expected, got) =
                    (check::outcome(verb, &blank, &options), check::outcome(verb, prefixed, &options));
                check::same(&expected, &got, &blank, format_args!("{verb:?} on {isa}"));
            }
        }
    });
}
