//! Tests of searches with plans against searches that are evaluated in memory.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::query::Condition;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;
use crate::query::split::Split;
use crate::query::stream::Plan;
use crate::query::stream::name_prefilter::PART;
use crate::query::stream::tests::ALL;
use crate::query::stream::tests::QUERIES;
use crate::query::stream::tests::faults;
use crate::query::stream::tests::oracle;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::random_runs;
use crate::query::stream::tests::rounds;

/// Stores the records of matches and where the matches begin, and errors.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
struct Heard {
    matches: Vec<(Option<u64>, u64)>,
    errors: Vec<(ErrorKind, u64)>,
}

impl MatchHandler for Heard {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.matches.push((matched.record(), matched.range().start));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    }
}

/// RFC order.
#[test]
fn the_order_of_the_rfc() {
    let mut random = Random::new(9535);
    for round in 0..rounds(300) {
        let text = oracle::document(&mut random, [30, 300, 3000, 20_000][round % 4]);
        for expression in QUERIES.iter().filter(|query| query.contains("..")) {
            let queries = [Query::new(expression).expect("a query")];
            let search = Search::new(&queries);
            let limit = if random.below(2) == 0 { u64::MAX } else { 1 + random.below(9) as u64 };
            let mut expected = Heard::default();
            search.in_memory().limit(limit).run(&text[..], &Options::new(), &mut expected).expect("it is valid");
            for how in random_runs(&mut random, ALL) {
                let options = Options::new().isa(how.isa).window(how.window);
                let search = if random.below(2) == 0 { search } else { search.trust() };
                let mut found = Heard::default();
                let input = Input::in_pieces(&text, how.pieces);
                search.without_paths().limit(limit).run(input, &options, &mut found).expect("it is valid");
                assert_eq!(found, expected, "{expression} {how:?} {}", String::from_utf8_lossy(&text));
            }
        }
    }
}

