//! Error messages about punctuation: brackets, commas, colons, and the start and end of the document.
//!
//! These are the most common mistakes: an extra or missing comma, an unquoted key, a second document.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::explain::Scene;
use crate::explain::found::Found;
use crate::explain::found::READ_AS_JSONC;
use crate::explain::found::in_quotes;
use crate::explain::found::quoted;
use crate::explain::found::word;
use crate::explain::sentence::Sentence;
use crate::explain::words;
use crate::options::Framing;

/// Describes a byte that cannot begin a value.
pub(super) fn no_value(scene: &Scene<'_>) -> Sentence {
    let previous = scene.previous().map(|(_, byte)| byte);
    let is_first = scene.is_first();
    let expected = match previous {
        _ if scene.kind == ErrorKind::ExpectedValueOrClose => "a value or `]`",
        Some(b':') => "a value after the colon",
        Some(b',') => "a value after the comma",
        _ if is_first => "a JSON value",
        _ => "a value",
    };
    let found = Found::at(scene.here);
    match (scene.here, previous) {
        ([b']' | b'}', ..], Some(b',')) => trailing_comma(scene, "a value"),
        ([b']' | b'}' | b',', ..], Some(b':')) => {
            Sentence::new(format!("found {}, expected {expected}", found.phrase), "write `null` if there is no value")
        }
        ([b',', ..], Some(b',')) => Sentence::new(
            format!("found a second comma, expected {expected}"),
            "remove it, or write `null` between the commas",
        ),
        ([b',', ..], _) => Sentence::new(format!("found a comma, expected {expected}"), "remove the comma"),
        ([b':', ..], Some(b':')) => Sentence::new(format!("found a second colon, expected {expected}"), "remove it"),
        ([b']' | b'}', ..], _) if is_first => {
            Sentence::new(format!("found {}, expected {expected}", found.phrase), "no bracket is open here")
        }
        ([b'(', ..], _) => Sentence::new(format!("found `(`, expected {expected}"), "use `[` and `]` for arrays"),
        _ => words::value(scene, expected).unwrap_or_else(|| Sentence::found(found, expected)),
    }
}

/// Describes a JSON text sequence that does not begin with a record separator.
pub(super) fn no_separator(scene: &Scene<'_>) -> Sentence {
    Sentence::new(
        format!("found {}, expected a record separator (U+001E)", Found::at(scene.here).phrase),
        "each document of a JSON text sequence begins with one; concatenated JSON can be read too",
    )
}

/// Describes a byte that cannot begin a key.
pub(super) fn no_key(scene: &Scene<'_>) -> Sentence {
    let after_brace = scene.kind == ErrorKind::ExpectedKeyOrClose;
    let expected = if after_brace { "a key in double quotes or `}`" } else { "a key in double quotes" };
    let found = |what: &str| format!("found {what}, expected {expected}");
    match scene.here {
        [b'}', ..] => trailing_comma(scene, "a key in double quotes"),
        [b',', ..] if after_brace => Sentence::new(found("a comma"), "remove the comma"),
        [b',', ..] => Sentence::new(found("a second comma"), "remove it"),
        [b':', ..] => Sentence::new(found("`:`"), "put a key before it; the empty key is `\"\"`"),
        [b'{', next, ..] if after_brace && scene.before.ends_with(b"{") && !matches!(next, b'"' | b'\n' | b'\r') => {
            Sentence::new(found("`{{`"), "if this is a template, fill in its placeholders first")
        }
        [b'%', ..] if after_brace && scene.before.ends_with(b"{") => {
            Sentence::new(found("`{%`"), "if this is a template, fill in its placeholders first")
        }
        [b'{' | b'[', ..] => Sentence::new(
            found(&Found::at(scene.here).phrase),
            "each value in an object needs a key; use `[` and `]` for a list without keys",
        ),
        [b'$', b'{', ..] => Sentence::found(Found::at(scene.here), expected),
        _ => match word(scene.here) {
            "" => Sentence::found(Found::at(scene.here), expected),
            key if key.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                let help = words::thousands(scene)
                    .map_or_else(|| in_quotes(key), |number| format!("write `{number}` without commas"));
                Sentence::new(found(&format!("the number {} as a key", quoted(key.as_bytes()))), help)
            }
            key if key.starts_with('.') => Sentence::found(Found::at(scene.here), expected),
            key => Sentence::new(
                found(&format!("the unquoted key {}", quoted(key.as_bytes()))),
                words::opening_quote(scene).unwrap_or_else(|| in_quotes(key)),
            ),
        },
    }
}

/// Describes a key that is not followed by a colon.
pub(super) fn no_colon(scene: &Scene<'_>) -> Sentence {
    let expected = "`:` after the key";
    let found = |what: &str| format!("found {what}, expected {expected}");
    match scene.here {
        [b'=', b'>', ..] => Sentence::new(found("`=>`"), "write `:`"),
        [b'=', ..] => Sentence::new(found("`=`"), "write `:`"),
        [byte @ (b',' | b'}'), ..] => Sentence::new(
            found(&format!("`{}`", char::from(*byte))),
            "each key in an object needs a value; use `[` and `]` for a list without keys",
        ),
        _ if is_broken_string(scene) => broken_string(scene, expected),
        _ if starts_value(scene.here) => {
            Sentence::new(format!("missing colon: {}", found(&Found::at(scene.here).phrase)), "put `:` before it")
        }
        _ => Sentence::found(Found::at(scene.here), expected),
    }
}

