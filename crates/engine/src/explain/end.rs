//! Error messages about a document that is truncated or missing.
//!
//! They name what is missing as exactly as possible: which string lacks its closing quote, which bracket is never closed,
//! how a literal continues.

#![forbid(unsafe_code)]

use crate::explain::Scene;
use crate::explain::found::quoted;
use crate::explain::place::FaultPlace;
use crate::explain::place::Last;
use crate::explain::place::is_complete;
use crate::explain::sentence::Sentence;
use crate::options::Framing;

/// Describes an input or record without a document.
pub(super) fn empty(scene: &Scene<'_>) -> Sentence {
    let whole = scene.whole();
    let content = if scene.from_start && scene.before.is_empty() { "is empty" } else { "contains only whitespace" };
    Sentence::plain(format!("the {whole} {content}, expected a JSON value"))
}

/// Describes the end of the input or record inside a document.
pub(super) fn unexpected(scene: &Scene<'_>) -> Sentence {
    let whole = scene.whole();
    let message = match scene.place {
        Some(place) => format!("unexpected end of {whole}{}", missing(scene, place)),
        None => format!("unexpected end of {whole} inside a document"),
    };
    Sentence::new(
        message,
        match scene.framing {
            Framing::Lines => {
                "a JSON Lines record must be on a single line; documents that span lines can be read too".to_owned()
            }
            Framing::Sequence if scene.place.is_some_and(|place| place.depth == 0 && place.last != Last::OpenText) => {
                "a number or literal must be followed by a line feed; otherwise it may have been truncated".to_owned()
            }
            _ => remedy(scene),
        },
    )
}

/// Returns the end of the message: what was read last, and what is missing.
fn missing(scene: &Scene<'_>, place: &FaultPlace) -> String {
    let last = &scene.around[place.span.clone()];
    match place.last {
        Last::OpenKey | Last::OpenText => {
            let kind = if place.last == Last::OpenKey { "key" } else { "string" };
            format!(" inside the {kind} that starts at {}", scene.place_of(place.span.start))
        }
        Last::OpenScalar if !is_complete(last) => {
            let expected = match last[0] {
                b't' => "`true`",
                b'f' => "`false`",
                b'n' => "`null`",
                _ => "a digit",
            };
            format!(" after {}, expected {expected}", quoted(last))
        }
        Last::Comma if scene.opener.is_some_and(|opener| opener.bracket == '{') => {
            " after a comma, expected a key in double quotes".to_owned()
        }
        Last::Comma => " after a comma, expected a value".to_owned(),
        Last::Colon => " after a colon, expected a value".to_owned(),
        Last::Key => " after a key, expected `:`".to_owned(),
        Last::Opener | Last::Value | Last::OpenScalar | Last::Nothing => match scene.opener {
            Some(opener) => {
                format!(": `{}` opened at {} is never closed", opener.bracket, scene.place_of_opener(opener))
            }
            None => " right after the value, expected whitespace".to_owned(),
        },
    }
}

/// Suggests how to complete the document.
fn remedy(scene: &Scene<'_>) -> String {
    let whole = scene.whole();
    match scene.place.and_then(|place| place.closing_brackets(scene.around)) {
        Some(brackets) => format!("add `{brackets}` at the end, or check whether the {whole} was truncated"),
        None if scene.place.is_some_and(|place| matches!(place.last, Last::OpenKey | Last::OpenText)) => {
            format!("add the missing `\"` where the text ends, or check whether the {whole} was truncated")
        }
        None => format!("check whether the {whole} was truncated"),
    }
}
