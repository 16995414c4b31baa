//! The parallel driver: lets threads read the chunks of a document, and joins what they have read in order.
//!
//! The number of chunks that are issued but not joined is limited, so memory stays within a few chunks per thread.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Nesting;
use crate::grammar::Skim;
use crate::grammar::Skimmed;
use crate::grammar::Surroundings;
use crate::input::Input;
use crate::kernel::Isa;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::Divisible;
use crate::parallel::OutputOf;
use crate::parallel::chunk::Chunk;
use crate::parallel::chunk::ChunkResult;
use crate::parallel::chunk::Start;
use crate::parallel::chunk::UNJOINED_PER_THREAD;
use crate::parallel::elements::Reached;
use crate::parallel::elements::RemainingElements;
use crate::parallel::pool::Pool;
use crate::parallel::records::RecordScan;
use crate::parallel::work_queue::InOrder;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::run_in_order;
use crate::profile::Profile;
use crate::scan::AfterComma;
use crate::scan::LookAhead;
use crate::scan::Progress;
use crate::sink::Division;

/// Windows in a chunk. With windows of 256 KiB, chunks half as long cost 3 % more; chunks twice as long gain nothing
/// and take more memory.
const WINDOWS_PER_CHUNK: usize = 2;

/// Minimum number of chunks for which a thread pool is worthwhile: starting it takes about as long as reading two chunks.
pub(super) const MIN_CHUNKS: usize = 6;

/// The look-ahead that reads chunks and batches of records with several threads.
pub(crate) struct ParallelScan<'o, C: Divisible> {
    options: &'o Options,
    /// Started when first needed.
    pool: Option<Pool>,
    /// Offset before which the driver does not look ahead.
    resume_at: u64,
    /// Chunks to leave to the scan after the next chunk that cannot be joined. Doubles each time.
    backoff: u64,
    /// The offset after a comma of the array whose elements are to be read.
    next_cut: Option<u64>,
    /// `None` if records are read one by one.
    records: Option<RecordScan<'o, C>>,
}

impl<'o, C: Divisible> ParallelScan<'o, C> {
    pub(crate) fn new(options: &'o Options, has_batches: bool) -> Self {
        let records = has_batches.then(|| RecordScan::new(options));
        Self { options, pool: None, resume_at: 0, backoff: 1, next_cut: None, records }
    }
}

impl<C: Divisible<Factory: ChunkFactory>> LookAhead<Profile<'_, C>> for ParallelScan<'_, C> {
    fn advance(
        &mut self,
        input: &Input<'_>,
        from: AfterComma,
        nesting: &mut Nesting,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<AfterComma>, Error> {
        self.next_cut = None;
        let division = profile.consumer.division();
        if division == Division::No || from.offset < self.resume_at {
            return Ok(None);
        }
        let size = chunk_size(self.options);
        let text = &input.bytes()[index_of(input, from.offset)..];
        // The rest is shorter than a chunk and is left to the scan.
        let count = text.len() / size;
        if count < MIN_CHUNKS || !input.at_end() {
            self.resume_at = u64::MAX;
            return Ok(None);
        }
        if self.pool.is_none() {
            self.pool = Pool::start(self.options, count);
        }
        let Some(pool) = &self.pool else {
            self.resume_at = u64::MAX;
            return Ok(None);
        };
        let (reached, done) = if division == Division::Chunks && !profile.is_strict() {
            let consumer = &mut *profile.consumer;
            let document = ChunkedDocument { text, size, count, options: self.options, factory: consumer.factory() };
            let mut join = Join::new(document, input, from);
            let work = ChunkWork::new(document, UNJOINED_PER_THREAD * (pool.threads() + 1), nesting.level());
            let done = run_in_order(pool, work, |(number, result), spare| {
                let should_continue = join.next(number, result, nesting, consumer)?;
                spare.append(&mut join.spare);
                Ok(should_continue)
            })?;
            (join.position(), done)
        } else {
            let elements = RemainingElements { text, from, size, options: self.options };
            match elements.advance(pool, input, nesting, profile)? {
                // Another array may follow.
                Reached::Comma(reached) => (reached, false),
                Reached::Nothing { next_cut } => {
                    self.next_cut = Some(next_cut);
                    return Ok(None);
                }
            }
        };
        self.resume_at = u64::MAX;
        if !done {
            self.resume_at = reached.offset + (self.backoff * size as u64);
            self.backoff *= 2;
        }
        Ok((reached.offset > from.offset).then_some(reached))
    }

    fn next_cut(&self) -> Option<u64> {
        self.next_cut
    }

    fn read_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        profile: &mut Profile<'_, C>,
    ) -> Result<Option<Progress>, Error> {
        self.records.as_mut().map_or(Ok(None), |records| records.read_records(input, from, profile))
    }
}

