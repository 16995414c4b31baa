//! The characters that I-JSON keeps out of strings: surrogates that are no pair, and noncharacters.
//!
//! RFC 7493, section 2.1. Both may be written as escapes; noncharacters also as they are. Neither can stand outside of
//! strings in proven text, so it is enough to look at the bytes: a block of them is passed over at once unless it has
//! `\u`, or two bytes with which the UTF-8 of a noncharacter ends or begins.

#![forbid(unsafe_code)]

use std::ops::Range;

use crate::error::ErrorKind;

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// The first bad character of `text` that begins in `range`, and where. The range begins in front of a character, and what
/// is not whole at the end of the text is not judged.
pub(super) fn first_bad_character(text: &[u8], range: Range<usize>) -> Option<(ErrorKind, usize)> {
    let mut at = range.start;
    // The second half of a pair is judged with the first.
    let mut behind = range.start;
    while at < range.end {
        let block = text[at..].first_chunk::<{ BLOCK + 1 }>();
        if block.is_none_or(is_suspicious) {
            // The first bytes of a noncharacter may stand in the block before.
            for index in at.saturating_sub(3).max(behind)..range.end.min(at + BLOCK) {
                if index < behind {
                    continue;
                }
                let kind = match text[index..] {
                    [b'\\', b'u', ..] if is_escape(&text[range.start..index]) => {
                        let (kind, length) = judge_escape(&text[index..]);
                        behind = index + length;
                        kind
                    }
                    [0xef, 0xb7, 0x90..=0xaf, ..]
                    | [0xef, 0xbf, 0xbe..=0xbf, ..]
                    | [0xf0..=0xf4, 0x8f | 0x9f | 0xaf | 0xbf, 0xbf, 0xbe..=0xbf, ..] => Some(ErrorKind::Noncharacter),
                    _ => None,
                };
                if let Some(kind) = kind {
                    return Some((kind, index));
                }
            }
        }
        at += BLOCK;
    }
    None
}

/// Whether there may be an escape or noncharacter among the first bytes of a block, with what follows: `\u`, the first two
/// bytes of U+FDD0 to U+FDEF, or the last two of a noncharacter at the end of its plane, which only end such.
fn is_suspicious(block: &[u8; BLOCK + 1]) -> bool {
    // Numbers, and no early end: so this becomes a few vector instructions.
    let mut any = 0;
    for (&first, &second) in block[..BLOCK].iter().zip(&block[1..]) {
        any |= u8::from(first == b'\\') & u8::from(second == b'u')
            | u8::from(first == 0xef) & u8::from(second == 0xb7)
            | u8::from(first == 0xbf) & u8::from(second >= 0xbe);
    }
    any != 0
}

/// Whether the backslash behind `before` begins an escape, and is not escaped itself.
fn is_escape(before: &[u8]) -> bool {
    before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0
}

/// What is wrong with the `\u` escape at the front of `text`, and how much of the text was looked at.
fn judge_escape(text: &[u8]) -> (Option<ErrorKind>, usize) {
    match unit(text) {
        // A fault in front of the last digit.
        None => (None, 2),
        Some(0xdc00..=0xdfff) => (Some(ErrorKind::LoneSurrogate), 6),
        Some(first @ 0xd800..=0xdbff) => match unit(&text[6..]) {
            Some(second @ 0xdc00..=0xdfff) => {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + second - 0xdc00;
                (is_noncharacter(code).then_some(ErrorKind::Noncharacter), 12)
            }
            _ if may_become_low(&text[6..]) => (None, 6),
            _ => (Some(ErrorKind::LoneSurrogate), 6),
        },
        Some(code) => (is_noncharacter(code).then_some(ErrorKind::Noncharacter), 6),
    }
}

/// The code unit of the `\u` escape that is the front of `text`, if it is whole.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether `text` breaks off in what may be the escape of the second half of a pair.
fn may_become_low(text: &[u8]) -> bool {
    const CLASSES: [fn(&u8) -> bool; 6] = [
        |byte| *byte == b'\\',
        |byte| *byte == b'u',
        |byte| matches!(byte, b'd' | b'D'),
        |byte| matches!(byte, b'c'..=b'f' | b'C'..=b'F'),
        u8::is_ascii_hexdigit,
        u8::is_ascii_hexdigit,
    ];
    text.len() < CLASSES.len() && text.iter().zip(CLASSES).all(|(byte, class)| class(byte))
}

/// The code points that are set aside for ever: U+FDD0 to U+FDEF, and the last two of each plane.
fn is_noncharacter(code: u32) -> bool {
    matches!(code, 0xfdd0..=0xfdef) || code & 0xfffe == 0xfffe
}

/// The longest escape: that of a pair.
const LONGEST: usize = 12;

