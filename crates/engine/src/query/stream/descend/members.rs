//! Visits members by name.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::descend::Descent;
use crate::query::stream::descend::Segment;
use crate::query::stream::path::PlanStep;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;
use crate::query::structure::bits_below;
use crate::query::structure::closing_position;
use crate::query::structure::depth_after;

impl Descent<'_> {
    /// Moves to the next member with the name of the first segment, at any depth.
    #[inline(always)]
    pub(super) fn next_member_anywhere<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
    ) -> Result<(), Stop> {
        let Some(Segment { step: PlanStep::Name(name), .. }) = self.segments.first() else { return Err(Stop::End) };
        let is_lone = self.segments.len() == 1;
        let value = if is_lone {
            tiles.find_descendant_member::<true>(self.offset, name)
        } else {
            tiles.find_descendant_member::<false>(self.offset, name)
        };
        let value = match value {
            Err(Stop::End) => return Err(Stop::EndAnywhere),
            value => value?,
        };
        self.offset = value;
        self.depth = 0;
        self.select_nothing();
        self.select(0);
        self.arrive(tiles)
    }

    /// Moves to the next member with one of the names of the frame. Returns the end of its container if there is none.
    #[inline(always)]
    pub(super) fn next_named_member<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
    ) -> Result<Option<u64>, Stop> {
        tiles.reach(self.offset)?;
        let (mut lane, mut mask) = tiles.lane_of(self.offset);
        let (mut open, mut close) = (tiles.masks.open(lane) & mask, tiles.masks.close(lane) & mask);
        let mut ends = close;
        loop {
            let mut names = 0;
            for index in self.frames[self.top].names {
                if let PlanStep::Name(name) = &self.segments[index].step {
                    names |= tiles.candidates(lane, mask, name);
                }
            }
            let floor = self.frames[self.top].depth.max(self.low);
            let levels = self.depth - floor + 1;
            let last = closing_position(tiles.kernel, open, close, ends, levels);
            if last < 64 {
                names &= bits_below(last);
            }
            while names != 0 {
                let position = names.trailing_zeros();
                names &= names - 1;
                let before = bits_below(position);
                let depth = depth_after(self.depth, open & before, close & before);
                let end = tiles.offset_of(lane, position);
                let is_child = depth == self.frames[self.top].depth;
                self.select_nothing();
                if let Some(used) = self.select_named(tiles, end, is_child) {
                    self.depth = depth;
                    match tiles.value_of(end)? {
                        Ok(value) => {
                            self.offset = value;
                            self.use_up(used);
                            self.arrive(tiles)?;
                        }
                        Err(next) => self.offset = next,
                    }
                    return Ok(None);
                }
            }
            if last < 64 {
                let after = tiles.offset_of(lane, last) + 1;
                if floor == self.frames[self.top].depth {
                    return Ok(Some(after));
                }
                // The container of the last head, or one around it, ends here.
                self.depth = floor - 1;
                self.update_low(tiles);
                mask = !0 << last << 1;
                (open, close) = (open & mask, close & mask);
                ends = close;
                continue;
            }
            self.depth = depth_after(self.depth, open, close);
            (lane, mask) = (lane + 1, !0);
            if lane.is_multiple_of(K::Word::LANES) {
                loop {
                    if lane == tiles.lanes {
                        tiles.next_tile()?;
                        lane = 0;
                    }
                    let levels = self.depth - floor + 1;
                    if tiles.masks.outer_closes::<K>(lane) as usize >= levels || self.has_candidates(tiles, lane) {
                        break;
                    }
                    self.depth = self.depth.wrapping_add_signed(tiles.masks.depth_change::<K>(lane) as isize);
                    lane += K::Word::LANES;
                }
            }
            (open, close) = (tiles.masks.open(lane), tiles.masks.close(lane));
            ends = tiles.masks.outer_close(lane);
        }
    }

    /// Whether the superblock that begins at `lane` has candidates for a name of the frame.
    #[inline(always)]
    fn has_candidates<K: Kernel, P: TileSource<K> + ?Sized>(&self, tiles: &Tiles<'_, K, P>, lane: usize) -> bool {
        for index in self.frames[self.top].names {
            if let PlanStep::Name(name) = &self.segments[index].step
                && tiles.has_candidates(lane, name)
            {
                return true;
            }
        }
        false
    }
}
