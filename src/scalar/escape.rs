//! From UTF-8 to the text of a string: only what must be escaped is, unless the caller asks for more.
//!
//! Most text has nothing to escape. It is looked through superblock by superblock on a kernel, where one word tells which
//! bytes matter, and copied in runs; text that does not fill a superblock is looked up byte by byte in a table.

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

/// What is escaped in strings beyond what must be: quotes, backslashes and control characters.
///
/// Written are the two-character escapes where there is one (but `/`, which needs none) and `\u` with small digits
/// everywhere else, as ECMAScript and RFC 8785 do it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Escape {
    ascii: bool,
    html: bool,
    js: bool,
}

impl Escape {
    /// Nothing beyond what must be.
    #[must_use]
    pub const fn minimal() -> Self {
        Self { ascii: false, html: false, js: false }
    }

    /// Everything that is not ASCII, too: the text survives whoever mistakes its encoding.
    #[must_use]
    pub const fn ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// `<`, `>`, `&`, and what [`js`](Self::js) escapes, too: the text may stand in HTML, even inside a `<script>`.
    #[must_use]
    pub const fn html(mut self) -> Self {
        self.html = true;
        self.js()
    }

    /// U+2028 and U+2029, too, which end a line in JavaScript before ECMAScript 2019.
    #[must_use]
    pub const fn js(mut self) -> Self {
        self.js = true;
        self
    }

    /// Whether a character is escaped.
    #[must_use]
    pub const fn covers(self, character: char) -> bool {
        match character {
            '\0'..' ' | '"' | '\\' => true,
            '<' | '>' | '&' => self.html,
            '\u{2028}' | '\u{2029}' => self.js || self.ascii,
            _ => self.ascii && !character.is_ascii(),
        }
    }

    /// Whether the text is ASCII then.
    pub(crate) const fn is_ascii(self) -> bool {
        self.ascii
    }

    /// The first bytes of characters that need not be escaped and may have to be: those that are asked for, and others only of
    /// the kind that begin like U+2028.
    #[inline(always)]
    pub(crate) fn leads_beyond_minimal<W: Word>(self, planes: &[W; 8]) -> W {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
        let mut leads = b7 & !b7;
        if self.html {
            // `&` is 26, `<` 3C, `>` 3E.
            leads = leads | !b7 & !b6 & b5 & b2 & !b0 & (!b4 & !b3 & b1 | b4 & b3);
        }
        if self.ascii {
            leads = leads | b7 & b6;
        } else if self.js {
            // U+2028 and U+2029 begin with E2.
            leads = leads | b7 & b6 & b5 & !b4 & !b3 & !b2 & b1 & !b0;
        }
        leads
    }
}

/// Appends to `out` the text, without quotes, of the string that says `value`.
///
/// # Errors
/// There is no memory for it; then what has been appended is a part of the text.
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
        Escaping::new(value, escape, out).in_turn()
    } else {
        escape_on(Isa::detect(), value, escape, out)
    }
}

/// Text shorter than this is not worth the way into a kernel.
const SHORT: usize = 64;

fn escape_on(isa: Isa, value: &str, escape: Escape, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    isa.run(Escaping::new(value, escape, out))
}

