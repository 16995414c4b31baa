//! Values of the jq language: 16 bytes each, scalars inline, strings and containers shared and copied when they change.
//!
//! A value never leaves its thread, so counting references is cheap, and so is knowing how much memory all values of a thread hold
//! ([`memory::live`]). Nothing here recurses into a value: nesting as deep as memory allows is compared, written and freed.

#![forbid(unsafe_code)]

mod access;
pub mod arithmetic;
mod array;
mod batch;
mod compare;
mod error;
mod iterate;
mod lazy;
mod lossy;
pub mod memory;
mod number;
mod object;
pub(crate) mod read;
mod text;

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

pub use array::Array;
pub use batch::Batch;
pub(crate) use compare::Comparison;
pub use compare::compare;
pub use compare::equal;
pub use error::Error;
pub use error::excerpt;
pub use iterate::Iterate;
pub(crate) use lazy::Descendants;
pub(crate) use lazy::Distinct;
pub(crate) use lazy::Lazy;
pub(crate) use lazy::SeenKeys;
pub(crate) use lazy::Source;
pub(crate) use lazy::shared_key;
pub use lossy::lossy_text;
pub(crate) use number::Literal;
pub(crate) use number::write_double;
pub(crate) use number::write_number;
pub use object::Object;
pub use read::Reader;
pub use text::Text;

/// A value of the jq language: what JSON has, and NaN and infinite numbers.
///
/// Cloning copies at most a pointer. Two values that share a string or container are independent: the shared part is copied by the
/// one that changes first.
///
/// ```
/// use fjson_jq::value::{Kind, Value};
///
/// let value = Value::parse(br#"{"name": "Ada", "born": 1815}"#)?;
/// assert_eq!(value.kind(), Kind::Object);
/// assert_eq!(value.field("born")?.as_number(), Some(1815.0));
/// assert_eq!(value.field("died")?.kind(), Kind::Null);
/// # Ok::<(), fjson_jq::value::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Value(pub(crate) Repr);

/// How a value is kept.
#[derive(Clone, Default)]
pub(crate) enum Repr {
    #[default]
    Null,
    Boolean(bool),
    /// The result of a computation.
    Number(f64),
    /// A number of a text, whose digits are those that are written for its double.
    Decimal(f64),
    /// A number of a text, whose digits differ from those that would be written for its double.
    Literal(Rc<Literal>),
    Text(Text),
    Array(Array),
    Object(Object),
    /// A number, string, array or object that is still text.
    Lazy(Lazy),
}

