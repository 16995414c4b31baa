//! The words of each message: `messages.txt` has schemas, values and what is said about them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use fjson::Parser;
use fjson::Value;
use fjson_schema::Draft;
use fjson_schema::Schema;
use fjson_schema::Violation;

const DRAFTS: [(&str, Draft); 4] = [
    ("draft4 ", Draft::Draft4),
    ("draft6 ", Draft::Draft6),
    ("draft7 ", Draft::Draft7),
    ("draft2019 ", Draft::Draft201909),
];

/// Returns the draft, the schema and the value of a case.
fn parts(line: &str) -> (Draft, &str, &str) {
    let draft = DRAFTS.iter().find_map(|(name, draft)| Some((*draft, line.strip_prefix(name)?)));
    let (draft, rest) = draft.unwrap_or((Draft::Draft202012, line));
    let (schema, value) = rest.split_once(" <- ").expect("a schema and a value");
    (draft, schema, value)
}

fn describe(violation: &Violation, value: &str, indent: usize, text: &mut String) {
    let Violation { range, pointer, keyword, message, help, causes, .. } = violation;
    let place = if pointer.is_empty() { "the value" } else { pointer };
    writeln!(text, "{:indent$}{} at {place}, {keyword}: {message}", "", &value[range.clone()]).expect("a string");
    if let Some(help) = help {
        writeln!(text, "{:indent$}  help: {help}", "").expect("a string");
    }
    for cause in causes {
        describe(cause, value, indent + 4, text);
    }
}

/// If the words are to be changed, the output of the failure is the new text of the file.
#[test]
fn every_message() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/messages.txt");
    let expected = fs::read_to_string(path).expect("messages.txt");
    let (mut text, mut count) = (String::new(), 0);
    for line in expected.lines().filter(|line| !line.starts_with(' ')) {
        writeln!(text, "{line}").expect("a string");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (draft, schema, value) = parts(line);
        let schema = Schema::builder().draft(draft).compile(schema, ()).expect("a schema");
        let mut parser = Parser::new();
        let document = parser.document(value.as_bytes()).expect("a value");
        let violations = schema.violations(document.root());
        assert!(!violations.is_empty(), "{line}");
        for violation in &violations {
            describe(violation, value, 4, &mut text);
        }
        count += violations.len();
    }
    if std::env::var_os("FJSON_UPDATE_DOCUMENTS").is_some() {
        fs::write(path, &text).expect("messages.txt");
    }
    assert!(text == expected, "{text}");
    assert!(count >= 40);
}

const ALL: (Draft, Draft) = (Draft::Draft4, Draft::Draft202012);
const SINCE_6: (Draft, Draft) = (Draft::Draft6, Draft::Draft202012);
const SINCE_2019: (Draft, Draft) = (Draft::Draft201909, Draft::Draft202012);

/// The keywords that can be violated, and their first and last drafts.
const KEYWORDS: [(&str, (Draft, Draft)); 43] = [
    ("$dynamicRef", (Draft::Draft202012, Draft::Draft202012)),
    ("$recursiveRef", (Draft::Draft201909, Draft::Draft201909)),
    ("$ref", ALL),
    ("additionalItems", (Draft::Draft4, Draft::Draft201909)),
    ("additionalProperties", ALL),
    ("allOf", ALL),
    ("anyOf", ALL),
    ("const", SINCE_6),
    ("contains", SINCE_6),
    ("contentEncoding", (Draft::Draft7, Draft::Draft7)),
    ("contentMediaType", (Draft::Draft7, Draft::Draft7)),
    ("dependencies", (Draft::Draft4, Draft::Draft7)),
    ("dependentRequired", SINCE_2019),
    ("dependentSchemas", SINCE_2019),
    ("enum", ALL),
    ("exclusiveMaximum", ALL),
    ("exclusiveMinimum", ALL),
    ("format", ALL),
    ("if", (Draft::Draft7, Draft::Draft202012)),
    ("items", ALL),
    ("maxContains", SINCE_2019),
    ("maximum", ALL),
    ("maxItems", ALL),
    ("maxLength", ALL),
    ("maxProperties", ALL),
    ("minContains", SINCE_2019),
    ("minimum", ALL),
    ("minItems", ALL),
    ("minLength", ALL),
    ("minProperties", ALL),
    ("multipleOf", ALL),
    ("not", ALL),
    ("oneOf", ALL),
    ("pattern", ALL),
    ("patternProperties", ALL),
    ("prefixItems", (Draft::Draft202012, Draft::Draft202012)),
    ("properties", ALL),
    ("propertyNames", SINCE_6),
    ("required", ALL),
    ("type", ALL),
    ("unevaluatedItems", SINCE_2019),
    ("unevaluatedProperties", SINCE_2019),
    ("uniqueItems", ALL),
];

