//! Tests of errors: which matches before an error are reported, and that the error does not depend on the executor.

#![forbid(unsafe_code)]

use crate::options::Framing;
use crate::query::stream::SearchOptions;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::How;
use crate::query::stream::tests::QUERIES;
use crate::query::stream::tests::faults;
use crate::query::stream::tests::oracle;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::plan;
use crate::query::stream::tests::random_runs;
use crate::query::stream::tests::rounds;
use crate::query::stream::tests::run;
use crate::query::stream::tests::syntax;

/// The end of a number is not certain directly before an error, so it is not a match.
#[test]
fn numbers_before_a_fault() {
    let mut random = Random::new(5);
    let syntax = syntax("$[*]");
    for how in random_runs(&mut random, ALL) {
        for (text, ends) in [("[1,12x]", vec![2]), ("[1,[12]x]", vec![2, 7]), ("[1,12 x]", vec![2, 5])] {
            let spans = run(&plan(&syntax), text.as_bytes(), how, Framing::Document).0.spans;
            assert_eq!(spans.iter().map(|span| span.end).collect::<Vec<_>>(), ends, "{text} {how:?}");
        }
    }
}

/// For a truncated match, the error depends on what follows it. With `trust` it is the same as without.
#[test]
fn matches_that_break_off() {
    let mut random = Random::new(6);
    let syntax = syntax("$..a");
    for text in ["tru", "nul", "-", "1.", "1e", "1E+", "01", "+1", "1x", "\"\\x\"", "[tru]", "{\"a\":-}"] {
        for (before, after) in [("{\"a\":", ",\"b\":1}"), ("[{\"a\":", " }]"), ("{\"a\":", "")] {
            let text = format!("{before}{text}{after}");
            for framing in [Framing::Document, Framing::Lines] {
                let text = if framing == Framing::Lines { format!("1\n{text}\n2\n") } else { text.clone() };
                let expected = faults(text.as_bytes(), framing);
                for how in random_runs(&mut random, SearchOptions { trust: true, ..ALL }) {
                    let (kept, _) = run(&plan(&syntax), text.as_bytes(), how, framing);
                    assert_eq!(kept.errors, expected, "{text} {how:?}");
                }
            }
        }
    }
}

/// Nothing after the last match that is wanted is validated, wherever tiles end and whether or not an array is skipped in one
/// step.
#[test]
fn what_is_wanted_ends_with_its_match() {
    let mut random = Random::new(8);
    let syntax = syntax("$..a[0]");
    for shift in 0..200 {
        let text = format!("{}{{\"a\":[7,8}},{}1}}", " ".repeat(1900 + shift), " ".repeat(5000));
        for how in random_runs(&mut random, SearchOptions { limit: 1, reads_to_end: false, ..ALL }) {
            let (kept, _) = run(&plan(&syntax), text.as_bytes(), how, Framing::Document);
            assert_eq!((kept.texts, kept.errors), (vec![b"7".to_vec()], vec![]), "{shift} {how:?}");
        }
    }
}

/// The executor finds text that is not JSON, an element of an object, before the source of the tiles finds the bracket that does not
/// fit: the error is the one that `validate` finds.
#[test]
fn a_bracket_that_does_not_fit_is_noticed_late() {
    let text = format!("{{\"a\":[[1]}},5],{}", " ".repeat(9000));
    let expected = faults(text.as_bytes(), Framing::Document);
    let mut random = Random::new(32);
    for query in ["$..*", "$..[0]", "$.a..*"] {
        let syntax = syntax(query);
        for how in random_runs(&mut random, ALL) {
            let (kept, _) = run(&plan(&syntax), text.as_bytes(), how, Framing::Document);
            assert_eq!(kept.errors, expected, "{query} {how:?}");
        }
    }
}

/// Mismatched brackets, which are not noticed at once: the error is the one that `validate` finds, whatever the executor does.
#[test]
fn brackets_that_do_not_fit() {
    let mut random = Random::new(31);
    for _ in 0..rounds(150) {
        let mut text = oracle::document(&mut random, 9000);
        let closers: Vec<_> = (0..text.len()).filter(|&at| matches!(text[at], b']' | b'}')).collect();
        let at = closers[random.below(closers.len())];
        text[at] ^= b']' ^ b'}';
        let framing = [Framing::Document, Framing::Documents, Framing::Lines, Framing::Stream][random.below(4)];
        let expected = faults(&text, framing);
        for query in QUERIES {
            let syntax = syntax(query);
            let how = random_runs(&mut random, ALL)[0];
            let shown = || format!("{query} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
            let (kept, _) = run(&plan(&syntax), &text, how, framing);
            assert_eq!(kept.errors, expected, "{}", shown());
            // With a limit, the search may end before the error, but no match is reported after it.
            let search = SearchOptions { limit: 1, reads_to_end: false, ..ALL };
            let (kept, _) = run(&plan(&syntax), &text, How { search, ..how }, framing);
            assert!(expected.iter().all(|&(_, at)| kept.spans.iter().all(|span| span.end <= at)), "{}", shown());
        }
    }
}
