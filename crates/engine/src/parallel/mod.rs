//! Reading one document, or many records, with several threads.
//!
//! The scan begins as usual. At its first checkpoint after a comma the parallel driver takes over: it cuts the
//! remaining text into chunks. Free threads read them without knowing what precedes them, and the driver joins each
//! fragment (what a chunk does to the containers around it) to what is known up to the start of the chunk. A chunk that
//! does not begin where the previous one ends was based on a wrong guess and is read again from there. If anything is
//! invalid or unusual, the scan continues from the last valid place as if there were no look-ahead. So only the scan
//! finds errors, ends documents and handles giant tokens, and the result and the output do not depend on the threads.
//!
//! A consumer that needs whole values, such as one that sorts, gets chunks that are whole elements of an array.

#![forbid(unsafe_code)]

mod ahead;
mod batch;
mod batch_work;
mod check;
mod chunk;
mod collector;
mod driver;
#[cfg(feature = "query")]
mod element_batches;
mod elements;
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
use crate::sink::Division;
#[cfg(feature = "query")]
pub(crate) use ahead::ValidatedAhead;
pub(crate) use ahead::Validators;
pub(crate) use batch::RecordBatch;
pub(crate) use batch::Shift;
pub(crate) use batch_work::BatchReader;
pub(crate) use batch_work::BatchWorker;
pub(crate) use check::Check;
pub(crate) use collector::DocumentReceiver;
pub(crate) use collector::ReadAhead;
pub(crate) use collector::collect_documents;
pub(crate) use driver::ParallelScan;
#[cfg(feature = "query")]
pub(crate) use element_batches::ElementBatches;
#[cfg(feature = "query")]
pub(crate) use elements::Reached;
pub(crate) use line_scan::LineConsumer;
pub(crate) use line_scan::NoWorker;
pub(crate) use line_scan::scan_lines;
pub(crate) use pool::Pool;
#[cfg(feature = "query")]
pub(crate) use pool::thread_count;
pub(crate) use records::RecordBatches;
pub(crate) use records::count_records;
#[cfg(feature = "query")]
pub(crate) use work_queue::InOrder;
#[cfg(feature = "query")]
pub(crate) use work_queue::OrderedWork;
#[cfg(feature = "query")]
pub(crate) use work_queue::WorkQueue;
#[cfg(feature = "query")]
pub(crate) use work_queue::with_workers;

/// Limit of the output of a chunk or batch, in multiples of its length. Those with more are deeply nested and left to the scan.
const MAX_OUTPUT_RATIO: usize = 16;

/// A consumer whose work can be divided: other consumers produce the output of parts, and it receives that in order.
pub(crate) trait Divisible: LineConsumer {
    type Factory: ConsumerFactory;

    fn factory(&self) -> Self::Factory;

    /// Whether the output of records is the concatenated output of batches of them.
    fn divides_records(&self, options: &Options) -> bool;

    /// Returns how the output of a document can be divided.
    fn division(&self) -> Division;

    /// Whether output of parts can be joined at present. If not, the consumer takes batches of records itself.
    fn can_join(&self) -> bool {
        true
    }

    /// Adds the output of the next part, which is valid. `level` is the number of containers open after it. Returns false, and adds
    /// nothing, if the consumer must take the part itself; one whose output is divided into [`Division::Chunks`] does not do that.
    fn join(&mut self, output: &OutputOf<Self>, level: i64) -> Result<bool, Error>;
}

/// What the consumers of parts produce for a consumer.
type OutputOf<C> = <<C as Divisible>::Factory as ConsumerFactory>::Output;

/// Creates consumers of one part of the input each, on any thread.
pub(crate) trait ConsumerFactory: Copy + Send + Sync + 'static {
    type Part: LineConsumer;

    /// What a consumer produces. Its memory is reused.
    type Output: Default + Send;

    /// Creates a consumer. `memory` is an earlier output.
    fn part(self, options: &Options, memory: Self::Output) -> Self::Part;

    /// Returns what the consumer has produced. `None` if memory ran out.
    fn into_output(part: Self::Part) -> Option<Self::Output>;
}

/// Creates consumers of chunks, too, which begin and end after a comma.
pub(crate) trait ChunkFactory: ConsumerFactory {
    /// Whether a chunk's consumer needs the number of containers open at its start.
    const LEVELS: bool;

    /// Begins a chunk at this nesting level; 0 if [`Self::LEVELS`] is false.
    fn enter(part: &mut Self::Part, level: i64);
}

/// Scans the documents of `input` on as many threads as the options allow. Passes errors in documents to `on_error`.
pub(crate) fn scan<C: Divisible<Factory: ChunkFactory>>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let mut profiled = Profile::new(options, consumer);
    let has_batches = can_batch(&*profiled.consumer, options);
    if has_batches || options.threads != 1 && profiled.consumer.division() != Division::No {
        scan_with(input, options, &mut profiled, &mut ParallelScan::new(options, has_batches), on_error)
    } else {
        scan_with(input, options, &mut profiled, &mut (), on_error)
    }
}

/// Scans the documents of `input` up to the first error in one of them.
pub(crate) fn first_error<C: Divisible<Factory: ChunkFactory>>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    stop_at_first(|on_error| scan(input, options, consumer, on_error))
}

/// Whether other consumers may read the records, in batches.
fn can_batch<C: Divisible>(consumer: &C, options: &Options) -> bool {
    match options.framing {
        Framing::Document => false,
        // Batches have lost the separators, which the output would need.
        Framing::Sequence if C::OUTPUT => false,
        _ => consumer.divides_records(options),
    }
}
