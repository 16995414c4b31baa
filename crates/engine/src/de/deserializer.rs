//! The deserializer: reads the data model of `serde` along the tokens of a checked text.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use std::fmt;

use serde_core::de::Error as _;
use serde_core::de::Expected;
use serde_core::de::Visitor;

use crate::de::access::ElementAccess;
use crate::de::access::Members;
use crate::de::access::RawText;
use crate::de::access::Variant;
use crate::de::raw::NUMBER;
use crate::document::View;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::explain::locate;
use crate::scalar::Numeric;
use crate::scalar::RAW;
use crate::scalar::SERDE_JSON_RAW;
use crate::scalar::Surrogates;
use crate::scalar::nearest_single;
use crate::scalar::read_number;
use crate::scalar::unescape_into;

/// Reads values of Rust types from a checked document; made by [`Parser::deserializer`](crate::Parser::deserializer), which has an
/// example.
///
/// Errors that it returns have an offset, but no line. [`Parser::read`](crate::Parser::read) adds the rest.
#[derive(Debug)]
pub struct Deserializer<'p, 'de> {
    pub(super) view: View<'p, 'de>,
    /// The next token.
    pub(crate) next: usize,
    /// Number of containers that may be opened here.
    levels: usize,
    recursion_limit: usize,
    scratch: &'p mut Vec<u8>,
}

impl<'p, 'de> Deserializer<'p, 'de> {
    #[inline]
    pub(crate) fn new(view: View<'p, 'de>, scratch: &'p mut Vec<u8>, recursion_limit: usize) -> Self {
        Self { view, next: 0, levels: recursion_limit, recursion_limit, scratch }
    }

    /// Checks that the document has been read. Call this after reading a value: an implementation of `Deserialize` may have returned
    /// one without reading anything.
    ///
    /// # Errors
    /// Returns an error of the kind [`ErrorKind::Data`](crate::ErrorKind::Data), with line, column and JSON Pointer, if something has
    /// not been read.
    ///
    /// ```
    /// use fjson::Parser;
    /// use serde::Deserialize;
    ///
    /// let mut parser = Parser::new();
    /// let mut deserializer = parser.deserializer(b" [1, 2]")?;
    /// assert_eq!(deserializer.end().unwrap_err().column(), Some(2));
    /// assert_eq!(<(u8, u8)>::deserialize(&mut deserializer)?, (1, 2));
    /// deserializer.end()?;
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn end(&self) -> Result<(), Error> {
        self.read_all().map_err(|error| locate(error, self.view.text()))
    }

    /// Checks the same. The error has no line.
    #[inline]
    pub(crate) fn read_all(&self) -> Result<(), Error> {
        if self.next == self.view.count() { Ok(()) } else { Err(self.unread()) }
    }

    /// Returns the first byte of the next token.
    #[inline(always)]
    pub(super) fn byte(&self) -> u8 {
        self.view.byte(self.next)
    }

    /// Adds the place of a token to an error that has none.
    #[cold]
    pub(super) fn at(&self, token: usize, error: Error) -> Error {
        error.with_offset(self.view.start(token) as u64)
    }

    /// Adds the place of a token to the error of a result that has none.
    #[inline(always)]
    pub(super) fn placed<T>(&self, token: usize, result: Result<T, Error>) -> Result<T, Error> {
        match result {
            Ok(value) => Ok(value),
            Err(error) => Err(self.at(token, error)),
        }
    }

    /// Moves past a value of so many tokens, and adds its place to an error of the visitor that received it.
    #[inline(always)]
    pub(super) fn passed<T>(&mut self, tokens: usize, result: Result<T, Error>) -> Result<T, Error> {
        let token = self.next;
        self.next = token + tokens;
        self.placed(token, result)
    }

