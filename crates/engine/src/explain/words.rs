//! Error messages about words and numbers that other languages allow and JSON does not.
//!
//! If the error is inside a number or literal, the message shows the whole token, including the part before the error:
//! `0x1F` is clear, `x1F` is not.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::explain::Scene;
use crate::explain::found::Found;
use crate::explain::found::SHOWN;
use crate::explain::found::in_quotes;
use crate::explain::found::placeholder;
use crate::explain::found::quoted;
use crate::explain::found::word;
use crate::explain::sentence::Sentence;

/// Describes a word, or a number in a form that JSON lacks, in place of a value.
pub(super) fn value(scene: &Scene<'_>, expected: &str) -> Option<Sentence> {
    let here = scene.here;
    if let Some(number) = here.strip_prefix(b"+").map(word).filter(|number| starts_number(number)) {
        let help = write(number, "remove it");
        return Some(Sentence::new(format!("found a plus sign, expected {expected}"), help));
    }
    let word = word(here);
    if word.is_empty() || here.starts_with(b"...") || placeholder(here).is_some() {
        return None;
    }
    let message = format!("found {}, expected {expected}", quoted(word.as_bytes()));
    if let Some(fraction) = word.strip_prefix('.') {
        let help = write(&format!("0{word}"), BOTH_SIDES);
        return Some(if starts_number(fraction) { Sentence::new(message, help) } else { Sentence::plain(message) });
    }
    Some(Sentence::new(message, suggestion(scene, word)))
}

/// Advises to write the opening quote of a word, if it has the closing one: nothing of the string follows that.
pub(super) fn opening_quote(scene: &Scene<'_>) -> Option<String> {
    let rest = scene.here[word(scene.here).len()..].strip_prefix(b"\"")?.trim_ascii_start();
    let is_key = matches!(scene.kind, ErrorKind::ExpectedKey | ErrorKind::ExpectedKeyOrClose);
    let is_end = match rest {
        [b':', ..] => is_key,
        [] | [b',' | b']' | b'}', ..] => !is_key,
        _ => false,
    };
    is_end.then(|| "put `\"` before it".to_owned())
}

/// Suggests what to write instead of an unquoted word.
fn suggestion(scene: &Scene<'_>, whole: &str) -> String {
    if is_binary(scene.here) {
        return "this is binary data, not text".to_owned();
    }
    if let Some(help) = opening_quote(scene) {
        return help;
    }
    match scene.here[word(scene.here).len()..].trim_ascii_start() {
        [b'(', ..] => return "JSON has no function calls: write the value itself".to_owned(),
        [b':' | b'=', ..] if scene.is_first() => {
            return "put keys in double quotes, and all members in `{` and `}`".to_owned();
        }
        _ => {}
    }
    match whole.to_ascii_lowercase().as_str() {
        "nan" | "infinity" | "-infinity" | "inf" | "-inf" | "-nan" => {
            "JSON has no NaN and no infinities: write `null` or a string".to_owned()
        }
        "undefined" => "JSON has no `undefined`: write `null`, or omit the member".to_owned(),
        "none" | "nil" => "write `null`".to_owned(),
        "new" => "JSON has no function calls: write the value itself".to_owned(),
        lower => match LITERALS.iter().find(|literal| is_close(lower, literal)) {
            Some(literal) => format!("write `{literal}`"),
            None => in_quotes(whole),
        },
    }
}

/// Whether a text begins like binary data: with control characters other than whitespace.
fn is_binary(text: &[u8]) -> bool {
    let start = &text[..text.len().min(SHOWN)];
    start.iter().any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | b'\x1b'))
}

const LITERALS: [&str; 3] = ["true", "false", "null"];

/// Whether a word is a prefix, an extension or a permutation of a literal.
fn is_close(word: &str, literal: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters = word.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    literal.starts_with(word) || word.starts_with(literal) || sorted(word) == sorted(literal)
}

/// Describes a word that begins like a literal.
pub(super) fn literal(scene: &Scene<'_>) -> Sentence {
    let whole = whole(scene);
    let word = String::from_utf8_lossy(&whole);
    let found = quoted(&whole);
    match LITERALS.iter().find(|literal| is_close(&word, literal)) {
        Some(literal) => Sentence::plain(format!("found {found}, expected `{literal}`")),
        None => Sentence::new(format!("found {found}, expected a value"), suggestion(scene, &word)),
    }
}

/// Returns the whole word or number that contains the fault.
fn whole(scene: &Scene<'_>) -> Vec<u8> {
    [scene.stem(), word(scene.here).as_bytes()].concat()
}

