//! Keywords with numbers that doubles do not have, compared exactly.
//!
//! The validator keeps the numbers of a schema as 64-bit integers or doubles. A keyword with another number gets another name in the tree
//! that the validator sees ([`schema_tree`](crate::schema_tree)), its value becomes the text of the number, and is compared here.

#![forbid(unsafe_code)]

use std::cmp::Ordering;

use fjson::Kind;
use fjson::OwnedDocument;
use fjson::Parser;
use fjson::Value;
use fjson::scalar::AnyNumber;
use fjson::scalar::Number;
use jsonschema::Keyword;
use jsonschema::ValidationError;
use serde_json::Map;
use serde_json::Value as Tree;

use crate::node::Instances;
use crate::node::Node;
use crate::number::is_short;
use crate::words::joined;
use crate::words::shortened;

/// What the name of a keyword begins with if it is compared here.
pub(crate) const PREFIX: &str = "fjson:";

/// Keywords that have numbers.
pub(crate) const KEYWORDS: [&str; 7] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "enum"];

/// Up to here, all integers are doubles, with which others can be compared.
const DOUBLES: u64 = 1 << 53;

/// Number of values of an `enum` that a message lists.
const LISTED: usize = 6;

/// Whether the validator has all numbers in a value as they are.
pub(crate) fn is_exact(value: Value<'_, '_>) -> bool {
    match value.kind() {
        Kind::Number => match value.to_number() {
            // mutant: Some(AnyNumber::U64(_)) => true,
            Some(AnyNumber::U64(number)) => number <= DOUBLES,
            Some(AnyNumber::I64(number)) => number.unsigned_abs() <= DOUBLES,
            Some(AnyNumber::F64(_)) => is_short(value.raw().as_bytes()),
            Some(AnyNumber::Big(_)) | None => false,
        },
        Kind::Array => value.iter().all(is_exact),
        Kind::Object => value.members().all(|member| is_exact(member.value)),
        _ => true,
    }
}

/// A keyword that is compared here.
struct Exact {
    rule: Rule,
    /// What is expected, as the end of a sentence.
    expected: String,
}

enum Rule {
    /// A number has one of these orders to a limit.
    Bound(String, fn(Ordering) -> bool),
    MultipleOf(String),
    /// A value is an element of an array; `None` if a schema has a keyword with such a name, which means nothing.
    Enum(Option<OwnedDocument>),
}

/// Makes the keyword of its name without the prefix, of the schema that has it, and of its text.
pub(crate) fn keyword(name: &str, schema: &Map<String, Tree>, text: &Tree) -> Box<dyn for<'i> Keyword<'i, Instances>> {
    let text = text.as_str().unwrap_or_default();
    let is_excluded = |name: &str| schema.get(&format!("{PREFIX}{name}")) == Some(&Tree::Bool(true));
    let bound = |allows, words: &str| Exact {
        rule: Rule::Bound(text.to_owned(), allows),
        expected: format!("{words} {}", shortened(text)),
    };
    Box::new(match name {
        // mutant: "minimum" => bound(Ordering::is_ge, "at least"),
        "minimum" if !is_excluded("exclusiveMinimum") => bound(Ordering::is_ge, "at least"),
        "maximum" if !is_excluded("exclusiveMaximum") => bound(Ordering::is_le, "at most"),
        "minimum" | "exclusiveMinimum" => bound(Ordering::is_gt, "more than"),
        "maximum" | "exclusiveMaximum" => bound(Ordering::is_lt, "less than"),
        "multipleOf" => {
            Exact { rule: Rule::MultipleOf(text.to_owned()), expected: format!("a multiple of {}", shortened(text)) }
        }
        _ => values(&if name == "const" { format!("[{text}]") } else { text.to_owned() }),
    })
}

fn values(array: &str) -> Exact {
    let document = Parser::new().owned_document(array.as_bytes()).ok();
    let root = document.as_ref().map(OwnedDocument::root);
    let shown: Vec<String> = root.into_iter().flatten().take(LISTED).map(|value| shortened(value.raw())).collect();
    let expected = match root.map_or(0, Value::len) {
        1 => shown.concat(),
        count if count > LISTED => format!("one of {count} values: {}, …", shown.join(", ")),
        _ => format!("one of {}", joined(&shown, "or")),
    };
    Exact { rule: Rule::Enum(document), expected }
}

impl Exact {
    fn allows(&self, node: Node<'_>) -> bool {
        let (value, text) = match node {
            Node::Value(value) | Node::Root(value) => (Some(value), None),
            Node::Text(text) => (None, Some(text)),
        };
        let number = value.and_then(Value::as_number);
        match &self.rule {
            Rule::Bound(limit, allows) => {
                let limit = Number::new(limit.as_bytes());
                number.zip(limit).is_none_or(|(number, limit)| allows(number.cmp(&limit)))
            }
            Rule::MultipleOf(divisor) => {
                let divisor = Number::new(divisor.as_bytes());
                number.zip(divisor).is_none_or(|(number, divisor)| number.is_multiple_of(&divisor))
            }
            Rule::Enum(None) => true,
            Rule::Enum(Some(document)) => document.root().iter().any(|other| match (value, text) {
                (Some(value), _) => other == value,
                (None, text) => other.as_str().as_deref() == text,
            }),
        }
    }
}

impl<'i> Keyword<'i, Instances> for Exact {
    fn validate(&self, node: Node<'i>) -> Result<(), ValidationError<'i>> {
        if self.allows(node) {
            return Ok(());
        }
        // The error gets a copy of the value instead of its token.
        Err(ValidationError::custom(format!("{}:{}", node.tag(), self.expected)))
    }

    fn is_valid(&self, node: Node<'i>) -> bool {
        self.allows(node)
    }
}
