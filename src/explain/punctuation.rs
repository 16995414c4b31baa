//! Sentences about what stands between values: brackets, commas, colons, and the start and end of the document.
//!
//! Here are the mistakes people make most: a comma too many or too few, a name without quotes, a second document.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::explain::Scene;
use crate::explain::encoding;
use crate::explain::found::Found;
use crate::explain::found::quoted;
use crate::explain::found::word;
use crate::explain::sentence::Sentence;
use crate::explain::words;
use crate::options::Framing;

/// Something that starts no value.
pub(super) fn no_value(scene: &Scene<'_>) -> Sentence {
    let previous = scene.previous().map(|(_, byte)| byte);
    let is_first = scene.is_first();
    if is_first && let Some(sentence) = foreign_input(scene) {
        return sentence;
    }
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
        ([b'(', ..], _) => Sentence::new(format!("found `(`, expected {expected}"), "lists stand in `[` and `]`"),
        _ => words::value(scene, expected).unwrap_or_else(|| Sentence::found(found, expected)),
    }
}

/// What the whole input is, if it is something else than JSON.
fn foreign_input(scene: &Scene<'_>) -> Option<Sentence> {
    if let Some(compression) = encoding::compression(scene.here) {
        return Some(Sentence::new(format!("found {compression} data, expected JSON text"), "decompress it first"));
    }
    match scene.here {
        [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] if !scene.here.starts_with(b"<!--") => {
            Some(Sentence::new("found `<`, expected a JSON value", "this looks like HTML or XML"))
        }
        _ => None,
    }
}

/// A record of a text sequence that does not start like one.
pub(super) fn no_separator(scene: &Scene<'_>) -> Sentence {
    Sentence::new(
        format!("found {}, expected a record separator (U+001E)", Found::at(scene.here).phrase),
        "in a JSON text sequence one stands before each document; other streams can be read too",
    )
}

/// Something that starts no name.
pub(super) fn no_name(scene: &Scene<'_>) -> Sentence {
    let after_brace = scene.kind == ErrorKind::ExpectedKeyOrClose;
    let expected = if after_brace { "a name in double quotes or `}`" } else { "a name in double quotes" };
    let found = |what: &str| format!("found {what}, expected {expected}");
    match scene.here {
        [b'}', ..] => trailing_comma(scene, "a name in double quotes"),
        [b',', ..] if after_brace => Sentence::new(found("a comma"), "remove the comma"),
        [b',', ..] => Sentence::new(found("a second comma"), "remove it"),
        [b':', ..] => Sentence::new(found("`:`"), "put a name before it, the empty one is `\"\"`"),
        [b'{', behind, ..]
            if after_brace && scene.before.ends_with(b"{") && !matches!(behind, b'"' | b'\n' | b'\r') =>
        {
            Sentence::new(found("`{{`"), "if this is a template, fill in its placeholders first")
        }
        [b'%', ..] if after_brace && scene.before.ends_with(b"{") => {
            Sentence::new(found("`{%`"), "if this is a template, fill in its placeholders first")
        }
        [b'{' | b'[', ..] => Sentence::new(
            found(&Found::at(scene.here).phrase),
            "in an object each value needs a name; a list without names stands in `[` and `]`",
        ),
        _ => match word(scene.here) {
            "" => Sentence::found(Found::at(scene.here), expected),
            name if name.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                Sentence::new(found(&format!("the number {} as a name", quoted(name.as_bytes()))), in_quotes(name))
            }
            name if name.starts_with('.') => Sentence::found(Found::at(scene.here), expected),
            name => {
                Sentence::new(found(&format!("the name {} without quotes", quoted(name.as_bytes()))), in_quotes(name))
            }
        },
    }
}

/// How to write a word as a string.
pub(super) fn in_quotes(word: &str) -> String {
    match quoted(format!("\"{word}\"").as_bytes()) {
        shown if shown.ends_with("\"`") => format!("put it in double quotes: {shown}"),
        _ => "put it in double quotes".to_owned(),
    }
}

