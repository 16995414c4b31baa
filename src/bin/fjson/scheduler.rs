//! Many inputs on several threads, and what comes of them in their order.
//!
//! The first inputs are worked on one after the other, so that a few small ones never wait for a thread to start. After them the
//! caller's thread opens inputs and hands them out, others work on them, and one more tells what came of each when its turn
//! has come. What is said of an input, and what is written, goes through a channel of its own that holds little: whoever is
//! ahead of its turn waits when it is full, so memory is bounded. Inputs are begun in their order, so the one whose turn it is
//! never waits for another. A long input is not handed out: when all before it are told, all threads work on it together.

#![forbid(unsafe_code)]

mod output_order;
#[cfg(test)]
mod tests;

use crate::args::Inputs;
use crate::exit::RunError;
use crate::inputs::Visit;
use crate::name::Name;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler::output_order::OutputOrder;
use crate::source::Identity;
use crate::source::Source;
use crate::source::files_left;
use std::collections::VecDeque;
use std::mem;
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

/// Inputs, or bytes in them, that are done before threads would be.
const FEW: usize = 16;
const SHORT: u64 = 2 << 20;

/// An input this long is divided among all threads by the engine, which wants some chunks for each.
const LONG: u64 = 16 << 20;

/// The same where output waits for its turn: as soon as the engine divides it at all.
pub const LONG_TO_HOLD: u64 = 4 << 20;

/// A shorter input is read: threads that map and unmap wait for each other, which costs more than to copy it.
const MAPPED: u64 = 1 << 20;

/// Inputs for each thread that may be open and not yet told, and how many there may be at most, and so how many threads.
const AHEAD: usize = 8;
const OPEN: usize = 256;

/// Files that an input may need: itself, its map, and what replaces it. So many others are left: directories, pipes.
const FILES: usize = 3;
const OTHER_FILES: usize = 8;

/// Bytes of output for each thread that may wait for their turn.
const HELD: usize = 4 << 20;

/// What is sent at once of an input, in numbers and in bytes of output, and how much of that may be on its way.
const BATCH: usize = 4;
const PIECE: usize = 128 << 10;
const WAITING: usize = 32;

const OUT_OF_MEMORY: &str = "out of memory: the output that waits for its turn";

/// Bytes that the first thread and each of the others may need. With so many, the allocator asks the system for them alone, and
/// what is not touched costs nothing.
const FIRST_NEEDS: usize = 40 << 20;
const OTHERS_NEED: usize = 8 << 20;

/// What is done with an input, on any thread.
pub trait Work: Sync {
    /// Works on an input on so many threads, and says what comes of it until nobody listens any more.
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink);

    /// Inputs as long as this are worked on by all threads.
    fn long(&self) -> u64 {
        LONG
    }

    /// Whether inputs are changed, so that one that is named twice must not be worked on twice at once.
    fn edits(&self) -> bool {
        false
    }
}

/// Listens to what comes of one input, until it breaks off.
pub trait EventSink {
    fn say(&mut self, told: Event) -> ControlFlow<()>;

    /// Takes output.
    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()>;
}

/// Is told what comes of all inputs, in their order. An error ends everything.
pub trait EventHandler: Send {
    fn tell(&mut self, name: &Name, told: Event) -> Result<(), RunError>;

    /// Takes output of the input that is told of, if there is any.
    fn write(&mut self, _bytes: &[u8]) -> Result<(), RunError> {
        Ok(())
    }
}

impl EventHandler for Report {
    fn tell(&mut self, name: &Name, told: Event) -> Result<(), RunError> {
        Report::tell(self, name, told)
    }
}

/// Has every input worked on, on up to `threads` threads (0: one per processor), and tells what comes of them in their order.
pub fn each<'e>(
    inputs: &Inputs,
    threads: usize,
    work: &'e dyn Work,
    tell: &'e mut dyn EventHandler,
) -> Result<(), RunError> {
    thread::scope(|scope| {
        let mut workers =
            Workers { scope, threads, most: None, work, count: 0, bytes: 0, scheduler: None, alone: Some(tell) };
        let listed = inputs.each(&mut workers);
        // If the telling failed, that is why the listing was ended.
        workers.make_room().and(listed)
    })
}

/// Whoever works on the next input: this thread, or a crew.
struct Workers<'s, 'n, 'e> {
    scope: &'s Scope<'s, 'n>,
    threads: usize,
    /// How many threads a crew has, once that is known. To ask the system takes longer than to read a short input.
    most: Option<usize>,
    work: &'e dyn Work,
    /// Inputs that this thread has worked on, and bytes in them.
    count: usize,
    bytes: u64,
    scheduler: Option<Scheduler<'s, 'e>>,
    /// Whom to tell, as long as there is no crew.
    alone: Option<&'e mut dyn EventHandler>,
}

