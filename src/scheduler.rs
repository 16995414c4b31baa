//! Processing of many inputs on several threads, with events and output in the order of the inputs.
//!
//! The first inputs are processed on the calling thread, so that a few small inputs do not wait for threads to start. After
//! that, the calling thread opens inputs and adds them to a work queue, worker threads process them, and one reporter thread
//! handles the events and output of the inputs in order. Each input has its own bounded channel: a worker that is ahead waits
//! when the channel is full, so memory is bounded. Inputs are started in order, so the input whose turn it is never waits for
//! another. A long input is not queued: after all earlier inputs are reported, all threads process it together.

#![forbid(unsafe_code)]

mod output_order;
mod sinks;
#[cfg(test)]
mod tests;

pub use crate::scheduler::sinks::DirectSink;

use crate::args::Inputs;
use crate::exit::RunError;
use crate::inputs::Visit;
use crate::name::Name;
use crate::platform::Identity;
use crate::platform::files_left;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler::output_order::OutputOrder;
use crate::scheduler::sinks::ChannelSink;
use crate::scheduler::sinks::Message;
use crate::source::Source;
use std::collections::VecDeque;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::panic;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::thread::Scope;
use std::thread::ScopedJoinHandle;

/// Number of inputs, and of bytes in them, after which threads are started. Processing fewer takes less time than starting threads.
const SEQUENTIAL_INPUTS: usize = 16;
const SEQUENTIAL_BYTES: u64 = 2 << 20;

/// Size from which an input is processed by all threads. The engine divides it into several chunks per thread.
const PARALLEL_SIZE: u64 = 16 << 20;

/// The same for work whose output is held until its turn. It is the smallest size that the engine divides.
pub const PARALLEL_SIZE_WITH_OUTPUT: u64 = 4 << 20;

/// Size below which an input is read instead of mapped. Threads that map and unmap files wait for each other, which takes longer
/// than copying.
const MIN_MAPPED_SIZE: u64 = 1 << 20;

/// Limits on inputs that are open and not yet reported: per thread, and in total. The total also limits the number of threads.
const OPEN_PER_THREAD: usize = 8;
const MAX_OPEN: usize = 256;

/// Number of open files that an input may need: itself, its mapping, and its replacement.
const FILES_PER_INPUT: usize = 3;

/// Number of files that are left for other purposes, such as directories and pipes.
const RESERVED_FILES: usize = 8;

/// Number of bytes of output per thread that may be held until their turn.
const HELD_PER_THREAD: usize = 4 << 20;

/// Capacity of a channel, in batches of messages.
const CHANNEL_CAPACITY: usize = 32;

/// Number of bytes that the first worker and each further worker may need. The allocator requests blocks of this size directly
/// from the system, so memory that is not touched costs nothing. 128 MiB of it are address space that the allocator of glibc takes
/// for a moment when a thread first allocates. It keeps 64 MiB for each thread.
const FIRST_WORKER_MEMORY: usize = 168 << 20;
const WORKER_MEMORY: usize = 8 << 20;
const ARENA: usize = 64 << 20;

/// The work that is done for each input, on any thread.
pub trait Work: Sync {
    /// Processes an input on up to `threads` threads. Sends events and output to `sink` until it returns `Break`.
    fn work(&self, source: Source, threads: usize, sink: &mut dyn EventSink);

    /// Returns the size from which an input is processed by all threads.
    fn parallel_size(&self) -> u64 {
        PARALLEL_SIZE
    }

    /// Whether an input is processed by all threads, after all earlier ones and before all later ones.
    fn is_alone(&self, source: &Source) -> bool {
        source.size().unwrap_or(0) >= self.parallel_size()
    }

    /// Whether each input is processed after the previous one.
    fn is_sequential(&self) -> bool {
        false
    }

    /// Whether no further inputs are wanted.
    fn is_over(&self) -> bool {
        false
    }

    /// Called for each input in order, before it is processed. Fails if it cannot be.
    fn admit(&self, source: Source) -> Result<Source, RunError> {
        Ok(source)
    }

