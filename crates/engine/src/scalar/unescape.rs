//! Unescaping of strings to UTF-8.
//!
//! Most strings have no escapes; their text is borrowed, not copied. RFC 8259 (section 8.2) allows escapes of lone
//! surrogates, which UTF-8 cannot represent; the caller chooses how to handle them.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::fmt;

use memchr::memchr;

use crate::scalar::pieces::Piece;
use crate::scalar::pieces::Pieces;
use crate::scalar::pieces::encode;
use crate::scalar::pieces::is_surrogate;

/// How the escape of a lone surrogate is handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Surrogates {
    /// As an error.
    #[default]
    Refuse,
    /// Encoded like any other code point: the result is WTF-8. Different strings stay different, but the result may not be
    /// UTF-8.
    Keep,
    /// Replaced by U+FFFD, the replacement character.
    Replace,
}

/// The kind of a [`StringError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringErrorKind {
    /// The escape of a lone surrogate.
    LoneSurrogate,
    /// A backslash that does not begin an escape sequence.
    InvalidEscape,
    /// There is not enough memory for the value.
    OutOfMemory,
}

/// The reason why a string cannot be unescaped, and the location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringError {
    kind: StringErrorKind,
    offset: usize,
}

impl StringError {
    pub(super) fn new(kind: StringErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> StringErrorKind {
        self.kind
    }

    /// The byte offset of the backslash from the start of the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for StringError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.kind {
            StringErrorKind::LoneSurrogate => "lone surrogate in an escape sequence",
            StringErrorKind::InvalidEscape => "invalid escape sequence",
            StringErrorKind::OutOfMemory => "out of memory: a string",
        })
    }
}

impl std::error::Error for StringError {}

/// Whether the text of a string has escapes. If not, its value is the text itself.
#[must_use]
#[inline]
pub fn has_escapes(text: &[u8]) -> bool {
    if text.len() > SHORT {
        return memchr(b'\\', text).is_some();
    }
    let (words, rest) = text.as_chunks();
    let last = text.last_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; 8];
        bytes[..rest.len()].copy_from_slice(rest);
        bytes
    });
    words.iter().fold(has_backslash(last), |any, &word| any | has_backslash(word))
}

/// Number of bytes up to which a loop over words is faster than a call.
const SHORT: usize = 32;

/// Whether one of eight bytes is a backslash (Mycroft's test for a zero byte).
#[inline(always)]
pub(crate) fn has_backslash(bytes: [u8; 8]) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    let zero = u64::from_le_bytes(bytes) ^ (ONES * u64::from(b'\\'));
    zero.wrapping_sub(ONES) & !zero & (ONES << 7) != 0
}

/// Unescapes the text of a string, which is given without its quotes.
///
/// `text` should be UTF-8 without unescaped quotes and control characters, as in a valid document. Otherwise, invalid bytes
/// are copied to the value.
///
/// # Errors
/// A lone surrogate, if `surrogates` is [`Surrogates::Refuse`]; an invalid escape sequence; or a failed allocation.
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

/// Unescapes the text of a string like [`unescape`], and appends the result to `value`.
///
/// # Errors
/// Like [`unescape`]; `value` is then unchanged.
pub fn unescape_into(text: &[u8], surrogates: Surrogates, value: &mut Vec<u8>) -> Result<(), StringError> {
    // An escape is never shorter than its value.
    let no_memory = |_| StringError::new(StringErrorKind::OutOfMemory, 0);
    value.try_reserve(text.len()).map_err(no_memory)?;
    let before = value.len();
    let result = append(text, surrogates, value);
    if result.is_err() {
        value.truncate(before);
    }
    result
}

/// Checks that [`unescape`] with [`Surrogates::Refuse`] would succeed, without allocating the value.
///
/// # Errors
/// The first escape of a lone surrogate, or an invalid escape sequence.
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
    fn text_without_escapes_is_borrowed() {
        assert!(matches!(unescape("añ😀".as_bytes(), Surrogates::Refuse), Ok(Cow::Borrowed(_))));
        assert!(matches!(unescape(b"", Surrogates::Refuse), Ok(Cow::Borrowed(b""))));
    }

    #[test]
    fn lone_surrogates_are_handled_as_chosen() {
        let text = br"a\ud800b\uDFFF";
        let refused = unescape(text, Surrogates::Refuse).expect_err("refused");
        assert_eq!((refused.kind(), refused.offset()), (StringErrorKind::LoneSurrogate, 1));
        let kept = unescape(text, Surrogates::Keep).expect("kept");
        assert_eq!(kept.as_ref(), b"a\xed\xa0\x80b\xed\xbf\xbf");
        let replaced = unescape(text, Surrogates::Replace).expect("replaced");
        assert_eq!(replaced.as_ref(), "a\u{fffd}b\u{fffd}".as_bytes());
    }

    #[test]
    fn are_paired_agrees_with_unescape() {
        for text in ["a", r"a\\ud800", r"\ud83d\ude00", r"a\ud800b\uDFFF", r"\n\udc00", r"\ud83d\ud83d\ude00", r"a\q"] {
            let [refused, found] =
                [unescape(text.as_bytes(), Surrogates::Refuse).map(drop), are_paired(text.as_bytes())]
                    .map(|result| result.map_err(|error| (error.kind(), error.offset())));
            assert_eq!(found, refused, "{text}");
        }
    }

    #[test]
    fn an_error_leaves_the_value_unchanged() {
        for surrogates in [Surrogates::Refuse, Surrogates::Keep, Surrogates::Replace] {
            let mut value = b"before".to_vec();
            let error = unescape_into(br"abc\n\q", surrogates, &mut value).expect_err("no escape");
            assert_eq!((error.kind(), error.offset()), (StringErrorKind::InvalidEscape, 5));
            assert_eq!(value, b"before");
        }
    }
}
