//! What visitors read from: elements, members and variants.

#![forbid(unsafe_code)]

use serde_core::de::Deserialize;
use serde_core::de::DeserializeSeed;
use serde_core::de::Deserializer as _;
use serde_core::de::EnumAccess;
use serde_core::de::Error as _;
use serde_core::de::MapAccess;
use serde_core::de::SeqAccess;
use serde_core::de::Unexpected;
use serde_core::de::VariantAccess;
use serde_core::de::Visitor;
use serde_core::de::value::BorrowedStrDeserializer;

use crate::de::deserializer::Deserializer;
use crate::de::key::Key;
use crate::de::raw::Offer;
use crate::error::Error;

/// The elements of an array.
pub(super) struct ElementAccess<'d, 'p, 'de> {
    pub(super) deserializer: &'d mut Deserializer<'p, 'de>,
}

impl<'de> SeqAccess<'de> for ElementAccess<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.deserializer.byte() == b']' {
            return Ok(None);
        }
        let token = self.deserializer.next;
        match seed.deserialize(&mut *self.deserializer) {
            Ok(_) if self.deserializer.next == token => Err(self.deserializer.unread()),
            result => self.deserializer.placed(token, result).map(Some),
        }
    }
}

/// The members of an object.
pub(super) struct Members<'d, 'p, 'de> {
    pub(super) deserializer: &'d mut Deserializer<'p, 'de>,
}

impl<'de> MapAccess<'de> for Members<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.deserializer.byte() {
            b'"' => {}
            b'}' => return Ok(None),
            _ => return Err(self.deserializer.misused()),
        }
        let token = self.deserializer.next;
        match seed.deserialize(Key { deserializer: &mut *self.deserializer }) {
            Ok(_) if self.deserializer.next == token => Err(self.deserializer.unread()),
            result => self.deserializer.placed(token, result).map(Some),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let token = self.deserializer.next;
        match seed.deserialize(&mut *self.deserializer) {
            Ok(_) if self.deserializer.next == token => Err(self.deserializer.unread()),
            result => self.deserializer.placed(token, result),
        }
    }
}

/// An enum: a string, which is the name of a variant, or an object with one member, the name and the content.
pub(super) struct Variant<'d, 'p, 'de> {
    pub(super) deserializer: &'d mut Deserializer<'p, 'de>,
    pub(super) has_content: bool,
}

impl Variant<'_, '_, '_> {
    /// Returns an error if there is no content.
    fn expect_content(&self, expected: &str) -> Result<(), Error> {
        if self.has_content { Ok(()) } else { Err(Error::invalid_type(Unexpected::UnitVariant, &expected)) }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, '_, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name = seed.deserialize(&mut *self.deserializer)?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        if self.has_content { <()>::deserialize(self.deserializer) } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.expect_content("newtype variant")?;
        seed.deserialize(self.deserializer)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.expect_content("tuple variant")?;
        self.deserializer.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.expect_content("struct variant")?;
        self.deserializer.deserialize_struct("", fields, visitor)
    }
}

/// The map from which values that keep their text are read, ours and the `RawValue` of `serde_json`: one member, whose key is the
/// name of the newtype and whose value is the text.
pub(super) struct RawText<'de> {
    pub(super) name: &'static str,
    pub(super) text: Option<&'de str>,
}

impl<'de> MapAccess<'de> for RawText<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.text {
            Some(_) => seed.deserialize(BorrowedStrDeserializer::new(self.name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let text = self.text.take().unwrap_or_default();
        let _offer = Offer::of(text);
        seed.deserialize(BorrowedStrDeserializer::new(text))
    }
}
