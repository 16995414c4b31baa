//! [`Text`]: a string in an expression, with a raw form that can be compared with strings in documents.

#![forbid(unsafe_code)]

use crate::scalar::same_key;

/// A name or a string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    value: Box<str>,
    /// The value as between the quotes of a JSON string, except that only backslashes are escaped.
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

    /// Returns whether a raw string of a document, without its quotes, has the same value.
    #[inline]
    pub(crate) fn is(&self, raw: &[u8]) -> bool {
        same_key(&self.raw, raw)
    }
}