impl<'s, 'e: 's> Visit for Workers<'s, '_, 'e> {
    fn visit(&mut self, mut source: Result<Source, RunError>) -> Result<(), RunError> {
        let size = source.as_ref().ok().and_then(Source::size).unwrap_or(0);
        let is_long = size >= self.work.long();
        let is_busy = self.work.edits() && self.scheduler.as_mut().is_some_and(|scheduler| scheduler.is_at(&source));
        if is_long || is_busy {
            self.make_room()?;
            // What was opened may be the file that has been replaced.
            if is_busy {
                source = source.and_then(Source::opened_again);
            }
        }
        if !is_long && (self.count >= FEW || self.bytes >= SHORT) {
            self.start_crew();
        }
        if let Some(scheduler) = &mut self.scheduler {
            return scheduler.take(source);
        }
        self.count += 1;
        self.bytes += size;
        // Without anybody to tell, telling has failed, and the visit has ended.
        self.alone.as_mut().map_or(Ok(()), |tell| now(source, self.threads, self.work, *tell))
    }

    /// Waits until all that was handed out is done and told.
    fn make_room(&mut self) -> Result<bool, RunError> {
        let Some(scheduler) = self.scheduler.take() else { return Ok(false) };
        self.alone = Some(scheduler.finish()?);
        Ok(true)
    }
}

impl<'s, 'e: 's> Workers<'s, '_, 'e> {
    /// Starts a crew, unless there is one or there can be none.
    fn start_crew(&mut self) {
        let most = *self.most.get_or_insert_with(|| match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        });
        if most == 1 {
            return;
        }
        let Some(tell) = self.alone.take() else { return };
        match Scheduler::start(self.scope, most, self.work, tell) {
            Ok(scheduler) => self.scheduler = Some(scheduler),
            Err(tell) => (self.alone, self.most) = (Some(tell), Some(1)),
        }
    }
}

/// Works on an input and tells what comes of it as it comes.
fn now(
    source: Result<Source, RunError>,
    threads: usize,
    work: &dyn Work,
    tell: &mut dyn EventHandler,
) -> Result<(), RunError> {
    match source {
        Ok(source) => {
            let mut saying = DirectSink { name: &source.name, tell, result: Ok(()) };
            work.work(&source, threads, &mut saying);
            saying.result
        }
        Err(trouble) => tell.tell(&trouble.name.clone(), Event::RunError(trouble)),
    }
}

/// Hands on what is said at once.
struct DirectSink<'n> {
    name: &'n Name,
    tell: &'n mut dyn EventHandler,
    result: Result<(), RunError>,
}

impl DirectSink<'_> {
    fn keep(&mut self, result: Result<(), RunError>) -> ControlFlow<()> {
        self.result = result;
        if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl EventSink for DirectSink<'_> {
    fn say(&mut self, told: Event) -> ControlFlow<()> {
        let result = self.tell.tell(self.name, told);
        self.keep(result)
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let result = self.tell.write(bytes);
        self.keep(result)
    }
}

/// An input, and where to say what comes of it.
type Job = (Source, ChannelSink);

/// Whose turn it is, and what is to be told.
type Turn = (Name, Receiver<Vec<Message>>);

/// What was said of an input.
enum Message {
    Event(Event),
    Bytes(Vec<u8>),
}

struct Scheduler<'s, 'e> {
    jobs: Sender<Job>,
    in_order: SyncSender<Turn>,
    output_order: Arc<OutputOrder>,
    teller: ScopedJoinHandle<'s, Result<&'e mut dyn EventHandler, RunError>>,
    /// Inputs handed out so far.
    count: u64,
    /// Which of them are which files, as long as they are not told.
    files: VecDeque<(u64, Identity)>,
}

impl<'s, 'e> Scheduler<'s, 'e> {
    /// Starts as many threads as the system gives, up to so many. Without any, or if few files may be open, nobody is hired, and
    /// the caller goes on telling.
    fn start(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        work: &'e dyn Work,
        tell: &'e mut dyn EventHandler,
    ) -> Result<Self, &'e mut dyn EventHandler>
    where
        'e: 's,
    {
        let open = (files_left().saturating_sub(OTHER_FILES) / FILES).min(OPEN);
        let threads = threads.min(open);
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (in_order, told) = mpsc::sync_channel::<Turn>((AHEAD * threads).min(open));
        let waiting = Arc::new(Mutex::new(waiting));
        // What the work itself needs: threads shall not take it.
        let mut reserve = Vec::<u8>::new();
        let hired = (0..threads).take_while(|thread| {
            if reserve.try_reserve_exact(FIRST_NEEDS + thread * OTHERS_NEED).is_err() {
                return false;
            }
            let waiting = waiting.clone();
            let days = move || {
                while let Some((source, mut saying)) = next(&waiting) {
                    work.work(&source, 1, &mut saying);
                }
            };
            thread::Builder::new().spawn_scoped(scope, days).is_ok()
        });
        let hired = hired.count();
        if hired == 0 {
            return Err(tell);
        }
        let output_order = Arc::new(OutputOrder::new(HELD * hired));
        let ends = Ends(output_order.clone());
        let (hand_over, taken_over) = mpsc::sync_channel(1);
        let teller = move || match taken_over.recv() {
            Ok(tell) => tell_all(told, &ends.0, tell),
            // Nobody is told anything.
            Err(_) => Err(RunError::new(Name::Stdout, "nobody tells what comes of the inputs")),
        };
        match thread::Builder::new().spawn_scoped(scope, teller) {
            Ok(teller) => {
                hand_over.send(tell).ok();
                Ok(Self { jobs, in_order, output_order, teller, count: 0, files: VecDeque::new() })
            }
            Err(_) => Err(tell),
        }
    }