fn collect(schema: Value<'_, '_>, keys: &mut BTreeSet<String>) {
    for element in schema {
        collect(element, keys);
    }
    for member in schema.members() {
        keys.extend(member.key.as_str().map(std::borrow::Cow::into_owned));
        collect(member.value, keys);
    }
}

/// Returns what a draft says about a case; `None` if it has not these keywords.
fn answer(draft: Draft, schema: &str, value: &str) -> Option<String> {
    let schema = Schema::builder().draft(draft).compile(schema, ()).ok()?;
    let mut parser = Parser::new();
    let document = parser.document(value.as_bytes()).expect("a value");
    let mut text = String::new();
    for violation in &schema.violations(document.root()) {
        describe(violation, value, 4, &mut text);
    }
    Some(text)
}

#[test]
fn the_keyword_of_a_violation_has_a_place() {
    let text = "{\n  \"items\": {\n    \"minimum\": 1, \"type\": \"integer\"\n  }\n}";
    let schema = Schema::compile(text, ()).expect("a schema");
    let mut parser = Parser::new();
    let violations = schema.violations(parser.document(b"[\"1\"]").expect("a value").root());
    let place = violations[0].schema.as_ref().expect("a place");
    assert_eq!((place.position.line, place.position.column, place.pointer.as_str()), (3, 19, "/items/type"));
    assert!(text[usize::try_from(place.offset).expect("an offset")..].starts_with("\"type\""));
}

/// A schema in a bundle may name a draft of its own, whose meta-schema it follows.
#[test]
fn embedded_schemas_have_their_own_drafts() {
    let bundle = |items: &str| {
        let schema = format!(
            r#"{{"properties": {{"a": {{"$ref": "http://example.com/b"}}}}, "$defs": {{"b": {{"$id": "http://example.com/b",
                "$schema": "http://json-schema.org/draft-07/schema#", "items": {items}, "additionalItems": false}}}}}}"#
        );
        Schema::compile(schema, ())
    };
    let schema = bundle(r#"[{"type": "string"}]"#).expect("a bundle");
    let mut parser = Parser::new();
    for (value, is_valid) in [(r#"{"a": ["1"]}"#, true), (r#"{"a": [1]}"#, false), (r#"{"a": ["1", 2]}"#, false)] {
        assert_eq!(schema.is_valid(parser.document(value.as_bytes()).expect("a value").root()), is_valid, "{value}");
    }
    let error = bundle(r#"[{"type": "int"}]"#).expect_err("no type of draft 7");
    let pointers: Vec<_> = error.problems().iter().map(|problem| problem.diagnostic.pointer.as_deref()).collect();
    assert_eq!(pointers, [Some("/$defs/b/items/0/type")], "{error}");
}

/// The cases have each keyword of each draft, and the same keyword has the same message in all of them.
#[test]
fn every_draft() {
    let text = include_str!("messages.txt");
    for draft in Draft::ALL {
        let mut covered = BTreeSet::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with([' ', '#'])) {
            let (own, schema, value) = parts(line);
            let mut keys = BTreeSet::new();
            let mut parser = Parser::new();
            collect(parser.document(schema.as_bytes()).expect("a schema").root(), &mut keys);
            let has = |(name, (first, last)): &(&str, (Draft, Draft))| {
                !keys.contains(*name) || (*first..=*last).contains(&draft)
            };
            // Some formats are newer.
            let is_old_format = !keys.contains("format") || schema.contains("email") || schema.contains("ipv4");
            let is_shared = own == Draft::Draft202012 && KEYWORDS.iter().all(has) && is_old_format;
            if own != draft && !is_shared {
                continue;
            }
            let Some(said) = answer(draft, schema, value) else { continue };
            assert_eq!(Some(said), answer(own, schema, value), "{draft:?}: {line}");
            covered.extend(keys);
        }
        for (name, (first, last)) in KEYWORDS {
            assert!(!(first..=last).contains(&draft) || covered.contains(name), "{draft:?} has no case of {name}");
        }
    }
}
