//! Elements and members, one after the other.
//!
//! The opening bracket is the separator before the first of them, and a comma is the separator before the others. So there is
//! no special case for the first one, and a container without any is seen at its end.

#![forbid(unsafe_code)]

use serde_core::Serialize;
use serde_core::ser;

use crate::error::Error;
use crate::writer::output::Output;
use crate::writer::serialize::format::Compact;
use crate::writer::serialize::format::Format;
use crate::writer::serialize::serializer::Serializer;
use crate::writer::serialize::text_only::TextOnly;

/// The elements of a sequence or tuple.
#[derive(Debug)]
pub struct Elements<'s, O, F = Compact> {
    serializer: &'s mut Serializer<O, F>,
    separator: u8,
}

impl<'s, O: Output, F: Format> Elements<'s, O, F> {
    #[inline(always)]
    pub(super) fn new(serializer: &'s mut Serializer<O, F>) -> Self {
        Self { serializer, separator: b'[' }
    }

    #[inline(always)]
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let (format, text) = self.serializer.parts();
        format.separate(self.separator, text);
        self.separator = b',';
        self.serializer.value(value)
    }

    #[inline(always)]
    fn close(self) -> Result<&'s mut Serializer<O, F>, Error> {
        self.serializer.close(self.separator == b'[', b'[', b']')?;
        Ok(self.serializer)
    }
}

macro_rules! elements {
    ($($trait:ident $method:ident)+) => {
        $(
            impl<O: Output, F: Format> ser::$trait for Elements<'_, O, F> {
                type Ok = ();
                type Error = Error;

                #[inline]
                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                    self.push(value)
                }

                #[inline]
                fn end(self) -> Result<(), Error> {
                    self.close().map(drop)
                }
            }
        )+
    };
}

elements! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

/// The elements of a tuple variant.
#[derive(Debug)]
pub struct VariantElements<'s, O, F = Compact>(pub(super) Elements<'s, O, F>);

impl<O: Output, F: Format> ser::SerializeTupleVariant for VariantElements<'_, O, F> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.0.push(value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.0.close()?.close_variant()
    }
}

/// The separator that is none: the only member is text that is written unchanged.
const NO_SEPARATOR: u8 = 0;

/// The members of a map or struct.
#[derive(Debug)]
pub struct Members<'s, O, F = Compact> {
    serializer: &'s mut Serializer<O, F>,
    separator: u8,
}

impl<'s, O: Output, F: Format> Members<'s, O, F> {
    #[inline(always)]
    pub(super) fn new(serializer: &'s mut Serializer<O, F>) -> Self {
        Self { serializer, separator: b'{' }
    }

    #[inline(always)]
    pub(super) fn raw(serializer: &'s mut Serializer<O, F>) -> Self {
        Self { serializer, separator: NO_SEPARATOR }
    }

    #[inline(always)]
    fn push<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        if self.separator == NO_SEPARATOR {
            return value.serialize(TextOnly::raw(self.serializer));
        }
        let escape = self.serializer.escape;
        let (format, text) = self.serializer.parts();
        format.push_key(self.separator, key, escape, text);
        self.separator = b',';
        self.serializer.value(value)
    }

    #[inline(always)]
    fn close(self) -> Result<&'s mut Serializer<O, F>, Error> {
        if self.separator == NO_SEPARATOR {
            return Ok(self.serializer);
        }
        self.serializer.close(self.separator == b'{', b'{', b'}')?;
        Ok(self.serializer)
    }
}

impl<O: Output, F: Format> ser::SerializeMap for Members<'_, O, F> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let (format, text) = self.serializer.parts();
        format.separate(self.separator, text);
        self.separator = b',';
        key.serialize(TextOnly::key(self.serializer))?;
        let (format, text) = self.serializer.parts();
        format.colon(text);
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.serializer.value(value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.close().map(drop)
    }
}

impl<O: Output, F: Format> ser::SerializeStruct for Members<'_, O, F> {
    type Ok = ();
    type Error = Error;

    // The key is a constant here only if this is inlined.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.push(key, value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.close().map(drop)
    }
}

/// The members of a struct variant.
#[derive(Debug)]
pub struct VariantMembers<'s, O, F = Compact>(pub(super) Members<'s, O, F>);

impl<O: Output, F: Format> ser::SerializeStructVariant for VariantMembers<'_, O, F> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.0.push(key, value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.0.close()?.close_variant()
    }
}
