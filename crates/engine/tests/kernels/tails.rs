//! Every length up to more than two superblocks, at every alignment to a cache line.

use proof::check;
use proof::check::Verb;
use proof::generate;
use proof::random::Random;
use proof::suites;

/// More than two of the widest superblocks.
const LONGEST: usize = 1100;

/// Bytes of a cache line, and of the widest vector.
const LINE: usize = 64;

/// Real text, truncated: at every length the end is missing.
#[test]
fn cut_short() {
    let mut texts = suites::data_sets();
    texts.retain(|name, _| ["canada.json", "citm_catalog.json", "string_unicode.json"].contains(&name.as_str()));
    texts.insert("generated".to_owned(), generate::document(&mut Random::new(5), 4 * LONGEST));
    for text in texts.values() {
        for length in 0..=LONGEST.min(text.len()) {
            everywhere(&text[..length]);
        }
    }
}

/// Valid documents of every length.
#[test]
fn whole() {
    for length in 2..=LONGEST {
        everywhere(&[&vec![b' '; length - 2][..], b"{}"].concat());
        everywhere(&vec![b'7'; length]);
        everywhere(&[b"\"", &vec![b'x'; length - 2][..], b"\""].concat());
        everywhere(&[&b"["[..], &b"[],".repeat(length / 3), b"0]"].concat());
    }
}

/// The kernels agree with the reference about the text at every offset from the start of a cache line.
fn everywhere(text: &[u8]) {
    let expected = Verb::ALL.map(|verb| check::reference(verb, text));
    let mut buffer = vec![b'!'; text.len() + 3 * LINE];
    let line = buffer.as_ptr().align_offset(LINE);
    for place in line..line + LINE {
        buffer[place..place + text.len()].copy_from_slice(text);
        // The bytes after the text must not matter.
        buffer[place + text.len()] = b'!';
        let text = &buffer[place..place + text.len()];
        for (verb, expected) in Verb::ALL.into_iter().zip(&expected) {
            for &isa in check::kernels() {
                let got = check::outcome(verb, text, &check::options(verb, isa));
                check::same(expected, &got, text, format_args!("{verb:?} on {isa} at {place}"));
            }
        }
    }
}
