//! What is read, piece by piece, and what becomes of it on other threads.

#![forbid(unsafe_code)]

use crate::commands::jq::line_numbers::LineNumbers;
use crate::commands::jq::status::Ending;
use crate::exit::RunError;
use crate::name::Name;
use fjson::DocumentBatch;
use fjson::Error;
use fjson::OwnedRecords;
use fjson::OwnedValue;
use fjson_jq::value::Batch;
use fjson_jq::value::Value;
use std::sync::Arc;
use std::vec::IntoIter;

/// An input that was opened.
pub struct Opened {
    pub name: Name,
    pub lines: LineNumbers,
    /// Whether what follows may take long to come, so that outputs should not wait for it.
    pub is_stream: bool,
    /// Whether the values are the elements to which the path at the beginning of the program leads in the one document of the input.
    pub has_elements: bool,
}

impl Opened {
    /// Returns the place of a value that ends at this offset, as in messages of jq.
    pub fn place(&self, end: u64) -> String {
        format!("{}:{}", self.name, self.lines.at(&self.name, end))
    }
}

/// Documents that were read together, in a form that can be sent to other threads.
pub struct Documents {
    /// A value of their text; `None` if there are none.
    text: Option<OwnedValue>,
    /// The token of each, and the offset at which it ends.
    places: Vec<(usize, u64)>,
}

impl Documents {
    /// Returns those of a batch that follow `before` others.
    pub fn of_batch(batch: &DocumentBatch<'_>, before: usize) -> Self {
        let records = batch.records();
        let text = records.get(0).map(|first| batch.own(first));
        let ends = (before..).map_while(|number| batch.end_of(number));
        Self { text, places: records.skip(before).map(fjson::Value::token).zip(ends).collect() }
    }

    /// Returns records, and where the source of each ends.
    pub fn of_records(records: &OwnedRecords, ends: Vec<u64>) -> Self {
        let places = records.iter().map(fjson::Value::token).zip(ends);
        Self { text: records.iter().next().map(|first| records.own(first)), places: places.collect() }
    }

    /// Returns their values, and where each ends. They stay on this thread.
    pub fn into_values(self) -> Values {
        let batch = self.text.clone().map_or_else(Batch::default, Batch::of_value);
        Values { batch, text: self.text, places: self.places.into_iter() }
    }
}

/// The values of documents, and where each ends.
#[derive(Default)]
pub struct Values {
    batch: Batch,
    text: Option<OwnedValue>,
    places: IntoIter<(usize, u64)>,
}

impl Iterator for Values {
    type Item = (Value, u64);

    fn next(&mut self) -> Option<(Value, u64)> {
        let ((token, end), text) = (self.places.next()?, self.text.as_ref()?);
        Some((self.batch.value(text.value().tokens().value(token)), end))
    }
}

/// What is read.
pub enum Piece {
    Opened(Arc<Opened>),
    Documents(Documents),
    /// Documents on which the program was run already.
    Done(Outcome),
    /// Lines without their line breaks, and where each ends.
    Lines(Vec<(String, u64)>),
    /// A part of the text of an input.
    Text(Vec<u8>),
    /// An invalid document.
    Invalid(Box<Error>),
    /// An input cannot be opened.
    Failed(RunError),
    /// The input has been read. It has this many bytes.
    End(u64),
}

/// The result of a batch.
pub struct Outcome {
    pub output: Vec<u8>,
    pub failures: Vec<Failure>,
    /// How the run for each document ended, in order.
    pub endings: Vec<Ending>,
    /// Offset of the end of the last document.
    pub end: u64,
    /// Documents on which the program has not been run.
    pub rest: Option<Documents>,
}

/// An error of the program.
pub struct Failure {
    /// Number of bytes of output before it.
    pub at: usize,
    /// Offset of the end of its document.
    pub end: u64,
    /// What follows the place in the message.
    pub text: String,
}
