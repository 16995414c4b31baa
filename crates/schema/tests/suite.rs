//! JSON-Schema-Test-Suite: every case of drafts 4 to 2020-12, and a place for each violation that it causes.

use std::collections::BTreeMap;
use std::sync::Arc;

use fjson::Parser;
use fjson::Value;
use fjson_schema::Draft;
use fjson_schema::Loaded;
use fjson_schema::Resolver;
use fjson_schema::Schema;
use fjson_schema::SchemaError;
use fjson_schema::Violation;
use proof::suites::Files;
use proof::suites::suite;

/// The remote schemas of the suite.
struct Remotes(Files);

impl Resolver for Remotes {
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String> {
        let Some(path) = uri.strip_prefix("http://localhost:1234/") else { return Ok(None) };
        let text = self.0.get(&format!("remotes/{path}"));
        Ok(text.map(|text| Loaded { name: path.to_owned(), text: text.clone() }))
    }
}

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft201909),
    ("draft2020-12", Draft::Draft202012),
];

/// Cases with another result than the suite expects, by file, and why.
const FAILURES: [(&str, usize, &str); 1] = [(
    "tests/draft2020-12/optional/format-assertion.json",
    2,
    "formats are asserted if that is asked for, whatever the vocabulary of the meta-schema says",
)];

/// A case of the suite: a schema and values with the expected results.
fn each_case(files: &Files, mut check: impl FnMut(&str, &str, Result<Schema, SchemaError>, Value<'_, '_>)) {
    let remotes = files.iter().filter(|(path, _)| path.starts_with("remotes/"));
    let remotes = Arc::new(Remotes(remotes.map(|(path, text)| (path.clone(), text.clone())).collect()));
    for (folder, draft) in DRAFTS {
        let inside = format!("tests/{folder}/");
        for (path, text) in files.iter().filter(|(path, _)| path.starts_with(&inside)) {
            let mut parser = Parser::new();
            let document = parser.document(text).expect("a file of the suite");
            for case in *document {
                let schema = case.get("schema").expect("a schema").raw();
                let builder = Schema::builder().draft(draft).formats(path.contains("/format/"));
                let description = case.get("description").and_then(Value::as_str).expect("a description");
                check(path, &description, builder.compile(schema, remotes.clone()), case);
            }
        }
    }
}

#[test]
fn every_case_of_the_suite() {
    let Some(files) = suite("json-schema") else { return };
    let (mut failures, mut lists, mut count) = (Vec::new(), BTreeMap::<String, usize>::new(), 0);
    let mut compiled_answers = 0;
    each_case(&files, |path, description, schema, case| {
        let schema = match schema {
            Ok(schema) => schema,
            Err(error) => {
                failures.push(format!("{path}: {description}: {error}"));
                *lists.entry(path.to_owned()).or_default() += case.get("tests").map_or(0, Value::len);
                return;
            }
        };
        let is_meta = case.get("schema").is_some_and(|schema| schema.raw().contains("json-schema.org/draft"));
        for test in case.get("tests").expect("tests") {
            count += 1;
            let data = test.get("data").expect("data");
            let expected = test.get("valid").and_then(Value::as_bool).expect("a result");
            let found = schema.is_valid(data);
            let violations = schema.violations(data);
            // The compiled keywords, if a schema has only such, say what the crate says.
            let compiled = schema.compiled_answer(data);
            compiled_answers += usize::from(compiled.is_some());
            assert_eq!(
                compiled.unwrap_or(found),
                schema.is_valid_slowly(data),
                "{path}: {description}: {}",
                data.raw()
            );
            assert_eq!(found, violations.is_empty(), "{path}: {description}: {}", data.raw());
            if found != expected {
                failures.push(format!("{path}: {description}: {} is {found}", data.raw()));
                *lists.entry(path.to_owned()).or_default() += 1;
            }
            for violation in &violations {
                check_violation(violation, data, is_meta, &format!("{path}: {description}: {}", data.raw()));
            }
        }
    });
    let expected: BTreeMap<String, usize> =
        FAILURES.iter().map(|(path, count, _)| ((*path).to_owned(), *count)).collect();
    assert_eq!(lists, expected, "{failures:#?}");
    assert_eq!(count, 8327);
    assert!(compiled_answers > 3000, "{compiled_answers}");
}

/// A violation is at a value or a key of the data, and knows its keyword's place.
fn check_violation(violation: &Violation, data: Value<'_, '_>, is_meta: bool, case: &str) {
    let range = data.range();
    assert!(range.start <= violation.range.start && violation.range.end <= range.end, "{case}: {violation:?}");
    assert!(!violation.range.is_empty(), "{case}: {violation:?}");
    // The data is a part of the document of its case, so its pointer begins elsewhere.
    assert!(data.pointer(&violation.pointer).is_some(), "{case}: {violation:?}");
    let place = violation.schema.as_ref();
    let is_known = place.is_some_and(|place| !place.file.is_empty());
    // Keywords of meta-schemas have no place in a file.
    assert!(is_known || is_meta, "{case}: {violation:?}");
    violation.causes.iter().for_each(|cause| check_violation(cause, data, is_meta, case));
}
