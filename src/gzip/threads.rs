//! Threads that compress blocks, which come back in the order in which they were handed out.

#![forbid(unsafe_code)]

use crate::gzip::block::Block;
use crate::gzip::block::compress;
use crate::memory::Reserve;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::Sender;
use std::sync::mpsc::channel;
use std::thread;

/// A block, and to whom it goes back.
type Job = (Block, Sender<io::Result<Block>>);

/// Threads, whatever is asked for.
const MOST: usize = 1024;

pub(super) struct Threads {
    jobs: Sender<Job>,
    /// The blocks that are out.
    results: VecDeque<Receiver<io::Result<Block>>>,
    most: usize,
}

impl Threads {
    /// A team of up to so many threads; nothing if the system gives none. The threads end when the team is dropped.
    pub(super) fn start(threads: usize, level: u8) -> Option<Self> {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let mut reserve = Reserve::default();
        let hired = (0..threads.min(MOST)).take_while(|_| {
            let queue = Arc::clone(&queue);
            reserve.add() && thread::Builder::new().name("gzip".to_owned()).spawn(move || work(&queue, level)).is_ok()
        });
        let hired = hired.count();
        // One block for each thread is in work, and one waits for it.
        (hired > 0).then(|| Self { jobs, results: VecDeque::new(), most: 2 * hired })
    }

    /// Whether every thread has enough to do.
    pub(super) fn is_busy(&self) -> bool {
        self.results.len() >= self.most
    }

    pub(super) fn hand_out(&mut self, block: Block) -> io::Result<()> {
        let (sender, result) = channel();
        self.jobs.send((block, sender)).map_err(|_| gone())?;
        self.results.push_back(result);
        Ok(())
    }

    /// The block that was handed out first; waits for it. Nothing if none is out.
    pub(super) fn take_back(&mut self) -> Option<io::Result<Block>> {
        let result = self.results.pop_front()?;
        Some(result.recv().unwrap_or_else(|_| Err(gone())))
    }
}

fn gone() -> io::Error {
    io::Error::other("a thread that compresses is gone")
}

fn work(queue: &Mutex<Receiver<Job>>, level: u8) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((mut block, result)) = job else { return };
        let compressed = compress(&mut block, level);
        // Whoever does not want it any more has gone.
        result.send(compressed.map(|()| block)).ok();
    }
}
