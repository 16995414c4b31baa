//! The current tile, and how to get the next one: a producer that is asked for tiles by whoever runs off the last.
//!
//! An executor keeps its state in local variables and simply goes on where a tile ends: it pulls the next tile from the middle
//! of any question, so nothing has to be saved at the borders of tiles and windows. Producing a tile is a pass of its own,
//! compiled once for each producer and kernel and not at each of the many places where a tile may end.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::name::Name;
use crate::query::stream::report::Report;
use std::marker::PhantomData;

/// Why an executor stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// There are no more tiles: the text ends, or it is no document from some place on.
    End,
    /// The same, where nobody has looked how many containers are open.
    EndAnywhere,
    /// The text here is no JSON. Whoever checks it finds that out, too, but perhaps not before its end.
    Nonsense,
    /// Nothing more is wanted.
    Enough,
    /// Whoever takes the matches has ended the search.
    Ended,
    /// The next tile could not be had.
    Failure,
    /// There is no memory for this.
    OutOfMemory(OutOfMemory),
}

impl From<OutOfMemory> for Stop {
    fn from(lack: OutOfMemory) -> Self {
        Self::OutOfMemory(lack)
    }
}

/// How an executor comes to its end before the text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The root ends here.
    Left(u64),
    /// Nothing behind this place can match.
    Answered(u64),
}

/// What a tile is, beside its masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Bytes of the text in it.
    pub(super) length: usize,
    /// Whole superblocks, what it was padded with included.
    pub(super) superblocks: usize,
    /// Whether no string reaches from it into the next one, which begins where a word does not.
    pub(super) is_cut: bool,
}

/// Makes tiles.
pub(super) trait TileProducer<K: Kernel> {
    fn kernel(&self) -> K;

    /// Fills `masks` and `look_behind` with the next tile, if there is one.
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut Report<'_>,
    ) -> Result<Option<Extent>, Error>;

    /// Goes to a place outside of strings, ahead or back: for who has all text in memory.
    fn go_to(&mut self, _place: u64) {}

    /// Passes over whole superblocks in which so many levels (at least one) do not come to an end, or over any if none are given.
    /// Returns how many bytes, and the levels that are left.
    #[inline(always)]
    fn pass(&mut self, levels: Option<usize>) -> (u64, usize) {
        (0, levels.unwrap_or_default())
    }

    /// Passes over text in which no string says the name. Returns how many bytes, of which no string that begins in them says it;
    /// nothing if it was in vain to try.
    #[inline(always)]
    fn skip_to_name(&mut self, _: &Name) -> Option<u64> {
        None
    }
}

/// A producer as executors see it, whatever it is: they are compiled once, and each producer is a pass of its own.
pub(super) trait TileSource<K: Kernel> {
    /// What [`TileProducer::produce`] does.
    fn next_tile(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut Report<'_>,
    ) -> Result<Option<Extent>, Error>;

    /// What [`TileProducer::go_to`] does.
    fn go_to(&mut self, place: u64);

    /// What [`TileProducer::pass`] does.
    fn pass(&mut self, levels: Option<usize>) -> (u64, usize);

    /// What [`TileProducer::skip_to_name`] does.
    fn skip_to_name(&mut self, name: &Name) -> Option<u64>;
}

impl<K: Kernel, P: TileProducer<K>> TileSource<K> for P {
    fn next_tile(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut Report<'_>,
    ) -> Result<Option<Extent>, Error> {
        self.kernel().run(ProduceTile { producer: self, masks, look_behind, report, kernel: PhantomData })
    }

    fn go_to(&mut self, place: u64) {
        TileProducer::go_to(self, place);
    }

    fn pass(&mut self, levels: Option<usize>) -> (u64, usize) {
        self.kernel().run(PassOver { producer: self, levels, kernel: PhantomData })
    }

    fn skip_to_name(&mut self, name: &Name) -> Option<u64> {
        self.kernel().run(SkipToName { producer: self, name, kernel: PhantomData })
    }
}

/// Making the next tile.
struct ProduceTile<'n, 'r, K, P> {
    producer: &'n mut P,
    masks: &'n mut Masks,
    look_behind: &'n mut LookBehind,
    report: &'n mut Report<'r>,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: TileProducer<K>> Pass for ProduceTile<'_, '_, K, P> {
    type Output = Result<Option<Extent>, Error>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.producer.produce(self.masks, self.look_behind, self.report)
    }
}

/// Passing over tiles.
struct PassOver<'o, K, P> {
    producer: &'o mut P,
    levels: Option<usize>,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: TileProducer<K>> Pass for PassOver<'_, K, P> {
    type Output = (u64, usize);

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.producer.pass(self.levels)
    }
}

/// Passing over text.
struct SkipToName<'l, K, P> {
    producer: &'l mut P,
    name: &'l Name,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: TileProducer<K>> Pass for SkipToName<'_, K, P> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.producer.skip_to_name(self.name)
    }
}

/// The current tile.
pub(super) struct Tiles<'s, K, P: ?Sized> {
    pub(super) kernel: K,
    pub(super) producer: &'s mut P,
    pub(super) masks: Masks,
    pub(super) look_behind: LookBehind,
    pub(super) report: Report<'s>,
    /// Where the tile begins and ends.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Words of the tile.
    pub(super) words: usize,
    extent: Extent,
    failure: Option<Error>,
    /// Up to where something was wanted.
    wanted: u64,
    /// Tiles since a name was found or could not be ruled out.
    pub(super) quiet: u32,
    /// How many of those must come before it is tried to pass over text.
    patience: u32,
}

