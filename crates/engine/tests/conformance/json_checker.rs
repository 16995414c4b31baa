//! JSON_checker, from nativejson-benchmark: the expected result is in the file name.
//!
//! `*_EXCLUDE` files are not counted, there as here: they reject a string as a document, and more than 19 levels.

use proof::reader;
use proof::suites;

use crate::everywhere;

#[test]
fn verdicts() {
    let Some(files) = suites::part("nativejson", "jsonchecker/") else { return };
    let mut counts = [0, 0];
    for (name, text) in &files {
        let pass = name.starts_with("pass");
        if !name.contains("EXCLUDE") {
            counts[usize::from(pass)] += 1;
            assert_eq!(reader::read(text, None).is_ok(), pass, "{name}");
        }
        everywhere::agrees(text);
    }
    assert_eq!(counts, [31, 3], "files to reject and to accept");
}

/// Minified documents, which minify must not change.
#[test]
fn round_trips() {
    let Some(files) = suites::part("nativejson", "roundtrip/") else { return };
    assert_eq!(files.len(), 27);
    for text in files.values() {
        everywhere::agrees(text);
    }
}
