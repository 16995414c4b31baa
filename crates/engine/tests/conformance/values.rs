//! The values of documents, not only their validity: doubles and strings of nativejson-benchmark, and the documents of
//! JSONTestSuite that parsers read differently.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use fjson::ErrorKind;
use fjson::Options;
use fjson::Parser;
use fjson::scalar;
use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;
use fjson::scalar::Surrogates;
use proof::scalar as values;
use proof::suites;
use serde_json::Value;

/// A member whose value is a string.
fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_else(|| panic!("{name} in {row}"))
}

/// A table of nativejson-benchmark.
fn table(name: &str, count: usize) -> Vec<Value> {
    let Some(files) = suites::part("nativejson", name) else { return Vec::new() };
    let rows: Vec<Value> = serde_json::from_slice(&files[""]).expect("a table");
    assert_eq!(rows.len(), count);
    rows
}

#[test]
fn doubles() {
    for row in table("doubles.json", 66) {
        let number = Number::new(text(&row, "text").as_bytes()).expect("a number");
        assert_eq!(format!("{:#018x}", number.to_f64().to_bits()), text(&row, "bits"), "{row}");
        let found = Parser::new().document(number.text()).expect("valid").as_f64().expect("a number");
        assert_eq!(found.to_bits(), number.to_f64().to_bits(), "{row}");
        let found: f64 = fjson::from_slice(number.text()).expect("a number");
        assert_eq!(found.to_bits(), number.to_f64().to_bits(), "{row}");
        values::number(number.text());
        values::double(number.to_f64());
    }
}

#[test]
fn strings() {
    for row in table("strings.json", 9) {
        let document = text(&row, "document").as_bytes();
        let inside = document.strip_prefix(b"[\"").and_then(|rest| rest.strip_suffix(b"\"]")).expect("one string");
        let value = scalar::unescape(inside, Surrogates::Refuse).expect("no lone surrogate");
        assert_eq!(hex(&value), text(&row, "utf8_hex"), "{row}");
        let mut parser = Parser::new();
        let found = parser.document(document).expect("valid").at(0).and_then(fjson::Value::as_str).expect("a string");
        assert_eq!(hex(found.as_bytes()), text(&row, "utf8_hex"), "{row}");
        let found: [String; 1] = fjson::from_slice(document).expect("a string");
        assert_eq!(hex(found[0].as_bytes()), text(&row, "utf8_hex"), "{row}");
        values::string(inside);
    }
}

/// Each file of `test_transform` is read as stated in `corpus/transform.json`, with a reason for each.
#[test]
fn transformed() {
    let Some(files) = suites::part("json-test-suite", "test_transform/") else { return };
    let outcomes = std::fs::read(suites::root().join("corpus/transform.json")).expect("corpus/transform.json");
    let outcomes: Vec<Value> = serde_json::from_slice(&outcomes).expect("an array");
    assert!(outcomes.iter().map(|row| text(row, "file")).eq(files.keys()), "a row for each file, in their order");
    for row in &outcomes {
        assert!(text(row, "reason").ends_with('.'));
        let document = &files[text(row, "file")];
        let mut minified = Vec::new();
        let result = fjson::minify(document, &mut minified, &Options::new());
        if row.get("error").is_some() {
            let error = result.expect_err("no UTF-8");
            assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, 3));
            let error = fjson::from_slice::<Value>(document).expect_err("no UTF-8");
            assert_eq!((error.kind(), error.offset()), (ErrorKind::InvalidUtf8, 3));
            continue;
        }
        read_in_place(row, document);
        read_as_types(row, document);
        assert_eq!(str::from_utf8(&minified), Ok(text(row, "minified")));
        let inside = &minified[1..minified.len() - 1];
        if row.get("double").is_some() {
            let number = Number::new(inside).expect("a number");
            assert_eq!(NumberBuffer::new().double(number.to_f64()), row["double"].as_str());
            let signed = number.to_i64().map(|integer| integer.to_string());
            let integer = signed.or_else(|| Some(number.to_u64()?.to_string()));
            assert_eq!(integer.as_deref().unwrap_or("none"), text(row, "integer"));
            values::number(inside);
        } else if row.get("distinct_keys").is_some() {
            let names: Vec<_> = inside.split(|byte| b",:".contains(byte)).step_by(2).collect();
            let same = scalar::same_key(names[0], names[1]);
            assert_eq!(if same { "1" } else { "2" }, text(row, "distinct_keys"));
        } else {
            let inside = &inside[1..inside.len() - 1];
            match scalar::unescape(inside, Surrogates::Refuse) {
                Ok(value) => assert_eq!(hex(&value), text(row, "utf8_hex")),
                Err(error) => {
                    assert_eq!(error.offset().to_string(), text(row, "lone_surrogate"));
                    let value = scalar::unescape(inside, Surrogates::Replace).expect("replaced");
                    assert_eq!(hex(&value), text(row, "replaced"));
                }
            }
            values::string(inside);
        }
    }
}

