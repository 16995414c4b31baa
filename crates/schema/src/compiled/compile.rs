//! Makes rules of a schema, if it consists of keywords that there are rules for.

#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::collections::HashMap;

use fjson::Kind;
use fjson::Value;

use crate::compiled::keys::Index;
use crate::compiled::keys::Key;
use crate::compiled::keys::Keys;
use crate::compiled::part::MakeValidator;
use crate::compiled::part::Part;
use crate::compiled::part::Parts;
use crate::compiled::rules::ALL;
use crate::compiled::rules::ARRAY;
use crate::compiled::rules::ArrayRules;
use crate::compiled::rules::BOOLEAN;
use crate::compiled::rules::Bound;
use crate::compiled::rules::Combination;
use crate::compiled::rules::Compiled;
use crate::compiled::rules::Constant;
use crate::compiled::rules::FRACTION;
use crate::compiled::rules::INTEGER;
use crate::compiled::rules::NULL;
use crate::compiled::rules::NumberRules;
use crate::compiled::rules::OBJECT;
use crate::compiled::rules::ObjectRules;
use crate::compiled::rules::Rules;
use crate::compiled::rules::STRING;
use crate::compiled::rules::Types;
use crate::compiled::rules::nearest_double;
use crate::draft::Draft;
use crate::exact::is_exact;
use crate::sources::Sources;

/// Number of rules beyond which a schema is left to the crate.
const MAX_RULES: usize = 20_000;

/// Number of keys that can be required: each has a bit.
const MAX_REQUIRED: usize = 64;

/// Keywords without rules here, and the first draft that has them. Those of earlier drafts do not mean anything there.
const UNSUPPORTED: [(&str, Draft); 16] = [
    ("patternProperties", Draft::Draft4),
    ("dependencies", Draft::Draft4),
    ("contains", Draft::Draft6),
    ("propertyNames", Draft::Draft6),
    ("contentEncoding", Draft::Draft4),
    ("contentMediaType", Draft::Draft4),
    ("contentSchema", Draft::Draft4),
    ("dependentRequired", Draft::Draft201909),
    ("dependentSchemas", Draft::Draft201909),
    ("unevaluatedItems", Draft::Draft201909),
    ("unevaluatedProperties", Draft::Draft201909),
    ("$recursiveRef", Draft::Draft201909),
    ("$dynamicRef", Draft::Draft202012),
    ("$dynamicAnchor", Draft::Draft202012),
    ("$recursiveAnchor", Draft::Draft201909),
    ("discriminator", Draft::Draft4),
];

/// Compiles a schema without [cycles](crate::cycles); `None` if not all of it can be compiled.
pub(crate) fn compile(
    draft: Draft,
    formats: bool,
    schema: Value<'_, '_>,
    sources: &Sources,
    make: MakeValidator,
) -> Option<Compiled> {
    let parts = Parts { draft, formats, make };
    let mut compiler = Compiler { draft, parts, sources, rules: Vec::new(), known: HashMap::new() };
    compiler.schema(schema)?;
    let rules: Vec<Rules> = compiler.rules.into_iter().collect::<Option<_>>()?;
    Some(Compiled { rules, has_written_integers: draft == Draft::Draft4 })
}

struct Compiler<'c> {
    draft: Draft,
    parts: Parts,
    sources: &'c Sources,
    /// The rules of each subschema; `None` while it is compiled.
    rules: Vec<Option<Rules>>,
    /// The rules of the schemas that begin with a token of a text.
    known: HashMap<(usize, usize), Index>,
}