/// A document, or the rest of one, cut into chunks at multiples of `size`.
#[derive(Clone, Copy)]
pub(super) struct ChunkedDocument<'t, M> {
    pub(super) text: &'t [u8],
    pub(super) size: usize,
    pub(super) count: usize,
    pub(super) options: &'t Options,
    pub(super) factory: M,
}

impl<'t, M: ChunkFactory> ChunkedDocument<'t, M> {
    /// Returns the chunk with this number. It begins after a comma that is yet to be found. `around` is the state at
    /// its cut, if known.
    pub(super) fn chunk(self, number: usize, around: Option<Surroundings>, memory: M::Output) -> Chunk<'t, M> {
        let start = match number {
            0 => Start::Here(0, around.unwrap_or_default().level),
            _ => Start::Near(self.cut(number), around),
        };
        self.chunk_from(start, number, memory)
    }

    fn chunk_from(self, start: Start, number: usize, memory: M::Output) -> Chunk<'t, M> {
        let Self { text, options, factory, .. } = self;
        Chunk { text, start, end: self.end(number), options, factory, memory }
    }

    /// Returns the offset of a cut, moved past any backslashes, but at most to the next cut: what they escape depends on the bytes
    /// before the cut.
    fn cut(self, number: usize) -> usize {
        let cut = number * self.size;
        // mutant: let before = self.text[cut - 1..self.end(number)].iter();
        let before = self.text[cut - 1..self.end(number) - 1].iter();
        cut + before.take_while(|&&byte| byte == b'\\').count()
    }

    /// Returns the text between this cut and the next.
    fn batch(self, number: usize) -> &'t [u8] {
        let start = if number == 0 { 0 } else { self.cut(number) };
        &self.text[start..self.cut(number + 1)]
    }

    /// Returns the offset at or after which the first comma ends the chunk.
    fn end(self, number: usize) -> usize {
        (number + 1) * self.size
    }
}

/// The joining of chunks in order, which the caller's thread does.
pub(super) struct Join<'t, C: Divisible> {
    document: ChunkedDocument<'t, C::Factory>,
    input: &'t Input<'t>,
    from: AfterComma,
    /// Index up to which everything is valid and has been taken by the consumer.
    at: usize,
    object: bool,
    /// Outputs that have been joined, for reuse.
    spare: Vec<OutputOf<C>>,
}

impl<'t, C: Divisible<Factory: ChunkFactory>> Join<'t, C> {
    pub(super) fn new(document: ChunkedDocument<'t, C::Factory>, input: &'t Input<'t>, from: AfterComma) -> Self {
        Self { document, input, from, at: 0, object: from.object, spare: Vec::new() }
    }

    pub(super) fn position(&self) -> AfterComma {
        AfterComma { offset: self.from.offset + self.at as u64, object: self.object }
    }

    /// Joins the next chunk. `nesting` is the state at the position, and moves with it. Returns false if the scan must continue here.
    pub(super) fn next(
        &mut self,
        number: usize,
        result: Option<ChunkResult<OutputOf<C>>>,
        nesting: &mut Nesting,
        consumer: &mut C,
    ) -> Result<bool, Error> {
        if self.at > self.document.end(number) {
            // The previous chunk extended past this one without meeting a comma.
            self.spare.extend(result.map(|result| result.output));
            return Ok(true);
        }
        let before = nesting.level();
        let result = match result {
            // mutant: Some(result) if (result.level == before || !C::Factory::LEVELS) => Some(result),
            Some(result) if result.start == self.at && (result.level == before || !C::Factory::LEVELS) => Some(result),
            // The chunk mistook the inside of a string for the outside, or the text before it is invalid.
            wrong => {
                let memory = wrong.map(|result| result.output).unwrap_or_default();
                self.document.chunk_from(Start::Here(self.at, before), number, memory).read()
            }
        };
        let Some(result) = result else { return Ok(false) };
        let Some(object) = nesting.join(self.object, &result.fragment) else { return Ok(false) };
        self.at = result.end;
        self.object = object;
        let is_joined = consumer.join(&result.output, nesting.level())?;
        debug_assert!(is_joined, "a consumer that is divided at any comma joins every part");
        self.input.release(self.from.offset + result.end as u64);
        self.spare.push(result.output);
        Ok(true)
    }
}

