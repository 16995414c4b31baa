//! Several threads on the chunks of one document, and the one that joins what they have read.
//!
//! All threads take chunks from one desk, so that nobody waits as long as there is one. The caller's thread joins them in their
//! order, and alone touches input and output; between that it reads chunks like the others. At most so many chunks are
//! between having been taken and having been joined that memory stays within a few chunks per thread.

#![forbid(unsafe_code)]

use std::collections::VecDeque;
use std::mem;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;

use rayon::ThreadPool;
use rayon::ThreadPoolBuilder;

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Nesting;
use crate::grammar::Skim;
use crate::grammar::Skimmed;
use crate::grammar::Surroundings;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Divisible;
use crate::parallel::Maker;
use crate::parallel::chunk::Chunk;
use crate::parallel::chunk::Piece;
use crate::parallel::chunk::Start;
use crate::parallel::lines::Lines;
use crate::walk::Ahead;
use crate::walk::Behind;
use crate::walk::Passed;

/// Windows in a chunk. With 256 KiB in a window: chunks of half of that cost 3 % more, twice as long ones gain nothing and
/// take more memory.
const WINDOWS: usize = 2;

/// Chunks that are worth a pool: to start it takes about as long as to read two of them.
const LEAST: usize = 6;

/// Chunks for each thread that may be given out and not joined: enough that nobody waits for a slow one.
const AHEAD: usize = 4;

/// The threads that go ahead of a walk.
pub(super) struct Team<'o> {
    options: &'o Options,
    /// Started when there is work for it.
    pool: Option<ThreadPool>,
    /// Nobody goes ahead from in front of this place.
    due: u64,
    /// Chunks that the walk is left alone for when the team came upon something it leaves to the walk.
    patience: u64,
    lines: Lines,
}

impl<'o> Team<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Self { options, pool: None, due: 0, patience: 1, lines: Lines::default() }
    }
}

/// How many threads there are to be, the caller's among them.
pub(super) fn threads(options: &Options) -> usize {
    match options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// Starts threads. Nothing if there are to be none, or the system has none to give.
pub(super) fn start(count: usize) -> Option<ThreadPool> {
    let builder = ThreadPoolBuilder::new().num_threads(count).thread_name(|_| "fjson".to_owned());
    if count > 0 { builder.build().ok() } else { None }
}

/// As many threads as the options allow, if that is more than one.
pub(crate) fn pool(options: &Options) -> Option<ThreadPool> {
    Some(threads(options)).filter(|&count| count > 1).and_then(start)
}

impl<C: Divisible> Ahead<C> for Team<'_> {
    fn go(
        &mut self,
        input: &Input<'_>,
        from: Behind,
        nesting: &mut Nesting,
        consumer: &mut C,
    ) -> Result<Option<Behind>, Error> {
        if from.offset < self.due || self.options.framing != Framing::Document {
            return Ok(None);
        }
        let size = self.options.window.saturating_mul(WINDOWS).max(1);
        let text = &input.bytes()[index_of(input, from.offset)..];
        // The rest, which is shorter than a chunk, is the walk's.
        let count = text.len() / size;
        if count < LEAST || !input.at_end() {
            self.due = u64::MAX;
            return Ok(None);
        }
        if self.pool.is_none() {
            self.pool = start(threads(self.options).saturating_sub(1));
        }
        let Some(pool) = &self.pool else {
            self.due = u64::MAX;
            return Ok(None);
        };
        let document = Document { text, size, count, options: self.options, maker: consumer.maker() };
        let mut join = Join::new(document, input, from, nesting, consumer);
        let others = pool.current_num_threads();
        let desk = Desk::new(Work::new(document, AHEAD * (others + 1), join.level()));
        let done = pool.in_place_scope(|scope| {
            for _ in 0..others {
                scope.spawn(|_| desk.help());
            }
            let _closing = Closing(&desk);
            desk.join(&mut join)
        })?;
        let there = join.place();
        self.due = u64::MAX;
        if !done {
            self.due = there.offset + (self.patience * size as u64);
            self.patience *= 2;
        }
        Ok((there.offset > from.offset).then_some(there))
    }

    fn pass_lines(&mut self, input: &Input<'_>, from: u64, consumer: &mut C) -> Result<Option<Passed>, Error> {
        self.lines.pass(self.options, input, from, consumer)
    }
}

/// Chunks of a document, cut at multiples of `size`.
#[derive(Clone, Copy)]
pub(super) struct Document<'t, M> {
    pub(super) text: &'t [u8],
    pub(super) size: usize,
    pub(super) count: usize,
    pub(super) options: &'t Options,
    pub(super) maker: M,
}

