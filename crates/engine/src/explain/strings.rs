//! Error messages about the contents of strings: unescaped control characters, escape sequences, and invalid UTF-8.
//!
//! Each message suggests a valid form: escapes of other languages are translated, and a byte of invalid UTF-8 is shown as
//! the character that it encodes in Windows-1252.

#![forbid(unsafe_code)]

use crate::explain::Scene;
use crate::explain::found::Found;
use crate::explain::found::quoted;
use crate::explain::sentence::Sentence;

/// Describes an unescaped control character.
pub(super) fn control(scene: &Scene<'_>) -> Sentence {
    let byte = scene.here.first().copied().unwrap_or(0);
    let (escape, help) = match byte {
        b'\n' => ("\\n".to_owned(), "write `\\n`, or put the missing `\"` before the line break"),
        b'\r' => ("\\r".to_owned(), "write `\\r\\n`, or put the missing `\"` before the line break"),
        b'\t' => ("\\t".to_owned(), "tabs in strings must be escaped"),
        0x08 => ("\\b".to_owned(), "control characters in strings must be escaped"),
        0x0C => ("\\f".to_owned(), "control characters in strings must be escaped"),
        _ => (format!("\\u{byte:04x}"), "control characters in strings must be escaped"),
    };
    let found = Found::character_at(scene.here).phrase;
    // Without its article.
    let found = found.split_once(' ').map_or(&*found, |(_, noun)| noun);
    Sentence::new(format!("unescaped {found} in a string, expected `{escape}`"), help)
}

/// Describes a backslash that does not begin an escape sequence.
pub(super) fn escape(scene: &Scene<'_>) -> Sentence {
    let rest = scene.here.get(1..).unwrap_or_default();
    let write = |code: u32| format!("write `{}`", utf16_escape(code));
    let help = match scene.here.first().copied().unwrap_or(0) {
        b'x' => hexadecimal(rest, 2).map(write),
        b'U' => hexadecimal(rest, 8).filter(|&code| char::from_u32(code).is_some()).map(write),
        b'0'..=b'7' => octal(scene.here).map(write),
        b'a' => Some(write(0x07)),
        b'v' => Some(write(0x0B)),
        b'e' => Some(write(0x1B)),
        b'\'' => Some("a single quote needs no backslash: write `'`".to_owned()),
        b'\n' | b'\r' => Some("a string cannot span lines: write `\\n` for a line break".to_owned()),
        _ => None,
    };
    let found = match Found::character_at(scene.here) {
        Found { phrase, .. } if phrase.starts_with('`') => phrase.replacen('`', "`\\", 1),
        Found { phrase, .. } => format!("with {phrase} after the backslash"),
    };
    Sentence::new(
        format!(
            "invalid escape sequence {found}, expected `\\\"`, `\\\\`, `\\/`, `\\b`, `\\f`, `\\n`, `\\r`, `\\t` or `\\uXXXX`"
        ),
        help.unwrap_or_else(|| "for a literal backslash, write `\\\\`".to_owned()),
    )
}

/// Describes a `\u` that is not followed by four hexadecimal digits.
pub(super) fn unicode_escape(scene: &Scene<'_>) -> Sentence {
    let start = scene.before.iter().rposition(|&byte| byte == b'\\').unwrap_or(scene.before.len());
    let message = format!(
        "invalid escape sequence: found {} after {}, expected four hexadecimal digits",
        Found::character_at(scene.here).phrase,
        quoted(&scene.before[start..])
    );
    let braced = scene.here.strip_prefix(b"{").and_then(|digits| {
        let length = digits.iter().position(|&byte| byte == b'}')?;
        hexadecimal(digits, length).filter(|&code| char::from_u32(code).is_some())
    });
    match braced {
        Some(code) => Sentence::new(message, format!("write `{}`", utf16_escape(code))),
        None => {
            Sentence::new(message, "pad with leading zeros, as in `\\u000a`; for a literal backslash, write `\\\\`")
        }
    }
}

