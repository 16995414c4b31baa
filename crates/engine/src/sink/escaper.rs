//! Writes characters as `\u` escapes, for consumers that cannot handle them.
//!
//! These characters occur only inside strings. So validated output can be escaped byte by byte without parsing strings. The masks
//! show for a whole tile whether there is anything to escape. If not, the text is written as usual.

#![forbid(unsafe_code)]

use std::io;
use std::io::Write;

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::scalar::Escape;

/// Number of bytes that are escaped at once. The result is up to six times as long and is buffered until it is written.
const PIECE: usize = 16 * 1024;

/// Writes validated text with escapes. Pieces of text may end inside a character.
#[derive(Debug)]
pub(crate) struct Escaper {
    escape: Escape,
    /// The first bytes of an incomplete character at the end of the last piece.
    begun: Vec<u8>,
    out: Vec<u8>,
}

impl Escaper {
    /// Greatest number of bytes that are kept of an incomplete character.
    pub(crate) const KEPT: usize = 3;

    pub(crate) fn new(escape: Escape) -> Option<Self> {
        (escape != Escape::minimal()).then(|| Self { escape, begun: Vec::new(), out: Vec::new() })
    }

    /// Returns whether one of the superblocks, given by their bit planes, may contain a character to escape.
    #[inline(always)]
    pub(crate) fn may_escape<K: Kernel>(&self, kernel: K, superblocks: &[[K::Word; 8]]) -> bool {
        let mut found = kernel.splat(0);
        let mut unknown = false;
        for planes in superblocks {
            found = found | self.escape.leads_beyond_minimal(planes);
            // The planes of a superblock that was skipped as plain text are all zero.
            unknown |= K::PEEKS && !(planes[5] | planes[6]).any();
        }
        // mutant: found.any()
        unknown || found.any()
    }

    /// Returns whether the last piece ended inside a character that may have to be escaped.
    pub(crate) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Writes `text` with escapes and returns the number of bytes written.
    pub(crate) fn write(&mut self, text: &[u8], writer: &mut dyn Write) -> io::Result<u64> {
        let mut written = 0;
        for piece in text.chunks(PIECE) {
            self.out.clear();
            self.out.try_reserve(6 * (Self::KEPT + piece.len())).map_err(|_| io::ErrorKind::OutOfMemory)?;
            self.piece(piece);
            writer.write_all(&self.out)?;
            written += self.out.len() as u64;
        }
        Ok(written)
    }

    /// Ends the text. An error may have ended it inside a character; the bytes of that character are written unless the output must
    /// be ASCII.
    pub(crate) fn finish(&mut self, writer: &mut dyn Write) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        if self.escape.is_ascii() { Ok(()) } else { writer.write_all(&begun) }
    }

    fn piece(&mut self, text: &[u8]) {
        let mut rest = self.complete(text);
        while let Some(at) = self.candidate(rest) {
            let (plain, from) = rest.split_at(at);
            self.out.extend_from_slice(plain);
            let Some((character, after)) = from.split_at_checked(length(from[0])) else {
                // mutant:
                self.begun.extend_from_slice(from);
                return;
            };
            self.character(character);
            rest = after;
        }
        self.out.extend_from_slice(rest);
    }

    /// Completes the character that the last piece ended in. Returns the text after it.
    fn complete<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let Some(&lead) = self.begun.first() else { return text };
        let missing = length(lead) - self.begun.len();
        let (continued, rest) = text.split_at(missing.min(text.len()));
        let mut begun = std::mem::take(&mut self.begun);
        begun.extend_from_slice(continued);
        if continued.len() == missing {
            self.character(&begun);
            begun.clear();
        }
        self.begun = begun;
        rest
    }

    /// Returns the index of the first byte that may begin a character to escape.
    fn candidate(&self, text: &[u8]) -> Option<usize> {
        let beyond = if self.escape.is_ascii() { 0x80 } else { 0 };
        // Bytes that need not be found are replaced by one that never occurs in UTF-8.
        let separator = if self.escape.covers('\u{2028}') { 0xe2 } else { 0xff };
        let [amp, lt, gt] = if self.escape.covers('<') { *b"&<>" } else { [0xff; 3] };
        // Nonzero if the byte may begin such a character. Branch-free, so that the compiler can vectorize it.
        let is_one = |byte: u8| {
            (byte & beyond)
                | u8::from(byte == separator)
                | u8::from(byte == amp)
                | u8::from(byte == lt)
                | u8::from(byte == gt)
        };
        let (blocks, _) = text.as_chunks::<32>();
        let in_blocks = blocks.iter().position(|block| block.iter().fold(0, |found, &byte| found | is_one(byte)) != 0);
        let from = 32 * in_blocks.unwrap_or(blocks.len());
        text[from..].iter().position(|&byte| is_one(byte) != 0).map(|place| from + place)
    }

    /// Writes one character, escaped if necessary.
    fn character(&mut self, bytes: &[u8]) {
        let character = str::from_utf8(bytes).unwrap_or_default().chars().next();
        match character.filter(|&character| self.escape.covers(character)) {
            Some(character) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    self.unit(*unit);
                }
            }
            None => self.out.extend_from_slice(bytes),
        }
    }

    /// Writes a UTF-16 code unit as an escape.
    fn unit(&mut self, unit: u16) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |shift: u32| DIGITS[usize::from(unit >> shift & 15)];
        self.out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
    }
}

