//! The current tile of an executor, and the traits of the tile sources.
//!
//! An executor keeps its state in local variables. When it runs past the end of a tile it pulls the next one, from the middle
//! of any operation, so no state is saved at tile or window borders. Producing a tile is a [`Pass`] of its own: it is compiled
//! once per tile source and kernel, and not inlined wherever a tile may end.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::query::stream::look_behind::LookBehind;
use crate::query::stream::masks::Masks;
use crate::query::stream::report::MatchReport;
use crate::query::stream::search_string::SearchString;
use std::marker::PhantomData;

/// Why an executor stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// There are no more tiles: the text ends here, or its first error does.
    End,
    /// As `End`, for an executor that does not know how many containers are open.
    EndAnywhere,
    /// The text at this point is not JSON. A source of checked tiles also finds the error, but possibly only later.
    Malformed,
    /// No more matches are wanted.
    Enough,
    /// The sink ended the search.
    SinkEnded,
    /// Reading the next tile failed.
    Failure,
    /// An allocation failed.
    OutOfMemory(OutOfMemory),
}

impl From<OutOfMemory> for Stop {
    fn from(error: OutOfMemory) -> Self {
        Self::OutOfMemory(error)
    }
}

/// How an executor finishes before the text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The root value ends at this offset.
    RootEnded(u64),
    /// Nothing after this offset can match.
    Exhausted(u64),
}

/// The size of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Bytes of text in it.
    pub(super) length: usize,
    /// Whole superblocks, including padding.
    pub(super) superblocks: usize,
}

/// A tile source as it is implemented. Its methods are inlined into passes: see [`TileSource`].
pub(super) trait InlineTileSource<K: Kernel> {
    fn kernel(&self) -> K;

    /// Fills `masks` and `look_behind` with the next tile. Returns `None` if there is none.
    fn produce(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error>;

    /// Continues at `offset`, which is outside strings, and may be before or after the current position. Only for sources
    /// whose whole text is in memory.
    fn go_to(&mut self, _place: u64) {}

    /// Notes whether all elements of the array whose elements may be searched on their own are visited at present.
    fn visit_elements(&mut self, _is_inside: bool) {}

    /// If the position is after a comma between such elements, searches elements after it in batches. Returns the number of bytes that
    /// were searched.
    fn search_elements(&mut self, _: &mut MatchReport<'_>) -> Result<u64, Error> {
        Ok(0)
    }

    /// Skips whole superblocks in which `levels` nested containers (at least one) do not all end, or any superblocks if it is
    /// `None`. Returns the number of bytes skipped and the levels that are still open.
    #[inline(always)]
    fn skip_ahead(&mut self, levels: Option<usize>) -> (u64, usize) {
        (0, levels.unwrap_or_default())
    }

    /// Skips text without a string that equals `name`. Returns the number of bytes skipped: no string that begins in them
    /// equals `name`. Returns `None` if the attempt was useless.
    #[inline(always)]
    fn skip_to_name(&mut self, _: &SearchString) -> Option<u64> {
        None
    }
}

/// A tile source as executors see it. It is object-safe, so that executors are compiled once for all sources.
pub(super) trait TileSource<K: Kernel> {
    /// See [`InlineTileSource::produce`].
    fn next_tile(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error>;

    /// See [`InlineTileSource::go_to`].
    fn go_to(&mut self, offset: u64);

    /// See [`InlineTileSource::visit_elements`].
    fn visit_elements(&mut self, is_inside: bool);

    /// See [`InlineTileSource::search_elements`].
    fn search_elements(&mut self, report: &mut MatchReport<'_>) -> Result<u64, Error>;

    /// See [`InlineTileSource::skip_ahead`].
    fn skip_ahead(&mut self, levels: Option<usize>) -> (u64, usize);

    /// See [`InlineTileSource::skip_to_name`].
    fn skip_to_name(&mut self, name: &SearchString) -> Option<u64>;
}

impl<K: Kernel, P: InlineTileSource<K>> TileSource<K> for P {
    fn next_tile(
        &mut self,
        masks: &mut Masks,
        look_behind: &mut LookBehind,
        report: &mut MatchReport<'_>,
    ) -> Result<Option<Extent>, Error> {
        self.kernel().run(ProduceTile { source: self, masks, look_behind, report, kernel: PhantomData })
    }

    fn go_to(&mut self, offset: u64) {
        InlineTileSource::go_to(self, offset);
    }

    fn visit_elements(&mut self, is_inside: bool) {
        InlineTileSource::visit_elements(self, is_inside);
    }

    fn search_elements(&mut self, report: &mut MatchReport<'_>) -> Result<u64, Error> {
        InlineTileSource::search_elements(self, report)
    }

    fn skip_ahead(&mut self, levels: Option<usize>) -> (u64, usize) {
        self.kernel().run(SkipAhead { source: self, levels, kernel: PhantomData })
    }

    fn skip_to_name(&mut self, name: &SearchString) -> Option<u64> {
        self.kernel().run(SkipToName { source: self, name, kernel: PhantomData })
    }
}

/// The pass that produces the next tile.
struct ProduceTile<'n, 'r, K, P> {
    source: &'n mut P,
    masks: &'n mut Masks,
    look_behind: &'n mut LookBehind,
    report: &'n mut MatchReport<'r>,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: InlineTileSource<K>> Pass for ProduceTile<'_, '_, K, P> {
    type Output = Result<Option<Extent>, Error>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.source.produce(self.masks, self.look_behind, self.report)
    }
}

/// The pass behind [`TileSource::skip_ahead`].
struct SkipAhead<'o, K, P> {
    source: &'o mut P,
    levels: Option<usize>,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: InlineTileSource<K>> Pass for SkipAhead<'_, K, P> {
    type Output = (u64, usize);

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.source.skip_ahead(self.levels)
    }
}

/// The pass behind [`TileSource::skip_to_name`].
struct SkipToName<'l, K, P> {
    source: &'l mut P,
    name: &'l SearchString,
    kernel: PhantomData<K>,
}

