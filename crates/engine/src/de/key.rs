//! Keys of maps: strings, and whatever is written as a string.

#![forbid(unsafe_code)]

use serde_core::de::Error as _;
use serde_core::de::Unexpected;
use serde_core::de::Visitor;
use serde_core::forward_to_deserialize_any;

use crate::de::access::Variant;
use crate::de::deserializer::Deserializer;
use crate::de::deserializer::visit;
use crate::de::deserializer::visit_single;
use crate::error::Error;
use crate::scalar::Number;
use crate::scalar::RAW;
use crate::scalar::SERDE_JSON_RAW;
use crate::scalar::read_number;

/// A key, from which the visitor may expect a number, a Boolean or the name of a variant.
pub(super) struct Key<'d, 'p, 'de> {
    pub(super) deserializer: &'d mut Deserializer<'p, 'de>,
}

impl<'de> Key<'_, '_, 'de> {
    /// Returns the text of the key if it is a number.
    fn text(&self) -> Option<&'de [u8]> {
        let text = self.deserializer.view.inside(self.deserializer.next);
        let is_integer = matches!(text, [b'1'..=b'9', ..]) && text.iter().all(u8::is_ascii_digit);
        (is_integer || Number::new(text).is_some()).then_some(text)
    }

    /// Passes on the number that the key is, if it is one.
    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(text) = self.text() else { return self.other(&visitor) };
        self.deserializer.passed(2, visit(read_number(text), visitor))
    }

    /// Passes on the integer of 128 bits that the key is, if it is one.
    fn wide<V: Visitor<'de>, T: std::str::FromStr>(
        self,
        visitor: V,
        visit: impl FnOnce(V, T) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        let token = self.deserializer.next;
        let text = self.deserializer.view.inside(token);
        let integer = Number::new(text).and_then(|_| str::from_utf8(text).ok()?.parse().ok());
        let Some(integer) = integer else { return self.other(&visitor) };
        self.deserializer.passed(2, visit(visitor, integer))
    }

    /// Returns the error for a key that is not what the visitor expects.
    #[cold]
    fn other<'v, T, V: Visitor<'v>>(self, visitor: &V) -> Result<T, Error> {
        let token = self.deserializer.next;
        let key = String::from_utf8_lossy(self.deserializer.view.inside(token));
        Err(self.deserializer.at(token, Error::invalid_type(Unexpected::Str(&key), visitor)))
    }
}

/// Methods for keys that are numbers.
macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.number(visitor)
        }
    )*};
}

impl<'de> serde_core::Deserializer<'de> for Key<'_, '_, 'de> {
    type Error = Error;

    numbers!(
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f64
    );

    forward_to_deserialize_any! {
        char str string identifier unit unit_struct seq tuple tuple_struct map struct ignored_any
    }

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserializer.string(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(text) = self.text() else { return self.other(&visitor) };
        self.deserializer.passed(2, visit_single(read_number(text), || str::from_utf8(text).ok(), visitor))
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.wide(visitor, |visitor, integer: i128| visitor.visit_i128(integer))
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.wide(visitor, |visitor, integer: u128| visitor.visit_u128(integer))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.deserializer.next;
        let value = match self.deserializer.view.inside(token) {
            b"true" => true,
            b"false" => false,
            _ => return self.other(&visitor),
        };
        self.deserializer.passed(2, visitor.visit_bool(value))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserializer.deserialize_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserializer.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        if name == RAW || name == SERDE_JSON_RAW {
            return self.deserializer.deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.deserializer.next;
        let result = visitor.visit_enum(Variant { deserializer: &mut *self.deserializer, has_content: false });
        self.deserializer.placed(token, result)
    }
}