/// Describes a number with a missing digit.
pub(super) fn number(scene: &Scene<'_>) -> Sentence {
    let stem = String::from_utf8_lossy(scene.stem());
    let word = word(scene.here);
    let found = Found::character_at(scene.here).phrase;
    if let Some(integer) = stem.strip_suffix('.') {
        let help = match word {
            "" if stem.len() < SHOWN => format!("write `{stem}0`, or `{integer}`"),
            _ if word.starts_with(['e', 'E']) => "write `0` between the decimal point and the exponent".to_owned(),
            _ => BOTH_SIDES.to_owned(),
        };
        return Sentence::new(format!("found {found}, expected a digit after the decimal point"), help);
    }
    if stem != "-" {
        return Sentence::plain(format!(
            "found {found}, expected a digit in the exponent of {}",
            quoted(stem.as_bytes())
        ));
    }
    let message = format!("found {found}, expected a digit after `-`");
    match word {
        _ if word.starts_with(|first: char| first.is_alphabetic()) => {
            let whole = format!("-{word}");
            Sentence::new(format!("found {}, expected a number", quoted(whole.as_bytes())), suggestion(scene, &whole))
        }
        _ if word.starts_with('.') && starts_number(&word[1..]) => {
            Sentence::new(message, write(&format!("-0{word}"), BOTH_SIDES))
        }
        _ if scene.here.starts_with(b"--") => Sentence::new(message, "a line of dashes is YAML, not JSON"),
        _ => Sentence::plain(message),
    }
}

/// Describes a number with a leading zero.
pub(super) fn leading_zero(scene: &Scene<'_>) -> Sentence {
    let whole = whole(scene);
    let number = String::from_utf8_lossy(&whole);
    let (sign, digits) = number.strip_prefix('-').map_or(("", &*number), |digits| ("-", digits));
    let digits = digits.trim_start_matches('0');
    let zero = if starts_number(digits) { "" } else { "0" };
    Sentence::new(
        format!("found {}, expected a number without leading zeros", quoted(&whole)),
        if let Some(thousands) = thousands(scene) {
            format!(
                "write `{thousands}` if it belongs to the number before the comma, otherwise `{sign}{zero}{digits}`"
            )
        } else if number.len() <= SHOWN {
            format!("write `{sign}{zero}{digits}`, or `\"{number}\"` if it is text")
        } else {
            "remove the leading zeros, or put the number in double quotes if it is text".to_owned()
        },
    )
}

/// Returns the number around the fault without its commas, if they separate thousands.
pub(super) fn thousands(scene: &Scene<'_>) -> Option<String> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b",.-".contains(byte);
    let before = scene.before.rsplit(|byte| !is_part(byte)).next()?;
    let here = scene.here.split(|byte| !is_part(byte)).next()?;
    if scene.here[here.len()..].trim_ascii_start().starts_with(b":") {
        return None;
    }
    let number = String::from_utf8([before, here].concat()).ok()?;
    let number = number.trim_end_matches(',');
    let integer = number.strip_prefix('-').unwrap_or(number).split('.').next()?;
    let mut groups = integer.split(',');
    let first = groups.next()?;
    let plain = number.replace(',', "");
    let is_grouped = plain != number && (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    (is_grouped && !first.starts_with('0') && is_number(&plain) && plain.len() <= SHOWN).then_some(plain)
}

/// Describes a number or literal that is directly followed by more word characters.
pub(super) fn run_on(scene: &Scene<'_>) -> Option<Sentence> {
    if !scene.before.last().is_some_and(u8::is_ascii_alphanumeric) || word(scene.here).is_empty() {
        return None;
    }
    let whole = whole(scene);
    let shown = quoted(&whole);
    let word = String::from_utf8_lossy(&whole);
    if word.starts_with(|first: char| first.is_ascii_alphabetic()) {
        let literal = LITERALS.iter().find(|literal| word.starts_with(*literal))?;
        return Some(Sentence::plain(format!("found {shown}, expected `{literal}`")));
    }
    let (sign, digits) = word.strip_prefix('-').map_or(("", &*word), |digits| ("-", digits));
    for (prefix, radix, name) in [("0x", 16, "hexadecimal"), ("0o", 8, "octal"), ("0b", 2, "binary")] {
        let digits = digits.to_ascii_lowercase();
        let Some(digits) = digits.strip_prefix(prefix) else { continue };
        let message = format!("found the {name} number {shown}, expected a decimal number");
        return Some(match u64::from_str_radix(digits, radix) {
            Ok(number) => Sentence::new(message, format!("write `{sign}{number}`")),
            Err(_) => Sentence::plain(message),
        });
    }
    let plain = word.replace('_', "");
    let help = match plain.trim_end_matches(|last| "nLlFfDdUu".contains(last)) {
        number if starts_number(digits) && is_number(number) => write(number, "write digits only"),
        _ => format!("if it is text, {}", in_quotes(&word)),
    };
    Some(Sentence::new(format!("found {shown}, expected a number"), help))
}

/// Advises to write `number`; returns `otherwise` if `number` is too long to be shown.
fn write(number: &str, otherwise: &str) -> String {
    if number.len() <= SHOWN { format!("write `{number}`") } else { otherwise.to_owned() }
}

const BOTH_SIDES: &str = "a decimal point needs digits on both sides";

fn starts_number(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether the text consists of digits with at most one decimal point between them.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (integer, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [integer, fraction].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
