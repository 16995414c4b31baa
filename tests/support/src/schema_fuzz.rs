//! JSON Schemas and documents, where both are arbitrary.

use std::ops::ControlFlow;

use fjson::Options;
use fjson::Parser;
use fjson::Structure;
use fjson_schema::Draft;
use fjson_schema::Schema;
use fjson_schema::Strictness;
use fjson_schema::Violations;
use fjson_schema::infer;

/// The first line is a schema, the rest is a document. Nothing panics, all ways to validate agree, violations are places in the
/// document, and schemas that are inferred from it accept it.
///
/// # Panics
/// If that is not so.
pub fn run(text: &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let (schema, document) = text.split_at(end);
    let mut parser = Parser::with_options(&Options::new().unique_keys(true).max_depth(Some(fjson_schema::MAX_DEPTH)));
    let Ok(document) = parser.document(document) else { return };
    for draft in [Draft::Draft4, Draft::Draft7, Draft::Draft202012] {
        let Ok(schema) = Schema::builder().draft(draft).compile(schema, ()) else { continue };
        let violations = schema.violations(document.root());
        let is_valid = schema.is_valid_slowly(document.root());
        assert!(schema.compiled_answer(document.root()).is_none_or(|answer| answer == is_valid));
        assert_eq!(violations.is_empty(), is_valid);
        assert_places(&violations, document.tokens().text().len());
    }
    let mut structure = Structure::new().note_strings();
    structure.read(document.raw(), &Options::new(), &mut |_| ControlFlow::Break(())).expect("it is valid");
    for strictness in [Strictness::Loose, Strictness::Normal, Strictness::Strict] {
        let schema = Schema::compile(infer(&structure, strictness), ()).expect("a schema");
        assert!(schema.is_valid(document.root()), "{strictness:?}: {}", infer(&structure, strictness));
    }
}

fn assert_places(violations: &Violations, length: usize) {
    for violation in violations {
        assert!(violation.range.start < violation.range.end && violation.range.end <= length, "{violation:?}");
    }
}
