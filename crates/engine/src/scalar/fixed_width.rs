//! Text with the same number of bytes for each character, as the strings of other languages have it.
//!
//! UTF-8 is read in groups: sixteen ASCII characters, or four characters of two or three bytes, are recognized by one comparison with
//! a mask and converted together. Text in one script consists of such groups, so there is no branch that depends on each character.

#![forbid(unsafe_code)]

/// The fewest bytes in which every character of a text fits, if all of them have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CharWidth {
    /// One byte; all characters are ASCII, so that the text is its UTF-8.
    Ascii,
    /// One byte: the characters up to U+00FF.
    One,
    /// Two bytes: the characters up to U+FFFF.
    Two,
    /// Four bytes.
    Four,
}

/// Returns the number of characters of a text, and the fewest bytes that each of them needs.
///
/// ```
/// use fjson::scalar::{CharWidth, char_width};
///
/// assert_eq!(char_width("abc"), (3, CharWidth::Ascii));
/// assert_eq!(char_width("café"), (4, CharWidth::One));
/// assert_eq!(char_width("12 €"), (4, CharWidth::Two));
/// assert_eq!(char_width("😀"), (1, CharWidth::Four));
/// ```
#[must_use]
#[inline]
pub fn char_width(text: &str) -> (usize, CharWidth) {
    let bytes = text.as_bytes();
    if bytes.is_ascii() {
        return (bytes.len(), CharWidth::Ascii);
    }
    // Counted in bytes for as long as these do not overflow, so that many are counted at once.
    let (mut count, mut greatest) = (0, 0);
    for block in bytes.chunks(255) {
        let mut starts = 0_u8;
        for &byte in block {
            starts += u8::from(byte.cast_signed() >= FIRST_START);
            greatest = byte.max(greatest);
        }
        count += usize::from(starts);
    }
    let width = match greatest {
        0..0xc4 => CharWidth::One,
        0xc4..0xf0 => CharWidth::Two,
        0xf0.. => CharWidth::Four,
    };
    (count, width)
}

/// As a signed number, each byte that begins a character is at least this, and all others are less.
const FIRST_START: i8 = -0x40;

/// Writes the characters of a text, one byte for each. They must be at most U+00FF; of others, only the lowest bits are written.
/// Returns their number.
///
/// # Panics
/// If `out` has less room than that.
///
/// ```
/// let mut out = [0; 4];
/// assert_eq!(fjson::scalar::write_one_byte("café", &mut out), 4);
/// assert_eq!(out, [0x63, 0x61, 0x66, 0xe9]);
/// ```
pub fn write_one_byte(text: &str, out: &mut [u8]) -> usize {
    write(text.as_bytes(), out)
}

/// Writes the characters of a text, two bytes for each. They must be at most U+FFFF; of others, only the lowest bits are written.
/// Returns their number.
///
/// # Panics
/// If `out` has less room than that.
///
/// ```
/// let mut out = [0; 2];
/// assert_eq!(fjson::scalar::write_two_bytes("€5", &mut out), 2);
/// assert_eq!(out, [0x20ac, 0x35]);
/// ```
pub fn write_two_bytes(text: &str, out: &mut [u16]) -> usize {
    write(text.as_bytes(), out)
}

/// Writes the characters of a text, four bytes for each. Returns their number.
///
/// # Panics
/// If `out` has less room than that.
///
/// ```
/// let mut out = [0; 1];
/// assert_eq!(fjson::scalar::write_four_bytes("😀", &mut out), 1);
/// assert_eq!(out, [0x1f600]);
/// ```
pub fn write_four_bytes(text: &str, out: &mut [u32]) -> usize {
    write(text.as_bytes(), out)
}

/// An integer for one character.
trait Unit: Copy {
    fn of(code: u32) -> Self;
}

impl Unit for u8 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "documented")]
    fn of(code: u32) -> Self {
        code as Self
    }
}

impl Unit for u16 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "documented")]
    fn of(code: u32) -> Self {
        code as Self
    }
}

impl Unit for u32 {
    #[inline(always)]
    fn of(code: u32) -> Self {
        code
    }
}

/// Number of ASCII characters in a group.
const ROW: usize = 16;

/// Four characters of two bytes: the bits that are the same in all of them, and their value.
const TWO_BYTES: (u64, u64) = (0xc0e0_c0e0_c0e0_c0e0, 0x80c0_80c0_80c0_80c0);

/// A character of three bytes, and then a byte of any kind.
const THREE_BYTES: (u32, u32) = (0x00c0_c0f0, 0x0080_80e0);

fn write<U: Unit>(bytes: &[u8], out: &mut [U]) -> usize {
    let (mut rest, mut filled) = (bytes, 0);
    while let Some(&first) = rest.first() {
        let room = &mut out[filled..];
        let (read, written) = match first {
            0..0x80 => write_ascii(rest, room),
            0x80..0xe0 => write_pairs(rest, room),
            0xe0..0xf0 => write_triples(rest, room),
            0xf0.. => {
                room[0] = U::of(code(rest, 4));
                (4, 1)
            }
        };
        rest = rest.get(read..).unwrap_or_default();
        filled += written;
    }
    filled
}

/// Returns the code point of a character of `length` bytes. Bytes that are missing count as zeros.
#[inline(always)]
fn code(bytes: &[u8], length: usize) -> u32 {
    let first = u32::from(bytes[0]) & (0x7f >> length);
    (1..length).fold(first, |code, index| code << 6 | u32::from(bytes.get(index).copied().unwrap_or(0)) & 0x3f)
}

