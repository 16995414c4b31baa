//! Several threads on the chunks of one document, and the one that joins what they have read.
//!
//! Chunks lie on the desk, for whoever is free. At most so many are between having been taken and having been joined that
//! memory stays within a few chunks per thread.

#![forbid(unsafe_code)]

use std::io::ErrorKind;
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
use crate::memory::Reserve;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::Divisible;
use crate::parallel::chunk::Chunk;
use crate::parallel::chunk::Piece;
use crate::parallel::chunk::Start;
use crate::parallel::records::OutputReader;
use crate::parallel::records::RecordBatches;
use crate::parallel::work_queue::InOrder;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::run_in_order;
use crate::profile::Profile;
use crate::scan::AfterComma;
use crate::scan::LookAhead;
use crate::scan::Progress;

/// Windows in a chunk. With 256 KiB in a window: chunks of half of that cost 3 % more, twice as long ones gain nothing and
/// take more memory.
const WINDOWS: usize = 2;

/// Chunks that are worth a pool: to start it takes about as long as to read two of them.
const LEAST: usize = 6;

/// Chunks for each thread that may be given out and not joined: enough that nobody waits for a slow one.
const AHEAD: usize = 4;

/// Threads, whatever is asked for: more than the largest machines have processors.
const MOST: usize = 1024;

/// The threads that go ahead of a walk.
pub(crate) struct ParallelScan<'o> {
    options: &'o Options,
    /// Started when there is work for it.
    pool: Option<ThreadPool>,
    /// Nobody goes ahead from in front of this place.
    due: u64,
    /// Chunks that the walk is left alone for when the team came upon something it leaves to the walk.
    patience: u64,
    lines: RecordBatches,
    /// Memory for what is made of records here.
    memory: Vec<u8>,
}

impl<'o> ParallelScan<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        Self { options, pool: None, due: 0, patience: 1, lines: RecordBatches::default(), memory: Vec::new() }
    }
}

/// Starts as many threads as the options allow beside the caller's, but no more than there are pieces to be read. Where the system
/// gives fewer, half as many have to do; nothing if there is none.
pub(super) fn start(options: &Options, pieces: usize) -> Option<ThreadPool> {
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let mut count = (threads - 1).min(pieces).min(MOST);
    while count > 0 {
        let mut reserve = Reserve::default();
        let builder = ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
            if !reserve.add() {
                return Err(ErrorKind::OutOfMemory.into());
            }
            thread::Builder::new().name("fjson".to_owned()).spawn(|| thread.run()).map(drop)
        });
        if let Ok(pool) = builder.build() {
            return Some(pool);
        }
        count /= 2;
    }
    None
}

impl<C: Divisible> LookAhead<Profile<'_, C>> for ParallelScan<'_> {
    fn advance(
        &mut self,
        input: &Input<'_>,
        from: AfterComma,
        nesting: &mut Nesting,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<AfterComma>, Error> {
        let consumer = &mut *profile.consumer;
        if from.offset < self.due {
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
            self.pool = start(self.options, count);
        }
        let Some(pool) = &self.pool else {
            self.due = u64::MAX;
            return Ok(None);
        };
        let document = Document { text, size, count, options: self.options, factory: consumer.factory() };
        let mut join = Join::new(document, input, from, nesting, consumer);
        let others = pool.current_num_threads();
        let work = Chunks::new(document, AHEAD * (others + 1), join.level());
        let done = run_in_order(pool, work, |(number, piece), spare| {
            let goes_on = join.next(number, piece)?;
            spare.append(&mut join.spare);
            Ok(goes_on)
        })?;
        let there = join.place();
        self.due = u64::MAX;
        if !done {
            self.due = there.offset + (self.patience * size as u64);
            self.patience *= 2;
        }
        Ok((there.offset > from.offset).then_some(there))
    }

    fn pass_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        let consumer = &mut *profile.consumer;
        self.lines.pass(self.options, input, from, &mut OutputReader { consumer, memory: &mut self.memory })
    }
}

/// Chunks of a document, cut at multiples of `size`.
#[derive(Clone, Copy)]
pub(super) struct Document<'t, M> {
    pub(super) text: &'t [u8],
    pub(super) size: usize,
    pub(super) count: usize,
    pub(super) options: &'t Options,
    pub(super) factory: M,
}

