//! Random documents and queries: the matches are those of the naive evaluator, in every order and however the input
//! arrives.

use std::ops::ControlFlow;
use std::ops::Range;

use fjson::Error;
use fjson::Input;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::Order;
use fjson::Query;
use fjson::Search;
use proof::check;
use proof::pieces::Pieces;
use proof::query::answer::answer;
use proof::query::ask;
use proof::query::ask::Segment;
use proof::query::tree;
use proof::query::tree::Node;
use proof::random::Random;
use proof::random::rounds;

/// Path, pointer and range of each match.
#[derive(Default)]
struct Places(Vec<(String, Range<u64>)>);

impl MatchHandler for Places {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.0.push((matched.path().expect("paths are wanted"), matched.range()));
        let pointer = matched.pointer().expect("every name is UTF-8");
        assert_eq!(pointer.matches('/').count(), steps(&matched.path().expect("paths are wanted")), "{pointer}");
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        panic!("{error}");
    }
}

/// The number of segments of a normalized path.
fn steps(path: &str) -> usize {
    let (mut steps, mut quoted, mut escaped) = (0, false, false);
    for character in path.chars() {
        steps += usize::from(character == '[' && !quoted);
        quoted ^= character == '\'' && !escaped;
        escaped = character == '\\' && !escaped;
    }
    steps
}

#[test]
fn answers_are_those_of_the_naive_evaluator() {
    rounds(5_200, |random| {
        let size = 1 + random.below(60);
        let (root, text) = tree::document(random, size);
        for _ in 0..8 {
            let asked = ask::query(random);
            agree(random, (&root, &text), asked);
        }
    });
}

/// Filters after `..` in many levels, for which the document gets an index.
#[test]
fn answers_in_deep_documents_are_those_of_the_naive_evaluator() {
    rounds(64, |random| {
        let levels = 30 + random.below(40);
        let (root, text) = tree::tower(random, levels);
        for _ in 0..6 {
            let asked = ask::filter_behind_descendants(random);
            agree(random, (&root, &text), asked);
        }
    });
}

/// The matches of a query, in both orders and when counting, are those of the naive evaluator.
fn agree(random: &mut Random, (root, text): (&Node, &str), (segments, expression): (Vec<Segment>, String)) {
    let query = Query::new(&expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let found = answer(root, &segments);
    let place = |range: &Range<usize>| range.start as u64..range.end as u64;
    let mut expected: Vec<_> = found.iter().map(|(path, node)| (path.clone(), place(&node.range))).collect();
    let queries = [query];
    assert_eq!(run(random, text, &queries, Order::Rfc), expected, "{expression}\n{text}");
    let count = queries[0].count(text, &Options::new()).expect("it is valid");
    assert_eq!(count, expected.len() as u64, "{expression}\n{text}");
    expected.sort_by_key(|(_, range)| (range.start, std::cmp::Reverse(range.end)));
    assert_eq!(run(random, text, &queries, Order::Document), expected, "{expression}\n{text}");
}

fn run(random: &mut Random, text: &str, queries: &[Query], order: Order) -> Vec<(String, Range<u64>)> {
    let mut places = Places::default();
    let kernels = check::kernels();
    let options = Options::new().isa(kernels[random.below(kernels.len())]).window(random.below(100));
    let input = if random.one_in(2) {
        Input::from(text)
    } else {
        Input::from_reader(Pieces::new(text.as_bytes(), std::iter::repeat(1 + random.below(20))))
    };
    Search::new(queries).order(order).run(input, &options, &mut places).expect("it is valid");
    places.0
}