    /// Whether inputs are modified. If so, a file that is given twice is not processed twice at the same time.
    fn edits(&self) -> bool {
        false
    }
}

/// Sink for the events and output of one input. Its methods return `Break` if it accepts no more.
pub trait EventSink {
    fn send(&mut self, event: Event) -> ControlFlow<()>;

    /// Accepts output.
    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()>;
}

/// Handler of the events and output of all inputs, in order. An error ends the processing.
pub trait EventHandler: Send {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError>;

    /// Handles output of the current input.
    fn write(&mut self, _bytes: &[u8]) -> Result<(), RunError> {
        Ok(())
    }
}

impl EventHandler for Report {
    fn handle(&mut self, name: &Name, event: Event) -> Result<(), RunError> {
        Report::handle(self, name, event)
    }
}

/// Processes all inputs on up to `threads` threads (0: one per processor). Passes their events and output to `handler` in order.
pub fn each<'e>(
    inputs: &Inputs,
    threads: usize,
    work: &'e dyn Work,
    handler: &'e mut dyn EventHandler,
) -> Result<(), RunError> {
    thread::scope(|scope| {
        let mut dispatcher = Dispatcher {
            scope,
            threads,
            max_threads: None,
            work,
            count: 0,
            bytes: 0,
            scheduler: None,
            handler: Some(handler),
        };
        let visited = inputs.each(&mut dispatcher);
        // An error of the handler takes precedence: it may be the cause of the other error.
        dispatcher.make_room().and(visited)
    })
}

/// Dispatcher of inputs to the calling thread or to the worker threads.
struct Dispatcher<'s, 'n, 'e> {
    scope: &'s Scope<'s, 'n>,
    /// Number of threads from the command line; 0 for one per processor.
    threads: usize,
    /// Number of worker threads to start. Determined when first needed, because the system call takes longer than processing a
    /// short input.
    max_threads: Option<usize>,
    work: &'e dyn Work,
    /// Number of inputs processed on this thread.
    count: usize,
    /// Number of bytes in these inputs.
    bytes: u64,
    /// The worker threads, if they are running.
    scheduler: Option<Scheduler<'s, 'e>>,
    /// The handler, if no worker threads are running.
    handler: Option<&'e mut dyn EventHandler>,
}

impl<'s, 'e: 's> Visit for Dispatcher<'s, '_, 'e> {
    fn visit(&mut self, source: Result<Source, RunError>) -> Result<(), RunError> {
        if self.work.is_over() {
            return Ok(());
        }
        let mut source = source.and_then(|source| self.work.admit(source));
        let size = source.as_ref().ok().and_then(Source::size).unwrap_or(0);
        let is_long = source.as_ref().is_ok_and(|source| self.work.is_alone(source));
        let is_busy = self.work.edits() && self.scheduler.as_mut().is_some_and(|scheduler| scheduler.is_busy(&source));
        if is_long || is_busy {
            self.make_room()?;
            // The open file may have been replaced by a new one.
            if is_busy {
                source = source.and_then(Source::reopen);
            }
        }
        if !is_long && !self.work.is_sequential() && (self.count >= SEQUENTIAL_INPUTS || self.bytes >= SEQUENTIAL_BYTES)
        {
            self.start_scheduler();
        }
        if let Some(scheduler) = &mut self.scheduler {
            return scheduler.dispatch(source.map_err(|error| (error.name.clone(), Event::RunError(error))));
        }
        self.count += 1;
        self.bytes += size;
        // The handler is missing only if it has failed; then no further inputs are visited.
        self.handler.as_mut().map_or(Ok(()), |handler| process(source, self.threads, self.work, *handler))
    }

    fn tell(&mut self, name: &Name, line: String) -> Result<(), RunError> {
        let event = Event::Line(line);
        match (&mut self.scheduler, &mut self.handler) {
            (Some(scheduler), _) => scheduler.dispatch(Err((name.clone(), event))),
            (None, Some(handler)) => handler.handle(name, event),
            (None, None) => Ok(()),
        }
    }