/// How much of `text`, which ends inside a string, can be judged: all but a character or escape that is not whole, or half a
/// pair.
pub(super) fn judged_length(text: &[u8]) -> usize {
    for index in text.len().saturating_sub(LONGEST - 1)..text.len() {
        let rest = &text[index..];
        let length = match rest[0] {
            b'\\' if !is_escape(&text[..index]) => 1,
            b'\\' if rest.get(1) == Some(&b'u') => match unit(rest) {
                Some(0xd800..=0xdbff) if may_become_low(&rest[6..]) => LONGEST,
                _ => 6,
            },
            b'\\' | 0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0.. => 4,
            _ => 1,
        };
        if length > rest.len() {
            return index;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::first_bad_character;
    use super::judged_length;
    use crate::error::ErrorKind;

    /// By the meaning of the text: `\u` escapes as UTF-16, all else as characters.
    fn naive(text: &str) -> Option<(ErrorKind, usize)> {
        let mut units: Vec<(usize, u16)> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = if rest.starts_with("\\u") {
                units.push((at, u16::from_str_radix(&rest[2..6], 16).expect("four digits")));
                6
            } else if rest.starts_with('\\') {
                units.push((at, 0));
                2
            } else {
                let character = rest.chars().next().expect("a character");
                units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| (at, unit)));
                character.len_utf8()
            };
            at += length;
        }
        let mut places = units.iter().map(|&(at, _)| at);
        for character in char::decode_utf16(units.iter().map(|&(_, unit)| unit)) {
            let at = places.next().expect("a place");
            let Ok(character) = character else { return Some((ErrorKind::LoneSurrogate, at)) };
            if character.len_utf16() == 2 {
                places.next();
            }
            let code = u32::from(character);
            if (0xfdd0..0xfdf0).contains(&code) || code % 0x1_0000 >= 0xfffe {
                return Some((ErrorKind::Noncharacter, at));
            }
        }
        None
    }

    /// In a string, at many places of a block.
    fn check(text: &str) {
        for shift in [0, 1, 50, 61, 62, 63, 64, 65] {
            let shifted = "x".repeat(shift) + text;
            let expected = naive(&shifted);
            for behind in ["\"", &"y".repeat(70)] {
                let text = [&shifted, behind].concat();
                assert_eq!(first_bad_character(text.as_bytes(), 0..text.len()), expected, "{text}");
            }
        }
    }

    #[test]
    fn every_code_point_as_it_is_and_escaped() {
        for code in 0..=0x10_ffff {
            let is_bad = (0xfdd0..0xfdf0).contains(&code) || code % 0x1_0000 >= 0xfffe;
            if let Some(character) = char::from_u32(code) {
                let text = format!("{character}");
                let found = first_bad_character(text.as_bytes(), 0..text.len());
                assert_eq!(found, is_bad.then_some((ErrorKind::Noncharacter, 0)), "{code:x}");
                let units = character.encode_utf16(&mut [0; 2]).to_vec();
                let escapes: Vec<_> = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
                let escaped = escapes.concat();
                let found = first_bad_character(escaped.as_bytes(), 0..escaped.len());
                assert_eq!(found, is_bad.then_some((ErrorKind::Noncharacter, 0)), "{escaped}");
            }
        }
    }

    #[test]
    fn sequences_of_pieces() {
        let pieces = [
            "a",
            "é",
            "\\\\",
            "\\n",
            "\\ud800",
            "\\uDBFF",
            "\\uDC00",
            "\\udfff",
            "\\ud7ff",
            "\\uFFFE",
            "\\ufdd0",
            "u",
            "ffff",
            "\u{fdef}",
            "\u{fdf0}",
            "\u{1ffff}",
            "\u{fffd}",
        ];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    check(&format!("{first}{second}{third}"));
                }
            }
        }
    }

    /// Judged in two parts, wherever the first breaks off, a text has the same fault.
    #[test]
    fn what_breaks_off_waits() {
        for text in [
            "é\\ud83d\\ude00\\\\u00e9",
            "\\\\\\ud800\\u0041",
            "\u{1f600}\u{fffe}",
            "\\uDBFF\\uDFFF",
            "\\udbff\\ue000",
            "€\\ufdd0",
        ] {
            for cut in 0..=text.len() {
                let bytes = text.as_bytes();
                let judged = judged_length(&bytes[..cut]);
                assert!(judged <= cut && cut - judged < 12);
                let found = first_bad_character(&bytes[..cut], 0..judged);
                let found = found.or_else(|| first_bad_character(bytes, judged..bytes.len()));
                assert_eq!(found, naive(text), "{text} cut at {cut}");
                // A fault may stand there: what may be half a pair is none yet.
                let in_front = first_bad_character(&bytes[..cut], 0..cut);
                assert!(in_front.is_none() || in_front == naive(text), "{text} cut at {cut}");
            }
        }
    }
}