pub(super) fn chunk_size(options: &Options) -> usize {
    options.window.saturating_mul(WINDOWS_PER_CHUNK).max(1)
}

/// Work for one thread, on the chunk with this number.
pub(crate) enum Job<'t, M: ChunkFactory> {
    Skim(usize, Isa, &'t [u8]),
    Read(usize, Chunk<'t, M>),
}

/// The result of a job.
pub(crate) enum JobResult<O> {
    Skimmed(usize, Skimmed),
    /// The result of the chunk, or `None` if it cannot be used.
    Read(usize, Option<ChunkResult<O>>),
}

/// The chunks of a document as work for the queue.
pub(super) struct ChunkWork<'t, M: ChunkFactory> {
    document: ChunkedDocument<'t, M>,
    /// Maximum number of chunks that are issued but not yet joined.
    max_unjoined: usize,
    results: InOrder<Option<ChunkResult<M::Output>>>,
    /// Summary of the text before each cut.
    skimmed: InOrder<Skimmed>,
    /// The known states at the cuts, in order, if the factory needs levels.
    around: Vec<Surroundings>,
    /// Outputs that have been joined, for reuse.
    spare: Vec<M::Output>,
}

impl<'t, M: ChunkFactory> ChunkWork<'t, M> {
    /// `level` is the number of open containers at its start.
    pub(super) fn new(document: ChunkedDocument<'t, M>, max_unjoined: usize, level: i64) -> Self {
        Self {
            document,
            max_unjoined,
            results: InOrder::new(),
            skimmed: InOrder::new(),
            around: vec![Surroundings { in_string: false, level }],
            spare: Vec::new(),
        }
    }
}

impl<'t, M: ChunkFactory> OrderedWork for ChunkWork<'t, M> {
    type Job = Job<'t, M>;
    type Done = JobResult<M::Output>;
    type Output = (usize, Option<ChunkResult<M::Output>>);
    type Memory = M::Output;

    fn next(&mut self) -> Option<Job<'t, M>> {
        let ChunkedDocument { count, options, .. } = self.document;
        let (skims, issued) = (self.skimmed.issued(), self.results.issued());
        if M::LEVELS && skims + 1 < count && skims < issued + self.max_unjoined {
            return Some(Job::Skim(self.skimmed.issue(), options.isa, self.document.batch(skims)));
        }
        let around = self.around.get(issued).copied().filter(|_| M::LEVELS);
        if issued == count || self.results.len() == self.max_unjoined || M::LEVELS && around.is_none() {
            return None;
        }
        let memory = self.spare.pop().unwrap_or_default();
        Some(Job::Read(self.results.issue(), self.document.chunk(issued, around, memory)))
    }

    fn is_all_issued(&self) -> bool {
        self.results.issued() == self.document.count
    }

    fn run(job: Job<'t, M>) -> JobResult<M::Output> {
        match job {
            Job::Skim(number, isa, text) => JobResult::Skimmed(number, isa.run(Skim(text))),
            Job::Read(number, chunk) => JobResult::Read(number, chunk.read()),
        }
    }

    fn complete(&mut self, done: JobResult<M::Output>) {
        match done {
            JobResult::Read(number, result) => self.results.put(number, result),
            JobResult::Skimmed(number, skimmed) => {
                self.skimmed.put(number, skimmed);
                while let (Some(&last), Some((_, skimmed))) = (self.around.last(), self.skimmed.take()) {
                    self.around.push(skimmed.after(last));
                }
            }
        }
    }

    fn take_output(&mut self) -> Option<Self::Output> {
        self.results.take()
    }

    fn is_finished(&self) -> bool {
        self.is_all_issued() && self.results.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<M::Output> {
        &mut self.spare
    }
}
