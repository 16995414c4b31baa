//! What is written between values: nothing but commas and colons, or also line breaks and indentation.

#![forbid(unsafe_code)]

use crate::pretty::Layout;
use crate::scalar::Escape;
use crate::writer::strings::push_key;
use crate::writer::strings::push_string_escaped;

/// The whitespace of a [`Serializer`](crate::Serializer): [`Compact`] or [`Indented`]. It cannot be implemented for other types.
///
/// ```
/// use fjson::{Format, Layout, Serializer};
/// use serde::Serialize;
///
/// fn write<F: Format>(mut serializer: Serializer<Vec<u8>, F>) -> Result<Vec<u8>, fjson::Error> {
///     ("a", 1).serialize(&mut serializer)?;
///     serializer.finish()
/// }
///
/// assert_eq!(write(Serializer::new(Vec::new()))?, br#"["a",1]"#);
/// assert_eq!(write(Serializer::pretty(Vec::new(), Layout::tab()))?, b"[\n\t\"a\",\n\t1\n]");
/// # Ok::<(), fjson::Error>(())
/// ```
pub trait Format: Sealed {
    /// Begins a container. Its bracket is the separator before its first element.
    #[doc(hidden)]
    fn open(&mut self);

    /// Appends a separator, and the whitespace after it.
    #[doc(hidden)]
    fn separate(&mut self, separator: u8, text: &mut Vec<u8>);

    /// Appends a separator, a key and a colon.
    #[doc(hidden)]
    fn push_key(&mut self, separator: u8, key: &str, escape: Escape, text: &mut Vec<u8>);

    /// Appends a colon, and the whitespace after it.
    #[doc(hidden)]
    fn colon(&mut self, text: &mut Vec<u8>);

    /// Ends a container, up to its closing bracket.
    #[doc(hidden)]
    fn close(&mut self, is_empty: bool, text: &mut Vec<u8>);
}

/// Keeps [`Format`] closed to other crates.
pub trait Sealed {}

/// No whitespace; see the example of [`Format`].
#[derive(Clone, Copy, Debug)]
pub struct Compact(());

impl Compact {
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl Sealed for Compact {}

impl Format for Compact {
    #[inline(always)]
    fn open(&mut self) {}

    #[inline(always)]
    fn separate(&mut self, separator: u8, text: &mut Vec<u8>) {
        text.push(separator);
    }

    #[inline(always)]
    fn push_key(&mut self, separator: u8, key: &str, escape: Escape, text: &mut Vec<u8>) {
        if escape == Escape::minimal() {
            return push_key(text, separator, key);
        }
        text.push(separator);
        push_string_escaped(text, key, escape);
        text.push(b':');
    }

    #[inline(always)]
    fn colon(&mut self, text: &mut Vec<u8>) {
        text.push(b':');
    }

    #[inline(always)]
    fn close(&mut self, _is_empty: bool, _text: &mut Vec<u8>) {}
}

/// Each element and member on a line of its own; see the example of [`Format`].
#[derive(Clone, Copy, Debug)]
pub struct Indented {
    layout: Layout,
    level: usize,
}

impl Indented {
    pub(super) fn new(layout: Layout, level: usize) -> Self {
        Self { layout, level }
    }
}

impl Sealed for Indented {}

impl Format for Indented {
    fn open(&mut self) {
        self.level += 1;
    }

    fn separate(&mut self, separator: u8, text: &mut Vec<u8>) {
        text.push(separator);
        self.layout.push_line_break(self.level, text);
    }

    fn push_key(&mut self, separator: u8, key: &str, escape: Escape, text: &mut Vec<u8>) {
        self.separate(separator, text);
        push_string_escaped(text, key, escape);
        self.colon(text);
    }

    fn colon(&mut self, text: &mut Vec<u8>) {
        text.extend_from_slice(b": ");
    }

    fn close(&mut self, is_empty: bool, text: &mut Vec<u8>) {
        self.level -= 1;
        if !is_empty {
            self.layout.push_line_break(self.level, text);
        }
    }
}
