//! Threads are started so that they leave enough memory for the work itself.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::io;
use std::sync::mpsc;
use std::sync::mpsc::Sender;

/// Starts threads as long as there is enough address space for them, so that they leave enough of it for the work itself.
///
/// The allocator of glibc takes address space for each thread when the thread first allocates. If there is enough for all threads, it
/// is reserved until all have been started. Otherwise each thread allocates before the next one is started.
pub(crate) struct ThreadStarter {
    /// A single allocation that is never touched. It temporarily takes address space but no physical memory.
    reserve: Vec<u8>,
    started: usize,
}

impl ThreadStarter {
    /// Bytes for the first thread. An allocation of this size is returned to the system as a whole when it is freed. 128 MiB of it
    /// are address space that the allocator of glibc takes for a moment when a thread first allocates.
    const FIRST: usize = 168 << 20;

    /// Bytes for each additional thread.
    const MORE: usize = 8 << 20;

    /// What the allocator of glibc keeps for each thread.
    const ARENA: usize = 64 << 20;

    /// Prepares to start up to `count` threads.
    pub(crate) fn new(count: usize) -> Self {
        let mut reserve = Vec::new();
        // If this fails, the threads are started one after the other.
        reserve.try_reserve_exact(count.saturating_mul(Self::MORE + Self::ARENA).saturating_add(Self::FIRST)).ok();
        Self { reserve, started: 0 }
    }

    /// Starts a thread with `spawn`, if there is enough memory. The thread must begin with [`Begin::signal`].
    pub(crate) fn start(&mut self, spawn: impl FnOnce(Begin) -> io::Result<()>) -> io::Result<()> {
        let (begin, begun) = mpsc::channel();
        let is_reserved = self.reserve.capacity() > 0;
        if !is_reserved {
            self.started += 1;
            let mut free = Vec::<u8>::new();
            free.try_reserve_exact(Self::FIRST + self.started * Self::MORE)?;
            // Without this, the compiler may remove the allocation.
            drop(black_box(free));
        }
        spawn(Begin(begin))?;
        if !is_reserved {
            // Nothing is sent, but this returns when the other end is dropped.
            begun.recv().ok();
        }
        Ok(())
    }
}

/// Tells the [`ThreadStarter`] that a thread has begun.
pub(crate) struct Begin(Sender<()>);

impl Begin {
    /// Allocates in the current thread and signals it.
    pub(crate) fn signal(self) {
        let Self(sender) = self;
        drop(black_box(Vec::<u8>::with_capacity(1)));
        drop(sender);
    }
}
