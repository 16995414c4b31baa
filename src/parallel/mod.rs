//! Reading one document, or many records, with several threads.
//!
//! The scan begins as usual. At its first checkpoint after a comma the parallel driver takes over: it cuts the
//! remaining text into chunks. Free threads read them without knowing what precedes them, and the driver joins each
//! fragment (what a chunk does to the containers around it) to what is known up to the start of the chunk. A chunk that
//! does not begin where the previous one ends was based on a wrong guess and is read again from there. If anything is
//! invalid or unusual, the scan continues from the last valid place as if there were no look-ahead. So only the scan
//! finds errors, ends documents and handles giant tokens, and the result and the output do not depend on the threads.

#![forbid(unsafe_code)]

mod batch;
mod check;
mod chunk;
mod driver;
mod line_scan;
mod pool;
mod records;
mod work_queue;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::profile::Profile;
use crate::scan::scan_with;
use crate::scan::stop_at_first;
use crate::sink::Stage;
pub(crate) use batch::RecordBatch;
pub(crate) use batch::Shift;
pub(crate) use check::Check;
pub(crate) use driver::ParallelScan;
pub(crate) use line_scan::LineConsumer;
use line_scan::LineScan;
pub(crate) use line_scan::scan_lines;
#[cfg(feature = "threads")]
pub(crate) use pool::Pool;
pub(crate) use records::BatchReader;
pub(crate) use records::BatchWorker;
pub(crate) use records::RecordBatches;

/// A consumer whose work can be divided: other consumers produce the output of chunks, and it receives that in order.
pub(crate) trait Divisible: LineConsumer {
    type ChunkFactory: ChunkFactory;

    fn factory(&self) -> Self::ChunkFactory;

    /// Whether the output of the whole is the concatenated output of the chunks.
    fn is_divisible(&self) -> bool;

    /// Whether the consumer can take batches of records even if it is not divisible.
    fn takes_lines(&self, _options: &Options) -> bool {
        self.is_divisible()
    }

    /// Writes the output of the next chunk, which is valid. `level` is the number of containers open after it.
    fn join(&mut self, output: &[u8], level: i64) -> Result<(), Error>;
}

/// Creates consumers of one chunk each, on any thread.
pub(crate) trait ChunkFactory: Copy + Send + Sync + 'static {
    type Part<'p>: LineConsumer;

    /// Whether a chunk's consumer needs the number of containers open at its start.
    const LEVELS: bool;

    /// Creates a consumer. Its output stays on the stage.
    fn part(self, stage: Stage<'_>) -> Self::Part<'_>;

    /// Begins a chunk at this nesting level; 0 if [`Self::LEVELS`] is false.
    fn enter(part: &mut Self::Part<'_>, level: i64);

    /// Returns the memory of the consumer's stage and how much of it is filled. `None` if memory ran out.
    fn into_memory(part: Self::Part<'_>) -> Option<(Vec<u8>, usize)>;
}

/// Scans the documents of `input` on as many threads as the options allow. Passes errors in documents to `on_error`.
pub(crate) fn scan<C: Divisible>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let is_divisible = consumer.is_divisible();
    let mut profiled = Profile::new(options, consumer);
    let can_look_ahead = match options.framing {
        // Duplicate keys may be far apart, so a strict profile needs a sequential scan of each document.
        Framing::Document => options.threads != 1 && !profiled.is_strict(),
        Framing::Lines | Framing::Stream | Framing::Documents => true,
        // Record batches have lost the separators, which the output would need.
        Framing::Sequence => !C::OUTPUT,
    };
    if can_look_ahead && is_divisible {
        scan_with(input, options, &mut profiled, &mut ParallelScan::new(options), on_error)
    } else if can_look_ahead && options.framing != Framing::Document && profiled.consumer.takes_lines(options) {
        scan_with(input, options, &mut profiled, &mut LineScan::new(options), on_error)
    } else {
        scan_with(input, options, &mut profiled, &mut (), on_error)
    }
}

/// Scans the documents of `input` up to the first error in one of them.
pub(crate) fn first_error<C: Divisible>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    stop_at_first(|on_error| scan(input, options, consumer, on_error))
}
