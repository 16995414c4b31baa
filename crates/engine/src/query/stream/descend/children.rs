//! Visits children one by one, for wildcards and indexes.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::descend::Descent;
use crate::query::stream::path::PlanStep;
use crate::query::stream::seek::Found;
use crate::query::stream::seek::ShortArray;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

impl Descent<'_> {
    /// Moves to the next child. Returns the end of the frame's container if there is none.
    #[inline(always)]
    pub(super) fn next_child<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
    ) -> Result<Option<u64>, Stop> {
        let is_fresh = std::mem::replace(&mut self.frames[self.top].is_fresh, false);
        if is_fresh {
            self.offset = tiles.skip_whitespace(self.offset)?;
            if matches!(tiles.byte(self.offset), b']' | b'}') {
                return Ok(Some(self.offset + 1));
            }
        } else {
            match tiles.skip_elements(self.offset, 1, b',')? {
                Found::At(next) => self.offset = tiles.skip_whitespace(next)?,
                Found::Missing(end) => return Ok(Some(end)),
            }
            self.frames[self.top].index += 1;
            if !self.frames[self.top].is_object
                && !self.frames[self.top].active.intersection(self.kinds.items).is_empty()
            {
                // If no more elements are selected, the others need not be visited.
                self.classify_states();
            }
        }
        self.select_nothing();
        let index = self.frames[self.top].index;
        if self.frames[self.top].is_object {
            if tiles.byte(self.offset) != b'"' {
                return Err(Stop::Malformed);
            }
            let end = tiles.closing_quote(self.offset + 1)?;
            if let Some(used) = self.select_named(tiles, end, true) {
                self.use_up(used);
            }
            match tiles.value_of(end)? {
                Ok(value) => self.offset = value,
                Err(_) => return Err(Stop::Malformed),
            }
        } else {
            for number in self.frames[self.top].active.intersection(self.kinds.items) {
                if let PlanStep::Items { first, end, step } = self.segments[number].step
                    && first <= index
                    && index < end
                    && (step == 1 || (index - first).is_multiple_of(step))
                {
                    self.select(number);
                }
            }
        }
        for number in self.frames[self.top].active.intersection(self.kinds.all) {
            self.select(number);
        }
        self.arrive(tiles)?;
        Ok(None)
    }

    /// Skips the array at `offset`, which contains no other container, and reports the elements that the last segment selects;
    /// no other segment can select anything in it. `head` is their head in RFC order.
    #[inline(always)]
    pub(super) fn skip_short_array<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        leaf: ShortArray,
        head: Option<u64>,
    ) -> Result<(), Stop> {
        let inside = self.offset + 1;
        self.offset = inside + leaf.length();
        let last = self.segments.len() - 1;
        let (first, end, step) = match self.segments[last].step {
            PlanStep::All => (0, u64::MAX, 1),
            PlanStep::Items { first, end, step } => (first, end, step),
            PlanStep::Name(_) | PlanStep::Token { .. } => return Ok(()),
        };
        if !self.selected.active.contains(last) {
            return Ok(());
        }
        let (times, end) = (self.selected.multiplicities[last], end.min(leaf.elements()));
        let mut index = first;
        while index < end {
            let times = tiles.report.add(times);
            if tiles.report.lists() {
                let (from, to) = leaf.element(tiles.kernel, index);
                if times > 0 {
                    let number = tiles.report.begin(inside + from, head.unwrap_or(times))?;
                    tiles.report.end(number, inside + to);
                }
                // Not after the array: how much is validated must not depend on tile borders.
                if tiles.report.is_complete() {
                    return tiles.stop_at(inside + to);
                }
            } else if tiles.report.limit_reached() {
                return tiles.stop_at(self.offset);
            }
            index = index.saturating_add(step);
        }
        Ok(())
    }
}
