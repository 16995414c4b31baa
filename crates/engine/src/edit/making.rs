//! Makes the edits of each document, and writes it with what is before it.

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
use crate::error::Position;
use crate::explain::Text;
use crate::explain::explain;
use crate::input::Copied;
use crate::options::Framing;
use crate::options::Options;

impl Edits {
    /// Writes what is before a document, and the document with the changes.
    pub(super) fn edit_record(
        &self,
        record: Record<'_>,
        copied: &RefCell<Copied<'_>>,
        output: &mut dyn Write,
        options: &Options,
        summary: &mut EditSummary,
    ) -> Result<(), EditError> {
        let is_line = options.framing == Framing::Lines;
        let changed = match self.edit(record.value, is_line, &mut summary.edits) {
            Ok(changed) => changed,
            Err((_, Failure::Error(error))) => return Err(error.into()),
            Err((edit, Failure::Stale)) => {
                let message = "the query has selected a value that does not exist".to_owned();
                let error = Error::of_edit(ErrorKind::TargetMissing, record.offset, message, None);
                return Err(EditError::of(edit, error));
            }
            Err((edit, Failure::Refused(refusal))) => {
                let mut copied = copied.borrow_mut();
                copied.take(record.offset, |_| ());
                let (text, start) = (record.raw().as_bytes(), record.start());
                let has_number = !matches!(options.framing, Framing::Document);
                let place = refusal.place.map_or(0, |place| place - start);
                let error = located(text, place, record.offset, copied.at(), has_number.then_some(record.number));
                // The first edit is mostly the only one.
                let number = if edit > 0 { format!("edit {}: ", edit + 1) } else { String::new() };
                let error = error.saying(refusal.kind, number + &refusal.message, refusal.help);
                return Err(EditError::of(edit, error));
            }
        };
        let raw = record.raw().as_bytes();
        let changed = changed.filter(|changed| changed != raw);
        if let Some(changed) = &changed {
            let same = changed.iter().zip(raw).take_while(|(new, old)| new == old).count();
            summary.changed += 1;
            summary.first_change.get_or_insert(record.offset + same as u64);
        }
        let mut copied = copied.borrow_mut();
        let written = copied.take(record.offset, |before| output.write_all(before));
        let written = written.and_then(|()| output.write_all(changed.as_deref().unwrap_or(raw)));
        copied.take(record.offset + raw.len() as u64, |_| ());
        Ok(written.map_err(|error| Error::write(error, record.offset))?)
    }

    /// Makes all edits of a document. Returns its new text, unless no edit has even looked into it, or the number of the edit that
    /// failed. Adds the number of values that edits were made at.
    fn edit(
        &self,
        document: Value<'_, '_>,
        is_line: bool,
        count: &mut u64,
    ) -> Result<Option<Vec<u8>>, (usize, Failure)> {
        let (mut text, mut made) = (None, 0);
        while made < self.operations.len() {
            let held = match text.take() {
                None => None,
                Some(text) => Some(OwnedDocument::new(text).map_err(|error| (made, error.into()))?),
            };
            let root = held.as_ref().map_or(document, OwnedDocument::root);
            let written = self.make_some(root, held.is_none(), is_line, &mut made, count)?;
            text = written.or_else(|| held.map(|held| held.tokens().text().to_vec()));
        }
        Ok(text)
    }

    /// Makes edits, from that with the number `made`, until one needs the text that those before it have changed.
    fn make_some(
        &self,
        root: Value<'_, '_>,
        is_original: bool,
        is_line: bool,
        made: &mut usize,
        count: &mut u64,
    ) -> Result<Option<Vec<u8>>, (usize, Failure)> {
        let mut tree = Tree::new(root, self.texts.iter().map(OwnedDocument::root));
        tree.indent = self.rules.indent;
        let untouched = tree.root;
        while let Some(operation) = self.operations.get(*made)
            && operation.can_be_made(&tree)
        {
            match operation.make(&mut tree, self.rules) {
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
        write(&tree, tree.root, is_line).map(Some).map_err(|error| (*made, error.into()))
    }
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
