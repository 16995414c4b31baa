//! From the text of a string to what it says, in UTF-8.
//!
//! Most strings have no escapes: their text is their value and is lent, not copied. RFC 8259 (section 8.2) allows escapes
//! of lone surrogates, which no UTF-8 can hold; what becomes of them is the caller's choice, so that none is lost unseen.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::fmt;

use memchr::memchr;

use crate::scalar::pieces::Piece;
use crate::scalar::pieces::Pieces;
use crate::scalar::pieces::encode;
use crate::scalar::pieces::is_surrogate;

/// What becomes of the escape of a surrogate that is not half of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Surrogates {
    /// It is an error.
    #[default]
    Refuse,
    /// It is encoded like any other code point: the result is WTF-8. Different strings stay different, but the result
    /// need not be UTF-8.
    Keep,
    /// It becomes U+FFFD, the replacement character.
    Replace,
}

/// Why the text of a string has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringErrorKind {
    /// The escape of a surrogate that is not half of a pair.
    LoneSurrogate,
    /// A backslash that begins no escape.
    InvalidEscape,
    /// There is no memory for the value.
    OutOfMemory,
}

/// Why the text of a string has no value, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringError {
    kind: StringErrorKind,
    offset: usize,
}

impl StringError {
    pub(super) fn new(kind: StringErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> StringErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the text: at the backslash.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for StringError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.kind {
            StringErrorKind::LoneSurrogate => "the escape of a surrogate that is not half of a pair",
            StringErrorKind::InvalidEscape => "a backslash that begins no escape",
            StringErrorKind::OutOfMemory => "there is not enough memory for a string",
        })
    }
}

impl std::error::Error for StringError {}

/// Whether the text of a string has escapes. If not, it is its own value.
#[must_use]
#[inline]
pub fn has_escapes(text: &[u8]) -> bool {
    memchr(b'\\', text).is_some()
}

/// The value of a string whose text, without the quotes, is `text`.
///
/// The text is taken to be UTF-8 without bare quotes and control characters, as in any valid document; if it is not, what
/// is wrong with it is found in the value too.
///
/// # Errors
/// A lone surrogate, if those are refused; a backslash that begins no escape; or there is no memory for the value.
///
/// ```
/// use fjson::scalar::{StringErrorKind, Surrogates, unescape};
///
/// assert_eq!(unescape(br"caf\u00e9 \ud83d\ude00", Surrogates::Refuse)?, "café 😀".as_bytes());
/// let error = unescape(br"one \ud83d", Surrogates::Refuse).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (StringErrorKind::LoneSurrogate, 4));
/// assert_eq!(unescape(br"one \ud83d", Surrogates::Replace)?, "one \u{fffd}".as_bytes());
/// # Ok::<(), fjson::scalar::StringError>(())
/// ```
#[inline]
pub fn unescape(text: &[u8], surrogates: Surrogates) -> Result<Cow<'_, [u8]>, StringError> {
    if !has_escapes(text) {
        return Ok(Cow::Borrowed(text));
    }
    let mut value = Vec::new();
    unescape_into(text, surrogates, &mut value)?;
    Ok(Cow::Owned(value))
}

/// Appends the value of a string to `value`, as [`unescape`] tells it.
///
/// # Errors
/// As [`unescape`]; then `value` is as it was.
pub fn unescape_into(text: &[u8], surrogates: Surrogates, value: &mut Vec<u8>) -> Result<(), StringError> {
    // No escape is shorter than what it stands for.
    let no_memory = |_| StringError::new(StringErrorKind::OutOfMemory, 0);
    value.try_reserve(text.len()).map_err(no_memory)?;
    let before = value.len();
    let result = append(text, surrogates, value);
    if result.is_err() {
        value.truncate(before);
    }
    result
}

/// What [`unescape`] says of surrogates that have no other one, without the memory for the value.
///
/// # Errors
/// The first escape of a lone surrogate, or what is no escape.
pub(crate) fn are_paired(text: &[u8]) -> Result<(), StringError> {
    let mut pieces = Pieces::new(text);
    loop {
        let at = pieces.at();
        match pieces.next() {
            None => return Ok(()),
            Some(Piece::Stray) => return Err(StringError::new(StringErrorKind::InvalidEscape, at)),
            Some(Piece::Escape(code)) if is_surrogate(code) => {
                return Err(StringError::new(StringErrorKind::LoneSurrogate, at));
            }
            Some(Piece::Escape(_) | Piece::Run(_)) => {}
        }
    }
}

fn append(text: &[u8], surrogates: Surrogates, value: &mut Vec<u8>) -> Result<(), StringError> {
    let mut pieces = Pieces::new(text);
    loop {
        let at = pieces.at();
        let code = match pieces.next() {
            None => return Ok(()),
            Some(Piece::Stray) => return Err(StringError::new(StringErrorKind::InvalidEscape, at)),
            Some(Piece::Run(run)) => {
                value.extend_from_slice(run);
                continue;
            }
            Some(Piece::Escape(code)) if is_surrogate(code) => match surrogates {
                Surrogates::Refuse => return Err(StringError::new(StringErrorKind::LoneSurrogate, at)),
                Surrogates::Keep => code,
                Surrogates::Replace => u32::from(char::REPLACEMENT_CHARACTER),
            },
            Some(Piece::Escape(code)) => code,
        };
        let (bytes, length) = encode(code);
        value.extend_from_slice(&bytes[..length]);
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::StringErrorKind;
    use super::Surrogates;
    use super::are_paired;
    use super::unescape;
    use super::unescape_into;

    #[test]
    fn text_without_escapes_is_lent() {
        assert!(matches!(unescape("añ😀".as_bytes(), Surrogates::Refuse), Ok(Cow::Borrowed(_))));
        assert!(matches!(unescape(b"", Surrogates::Refuse), Ok(Cow::Borrowed(b""))));
    }

    #[test]
    fn lone_surrogates_are_what_the_caller_says() {
        let text = br"a\ud800b\uDFFF";
        let refused = unescape(text, Surrogates::Refuse).expect_err("refused");
        assert_eq!((refused.kind(), refused.offset()), (StringErrorKind::LoneSurrogate, 1));
        let kept = unescape(text, Surrogates::Keep).expect("kept");
        assert_eq!(kept.as_ref(), b"a\xed\xa0\x80b\xed\xbf\xbf");
        let replaced = unescape(text, Surrogates::Replace).expect("replaced");
        assert_eq!(replaced.as_ref(), "a\u{fffd}b\u{fffd}".as_bytes());
    }

    #[test]
    fn a_lone_surrogate_is_where_it_is_refused() {
        for text in ["a", r"a\\ud800", r"\ud83d\ude00", r"a\ud800b\uDFFF", r"\n\udc00", r"\ud83d\ud83d\ude00", r"a\q"] {
            let [refused, found] =
                [unescape(text.as_bytes(), Surrogates::Refuse).map(drop), are_paired(text.as_bytes())]
                    .map(|result| result.map_err(|error| (error.kind(), error.offset())));
            assert_eq!(found, refused, "{text}");
        }
    }

    #[test]
    fn an_error_leaves_the_value_as_it_was() {
        for surrogates in [Surrogates::Refuse, Surrogates::Keep, Surrogates::Replace] {
            let mut value = b"before".to_vec();
            let error = unescape_into(br"abc\n\q", surrogates, &mut value).expect_err("no escape");
            assert_eq!((error.kind(), error.offset()), (StringErrorKind::InvalidEscape, 5));
            assert_eq!(value, b"before");
        }
    }
}
