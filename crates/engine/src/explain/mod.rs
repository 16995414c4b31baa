//! Error reporting: turns a fault (kind and offset) into an [`Error`] with position, excerpt, message and help.
//!
//! The engine only decides whether a document is valid. If it is not, the [`Reader`] finds the kind and offset in the last
//! window, and [`explain`] examines the text around the fault, as far as it is still in memory. This is cold code, written
//! for correctness and clarity. Its time is linear in the document, and it keeps at most 1024 nesting levels.

#![forbid(unsafe_code)]

#[cfg(feature = "serde")]
mod data;
mod diagnostic;
mod encoding;
mod end;
mod excerpt;
mod foreign;
mod found;
mod place;
mod profiles;
mod punctuation;
mod reader;
pub(crate) mod recovery;
mod sentence;
mod strings;
mod words;

#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;

use crate::error::Earlier;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::Opener;
use crate::error::Position;
use crate::error::Report;
use crate::options::Framing;

use found::Found;
use place::Place;
use recovery::Repaired;
use sentence::Sentence;

#[cfg(feature = "serde")]
pub(crate) use data::locate;
#[cfg(feature = "serde")]
pub(crate) use data::locate_from;
#[cfg(feature = "serde")]
pub(crate) use data::locate_in;
pub use diagnostic::Diagnostic;
pub use diagnostic::Related;
pub(crate) use reader::Reader;

/// Number of bytes after the fault on which a message or an excerpt may depend. A driver that reads a pipe has at least
/// these bytes in memory when it calls [`explain`], or all bytes up to the end of the record or input, so that the error
/// does not depend on how the input is read.
pub(crate) const LOOK_AHEAD: usize = 256;

/// Number of bytes before the fault on which a message or an excerpt may depend.
pub(crate) const LOOK_BACK: usize = 256;

/// The part of an input that is still in memory, and its location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The bytes in memory.
    pub(crate) bytes: &'a [u8],
    /// Offset of the first of these bytes.
    pub(crate) base: u64,
    /// Line and column of the first of these bytes.
    pub(crate) at: Position,
    /// Index and position of a byte from which lines are counted if the place is not before it.
    pub(crate) near: Option<(usize, Position)>,
    /// Whether lines are counted from the start of the whole input, and not from that of a range.
    pub(crate) has_lines: bool,
    /// Offset of the start of the document.
    pub(crate) document: u64,
    /// Framing of the input.
    pub(crate) framing: Framing,
    /// Number of the record, from 1, if the input has several.
    pub(crate) record: Option<u64>,
}

/// The data from which messages are built.
struct Scene<'a> {
    kind: ErrorKind,
    framing: Framing,
    /// At most [`LOOK_BACK`] bytes of the document before the fault.
    before: &'a [u8],
    /// Whether `before` begins at the start of the document.
    from_start: bool,
    /// At most [`LOOK_AHEAD`] bytes of the record, starting at the fault.
    here: &'a [u8],
    /// Place of the fault in the document; `None` if the start of the document is no longer in memory.
    place: Option<&'a Place>,
    /// Opening bracket of the innermost open container.
    opener: Option<Opener>,
    /// First use of a duplicate key.
    earlier: Option<Earlier>,
    text: &'a Text<'a>,
    /// Index of the fault in `text`.
    index: usize,
    /// Index of the start of the document in `text`, if `place` is known.
    document: usize,
}

/// Returns the error that describes `fault`, which is in `text`.
pub(crate) fn explain(fault: Fault, text: &Text<'_>) -> Error {
    describe(fault, text, None)
}

/// Returns the error that describes `fault`, which is in `text`. If the text before it was repaired, its place is that in the
/// repaired text.
fn describe(fault: Fault, text: &Text<'_>, repaired: Option<&Repaired>) -> Error {
    let index = text.index(fault.offset);
    let record = &text.bytes[..text.record_end(index)];
    let document = text.index(text.document).min(index);
    let from_start = text.base <= text.document;
    let encoding = if from_start { encoding::recognize(&record[document..], index - document) } else { None };
    let kind = if encoding.is_some() { ErrorKind::Encoding } else { fault.kind };

    let place = match repaired {
        Some(repaired) => Some(Place::of(&repaired.text[..repaired.length])),
        None => from_start.then(|| Place::of(&record[document..index])),
    };
    let opener = place.as_ref().and_then(|place| place.opener);
    let opener = opener.map(|opener| repaired.map_or(opener, |repaired| repaired.offset(opener)));
    let around = repaired.map_or(&record[document..], |repaired| &repaired.text);
    // Lines are counted once for all places near the fault, of which the bracket may be one.
    let before_excerpt = index.saturating_sub(LOOK_BACK);
    let opener_index = opener.map(|opener| document + opener).filter(|&opener| opener > index / 2);
    let near = opener_index.unwrap_or(index).min(before_excerpt);
    let text = &Text { near: Some((near, text.position(near))), ..*text };
    let opener = opener.map(|opener| Opener {
        bracket: char::from(record[document + opener]),
        offset: text.document + opener as u64,
        position: text.position(document + opener),
    });
    let pointer = place.as_ref().and_then(|place| place.pointer(around, kind));
    let earlier = fault.earlier.map(|offset| Earlier {
        offset,
        position: (text.has_lines && text.base <= offset).then(|| text.position(text.index(offset))),
    });
    // A copy, because a memory-mapped file may change while its bytes are converted to characters.
    let before = record[document.max(index.saturating_sub(LOOK_BACK))..index].to_vec();
    let here = record[index..record.len().min(index + LOOK_AHEAD)].to_vec();
    let scene = Scene {
        kind,
        framing: text.framing,
        before: &before,
        from_start: from_start && index - document <= LOOK_BACK,
        here: &here,
        place: place.as_ref(),
        opener,
        earlier,
        text,
        index,
        document,
    };
    let Sentence { message, help } = match encoding {
        Some(encoding) => encoding.sentence(),
        None => sentence(&scene),
    };
    Error::new(Report {
        kind,
        offset: fault.offset,
        position: text.has_lines.then(|| text.position(index)),
        pointer,
        opener: opener.filter(|_| has_opener(kind)),
        earlier,
        record: text.record,
        record_offset: None,
        record_text: None,
        excerpt: text.excerpt(index, kind),
        message,
        help,
        source: None,
    })
}

