//! Numbers of schemas and documents that doubles do not have are compared exactly.

use fjson::Parser;
use fjson_schema::Draft;
use fjson_schema::Schema;

/// A schema, numbers that follow it, and numbers that do not.
const CASES: &[(&str, &[&str], &[&str])] = &[
    (r#"{"maximum": 1e400}"#, &["1e400", "1e399", "-1e500", "10e399"], &["1.0000000000000000001e400", "1e401"]),
    (r#"{"minimum": -1e400}"#, &["-1e400", "0"], &["-1e401", "-1.1e400"]),
    (r#"{"exclusiveMinimum": 1e400}"#, &["1e401"], &["1e400", "1.0e400", "7"]),
    (
        r#"{"exclusiveMaximum": 0.10000000000000000000001}"#,
        &["0.1", "0.10000000000000000000000999"],
        &["0.10000000000000000000001"],
    ),
    (r#"{"maximum": 0.1}"#, &["0.1", "0.09999999999999999999"], &["0.1000000000000000000001"]),
    (r#"{"minimum": 0.1}"#, &["0.1", "0.1000000000000000000001"], &["0.09999999999999999999999"]),
    (
        r#"{"maximum": 9007199254740992}"#,
        &["9007199254740992", "9007199254740991.99999"],
        &["9007199254740993", "9007199254740992.1"],
    ),
    (
        r#"{"minimum": 18446744073709551615}"#,
        &["18446744073709551615", "18446744073709551615.0"],
        &["18446744073709551614", "18446744073709551614.9"],
    ),
    (
        r#"{"maximum": 18446744073709551616}"#,
        &["18446744073709551616", "0"],
        &["18446744073709551617", "18446744073709551616.5"],
    ),
    (r#"{"exclusiveMinimum": 0}"#, &["1e-400", "5e-324"], &["0", "-0.0", "-1e-400", "0e5"]),
    (
        r#"{"const": 12345678901234567890123}"#,
        &["12345678901234567890123", "12345678901234567890123.0", "1.2345678901234567890123e22"],
        &["12345678901234567890124", "12345678901234567000000", "\"12345678901234567890123\""],
    ),
    (r#"{"const": 0.1}"#, &["0.1", "0.10", "1e-1"], &["0.1000000000000000000001", "0.09999999999999999999999"]),
    (r#"{"const": 0}"#, &["0", "-0", "0.0", "0e9"], &["1e-400", "-1e-400"]),
    (r#"{"const": 1}"#, &["1", "1.0", "1.00000000000000000000"], &["1.00000000000000000001", "0.99999999999999999999"]),
    (r#"{"const": [{"a": 1e400}]}"#, &["[{\"a\": 1e400}]", "[{\"a\": 10e399}]"], &["[{\"a\": 1e401}]", "[1e400]"]),
    (r#"{"const": [0.1]}"#, &["[0.1]"], &["[0.1000000000000000000001]"]),
    (r#"{"enum": [1, "a", 1e400]}"#, &["1", "1.0", "\"a\"", "1e400"], &["1e401", "\"1\"", "1.00000000000000000001"]),
    (
        r#"{"enum": [9007199254740993, 9007199254740992.5]}"#,
        &["9007199254740993", "9007199254740992.5"],
        &["9007199254740992", "9007199254740994"],
    ),
    (r#"{"propertyNames": {"enum": ["a", 1e400]}}"#, &["{\"a\": 1}", "{}"], &["{\"b\": 1}"]),
    (
        r#"{"multipleOf": 0.01}"#,
        &["0.07", "1.1", "19.99", "0", "-0.03", "1e300", "123456789012345678901234567890.01"],
        &["0.075", "1.115", "0.0700000000000000000001", "1e-3"],
    ),
    (r#"{"multipleOf": 1e-8}"#, &["12.12345678"], &["12.123456789"]),
    (
        r#"{"multipleOf": 3}"#,
        &["123456789012345678901234567890", "3e500"],
        &["123456789012345678901234567891", "1e500"],
    ),
    (r#"{"multipleOf": 1e400}"#, &["0", "3e400"], &["1", "1e399"]),
    (r#"{"multipleOf": 0.30000000000000000001}"#, &["0.60000000000000000002"], &["0.6"]),
    (r#"{"type": "integer"}"#, &["1e400", "1.0", "12345678901234567890123"], &["1.00000000000000000001", "1e-400"]),
    (r#"{"uniqueItems": true}"#, &["[0.1, 0.1000000000000000000001]", "[1e400, 1e401]"], &["[1e400, 10e399]"]),
];

fn check(schema: &Schema, text: &str, expected: bool, case: &str) {
    let mut parser = Parser::new();
    let document = parser.document(text.as_bytes()).expect("a value");
    let value = document.root();
    assert_eq!(schema.is_valid(value), expected, "{case} {text}");
    assert_eq!(schema.is_valid_slowly(value), expected, "{case} {text}");
    assert!(schema.compiled_answer(value).is_none_or(|answer| answer == expected), "{case} {text}");
    let violations = schema.violations(value);
    assert_eq!(violations.is_empty(), expected, "{case} {text}");
    for violation in &violations {
        let place = violation.schema.as_ref().expect("a place in the schema");
        assert!(place.pointer.ends_with(&violation.keyword), "{case} {text}: {violation:?}");
        assert!(!violation.message.contains("fjson:"), "{violation}");
    }
}

#[test]
fn numbers_are_compared_exactly() {
    for (text, valid, invalid) in CASES {
        let schema = Schema::compile(*text, ()).expect(text);
        for (values, expected) in [(valid, true), (invalid, false)] {
            for value in *values {
                check(&schema, value, expected, text);
                // The same at another place, and among alternatives.
                let nested = format!("{{\"properties\": {{\"a\": {{\"anyOf\": [{text}, false]}}}}}}");
                let nested = Schema::compile(nested, ()).expect(text);
                let object = format!("{{\"a\": {value}}}");
                let mut parser = Parser::new();
                let document = parser.document(object.as_bytes()).expect("an object");
                assert_eq!(nested.is_valid(document.root()), expected, "{text} {value}");
                assert_eq!(nested.violations(document.root()).is_empty(), expected, "{text} {value}");
            }
        }
    }
}

#[test]
fn drafts_have_their_own_keywords() {
    let compile = |draft, text: &str| Schema::builder().draft(draft).compile(text, ());
    let excluded = compile(Draft::Draft4, r#"{"maximum": 1e400, "exclusiveMaximum": true}"#).expect("a schema");
    check_answers(&excluded, &[("1e400", false), ("1e399", true)]);
    let excluded = compile(Draft::Draft4, r#"{"minimum": 1e400, "exclusiveMinimum": true}"#).expect("a schema");
    check_answers(&excluded, &[("1e400", false), ("1e401", true)]);
    let included = compile(Draft::Draft4, r#"{"minimum": 1e400, "exclusiveMinimum": false}"#).expect("a schema");
    check_answers(&included, &[("1e400", true), ("1e399", false)]);
    // Draft 4 has no `const`, and no numbers there.
    let unknown = compile(Draft::Draft4, r#"{"const": 1e400}"#).expect("a schema");
    check_answers(&unknown, &[("1", true)]);
    assert!(compile(Draft::Draft4, r#"{"exclusiveMaximum": 1e400}"#).is_err());
    assert!(compile(Draft::Draft7, r#"{"maximum": 1e400, "exclusiveMaximum": true}"#).is_err());
    for divisor in ["0", "-1", "0.0", "-1e400", "0e400"] {
        assert!(compile(Draft::Draft7, &format!("{{\"multipleOf\": {divisor}}}")).is_err(), "{divisor}");
    }
}

fn check_answers(schema: &Schema, answers: &[(&str, bool)]) {
    for (text, expected) in answers {
        let mut parser = Parser::new();
        let document = parser.document(text.as_bytes()).expect("a number");
        assert_eq!(schema.is_valid(document.root()), *expected, "{text}");
    }
}

/// A violation of a value that stands twice under the same key is at the right one.
#[test]
fn places_are_exact_with_duplicate_keys() {
    let schema = Schema::compile(r#"{"additionalProperties": {"maximum": 1e400}}"#, ()).expect("a schema");
    let mut parser = Parser::new();
    let document = parser.document(br#"{"a": 5, "a": 1e401}"#).expect("an object");
    let violations = schema.violations(document.root());
    assert_eq!(violations[0].range, 14..19);
    assert_eq!(violations[0].message, "found the number 1e401, expected at most 1e400");
}
