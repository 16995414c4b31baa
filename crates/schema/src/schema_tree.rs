//! Schemas as trees of `serde_json`, with their patterns rewritten for the engine.

#![forbid(unsafe_code)]

use std::collections::HashMap;

use fjson::Kind;
use fjson::Value;
use serde_json::Map;
use serde_json::Value as Tree;

use crate::pattern::translated;
use crate::tree::tree;

/// What stands for a text that is no pattern, so that the validator complains about its place.
const NO_PATTERN: &str = "(";

/// The keys of `patternProperties` that were rewritten, and what they were.
#[derive(Default)]
pub(crate) struct Renamed(HashMap<String, String>);

impl Renamed {
    /// Returns the JSON Pointer in the schema of a place in the tree, if it is another.
    pub(crate) fn original(&self, pointer: &str) -> Option<String> {
        let original = |token: &str| {
            let key = token.replace("~1", "/").replace("~0", "~");
            let known = self.0.get(&key).map(|key| key.replace('~', "~0").replace('/', "~1"));
            known.unwrap_or_else(|| token.to_owned())
        };
        let tokens: Vec<String> = pointer.split('/').map(original).collect();
        Some(tokens.join("/")).filter(|found| found != pointer)
    }
}

/// Copies a schema to a tree. Of members with the same key, the last one counts.
pub(crate) fn schema_tree(schema: Value<'_, '_>, renamed: &mut Renamed) -> Tree {
    match schema.kind() {
        Kind::Array => Tree::Array(schema.iter().map(|element| schema_tree(element, renamed)).collect()),
        Kind::Object => {
            let member = |member: fjson::Member<'_, '_>| {
                let key = member.key.as_str_lossy().unwrap_or_default().into_owned();
                let value = match &*key {
                    // These are values of documents.
                    "const" | "default" | "enum" | "examples" => tree(member.value),
                    "pattern" if member.value.kind() == Kind::String => {
                        Tree::String(rewritten(&member.value.as_str_lossy().unwrap_or_default()))
                    }
                    "patternProperties" | "properties" | "$defs" | "definitions" | "dependentSchemas"
                    | "dependencies"
                        if member.value.kind() == Kind::Object =>
                    {
                        schemas(member.value, key == "patternProperties", renamed)
                    }
                    _ => schema_tree(member.value, renamed),
                };
                (key, value)
            };
            Tree::Object(schema.members().map(member).collect())
        }
        _ => tree(schema),
    }
}

/// Copies an object whose members are schemas.
fn schemas(object: Value<'_, '_>, keys_are_patterns: bool, renamed: &mut Renamed) -> Tree {
    let mut members = Map::new();
    for member in object.members() {
        let key = member.key.as_str_lossy().unwrap_or_default().into_owned();
        let schema = schema_tree(member.value, renamed);
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
            renamed.0.insert(pattern.clone(), key);
        }
        members.insert(pattern, schema);
    }
    Tree::Object(members)
}

fn rewritten(pattern: &str) -> String {
    translated(pattern).unwrap_or_else(|_| NO_PATTERN.to_owned())
}
