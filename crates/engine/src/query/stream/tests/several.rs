//! Tests of several queries, and of conditions on one value, against their evaluation in memory.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::ops::Range;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::query::Condition;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::MatchWriter;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;
use crate::query::Written;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::random_runs;
use crate::query::stream::tests::rounds;
use crate::query::stream::tests::several;

/// Stores the query, record, start and text of each match, and the errors.
#[derive(Default, Debug, PartialEq, Eq)]
struct All {
    matches: Vec<(usize, Option<u64>, u64, Vec<u8>)>,
    errors: Vec<(ErrorKind, u64)>,
}

impl MatchHandler for All {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.matches.push((matched.query(), matched.record(), matched.range().start, matched.text().to_vec()));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    }
}

/// What is written of a match.
fn shown(matched: &mut Match<'_>) -> Vec<u8> {
    let path = matched.path().unwrap_or_default();
    [format!("{} {} {path} ", matched.query(), matched.range().start).as_bytes(), matched.text(), b"\n"].concat()
}

/// Writes batches of records, but not all.
struct SomeBatches;

impl MatchWriter for SomeBatches {
    fn write(
        &self,
        matches: &mut dyn Iterator<Item = Match<'_>>,
        range: Range<u64>,
        text: &mut Vec<u8>,
    ) -> Option<u64> {
        let mut records = BTreeSet::new();
        for mut matched in matches {
            assert!(range.start <= matched.range().start && matched.range().end <= range.end);
            records.insert(matched.record());
            text.extend(shown(&mut matched));
        }
        (range.start % 3 != 2).then_some(records.len() as u64)
    }
}

/// Stores the matches as they are written, and in how many records they are.
#[derive(Default)]
struct AllWritten {
    text: Vec<u8>,
    /// Number of records in what was written, and those of single matches.
    records: u64,
    single: BTreeSet<Option<u64>>,
}

impl MatchHandler for AllWritten {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.text.extend(shown(matched));
        self.single.insert(matched.record());
        ControlFlow::Continue(())
    }

    fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        if written.range.start % 5 == 4 {
            return None;
        }
        self.text.append(&mut written.text);
        self.records += written.number;
        Some(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, _: Error) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn matches_are_written_in_batches() {
    let expressions = ["$..a", "$.a", "$.b", "$.label", "$.a.b", "$[0]", "$..b[?@.a]"];
    let mut random = Random::new(43);
    for round in 0..rounds(200) {
        let framing =
            [Framing::Lines, Framing::Documents, Framing::Stream, Framing::Sequence, Framing::Document][round % 5];
        let has_bad = round % 3 == 0 && !framing.is_stream();
        let (mut text, places) = several(&mut random, framing, [5, 60, 400][round % 3], has_bad);
        if framing == Framing::Document {
            text.truncate(places.first().map_or(0, |place| place.end));
        }
        let count = 1 + random.below(5);
        let queries: Vec<_> = (0..count).map(|_| Query::new(expressions[random.below(7)]).expect("a query")).collect();
        let mut search = Search::new(&queries);
        if random.below(2) == 0 {
            search = search.without_paths();
        }
        for how in random_runs(&mut random, ALL) {
            let options = Options::new().framing(framing).isa(how.isa).window(how.window).threads(how.threads);
            let input = || Input::in_pieces(&text, how.pieces);
            let (mut expected, mut all) = (AllWritten::default(), AllWritten::default());
            let summary = search.run(input(), &options, &mut expected).expect("it can be read");
            let written = search.run_with(input(), &options, Some(&SomeBatches), &mut all);
            let text = String::from_utf8_lossy(&text);
            assert_eq!(written.expect("it can be read"), summary, "{search:?} {how:?} {text}");
            assert_eq!(
                String::from_utf8_lossy(&all.text),
                String::from_utf8_lossy(&expected.text),
                "{search:?} {how:?} {framing:?} {text}"
            );
            assert_eq!(
                all.records + all.single.len() as u64,
                expected.single.len() as u64,
                "{search:?} {how:?} {framing:?} {text}"
            );
        }
    }
}