impl<'t, M: Maker> Document<'t, M> {
    /// The chunk of this number, which begins behind a comma that is to be found; perhaps it is known what surrounds its cut.
    pub(super) fn chunk(self, number: usize, around: Option<Surroundings>, memory: Vec<u8>) -> Chunk<'t, M> {
        let start = match number {
            0 => Start::Here(0, around.unwrap_or_default().level),
            _ => Start::Near(self.cut(number), around),
        };
        self.chunk_from(start, number, memory)
    }

    fn chunk_from(self, start: Start, number: usize, memory: Vec<u8>) -> Chunk<'t, M> {
        let Self { text, options, maker, .. } = self;
        Chunk { text, start, end: self.end(number), options, maker, memory }
    }

    /// What a backslash escapes is not known without what is in front of it, so a cut lies behind all of them.
    fn cut(self, number: usize) -> usize {
        let cut = number * self.size;
        let before = self.text[cut - 1..self.end(number)].iter();
        cut + before.take_while(|&&byte| byte == b'\\').count()
    }

    /// The text between this cut and the next.
    fn stretch(self, number: usize) -> &'t [u8] {
        let start = if number == 0 { 0 } else { self.cut(number) };
        &self.text[start..self.cut(number + 1)]
    }

    /// The chunk ends behind the first comma from here on.
    fn end(self, number: usize) -> usize {
        (number + 1) * self.size
    }
}

/// What the caller's thread does with the pieces.
pub(super) struct Join<'j, 't, C: Divisible> {
    document: Document<'t, C::Maker>,
    input: &'t Input<'t>,
    from: Behind,
    /// So far all is proven and has been taken by the consumer.
    at: usize,
    object: bool,
    nesting: &'j mut Nesting,
    consumer: &'j mut C,
    /// Memory of pieces that have been joined.
    spare: Vec<Vec<u8>>,
}

impl<'j, 't, C: Divisible> Join<'j, 't, C> {
    pub(super) fn new(
        document: Document<'t, C::Maker>,
        input: &'t Input<'t>,
        from: Behind,
        nesting: &'j mut Nesting,
        consumer: &'j mut C,
    ) -> Self {
        Self { document, input, from, at: 0, object: from.object, nesting, consumer, spare: Vec::new() }
    }

    pub(super) fn place(&self) -> Behind {
        Behind { offset: self.from.offset + self.at as u64, object: self.object }
    }

    /// Containers that are open.
    fn level(&self) -> i64 {
        self.nesting.depth().try_into().unwrap_or(i64::MAX)
    }

    /// Joins the next piece. False if the walk must go on here.
    pub(super) fn next(&mut self, number: usize, piece: Option<Piece>) -> Result<bool, Error> {
        if self.at > self.document.end(number) {
            // The chunk before it has gone on to here without meeting a comma.
            self.spare.extend(piece.map(|piece| piece.memory));
            return Ok(true);
        }
        let level = self.level();
        let piece = match piece {
            Some(piece) if piece.start == self.at && (piece.level == level || !C::Maker::LEVELS) => Some(piece),
            // It took the inside of a string for the outside, or what is in front of it is not valid.
            wrong => {
                let memory = wrong.map(|piece| piece.memory).unwrap_or_default();
                self.document.chunk_from(Start::Here(self.at, level), number, memory).read()
            }
        };
        let Some(piece) = piece else { return Ok(false) };
        let Some(object) = self.nesting.join(self.object, &piece.fragment) else { return Ok(false) };
        self.at = piece.end;
        self.object = object;
        let level = self.level();
        self.consumer.join(&piece.memory[..piece.filled], level)?;
        self.input.release(self.from.offset + piece.end as u64);
        self.spare.push(piece.memory);
        Ok(true)
    }
}

/// What a thread may be asked to do.
enum Job<'t, M: Maker> {
    Skim(Isa, &'t [u8]),
    Read(Chunk<'t, M>),
}

/// What came of a chunk: a piece, or nothing of use.
struct Outcome(Option<Piece>);

/// What comes of a job.
enum Done {
    Skimmed(Skimmed),
    Read(Outcome),
}

impl<M: Maker> Job<'_, M> {
    fn run(self) -> Done {
        match self {
            Self::Skim(isa, text) => Done::Skimmed(isa.run(Skim(text))),
            Self::Read(chunk) => Done::Read(Outcome(chunk.read())),
        }
    }
}

/// What has been given out, and what has come back.
struct Work<'t, M: Maker> {
    document: Document<'t, M>,
    /// Chunks that may be given out and not joined.
    ahead: usize,
    joined: usize,
    given: usize,
    skims: usize,
    /// From the first one that is not joined: what was given out, and what came of it.
    pieces: VecDeque<Option<Outcome>>,
    /// From the first cut whose surroundings are not known: what was skimmed in front of it.
    skimmed: VecDeque<Option<Skimmed>>,
    /// What surrounds the cuts, as far as that is known, if the maker needs it.
    around: Vec<Surroundings>,
    /// Memory of pieces that have been joined.
    spare: Vec<Vec<u8>>,
    /// Nobody needs any more.
    over: bool,
}

