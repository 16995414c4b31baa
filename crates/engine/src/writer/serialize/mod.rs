//! Writes Rust values that implement `serde::Serialize`.
//!
//! The text is, byte for byte, that of `serde_json`. The name of a struct field is written together with its quotes and the
//! characters around it, which the compiler joins into one constant.

#![forbid(unsafe_code)]

mod containers;
mod format;
mod serializer;
mod text_only;

use std::io::Write;

use serde_core::Serialize;

use crate::error::Error;
use crate::pretty::Layout;
use crate::writer::Next;
use crate::writer::Output;
use crate::writer::Stream;
use crate::writer::Writer;

pub use format::Compact;
pub use format::Format;
pub use format::Indented;
pub use serializer::Serializer;

/// The name of the struct that `serde_json` serializes a `Number` as, and of its only field, with the feature
/// `arbitrary_precision`.
pub(super) const SERDE_JSON_NUMBER: &str = "$serde_json::private::Number";

/// Returns a value as compact JSON text.
///
/// The text is that of `serde_json::to_vec`. Infinite numbers and NaN become null, `i128` and `u128` are written in full, and
/// `serde_json::value::RawValue` is written unchanged.
///
/// # Errors
/// If the value has no form in JSON: a map whose keys are not strings, characters, numbers, Booleans or unit variants; or if its
/// implementation of `Serialize` fails. The error is of the kind [`ErrorKind::Data`](crate::ErrorKind::Data).
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Book<'a> {
///     title: &'a str,
///     pages: Option<u32>,
///     tags: Vec<&'a str>,
/// }
///
/// let book = Book { title: "Emma", pages: Some(474), tags: vec!["novel"] };
/// assert_eq!(fjson::to_vec(&book)?, br#"{"title":"Emma","pages":474,"tags":["novel"]}"#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut text = Vec::with_capacity(CAPACITY);
    to_end_of(&mut text, value)?;
    Ok(text)
}

/// The initial capacity of text, so that small values need no second allocation.
const CAPACITY: usize = 256;

/// Returns a value as JSON text with each element and member on a line of its own, indented by `layout`.
///
/// With the default layout, the text is that of `serde_json::to_vec_pretty`.
///
/// # Errors
/// Like [`to_vec`].
///
/// ```
/// let text = fjson::to_vec_pretty(&[Some(1), None], &fjson::Layout::tab())?;
/// assert_eq!(text, b"[\n\t1,\n\tnull\n]");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_vec_pretty<T: Serialize + ?Sized>(value: &T, layout: &Layout) -> Result<Vec<u8>, Error> {
    let mut serializer = Serializer::pretty(Vec::with_capacity(CAPACITY), *layout);
    value.serialize(&mut serializer)?;
    serializer.finish()
}

/// Returns a value as compact JSON text.
///
/// # Errors
/// Like [`to_vec`].
///
/// ```
/// let counts = std::collections::BTreeMap::from([(1, "one"), (2, "two")]);
/// assert_eq!(fjson::to_string(&counts)?, r#"{"1":"one","2":"two"}"#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    to_vec(value).and_then(string)
}

/// Returns a value as JSON text with each element and member on a line of its own, indented by `layout`.
///
/// # Errors
/// Like [`to_vec`].
///
/// ```
/// let text = fjson::to_string_pretty(&("a", 1), &fjson::Layout::default())?;
/// assert_eq!(text, "[\n  \"a\",\n  1\n]");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_string_pretty<T: Serialize + ?Sized>(value: &T, layout: &Layout) -> Result<String, Error> {
    to_vec_pretty(value, layout).and_then(string)
}

/// The text is made of strings and ASCII, so it is UTF-8.
fn string(text: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(text).map_err(|error| Error::data(error.to_string()))
}

/// Writes a value as compact JSON text, in pieces of about 32 KiB. `writer` needs no buffer of its own; to append to a
/// `Vec<u8>`, [`to_end_of`] is faster.
///
/// # Errors
/// Like [`to_vec`], or if `writer` fails; the error is then of the kind [`ErrorKind::Io`](crate::ErrorKind::Io), and
/// [`source`](std::error::Error::source) returns the error of the writer.
///
/// ```
/// let mut file = std::io::stdout();
/// fjson::to_writer(&mut file, &["one", "two"])?;
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_writer<T: Serialize + ?Sized>(mut writer: impl Write, value: &T) -> Result<(), Error> {
    // One type for all writers, so that the code for `T` is not compiled for each of them.
    let writer: &mut dyn Write = &mut writer;
    let mut serializer = Serializer::new(Stream::new(writer));
    value.serialize(&mut serializer)?;
    serializer.finish().map(drop)
}

/// Writes a value as JSON text with each element and member on a line of its own, indented by `layout`.
///
/// # Errors
/// Like [`to_writer`].
///
/// ```
/// let mut text = Vec::new();
/// fjson::to_writer_pretty(&mut text, &[1], &fjson::Layout::spaces(1))?;
/// assert_eq!(text, b"[\n 1\n]");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_writer_pretty<T: Serialize + ?Sized>(
    mut writer: impl Write,
    value: &T,
    layout: &Layout,
) -> Result<(), Error> {
    let writer: &mut dyn Write = &mut writer;
    let mut serializer = Serializer::pretty(Stream::new(writer), *layout);
    value.serialize(&mut serializer)?;
    serializer.finish().map(drop)
}

/// Appends a value as compact JSON text. With the same vector for many values, nothing is allocated after the first ones.
///
/// # Errors
/// Like [`to_vec`]. `text` may then contain a part of the value.
///
/// ```
/// let mut lines = Vec::new();
/// for id in [1, 2] {
///     fjson::to_end_of(&mut lines, &("id", id))?;
///     lines.push(b'\n');
/// }
/// assert_eq!(lines, b"[\"id\",1]\n[\"id\",2]\n");
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn to_end_of<T: Serialize + ?Sized>(text: &mut Vec<u8>, value: &T) -> Result<(), Error> {
    value.serialize(&mut Serializer::new(text))
}

impl<O: Output> Writer<O> {
    /// Writes a value that implements `serde::Serialize`, with the layout and the escapes of the writer. If that fails,
    /// [`finish`](Self::finish) returns the error, which is of the kind [`ErrorKind::Data`](crate::ErrorKind::Data).
    ///
    /// ```
    /// use fjson::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new());
    /// writer.begin_object().name("sizes").serialize(&vec![1, 2]).end();
    /// assert_eq!(writer.finish()?, br#"{"sizes":[1,2]}"#);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> &mut Self {
        if !self.before_value("serialize") {
            return self;
        }
        // A panic leaves it so.
        self.next = Next::RestOfValue;
        let (level, escape) = (self.outer.len(), self.escape);
        let text = self.output.text();
        let result = match self.layout {
            None => value.serialize(&mut Serializer::part(text, Compact::new(), escape)),
            Some(layout) => value.serialize(&mut Serializer::part(text, Indented::new(layout, level), escape)),
        };
        if let Err(error) = result {
            self.error = Some(error);
            return self;
        }
        self.after_value()
    }
}
