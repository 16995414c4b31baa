//! Tests of the paths of matches, and of batches of records on several threads, against the evaluation in memory of each record on
//! its own.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::query::Condition;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::QUERIES;
use crate::query::stream::tests::faults;
use crate::query::stream::tests::oracle;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::random_runs;
use crate::query::stream::tests::rounds;
use crate::query::stream::tests::several;

/// Stores everything that a handler receives.
#[derive(Default, Debug, PartialEq, Eq)]
struct All {
    /// Added to the offsets of matches.
    base: u64,
    matches: Vec<Heard>,
    errors: Vec<(ErrorKind, u64)>,
}

#[derive(Debug, PartialEq, Eq)]
struct Heard {
    query: usize,
    record: Option<u64>,
    start: u64,
    text: Vec<u8>,
    path: Option<String>,
    pointer: Option<String>,
}

impl MatchHandler for All {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.matches.push(Heard {
            query: matched.query(),
            record: matched.record(),
            start: self.base + matched.range().start,
            text: matched.text().to_vec(),
            path: matched.path(),
            pointer: matched.pointer(),
        });
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    }
}

#[test]
fn each_record_is_a_document() {
    let expressions = [
        "$",
        "$.a",
        "$.a.b",
        "/b/0",
        "$[-1]",
        "$['b','a']",
        "$[*][*]",
        "$..b",
        "$..b..a",
        "$..[?@.a].*",
        "$[?@ > 2]",
        "$.a[::-1]",
        "$..*",
        "$.nothing",
        "$[1,0,1]",
    ];
    let mut random = Random::new(4180);
    for round in 0..rounds(600) {
        let framing = [Framing::Lines, Framing::Documents, Framing::Stream, Framing::Sequence][random.below(4)];
        let strict = [Options::new().unique_keys(true), Options::new().ijson(true)];
        let profile = if random.below(3) == 0 { &strict[random.below(2)] } else { &Options::new() };
        let has_bad = round % 3 == 0 && !framing.is_stream() && !profile.is_strict();
        let (text, places) = several(&mut random, framing, [5, 60, 400][round % 3], has_bad);
        let mut query = |_| Query::new(expressions[random.below(expressions.len())]).expect("a query");
        let queries: Vec<_> = (0..[1, 1, 2, 3][round % 4]).map(&mut query).collect();
        let condition = Condition::new("@.a || @[0]").expect("a condition");
        let mut search = Search::new(&queries).order([Order::Rfc, Order::Document][random.below(2)]);
        if random.below(4) == 0 {
            search = search.condition(&condition);
        }

        let mut expected = All { errors: faults(&text, framing), ..All::default() };
        let mut counts = vec![0; queries.len()];
        for (number, place) in (1..).zip(places) {
            let mut alone = All { base: place.start as u64, ..All::default() };
            search.in_memory().run(&text[place], profile, &mut alone).expect("it can be read");
            if let &[(kind, offset)] = &alone.errors[..]
                && profile.is_strict()
            {
                expected.errors.push((kind, alone.base + offset));
                if matches!(framing, Framing::Documents | Framing::Stream) {
                    break;
                }
            } else if alone.errors.is_empty() {
                for heard in alone.matches {
                    counts[heard.query] += 1;
                    expected.matches.push(Heard { record: Some(number), ..heard });
                }
            }
        }
        let shown = format!("{search:?} {profile:?} {framing:?} {}", String::from_utf8_lossy(&text));
        for how in random_runs(&mut random, ALL) {
            let options = profile.clone().framing(framing).isa(how.isa).window(how.window).threads(how.threads);
            let input = || Input::in_pieces(&text, how.pieces);
            let search = if random.below(2) == 0 { search.in_memory() } else { search };
            let mut all = All::default();
            let summary = search.run(input(), &options, &mut all).expect("it can be read");
            assert_eq!(all, expected, "{how:?} {shown}");
            let mut found = vec![0; queries.len()];
            let counted = search.count(input(), &options, &mut found, &mut |_| ControlFlow::Continue(()));
            assert_eq!(counted.expect("it can be read"), summary, "{how:?} {shown}");
            assert_eq!(found, counts, "{how:?} {shown}");

            let mut some = All::default();
            let limit = 1 + random.below(20);
            let summary = search.limit(limit as u64).run(input(), &options, &mut some).expect("it can be read");
            assert_eq!(some.matches, expected.matches[..limit.min(expected.matches.len())], "{how:?} {shown}");
            if let Some(last) = some.matches.get(limit - 1) {
                assert_eq!(Some(summary.documents), last.record, "{how:?} {shown}");
            }
        }
    }
}

/// Paths and pointers of the matches of plans in long documents.
#[test]
fn paths_are_those_of_the_evaluation() {
    let mut random = Random::new(6901);
    for round in 0..rounds(400) {
        let text = oracle::document(&mut random, [30, 300, 3000, 20_000][round % 4]);
        let mut query = |_| Query::new(QUERIES[random.below(QUERIES.len())]).expect("a query");
        let queries: Vec<_> = (0..[1, 1, 1, 3][round / 4 % 4]).map(&mut query).collect();
        let framing = [Framing::Document, Framing::Documents, Framing::Stream][random.below(3)];
        let limit = if random.below(3) == 0 { 1 + random.below(9) as u64 } else { u64::MAX };
        let search = Search::new(&queries).order([Order::Rfc, Order::Document][random.below(2)]).limit(limit);
        let text = if framing == Framing::Document { text } else { text.repeat(1 + random.below(3)) };
        let options = Options::new().framing(framing);
        let mut expected = All::default();
        search.in_memory().run(&text[..], &options, &mut expected).expect("it can be read");
        for how in random_runs(&mut random, ALL) {
            let options = options.clone().isa(how.isa).window(how.window).threads(how.threads);
            let search = [search, search.trust(), search.stop_early()][random.below(3)];
            let mut found = All::default();
            search.run(Input::in_pieces(&text, how.pieces), &options, &mut found).expect("it can be read");
            assert_eq!(found, expected, "{search:?} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
        }
    }
}
