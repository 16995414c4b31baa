//! Escaping of strings: as few escapes as JSON requires, or more if the caller wants them.
//!
//! Most text needs no escapes. A kernel searches it superblock by superblock for bytes that may need one, and everything
//! between them is copied in runs. Short text is searched byte by byte with a table instead.

#![forbid(unsafe_code)]

use std::collections::TryReserveError;

use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::scalar::pieces::Piece;
use crate::scalar::pieces::Pieces;
use crate::scalar::unescape::StringError;
use crate::scalar::unescape::StringErrorKind;

/// The characters that are escaped in strings, in addition to quotes, backslashes and control characters.
///
/// Escapes have the form of ECMAScript and RFC 8785: two characters if such an escape exists (`/` needs none), otherwise `\u`
/// with lower-case digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Escape {
    ascii: bool,
    html: bool,
    js: bool,
}

impl Escape {
    /// Escapes only quotes, backslashes and control characters.
    #[must_use]
    pub const fn minimal() -> Self {
        Self { ascii: false, html: false, js: false }
    }

    /// Also escapes all characters that are not ASCII, so that the text is safe in any ASCII-compatible encoding.
    #[must_use]
    pub const fn ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// Also escapes `<`, `>`, `&`, and the characters of [`js`](Self::js), so that the text may be embedded in HTML, even inside
    /// a `<script>` element.
    #[must_use]
    pub const fn html(mut self) -> Self {
        self.html = true;
        self.js()
    }

    /// Also escapes U+2028 and U+2029, which end a line in JavaScript before ECMAScript 2019.
    #[must_use]
    pub const fn js(mut self) -> Self {
        self.js = true;
        self
    }

    /// Whether this character is escaped.
    #[must_use]
    pub const fn covers(self, character: char) -> bool {
        match character {
            '\0'..' ' | '"' | '\\' => true,
            '<' | '>' | '&' => self.html,
            '\u{2028}' | '\u{2029}' => self.js || self.ascii,
            _ => self.ascii && !character.is_ascii(),
        }
    }

    /// Whether all escaped text is ASCII.
    pub(crate) const fn is_ascii(self) -> bool {
        self.ascii
    }

    /// Returns the first bytes of characters that may be escaped in addition to the minimal ones: all that are, and for `js`
    /// also other characters that begin with E2.
    #[inline(always)]
    pub(crate) fn leads_beyond_minimal<W: Word>(self, planes: &[W; 8]) -> W {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
        let mut leads = b7 & !b7;
        if self.html {
            // `&` is 26, `<` 3C, `>` 3E.
            leads = leads | !b7 & !b6 & b5 & b2 & !b0 & (!b4 & !b3 & b1 | b4 & b3);
        }
        if self.ascii {
            // mutant:
            leads = leads | b7 & b6;
        } else if self.js {
            // U+2028 and U+2029 begin with E2.
            leads = leads | b7 & b6 & b5 & !b4 & !b3 & !b2 & b1 & !b0;
        }
        leads
    }
}

/// Appends the JSON text of a string, without quotes, to `out`.
///
/// # Errors
/// If there is not enough memory. `out` may then contain a part of the text.
///
/// ```
/// use fjson::scalar::{Escape, escape};
///
/// let mut out = Vec::new();
/// escape("one\t\"two\" <é>", Escape::minimal(), &mut out)?;
/// assert_eq!(out, r#"one\t\"two\" <é>"#.as_bytes());
/// out.clear();
/// escape("<é 😀>", Escape::minimal().html().ascii(), &mut out)?;
/// assert_eq!(out, br"\u003c\u00e9 \ud83d\ude00\u003e");
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
pub fn escape(value: &str, escape: Escape, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    if value.len() < SHORT {
        Escaping::new(value, escape, out).with_table()
    } else {
        escape_on(Isa::detect(), value, escape, out)
    }
}

/// Text shorter than this is escaped with the table, since calling a kernel would cost more than it saves.
const SHORT: usize = 64;

fn escape_on(isa: Isa, value: &str, escape: Escape, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    isa.run(Escaping::new(value, escape, out))
}

