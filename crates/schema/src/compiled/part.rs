//! Keywords that need nothing but a string or a number: they are left to the crate, which is asked about that value alone.

#![forbid(unsafe_code)]

use std::fmt;
use std::sync::OnceLock;

use fjson::Kind;
use fjson::Value;
use jsonschema::Validator;

use crate::draft::Draft;
use crate::node::Instances;
use crate::node::Node;

/// The keywords, and the values that each is about.
const KEYWORDS: [(&str, Kind); 3] = [("pattern", Kind::String), ("format", Kind::String), ("multipleOf", Kind::Number)];

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
    /// Whether it is about strings, and about numbers.
    has_strings: bool,
    has_numbers: bool,
    schema: String,
    parts: Parts,
    /// The validator, made for the first value: many schemas have a hundred patterns for documents that have none of their strings.
    validator: OnceLock<Option<Validator<Instances>>>,
}

impl Part {
    /// Returns the part of a schema, if it has one.
    pub(super) fn of(schema: Value<'_, '_>, parts: Parts) -> Option<Self> {
        let used = KEYWORDS.iter().filter_map(|&(key, about)| Some((key, about, schema.get(key)?)));
        let used: Vec<_> = used.filter(|(key, ..)| *key != "format" || parts.formats).collect();
        let is_about = |kind| used.iter().any(|(_, about, _)| *about == kind);
        let (has_strings, has_numbers) = (is_about(Kind::String), is_about(Kind::Number));
        let members: Vec<String> = used.iter().map(|(key, _, value)| format!("\"{key}\":{}", value.raw())).collect();
        let schema = format!("{{{}}}", members.join(","));
        (!used.is_empty()).then(|| Self { has_strings, has_numbers, schema, parts, validator: OnceLock::new() })
    }

    /// Returns whether the crate accepts a string or a number; `None` if it has no validator for it.
    #[inline]
    pub(super) fn accepts(&self, value: Value<'_, '_>, is_string: bool) -> Option<bool> {
        // mutant: let is_about = false;
        let is_about = if is_string { self.has_strings } else { self.has_numbers };
        if is_about { self.ask(value) } else { Some(true) }
    }

    fn ask(&self, value: Value<'_, '_>) -> Option<bool> {
        let Parts { draft, formats, make } = self.parts;
        let validator = self.validator.get_or_init(|| make(draft, formats, &self.schema)).as_ref()?;
        Some(validator.is_valid(Node::Value(value)))
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Part").field(&self.schema).finish()
    }
}
