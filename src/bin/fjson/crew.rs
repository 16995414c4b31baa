//! Many inputs on several threads, and what is told of them in their order.
//!
//! The first inputs are read one after the other, so that a few small ones never wait for a thread to start. After them the
//! caller's thread opens inputs and hands them out, others read them, and one more tells what came of each when its turn
//! has come. What is told of an input goes through a channel of its own that holds little: whoever is ahead of its turn
//! waits when it is full, so memory is bounded. Inputs are begun in their order, so the one whose turn it is never waits for
//! another.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::exit::Trouble;
use crate::name::Name;
use crate::report::Told;
use crate::source::Source;
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

/// A shorter input is read: threads that map and unmap wait for each other, which costs more than to copy it.
const MAPPED: u64 = 1 << 20;

/// Inputs for each thread that may be open and not yet told.
const AHEAD: usize = 8;

/// What is sent at once of an input, and how much of that may wait for its turn.
const BATCH: usize = 32;
const WAITING: usize = 4;

/// Reads one input on so many threads, and says what comes of it until nobody listens any more.
pub type Work<'w> = &'w (dyn Fn(&Source, usize, Say<'_>) + Sync);

pub type Say<'s> = &'s mut dyn FnMut(Told) -> ControlFlow<()>;

/// Tells what came of an input; an error ends everything.
pub type Tell<'t> = &'t mut (dyn FnMut(&Name, Told) -> Result<(), Trouble> + Send);

/// Has every input worked on, on up to `threads` threads (0: one per processor), and tells what comes of them in their order.
pub fn each(inputs: &Inputs, threads: usize, work: Work<'_>, tell: Tell<'_>) -> Result<(), Trouble> {
    let most = if threads == 0 { thread::available_parallelism().map_or(1, usize::from) } else { threads };
    let (mut count, mut bytes) = (0, 0);
    let mut alone = Some(tell);
    thread::scope(|scope| {
        let mut crew = None;
        let listed = inputs.each(&mut |source| {
            if let Some(tell) = &mut alone {
                let size = source.as_ref().ok().and_then(Source::size).unwrap_or(0);
                if most == 1 || count < FEW && bytes < SHORT || size >= LONG {
                    count += 1;
                    bytes += size;
                    return now(source, threads, work, *tell);
                }
            }
            if let Some(tell) = alone.take() {
                crew = Some(Crew::start(scope, most, work, tell));
            }
            crew.as_ref().map_or(Ok(()), |crew| crew.take(source, threads, work))
        });
        // If the telling failed, that is why the listing was ended.
        crew.map_or(Ok(()), Crew::finish).and(listed)
    })
}

/// Works on an input and tells what comes of it as it comes.
fn now(
    source: Result<Source, Trouble>,
    threads: usize,
    work: Work<'_>,
    tell: &mut dyn FnMut(&Name, Told) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let source = match source {
        Ok(source) => source,
        Err(trouble) => return tell(&trouble.name.clone(), Told::Trouble(trouble)),
    };
    let mut result = tell(&source.name, Told::Opened(source.size()));
    if result.is_ok() {
        work(&source, threads, &mut |told| {
            result = tell(&source.name, told);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    result
}

/// An input, and where to say what comes of it.
type Job = (Source, Saying);

/// Whose turn it is, and what is to be told.
type Turn = (Name, Receiver<Vec<Told>>);

struct Crew<'s> {
    jobs: Sender<Job>,
    turns: SyncSender<Turn>,
    teller: ScopedJoinHandle<'s, Result<(), Trouble>>,
}

impl<'s> Crew<'s> {
    fn start<'e>(scope: &'s Scope<'s, 'e>, threads: usize, work: Work<'e>, tell: Tell<'e>) -> Self {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let (turns, in_order) = mpsc::sync_channel::<Turn>(AHEAD * threads);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = waiting.clone();
            scope.spawn(move || {
                while let Some((source, mut saying)) = next(&waiting) {
                    work(&source, 1, &mut |told| saying.say(told));
                }
            });
        }
        let teller = scope.spawn(move || {
            for (name, all) in in_order {
                for told in all.into_iter().flatten() {
                    tell(&name, told)?;
                }
            }
            Ok(())
        });
        Self { jobs, turns, teller }
    }

    /// Hands out an input. One that is long is worked on at once, by all threads.
    fn take(&self, source: Result<Source, Trouble>, threads: usize, work: Work<'_>) -> Result<(), Trouble> {
        let name = match &source {
            Ok(source) => source.name.clone(),
            Err(trouble) => trouble.name.clone(),
        };
        let (to, all) = mpsc::sync_channel(WAITING);
        // Of what is no file nobody knows when there is more of it.
        let is_file = source.as_ref().is_ok_and(|source| source.size().is_some());
        let mut saying = Saying { to, batch: Vec::new(), most: if is_file { BATCH } else { 1 } };
        if self.turns.send((name.clone(), all)).is_err() {
            return Err(Trouble::new(name, "nobody tells what comes of it"));
        }
        match source {
            Err(trouble) => drop(saying.say(Told::Trouble(trouble))),
            Ok(source) => {
                // How much of it has been read is not known before its turn.
                let _ = saying.say(Told::Opened(None));
                if source.size().is_some_and(|size| size >= LONG) {
                    work(&source, threads, &mut |told| saying.say(told));
                } else {
                    let is_short = source.size().is_some_and(|size| size < MAPPED);
                    self.jobs.send((if is_short { source.unmapped() } else { source }, saying)).ok();
                }
            }
        }
        Ok(())
    }

    /// Waits until all is told.
    fn finish(self) -> Result<(), Trouble> {
        drop((self.jobs, self.turns));
        self.teller.join().unwrap_or_else(|reason| panic::resume_unwind(reason))
    }
}

/// The next input, as long as there are any.
fn next(waiting: &Mutex<Receiver<Job>>) -> Option<Job> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// What is said of an input, until it is sent.
struct Saying {
    to: SyncSender<Vec<Told>>,
    batch: Vec<Told>,
    most: usize,
}

impl Saying {
    fn say(&mut self, told: Told) -> ControlFlow<()> {
        self.batch.push(told);
        if self.batch.len() < self.most { ControlFlow::Continue(()) } else { self.send() }
    }

    fn send(&mut self) -> ControlFlow<()> {
        let sent = self.to.send(mem::take(&mut self.batch));
        if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Drop for Saying {
    fn drop(&mut self) {
        // Who does not listen any more misses nothing.
        let _ = self.send();
    }
}
