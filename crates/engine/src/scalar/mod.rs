//! Conversion between JSON strings and numbers and their values.
//!
//! All functions take the text of a single scalar without a document around it: a string without its quotes, or a number
//! without whitespace. They never round or replace anything unless the caller asks for it.

#![forbid(unsafe_code)]

mod any_number;
mod escape;
mod fixed_width;
mod keys;
mod multiple;
mod natural;
mod number;
mod path;
mod pieces;
mod print;
mod read;
mod shapes;
mod unescape;
mod value;

pub use any_number::AnyNumber;
pub use any_number::convert_number;
pub use escape::Escape;
pub use escape::escape;
pub(crate) use escape::push_escape;
pub use escape::reescape;
pub use fixed_width::CharWidth;
pub use fixed_width::char_width;
pub use fixed_width::write_four_bytes;
pub use fixed_width::write_one_byte;
pub use fixed_width::write_two_bytes;
pub use keys::compare_keys;
pub use keys::compare_keys_utf16;
pub use keys::hash_key;
pub(crate) use keys::hash_unescaped;
pub(crate) use keys::is_value;
pub use keys::same_key;
pub use natural::compare_keys_natural;
pub use number::Number;
pub(crate) use number::is_number_byte;
pub(crate) use number::is_short;
pub(crate) use number::number_length;
pub(crate) use path::append_element;
pub(crate) use path::append_member;
pub(crate) use path::append_quoted;
pub(crate) use pieces::decode_escape;
pub(crate) use pieces::encode;
pub(crate) use pieces::is_high;
pub use print::NumberBuffer;
pub(crate) use print::is_ecmascript;
pub(crate) use read::Numeric;
pub(crate) use read::read_number;
pub(crate) use shapes::Prediction;
pub(crate) use shapes::Shapes;
pub(crate) use shapes::word;
pub use unescape::StringError;
pub use unescape::StringErrorKind;
pub use unescape::Surrogates;
pub(crate) use unescape::are_paired;
pub(crate) use unescape::has_backslash;
pub use unescape::has_escapes;
pub use unescape::unescape;
pub use unescape::unescape_into;

pub(crate) use value::MAX_DIGITS;
#[cfg(feature = "serde")]
pub(crate) use value::nearest_single;

/// The name of the newtype whose content is the text of any value, for the deserializer and the serializer.
#[cfg(feature = "serde")]
pub(crate) const RAW: &str = "$fjson::RawValue";

/// The same for the `RawValue` of `serde_json`: the name of its newtype when it is read, and of a struct and its only field when it
/// is written.
#[cfg(feature = "serde")]
pub(crate) const SERDE_JSON_RAW: &str = "$serde_json::private::RawValue";
