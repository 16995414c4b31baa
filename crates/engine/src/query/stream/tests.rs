//! Tests of the executors against the evaluator: on every kernel, in checked and in trusted text, with input in
//! memory and in pieces.

#![forbid(unsafe_code)]

mod document_tiles;
mod elements;
mod evaluated;
mod faults;
mod oracle;
mod search;
mod several;

use std::ops::ControlFlow;
use std::ops::Range;

use super::Listing;
use super::MatchSink;
use super::Plan;
use super::SearchOptions;
use super::SearchRequest;
use super::stream;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::query::Query;
use crate::query::excerpt::Excerpt;
use crate::query::excerpt::Span;
use crate::query::regexp::Patterns;
use crate::query::syntax::Syntax;
use crate::scan::scan;
use oracle::Random;

fn index(offset: u64) -> usize {
    usize::try_from(offset).expect("in memory")
}

/// Returns the number of rounds: `FJSON_FUZZ_N`, or `usual`.
fn rounds(usual: usize) -> usize {
    std::env::var("FJSON_FUZZ_N").map_or(usual, |rounds| rounds.parse().expect("a number"))
}

/// Stores the spans and texts of all matches, and the kinds and offsets of errors.
#[derive(Default, Debug, PartialEq, Eq, Clone)]
struct Kept {
    spans: Vec<Span>,
    texts: Vec<Vec<u8>>,
    records: Vec<Option<u64>>,
    errors: Vec<(ErrorKind, u64)>,
    /// Ends the search after this many matches, unless it is 0.
    most: usize,
}

impl MatchSink for Kept {
    fn receive_matches(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            self.spans.push(span);
            self.texts.push(within.of(span).to_vec());
            self.records.push(within.record);
            if self.spans.len() == self.most {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    }

    fn wait(&mut self) {}
}

/// How a query is run.
#[derive(Clone, Copy, Debug)]
struct How {
    isa: Isa,
    search: SearchOptions,
    window: usize,
    /// Bytes in a piece of the input; 0: the input is in memory.
    pieces: usize,
    threads: usize,
}

const ALL: SearchOptions = SearchOptions {
    listing: Listing::AsFound,
    limit: u64::MAX,
    trust: false,
    reads_to_end: true,
    divides_elements: true,
    paths: false,
};

/// Returns the result of a query, and the number of matches.
fn run(plan: &Plan<'_>, text: &[u8], how: How, framing: Framing) -> (Kept, u64) {
    until(0, plan, text, how, framing)
}

/// As [`run`], with a sink that ends the search after `most` matches.
fn until(most: usize, plan: &Plan<'_>, text: &[u8], how: How, framing: Framing) -> (Kept, u64) {
    let options = Options::new().isa(how.isa).window(how.window).threads(how.threads).framing(framing);
    let mut kept = Kept { most, ..Kept::default() };
    let mut input = Input::in_pieces(text, how.pieces);
    let request = SearchRequest { plan, options: &options, search: how.search, rest: None, writer: None };
    let (_, count) = stream(request, &mut input, &mut kept);
    (kept, count)
}

/// Random ways to run a query, one for each kernel.
fn random_runs(random: &mut Random, search: SearchOptions) -> Vec<How> {
    let mut runs = Vec::new();
    for isa in Isa::available() {
        let window = 2048 * random.below(9);
        let pieces = [0, 0, 1 + random.below(100), 1 + random.below(5000)][random.below(4)];
        runs.push(How { isa, search, window, pieces, threads: 1 + random.below(2) });
    }
    runs
}

fn syntax(query: &str) -> Syntax {
    Syntax::parse(query, Patterns::default()).expect("a query")
}

fn plan(syntax: &Syntax) -> Plan<'_> {
    Plan::new(&[syntax], None).expect("it has a plan")
}

const QUERIES: [&str; 51] = [
    "$",
    "$.a",
    "$.b",
    "$.a.b",
    "$.a.b.c",
    "$[*]",
    "$.*",
    "$[*].a",
    "$.a[*]",
    "$.a[*].b",
    "$[0]",
    "$[2]",
    "$[1:3]",
    "$[::2]",
    "$[1:7:3].a",
    "$.a[1].b[0]",
    "$[*][*]",
    "$[*][*][*]",
    "$.*.*.a",
    "$[*][1:3]",
    "$[*][*].a[0]",
    "$.label",
    "$[*].label.a",
    r#"$['"q']"#,
    "$['']",
    "$..a",
    "$..b",
    "$..a.b",
    "$..a..b",
    "$..a..a",
    "$..a[*]",
    "$..a[0].b",
    "$..a[*][*]",
    "$..a[*][0]",
    "$..a[*][1:4:2]",
    "$..*[1]",
    "$.a..b",
    "$[*]..label",
    "$..*",
    "$..[0]",
    "$..[*].a",
    "$..a.*",
    "$.a..*",
    "$..label",
    "$..a..b..a",
    "$..a[1:]..b",
    "$[3:2]",
    r"$..['\\u0061']",
    r"$[*]['a\\']",
    "/a/0/b",
    "/0/label/1",
];

