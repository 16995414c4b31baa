//! The serializer: one method per type of the data model of serde.

#![forbid(unsafe_code)]

use std::fmt;
use std::fmt::Display;

use serde_core::Serialize;
use serde_core::ser::SerializeSeq;

use crate::error::Error;
use crate::pretty::Layout;
use crate::scalar::Escape;
use crate::scalar::RAW;
use crate::scalar::SERDE_JSON_RAW;
use crate::writer::output::Output;
use crate::writer::scalar::Scalar;
use crate::writer::serialize::SERDE_JSON_NUMBER;
use crate::writer::serialize::containers::Elements;
use crate::writer::serialize::containers::Members;
use crate::writer::serialize::containers::VariantElements;
use crate::writer::serialize::containers::VariantMembers;
use crate::writer::serialize::format::Compact;
use crate::writer::serialize::format::Format;
use crate::writer::serialize::format::Indented;
use crate::writer::serialize::text_only::TextOnly;
use crate::writer::strings::push_string_escaped;

/// A `serde::Serializer` that writes JSON text to a `Vec<u8>`, a `&mut Vec<u8>` or a [`Stream`](crate::Stream).
///
/// [`to_vec`](crate::to_vec) and its siblings are simpler to use. The serializer itself is for escapes beyond the minimal ones, and
/// for other crates that take one.
///
/// ```
/// use fjson::Serializer;
/// use fjson::scalar::Escape;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::new(Vec::new()).escape(Escape::minimal().ascii());
/// ["é", "<"].serialize(&mut serializer)?;
/// assert_eq!(serializer.finish()?, br#"["\u00e9","<"]"#);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<O, F = Compact> {
    output: O,
    pub(super) format: F,
    pub(super) escape: Escape,
}

impl<O: Output> Serializer<O> {
    /// Returns a serializer that writes compact text.
    #[inline]
    pub fn new(output: O) -> Self {
        Self::part(output, Compact::new(), Escape::minimal())
    }
}

impl<O: Output> Serializer<O, Indented> {
    /// Returns a serializer that writes each element and member on a line of its own, indented by `layout`.
    ///
    /// ```
    /// use fjson::{Layout, Serializer};
    /// use serde::Serialize;
    ///
    /// let mut serializer = Serializer::pretty(Vec::new(), Layout::spaces(2));
    /// [1].serialize(&mut serializer)?;
    /// assert_eq!(serializer.finish()?, b"[\n  1\n]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn pretty(output: O, layout: Layout) -> Self {
        Self::part(output, Indented::new(layout, 0), Escape::minimal())
    }
}

impl<O: Output, F: Format> Serializer<O, F> {
    /// Returns a serializer for a part of a document.
    #[inline]
    pub(super) fn part(output: O, format: F, escape: Escape) -> Self {
        Self { output, format, escape }
    }

    /// Escapes these characters in names and strings; see the example of [`Serializer`].
    #[must_use]
    pub fn escape(mut self, escape: Escape) -> Self {
        self.escape = escape;
        self
    }

