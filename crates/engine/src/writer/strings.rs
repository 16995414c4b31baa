//! Appends strings and keys.
//!
//! Most are short, and are copied in pieces of constant size (see `pieces.rs`). Longer strings are copied block by block with a
//! kernel, which finds everything that must be escaped in a block at once.

#![forbid(unsafe_code)]

use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::ROW;
use crate::kernel::controls_or;
use crate::scalar::Escape;
use crate::scalar::escape;
use crate::writer::append::Room;
use crate::writer::append::append;
use crate::writer::pieces::ROOM;
use crate::writer::pieces::has_room;
use crate::writer::pieces::row;

/// Bytes in a block.
const BLOCK: usize = 64;

/// The characters that must be escaped, in addition to control characters.
const SPECIAL: [u8; 2] = [b'"', b'\\'];

/// Appends a string with its quotes. Escapes only what JSON requires.
///
/// This and the other functions `push_…` write single tokens as fast as possible, for programs that know where commas and colons
/// belong. A [`Writer`](crate::Writer) knows it for them.
///
/// ```
/// let mut text = Vec::new();
/// fjson::push_string(&mut text, "a\"b\n");
/// assert_eq!(text, br#""a\"b\n""#);
/// ```
#[inline]
pub fn push_string(out: &mut Vec<u8>, value: &str) {
    let bytes = value.as_bytes();
    if !push_plain(out, bytes, *b"\"", *b"\"") {
        push_long_string(out, bytes);
    }
}

#[inline(never)]
fn push_long_string(out: &mut Vec<u8>, text: &[u8]) {
    Isa::detect().run(Quoting { text, out });
}

/// Returns which of sixteen bytes of a string must be escaped: bit *i* is that of the byte at position *i*. This is for programs that
/// write strings themselves, piece by piece; others use [`push_string`].
///
/// ```
/// assert_eq!(fjson::bytes_to_escape(b"0123\"56\\8901234\n"), 1 << 4 | 1 << 7 | 1 << 15);
/// ```
#[must_use]
#[inline(always)]
pub fn bytes_to_escape(row: &[u8; ROW]) -> u16 {
    controls_or(row, SPECIAL)
}

/// Appends a string with its quotes, with `characters` escaped.
pub(crate) fn push_string_escaped(out: &mut Vec<u8>, value: &str, characters: Escape) {
    if characters == Escape::minimal() {
        return push_string(out, value);
    }
    out.push(b'"');
    let start = out.len();
    while escape(value, characters, out).is_err() {
        // Without memory this aborts the process, as the growth of any vector does.
        out.truncate(start);
        out.reserve(value.len().saturating_mul(6));
    }
    out.push(b'"');
}

/// Appends a separator, a key with its quotes, and a colon.
///
/// If the key is a constant, the compiler searches it, and what is left are copies of constants. That must not need a loop: in a
/// large program, it gave up unrolling, and the keys of all structs were searched byte by byte (writing took twice as long).
#[cfg(any(test, feature = "serde"))]
#[inline(always)]
pub(crate) fn push_key(out: &mut Vec<u8>, separator: u8, key: &str) {
    if !push_plain(out, key.as_bytes(), [separator, b'"'], *b"\":") {
        push_other_key(out, Some(separator), key);
    }
}

/// Appends a key with its quotes and a colon, and before it a comma unless it is the first of its object; see [`push_string`].
///
/// ```
/// let mut text = b"{".to_vec();
/// fjson::push_name(&mut text, true, "a");
/// fjson::push_integer(&mut text, false, 1);
/// fjson::push_name(&mut text, false, "b");
/// fjson::push_float(&mut text, 0.5);
/// text.push(b'}');
/// assert_eq!(text, br#"{"a":1,"b":0.5}"#);
/// ```
#[inline]
pub fn push_name(out: &mut Vec<u8>, is_first: bool, key: &str) {
    let bytes = key.as_bytes();
    let is_pushed =
        if is_first { push_plain(out, bytes, *b"\"", *b"\":") } else { push_plain(out, bytes, *b",\"", *b"\":") };
    if !is_pushed {
        push_other_key(out, (!is_first).then_some(b','), key);
    }
}

/// Appends a key that is long, needs escapes or has no room.
#[cold]
#[inline(never)]
fn push_other_key(out: &mut Vec<u8>, separator: Option<u8>, key: &str) {
    // Also enough for the next key, so that a buffer that is kept has room for it the next time.
    out.reserve(key.len() + ROOM);
    out.extend(separator);
    push_string(out, key);
    out.push(b':');
}

/// Appends a string of up to 64 bytes between other characters. Returns false without having written anything if it is longer,
/// if something must be escaped, or if there is no room.
#[inline(always)]
fn push_plain<const B: usize, const A: usize>(
    out: &mut Vec<u8>,
    bytes: &[u8],
    before: [u8; B],
    after: [u8; A],
) -> bool {
    match bytes.len() {
        0..=16 if has_room(out) => push_plain_row(out, bytes, before, after),
        17..=32 if has_room(out) => push_plain_rows(out, bytes, before, after),
        33..=64 if has_room(out) => push_plain_block(out, bytes, before, after),
        _ => false,
    }
}

