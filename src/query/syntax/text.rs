//! A string in an expression: its value, and a raw form that can be compared with strings in documents.

#![forbid(unsafe_code)]

use crate::scalar::same_name;

/// A name or a string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    value: Box<str>,
    /// As between the quotes of a JSON string, but only backslashes are escaped.
    raw: Box<[u8]>,
}

impl Text {
    pub(crate) fn new(value: impl Into<Box<str>>) -> Self {
        let value = value.into();
        Self { raw: value.replace('\\', r"\\").into_bytes().into_boxed_slice(), value }
    }

    /// Returns the value, unescaped.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// Returns the raw form, for functions that compare raw strings of documents. It may contain quotes and control characters.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Whether a raw string of a document, without its quotes, has the same value.
    #[inline]
    pub(crate) fn is(&self, raw: &[u8]) -> bool {
        same_name(&self.raw, raw)
    }
}