/// Something else than a colon after a name.
pub(super) fn no_colon(scene: &Scene<'_>) -> Sentence {
    let expected = "`:` after the name";
    let found = |what: &str| format!("found {what}, expected {expected}");
    match scene.here {
        [b'=', b'>', ..] => Sentence::new(found("`=>`"), "write `:`"),
        [b'=', ..] => Sentence::new(found("`=`"), "write `:`"),
        [byte @ (b',' | b'}'), ..] => Sentence::new(
            found(&format!("`{}`", char::from(*byte))),
            "in an object each name needs a value; a list without names stands in `[` and `]`",
        ),
        _ if is_broken_string(scene) => broken_string(scene, expected),
        _ if starts_value(scene.here) => {
            Sentence::new(format!("missing colon: {}", found(&Found::at(scene.here).phrase)), "put `:` before it")
        }
        _ => Sentence::found(Found::at(scene.here), expected),
    }
}

/// Something else than a comma or closer after a value in a container.
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
        [b':', ..] if bracket == Some('[') => Sentence::new(found("`:`"), "names stand in objects: `{` and `}`"),
        [b':', ..] => Sentence::new(found("a second colon"), "check for a missing quote or comma before it"),
        _ if is_broken_string(scene) => broken_string(scene, expected),
        _ if starts_value(scene.here) || (bracket == Some('{') && starts_member(scene.here)) => {
            Sentence::new(format!("missing comma: {}", found(&Found::at(scene.here).phrase)), "put `,` before it")
        }
        _ => Sentence::found(Found::at(scene.here), expected),
    }
}

/// Something after the end of the document.
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
        [b',', ..] => Sentence::new(found("a comma"), "put several values in `[` and `]`"),
        [b':', ..] => Sentence::new(found("`:`"), "put names and their values in `{` and `}`"),
        [b';', ..] => Sentence::new(found("`;`"), "remove it"),
        _ if is_broken_string(scene) => broken_string(scene, &format!("the end of the {end}")),
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
                "read the input as JSON Lines or as a stream of documents"
            }
            Framing::Lines => "JSON Lines has one document on each line; other streams can be read too",
            Framing::Sequence => "a record separator (U+001E) stands before each document of a JSON text sequence",
        },
    )
}

/// The closer of the other kind.
pub(super) fn mismatch(scene: &Scene<'_>) -> Sentence {
    let (found, needed) = if scene.here.starts_with(b"}") { ('}', ']') } else { (']', '}') };
    let Some(opener) = scene.opener else {
        return Sentence::plain(format!("found `{found}`, expected `,` or `{needed}`"));
    };
    let position = opener.position;
    Sentence::new(
        format!(
            "found `{found}`, expected `{needed}` for the `{}` opened at line {} column {}",
            opener.bracket, position.line, position.column
        ),
        format!("write `{needed}`, or put the missing one before the `{found}`"),
    )
}

/// A closer behind a comma.
fn trailing_comma(scene: &Scene<'_>, expected: &str) -> Sentence {
    let found = Found::at(scene.here).phrase;
    let help = match scene.previous() {
        Some((index, b',')) => {
            let comma = scene.text.position(scene.index - scene.before.len() + index);
            format!("remove the comma at line {} column {}", comma.line, comma.column)
        }
        _ => "remove the comma before it".to_owned(),
    };
    Sentence::new(format!("trailing comma: found {found}, expected {expected}"), help)
}

/// Whether text follows a closing quote without a gap: then the quote most likely was part of the text.
fn is_broken_string(scene: &Scene<'_>) -> bool {
    scene.before.ends_with(b"\"") && !word(scene.here).is_empty()
}

fn broken_string(scene: &Scene<'_>, expected: &str) -> Sentence {
    Sentence::new(
        format!("found {} right behind a string, expected {expected}", Found::at(scene.here).phrase),
        "if the quote before it belongs to the text, write `\\\"`; else a quote may be missing further up",
    )
}

/// Whether a value starts here.
fn starts_value(here: &[u8]) -> bool {
    match here {
        [b'"' | b'[' | b'{' | b'-' | b'0'..=b'9', ..] => true,
        _ => matches!(word(here), "true" | "false" | "null"),
    }
}

/// Whether a name without quotes stands here.
fn starts_member(here: &[u8]) -> bool {
    let name = word(here);
    !name.is_empty() && here[name.len()..].trim_ascii_start().starts_with(b":")
}
