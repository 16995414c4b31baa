//! The values of documents, not only their validity: doubles and strings of nativejson-benchmark, and the documents of
//! JSONTestSuite that parsers read differently.

use fjson::ErrorKind;
use fjson::Options;
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
            continue;
        }
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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}
