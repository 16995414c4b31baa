//! Values of Rust types from JSON, with the traits of `serde`.
//!
//! The text is checked and its tokens are listed first (see [`Parser`]); the types are then read along the list. So nothing
//! is checked twice, members that a type ignores are skipped without looking at their text, and a type may borrow its
//! strings. An error gets its line, column and JSON Pointer only when it is returned.

#![forbid(unsafe_code)]

mod access;
mod deserializer;
mod key;
mod raw;

use std::cell::Cell;
use std::io::Read;

use serde_core::de::Deserialize;
use serde_core::de::DeserializeOwned;

use crate::document::Parser;
use crate::document::View;
use crate::error::Error;
use crate::explain::locate;

pub use deserializer::Deserializer;
pub use raw::RawValue;

/// Greatest memory in bytes that a thread keeps for [`from_slice`].
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    static SPARE: Cell<Option<Box<Parser>>> = const { Cell::new(None) };
}

/// Reads a value of type `T` from one JSON document. `T` may borrow from the text.
///
/// Reading follows the conventions of `serde_json`, so types written for it work here, and so do its own `Value` and `RawValue`.
/// (Its feature `arbitrary_precision` is not supported: a `serde_json::Number` keeps what a `u64`, an `i64` or a double keeps.)
/// Integers are converted exactly or not at all, an `f64` or `f32` is the one nearest to the number, and a number too large for it is
/// an error (in `serde_json`, an `f32` becomes infinite). A string with an escaped lone surrogate is an error. To read many documents
/// or with other limits, use a [`Parser`].
///
/// # Errors
/// Returns the first error of the text; or an error of the kind [`ErrorKind::Data`](crate::ErrorKind::Data) if the document
/// does not fit the type, or [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit) if a value of the type would have more than 128
/// open containers; all with line, column and JSON Pointer. A text of 4 GiB or more is an error of the kind
/// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit), and missing memory one of the kind
/// [`ErrorKind::OutOfMemory`](crate::ErrorKind::OutOfMemory); these have no position.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct User<'t> {
///     id: u64,
///     name: &'t str,
/// }
///
/// let user: User = fjson::from_slice(br#"{"id": 7, "name": "Ada", "tags": []}"#)?;
/// assert_eq!((user.id, user.name), (7, "Ada"));
///
/// let error = fjson::from_slice::<Vec<User>>(br#"[{"id": "7", "name": "Ada"}]"#).err().unwrap();
/// assert_eq!(error.to_string(), r#"invalid type: string "7", expected u64"#);
/// assert_eq!((error.pointer(), error.column()), (Some("/0/id"), Some(9)));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn from_slice<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, Error> {
    let mut parser = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let result = parser.read(text);
    if parser.memory() <= MAX_KEPT {
        // It fails when the thread ends; then nothing is kept.
        let _ = SPARE.try_with(|spare| spare.set(Some(parser)));
    }
    result
}

/// Reads a value of type `T` from one JSON document, like [`from_slice`].
///
/// # Errors
/// Like [`from_slice`].
///
/// ```
/// assert_eq!(fjson::from_str::<Vec<Option<f32>>>("[1.5, null]")?, [Some(1.5), None]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Error> {
    from_slice(text.as_bytes())
}

/// Reads a value of type `T` from a reader, which must have one JSON document. All of it is read into memory first. `T` cannot borrow
/// from the text; [`RawValue::deserialize_owned`] reads raw values.
///
/// # Errors
/// Like [`from_slice`], or returns an error of reading.
///
/// ```
/// use std::collections::HashMap;
///
/// let ages: HashMap<String, u8> = fjson::from_reader(r#"{"Ada": 36}"#.as_bytes())?;
/// assert_eq!(ages["Ada"], 36);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn from_reader<T: DeserializeOwned>(mut reader: impl Read) -> Result<T, Error> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map_err(|error| Error::read(error, text.len() as u64))?;
    from_slice(&text)
}

impl Parser {
    /// Reads a value of type `T` from one JSON document, like [`from_slice`], and reuses the memory of the parser. `T` may
    /// borrow from the text.
    ///
    /// # Errors
    /// Like [`from_slice`].
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new().recursion_limit(2);
    /// let pairs: [(&str, i8); 2] = parser.read(br#"[["a", 1], ["b", -1]]"#)?;
    /// assert_eq!(pairs, [("a", 1), ("b", -1)]);
    /// assert!(parser.read::<[[[u8; 1]; 1]; 1]>(b"[[[1]]]").is_err());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[inline]
    pub fn read<'de, T: Deserialize<'de>>(&mut self, text: &'de [u8]) -> Result<T, Error> {
        let mut deserializer = self.deserializer(text)?;
        match T::deserialize(&mut deserializer) {
            Ok(value) => deserializer.end().map(|()| value),
            Err(error) => Err(locate(deserializer.at(0, error), text)),
        }
    }

    /// Checks one JSON document and returns a deserializer for it, for code that asks for one. [`Deserializer::end`] then shows
    /// whether that code has read the document.
    ///
    /// # Errors
    /// Returns the first error of the text, or an error if it is 4 GiB or longer, or if there is not enough memory.
    ///
    /// ```
    /// use fjson::Parser;
    /// use serde::Deserialize;
    ///
    /// let mut parser = Parser::new();
    /// let mut deserializer = parser.deserializer(b"[1, 2]")?;
    /// assert_eq!(<(u8, u8)>::deserialize(&mut deserializer)?, (1, 2));
    /// deserializer.end()?;
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[inline]
    pub fn deserializer<'p, 'de>(&'p mut self, text: &'de [u8]) -> Result<Deserializer<'p, 'de>, Error> {
        let view = View::of_document(text, &mut self.index, &self.options)?;
        Ok(Deserializer::new(view, &mut self.scratch, self.recursion_limit))
    }

    /// Returns the size of the memory in bytes.
    fn memory(&self) -> usize {
        self.index.memory() + self.scratch.capacity()
    }
}
