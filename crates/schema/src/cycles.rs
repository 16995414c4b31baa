//! Schemas that apply themselves to the same value. Checking a value would not end, and what that means is undefined (JSON Schema
//! Core 2020-12, section 9.4.1).

#![forbid(unsafe_code)]

use std::collections::HashMap;

use fjson::Kind;
use fjson::Value;

use crate::draft::Draft;
use crate::schema_error::Problem;
use crate::sources::Sources;
use crate::trouble::Trouble;

/// A schema while the schemas that it applies to the same value are visited, and afterwards.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Done,
}

/// Returns a problem if a schema, or one that it applies to a value or its parts, applies itself to the same value. `draft` is that of
/// documents without `$schema`. References whose targets depend on the schemas around them are not followed.
pub(crate) fn cycle(sources: &Sources, root: Value<'_, '_>, draft: Draft) -> Option<Problem> {
    let (mut states, mut path, mut schemas) = (HashMap::new(), Vec::new(), vec![root]);
    while let Some(schema) = schemas.pop() {
        let mut stack = vec![(schema, false)];
        while let Some((schema, is_left)) = stack.pop() {
            let place = place(schema);
            if is_left {
                states.insert(place, State::Done);
                path.pop();
                continue;
            }
            match states.get(&place) {
                Some(State::Open) => {
                    let start = path.iter().position(|&open| self::place(open) == place).unwrap_or_default();
                    return Some(problem(sources, &path[start..]));
                }
                Some(State::Done) => {}
                None => {
                    states.insert(place, State::Open);
                    path.push(schema);
                    stack.push((schema, true));
                    let applied = Applied::by(sources, schema, draft);
                    stack.extend(applied.to_value.into_iter().map(|schema| (schema, false)));
                    schemas.extend(applied.to_parts);
                }
            }
        }
    }
    None
}

/// Returns what no other schema has: the address of its text, and its token.
fn place(schema: Value<'_, '_>) -> (usize, usize) {
    (schema.tokens().text().as_ptr().addr(), schema.token())
}

/// Names the last reference of a cycle.
fn problem(sources: &Sources, cycle: &[Value<'_, '_>]) -> Problem {
    let is_within = |target: Value<'_, '_>| cycle.iter().any(|&schema| place(schema) == place(target));
    let references = cycle.iter().rev().filter_map(|schema| schema.get("$ref"));
    let last = references.filter(|&reference| sources.target(reference).is_some_and(|(_, target)| is_within(target)));
    let value = last.chain(cycle.first().copied()).next().expect("a cycle is not empty");
    let file = sources.number_of(value).map_or("", |number| &sources.documents[number].name);
    let message = "the schema refers to itself for the same value, so checking a value would not end".to_owned();
    let help = Some("refer to it only for parts of the value, as in `properties` or `items`".to_owned());
    Trouble { file, value, message, help }.problem()
}

/// The schemas that a schema applies.
#[derive(Default)]
struct Applied<'s> {
    to_value: Vec<Value<'s, 's>>,
    to_parts: Vec<Value<'s, 's>>,
}

impl<'s> Applied<'s> {
    fn by(sources: &'s Sources, schema: Value<'s, 's>, draft: Draft) -> Self {
        let declared = schema.tokens().value(0).get("$schema").and_then(Value::as_str);
        let draft = declared.and_then(|uri| Draft::of_uri(&uri)).unwrap_or(draft);
        let mut applied = Self::default();
        let target = schema.get("$ref").and_then(|reference| sources.target(reference));
        applied.to_value.extend(target.map(|(_, target)| target));
        if schema.get("$ref").is_some() && draft <= Draft::Draft7 {
            // What is beside a reference does not count.
            return applied;
        }
        let has_condition = draft >= Draft::Draft7 && schema.get("if").is_some();
        for member in schema.members() {
            let value = member.value;
            let values = value.members().map(|member| member.value);
            let elements: Vec<_> = if value.kind() == Kind::Array { value.iter().collect() } else { vec![value] };
            match &*member.key.as_str().unwrap_or_default() {
                "allOf" | "anyOf" | "oneOf" | "not" => applied.to_value.extend(elements),
                "if" | "then" | "else" if has_condition => applied.to_value.push(value),
                "dependentSchemas" if draft >= Draft::Draft201909 => applied.to_value.extend(values),
                "dependencies" => applied.to_value.extend(values),
                "properties" | "patternProperties" => applied.to_parts.extend(values),
                "additionalItems"
                | "additionalProperties"
                | "contains"
                | "items"
                | "prefixItems"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties" => applied.to_parts.extend(elements),
                _ => {}
            }
        }
        applied
    }
}