/// The type of a value. Values of different types are ordered like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `false` or `true`. `false` comes first.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Returns the name that the filter `type` gives.
    ///
    /// ```
    /// assert_eq!(fjson_jq::value::Kind::Boolean.name(), "boolean");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Returns a bit of its own, for sets of types.
    #[must_use]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Value {
    /// `null`
    pub const NULL: Self = Self(Repr::Null);
    /// `true`
    pub const TRUE: Self = Self(Repr::Boolean(true));
    /// `false`
    pub const FALSE: Self = Self(Repr::Boolean(false));

    /// Returns the number with this text, which keeps its digits until it is computed with. The text may be any that the language
    /// takes as a number, such as `.5`; `None` if it is not a number.
    ///
    /// ```
    /// use fjson_jq::value::Value;
    ///
    /// assert_eq!(Value::number_literal("100000000000000000001").unwrap().to_string(), "100000000000000000001");
    /// assert_eq!(Value::number_literal("1e2").unwrap().to_string(), "1E+2");
    /// assert!(Value::number_literal("1x").is_none());
    /// ```
    #[must_use]
    pub fn number_literal(text: &str) -> Option<Self> {
        number::parse(text.as_bytes())
    }

    /// Returns the type.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        match &self.0 {
            Repr::Null => Kind::Null,
            Repr::Boolean(_) => Kind::Boolean,
            Repr::Number(_) | Repr::Decimal(_) | Repr::Literal(_) => Kind::Number,
            Repr::Text(_) => Kind::String,
            Repr::Array(_) => Kind::Array,
            Repr::Object(_) => Kind::Object,
            Repr::Lazy(lazy) => lazy.kind(),
        }
    }

    /// Decodes a value that is still text; of a container, only its own elements or members.
    #[inline]
    pub(crate) fn decode(&mut self) -> &mut Self {
        if let Repr::Lazy(lazy) = &self.0 {
            *self = lazy.decoded();
        }
        self
    }

    /// Returns the value, which is decoded like [`decode`](Self::decode) does.
    #[inline]
    pub(crate) fn decoded(mut self) -> Self {
        self.decode();
        self
    }

    /// Returns the value, which is decoded like [`decode`](Self::decode) does.
    #[inline]
    pub(crate) fn to_decoded(&self) -> Cow<'_, Self> {
        match &self.0 {
            Repr::Lazy(lazy) => Cow::Owned(lazy.decoded()),
            _ => Cow::Borrowed(self),
        }
    }

    /// Whether a condition with this value holds: it is neither `null` nor `false`.
    #[must_use]
    #[inline]
    pub fn is_true(&self) -> bool {
        !matches!(self.0, Repr::Null | Repr::Boolean(false))
    }

    /// Returns a number as the double that filters compute with.
    #[must_use]
    #[inline]
    pub fn as_number(&self) -> Option<f64> {
        match &self.0 {
            Repr::Number(number) | Repr::Decimal(number) => Some(*number),
            Repr::Literal(literal) => Some(literal.double),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Number => Some(lazy.double()),
            _ => None,
        }
    }

    /// Returns a number that is compared as a double.
    #[inline]
    pub(crate) fn as_plain_number(&self) -> Option<f64> {
        match &self.0 {
            Repr::Number(number) | Repr::Decimal(number) => Some(*number),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Number => lazy.decoded().as_plain_number(),
            _ => None,
        }
    }

    /// Returns the content of a string.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        match &self.0 {
            Repr::Text(text) => Some(Cow::Borrowed(text)),
            Repr::Lazy(lazy) if lazy.kind() == Kind::String => Some(Cow::Borrowed(lazy.text())),
            _ => None,
        }
    }

    /// Returns the content of a string, shared with it.
    #[must_use]
    #[inline]
    pub fn to_text(&self) -> Option<Text> {
        match &self.0 {
            Repr::Text(text) => Some(text.clone()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::String => Some(lazy.text().into()),
            _ => None,
        }
    }

    /// Returns the content of a string.
    ///
    /// # Errors
    /// The value itself, if it is not a string.
    #[inline]
    pub fn into_text(self) -> Result<Text, Self> {
        match self.0 {
            Repr::Text(text) => Ok(text),
            Repr::Lazy(lazy) if lazy.kind() == Kind::String => Ok(lazy.text().into()),
            other => Err(Self(other)),
        }
    }

    /// Returns the elements of an array.
    ///
    /// # Errors
    /// The value itself, if it is not an array.
    #[inline]
    pub fn into_array(self) -> Result<Array, Self> {
        match self.0 {
            Repr::Array(array) => Ok(array),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Array => Ok(lazy.array()),
            other => Err(Self(other)),
        }
    }

    /// Returns the members of an object.
    ///
    /// # Errors
    /// The value itself, if it is not an object.
    #[inline]
    pub fn into_object(self) -> Result<Object, Self> {
        match self.0 {
            Repr::Object(object) => Ok(object),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => Ok(lazy.object()),
            other => Err(Self(other)),
        }
    }

    /// Returns the elements of an array, shared with it.
    #[must_use]
    #[inline]
    pub fn to_array(&self) -> Option<Array> {
        match &self.0 {
            Repr::Array(array) => Some(array.clone()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Array => Some(lazy.array()),
            _ => None,
        }
    }

    /// Returns the members of an object, shared with it.
    #[must_use]
    #[inline]
    pub fn to_object(&self) -> Option<Object> {
        match &self.0 {
            Repr::Object(object) => Some(object.clone()),
            Repr::Lazy(lazy) if lazy.kind() == Kind::Object => Some(lazy.object()),
            _ => None,
        }
    }

    /// Returns the number of elements of an array or members of an object.
    #[must_use]
    #[inline]
    pub fn len(&self) -> Option<usize> {
        match &self.0 {
            Repr::Array(array) => Some(array.len()),
            Repr::Object(object) => Some(object.len()),
            Repr::Lazy(lazy) if lazy.kind() >= Kind::Array => Some(lazy.len()),
            _ => None,
        }
    }

    /// Whether this is an array without elements or an object without members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Returns the value of a JSON text, which must be one strictly valid document.
    ///
    /// # Errors
    /// What is wrong, and the line and column. [`Reader::read`] returns an error of the library, which has more.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Reader::new().read(text).map_err(|error| match (error.line(), error.column()) {
            (Some(line), Some(column)) => Error::new(format!("{error} at line {line}, column {column}")),
            _ => Error::new(error.to_string()),
        })
    }

    /// Returns the value of a text as the filter `fromjson` does, which accepts more than JSON: NaN and numbers such as `.5`.
    ///
    /// # Errors
    /// The message of jq: what is wrong, and the line and column.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        read::lenient(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self(Repr::Boolean(value))
    }
}

impl From<f64> for Value {
    #[inline]
    fn from(value: f64) -> Self {
        Self(Repr::Number(value))
    }
}

impl From<i64> for Value {
    #[expect(clippy::cast_precision_loss, reason = "numbers of the language are doubles")]
    fn from(value: i64) -> Self {
        Self(Repr::Number(value as f64))
    }
}

impl From<usize> for Value {
    #[expect(clippy::cast_precision_loss, reason = "numbers of the language are doubles")]
    fn from(value: usize) -> Self {
        Self(Repr::Number(value as f64))
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self(Repr::Text(value.into()))
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self(Repr::Text(value.into()))
    }
}

impl From<Text> for Value {
    #[inline]
    fn from(value: Text) -> Self {
        Self(Repr::Text(value))
    }
}

impl From<Array> for Value {
    #[inline]
    fn from(value: Array) -> Self {
        Self(Repr::Array(value))
    }
}

impl From<Object> for Value {
    #[inline]
    fn from(value: Object) -> Self {
        Self(Repr::Object(value))
    }
}

impl From<Vec<Value>> for Value {
    fn from(value: Vec<Value>) -> Self {
        Self(Repr::Array(value.into()))
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        values.into_iter().collect::<Vec<_>>().into()
    }
}

/// Values that are too deep to be compared are not equal.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        equal(self, other).unwrap_or(false)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests;