impl<K: Kernel, P: InlineTileSource<K>> Pass for SkipToName<'_, K, P> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> Self::Output {
        self.source.skip_to_name(self.name)
    }
}

/// The current tile, its source, and the report of matches.
pub(super) struct Tiles<'s, K, P: ?Sized> {
    pub(super) kernel: K,
    pub(super) source: &'s mut P,
    pub(super) masks: Masks,
    pub(super) look_behind: LookBehind,
    pub(super) report: MatchReport<'s>,
    /// Offsets of the start and end of the tile.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Number of 64-bit lanes in the tile.
    pub(super) lanes: usize,
    /// Whether text was skipped after the tile. The opening quotes of the tile are then too far away to be of use.
    has_skipped: bool,
    failure: Option<Error>,
    /// Offset up to which text was needed, set by [`stop_at`](Self::stop_at).
    stopped_at: u64,
    /// Number of tiles since the last one with a string that equals or may equal the name.
    pub(super) without_name: u32,
    /// Number of such tiles after which to try to skip text.
    patience: u32,
    /// The step of the plan whose children may be searched on their own, if they are elements; `usize::MAX` if there is none.
    element_step: usize,
}

/// The initial patience. With less, more time is lost before names than is gained between them.
const PATIENCE: u32 = 8;

impl<'s, K: Kernel, P: TileSource<K> + ?Sized> Tiles<'s, K, P> {
    pub(super) fn new(kernel: K, source: &'s mut P, report: MatchReport<'s>) -> Self {
        let (masks, look_behind) = (Masks::new(), LookBehind::new(0));
        Self {
            kernel,
            source,
            masks,
            look_behind,
            report,
            start: 0,
            end: 0,
            lanes: 0,
            has_skipped: true,
            failure: None,
            stopped_at: 0,
            without_name: 0,
            patience: PATIENCE,
            element_step: usize::MAX,
        }
    }

    /// Lets the source search the elements that this step of the plan selects.
    pub(super) fn divide_elements(&mut self, step: usize) {
        self.element_step = step;
    }

    /// Notes that the container to which a step applies begins or ends.
    #[inline(always)]
    pub(super) fn visit(&mut self, step: usize, is_array: bool) {
        if step == self.element_step {
            self.source.visit_elements(is_array);
        }
    }

    /// Begins a document at `start`. `record` is its number if it is a record.
    pub(super) fn begin(&mut self, start: u64, record: Option<u64>) {
        self.move_to(start);
        self.report.start(start, record);
    }

    fn move_to(&mut self, offset: u64) {
        self.start = offset;
        self.end = offset;
        self.lanes = 0;
        self.has_skipped = true;
        self.look_behind.move_to(offset);
    }

    /// Makes the tile that contains `offset` the current one. `offset` is outside strings.
    #[inline(always)]
    pub(super) fn go_to(&mut self, offset: u64) -> Result<(), Stop> {
        if (self.start..self.end).contains(&offset) {
            return Ok(());
        }
        self.source.go_to(offset);
        self.move_to(offset);
        self.next_tile()
    }

