//! Writes the location of a match as a normalized path (RFC 9535, section 2.7) or a JSON Pointer (RFC 6901).
//!
//! The steps to a match refer to the text of the document. Keys are unescaped only when a location is written.

#![forbid(unsafe_code)]

use crate::input::change_point;
use crate::scalar::Surrogates;
use crate::scalar::append_element;
use crate::scalar::append_member;
use crate::scalar::append_quoted;
use crate::scalar::unescape;
use std::fmt::Write;
use std::ops::Range;

/// A step from a container to one of its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::query) enum PathStep {
    /// The range of the raw key, without the quotes.
    Name(Range<usize>),
    /// The index of an element.
    Index(i64),
}

/// Returns the normalized path of the node in `text` to which `steps` lead. A lone surrogate, which no query can name, is written as
/// an escape.
pub(in crate::query) fn path(text: &[u8], steps: &[PathStep]) -> String {
    let mut path = String::with_capacity(64);
    path.push('$');
    for step in steps {
        match step {
            PathStep::Index(index) => append_element(*index, &mut path),
            PathStep::Name(name) => {
                path += "['";
                append_quoted(&unescaped(key(text, name)), '\'', &mut path);
                path += "']";
            }
        }
    }
    path
}

/// Returns the raw key of a step.
fn key<'t>(text: &'t [u8], name: &Range<usize>) -> &'t [u8] {
    change_point();
    text.get(name.clone()).unwrap_or_default()
}

/// Returns the path of the node in `text` to which `steps` lead, in the short form of [`append_member`].
pub(in crate::query) fn short_path(text: &[u8], steps: &[PathStep]) -> String {
    let mut path = String::with_capacity(64);
    path.push('$');
    for step in steps {
        match step {
            PathStep::Index(index) => append_element(*index, &mut path),
            PathStep::Name(name) => append_member(&unescaped(key(text, name)), &mut path),
        }
    }
    path
}

/// Returns a raw key without escapes. A copy, since a memory-mapped text may change while it is decoded.
fn unescaped(name: &[u8]) -> Vec<u8> {
    unescape(name, Surrogates::Keep).unwrap_or_default().into_owned()
}

/// Returns the JSON Pointer to the node in `text` to which `steps` lead; `None` if a name on the path has a lone surrogate.
pub(in crate::query) fn pointer(text: &[u8], steps: &[PathStep]) -> Option<String> {
    let mut pointer = String::new();
    for step in steps {
        pointer.push('/');
        match step {
            PathStep::Index(index) => write!(pointer, "{index}").ok()?,
            PathStep::Name(name) => {
                let value = unescape(key(text, name), Surrogates::Refuse).ok()?.into_owned();
                pointer += &str::from_utf8(&value).ok()?.replace('~', "~0").replace('/', "~1");
            }
        }
    }
    Some(pointer)
}

#[cfg(test)]
mod tests {
    use super::PathStep;
    use super::path;
    use super::pointer;
    use super::short_path;

    #[test]
    fn locations_are_written() {
        for (name, normalized, expected) in [
            ("", "$[''][7]", Some("//7")),
            ("a/~b", "$['a/~b'][7]", Some("/a~1~0b/7")),
            (r#"'\"\\\/"#, r#"$['\'"\\/'][7]"#, Some(r#"/'"\~1/7"#)),
            (r"\b\f\n\r\t", r"$['\b\f\n\r\t'][7]", Some("/\u{8}\u{c}\n\r\t/7")),
            (r"\u0000\u000B\u001f\u007f", "$['\\u0000\\u000b\\u001f\u{7f}'][7]", Some("/\0\u{b}\u{1f}\u{7f}/7")),
            (r"\u00e9\ud834\udd1e", "$['\u{e9}\u{1d11e}'][7]", Some("/\u{e9}\u{1d11e}/7")),
            (r"a\uD800b\udfff", r"$['a\ud800b\udfff'][7]", None),
        ] {
            let steps = [PathStep::Name(0..name.len()), PathStep::Index(7)];
            assert_eq!(path(name.as_bytes(), &steps), normalized);
            let short = normalized.replace('"', "\\\"").replace("\\'", "'").replace("['", "[\"").replace("']", "\"]");
            assert_eq!(short_path(name.as_bytes(), &steps), short);
            assert_eq!(pointer(name.as_bytes(), &steps).as_deref(), expected);
        }
    }
}
