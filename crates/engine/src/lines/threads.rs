//! Windows on several threads, with their values in order.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::vec;

use serde_core::de::DeserializeOwned;

use crate::document::Listed;
use crate::error::Error;
use crate::input::Input;
use crate::lines::cutter::Cutter;
use crate::lines::records::Records;
use crate::lines::records::Start;
use crate::options::Options;
use crate::options::thread_count;
use crate::parallel::Pool;

/// Windows that are read for each thread before their values are returned. With one, all would wait for the slowest.
const WINDOWS_PER_THREAD: usize = 4;

/// Reads a value of type `T` from each line of NDJSON, like [`lines`](crate::lines()), on as many threads as
/// [`Options::threads`](crate::Options::threads) allows. The values are in the order of the lines. Memory grows with the number of
/// threads.
///
/// ```
/// use fjson::{Options, parallel_lines};
///
/// let text = "[1, 2]\n[3]\n".repeat(10_000);
/// let numbers: Result<Vec<Vec<u8>>, _> = parallel_lines(&text, &Options::new().threads(2)).collect();
/// assert_eq!(numbers?.concat().iter().map(|&number| u64::from(number)).sum::<u64>(), 60_000);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn parallel_lines<'a, T: DeserializeOwned + Send>(
    input: impl Into<Input<'a>>,
    options: &Options,
) -> ParallelLines<'a, T> {
    let threads = thread_count(options.threads).max(1);
    let pool = if threads > 1 { Pool::start(options, usize::MAX) } else { None };
    let count = pool.as_ref().map_or(1, |pool| WINDOWS_PER_THREAD * (pool.threads() + 1));
    let cutter = Cutter::new(input.into(), options);
    let offset = cutter.position();
    ParallelLines {
        start: Start::of_input(offset),
        cutter,
        pool,
        slots: (0..count).map(|_| Mutex::new(Slot::new(offset, options))).collect(),
        records: 0,
        windows: VecDeque::new(),
        values: Vec::new().into_iter(),
    }
}

/// The values of the lines of an input; see [`parallel_lines`].
#[derive(Debug)]
#[must_use = "nothing is read until a value is asked for"]
pub struct ParallelLines<'a, T> {
    cutter: Cutter<'a>,
    pool: Option<Pool>,
    /// The windows that are read at the same time.
    slots: Vec<Mutex<Slot<T>>>,
    /// The start of the next window.
    start: Start,
    /// Number of records before the windows that are read next.
    records: u64,
    /// The values of windows that have been read, or the error that ended reading.
    windows: VecDeque<Result<Values<T>, Error>>,
    values: vec::IntoIter<Result<T, Error>>,
}

/// The values of a window, in order.
type Values<T> = Vec<Result<T, Error>>;

/// A window and the memory for reading it.
#[derive(Debug)]
struct Slot<T> {
    window: Listed<Vec<u8>>,
    start: Start,
    records: Records,
    result: Option<Result<Values<T>, Error>>,
}

impl<T: DeserializeOwned> Slot<T> {
    fn new(offset: u64, options: &Options) -> Self {
        Self {
            window: Listed::default(),
            start: Start::of_input(offset),
            records: Records::new(offset, options),
            result: None,
        }
    }

    /// Reads the records of the window. Their errors count records from its start.
    fn read(&mut self) -> Result<Values<T>, Error> {
        let Self { window, start, records, .. } = self;
        records.forget();
        records.check(window, *start)?;
        let mut values = Vec::new();
        // If there is not enough memory, the list grows with its values.
        values.try_reserve(records.total()).ok();
        values.extend(std::iter::from_fn(|| records.next(window.text(), window.view())));
        Ok(values)
    }
}

impl<T> ParallelLines<'_, T> {
    /// Sets how many containers may be open in a value (default 128), like [`Lines::recursion_limit`](crate::Lines::recursion_limit).
    /// The threads that are started here have stacks of 2 MiB.
    ///
    /// ```
    /// use fjson::{Options, parallel_lines};
    ///
    /// let mut values = parallel_lines::<Vec<Vec<u8>>>("[[1]]", &Options::new().threads(2)).recursion_limit(1);
    /// assert!(values.next().unwrap().is_err());
    /// ```
    pub fn recursion_limit(mut self, levels: usize) -> Self {
        for slot in &mut self.slots {
            slot.get_mut().unwrap_or_else(PoisonError::into_inner).records.limit_recursion(levels);
        }
        self
    }
}

impl<T: DeserializeOwned + Send> ParallelLines<'_, T> {
    /// Reads the next windows.
    fn read_windows(&mut self) {
        let (mut count, mut error) = (0, None);
        for slot in &mut self.slots {
            let slot = slot.get_mut().unwrap_or_else(PoisonError::into_inner);
            match self.cutter.next_window(slot.window.text_mut()) {
                Ok(true) => {
                    slot.start = self.start;
                    self.start.pass(slot.window.text());
                    count += 1;
                }
                Ok(false) => break,
                Err(cause) => {
                    error = Some(cause);
                    break;
                }
            }
        }
        let (slots, next) = (&self.slots[..count], AtomicUsize::new(0));
        let work = || {
            while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                slot.result = Some(slot.read());
            }
        };
        match &self.pool {
            Some(pool) if count > 1 => pool.run(work, work),
            _ => work(),
        }
        for slot in &mut self.slots[..count] {
            let slot = slot.get_mut().unwrap_or_else(PoisonError::into_inner);
            if let Some(mut result) = slot.result.take() {
                if let Ok(values) = &mut result {
                    for error in values.iter_mut().filter_map(|value| value.as_mut().err()) {
                        error.follow(self.records);
                    }
                    self.records += values.len() as u64;
                }
                self.windows.push_back(result);
            }
        }
        self.windows.extend(error.map(Err));
    }
}

impl<T: DeserializeOwned + Send> Iterator for ParallelLines<'_, T> {
    type Item = Result<T, Error>;

    #[inline]
    fn next(&mut self) -> Option<Result<T, Error>> {
        loop {
            if let Some(value) = self.values.next() {
                return Some(value);
            }
            if self.windows.is_empty() {
                self.read_windows();
            }
            match self.windows.pop_front()? {
                Ok(values) => self.values = values.into_iter(),
                Err(error) => {
                    self.cutter.end();
                    self.windows.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<T: DeserializeOwned + Send> FusedIterator for ParallelLines<'_, T> {}
