//! The executors against a plain evaluation of trees, on every kernel, with either producer, however the input comes.

#![forbid(unsafe_code)]

mod oracle;

use std::ops::ControlFlow;

use super::Plan;
use super::Wanted;
use super::report::Match;
use super::report::Sink;
use super::stream;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::options::Framing;
use crate::options::Options;
use crate::query::Query;
use crate::query::syntax::Syntax;
use crate::walk::Consumer;
use crate::walk::walk;
use oracle::Random;
use oracle::Tree;

/// Makes nothing of tiles.
struct Check;

impl Consumer for Check {
    const LAYOUT: bool = false;
    const OUTPUT: bool = false;

    fn begin(&mut self, _: u64, _: Option<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn discard(&mut self) {}

    fn wait(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).expect("in memory")
}

/// Keeps the spans and the text of all matches.
#[derive(Default, Debug, PartialEq, Eq, Clone)]
struct Kept {
    spans: Vec<(u64, u64)>,
    texts: Vec<Vec<u8>>,
    part: Vec<u8>,
}

impl Sink for Kept {
    fn take(&mut self, matches: &[Match], text: &[u8], base: u64) -> Result<(), Error> {
        for found in matches {
            self.spans.push((found.start, found.end));
            self.texts.push(text[index(found.start - base)..index(found.end - base)].to_vec());
        }
        Ok(())
    }