/// The least patience: with less, more time is lost in front of names than is won between them.
const PATIENCE: u32 = 8;

impl<'s, K: Kernel, P: TileSource<K> + ?Sized> Tiles<'s, K, P> {
    pub(super) fn new(kernel: K, producer: &'s mut P, report: Report<'s>) -> Self {
        let extent = Extent { length: 0, superblocks: 0, is_cut: true };
        let (masks, look_behind) = (Masks::new(), LookBehind::new(0));
        Self {
            kernel,
            producer,
            masks,
            look_behind,
            report,
            start: 0,
            end: 0,
            words: 0,
            extent,
            failure: None,
            wanted: 0,
            quiet: 0,
            patience: PATIENCE,
        }
    }

    /// Begins a document at `start`, a record of this number if it is one.
    pub(super) fn begin(&mut self, start: u64, record: Option<u64>) {
        self.move_to(start);
        self.report.start(start, record);
    }

    fn move_to(&mut self, place: u64) {
        self.start = place;
        self.end = place;
        self.words = 0;
        self.extent = Extent { length: 0, superblocks: 0, is_cut: true };
        self.look_behind.move_to(place);
    }

    /// Has the place, which is outside of strings, in the current tile.
    #[inline(always)]
    pub(super) fn go_to(&mut self, place: u64) -> Result<(), Stop> {
        if (self.start..self.end).contains(&place) {
            return Ok(());
        }
        self.producer.go_to(place);
        self.move_to(place);
        self.next_tile()
    }

    /// Why there is no next tile, if that is not the end of the text.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Nothing behind `place` is wanted.
    #[cold]
    pub(super) fn enough<T>(&mut self, place: u64) -> Result<T, Stop> {
        self.wanted = place;
        Err(Stop::Enough)
    }

    /// Where an executor stopped that had enough.
    pub(super) fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Goes to the next tile.
    #[inline(never)]
    pub(super) fn next_tile(&mut self) -> Result<(), Stop> {
        self.masks.next_tile((!self.extent.is_cut).then_some(self.words));
        match self.producer.next_tile(&mut self.masks, &mut self.look_behind, &mut self.report) {
            Ok(_) if self.report.has_ended() => Err(Stop::Ended),
            Ok(Some(extent)) => {
                self.start = self.end;
                self.end = self.start + extent.length as u64;
                self.words = extent.superblocks * (K::SUPERBLOCK / 64);
                self.extent = extent;
                Ok(())
            }
            Ok(None) => Err(Stop::End),
            Err(error) => {
                self.failure = Some(error);
                Err(Stop::Failure)
            }
        }
    }

    /// Goes to where there are no more tiles, and says why.
    pub(super) fn drain(&mut self) -> Stop {
        loop {
            self.producer.pass(None);
            if let Err(stop) = self.next_tile() {
                return stop;
            }
        }
    }

    /// Goes to the next tile, or to a later one: the one in which so many levels (at least one) come to an end, or one in front
    /// of it. Returns the levels that are left.
    #[inline(never)]
    pub(super) fn next_tile_inside(&mut self, levels: usize) -> Result<usize, Stop> {
        let (passed, levels) = self.producer.pass(Some(levels));
        if passed > 0 {
            self.pass_over(passed);
        }
        self.next_tile()?;
        Ok(levels)
    }

    /// Goes on behind so many bytes, of which no string is wanted.
    fn pass_over(&mut self, passed: u64) {
        self.end += passed;
        self.look_behind.move_to(self.end);
        self.extent.is_cut = true;
    }

    /// Goes to the next tile, or to a later one, if there are many in which no string says the name.
    #[inline(never)]
    pub(super) fn next_tile_with(&mut self, name: &Name) -> Result<(), Stop> {
        self.quiet += 1;
        if self.quiet > self.patience {
            match self.producer.skip_to_name(name) {
                Some(0) => {}
                Some(passed) => {
                    self.pass_over(passed);
                    self.patience = PATIENCE;
                }
                None => {
                    self.quiet = 0;
                    self.patience = (2 * self.patience).min(16 * PATIENCE);
                }
            }
        }
        self.next_tile()
    }

    /// Goes on until the place is in the current tile.
    #[inline(always)]
    pub(super) fn reach(&mut self, place: u64) -> Result<(), Stop> {
        while place >= self.end {
            self.next_tile()?;
        }
        Ok(())
    }

    /// The word of a place in the tile, and the positions from there on.
    #[expect(clippy::cast_possible_truncation, reason = "it is in the tile")]
    #[inline(always)]
    pub(super) fn word_of(&self, place: u64) -> (usize, u64) {
        let index = (place - self.start) as usize;
        (index / 64, !0 << (index % 64))
    }

    /// The place of a position in a word of the tile.
    #[inline(always)]
    pub(super) fn place_of(&self, word: usize, position: u32) -> u64 {
        self.start + 64 * word as u64 + u64::from(position)
    }

    #[inline(always)]
    pub(super) fn byte(&self, place: u64) -> u8 {
        self.look_behind.byte(place)
    }

    /// The bytes of a word.
    #[inline(always)]
    pub(super) fn block(&self, word: usize) -> &[u8; 64] {
        self.look_behind.block(self.start + 64 * word as u64)
    }
}
