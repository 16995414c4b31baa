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
pub(super) trait Work: Send {
    type Job: Send;
    type Done;
    type Piece;

    /// The next thing to do, unless there is nothing before something has come back or been joined.
    fn next(&mut self) -> Option<Self::Job>;

    /// Whether all has been given out.
    fn is_given(&self) -> bool;

    fn run(job: Self::Job) -> Self::Done;

    fn came_back(&mut self, done: Self::Done);

    /// The next piece to be joined, once it has come back.
    fn piece(&mut self) -> Option<Self::Piece>;

    /// Whether there is no more to be joined.
    fn is_joined(&self) -> bool;

    /// Memory that may be used again.
    fn spare(&mut self) -> &mut Vec<Vec<u8>>;
}

/// Has all work done by the threads of the pool and this one, which joins the pieces until `join` says that it is enough;
/// what it leaves in its second argument is memory to be used again. False if it was enough before the end.
pub(super) fn together<W: Work>(
    pool: &ThreadPool,
    work: W,
    mut join: impl FnMut(W::Piece, &mut Vec<Vec<u8>>) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let desk = Desk { state: Mutex::new(State { work, over: false }), news: Condvar::new() };
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            scope.spawn(|_| desk.help());
        }
        let _closing = Closing(&desk);
        let mut spare = Vec::new();
        let mut state = desk.state();
        while !state.over && !state.work.is_joined() {
            if let Some(piece) = state.work.piece() {
                drop(state);
                let goes_on = join(piece, &mut spare)?;
                state = desk.state();
                state.work.spare().append(&mut spare);
                state.over |= !goes_on;
                desk.news.notify_all();
            } else if let Some(job) = state.work.next() {
                state = desk.see_to(state, job);
            } else if !state.work.is_joined() {
                state = desk.wait(state);
            }
        }
        Ok(!state.over)
    })
}

struct Desk<W> {
    state: Mutex<State<W>>,
    /// Something has come back, or may be given out.
    news: Condvar,
}

struct State<W> {
    work: W,
    /// Nobody needs any more.
    over: bool,
}

impl<W: Work> Desk<W> {
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, state: MutexGuard<'d, State<W>>) -> MutexGuard<'d, State<W>> {
        self.news.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: one thing after the other, until all has been given out.
    fn help(&self) {
        let mut state = self.state();
        while !state.over && !state.work.is_given() {
            state = match state.work.next() {
                Some(job) => self.see_to(state, job),
                None if state.work.is_given() => break,
                None => self.wait(state),
            };
        }
    }

    /// Does a job, while the others go on.
    fn see_to<'d>(&'d self, state: MutexGuard<'d, State<W>>, job: W::Job) -> MutexGuard<'d, State<W>> {
        drop(state);
        let closing = Closing(self);
        let done = W::run(job);
        mem::forget(closing);
        let mut state = self.state();
        state.work.came_back(done);
        self.news.notify_all();
        state
    }
}

/// Closes the desk when the joining ends or a job panics: nobody shall wait forever.
struct Closing<'d, W: Work>(&'d Desk<W>);

impl<W: Work> Drop for Closing<'_, W> {
    fn drop(&mut self) {
        self.0.state().over = true;
        self.0.news.notify_all();
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
    pub(super) fn given(&self) -> usize {
        self.taken + self.waiting.len()
    }

    /// Gives out the next one; its number.
    pub(super) fn give(&mut self) -> usize {
        self.waiting.push_back(None);
        self.given() - 1
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
