//! What follows the path at the beginning of a program, run on each element that a search finds, is the program.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson::Input;
use fjson::Options;
use fjson::Query;
use fjson::map_elements;
use fjson_jq::Filter;
use fjson_jq::value::Batch;
use fjson_jq::value::Value;

/// Programs, and the members that lead to the array.
const PROGRAMS: &[(&str, &[&str])] = &[
    (".[]", &[]),
    (".[]?", &[]),
    (".[] | .a", &[]),
    (".[].a", &[]),
    (".[].a[]?.b?", &[]),
    (".[] | select(.a?) | {a, b}", &[]),
    (".[] | . as $x | [$x, 1]", &[]),
    (".[][0]?", &[]),
    (".a[]", &["a"]),
    (".a[]?", &["a"]),
    (".a.b[]", &["a", "b"]),
    (".a | .b | .[] | tojson", &["a", "b"]),
    (".[\"a'b\\\\\"][] | length?", &["a'b\\"]),
    (".[\"x/~\\u0001\"][]", &["x/~\u{1}"]),
    ("(.a[] | .b?) | .c?", &["a"]),
    (".a[] | error", &["a"]),
    ("def f: .a?; .a[] | f", &["a"]),
];

/// Programs that do not begin with such a path.
const OTHERS: &[&str] = &[
    ".",
    ".a",
    "[.[]]",
    ".[0]",
    ".a[.b]",
    ".[] as $x | .",
    "..",
    "first(.[])",
    ".[1:][]",
    "$__loc__ | .[]?",
    ".[], .a",
];

const DOCUMENTS: &[&str] = &[
    "[]",
    "[1, [2], {\"a\": 3}]",
    "[{\"a\": [{\"b\": 1}, {\"b\": 2}]}, {\"a\": null}, 5]",
    "[{\"a\": 1, \"a\": 2, \"b\": [\n1]}]",
    "{}",
    "null",
    "7",
    "{\"a\": [1, {\"b\": {\"c\": 1}}, \"x\\n\"], \"b\": 1}",
    "{\"a\": [1], \"a\": [2]}",
    "{\"a\": [1], \"\\u0061\": [2]}",
    "{\"\\u0061\": [1, 2]}",
    "{\"a\": {\"b\": [1, 2]}}",
    "{\"a\": {\"b\": [1], \"b\": [2]}}",
    "{\"a\": {\"b\": [1]}, \"a\": {\"b\": [2]}}",
    "{\"a\": {\"b\": {\"c\": 1}}}",
    "{\"a\": {\"x\": 1, \"y\": 2}}",
    "{\"a\": [], \"a'b\\\\\": [[], [1], \"xyz\"], \"x/~\\u0001\": [true, false]}",
    "{\"a\": [1, 2,]}",
    "[1",
];

type Outputs = (Vec<String>, Option<String>);

fn add(outputs: &mut Outputs, filter: &Filter, input: Value) {
    if outputs.1.is_some() {
        return;
    }
    let end = filter.run(input, &mut |output| {
        outputs.0.push(output.to_string());
        ControlFlow::Continue(())
    });
    outputs.1 = end.err().map(|error| error.to_string());
}

#[test]
fn elements_are_those_of_the_program() {
    let options = Options::new();
    let mut exact = 0;
    for (program, members) in PROGRAMS {
        let whole = Filter::new(program).unwrap();
        let (path, filter) = whole.leading_path().expect(program);
        assert_eq!(path.members(), *members, "{program}");
        for text in DOCUMENTS {
            let mut expected = Outputs::default();
            let value = Value::parse(text.as_bytes());
            if !path.is_exact(|| Ok(Input::from(*text)), &options).unwrap() {
                continue;
            }
            exact += 1;
            add(&mut expected, &whole, value.unwrap());
            let mut found = Outputs::default();
            let query = Query::new(&path.jsonpath()).unwrap();
            map_elements(
                *text,
                &query,
                &options.clone().threads(1),
                |elements| {
                    let batch = Batch::of_documents(elements);
                    let mut outputs = Outputs::default();
                    elements.records().for_each(|element| add(&mut outputs, &filter, batch.value(element)));
                    outputs
                },
                |mapped| {
                    let (outputs, error) = mapped.unwrap().result;
                    if found.1.is_none() {
                        found.0.extend(outputs);
                        found.1 = error;
                    }
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
            assert_eq!(found, expected, "{program} on {text}");
        }
    }
    assert!(exact >= 40, "{exact}");
}

/// Documents in which a search does not find what the program does.
#[test]
fn what_is_not_exact() {
    let is_exact = |program: &str, text: &str| {
        let (path, _) = Filter::new(program).unwrap().leading_path().unwrap();
        path.is_exact(|| Ok(Input::from(text)), &Options::new()).unwrap()
    };
    for text in [
        "{\"a\": [1], \"a\": [2]}",
        "{\"a\": [1], \"\\u0061\": [2]}",
        "{\"a\": {}}",
        "{\"a\": null}",
        "{}",
        "[1]",
        "1",
        "{\"a\": [1",
    ] {
        assert!(!is_exact(".a[]", text), "{text}");
    }
    for text in ["{\"a\": {\"b\": [1], \"b\": 2}}", "{\"a\": {\"b\": [1]}, \"a\": {}}", "{\"a\": [{\"b\": [1]}]}"] {
        assert!(!is_exact(".a.b[]", text), "{text}");
    }
    for text in ["{\"a\": 1}", "5", "{\"0\": 1}"] {
        assert!(!is_exact(".[]", text), "{text}");
    }
    assert!(!is_exact(".\"\u{FFFD}\"[]", "{\"\u{FFFD}\": [1], \"\\ud83d\": [2]}"));
    assert!(is_exact(".[]", "[1, 2]") && is_exact(".a.b[]", "{\"b\": [], \"a\": {\"c\": 1, \"b\": []}}"));
}

#[test]
fn other_programs_stay_whole() {
    for program in OTHERS {
        assert!(Filter::new(program).unwrap().leading_path().is_none(), "{program}");
    }
}
