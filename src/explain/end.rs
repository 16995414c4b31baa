//! Sentences about a document that ends too early, or is not there at all.
//!
//! What is missing is said as exactly as the text allows: the quote of which string, the bracket of which opener, the
//! rest of which word.

#![forbid(unsafe_code)]

use crate::explain::Scene;
use crate::explain::found::quoted;
use crate::explain::place::Last;
use crate::explain::place::Place;
use crate::explain::place::is_complete;
use crate::explain::sentence::Sentence;
use crate::options::Framing;

/// No document.
pub(super) fn empty(scene: &Scene<'_>) -> Sentence {
    let whole = scene.whole();
    let holds = if scene.from_start && scene.before.is_empty() { "is empty" } else { "holds nothing but whitespace" };
    Sentence::plain(format!("the {whole} {holds}, expected a JSON value"))
}

/// The end inside a document.
pub(super) fn unexpected(scene: &Scene<'_>) -> Sentence {
    let whole = scene.whole();
    let message = match scene.place {
        Some(place) => format!("the {whole} ends{}", missing(scene, place)),
        None => format!("the {whole} ends before the document does"),
    };
    Sentence::new(
        message,
        match scene.framing {
            Framing::Lines => {
                "a JSON Lines record must stand on one line; documents over several lines can be read too".to_owned()
            }
            Framing::Sequence if scene.place.is_some_and(|place| place.depth == 0 && place.last != Last::OpenText) => {
                "a number or literal must be followed by a line feed, or it may have been cut short".to_owned()
            }
            _ => cure(scene),
        },
    )
}

/// Behind what the document ends, and what should follow.
fn missing(scene: &Scene<'_>, place: &Place) -> String {
    let span = scene.document + place.span.start..scene.document + place.span.end;
    let last = &scene.text.bytes[span.clone()];
    match place.last {
        Last::OpenName | Last::OpenText => {
            let what = if place.last == Last::OpenName { "name" } else { "string" };
            let start = scene.text.position(span.start);
            format!(" inside the {what} that starts at line {} column {}", start.line, start.column)
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
            " after a comma, expected a name in double quotes".to_owned()
        }
        Last::Comma => " after a comma, expected a value".to_owned(),
        Last::Colon => " after a colon, expected a value".to_owned(),
        Last::Name => " after a name, expected `:`".to_owned(),
        Last::Opener | Last::Value | Last::OpenScalar | Last::Nothing => match scene.opener {
            Some(opener) => {
                let at = opener.position;
                format!(", but `{}` opened at line {} column {} is never closed", opener.bracket, at.line, at.column)
            }
            None => " right behind the value, expected whitespace".to_owned(),
        },
    }
}

/// What to do about it.
fn cure(scene: &Scene<'_>) -> String {
    let document = &scene.text.bytes[scene.document..scene.index];
    let whole = scene.whole();
    match scene.place.and_then(|place| place.closers(document)) {
        Some(closers) => format!("add `{closers}` at the end, or check whether the {whole} was cut short"),
        None if scene.place.is_some_and(|place| matches!(place.last, Last::OpenName | Last::OpenText)) => {
            format!("put the missing `\"` where the text ends, or check whether the {whole} was cut short")
        }
        None => format!("check whether the {whole} was cut short"),
    }
}
