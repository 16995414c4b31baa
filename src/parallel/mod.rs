//! One document on several cores: chunks of it are read at the same time and joined in their order.
//!
//! The walk begins by itself. Where it first stops behind a comma, it is taken ahead: the text from there on is cut into
//! chunks, each is read by whoever is free, without knowing what came before it, and what it does to the containers around
//! it is joined to what is known up to its start. A chunk that did not begin where the one before it ends guessed wrong and
//! is read again from there. Where anything is wrong, or too unlike the usual, the walk goes on from the last place that is
//! proven, as if nobody had gone ahead: so it alone finds faults, ends documents and copes with giant tokens, and verdict,
//! place and output are its own whatever the threads did.

#![forbid(unsafe_code)]

mod batch;
mod check;
mod chunk;
mod driver;
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
use crate::scan::Consumer;
use crate::scan::scan_with;
use crate::scan::stop_at_first;
use crate::sink::Stage;
pub(crate) use batch::RecordBatch;
pub(crate) use batch::Shift;
pub(crate) use check::Check;
pub(crate) use driver::ParallelScan;
pub(crate) use records::BatchReader;
pub(crate) use records::BatchWorker;
pub(crate) use records::RecordBatches;

/// A consumer whose work can be divided: others make the output of chunks, and it takes that in their order.
pub(crate) trait Divisible: Consumer {
    type ChunkFactory: ChunkFactory;

    fn factory(&self) -> Self::ChunkFactory;

    /// Whether the output of the whole is that of the parts.
    fn divides(&self) -> bool;

    /// Takes what was made of the next chunk, all of which is proven; behind it so many containers are open.
    fn join(&mut self, output: &[u8], level: i64) -> Result<(), Error>;
}

/// Makes consumers that take one chunk each, on any thread.
pub(crate) trait ChunkFactory: Copy + Send + Sync + 'static {
    type Part<'p>: Consumer;

    /// Whether a part must know how many containers are open where it begins.
    const LEVELS: bool;

    /// A consumer. What it makes of a chunk stays on the stage.
    fn part(self, stage: Stage<'_>) -> Self::Part<'_>;

    /// A chunk begins inside so many containers; 0 if nobody needs to know.
    fn enter(part: &mut Self::Part<'_>, level: i64);

    /// What was taken are whole lines, as the elements of an array with line breaks for commas.
    fn end_lines(_part: &mut Self::Part<'_>) {}

    /// The memory of the part's stage, and how much of it is filled. Nothing if there was not enough.
    fn into_memory(part: Self::Part<'_>) -> Option<(Vec<u8>, usize)>;
}

/// Walks over the documents of `input`, on as many threads as the options allow. Errors in documents go to `on_error`.
pub(crate) fn scan<C: Divisible>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let divides = consumer.divides();
    let mut profiled = Profile::new(options, consumer);
    let helps = match options.framing {
        Framing::Document => options.threads != 1,
        Framing::Lines | Framing::Stream | Framing::Documents => true,
        // Nobody who is given lines knows that there were separators.
        Framing::Sequence => !C::OUTPUT,
    };
    // A name may stand far from the one it is compared with: a profile has the walk to itself.
    if helps && divides && !profiled.is_strict() {
        scan_with(input, options, &mut profiled, &mut ParallelScan::new(options), on_error)
    } else {
        scan_with(input, options, &mut profiled, &mut (), on_error)
    }
}

/// Walks over the documents of `input` up to the first error in one of them.
pub(crate) fn first_error<C: Divisible>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    stop_at_first(|on_error| scan(input, options, consumer, on_error))
}
