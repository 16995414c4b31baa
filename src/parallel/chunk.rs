//! One chunk of a document, read without knowing what precedes it.
//!
//! A chunk is the text between two cuts, each moved past the next comma outside strings. It is unknown whether a cut
//! lies inside a string, so both are tried: text read with strings and non-strings swapped is hardly ever valid JSON
//! for long. The result says after which comma the chunk began, and the driver knows whether that is right.

#![forbid(unsafe_code)]

use std::io;

use crate::grammar::Checker;
use crate::grammar::Fragment;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Surroundings;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::scan::Consumer;
use crate::scan::padded;
use crate::sink::Stage;

/// The guesses whether a cut lies inside a string, and how far after it a comma may be. Text read with strings and
/// non-strings swapped may have no comma at all, so both guesses are first tried nearby.
const GUESSES: [(bool, usize); 4] = [(false, NEARBY), (true, NEARBY), (false, usize::MAX), (true, usize::MAX)];

const NEARBY: usize = 8 * 1024;

/// Distance from the start of a chunk within which an error may come from a wrong guess.
const WRONG_GUESS_DISTANCE: usize = 16 * 1024;

/// Limit of a chunk's output, in multiples of its length. Chunks with more are deeply nested and left to the scan.
const MAX_OUTPUT_RATIO: usize = 16;

/// Where a chunk begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// After the first comma outside strings from this cut on. No backslash precedes the cut. The state at the cut is
    /// given if it is known.
    Near(usize, Option<Surroundings>),
    /// At this offset, which is after a comma, at this nesting level.
    Here(usize, i64),
}

/// The job of reading a chunk.
pub(super) struct Chunk<'t, M: ChunkFactory> {
    pub(super) text: &'t [u8],
    pub(super) start: Start,
    /// Offset at or after which the first comma outside strings ends the chunk.
    pub(super) end: usize,
    pub(super) options: &'t Options,
    pub(super) factory: M,
    /// Memory for the output.
    pub(super) memory: Vec<u8>,
}

/// The result of a chunk that is valid in itself.
pub(super) struct ChunkResult {
    pub(super) start: usize,
    /// The nesting level assumed at the start, if the factory needs levels.
    pub(super) level: i64,
    pub(super) end: usize,
    pub(super) fragment: Fragment,
    /// The output, in the first `filled` bytes.
    pub(super) memory: Vec<u8>,
    pub(super) filled: usize,
}

/// The text to check next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A tile, searched for the comma after which the chunk begins.
    Search,
    /// A full tile.
    Tile,
    /// A tile, searched for the comma that ends the chunk.
    Peek,
    /// This many bytes, the last of which is that comma.
    Cut(usize),
}

impl<M: ChunkFactory> Chunk<'_, M> {
    /// Reads the chunk. Returns `None` if it contains an error, is too long, or has no comma to begin after.
    pub(super) fn read(self) -> Option<ChunkResult> {
        self.options.isa.run(self)
    }
}

impl<M: ChunkFactory> Pass for Chunk<'_, M> {
    type Output = Option<ChunkResult>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<ChunkResult> {
        let Self { text, start, end, options, factory, memory } = self;
        let mut discarded = io::sink();
        let mut part = factory.part(Stage::on(&mut discarded, memory));
        let mut checker = Checker::new(kernel, options.max_depth, <M::Part<'_> as Consumer>::LAYOUT);
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let known;
        let (cut, at_cut, guesses, mut step) = match start {
            Start::Near(cut, None) => (cut, 0, &GUESSES[..], Step::Search),
            Start::Near(cut, Some(Surroundings { in_string, level })) => {
                known = [(in_string, usize::MAX)];
                (cut, level, &known[..], Step::Search)
            }
            Start::Here(comma, level) => (comma, level, &[][..], next_step::<K>(comma, end)),
        };
        let mut guesses = guesses.iter().copied();
        // A chunk may exceed its end by its own length, so that a long token does not take more memory than others.
        let max_output = MAX_OUTPUT_RATIO * end.saturating_sub(cut).max(MAX_TILE_BYTES);
        let max_end = end + end.saturating_sub(cut);
        let (mut first, mut position, mut level) = (cut, cut, at_cut);
        let mut reach = 0;
        if step == Step::Search {
            let (in_string, next_reach) = guesses.next()?;
            reach = next_reach;
            checker.start_anywhere(in_string);
        } else {
            M::enter(&mut part, level);
            checker.start_fragment();
        }
        loop {
            let rest = &text[position..];
            let (tile, length) = match step {
                Step::Cut(length) => (padded::<K>(&mut scratch, &rest[..length], 0), length),
                _ if rest.len() >= Checker::<K>::TILE => (&rest[..Checker::<K>::TILE], Checker::<K>::TILE),
                _ => (padded::<K>(&mut scratch, rest, 0), rest.len()),
            };
            let carries = if step == Step::Peek { Some(checker.carries()) } else { None };
            let is_valid =
                checker.check(tile, <M::Part<'_> as Consumer>::LAYOUT, matches!(step, Step::Search | Step::Peek));
            let should_continue = match step {
                Step::Search => {
                    let comma = checker.masks().first_comma(0);
                    level += checker.masks().rise(comma.unwrap_or(length));
                    if let Some(comma) = comma {
                        first = position + comma + 1;
                        position = first;
                        M::enter(&mut part, level);
                        checker.start_fragment();
                        step = next_step::<K>(position, end);
                    } else {
                        position += length;
                    }
                    // If the comma is after the end, the next chunk begins there.
                    position <= end && position < text.len() && (step != Step::Search || position - cut < reach)
                }
                Step::Peek => {
                    checker.restore(carries);
                    let comma = checker.masks().first_comma(end.saturating_sub(position));
                    step = comma.map_or(Step::Tile, |comma| Step::Cut(comma + 1));
                    comma.is_some() || length == Checker::<K>::TILE
                }
                Step::Tile | Step::Cut(_) => {
                    if is_valid {
                        part.take(kernel, checker.masks(), tile, length);
                    }
                    position += length;
                    if is_valid && matches!(step, Step::Cut(_)) {
                        let (memory, filled) = M::into_memory(part)?;
                        let fragment = checker.end_fragment()?;
                        return Some(ChunkResult { start: first, level, end: position, fragment, memory, filled });
                    }
                    step = next_step::<K>(position, end);
                    is_valid && position < max_end && position < text.len() && part.held() <= max_output
                }
            };
            if !should_continue {
                if first > cut && position > first + WRONG_GUESS_DISTANCE {
                    return None;
                }
                let (in_string, next_reach) = guesses.next()?;
                part.discard();
                (first, position, level, reach) = (cut, cut, at_cut, next_reach);
                step = Step::Search;
                checker.start_anywhere(in_string);
            }
        }
    }
}

/// Returns the next step at `position` of a chunk that ends at the first comma from `end` on.
#[inline(always)]
fn next_step<K: Kernel>(position: usize, end: usize) -> Step {
    if end.saturating_sub(position) < Checker::<K>::TILE { Step::Peek } else { Step::Tile }
}