/// Normalizes the escapes of a string, and appends the result to `out`: exactly the characters of `escape` are escaped.
/// Lone surrogates stay escaped.
///
/// # Errors
/// If `text` contains an invalid escape sequence, or if there is not enough memory. `out` may then contain a part of the text.
///
/// ```
/// use fjson::scalar::{Escape, reescape};
///
/// let mut out = Vec::new();
/// reescape(br"\u0041\/\u000A\uD83D\uDE00\uD800", Escape::minimal(), &mut out)?;
/// assert_eq!(out, r"A/\n😀\ud800".as_bytes());
/// # Ok::<(), fjson::scalar::StringError>(())
/// ```
pub fn reescape(text: &[u8], escape: Escape, out: &mut Vec<u8>) -> Result<(), StringError> {
    let mut pieces = Pieces::new(text);
    loop {
        let at = pieces.at();
        let no_memory = |_| StringError::new(StringErrorKind::OutOfMemory, at);
        match pieces.next() {
            None => return Ok(()),
            Some(Piece::Stray) => return Err(StringError::new(StringErrorKind::InvalidEscape, at)),
            Some(Piece::Run(run)) => {
                for chunk in run.utf8_chunks() {
                    self::escape(chunk.valid(), escape, out).map_err(no_memory)?;
                    push(chunk.invalid(), out).map_err(no_memory)?;
                }
            }
            Some(Piece::Escape(code)) => match char::from_u32(code) {
                Some(character) if !escape.covers(character) => {
                    push(character.encode_utf8(&mut [0; 4]).as_bytes(), out).map_err(no_memory)?;
                }
                _ => push_escape(code, out).map_err(no_memory)?,
            },
        }
    }
}

/// Appends `bytes`.
fn push(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    out.try_reserve(bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

/// Appends the escape of a code point.
pub(crate) fn push_escape(code: u32, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    let letter = match code {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        0x22 => b'"',
        0x5c => b'\\',
        _ => {
            if let Some(offset) = code.checked_sub(0x1_0000) {
                push_unit(0xd800 + (offset >> 10), out)?;
                return push_unit(0xdc00 + (offset & 0x3ff), out);
            }
            return push_unit(code, out);
        }
    };
    push(&[b'\\', letter], out)
}

/// Appends the `\u` escape of a UTF-16 code unit.
fn push_unit(unit: u32, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    let digit = |shift: u32| b"0123456789abcdef"[(unit >> shift & 0xf) as usize];
    push(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)], out)
}

/// The state of escaping a value.
struct Escaping<'v, 'o> {
    value: &'v str,
    escape: Escape,
    out: &'o mut Vec<u8>,
    /// Number of bytes of the value that have been written.
    done: usize,
}

impl<'v, 'o> Escaping<'v, 'o> {
    fn new(value: &'v str, escape: Escape, out: &'o mut Vec<u8>) -> Self {
        Self { value, escape, out, done: 0 }
    }

    /// If the character at `at` must be escaped, writes the text before it and its escape.
    fn escape_at(&mut self, at: usize) -> Result<(), TryReserveError> {
        let Some(character) = self.value[at..].chars().next() else { return Ok(()) };
        if self.escape.covers(character) {
            push(&self.value.as_bytes()[self.done..at], self.out)?;
            push_escape(u32::from(character), self.out)?;
            self.done = at + character.len_utf8();
        }
        Ok(())
    }

    /// Calls [`escape_at`](Self::escape_at) for each bit of `found`, which belongs to the superblock at `start`.
    #[inline(always)]
    fn escape_all<W: Word>(&mut self, start: usize, found: W) -> Result<(), TryReserveError> {
        if found.any() {
            for (lane, mut mask) in lanes(found).into_iter().enumerate() {
                while mask != 0 {
                    self.escape_at(start + 64 * lane + mask.trailing_zeros() as usize)?;
                    mask &= mask - 1;
                }
            }
        }
        Ok(())
    }

    /// Escapes the value with the table.
    fn with_table(mut self) -> Result<(), TryReserveError> {
        let classes = classes(self.escape);
        for (at, &byte) in self.value.as_bytes().iter().enumerate() {
            if CLASSES[usize::from(byte)] & classes != 0 {
                self.escape_at(at)?;
            }
        }
        self.end()
    }

    /// Writes the rest.
    fn end(self) -> Result<(), TryReserveError> {
        push(&self.value.as_bytes()[self.done..], self.out)
    }
}

impl Pass for Escaping<'_, '_> {
    type Output = Result<(), TryReserveError>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Self::Output {
        let mut superblocks = self.value.as_bytes().chunks_exact(K::SUPERBLOCK);
        let mut start = 0;
        for superblock in superblocks.by_ref() {
            self.escape_all(start, leads(&kernel.planes(superblock), self.escape))?;
            start += K::SUPERBLOCK;
        }
        let rest = superblocks.remainder();
        let mut padded = [b' '; 64 * MAX_LANES];
        padded[..rest.len()].copy_from_slice(rest);
        self.escape_all(start, leads(&kernel.planes(&padded[..K::SUPERBLOCK]), self.escape))?;
        self.end()
    }
}

/// Returns the first bytes of characters that may be escaped: all that are, and for `js` also other characters that begin with
/// E2.
#[inline(always)]
fn leads<W: Word>(planes: &[W; 8], escape: Escape) -> W {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
    let below_40 = !b7 & !b6;
    let row_2 = below_40 & b5 & !b4;
    let column_2 = !b3 & !b2 & b1 & !b0;
    let column_c = b3 & b2 & !b1 & !b0;
    let required = below_40 & !b5 | row_2 & column_2 | !b7 & b6 & !b5 & b4 & column_c;
    required | escape.leads_beyond_minimal(planes)
}

