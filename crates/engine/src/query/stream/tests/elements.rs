//! Searches in large arrays, which find in batches of elements what is found without them.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::ops::Range;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::kernel::Isa;
use crate::options::Options;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::MatchWriter;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;
use crate::query::Written;
use crate::query::stream::tests::oracle::Random;
use crate::query::stream::tests::rounds;

const QUERIES: [&str; 20] = [
    "$[*]",
    "$[*].id",
    "$[*].tags[*]",
    "$[*].tags[1]",
    "$[*][*]",
    "$[*][*][*]",
    "$[?@.id > 3]",
    "$[?@.id > 3].tags[0]",
    "$[?@.name == 'a, [b]'].id",
    "$[?@.id < 5 && @.tags]['name','id']",
    "$[?match(@.name, 'a.*')]..id",
    "$[?length(@.tags) == 2].tags[-1]",
    "$.items[*].id",
    "$.items[?@.id > 3].name",
    "$.items[*]['tags']['x','y']",
    "$.a.items[*].tags[*]",
    "$[*]['tags','id','name','id']",
    "$.items[?@.id > 3]['name','id']",
    "$.a.items[?@.id != 2]",
    "$.other[*]",
];

/// With a limit, even one that is never reached, elements are not searched in batches.
const LIMIT: u64 = 1 << 40;

/// Stores matches and errors. The matches are written on all threads if it has a writer.
#[derive(Default, Debug, PartialEq, Eq)]
struct Heard {
    count: u64,
    text: Vec<u8>,
    errors: Vec<(ErrorKind, u64)>,
}

/// Writes where a match is, its record, and its text.
fn write(matched: &Match<'_>, text: &mut Vec<u8>) {
    text.extend_from_slice(format!("{:?} {:?} ", matched.range(), matched.record()).as_bytes());
    text.extend_from_slice(matched.text());
    text.push(b'\n');
}

impl MatchHandler for Heard {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.count += 1;
        write(matched, &mut self.text);
        ControlFlow::Continue(())
    }

    fn on_written(&mut self, written: &mut Written) -> Option<ControlFlow<()>> {
        self.count += written.number;
        self.text.append(&mut written.text);
        Some(ControlFlow::Continue(()))
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.errors.push((error.kind(), error.offset()));
        ControlFlow::Continue(())
    }
}

struct Writer;

impl MatchWriter for Writer {
    fn write(&self, matches: &mut dyn Iterator<Item = Match<'_>>, _: Range<u64>, text: &mut Vec<u8>) -> Option<u64> {
        Some(matches.map(|matched| write(&matched, text)).count() as u64)
    }
}

/// Returns an array of elements of different kinds, and perhaps objects around it.
fn document(random: &mut Random, elements: usize) -> String {
    let break_after = |random: &mut Random| ["", "", " ", "\n  "][random.below(4)];
    let (before, after) = [
        ("[", "]"),
        ("{\"items\":[", "], \"other\": [1, 2]}"),
        ("{\"x\": {}, \"a\" : {\"items\" :\n[", "]}\n}"),
        ("{\"items\":[{}],\"items\":[", "], \"other\": [{}]}"),
    ][random.below(4)];
    let mut text = before.to_owned();
    for number in 0..elements {
        if number > 0 {
            text.push(',');
        }
        text += break_after(random);
        let id = random.below(8);
        let element = match random.below(12) {
            0 => format!("[{id},[],[{id}, {{\"tags\":[7]}}]]"),
            1 => "\"a, [b]\\\"\"".to_owned(),
            2 => format!("{id}.5"),
            3 => "{}".to_owned(),
            4 => format!("{{\"name\":\"{}\"}}", "x,y]".repeat(random.below(60))),
            _ => {
                let name = ["a, [b]", "abc", "b\\n", "\\u0061"][random.below(4)];
                let tags = ["[]", "[1, 2]", "[\"x\",\n{\"y\": 1}]", "{\"x\": 1, \"y\":{}}", "null"][random.below(5)];
                format!("{{\"id\":{id},{}\"tags\":{tags}, \"name\":\"{name}\"}}", break_after(random))
            }
        };
        text += &element;
        text += break_after(random);
    }
    text += after;
    text
}

/// The same matches and errors, also of queries on what is no array, or damaged.
#[test]
fn batches_of_elements_have_the_same_matches() {
    let mut random = Random::new(42);
    let mut many = 0;
    for _ in 0..rounds(60) {
        let elements = [3, 40, 400, 2500][random.below(4)];
        let mut text = document(&mut random, elements).into_bytes();
        if random.below(3) == 0 {
            let at = random.below(text.len());
            match random.below(4) {
                0 => text.insert(at, b",]}[{:\""[random.below(7)]),
                1 => text[at] = b",]}[{:\"x\n"[random.below(9)],
                2 => _ = text.remove(at),
                _ => text.truncate(at),
            }
        }
        for expression in QUERIES {
            let queries = [Query::new(expression).expect("a query")];
            let order = [Order::Rfc, Order::Document][random.below(2)];
            let search = Search::new(&queries).without_paths().order(order);
            let isa = Isa::available().nth(random.below(Isa::available().count())).expect("a kernel");
            let max_depth = [None, None, Some(4)][random.below(3)];
            let options = Options::new().isa(isa).max_depth(max_depth).window(256 << random.below(7));
            let shown = || format!("{expression} {order:?} {options:?}\n{}", String::from_utf8_lossy(&text));
            let mut expected = Heard::default();
            search.limit(LIMIT).run(&text[..], &options.clone().threads(1), &mut expected).expect("it can be read");
            let options = options.clone().threads(1 + random.below(3));
            let writer: Option<&dyn MatchWriter> = if random.below(2) == 0 { Some(&Writer) } else { None };
            let mut found = Heard::default();
            search.run_with(&text[..], &options, writer, &mut found).expect("it can be read");
            assert_eq!(found, expected, "{}", shown());
            let mut counts = [0];
            search.count(&text[..], &options, &mut counts, &mut |_| ControlFlow::Break(())).expect("it can be read");
            assert!(!expected.errors.is_empty() || counts == [expected.count], "{}", shown());
            many += usize::from(expected.text.len() > 10_000);
        }
    }
    assert!(many > 50 || rounds(60) < 60, "{many}");
}

/// Texts that are no element, in the middle of a large array.
#[test]
fn what_is_no_element_is_an_error() {
    let queries = [Query::new("$[?@.id == 1].id").expect("a query")];
    let search = Search::new(&queries).without_paths();
    for wrong in [
        "",
        " ",
        "1 2",
        "1]",
        "]",
        "[1",
        "[,]",
        ":",
        "\"a\":1",
        "\"a\nb\"",
        "{\"id\":1",
        "{\"id\":1}}",
        "nul",
        "[[[]]]",
        "[[[[]]]]",
    ] {
        let elements = r#",{"id":1}"#.repeat(3000);
        let text = ["[0", &elements, ",", wrong, &elements, "]"].concat();
        let options = Options::new().window(1024).max_depth(Some(3));
        let [expected, one, two] = [(1, LIMIT), (1, u64::MAX), (2, u64::MAX)].map(|(threads, limit)| {
            let mut heard = Heard::default();
            search.limit(limit).run(&text, &options.clone().threads(threads), &mut heard).expect("it can be read");
            heard
        });
        assert_eq!((expected.errors.len(), &one, &two), (1, &expected, &expected), "{wrong}");
    }
}
