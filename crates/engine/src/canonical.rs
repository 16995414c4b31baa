//! The canonical form of RFC 8785 (JCS): documents with equal content become equal bytes.
//!
//! Keys are sorted by UTF-16 code units, numbers are written as ECMAScript writes the nearest double, and strings
//! contain only the necessary escapes. Content without a unique form is rejected: duplicate keys, lone surrogates, and
//! numbers too large for a double. So it is minified text with certain options: the profile rejects, and the stage rewrites and
//! sorts.

#![forbid(unsafe_code)]

use std::io::Write;

use crate::error::Error;
use crate::input::Input;
use crate::minify::minified_difference;
use crate::minify::minify;
use crate::options::Options;
use crate::options::Sort;
use crate::options::Summary;
use crate::scalar::Escape;

/// Copies `input` to `sink` in the canonical form of RFC 8785 and validates it on the way. Documents with equal content
/// become equal bytes, so they can be compared, hashed and signed.
///
/// An object is held in memory with everything in it until it is closed, as for
/// [`Options::sort_keys`](crate::Options::sort_keys). Line breaks and record separators are those of
/// [`minify`](crate::minify()).
///
/// # Errors
/// Returns the first error of the first invalid document. Besides syntax errors these are a duplicate key
/// ([`DuplicateKey`](crate::ErrorKind::DuplicateKey)), a lone surrogate ([`LoneSurrogate`](crate::ErrorKind::LoneSurrogate)), and a
/// number too large for a double ([`InexactNumber`](crate::ErrorKind::InexactNumber)). Everything before the error has then been
/// written, except for objects that are not complete. Or returns an error of reading or writing, or of
/// [memory](crate::Options::max_memory).
///
/// ```
/// let mut sink = Vec::new();
/// let text = r#"{"b": 1.50, "a": [1e21, "\u0041\/\u20ac"]}"#;
/// fjson::canonical(text, &mut sink, &fjson::Options::new())?;
/// assert_eq!(String::from_utf8_lossy(&sink), r#"{"a":[1e+21,"A/€"],"b":1.5}"#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn canonical<'a>(input: impl Into<Input<'a>>, sink: impl Write, options: &Options) -> Result<Summary, Error> {
    minify(input, sink, &canonical_options(options))
}

/// Compares `input` with what [`canonical`] would write. Returns `None` if they are equal, and otherwise the offset of
/// the first byte that differs. If the input is a prefix of the output, that is the length of the input.
///
/// # Errors
/// Returns the errors of [`canonical`], except for those of writing.
///
/// ```
/// use fjson::{Options, canonical_difference};
///
/// assert_eq!(canonical_difference(r#"{"a":1,"b":2}"#, &Options::new())?, None);
/// assert_eq!(canonical_difference(r#"{"b":2,"a":1}"#, &Options::new())?, Some(2));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn canonical_difference<'a>(input: impl Into<Input<'a>>, options: &Options) -> Result<Option<u64>, Error> {
    minified_difference(input, &canonical_options(options))
}

/// Returns the options with those that the canonical form fixes.
fn canonical_options(options: &Options) -> Options {
    let mut options = options.clone().unique_keys(true).escape(Escape::minimal()).unescape(true);
    options.sort = Sort::Units;
    options.canonical = true;
    options
}
