//! Documents in memory whose values are read where they stand, in any order, without a tree.
//!
//! A [`Parser`] checks a document once and lists where its tokens are. A [`Value`] is a place in this list: it is copied
//! freely, and decodes a string or number only when asked for it. There is no tree to build and to free, so reading a few
//! values of a document costs little more than checking it.

mod key_cache;
mod parser;
mod pointer;
mod text;
mod value;

use std::ops::Deref;

pub use key_cache::KeyCache;
pub use parser::Parser;
#[cfg(feature = "serde")]
pub(crate) use text::ListedLines;
pub(crate) use text::View;
pub use value::Elements;
pub use value::Kind;
pub use value::Member;
pub use value::Members;
pub use value::Value;

/// A valid document, which borrows its text and the memory of its parser. It dereferences to its root, so values are
/// asked for directly.
///
/// ```
/// use fjson::Parser;
///
/// let mut parser = Parser::new();
/// let document = parser.document(br#"{"a": [true]}"#)?;
/// assert_eq!(document.pointer("/a/0").and_then(|value| value.as_bool()), Some(true));
/// assert_eq!(document.root().members().count(), 1);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    root: Value<'a>,
}

impl<'a> Document<'a> {
    fn new(view: View<'a, 'a>) -> Self {
        Self { root: Value::new(view, 0) }
    }

    /// Returns the outermost value, which may outlive the `Document` itself.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let root = parser.document(b"[1, 2]")?.root();
    /// assert_eq!(root.at(1).and_then(|value| value.as_u64()), Some(2));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn root(&self) -> Value<'a> {
        self.root
    }
}

impl<'a> Deref for Document<'a> {
    type Target = Value<'a>;

    fn deref(&self) -> &Value<'a> {
        &self.root
    }
}
