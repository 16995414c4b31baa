//! The documents of any input as values, in order, on one thread or several.
//!
//! Records that are in memory are read in batches: the text of a batch is copied, so that a mapped file cannot change under its
//! values, and one list of tokens is made for all of its records. A batch with an invalid record is left to the scan, which reads its
//! records one by one, as it does with documents that are longer than a window. So errors and their places are those of
//! [`validate_each`](crate::validate_each), and results do not depend on threads and windows.

#![forbid(unsafe_code)]

#[cfg(feature = "query")]
mod elements;
mod memory;
mod reader;
mod receiver;
#[cfg(test)]
mod tests;
mod whole;

use std::fmt;
use std::ops::ControlFlow;
use std::ops::Deref;
use std::ops::Range;
use std::sync::Arc;

use crate::document::Listed;
use crate::document::OwnedValue;
use crate::document::Records;
use crate::document::Tokens;
use crate::document::Value;
use crate::document::View;
use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use crate::options::Summary;
#[cfg(feature = "query")]
pub use elements::map_elements;
use reader::read;
use receiver::Each;
use receiver::Map;

/// Passes the value of each document of an input to `on_document`, in order, on the calling thread. An invalid document is passed as
/// its error, and reading continues with the next one if [`Options::framing`] says where that begins. `Break` ends the reading.
///
/// Memory stays bounded except for the longest document, which is limited by [`Options::max_memory`]. [`Options::threads`] has no
/// effect; [`map_documents`] uses several threads.
///
/// # Errors
/// Returns an error of reading, if a document is too long, or if memory is exhausted. The documents before it have been passed on.
/// If a mapped file has changed, the values that were passed on may be of either version.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, for_each_document};
///
/// let log = "{\"ms\": 20}\n{\"ms\": }\n{\"ms\": 7}\n";
/// let (mut sum, mut errors) = (0, Vec::new());
/// let summary = for_each_document(log, &Options::new().framing(Framing::Lines), |document| {
///     match document {
///         Ok(record) => sum += record.get("ms").and_then(|ms| ms.as_u64()).unwrap_or(0),
///         Err(error) => errors.push((error.record(), error.to_string())),
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((sum, summary.documents, summary.invalid), (27, 3, 1));
/// assert_eq!(errors, [(Some(2), "found `}`, expected a value after the colon".to_owned())]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn for_each_document<'a>(
    input: impl Into<Input<'a>>,
    options: &Options,
    on_document: impl FnMut(Result<Record<'_>, Error>) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let options = options.clone().threads(1);
    read(&mut input.into(), &options, &mut Each(on_document))
}

/// Computes a result for each batch of documents on as many threads as [`Options::threads`] allows, and passes the results to `take`
/// on the calling thread, in the order of the input.
///
/// `map` gets batches of up to a window of consecutive valid records, or one longer document. `take` gets its results, and the errors
/// of invalid documents between them, as [`for_each_document`] does. `Break` ends the reading; `map` may then have been called for
/// later batches, too. Several threads are used for records in memory or in a mapped file; an input that is a stream is read on one
/// thread.
///
/// Memory stays bounded except for the longest document, and for the results, of which at most eight per thread wait for `take`.
///
/// # Errors
/// Like [`for_each_document`].
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Framing, Options, map_documents};
///
/// let log = "{\"ms\": 20}\n{\"ms\": 7}\n".repeat(1000);
/// let mut total = 0;
/// map_documents(
///     &log,
///     &Options::new().framing(Framing::Lines).threads(2),
///     |batch| batch.records().filter_map(|record| record.get("ms")?.as_u64()).sum::<u64>(),
///     |result| {
///         total += result.map_or(0, |mapped| mapped.result);
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(total, 27_000);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn map_documents<'a, T: Send>(
    input: impl Into<Input<'a>>,
    options: &Options,
    map: impl Fn(&DocumentBatch<'_>) -> T + Sync,
    take: impl FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    read(&mut input.into(), options, &mut Map { map: &map, take })
}

/// A valid document of an input; see [`for_each_document`]. It dereferences to its value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'p> {
    /// The value.
    pub value: Value<'p, 'p>,
    /// Offset of the first byte of the value in the input.
    pub offset: u64,
    /// Number of the document in the input, from 1. Invalid ones count.
    pub number: u64,
}

impl<'p> Deref for Record<'p> {
    type Target = Value<'p, 'p>;

    fn deref(&self) -> &Value<'p, 'p> {
        &self.value
    }
}