    /// Waits until all queued inputs are processed and reported. Returns whether threads were running.
    fn make_room(&mut self) -> Result<bool, RunError> {
        let Some(scheduler) = self.scheduler.take() else { return Ok(false) };
        self.handler = Some(scheduler.finish()?);
        Ok(true)
    }
}

impl<'s, 'e: 's> Dispatcher<'s, '_, 'e> {
    /// Starts worker threads if none are running and they can be started.
    fn start_scheduler(&mut self) {
        let max_threads = *self.max_threads.get_or_insert_with(|| match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        });
        if max_threads == 1 {
            return;
        }
        let Some(handler) = self.handler.take() else { return };
        match Scheduler::start(self.scope, max_threads, self.work, handler) {
            Ok(scheduler) => self.scheduler = Some(scheduler),
            Err(handler) => (self.handler, self.max_threads) = (Some(handler), Some(1)),
        }
    }
}

/// Processes an input on this thread. Its events and output go directly to `handler`.
fn process(
    source: Result<Source, RunError>,
    threads: usize,
    work: &dyn Work,
    handler: &mut dyn EventHandler,
) -> Result<(), RunError> {
    match source {
        Ok(source) => {
            let name = source.name.clone();
            let mut sink = DirectSink::new(&name, handler);
            work.work(source, threads, &mut sink);
            sink.into_result()
        }
        Err(error) => handler.handle(&error.name.clone(), Event::RunError(error)),
    }
}

/// Reserves `count` bytes of memory, if there are as many.
fn reserved(count: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let result = bytes.try_reserve_exact(count);
    // Without this, the compiler may remove the allocation.
    result.is_ok().then(|| black_box(bytes))
}

/// An input in the work queue, and the sink for its events and output.
type Job = (Source, ChannelSink);

/// The name of an input, and the receiver of its messages.
type Turn = (Name, Receiver<Vec<Message>>);

/// The worker threads and the reporter thread.
struct Scheduler<'s, 'e> {
    /// Work queue.
    jobs: Sender<Job>,
    /// Inputs to be reported, in order.
    turns: SyncSender<Turn>,
    output_order: Arc<OutputOrder>,
    reporter: ScopedJoinHandle<'s, Result<&'e mut dyn EventHandler, RunError>>,
    /// Number of inputs dispatched so far.
    count: u64,
    /// Numbers and identities of the files that have not been reported.
    files: VecDeque<(u64, Identity)>,
}

impl<'s, 'e> Scheduler<'s, 'e> {
    /// Starts up to `threads` worker threads, as the limits on memory and open files permit. Returns the handler if no worker or
    /// no reporter can be started.
    fn start(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        work: &'e dyn Work,
        handler: &'e mut dyn EventHandler,
    ) -> Result<Self, &'e mut dyn EventHandler>
    where
        'e: 's,
    {
        let max_open = (files_left().saturating_sub(RESERVED_FILES) / FILES_PER_INPUT).min(MAX_OPEN);
        let threads = threads.min(max_open);
        let (jobs, queue) = mpsc::channel::<Job>();
        let (turns, ordered) = mpsc::sync_channel::<Turn>((OPEN_PER_THREAD * threads).min(max_open));
        let queue = Arc::new(Mutex::new(queue));
        // Keeps memory for the work free while threads start. If there is not enough for all, each of them allocates before the next
        // one is started.
        let reserve = reserved(FIRST_WORKER_MEMORY + threads * (WORKER_MEMORY + ARENA));
        let workers = (0..threads).take_while(|thread| {
            if reserve.is_none() && reserved(FIRST_WORKER_MEMORY + thread * WORKER_MEMORY).is_none() {
                return false;
            }
            let queue = queue.clone();
            let (begin, begun) = mpsc::channel::<()>();
            let worker = move || {
                drop(black_box(Vec::<u8>::with_capacity(1)));
                drop(begin);
                while let Some((source, mut sink)) = next_job(&queue) {
                    work.work(source, 1, &mut sink);
                }
            };
            let is_started = thread::Builder::new().spawn_scoped(scope, worker).is_ok();
            if reserve.is_none() {
                // Nothing is sent, but this returns when the other end is dropped.
                begun.recv().ok();
            }
            is_started
        });
        let workers = workers.count();
        if workers == 0 {
            return Err(handler);
        }
        let output_order = Arc::new(OutputOrder::new(HELD_PER_THREAD * workers));
        let end_on_drop = EndOnDrop(output_order.clone());
        // The handler is sent to the reporter after it has been started; if it cannot be started, the caller gets it back.
        let (send_handler, receive_handler) = mpsc::sync_channel(1);
        let reporter = move || match receive_handler.recv() {
            Ok(handler) => report_all(ordered, &end_on_drop.0, handler),
            // Unreachable: the handler is always sent.
            Err(_) => Err(RunError::new(Name::Stdout, "the report has ended early")),
        };
        match thread::Builder::new().spawn_scoped(scope, reporter) {
            Ok(reporter) => {
                send_handler.send(handler).ok();
                Ok(Self { jobs, turns, output_order, reporter, count: 0, files: VecDeque::new() })
            }
            Err(_) => Err(handler),
        }
    }

