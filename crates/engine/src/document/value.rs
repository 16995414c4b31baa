//! Values of a document.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::document::Elements;
use crate::document::Members;
use crate::document::Tokens;
use crate::document::View;
use crate::scalar::AnyNumber;
use crate::scalar::Number;
use crate::scalar::Numeric;
use crate::scalar::Surrogates;
use crate::scalar::convert_number;
use crate::scalar::read_number;
use crate::scalar::unescape;

/// The type of a [`Value`]; see [`Value::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A value of a [`Document`](crate::Document), not yet decoded.
///
/// The methods that ask for a type return `None` for values of another type. [`iter`](Self::iter) and
/// [`members`](Self::members) are then empty.
#[derive(Clone, Copy)]
pub struct Value<'p, 't> {
    view: View<'p, 't>,
    /// The first token of the value.
    token: usize,
}

impl<'p, 't> Value<'p, 't> {
    #[inline]
    pub(super) fn new(view: View<'p, 't>, token: usize) -> Self {
        Self { view, token }
    }

    /// Returns the checked text that the value is part of.
    #[inline]
    pub(crate) fn view(self) -> View<'p, 't> {
        self.view
    }

    /// Returns the text between the quotes of a string.
    #[inline]
    pub(crate) fn inside(self) -> &'t [u8] {
        self.view.inside(self.token)
    }

    /// Returns the type.
    ///
    /// ```
    /// use fjson::{Kind, Parser};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[null, true, 1, \"\", {}]")?;
    /// let kinds: Vec<_> = document.iter().map(|value| value.kind()).collect();
    /// assert_eq!(document.kind(), Kind::Array);
    /// assert_eq!(kinds, [Kind::Null, Kind::Bool, Kind::Number, Kind::String, Kind::Object]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn kind(self) -> Kind {
        match self.view.byte(self.token) {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b't' | b'f' => Kind::Bool,
            b'n' => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Returns the element with this index, from 0, if this is an array that has one. Takes time proportional to the index;
    /// use [`iter`](Self::iter) to read all elements.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[[], {}, 3]")?;
    /// assert_eq!(document.at(2).unwrap().as_i64(), Some(3));
    /// assert!(document.at(3).is_none());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn at(self, index: usize) -> Option<Self> {
        self.iter().nth(index)
    }

    /// Returns the number of elements or members, in time proportional to it. 0 for other values.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"[[1, [2, 3]], {"a": 1, "a": 2}, "text"]"#)?;
    /// assert!(document.iter().map(|value| value.len()).eq([2, 2, 0]));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Array => self.iter().count(),
            Kind::Object => self.members().count(),
            _ => 0,
        }
    }

    /// Whether there are no elements or members, in constant time. True for values other than arrays and objects.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"[[], [0], {}, {\"a\": 0}]")?;
    /// assert!(document.iter().map(|value| value.is_empty()).eq([true, false, true, false]));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        match self.kind() {
            Kind::Array | Kind::Object => matches!(self.view.byte(self.token + 1), b']' | b'}'),
            _ => true,
        }
    }

    /// Returns the elements if this is an array.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[1, 2, 3]")?;
    /// assert_eq!(document.iter().filter_map(|value| value.as_i64()).sum::<i64>(), 6);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn iter(self) -> Elements<'p, 't> {
        Elements { view: self.view, token: (self.kind() == Kind::Array).then_some(self.token + 1) }
    }

    /// Returns the members if this is an object, in the order of the text, including those with duplicate keys.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"a": 1, "b": [2]}"#)?;
    /// let members: Vec<_> = document.members().map(|member| (member.key.as_str().unwrap(), member.value.raw())).collect();
    /// assert_eq!(members, [("a".into(), "1"), ("b".into(), "[2]")]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn members(self) -> Members<'p, 't> {
        // The token after another value may be a quote, which would be taken for that of a key.
        let token = if self.kind() == Kind::Object { self.token + 1 } else { usize::MAX };
        Members { view: self.view, token }
    }

    /// Returns the string, without copying it if it has no escapes. `None` also for a string with the escape of a lone
    /// surrogate, which has no UTF-8 form; [`raw`](Self::raw) has its text, and
    /// [`as_str_lossy`](Self::as_str_lossy) replaces the surrogate.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"["plain", "\ud83d\ude00", "\ud83d", 1]"#)?;
    /// let strings: Vec<_> = document.iter().map(|value| value.as_str()).collect();
    /// assert_eq!(strings, [Some("plain".into()), Some("😀".into()), None, None]);
    /// assert!(matches!(strings[0], Some(Cow::Borrowed(_))));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn as_str(self) -> Option<Cow<'t, str>> {
        if self.view.byte(self.token) != b'"' {
            return None;
        }
        match self.view.plain(self.token) {
            Some(plain) => Some(Cow::Borrowed(plain)),
            None => self.unescaped(Surrogates::Refuse),
        }
    }

    /// Returns the string like [`as_str`](Self::as_str), but with each lone surrogate replaced by U+FFFD, the replacement
    /// character.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#""one \ud83d""#)?;
    /// assert_eq!(document.as_str_lossy().unwrap(), "one \u{fffd}");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn as_str_lossy(self) -> Option<Cow<'t, str>> {
        if self.view.byte(self.token) != b'"' {
            return None;
        }
        self.view.plain(self.token).map(Cow::Borrowed).or_else(|| self.unescaped(Surrogates::Replace))
    }

    #[cold]
    fn unescaped(self, surrogates: Surrogates) -> Option<Cow<'t, str>> {
        let value = unescape(self.view.inside(self.token), surrogates).ok()?;
        String::from_utf8(value.into_owned()).ok().map(Cow::Owned)
    }

    /// Returns the number if it is an integer in range, in any notation: `1.20e1` is 12.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[-7, 1.20e1, 1.5, 9223372036854775808]")?;
    /// let integers: Vec<_> = document.iter().map(|value| value.as_i64()).collect();
    /// assert_eq!(integers, [Some(-7), Some(12), None, None]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn as_i64(self) -> Option<i64> {
        match self.numeric()? {
            Numeric::Unsigned(integer) => i64::try_from(integer).ok(),
            Numeric::Negative(integer) => Some(integer),
            Numeric::Double(_) => self.as_number()?.to_i64(),
        }
    }

    /// Returns the number if it is an integer in range, in any notation: `1.20e1` is 12.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[18446744073709551615, 12.0, 1.5, -1]")?;
    /// let integers: Vec<_> = document.iter().map(|value| value.as_u64()).collect();
    /// assert_eq!(integers, [Some(u64::MAX), Some(12), None, None]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn as_u64(self) -> Option<u64> {
        match self.numeric()? {
            Numeric::Unsigned(integer) => Some(integer),
            Numeric::Negative(_) => None,
            Numeric::Double(_) => self.as_number()?.to_u64(),
        }
    }

    /// Returns the double nearest to the number; of two that are equally near, the even one. Numbers that are too large
    /// become infinite.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[0.1, 2, 1e400, \"1\"]")?;
    /// let doubles: Vec<_> = document.iter().map(|value| value.as_f64()).collect();
    /// assert_eq!(doubles, [Some(0.1), Some(2.0), Some(f64::INFINITY), None]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "the conversion rounds to the nearest double")]
    pub fn as_f64(self) -> Option<f64> {
        Some(match self.numeric()? {
            Numeric::Unsigned(integer) => integer as f64,
            Numeric::Negative(integer) => integer as f64,
            Numeric::Double(double) => double,
        })
    }

    /// Returns the number in the type that fits it best, converted once.
    ///
    /// ```
    /// use fjson::Parser;
    /// use fjson::scalar::AnyNumber;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[7, -7, 0.7, \"7\"]")?;
    /// let numbers: Vec<_> = document.iter().map(|value| value.to_number()).collect();
    /// assert_eq!(numbers, [Some(AnyNumber::U64(7)), Some(AnyNumber::I64(-7)), Some(AnyNumber::F64(0.7)), None]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn to_number(self) -> Option<AnyNumber<'t>> {
        let rest = self.view.rest(self.token);
        matches!(rest, [b'-' | b'0'..=b'9', ..]).then(|| convert_number(rest))
    }

    /// Returns the number with all its digits.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[0.1, 1e400]")?;
    /// assert_eq!(document.at(1).unwrap().as_number().unwrap().text(), b"1e400");
    /// assert_eq!(document.at(1).unwrap().as_f64(), Some(f64::INFINITY));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn as_number(self) -> Option<Number<'t>> {
        if self.kind() == Kind::Number { Number::new(self.view.scalar(self.token)) } else { None }
    }

    #[inline]
    fn numeric(self) -> Option<Numeric> {
        let rest = self.view.rest(self.token);
        matches!(rest, [b'-' | b'0'..=b'9', ..]).then(|| read_number(rest))
    }

    /// Returns the value of `true` or `false`.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(b"[true, false, null]")?;
    /// let found: Vec<_> = document.iter().map(|value| (value.as_bool(), value.is_null())).collect();
    /// assert_eq!(found, [(Some(true), false), (Some(false), false), (None, true)]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self.view.byte(self.token) {
            b't' => Some(true),
            b'f' => Some(false),
            _ => None,
        }
    }

    /// Whether this is `null`; see the example of [`as_bool`](Self::as_bool).
    #[must_use]
    #[inline]
    pub fn is_null(self) -> bool {
        self.view.byte(self.token) == b'n'
    }

    /// Returns the text of the value as it is in the document, without whitespace around it.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"a": [1, "x"] }"#)?;
    /// let value = document.get("a").unwrap();
    /// assert_eq!((value.raw(), value.range()), (r#"[1, "x"]"#, 6..14));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn raw(self) -> &'t str {
        self.view.raw(self.token)
    }

    /// Returns the index of its first byte in the text of the document, in constant time.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"{\"a\": [true]}")?;
    /// assert_eq!(document.get("a").unwrap().start(), 6);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn start(self) -> usize {
        self.view.start(self.token)
    }

    /// Returns the number of its first token in [`tokens`](Self::tokens). [`Tokens::value`] returns the value again.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(b"{\"a\": [true]}")?;
    /// assert_eq!(document.get("a").unwrap().token(), 3);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn token(self) -> usize {
        self.token
    }

    /// Returns the tokens of the whole text that the value is part of.
    #[must_use]
    #[inline]
    pub fn tokens(self) -> Tokens<'p, 't> {
        Tokens::new(self.view)
    }

    /// Returns where [`raw`](Self::raw) is in the text of the document, in bytes; see the example there.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.view.start(self.token)..self.view.end(self.token)
    }
}

impl fmt::Debug for Value<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Value").field(&self.raw()).finish()
    }
}

/// Writes the text of the value as it is in the document.
impl fmt::Display for Value<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.raw())
    }
}

impl<'p, 't> IntoIterator for Value<'p, 't> {
    type Item = Value<'p, 't>;
    type IntoIter = Elements<'p, 't>;

    fn into_iter(self) -> Elements<'p, 't> {
        self.iter()
    }
}
