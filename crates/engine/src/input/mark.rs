//! Byte order marks: recognized at the start of an input, and skipped if they are those of UTF-8.
//!
//! RFC 8259 lets a parser ignore a mark. By default it is an error, because many programs do not ignore it.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::Input;
use crate::input::Source;

/// The encoding that a byte order mark names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrderMark {
    /// `EF BB BF`.
    Utf8,
    /// `FF FE`, unless it is that of UTF-32.
    Utf16Le,
    /// `FE FF`.
    Utf16Be,
    /// `FF FE 00 00`.
    Utf32Le,
    /// `00 00 FE FF`.
    Utf32Be,
}

/// Length of the longest mark.
const LONGEST: usize = 4;

impl ByteOrderMark {
    /// Returns the mark that a text begins with.
    pub(crate) fn of(text: &[u8]) -> Option<Self> {
        match text {
            [0xEF, 0xBB, 0xBF, ..] => Some(Self::Utf8),
            // mutant:
            [0xFF, 0xFE, 0x00, 0x00, ..] => Some(Self::Utf32Le),
            [0x00, 0x00, 0xFE, 0xFF, ..] => Some(Self::Utf32Be),
            [0xFF, 0xFE, ..] => Some(Self::Utf16Le),
            [0xFE, 0xFF, ..] => Some(Self::Utf16Be),
            _ => None,
        }
    }

    /// Returns the number of bytes of the mark.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no mark is empty")]
    pub fn len(self) -> usize {
        match self {
            Self::Utf8 => 3,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }
}

impl Input<'_> {
    /// Returns the byte order mark that the input begins with, if there is one. May read from a reader to find out. A
    /// [range](Self::range) that does not begin with the input has no mark.
    ///
    /// ```
    /// use fjson::{ByteOrderMark, Input};
    ///
    /// assert_eq!(Input::from("[1]").byte_order_mark()?, None);
    /// assert_eq!(Input::from("\u{feff}[1]").byte_order_mark()?, Some(ByteOrderMark::Utf8));
    /// assert_eq!(Input::from(b"\xff\xfe[\x00]\x00").byte_order_mark()?, Some(ByteOrderMark::Utf16Le));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails.
    pub fn byte_order_mark(&mut self) -> Result<Option<ByteOrderMark>, Error> {
        if self.start() != 0 || self.base() != 0 {
            return Ok(None);
        }
        // What cannot begin a mark is not waited for.
        while !self.at_end()
            && self.bytes().len() < LONGEST
            // mutant: && matches!(self.bytes(), [] | [0xEF | 0xFE | 0xFF, ..])
            && matches!(self.bytes(), [] | [0xEF | 0xFE | 0xFF, ..] | [0] | [0, 0, ..])
        {
            self.read_more(0)?;
        }
        Ok(ByteOrderMark::of(self.bytes()))
    }

    /// Skips the byte order mark of UTF-8, if the input begins with one. Offsets still count its three bytes; columns do not count
    /// it. Any other mark stays, and is an error in the text. May read from a reader.
    ///
    /// ```
    /// use fjson::{Input, Options, validate};
    ///
    /// let input = || Input::from("\u{feff}[1,]");
    /// assert_eq!(validate(input(), &Options::new()).unwrap_err().offset(), 0);
    ///
    /// let error = validate(input().skip_byte_order_mark()?, &Options::new()).unwrap_err();
    /// assert_eq!((error.offset(), error.column()), (6, Some(4)));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails.
    pub fn skip_byte_order_mark(mut self) -> Result<Self, Error> {
        if self.byte_order_mark()? != Some(ByteOrderMark::Utf8) {
            return Ok(self);
        }
        let length = ByteOrderMark::Utf8.len();
        let mark = length as u64;
        if let Source::Stream(stream) = &mut self.source {
            // mutant:
            stream.skip(length);
            return Ok(Self { start: mark, mark, ..self });
        }
        let end = self.end_in_memory();
        Ok(Self { mark, ..self.part(mark..end) })
    }
}

#[cfg(test)]
mod tests {
    use super::ByteOrderMark;
    use crate::error::Error;
    use crate::input::Input;
    use crate::input::START;

    #[test]
    fn marks_are_recognized() -> Result<(), Error> {
        let cases: [(&[u8], Option<ByteOrderMark>); 12] = [
            (b"", None),
            (b"[", None),
            (b"\xef\xbb", None),
            (b"\xef\xbb\xbf", Some(ByteOrderMark::Utf8)),
            (b"\xef\xbb\xbf[]", Some(ByteOrderMark::Utf8)),
            (b"\xff\xfe", Some(ByteOrderMark::Utf16Le)),
            (b"\xff\xfe1\0", Some(ByteOrderMark::Utf16Le)),
            (b"\xff\xfe\0\0", Some(ByteOrderMark::Utf32Le)),
            (b"\xfe\xff\0", Some(ByteOrderMark::Utf16Be)),
            (b"\0\0\xfe\xff", Some(ByteOrderMark::Utf32Be)),
            (b"\0\0\xfe", None),
            (b"\0[\0]", None),
        ];
        for (text, mark) in cases {
            for size in 0..=text.len() {
                assert_eq!(Input::in_pieces(text, size).byte_order_mark()?, mark, "{text:?} in pieces of {size}");
            }
        }
        Ok(())
    }

    #[test]
    fn only_that_of_utf_8_is_skipped() -> Result<(), Error> {
        let cases: [(&[u8], u64); 4] =
            [(b"\xef\xbb\xbf[1]", 3), (b"[1]", 0), (b"\xff\xfe1\0", 0), (b"\xef\xbb\xbf\xef\xbb\xbf1", 3)];
        for (text, start) in cases {
            for size in 0..=text.len() {
                let mut input = Input::in_pieces(text, size).skip_byte_order_mark()?;
                while !input.at_end() {
                    input.read_more(0)?;
                }
                assert_eq!((input.start(), input.base(), input.at()), (start, start, START));
                assert_eq!(input.bytes(), &text[usize::try_from(start).expect("it is short")..]);
                assert!(input.is_numbered());
                // There is no second one.
                assert_eq!(input.skip_byte_order_mark()?.start(), start);
            }
        }
        Ok(())
    }
}