/// Conditions, some of which allow the prefilter.
#[test]
fn conditions() {
    let long = "long ".repeat(25);
    let of_long = format!("@.level == '{long}'");
    let conditions = [
        "@.level == 'error'",
        "@.level == 'a/b'",
        &of_long,
        "'error' == $.level",
        "@.level == 'error' && @.id > 3",
        "@.id > 3",
        "!@.level",
        "@ == 'error'",
        r"@.ctx.level == 'a\\b'",
        "search(@.level, 'r{2}')",
        "@.level != 'error' || @.ctx",
    ];
    let (plain, escaped) = (format!("\"{long}\""), format!(r#""{}""#, long.replacen(' ', r"\u0020", 7)));
    let levels = [
        r#""error""#,
        r#""err\u006fr""#,
        r#""info""#,
        r#"["error"]"#,
        "{}",
        "7",
        r#""a\\b""#,
        r#""a/b""#,
        r#""a\/b""#,
        &plain,
        &escaped,
    ];
    let mut random = Random::new(77);
    for round in 0..rounds(150) {
        let mut text = String::new();
        for _ in 0..random.below([3, 40, 400][round % 3]) {
            let most = if random.below(50) == 0 { 900 } else { 30 };
            let mut level = || levels[random.below(levels.len())];
            let mut members = vec![
                format!("\"level\" : {}", level()),
                format!("\"ctx\":{{\"id\":1,\"level\":{}}}", level()),
                format!("\"id\":{}", random.below(8)),
                format!("\"x\":\"{}\"", "error\\n".repeat(random.below(most))),
            ];
            members.drain(..random.below(3));
            members.rotate_left(random.below(2));
            let record = match random.below(20) {
                0 => r#""error""#.to_owned(),
                1 if round % 5 == 0 => format!("{{{},}}", members.join(",")),
                _ => format!("{{{}}}", members.join(",")),
            };
            text += &record;
            text += ["\n", "\r\n", "\n\n"][random.below(3)];
        }
        let queries = [Query::new(["$", "$.id", "$..level", "$.ctx.*", "$..*"][random.below(5)]).expect("a query")];
        let condition = Condition::new(conditions[random.below(conditions.len())]).expect("a condition");
        let limit = if random.below(3) == 0 { 1 + random.below(30) as u64 } else { u64::MAX };
        let search = Search::new(&queries).condition(&condition).limit(limit);
        let framing = [Framing::Lines, Framing::Documents, Framing::Stream][random.below(3)];
        let options = Options::new().framing(framing);
        let shown = format!("{queries:?} {condition:?} {limit} {framing:?}\n{text}");
        let (mut expected, mut counts, in_memory) = (Heard::default(), [0], search.in_memory());
        in_memory.run(text.as_bytes(), &options, &mut expected).expect("it can be read");
        let go_on = &mut |_| ControlFlow::Continue(());
        in_memory.limit(u64::MAX).count(text.as_bytes(), &options, &mut counts, go_on).expect("it can be read");
        assert!(limit < u64::MAX || counts == [expected.matches.len() as u64], "{shown}");
        for how in random_runs(&mut random, ALL) {
            let options = options.clone().isa(how.isa).window(how.window).threads(how.threads);
            let mut found = Heard::default();
            let input = Input::in_pieces(text.as_bytes(), how.pieces);
            search.without_paths().run(input, &options, &mut found).expect("it can be read");
            assert_eq!(found, expected, "{how:?} {shown}");
            if round % 5 != 0 {
                let mut found = Heard::default();
                search.without_paths().trust().run(text.as_bytes(), &options, &mut found).expect("it can be read");
                assert_eq!(found, expected, "trusted, {how:?} {shown}");
            }
        }
    }
}

/// The parts of the queries of `queries_in_two_parts`: the first ones have plans, the second ones do not.
const HEADS: [&str; 21] = [
    "$",
    "$.a",
    "$[*]",
    "$.a[*]",
    "$[1:]",
    "$.b.c",
    "$[0].a",
    "$[*][*]",
    "$..b",
    "$..a",
    "$.a..b",
    "$..a.c",
    "$..a..b",
    "$..[?@.a]",
    "$..[?@.label == 'a']",
    "$..[?'label' == @.a]",
    "$..[?@.label != 'a']",
    "$..[?@.b > 100]",
    "$..[?@.a && @.label == 'label']",
    "$..[?@.b[0]]",
    "$..[?search(@.label, 'a')]",
];

const TAILS: [&str; 24] = [
    "",
    "[-2].a",
    ".a",
    "[-1].b",
    "[?@.a]",
    "[?@.b == 1].c",
    "[?@ > 2]",
    "['a','b']",
    "[-1]",
    "[::-1]",
    "[0,0]",
    "[?@.a]..b",
    "['b','a'][*]",
    "[?@..c].*",
    "[?$.a]",
    "[?@[?@.a]]",
    "..b..c",
    "..*..a",
    "..a..b..c",
    "..a.*..*..b.c",
    "[*]..[1:]..[0]..*",
    "..b..b..b..b",
    "..[?@.a]",
    "[-2:]['c','a']",
];

/// Queries that are split: the first segments have a plan and the rest is evaluated in memory. For invalid documents, the
/// result is the same for all ways to run the query, and the error is the one that `validate` finds.
#[test]
fn queries_in_two_parts() {
    let mut random = Random::new(1949);
    for round in 0..rounds(2000) {
        let mut text = oracle::document(&mut random, [30, 300, 3000, 20_000][round % 4]);
        let framing = [Framing::Document, Framing::Documents, Framing::Stream, Framing::Lines][random.below(4)];
        if framing != Framing::Document {
            text.extend_from_slice(b"\n");
            text = text.repeat(1 + random.below(5));
        }
        let expression = [HEADS[random.below(HEADS.len())], TAILS[random.below(TAILS.len())]].concat();
        let queries = [Query::new(&expression).expect("a query")];
        let condition = Condition::new("@.a || @[0]").expect("a condition");
        let order = [Order::Rfc, Order::Document][random.below(2)];
        let mut search = Search::new(&queries).order(order);
        if random.below(4) == 0 {
            search = search.condition(&condition);
        }
        let options = Options::new().framing(framing);
        let plan = Plan::new(&[&queries[0].syntax], None);
        let (is_whole, is_document) = (plan.is_some(), framing == Framing::Document);
        let go_on = &mut |_| ControlFlow::Continue(());

        let mut expected = Heard::default();
        search.in_memory().run(&text[..], &options, &mut expected).expect("it can be read");
        let mut counts = [0];
        search.count(&text[..], &options, &mut counts, go_on).expect("it can be read");
        let shown = format!("{search:?} {framing:?} {}", String::from_utf8_lossy(&text));
        assert_eq!(counts, [expected.matches.len() as u64], "{shown}");
        let limit = if random.below(3) == 0 { 1 + random.below(9) } else { usize::MAX };
        let search = search.without_paths().limit(limit as u64);
        expected.matches.truncate(limit);
        for how in random_runs(&mut random, ALL) {
            let options = options.clone().isa(how.isa).window(how.window).threads(how.threads);
            for search in [search, search.stop_early(), search.trust()] {
                let mut found = Heard::default();
                search.run(Input::in_pieces(&text, how.pieces), &options, &mut found).expect("it can be read");
                assert_eq!(found, expected, "{how:?} {shown}");
            }
        }

        let at = random.below(text.len());
        text[at] = b"}],\"x"[random.below(5)];
        let faults = faults(&text, framing);
        let mut first = None;
        for how in random_runs(&mut random, ALL) {
            let options = options.clone().isa(how.isa).window(how.window).threads(how.threads);
            let mut found = Heard::default();
            search.run(Input::in_pieces(&text, how.pieces), &options, &mut found).expect("it can be read");
            // Whole documents are not read further after the last match that is wanted.
            let reads_on = limit == usize::MAX || is_document && !is_whole && Split::new(&queries[0], order).is_some();
            assert!(!reads_on || found.errors == faults, "{how:?} {shown} {at}");
            assert_eq!(&found, first.get_or_insert_with(|| found.clone()), "{how:?} {shown} {at}");
        }
    }
}

/// Names with much text between them, some of it similar to the name: the prefilter skips no match.
#[test]
fn names_far_apart() {
    let fillers = [
        r#""nettle":1"#,
        r#""x":"needle""#,
        r#""x":"\"needle\":5""#,
        r#""x":"\\","y":"\\\"""#,
        r#""x":["a\/b","\/","\u00e9"]"#,
        r#""x":"\u003cb\u003e\"ever\\\\\" so\\\" often\u003c\/b\u003E","y":"\\\\","z":"\ud83d\ude00\\u006e""#,
        r#""x":"\n\t","needles":2,"\u006eettle":{"eedle":3}"#,
        r#""text":"neither one nor the other, and nothing else that is of any use""#,
        r#""é":[1,2,3]"#,
    ];
    let needles = [
        [r#""needle""#, r#""n\u0065edle""#, r#""needl\u0065""#],
        [r#""a/b""#, r#""a\/b""#, r#""\u0061/b""#],
        [r#""ö""#, r#""\u00f6""#, r#""\u00F6""#],
    ];
    let names = ["needle", "a/b", "ö"];
    let mut random = Random::new(2048);
    for round in 0..rounds(40) {
        let which = round % names.len();
        let mut text = "[".to_owned();
        for _ in 0..=random.below(6) {
            // Mostly the same filler, so that escapes are frequent or absent.
            let usual = random.below(fillers.len());
            let goal = text.len() + random.below(80_000);
            while text.len() < goal {
                let kind = if random.below(30) == 0 { random.below(fillers.len()) } else { usual };
                text.extend(["{", fillers[kind], "},"]);
                if random.below(200) == 0 {
                    text.extend(["\"", &"long ".repeat(random.below(2000)), "\","]);
                }
            }
            text += &" ".repeat(random.below(70));
            text.extend(["{", needles[which][random.below(3)], ":", ["[1]", "{\"x\":2}", "3"][random.below(3)], "},"]);
        }
        text += "0]";
        for tail in ["", ".x", "[*]"] {
            let queries = [Query::new(&format!("$..['{}']{tail}", names[which])).expect("a query")];
            let search = Search::new(&queries).order(Order::Document);
            let mut expected = Heard::default();
            search.in_memory().run(text.as_bytes(), &Options::new(), &mut expected).expect("it is valid");
            for how in random_runs(&mut random, ALL) {
                let options = Options::new().isa(how.isa).window(how.window);
                let mut found = Heard::default();
                let input = Input::in_pieces(text.as_bytes(), how.pieces);
                search.without_paths().trust().run(input, &options, &mut found).expect("it is valid");
                assert_eq!(found, expected, "{queries:?} {how:?} {text}");
            }
        }
    }
}

/// A key with an escape, across the end of a tile after which text without the name is skipped, is found.
#[test]
fn names_across_tiles() {
    const NAME: &str = r#""n\u0065edle""#;
    let queries = [Query::new("$..needle").expect("a query")];
    let search = Search::new(&queries).order(Order::Document).without_paths().trust();
    for part in 4..16 {
        for before in 1..NAME.len() {
            let start = part * PART - before;
            let filler = r#""other",0,"#.repeat((start - 2) / 10);
            let text = format!("[{filler}{:1$}{{{NAME}:1}},{filler}0]", "", start - 2 - filler.len());
            for isa in Isa::available() {
                let mut found = Heard::default();
                search.run(text.as_bytes(), &Options::new().isa(isa), &mut found).expect("it is valid");
                assert_eq!(
                    found.matches,
                    [(None, start as u64 + NAME.len() as u64 + 1)],
                    "{isa}: {before} bytes before part {part}"
                );
            }
        }
    }
}

/// After the last match that is wanted, the rest of the document is validated.
#[test]
fn an_error_after_the_limit_is_reported() {
    let text = format!("[[1],[2],{}x]", "[3],".repeat(20_000));
    for expression in ["$[0]", "$[*][0]", "$[*][-1]", "$..[0]", "$[*]..[-1]"] {
        let queries = [Query::new(expression).expect("a query")];
        for order in [Order::Rfc, Order::Document] {
            let search = Search::new(&queries).order(order).without_paths().limit(1);
            for threads in [1, 2] {
                let mut found = Heard::default();
                let options = Options::new().window(2048).threads(threads);
                search.run(text.as_bytes(), &options, &mut found).expect("it can be read");
                let error = (ErrorKind::ExpectedValue, text.len() as u64 - 2);
                assert_eq!(found.errors, [error], "{expression} {order:?} {threads}");
            }
        }
    }
}
