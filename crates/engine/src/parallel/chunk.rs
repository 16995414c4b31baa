//! One chunk of a document, read without knowing what precedes it.
//!
//! A chunk is the text between two cuts, each moved past the next comma outside strings. It is unknown whether a cut
//! lies inside a string, so both are tried: text read with strings and non-strings swapped is hardly ever valid JSON
//! for long. The result says after which comma the chunk began, and the driver knows whether that is right.

#![forbid(unsafe_code)]

use std::iter::Copied;
use std::slice::Iter;

use crate::grammar::Checker;
use crate::grammar::Fragment;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Surroundings;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::parallel::ChunkFactory;
use crate::parallel::MAX_OUTPUT_RATIO;
use crate::profile::Profile;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::padded;

/// The guesses whether a cut lies inside a string, and how far after it a comma may be. Text read with strings and
/// non-strings swapped may have no comma at all, so both guesses are first tried nearby.
const GUESSES: [(bool, usize); 4] = [(false, NEARBY), (true, NEARBY), (false, usize::MAX), (true, usize::MAX)];

const NEARBY: usize = 8 * 1024;

/// Distance from the start of a chunk within which an error may come from a wrong guess.
const WRONG_GUESS_DISTANCE: usize = 16 * 1024;

/// Number of chunks per thread that may be issued but not yet joined: enough that no thread waits for a slow one.
pub(super) const UNJOINED_PER_THREAD: usize = 4;

/// Where a chunk begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// After the first comma outside strings from this cut on. No backslash precedes the cut, unless the chunk before it ends with
    /// nothing but backslashes; the guess is then wrong, or the text invalid. The state at the cut is given if it is known.
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
    /// An earlier output, whose memory is reused.
    pub(super) memory: M::Output,
}

/// The result of a chunk that is valid in itself.
pub(crate) struct ChunkResult<O> {
    pub(super) start: usize,
    /// The nesting level assumed at the start, if the factory needs levels.
    pub(super) level: i64,
    pub(super) end: usize,
    pub(super) fragment: Fragment,
    pub(super) output: O,
}

/// The text to check next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkStep {
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
    pub(super) fn read(self) -> Option<ChunkResult<M::Output>> {
        self.options.isa.run(self)
    }
}

impl<M: ChunkFactory> Pass for Chunk<'_, M> {
    type Output = Option<ChunkResult<M::Output>>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<ChunkResult<M::Output>> {
        let Self { text, start, end, options, factory, memory } = self;
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let known;
        let (cut, level_at_cut, guesses) = match start {
            Start::Near(cut, None) => (cut, 0, &GUESSES[..]),
            Start::Near(cut, Some(Surroundings { in_string, level })) => {
                known = [(in_string, usize::MAX)];
                (cut, level, &known[..])
            }
            Start::Here(comma, level) => (comma, level, &[][..]),
        };
        let mut part = factory.part(options, memory);
        let mut profile = Profile::new(options, &mut part);
        profile.begin(0, None).ok()?;
        let mut reading: Reading<'_, '_, '_, K, M> = Reading {
            text,
            cut,
            level_at_cut,
            end,
            checker: Checker::new(kernel, options.max_depth, <M::Part as Consumer>::LAYOUT),
            profile: &mut profile,
            guesses: guesses.iter().copied(),
            reach: 0,
            first: cut,
            level: level_at_cut,
            position: cut,
            step: ChunkStep::Search,
        };
        match start {
            Start::Near(..) => reading.guess()?,
            Start::Here(comma, _) => reading.begin(comma),
        }
        loop {
            let rest = &text[reading.position..];
            let (tile, length) = match reading.step {
                ChunkStep::Cut(length) => (padded::<K>(&mut scratch, &rest[..length], 0), length),
                _ if rest.len() >= Checker::<K>::TILE => (&rest[..Checker::<K>::TILE], Checker::<K>::TILE),
                _ => (padded::<K>(&mut scratch, rest, 0), rest.len()),
            };
            // Without output, the masks are not needed.
            let (tile, length) = if reading.step == ChunkStep::Tile && !reading.profile.has_output() {
                let most = end.saturating_sub(reading.position).min(rest.len()).min(Checker::<K>::RUN);
                let length = length.max(most / Checker::<K>::TILE * Checker::<K>::TILE);
                (&rest[..length], length)
            } else {
                (tile, length)
            };
            let carries = if reading.step == ChunkStep::Peek { Some(reading.checker.carries()) } else { None };
            let is_search = matches!(reading.step, ChunkStep::Search | ChunkStep::Peek);
            let is_valid = reading.checker.check(tile, <M::Part as Consumer>::LAYOUT, is_search);
            let should_continue = match reading.step {
                ChunkStep::Search => reading.search(length),
                ChunkStep::Peek => {
                    reading.checker.restore(carries);
                    reading.plan_cut(length)
                }
                ChunkStep::Tile | ChunkStep::Cut(_) => {
                    let is_end = is_valid && matches!(reading.step, ChunkStep::Cut(_));
                    let should_continue = reading.take(tile, length, is_valid);
                    if is_end {
                        break;
                    }
                    should_continue
                }
            };
            if !should_continue {
                reading.retry()?;
            }
        }
        let (first, end, level) = (reading.first, reading.position, reading.level);
        let fragment = reading.checker.end_fragment()?;
        let text = &text[first..end];
        // mutant: if false {
        if profile.check_rules(text, End::Anywhere) != Ok(true) {
            return None;
        }
        profile.release(text).ok()?;
        Some(ChunkResult { start: first, level, end, fragment, output: M::into_output(part)? })
    }
}

