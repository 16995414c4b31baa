//! The characters that I-JSON forbids in strings: lone surrogates and noncharacters (RFC 7493, section 2.1).
//!
//! Both can be written as escapes, and noncharacters also literally. Neither can occur outside strings in valid JSON,
//! so it is enough to look at the bytes. A block is skipped at once unless it contains `\u`, or two bytes with which
//! the UTF-8 of a noncharacter begins or ends.

#![forbid(unsafe_code)]

use std::ops::Range;

use crate::error::ErrorKind;

/// Bytes that are tested together.
const BLOCK: usize = 64;

/// Returns the kind and index of the first forbidden character of `text` that begins in `range`: a lone surrogate or, if these are
/// forbidden, a noncharacter. The range must start at the beginning of a character. A character that is incomplete at the end of the
/// text is not checked.
pub(super) fn first_forbidden_character(
    text: &[u8],
    range: Range<usize>,
    forbids_noncharacters: bool,
) -> Option<(ErrorKind, usize)> {
    let mut at = range.start;
    // End of the last escape checked. The second half of a pair is checked together with the first.
    let mut checked_to = range.start;
    while at < range.end {
        let block = text[at..].first_chunk::<{ BLOCK + 1 }>();
        if block.is_none_or(is_suspicious) {
            // The first bytes of a noncharacter may be in the previous block.
            // mutant: for index in at.max(checked_to)..range.end.min(at + BLOCK) {
            for index in at.saturating_sub(3).max(checked_to)..range.end.min(at + BLOCK) {
                if index < checked_to {
                    continue;
                }
                let kind = match text[index..] {
                    // mutant: [b'\\', b'u', ..]  => {
                    [b'\\', b'u', ..] if is_escape(&text[range.start..index]) => {
                        let (kind, length) = check_escape(&text[index..]);
                        checked_to = index + length;
                        kind
                    }
                    [0xef, 0xb7, 0x90..=0xaf, ..]
                    | [0xef, 0xbf, 0xbe..=0xbf, ..]
                    | [0xf0..=0xf4, 0x8f | 0x9f | 0xaf | 0xbf, 0xbf, 0xbe..=0xbf, ..] => Some(ErrorKind::Noncharacter),
                    _ => None,
                };
                if let Some(kind) = kind.filter(|&kind| forbids_noncharacters || kind != ErrorKind::Noncharacter) {
                    return Some((kind, index));
                }
            }
        }
        at += BLOCK;
    }
    None
}

/// Whether an escape or a noncharacter may begin or end in a block, including the byte after it. Tests for `\u`, for
/// the first two bytes of U+FDD0 to U+FDEF, and for the last two bytes of the noncharacters at the end of each plane. A
/// few other characters pass, too.
fn is_suspicious(block: &[u8; BLOCK + 1]) -> bool {
    // Integers and no early exit, so that this becomes a few vector instructions.
    let mut any = 0;
    for (&first, &second) in block[..BLOCK].iter().zip(&block[1..]) {
        any |= u8::from(first == b'\\') & u8::from(second == b'u')
            | u8::from(first == 0xef) & u8::from(second == 0xb7)
            | u8::from(first == 0xbf) & u8::from(second >= 0xbe);
    }
    any != 0
}

/// Whether the backslash after `before` begins an escape, that is, is not escaped itself.
fn is_escape(before: &[u8]) -> bool {
    before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 0
}

/// Checks the `\u` escape at the front of `text`. Returns its error and the number of bytes checked.
fn check_escape(text: &[u8]) -> (Option<ErrorKind>, usize) {
    match unit(text) {
        // The text ends, because of an error, before the last digit.
        None => (None, 2),
        Some(0xdc00..=0xdfff) => (Some(ErrorKind::LoneSurrogate), 6),
        Some(first @ 0xd800..=0xdbff) => match unit(&text[6..]) {
            Some(second @ 0xdc00..=0xdfff) => {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + second - 0xdc00;
                (is_noncharacter(code).then_some(ErrorKind::Noncharacter), 12)
            }
            // mutant:
            _ if may_become_low(&text[6..]) => (None, 6),
            _ => (Some(ErrorKind::LoneSurrogate), 6),
        },
        Some(code) => (is_noncharacter(code).then_some(ErrorKind::Noncharacter), 6),
    }
}

