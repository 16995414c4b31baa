//! Whether a value contains another: strings as substrings, objects and arrays recursively.

#![forbid(unsafe_code)]

use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Value;
use crate::value::equal;

/// Values nested deeper than this are not compared, as in jq.
const DEEPEST: usize = 10_000;

/// A question about two containers that depends on questions about what is in them.
enum Frame {
    /// Each member of the second object must be contained in that of the first. The number is the next slot.
    Objects(Object, Object, usize),
    /// Each element of the second array must be contained in an element of the first. The numbers are those of an element of the
    /// second array and of the next one of the first.
    Arrays(Array, Array, usize, usize),
}

/// Whether `value` contains `part`.
///
/// # Errors
/// If the values are nested too deep.
pub(super) fn contains(value: &Value, part: &Value) -> Result<bool, Error> {
    let mut frames = Vec::new();
    let mut answer = ask(value, part, &mut frames)?;
    loop {
        if frames.len() > DEEPEST {
            return Err(Error::new("Containment check too deep"));
        }
        let Some(frame) = frames.last_mut() else { return Ok(answer.unwrap_or(false)) };
        let (value, part) = match frame.next(answer) {
            Ok(pair) => pair,
            Err(whole) => {
                frames.pop();
                answer = Some(whole);
                continue;
            }
        };
        answer = ask(&value, &part, &mut frames)?;
    }
}

/// Answers the question, or adds a frame for it.
fn ask(value: &Value, part: &Value, frames: &mut Vec<Frame>) -> Result<Option<bool>, Error> {
    if value.kind() != part.kind() {
        return Ok(Some(false));
    }
    match value.kind() {
        Kind::Object => {
            frames.push(Frame::Objects(value.to_object().unwrap_or_default(), part.to_object().unwrap_or_default(), 0));
            Ok(None)
        }
        Kind::Array => {
            frames.push(Frame::Arrays(value.to_array().unwrap_or_default(), part.to_array().unwrap_or_default(), 0, 0));
            Ok(None)
        }
        Kind::String => {
            let (text, part) = (value.as_str().unwrap_or_default(), part.as_str().unwrap_or_default());
            Ok(Some(memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some()))
        }
        _ => equal(value, part).map(Some),
    }
}

impl Frame {
    /// Takes the answer to the last question of this frame, `None` at first. Returns the next question, or the answer.
    fn next(&mut self, answer: Option<bool>) -> Result<(Value, Value), bool> {
        match self {
            Self::Objects(value, part, slot) => {
                // mutant: if false {
                if answer == Some(false) {
                    return Err(false);
                }
                let Some((key, part, next)) = part.next(*slot) else { return Err(true) };
                *slot = next;
                match value.get(key) {
                    Some(value) => Ok((value.clone(), part.clone())),
                    None => Err(false),
                }
            }
            Self::Arrays(value, part, wanted, next) => {
                if answer == Some(true) {
                    *wanted += 1;
                    // mutant: *next -= 1;
                    *next = 0;
                }
                let Some(part) = part.get(*wanted) else { return Err(true) };
                let Some(value) = value.get(*next) else { return Err(false) };
                *next += 1;
                Ok((value.clone(), part.clone()))
            }
        }
    }
}
