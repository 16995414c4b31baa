//! Error messages are the same however the input arrives: every message, position and excerpt.
//!
//! A message depends on how much of the document is known when the error is reported. Kernels, operations and pieces of
//! input differ in when they release text, and must not differ in that. Up to one window from its start, all of a
//! document is known. Of longer ones, memory knows everything, and all kinds of readers know the same.

use std::io;
use std::ops::ControlFlow;

use fjson::Error;
use fjson::Input;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Query;
use fjson::Search;
use fjson::Summary;
use proof::check;
use proof::generate;
use proof::mutate;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;

/// The length up to which a document is known however it arrives: the default of `Options::window`.
const WINDOW: usize = 256 << 10;

type Verb = fn(Input<'_>, &Options) -> Result<Summary, Error>;

const VERBS: [(&str, Verb); 6] = [
    ("validate", |input, options| fjson::validate(input, options)),
    ("minify", |input, options| fjson::minify(input, io::sink(), options)),
    ("pretty", |input, options| fjson::pretty(input, io::sink(), &Layout::spaces(2), options)),
    ("query $..a", |input, options| count("$..a", false, input, options)),
    ("query --trust $..a", |input, options| count("$..a", true, input, options)),
    ("query $..[?@.a]", |input, options| count("$..[?@.a]", false, input, options)),
];

fn count(expression: &str, trusts: bool, input: Input<'_>, options: &Options) -> Result<Summary, Error> {
    let queries = [Query::new(expression).expect("it is one")];
    let search = Search::new(&queries).without_paths();
    let search = if trusts { search.trust() } else { search };
    let mut first = None;
    let summary = search.count(input, options, &mut [0], &mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    first.map_or(Ok(summary), Err)
}

/// All fields of an error, or `None`.
fn report(verb: Verb, input: Input<'_>, isa: Isa, threads: usize, profile: bool) -> String {
    let options = Options::new().isa(isa).threads(threads).unique_keys(profile);
    verb(input, &options).err().map_or_else(String::new, |error| format!("{error:?}"))
}

/// The result on every kernel, with one thread and two, from memory and in pieces.
fn is_told_alike(text: &[u8], random: &mut Random) {
    let profile = random.one_in(4);
    for (name, verb) in VERBS {
        let [mut known, mut read] = [None, None];
        for &isa in check::kernels() {
            for threads in [1, 2] {
                let pieces: Vec<_> = (0..20).map(|_| 1 + random.below(100_000)).collect();
                let inputs = [
                    Input::from(text),
                    Input::from_reader(text),
                    Input::from_reader(Pieces::new(text, pieces.iter().copied().cycle())),
                ];
                for (way, input) in inputs.into_iter().enumerate() {
                    let expected = if way == 0 || text.len() <= WINDOW { &mut known } else { &mut read };
                    let report = report(verb, input, isa, threads, profile);
                    let expected = expected.get_or_insert_with(|| report.clone());
                    assert_eq!(
                        *expected,
                        report,
                        "{name} on {isa}, {threads} threads, way {way}, {} bytes",
                        text.len()
                    );
                }
            }
        }
    }
}

/// An invalid document of about this many bytes, with up to 3,000 open containers: pretty-printed, it is long.
fn deep(random: &mut Random, size: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(3000) {
        text.extend_from_slice(random.pick(&[&b"["[..], b"{\"a\":", b"[1, ", b"{\"a\": 1,\n\"b\":"]));
    }
    text.push(b'[');
    while text.len() < size {
        let member = if random.one_in(9) { generate::tower(random) } else { generate::document(random, 200) };
        text.extend_from_slice(&member);
        text.push(b',');
    }
    text.truncate(size);
    if random.one_in(2) {
        mutate::mutate(random, &mut text);
    }
    text
}

#[test]
fn errors_of_short_documents_read_the_same() {
    rounds(15, |random| {
        let most = if random.one_in(2) { WINDOW - 1000 } else { 20_000 };
        let size = 1 + random.below(most);
        is_told_alike(&deep(random, size), random);
        let mut text = generate::tower(random);
        mutate::mutate(random, &mut text);
        is_told_alike(&text, random);
    });
}

#[test]
fn errors_of_long_documents_read_the_same() {
    rounds(3, |random| {
        let size = WINDOW / 2 + random.below(3 * WINDOW);
        is_told_alike(&deep(random, size), random);
    });
}
