//! The tile sources for a batch of records, all lines of which are in memory: one checked, one unchecked.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Checker;
use crate::grammar::Lines;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::options::Options;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::report::MatchReport;
use crate::query::stream::structures::Structures;
use crate::query::stream::tiles::Extent;
use crate::query::stream::tiles::InlineTileSource;
use crate::query::structure::EscapedStringCarry;
use crate::scan::padded;

/// The rest of the text of a batch.
struct Rest<'t> {
    text: &'t [u8],
    at: usize,
    /// Maximum number of superblocks in the next tile.
    most: usize,
    scratch: Box<[u8; MAX_TILE_BYTES]>,
}

impl<'t> Rest<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, at: 0, most: usize::MAX, scratch: Box::new([b' '; MAX_TILE_BYTES]) }
    }

    /// Returns the next tile and its size.
    #[inline(always)]
    fn next<K: Kernel>(&mut self) -> Option<(&[u8], Extent)> {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let superblocks = self.most.min(K::TILE);
        self.most = 2 * superblocks;
        let most = superblocks * K::SUPERBLOCK;
        let length = rest.len().min(most);
        let tile = if length == most { &rest[..length] } else { padded::<K>(&mut self.scratch, rest, 0) };
        self.at += length;
        Some((tile, Extent { length, superblocks: tile.len() / K::SUPERBLOCK }))
    }
}

/// The source of checked tiles of a batch.
pub(super) struct CheckedBatch<'t, K: Kernel> {
    text: Rest<'t>,
    checker: Checker<K>,
    lines: Lines<K::Word>,
    escapes: EscapedStringCarry,
    is_valid: bool,
}

impl<'t, K: Kernel> CheckedBatch<'t, K> {
    #[inline(always)]
    pub(super) fn new(kernel: K, text: &'t [u8], options: &Options) -> Self {
        // The checker treats the batch as an array, which is a level of its own.
        let most = options.max_depth.map(|depth| depth.saturating_add(1));
        let mut checker = Checker::new(kernel, most, false);
        let lines = checker.start_lines();
        Self { text: Rest::new(text), checker, lines, escapes: EscapedStringCarry::default(), is_valid: true }
    }

    /// Checks tiles at least up to `end`, without passing their masks on. Returns whether they are valid.
    #[inline(always)]
    pub(super) fn check(&mut self, end: usize) -> bool {
        while self.is_valid
            && self.text.at < end
            && let Some((tile, _)) = self.text.next::<K>()
        {
            self.is_valid = self.checker.check_lines(tile, false, &mut self.lines);
        }
        self.is_valid
    }

    /// Returns the number of records in the batch. `None` if it is invalid or was not checked to its end.
    #[inline(always)]
    pub(super) fn records(&mut self) -> Option<u64> {
        if self.is_valid { self.checker.end_lines(&self.lines) } else { None }
    }
}

impl<K: Kernel> InlineTileSource<K> for CheckedBatch<'_, K> {
    fn kernel(&self) -> K {
        self.checker.kernel()
    }

    #[inline(always)]
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        _: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        let Some((tile, extent)) = self.text.next::<K>() else { return Ok(None) };
        self.is_valid = self.is_valid && self.checker.check_lines(tile, false, &mut self.lines);
        if !self.is_valid {
            return Ok(None);
        }
        let to = look_behind.append(tile.len(), extent.length);
        masks.fill(self.checker.kernel(), self.checker.tile(), tile, to, &mut self.escapes);
        Ok(Some(extent))
    }
}

/// The source of unchecked tiles of a batch.
pub(super) struct UncheckedBatch<'t, K> {
    text: Rest<'t>,
    structures: Structures<K>,
}

impl<'t, K: Kernel> UncheckedBatch<'t, K> {
    pub(super) fn new(kernel: K, text: &'t [u8]) -> Self {
        Self { text: Rest::new(text), structures: Structures::new(kernel) }
    }
}

impl<K: Kernel> InlineTileSource<K> for UncheckedBatch<'_, K> {
    fn kernel(&self) -> K {
        self.structures.kernel()
    }

    #[inline(always)]
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        _: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        let Some((tile, extent)) = self.text.next::<K>() else { return Ok(None) };
        self.structures.fill(masks, look_behind, tile, extent.length);
        Ok(Some(extent))
    }

    #[expect(clippy::cast_possible_truncation, reason = "an index in the batch")]
    fn go_to(&mut self, offset: u64) {
        // Perhaps a single record is needed, so the next tile is small.
        (self.text.at, self.text.most) = (offset as usize, 1);
        // mutant:
        self.structures.begin();
    }
}
