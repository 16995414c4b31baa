//! What is found in front of a fault, and what is said of it, whatever an executor makes of the text.

#![forbid(unsafe_code)]

use crate::options::Framing;
use crate::query::stream::Wanted;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::How;
use crate::query::stream::tests::QUERIES;
use crate::query::stream::tests::faults;
use crate::query::stream::tests::oracle;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::plan;
use crate::query::stream::tests::run;
use crate::query::stream::tests::syntax;
use crate::query::stream::tests::ways;

/// A number does not show its own end: in front of a fault it is no match.
#[test]
fn numbers_in_front_of_a_fault() {
    let mut random = Random::new(5);
    let syntax = syntax("$[*]");
    for how in ways(&mut random, ALL) {
        for (text, ends) in [("[1,12x]", vec![2]), ("[1,[12]x]", vec![2, 7]), ("[1,12 x]", vec![2, 5])] {
            let spans = run(&plan(&syntax), text.as_bytes(), how, Framing::Document).0.spans;
            assert_eq!(spans.iter().map(|span| span.end).collect::<Vec<_>>(), ends, "{text} {how:?}");
        }
    }
}

/// A match that breaks off is told apart from a text that does, by what follows it; so who trusts hears the same as who checks.
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
                for how in ways(&mut random, Wanted { trust: true, ..ALL }) {
                    let (kept, _) = run(&plan(&syntax), text.as_bytes(), how, framing);
                    assert_eq!(kept.errors, expected, "{text} {how:?}");
                }
            }
        }
    }
}

/// Behind the last match that is wanted nothing is proven, wherever tiles end: an array may be passed in one step, or not.
#[test]
fn what_is_wanted_ends_with_its_match() {
    let mut random = Random::new(8);
    let syntax = syntax("$..a[0]");
    for shift in 0..200 {
        let text = format!("{}{{\"a\":[7,8}},{}1}}", " ".repeat(1900 + shift), " ".repeat(5000));
        for how in ways(&mut random, Wanted { limit: 1, drain: false, ..ALL }) {
            let (kept, _) = run(&plan(&syntax), text.as_bytes(), how, Framing::Document);
            assert_eq!((kept.texts, kept.errors), (vec![b"7".to_vec()], vec![]), "{shift} {how:?}");
        }
    }
}

/// Brackets that do not fit, of which a tile does not tell at once: whatever an executor makes of them, the error is the one
/// that `validate` finds.
#[test]
fn brackets_that_do_not_fit() {
    let mut random = Random::new(31);
    let rounds = std::env::var("FJSON_FUZZ_N").map_or(150, |rounds| rounds.parse().expect("a number"));
    for _ in 0..rounds {
        let mut text = oracle::document(&mut random, 9000);
        let closers: Vec<_> = (0..text.len()).filter(|&at| matches!(text[at], b']' | b'}')).collect();
        let at = closers[random.below(closers.len())];
        text[at] ^= b']' ^ b'}';
        let framing = [Framing::Document, Framing::Documents, Framing::Lines, Framing::Stream][random.below(4)];
        let expected = faults(&text, framing);
        for query in QUERIES {
            let syntax = syntax(query);
            let how = ways(&mut random, ALL)[0];
            let shown = || format!("{query} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
            let (kept, _) = run(&plan(&syntax), &text, how, framing);
            assert_eq!(kept.errors, expected, "{}", shown());
            // Whoever wants little may not come to the fault, but never sees what is behind it.
            let wanted = Wanted { limit: 1, drain: false, ..ALL };
            let (kept, _) = run(&plan(&syntax), &text, How { wanted, ..how }, framing);
            assert!(expected.iter().all(|&(_, at)| kept.spans.iter().all(|span| span.end <= at)), "{}", shown());
        }
    }
}