/// Returns the code unit of the `\u` escape at the front of `text`, if it is complete.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix(b"\\u")?;
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

/// Whether `text` is a proper prefix of a possible low-surrogate escape.
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

/// Whether a code point is a noncharacter: U+FDD0 to U+FDEF, and the last two of each plane.
fn is_noncharacter(code: u32) -> bool {
    matches!(code, 0xfdd0..=0xfdef) || code & 0xfffe == 0xfffe
}

/// Length of the longest escape, a surrogate pair.
const LONGEST: usize = 12;

/// Returns how much of `text`, which ends inside a string, can be checked: everything except an incomplete character,
/// escape or surrogate pair at its end. A character or escape begins at `from`; what is before is not read again.
pub(super) fn checkable_length(text: &[u8], from: usize) -> usize {
    for index in text.len().saturating_sub(LONGEST - 1).max(from)..text.len() {
        let rest = &text[index..];
        let length = match rest[0] {
            b'\\' if !is_escape(&text[from..index]) => 1,
            b'\\' if rest.get(1) == Some(&b'u') => match unit(rest) {
                // mutant:
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
    use super::checkable_length;
    use super::first_forbidden_character;
    use crate::error::ErrorKind;

    /// Checks the meaning of the text: `\u` escapes as UTF-16, everything else as characters.
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

    /// Checks a text at many positions relative to a block.
    fn check(text: &str) {
        for shift in [0, 1, 50, 61, 62, 63, 64, 65] {
            let shifted = "x".repeat(shift) + text;
            let expected = naive(&shifted);
            for suffix in ["\"", &"y".repeat(70)] {
                let text = [&shifted, suffix].concat();
                assert_eq!(first_forbidden_character(text.as_bytes(), 0..text.len(), true), expected, "{text}");
            }
        }
    }

    #[test]
    fn every_code_point_as_it_is_and_escaped() {
        for code in 0..=0x10_ffff {
            let is_forbidden = (0xfdd0..0xfdf0).contains(&code) || code % 0x1_0000 >= 0xfffe;
            if let Some(character) = char::from_u32(code) {
                let text = format!("{character}");
                let found = first_forbidden_character(text.as_bytes(), 0..text.len(), true);
                assert_eq!(found, is_forbidden.then_some((ErrorKind::Noncharacter, 0)), "{code:x}");
                let units = character.encode_utf16(&mut [0; 2]).to_vec();
                let escapes: Vec<_> = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
                let escaped = escapes.concat();
                let found = first_forbidden_character(escaped.as_bytes(), 0..escaped.len(), true);
                assert_eq!(found, is_forbidden.then_some((ErrorKind::Noncharacter, 0)), "{escaped}");
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

    /// A text checked in two parts has the same error, wherever the first part ends.
    #[test]
    fn incomplete_characters_wait() {
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
                let checked = checkable_length(&bytes[..cut], 0);
                assert!(checked <= cut && cut - checked < 12);
                let found = first_forbidden_character(&bytes[..cut], 0..checked, true);
                let found = found.or_else(|| first_forbidden_character(bytes, checked..bytes.len(), true));
                assert_eq!(found, naive(text), "{text} cut at {cut}");
                // The text may end at an error of another kind: then half of a possible pair is not an error.
                let in_front = first_forbidden_character(&bytes[..cut], 0..cut, true);
                assert!(in_front.is_none() || in_front == naive(text), "{text} cut at {cut}");
            }
        }
    }
}