impl Compiler<'_> {
    /// Compiles a subschema.
    fn schema(&mut self, schema: Value<'_, '_>) -> Option<Index> {
        let place = (schema.tokens().text().as_ptr().addr(), schema.token());
        if let Some(&index) = self.known.get(&place) {
            return Some(index);
        }
        let index = self.rules.len();
        if index >= MAX_RULES {
            return None;
        }
        self.rules.push(None);
        self.known.insert(place, index);
        let rules = match schema.kind() {
            Kind::Bool => Rules::new(if schema.as_bool()? { ALL } else { 0 }),
            Kind::Object => self.keywords(schema, index == 0)?,
            _ => return None,
        };
        self.rules[index] = Some(rules);
        Some(index)
    }

    fn schemas(&mut self, schemas: Value<'_, '_>) -> Option<Vec<Index>> {
        schemas.iter().map(|schema| self.schema(schema)).collect()
    }

    fn keywords(&mut self, schema: Value<'_, '_>, is_root: bool) -> Option<Rules> {
        let mut rules = Rules::new(ALL);
        if let Some(reference) = schema.get("$ref") {
            rules.combined.push(Combination::All(vec![self.reference(reference)?]));
            if self.draft <= Draft::Draft7 {
                // What is beside a reference does not count.
                return Some(rules);
            }
        }
        // Other base URIs, other drafts.
        let has_own = |key: &&str| schema.get(key).is_some_and(|value| value.kind() == Kind::String);
        if !is_root && ["$id", "id", "$schema"].iter().any(has_own) || self.is_unsupported(schema) {
            return None;
        }
        rules.types = schema.get("type").map_or(Some(ALL), types)?;
        rules.values = self.values(schema)?;
        rules.number = self.number(schema)?;
        rules.length = range(schema, "minLength", "maxLength")?;
        rules.part = Part::of(schema, self.parts).map(Box::new);
        rules.array = self.array(schema)?.map(Box::new);
        rules.object = self.object(schema)?.map(Box::new);
        if let Some(all) = schema.get("allOf") {
            rules.combined.push(Combination::All(self.schemas(all)?));
        }
        if let Some(any) = schema.get("anyOf") {
            rules.combined.push(Combination::Any(self.schemas(any)?));
        }
        if let Some(one) = schema.get("oneOf") {
            rules.combined.push(Combination::One(self.schemas(one)?));
        }
        if let Some(not) = schema.get("not") {
            rules.combined.push(Combination::Not(self.schema(not)?));
        }
        if let Some(condition) = schema.get("if").filter(|_| self.draft >= Draft::Draft7) {
            let condition = self.schema(condition)?;
            let mut branch = |key| match schema.get(key) {
                Some(branch) => self.schema(branch).map(Some),
                None => Some(None),
            };
            let (then, otherwise) = (branch("then")?, branch("else")?);
            rules.combined.push(Combination::If(condition, then, otherwise));
        }
        Some(rules)
    }

    fn is_unsupported(&self, schema: Value<'_, '_>) -> bool {
        let is_used = |(key, since): &(&str, Draft)| self.draft >= *since && schema.get(key).is_some();
        UNSUPPORTED.iter().any(is_used)
    }

    fn reference(&mut self, reference: Value<'_, '_>) -> Option<Index> {
        let sources = self.sources;
        let (source, target) = sources.find(sources.target_uri(reference)?)?;
        let declared = source.document.root().get("$schema").and_then(Value::as_str);
        let is_of_draft = declared.is_none_or(|uri| Draft::of_uri(&uri) == Some(self.draft));
        if source.has_islands || !is_of_draft { None } else { self.schema(target) }
    }

    /// The values of `const` and `enum`.
    #[expect(clippy::option_option, reason = "there may be no values, or some that cannot be compiled")]
    fn values(&self, schema: Value<'_, '_>) -> Option<Option<Vec<Constant>>> {
        let single = schema.get("const").filter(|_| self.draft >= Draft::Draft6).map(constant);
        let list = schema.get("enum").map(|list| list.iter().map(constant).collect::<Option<Vec<_>>>());
        Some(match (single, list) {
            (None, None) => None,
            (Some(single), None) => Some(vec![single?]),
            (None, Some(list)) => Some(list?),
            (Some(single), Some(list)) => {
                let (single, mut list) = (single?, list?);
                list.retain(|value| *value == single);
                Some(list)
            }
        })
    }

    #[expect(clippy::option_option, reason = "there may be no bounds, or some that cannot be compiled")]
    fn number(&self, schema: Value<'_, '_>) -> Option<Option<NumberRules>> {
        let minimum = self.bound(schema, "minimum", "exclusiveMinimum", Ordering::Less)?;
        let maximum = self.bound(schema, "maximum", "exclusiveMaximum", Ordering::Greater)?;
        Some((minimum.is_some() || maximum.is_some()).then_some(NumberRules { minimum, maximum }))
    }

    /// Returns the stricter one of two bounds, one of which excludes its limit. `looser` is how a limit compares with a stricter one.
    #[expect(clippy::option_option, reason = "there may be no bound, or one that cannot be compiled")]
    fn bound(&self, schema: Value<'_, '_>, included: &str, excluded: &str, looser: Ordering) -> Option<Option<Bound>> {
        let bound = |key: &str, is_excluded| match schema.get(key) {
            None => Some(None),
            Some(limit) => Some(Some(Bound {
                text: limit.raw().into(),
                nearest: nearest_double(limit.to_number()?)?,
                is_short: is_exact(limit),
                is_excluded,
            })),
        };
        if self.draft == Draft::Draft4 {
            return bound(included, schema.get(excluded).and_then(Value::as_bool) == Some(true));
        }
        Some(match (bound(included, false)?, bound(excluded, true)?) {
            (Some(included), Some(excluded))
                if included.compare(excluded.nearest, || excluded.text.as_bytes()) == looser =>
            {
                Some(included)
            }
            (_, Some(excluded)) => Some(excluded),
            (included, None) => included,
        })
    }

    #[expect(clippy::option_option, reason = "there may be no rules, or some that cannot be compiled")]
    fn array(&mut self, schema: Value<'_, '_>) -> Option<Option<ArrayRules>> {
        let items = schema.get("items");
        let (first, others) = match items {
            _ if self.draft >= Draft::Draft202012 => (schema.get("prefixItems"), items),
            Some(items) if items.kind() == Kind::Array => (Some(items), schema.get("additionalItems")),
            _ => (None, items),
        };
        let first = first.map_or(Some(Vec::new()), |first| self.schemas(first))?;
        let others = others.map_or(Some(None), |others| self.schema(others).map(Some))?;
        let counts = range(schema, "minItems", "maxItems")?;
        let is_unique = schema.get("uniqueItems").and_then(Value::as_bool) == Some(true);
        let has_rules = !first.is_empty() || others.is_some() || counts.is_some() || is_unique;
        let (least, most) = counts.unwrap_or((0, u64::MAX));
        Some(has_rules.then_some(ArrayRules { first, others, least, most, is_unique }))
    }

    #[expect(clippy::option_option, reason = "there may be no rules, or some that cannot be compiled")]
    fn object(&mut self, schema: Value<'_, '_>) -> Option<Option<ObjectRules>> {
        let mut keys = Vec::new();
        for member in schema.get("properties").into_iter().flat_map(Value::members) {
            let rules = Some(self.schema(member.value)?);
            keys.push(Key { text: member.key.as_str()?.into(), rules, bit: 0 });
        }
        let mut required = 0;
        for (number, key) in schema.get("required").into_iter().flat_map(Value::iter).enumerate() {
            if number >= MAX_REQUIRED {
                return None;
            }
            let (text, bit) = (key.as_str()?, 1 << number);
            match keys.iter_mut().find(|key| *key.text == *text) {
                Some(key) => key.bit |= bit,
                None => keys.push(Key { text: text.into(), rules: None, bit }),
            }
            required |= bit;
        }
        let others = schema.get("additionalProperties").map_or(Some(None), |others| self.schema(others).map(Some))?;
        let counts = range(schema, "minProperties", "maxProperties")?;
        let has_rules = !keys.is_empty() || others.is_some() || counts.is_some();
        let (least, most) = counts.unwrap_or((0, u64::MAX));
        let keys = Keys::new(keys);
        Some(has_rules.then_some(ObjectRules { keys, others, required, least, most }))
    }
}