/// The most characters around a string.
const AROUND: usize = 4;

/// Appends a string of up to sixteen bytes.
#[inline(always)]
fn push_plain_row<const B: usize, const A: usize>(
    out: &mut Vec<u8>,
    bytes: &[u8],
    before: [u8; B],
    after: [u8; A],
) -> bool {
    let length = bytes.len();
    let row = row(bytes);
    // The zeros after the text are control characters.
    if u32::from(controls_or(&row, SPECIAL)) & ((1 << length) - 1) != 0 {
        return false;
    }
    append(out, |room: &mut Room<'_, { ROW + AROUND }>| {
        room.put(0, &before);
        room.put(B, &row);
        room.put(B + length, &after);
        B + length + A
    });
    true
}

/// Like [`push_plain_row`], for strings of 17 to 32 bytes: two rows that may overlap.
#[inline(always)]
fn push_plain_rows<const B: usize, const A: usize>(
    out: &mut Vec<u8>,
    bytes: &[u8],
    before: [u8; B],
    after: [u8; A],
) -> bool {
    let length = bytes.len();
    let (Some(first), Some(last)) = (bytes.first_chunk::<ROW>(), bytes.last_chunk::<ROW>()) else { return false };
    if controls_or(first, SPECIAL) | controls_or(last, SPECIAL) != 0 {
        return false;
    }
    append(out, |room: &mut Room<'_, { 2 * ROW + AROUND }>| {
        room.put(0, &before);
        room.put(B, first);
        room.put(B + length - ROW, last);
        room.put(B + length, &after);
        B + length + A
    });
    true
}

/// Like [`push_plain_rows`], for strings of 33 to 64 bytes.
#[inline(always)]
fn push_plain_block<const B: usize, const A: usize>(
    out: &mut Vec<u8>,
    bytes: &[u8],
    before: [u8; B],
    after: [u8; A],
) -> bool {
    let length = bytes.len();
    let (Some(first), Some(last)) = (bytes.first_chunk::<{ 2 * ROW }>(), bytes.last_chunk::<{ 2 * ROW }>()) else {
        return false;
    };
    let found = [first, last].map(|rows| {
        let (rows, _) = rows.as_chunks();
        controls_or(&rows[0], SPECIAL) | controls_or(&rows[1], SPECIAL)
    });
    if found != [0; 2] {
        return false;
    }
    append(out, |room: &mut Room<'_, { 4 * ROW + AROUND }>| {
        room.put(0, &before);
        room.put(B, first);
        room.put(B + length - 2 * ROW, last);
        room.put(B + length, &after);
        B + length + A
    });
    true
}

/// Appends a string of any length, with its quotes.
struct Quoting<'t, 'o> {
    text: &'t [u8],
    out: &'o mut Vec<u8>,
}

impl Pass for Quoting<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { text, out } = self;
        // Enough if nothing must be escaped.
        out.reserve(text.len() + 2 + BLOCK);
        out.push(b'"');
        let (chunks, rest) = text.as_chunks::<{ 4 * BLOCK }>();
        for chunk in chunks {
            let (blocks, _) = chunk.as_chunks::<BLOCK>();
            let [first, second, third, fourth] = [&blocks[0], &blocks[1], &blocks[2], &blocks[3]];
            let found = [
                kernel.controls_or(first, SPECIAL),
                kernel.controls_or(second, SPECIAL),
                kernel.controls_or(third, SPECIAL),
                kernel.controls_or(fourth, SPECIAL),
            ];
            if found[0] | found[1] | found[2] | found[3] == 0 {
                out.extend_from_slice(chunk);
            } else {
                push_block(out, first, BLOCK, found[0]);
                push_block(out, second, BLOCK, found[1]);
                push_block(out, third, BLOCK, found[2]);
                push_block(out, fourth, BLOCK, found[3]);
            }
        }
        let (blocks, rest) = rest.as_chunks::<BLOCK>();
        for block in blocks {
            push_block(out, block, BLOCK, kernel.controls_or(block, SPECIAL));
        }
        if !rest.is_empty() {
            let block = last_block(rest);
            let found = kernel.controls_or(&block, SPECIAL) & !(!0 << rest.len());
            push_block(out, &block, rest.len(), found);
        }
        out.push(b'"');
    }
}