#[test]
fn queries_are_evaluated_together() {
    let expressions = [
        "$", "$.a", "$.b", "$.a.b", "/b", "/a/b", "$[0]", "$[*]", "$.a[*].b", "$.label", "$[1:3]", "$.b[0].a",
        "$[*][*]", "$.none", "$.a.a", "$.b.b[1]", "$[2]", "/a/label",
    ];
    let conditions = ["@.a > 500", "@.a == 1", "@.label != 'a'", "500 <= $.b", "@[0] < 300", "@ > 2", "@.a && @.b"];
    let mut random = Random::new(31);
    for round in 0..rounds(400) {
        let framings = [Framing::Lines, Framing::Documents, Framing::Stream, Framing::Sequence, Framing::Document];
        let framing = framings[random.below(5)];
        let has_bad = round % 3 == 0 && !framing.is_stream();
        let (mut text, places) = several(&mut random, framing, [5, 60, 400][round % 3], has_bad);
        if framing == Framing::Document {
            text.truncate(places.first().map_or(0, |place| place.end));
        }
        let queries = 1 + random.below(6);
        let mut query = |_| Query::new(expressions[random.below(expressions.len())]).expect("a query");
        let queries: Vec<_> = (0..queries).map(&mut query).collect();
        let condition = Condition::new(conditions[random.below(conditions.len())]).expect("a condition");
        let mut search = Search::new(&queries).order([Order::Rfc, Order::Document][random.below(2)]);
        if queries.len() == 1 || random.below(2) == 0 {
            search = search.condition(&condition);
        }
        let mut expected = All::default();
        let options = Options::new().framing(framing);
        let summary = search.in_memory().run(&text[..], &options, &mut expected).expect("it can be read");
        let mut counts = vec![0; queries.len()];
        expected.matches.iter().for_each(|(query, ..)| counts[*query] += 1);
        let search = search.without_paths();
        let shown = format!("{search:?} {framing:?} {}", String::from_utf8_lossy(&text));
        for how in random_runs(&mut random, ALL) {
            let options = Options::new().framing(framing).isa(how.isa).window(how.window).threads(how.threads);
            let input = || Input::in_pieces(&text, how.pieces);
            let mut all = All::default();
            assert_eq!(search.run(input(), &options, &mut all).expect("it can be read"), summary, "{how:?} {shown}");
            assert_eq!(all, expected, "{how:?} {shown}");

            let mut found = vec![0; queries.len()];
            let counted = search.count(input(), &options, &mut found, &mut |_| ControlFlow::Continue(()));
            assert_eq!(counted.expect("it can be read"), summary, "{how:?} {shown}");
            assert_eq!(found, counts, "{how:?} {shown}");

            let (mut some, limit) = (All::default(), 1 + random.below(20));
            search.limit(limit as u64).run(input(), &options, &mut some).expect("it can be read");
            assert_eq!(some.matches, expected.matches[..limit.min(expected.matches.len())], "{how:?} {shown}");

            if expected.errors.is_empty() {
                let mut trusted = All::default();
                search.trust().run(input(), &options, &mut trusted).expect("it can be read");
                assert_eq!(trusted.matches, expected.matches, "{how:?} {shown}");
            }
        }
    }
}

/// Records in which a name is counted at any depth, as one text.
#[test]
fn names_are_counted_across_records() {
    let mut random = Random::new(57);
    for round in 0..200 {
        let framing = [Framing::Lines, Framing::Documents, Framing::Stream, Framing::Sequence][random.below(4)];
        let has_bad = round % 3 == 0 && !framing.is_stream();
        let (text, _) = several(&mut random, framing, [5, 60, 400][round % 3], has_bad);
        let expression = ["$..a", "$..label", "$..a.b", "$..a..b", "$..a[0]", "$..none", "$..b[*]"][random.below(7)];
        let queries = [Query::new(expression).expect("a query")];
        let mut expected = All::default();
        let options = Options::new().framing(framing);
        let summary =
            Search::new(&queries).in_memory().run(&text[..], &options, &mut expected).expect("it can be read");
        for how in random_runs(&mut random, ALL) {
            let options = Options::new().framing(framing).isa(how.isa).window(how.window).threads(how.threads);
            let (mut counts, mut errors) = ([0], Vec::new());
            let counted =
                Search::new(&queries).count(Input::in_pieces(&text, how.pieces), &options, &mut counts, &mut |error| {
                    errors.push((error.kind(), error.offset()));
                    ControlFlow::Continue(())
                });
            let shown = || format!("{expression} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
            assert_eq!(counted.expect("it can be read"), summary, "{}", shown());
            assert_eq!((counts[0], &errors), (expected.matches.len() as u64, &expected.errors), "{}", shown());
        }
    }
}
