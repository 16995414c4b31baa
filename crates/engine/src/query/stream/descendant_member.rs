//! Finds members with a given key at any depth, for queries that begin with `$..name`. Not used in RFC order, which needs the
//! containers of the matches.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::search_string::SearchString;
use crate::query::stream::seek::is_opener;
use crate::query::stream::seek::lanes_from;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Returns the value of the next member with this name.
    ///
    /// `LONE`: the query is only `$..name`. Values are then reported on the way, and a value is returned only if it is a
    /// container whose end must be reported, too.
    #[inline(always)]
    pub(super) fn find_descendant_member<const LONE: bool>(
        &mut self,
        offset: u64,
        name: &SearchString,
    ) -> Result<u64, Stop> {
        let mut offset = offset;
        'strings: loop {
            self.reach(offset)?;
            let (mut lane, mut mask) = self.lane_of(offset);
            // The next member may be in the same superblock.
            let mut lanes = lanes_from::<K>(lane);
            loop {
                let first = lane / K::Word::LANES * K::Word::LANES;
                while lanes != 0 {
                    let at = first + lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let mut names = self.candidates(at, if at == lane { mask } else { !0 }, name);
                    while names != 0 {
                        let position = names.trailing_zeros();
                        names &= names - 1;
                        let end = self.offset_of(at, position);
                        if !self.has_name(end, name) {
                            continue;
                        }
                        self.without_name = 0;
                        let tile = self.start;
                        offset = match self.value_of(end)? {
                            Ok(value) if LONE && !(self.report.lists() && is_opener(self.byte(value))) => {
                                self.report_value(value, 1, None)?.0
                            }
                            Ok(value) => return Ok(value),
                            // The string is a value, not a key.
                            Err(next) => next,
                        };
                        // mutant: if !LONE {
                        if !LONE || self.start != tile {
                            continue 'strings;
                        }
                    }
                }
                (lane, mask) = (first + K::Word::LANES, !0);
                if lane == self.lanes {
                    self.next_tile_with(name)?;
                    lane = 0;
                }
                lanes = self.candidate_lanes(lane, name);
            }
        }
    }

    /// Reports the value at `offset`, which is selected `count` times. `head` is its head in RFC order. Returns where to continue
    /// and, if the value is a container whose end must be reported, the number of the match.
    #[inline(always)]
    pub(super) fn report_value(
        &mut self,
        offset: u64,
        count: u64,
        head: Option<u64>,
    ) -> Result<(u64, Option<usize>), Stop> {
        let times = self.report.add(count);
        if !self.report.lists() {
            return if self.report.limit_reached() { self.stop_at(offset) } else { Ok((offset, None)) };
        }
        let (mut offset, mut number) = (offset, None);
        if times > 0 {
            let begun = self.report.begin(offset, head.unwrap_or(times))?;
            if is_opener(self.byte(offset)) {
                number = Some(begun);
            } else {
                offset = self.scalar_end(offset)?;
                self.report.end(begun, offset);
            }
        }
        if self.report.is_complete() { self.stop_at(offset) } else { Ok((offset, number)) }
    }
}
