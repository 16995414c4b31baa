//! Records of NDJSON one by one: `lines`.
//!
//! A thread reads and checks the input in batches, on as many threads as are allowed, and passes on lists of tokens. Objects are made of
//! these when they are asked for, by the thread that asks. Only a few batches wait, so memory stays bounded.

#![forbid(unsafe_code)]

use std::mem;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::SyncSender;
use std::thread;

use fjson::Error;
use fjson::Match;
use fjson::MatchHandler;
use fjson::Options;
use fjson::OwnedValue;
use fjson::Parser;
use fjson::Search;
use fjson::map_documents;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::channel::Receiver;
use crate::channel::channel;
use crate::errors::Failure;
use crate::errors::Origin;
use crate::errors::exception;
use crate::load;
use crate::objects::NoCollector;
use crate::query::Query;
use crate::query::invalid;
use crate::source::Shared;
use crate::source::Source;
use crate::state;
use crate::state::Memory;
use crate::whole::options;

/// Number of batches that wait.
const WAITING: usize = 4;

/// Bytes of matches in a batch.
const BATCH: usize = 1 << 18;

/// What the reading thread passes on.
enum Message {
    /// The first of some records, and the number of its record if each of them is one.
    Batch(OwnedValue, Option<u64>),
    /// An invalid record.
    Bad(Error),
    /// Reading failed.
    Failed(Error),
}

/// Returns an iterator over the values of NDJSON (JSON Lines) as Python objects.
///
/// ``source`` is text in memory, a ``pathlib.Path`` or an open file. Reading goes on in other threads while objects are used, and memory
/// stays bounded. With ``query``, the values that a JSONPath selects in each record are given, one after the other. An invalid line
/// raises ``JSONDecodeError``, whose attribute ``record`` is its number, and ends the iteration; with ``skip_bad`` it is passed over
/// and counted in the attribute ``skipped`` of the iterator, and so is a value that no object of Python has, such as ``1e400``.
///
/// >>> log = '{"ms": 20}\n{"ms": }\n{"ms": 7}\n'
/// >>> records = fjson.lines(log, skip_bad=True)
/// >>> sum(record['ms'] for record in records), records.skipped
/// (27, 1)
/// >>> list(fjson.lines(log, query='$.ms', skip_bad=True))
/// [20, 7]
#[pyfunction]
#[pyo3(signature = (source, /, *, query=None, skip_bad=false, threads=0))]
pub fn lines(
    source: &Bound<'_, PyAny>,
    query: Option<&Bound<'_, PyAny>>,
    skip_bad: bool,
    threads: usize,
) -> PyResult<Lines> {
    let py = source.py();
    let query = match query {
        None => None,
        Some(query) => Some(match query.cast::<Query>() {
            Ok(query) => query.get().inner().clone(),
            Err(_) => fjson::Query::new(query.extract::<&str>()?).map_err(|error| invalid(py, &error))?,
        }),
    };
    let (sender, receiver) = channel(WAITING);
    let shared = Source::of(source)?.into_shared().while_wanted(receiver.wanted());
    let options = options(true, threads).max_depth(Some(state::MAX_DEPTH)).keep_invalid(!skip_bad);
    let reading = thread::Builder::new().name("fjson.lines".to_owned());
    reading.spawn(move || read(shared, query, &options, &sender))?;
    let reading = Reading { receiver, batch: None, memory: Memory::new(), skipped: 0, has_ended: false };
    Ok(Lines { reading: Mutex::new(reading), skip_bad })
}

/// Reads the whole input, or until nobody receives the batches.
fn read(mut source: Shared, query: Option<fjson::Query>, options: &Options, sender: &SyncSender<Message>) {
    let input = source.input();
    let result = match query {
        None => map_documents(
            input,
            options,
            |batch| batch.records().next().map(|first| batch.own(first)),
            |mapped| {
                let message = match mapped {
                    Ok(mapped) => mapped.result.map(|first| Message::Batch(first, Some(mapped.number))),
                    Err(error) => Some(Message::Bad(error)),
                };
                message.map_or(ControlFlow::Continue(()), |message| send(sender, message))
            },
        ),
        Some(query) => {
            let queries = [query];
            let mut found = Found { text: Vec::new(), sender };
            let result = Search::new(&queries).without_paths().run(input, options, &mut found);
            if found.flush().is_break() {
                return;
            }
            result
        }
    };
    if let Err(error) = result {
        // The receiver may be gone, and then nobody wants to know.
        let _ = sender.send(Message::Failed(error));
    }
}

