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

use crate::error::Error;
use crate::input::Input;
use crate::lines::cutter::Cutter;
use crate::lines::cutter::WindowText;
use crate::lines::window::Memory;
use crate::lines::window::Start;
use crate::lines::window::Window;
use crate::options::Framing;
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
    ParallelLines {
        start: Start::of_input(cutter.position()),
        cutter,
        options: options.clone().framing(Framing::Lines).threads(1),
        pool,
        slots: (0..count).map(|_| Mutex::default()).collect(),
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
    options: Options,
    pool: Option<Pool>,
    /// The windows that are read at the same time.
    slots: Vec<Mutex<Slot<T>>>,
    /// The start of the next window.
    start: Start,
    /// Number of records before the windows that are read next.
    records: u64,
    /// The values of windows that have been read, or the error that ended reading.
    windows: VecDeque<Result<Window<T>, Error>>,
    values: vec::IntoIter<Result<T, Error>>,
}

/// A window and the memory for reading it.
#[derive(Debug)]
struct Slot<T> {
    text: WindowText,
    start: Start,
    memory: Memory,
    result: Option<Result<Window<T>, Error>>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { text: WindowText::default(), start: Start::of_input(0), memory: Memory::default(), result: None }
    }
}

impl<T: DeserializeOwned + Send> ParallelLines<'_, T> {
    /// Reads the next windows.
    fn read_windows(&mut self) {
        let (mut count, mut error) = (0, None);
        for slot in &mut self.slots {
            let slot = slot.get_mut().unwrap_or_else(PoisonError::into_inner);
            match self.cutter.next_window(&mut slot.text) {
                Ok(true) => {
                    slot.start = self.start;
                    self.start.pass(slot.text.in_input());
                    count += 1;
                }
                Ok(false) => break,
                Err(cause) => {
                    error = Some(cause);
                    break;
                }
            }
        }
        let (slots, options, next) = (&self.slots[..count], &self.options, AtomicUsize::new(0));
        let work = || {
            while let Some(slot) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                let Slot { text, start, memory, result } = &mut *slot;
                *result = Some(memory.read(text, *start, options));
            }
        };
        match &self.pool {
            Some(pool) if count > 1 => pool.run(work, work),
            _ => work(),
        }
        for slot in &mut self.slots[..count] {
            let slot = slot.get_mut().unwrap_or_else(PoisonError::into_inner);
            if let Some(mut result) = slot.result.take() {
                if let Ok(window) = &mut result {
                    window.count(&mut self.records);
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
                Ok(window) => self.values = window.values.into_iter(),
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