/// Parses the first `length` bytes as a hexadecimal number; `None` if one of them is not a digit.
fn hexadecimal(bytes: &[u8], length: usize) -> Option<u32> {
    let digits = std::str::from_utf8(bytes.get(..length)?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Parses up to three octal digits at the start of `bytes`.
fn octal(bytes: &[u8]) -> Option<u32> {
    let length = bytes.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let digits = std::str::from_utf8(&bytes[..length]).ok()?;
    u32::from_str_radix(digits, 8).ok()
}

/// Returns the JSON escape of a character.
fn utf16_escape(code: u32) -> String {
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    character.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |text, unit| format!("{text}\\u{unit:04x}"))
}

/// Describes bytes that are not UTF-8.
pub(super) fn utf8(scene: &Scene<'_>) -> Sentence {
    let byte = scene.here.first().copied().unwrap_or(0);
    let prefix = incomplete_character(scene.before);
    let Some(&first) = prefix.first() else { return no_first_byte(scene, byte) };
    let length = length(first);
    if byte & 0xC0 == 0x80 {
        let character = [prefix, &scene.here[..scene.here.len().min(length - prefix.len())]].concat();
        let what = match (first, code(&character, length)) {
            (0xE0 | 0xF0, Some(code)) => format!("an overlong encoding of U+{code:04X}"),
            (0xED, Some(code)) => format!("the encoding of the surrogate U+{code:04X}"),
            (0xED, None) => "the encoding of a surrogate".to_owned(),
            (0xF4, _) => "the encoding of a code point above U+10FFFF".to_owned(),
            _ => "an overlong encoding".to_owned(),
        };
        return Sentence::new(
            format!("invalid UTF-8: {} is {what}", hex(&character)),
            "encode each character as one code point, in the shortest form",
        );
    }
    let message =
        format!("invalid UTF-8: {} begins a character of {length} bytes, but 0x{byte:02X} follows", hex(prefix));
    match prefix {
        [first] => guess(message, *first),
        _ => Sentence::new(message, "the text may have been truncated in the middle of a character"),
    }
}

/// Describes a byte that cannot begin a character.
fn no_first_byte(scene: &Scene<'_>, byte: u8) -> Sentence {
    let what = match byte {
        0x80..=0xBF => "is a continuation byte without a first byte",
        0xC0 | 0xC1 => "begins an overlong encoding",
        _ => "never occurs in UTF-8",
    };
    let message = format!("invalid UTF-8: 0x{byte:02X} {what}");
    match scene.here {
        [0xC0, 0x80, ..] => Sentence::new(message, "write `\\u0000` for NUL"),
        [_, 0x80..=0xFF, ..] => Sentence::plain(message),
        _ => guess(message, byte),
    }
}

/// Adds what the byte means in Windows-1252, the encoding that is most often mistaken for UTF-8.
fn guess(message: String, byte: u8) -> Sentence {
    const FROM_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";
    let index = usize::from(byte).wrapping_sub(0x80);
    let character = FROM_80.chars().nth(index).unwrap_or(char::from(byte));
    if character.is_control() {
        return Sentence::plain(message);
    }
    let advice = "convert the text, for example with `iconv -f WINDOWS-1252 -t UTF-8`";
    Sentence::new(message, format!("in Windows-1252 0x{byte:02X} is `{character}`: {advice}"))
}

/// Returns the bytes at the end of `before` that begin a character but do not complete it.
fn incomplete_character(before: &[u8]) -> &[u8] {
    let continued = before.iter().rev().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    match before.len().checked_sub(continued + 1) {
        Some(start) if length(before[start]) > continued + 1 => &before[start..],
        _ => &[],
    }
}

/// Returns the length in bytes of a character whose first byte is `first`.
fn length(first: u8) -> usize {
    match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    }
}

/// Decodes a character of `length` bytes, even one that UTF-8 forbids; `None` if it is incomplete.
fn code(character: &[u8], length: usize) -> Option<u32> {
    let (&first, rest) = character.split_first()?;
    let is_whole = character.len() == length && rest.iter().all(|byte| byte & 0xC0 == 0x80);
    let begin = u32::from(first) & (0x7F >> length);
    is_whole.then(|| rest.iter().fold(begin, |code, &byte| code << 6 | u32::from(byte & 0x3F)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("0x{byte:02X}")).collect::<Vec<_>>().join(" ")
}
