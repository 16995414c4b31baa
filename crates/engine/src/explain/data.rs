//! The location of an error that was found while a valid document was read as a value of a Rust type.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::explain::FaultPlace;
use crate::explain::Text;

/// Adds line, column, JSON Pointer and excerpt to an error that has only an offset in `text`, which is one document.
#[cold]
pub(crate) fn locate(error: Error, text: &[u8]) -> Error {
    locate_from(error, text, 0)
}

/// Adds the location like [`locate`], to an error in the document that begins at this index of `text`.
#[cold]
pub(crate) fn locate_from(error: Error, text: &[u8], document: usize) -> Error {
    let text = Text { document: document as u64, ..Text::whole(text) };
    locate_in(error, &text)
}

/// Adds the location like [`locate`]. The offset of the error is one of the input that `text` is a part of.
#[cold]
pub(crate) fn locate_in(mut error: Error, text: &Text<'_>) -> Error {
    let Some(details) = error.unlocated() else { return error };
    let index = text.index(details.offset);
    let document = text.index(text.document).min(index);
    details.pointer = FaultPlace::of(&text.bytes[document..index]).pointer(&text.bytes[document..], details.kind);
    details.position = text.has_lines.then(|| text.position(index));
    details.excerpt = text.excerpt(index, details.kind);
    details.record = text.record;
    error
}
