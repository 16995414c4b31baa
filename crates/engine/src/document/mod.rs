//! Documents in memory whose values are read where they stand, in any order, without a tree.
//!
//! A [`Parser`] checks a document once and lists where its tokens are. A [`Value`] is a place in this list: it is copied
//! freely, and decodes a string or number only when asked for it. There is no tree to build and to free, so reading a few
//! values of a document costs little more than checking it.

mod children;
mod compare;
mod key_cache;
mod lookup;
#[cfg(feature = "query")]
mod matches;
mod owned;
mod parser;
mod place;
mod pointer;
mod records;
mod tables;
mod text;
mod tokens;
mod value;

use std::ops::Deref;

pub use children::Elements;
pub use children::Member;
pub use children::Members;
pub(crate) use compare::sorted_members;
pub use key_cache::KeyCache;
pub use owned::OwnedDocument;
pub use owned::OwnedRecords;
pub use owned::OwnedValue;
pub use parser::Parser;
#[cfg(feature = "serde")]
pub(crate) use parser::RECURSION_LIMIT;
pub(crate) use pointer::push_token;
pub(crate) use pointer::unescape_token;
pub use records::Records;
pub(crate) use text::Listed;
pub(crate) use text::View;
pub use tokens::Token;
pub use tokens::TokenIter;
pub use tokens::TokenKind;
pub use tokens::Tokens;
pub use value::Kind;
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
pub struct Document<'p, 't> {
    root: Value<'p, 't>,
}

impl<'p, 't> Document<'p, 't> {
    fn new(view: View<'p, 't>) -> Self {
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
    pub fn root(&self) -> Value<'p, 't> {
        self.root
    }

    /// Returns the tokens of the document.
    ///
    /// ```
    /// use fjson::{Parser, TokenKind};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[1, [2]]")?;
    /// assert_eq!(document.tokens().iter().filter(|token| token.kind == TokenKind::Number).count(), 2);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn tokens(&self) -> Tokens<'p, 't> {
        self.root.tokens()
    }
}

impl<'p, 't> Deref for Document<'p, 't> {
    type Target = Value<'p, 't>;

    fn deref(&self) -> &Value<'p, 't> {
        &self.root
    }
}
