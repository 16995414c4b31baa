//! The JSONPath compliance test suite, with its normalized paths: on every kernel, from memory and byte by byte.

use std::ops::ControlFlow;

use fjson::Input;
use fjson::Isa;
use fjson::Options;
use fjson::Order;
use fjson::Query;
use fjson::Search;
use proof::check;
use proof::pieces::Pieces;
use proof::suites;
use serde_json::Value;

#[test]
fn all_of_it() {
    let Some(files) = suites::suite("jsonpath-cts") else { return };
    let suite: Value = serde_json::from_slice(&files["cts.json"]).expect("JSON");
    let mut counts = [0, 0];
    for test in suite["tests"].as_array().expect("tests") {
        let name = test["name"].as_str().expect("a name");
        let query = Query::new(test["selector"].as_str().expect("a selector"));
        let is_invalid = test["invalid_selector"] == true;
        counts[usize::from(is_invalid)] += 1;
        assert_eq!(query.is_err(), is_invalid, "{name}: {:?}", query.err());
        if let Ok(query) = query {
            answers(name, &query, test);
        }
    }
    assert_eq!(counts, [456, 247], "valid and invalid selectors");
}

/// Checks the matches of one query in all ways.
fn answers(name: &str, query: &Query, test: &Value) {
    let list = |one: &str, several: &str| match &test[several] {
        Value::Array(several) => several.clone(),
        _ => vec![test[one].clone()],
    };
    let expected: Vec<_> = list("result", "results").into_iter().zip(list("result_paths", "results_paths")).collect();
    let text = serde_json::to_vec(&test["document"]).expect("a document");
    for &isa in check::kernels() {
        for window in [1, usize::MAX] {
            let inputs = [Input::from(&text), Input::from_reader(Pieces::new(&text, std::iter::repeat(1)))];
            for input in inputs {
                let answer = answer(query, input, isa, window);
                assert!(expected.contains(&answer), "{name} on {isa}: {answer:?}");
            }
        }
    }
    let queries = [query.clone()];
    let count = query.count(&text, &Options::new()).expect("it is valid");
    assert_eq!(count, expected[0].0.as_array().map_or(0, |nodes| nodes.len() as u64), "{name}");
    // Document order has the same nodes.
    let mut paths = Vec::new();
    let mut keep = Keep(&mut paths);
    Search::new(&queries).order(Order::Document).run(&text, &Options::new(), &mut keep).expect("it is valid");
    let mut expected: Vec<_> = expected[0].1.as_array().expect("paths").iter().filter_map(Value::as_str).collect();
    paths.sort_unstable();
    expected.sort_unstable();
    assert_eq!(paths, expected, "{name} in the order of the document");
}

/// Values and normalized paths.
fn answer(query: &Query, input: Input<'_>, isa: Isa, window: usize) -> (Value, Value) {
    let (mut nodes, mut paths) = (Vec::new(), Vec::new());
    let options = Options::new().isa(isa).window(window);
    let done = query.each(input, &options, &mut |matched| {
        nodes.push(serde_json::from_slice(matched.text()).expect("a value"));
        paths.push(Value::String(matched.path().expect("paths are wanted")));
        ControlFlow::Continue(())
    });
    done.expect("it is valid");
    (Value::Array(nodes), Value::Array(paths))
}

struct Keep<'k>(&'k mut Vec<String>);

impl fjson::MatchHandler for Keep<'_> {
    fn on_match(&mut self, matched: &mut fjson::Match<'_>) -> ControlFlow<()> {
        self.0.push(matched.path().expect("paths are wanted"));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: fjson::Error) -> ControlFlow<()> {
        panic!("{error}");
    }
}