    /// Whether the file of `source` is already being processed.
    fn is_busy(&mut self, source: &Result<Source, RunError>) -> bool {
        let turn = self.output_order.turn();
        self.files.retain(|(number, _)| *number >= turn);
        let file = source.as_ref().ok().and_then(Source::identity);
        file.is_some_and(|file| self.files.iter().any(|(_, other)| *other == file))
    }

    /// Adds an input to the work queue, or an event to be handled when it is its turn.
    fn dispatch(&mut self, source: Result<Source, (Name, Event)>) -> Result<(), RunError> {
        let name = match &source {
            Ok(source) => source.name.clone(),
            Err((name, _)) => name.clone(),
        };
        let (sender, messages) = mpsc::sync_channel(CHANNEL_CAPACITY);
        // A pipe may stay open without more data for any length of time, so its messages are sent immediately.
        let is_file = source.as_ref().is_ok_and(|source| source.size().is_some());
        let mut sink = ChannelSink::new(name.clone(), sender, self.output_order.clone(), self.count, is_file);
        if self.turns.send((name.clone(), messages)).is_err() {
            return Err(RunError::new(name, "the report has ended early"));
        }
        match source {
            Err((_, event)) => drop(sink.send(event)),
            Ok(source) => {
                let turn = self.output_order.turn();
                while self.files.pop_front_if(|(number, _)| *number < turn).is_some() {}
                self.files.extend(source.identity().map(|file| (self.count, file)));
                let is_short = source.size().is_some_and(|size| size < MIN_MAPPED_SIZE);
                self.jobs.send((if is_short { source.unmapped() } else { source }, sink)).ok();
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Waits until all inputs are reported, and returns the handler.
    fn finish(self) -> Result<&'e mut dyn EventHandler, RunError> {
        drop((self.jobs, self.turns));
        self.reporter.join().unwrap_or_else(|reason| panic::resume_unwind(reason))
    }
}

/// Waits for the next job. Returns `None` after the last one.
fn next_job(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Wakes all waiting workers when the reporter ends for any reason.
struct EndOnDrop(Arc<OutputOrder>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Passes the messages of all inputs to `handler`, in order.
fn report_all<'e>(
    turns: Receiver<Turn>,
    output_order: &OutputOrder,
    handler: &'e mut dyn EventHandler,
) -> Result<&'e mut dyn EventHandler, RunError> {
    for (name, messages) in turns {
        for message in messages.into_iter().flatten() {
            match message {
                Message::Event(event) => handler.handle(&name, event)?,
                Message::Bytes(bytes) => {
                    handler.write(&bytes)?;
                    output_order.free(bytes);
                }
            }
        }
        output_order.next();
    }
    Ok(handler)
}
