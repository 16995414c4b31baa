//! Values of a document.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::document::View;
use crate::scalar::Number;
use crate::scalar::Numeric;
use crate::scalar::Surrogates;
use crate::scalar::read_number;
use crate::scalar::same_key;
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
pub struct Value<'d> {
    view: View<'d, 'd>,
    /// The first token of the value.
    token: usize,
}

impl<'d> Value<'d> {
    #[inline]
    pub(super) fn new(view: View<'d, 'd>, token: usize) -> Self {
        Self { view, token }
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

    /// Returns the value of the first member with this key, if this is an object that has one. Takes time proportional to
    /// the number of members before it; values inside them are skipped.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"id": 1, "caf\u00e9": {"id": 2}}"#)?;
    /// assert_eq!(document.get("café").unwrap().get("id").unwrap().as_u64(), Some(2));
    /// assert!(document.get("name").is_none());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(self, key: &str) -> Option<Self> {
        let mut members = self.members();
        while let Some(token) = members.token() {
            let is_match = match self.view.plain(token) {
                Some(plain) => plain == key,
                // A key with escapes may have the same value as one without.
                None => is_value(self.view.inside(token), key),
            };
            if is_match {
                return Some(Self::new(self.view, token + 2));
            }
            members.token = self.view.skip(token + 2);
        }
        None
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
    pub fn iter(self) -> Elements<'d> {
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
    pub fn members(self) -> Members<'d> {
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
    pub fn as_str(self) -> Option<Cow<'d, str>> {
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
    pub fn as_str_lossy(self) -> Option<Cow<'d, str>> {
        if self.view.byte(self.token) != b'"' {
            return None;
        }
        self.view.plain(self.token).map(Cow::Borrowed).or_else(|| self.unescaped(Surrogates::Replace))
    }

    #[cold]
    fn unescaped(self, surrogates: Surrogates) -> Option<Cow<'d, str>> {
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
    pub fn as_number(self) -> Option<Number<'d>> {
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
    pub fn raw(self) -> &'d str {
        self.view.raw(self.token)
    }

    /// Returns where [`raw`](Self::raw) is in the text of the document, in bytes; see the example there.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.view.start(self.token)..self.view.end(self.token)
    }
}

/// Whether the text of a string with escapes has this value.
#[cold]
fn is_value(text: &[u8], value: &str) -> bool {
    // A value with a backslash must not be taken for the text of a string.
    if value.contains('\\') {
        return unescape(text, Surrogates::Refuse).is_ok_and(|text| *text == *value.as_bytes());
    }
    same_key(text, value.as_bytes())
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Value").field(&self.raw()).finish()
    }
}

/// Writes the text of the value as it is in the document.
impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.raw())
    }
}

impl<'d> IntoIterator for Value<'d> {
    type Item = Value<'d>;
    type IntoIter = Elements<'d>;

    fn into_iter(self) -> Elements<'d> {
        self.iter()
    }
}

/// The elements of an array; see the example of [`Value::iter`].
#[derive(Clone, Debug)]
pub struct Elements<'d> {
    view: View<'d, 'd>,
    /// The first token of the next element, or the closing bracket. `None` if this is not an array.
    token: Option<usize>,
}

impl<'d> Iterator for Elements<'d> {
    type Item = Value<'d>;

    #[inline]
    fn next(&mut self) -> Option<Value<'d>> {
        let token = self.token?;
        if self.view.byte(token) == b']' {
            return None;
        }
        self.token = Some(self.view.skip(token));
        Some(Value::new(self.view, token))
    }
}

/// A member of an object; see the example of [`Value::members`].
#[derive(Clone, Copy, Debug)]
pub struct Member<'d> {
    /// The key, which is a string.
    pub key: Value<'d>,
    /// The value.
    pub value: Value<'d>,
}

/// The members of an object; see the example of [`Value::members`].
#[derive(Clone, Debug)]
pub struct Members<'d> {
    view: View<'d, 'd>,
    /// The opening quote of the next key, or the closing bracket. `usize::MAX` if this is not an object.
    token: usize,
}

impl Members<'_> {
    /// Returns the opening quote of the next key.
    #[inline]
    fn token(&self) -> Option<usize> {
        (self.token != usize::MAX && self.view.byte(self.token) == b'"').then_some(self.token)
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    #[inline]
    fn next(&mut self) -> Option<Member<'d>> {
        let token = self.token()?;
        self.token = self.view.skip(token + 2);
        Some(Member { key: Value::new(self.view, token), value: Value::new(self.view, token + 2) })
    }
}
