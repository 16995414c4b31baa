//! One string or one number: its text as it stands in JSON, and its value.
//!
//! Everything here works on the text of a single scalar, without a document around it: strings without their quotes,
//! numbers without whitespace. Nothing is rounded that need not be and nothing is replaced that the caller did not give
//! up, since a tool that moves values about must not change them by the way.

#![forbid(unsafe_code)]

mod escape;
mod keys;
mod number;
mod pieces;
mod print;
mod unescape;
mod value;

pub use escape::Escape;
pub use escape::escape;
pub use escape::reescape;
pub use keys::compare_keys;
pub use keys::compare_keys_utf16;
pub use keys::hash_key;
pub use keys::same_key;
pub use number::Number;
pub use print::NumberBuffer;
pub use unescape::StringError;
pub use unescape::StringErrorKind;
pub use unescape::Surrogates;
pub(crate) use unescape::are_paired;
pub use unescape::has_escapes;
pub use unescape::unescape;
pub use unescape::unescape_into;

pub(crate) use value::MOST_DIGITS;
