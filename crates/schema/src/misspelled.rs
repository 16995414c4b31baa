//! Keywords that are probably misspelled. JSON Schema ignores what it does not know, so such a schema accepts more than was meant.

#![forbid(unsafe_code)]

use fjson::Kind;
use fjson::Value;

use crate::schema_error::Problem;
use crate::suggest::similar;
use crate::trouble::Trouble;
use crate::words::quoted;

/// The keywords of all drafts.
const KEYWORDS: &str = "$anchor $comment $defs $dynamicAnchor $dynamicRef $id $recursiveAnchor $recursiveRef $ref $schema $vocabulary \
    additionalItems additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions \
    dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum exclusiveMinimum \
    format id if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum \
    multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames readOnly required then title type \
    unevaluatedItems unevaluatedProperties uniqueItems writeOnly";

/// Keywords that others have added, such as editors, and that are similar to those above.
const OTHERS: &str = "enumNames enums example links note notes patterns titles";

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
                "additionalItems"
                | "additionalProperties"
                | "allOf"
                | "anyOf"
                | "contains"
                | "contentSchema"
                | "else"
                | "if"
                | "items"
                | "not"
                | "oneOf"
                | "prefixItems"
                | "propertyNames"
                | "then"
                | "unevaluatedItems"
                | "unevaluatedProperties" => match member.value.kind() {
                    Kind::Array => schemas.extend(member.value.iter()),
                    _ => schemas.push(member.value),
                },
                key if names(KEYWORDS).chain(names(OTHERS)).any(|name| name == key) => {}
                key => {
                    if let Some(meant) = similar(key, names(KEYWORDS)) {
                        let message = format!("JSON Schema has no keyword {}, so it is ignored", quoted(key));
                        let help = Some(format!("did you mean {}?", quoted(meant)));
                        found.push(Trouble { file, value: member.key, message, help }.problem());
                    }
                }
            }
        }
    }
    found.sort_by_key(|problem| problem.diagnostic.offset);
    found
}

fn names(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
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
    }
}
