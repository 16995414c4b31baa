//! The keys that a schema knows, for suggestions.

#![forbid(unsafe_code)]

use fjson::Value;

use crate::finding::Finding;
use crate::sources::Sources;

/// Number of schemas that are asked for their keys, so that cyclic references end.
const MAX_SCHEMAS: usize = 200;

/// Number of keys that are collected.
const MAX_KEYS: usize = 2000;

/// Returns the keys that the schema with the keyword of a finding has in `properties`, also in those that it combines or refers to.
pub(crate) fn known_keys(sources: &Sources, finding: &Finding<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    let Some(uri) = finding.uri.as_deref().and_then(|uri| uri.rsplit_once('/')).map(|(parent, _)| parent) else {
        return keys;
    };
    let Some((_, schema)) = sources.find(uri) else { return keys };
    let mut budget = MAX_SCHEMAS;
    collect(sources, schema, &mut budget, &mut keys);
    keys
}

fn collect(sources: &Sources, schema: Value<'_, '_>, budget: &mut usize, keys: &mut Vec<String>) {
    if *budget == 0 || keys.len() >= MAX_KEYS {
        return;
    }
    *budget -= 1;
    for member in schema.members() {
        let value = member.value;
        match member.key.raw().trim_matches('"') {
            "properties" => {
                keys.extend(value.members().filter_map(|member| Some(member.key.as_str()?.into_owned())));
            }
            "allOf" | "anyOf" | "oneOf" => value.iter().for_each(|one| collect(sources, one, budget, keys)),
            "if" | "then" | "else" => collect(sources, value, budget, keys),
            "dependentSchemas" => {
                value.members().for_each(|member| collect(sources, member.value, budget, keys));
            }
            "$ref" | "$dynamicRef" | "$recursiveRef" => {
                if let Some((_, target)) = sources.target(value) {
                    collect(sources, target, budget, keys);
                }
            }
            _ => {}
        }
    }
}
