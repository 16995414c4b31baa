//! A work queue with results in order: threads take the next job as long as there is one.
//!
//! The caller's thread joins the results in order and is the only one that touches input and output; in between it
//! takes jobs like the others. The [`OrderedWork`] limits how many jobs are issued and not joined, so memory stays
//! bounded.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::mem;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use crate::error::Error;
use crate::parallel::pool::Pool;

/// The jobs and their results. All methods except `run` are called with the queue locked.
pub(crate) trait OrderedWork: Send {
    type Job: Send;
    type Done;
    type Output;
    /// What a result leaves for reuse by a later job.
    type Memory;

    /// Returns the next job, or `None` if there is none until a result has been completed or joined.
    fn next(&mut self) -> Option<Self::Job>;

    /// Whether all jobs have been issued.
    fn is_all_issued(&self) -> bool;

    fn run(job: Self::Job) -> Self::Done;

    fn complete(&mut self, done: Self::Done);

    /// Returns the next result to join, if it is complete.
    fn take_output(&mut self) -> Option<Self::Output>;

    /// Whether all results have been joined.
    fn is_finished(&self) -> bool;

    /// Returns the list of memory for reuse.
    fn spare(&mut self) -> &mut Vec<Self::Memory>;
}

/// Does all work with the threads of the pool and the current one. The current thread calls `join` with each result in
/// order, until it returns false. Memory that `join` appends to its second argument is reused. Returns whether all work
/// was done.
pub(super) fn run_in_order<W: OrderedWork>(
    pool: &Pool,
    work: W,
    mut join: impl FnMut(W::Output, &mut Vec<W::Memory>) -> Result<bool, Error>,
) -> Result<bool, Error> {
    with_workers(pool, work, |queue| {
        let mut spare = Vec::new();
        while let Some(output) = queue.next_output(&mut spare) {
            // mutant: if !join(output, &mut spare)? && false {
            if !join(output, &mut spare)? {
                return Ok(false);
            }
        }
        Ok(!queue.state().is_stopped)
    })
}

/// Runs `main` on the current thread while the threads of the pool do the work, until `main` returns.
pub(crate) fn with_workers<W: OrderedWork, T>(pool: &Pool, work: W, main: impl FnOnce(&WorkQueue<W>) -> T) -> T {
    let work_queue = WorkQueue { state: Mutex::new(State { work, is_stopped: false }), changed: Condvar::new() };
    let main = || {
        let _stop_on_drop = StopOnDrop(&work_queue);
        main(&work_queue)
    };
    pool.run(|| work_queue.work_until_done(), main)
}

pub(crate) struct WorkQueue<W> {
    state: Mutex<State<W>>,
    /// Signalled when a result is complete, when more jobs may be available, and when the work stops.
    changed: Condvar,
}

struct State<W> {
    work: W,
    /// Whether the work has stopped early.
    is_stopped: bool,
}

impl<W: OrderedWork> WorkQueue<W> {
    /// Returns the next result in order. Until it is complete, the current thread does other jobs. Returns `None` if all results have
    /// been joined, or if the work has stopped. The memory in `spare` is reused.
    pub(crate) fn next_output(&self, spare: &mut Vec<W::Memory>) -> Option<W::Output> {
        let mut state = self.state();
        state.work.spare().append(spare);
        // The last result has been joined, so there may be more jobs.
        self.changed.notify_all();
        while !state.is_stopped && !state.work.is_finished() {
            if let Some(output) = state.work.take_output() {
                return Some(output);
            }
            state = match state.work.next() {
                Some(job) => self.run_job(state, job),
                None if state.work.is_finished() => break,
                None => self.wait(state),
            };
        }
        None
    }

    /// Changes the work.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut W) -> T) -> T {
        let result = change(&mut self.state().work);
        self.changed.notify_all();
        result
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, state: MutexGuard<'d, State<W>>) -> MutexGuard<'d, State<W>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one job after another until all have been issued.
    fn work_until_done(&self) {
        let mut state = self.state();
        while !state.is_stopped && !state.work.is_all_issued() {
            state = match state.work.next() {
                Some(job) => self.run_job(state, job),
                None if state.work.is_all_issued() => break,
                None => self.wait(state),
            };
        }
    }

    /// Runs a job with the queue unlocked.
    fn run_job<'d>(&'d self, state: MutexGuard<'d, State<W>>, job: W::Job) -> MutexGuard<'d, State<W>> {
        drop(state);
        let stop_on_drop = StopOnDrop(self);
        let done = W::run(job);
        mem::forget(stop_on_drop);
        let mut state = self.state();
        state.work.complete(done);
        self.changed.notify_all();
        state
    }
}

/// Stops the work when joining ends or a job panics, so that no thread waits forever.
struct StopOnDrop<'d, W: OrderedWork>(&'d WorkQueue<W>);

impl<W: OrderedWork> Drop for StopOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.state().is_stopped = true;
        self.0.changed.notify_all();
    }
}

/// Numbered results that complete in any order and are taken in order.
pub(crate) struct InOrder<T> {
    /// Number of results taken.
    taken: usize,
    waiting: VecDeque<Option<T>>,
}

impl<T> InOrder<T> {
    pub(crate) fn new() -> Self {
        Self { taken: 0, waiting: VecDeque::new() }
    }

    /// Returns how many numbers are issued whose results have not been taken.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns how many numbers have been issued.
    pub(crate) fn issued(&self) -> usize {
        self.taken + self.waiting.len()
    }

    /// Issues the next number.
    pub(crate) fn issue(&mut self) -> usize {
        self.waiting.push_back(None);
        self.issued() - 1
    }

    /// Stores the result with this number.
    pub(crate) fn put(&mut self, number: usize, thing: T) {
        self.waiting[number - self.taken] = Some(thing);
    }

    /// Takes the next result and its number, if it is complete.
    pub(crate) fn take(&mut self) -> Option<(usize, T)> {
        let thing = self.waiting.front_mut()?.take()?;
        self.waiting.pop_front();
        self.taken += 1;
        Some((self.taken - 1, thing))
    }
}