/// Describes a value in a container that is followed by neither a comma nor a closing bracket.
pub(super) fn no_comma(scene: &Scene<'_>) -> Sentence {
    let bracket = scene.opener.map(|opener| opener.bracket);
    let expected = match bracket {
        Some('[') => "`,` or `]`",
        Some(_) => "`,` or `}`",
        None => "a comma or the closing bracket",
    };
    let found = |what: &str| format!("found {what}, expected {expected}");
    if let Some(sentence) = words::run_on(scene) {
        return sentence;
    }
    match scene.here {
        [b';', ..] => Sentence::new(found("`;`"), "write `,`"),
        [b':', ..] if bracket == Some('[') => Sentence::new(found("`:`"), "only objects have keys: use `{` and `}`"),
        [b':', ..] if bracket.is_none() => Sentence::new(
            found("`:`"),
            "check for a missing quote or comma before it; the elements of an array have no keys",
        ),
        [b':', ..] => Sentence::new(found("a second colon"), "check for a missing quote or comma before it"),
        _ if is_broken_string(scene) => broken_string(scene, expected),
        _ if starts_value(scene.here) || (bracket == Some('{') && starts_member(scene.here)) => {
            Sentence::new(format!("missing comma: {}", found(&Found::at(scene.here).phrase)), "put `,` before it")
        }
        _ => Sentence::found(Found::at(scene.here), expected),
    }
}

/// Describes content after the end of the document.
pub(super) fn trailing(scene: &Scene<'_>) -> Sentence {
    if let Some(sentence) = words::run_on(scene) {
        return sentence;
    }
    let end = scene.whole();
    let found = |what: &str| format!("found {what} after the document, expected the end of the {end}");
    match scene.here {
        [byte @ (b']' | b'}'), ..] => {
            Sentence::new(found(&format!("`{}`", char::from(*byte))), "remove it: no bracket is open here")
        }
        [b',', rest @ ..] if rest.trim_ascii_start().is_empty() => Sentence::new(found("a comma"), "remove it"),
        [b',', ..] => Sentence::new(found("a comma"), "put several values in `[` and `]`"),
        [b':', ..] => Sentence::new(found("`:`"), "put keys and their values in `{` and `}`"),
        [b';', ..] => Sentence::new(found("`;`"), "remove it"),
        _ if is_broken_string(scene) => broken_string(scene, &format!("the end of the {end}")),
        [b'-', b'-', b'-', ..] => Sentence::new(
            found("a line of dashes"),
            "this is YAML: remove these lines, and read the input as JSON Lines or concatenated JSON",
        ),
        _ if starts_value(scene.here) => second_document(scene),
        _ => {
            let Found { phrase, help } = Found::at(scene.here);
            Sentence { message: found(&phrase), help }
        }
    }
}

fn second_document(scene: &Scene<'_>) -> Sentence {
    let message = format!(
        "another document follows: found {}, expected the end of the {}",
        Found::at(scene.here).phrase,
        scene.whole()
    );
    Sentence::new(
        message,
        match scene.framing {
            Framing::Document | Framing::Documents | Framing::Stream => {
                "read the input as JSON Lines or concatenated JSON"
            }
            Framing::Lines => "JSON Lines has one document per line; concatenated JSON can be read too",
            Framing::Sequence => "each document of a JSON text sequence begins with a record separator (U+001E)",
        },
    )
}

/// Describes a closing bracket of the wrong kind.
pub(super) fn mismatch(scene: &Scene<'_>) -> Sentence {
    let (found, needed) = if scene.here.starts_with(b"}") { ('}', ']') } else { (']', '}') };
    let Some(opener) = scene.opener else {
        return Sentence::plain(format!("found `{found}`, expected `,` or `{needed}`"));
    };
    let place = scene.place_of_opener(opener);
    Sentence::new(
        format!("found `{found}`, expected `{needed}` to close the `{}` opened at {place}", opener.bracket),
        format!("write `{needed}`, or insert the missing one before the `{found}`"),
    )
}

/// Describes a closing bracket after a comma.
fn trailing_comma(scene: &Scene<'_>, expected: &str) -> Sentence {
    let found = Found::at(scene.here).phrase;
    let help = match scene.previous() {
        Some((index, b',')) => {
            format!("remove the comma at {}", scene.place_before(index))
        }
        _ => "remove the comma before it".to_owned(),
    };
    let help = format!("{help}, {READ_AS_JSONC}");
    Sentence::new(format!("trailing comma: found {found}, expected {expected}"), help)
}

/// Whether a word directly follows a closing quote, which was then most likely meant to be part of the string.
fn is_broken_string(scene: &Scene<'_>) -> bool {
    scene.before.ends_with(b"\"") && !word(scene.here).is_empty()
}

fn broken_string(scene: &Scene<'_>, expected: &str) -> Sentence {
    Sentence::new(
        format!("found {} right after a string, expected {expected}", Found::at(scene.here).phrase),
        "if the quote before it is part of the text, write `\\\"`; otherwise a quote may be missing earlier",
    )
}

/// Whether `here` begins with a value.
fn starts_value(here: &[u8]) -> bool {
    match here {
        [b'"' | b'[' | b'{' | b'-' | b'0'..=b'9', ..] => true,
        _ => matches!(word(here), "true" | "false" | "null"),
    }
}

/// Whether `here` begins with an unquoted key and a colon.
fn starts_member(here: &[u8]) -> bool {
    let key = word(here);
    !key.is_empty() && here[key.len()..].trim_ascii_start().starts_with(b":")
}
