//! Schemas that refer to themselves for the same value are errors, and those that do so for parts of it are not.

use fjson_schema::Draft;
use fjson_schema::Loaded;
use fjson_schema::Schema;
use fjson_schema::SchemaError;

fn compile(draft: Draft, schema: &str) -> Result<Schema, SchemaError> {
    let other = |uri: &str| {
        (uri == "schema:///other.json")
            .then(|| Loaded { name: "other.json".to_owned(), text: br#"{"not": {"$ref": "schema.json"}}"#.to_vec() })
    };
    Schema::builder().draft(draft).compile(schema, Resolver(other))
}

struct Resolver<F>(F);

impl<F: Fn(&str) -> Option<Loaded> + Send + Sync> fjson_schema::Resolver for Resolver<F> {
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String> {
        Ok((self.0)(uri))
    }
}

const NEW: Draft = Draft::Draft202012;

#[test]
fn the_same_value() {
    for (draft, schema, place) in [
        (NEW, r##"{"$ref": "#"}"##, "schema.json:1:10"),
        (Draft::Draft4, r##"{"$ref": "#"}"##, "schema.json:1:10"),
        (NEW, r##"{"anyOf": [{"type": "string"}, {"$ref": "#"}]}"##, "schema.json:1:41"),
        (NEW, r##"{"allOf": [{"$ref": "#/allOf/0"}]}"##, "schema.json:1:21"),
        (NEW, r##"{"if": true, "then": {"oneOf": [{"not": {"$ref": "#"}}]}}"##, "schema.json:1:50"),
        (NEW, r##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##, "schema.json:1:37"),
        (Draft::Draft7, r##"{"dependencies": {"a": {"$ref": "#"}}}"##, "schema.json:1:33"),
        (NEW, r##"{"$anchor": "a", "else": {"$ref": "#a"}, "if": {}}"##, "schema.json:1:35"),
        (Draft::Draft7, r##"{"items": {"$id": "#a", "not": {"$ref": "#a"}}}"##, "schema.json:1:41"),
        (NEW, r#"{"$ref": "other.json"}"#, "other.json:1:18"),
        (
            NEW,
            r##"{"items": {"$ref": "#/$defs/a"},
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": {"allOf": [{"$ref": "#/$defs/b"}]}}}"##,
            "schema.json:2:108",
        ),
    ] {
        let error = compile(draft, schema).expect_err(schema).to_string();
        assert_eq!(
            error,
            format!("{place}: the schema refers to itself for the same value, so checking a value would not end"),
            "{schema}"
        );
    }
}

#[test]
fn parts_of_the_value() {
    for (draft, schema) in [
        (NEW, r##"{"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}"##),
        (
            NEW,
            r##"{"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"items": {"$ref": "#"}}}}"##,
        ),
        // Keywords that have no meaning.
        (NEW, r##"{"then": {"$ref": "#"}, "extends": {"$ref": "#"}}"##),
        (Draft::Draft6, r##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##),
        (Draft::Draft7, r##"{"items": {"$ref": "#", "allOf": [{"$ref": "#/items"}]}}"##),
        (Draft::Draft4, r##"{"if": true, "then": {"$ref": "#"}}"##),
        // What is never applied.
        (NEW, r##"{"$defs": {"a": {"$ref": "#/$defs/a"}}}"##),
        (NEW, r##"{"enum": [{"$ref": "#"}], "properties": {"$ref": {"$ref": "#"}}}"##),
    ] {
        let schema = compile(draft, schema).map_err(|error| format!("{schema}: {error}"));
        assert!(schema.is_ok(), "{schema:?}");
    }
}
