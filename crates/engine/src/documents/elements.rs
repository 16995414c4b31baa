//! The values that a query selects, in windows: the elements of a large array in bounded memory.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::slice;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use crate::documents::DocumentBatch;
use crate::documents::Mapped;
use crate::documents::memory::Memory;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::Pool;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;

/// Windows that are filled for each thread before they are read. With one, all would wait for the slowest.
const WINDOWS_PER_THREAD: usize = 4;

/// Computes results for the values that a query selects, such as the elements of a large array (`$.features[*]`), like
/// [`map_documents`](crate::map_documents) for documents.
///
/// The matches are collected in the order of the input, up to a window at a time, on the calling thread, and passed to `map` on as many
/// threads as [`Options::threads`] allows. If the query has only names, indexes and wildcards, the documents themselves are not kept in
/// memory. In the text of a value, line breaks are replaced by spaces. [`Mapped::number`] counts the matches.
///
/// # Errors
/// Like [`map_documents`](crate::map_documents). Invalid documents are passed to `take` as their errors; the matches before the error
/// may have been passed on.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Options, Query, map_elements};
///
/// let text = r#"{"features": [{"id": 1}, {"id": 2}, {"id": 3}]}"#;
/// let (query, mut ids) = (Query::new("$.features[*]")?, Vec::new());
/// map_elements(
///     text,
///     &query,
///     &Options::new(),
///     |batch| batch.records().filter_map(|element| element.get("id")?.as_u64()).collect::<Vec<_>>(),
///     |result| {
///         ids.extend(result.into_iter().flat_map(|mapped| mapped.result));
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(ids, [1, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn map_elements<'a, T: Send>(
    input: impl Into<Input<'a>>,
    query: &Query,
    options: &Options,
    map: impl Fn(&DocumentBatch<'_>) -> T + Sync,
    take: impl FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let pool = if options.threads == 1 { None } else { Pool::start(options, usize::MAX) };
    let count = pool.as_ref().map_or(1, |pool| WINDOWS_PER_THREAD * (pool.threads() + 1));
    let windows = (0..count).map(|_| Mutex::new(Window::default())).collect();
    let mut collector =
        Collector { map: &map, take, options, pool, windows, filled: 0, number: 0, error: None, is_over: false };
    let search = Search::new(slice::from_ref(query)).order(Order::Document).without_paths();
    let summary = search.run(input, options, &mut collector);
    if collector.error.is_none() && !collector.is_over {
        collector.filled += 1;
        collector.error = collector.pass_on().err();
    }
    collector.error.map_or(summary, Err)
}

/// Some matches, one per line, and what `map` has made of them.
struct Window<T> {
    memory: Memory,
    length: usize,
    /// Where each match begins, in the text and in the input.
    places: Vec<(usize, u64)>,
    result: Option<Result<T, Error>>,
}

impl<T> Default for Window<T> {
    fn default() -> Self {
        Self { memory: Memory::default(), length: 0, places: Vec::new(), result: None }
    }
}

impl<T> Window<T> {
    /// Adds a match.
    fn push(&mut self, text: &[u8], offset: u64) -> Result<(), Error> {
        let buffer = self.memory.renew()?.text_mut();
        if self.places.is_empty() {
            buffer.clear();
        }
        self.places.grow((buffer.len(), offset), OutOfMemory::Text)?;
        buffer.room(text.len() + 1, OutOfMemory::Text)?;
        // Line breaks are only between tokens.
        buffer.extend(text.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }));
        buffer.push(b'\n');
        self.length = buffer.len();
        Ok(())
    }

    /// Lists the matches and computes their result.
    fn read(&mut self, options: &Options, map: &impl Fn(&DocumentBatch<'_>) -> T) {
        let offset = self.places.first().map_or(0, |&(_, offset)| offset);
        let listed = self.memory.renew().and_then(|listed| listed.try_list_records(options));
        self.result = Some(match listed {
            Err(error) => Err(error),
            // The matches were valid when they were found.
            Ok(None) => Err(Error::input_changed(offset)),
            Ok(Some(_)) => match self.memory.elements(offset, &self.places) {
                Some(batch) => Ok(map(&batch)),
                None => Err(Error::input_changed(offset)),
            },
        });
    }
}

/// Collects matches in windows, and passes on the results.
struct Collector<'c, T, F, G> {
    map: &'c F,
    take: G,
    options: &'c Options,
    pool: Option<Pool>,
    windows: Vec<Mutex<Window<T>>>,
    /// Number of windows that are full.
    filled: usize,
    /// Number of matches that have been passed on.
    number: u64,
    error: Option<Error>,
    /// Whether no more results are wanted.
    is_over: bool,
}

impl<T, F, G> Collector<'_, T, F, G>
where
    T: Send,
    F: Fn(&DocumentBatch<'_>) -> T + Sync,
    G: FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
{
    fn add(&mut self, text: &[u8], offset: u64) -> Result<ControlFlow<()>, Error> {
        if text.len() as u64 > self.options.max_memory {
            return Err(Error::document_limit(self.options.max_memory, offset));
        }
        let window = exclusive(&mut self.windows[self.filled]);
        if !window.places.is_empty() && window.length + text.len() >= self.options.window {
            self.filled += 1;
            if self.filled == self.windows.len() && self.pass_on()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        exclusive(&mut self.windows[self.filled]).push(text, offset)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Reads the windows that are filled, and passes on their results in order.
    fn pass_on(&mut self) -> Result<ControlFlow<()>, Error> {
        let filled = std::mem::take(&mut self.filled);
        let (windows, next) = (&self.windows[..filled], AtomicUsize::new(0));
        // The text of a batch is one level deeper than its document was.
        let (map, options) = (self.map, self.options.clone().max_depth(None));
        let work = || {
            while let Some(window) = windows.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
                if !window.places.is_empty() {
                    window.read(&options, map);
                }
            }
        };
        match &self.pool {
            Some(pool) if filled > 1 => pool.run(work, work),
            _ => work(),
        }
        for window in &mut self.windows[..filled] {
            let window = exclusive(window);
            let (documents, offset) =
                (window.places.len() as u64, window.places.first().map_or(0, |&(_, offset)| offset));
            window.places.clear();
            let Some(result) = window.result.take() else { continue };
            if self.is_over {
                continue;
            }
            let number = self.number + 1;
            self.number += documents;
            self.is_over = (self.take)(Ok(Mapped { result: result?, offset, number, documents })).is_break();
        }
        Ok(if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Ends the search after an error.
    fn flow(&mut self, result: Result<ControlFlow<()>, Error>) -> ControlFlow<()> {
        result.unwrap_or_else(|error| {
            self.error = Some(error);
            ControlFlow::Break(())
        })
    }
}

/// Returns what is in a mutex that no other thread has.
fn exclusive<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl<T, F, G> MatchHandler for Collector<'_, T, F, G>
where
    T: Send,
    F: Fn(&DocumentBatch<'_>) -> T + Sync,
    G: FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
{
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        let added = self.add(matched.text(), matched.range().start);
        self.flow(added)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.filled += 1;
        let passed = self.pass_on();
        if self.flow(passed).is_break() {
            return ControlFlow::Break(());
        }
        self.is_over = (self.take)(Err(error)).is_break();
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
