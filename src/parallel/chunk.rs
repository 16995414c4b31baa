//! One chunk of a document, read without what came before it: from behind a comma up to behind another.
//!
//! A chunk is what lies between two cuts, moved to the next comma outside strings. At a cut nobody knows whether a string
//! surrounds it, so both are tried: text taken for the inside of a string, or the other way round, is hardly ever JSON for
//! long. Which comma the chunk began behind is told with the result, and whoever joins the chunks knows the right one.

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

/// What is tried where nobody knows whether a string surrounds the cut, and how far behind it a comma may be. Text whose
/// strings are taken for what is between them may have no comma at all, so both ways are tried nearby first.
const TRIES: [(bool, usize); 4] = [(false, NEARBY), (true, NEARBY), (false, usize::MAX), (true, usize::MAX)];

const NEARBY: usize = 8 * 1024;

/// A fault this close to the start of a chunk may come of having taken the inside of strings for the outside.
const DOUBT: usize = 16 * 1024;

/// Output that a chunk may have, in its own length; what has more is deep, and the walk's.
const MOST: usize = 16;

/// Where a chunk begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// Behind the first comma outside strings from this cut on, which has no backslash in front of it. What surrounds the
    /// cut may be known.
    Near(usize, Option<Surroundings>),
    /// Here, behind a comma inside so many containers.
    Here(usize, i64),
}

/// What one thread is to do.
pub(super) struct Chunk<'t, M: ChunkFactory> {
    pub(super) text: &'t [u8],
    pub(super) start: Start,
    /// The chunk ends behind the first comma outside strings from here on.
    pub(super) end: usize,
    pub(super) options: &'t Options,
    pub(super) factory: M,
    /// Memory for the output.
    pub(super) memory: Vec<u8>,
}

/// A chunk in which nothing is wrong in itself.
pub(super) struct Piece {
    pub(super) start: usize,
    /// The level it was taken to begin at, if its maker needs one.
    pub(super) level: i64,
    pub(super) end: usize,
    pub(super) fragment: Fragment,
    /// The output stands at the front of this memory, and how long it is.
    pub(super) memory: Vec<u8>,
    pub(super) filled: usize,
}

/// What the engine is given next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A tile, to find the comma the chunk begins behind.
    Search,
    /// A whole tile.
    Tile,
    /// A tile, to find the comma it ends with.
    Peek,
    /// So many bytes, the last one that comma.
    Cut(usize),
}

impl<M: ChunkFactory> Chunk<'_, M> {
    /// Nothing if the chunk holds a fault or is too long, or begins nowhere.
    pub(super) fn read(self) -> Option<Piece> {
        self.options.isa.run(self)
    }
}

impl<M: ChunkFactory> Pass for Chunk<'_, M> {
    type Output = Option<Piece>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<Piece> {
        let Self { text, start, end, options, factory, memory } = self;
        let mut nowhere = io::sink();
        let mut part = factory.part(Stage::on(&mut nowhere, memory));
        let mut checker = Checker::new(kernel, options.max_depth, <M::Part<'_> as Consumer>::LAYOUT);
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let known;
        let (cut, at_cut, tries, mut step) = match start {
            Start::Near(cut, None) => (cut, 0, &TRIES[..], Step::Search),
            Start::Near(cut, Some(Surroundings { in_string, level })) => {
                known = [(in_string, usize::MAX)];
                (cut, level, &known[..], Step::Search)
            }
            Start::Here(comma, level) => (comma, level, &[][..], next_step::<K>(comma, end)),
        };
        let mut tries = tries.iter().copied();
        // Behind its end a chunk goes on for as long again at most: one long token may take no more memory than others.
        let most = MOST * end.saturating_sub(cut).max(MAX_TILE_BYTES);
        let longest = end + end.saturating_sub(cut);
        let (mut first, mut position, mut level) = (cut, cut, at_cut);
        let mut reach = 0;
        if step == Step::Search {
            let (in_string, near) = tries.next()?;
            reach = near;
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
            let good =
                checker.check(tile, <M::Part<'_> as Consumer>::LAYOUT, matches!(step, Step::Search | Step::Peek));
            let goes_on = match step {
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
                    // If the comma stands behind the end, it is the next chunk that begins there.
                    position <= end && position < text.len() && (step != Step::Search || position - cut < reach)
                }
                Step::Peek => {
                    checker.restore(carries);
                    let comma = checker.masks().first_comma(end.saturating_sub(position));
                    step = comma.map_or(Step::Tile, |comma| Step::Cut(comma + 1));
                    comma.is_some() || length == Checker::<K>::TILE
                }
                Step::Tile | Step::Cut(_) => {
                    if good {
                        part.take(kernel, checker.masks(), tile, length);
                    }
                    position += length;
                    if good && matches!(step, Step::Cut(_)) {
                        let (memory, filled) = M::into_memory(part)?;
                        let fragment = checker.end_fragment()?;
                        return Some(Piece { start: first, level, end: position, fragment, memory, filled });
                    }
                    step = next_step::<K>(position, end);
                    good && position < longest && position < text.len() && part.held() <= most
                }
            };
            if !goes_on {
                if first > cut && position > first + DOUBT {
                    return None;
                }
                let (in_string, near) = tries.next()?;
                part.discard();
                (first, position, level, reach) = (cut, cut, at_cut, near);
                step = Step::Search;
                checker.start_anywhere(in_string);
            }
        }
    }
}

/// What to do at `position` of a chunk that ends at the first comma from `end` on.
#[inline(always)]
fn next_step<K: Kernel>(position: usize, end: usize) -> Step {
    if end.saturating_sub(position) < Checker::<K>::TILE { Step::Peek } else { Step::Tile }
}
