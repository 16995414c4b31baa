//! Values of documents as deserializers, and as values that are serialized.

#![forbid(unsafe_code)]

use serde_core::de::Deserialize;
use serde_core::de::Visitor;
use serde_core::ser::Error as _;
use serde_core::ser::Serialize;
use serde_core::ser::SerializeMap;
use serde_core::ser::SerializeSeq;
use serde_core::ser::Serializer;

use crate::de::Deserializer;
use crate::de::RawValue;
use crate::document::Kind;
use crate::document::RECURSION_LIMIT;
use crate::document::Value;
use crate::error::Error;
use crate::explain::locate_from;
use crate::scalar::AnyNumber;

/// Reads a type from the value, with `read`.
fn read<'de, T>(
    value: Value<'_, 'de>,
    read: impl FnOnce(&mut Deserializer<'_, 'de>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut scratch = Vec::new();
    let mut deserializer = Deserializer::new(value.view(), &mut scratch, RECURSION_LIMIT);
    deserializer.next = value.token();
    let result = match read(&mut deserializer) {
        Ok(_) if deserializer.next != value.tokens().next(value.token()) => Err(deserializer.unread()),
        result => result,
    };
    result.map_err(|error| {
        let error = deserializer.at(value.token(), error);
        locate_from(error, value.tokens().text(), value.document().start())
    })
}

macro_rules! forward {
    ($($method:ident)+) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                read(self, |deserializer| deserializer.$method(visitor))
            }
        )+
    };
}

/// Any type can be read from a value: `T::deserialize(value)`, or `seed.deserialize(value)` with a `DeserializeSeed`. `T` may borrow from
/// the text. It follows the same conventions as [`from_slice`](crate::from_slice), with at most 128 open containers. Errors have a line,
/// column and JSON Pointer, in the whole text that the value is part of. Only an error that `T` itself makes, after it has read the
/// value, has none: that of an enum without a tag, for example. With [`Value::read`] these have one, too.
///
/// ```
/// use fjson::Parser;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct User<'t> {
///     name: &'t str,
/// }
///
/// let mut parser = Parser::new();
/// let document = parser.document(br#"{"users": [{"name": "Ada"}, {"name": 7}]}"#)?;
/// let users = document.get("users").unwrap();
/// assert_eq!(User::deserialize(users.at(0).unwrap())?.name, "Ada");
/// let error = User::deserialize(users.at(1).unwrap()).err().unwrap();
/// assert_eq!((error.pointer(), error.column()), (Some("/users/1/name"), Some(38)));
/// # Ok::<(), fjson::Error>(())
/// ```
impl<'de> serde_core::Deserializer<'de> for Value<'_, 'de> {
    type Error = Error;

    forward! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_option
        deserialize_unit deserialize_seq deserialize_map deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_unit_struct(name, visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_newtype_struct(name, visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_tuple(length, visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_tuple_struct(name, length, visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_struct(name, fields, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        read(self, |deserializer| deserializer.deserialize_enum(name, variants, visitor))
    }
}

impl<'t> Value<'_, 't> {
    /// Reads a value of type `T`, which may borrow from the text, like `T::deserialize(value)`.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the type, with the line, column and JSON Pointer in the whole text.
    ///
    /// ```
    /// #[derive(serde::Deserialize)]
    /// #[serde(untagged)]
    /// enum Size {
    ///     Number(u32),
    ///     Name(String),
    /// }
    ///
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"sizes": [4, "large", true]}"#)?;
    /// let sizes = document.get("sizes").unwrap();
    /// assert!(matches!(sizes.at(0).unwrap().read()?, Size::Number(4)));
    /// assert!(matches!(sizes.at(1).unwrap().read()?, Size::Name(name) if name == "large"));
    /// let error = sizes.at(2).unwrap().read::<Size>().err().unwrap();
    /// assert_eq!((error.pointer(), error.column()), (Some("/sizes/2"), Some(24)));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn read<T: Deserialize<'t>>(self) -> Result<T, Error> {
        read(self, |deserializer| T::deserialize(deserializer))
    }

    /// Returns the value as a [`RawValue`], which keeps its text. The text is not checked again.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"{\"a\": [1.50]}")?;
    /// assert_eq!(document.get("a").unwrap().to_raw_value().text(), "[1.50]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn to_raw_value(self) -> RawValue<'t> {
        RawValue::of(self.raw())
    }
}

/// Values are written with any serializer, such as one of another format. Members keep their order. An integer of more than 64 bits
/// is passed on with 128 bits, which not every serializer accepts, and one of more than 128 bits as the nearest double. It is an error if
/// a number is too large for a double, if a string has the escape of a lone surrogate, or if more than 128 containers are open.
/// [`Writer::value`](crate::Writer::value) writes JSON faster, and keeps all digits.
///
/// ```
/// let mut parser = fjson::Parser::new();
/// let document = parser.document(br#"{"a": [1, 2.50], "b": null}"#)?;
/// assert_eq!(serde_json::to_value(document.root()).unwrap(), serde_json::json!({"a": [1, 2.5], "b": null}));
/// # Ok::<(), fjson::Error>(())
/// ```
impl Serialize for Value<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested { value: *self, levels: RECURSION_LIMIT }.serialize(serializer)
    }
}

/// A value that may have so many levels of open containers.
struct Nested<'p, 't> {
    value: Value<'p, 't>,
    levels: usize,
}

impl Nested<'_, '_> {
    fn number<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.value.raw();
        match self.value.to_number() {
            Some(AnyNumber::U64(integer)) => serializer.serialize_u64(integer),
            Some(AnyNumber::I64(integer)) => serializer.serialize_i64(integer),
            Some(AnyNumber::F64(double)) if double.is_finite() => serializer.serialize_f64(double),
            Some(AnyNumber::Big(number)) => match (text.parse(), text.parse(), number.to_f64()) {
                (Ok(integer), _, _) => serializer.serialize_u128(integer),
                (_, Ok(integer), _) => serializer.serialize_i128(integer),
                (_, _, double) if double.is_finite() => serializer.serialize_f64(double),
                _ => Err(S::Error::custom("number out of range")),
            },
            _ => Err(S::Error::custom("number out of range")),
        }
    }
}

impl Serialize for Nested<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { value, levels } = *self;
        let inner = || levels.checked_sub(1).ok_or_else(|| S::Error::custom("more than 128 containers are open"));
        match value.kind() {
            Kind::Null => serializer.serialize_unit(),
            Kind::Bool => serializer.serialize_bool(value.as_bool() == Some(true)),
            Kind::Number => self.number(serializer),
            Kind::String => match value.as_str() {
                Some(string) => serializer.serialize_str(&string),
                None => Err(S::Error::custom("a string with a lone surrogate")),
            },
            Kind::Array => {
                let levels = inner()?;
                let mut sequence = serializer.serialize_seq(None)?;
                for value in value {
                    sequence.serialize_element(&Nested { value, levels })?;
                }
                sequence.end()
            }
            Kind::Object => {
                let levels = inner()?;
                let mut map = serializer.serialize_map(None)?;
                for member in value.members() {
                    let Some(key) = member.key.as_str() else {
                        return Err(S::Error::custom("a key with a lone surrogate"));
                    };
                    map.serialize_entry(&*key, &Nested { value: member.value, levels })?;
                }
                map.end()
            }
        }
    }
}