    fn part(&mut self, text: &[u8], last: bool) -> Result<(), Error> {
        self.part.extend_from_slice(text);
        if last {
            self.spans.push((0, self.part.len() as u64));
            self.texts.push(std::mem::take(&mut self.part));
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// How a query is run.
#[derive(Clone, Copy, Debug)]
struct How {
    isa: Isa,
    wanted: Wanted,
    window: usize,
    /// Bytes in a piece of input; from memory if 0.
    pieces: usize,
}

const ALL: Wanted = Wanted { list: true, limit: u64::MAX, trust: false, drain: true };

/// What comes of a query: matches, their number, and the kinds and offsets of errors.
type Outcome = (Kept, u64, Vec<(ErrorKind, u64)>);

fn run(plan: &Plan, text: &[u8], how: How, framing: Framing) -> Outcome {
    let options = Options::new().isa(how.isa).window(how.window).framing(framing);
    let mut kept = Kept::default();
    let mut errors = Vec::new();
    let mut input = Input::in_pieces(text, how.pieces);
    let result = stream(plan, &mut input, &options, how.wanted, &mut kept, &mut |error| {
        errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    });
    let (_, count) = result.expect("reading and writing do not fail");
    (kept, count, errors)
}

/// Ways to run a query, with all kernels.
fn ways(random: &mut Random, wanted: Wanted) -> Vec<How> {
    let mut ways = Vec::new();
    for isa in Isa::available() {
        let window = 2048 * random.below(9);
        let pieces = [0, 0, 1 + random.below(100), 1 + random.below(5000)][random.below(4)];
        ways.push(How { isa, wanted, window, pieces });
    }
    ways
}

/// The plan of a query.
fn plan(query: &str) -> Plan {
    let syntax = Syntax::parse(query).expect("a query");
    Plan::new(&syntax, &Options::new()).unwrap_or_else(|| panic!("no plan for {query}"))
}

const QUERIES: [&str; 48] = [
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
    let plan = plan(query);
    let tree = Tree::parse(text);
    let expected = tree.matches(&plan);
    let texts: Vec<Vec<u8>> = expected.iter().map(|&(start, end)| text[index(start)..index(end)].to_vec()).collect();
    let limit = 1 + random.below(6) as u64;
    for trust in [false, true] {
        for list in [true, false] {
            for (limit, drain) in [(u64::MAX, true), (u64::MAX, false), (limit, random.below(2) == 0)] {
                for how in ways(random, Wanted { list, limit, trust, drain }) {
                    let (kept, count, errors) = run(&plan, text, how, Framing::Document);
                    let wanted = expected.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
                    let shown = || String::from_utf8_lossy(text).into_owned();
                    assert_eq!(errors, [], "{query} {how:?} {}", shown());
                    assert_eq!(count, wanted as u64, "{query} {how:?} {}", shown());
                    if list {
                        assert_eq!(kept.spans, expected[..wanted], "{query} {how:?} {}", shown());
                        assert_eq!(kept.texts, texts[..wanted], "{query} {how:?} {}", shown());
                    }
                }
            }
        }
    }
}

#[test]
fn queries_of_random_documents() {
    let mut random = Random::new(4711);
    let rounds = std::env::var("FJSON_FUZZ_N").map_or(250, |rounds| rounds.parse().expect("a number"));
    for round in 0..rounds {
        let size = [20, 200, 3000, 30_000][round % 4];
        let text = oracle::document(&mut random, size);
        for _ in 0..4 {
            let query = QUERIES[random.below(QUERIES.len())];
            check(query, &text, &mut random);
        }
    }
}

/// A document with a few bytes changed: the same fault as `validate` finds, and the same matches in front of it, whatever
/// the kernel, the window and the way of input. What believes the text comes to an end.
#[test]
fn broken_documents() {
    let mut random = Random::new(99);
    let rounds = std::env::var("FJSON_FUZZ_N").map_or(300, |rounds| rounds.parse().expect("a number"));
    for round in 0..rounds {
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
        let framing = [Framing::Document, Framing::Lines, Framing::Stream][random.below(3)];
        let mut expected = Vec::new();
        let options = Options::new().framing(framing);
        let summary = walk(&mut Input::from(&text[..]), &options, &mut Check, &mut |error| {
            expected.push((error.kind(), error.offset()));
            ControlFlow::Continue(())
        });
        assert!(summary.is_ok());
        let query = QUERIES[random.below(QUERIES.len())];
        let plan = plan(query);
        let mut first = None;
        let mut hows = ways(&mut random, ALL);
        hows.extend(ways(&mut random, ALL));
        for how in hows {
            let (kept, _, errors) = run(&plan, &text, how, framing);
            let shown = || String::from_utf8_lossy(&text).into_owned();
            assert_eq!(errors, expected, "{query} {how:?} {framing:?} {}", shown());
            let first = first.get_or_insert_with(|| kept.clone());
            assert_eq!(&kept, first, "{query} {how:?} {framing:?} {}", shown());
        }
        for how in ways(&mut random, Wanted { trust: true, ..ALL }) {
            run(&plan, &text, how, framing);
        }
        // A limit may end the reading in front of a fault, everywhere alike.
        let mut first = None;
        let limit = 1 + random.below(3) as u64;
        for how in ways(&mut random, Wanted { limit, drain: false, ..ALL }) {
            let outcome = run(&plan, &text, how, framing);
            let first = first.get_or_insert_with(|| outcome.clone());
            assert_eq!(&outcome, first, "{query} {how:?} {framing:?} {}", String::from_utf8_lossy(&text));
        }
    }
}

/// Long documents, so that every border of tiles and windows is crossed by everything.
#[test]
fn long_values() {
    let mut random = Random::new(7);
    for round in 0..40 {
        let mut text = String::from("[");
        for index in 0..400 {
            let value = "v".repeat(random.below(if round % 5 == 0 { 5000 } else { 120 }));
            text += if index == 0 { "" } else { "," };
            text +=
                &["{\"x\":[[],{},\"", &value, "\"],\"label\":{\"a\":\"", &value, "\"},\"a\":", &index.to_string(), "}"]
                    .concat();
        }
        text += "]";
        for query in ["$[*].label.a", "$..label.a", "$[*].x[2]", "$..a", "$[300].a", "$[*].x", "$", "$..*"] {
            check(query, text.as_bytes(), &mut random);
        }
    }
}

/// A match that is too long to be held comes in parts, up to a fault in it too.
#[test]
fn huge_matches() {
    let long = "x".repeat(3 << 20);
    let good = format!("{{\"a\":[1,\"{long}\",2],\"b\":3}}");
    let bad = format!("{{\"a\":[1,\"{long}\",2,],\"b\":3}}");
    let plan = plan("$.a");
    for isa in Isa::available() {
        for pieces in [0, 100_000] {
            for trust in [false, true] {
                let how = How { isa, wanted: Wanted { trust, ..ALL }, window: 1 << 18, pieces };
                let (kept, count, errors) = run(&plan, good.as_bytes(), how, Framing::Document);
                assert_eq!((count, errors), (1, vec![]));
                assert_eq!(kept.texts, [good.as_bytes()[5..good.len() - 7].to_vec()]);
            }
            let how = How { isa, wanted: ALL, window: 1 << 18, pieces };
            let (kept, _, errors) = run(&plan, bad.as_bytes(), how, Framing::Document);
            let fault = bad.len() - 8;
            assert_eq!(errors, [(ErrorKind::ExpectedValue, fault as u64)]);
            assert_eq!(kept.texts, [bad.as_bytes()[5..fault].to_vec()]);
        }
    }
}

/// Rules that the masks do not know are not passed over in silence.
#[test]
fn what_else_is_asked_of_names_and_values_is_asked() {
    let query = Query::compile("$.a").expect("a query");
    for (options, text) in [
        (Options::new().unique_keys(true), r#"{"a":1,"b":2,"b":3}"#),
        (Options::new().ijson(true), r#"{"a":1,"b":"\ud800"}"#),
    ] {
        assert!(query.texts(text, &options).is_err() && query.count(text, &options).is_err());
        assert_eq!(query.texts(text, &Options::new()).expect("it is valid"), [b"1"]);
    }
}
