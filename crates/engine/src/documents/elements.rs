//! The values that a query selects, in windows: the elements of a large array in bounded memory.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::mem;
use std::ops::ControlFlow;
use std::slice;

use crate::documents::DocumentBatch;
use crate::documents::Mapped;
use crate::documents::memory::Memory;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::InOrder;
use crate::parallel::OrderedWork;
use crate::parallel::Pool;
use crate::parallel::WorkQueue;
use crate::parallel::with_workers;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;

/// Windows for each thread that are filled and whose results have not been passed on.
const WINDOWS_PER_THREAD: usize = 4;

/// Computes results for the values that a query selects, such as the elements of a large array (`$.features[*]`), like
/// [`map_documents`](crate::map_documents) for documents.
///
/// The calling thread collects the matches in the order of the input, up to a window at a time. `map` is called for the windows on as
/// many threads as [`Options::threads`] allows. If the query has only names, indexes and wildcards, the documents themselves are not kept in
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
    // The text of a batch is one level deeper than its document was.
    let listing = options.clone().max_depth(None);
    let reader = Reader { map: &map, options: &listing };
    let input = input.into();
    let pool = if options.threads == 1 { None } else { Pool::start(options, usize::MAX) };
    match &pool {
        None => Collector::new(reader, take, None, 0).search(query, input, options),
        Some(pool) => {
            let most_waiting = WINDOWS_PER_THREAD * (pool.threads() + 1);
            let work = Windows { reader, filled: VecDeque::new(), results: InOrder::new(), spare: Vec::new() };
            with_workers(pool, work, |queue| {
                Collector::new(reader, take, Some(queue), most_waiting).search(query, input, options)
            })
        }
    }
}

/// Some matches, one per line.
#[derive(Default)]
struct Window {
    memory: Memory,
    length: usize,
    /// Where each match begins, in the text and in the input.
    places: Vec<(usize, u64)>,
}

impl Window {
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

    /// Returns the offset of the first match in the input.
    fn offset(&self) -> u64 {
        self.places.first().map_or(0, |&(_, offset)| offset)
    }
}

/// Reads windows on any thread.
struct Reader<'c, F> {
    map: &'c F,
    options: &'c Options,
}

impl<F> Clone for Reader<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Reader<'_, F> {}

impl<F> Reader<'_, F> {
    /// Lists the matches of a window and computes their result.
    fn read<T>(self, window: &mut Window) -> Result<T, Error>
    where
        F: Fn(&DocumentBatch<'_>) -> T,
    {
        // The matches were valid when they were found.
        let offset = window.offset();
        let changed = || Error::input_changed(offset);
        window.memory.renew()?.try_list_records(self.options)?.ok_or_else(changed)?;
        let batch = window.memory.elements(offset, &window.places).ok_or_else(changed)?;
        Ok((self.map)(&batch))
    }
}

/// The windows as work for the queue.
struct Windows<'c, T, F> {
    reader: Reader<'c, F>,
    /// Windows that wait to be read, with their numbers.
    filled: VecDeque<(usize, Window)>,
    results: InOrder<(Window, Result<T, Error>)>,
    /// Windows whose results have been passed on, for reuse.
    spare: Vec<Window>,
}

impl<T, F> Windows<'_, T, F> {
    /// Adds a window that is full. Returns one to fill.
    fn exchange(&mut self, window: Window) -> Window {
        let number = self.results.issue();
        self.filled.push_back((number, window));
        self.spare.pop().unwrap_or_default()
    }
}