/// Classes of first bytes of characters, one bit each.
const ALWAYS: u8 = 1;
const HTML: u8 = 2;
const LIKE_U2028: u8 = 4;
const NOT_ASCII: u8 = 8;

/// Returns the classes that `escape` selects.
fn classes(escape: Escape) -> u8 {
    let selected = [(escape.html, HTML), (escape.js, LIKE_U2028), (escape.ascii, NOT_ASCII)];
    selected.iter().filter(|(is_selected, _)| *is_selected).fold(ALWAYS, |classes, (_, class)| classes | class)
}

/// The classes of each byte.
static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte {
            0..0x20 | 0x22 | 0x5c => ALWAYS,
            0x26 | 0x3c | 0x3e => HTML,
            0xe2 => LIKE_U2028 | NOT_ASCII,
            0xc0.. => NOT_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::CLASSES;
    use super::Escape;
    use super::Escaping;
    use super::escape;
    use super::escape_on;
    use super::reescape;
    use crate::kernel::Isa;

    /// Returns all sets of escaped characters.
    fn all_escapes() -> impl Iterator<Item = Escape> {
        let plain = Escape::minimal();
        [plain, plain.js(), plain.html(), plain.ascii(), plain.ascii().js(), plain.ascii().html()].into_iter()
    }

    fn escaped(value: &str, escaped: Escape) -> String {
        let mut out = Vec::new();
        escape(value, escaped, &mut out).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn each_set_of_characters() {
        let value = "\0\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/<>&'\u{7f}\u{2027}\u{2028}\u{2029}\u{202a}é😀";
        let always = r#"\u0000\b\t\n\u000b\f\r\u001f \"\\/"#;
        let end = "'\u{7f}\u{2027}\u{2028}\u{2029}\u{202a}é😀";
        let plain = Escape::minimal();
        assert_eq!(escaped(value, plain), format!("{always}<>&{end}"));
        let end = "'\u{7f}\u{2027}\\u2028\\u2029\u{202a}é😀";
        assert_eq!(escaped(value, plain.js()), format!("{always}<>&{end}"));
        assert_eq!(escaped(value, plain.html()), format!(r"{always}\u003c\u003e\u0026{end}"));
        let end = "'\u{7f}\\u2027\\u2028\\u2029\\u202a\\u00e9\\ud83d\\ude00";
        assert_eq!(escaped(value, plain.ascii()), format!("{always}<>&{end}"));
    }

    #[test]
    fn the_table_covers_all_escaped_characters() {
        for escape in all_escapes() {
            for character in '\0'..=char::MAX {
                let lead = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
                assert!(!escape.covers(character) || CLASSES[usize::from(lead)] & super::classes(escape) != 0);
            }
        }
    }

    /// Every kernel finds the same characters as the table, at any position in a superblock.
    #[test]
    fn kernels_find_the_same() {
        let characters: String = ('\0'..'\u{3000}').chain(['\u{e000}', '\u{ffff}', '😀', char::MAX]).collect();
        let mut rare = String::new();
        for (index, character) in characters.chars().enumerate() {
            rare.extend(std::iter::repeat_n('a', index % 97).chain([character]));
        }
        for text in [&characters, &rare] {
            for start in (0..text.len().min(1100)).filter(|&start| text.is_char_boundary(start)).step_by(7) {
                for escape in all_escapes() {
                    let text = &text[start..];
                    let mut expected = Vec::new();
                    Escaping::new(text, escape, &mut expected).with_table().expect("memory");
                    for isa in Isa::available() {
                        let mut out = Vec::new();
                        escape_on(isa, text, escape, &mut out).expect("memory");
                        assert!(out == expected, "{isa}, {escape:?}, from {start}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_length_is_written_whole() {
        for length in 0..1500 {
            let value: String = (0..length).map(|index| if index % 61 == 60 { '"' } else { 'x' }).collect();
            assert_eq!(escaped(&value, Escape::minimal()), value.replace('"', "\\\""));
        }
    }

    #[test]
    fn escapes_are_normalized() {
        let reescaped = |text: &str, escape| {
            let mut out = Vec::new();
            reescape(text.as_bytes(), escape, &mut out).map(|()| String::from_utf8(out).expect("UTF-8"))
        };
        let plain = Escape::minimal();
        assert_eq!(reescaped(r"\u0041\/\u0022\u000a\u00E9é", plain).as_deref(), Ok(r#"A/\"\néé"#));
        assert_eq!(reescaped(r"\u0041\/\u0022\u000a\u00E9é", plain.ascii()).as_deref(), Ok(r#"A/\"\n\u00e9\u00e9"#));
        assert_eq!(reescaped(r"\uD83D\uDE00\uD83D\uDE0", plain).map_err(|error| error.offset()), Err(18));
        assert_eq!(reescaped(r"\uD83D\uDE00\uD83D", plain).as_deref(), Ok(r"😀\ud83d"));
    }
}
