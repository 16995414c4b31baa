//! JSON with comments: read as without them, by every operation, and printed with them.

use fjson::Framing;
use fjson::Input;
use fjson::Options;
use proof::check;
use proof::check::Shown;
use proof::check::Verb;
use proof::comments;
use proof::framing;
use proof::generate;
use proof::mutate;
use proof::random::rounds;
use proof::reader;
use proof::seeds;
use proof::suites;

#[test]
fn comments_and_trailing_commas_change_nothing() {
    rounds(600, |random| {
        let document = if random.one_in(4) { seeds::pick(random) } else { generate::document(random, 2000) };
        if reader::read(&document, Some(500)).is_err() {
            return;
        }
        let text = comments::sprinkle(random, &document);
        for verb in [Verb::Validate, Verb::Minify, Verb::Pretty] {
            for &isa in check::kernels() {
                let options = check::options(verb, isa).window(check::window(random)).threads(1 + random.below(3));
                let expected = check::outcome(verb, &document, &options);
                let got = check::outcome(verb, Input::from(&text).skip_comments(), &options);
                assert_eq!(got.verdict, expected.verdict, "{verb:?} on {isa}: {}", Shown(&text));
                assert_eq!(Shown(&got.written), Shown(&expected.written), "{verb:?} on {isa}: {}", Shown(&text));
            }
        }
        comments::printed_with_comments(&text, random);
    });
}

#[test]
fn broken_texts_have_the_errors_of_the_blank_text() {
    rounds(400, |random| {
        let document = generate::document(random, 600);
        let mut text = comments::sprinkle(random, &document);
        mutate::mutate(random, &mut text);
        comments::read_as_blank(&text, random);
    });
}

/// Every valid document of the suites.
#[test]
fn documents_of_the_suites() {
    let suites = ["json-test-suite", "jsonpath-cts", "simdjson"].into_iter().filter_map(suites::suite);
    let mut random = proof::random::Random::new(39);
    for (_, document) in suites.flatten().filter(|(_, document)| document.len() < 20_000) {
        if reader::read(&document, Some(500)).is_ok() {
            let text = comments::sprinkle(&mut random, &document);
            let expected = check::outcome(Verb::Minify, &document, &Options::new());
            let got = check::outcome(Verb::Minify, Input::from(&text).skip_comments(), &Options::new());
            assert_eq!(got.verdict, Ok(()), "{}", Shown(&text));
            assert_eq!(Shown(&got.written), Shown(&expected.written), "{}", Shown(&text));
            comments::printed_with_comments(&text, &mut random);
        }
    }
}

#[test]
fn records_may_have_comments() {
    rounds(200, |random| {
        let (mut text, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..random.below(40) {
            let mut record = generate::document(random, 100);
            let is_broken = random.one_in(10);
            if is_broken {
                mutate::mutate(random, &mut record);
            }
            record.retain(|byte| !b"\n\r".contains(byte));
            // An escaped slash becomes another escape.
            record.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'n');
            // What follows a string that does not end is no comment.
            let kind = if is_broken { 0 } else { random.below(4) };
            let comment = [&b""[..], b" // a \"b", b"/* c */", b"\t/* } */ // d"][kind];
            text.extend_from_slice(&[&record, comment, b"\n"].concat());
            plain.extend_from_slice(&[&record[..], &vec![b' '; comment.len()], b"\n"].concat());
        }
        for &isa in check::kernels() {
            let options = Options::new().isa(isa).framing(Framing::Lines).window(check::window(random));
            let options = options.threads(1 + random.below(3));
            // Broken records may have commas before their closing brackets.
            let expected = framing::report(Input::from(&plain).skip_comments(), &options);
            let got = framing::report(Input::from(&text).skip_comments(), &options);
            assert_eq!(got, expected, "{isa}: {}", Shown(&text));
        }
    });
}
