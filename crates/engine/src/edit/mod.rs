//! Changes documents and leaves every other byte as it is.
//!
//! Edits are made on a [`Tree`], which lists the items only of the containers that edits look into (`tree.rs`). It is then written: the
//! text of the document around the new values (`writing.rs`). An edit whose target is a query needs a text to search, so the changes of
//! the edits before it are written and read again.
//!
//! What is between the documents of an input is copied, too. It is not part of any document, so the input keeps a copy of what is read
//! (`input/copied.rs`).

#![forbid(unsafe_code)]

mod change;
mod error;
mod layout;
mod merge;
mod operation;
mod patch;
mod path;
#[cfg(feature = "query")]
mod select;
#[cfg(test)]
mod tests;
mod tree;
mod writing;

pub use error::EditError;

use std::cell::RefCell;
use std::io::BufWriter;
use std::io::Write;
use std::ops::ControlFlow;

use crate::document::OwnedDocument;
use crate::document::Value;
use crate::documents::Record;
use crate::documents::for_each_document;
use crate::edit::change::Parents;
use crate::edit::error::Failure;
use crate::edit::operation::Operation;
use crate::edit::operation::Rules;
use crate::edit::path::Path;
use crate::edit::path::key;
use crate::edit::path::steps;
use crate::edit::tree::Node;
use crate::edit::tree::Tree;
use crate::edit::tree::number;
use crate::edit::writing::write;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::Position;
use crate::explain::Text;
use crate::explain::explain;
use crate::input::Copied;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;

/// Size of the buffer before the output.
const BUFFER: usize = 64 * 1024;

/// Changes to documents, in the order in which they were added. Each sees what those before it have changed.
///
/// A target is a JSON Pointer (RFC 6901) or, with the feature `query`, a JSONPath (RFC 9535), which selects any number of values; it is
/// an error if it selects none. Values are JSON texts, which are written as they are given.
///
/// [`apply`](Self::apply) writes the documents of an input with the changes. All bytes outside of them stay: layout, escapes, the digits
/// of numbers, and what is between the documents. A new item gets the layout of the items of its container. If its value has several
/// lines, they are indented like the line that it is on, or joined in a container that is on one line, and in [`Framing::Lines`].
///
/// ```
/// use fjson::{Edits, Options};
///
/// let package = r#"{
///   "name": "app",
///   "version": "1.9.0",
///   "keywords": ["json", "fast"]
/// }
/// "#;
/// let mut edits = Edits::new();
/// edits.set("/version", "\"1.10.0\"")?.set("/license", "\"MIT\"")?.append("/keywords", "\"cli\"")?.delete("/name")?;
/// let mut edited = Vec::new();
/// edits.apply(package, &mut edited, &Options::new())?;
/// assert_eq!(String::from_utf8(edited)?, r#"{
///   "version": "1.10.0",
///   "keywords": ["json", "fast", "cli"],
///   "license": "MIT"
/// }
/// "#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edits {
    operations: Vec<Operation>,
    /// The texts of the values. The first two are an empty object and an empty array.
    texts: Vec<OwnedDocument>,
    rules: Rules,
}

/// What was read and changed; see [`Edits::apply`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditSummary {
    /// Counts of what was read.
    pub read: Summary,
    /// Number of documents whose text is another one now.
    pub changed: u64,
    /// Offset in the input of the first byte that is another one now, or from which bytes are missing or added.
    pub first_change: Option<u64>,
    /// Number of values that edits were made at. A merge counts the values that it replaces, adds and removes; a test counts, too.
    pub edits: u64,
}

impl Default for Edits {
    fn default() -> Self {
        Self::new()
    }
}

impl Edits {
    /// Returns no edits.
    ///
    /// # Panics
    /// If there is not enough memory for a few bytes.
    #[must_use]
    #[expect(clippy::expect_used, reason = "two constant documents")]
    pub fn new() -> Self {
        let texts = ["{}", "[]"].map(|text| OwnedDocument::new(text).expect("a valid document")).to_vec();
        let rules = Rules { parents: Parents::MustExist, missing_ok: false };
        Self { operations: Vec::new(), texts, rules }
    }