/// Returns two limits, the second of which is not limited by default.
#[expect(clippy::option_option, reason = "there may be no limits, or some that cannot be compiled")]
fn range(schema: Value<'_, '_>, least: &str, most: &str) -> Option<Option<(u64, u64)>> {
    let limit = |key: &str| schema.get(key).map_or(Some(None), |limit| limit.as_u64().map(Some));
    let (least, most) = (limit(least)?, limit(most)?);
    Some((least.is_some() || most.is_some()).then_some((least.unwrap_or(0), most.unwrap_or(u64::MAX))))
}

fn types(value: Value<'_, '_>) -> Option<Types> {
    if value.kind() == Kind::Array {
        return value.iter().try_fold(0, |all, one| Some(all | types(one)?));
    }
    Some(match &*value.as_str()? {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => INTEGER | FRACTION,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        _ => return None,
    })
}

fn constant(value: Value<'_, '_>) -> Option<Constant> {
    Some(match value.kind() {
        Kind::Null => Constant::Null,
        Kind::Bool => Constant::Boolean(value.as_bool()?),
        Kind::String => Constant::String(value.as_str()?.into()),
        Kind::Number => Constant::Number(nearest_double(value.to_number().filter(|_| is_exact(value))?)?),
        Kind::Array | Kind::Object => return None,
    })
}
