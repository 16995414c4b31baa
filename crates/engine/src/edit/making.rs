//! Makes the edits of a document. Of an input that is read as a stream, or has comments, writes each document with what is before it.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::io::Write;

use crate::document::OwnedDocument;
use crate::document::Value;
use crate::documents::Record;
use crate::edit::EditError;
use crate::edit::EditSummary;
use crate::edit::Edits;
use crate::edit::error::Failure;
use crate::edit::tree::Tree;
use crate::edit::writing::write;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::error::Position;
use crate::explain::Text;
use crate::explain::explain;
use crate::input::Copied;
use crate::input::blank_comments;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;

/// How an input is read.
pub(super) struct Reading<'r, 'a> {
    /// What was read and is not yet written.
    pub(super) copied: &'r RefCell<Copied<'a>>,
    /// Whether it has comments, which the documents do not have.
    pub(super) has_comments: bool,
    pub(super) options: &'r Options,
}

/// How a document is edited.
#[derive(Clone, Copy)]
pub(super) struct DocumentSettings {
    /// Whether it must stay on its line.
    pub(super) is_line: bool,
    /// The limit on the length of the new text.
    pub(super) most: u64,
}

impl Edits {
    /// Writes what is before a document, and the document with the changes.
    pub(super) fn edit_record(
        &self,
        record: Record<'_>,
        reading: &Reading<'_, '_>,
        output: &mut dyn Write,
        summary: &mut EditSummary,
    ) -> Result<(), EditError> {
        let Reading { copied, has_comments, options } = *reading;
        let is_line = options.framing == Framing::Lines;
        let raw = record.raw().as_bytes();
        let range = record.offset..record.offset + raw.len() as u64;
        let held = copied.borrow();
        let commented = has_comments.then(|| held.part(range.clone()));
        let settings = DocumentSettings { is_line, most: options.max_memory };
        let edited = self.edit(record.value, commented, settings, &mut summary.edits);
        let old = commented.unwrap_or(raw);
        let edited = edited.map(|changed| changed.filter(|changed| changed != old));
        if let Ok(Some(changed)) = &edited {
            summary.changed += 1;
            summary.first_change.get_or_insert_with(|| record.offset + common_prefix(changed, old) as u64);
        }
        drop(held);
        let changed = match edited {
            Ok(changed) => changed,
            Err((edit, failure)) => {
                let mut copied = copied.borrow_mut();
                copied.take(record.offset, |_| ());
                let has_number = !matches!(options.framing, Framing::Document);
                let record_number = has_number.then_some(record.number);
                let place = DocumentLocation { text: raw, base: record.offset, at: copied.at(), record: record_number };
                return Err(place.error(edit, failure, |index| index - record.start()));
            }
        };
        let mut copied = copied.borrow_mut();
        let written = copied.take(range.start, |before| output.write_all(before));
        let written =
            written.and_then(|()| copied.take(range.end, |old| output.write_all(changed.as_deref().unwrap_or(old))));
        Ok(written.map_err(|error| Error::write(error, record.offset))?)
    }

    /// Makes all edits of a document. Returns its new text, unless no edit has even looked into it, or the number of the edit that
    /// failed. Adds the number of values that edits were made at.
    pub(super) fn edit(
        &self,
        document: Value<'_, '_>,
        commented: Option<&[u8]>,
        settings: DocumentSettings,
        count: &mut u64,
    ) -> Result<Option<Vec<u8>>, (usize, Failure)> {
        let (mut text, mut made) = (None, 0);
        while made < self.operations.len() {
            let held = match text.take() {
                None => None,
                Some(text) => Some(Held::new(text, commented.is_some()).map_err(|error| (made, error))?),
            };
            let (root, commented) =
                held.as_ref().map_or((document, commented), |held| (held.document.root(), held.commented.as_deref()));
            let mut tree = self.tree(root, commented, settings.most);
            let written = self.make_some(&mut tree, held.is_none(), settings.is_line, &mut made, count)?;
            text = written.or_else(|| held.map(Held::into_text));
        }
        Ok(text)
    }

