//! The positions of all tokens of one document in memory, for consumers that read its values in any order.
//!
//! A value is found by its brackets, quotes and the starts of numbers and literals. Commas and colons only separate these,
//! so they are not listed, which makes the list a quarter shorter. The closing quote of each string is listed, because
//! finding the end of a string in the text would take longer than anything else that a reader does.

#![forbid(unsafe_code)]

mod list;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::Checker;
use crate::grammar::Lines;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::SHORT;
use crate::grammar::Tile;
use crate::grammar::short_document;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::memory::Grow;
use crate::options::Options;
use crate::scan::Workspace;
use crate::scan::padded;
pub(crate) use list::List;

/// The positions of the tokens of a text. The memory is reused for the next text.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    /// The positions and, after them, the length of the text.
    list: List,
    /// A bit for each 64 bytes of text: whether a backslash is among them.
    escaped_blocks: Vec<u64>,
    /// Whether any bit is set.
    has_escapes: bool,
    /// The number of the first token after each record, if they are listed.
    record_ends: Vec<u32>,
}

/// What the text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Document,
    /// NDJSON.
    Lines,
    /// NDJSON, with a list of where its records end.
    Records,
}

impl Unit {
    /// Returns the whitespace that ends the last value.
    fn terminator(self) -> u8 {
        match self {
            Self::Document => b' ',
            Self::Lines | Self::Records => b'\n',
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

    /// Lists the tokens like [`list_lines`](Self::list_lines), and the [ends](Self::record_ends) of the records.
    ///
    /// # Errors
    /// Like [`list_document`](Self::list_document).
    pub(crate) fn list_records(&mut self, text: &[u8], options: &Options) -> Result<Option<u64>, Error> {
        self.fill(text, options, Unit::Records)
    }

    /// Lists the end of a document as that of a record.
    pub(crate) fn end_record(&mut self) -> Result<(), OutOfMemory> {
        // After the tokens, the list has the length of the text.
        let tokens = self.list.count() - 1;
        self.record_ends.grow(tokens, OutOfMemory::Tokens)
    }

    fn fill(&mut self, text: &[u8], options: &Options, unit: Unit) -> Result<Option<u64>, Error> {
        let Ok(length) = u32::try_from(text.len()) else { return Err(Error::index_limit(text.len() as u64)) };
        self.list.clear();
        self.record_ends.clear();
        let records = if unit == Unit::Document && self.list_short(text, options.max_depth)? {
            Some(1)
        } else {
            self.list_with_kernel(text, options, unit)?
        };
        self.list.push(length);
        Ok(records)
    }

    fn list_with_kernel(&mut self, text: &[u8], options: &Options, unit: Unit) -> Result<Option<u64>, OutOfMemory> {
        self.has_escapes = false;
        self.escaped_blocks.clear();
        let words = text.len() / 4096 + 1;
        self.escaped_blocks.room(words, OutOfMemory::Tokens)?;
        self.escaped_blocks.resize(words, 0);
        options.isa.run(Fill { positions: self, text, max_depth: options.max_depth, unit })
    }

    /// Lists the tokens of a document without a kernel and returns true. Returns false if it is not short, or not valid, or
    /// unusual.
    #[inline]
    fn list_short(&mut self, text: &[u8], max_depth: Option<u64>) -> Result<bool, OutOfMemory> {
        if text.len() > SHORT {
            return Ok(false);
        }
        self.list.reserve()?;
        let mut escaped_blocks = None;
        self.list.add_with(SHORT, |positions| {
            let mut count = 0;
            escaped_blocks = short_document(text, max_depth, |position| {
                #[expect(clippy::cast_possible_truncation, reason = "the document is short")]
                let position = position as u32;
                positions[count] = position;
                count += 1;
            });
            escaped_blocks.is_some().then_some(count)
        });
        let Some(blocks) = escaped_blocks else { return Ok(false) };
        self.has_escapes = blocks != 0;
        self.escaped_blocks.clear();
        self.escaped_blocks.room(1, OutOfMemory::Tokens)?;
        self.escaped_blocks.push(blocks);
        Ok(true)
    }

    /// Returns the size of the memory in bytes.
    #[cfg(feature = "serde")]
    pub(crate) fn memory(&self) -> usize {
        let records = size_of::<u32>() * self.record_ends.capacity();
        self.list.memory() + size_of::<u64>() * self.escaped_blocks.capacity() + records
    }

    /// Returns the size of the positions and of the ends of records in bytes.
    pub(crate) fn size(&self) -> u64 {
        (size_of_val(self.list.positions()) + size_of_val(self.record_ends())) as u64
    }

    /// Returns the positions and, after them, the length of the text.
    #[inline]
    pub(crate) fn list(&self) -> &[u32] {
        self.list.positions()
    }

    /// Returns the number of the first token after each record.
    #[inline]
    pub(crate) fn record_ends(&self) -> &[u32] {
        &self.record_ends
    }

    /// Whether the text has any backslash.
    #[inline]
    pub(crate) fn has_escapes(&self) -> bool {
        self.has_escapes
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
    fn list_tile<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, unit: Unit, base: usize, length: usize) {
        let planes = tile.planes(length.div_ceil(K::SUPERBLOCK));
        for (place, masks, _) in tile.active() {
            let marks = masks.open | masks.close | masks.quotes | masks.scalar_start;
            let offset = place * K::SUPERBLOCK;
            let used_lanes = length.saturating_sub(offset).div_ceil(64).min(K::Word::LANES);
            if unit == Unit::Records && used_lanes > 0 {
                // Line breaks that end records have been taken for commas, which have another bit 5.
                let ends = masks.comma & !planes[place][5];
                self.list.ends_between(marks, ends, used_lanes, &mut self.record_ends);
            }
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
        let has_lines = unit != Unit::Document;
        let max_depth = if has_lines { max_depth.map(|depth| depth.saturating_add(1)) } else { max_depth };
        let mut workspace = Workspace::take(kernel, max_depth, false);
        let Workspace { checker, scratch } = &mut *workspace;
        let mut lines = if has_lines { checker.start_lines() } else { Lines::start(kernel) };
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
            let is_valid = if has_lines {
                checker.check_lines(tile, false, &mut lines)
            } else {
                checker.check(tile, false, false)
            };
            if !is_valid {
                break None;
            }
            positions.list.reserve()?;
            if unit == Unit::Records {
                // A record takes at least two bytes.
                positions.record_ends.room(MAX_TILE_BYTES / 2 + 1, OutOfMemory::Tokens)?;
            }
            positions.list_tile(kernel, checker.tile(), unit, base, length);
            if is_last {
                break match unit {
                    Unit::Lines | Unit::Records => checker.end_lines(&lines),
                    Unit::Document if checker.finish() => Some(1),
                    Unit::Document => None,
                };
            }
            rest = &rest[length..];
            base += length;
        };
        positions.list.reserve()?;
        if unit == Unit::Records && records.is_some_and(|records| records > positions.record_ends.len() as u64) {
            // The last line break is not part of the text.
            let tokens = positions.list.count();
            positions.record_ends.grow(tokens, OutOfMemory::Tokens)?;
        }
        workspace.keep();
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::random::Random;
    use crate::kernel::Isa;

    /// Lists a document both ways, which must agree if the short one accepts it. Returns whether it does, and whether the document is
    /// valid.
    fn check(text: &[u8], max_depth: Option<u64>) -> (bool, bool) {
        let mut short = Positions::default();
        let is_listed = short.list_short(text, max_depth).expect("memory");
        let mut is_valid = false;
        for isa in Isa::available() {
            let mut options = Options::new().isa(isa);
            options.max_depth = max_depth;
            let mut long = Positions::default();
            is_valid = long.list_with_kernel(text, &options, Unit::Document).expect("memory").is_some();
            let shown = String::from_utf8_lossy(text);
            assert!(is_valid || !is_listed, "{isa}: {shown}");
            if is_listed {
                assert_eq!(short.list(), long.list(), "{isa}: {shown}");
                assert_eq!(short.has_escapes, long.has_escapes, "{isa}: {shown}");
                assert_eq!(short.escaped_blocks, long.escaped_blocks, "{isa}: {shown}");
            }
        }
        (is_listed, is_valid)
    }

    /// Checks all texts of up to `length` of these parts. Each valid one must be listed the short way.
    fn check_all(parts: &[&str], length: u32) {
        for length in 0..=length {
            for number in 0..parts.len().pow(length) {
                let part = |at| parts[number / parts.len().pow(at) % parts.len()];
                let text: String = (0..length).map(part).collect();
                let (is_listed, is_valid) = check(text.as_bytes(), None);
                assert_eq!(is_listed, is_valid, "{text}");
            }
        }
    }

    #[test]
    fn short_documents_of_few_parts() {
        let [tokens, parts] = if cfg!(miri) { [2, 1] } else { [5, 4] };
        check_all(&["{", "}", "[", "]", ":", ",", "\"a\"", "0", " "], tokens);
        check_all(&["-", "0", "12", ".", "e", "E", "+", " ", ","], parts);
        check_all(&["\"", "\\", "u", "00aF", "n", "x", "é", "\n", "\0", "\u{7f}", "/"], parts);
        check_all(&["true", "false", "null", "t", "\t", "\r", "[", "]", ","], parts);
    }

    #[test]
    fn short_documents_with_any_byte() {
        let text = "{\"a\\u00e9\":[-1.5e+3,true,{}],\"b\":\"é😀 ~\",\"c\":[null,false]}".as_bytes().to_vec();
        assert_eq!(check(&text, None), (true, true));
        for at in (0..text.len()).step_by(if cfg!(miri) { 5 } else { 1 }) {
            for byte in (0..=u8::MAX).step_by(if cfg!(miri) { 50 } else { 1 }) {
                let mut changed = text.clone();
                changed[at] = byte;
                check(&changed, None);
                changed.insert(at, byte);
                check(&changed, None);
            }
            check(&text[..at], None);
        }
    }

    /// The end of the text, of a row and of a block of 64 bytes, at every distance from the start.
    #[test]
    fn short_documents_of_every_length() {
        for length in (0..SHORT + 3).step_by(if cfg!(miri) { 64 } else { 1 }) {
            let plain = "x".repeat(length);
            for (before, after) in [("\"", "\""), ("{\"a\":\"", "\"}"), ("\"", "\\\\\""), ("\"\\n", "é\"")] {
                let text = [before, &plain, after].concat();
                let expected = (text.len() <= SHORT, true);
                assert_eq!(check(text.as_bytes(), None), expected, "{length}");
                check(&text.as_bytes()[..text.len() - 1], None);
            }
            check("1".repeat(length).as_bytes(), None);
            check(" ".repeat(length).as_bytes(), None);
            let nested = "[".repeat(length) + &"]".repeat(length);
            for max_depth in [None, Some(0), Some(length as u64), Some(length as u64 + 1)] {
                let is_allowed = max_depth.is_none_or(|most| length as u64 <= most);
                let (is_listed, is_valid) = check(nested.as_bytes(), max_depth);
                assert_eq!(is_valid, is_allowed && length > 0);
                assert_eq!(is_listed, is_valid && length <= 64);
            }
        }
    }

    #[test]
    fn random_short_documents() {
        let mut random = Random::new(24);
        let parts = ["{", "}", "[", "]", ":", ",", "\"k\":", "\"a\\\"\"", "-0.5", "1e9", "true", "null", " ", "\"é\""];
        for _ in 0..if cfg!(miri) { 5 } else { 20_000 } {
            let text: String = (0..random.below(40)).map(|_| parts[random.below(parts.len())]).collect();
            check(text.as_bytes(), None);
        }
    }
}
