//! The elements of an array on several threads, for consumers that need whole values: objects whose members are sorted, whose keys
//! must be unique, or whose tokens are counted.
//!
//! A pass over brackets and strings finds commas between elements, about a chunk apart. The text between two of them is a chunk
//! that begins and ends where it is expected to.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Nesting;
use crate::grammar::NextElement;
use crate::input::Input;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::Divisible;
use crate::parallel::chunk::Chunk;
use crate::parallel::chunk::ChunkResult;
use crate::parallel::chunk::Start;
use crate::parallel::chunk::UNJOINED_PER_THREAD;
use crate::parallel::pool::Pool;
use crate::parallel::work_queue::InOrder;
use crate::parallel::work_queue::OrderedWork;
use crate::parallel::work_queue::run_in_order;
use crate::profile::Profile;
use crate::scan::AfterComma;
use crate::scan::Consumer;
use crate::sink::Division;
use std::ops::Range;

/// How far the next comma between two elements may be, in multiples of the size of a chunk.
const REACH: usize = 4;

/// The rest of a text, which begins after a comma.
#[derive(Clone, Copy)]
pub(super) struct RemainingElements<'t> {
    pub(super) text: &'t [u8],
    /// Where it begins in the input.
    pub(super) from: AfterComma,
    /// The least size of a chunk.
    pub(super) size: usize,
    pub(super) options: &'t Options,
}

/// How far elements were read.
pub(crate) enum Reached {
    /// Up to this comma, which may be the one at which the text begins.
    Comma(AfterComma),
    /// The text begins inside an element. The next one begins at this offset.
    Nothing { next_cut: u64 },
}

impl<'t> RemainingElements<'t> {
    /// Reads elements of the outermost open array. If the consumer needs elements of the root, nothing is read unless that array is the
    /// root.
    pub(super) fn advance<C: Divisible<Factory: ChunkFactory>>(
        self,
        pool: &Pool,
        input: &Input<'_>,
        nesting: &mut Nesting,
        profile: &mut Profile<'_, C>,
    ) -> Result<Reached, Error> {
        let from = self.from;
        let is_root_only = profile.consumer.division() <= Division::RootElements;
        // mutant: let level = nesting.outermost_array(from.object).filter(|&level| true);
        let level = nesting.outermost_array(from.object).filter(|&level| level == 1 || !is_root_only);
        let reached = match level {
            Some(level) if level < nesting.depth() => match self.next_cut(nesting.depth() - level) {
                Some(next_cut) => return Ok(Reached::Nothing { next_cut }),
                None => 0,
            },
            Some(_) => self.read(pool, input, nesting, profile)?,
            None => 0,
        };
        Ok(Reached::Comma(AfterComma { offset: from.offset + reached as u64, ..from }))
    }

    /// Returns the offset after the next comma of the array in which `depth` containers are open.
    pub(super) fn next_cut(&self, depth: usize) -> Option<u64> {
        self.next(0, depth, 0).map(|end| self.from.offset + end as u64)
    }

    /// Returns pieces of the text, each of which begins with an element and ends after a comma. The text must begin with an element.
    pub(super) fn pieces(self) -> Pieces<'t> {
        Pieces { elements: self, at: Some(0) }
    }

    /// Returns the index after the next comma of a container in which `depth` others are open.
    fn next(&self, at: usize, depth: usize, from: usize) -> Option<usize> {
        let text = &self.text[at..self.text.len().min(at.saturating_add(REACH * self.size))];
        self.options.isa.run(NextElement { text, depth, from }).map(|end| at + end)
    }

    /// Reads as many elements as are valid, up to the last comma of the array that is found. Returns the index after that comma.
    fn read<C: Divisible<Factory: ChunkFactory>>(
        self,
        pool: &Pool,
        input: &Input<'_>,
        nesting: &mut Nesting,
        profile: &mut Profile<'_, C>,
    ) -> Result<usize, Error> {
        let offset = self.from.offset;
        let level = nesting.level();
        let work = ElementWork {
            text: self.text,
            options: self.options,
            pieces: self.pieces(),
            level,
            factory: profile.consumer.factory(),
            max_unjoined: UNJOINED_PER_THREAD * (pool.threads() + 1),
            results: InOrder::new(),
            spare: Vec::new(),
        };
        let mut reached = 0;
        run_in_order(pool, work, |result: Option<ChunkResult<_>>, spare| {
            let Some(result) = result else { return Ok(false) };
            // Otherwise the text was not what it seemed to be.
            // mutant: if nesting.join(false, &result.fragment).is_none() {
            if !result.fragment.is_elements() || nesting.join(false, &result.fragment).is_none() {
                return Ok(false);
            }
            if !profile.consumer.join(&result.output, level)? {
                return Ok(false);
            }
            // mutant:
            profile.skip((result.end - reached) as u64);
            reached = result.end;
            input.release(offset + reached as u64);
            spare.push(result.output);
            Ok(true)
        })?;
        Ok(reached)
    }
}

/// Pieces of the text of an array, see [`RemainingElements::pieces`].
pub(super) struct Pieces<'t> {
    elements: RemainingElements<'t>,
    /// The start of the next piece; `None` after the last one.
    at: Option<usize>,
}

impl<'t> Pieces<'t> {
    /// Returns the next piece.
    pub(super) fn next(&mut self) -> Option<&'t [u8]> {
        self.range().map(|range| &self.elements.text[range])
    }

    /// Returns where the next piece is in the text.
    fn range(&mut self) -> Option<Range<usize>> {
        let start = self.at.take()?;
        let end = self.elements.next(start, 0, self.elements.size)?;
        self.at = Some(end);
        Some(start..end)
    }
}

/// The chunks as work for the queue.
struct ElementWork<'t, F: ChunkFactory> {
    text: &'t [u8],
    options: &'t Options,
    pieces: Pieces<'t>,
    level: i64,
    factory: F,
    /// Maximum number of chunks that are issued but not yet joined.
    max_unjoined: usize,
    results: InOrder<Option<ChunkResult<F::Output>>>,
    /// Outputs that have been joined, for reuse.
    spare: Vec<F::Output>,
}

impl<'t, F: ChunkFactory> OrderedWork for ElementWork<'t, F> {
    type Job = (usize, Chunk<'t, F>);
    type Done = (usize, Option<ChunkResult<F::Output>>);
    type Output = Option<ChunkResult<F::Output>>;
    type Memory = F::Output;

    fn next(&mut self) -> Option<Self::Job> {
        if self.results.len() == self.max_unjoined {
            return None;
        }
        let Range { start, end } = self.pieces.range()?;
        let Self { text, options, .. } = *self;
        let memory = self.spare.pop().unwrap_or_default();
        let start = Start::Here(start, self.level);
        Some((self.results.issue(), Chunk { text, start, end: end - 1, options, factory: self.factory, memory }))
    }

    fn is_all_issued(&self) -> bool {
        self.pieces.at.is_none()
    }

    fn run((number, chunk): Self::Job) -> Self::Done {
        (number, chunk.read())
    }

    fn complete(&mut self, (number, result): Self::Done) {
        self.results.put(number, result);
    }

    fn take_output(&mut self) -> Option<Self::Output> {
        self.results.take().map(|(_, result)| result)
    }

    fn is_finished(&self) -> bool {
        self.is_all_issued() && self.results.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<F::Output> {
        &mut self.spare
    }
}
