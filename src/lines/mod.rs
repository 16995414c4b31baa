//! Values of Rust types from NDJSON, one per line.
//!
//! Most of the time for a short record would be spent on starting and ending its check. So the input is divided into
//! windows of whole lines; all records of a window are checked at once, as the elements of one array, and read along one
//! list of tokens. Only a window with an invalid record is read line by line.

#![forbid(unsafe_code)]

mod cutter;
mod window;

use std::iter::FusedIterator;
use std::vec;

use serde_core::de::DeserializeOwned;

use crate::error::Error;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use cutter::Cutter;
use cutter::WindowText;
use window::Memory;
use window::Start;

#[cfg(feature = "threads")]
mod threads;

#[cfg(feature = "threads")]
pub use threads::{ParallelLines, parallel_lines};

/// Reads a value of type `T` from each line of NDJSON. Lines that contain only whitespace are skipped.
///
/// A line that is invalid or does not fit the type is an error with its line and record number, and reading continues with
/// the next line. An error of reading ends the iterator. At most 128 containers may be open in a value. The framing and the
/// number of threads in `options` are ignored.
/// Memory stays bounded except for the longest line, which is limited by
/// [`Options::max_memory`](crate::Options::max_memory).
///
/// ```
/// use fjson::{Options, lines};
///
/// #[derive(serde::Deserialize)]
/// struct Event {
///     level: String,
///     ms: u32,
/// }
///
/// let log = "{\"level\": \"info\", \"ms\": 20}\n\n{\"level\": \"warn\"}\n{\"level\": \"error\", \"ms\": 5}\n";
/// let (mut sum, mut errors) = (0, Vec::new());
/// for event in lines::<Event>(log, &Options::new()) {
///     match event {
///         Ok(event) => sum += event.ms,
///         Err(error) => errors.push((error.line(), error.to_string())),
///     }
/// }
/// assert_eq!((sum, errors), (25, vec![(Some(3), "missing field `ms`".to_owned())]));
/// ```
pub fn lines<'a, T: DeserializeOwned>(input: impl Into<Input<'a>>, options: &Options) -> Lines<'a, T> {
    let cutter = Cutter::new(input.into(), options);
    Lines {
        start: Start::of_input(cutter.position()),
        cutter,
        options: options.clone().framing(Framing::Lines).threads(1),
        text: WindowText::default(),
        memory: Memory::default(),
        records: 0,
        values: Vec::new().into_iter(),
    }
}

/// The values of the lines of an input; see [`lines`].
#[derive(Debug)]
#[must_use = "nothing is read until a value is asked for"]
pub struct Lines<'a, T> {
    cutter: Cutter<'a>,
    options: Options,
    text: WindowText,
    memory: Memory,
    start: Start,
    records: u64,
    /// The values of the window that has been read.
    values: vec::IntoIter<Result<T, Error>>,
}

impl<T: DeserializeOwned> Iterator for Lines<'_, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(value) = self.values.next() {
                return Some(value);
            }
            match self.cutter.next_window(&mut self.text) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            match self.memory.read(&self.text, self.start, &self.options) {
                Ok(mut window) => {
                    self.start.pass(self.text.in_input());
                    window.count(&mut self.records);
                    self.values = window.values.into_iter();
                }
                Err(error) => {
                    self.cutter.end();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<T: DeserializeOwned> FusedIterator for Lines<'_, T> {}