    /// Takes the error behind [`Stop::Failure`].
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Stops the executor: nothing after `offset` is wanted.
    #[cold]
    pub(super) fn stop_at<T>(&mut self, offset: u64) -> Result<T, Stop> {
        self.stopped_at = offset;
        Err(Stop::Enough)
    }

    /// Returns the offset passed to [`stop_at`](Self::stop_at).
    pub(super) fn stopped_at(&self) -> u64 {
        self.stopped_at
    }

    /// Moves to the next tile.
    #[inline(never)]
    pub(super) fn next_tile(&mut self) -> Result<(), Stop> {
        match self.source.search_elements(&mut self.report) {
            Ok(0) => {}
            Ok(passed) => self.skip_bytes(passed),
            Err(error) => return self.fail(error),
        }
        // After a cut, the opening quotes are kept for other offsets than their own. That does no harm: no string reaches from one tile
        // into the other, and `has_name` reads the text of what looks like a candidate.
        self.masks.next_tile((!self.has_skipped).then_some(self.lanes));
        match self.source.next_tile(&mut self.masks, &mut self.look_behind, &mut self.report) {
            Ok(_) if self.report.has_ended() => Err(Stop::SinkEnded),
            Ok(Some(extent)) => {
                self.start = self.end;
                self.end = self.start + extent.length as u64;
                self.lanes = extent.superblocks * (K::SUPERBLOCK / 64);
                self.has_skipped = false;
                Ok(())
            }
            Ok(None) => Err(Stop::End),
            Err(error) => self.fail(error),
        }
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Result<(), Stop> {
        self.failure = Some(error);
        Err(Stop::Failure)
    }

    /// Reads all remaining tiles, and returns why there are no more.
    pub(super) fn drain(&mut self) -> Stop {
        loop {
            self.source.skip_ahead(None);
            if let Err(stop) = self.next_tile() {
                return stop;
            }
        }
    }

    /// Moves to the next tile, or skips tiles up to the one in which the innermost `levels` containers (at least one) all end.
    /// Returns how many of the levels are still open at its start.
    #[inline(never)]
    pub(super) fn next_tile_inside(&mut self, levels: usize) -> Result<usize, Stop> {
        let (passed, levels) = self.source.skip_ahead(Some(levels));
        if passed > 0 {
            self.skip_bytes(passed);
        }
        self.next_tile()?;
        Ok(levels)
    }

    /// Records that `passed` bytes after the tile were skipped. Strings in them cannot be looked up.
    fn skip_bytes(&mut self, passed: u64) {
        self.end += passed;
        self.look_behind.move_to(self.end);
        self.has_skipped = true;
    }

    /// Moves to the next tile. After enough tiles without the name, first skips text that does not contain it.
    #[inline(never)]
    pub(super) fn next_tile_with(&mut self, name: &SearchString) -> Result<(), Stop> {
        self.without_name += 1;
        if self.without_name > self.patience {
            match self.source.skip_to_name(name) {
                Some(0) => {}
                Some(passed) => {
                    self.skip_bytes(passed);
                    self.patience = PATIENCE;
                }
                None => {
                    self.without_name = 0;
                    self.patience = (2 * self.patience).min(16 * PATIENCE);
                }
            }
        }
        self.next_tile()
    }

    /// Moves on until `offset` is in the current tile, and returns it, or the start of the tile if elements before that were searched in
    /// batches.
    #[inline(always)]
    pub(super) fn reach(&mut self, offset: u64) -> Result<u64, Stop> {
        let mut offset = offset;
        while offset >= self.end {
            self.next_tile()?;
            // mutant:
            offset = offset.max(self.start);
        }
        Ok(offset)
    }

    /// Returns the lane of the tile that contains `offset`, and a mask of the positions from `offset` on.
    #[expect(clippy::cast_possible_truncation, reason = "an offset in the tile")]
    #[inline(always)]
    pub(super) fn lane_of(&self, offset: u64) -> (usize, u64) {
        let index = (offset - self.start) as usize;
        (index / 64, !0 << (index % 64))
    }

    /// Returns the offset of a position in a lane of the tile.
    #[inline(always)]
    pub(super) fn offset_of(&self, lane: usize, position: u32) -> u64 {
        self.start + 64 * lane as u64 + u64::from(position)
    }

    #[inline(always)]
    pub(super) fn byte(&self, offset: u64) -> u8 {
        self.look_behind.byte(offset)
    }

    /// Returns the 64 bytes of a lane.
    #[inline(always)]
    pub(super) fn block(&self, lane: usize) -> &[u8; 64] {
        self.look_behind.block(self.start + 64 * lane as u64)
    }
}
