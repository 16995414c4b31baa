//! Keywords that need nothing but a string or a number: they are left to the crate, which is asked about that value alone.

#![forbid(unsafe_code)]

use std::fmt;
use std::sync::OnceLock;

use fjson::Value;
use jsonschema::Validator;

use crate::compiled::rules::Answer;
use crate::compiled::rules::FRACTION;
use crate::compiled::rules::INTEGER;
use crate::compiled::rules::STRING;
use crate::compiled::rules::Types;
use crate::draft::Draft;
use crate::node::Instances;
use crate::node::Node;

/// The keywords, and the types of values that each is about.
const KEYWORDS: [(&str, Types); 3] = [("pattern", STRING), ("format", STRING), ("multipleOf", INTEGER | FRACTION)];

/// Makes the validator of a schema with these keywords. The flag says whether formats are asserted.
pub(crate) type MakeValidator = fn(Draft, bool, &str) -> Option<Validator<Instances>>;

/// What is needed to make a validator.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) draft: Draft,
    pub(super) formats: bool,
    pub(super) make: MakeValidator,
}

/// The part of a schema with these keywords.
pub(super) struct Part {
    /// The types of values that it is about.
    pub(super) types: Types,
    schema: String,
    parts: Parts,
    /// The validator, made for the first value: many schemas have a hundred patterns for documents that have none of their strings.
    validator: OnceLock<Option<Validator<Instances>>>,
}

impl Part {
    /// Returns the part of a schema, if it has one.
    pub(super) fn of(schema: Value<'_, '_>, parts: Parts) -> Option<Self> {
        let (mut types, mut members) = (0, Vec::new());
        for (key, about) in KEYWORDS {
            if let Some(value) = schema.get(key).filter(|_| key != "format" || parts.formats) {
                types |= about;
                members.push(format!("\"{key}\":{}", value.raw()));
            }
        }
        let schema = format!("{{{}}}", members.join(","));
        (types != 0).then(|| Self { types, schema, parts, validator: OnceLock::new() })
    }

    /// Returns what the crate says about a value of one of these types.
    pub(super) fn answer(&self, value: Value<'_, '_>) -> Answer {
        let Parts { draft, formats, make } = self.parts;
        match self.validator.get_or_init(|| make(draft, formats, &self.schema)) {
            Some(validator) if validator.is_valid(Node::Value(value)) => Answer::Valid,
            // mutant: Some(_) => Answer::Valid,
            Some(_) => Answer::Invalid,
            None => Answer::Unknown,
        }
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Part").field(&self.schema).finish()
    }
}
