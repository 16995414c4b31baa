//! The positions of all tokens of one document in memory, for consumers that read its values in any order.
//!
//! A value is found by its brackets, quotes and the starts of numbers and literals. Commas and colons only separate these,
//! so they are not listed, which makes the list a quarter shorter. The closing quote of each string is listed, because
//! finding the end of a string in the text would take longer than anything else that a reader does.

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "serde"), expect(dead_code, reason = "lines are read by deserializers only"))]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::Checker;
use crate::grammar::Lines;
use crate::grammar::Tile;
use crate::index::list::List;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::memory::Grow;
use crate::options::Options;
use crate::scan::Workspace;
use crate::scan::padded;

/// The positions of the tokens of a text. The memory is reused for the next text.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    /// The positions and, after them, the length of the text.
    list: List,
    /// A bit for each 64 bytes of text: whether a backslash is among them.
    escaped_blocks: Vec<u64>,
    /// Whether any bit is set.
    has_escapes: bool,
}

/// What the text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Document,
    /// NDJSON.
    Lines,
}

impl Unit {
    /// Returns the whitespace that ends the last value.
    fn terminator(self) -> u8 {
        match self {
            Self::Document => b' ',
            Self::Lines => b'\n',
        }
    }
}

impl Positions {
    /// Lists the tokens of `text` and returns whether it is one valid document. The rules of stricter profiles are not
    /// checked.
    ///
    /// # Errors
    /// Returns an error if the text is 4 GiB or longer, or if there is not enough memory.
    pub(crate) fn list_document(&mut self, text: &[u8], options: &Options) -> Result<bool, Error> {
        self.fill(text, options, Unit::Document).map(|records| records.is_some())
    }

    /// Lists the tokens of the lines of `text` and returns the number of records if all are valid.
    ///
    /// # Errors
    /// Like [`list_document`](Self::list_document).
    pub(crate) fn list_lines(&mut self, text: &[u8], options: &Options) -> Result<Option<u64>, Error> {
        self.fill(text, options, Unit::Lines)
    }

    fn fill(&mut self, text: &[u8], options: &Options, unit: Unit) -> Result<Option<u64>, Error> {
        let Ok(length) = u32::try_from(text.len()) else { return Err(Error::index_limit(text.len() as u64)) };
        self.list.clear();
        self.has_escapes = false;
        self.escaped_blocks.clear();
        let words = text.len() / 4096 + 1;
        self.escaped_blocks.room(words, OutOfMemory::Tokens)?;
        self.escaped_blocks.resize(words, 0);
        let records = options.isa.run(Fill { positions: self, text, max_depth: options.max_depth, unit })?;
        self.list.push(length);
        Ok(records)
    }

    /// Returns the size of the memory in bytes.
    #[cfg(feature = "serde")]
    pub(crate) fn memory(&self) -> usize {
        self.list.memory() + size_of::<u64>() * self.escaped_blocks.capacity()
    }

    /// Returns the positions and, after them, the length of the text.
    #[inline]
    pub(crate) fn list(&self) -> &[u32] {
        self.list.positions()
    }

    /// Returns false if the text from `start` to `end` has no backslash.
    #[inline]
    pub(crate) fn may_have_escapes(&self, start: usize, end: usize) -> bool {
        self.has_escapes && {
            let (first, last) = (start / 64, end / 64);
            let distance = last - first;
            // A long string is rare enough to be searched.
            distance >= 64 - first % 64
                || self.escaped_blocks[first / 64] >> (first % 64) & (u64::MAX >> (63 - distance)) != 0
        }
    }

    /// Lists the tokens of a tile of `length` bytes, which begins at index `base` of the text.
    #[inline(always)]
    fn list_tile<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, base: usize, length: usize) {
        for (place, masks, _) in tile.active() {
            let marks = masks.open | masks.close | masks.quotes | masks.scalar_start;
            let offset = place * K::SUPERBLOCK;
            let used_lanes = length.saturating_sub(offset).div_ceil(64).min(K::Word::LANES);
            self.list.add(kernel, marks, base + offset, used_lanes);
        }
        for place in 0..length.div_ceil(K::SUPERBLOCK) {
            if let Some(backslashes) = tile.backslashes(place) {
                let mut blocks = 0;
                for (lane, &backslashes) in lanes(backslashes).iter().enumerate() {
                    blocks |= u64::from(backslashes != 0) << lane;
                }
                // A superblock has at most 8 blocks of the 64 of an entry, and begins at a multiple of its size.
                let block = (base + place * K::SUPERBLOCK) / 64;
                self.escaped_blocks[block / 64] |= blocks << (block % 64);
                self.has_escapes = true;
            }
        }
    }
}

/// The check of a text that lists its tokens. Returns the number of records, or `None` if the text is invalid.
struct Fill<'p> {
    positions: &'p mut Positions,
    text: &'p [u8],
    max_depth: Option<u64>,
    unit: Unit,
}

impl Pass for Fill<'_> {
    type Output = Result<Option<u64>, OutOfMemory>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { positions, text, max_depth, unit } = self;
        // Lines are nested in an imaginary array.
        let max_depth = if unit == Unit::Lines { max_depth.map(|depth| depth.saturating_add(1)) } else { max_depth };
        let mut workspace = Workspace::take(kernel, max_depth, false);
        let Workspace { checker, scratch } = &mut *workspace;
        let mut lines = if unit == Unit::Lines { checker.start_lines() } else { Lines::start(kernel) };
        let (mut rest, mut base) = (text, 0);
        let records = loop {
            let is_last = rest.len() < Checker::<K>::TILE;
            let (tile, length) = if is_last {
                let padded = padded::<K>(scratch, rest, 1).len();
                scratch[rest.len()] = unit.terminator();
                (&scratch[..padded], rest.len())
            } else {
                (&rest[..Checker::<K>::TILE], Checker::<K>::TILE)
            };
            let is_valid = if unit == Unit::Lines {
                checker.check_lines(tile, false, &mut lines)
            } else {
                checker.check(tile, false, false)
            };
            if !is_valid {
                break None;
            }
            positions.list.reserve()?;
            positions.list_tile(kernel, checker.tile(), base, length);
            if is_last {
                break match unit {
                    Unit::Lines => checker.end_lines(&lines),
                    Unit::Document if checker.finish() => Some(1),
                    Unit::Document => None,
                };
            }
            rest = &rest[length..];
            base += length;
        };
        positions.list.reserve()?;
        workspace.keep();
        Ok(records)
    }
}