fn check(query: &str, text: &[u8], random: &mut Random) {
    let syntax = syntax(query);
    let plan = plan(&syntax);
    let span = |Range { start, end }| Span { start, end, query: 0 };
    let expected: Vec<_> = oracle::evaluated(query, text).into_iter().map(span).collect();
    let texts: Vec<_> = expected.iter().map(|span| text[index(span.start)..index(span.end)].to_vec()).collect();
    let limit = 1 + random.below(6) as u64;
    for trust in [false, true] {
        for listing in [Listing::AsFound, Listing::None] {
            for (limit, reads_to_end) in [(u64::MAX, true), (u64::MAX, false), (limit, random.below(2) == 0)] {
                for how in random_runs(random, SearchOptions { listing, limit, trust, reads_to_end, ..ALL }) {
                    let (kept, count) = run(&plan, text, how, Framing::Document);
                    let wanted = expected.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
                    let shown = || String::from_utf8_lossy(text).into_owned();
                    assert_eq!(kept.errors, [], "{query} {how:?} {}", shown());
                    assert_eq!(count, wanted as u64, "{query} {how:?} {}", shown());
                    if listing == Listing::AsFound {
                        assert_eq!(kept.spans, expected[..wanted], "{query} {how:?} {}", shown());
                        assert_eq!(kept.texts, texts[..wanted], "{query} {how:?} {}", shown());
                        let (kept, _) = until(wanted / 2 + 1, &plan, text, how, Framing::Document);
                        assert_eq!(kept.texts, texts[..wanted.min(wanted / 2 + 1)], "{query} {how:?} {}", shown());
                    }
                }
            }
        }
    }
}

#[test]
fn queries_of_random_documents() {
    let mut random = Random::new(4711);
    for round in 0..rounds(250) {
        let size = [20, 200, 3000, 30_000][round % 4];
        let text = oracle::document(&mut random, size);
        for _ in 0..4 {
            let query = QUERIES[random.below(QUERIES.len())];
            check(query, &text, &mut random);
        }
    }
}

/// Returns the kinds and offsets of the errors that `validate` finds.
fn faults(text: &[u8], framing: Framing) -> Vec<(ErrorKind, u64)> {
    let mut faults = Vec::new();
    let scanned = scan(&mut Input::from(text), &Options::new().framing(framing), &mut Check, &mut |error| {
        faults.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    });
    assert!(scanned.is_ok());
    faults
}

/// Documents with a few changed bytes: the error is the one that `validate` finds, and the matches before it are the same for
/// all kernels, windows and kinds of input. Unchecked evaluation terminates.
#[test]
fn broken_documents() {
    let mut random = Random::new(99);
    for round in 0..rounds(300) {
        let mut text = oracle::document(&mut random, [20, 300, 6000][round % 3]);
        for _ in 0..=random.below(2) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => text.truncate(at.max(1)),
                1 => text[at] = b"{}[],:\"\\ 1ax\n"[random.below(13)],
                2 => text.insert(at, b"{}[],:\"\\ 1ax\n"[random.below(13)]),
                _ => drop(text.drain(at..(at + 1 + random.below(9)).min(text.len()))),
            }
        }
        let framing = [Framing::Document, Framing::Documents, Framing::Lines, Framing::Stream][random.below(4)];
        let expected = faults(&text, framing);
        let query = QUERIES[random.below(QUERIES.len())];
        let syntax = syntax(query);
        let plan = plan(&syntax);
        let mut first = None;
        let mut hows = random_runs(&mut random, ALL);
        hows.extend(random_runs(&mut random, ALL));
        for how in hows {
            let (kept, _) = run(&plan, &text, how, framing);
            let shown = || String::from_utf8_lossy(&text).into_owned();
            assert_eq!(kept.errors, expected, "{query} {how:?} {framing:?} {}", shown());
            let first = first.get_or_insert_with(|| kept.clone());
            assert_eq!(&kept, first, "{query} {how:?} {framing:?} {}", shown());
        }
        for how in random_runs(&mut random, SearchOptions { trust: true, ..ALL }) {
            run(&plan, &text, how, framing);
        }
        // A limit may end the search before the error, but in the same way for all.
        let mut first = None;
        let limit = 1 + random.below(3) as u64;
        for how in random_runs(&mut random, SearchOptions { limit, reads_to_end: false, ..ALL }) {
            let outcome = run(&plan, &text, how, framing);
            let first = first.get_or_insert_with(|| outcome.clone());
            assert_eq!(&outcome, first, "{query} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
        }
    }
}