    /// Whether the same file is being worked on.
    fn is_at(&mut self, source: &Result<Source, RunError>) -> bool {
        let turn = self.output_order.turn();
        self.files.retain(|(number, _)| *number >= turn);
        let file = source.as_ref().ok().and_then(Source::identity);
        file.is_some_and(|file| self.files.iter().any(|(_, other)| *other == file))
    }

    /// Hands out an input.
    fn take(&mut self, source: Result<Source, RunError>) -> Result<(), RunError> {
        let name = match &source {
            Ok(source) => source.name.clone(),
            Err(trouble) => trouble.name.clone(),
        };
        let (to, all) = mpsc::sync_channel(WAITING);
        // Of what is no file nobody knows when there is more of it.
        let is_file = source.as_ref().is_ok_and(|source| source.size().is_some());
        let mut saying = ChannelSink {
            name: name.clone(),
            to,
            output_order: self.output_order.clone(),
            number: self.count,
            batch: Vec::new(),
            bytes: 0,
            most: if is_file { (BATCH, PIECE) } else { (1, 1) },
        };
        if self.in_order.send((name.clone(), all)).is_err() {
            return Err(RunError::new(name, "nobody tells what comes of it"));
        }
        match source {
            Err(trouble) => drop(saying.say(Event::RunError(trouble))),
            Ok(source) => {
                self.files.extend(source.identity().map(|file| (self.count, file)));
                let is_short = source.size().is_some_and(|size| size < MAPPED);
                self.jobs.send((if is_short { source.unmapped() } else { source }, saying)).ok();
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Waits until all is told.
    fn finish(self) -> Result<&'e mut dyn EventHandler, RunError> {
        drop((self.jobs, self.in_order));
        self.teller.join().unwrap_or_else(|reason| panic::resume_unwind(reason))
    }
}

/// The next input, as long as there are any.
fn next(waiting: &Mutex<Receiver<Job>>) -> Option<Job> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// When nobody tells any more, however that came, nobody waits.
struct Ends(Arc<OutputOrder>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Tells what comes of one input after the other.
fn tell_all<'e>(
    in_order: Receiver<Turn>,
    output_order: &OutputOrder,
    tell: &'e mut dyn EventHandler,
) -> Result<&'e mut dyn EventHandler, RunError> {
    for (name, all) in in_order {
        for said in all.into_iter().flatten() {
            match said {
                Message::Event(told) => tell.tell(&name, told)?,
                Message::Bytes(bytes) => {
                    tell.write(&bytes)?;
                    output_order.free(bytes);
                }
            }
        }
        output_order.next();
    }
    Ok(tell)
}

/// What is said of an input, until it is sent.
struct ChannelSink {
    name: Name,
    to: SyncSender<Vec<Message>>,
    output_order: Arc<OutputOrder>,
    number: u64,
    batch: Vec<Message>,
    /// Bytes of output in the batch.
    bytes: usize,
    /// What is sent at the latest, in numbers and in bytes.
    most: (usize, usize),
}

impl EventSink for ChannelSink {
    fn say(&mut self, told: Event) -> ControlFlow<()> {
        // How much of an input has been read is not known before its turn.
        self.batch.push(Message::Event(if let Event::Opened(_) = told { Event::Opened(None) } else { told }));
        if self.batch.len() < self.most.0 { ControlFlow::Continue(()) } else { self.send() }
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PIECE - self.bytes));
            if let Some(Message::Bytes(last)) = self.batch.last_mut() {
                last.extend_from_slice(now);
            } else {
                let Some(mut first) = self.output_order.memory(self.number, PIECE) else {
                    self.batch.push(Message::Event(Event::RunError(RunError::new(self.name.clone(), OUT_OF_MEMORY))));
                    return ControlFlow::Break(());
                };
                first.extend_from_slice(now);
                self.batch.push(Message::Bytes(first));
            }
            self.bytes += now.len();
            if self.bytes >= self.most.1 {
                self.send()?;
            }
            rest = later;
        }
        ControlFlow::Continue(())
    }
}

impl ChannelSink {
    fn send(&mut self) -> ControlFlow<()> {
        if self.bytes > 0 {
            self.output_order.hold(self.number, mem::take(&mut self.bytes));
        }
        let sent = self.to.send(mem::take(&mut self.batch));
        if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Drop for ChannelSink {
    fn drop(&mut self) {
        // Who does not listen any more misses nothing.
        if !self.batch.is_empty() {
            let _ = self.send();
        }
    }
}
