//! Error messages of the stricter profiles: duplicate keys, and valid JSON that is not I-JSON (RFC 7493).
//!
//! Since the document is valid JSON, the help says why it may still cause problems, or what to write instead.

#![forbid(unsafe_code)]

use crate::explain::Scene;
use crate::explain::found::Found;
use crate::explain::found::quoted;
use crate::explain::sentence::Sentence;

/// Describes a key that already occurred in the same object.
pub(super) fn duplicate_key(scene: &Scene<'_>) -> Sentence {
    let key = scene.here.get(1..).unwrap_or_default();
    let mut is_escaped = false;
    let end = key.iter().position(|&byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    let place = match scene.earlier.map(|earlier| (earlier.position, earlier.offset)) {
        Some((Some(position), offset)) => {
            format!(", first used at line {} column {} (byte {offset})", position.line, position.column)
        }
        Some((None, offset)) => format!(", first used at byte {offset}"),
        None => String::new(),
    };
    let shown = quoted(&key[..end.unwrap_or(key.len())]);
    Sentence::new(
        format!("duplicate key {shown}{place}"),
        "rename or remove one of them: some programs use the first, some the last, some neither",
    )
}

/// Describes the escape of a lone surrogate.
pub(super) fn lone_surrogate(scene: &Scene<'_>) -> Sentence {
    let escape = &scene.here[..scene.here.len().min(6)];
    let missing = match escape.get(3) {
        Some(b'8' | b'9' | b'a' | b'A' | b'b' | b'B') => "a low surrogate right after it",
        _ => "a high surrogate right before it",
    };
    Sentence::new(
        format!("lone surrogate {}, expected {missing}", quoted(escape)),
        "write both surrogates, as in `\\ud83d\\ude00`, or the character itself; the text may have been truncated between the two",
    )
}

/// Describes a noncharacter, such as U+FFFE.
pub(super) fn noncharacter(scene: &Scene<'_>) -> Sentence {
    let found = match scene.here {
        [b'\\', ..] => {
            let unit = |from: usize| {
                let digits = scene.here.get(from..from + 4).and_then(|digits| str::from_utf8(digits).ok());
                digits.and_then(|digits| u16::from_str_radix(digits, 16).ok())
            };
            let units = [unit(2), unit(8)].into_iter().flatten();
            char::decode_utf16(units).next().and_then(Result::ok)
        }
        here => here.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()),
    };
    let phrase = match found {
        Some(character) => format!("U+{:04X}", u32::from(character)),
        None => Found::character_at(scene.here).phrase,
    };
    Sentence::new(
        format!("found the noncharacter {phrase}, expected a character"),
        "remove it: Unicode reserves it for internal use by programs (RFC 7493, section 2.1)",
    )
}

/// Describes a number whose digits a double does not preserve.
pub(super) fn inexact_number(scene: &Scene<'_>) -> Sentence {
    const EXPECTED: &str = "expected a number whose digits a double preserves";
    const HELP: &str = "write it as a string or with fewer digits";
    /// Length from which a number is not converted to a double.
    const LONG: usize = 64;
    let is_number_byte = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    let length = scene.here.iter().position(|byte| !is_number_byte(byte)).unwrap_or(scene.here.len());
    let number = &scene.here[..length];
    if length == 0 {
        return Sentence::new(format!("found the end of a number longer than 65536 bytes, {EXPECTED}"), HELP);
    }
    if length >= LONG {
        // With `canonical`, it is too large.
        let message =
            format!("found the long number {}, expected a number that a double can represent", quoted(number));
        return Sentence::new(message, HELP);
    }
    let double: f64 = str::from_utf8(number).ok().and_then(|number| number.parse().ok()).unwrap_or(f64::NAN);
    if double.is_infinite() {
        let message =
            format!("found {}, which is too large for a double, expected a number in its range", quoted(number));
        return Sentence::new(message, "write it as a string");
    }
    let becomes = if double == 0.0 || (1e-6..1e21).contains(&double.abs()) {
        format!("which a double rounds to `{double}`")
    } else {
        format!("which a double rounds to `{double:e}`")
    };
    Sentence::new(format!("found {}, {becomes}, {EXPECTED}", quoted(number)), HELP)
}
