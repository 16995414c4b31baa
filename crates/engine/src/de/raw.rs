//! Values that keep their text: any value as a [`RawValue`], numbers as a [`Number`].
//!
//! The data model of `serde` has no place for text that is JSON already. So these types use a newtype whose name the
//! deserializer and the serializer know. The deserializer offers the text as a map with that name as its key, which no other
//! deserializer does.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde_core::Deserialize;
use serde_core::Deserializer;
use serde_core::Serialize;
use serde_core::Serializer;
use serde_core::de::Error as _;
use serde_core::de::MapAccess;
use serde_core::de::Unexpected;
use serde_core::de::Visitor;

use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::first_error;
use crate::scalar::Number;
use crate::scalar::RAW;

/// The name of the newtype whose content is the text of a number.
pub(super) const NUMBER: &str = "$fjson::Number";

/// The text of any JSON value, read and written unchanged.
///
/// Only the deserializers and serializers of this library know this type. Other deserializers return an error, but other serializers
/// write the text as a string. It cannot be read inside an enum that is untagged or has an internal or adjacent tag, or inside a
/// flattened member, because `serde` reads these into a buffer of its own.
///
/// It borrows from the text when it is read, so [`from_reader`](crate::from_reader()), [`lines`](crate::lines()) and `parallel_lines`
/// cannot read it; with [`deserialize_owned`](Self::deserialize_owned) they can.
///
/// ```
/// use fjson::RawValue;
///
/// #[derive(serde::Deserialize)]
/// struct Message<'t> {
///     id: u32,
///     #[serde(borrow)]
///     body: RawValue<'t>,
/// }
///
/// let message: Message = fjson::from_str(r#"{"id": 1, "body": { "a": [1.50] } }"#)?;
/// assert_eq!((message.id, message.body.text()), (1, r#"{ "a": [1.50] }"#));
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RawValue<'t>(Cow<'t, str>);

impl<'t> RawValue<'t> {
    /// Checks a text and keeps it, without whitespace around it.
    ///
    /// # Errors
    /// Returns the first error if the text is not one valid JSON document.
    ///
    /// ```
    /// use fjson::RawValue;
    ///
    /// assert_eq!(RawValue::new(" [1.50] ")?.text(), "[1.50]");
    /// assert!(RawValue::new("[1.]").is_err());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn new(text: impl Into<Cow<'t, str>>) -> Result<Self, Error> {
        let text = text.into();
        first_error(&mut Input::from(&*text), &Options::new(), &mut Check)?;
        let is_whitespace = |character| matches!(character, ' ' | '\t' | '\n' | '\r');
        Ok(Self(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(is_whitespace)),
            Cow::Owned(text) => Cow::Owned(text.trim_matches(is_whitespace).to_owned()),
        }))
    }

    /// Returns the text of the value.
    ///
    /// ```
    /// let value: fjson::RawValue = fjson::from_str(" [1.50,  2] ")?;
    /// assert_eq!(value.text(), "[1.50,  2]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the value with its own copy of the text.
    ///
    /// ```
    /// use fjson::RawValue;
    ///
    /// let copy = {
    ///     let text = String::from("[1.50]");
    ///     fjson::from_str::<RawValue>(&text)?.into_owned()
    /// };
    /// assert_eq!(copy.text(), "[1.50]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> RawValue<'static> {
        RawValue(Cow::Owned(self.0.into_owned()))
    }

    /// Reads a value with its own copy of the text, for `#[serde(deserialize_with = "RawValue::deserialize_owned")]` in types that
    /// cannot borrow.
    ///
    /// # Errors
    /// Returns an error if the deserializer is not one of this library.
    ///
    /// ```
    /// use fjson::RawValue;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Message {
    ///     #[serde(deserialize_with = "RawValue::deserialize_owned")]
    ///     body: RawValue<'static>,
    /// }
    ///
    /// let message: Message = fjson::from_reader(r#"{"body": [1.50]}"#.as_bytes())?;
    /// assert_eq!(message.body.text(), "[1.50]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn deserialize_owned<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RawValue<'static>, D::Error> {
        RawValue::deserialize(deserializer).map(RawValue::into_owned)
    }
}

thread_local! {
    /// Address and length of the checked text that a deserializer of this library is passing to a visitor.
    static OFFERED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Says that a text is checked, as long as this value exists.
///
/// A deserializer of another library may forward the name of the newtype, and the key that it is given, with another text. What comes
/// from it has to be checked again.
pub(super) struct Offer;

impl Offer {
    pub(super) fn of(text: &str) -> Self {
        OFFERED.set((text.as_ptr().addr(), text.len()));
        Self
    }

    /// Whether this is the text of the offer. It is borrowed, so its content is the same, too.
    fn has(text: &str) -> bool {
        OFFERED.get() == (text.as_ptr().addr(), text.len())
    }
}

impl Drop for Offer {
    fn drop(&mut self) {
        OFFERED.set((0, 0));
    }
}

/// A text, and whether it is that of a value in a checked document.
struct Offered<'de>(&'de str, bool);

impl<'de> Deserialize<'de> for Offered<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        Ok(Self(text, Offer::has(text)))
    }
}

/// Receives the text of a value. Deserializers other than ours offer the content of the newtype, which it refuses.
struct TextVisitor(&'static str);

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Offered<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Offered<'de>, A::Error> {
        match map.next_key::<&str>() {
            Ok(Some(RAW | NUMBER)) => map.next_value(),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

impl<'t, 'de: 't> Deserialize<'de> for RawValue<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor("any value, read by a deserializer of fjson");
        let Offered(text, is_checked) = deserializer.deserialize_newtype_struct(RAW, visitor)?;
        if is_checked { Ok(Self(Cow::Borrowed(text))) } else { Self::new(text).map_err(D::Error::custom) }
    }
}

/// Writes the text unchanged. Serializers other than those of this library write it as a string.
impl Serialize for RawValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW, &*self.0)
    }
}

/// Borrows the text of the number, so that all of its digits are kept. Only the deserializers of this library know this type.
/// [`from_reader`](crate::from_reader()), [`lines`](crate::lines()) and `parallel_lines` cannot read it, because their types cannot
/// borrow; they can read a [`RawValue`] with [`RawValue::deserialize_owned`], whose text is that of the number.
///
/// ```
/// use fjson::scalar::Number;
///
/// let numbers: Vec<Number> = fjson::from_str("[1.50, 123456789012345678901234567890]")?;
/// assert_eq!(numbers[0].text(), b"1.50");
/// assert_eq!(numbers[1].text(), b"123456789012345678901234567890");
/// # Ok::<(), fjson::Error>(())
/// ```
impl<'t, 'de: 't> Deserialize<'de> for Number<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor("a number, read by a deserializer of fjson");
        let Offered(text, _) = deserializer.deserialize_newtype_struct(NUMBER, visitor)?;
        Self::new(text.as_bytes()).ok_or_else(|| D::Error::custom("not a number"))
    }
}

/// Writes the text of the number unchanged. Serializers other than those of this library write it as a string.
impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = str::from_utf8(self.text()).map_err(serde_core::ser::Error::custom)?;
        serializer.serialize_newtype_struct(RAW, text)
    }
}
