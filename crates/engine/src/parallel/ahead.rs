//! Validation ahead of a reader: other threads read the chunks of a document, and the caller's thread reads the same text for itself
//! once it is known to be valid.
//!
//! The threads start before the reader does and wait until it asks for the first chunk, since a document must be read from its start
//! up to a comma before it can be divided. While the reader waits for a chunk, its thread reads chunks as well.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Nesting;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::parallel::Check;
use crate::parallel::batch::RecordBatch;
use crate::parallel::chunk::ChunkResult;
use crate::parallel::chunk::UNJOINED_PER_THREAD;
use crate::parallel::driver::ChunkWork;
use crate::parallel::driver::ChunkedDocument;
use crate::parallel::driver::Job;
use crate::parallel::driver::JobResult;
use crate::parallel::driver::Join;
use crate::parallel::driver::MIN_CHUNKS;
use crate::parallel::driver::chunk_size;
use crate::parallel::pool::Pool;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::WorkQueue;
use crate::parallel::work_queue::with_workers;
use crate::profile::Profile;
use crate::scan::AfterComma;
use crate::scan::LookAhead;

/// The threads that validate a document ahead of its reader.
pub(crate) struct Validators<'i> {
    pool: Pool,
    input: &'i Input<'i>,
    options: &'i Options,
    /// Views of the input, for the reader and for the joining of chunks.
    views: [Input<'i>; 2],
}

impl<'i> Validators<'i> {
    /// Starts the threads, if the input is large enough, all in memory, and may be one document.
    pub(crate) fn start(input: &'i Input<'_>, options: &'i Options) -> Option<Self> {
        let count = input.bytes().len() / chunk_size(options);
        if options.threads == 1 || count < MIN_CHUNKS {
            return None;
        }
        let is_alone = match options.framing {
            Framing::Document => true,
            Framing::Documents => !RecordBatch::ends_nearby(input.bytes(), options),
            Framing::Lines | Framing::Stream | Framing::Sequence => false,
        };
        if !is_alone {
            return None;
        }
        let ((one, _), (other, _)) = (input.view()?, input.view()?);
        Some(Self { pool: Pool::start(options, count)?, input, options, views: [one, other] })
    }

    /// Runs `read` with a view of the input and a look-ahead for its first document.
    pub(crate) fn run<T>(self, read: impl FnOnce(&mut Input<'_>, &mut ValidatedAhead<'_, '_>) -> T) -> T {
        let Self { pool, input, options, views: [mut view, joined] } = self;
        let max_unjoined = UNJOINED_PER_THREAD * (pool.threads() + 1);
        let work = AheadWork { chunks: None, spare: Vec::new() };
        with_workers(&pool, work, |queue| {
            let mut ahead =
                ValidatedAhead { queue, input, joined: &joined, options, max_unjoined, join: None, is_over: false };
            read(&mut view, &mut ahead)
        })
    }
}

/// The look-ahead of a reader. It moves on chunk by chunk, and the reader has to read what it passes over.
pub(crate) struct ValidatedAhead<'q, 't> {
    queue: &'q WorkQueue<AheadWork<'t>>,
    input: &'t Input<'t>,
    /// A view of the input, whose memory is not released when a chunk is joined.
    joined: &'t Input<'t>,
    options: &'t Options,
    max_unjoined: usize,
    /// Present from the first chunk on.
    join: Option<Join<'t, Check>>,
    /// Whether there are no more chunks, or one of them is invalid or unusual.
    is_over: bool,
}

impl<'t> ValidatedAhead<'_, 't> {
    /// Returns the input, whose memory can be released, unlike that of its views.
    pub(crate) fn input(&self) -> &'t Input<'t> {
        self.input
    }

    /// Divides the text after a comma into chunks.
    fn start(&self, from: AfterComma) -> Join<'t, Check> {
        let Self { input, options, .. } = *self;
        let text = &input.bytes()[index_of(input, from.offset)..];
        let size = chunk_size(options);
        let document = ChunkedDocument { text, size, count: text.len() / size, options, factory: Check };
        self.queue.change(|work| work.chunks = Some(ChunkWork::new(document, self.max_unjoined, 0)));
        Join::new(document, self.joined, from)
    }
}

impl LookAhead<Profile<'_, Check>> for ValidatedAhead<'_, '_> {
    fn advance(
        &mut self,
        _: &Input<'_>,
        from: AfterComma,
        nesting: &mut Nesting,
        profile: &mut Profile<'_, Check>,
    ) -> Result<Option<AfterComma>, Error> {
        if self.is_over {
            return Ok(None);
        }
        let mut join = match self.join.take() {
            Some(join) => join,
            None => self.start(from),
        };
        // The reader is at most a chunk behind.
        let read = from.offset.saturating_sub(chunk_size(self.options) as u64);
        self.input.release(read.max(self.input.start()));
        while let Some((number, result)) = self.queue.next_output(&mut Vec::new()) {
            if !join.next(number, result, nesting, profile.consumer)? {
                break;
            }
            let reached = join.position();
            if reached.offset > from.offset {
                self.join = Some(join);
                return Ok(Some(reached));
            }
        }
        self.is_over = true;
        Ok(None)
    }
}

/// The chunks as work for the queue, once there are any.
pub(crate) struct AheadWork<'t> {
    chunks: Option<ChunkWork<'t, Check>>,
    spare: Vec<()>,
}

impl<'t> OrderedWork for AheadWork<'t> {
    type Job = Job<'t, Check>;
    type Done = JobResult<()>;
    type Output = (usize, Option<ChunkResult<()>>);
    type Memory = ();

    fn next(&mut self) -> Option<Self::Job> {
        self.chunks.as_mut()?.next()
    }

    fn is_all_issued(&self) -> bool {
        self.chunks.as_ref().is_some_and(OrderedWork::is_all_issued)
    }

    fn run(job: Self::Job) -> Self::Done {
        ChunkWork::run(job)
    }

    fn complete(&mut self, done: Self::Done) {
        if let Some(chunks) = &mut self.chunks {
            chunks.complete(done);
        }
    }

    fn take_output(&mut self) -> Option<Self::Output> {
        self.chunks.as_mut()?.take_output()
    }

    fn is_finished(&self) -> bool {
        self.chunks.as_ref().is_some_and(OrderedWork::is_finished)
    }

    fn spare(&mut self) -> &mut Vec<()> {
        &mut self.spare
    }
}
