//! Edits against the tests of JSON Patch (RFC 6902) and the examples of RFC 7396.
//!
//! The former are the repository `json-patch-tests`, which is not part of this one. They are searched in `$FJSON_CORPUS`, `corpus/data`
//! and `../shared/corpus`, in the folder `json-patch`.

#![forbid(unsafe_code)]

use std::env;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use fjson::EditError;
use fjson::Edits;
use fjson::Options;
use proof::untested;
use serde_json::Value;

/// The folder with the tests.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = env::var_os("FJSON_CORPUS").map(PathBuf::from);
    let folders = named.into_iter().chain(["corpus/data", "../shared/corpus"].map(|folder| root.join(folder)));
    let found = folders.map(|folder| folder.join("json-patch")).find(|folder| folder.is_dir());
    if found.is_none() {
        let required = env::var("FJSON_REQUIRE_SUITES").unwrap_or_default();
        let is_required = required == "all" || required.split([' ', ',']).any(|required| required == "json-patch");
        assert!(!is_required, "the suite json-patch is not there");
        untested::report("the suite json-patch, which is not there; corpus/README.md says where to get it");
    }
    found
}

fn patched(document: &str, add: impl Fn(&mut Edits) -> Result<&mut Edits, EditError>) -> Result<String, EditError> {
    let (mut edits, mut patched) = (Edits::new(), Vec::new());
    add(&mut edits)?;
    edits.apply(document, &mut patched, &Options::new())?;
    Ok(String::from_utf8(patched).expect("UTF-8"))
}

#[test]
fn json_patch_suite() {
    let Some(folder) = folder() else { return };
    let mut count = 0;
    for name in ["spec_tests.json", "tests.json"] {
        let text = fs::read_to_string(folder.join(name)).expect("a file of the suite");
        // The texts are those of the file, because a case has two members with the same key.
        let mut parser = fjson::Parser::new();
        for case in parser.document(text.as_bytes()).expect("valid").root() {
            let Some(patch) = case.get("patch") else { continue };
            let document = case.get("doc").expect("a document").raw();
            count += 1;
            let result = patched(document, |edits| edits.patch(patch.raw()));
            if case.get("error").is_some() {
                assert!(result.is_err(), "{case} gives {result:?}");
                continue;
            }
            let found = result.unwrap_or_else(|error| panic!("{case}: {error}"));
            if let Some(expected) = case.get("expected") {
                let values = [&*found, expected.raw()].map(|text| serde_json::from_str::<Value>(text).expect("valid"));
                assert_eq!(values[0], values[1], "{case}");
            }
        }
    }
    assert!(count > 100, "{count} cases");
}

/// RFC 7396, section 3 and appendix A.
#[test]
fn merge_patch_examples() {
    for (document, patch, expected) in [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, "null", "null"),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
        ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        (
            r#"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#,
            r#"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#,
            r#"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#,
        ),
    ] {
        let found = patched(document, |edits| edits.merge(patch));
        let texts = [found.expect("merged"), expected.to_owned()];
        let values = texts.map(|text| serde_json::from_str::<Value>(&text).expect("valid"));
        assert_eq!(values[0], values[1], "{document} {patch}");
    }
}
