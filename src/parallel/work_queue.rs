//! Where threads meet: one desk from which all of them take what is next, so that nobody waits as long as there is something.
//!
//! The caller's thread joins what has come back, in its order, and alone touches input and output; between that it works
//! like the others. Who keeps the list of what is to be done sees to it that little is between having been taken and having
//! been joined, so memory stays bounded.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::mem;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use rayon::ThreadPool;

use crate::error::Error;

/// What is to be done and what came of it. All but `run` happens at the desk, one thread at a time.
pub(super) trait OrderedWork: Send {
    type Job: Send;
    type Done;
    type Piece;

    /// The next thing to do, unless there is nothing before something has come back or been joined.
    fn next(&mut self) -> Option<Self::Job>;

    /// Whether all has been given out.
    fn is_handed_out(&self) -> bool;

    fn run(job: Self::Job) -> Self::Done;

    fn complete(&mut self, done: Self::Done);

    /// The next piece to be joined, once it has come back.
    fn piece(&mut self) -> Option<Self::Piece>;

    /// Whether there is no more to be joined.
    fn is_finished(&self) -> bool;

    /// Memory that may be used again.
    fn spare(&mut self) -> &mut Vec<Vec<u8>>;
}

/// Has all work done by the threads of the pool and this one, which joins the pieces until `join` says that it is enough;
/// what it leaves in its second argument is memory to be used again. False if it was enough before the end.
pub(super) fn run_in_order<W: OrderedWork>(
    pool: &ThreadPool,
    work: W,
    mut join: impl FnMut(W::Piece, &mut Vec<Vec<u8>>) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let work_queue = WorkQueue { state: Mutex::new(State { work, over: false }), changed: Condvar::new() };
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            scope.spawn(|_| work_queue.work_until_done());
        }
        let _closing = CloseOnDrop(&work_queue);
        let mut spare = Vec::new();
        let mut state = work_queue.state();
        while !state.over && !state.work.is_finished() {
            if let Some(piece) = state.work.piece() {
                drop(state);
                let goes_on = join(piece, &mut spare)?;
                state = work_queue.state();
                state.work.spare().append(&mut spare);
                state.over |= !goes_on;
                work_queue.changed.notify_all();
            } else if let Some(job) = state.work.next() {
                state = work_queue.run_job(state, job);
            } else if !state.work.is_finished() {
                state = work_queue.wait(state);
            }
        }
        Ok(!state.over)
    })
}

struct WorkQueue<W> {
    state: Mutex<State<W>>,
    /// Something has come back, or may be given out.
    changed: Condvar,
}

struct State<W> {
    work: W,
    /// Nobody needs any more.
    over: bool,
}

impl<W: OrderedWork> WorkQueue<W> {
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, state: MutexGuard<'d, State<W>>) -> MutexGuard<'d, State<W>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: one thing after the other, until all has been given out.
    fn work_until_done(&self) {
        let mut state = self.state();
        while !state.over && !state.work.is_handed_out() {
            state = match state.work.next() {
                Some(job) => self.run_job(state, job),
                None if state.work.is_handed_out() => break,
                None => self.wait(state),
            };
        }
    }

    /// Does a job, while the others go on.
    fn run_job<'d>(&'d self, state: MutexGuard<'d, State<W>>, job: W::Job) -> MutexGuard<'d, State<W>> {
        drop(state);
        let closing = CloseOnDrop(self);
        let done = W::run(job);
        mem::forget(closing);
        let mut state = self.state();
        state.work.complete(done);
        self.changed.notify_all();
        state
    }
}

/// Closes the desk when the joining ends or a job panics: nobody shall wait forever.
struct CloseOnDrop<'d, W: OrderedWork>(&'d WorkQueue<W>);

impl<W: OrderedWork> Drop for CloseOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.changed.notify_all();
    }
}

/// What was given out, in its order, and what has come back of it.
pub(super) struct InOrder<T> {
    /// How many have been taken.
    taken: usize,
    waiting: VecDeque<Option<T>>,
}

impl<T> InOrder<T> {
    pub(super) fn new() -> Self {
        Self { taken: 0, waiting: VecDeque::new() }
    }

    /// How many were given out and not taken.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// How many were given out.
    pub(super) fn issued(&self) -> usize {
        self.taken + self.waiting.len()
    }

    /// Gives out the next one; its number.
    pub(super) fn issue(&mut self) -> usize {
        self.waiting.push_back(None);
        self.issued() - 1
    }

    /// This one has come back.
    pub(super) fn put(&mut self, number: usize, thing: T) {
        self.waiting[number - self.taken] = Some(thing);
    }

    /// Takes the next one, if it has come back, and its number.
    pub(super) fn take(&mut self) -> Option<(usize, T)> {
        let thing = self.waiting.front_mut()?.take()?;
        self.waiting.pop_front();
        self.taken += 1;
        Some((self.taken - 1, thing))
    }
}
