//! Error reporting: turns a fault (kind and offset) into an [`Error`] with position, excerpt, message and help.
//!
//! The engine only decides whether a document is valid. If it is not, the [`Reader`] finds the kind and offset in the last
//! window, and [`explain`] examines the text around the fault, as far as it is still in memory. This is cold code, written
//! for correctness and clarity. Its time is linear in the document, and it keeps at most 1024 nesting levels.

#![forbid(unsafe_code)]

mod abridged;
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
mod substitute;
mod words;

#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod tests;

use crate::error::Earlier;
use crate::error::Error;
use crate::error::ErrorDetails;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::Opener;
use crate::error::Position;
use crate::input::START;
use crate::options::Framing;

use found::Found;
use place::FaultPlace;
use sentence::Sentence;
use substitute::Substitute;

pub(crate) use abridged::Abridged;
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
    /// What stands for the text of the document up to a place in memory, if its start is not in memory.
    pub(crate) abridged: Option<&'a Abridged>,
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
    /// Place of the fault in `around`; `None` if it is unknown.
    place: Option<&'a FaultPlace>,
    /// The text of the document around the fault, or its substitute.
    around: &'a [u8],
    substitute: Option<&'a Substitute>,
    /// Opening bracket of the innermost open container.
    opener: Option<Opener>,
    /// First use of a duplicate key.
    earlier: Option<Earlier>,
    text: &'a Text<'a>,
    /// Index of the fault in `text`.
    index: usize,
}

/// Returns the error that describes `fault`, which is in `text`.
pub(crate) fn explain(fault: Fault, text: &Text<'_>) -> Error {
    let index = text.index(fault.offset);
    let abridged = text.abridged.filter(|abridged| (text.base..=fault.offset).contains(&abridged.end()));
    let substitute = abridged.map(|abridged| {
        let here = &text.bytes[index..text.record_end(index).min(index + LOOK_AHEAD)];
        abridged.substitute(&text.bytes[text.index(abridged.end())..index], here)
    });
    describe(fault, text, substitute.as_ref())
}

/// Returns the error that describes `fault`, which is in `text`. If that is not the text from which the error is to be explained,
/// `substitute` is.
fn describe(fault: Fault, text: &Text<'_>, substitute: Option<&Substitute>) -> Error {
    let index = text.index(fault.offset);
    let record = &text.bytes[..text.record_end(index)];
    let document = text.index(text.document).min(index);
    let from_start = text.base <= text.document;
    let encoding = if from_start { encoding::recognize(&record[document..], index - document) } else { None };
    let kind = if encoding.is_some() { ErrorKind::Encoding } else { fault.kind };

    let place = match substitute {
        Some(known) => Some(FaultPlace::after(&known.text[..known.length], &known.open, known.read)),
        None => from_start.then(|| FaultPlace::of(&record[document..index])),
    };
    let place = place.filter(FaultPlace::has_opener);
    let around = substitute.map_or(&record[document..], |known| &known.text);
    let opener = place.as_ref().and_then(|place| place.opener).map(|opener| {
        let (offset, position) = substitute.map_or((opener as u64, None), |known| known.place(opener));
        (char::from(around[opener]), text.document + offset, position)
    });
    // Lines are counted once for all places near the fault, of which the bracket may be one.
    let before_excerpt = index.saturating_sub(LOOK_BACK);
    let counted = opener.filter(|(.., position)| position.is_none()).map(|(_, offset, _)| text.index(offset));
    let near = counted.filter(|&opener| opener > index / 2).unwrap_or(index).min(before_excerpt);
    let text = &Text { near: Some((near, text.position(near))), ..*text };
    let opener = opener.map(|(bracket, offset, position)| Opener {
        bracket,
        offset,
        position: position.unwrap_or_else(|| text.position(text.index(offset))),
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
        around,
        substitute,
        opener,
        earlier,
        text,
        index,
    };
    let Sentence { message, help } = match encoding {
        Some(encoding) => encoding.sentence(text.document > 0),
        None => sentence(&scene),
    };
    Error::new(ErrorDetails {
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

impl<'a> Text<'a> {
    /// Returns a text that is a whole input with one document.
    pub(crate) fn whole(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            base: 0,
            at: START,
            near: None,
            has_lines: true,
            document: 0,
            framing: Framing::Document,
            record: None,
            abridged: None,
        }
    }

    /// The index in `bytes` of the byte at `offset`, or of the nearest byte in memory.
    fn index(&self, offset: u64) -> usize {
        let index = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        index.min(self.bytes.len())
    }

    /// The place of the byte at `offset`, in words: line and column, or the offset if lines are unknown. `position` is its line and
    /// column, unless they can be counted.
    fn place(&self, offset: u64, position: Option<Position>) -> String {
        if !self.has_lines {
            return format!("byte {offset}");
        }
        let Position { line, column } = position.unwrap_or_else(|| self.position(self.index(offset)));
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
        | ErrorKind::InvalidPath
        | ErrorKind::InvalidPatch
        | ErrorKind::TargetMissing
        | ErrorKind::TargetUnsuitable
        | ErrorKind::TestFailed
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