/// The state of reading a chunk.
struct Reading<'t, 'p, 'c, K: Kernel, M: ChunkFactory> {
    text: &'t [u8],
    /// Offset and nesting level from which the text is searched for a comma to begin after.
    cut: usize,
    level_at_cut: i64,
    end: usize,
    checker: Checker<K>,
    profile: &'p mut Profile<'c, M::Part>,
    guesses: Copied<Iter<'t, (bool, usize)>>,
    /// How far after the cut the comma may be, by the current guess.
    reach: usize,
    /// Offset after that comma, once found.
    first: usize,
    /// The nesting level there, or at the position until then.
    level: i64,
    position: usize,
    step: ChunkStep,
}

impl<K: Kernel, M: ChunkFactory> Reading<'_, '_, '_, K, M> {
    /// Returns to the cut and makes the next guess. Returns `None` if there is none.
    #[inline(always)]
    fn guess(&mut self) -> Option<()> {
        let (in_string, reach) = self.guesses.next()?;
        self.reach = reach;
        (self.first, self.position, self.level) = (self.cut, self.cut, self.level_at_cut);
        self.step = ChunkStep::Search;
        self.checker.start_anywhere(in_string);
        Some(())
    }

    /// Makes the next guess after an error, if the last guess may have been wrong.
    #[inline(always)]
    fn retry(&mut self) -> Option<()> {
        if self.first > self.cut && self.position > self.first + WRONG_GUESS_DISTANCE {
            return None;
        }
        self.profile.discard();
        self.guess()
    }

    /// Begins the chunk at `first`, which is after a comma.
    #[inline(always)]
    fn begin(&mut self, first: usize) {
        (self.first, self.position) = (first, first);
        M::enter(self.profile.consumer, self.level);
        self.checker.start_fragment();
        self.step = next_step::<K>(first, self.end);
    }

    /// Begins the chunk after the first comma of the tile, if it has one. Returns whether to continue.
    #[inline(always)]
    fn search(&mut self, length: usize) -> bool {
        let comma = self.checker.tile().first_comma(0);
        self.level += self.checker.tile().rise(comma.unwrap_or(length));
        match comma {
            Some(comma) => self.begin(self.position + comma + 1),
            None => self.position += length,
        }
        // If the comma is after the end, the next chunk begins there.
        self.position <= self.end
            && self.position < self.text.len()
            && (self.step != ChunkStep::Search || self.position - self.cut < self.reach)
    }

    /// Plans a cut after the first comma of the tile from the end on. Returns whether to continue.
    #[inline(always)]
    fn plan_cut(&mut self, length: usize) -> bool {
        let comma = self.checker.tile().first_comma(self.end.saturating_sub(self.position));
        self.step = comma.map_or(ChunkStep::Tile, |comma| ChunkStep::Cut(comma + 1));
        comma.is_some() || length == Checker::<K>::TILE
    }

    /// Passes a tile to the consumer. Returns whether to continue.
    #[inline(always)]
    fn take(&mut self, tile: &[u8], length: usize, is_valid: bool) -> bool {
        if is_valid {
            self.profile.take(self.checker.kernel(), self.checker.tile(), tile, length);
        }
        self.position += length;
        self.step = next_step::<K>(self.position, self.end);
        // A chunk may exceed its end by its own length, so that a long token does not take more memory than others.
        let size = self.end.saturating_sub(self.cut);
        is_valid
            && self.position < self.end + size
            && self.position < self.text.len()
            && self.profile.held() <= MAX_OUTPUT_RATIO * size.max(MAX_TILE_BYTES)
    }
}

/// Returns the next step at `position` of a chunk that ends at the first comma from `end` on.
#[inline(always)]
fn next_step<K: Kernel>(position: usize, end: usize) -> ChunkStep {
    if end.saturating_sub(position) < Checker::<K>::TILE { ChunkStep::Peek } else { ChunkStep::Tile }
}