/// Whether errors of this kind report the innermost open container.
fn has_opener(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::MismatchedClose | ErrorKind::ExpectedCommaOrClose | ErrorKind::UnexpectedEnd)
}

impl Text<'_> {
    /// The index in `bytes` of the byte at `offset`, or of the nearest byte in memory.
    fn index(&self, offset: u64) -> usize {
        let index = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        index.min(self.bytes.len())
    }

    /// The place of the byte at `index`, in words: line and column, or the byte offset if lines are unknown.
    fn place(&self, index: usize) -> String {
        if !self.has_lines {
            return format!("byte {}", self.base + index as u64);
        }
        let Position { line, column } = self.position(index);
        format!("line {line} column {column}")
    }

    /// The index of the end of the record that contains `index`, or of the end of the bytes in memory.
    fn record_end(&self, index: usize) -> usize {
        let end = self.framing.terminator().and_then(|terminator| memchr::memchr(terminator, &self.bytes[index..]));
        end.map_or(self.bytes.len(), |length| index + length)
    }
}

/// Returns the message and help of the error in a scene.
fn sentence(scene: &Scene<'_>) -> Sentence {
    if may_be_foreign(scene.kind)
        && let Some(sentence) = foreign::beginning(scene)
    {
        return sentence;
    }
    match scene.kind {
        ErrorKind::EmptyInput => end::empty(scene),
        ErrorKind::UnexpectedEnd => end::unexpected(scene),
        ErrorKind::ExpectedValue | ErrorKind::ExpectedValueOrClose => punctuation::no_value(scene),
        ErrorKind::ExpectedKey | ErrorKind::ExpectedKeyOrClose => punctuation::no_key(scene),
        ErrorKind::ExpectedColon => punctuation::no_colon(scene),
        ErrorKind::ExpectedCommaOrClose => punctuation::no_comma(scene),
        ErrorKind::MissingSeparator => punctuation::no_separator(scene),
        ErrorKind::MismatchedClose => punctuation::mismatch(scene),
        ErrorKind::TrailingContent => punctuation::trailing(scene),
        ErrorKind::ControlCharacter => strings::control(scene),
        ErrorKind::InvalidEscape => strings::escape(scene),
        ErrorKind::InvalidUnicodeEscape => strings::unicode_escape(scene),
        ErrorKind::InvalidUtf8 => strings::utf8(scene),
        ErrorKind::InvalidNumber => words::number(scene),
        ErrorKind::LeadingZero => words::leading_zero(scene),
        ErrorKind::InvalidLiteral => words::literal(scene),
        ErrorKind::DuplicateKey => profiles::duplicate_key(scene),
        ErrorKind::LoneSurrogate => profiles::lone_surrogate(scene),
        ErrorKind::Noncharacter => profiles::noncharacter(scene),
        ErrorKind::InexactNumber => profiles::inexact_number(scene),
        ErrorKind::DepthLimit => depth(scene),
        ErrorKind::Unprintable => Sentence::plain("a value cannot be printed as requested"),
        ErrorKind::Encoding
        | ErrorKind::MemoryLimit
        | ErrorKind::PatternLimit
        | ErrorKind::Data
        | ErrorKind::Misuse
        | ErrorKind::OutOfMemory
        | ErrorKind::Io
        | ErrorKind::InputChanged
        | ErrorKind::Compression
        | ErrorKind::ExpansionLimit
        | ErrorKind::RangeUnsupported => Sentence::plain("the input cannot be read"),
    }
}

/// Whether the first error in text that is not JSON may be of this kind.
fn may_be_foreign(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ExpectedValue
            | ErrorKind::ExpectedValueOrClose
            | ErrorKind::ExpectedCommaOrClose
            | ErrorKind::TrailingContent
            | ErrorKind::InvalidNumber
            | ErrorKind::LeadingZero
            | ErrorKind::InvalidLiteral
    )
}

fn depth(scene: &Scene<'_>) -> Sentence {
    let found = Found::at(scene.here).phrase;
    let expected = match scene.place.map(|place| place.depth) {
        Some(1) => "expected at most 1 level of nesting".to_owned(),
        Some(depth) => format!("expected at most {depth} levels of nesting"),
        None => "expected no deeper nesting".to_owned(),
    };
    Sentence::new(format!("found {found}, {expected}"), "raise the limit if you trust the input")
}
