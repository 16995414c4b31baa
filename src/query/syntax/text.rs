//! A string of an expression: what it says, and how JSON writes it.

#![forbid(unsafe_code)]

use crate::scalar::same_name;

/// A name or a string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    value: Box<str>,
    /// As it would stand between the quotes of a JSON string, with an escape for each backslash and nothing else.
    raw: Box<[u8]>,
}

impl Text {
    pub(crate) fn new(value: impl Into<Box<str>>) -> Self {
        let value = value.into();
        Self { raw: value.replace('\\', r"\\").into_bytes().into_boxed_slice(), value }
    }

    /// In UTF-8, without escapes.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// In a form that the functions on names and strings of documents take. It may hold quotes and control characters.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Whether the text between two quotes of a document says the same.
    #[inline]
    pub(crate) fn is(&self, raw: &[u8]) -> bool {
        same_name(&self.raw, raw)
    }
}
