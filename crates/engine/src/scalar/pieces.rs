//! Splits the text of a string into runs without backslashes and decoded escapes.
//!
//! Unescaping, comparing, hashing and reescaping all use these pieces, so that escapes and surrogate pairs are decoded in
//! only one place.

#![forbid(unsafe_code)]

use memchr::memchr;

/// A part of the text of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Bytes without a backslash.
    Run(&'t [u8]),
    /// The code point of an escape, or of two that are a surrogate pair. A surrogate if it is unpaired.
    Escape(u32),
    /// A backslash that does not begin an escape sequence.
    Stray,
}

/// The pieces of a text, in order.
#[derive(Clone, Debug)]
pub(super) struct Pieces<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Pieces<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The offset of the next piece.
    pub(super) fn at(&self) -> usize {
        self.at
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    #[inline]
    fn next(&mut self) -> Option<Piece<'t>> {
        let rest = &self.text[self.at..];
        if *rest.first()? != b'\\' {
            let run = &rest[..memchr(b'\\', rest).unwrap_or(rest.len())];
            self.at += run.len();
            return Some(Piece::Run(run));
        }
        let (piece, length) =
            decode_escape(rest).map_or((Piece::Stray, 1), |(code, length)| (Piece::Escape(code), length));
        self.at += length;
        Some(piece)
    }
}

/// Decodes the escape at the start of `text`; returns its code point and its length. `None` if it is invalid.
pub(crate) fn decode_escape(text: &[u8]) -> Option<(u32, usize)> {
    let code = match text.get(1)? {
        same @ (b'"' | b'\\' | b'/') => *same,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => {
            let first = unit(text)?;
            return match text.get(6..).and_then(unit) {
                // mutant: Some(second) if is_high(first) => {
                Some(second) if is_high(first) && is_low(second) => {
                    Some((0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12))
                }
                _ => Some((first, 6)),
            };
        }
    };
    Some((u32::from(code), 2))
}

/// Decodes the `\u` escape at the start of `text`; returns its UTF-16 code unit. `None` if it is invalid.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |code, &digit| Some(code << 4 | char::from(digit).to_digit(16)?))
}

/// Whether a code point is a high surrogate, the first of a pair.
pub(crate) fn is_high(code: u32) -> bool {
    (0xd800..0xdc00).contains(&code)
}

/// Whether a code point is a low surrogate, the second of a pair.
fn is_low(code: u32) -> bool {
    (0xdc00..0xe000).contains(&code)
}

/// Whether a code point is a surrogate.
pub(super) fn is_surrogate(code: u32) -> bool {
    is_high(code) || is_low(code)
}

/// Encodes a code point in UTF-8, or a surrogate in the same scheme (WTF-8); returns the bytes and their number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "continuation bytes are masked, and few bits of a code point remain in the first byte"
)]
pub(crate) fn encode(code: u32) -> ([u8; 4], usize) {
    let continuation = |shift: u32| 0x80 | (code >> shift) as u8 & 0x3f;
    match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xc0 | (code >> 6) as u8, continuation(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xe0 | (code >> 12) as u8, continuation(6), continuation(0), 0], 3),
        _ => ([0xf0 | (code >> 18) as u8, continuation(12), continuation(6), continuation(0)], 4),
    }
}

#[cfg(test)]
mod tests {
    use super::Piece;
    use super::Pieces;
    use super::encode;

    fn codes(text: &str) -> Vec<Result<u32, String>> {
        Pieces::new(text.as_bytes())
            .map(|piece| match piece {
                Piece::Run(run) => Err(String::from_utf8_lossy(run).into_owned()),
                Piece::Escape(code) => Ok(code),
                Piece::Stray => Err("stray".to_owned()),
            })
            .collect()
    }

    #[test]
    fn each_escape() {
        let expected = [0x22, 0x5c, 0x2f, 8, 0xc, 0xa, 0xd, 9, 0x41, 0xffff].map(Ok);
        assert_eq!(codes(r#"\"\\\/\b\f\n\r\t\u0041\uFffF"#), expected);
    }

    #[test]
    fn surrogate_pairs_are_joined() {
        assert_eq!(codes(r"\ud83d\uDE00"), [Ok(0x1_f600)]);
        assert_eq!(codes(r"\udbff\udfff"), [Ok(0x10_ffff)]);
        assert_eq!(codes(r"\ud83d\ud83d\ude00\ude00"), [Ok(0xd83d), Ok(0x1_f600), Ok(0xde00)]);
        assert_eq!(codes(r"\ud83d \ude00"), [Ok(0xd83d), Err(" ".to_owned()), Ok(0xde00)]);
        assert_eq!(codes(r"\ud83d\n"), [Ok(0xd83d), Ok(0xa)]);
    }

    #[test]
    fn invalid_escapes() {
        let stray = || Err("stray".to_owned());
        let run = |text: &str| Err(text.to_owned());
        assert_eq!(codes(r"a\"), [run("a"), stray()]);
        assert_eq!(codes(r"\x"), [stray(), run("x")]);
        assert_eq!(codes(r"\u12"), [stray(), run("u12")]);
        assert_eq!(codes(r"\u+123"), [stray(), run("u+123")]);
        assert_eq!(codes(r"\ud800\u"), [Ok(0xd800), stray(), run("u")]);
    }

    #[test]
    fn characters_are_encoded_as_by_std() {
        for character in '\0'..=char::MAX {
            let (bytes, length) = encode(u32::from(character));
            assert_eq!(bytes[..length], *character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        assert_eq!(encode(0xd800), ([0xed, 0xa0, 0x80, 0], 3));
    }
}
