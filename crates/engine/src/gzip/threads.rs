//! Threads that compress blocks. The results are returned in the order of submission.

#![forbid(unsafe_code)]

use crate::gzip::block::Block;
use crate::gzip::block::compress;
use crate::memory::Begin;
use crate::memory::ThreadStarter;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::sync::mpsc::channel;
use std::thread;

/// A block, and where to send the result.
type Job = (Block, Sender<io::Result<Block>>);

pub(super) struct Threads {
    jobs: Sender<Job>,
    /// The results of the submitted blocks.
    results: VecDeque<Receiver<io::Result<Block>>>,
    max_submitted: usize,
}

impl Threads {
    /// Starts up to `threads` threads. Returns `None` if none can be started. They end when `Threads` is dropped.
    pub(super) fn start(threads: usize, level: u8) -> Option<Self> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut starter = ThreadStarter::new(threads);
        let started = (0..threads).take_while(|_| {
            let queue = Arc::clone(&queue);
            let spawn = |begin: Begin| {
                let work = move || {
                    begin.signal();
                    work(&queue, level);
                };
                thread::Builder::new().name("gzip".to_owned()).spawn(work).map(drop)
            };
            starter.start(spawn).is_ok()
        });
        let started = started.count();
        // One block per thread is being compressed, and one waits for it.
        (started > 0).then(|| Self { jobs, results: VecDeque::new(), max_submitted: 2 * started })
    }

    /// Whether every thread has enough to do.
    pub(super) fn is_busy(&self) -> bool {
        self.results.len() >= self.max_submitted
    }

    pub(super) fn submit(&mut self, block: Block) -> io::Result<()> {
        let (sender, result) = channel();
        self.jobs.send((block, sender)).map_err(|_| thread_ended())?;
        self.results.push_back(result);
        Ok(())
    }

    /// Waits for the block that was submitted first and returns it. `None` if there is none.
    pub(super) fn next_result(&mut self) -> Option<io::Result<Block>> {
        let result = self.results.pop_front()?;
        Some(result.recv().unwrap_or_else(|_| Err(thread_ended())))
    }
}

fn thread_ended() -> io::Error {
    io::Error::other("a thread that compresses is gone")
}

fn work(queue: &Mutex<Receiver<Job>>, level: u8) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((mut block, result)) = job else { return };
        let compressed = compress(&mut block, level);
        // Sending fails if the writer has been dropped; then the result is not needed.
        result.send(compressed.map(|()| block)).ok();
    }
}
