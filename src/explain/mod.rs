//! What exactly is wrong, and where: from a fault to an error that a person can act on.
//!
//! The engine answers yes or no; when it says no, the [`Reader`] finds kind and offset in the last window, and
//! [`explain`] looks at the text around the fault once more, as far as it is still in memory. This is cold code: it is
//! made to be right and clear, is linear in the document, and needs memory for 1024 levels of nesting at most.

#![forbid(unsafe_code)]

mod encoding;
mod end;
mod excerpt;
mod found;
mod place;
mod profiles;
mod punctuation;
mod reader;
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

use place::Place;
use sentence::Sentence;

pub(crate) use reader::Reader;

/// How many bytes behind the fault a sentence or an excerpt may depend on. A driver that reads a pipe calls [`explain`]
/// with so many of them in memory, or with all that there are, or up to the end of the record: then an error reads the
/// same however the input came in.
pub(crate) const LOOK_AHEAD: usize = 64;

/// How many bytes before the fault a sentence or an excerpt may depend on.
pub(crate) const LOOK_BACK: usize = 256;

/// What is still in memory of an input, and where it belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The bytes in memory.
    pub(crate) bytes: &'a [u8],
    /// The offset of the first of them.
    pub(crate) base: u64,
    /// The line and column of the first of them.
    pub(crate) at: Position,
    /// The offset at which the document starts.
    pub(crate) document: u64,
    /// What the input consists of.
    pub(crate) framing: Framing,
    /// The number of the record, from 1, if the input is a sequence of them.
    pub(crate) record: Option<u64>,
}

/// What a sentence is made from.
struct Scene<'a> {
    kind: ErrorKind,
    framing: Framing,
    /// At most [`LOOK_BACK`] bytes of the document before the fault.
    before: &'a [u8],
    /// Whether `before` goes back to the start of the document.
    from_start: bool,
    /// At most [`LOOK_AHEAD`] bytes of the record, from the fault on.
    here: &'a [u8],
    /// Where in the document the fault is, unless its start is gone.
    place: Option<&'a Place>,
    /// The innermost open container.
    opener: Option<Opener>,
    /// Where a name stands that may not stand here again.
    earlier: Option<Earlier>,
    /// The whole text, and the fault's index in it.
    text: &'a Text<'a>,
    index: usize,
    /// The index in it at which the document starts, if `place` is known.
    document: usize,
}

/// Turns a fault in `text` into words and places.
pub(crate) fn explain(fault: Fault, text: &Text<'_>) -> Error {
    let index = text.index(fault.offset);
    let record = &text.bytes[..text.record_end(index)];
    let document = text.index(text.document).min(index);
    let from_start = text.base <= text.document;
    let encoding = if from_start { encoding::recognise(&record[document..], index - document) } else { None };
    let kind = if encoding.is_some() { ErrorKind::Encoding } else { fault.kind };

    let place = from_start.then(|| Place::of(&record[document..index]));
    let opener = place.as_ref().and_then(|place| place.opener).map(|opener| Opener {
        bracket: char::from(record[document + opener]),
        offset: text.document + opener as u64,
        position: text.position(document + opener),
    });
    let pointer = place.as_ref().and_then(|place| place.pointer(&record[document..], kind));
    let earlier = fault
        .earlier
        .map(|offset| Earlier { offset, position: (text.base <= offset).then(|| text.position(text.index(offset))) });
    // Sentences take bytes for characters, so they see a copy, which does not change.
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
        None => sentence::of(&scene),
    };
    Error::new(Report {
        kind,
        offset: fault.offset,
        position: Some(text.position(index)),
        pointer,
        opener: opener.filter(|_| names_opener(kind)),
        earlier,
        record: text.record,
        excerpt: text.excerpt(index, kind),
        message,
        help,
        source: None,
    })
}

/// Whether an error of this kind is about the innermost open container.
fn names_opener(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::MismatchedClose | ErrorKind::ExpectedCommaOrClose | ErrorKind::UnexpectedEnd)
}

impl Text<'_> {
    /// The index in `bytes` of the byte at `offset`, or of the nearest one that is in memory.
    fn index(&self, offset: u64) -> usize {
        let index = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        index.min(self.bytes.len())
    }

    /// The index at which the record with the byte at `index` ends, as far as it is in memory.
    fn record_end(&self, index: usize) -> usize {
        let end = self.framing.terminator().and_then(|terminator| memchr::memchr(terminator, &self.bytes[index..]));
        end.map_or(self.bytes.len(), |length| index + length)
    }
}