/// Returns records, and the range of each.
fn several(random: &mut Random, framing: Framing, size: usize, has_bad: bool) -> (Vec<u8>, Vec<Range<usize>>) {
    let (mut text, mut places) = (Vec::new(), Vec::new());
    for _ in 0..random.below(300) {
        let mut record = oracle::document(random, size);
        if framing != Framing::Lines {
            break_lines(random, &mut record);
        }
        if has_bad && random.below(40) == 0 {
            let at = random.below(record.len());
            record[at] = b"{}[],:\"\\ 1a"[random.below(11)];
        }
        let Some(&last) = record.last().filter(|_| !record.iter().all(u8::is_ascii_whitespace)) else { continue };
        let (before, behind): (&[u8], &[u8]) = match (framing, random.below(4)) {
            (Framing::Sequence, 0) => (b"\x1e \n\x1e", b"\n"),
            (Framing::Sequence, 1) if !last.is_ascii_alphanumeric() => (b"\x1e", b""),
            (Framing::Sequence, _) => (b"\x1e", b"\n"),
            (Framing::Stream | Framing::Documents, 0 | 1) if !last.is_ascii_alphanumeric() => (b"", b""),
            (_, 0) => (b"", b"\n \n\n"),
            (_, 1) => (b"", b"\r\n"),
            _ => (b"", b"\n"),
        };
        text.extend_from_slice(before);
        // An invalid document may extend to the next terminator.
        let more = if framing == Framing::Sequence { behind.len() } else { usize::from(behind == b"\r\n") };
        places.push(text.len()..text.len() + record.len() + more);
        text.extend_from_slice(&record);
        text.extend_from_slice(behind);
    }
    (text, places)
}

/// Replaces some spaces outside strings with line breaks.
fn break_lines(random: &mut Random, document: &mut [u8]) {
    let (mut in_string, mut escaped) = (false, false);
    for byte in document {
        match *byte {
            b'"' if !escaped => in_string = !in_string,
            b' ' if !in_string && random.below(2) == 0 => *byte = b'\n',
            _ => {}
        }
        escaped = *byte == b'\\' && !escaped;
    }
}

/// Records, some of them invalid, with whitespace between them: the result is as if each were a document of its own.
#[test]
fn records() {
    let mut random = Random::new(2026);
    for round in 0..rounds(240) {
        let framing = [Framing::Lines, Framing::Documents, Framing::Stream, Framing::Sequence][random.below(4)];
        // In a stream, the start of the document after an invalid one is unknown.
        let has_bad = round % 3 == 0 && !framing.is_stream();
        let (text, places) = several(&mut random, framing, [5, 60, 400][round % 3], has_bad);
        let query = QUERIES[random.below(QUERIES.len())];
        let syntax = syntax(query);
        let plan = plan(&syntax);
        let faults = faults(&text, framing);
        let mut expected = Kept { errors: faults.clone(), ..Kept::default() };
        for (number, place) in (1..).zip(places) {
            let (record, start) = (&text[place.clone()], place.start);
            if faults.iter().any(|&(_, offset)| (start..=place.end).contains(&index(offset))) {
                continue;
            }
            for Range { start: from, end: to } in oracle::evaluated(query, record) {
                expected.spans.push(Span { start: start as u64 + from, end: start as u64 + to, query: 0 });
                expected.texts.push(record[index(from)..index(to)].to_vec());
                expected.records.push(Some(number));
            }
        }
        let shown = || String::from_utf8_lossy(&text).into_owned();
        for listing in [Listing::AsFound, Listing::None] {
            for how in random_runs(&mut random, SearchOptions { listing, ..ALL }) {
                let (kept, count) = run(&plan, &text, how, framing);
                assert_eq!(kept.errors, expected.errors, "{query} {how:?} {framing:?} {}", shown());
                assert_eq!(count, expected.spans.len() as u64, "{query} {how:?} {framing:?} {}", shown());
                if listing == Listing::AsFound {
                    assert_eq!(kept, expected, "{query} {how:?} {framing:?} {}", shown());
                }
            }
        }
        let limit = 1 + random.below(50);
        let wanted = &expected.spans[..limit.min(expected.spans.len())];
        for how in random_runs(&mut random, SearchOptions { limit: limit as u64, ..ALL }) {
            assert_eq!(run(&plan, &text, how, framing).0.spans, wanted, "{query} {how:?} {framing:?} {}", shown());
            let how = How { search: ALL, ..how };
            assert_eq!(
                until(limit, &plan, &text, how, framing).0.spans,
                wanted,
                "{query} {how:?} {framing:?} {}",
                shown()
            );
        }
        for how in random_runs(&mut random, SearchOptions { trust: true, reads_to_end: false, ..ALL }) {
            let (kept, _) = run(&plan, &text, how, framing);
            if !has_bad {
                assert_eq!(kept, expected, "{query} {how:?} {framing:?} {}", shown());
            }
        }
    }
}