impl<'c, T: Send, F: Fn(&DocumentBatch<'_>) -> T + Sync> OrderedWork for Windows<'c, T, F> {
    type Job = (usize, Window, Reader<'c, F>);
    type Done = (usize, Window, Result<T, Error>);
    type Output = (Window, Result<T, Error>);
    type Memory = Window;

    fn next(&mut self) -> Option<Self::Job> {
        let (number, window) = self.filled.pop_front()?;
        Some((number, window, self.reader))
    }

    fn is_all_issued(&self) -> bool {
        // Another window may be filled as long as the search runs.
        false
    }

    fn run((number, mut window, reader): Self::Job) -> Self::Done {
        let result = reader.read(&mut window);
        (number, window, result)
    }

    fn complete(&mut self, (number, window, result): Self::Done) {
        self.results.put(number, (window, result));
    }

    fn take_output(&mut self) -> Option<Self::Output> {
        self.results.take().map(|(_, output)| output)
    }

    fn is_finished(&self) -> bool {
        self.results.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<Window> {
        &mut self.spare
    }
}

/// Collects matches in windows, and passes on the results.
struct Collector<'q, 'c, T, F, G> {
    reader: Reader<'c, F>,
    take: G,
    /// `None` on one thread.
    queue: Option<&'q WorkQueue<Windows<'c, T, F>>>,
    /// Limit of the number of windows in the queue.
    most_waiting: usize,
    /// The window that is being filled.
    window: Window,
    /// Number of windows in the queue.
    waiting: usize,
    /// Number of matches whose results have been passed on.
    number: u64,
    error: Option<Error>,
    /// Whether no more results are wanted.
    is_over: bool,
}

impl<'q, 'c, T, F, G> Collector<'q, 'c, T, F, G>
where
    T: Send,
    F: Fn(&DocumentBatch<'_>) -> T + Sync,
    G: FnMut(Result<Mapped<T>, Error>) -> ControlFlow<()>,
{
    fn new(
        reader: Reader<'c, F>,
        take: G,
        queue: Option<&'q WorkQueue<Windows<'c, T, F>>>,
        most_waiting: usize,
    ) -> Self {
        let window = Window::default();
        Self { reader, take, queue, most_waiting, window, waiting: 0, number: 0, error: None, is_over: false }
    }

    /// Passes on the results of all matches of an input.
    fn search(mut self, query: &Query, input: Input<'_>, options: &Options) -> Result<Summary, Error> {
        let search = Search::new(slice::from_ref(query)).order(Order::Document).without_paths();
        let summary = search.run(input, options, &mut self);
        if self.error.is_none() && !self.is_over {
            self.error = self.finish().err();
        }
        self.error.map_or(summary, Err)
    }

    fn add(&mut self, text: &[u8], offset: u64) -> Result<ControlFlow<()>, Error> {
        let Options { max_memory, window, .. } = *self.reader.options;
        if text.len() as u64 > max_memory {
            return Err(Error::document_limit(max_memory, offset));
        }
        let is_full = !self.window.places.is_empty() && self.window.length + text.len() >= window;
        if is_full && self.pass_on()?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.window.push(text, offset)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Has the window read, and passes on results if too many wait.
    fn pass_on(&mut self) -> Result<ControlFlow<()>, Error> {
        let mut window = mem::take(&mut self.window);
        let Some(queue) = self.queue else {
            let result = self.reader.read(&mut window);
            let flow = self.result(&mut window, result);
            self.window = window;
            return flow;
        };
        self.window = queue.change(|windows| windows.exchange(window));
        self.waiting += 1;
        self.join(self.most_waiting)
    }

    /// Passes on results until no more than this number of windows wait.
    fn join(&mut self, most_waiting: usize) -> Result<ControlFlow<()>, Error> {
        let mut spare = Vec::new();
        while self.waiting > most_waiting
            && let Some((mut window, result)) = self.queue.and_then(|queue| queue.next_output(&mut spare))
        {
            self.waiting -= 1;
            if self.result(&mut window, result)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            spare.push(window);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Passes on the result of a window, which is then empty.
    fn result(&mut self, window: &mut Window, result: Result<T, Error>) -> Result<ControlFlow<()>, Error> {
        let (offset, number, documents) = (window.offset(), self.number + 1, window.places.len() as u64);
        window.places.clear();
        self.number += documents;
        let flow = (self.take)(Ok(Mapped { result: result?, offset, number, documents }));
        self.is_over = flow.is_break();
        Ok(flow)
    }

    /// Passes on the results of all matches so far.
    fn finish(&mut self) -> Result<ControlFlow<()>, Error> {
        if !self.window.places.is_empty() && self.pass_on()?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        self.join(0)
    }

    /// Ends the search after an error.
    fn flow(&mut self, result: Result<ControlFlow<()>, Error>) -> ControlFlow<()> {
        result.unwrap_or_else(|error| {
            self.error = Some(error);
            ControlFlow::Break(())
        })
    }
}

impl<T, F, G> MatchHandler for Collector<'_, '_, T, F, G>
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
        let finished = self.finish();
        self.flow(finished)?;
        self.is_over = (self.take)(Err(error)).is_break();
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