    /// Passes a string to the visitor. The next token is its opening quote.
    #[inline(always)]
    pub(super) fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.next;
        self.next = token + 2;
        match self.view.plain(token) {
            Some(plain) => self.placed(token, visitor.visit_borrowed_str(plain)),
            None => self.escaped(token, visitor),
        }
    }

    /// Passes a string with escapes to the visitor.
    #[inline(never)]
    fn escaped<V: Visitor<'de>>(&mut self, token: usize, visitor: V) -> Result<V::Value, Error> {
        let value = self.view.unescaped(token, self.scratch).map_err(Error::custom);
        let result = value.and_then(|value| visitor.visit_str(value));
        self.placed(token, result)
    }

    /// Passes a number to the visitor.
    #[inline(always)]
    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        self.passed(1, visit(read_number(self.view.rest(self.next)), visitor))
    }

    /// Passes an array to the visitor.
    #[inline(always)]
    pub(super) fn array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.open()?;
        let result = visitor.visit_seq(ElementAccess { deserializer: self });
        self.close(token, b']', result)
    }

    /// Passes an object to the visitor.
    #[inline(always)]
    pub(super) fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let token = self.open()?;
        let result = visitor.visit_map(Members { deserializer: self });
        self.close(token, b'}', result)
    }

    /// Opens a container and returns its token.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Result<usize, Error> {
        let token = self.next;
        let Some(levels) = self.levels.checked_sub(1) else {
            return Err(self.at(token, Error::recursion_limit(self.recursion_limit)));
        };
        self.levels = levels;
        self.next = token + 1;
        Ok(token)
    }

    /// Closes the container that `token` has opened, after the visitor's result.
    #[inline(always)]
    pub(super) fn close<T>(&mut self, token: usize, bracket: u8, result: Result<T, Error>) -> Result<T, Error> {
        self.levels += 1;
        match result {
            Ok(value) if self.byte() == bracket => {
                self.next += 1;
                Ok(value)
            }
            Ok(_) => {
                let error = self.excess(bracket);
                self.next = self.view.pass_inside(self.next);
                Err(error)
            }
            Err(error) => {
                // The program may ignore the error and go on after the container.
                self.next = self.view.pass_inside(self.next);
                Err(self.at(token, error))
            }
        }
    }

    /// Returns the error for a value that was not read, or not to its end: if an implementation of `Deserialize` ignores the
    /// deserializer, or one of its errors. The same token would be read again.
    #[cold]
    pub(crate) fn unread(&self) -> Error {
        self.at(self.next, Error::custom("this value was not read; an error in it must not be ignored"))
    }

    #[cold]
    fn excess(&self, bracket: u8) -> Error {
        let items = if bracket == b']' { "elements than expected" } else { "members than expected" };
        self.at(self.next, Error::custom(format_args!("invalid length: more {items}")))
    }

    /// Returns the error for a visitor that does not read keys and values in turn, or that reads after the last value.
    #[cold]
    pub(super) fn misused(&self) -> Error {
        self.at(self.next, Error::custom("no value is left to be read here"))
    }

    /// Passes over the next value and returns the error for it, as it is something else than `expected`.
    #[cold]
    #[inline(never)]
    fn unexpected<T>(&mut self, expected: &dyn Expected) -> Result<T, Error> {
        serde_core::Deserializer::deserialize_any(self, Refusal { expected }).map(|never| match never {})
    }

    /// Parses an integer of 128 bits and passes it to the visitor.
    #[inline]
    fn wide<V: Visitor<'de>, T: std::str::FromStr>(
        &mut self,
        visitor: V,
        visit: impl FnOnce(V, T) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        if !matches!(self.byte(), b'-' | b'0'..=b'9') {
            return self.unexpected(&visitor);
        }
        let token = self.next;
        let text = self.view.raw(token);
        let Ok(integer) = text.parse() else {
            let is_integer = !text.contains(['.', 'e', 'E']);
            if is_integer {
                return Err(self.at(token, out_of_range(&visitor)));
            }
            return self.unexpected(&visitor);
        };
        self.passed(1, visit(visitor, integer))
    }
}

/// Refuses every value: each method that a visitor does not implement returns the error for what it was given.
struct Refusal<'e> {
    expected: &'e dyn Expected,
}

impl Visitor<'_> for Refusal<'_> {
    type Value = Infallible;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(formatter)
    }
}

/// Passes a number to a visitor.
#[inline(always)]
pub(super) fn visit<'de, V: Visitor<'de>>(number: Numeric, visitor: V) -> Result<V::Value, Error> {
    match number {
        Numeric::Unsigned(integer) => visitor.visit_u64(integer),
        Numeric::Negative(integer) => visitor.visit_i64(integer),
        Numeric::Double(double) if double.is_finite() => visitor.visit_f64(double),
        Numeric::Double(_) => Err(out_of_range(&visitor)),
    }
}

/// Passes a number to a visitor that expects a single.
#[inline(always)]
pub(super) fn visit_single<'de, V: Visitor<'de>>(
    number: Numeric,
    text: impl FnOnce() -> Option<&'de str>,
    visitor: V,
) -> Result<V::Value, Error> {
    match number {
        Numeric::Double(double) if double.is_finite() => match text().and_then(nearest_single) {
            Some(single) if single.is_finite() => visitor.visit_f32(single),
            _ => Err(out_of_range(&visitor)),
        },
        _ => visit(number, visitor),
    }
}