    /// Sets whether the objects and arrays around a new value are created if they do not exist: arrays where `-` follows in the pointer,
    /// otherwise objects.
    ///
    /// ```
    /// use fjson::{Edits, Options};
    ///
    /// let mut edits = Edits::new().parents(true);
    /// edits.set("/a/b/-", "1")?;
    /// let mut edited = Vec::new();
    /// edits.apply("{}", &mut edited, &Options::new())?;
    /// assert_eq!(edited, br#"{"a": {"b": [1]}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn parents(mut self, are_created: bool) -> Self {
        self.rules.parents = if are_created { Parents::AreCreated } else { Parents::MustExist };
        self
    }

    /// Sets whether it is fine if a value to be deleted does not exist.
    #[must_use]
    pub fn missing_ok(mut self, is_ok: bool) -> Self {
        self.rules.missing_ok = is_ok;
        self
    }

    /// Returns the number of edits.
    #[must_use]
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Whether there are no edits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Replaces values, or adds a member to an object, or with `/-` at the end of the pointer an element to an array.
    ///
    /// # Errors
    /// If `target` is no path, or `json` no document.
    pub fn set(&mut self, target: &str, json: &str) -> Result<&mut Self, EditError> {
        let (at, value) = (self.path(target)?, self.value(json)?);
        Ok(self.push(Operation::Set { at, value }))
    }

    /// Inserts an element before that at a pointer, or before each that a query selects. `/-` is the place after the last one. A pointer
    /// to a member sets it. This is the operation `add` of RFC 6902.
    ///
    /// # Errors
    /// If `target` is no path, or `json` no document.
    pub fn insert(&mut self, target: &str, json: &str) -> Result<&mut Self, EditError> {
        let (at, value) = (self.path(target)?, self.value(json)?);
        Ok(self.push(Operation::Insert { at, value }))
    }

    /// Adds an element to the end of arrays.
    ///
    /// # Errors
    /// If `target` is no path, or `json` no document.
    pub fn append(&mut self, target: &str, json: &str) -> Result<&mut Self, EditError> {
        let (to, value) = (self.path(target)?, self.value(json)?);
        Ok(self.push(Operation::Append { to, value }))
    }

    /// Removes members and elements.
    ///
    /// # Errors
    /// If `target` is no path.
    pub fn delete(&mut self, target: &str) -> Result<&mut Self, EditError> {
        let at = self.path(target)?;
        Ok(self.push(Operation::Delete { at }))
    }

    /// Gives members another key, which their object must not have yet.
    ///
    /// # Errors
    /// If `target` is no path.
    pub fn rename(&mut self, target: &str, name: &str) -> Result<&mut Self, EditError> {
        let at = self.path(target)?;
        Ok(self.push(Operation::Rename { at, name: name.to_owned(), key: key(name) }))
    }

    /// Moves the value at a pointer to another, where it is inserted as by [`insert`](Self::insert).
    ///
    /// # Errors
    /// If `from` or `to` is no JSON Pointer.
    pub fn move_to(&mut self, from: &str, to: &str) -> Result<&mut Self, EditError> {
        let [from, to] = [from, to].map(|pointer| steps(pointer).map_err(|error| self.refused(error)));
        let (from, to) = (from?, to?);
        Ok(self.push(Operation::Move { from, to }))
    }

    /// Copies the value at a pointer to another, where it is inserted as by [`insert`](Self::insert).
    ///
    /// # Errors
    /// If `from` or `to` is no JSON Pointer.
    pub fn copy_to(&mut self, from: &str, to: &str) -> Result<&mut Self, EditError> {
        let [from, to] = [from, to].map(|pointer| steps(pointer).map_err(|error| self.refused(error)));
        let (from, to) = (from?, to?);
        Ok(self.push(Operation::Copy { from, to }))
    }

    /// Demands that values are equal to another: the meaning counts, as in [`Value`], not how it is written. Otherwise the edits fail.
    ///
    /// ```
    /// use fjson::{Edits, ErrorKind, Options};
    ///
    /// let mut edits = Edits::new();
    /// edits.test("/version", "1")?.set("/version", "2")?;
    /// let mut edited = Vec::new();
    /// edits.apply(r#"{"version": 1.0}"#, &mut edited, &Options::new())?;
    /// assert_eq!(edited, br#"{"version": 2}"#);
    /// let error = edits.apply(r#"{"version": 3}"#, &mut edited, &Options::new()).unwrap_err();
    /// assert_eq!(error.error().kind(), ErrorKind::TestFailed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `target` is no path, or `json` no document.
    pub fn test(&mut self, target: &str, json: &str) -> Result<&mut Self, EditError> {
        let (at, value) = (self.path(target)?, self.value(json)?);
        Ok(self.push(Operation::Test { at, value }))
    }

    /// Applies a merge patch (RFC 7396): members of its objects replace or add those of the document, and `null` removes them. Values
    /// that are equal already stay as they are written.
    ///
    /// ```
    /// use fjson::{Edits, Options};
    ///
    /// let mut edits = Edits::new();
    /// edits.merge(r#"{"port": 8080, "debug": null, "log": {"level": "warn"}}"#)?;
    /// let config = r#"{ "debug": true, "log": { "level": "info", "file": "a.log" } }"#;
    /// let mut merged = Vec::new();
    /// edits.apply(config, &mut merged, &Options::new())?;
    /// assert_eq!(merged, br#"{ "log": { "level": "warn", "file": "a.log" }, "port": 8080 }"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `patch` is no document.
    pub fn merge(&mut self, patch: &str) -> Result<&mut Self, EditError> {
        let value = self.value(patch)?;
        Ok(self.push(Operation::Merge { value }))
    }

    /// Adds the operations of a JSON Patch (RFC 6902).
    ///
    /// ```
    /// use fjson::{Edits, Options};
    ///
    /// let mut edits = Edits::new();
    /// edits.patch(r#"[{"op": "move", "from": "/a", "path": "/b"}, {"op": "add", "path": "/c/0", "value": 1}]"#)?;
    /// let mut patched = Vec::new();
    /// edits.apply(r#"{"a":true,"c":[2]}"#, &mut patched, &Options::new())?;
    /// assert_eq!(patched, br#"{"c":[1,2],"b":true}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `patch` is no document, or no JSON Patch; the error has its place in the patch.
    pub fn patch(&mut self, patch: &str) -> Result<&mut Self, EditError> {
        let text = number(self.texts.len() + 1);
        self.value(patch)?;
        let document = &self.texts[self.texts.len() - 1];
        match patch::operations(document.root(), text) {
            Ok(operations) => self.operations.extend(operations),
            Err((index, error)) => return Err(EditError::of(self.operations.len() + index, error)),
        }
        Ok(self)
    }

    fn push(&mut self, operation: Operation) -> &mut Self {
        self.operations.push(operation);
        self
    }

    fn path(&self, target: &str) -> Result<Path, EditError> {
        Path::new(target).map_err(|error| self.refused(error))
    }

    /// Adds the text of a value.
    fn value(&mut self, json: &str) -> Result<Node, EditError> {
        let document = OwnedDocument::new(json).map_err(|error| self.refused(error))?;
        self.texts.push(document);
        Ok(Node::Text { text: number(self.texts.len()), token: 0 })
    }

    /// Returns the error of an edit that cannot be added.
    fn refused(&self, error: Error) -> EditError {
        EditError::of(self.operations.len(), error)
    }

    /// Writes the documents of an input with the changes. Each document is changed on its own.
    ///
    /// A document is written when all edits of it have been made, so that one that fails writes nothing of its document. Those before it
    /// have been written. Each document is held in memory with its tokens and its new text; [`Options::max_memory`] limits its length,
    /// and [`Options::threads`] has no effect.
    ///
    /// # Errors
    /// If a document is invalid, an edit of it fails, or reading or writing fails.
    ///
    /// ```
    /// use fjson::{Edits, Framing, Options};
    ///
    /// let mut edits = Edits::new();
    /// # #[cfg(feature = "query")]
    /// edits.delete("$..password")?;
    /// # #[cfg(not(feature = "query"))]
    /// # edits.delete("/user/password")?;
    /// let log = "{\"user\": {\"id\": 7, \"password\": \"x\"}}\n\n{\"user\": {\"password\": \"y\", \"id\": 8}} \r\n";
    /// let mut redacted = Vec::new();
    /// let summary = edits.apply(log, &mut redacted, &Options::new().framing(Framing::Lines))?;
    /// assert_eq!(redacted, b"{\"user\": {\"id\": 7}}\n\n{\"user\": {\"id\": 8}} \r\n");
    /// assert_eq!((summary.read.documents, summary.changed, summary.first_change), (2, 2, Some(17)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply<'a>(
        &self,
        input: impl Into<Input<'a>>,
        output: &mut dyn Write,
        options: &Options,
    ) -> Result<EditSummary, EditError> {
        let (input, copied) = input.into().copied();
        let mut output = BufWriter::with_capacity(BUFFER, output);
        let (mut summary, mut failure) = (EditSummary::default(), None);
        let read = for_each_document(input, options, |document| {
            let edited = document
                .map_err(EditError::from)
                .and_then(|record| self.edit_record(record, &copied, &mut output, options, &mut summary));
            failure = edited.err();
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // What was complete before an error is written.
        let flushed = |output: &mut BufWriter<_>, offset| output.flush().map_err(|error| Error::write(error, offset));
        if let Some(failure) = failure {
            flushed(&mut output, 0)?;
            // A file that has changed, or damaged data, may be the reason.
            copied.borrow_mut().check()?;
            return Err(failure);
        }
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                flushed(&mut output, 0)?;
                copied.borrow_mut().check()?;
                return Err(error.into());
            }
        };
        let rest = copied.borrow_mut().take_rest(|rest| output.write_all(rest));
        rest.map_err(|error| Error::write(error, read.bytes))?;
        flushed(&mut output, read.bytes)?;
        Ok(EditSummary { read, ..summary })
    }

    /// Writes what is before a document, and the document with the changes.
    fn edit_record(
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
        let untouched = tree.root;
        while let Some(operation) = self.operations.get(*made)
            && (tree.root == untouched || !operation.is_query())
        {
            match operation.make(&mut tree, self.rules) {
                Ok(places) => *count += places,
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
        write(&tree, tree.root, is_line).map(Some).map_err(|error| (*made, error.into()))
    }
}

/// Returns an error at an index of a valid document. The document begins at the offset `base` of the input, with this line and column,
/// and is the record with this number if there are several. What it says is set by the caller.
fn located(text: &[u8], index: usize, base: u64, at: Position, record: Option<u64>) -> Error {
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