    /// Returns a document in which edits can be made. `most` limits the length of its new text, and the memory of copies.
    pub(super) fn tree<'d>(&'d self, root: Value<'d, 'd>, commented: Option<&'d [u8]>, most: u64) -> Tree<'d> {
        let mut tree = Tree::new(root, commented, self.texts.iter().map(OwnedDocument::root));
        (tree.indent, tree.most) = (self.rules.indent, most);
        #[cfg(feature = "query")]
        {
            tree.queries = &self.queries;
        }
        tree
    }

    /// Makes edits, from that with the number `made`, until one needs the text that those before it have changed.
    pub(super) fn make_some(
        &self,
        tree: &mut Tree<'_>,
        is_original: bool,
        is_line: bool,
        made: &mut usize,
        count: &mut u64,
    ) -> Result<Option<Vec<u8>>, (usize, Failure)> {
        #[cfg(feature = "query")]
        tree.search_together(&self.operations[*made..]).map_err(|failure| (*made, failure))?;
        let untouched = tree.root;
        while let Some(operation) = self.operations.get(*made)
            && tree.allows(operation)
        {
            let result = operation.make(tree, self.rules);
            if tree.has_missed.get() {
                return Err((*made, Failure::Missed));
            }
            match result {
                Ok(places) => *count += places,
                // In what the edits before have made of the text, it is found.
                Err(Failure::Stale) if tree.root != untouched => break,
                Err(Failure::Refused(mut refusal)) => {
                    // In a text that is not the input, the place would mislead.
                    refusal.place = refusal.place.filter(|_| is_original);
                    return Err((*made, Failure::Refused(refusal)));
                }
                Err(failure) => return Err((*made, failure)),
            }
            *made += 1;
        }
        if tree.root == untouched {
            return Ok(None);
        }
        tree.settle();
        write(tree, tree.root, is_line).map(Some).map_err(|error| (*made, error.into()))
    }
}

/// Where a document is in its input.
pub(super) struct DocumentLocation<'p> {
    pub(super) text: &'p [u8],
    pub(super) base: u64,
    /// Line and column.
    pub(super) at: Position,
    pub(super) record: Option<u64>,
}

impl DocumentLocation<'_> {
    /// Returns the error of an edit that has failed. `index_of` is the index in `text` of one in the text that was edited.
    pub(super) fn error(&self, edit: usize, failure: Failure, index_of: impl Fn(usize) -> usize) -> EditError {
        let refusal = match failure {
            Failure::Error(error) => return error.into(),
            Failure::Stale | Failure::Missed => {
                let message = "the query has selected a value that does not exist".to_owned();
                return EditError::of(edit, Error::of_edit(ErrorKind::TargetMissing, self.base, message, None));
            }
            Failure::Refused(refusal) => refusal,
        };
        let error = located(self.text, refusal.place.map_or(0, index_of), self.base, self.at, self.record);
        // The first edit is mostly the only one.
        let number = if edit > 0 { format!("edit {}: ", edit + 1) } else { String::new() };
        EditError::of(edit, error.saying(refusal.kind, number + &refusal.message, refusal.help))
    }
}

/// A document that edits have changed, and that is to be read for those after them.
struct Held {
    document: OwnedDocument,
    /// Its text with comments, if it may have some.
    commented: Option<Vec<u8>>,
}

impl Held {
    fn new(mut text: Vec<u8>, has_comments: bool) -> Result<Self, Failure> {
        let mut commented = None;
        if has_comments {
            let mut copy = Vec::new();
            copy.room(text.len(), OutOfMemory::Document)?;
            copy.extend_from_slice(&text);
            commented = Some(copy);
            blank_comments(&mut text);
        }
        Ok(Self { document: OwnedDocument::new(text)?, commented })
    }

    fn into_text(self) -> Vec<u8> {
        self.commented.unwrap_or_else(|| self.document.tokens().text().to_vec())
    }
}

/// Returns how many bytes at the beginning of two texts are the same.
pub(super) fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Returns an error at an index of a valid document. The document begins at the offset `base` of the input, with this line and column,
/// and is the record with this number if there are several. What it says is set by the caller.
pub(super) fn located(text: &[u8], index: usize, base: u64, at: Position, record: Option<u64>) -> Error {
    let text = Text {
        bytes: text,
        base,
        at,
        near: None,
        has_lines: true,
        document: base,
        framing: Framing::Document,
        record,
        abridged: None,
    };
    explain(Fault::new(ErrorKind::Unprintable, base + index as u64), &text)
}
