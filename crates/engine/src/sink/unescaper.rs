//! Writes characters instead of escapes that are not needed.
//!
//! Backslashes occur only inside strings. So validated output can be unescaped without parsing strings.

#![forbid(unsafe_code)]

use std::collections::TryReserveError;
use std::io;
use std::io::Write;

use crate::scalar::Escape;
use crate::scalar::decode_escape;
use crate::scalar::encode;
use crate::scalar::is_high;
use crate::scalar::push_escape;

/// Number of bytes that are unescaped at once.
const PIECE: usize = 16 * 1024;

/// Length of the longest escape, a surrogate pair.
const LONGEST: usize = 12;

/// Writes validated text with as few escapes as possible. Pieces of text may end inside an escape.
#[derive(Debug)]
pub(super) struct Unescaper {
    /// The characters whose escapes stay.
    escape: Escape,
    /// Whether these get the form of ECMAScript.
    normalizes: bool,
    /// The incomplete escape at the end of the last piece.
    begun: Vec<u8>,
    out: Vec<u8>,
}

impl Unescaper {
    /// Greatest number of bytes that are kept of an incomplete escape.
    pub(super) const KEPT: usize = LONGEST - 1;

    pub(super) fn new(escape: Escape, normalizes: bool) -> Self {
        Self { escape, normalizes, begun: Vec::new(), out: Vec::new() }
    }

    /// Writes `text` unescaped.
    pub(super) fn write(&mut self, text: &[u8], writer: &mut dyn Write) -> io::Result<()> {
        if self.begun.is_empty() && memchr::memchr(b'\\', text).is_none() {
            return writer.write_all(text);
        }
        for piece in text.chunks(PIECE) {
            self.out.clear();
            self.out.try_reserve(self.begun.len() + piece.len())?;
            let (begun, rest) = self.complete(piece)?;
            let mut incomplete = begun;
            if incomplete.is_empty() {
                incomplete = self.unescape(rest)?.to_vec();
            }
            // mutant:
            self.begun = incomplete;
            writer.write_all(&self.out)?;
        }
        Ok(())
    }

    /// Ends the text, which an error may have ended inside an escape.
    pub(super) fn finish(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        writer.write_all(&std::mem::take(&mut self.begun))
    }

    /// Continues the escape in which the last piece ended. Returns what is still incomplete, and the rest of the piece.
    fn complete<'t>(&mut self, mut rest: &'t [u8]) -> Result<(Vec<u8>, &'t [u8]), TryReserveError> {
        let mut begun = std::mem::take(&mut self.begun);
        while !begun.is_empty()
            && let Some((&byte, after)) = rest.split_first()
        {
            begun.push(byte);
            rest = after;
            begun = self.unescape(&begun)?.to_vec();
        }
        Ok((begun, rest))
    }

    /// Unescapes a text, up to an incomplete escape at its end, which is returned.
    fn unescape<'t>(&mut self, text: &'t [u8]) -> Result<&'t [u8], TryReserveError> {
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'\\', rest) {
            let (plain, escape) = rest.split_at(at);
            self.out.extend_from_slice(plain);
            if is_incomplete(escape) {
                return Ok(escape);
            }
            // A backslash that begins no escape can only come from an input that changed.
            let (code, length) = decode_escape(escape).unwrap_or((u32::from(b'\\'), 1));
            let is_escape = length > 1;
            let (escape, after) = escape.split_at(length);
            match char::from_u32(code) {
                // mutant: Some(character) => {
                Some(character) if !self.escape.covers(character) => {
                    let (bytes, length) = encode(code);
                    self.out.extend_from_slice(&bytes[..length]);
                }
                // mutant: _ if self.normalizes && false => push_escape(code, &mut self.out)?,
                _ if self.normalizes && is_escape => push_escape(code, &mut self.out)?,
                _ => self.out.extend_from_slice(escape),
            }
            rest = after;
        }
        self.out.extend_from_slice(rest);
        Ok(&[])
    }
}

/// Whether more text may belong to the escape that a text begins with.
fn is_incomplete(text: &[u8]) -> bool {
    match text {
        [_] => true,
        // mutant:
        [_, b'u', ..] if text.len() < 6 => true,
        [_, b'u', ..] if text.len() < LONGEST && decode_escape(text).is_some_and(|(code, _)| is_high(code)) => {
            matches!(&text[6..], [] | [b'\\'] | [b'\\', b'u', ..])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Unescaper;
    use crate::scalar::Escape;

    fn in_pieces(text: &str, escape: Escape, size: usize) -> String {
        let mut out = Vec::new();
        let mut unescaper = Unescaper::new(escape, false);
        for piece in text.as_bytes().chunks(size) {
            unescaper.write(piece, &mut out).expect("a vector takes all");
            assert!(unescaper.begun.len() <= Unescaper::KEPT);
        }
        unescaper.finish(&mut out).expect("a vector takes all");
        String::from_utf8(out).expect("the text is valid")
    }

    #[test]
    fn needless_escapes_become_characters() {
        let plain = Escape::minimal();
        for (text, escape, expected) in [
            (r"", plain, ""),
            (r"caf\u00e9 \u0041\/", plain, "café A/"),
            (r"\ud83d\uDE00\uD83d", plain, r"😀\uD83d"),
            (r"\ud83d\ud83d\ude00\ude00x", plain, r"\ud83d😀\ude00x"),
            (r"\ud83d\n\ud83dx\ud83d\\u0041", plain, r"\ud83d\n\ud83dx\ud83d\\u0041"),
            (r#"\"\\\b\f\n\r\t\u0022\u005C\u001f\u0000"#, plain, r#"\"\\\b\f\n\r\t\u0022\u005C\u001f\u0000"#),
            (r"\u007f\u2028\ufeff\uffff", plain, "\u{7f}\u{2028}\u{feff}\u{ffff}"),
            (r"\u2028\u00e9\u003C", plain.js(), r"\u2028é<"),
            (r"\u2028\u00e9\u003C\/", plain.html(), r"\u2028é\u003C/"),
            (r"\u0041\u00E9\ud83d\ude00", plain.ascii(), r"A\u00E9\ud83d\ude00"),
            (r"\u0041\u00", plain, r"A\u00"),
            (r"\ud83d\ude0", plain, r"\ud83d\ude0"),
        ] {
            for size in 1..=text.len().max(1) {
                assert_eq!(in_pieces(text, escape, size), expected, "{text} in pieces of {size}");
            }
        }
    }

    #[test]
    fn every_character() {
        let mut units = [0; 2];
        for character in '\0'..=char::MAX {
            let text = character
                .encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect::<Vec<_>>()
                .concat();
            let stays = character.is_ascii_control() && character != '\u{7f}' || "\"\\".contains(character);
            let expected = if stays { text.clone() } else { character.to_string() };
            assert_eq!(in_pieces(&text, Escape::minimal(), 5), expected);
        }
    }
}
