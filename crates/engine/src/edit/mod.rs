//! Changes documents and leaves every other byte as it is.
//!
//! Edits are made on a [`Tree`], which lists the items only of the containers that edits look into (`tree.rs`). It is then written: the
//! text of the document around the new values (`writing.rs`). A query is evaluated in the text of the document, as long as what it
//! depends on has not changed (`Shape` in `tree.rs`); otherwise the changes of the edits before it are written and read again.
//!
//! In JSON with comments, edits are made in the text whose comments are spaces, and what stays is copied from the text with comments.
//! Of a large document, a skeleton is edited (`skeleton.rs`).
//!
//! What is between the documents of an input is copied, too. It is not part of any document. So records in memory are changed in batches,
//! whose text has it (`batches.rs`), and other inputs keep a copy of what is read (`input/copied.rs`).

#![forbid(unsafe_code)]

mod batches;
mod change;
mod error;
mod gaps;
mod interests;
mod large;
mod layout;
mod making;
mod merge;
mod operation;
mod partial;
mod patch;
mod path;
#[cfg(feature = "query")]
mod select;
mod skeleton;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod writing;

pub use error::EditError;

use std::io::BufWriter;
use std::io::Write;
use std::ops::ControlFlow;

use crate::document::OwnedDocument;
use crate::documents::for_each_document;
use crate::edit::change::Parents;
use crate::edit::making::Reading;
use crate::edit::operation::Operation;
use crate::edit::operation::Rules;
use crate::edit::path::Path;
use crate::edit::path::key;
use crate::edit::path::steps;
use crate::edit::tree::Node;
use crate::edit::tree::number;
use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
#[cfg(feature = "query")]
use crate::query::Query;

/// Size of the buffer before the output.
const BUFFER: usize = 64 * 1024;

/// The length from which on only what edits look into is held in memory of a document.
const LARGE: usize = 1 << 20;

/// Changes to documents, in the order in which they were added. Each sees what those before it have changed.
///
/// A target is a JSON Pointer (RFC 6901) or, with the feature `query`, a JSONPath (RFC 9535), which selects any number of values; it is
/// an error if it selects none. Values are JSON texts, which are written as they are given.
///
/// [`apply`](Self::apply) writes the documents of an input with the changes. All bytes outside of them stay: layout, escapes, the digits
/// of numbers, and what is between the documents. A new item gets the layout of the items of its container. If its value has several
/// lines, they are indented like the line that it is on, or joined in a container that is on one line, and in
/// [`Framing::Lines`](crate::Framing::Lines).
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
    /// The queries of the operations, in their order.
    #[cfg(feature = "query")]
    queries: Vec<Query>,
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
        let rules = Rules { parents: Parents::MustExist, missing_ok: false, indent: None };
        Self {
            operations: Vec::new(),
            #[cfg(feature = "query")]
            queries: Vec::new(),
            texts,
            rules,
        }
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

    /// Sets whether edits are left out whose target does not exist, except tests, and those that move or copy. So is one whose target
    /// would be a member or element of what does not exist.
    #[must_use]
    pub fn missing_ok(mut self, is_ok: bool) -> Self {
        self.rules.missing_ok = is_ok;
        self
    }

    /// Puts new items of empty containers on lines, with this number of spaces for each level, up to 16, if the document has no container
    /// with its items on lines, whose indentation it would take.
    ///
    /// ```
    /// use fjson::{Edits, Options};
    ///
    /// let mut edits = Edits::new().parents(true).indent(2);
    /// edits.set("/a/b", "1")?;
    /// let mut edited = Vec::new();
    /// edits.apply("{}", &mut edited, &Options::new())?;
    /// assert_eq!(String::from_utf8(edited)?, "{\n  \"a\": {\n    \"b\": 1\n  }\n}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn indent(mut self, spaces: u8) -> Self {
        self.rules.indent = Some(spaces);
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

    /// Demands that values are equal to another: the meaning counts, as in [`Value`](crate::Value), not how it is written. Otherwise the
    /// edits fail.
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

    fn path(&mut self, target: &str) -> Result<Path, EditError> {
        #[cfg(feature = "query")]
        let path = Path::new(target, &mut self.queries);
        #[cfg(not(feature = "query"))]
        let path = Path::new(target);
        path.map_err(|error| self.refused(error))
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
    /// have been written. Each document is held in memory with its tokens and its new text; [`Options::max_memory`] limits both
    /// lengths, and the memory of copied values. Records in memory or in a mapped file are changed on as many threads as
    /// [`Options::threads`] allows. If such an input is one document of 1 MiB or more, and all targets are JSON Pointers, only what edits
    /// look into is held: items that are named, and values that are moved, copied, compared or merged. It is read twice.
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
        let input = input.into();
        if input.bytes().len() >= LARGE
            && let Some(summary) = self.apply_to_skeleton(&input, output, options)?
        {
            return Ok(summary);
        }
        if let Some(summary) = self.apply_to_batches(&input, output, options)? {
            return Ok(summary);
        }
        let (input, copied) = input.copied();
        self.apply_to(input, &Reading { copied: &copied, has_comments: false, options }, output)
    }

    /// Writes the documents of an input that is JSON with comments, like [`apply`](Self::apply), and keeps the comments and trailing
    /// commas. Comments are those that [`Input::skip_comments`] accepts; they stay in values that are copied or moved, too.
    ///
    /// An item that is deleted or moved away takes the comments on its line with it; those on lines of their own stay. A new item
    /// is put behind the comments on the line of the one before it, and behind those of an empty container. It is followed by a comma if
    /// the one that was the last one before was.
    ///
    /// # Errors
    /// Like [`apply`](Self::apply).
    ///
    /// ```
    /// use fjson::{Edits, Options};
    ///
    /// let config = r#"{
    ///   // What to compile to
    ///   "target": "es2020", // browsers
    ///   "strict": true, // of course
    ///   /* sources */
    ///   "include": ["src" /* only */],
    /// }
    /// "#;
    /// let mut edits = Edits::new();
    /// edits.set("/target", r#""es2022""#)?.delete("/strict")?.append("/include", r#""tests""#)?.set("/noEmit", "true")?;
    /// let mut edited = Vec::new();
    /// edits.apply_with_comments(config, &mut edited, &Options::new())?;
    /// assert_eq!(String::from_utf8(edited)?, r#"{
    ///   // What to compile to
    ///   "target": "es2022", // browsers
    ///   /* sources */
    ///   "include": ["src", /* only */ "tests"],
    ///   "noEmit": true,
    /// }
    /// "#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_with_comments<'a>(
        &self,
        input: impl Into<Input<'a>>,
        output: &mut dyn Write,
        options: &Options,
    ) -> Result<EditSummary, EditError> {
        let (input, copied) = input.into().copied();
        let reading = Reading { copied: &copied, has_comments: true, options };
        self.apply_to(input.skip_comments(), &reading, output)
    }

    fn apply_to(
        &self,
        input: Input<'_>,
        reading: &Reading<'_, '_>,
        output: &mut dyn Write,
    ) -> Result<EditSummary, EditError> {
        let Reading { copied, options, .. } = *reading;
        let mut output = BufWriter::with_capacity(BUFFER, output);
        let (mut summary, mut failure) = (EditSummary::default(), None);
        let read = for_each_document(input, options, |document| {
            let edited = document
                .map_err(EditError::from)
                .and_then(|record| self.edit_record(record, reading, &mut output, &mut summary));
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
}