/// Returns the length in bytes of a character that begins with `lead`.
fn length(lead: u8) -> usize {
    match lead {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::Escaper;
    use super::PIECE;
    use crate::scalar::Escape;
    use std::fmt::Write as _;

    /// Returns all escape settings.
    fn settings() -> [Escape; 6] {
        let plain = Escape::minimal();
        [plain, plain.js(), plain.html(), plain.ascii(), plain.ascii().js(), plain.ascii().html()]
    }

    /// Escapes a text, after checking that pieces of any size give the same result as the whole text.
    fn escaped(text: &str, escape: Escape) -> String {
        let whole = in_pieces(text, escape, text.len().max(1));
        for size in 1..text.len().min(8) {
            assert_eq!(in_pieces(text, escape, size), whole, "{escape:?}, {size}: {text:?}");
        }
        whole
    }

    fn in_pieces(text: &str, escape: Escape, size: usize) -> String {
        let Some(mut escaper) = Escaper::new(escape) else { return text.to_owned() };
        let mut out = Vec::new();
        let mut written = 0;
        for piece in text.as_bytes().chunks(size) {
            written += escaper.write(piece, &mut out).expect("a vector takes all");
        }
        assert_eq!(written, out.len() as u64);
        assert!(!escaper.has_begun());
        String::from_utf8(out).expect("escapes are ASCII")
    }

    #[test]
    fn each_setting_escapes_its_characters() {
        let text = "a<>&\"\\/'\u{7f}é\u{800}\u{2027}\u{2028}\u{2029}\u{202a}\u{ffff}\u{10000}\u{10ffff}";
        let plain = Escape::minimal();
        let html = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        let js = |text: &str| text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
        let ascii = "a<>&\"\\/'\u{7f}\\u00e9\\u0800\\u2027\\u2028\\u2029\\u202a\\uffff\\ud800\\udc00\\udbff\\udfff";
        let both = ascii.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        assert_eq!(escaped(text, plain), text);
        assert_eq!(escaped(text, plain.html()), js(&html));
        assert_eq!(escaped(text, plain.js()), js(text));
        assert_eq!(escaped(text, plain.ascii()), ascii);
        assert_eq!(escaped(text, plain.ascii().html()), both);
    }

    #[test]
    fn every_character() {
        let mut units = [0; 2];
        for character in '\0'..=char::MAX {
            let mut expected = String::new();
            for unit in character.encode_utf16(&mut units) {
                write!(expected, "\\u{unit:04x}").expect("a string takes all");
            }
            for escape in settings() {
                let takes = escape.covers(character) && !character.is_control() && !"\"\\".contains(character)
                    || escape.is_ascii() && !character.is_ascii();
                let text = character.to_string();
                assert_eq!(&in_pieces(&text, escape, 1), if takes { &expected } else { &text }, "{escape:?}");
            }
        }
    }

    /// The character at every position of a block of the search and near the end of a piece.
    #[test]
    fn every_position() {
        for at in (0..80).chain(PIECE - 5..PIECE + 5) {
            let plain = "x".repeat(at);
            assert_eq!(
                in_pieces(&format!("{plain}é."), Escape::minimal().ascii(), usize::MAX),
                format!("{plain}\\u00e9.")
            );
            assert_eq!(
                in_pieces(&format!("{plain}€\u{2028}"), Escape::minimal().js(), usize::MAX),
                format!("{plain}€\\u2028")
            );
        }
    }

    #[test]
    fn text_that_ends_inside_a_character() {
        let plain = Escape::minimal();
        for (escape, expected) in [(plain.ascii(), &b"a"[..]), (plain.js(), b"a\xe2\x80"), (plain.ascii().html(), b"a")]
        {
            let mut out = Vec::new();
            let mut escaper = Escaper::new(escape).expect("there is something to escape");
            escaper.write(b"a\xe2\x80", &mut out).expect("a vector takes all");
            assert!(escaper.has_begun());
            escaper.finish(&mut out).expect("a vector takes all");
            assert_eq!((&out[..], escaper.has_begun()), (expected, false));
        }
    }
}
