//! Further errors of a document, after the first one: reading goes on where the text that was meant is clear.
//!
//! A hand-written configuration often has one mistake many times: comments, keys without quotes, commas before brackets. Each such
//! mistake is repaired in a copy of the text, and the precise [`Reader`] continues after it. Where a repair would be a guess, it
//! ends, and errors that may only be consequences of earlier ones, such as a bracket that does not match, are not reported.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::explain::LOOK_AHEAD;
use crate::explain::Reader;
use crate::explain::Text;
use crate::explain::describe;
use crate::explain::found::word;
use crate::explain::reader::Next;
use crate::explain::substitute::Known;
use crate::explain::substitute::Substitute;
use crate::grammar::is_whitespace;

/// Length up to which a document is read again for further errors.
pub(crate) const MAX_LENGTH: usize = 64 << 20;

/// Maximum number of errors of one document. Each costs time that is linear in the document.
pub(crate) const MAX_ERRORS: u64 = 100;

/// Maximum length of a string in single quotes, and of a comment in a line.
const MAX_TOKEN: usize = 4096;

/// How to go on after an error.
struct Repair {
    /// Number of bytes before the fault that are replaced.
    before: usize,
    /// Number of bytes from the fault on that are replaced.
    after: usize,
    /// What they are replaced with.
    text: Vec<u8>,
    /// What has been read then.
    next: Next,
}

/// Passes the errors of `document` after the first one to `on_error`, at most `limit`. `first` is the offset of the first one.
pub(crate) fn further_errors(
    document: &[u8],
    first: u64,
    max_depth: Option<u64>,
    limit: u64,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) {
    let mut reader = Reader::new(0, max_depth);
    let mut repaired = Substitute::default();
    if document.len() > MAX_LENGTH || repaired.text.try_reserve(document.len()).is_err() {
        return;
    }
    let (mut count, mut at) = (0, 0);
    while let Err(fault) = reader.feed(&document[at..]) {
        let index = usize::try_from(fault.offset).unwrap_or(usize::MAX).min(document.len());
        repaired.text.extend_from_slice(&document[at..index]);
        if count == 0 && fault.offset != first {
            // The first error is one of a stricter profile.
            return;
        }
        if count > 0 && (is_consequence(fault.kind) || count > limit.min(MAX_ERRORS - 1)) {
            return;
        }
        if count > 0 && on_error(explain(fault, document, index, &mut repaired)).is_break() {
            return;
        }
        count += 1;
        let Some(repair) = repair(fault.kind, &repaired.text, document, index, reader.is_in_object()) else { return };
        let length = repaired.text.len() - repair.before;
        repaired.text.truncate(length);
        repaired.text.extend_from_slice(&repair.text);
        at = index + repair.after;
        repaired.known.push(Known { index: repaired.text.len(), offset: at as u64, position: None });
        reader.resume(repair.next, at as u64);
    }
}

/// Whether an error may only be the consequence of an earlier one.
fn is_consequence(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::MismatchedClose
            | ErrorKind::TrailingContent
            | ErrorKind::UnexpectedEnd
            | ErrorKind::EmptyInput
            | ErrorKind::OutOfMemory
            | ErrorKind::DepthLimit
    )
}

fn explain(fault: Fault, document: &[u8], index: usize, repaired: &mut Substitute) -> Error {
    repaired.length = repaired.text.len();
    repaired.text.extend_from_slice(&document[index..document.len().min(index + LOOK_AHEAD)]);
    let text = Text::whole(document);
    let error = describe(fault, &text, Some(repaired));
    repaired.text.truncate(repaired.length);
    error
}