/// A result of [`map_documents`] for a batch, and where the batch is in the input.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Mapped<T> {
    /// What `map` has returned.
    pub result: T,
    /// Offset of the batch in the input.
    pub offset: u64,
    /// Number of the first document of the batch in the input, from 1. Invalid ones count.
    pub number: u64,
    /// How many documents the batch has.
    pub documents: u64,
}

/// Consecutive valid documents of an input; see [`map_documents`].
pub struct DocumentBatch<'p> {
    listed: &'p Arc<Listed<Vec<u8>>>,
    view: View<'p, 'p>,
    offset: u64,
    source: Source<'p>,
}

/// How the text of a batch differs from the input.
#[derive(Clone, Copy)]
enum Source<'p> {
    /// It has line breaks at these indexes that the input has not.
    Lines(&'p [usize]),
    /// It consists of values at these indexes, which begin at these offsets.
    #[cfg(feature = "query")]
    Elements(&'p [(usize, u64)]),
}

impl<'p> Source<'p> {
    /// Returns the indexes of the line breaks that the input has not.
    fn inserted(self) -> &'p [usize] {
        match self {
            Self::Lines(inserted) => inserted,
            #[cfg(feature = "query")]
            Self::Elements(_) => &[],
        }
    }
}

impl<'p> DocumentBatch<'p> {
    /// Returns the values of the documents.
    #[must_use]
    pub fn records(&self) -> Records<'p, 'p> {
        Records::new(self.view)
    }

    /// Returns the tokens of all documents.
    #[must_use]
    pub fn tokens(&self) -> Tokens<'p, 'p> {
        self.records().tokens()
    }

    /// Returns the offset of the batch in the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the offset in the input of the first byte of a value of this batch.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Framing, Options, map_documents};
    ///
    /// let mut offsets = Vec::new();
    /// map_documents(
    ///     "{\"a\": 1}{\"a\": 2}",
    ///     &Options::new().framing(Framing::Stream),
    ///     |batch| batch.records().filter_map(|it| Some(batch.offset_of(it.get("a")?))).collect::<Vec<_>>(),
    ///     |result| {
    ///         offsets.extend(result.into_iter().flat_map(|mapped| mapped.result));
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// assert_eq!(offsets, [6, 14]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn offset_of(&self, value: Value<'_, '_>) -> u64 {
        let start = value.start();
        match self.source {
            Source::Lines(inserted) => {
                let shift = inserted.partition_point(|&inserted| inserted < start);
                self.offset + (start - shift) as u64
            }
            #[cfg(feature = "query")]
            Source::Elements(places) => {
                let element = places.partition_point(|&(index, _)| index <= start).saturating_sub(1);
                places.get(element).map_or(self.offset, |&(index, offset)| offset + (start - index) as u64)
            }
        }
    }

    /// Returns the offset in the input of what follows the document with this number in the batch, from 0. `None` if there are not so
    /// many.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Framing, Options, map_documents};
    ///
    /// let mut end = None;
    /// map_documents(
    ///     "{\"a\": 1} {\"a\": 2}",
    ///     &Options::new().framing(Framing::Stream),
    ///     |batch| batch.end_of(0),
    ///     |result| {
    ///         end = result.ok().and_then(|mapped| mapped.result);
    ///         ControlFlow::Break(())
    ///     },
    /// )?;
    /// assert_eq!(end, Some(8));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn end_of(&self, number: usize) -> Option<u64> {
        let records = self.records();
        let range = records.range(number)?;
        Some(self.offset_of(records.get(number)?) + range.len() as u64)
    }

    /// Returns the parts of a range of the text of this batch that the input has, too.
    pub(crate) fn source_parts(&self, range: Range<usize>) -> impl Iterator<Item = &'p [u8]> {
        let text = self.tokens().text();
        let Range { start: mut from, end } = range;
        let inside = self.source.inserted().iter().copied().filter(move |inserted| (from..end).contains(inserted));
        inside.chain([end]).map(move |end| {
            let part = text.get(from..end).unwrap_or_default();
            from = end + 1;
            part
        })
    }

    /// Returns the offset in the input of what follows the batch.
    pub(crate) fn end(&self) -> u64 {
        self.offset + (self.tokens().text().len() - self.source.inserted().len()) as u64
    }

    /// Returns a value of this batch that shares its text, to be kept. The memory of the batch is not used again while there is one.
    ///
    /// # Panics
    /// If it is a value of another batch.
    #[must_use]
    pub fn own(&self, value: Value<'_, '_>) -> OwnedValue {
        OwnedValue::of(self.listed, value)
    }
}

impl fmt::Debug for DocumentBatch<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records: Vec<_> = self.records().collect();
        formatter.debug_struct("DocumentBatch").field("offset", &self.offset).field("records", &records).finish()
    }
}
