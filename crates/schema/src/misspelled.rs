//! Keywords that are probably misspelled. JSON Schema ignores what it does not know, so such a schema accepts more than was meant.

#![forbid(unsafe_code)]

use fjson::Kind;
use fjson::Value;

use crate::schema_error::Problem;
use crate::suggest::similar;
use crate::trouble::Trouble;

/// The keywords of all drafts.
const KEYWORDS: [&str; 63] = [
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "$ref",
    "$schema", "$vocabulary", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains",
    "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions", "dependencies", "dependentRequired",
    "dependentSchemas", "deprecated", "description", "else", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum",
    "format", "if", "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems",
    "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "prefixItems",
    "properties", "propertyNames", "readOnly", "required", "then", "title", "type", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems", "writeOnly", "id",
];

/// Keywords that others have added, and that are similar to those above: those of OpenAPI, of hyper-schemas, and of editors.
const OTHERS: [&str; 8] = ["example", "enumNames", "enums", "links", "note", "notes", "patterns", "titles"];

/// Returns a problem for each member of a schema, and of the schemas in it, whose name is similar to a keyword.
pub(crate) fn misspelled(file: &str, schema: Value<'_, '_>) -> Vec<Problem> {
    let (mut found, mut schemas) = (Vec::new(), vec![schema]);
    while let Some(schema) = schemas.pop() {
        for member in schema.members() {
            let Some(key) = member.key.as_str() else { continue };
            match &*key {
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
                    schemas.extend(member.value.members().map(|member| member.value));
                }
                "additionalItems" | "additionalProperties" | "allOf" | "anyOf" | "contains" | "contentSchema" | "else"
                | "if" | "items" | "not" | "oneOf" | "prefixItems" | "propertyNames" | "then" | "unevaluatedItems"
                | "unevaluatedProperties" => match member.value.kind() {
                    Kind::Array => schemas.extend(member.value.iter()),
                    _ => schemas.push(member.value),
                },
                key if KEYWORDS.contains(&key) || OTHERS.contains(&key) => {}
                key => {
                    if let Some(meant) = similar(key, KEYWORDS) {
                        let message = format!("JSON Schema has no keyword \"{key}\", so it is ignored");
                        let help = Some(format!("did you mean \"{meant}\"?"));
                        found.push(Trouble { file, value: member.key, message, help }.problem());
                    }
                }
            }
        }
    }
    found.sort_by_key(|problem| problem.diagnostic.offset);
    found
}

#[cfg(test)]
mod tests {
    use super::KEYWORDS;
    use super::misspelled;

    #[test]
    fn similar_to_keywords() {
        let schema = br#"{"propertys": 1, "require": [], "properties": {"require": {"typ": 1, "x-typ": 1, "name": 1}},
            "allOf": [{"itmes": {}}, {"anyof": []}], "enum": [{"typ": 1}], "example": 1, "$def": {}, "not": {"minimun": 1}}"#;
        let mut parser = fjson::Parser::new();
        let document = parser.document(schema).expect("valid");
        let found: Vec<_> = misspelled("s.json", document.root())
            .iter()
            .map(|problem| problem.diagnostic.help.clone().unwrap_or_default())
            .collect();
        let expected = ["properties", "required", "type", "items", "anyOf", "$defs", "minimum"];
        assert_eq!(found, expected.map(|keyword| format!("did you mean \"{keyword}\"?")));
    }

    /// The keywords of the meta-schemas, which describe themselves.
    #[test]
    fn meta_schemas_have_no_others() {
        for draft in crate::Draft::ALL {
            assert!(crate::Schema::of_draft(draft).misspelled().is_empty(), "{draft:?}");
        }
        let mut sorted = KEYWORDS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), KEYWORDS.len());
    }
}