/// Writes ASCII characters: sixteen if there are that many, otherwise all up to another character. Returns the number of bytes read,
/// and of characters written.
#[inline(always)]
fn write_ascii<U: Unit>(rest: &[u8], out: &mut [U]) -> (usize, usize) {
    if let (Some(row), Some(room)) = (rest.first_chunk::<ROW>(), out.first_chunk_mut::<ROW>())
        && row.is_ascii()
    {
        for (place, &byte) in room.iter_mut().zip(row) {
            *place = U::of(u32::from(byte));
        }
        return (ROW, ROW);
    }
    let mut count = 0;
    for (&byte, place) in rest.iter().take_while(|byte| byte.is_ascii()).zip(&mut *out) {
        *place = U::of(u32::from(byte));
        count += 1;
    }
    // Without room for any, this is the documented panic.
    assert!(count > 0, "room for all characters");
    (count, count)
}

/// Writes characters of two bytes: four if there are that many, otherwise one.
#[inline(always)]
fn write_pairs<U: Unit>(rest: &[u8], out: &mut [U]) -> (usize, usize) {
    if let (Some(bytes), Some(room)) = (rest.first_chunk::<8>(), out.first_chunk_mut::<4>())
        && let pairs = u64::from_le_bytes(*bytes)
        && pairs & TWO_BYTES.0 == TWO_BYTES.1
    {
        let codes = (pairs & 0x001f_001f_001f_001f) << 6 | (pairs >> 8) & 0x003f_003f_003f_003f;
        for (index, place) in room.iter_mut().enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "one of the four codes")]
            let code = (codes >> (16 * index)) as u16;
            *place = U::of(u32::from(code));
        }
        return (8, 4);
    }
    out[0] = U::of(code(rest, 2));
    (2, 1)
}

/// Writes characters of three bytes: four if there are that many, otherwise one.
#[inline(always)]
fn write_triples<U: Unit>(rest: &[u8], out: &mut [U]) -> (usize, usize) {
    if let (Some(bytes), Some(room)) = (rest.first_chunk::<13>(), out.first_chunk_mut::<4>()) {
        let words: [u32; 4] = std::array::from_fn(|index| {
            let at = 3 * index;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        });
        if words.iter().all(|word| word & THREE_BYTES.0 == THREE_BYTES.1) {
            for (place, word) in room.iter_mut().zip(words) {
                *place = U::of((word & 0xf) << 12 | (word >> 8 & 0x3f) << 6 | word >> 16 & 0x3f);
            }
            return (12, 4);
        }
    }
    out[0] = U::of(code(rest, 3));
    (3, 1)
}

#[cfg(test)]
mod tests {
    use super::CharWidth;
    use super::char_width;
    use super::write_four_bytes;
    use super::write_one_byte;
    use super::write_two_bytes;
    use crate::explain::random::Random;

    /// Compares with the characters of the standard library. The room is exactly what is needed.
    fn check(text: &str) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let greatest = codes.iter().copied().max().unwrap_or(0);
        let width = match greatest {
            0..0x80 => CharWidth::Ascii,
            0x80..0x100 => CharWidth::One,
            0x100..0x1_0000 => CharWidth::Two,
            _ => CharWidth::Four,
        };
        assert_eq!(char_width(text), (codes.len(), width), "{text}");
        let mut four = vec![0; codes.len()];
        assert_eq!((write_four_bytes(text, &mut four), &four), (codes.len(), &codes), "{text}");
        if width <= CharWidth::Two {
            let mut two = vec![0; codes.len()];
            assert_eq!(write_two_bytes(text, &mut two), codes.len());
            assert!(two.iter().map(|&unit| u32::from(unit)).eq(codes.iter().copied()), "{text}");
        }
        if width <= CharWidth::One {
            let mut one = vec![0; codes.len()];
            assert_eq!(write_one_byte(text, &mut one), codes.len());
            assert!(one.iter().map(|&unit| u32::from(unit)).eq(codes.iter().copied()), "{text}");
        }
    }

    #[test]
    fn every_character() {
        for character in '\0'..=char::MAX {
            if !cfg!(miri) || u32::from(character).is_multiple_of(997) {
                check(character.encode_utf8(&mut [0; 4]));
            }
        }
    }

    /// Groups of each kind, cut at every place, followed by each kind.
    #[test]
    fn groups_of_every_length() {
        let kinds = ['a', 'é', 'ā', '東', '\u{ffff}', '😀'];
        for first in kinds {
            for second in kinds {
                for length in 0..if cfg!(miri) { 6 } else { 40 } {
                    let text: String = std::iter::repeat_n(first, length).chain([second, first]).collect();
                    check(&text);
                    check(&text[first.len_utf8() * usize::from(length > 0)..]);
                }
            }
        }
        check("");
    }

    #[test]
    fn random_texts() {
        let mut random = Random::new(71);
        for _ in 0..if cfg!(miri) { 20 } else { 5000 } {
            let greatest = [0x80, 0x100, 0x800, 0x1_0000, 0x11_0000][random.below(5)];
            let mut text = String::new();
            for _ in 0..random.below(8) {
                let character = u32::try_from(random.below(greatest)).ok().and_then(char::from_u32).unwrap_or('x');
                text.extend(std::iter::repeat_n(character, random.below(20)));
            }
            check(&text);
        }
    }

    #[test]
    #[should_panic(expected = "room for all characters")]
    fn without_room() {
        write_two_bytes("aé", &mut [0; 0]);
    }
}
