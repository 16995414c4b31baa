//! Values that were found in a text, collected without the global interpreter lock, and then made into objects at once.
//!
//! They are copied to the elements of an array, which is listed and converted like any other text.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson::Error;
use fjson::Match;
use fjson::MatchHandler;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::Failure;
use crate::errors::Origin;
use crate::errors::exception;
use crate::load;
use crate::objects::NoCollector;
use crate::state;

/// Texts of values.
pub struct Matches {
    /// The beginning of an array.
    text: Vec<u8>,
    /// For each value, its index in the array and its offset in the input.
    starts: Vec<(usize, u64)>,
    /// Why the text is not valid.
    error: Option<Error>,
}

impl Matches {
    /// Returns no values.
    pub fn new() -> Self {
        Self { text: vec![b'['], starts: Vec::new(), error: None }
    }

    /// Adds a valid text.
    pub fn push(&mut self, text: &[u8], offset: u64) {
        if self.text.len() > 1 {
            self.text.push(b',');
        }
        self.starts.push((self.text.len(), offset));
        self.text.extend_from_slice(text);
    }

    /// Returns the values if all text was valid.
    ///
    /// # Errors
    /// The first error of the text.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.error.take().map_or(Ok(self), Err)
    }

    /// Returns the objects.
    ///
    /// # Errors
    /// If a value has no form in Python.
    pub fn into_list<'py>(mut self, py: Python<'py>, origin: Origin<'_>) -> PyResult<Bound<'py, PyList>> {
        self.text.push(b']');
        let mut state = state::take();
        let result = match state.parser.document(&self.text) {
            Ok(document) => {
                let _collector = NoCollector::new(py);
                load::value(py, document.tokens(), 0, &mut state.memory).map(|(object, _)| object)
            }
            // What was copied is valid, so only its depth or its length can be wrong.
            Err(error) => Err(match error.kind() {
                fjson::ErrorKind::DepthLimit => {
                    let offset = usize::try_from(error.offset()).unwrap_or(0);
                    Failure::Value(offset, "nested more deeply than 1,024 levels")
                }
                _ => Failure::Json(error),
            }),
        };
        state::give(state);
        let object = result.map_err(|failure| match failure {
            Failure::Value(index, message) => exception(py, Failure::Value(self.offset_of(index), message), origin),
            other => exception(py, other, origin),
        })?;
        Ok(object.into_bound(py).cast_into::<PyList>()?)
    }

    /// Returns the offset in the input of an index in the text.
    fn offset_of(&self, index: usize) -> usize {
        let before = self.starts.partition_point(|&(start, _)| start <= index);
        let (start, offset) = before.checked_sub(1).map_or((0, 0), |last| self.starts[last]);
        usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(index - start)
    }
}

impl MatchHandler for Matches {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.push(matched.text(), matched.range().start);
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.error = Some(error);
        ControlFlow::Break(())
    }
}
