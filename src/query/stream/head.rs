//! Members of one name, at any depth: what `$..name` begins with, and often all there is of it.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::name::Name;
use crate::query::stream::seek::is_opener;
use crate::query::stream::seek::lanes_from;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// The value of the next member with this name. With `LONE`, such members are all that is asked for: they are reported on the
    /// way, and only a container of which the end is to be reported, too, is returned.
    #[inline(always)]
    pub(super) fn head<const LONE: bool>(&mut self, place: u64, name: &Name) -> Result<u64, Stop> {
        let mut place = place;
        'strings: loop {
            self.reach(place)?;
            let (mut word, mut mask) = self.word_of(place);
            // The next one may be near.
            let mut lanes = lanes_from::<K>(word);
            loop {
                let first = word / K::Word::LANES * K::Word::LANES;
                while lanes != 0 {
                    let at = first + lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let mut names = self.candidates(at, if at == word { mask } else { !0 }, name);
                    while names != 0 {
                        let position = names.trailing_zeros();
                        names &= names - 1;
                        let end = self.place_of(at, position);
                        if !self.says(end, name) {
                            continue;
                        }
                        self.quiet = 0;
                        let tile = self.start;
                        place = match self.value_of(end)? {
                            Ok(value) if LONE && !(self.report.lists() && is_opener(self.byte(value))) => {
                                self.hit(value, 1, None)?.0
                            }
                            Ok(value) => return Ok(value),
                            // A string that is a value.
                            Err(next) => next,
                        };
                        if !LONE || self.start != tile {
                            continue 'strings;
                        }
                    }
                }
                (word, mask) = (first + K::Word::LANES, !0);
                if word == self.words {
                    self.next_tile_with(name)?;
                    word = 0;
                }
                lanes = self.candidate_lanes(word, name);
            }
        }
    }

    /// Reports the value at `place`, which is selected in so many ways; in the order of the RFC, with its head. Returns where to go
    /// on, and the number of the match if it is a container, of which the end is to be reported.
    #[inline(always)]
    pub(super) fn hit(&mut self, place: u64, hits: u64, head: Option<u64>) -> Result<(u64, Option<usize>), Stop> {
        let times = self.report.add(hits);
        if !self.report.lists() {
            return if self.report.is_full() { self.enough(place) } else { Ok((place, None)) };
        }
        let (mut place, mut number) = (place, None);
        if times > 0 {
            let begun = self.report.begin(place, head.unwrap_or(times))?;
            if is_opener(self.byte(place)) {
                number = Some(begun);
            } else {
                place = self.scalar_end(place)?;
                self.report.end(begun, place);
            }
        }
        if self.report.is_complete() { self.enough(place) } else { Ok((place, number)) }
    }
}
