//! Values of Rust types from NDJSON, one per line.
//!
//! Most of the time for a short record would be spent on starting and ending its check. So the input is divided into
//! windows of whole lines; all records of a window are checked at once, as the elements of one array, and read along one
//! list of tokens. Only the lines of a window with an invalid record are checked one by one.

#![forbid(unsafe_code)]

mod cutter;
mod records;

use std::iter::FusedIterator;
use std::marker::PhantomData;

use serde_core::Deserialize;
use serde_core::de::DeserializeOwned;

use crate::document::Listed;
use crate::error::Error;
use crate::input::Input;
use crate::options::Options;
use cutter::Cutter;
use cutter::window_length;
use records::Records;
use records::Start;

#[cfg(feature = "threads")]
mod threads;

#[cfg(feature = "threads")]
pub use threads::{ParallelLines, parallel_lines};

/// Reads a value of type `T` from each line of NDJSON. Lines that contain only whitespace are skipped.
///
/// A line that is invalid or does not fit the type is an error with its line and record number, and reading continues with
/// the next line. An error of reading ends the iterator. At most 128 containers may be open in a value, unless
/// [`Lines::recursion_limit`] sets another number. The framing and the number of threads in `options` are ignored.
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
    let offset = cutter.position();
    Lines {
        start: Start::of_input(offset),
        cutter,
        window: Listed::default(),
        records: Records::new(offset, options),
        types: PhantomData,
    }
}

/// The values of the lines of an input; see [`lines`].
#[derive(Debug)]
#[must_use = "nothing is read until a value is asked for"]
pub struct Lines<'a, T> {
    cutter: Cutter<'a>,
    /// The start of the next window.
    start: Start,
    window: Listed<Vec<u8>>,
    /// The records of the window.
    records: Records,
    types: PhantomData<fn() -> T>,
}

impl<T> Lines<'_, T> {
    /// Sets how many containers may be open in a value (default 128), like
    /// [`Parser::recursion_limit`](crate::Parser::recursion_limit).
    ///
    /// ```
    /// use fjson::{Options, lines};
    ///
    /// let values: Vec<_> = lines::<Vec<Vec<u8>>>("[]\n[[1]]\n[]", &Options::new()).recursion_limit(1).collect();
    /// assert_eq!(values.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    /// ```
    pub fn recursion_limit(mut self, levels: usize) -> Self {
        self.records.limit_recursion(levels);
        self
    }

    /// Returns whether there is another window.
    #[cold]
    fn next_window(&mut self) -> Result<bool, Error> {
        self.window.text_mut().clear();
        self.records.begin_window(self.start);
        if !self.cutter.next_window(self.window.text_mut())? {
            return Ok(false);
        }
        let checked = self.records.check(&mut self.window, self.start);
        if checked.is_err() {
            self.cutter.end();
            self.window.text_mut().clear();
        }
        self.start.pass(self.window.text());
        checked.map(|()| true)
    }
}

impl<T: DeserializeOwned> Iterator for Lines<'_, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(value) = self.records.next(self.window.text(), self.window.view()) {
                return Some(value);
            }
            match self.next_window() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<T: DeserializeOwned> FusedIterator for Lines<'_, T> {}

/// Reads a value of type `T` from each line of NDJSON in memory, like [`lines`]. `T` may borrow from the text.
///
/// ```
/// use fjson::{Options, borrowed_lines};
///
/// #[derive(serde::Deserialize)]
/// struct Event<'t> {
///     level: &'t str,
///     ms: u32,
/// }
///
/// let log = b"{\"level\": \"info\", \"ms\": 20}\n{\"level\": \"warn\", \"ms\": 7}\n";
/// let levels: Result<Vec<&str>, _> =
///     borrowed_lines(log, &Options::new()).map(|event| event.map(|event: Event| event.level)).collect();
/// assert_eq!(levels?, ["info", "warn"]);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn borrowed_lines<'t, T: Deserialize<'t>>(text: &'t [u8], options: &Options) -> BorrowedLines<'t, T> {
    BorrowedLines {
        rest: text,
        window_size: options.window.max(1),
        start: Start::of_input(0),
        window: Listed::default(),
        records: Records::new(0, options),
        types: PhantomData,
    }
}

/// The values of the lines of a text; see [`borrowed_lines`].
#[derive(Debug)]
#[must_use = "nothing is read until a value is asked for"]
pub struct BorrowedLines<'t, T> {
    /// The text after the window.
    rest: &'t [u8],
    /// Number of bytes after which a window ends with the next line.
    window_size: usize,
    /// The start of the next window.
    start: Start,
    window: Listed<&'t [u8]>,
    /// The records of the window.
    records: Records,
    types: PhantomData<fn() -> T>,
}

impl<T> BorrowedLines<'_, T> {
    /// Sets how many containers may be open in a value (default 128), like [`Lines::recursion_limit`].
    ///
    /// ```
    /// use fjson::{Options, borrowed_lines};
    ///
    /// let mut values = borrowed_lines::<Vec<Vec<&str>>>(b"[[\"a\"]]", &Options::new()).recursion_limit(1);
    /// assert!(values.next().unwrap().is_err());
    /// ```
    pub fn recursion_limit(mut self, levels: usize) -> Self {
        self.records.limit_recursion(levels);
        self
    }

    /// Checks the next window, which is not empty.
    #[cold]
    fn next_window(&mut self) -> Result<(), Error> {
        let length = window_length(self.rest, self.window_size, 0, true).unwrap_or(self.rest.len());
        let (window, rest) = self.rest.split_at(length);
        *self.window.text_mut() = window;
        let checked = self.records.check(&mut self.window, self.start);
        if checked.is_err() {
            *self.window.text_mut() = &[];
        }
        self.rest = if checked.is_ok() { rest } else { &[] };
        self.start.pass(window);
        checked
    }
}

impl<'t, T: Deserialize<'t>> Iterator for BorrowedLines<'t, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(value) = self.records.next(self.window.borrowed_text(), self.window.borrowed_view()) {
                return Some(value);
            }
            if self.rest.is_empty() {
                return None;
            }
            if let Err(error) = self.next_window() {
                return Some(Err(error));
            }
        }
    }
}

impl<'t, T: Deserialize<'t>> FusedIterator for BorrowedLines<'t, T> {}