/// Long documents, so that all kinds of values cross the borders of tiles and windows.
#[test]
fn long_values() {
    const QUERIES: [&str; 8] = ["$[*].label.a", "$..label.a", "$[*].x[2]", "$..a", "$[300].a", "$[*].x", "$", "$..*"];
    let mut random = Random::new(7);
    for round in 0..rounds(25).min(25) {
        let mut text = String::from("[");
        for index in 0..400 {
            let value = "v".repeat(random.below(if round % 5 == 4 { 5000 } else { 120 }));
            text += if index == 0 { "" } else { "," };
            text +=
                &["{\"x\":[[],{},\"", &value, "\"],\"label\":{\"a\":\"", &value, "\"},\"a\":", &index.to_string(), "}"]
                    .concat();
        }
        text += "]";
        for _ in 0..3 {
            check(QUERIES[random.below(QUERIES.len())], text.as_bytes(), &mut random);
        }
    }
}

/// A match may be longer than any window. If it is invalid, no part of it is reported.
#[test]
fn huge_matches() {
    let long = "x".repeat(3 << 20);
    let good = format!("{{\"a\":[1,\"{long}\",2],\"b\":3}}");
    let bad = format!("{{\"a\":[1,\"{long}\",2,],\"b\":3}}");
    let syntax = syntax("$.a");
    let plan = plan(&syntax);
    for isa in Isa::available() {
        for pieces in [0, 100_000] {
            for trust in [false, true] {
                let how = How { isa, search: SearchOptions { trust, ..ALL }, window: 1 << 18, pieces, threads: 1 };
                let (kept, count) = run(&plan, good.as_bytes(), how, Framing::Document);
                assert_eq!((count, kept.errors), (1, vec![]));
                assert_eq!(kept.texts, [good.as_bytes()[5..good.len() - 7].to_vec()]);

                let (kept, _) = run(&plan, bad.as_bytes(), how, Framing::Document);
                assert_eq!(kept.errors, [(ErrorKind::ExpectedValue, bad.len() as u64 - 8)]);
                assert_eq!(kept.texts, [[0; 0]; 0]);
            }
        }
    }
}

/// An invalid record has no matches, in the list or the count. A document may have matches before its first error.
#[test]
fn bad_records_have_no_matches() {
    let text = b"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":}\n{\"a\":5}";
    for isa in Isa::available() {
        for trust in [false, true] {
            let how = |listing| How {
                isa,
                search: SearchOptions { listing, trust, reads_to_end: !trust, ..ALL },
                window: 64,
                pieces: 3,
                threads: 1,
            };
            let (kept, count) = run(&plan(&syntax("$.b")), text, how(Listing::AsFound), Framing::Lines);
            assert_eq!((kept.texts, count), (vec![b"2".to_vec()], 1), "{isa}");
            assert_eq!(kept.errors, [(ErrorKind::ExpectedValue, 25)], "{isa}");
            assert_eq!(
                run(&plan(&syntax("$.b")), text, how(Listing::None), Framing::Lines).1,
                if trust { 2 } else { 1 },
                "{isa}"
            );
        }
        let how = How { isa, search: ALL, window: 64, pieces: 3, threads: 1 };
        let (kept, _) = run(&plan(&syntax("$.a")), &text[14..26], how, Framing::Document);
        assert_eq!((kept.texts, kept.errors), (vec![b"3".to_vec()], vec![(ErrorKind::ExpectedValue, 11)]), "{isa}");
    }
}

/// With options that masks cannot check, queries have no plan and the options are still checked.
#[test]
fn unique_keys_and_ijson_are_checked() {
    let query = Query::new("$.a").expect("a query");
    for (options, text) in [
        (Options::new().unique_keys(true), r#"{"a":1,"b":2,"b":3}"#),
        (Options::new().ijson(true), r#"{"a":1,"b":"\ud800"}"#),
    ] {
        assert!(query.find_all(text, &options).is_err() && query.count(text, &options).is_err());
        assert_eq!(query.find_all(text, &Options::new()).expect("it is valid"), [b"1"]);
    }
}