fn send(sender: &SyncSender<Message>, message: Message) -> ControlFlow<()> {
    if sender.send(message).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// Collects matches, which are parts of lines and so have no line breaks, as lines.
struct Found<'s> {
    text: Vec<u8>,
    sender: &'s SyncSender<Message>,
}

impl Found<'_> {
    fn flush(&mut self) -> ControlFlow<()> {
        if self.text.is_empty() {
            return ControlFlow::Continue(());
        }
        let parser = Parser::with_options(&state::options()).owned_records(mem::take(&mut self.text));
        match parser {
            Ok(records) => match records.iter().next() {
                Some(first) => send(self.sender, Message::Batch(records.own(first), None)),
                None => ControlFlow::Continue(()),
            },
            Err(error) => {
                let _ = self.sender.send(Message::Failed(error));
                ControlFlow::Break(())
            }
        }
    }
}

impl MatchHandler for Found<'_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        self.text.extend_from_slice(matched.text());
        self.text.push(b'\n');
        if self.text.len() < BATCH { ControlFlow::Continue(()) } else { self.flush() }
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.flush()?;
        send(self.sender, Message::Bad(error))
    }

    fn on_wait(&mut self) {
        // If nobody receives, the next match ends the search.
        let _ = self.flush();
    }
}

/// An iterator over records; see ``lines``.
#[pyclass(frozen, module = "fjson")]
pub struct Lines {
    reading: Mutex<Reading>,
    skip_bad: bool,
}

/// The records that wait.
struct Reading {
    receiver: Receiver<Message>,
    /// The first record of a batch, the token of the next one, and its number.
    batch: Option<(OwnedValue, usize, Option<u64>)>,
    memory: Memory,
    skipped: u64,
    has_ended: bool,
}

#[pymethods]
impl Lines {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        // Another thread may wait for a batch without the interpreter lock, so this one must not wait for it.
        let Ok(mut reading) = self.reading.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread is using this iterator"));
        };
        loop {
            if let Some(object) = reading.next_of_batch(py, self.skip_bad)? {
                return Ok(Some(object));
            }
            let error = match reading.receive(py)? {
                None => return Ok(None),
                Some(Message::Batch(first, number)) => {
                    let token = first.value().token();
                    reading.batch = Some((first, token, number));
                    continue;
                }
                Some(Message::Bad(_)) if self.skip_bad => {
                    reading.skipped += 1;
                    continue;
                }
                Some(Message::Bad(error) | Message::Failed(error)) => error,
            };
            reading.has_ended = true;
            return Err(exception(py, Failure::Json(error), Origin::Record));
        }
    }

    /// The number of invalid lines that were passed over so far.
    #[getter]
    fn skipped(&self) -> u64 {
        self.reading.try_lock().map_or_else(
            |error| match error {
                std::sync::TryLockError::Poisoned(poisoned) => poisoned.into_inner().skipped,
                std::sync::TryLockError::WouldBlock => 0,
            },
            |reading| reading.skipped,
        )
    }
}

impl Reading {
    /// Returns the next record of the batch as an object.
    fn next_of_batch(&mut self, py: Python<'_>, skip_bad: bool) -> PyResult<Option<Py<PyAny>>> {
        let Some((first, token, number)) = &mut self.batch else { return Ok(None) };
        let tokens = first.value().tokens();
        loop {
            if *token >= tokens.len() {
                self.batch = None;
                return Ok(None);
            }
            let _collector = NoCollector::new(py);
            let failure = match load::value(py, tokens, *token, &mut self.memory) {
                Ok((object, next)) => {
                    *token = next;
                    *number = number.map(|number| number + 1);
                    return Ok(Some(object));
                }
                // No object of Python has the value.
                Err(Failure::Value(..)) if skip_bad => {
                    self.skipped += 1;
                    *token = tokens.next(*token);
                    *number = number.map(|number| number + 1);
                    continue;
                }
                Err(failure) => failure,
            };
            let value = tokens.value(*token);
            let failure = match failure {
                Failure::Value(offset, message) => Failure::Value(offset - value.start(), message),
                other => other,
            };
            let error = exception(py, failure, Origin::Text(value.raw().as_bytes()));
            if let Some(number) = number
                && error.value(py).hasattr("record")?
            {
                error.value(py).setattr("record", *number)?;
            }
            self.has_ended = true;
            self.batch = None;
            return Err(error);
        }
    }

    /// Waits for the next message. `None` at the end.
    fn receive(&mut self, py: Python<'_>) -> PyResult<Option<Message>> {
        if self.has_ended {
            return Ok(None);
        }
        self.receiver.receive(py)
    }
}
