//! Schemas as trees of `serde_json`, in which the validator takes them: their patterns are rewritten for the engine, and numbers that a
//! tree has not are left to [`exact`](crate::exact).

#![forbid(unsafe_code)]

use std::collections::HashMap;

use fjson::Kind;
use fjson::Value;
use serde_json::Map;
use serde_json::Value as Tree;

use crate::draft::Draft;
use crate::exact::KEYWORDS;
use crate::exact::PREFIX;
use crate::exact::is_exact;
use crate::pattern::translated;
use crate::tree::tree;

/// What stands for a text that is no pattern, so that the validator complains about its place.
const NO_PATTERN: &str = "(";

/// Makes trees, and knows the keys that have other names in them.
#[derive(Default)]
pub(crate) struct SchemaTrees {
    /// The draft of schemas without `$schema`; none if they may leave out keywords.
    pub(crate) draft: Option<Draft>,
    /// The keys of `patternProperties` that were rewritten, and what they were.
    patterns: HashMap<String, String>,
}

impl SchemaTrees {
    /// Makes trees of schemas of a draft, which they need not name.
    pub(crate) fn of_draft(draft: Draft) -> Self {
        Self { draft: Some(draft), patterns: HashMap::new() }
    }

    /// Returns the JSON Pointer in the schema of a place in the tree, if it is another.
    pub(crate) fn original(&self, pointer: &str) -> Option<String> {
        let original = |token: &str| {
            let key = token.replace("~1", "/").replace("~0", "~");
            let known = self.patterns.get(&key).map(|key| key.replace('~', "~0").replace('/', "~1"));
            known.unwrap_or_else(|| token.strip_prefix(PREFIX).unwrap_or(token).to_owned())
        };
        let tokens: Vec<String> = pointer.split('/').map(original).collect();
        Some(tokens.join("/")).filter(|found| found != pointer)
    }

    /// Copies a schema to a tree. Of members with the same key, the last one counts.
    pub(crate) fn copy(&mut self, schema: Value<'_, '_>) -> Tree {
        let draft = match schema.get("$schema").and_then(Value::as_str) {
            Some(uri) => Draft::of_uri(&uri),
            None => self.draft,
        };
        self.schema(schema, draft)
    }

    fn schema(&mut self, schema: Value<'_, '_>, draft: Option<Draft>) -> Tree {
        match schema.kind() {
            Kind::Array => Tree::Array(schema.iter().map(|element| self.schema(element, draft)).collect()),
            Kind::Object => {
                let mut members = Map::new();
                for member in schema.members() {
                    let key = member.key.as_str_lossy().unwrap_or_default().into_owned();
                    if draft.is_some_and(|draft| is_left_out(schema, &key, member.value, draft)) {
                        let is_flag = member.value.kind() == Kind::Bool;
                        let text = if is_flag { tree(member.value) } else { Tree::from(member.value.raw()) };
                        members.insert(format!("{PREFIX}{key}"), text);
                    } else {
                        let value = self.keyword(&key, member.value, draft);
                        members.insert(key, value);
                    }
                }
                Tree::Object(members)
            }
            _ => tree(schema),
        }
    }

    fn keyword(&mut self, key: &str, value: Value<'_, '_>, draft: Option<Draft>) -> Tree {
        match (key, value.kind()) {
            // These are values of documents.
            ("const" | "default" | "enum" | "examples", _) => tree(value),
            ("pattern", Kind::String) => Tree::String(rewritten(&value.as_str_lossy().unwrap_or_default())),
            (
                "patternProperties" | "properties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                Kind::Object,
            ) => self.schemas(value, key == "patternProperties", draft),
            _ => self.schema(value, draft),
        }
    }

    /// Copies an object whose members are schemas.
    fn schemas(&mut self, object: Value<'_, '_>, keys_are_patterns: bool, draft: Option<Draft>) -> Tree {
        let mut members = Map::new();
        for member in object.members() {
            let key = member.key.as_str_lossy().unwrap_or_default().into_owned();
            let schema = self.schema(member.value, draft);
            if !keys_are_patterns {
                members.insert(key, schema);
                continue;
            }
            let mut pattern = rewritten(&key);
            // Two keys may mean the same. An empty group means nothing.
            let more = if pattern == NO_PATTERN { NO_PATTERN } else { "(?:)" };
            while pattern != key && (members.contains_key(&pattern) || object.get(&pattern).is_some()) {
                pattern.push_str(more);
            }
            if pattern != key {
                self.patterns.insert(pattern.clone(), key);
            }
            members.insert(pattern, schema);
        }
        Tree::Object(members)
    }
}

/// Whether a keyword has numbers that the tree has not, or belongs to one that has.
fn is_left_out(schema: Value<'_, '_>, key: &str, value: Value<'_, '_>, draft: Draft) -> bool {
    if !KEYWORDS.contains(&key) {
        return false;
    }
    match (key, value.kind()) {
        ("exclusiveMinimum" | "exclusiveMaximum", Kind::Bool) => {
            let limit = if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
            draft == Draft::Draft4
                && schema.get(limit).is_some_and(|limit| limit.kind() == Kind::Number && !is_exact(limit))
        }
        ("exclusiveMinimum" | "exclusiveMaximum", Kind::Number) | ("const", _) => {
            draft > Draft::Draft4 && !is_exact(value)
        }
        // That of the validator is not exact for all numbers of documents. One that is not positive is an error.
        ("multipleOf", Kind::Number) => {
            value.as_number().is_some_and(|number| !number.is_negative())
                && value
                    .raw()
                    .bytes()
                    .take_while(|byte| !matches!(byte, b'e' | b'E'))
                    .any(|byte| matches!(byte, b'1'..=b'9'))
        }
        ("minimum" | "maximum", Kind::Number) | ("enum", Kind::Array) => !is_exact(value),
        _ => false,
    }
}

fn rewritten(pattern: &str) -> String {
    translated(pattern).unwrap_or_else(|_| NO_PATTERN.to_owned())
}