/// Returns the error for a number that is too large for the type that the visitor expects.
#[cold]
fn out_of_range<'de, V: Visitor<'de>>(visitor: &V) -> Error {
    Error::custom(format_args!("number out of range, expected {}", visitor as &dyn Expected))
}

/// Methods for types whose values are numbers.
macro_rules! numbers {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.byte() {
                b'-' | b'0'..=b'9' => self.number(visitor),
                _ => self.unexpected(&visitor),
            }
        }
    )*};
}

/// Methods for types whose values are strings.
macro_rules! strings {
    ($($method:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.byte() {
                b'"' => self.string(visitor),
                _ => self.unexpected(&visitor),
            }
        }
    )*};
}

impl<'de> serde_core::Deserializer<'de> for &mut Deserializer<'_, 'de> {
    type Error = Error;

    numbers!(
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f64
    );

    strings!(deserialize_char deserialize_str deserialize_string deserialize_identifier);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.byte() {
            b'"' => self.string(visitor),
            b'{' => self.object(visitor),
            b'[' => self.array(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            b'-' | b'0'..=b'9' => self.number(visitor),
            _ => Err(self.misused()),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = match self.byte() {
            b't' => true,
            b'f' => false,
            _ => return self.unexpected(&visitor),
        };
        self.passed(1, visitor.visit_bool(value))
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.wide(visitor, |visitor, integer: i128| visitor.visit_i128(integer))
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.wide(visitor, |visitor, integer: u128| visitor.visit_u128(integer))
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let token = self.next;
        if !matches!(self.byte(), b'-' | b'0'..=b'9') {
            return self.unexpected(&visitor);
        }
        let view = self.view;
        self.passed(1, visit_single(read_number(view.rest(token)), || Some(view.raw(token)), visitor))
    }

    /// Passes the bytes of a string, with lone surrogates as in WTF-8, or the elements of an array.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.byte() {
            b'"' => {}
            b'[' => return self.array(visitor),
            _ => return self.unexpected(&visitor),
        }
        let token = self.next;
        let result = if let Some(plain) = self.view.plain(token) {
            visitor.visit_borrowed_bytes(plain.as_bytes())
        } else {
            self.scratch.clear();
            let unescaped = unescape_into(self.view.inside(token), Surrogates::Keep, self.scratch);
            unescaped.map_err(Error::custom).and_then(|()| visitor.visit_bytes(self.scratch))
        };
        self.passed(2, result)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() != b'n' {
            return visitor.visit_some(self);
        }
        self.passed(1, visitor.visit_none())
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() != b'n' {
            return self.unexpected(&visitor);
        }
        self.passed(1, visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        if name != RAW && name != SERDE_JSON_RAW && name != NUMBER {
            return visitor.visit_newtype_struct(self);
        }
        let token = self.next;
        match self.byte() {
            0 | b'}' | b']' => return Err(self.misused()),
            b'-' | b'0'..=b'9' => {}
            _ if name == NUMBER => return self.unexpected(&"a number"),
            _ => {}
        }
        let text;
        (text, self.next) = self.view.pass_raw(token);
        self.placed(token, visitor.visit_map(RawText { name, text: Some(text) }))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() == b'[' { self.array(visitor) } else { self.unexpected(&visitor) }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.byte() == b'{' { self.object(visitor) } else { self.unexpected(&visitor) }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.byte() {
            b'{' => self.object(visitor),
            b'[' => self.array(visitor),
            _ => self.unexpected(&visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let token = self.next;
        match self.byte() {
            b'"' => {
                let result = visitor.visit_enum(Variant { deserializer: self, has_content: false });
                self.placed(token, result)
            }
            b'{' if self.view.byte(token + 1) == b'"' => {
                self.open()?;
                let result = visitor.visit_enum(Variant { deserializer: self, has_content: true });
                self.close(token, b'}', result)
            }
            _ => self.unexpected(&"a string or an object with one member, for an enum"),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if matches!(self.byte(), 0 | b'}' | b']') {
            return Err(self.misused());
        }
        self.next = self.view.pass(self.next);
        visitor.visit_unit()
    }
}

/// The kind of the error for too many open containers.
impl Error {
    fn recursion_limit(levels: usize) -> Self {
        Self::located_later(
            ErrorKind::DepthLimit,
            format!("more than {levels} open containers while reading a value of a Rust type"),
            "raise the recursion limit if the stack is large enough",
        )
    }
}
