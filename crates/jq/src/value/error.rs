//! Errors of filters, which are values, and the excerpts of values in their messages.

#![forbid(unsafe_code)]

use std::fmt;

use crate::value::Kind;
use crate::value::Value;
use crate::write;

/// An error that a filter raised: the value that `catch` gets.
///
/// ```
/// use fjson_jq::value::{Error, Value};
///
/// let error = Value::TRUE.field("a").unwrap_err();
/// assert_eq!(error.to_string(), "Cannot index boolean with string (\"a\")");
/// assert_eq!(Error::from_value(Value::from(vec![])).to_string(), "(not a string): []");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Value>);

impl Error {
    /// Returns an error with a message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::from_value(Value::from(message.into()))
    }

    /// Returns an error with any value.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        Self(Box::new(value))
    }

    /// Returns the value that `catch` gets.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the value that `catch` gets.
    #[must_use]
    pub fn into_value(self) -> Value {
        *self.0
    }

    /// Returns an error about one value.
    pub(crate) fn of(value: &Value, message: &str) -> Self {
        Self::new(format!("{} ({}) {message}", value.kind(), excerpt(value)))
    }

    /// Returns an error about two values.
    pub(crate) fn of_two(left: &Value, right: &Value, message: &str) -> Self {
        let (left_kind, right_kind) = (left.kind(), right.kind());
        Self::new(format!("{left_kind} ({}) and {right_kind} ({}) {message}", excerpt(left), excerpt(right)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            Some(message) => formatter.write_str(&message),
            None => write!(formatter, "(not a string): {}", self.0),
        }
    }
}

impl std::error::Error for Error {}

/// The longest excerpt in bytes.
const LONGEST: usize = 29;

/// Returns the text of a value for a message, cut to 29 bytes as jq does.
///
/// ```
/// use fjson_jq::value::{Value, excerpt};
///
/// assert_eq!(excerpt(&Value::from("a rather long string that is cut")), "\"a rather long string tha...\"");
/// ```
#[must_use]
pub fn excerpt(value: &Value) -> String {
    let mut text = write::beginning(value, LONGEST + 1);
    if text.len() <= LONGEST {
        return text;
    }
    let tail = match value.kind() {
        Kind::String => "...\"",
        Kind::Array => "...]",
        Kind::Object => "...}",
        _ => "...",
    };
    let mut end = LONGEST - tail.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(tail);
    text
}