impl<'t, M: ChunkFactory> Document<'t, M> {
    /// The chunk of this number, which begins behind a comma that is to be found; perhaps it is known what surrounds its cut.
    pub(super) fn chunk(self, number: usize, around: Option<Surroundings>, memory: Vec<u8>) -> Chunk<'t, M> {
        let start = match number {
            0 => Start::Here(0, around.unwrap_or_default().level),
            _ => Start::Near(self.cut(number), around),
        };
        self.chunk_from(start, number, memory)
    }

    fn chunk_from(self, start: Start, number: usize, memory: Vec<u8>) -> Chunk<'t, M> {
        let Self { text, options, factory, .. } = self;
        Chunk { text, start, end: self.end(number), options, factory, memory }
    }

    /// What a backslash escapes is not known without what is in front of it, so a cut lies behind all of them.
    fn cut(self, number: usize) -> usize {
        let cut = number * self.size;
        let before = self.text[cut - 1..self.end(number)].iter();
        cut + before.take_while(|&&byte| byte == b'\\').count()
    }

    /// The text between this cut and the next.
    fn batch(self, number: usize) -> &'t [u8] {
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
    document: Document<'t, C::ChunkFactory>,
    input: &'t Input<'t>,
    from: AfterComma,
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
        document: Document<'t, C::ChunkFactory>,
        input: &'t Input<'t>,
        from: AfterComma,
        nesting: &'j mut Nesting,
        consumer: &'j mut C,
    ) -> Self {
        Self { document, input, from, at: 0, object: from.object, nesting, consumer, spare: Vec::new() }
    }

    pub(super) fn place(&self) -> AfterComma {
        AfterComma { offset: self.from.offset + self.at as u64, object: self.object }
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
            Some(piece) if piece.start == self.at && (piece.level == level || !C::ChunkFactory::LEVELS) => Some(piece),
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

/// What a thread may be asked to do, about the chunk of this number.
enum Job<'t, M: ChunkFactory> {
    Skim(usize, Isa, &'t [u8]),
    Read(usize, Chunk<'t, M>),
}

/// What comes of a job.
enum Done {
    Skimmed(usize, Skimmed),
    /// A piece, or nothing of use.
    Read(usize, Option<Piece>),
}

/// The chunks of a document, on the desk.
struct Chunks<'t, M: ChunkFactory> {
    document: Document<'t, M>,
    /// Chunks that may be given out and not joined.
    ahead: usize,
    pieces: InOrder<Option<Piece>>,
    /// What was skimmed in front of each cut.
    skimmed: InOrder<Skimmed>,
    /// What surrounds the cuts, as far as that is known, if the maker needs it.
    around: Vec<Surroundings>,
    /// Memory of pieces that have been joined.
    spare: Vec<Vec<u8>>,
}

impl<'t, M: ChunkFactory> Chunks<'t, M> {
    fn new(document: Document<'t, M>, ahead: usize, level: i64) -> Self {
        Self {
            document,
            ahead,
            pieces: InOrder::new(),
            skimmed: InOrder::new(),
            around: vec![Surroundings { in_string: false, level }],
            spare: Vec::new(),
        }
    }
}

impl<'t, M: ChunkFactory> OrderedWork for Chunks<'t, M> {
    type Job = Job<'t, M>;
    type Done = Done;
    type Piece = (usize, Option<Piece>);

    fn next(&mut self) -> Option<Job<'t, M>> {
        let Document { count, options, .. } = self.document;
        let (skims, issued) = (self.skimmed.issued(), self.pieces.issued());
        if M::LEVELS && skims + 1 < count && skims < issued + self.ahead {
            return Some(Job::Skim(self.skimmed.issue(), options.isa, self.document.batch(skims)));
        }
        let around = self.around.get(issued).copied().filter(|_| M::LEVELS);
        if issued == count || self.pieces.len() == self.ahead || M::LEVELS && around.is_none() {
            return None;
        }
        let memory = self.spare.pop().unwrap_or_default();
        Some(Job::Read(self.pieces.issue(), self.document.chunk(issued, around, memory)))
    }

    fn is_handed_out(&self) -> bool {
        self.pieces.issued() == self.document.count
    }

    fn run(job: Job<'t, M>) -> Done {
        match job {
            Job::Skim(number, isa, text) => Done::Skimmed(number, isa.run(Skim(text))),
            Job::Read(number, chunk) => Done::Read(number, chunk.read()),
        }
    }

    fn complete(&mut self, done: Done) {
        match done {
            Done::Read(number, piece) => self.pieces.put(number, piece),
            Done::Skimmed(number, skimmed) => {
                self.skimmed.put(number, skimmed);
                while let (Some(&last), Some((_, skimmed))) = (self.around.last(), self.skimmed.take()) {
                    self.around.push(skimmed.behind(last));
                }
            }
        }
    }

    fn piece(&mut self) -> Option<(usize, Option<Piece>)> {
        self.pieces.take()
    }

    fn is_finished(&self) -> bool {
        self.is_handed_out() && self.pieces.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<Vec<u8>> {
        &mut self.spare
    }
}