    /// Passes the text on, and returns the vector or the writer; see the example of [`Serializer`]. After an error or a panic of
    /// `serialize`, that is the beginning of a document; a [`Writer`](crate::Writer) returns an error then.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(self) -> Result<O::Finished, Error> {
        self.output.finish().map_err(|error| Error::write(error, 0))
    }

    #[inline(always)]
    pub(super) fn text(&mut self) -> &mut Vec<u8> {
        self.output.text()
    }

    /// Returns the parts that are needed to write whitespace.
    #[inline(always)]
    pub(super) fn parts(&mut self) -> (&mut F, &mut Vec<u8>) {
        (&mut self.format, self.output.text())
    }

    /// Flushes the buffer if it is full.
    #[inline(always)]
    fn flush_if_full(&mut self) -> Result<(), Error> {
        self.output.flush_if_full().map(drop).map_err(|error| Error::write(error, 0))
    }

    /// Writes an element, or the value of a member.
    #[inline(always)]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self)?;
        self.flush_if_full()
    }

    /// Appends a string.
    #[inline(always)]
    pub(super) fn push_string(&mut self, value: &str) {
        push_string_escaped(self.output.text(), value, self.escape);
    }

    /// Writes the separator and the key before the value of a variant.
    #[inline(always)]
    fn open_variant(&mut self, variant: &str) {
        self.format.open();
        self.format.push_key(b'{', variant, self.escape, self.output.text());
    }

    /// Ends a container. If it is empty, its opening bracket has not been written.
    #[inline(always)]
    pub(super) fn close(&mut self, is_empty: bool, opening: u8, closing: u8) -> Result<(), Error> {
        let (format, text) = self.parts();
        format.close(is_empty, text);
        if is_empty {
            text.push(opening);
        }
        text.push(closing);
        self.flush_if_full()
    }

    /// Ends the object around the value of a variant.
    #[inline(always)]
    pub(super) fn close_variant(&mut self) -> Result<(), Error> {
        self.close(false, b'{', b'}')
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty)+) => {
        $(
            #[inline]
            fn $method(self, value: $type) -> Result<(), Error> {
                value.append_json(self.escape, self.text());
                Ok(())
            }
        )+
    };
}

impl<'s, O: Output, F: Format> serde_core::Serializer for &'s mut Serializer<O, F> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'s, O, F>;
    type SerializeTuple = Elements<'s, O, F>;
    type SerializeTupleStruct = Elements<'s, O, F>;
    type SerializeTupleVariant = VariantElements<'s, O, F>;
    type SerializeMap = Members<'s, O, F>;
    type SerializeStruct = Members<'s, O, F>;
    type SerializeStructVariant = VariantMembers<'s, O, F>;

    scalars! {
        serialize_bool bool serialize_f32 f32 serialize_f64 f64 serialize_char char
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.push_string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        let mut elements = self.serialize_seq(Some(value.len()))?;
        for byte in value {
            elements.serialize_element(byte)?;
        }
        elements.end()
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.text().extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Error> {
        if name == RAW {
            return value.serialize(TextOnly::raw(self));
        }
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.open_variant(variant);
        value.serialize(&mut *self)?;
        self.close_variant()
    }

    #[inline]
    fn serialize_seq(self, _length: Option<usize>) -> Result<Elements<'s, O, F>, Error> {
        self.format.open();
        Ok(Elements::new(self))
    }

    #[inline]
    fn serialize_tuple(self, length: usize) -> Result<Elements<'s, O, F>, Error> {
        self.serialize_seq(Some(length))
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Elements<'s, O, F>, Error> {
        self.serialize_seq(Some(length))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantElements<'s, O, F>, Error> {
        self.open_variant(variant);
        self.serialize_seq(Some(length)).map(VariantElements)
    }

    #[inline]
    fn serialize_map(self, _length: Option<usize>) -> Result<Members<'s, O, F>, Error> {
        self.format.open();
        Ok(Members::new(self))
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Members<'s, O, F>, Error> {
        if name == SERDE_JSON_RAW || name == SERDE_JSON_NUMBER {
            return Ok(Members::raw(self));
        }
        self.serialize_map(Some(length))
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantMembers<'s, O, F>, Error> {
        self.open_variant(variant);
        self.serialize_map(Some(length)).map(VariantMembers)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        let escape = self.escape;
        let mut pieces = Pieces { text: self.text(), escape };
        pieces.text.push(b'"');
        let result = fmt::Write::write_fmt(&mut pieces, format_args!("{value}"));
        pieces.text.push(b'"');
        result.map_err(|_| Error::data("a value cannot be displayed as text".to_owned()))
    }
}

/// Appends a string piece by piece. The text ends with its beginning.
struct Pieces<'t> {
    text: &'t mut Vec<u8>,
    escape: Escape,
}

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let at = self.text.len() - 1;
        let Some(last) = self.text.pop() else { return Err(fmt::Error) };
        push_string_escaped(self.text, piece, self.escape);
        // The piece comes with quotes. The last byte before it takes the place of the first one.
        self.text[at] = last;
        self.text.pop();
        Ok(())
    }
}