/// What `Parser::document` reads from a file of `test_transform`.
fn read_in_place(row: &Value, text_of_file: &[u8]) {
    let mut parser = Parser::new();
    let document = parser.document(text_of_file).expect("valid");
    if row.get("distinct_keys").is_some() {
        let keys: BTreeSet<_> = document.members().filter_map(|member| member.key.as_str()).collect();
        assert_eq!(keys.len().to_string(), text(row, "distinct_keys"), "{row}");
        return;
    }
    let value = document.at(0).expect("one element");
    if row.get("double").is_some() {
        let double = value.as_f64().expect("a number");
        assert_eq!(NumberBuffer::new().double(double), row["double"].as_str());
        let integer = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
        assert_eq!(integer.map_or("none".to_owned(), |integer| integer.to_string()), text(row, "integer"), "{row}");
    } else if let Some(expected) = row.get("replaced") {
        assert_eq!(value.as_str(), None, "{row}");
        let value = value.as_str_lossy().expect("a string");
        assert_eq!(Some(hex(value.as_bytes()).as_str()), expected.as_str(), "{row}");
    } else {
        let value = value.as_str().expect("a string");
        assert_eq!(hex(value.as_bytes()), text(row, "utf8_hex"), "{row}");
    }
}

/// What `from_slice` reads from a file of `test_transform`.
fn read_as_types(row: &Value, text_of_file: &[u8]) {
    if row.get("distinct_keys").is_some() {
        let members: BTreeMap<String, Value> = fjson::from_slice(text_of_file).expect("an object");
        assert_eq!(members.len().to_string(), text(row, "distinct_keys"), "{row}");
    } else if row.get("double").is_some() {
        let [double] = fjson::from_slice::<[f64; 1]>(text_of_file).expect("a number");
        assert_eq!(NumberBuffer::new().double(double), row["double"].as_str());
        // A type of integers takes only numbers without a fraction and an exponent, as in `serde_json`.
        let is_plain = !text(row, "minified").contains(['.', 'e', 'E']);
        let signed = fjson::from_slice::<[i64; 1]>(text_of_file).map(|[integer]| integer.to_string());
        let integer = signed.or_else(|_| fjson::from_slice::<[u64; 1]>(text_of_file).map(|[it]| it.to_string()));
        let expected = if is_plain { text(row, "integer") } else { "none" };
        assert_eq!(integer.unwrap_or_else(|_| "none".to_owned()), expected, "{row}");
    } else {
        match fjson::from_slice::<[String; 1]>(text_of_file) {
            Ok([value]) => assert_eq!(hex(value.as_bytes()), text(row, "utf8_hex"), "{row}"),
            Err(error) => {
                assert!(row.get("lone_surrogate").is_some(), "{row}");
                assert_eq!(error.to_string(), "lone surrogate in an escape sequence");
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}
