//! Records of a batch and whole documents as values that are still text.

#![forbid(unsafe_code)]

use std::rc::Rc;

use fjson::DocumentBatch;
use fjson::OwnedDocument;
use fjson::OwnedRecords;
use fjson::OwnedValue;

use crate::value::Error;
use crate::value::Kind;
use crate::value::Repr;
use crate::value::Source;
use crate::value::Value;
use crate::value::lazy::value_at;
use crate::value::read;

/// A text that has been checked, whose parts become values without being read again.
///
/// A value of it is decoded only as far as something looks at it. It shares the text, which stays in memory as long as one of its
/// values. Like values, it stays in its thread; several threads make one each of the same text.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, map_documents};
/// use fjson_jq::Filter;
/// use fjson_jq::value::Batch;
///
/// let log = "{\"level\": \"error\", \"ip\": \"::1\"}\n{\"level\": \"info\", \"ip\": \"::2\"}\n";
/// let filter = Filter::new("select(.level == \"error\") | .ip")?;
/// let mut addresses = Vec::new();
/// map_documents(
///     log,
///     &Options::new().framing(Framing::Lines).threads(2),
///     |documents| {
///         let batch = Batch::of_documents(documents);
///         let (mut machine, mut outputs) = (filter.machine(), Vec::new());
///         for record in documents.records() {
///             let run = machine.run(batch.value(record), &mut |output| {
///                 outputs.push(output.to_string());
///                 ControlFlow::Continue(())
///             });
///             assert!(run.is_ok());
///         }
///         outputs
///     },
///     |outputs| {
///         addresses.extend(outputs.into_iter().flat_map(|outputs| outputs.result));
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(addresses, ["\"::1\""]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// None if there is no value in it.
    source: Option<Rc<Source>>,
}

impl Batch {
    /// Returns the text of documents that [`fjson::map_documents`] passes on.
    #[must_use]
    pub fn of_documents(documents: &DocumentBatch<'_>) -> Self {
        Self { source: documents.records().next().map(|first| Source::new(documents.own(first))) }
    }

    /// Returns the text of records.
    ///
    /// ```
    /// use fjson_jq::value::Batch;
    ///
    /// let records = fjson::Parser::new().owned_records("[1]\n[2]\n")?;
    /// let batch = Batch::of_records(&records);
    /// let values: Vec<_> = records.iter().map(|record| batch.value(record).to_string()).collect();
    /// assert_eq!(values, ["[1]", "[2]"]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn of_records(records: &OwnedRecords) -> Self {
        Self { source: records.iter().next().map(|first| Source::new(records.own(first))) }
    }

    /// Returns the text that a value shares, which may be one that another thread has read.
    ///
    /// ```
    /// use fjson_jq::value::Batch;
    ///
    /// let records = fjson::Parser::new().owned_records("[1]\n[2]\n")?;
    /// let first = records.own(records.iter().next().unwrap());
    /// let batch = Batch::of_value(first.clone());
    /// assert_eq!(batch.value(first.value()).to_string(), "[1]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn of_value(value: OwnedValue) -> Self {
        Self { source: Some(Source::new(value)) }
    }

    /// Returns the text of a document.
    #[must_use]
    pub fn of_document(document: &OwnedDocument) -> Self {
        Self { source: Some(Source::new(document.own(document.root()))) }
    }

    /// Returns a value of this text, such as a record or the root of a document.
    ///
    /// # Panics
    /// If it is a value of another text.
    #[must_use]
    #[inline]
    pub fn value(&self, value: fjson::Value<'_, '_>) -> Value {
        let source = self
            .source
            .as_ref()
            .filter(|source| std::ptr::eq(source.tokens().positions().as_ptr(), value.tokens().positions().as_ptr()));
        match source {
            Some(source) => value_at(source, value.token()),
            None => panic!("the value is one of this text"),
        }
    }
}

impl Value {
    /// Returns a value that shares its text with `value`. For several values of a text, make a [`Batch`].
    ///
    /// ```
    /// use fjson_jq::value::Value;
    ///
    /// let document = fjson::OwnedDocument::new(r#"{"a": [1, 2.50]}"#)?;
    /// let value = Value::of_text(document.own(document.root().get("a").unwrap()));
    /// assert_eq!(value.to_string(), "[1,2.50]");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn of_text(value: OwnedValue) -> Self {
        let source = Source::new(value);
        let root = source.root();
        value_at(&source, root)
    }

    /// Returns a container with elements or values that are to be kept like [`kept`](Self::kept).
    pub(crate) fn parts_kept(mut self) -> Self {
        if self.kind() >= Kind::Array {
            let kept = self.change_each::<Error>(&mut |part| Ok(Some(part.kept())));
            debug_assert!(kept.is_ok(), "no part fails to be kept");
        }
        self
    }

    /// Returns the value to be kept while further inputs are read: it must not keep a text of which little else is kept.
    pub(crate) fn kept(self) -> Self {
        match &self.0 {
            Repr::Lazy(lazy) => lazy.kept(read::decode),
            _ => self,
        }
    }
}