/// Appends to `out` the text of a string written anew: with the escapes that `escape` asks for and no others, in one form.
/// Escapes of lone surrogates stay escapes.
///
/// # Errors
/// A backslash in `text` that begins no escape, or there is no memory; then what has been appended is a part of the text.
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
fn push_escape(code: u32, out: &mut Vec<u8>) -> Result<(), TryReserveError> {
    let letter = match code {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        0x22 => b'"',
        0x5c => b'\\',
        _ => {
            if let Some(beyond) = code.checked_sub(0x1_0000) {
                push_unit(0xd800 + (beyond >> 10), out)?;
                return push_unit(0xdc00 + (beyond & 0x3ff), out);
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

/// A value on its way to its text.
struct Escaping<'v, 'o> {
    value: &'v str,
    escape: Escape,
    out: &'o mut Vec<u8>,
    /// How much of the value has been written.
    done: usize,
}

impl<'v, 'o> Escaping<'v, 'o> {
    fn new(value: &'v str, escape: Escape, out: &'o mut Vec<u8>) -> Self {
        Self { value, escape, out, done: 0 }
    }

    /// Writes what stands before `at` and, if it has to be escaped, the character that stands there.
    fn meet(&mut self, at: usize) -> Result<(), TryReserveError> {
        let Some(character) = self.value[at..].chars().next() else { return Ok(()) };
        if self.escape.covers(character) {
            push(&self.value.as_bytes()[self.done..at], self.out)?;
            push_escape(u32::from(character), self.out)?;
            self.done = at + character.len_utf8();
        }
        Ok(())
    }

    /// Meets all that `found` names in the superblock at `start`.
    #[inline(always)]
    fn meet_all<W: Word>(&mut self, start: usize, found: W) -> Result<(), TryReserveError> {
        if found.any() {
            for (lane, mut mask) in lanes(found).into_iter().enumerate() {
                while mask != 0 {
                    self.meet(start + 64 * lane + mask.trailing_zeros() as usize)?;
                    mask &= mask - 1;
                }
            }
        }
        Ok(())
    }

    /// Meets the bytes that may matter one by one.
    fn in_turn(mut self) -> Result<(), TryReserveError> {
        let classes = classes(self.escape);
        for (at, &byte) in self.value.as_bytes().iter().enumerate() {
            if MEMBERS[usize::from(byte)] & classes != 0 {
                self.meet(at)?;
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
            self.meet_all(start, leads(&kernel.planes(superblock), self.escape))?;
            start += K::SUPERBLOCK;
        }
        let rest = superblocks.remainder();
        let mut padded = [b' '; 64 * MAX_LANES];
        padded[..rest.len()].copy_from_slice(rest);
        self.meet_all(start, leads(&kernel.planes(&padded[..K::SUPERBLOCK]), self.escape))?;
        self.end()
    }
}

/// The first bytes of characters that may have to be escaped: all that have to be, and others only of the kind that begin
/// like U+2028.
#[inline(always)]
fn leads<W: Word>(planes: &[W; 8], escape: Escape) -> W {
    let [b0, b1, b2, b3, b4, b5, b6, b7] = *planes;
    let below_40 = !b7 & !b6;
    let row_2 = below_40 & b5 & !b4;
    let column_2 = !b3 & !b2 & b1 & !b0;
    let column_c = b3 & b2 & !b1 & !b0;
    let must_be = below_40 & !b5 | row_2 & column_2 | !b7 & b6 & !b5 & b4 & column_c;
    must_be | escape.leads_beyond_minimal(planes)
}

/// Classes of first bytes, one bit each.
const ALWAYS: u8 = 1;
const HTML: u8 = 2;
const LIKE_U2028: u8 = 4;
const NOT_ASCII: u8 = 8;

/// The classes that matter.
fn classes(escape: Escape) -> u8 {
    let asked = [(escape.html, HTML), (escape.js, LIKE_U2028), (escape.ascii, NOT_ASCII)];
    asked.iter().filter(|(asked, _)| *asked).fold(ALWAYS, |classes, (_, class)| classes | class)
}

/// The classes each byte belongs to.
static MEMBERS: [u8; 256] = {
    let mut members = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        members[byte] = match byte {
            0..0x20 | 0x22 | 0x5c => ALWAYS,
            0x26 | 0x3c | 0x3e => HTML,
            0xe2 => LIKE_U2028 | NOT_ASCII,
            0xc0.. => NOT_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    members
};

#[cfg(test)]
mod tests {
    use super::Escape;
    use super::Escaping;
    use super::MEMBERS;
    use super::escape;
    use super::escape_on;
    use super::reescape;
    use crate::kernel::Isa;

    /// All ways to escape.
    fn ways() -> impl Iterator<Item = Escape> {
        let plain = Escape::minimal();
        [plain, plain.js(), plain.html(), plain.ascii(), plain.ascii().js(), plain.ascii().html()].into_iter()
    }

    fn escaped(value: &str, way: Escape) -> String {
        let mut out = Vec::new();
        escape(value, way, &mut out).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn each_way() {
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
    fn the_table_has_what_is_covered() {
        for way in ways() {
            for character in '\0'..=char::MAX {
                let lead = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
                assert!(!way.covers(character) || MEMBERS[usize::from(lead)] & super::classes(way) != 0);
            }
        }
    }

    /// Every kernel finds what the table finds, wherever in a superblock it stands.
    #[test]
    fn kernels_find_the_same() {
        let characters: String = ('\0'..'\u{3000}').chain(['\u{e000}', '\u{ffff}', '😀', char::MAX]).collect();
        let mut rare = String::new();
        for (index, character) in characters.chars().enumerate() {
            rare.extend(std::iter::repeat_n('a', index % 97).chain([character]));
        }
        for text in [&characters, &rare] {
            for start in (0..text.len().min(1100)).filter(|&start| text.is_char_boundary(start)).step_by(7) {
                for way in ways() {
                    let text = &text[start..];
                    let mut expected = Vec::new();
                    Escaping::new(text, way, &mut expected).in_turn().expect("memory");
                    for isa in Isa::available() {
                        let mut out = Vec::new();
                        escape_on(isa, text, way, &mut out).expect("memory");
                        assert!(out == expected, "{isa}, {way:?}, from {start}");
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
    fn escapes_are_written_anew() {
        let anew = |text: &str, way| {
            let mut out = Vec::new();
            reescape(text.as_bytes(), way, &mut out).map(|()| String::from_utf8(out).expect("UTF-8"))
        };
        let plain = Escape::minimal();
        assert_eq!(anew(r"\u0041\/\u0022\u000a\u00E9é", plain).as_deref(), Ok(r#"A/\"\néé"#));
        assert_eq!(anew(r"\u0041\/\u0022\u000a\u00E9é", plain.ascii()).as_deref(), Ok(r#"A/\"\n\u00e9\u00e9"#));
        assert_eq!(anew(r"\uD83D\uDE00\uD83D\uDE0", plain).map_err(|error| error.offset()), Err(18));
        assert_eq!(anew(r"\uD83D\uDE00\uD83D", plain).as_deref(), Ok(r"😀\ud83d"));
    }
}