impl<'t, M: Maker> Work<'t, M> {
    fn new(document: Document<'t, M>, ahead: usize, level: i64) -> Self {
        Self {
            document,
            ahead,
            joined: 0,
            given: 0,
            skims: 0,
            pieces: VecDeque::new(),
            skimmed: VecDeque::new(),
            around: vec![Surroundings { in_string: false, level }],
            spare: Vec::new(),
            over: false,
        }
    }

    /// The next thing to do, unless there is nothing before something has come back.
    fn next(&mut self) -> Option<(usize, Job<'t, M>)> {
        let Document { count, options, .. } = self.document;
        if M::LEVELS && self.skims + 1 < count && self.skims < self.given + self.ahead {
            let job = Job::Skim(options.isa, self.document.stretch(self.skims));
            self.skims += 1;
            self.skimmed.push_back(None);
            return Some((self.skims - 1, job));
        }
        let around = self.around.get(self.given);
        if self.given == count || self.given == self.joined + self.ahead || M::LEVELS && around.is_none() {
            return None;
        }
        let memory = self.spare.pop().unwrap_or_default();
        let job = Job::Read(self.document.chunk(self.given, around.copied().filter(|_| M::LEVELS), memory));
        self.given += 1;
        self.pieces.push_back(None);
        Some((self.given - 1, job))
    }

    fn came_back(&mut self, number: usize, done: Done) {
        match done {
            Done::Read(piece) => self.pieces[number - self.joined] = Some(piece),
            Done::Skimmed(skimmed) => {
                let known = self.around.len() - 1;
                self.skimmed[number - known] = Some(skimmed);
                while let (Some(&last), Some(&Some(skimmed))) = (self.around.last(), self.skimmed.front()) {
                    self.around.push(skimmed.behind(last));
                    self.skimmed.pop_front();
                }
            }
        }
    }

    /// The next piece, once it has come back.
    fn piece(&mut self) -> Option<Outcome> {
        let piece = self.pieces.front_mut()?.take()?;
        self.pieces.pop_front();
        self.joined += 1;
        Some(piece)
    }
}

/// Where the threads meet.
struct Desk<'t, M: Maker> {
    work: Mutex<Work<'t, M>>,
    /// Something has come back, or may be given out.
    news: Condvar,
}

impl<'t, M: Maker> Desk<'t, M> {
    fn new(work: Work<'t, M>) -> Self {
        Self { work: Mutex::new(work), news: Condvar::new() }
    }

    fn work(&self) -> MutexGuard<'_, Work<'t, M>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'d>(&self, work: MutexGuard<'d, Work<'t, M>>) -> MutexGuard<'d, Work<'t, M>> {
        self.news.wait(work).unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does: one thing after the other, until all has been given out.
    fn help(&self) {
        let mut work = self.work();
        while !work.over && work.given < work.document.count {
            work = match work.next() {
                Some((number, job)) => self.see_to(work, number, job),
                None => self.wait(work),
            };
        }
    }

    /// Does a job, while the others go on.
    fn see_to<'d>(
        &'d self,
        work: MutexGuard<'d, Work<'t, M>>,
        number: usize,
        job: Job<'t, M>,
    ) -> MutexGuard<'d, Work<'t, M>> {
        drop(work);
        let closing = Closing(self);
        let done = job.run();
        mem::forget(closing);
        let mut work = self.work();
        work.came_back(number, done);
        self.news.notify_all();
        work
    }

    /// Has all chunks read and joins them. False if the walk must go on at the place that was reached.
    fn join<C: Divisible<Maker = M>>(&self, join: &mut Join<'_, 't, C>) -> Result<bool, Error> {
        let mut work = self.work();
        while !work.over && work.joined < work.document.count {
            if let Some(Outcome(piece)) = work.piece() {
                let number = work.joined - 1;
                drop(work);
                let goes_on = join.next(number, piece)?;
                work = self.work();
                work.spare.append(&mut join.spare);
                work.over |= !goes_on;
                self.news.notify_all();
            } else if let Some((number, job)) = work.next() {
                work = self.see_to(work, number, job);
            } else {
                work = self.wait(work);
            }
        }
        Ok(!work.over)
    }
}

/// Closes the desk when its thread is through or panics: nobody shall wait for it forever.
struct Closing<'d, 't, M: Maker>(&'d Desk<'t, M>);

impl<M: Maker> Drop for Closing<'_, '_, M> {
    fn drop(&mut self) {
        self.0.work().over = true;
        self.0.news.notify_all();
    }
}