/// Returns the repair of an error, or `None` if it is not clear what was meant. `before` is the repaired text before the fault.
fn repair(kind: ErrorKind, before: &[u8], document: &[u8], index: usize, in_object: Option<bool>) -> Option<Repair> {
    let here = &document[index..];
    let repair = |before: usize, after: usize, text: &[u8], next: Next| {
        Some(Repair { before, after, text: text.to_vec(), next })
    };
    match kind {
        ErrorKind::ControlCharacter if !matches!(here, [b'\n' | b'\r', ..]) => repair(0, 1, b" ", Next::Text),
        ErrorKind::InvalidEscape if !matches!(here, [b'\n' | b'\r', ..]) => {
            let character = here.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
            repair(1, character.map_or(1, char::len_utf8), b" ", Next::Text)
        }
        ErrorKind::InvalidUnicodeEscape => {
            let escape = before.iter().rposition(|&byte| byte == b'\\')?;
            repair(before.len() - escape, 0, b" ", Next::Text)
        }
        ErrorKind::InvalidUtf8 => {
            let continued = before.iter().rev().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count();
            let is_begun = before.len().checked_sub(continued + 1).is_some_and(|first| is_incomplete(&before[first..]));
            let skipped = usize::from(!here.first()?.is_ascii());
            repair(if is_begun { continued + 1 } else { 0 }, skipped, b" ", Next::Text)
        }
        ErrorKind::InvalidLiteral | ErrorKind::InvalidNumber | ErrorKind::LeadingZero => wrong_word(before, here),
        ErrorKind::ExpectedValue
        | ErrorKind::ExpectedValueOrClose
        | ErrorKind::ExpectedKey
        | ErrorKind::ExpectedKeyOrClose
        | ErrorKind::ExpectedColon
        | ErrorKind::ExpectedCommaOrClose
        | ErrorKind::TrailingContent
            if let Some(length) = comment(here) =>
        {
            repair(0, length, b" ", Next::Same)
        }
        ErrorKind::ExpectedValue | ErrorKind::ExpectedValueOrClose => value(before, here, in_object?),
        ErrorKind::ExpectedKey | ErrorKind::ExpectedKeyOrClose => key(before, here),
        ErrorKind::ExpectedColon => match here {
            [b'=', b'>', ..] => repair(0, 2, b":", Next::Colon),
            [b'=', ..] => repair(0, 1, b":", Next::Colon),
            _ => None,
        },
        ErrorKind::ExpectedCommaOrClose => match here {
            [b';', ..] => repair(0, 1, b",", Next::Comma),
            _ if before.last().is_some_and(u8::is_ascii_alphanumeric) => wrong_word(before, here),
            // On one line, a quote may be missing as well as a comma.
            _ if begins_line(before) && begins_item(here, in_object?) => repair(0, 0, b",", Next::Comma),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the start of a character lacks bytes.
fn is_incomplete(character: &[u8]) -> bool {
    str::from_utf8(character).is_err_and(|error| error.error_len().is_none())
}

/// Returns the length of the comment at the start of `here`.
fn comment(here: &[u8]) -> Option<usize> {
    match here {
        [b'/', b'/', ..] | [b'#', ..] => Some(memchr::memchr(b'\n', here).unwrap_or(here.len())),
        [b'/', b'*', rest @ ..] => memchr::memmem::find(rest, b"*/").map(|end| 2 + end + 2),
        _ => None,
    }
}

/// Repairs a word that is not a value, or a number in a wrong form. The fault is inside it, or after it.
fn wrong_word(before: &[u8], here: &[u8]) -> Option<Repair> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_');
    let stem = before.iter().rev().take_while(|byte| is_word(byte)).count();
    let length = here.iter().take_while(|byte| is_word(byte)).count();
    ends_value(&here[length..]).then(|| Repair { before: stem, after: length, text: b"0".to_vec(), next: Next::Value })
}

/// Repairs something else in place of a value.
fn value(before: &[u8], here: &[u8], in_object: bool) -> Option<Repair> {
    let previous = before.trim_ascii_end().last().copied();
    let value = |after: usize| Some(Repair { before: 0, after, text: b"0".to_vec(), next: Next::Value });
    match (here.first()?, previous) {
        (b']' | b'}', Some(b',')) => trailing_comma(before),
        (b'}', Some(b':')) | (b',', Some(b',' | b':')) => value(0),
        (b'\'', _) => {
            let (_, length) = single_quoted(here)?;
            ends_value(&here[length..]).then_some(())?;
            value(length)
        }
        _ if in_object || matches!(previous, Some(b'[' | b',')) => {
            let found = wrong_word(&[], here)?;
            (found.after > 0).then_some(found)
        }
        _ => None,
    }
}

/// Repairs something else in place of a key.
fn key(before: &[u8], here: &[u8]) -> Option<Repair> {
    let key = |name: &[u8], after: usize| {
        Some(Repair { before: 0, after, text: [b"\"", name, b"\""].concat(), next: Next::Key })
    };
    match here.first()? {
        b'}' => trailing_comma(before),
        b',' if before.trim_ascii_end().ends_with(b",") => {
            Some(Repair { before: 0, after: 1, text: Vec::new(), next: Next::Same })
        }
        b'\'' => {
            let (name, length) = single_quoted(here)?;
            here[length..].trim_ascii_start().starts_with(b":").then_some(())?;
            key(name, length)
        }
        _ => {
            let name = word(here);
            // The quote at the start may be missing, and the one at the end not.
            let length = name.len() + usize::from(here[name.len()..].starts_with(b"\""));
            let is_key = !name.is_empty() && here[length..].trim_ascii_start().starts_with(b":");
            is_key.then_some(())?;
            key(name.as_bytes(), length)
        }
    }
}

/// Removes the last comma.
fn trailing_comma(before: &[u8]) -> Option<Repair> {
    let comma = before.iter().rposition(|&byte| !is_whitespace(byte)).filter(|&last| before[last] == b',')?;
    Some(Repair { before: before.len() - comma, after: 0, text: b" ".to_vec(), next: Next::Value })
}

/// Returns the content of a string in single quotes and its length with the quotes. The content can be a key as it is.
fn single_quoted(here: &[u8]) -> Option<(&[u8], usize)> {
    let inner = &here[1..here.len().min(MAX_TOKEN)];
    let end = memchr::memchr3(b'\'', b'\\', b'\n', inner).filter(|&end| inner[end] == b'\'')?;
    (!inner[..end].contains(&b'"')).then_some((&inner[..end], end + 2))
}

/// Whether a value can end before `rest`.
fn ends_value(rest: &[u8]) -> bool {
    let line = rest.trim_ascii_start();
    let is_next_line = rest[..rest.len() - line.len()].contains(&b'\n');
    is_next_line || line.first().is_none_or(|next| matches!(next, b',' | b']' | b'}')) || comment(line).is_some()
}

/// Whether there is a line break before the next token.
fn begins_line(before: &[u8]) -> bool {
    before[before.trim_ascii_end().len()..].contains(&b'\n')
}

/// Whether an element, or a member of an object, begins here.
fn begins_item(here: &[u8], in_object: bool) -> bool {
    match here.first() {
        Some(b'"') if in_object => {
            let line = &here[1..here.len().min(MAX_TOKEN)];
            let end = memchr::memchr3(b'"', b'\\', b'\n', line).filter(|&end| line[end] == b'"');
            end.is_some_and(|end| line[end + 1..].trim_ascii_start().starts_with(b":"))
        }
        Some(b'"' | b'{' | b'[' | b'-' | b'0'..=b'9') => !in_object,
        _ => false,
    }
}