/// Returns less than a block of text, followed by zeros.
#[inline(always)]
fn last_block(text: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let length = text.len();
    if let (Some(first), Some(last)) = (text.first_chunk::<32>(), text.last_chunk::<32>()) {
        block[..32].copy_from_slice(first);
        block[length - 32..length].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (text.first_chunk::<ROW>(), text.last_chunk::<ROW>()) {
        block[..ROW].copy_from_slice(first);
        block[length - ROW..length].copy_from_slice(last);
    } else {
        block[..ROW].copy_from_slice(&row(text));
    }
    block
}

/// Appends the first `length` bytes of a block. Bit *i* of `found` means that the byte at position *i* must be escaped.
#[inline(always)]
fn push_block(out: &mut Vec<u8>, block: &[u8; BLOCK], length: usize, found: u64) {
    if found == 0 {
        return append(out, |room: &mut Room<'_, BLOCK>| {
            room.put(0, block);
            length
        });
    }
    // Every byte may become six. What is written in a piece of constant size may be longer than needed, and begin anywhere in the
    // block, which is why there are two of them.
    let mut source = [0; 2 * BLOCK];
    source[..BLOCK].copy_from_slice(block);
    append(out, |room: &mut Room<'_, LONGEST>| {
        let (mut from, mut filled, mut rest) = (0, 0, found);
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if let Some(plain) = source[from..].first_chunk::<BLOCK>() {
                room.put(filled, plain);
            }
            filled += at - from;
            let escape = &ESCAPES[usize::from(source[at])];
            room.put(filled, escape);
            filled += usize::from(escape[7]);
            from = at + 1;
        }
        if let Some(plain) = source[from..].first_chunk::<BLOCK>() {
            room.put(filled, plain);
        }
        filled + length - from
    });
}

/// The length of a block in which every byte is escaped, and a block more.
const LONGEST: usize = 7 * BLOCK;

/// The escape of each byte that must be escaped, followed by zeros, with its length in the last byte.
static ESCAPES: [[u8; 8]; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = [b'\\', b'u', b'0', b'0', DIGITS[byte >> 4], DIGITS[byte & 15], 0, 6];
        byte += 1;
    }
    let letters = [
        (0x08, b'b'),
        (0x09, b't'),
        (0x0a, b'n'),
        (0x0c, b'f'),
        (0x0d, b'r'),
        (SPECIAL[0] as usize, SPECIAL[0]),
        (SPECIAL[1] as usize, SPECIAL[1]),
    ];
    let mut index = 0;
    while index < letters.len() {
        let (byte, letter) = letters[index];
        table[byte] = [b'\\', letter, 0, 0, 0, 0, 0, 2];
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what must be written for a string, byte by byte.
    fn expected(value: &str) -> String {
        let mut text = String::from("\"");
        for character in value.chars() {
            match character {
                '"' | '\\' => text.extend(['\\', character]),
                '\u{8}' => text.push_str("\\b"),
                '\t' => text.push_str("\\t"),
                '\n' => text.push_str("\\n"),
                '\u{c}' => text.push_str("\\f"),
                '\r' => text.push_str("\\r"),
                '\0'..' ' => text.extend(["\\u", &format!("{:04x}", u32::from(character))]),
                _ => text.push(character),
            }
        }
        text + "\""
    }

    /// Checks the text of a string, on every kernel and after texts of different lengths.
    fn check(value: &str) {
        let expected = expected(value);
        let written = |push: &dyn Fn(&mut Vec<u8>)| {
            let mut out = b"before".to_vec();
            push(&mut out);
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(written(&|out| push_string(out, value)), format!("before{expected}"));
        assert_eq!(written(&|out| push_key(out, b',', value)), format!("before,{expected}:"));
        assert_eq!(written(&|out| push_name(out, false, value)), format!("before,{expected}:"));
        assert_eq!(written(&|out| push_name(out, true, value)), format!("before{expected}:"));
        for isa in Isa::available() {
            let text = written(&|out| isa.run(Quoting { text: value.as_bytes(), out }));
            assert_eq!(text, format!("before{expected}"), "{isa}");
        }
    }

    #[test]
    fn every_character_at_every_length() {
        for character in ('\0'..='\u{100}').chain(['\u{2028}', '😀']) {
            check(&character.to_string());
            for length in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130] {
                let plain: String = ('a'..='z').cycle().take(length).collect();
                for at in [0, length / 2, length - 1] {
                    let (before, after) = plain.split_at(at);
                    check(&format!("{before}{character}{after}"));
                }
            }
        }
    }

    #[test]
    fn every_place_and_every_length() {
        for length in 0..=200_usize {
            let plain = "é".repeat(length / 2) + &"x".repeat(length % 2);
            check(&plain);
            for at in (0..=length).filter(|&at| plain.is_char_boundary(at)) {
                let (before, after) = plain.split_at(at);
                check(&format!("{before}\\{after}"));
                check(&format!("{before}\n\u{1}{after}"));
            }
        }
    }

    #[test]
    fn many_escapes() {
        for length in 0..300 {
            check(&"\"".repeat(length));
            check(&"\u{1}a".repeat(length));
            check(&(0..length).map(|index| if index % 7 == 0 { '\n' } else { 'x' }).collect::<String>());
        }
    }

    #[test]
    fn the_escapes_are_those_of_the_other_writer() {
        let value: String = ('\0'..='\u{2030}').collect();
        for characters in [Escape::minimal(), Escape::minimal().html(), Escape::minimal().ascii().js()] {
            let (mut out, mut inner) = (Vec::new(), Vec::new());
            push_string_escaped(&mut out, &value, characters);
            escape(&value, characters, &mut inner).expect("memory");
            assert_eq!(out, [b"\"", &inner[..], b"\""].concat());
        }
    }
}
