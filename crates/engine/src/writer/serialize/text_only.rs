//! A serializer for what must be text: keys of maps, and raw JSON text.

#![forbid(unsafe_code)]

use std::fmt::Display;

use serde_core::Serialize;
use serde_core::ser::Impossible;

use crate::error::Error;
use crate::scalar::Escape;
use crate::writer::numbers::push_any_float;
use crate::writer::output::Output;
use crate::writer::scalar::Scalar;
use crate::writer::serialize::format::Format;
use crate::writer::serialize::serializer::Serializer;

/// Writes a key with quotes, or raw text without them.
pub(super) struct TextOnly<'s, O, F> {
    serializer: &'s mut Serializer<O, F>,
    is_raw: bool,
}

impl<'s, O: Output, F: Format> TextOnly<'s, O, F> {
    /// Strings, and what can be written as one without ambiguity: characters, numbers, Booleans and unit variants.
    #[inline(always)]
    pub(super) fn key(serializer: &'s mut Serializer<O, F>) -> Self {
        Self { serializer, is_raw: false }
    }

    /// JSON text as a string.
    #[inline(always)]
    pub(super) fn raw(serializer: &'s mut Serializer<O, F>) -> Self {
        Self { serializer, is_raw: true }
    }

    /// Writes a value in quotes that needs no escapes.
    #[inline]
    fn quoted(self, push: impl FnOnce(&mut Vec<u8>)) -> Result<(), Error> {
        if self.is_raw {
            return self.refuse();
        }
        let text = self.serializer.text();
        text.push(b'"');
        push(text);
        text.push(b'"');
        Ok(())
    }

    #[cold]
    fn refuse<T>(self) -> Result<T, Error> {
        let message = if self.is_raw { "raw JSON text must be a string" } else { "key must be a string" };
        Err(Error::data(message.to_owned()))
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty)+) => {
        $(
            fn $method(self, value: $type) -> Result<(), Error> {
                self.quoted(|text| value.append_json(Escape::minimal(), text))
            }
        )+
    };
}

macro_rules! floats {
    ($($method:ident $type:ty)+) => {
        $(
            fn $method(self, value: $type) -> Result<(), Error> {
                if !value.is_finite() {
                    return Err(Error::data("float key must be finite (got NaN or +/-inf)".to_owned()));
                }
                self.quoted(|text| push_any_float(text, value))
            }
        )+
    };
}

impl<O: Output, F: Format> serde_core::Serializer for TextOnly<'_, O, F> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    scalars! {
        serialize_bool bool
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64 serialize_u128 u128
    }

    floats! { serialize_f32 f32 serialize_f64 f64 }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        if self.is_raw {
            self.serializer.text().extend_from_slice(value.as_bytes());
        } else {
            self.serializer.push_string(value);
        }
        Ok(())
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        self.refuse()
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self::SerializeTuple, Error> {
        self.refuse()
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Self::SerializeTupleStruct, Error> {
        self.refuse()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        self.refuse()
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, Error> {
        self.refuse()
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self::SerializeStruct, Error> {
        self.refuse()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        self.refuse()
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        if self.is_raw { self.refuse() } else { self.serializer.collect_str(value) }
    }
}
