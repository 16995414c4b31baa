//! Validates JSON (RFC 8259) with Boolean algebra on mask words, one file per group of rules.
//!
//! A tile of superblocks goes through the rules phase by phase. Each phase is a short loop over the superblocks of a tile, so that
//! the processor overlaps several of them. A single loop with all rules would wait on its own carries and run at half the speed.
//! No rule iterates over tokens; only brackets go through a stack, up to 63 at a time. Error masks are combined and tested once
//! per tile: they show *that* a document is invalid. The reader in `explain` then finds where and why.

#![forbid(unsafe_code)]

pub(crate) mod classes;
mod elements;
mod extent;
mod kinds;
mod lines;
mod literals;
mod nesting;
mod numbers;
mod open_containers;
mod short;
mod skim;
mod stream;
mod structure;
pub(crate) mod tokens;
mod utf8;

#[cfg(test)]
mod pictures;
#[cfg(test)]
mod tests;

use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

pub(crate) use classes::Masks;
pub(crate) use elements::ElementLines;
pub(crate) use elements::NextElement;
pub(crate) use extent::EndSearch;
pub(crate) use extent::Extent;
pub(crate) use kinds::Kinds;
pub(crate) use lines::Lines;
pub(crate) use nesting::Fragment;
pub(crate) use nesting::Nesting;
pub(crate) use open_containers::Level;
pub(crate) use open_containers::OpenContainers;
pub(crate) use open_containers::WHOLE;
pub(crate) use short::SHORT;
pub(crate) use short::short_document;
pub(crate) use skim::Skim;
pub(crate) use skim::Skimmed;
pub(crate) use skim::Surroundings;
pub(crate) use stream::LineRewrite;
pub(crate) use stream::RewrittenLines;
pub(crate) use structure::StringCarry;
pub(crate) use structure::Structure;
pub(crate) use structure::padded_superblock;
pub(crate) use tokens::Layout;
pub(crate) use tokens::Start;

/// Greatest size in bytes of a tile of any kernel.
pub(crate) const MAX_TILE_BYTES: usize = 4096;

/// Moves each start past the run of `class` positions that begins there, to the first position after the run.
///
/// ```text
/// starts  . 1 . . . . 1 .
/// class   . 1 1 1 . . . .
/// result  . . . . 1 . 1 .     a start outside the class stays where it is
/// ```
///
/// The sum of the two words carries through each run (Langdale and Lemire, *Parsing gigabytes of JSON per second*, 2019). The
/// position before each start must be outside the class: a second start inside a run would corrupt the sum. `full` says that
/// the class fills some lane, so that a carry may have to cross several lanes.
#[inline(always)]
fn scan_through<W: Word>(starts: W, class: W, full: bool, carry: &mut W) -> W {
    let sum = if full {
        let mut bit = carry.last();
        let sum = starts.add(class, &mut bit);
        // Only the last position of the carry is used, so all ones or all zeros will do and are cheap to make.
        // mutant:
        *carry = if bit == 1 { class | !class } else { class & !class };
        sum
    } else {
        // mutant: starts.add_short(class, &mut (class & !class))
        starts.add_short(class, carry)
    };
    sum & !class
}

/// Whether a byte is whitespace between tokens.
#[inline(always)]
pub(crate) const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The state between two superblocks, except for the brackets.
#[derive(Clone, Copy)]
pub(crate) struct Carries<W> {
    classes: classes::Carry<W>,
    utf8: utf8::Carry<W>,
    literals: literals::Carry<W>,
    numbers: numbers::Carry<W>,
    tokens: tokens::Carry<W>,
}

/// The masks of a tile.
pub(crate) struct Tile<K: Kernel> {
    planes: K::PerSuperblock<[K::Word; 8]>,
    masks: K::PerSuperblock<Masks<K::Word>>,
    layouts: K::PerSuperblock<Layout<K::Word>>,
    /// Index in the tile of the superblock of each entry of `masks` and `layouts`. Superblocks that are entirely inside a string
    /// have no entry.
    places: K::PerSuperblock<usize>,
    /// Number of entries of `masks`, `layouts` and `places` in use.
    active: usize,
    brackets: nesting::Lanes,
}

impl<K: Kernel> Tile<K> {
    #[inline(always)]
    fn new(kernel: K) -> Self {
        let zero = kernel.splat(0);
        Self {
            planes: K::per_superblock([zero; 8]),
            masks: K::per_superblock(Masks::empty(zero)),
            layouts: K::per_superblock(Layout { events: zero, spaces: zero }),
            places: K::per_superblock(0),
            active: 0,
            brackets: nesting::Lanes::empty(),
        }
    }

    /// Returns the index in the tile, the masks and the layout of each superblock that is not entirely inside a string.
    #[inline(always)]
    pub(crate) fn active(&self) -> impl Iterator<Item = (usize, &Masks<K::Word>, &Layout<K::Word>)> {
        let places = self.places.as_ref().iter().take(self.active);
        places
            .zip(self.masks.as_ref())
            .zip(self.layouts.as_ref())
            .map(|((&place, masks), layout)| (place, masks, layout))
    }

    /// Returns the bit planes of the first superblocks. They are zero for superblocks that were skipped as plain string text.
    #[inline(always)]
    pub(crate) fn planes(&self, superblocks: usize) -> &[[K::Word; 8]] {
        &self.planes.as_ref()[..superblocks]
    }

    /// Returns the backslashes of a superblock, if it has any.
    #[inline(always)]
    pub(crate) fn backslashes(&self, place: usize) -> Option<K::Word> {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = self.planes.as_ref()[place];
        let backslash = !b7 & b6 & !b5 & b4 & b3 & b2 & !b1 & !b0;
        backslash.any().then_some(backslash)
    }

    /// Returns whether the last of the first `superblocks` superblocks ends inside a string.
    #[inline(always)]
    pub(crate) fn ends_in_string(&self, superblocks: usize) -> bool {
        match self.active().last() {
            Some((place, masks, _)) if place + 1 == superblocks => masks.in_string.last() == 1,
            _ => true,
        }
    }

    /// Returns the index in the tile of the first comma outside strings at or after `start`.
    #[inline(always)]
    pub(crate) fn first_comma(&self, start: usize) -> Option<usize> {
        for (place, masks, _) in self.active() {
            for (lane, commas) in lanes(masks.comma).into_iter().enumerate() {
                let index = place * K::SUPERBLOCK + 64 * lane;
                let remaining = match start.saturating_sub(index) {
                    skipped @ 0..64 => commas & u64::MAX << skipped,
                    _ => 0,
                };
                if remaining != 0 {
                    return Some(index + remaining.trailing_zeros() as usize);
                }
            }
        }
        None
    }

    /// Returns the change of the nesting level from the start of the tile to the index `end`.
    #[inline(always)]
    pub(crate) fn rise(&self, end: usize) -> i64 {
        let mut rise = 0;
        for (place, masks, _) in self.active() {
            for (lane, (open, close)) in lanes(masks.open).into_iter().zip(lanes(masks.close)).enumerate() {
                let before = match end.saturating_sub(place * K::SUPERBLOCK + 64 * lane) {
                    count @ 0..64 => (1 << count) - 1,
                    _ => u64::MAX,
                };
                rise += i64::from((open & before).count_ones()) - i64::from((close & before).count_ones());
            }
        }
        rise
    }

    /// Returns the index in the tile of the last comma outside strings.
    #[inline(always)]
    pub(crate) fn last_comma(&self) -> Option<usize> {
        let mut last = None;
        for (place, masks, _) in self.active() {
            for (lane, commas) in lanes(masks.comma).into_iter().enumerate() {
                if commas != 0 {
                    last = Some(place * K::SUPERBLOCK + 64 * lane + 63 - commas.leading_zeros() as usize);
                }
            }
        }
        last
    }
}

/// Validates a document tile by tile.
pub(crate) struct Checker<K: Kernel> {
    kernel: K,
    carries: Carries<K::Word>,
    nesting: Nesting,
    tile: Box<Tile<K>>,
    layout: bool,
}

impl<K: Kernel> Checker<K> {
    /// Size in bytes of a full tile.
    pub(crate) const TILE: usize = K::TILE * K::SUPERBLOCK;

    /// Bytes to check in one call if the masks are not needed. A call per tile would cost 3 % of the time.
    pub(crate) const RUN: usize = 16 * Self::TILE;

    /// Creates a checker at the start of a document. `layout` must be what is later passed to [`check`](Self::check).
    #[inline(always)]
    pub(crate) fn new(kernel: K, max_depth: Option<u64>, layout: bool) -> Self {
        let carries = Self::carries_at(kernel, Start::Document, layout);
        Self { kernel, carries, nesting: Nesting::new(max_depth), tile: Box::new(Tile::new(kernel)), layout }
    }

    /// Prepares the checker for other documents, with the arguments of [`new`](Self::new). Memory is reused.
    #[inline(always)]
    pub(crate) fn renew(&mut self, max_depth: Option<u64>, layout: bool) {
        self.layout = layout;
        self.nesting.set_max_depth(max_depth);
        self.start_document();
    }

    #[inline(always)]
    fn carries_at(kernel: K, start: Start, layout: bool) -> Carries<K::Word> {
        Carries {
            classes: classes::Carry::start(kernel),
            utf8: utf8::Carry::start(kernel),
            literals: literals::Carry::start(kernel),
            numbers: numbers::Carry::start(kernel),
            tokens: tokens::Carry::start(kernel, start, layout),
        }
    }

    #[inline(always)]
    pub(crate) fn kernel(&self) -> K {
        self.kernel
    }

    /// Starts a document.
    #[inline(always)]
    pub(crate) fn start_document(&mut self) {
        self.carries = Self::carries_at(self.kernel, Start::Document, self.layout);
        self.nesting.start();
    }

    /// Continues after a comma of a container of the given kind. The nesting stack is kept.
    #[inline(always)]
    pub(crate) fn start_after_comma(&mut self, object: bool) {
        self.carries = Self::carries_at(self.kernel, Start::Comma { object: Some(object) }, self.layout);
    }

    /// Starts NDJSON after a line break. Complete lines must follow, passed to [`check_lines`](Self::check_lines) and concluded by
    /// [`end_lines`](Self::end_lines). The lines are nested one level deeper than they are in the text.
    #[inline(always)]
    pub(crate) fn start_lines(&mut self) -> Lines<K::Word> {
        self.start_after_comma(false);
        self.nesting.start_lines();
        Lines::start(self.kernel)
    }

    /// Returns the number of records if all lines are valid. The last byte must have been a line break or whitespace after one.
    #[inline(always)]
    pub(crate) fn end_lines(&mut self, lines: &Lines<K::Word>) -> Option<u64> {
        self.reconcile().map(|_| lines.records)
    }

    /// Starts a fragment after a comma whose container is unknown.
    #[inline(always)]
    pub(crate) fn start_fragment(&mut self) {
        self.carries = Self::carries_at(self.kernel, Start::Comma { object: None }, self.layout);
        self.nesting.start_fragment();
    }

    /// Starts a look-ahead at any position that does not follow a backslash, inside a string or outside strings.
    #[inline(always)]
    pub(crate) fn start_anywhere(&mut self, in_string: bool) {
        self.carries = Self::carries_at(self.kernel, Start::Comma { object: None }, self.layout);
        self.carries.classes.enter_string(in_string);
    }

    #[inline(always)]
    pub(crate) fn carries(&self) -> Carries<K::Word> {
        self.carries
    }

    /// Restores the carries of an earlier position, or those at the start of a document.
    #[inline(always)]
    pub(crate) fn restore(&mut self, carries: Option<Carries<K::Word>>) {
        self.carries = carries.unwrap_or_else(|| Self::carries_at(self.kernel, Start::Document, self.layout));
    }

    #[inline(always)]
    pub(crate) fn nesting(&mut self) -> &mut Nesting {
        &mut self.nesting
    }

    /// Returns the masks of the last tile.
    #[inline(always)]
    pub(crate) fn tile(&self) -> &Tile<K> {
        &self.tile
    }

    /// Checks the next superblocks, up to the first tile with an error. The masks are then those of the last tile. Ignores an
    /// incomplete superblock at the end of `bytes`. Returns whether no error has been found so far. With `peek`, brackets do not reach
    /// the nesting stack: the masks are correct, the result is meaningless, and the caller must restore the carries.
    #[inline(always)]
    pub(crate) fn check(&mut self, bytes: &[u8], layout: bool, peek: bool) -> bool {
        self.check_with(bytes, layout, peek, None)
    }

    /// Checks the next superblocks like [`check`](Self::check), but treats line breaks that end records as commas.
    #[inline(always)]
    pub(crate) fn check_lines(&mut self, bytes: &[u8], layout: bool, lines: &mut Lines<K::Word>) -> bool {
        self.check_with(bytes, layout, false, Some(lines))
    }

    #[inline(always)]
    fn check_with(&mut self, bytes: &[u8], layout: bool, peek: bool, lines: Option<&mut Lines<K::Word>>) -> bool {
        let kernel = self.kernel;
        if layout {
            kernel.run(CheckTiles::<_, true> { checker: self, bytes, peek, lines })
        } else {
            kernel.run(CheckTiles::<_, false> { checker: self, bytes, peek, lines })
        }
    }

    /// Compares all brackets so far. The last byte except for whitespace must have been a comma. Returns whether the container of
    /// that comma is an object, or `None` if no document can begin with the text so far.
    #[inline(always)]
    pub(crate) fn reconcile(&mut self) -> Option<bool> {
        self.nesting.reconcile(self.kernel, self.carries.tokens.object())
    }

    /// Ends a fragment. The last byte except for whitespace must have been a comma. Returns the effect of the fragment on the
    /// containers around it, or `None` if it cannot be part of any document.
    #[inline(always)]
    pub(crate) fn end_fragment(&mut self) -> Option<Fragment> {
        self.nesting.end_fragment(self.kernel, self.carries.tokens.object())
    }

    /// Returns whether the document may end here. At least one whitespace byte must have been checked after its last byte.
    #[inline(always)]
    pub(crate) fn finish(&mut self) -> bool {
        let brackets = self.nesting.any();
        self.nesting.finish(self.kernel) && self.carries.tokens.may_end(brackets)
    }

    /// Checks the superblocks of a tile.
    #[inline(always)]
    fn check_tile<const LAYOUT: bool>(&mut self, bytes: &[u8], peek: bool, lines: Option<&mut Lines<K::Word>>) -> bool {
        let Self { kernel, carries, nesting, tile, .. } = self;
        let kernel = *kernel;
        let Tile { planes, masks, layouts, places, active: listed, brackets: lanes } = &mut **tile;
        let (planes, masks, places) = (planes.as_mut(), masks.as_mut(), places.as_mut());
        let mut errors = kernel.splat(0);
        let mut beyond_ascii = kernel.splat(0);
        let mut scalars = kernel.splat(0);
        let mut active = 0;
        let mut count = 0;
        for (superblock, planes) in bytes.chunks_exact(K::SUPERBLOCK).zip(planes.iter_mut()) {
            kernel.prefetch(superblock);
            if K::PEEKS && carries.classes.is_long() && kernel.is_plain(superblock) {
                // The whole superblock is string text: nothing changes.
                *planes = [kernel.splat(0); 8];
                count += 1;
                continue;
            }
            *planes = kernel.planes(superblock);
            beyond_ascii = beyond_ascii | planes[7];
            places[active] = count;
            let (bad, any_outside) = classes::classify(kernel, &mut carries.classes, planes, &mut masks[active]);
            errors = errors | bad;
            active += usize::from(any_outside);
            count += 1;
        }
        *listed = active;
        if beyond_ascii.any() || carries.utf8.pending() {
            for planes in planes.iter().take(count) {
                errors = errors | utf8::check(kernel, &mut carries.utf8, planes);
            }
        }
        for (masks, &place) in masks.iter_mut().zip(places.iter()).take(active) {
            errors = errors | literals::check(kernel, &mut carries.literals, masks, &planes[place]);
            scalars = scalars | masks.scalar;
        }
        // mutant: if scalars.any() {
        if scalars.any() || carries.numbers.reaches() {
            for masks in masks.iter().take(active) {
                errors = errors | numbers::check(&mut carries.numbers, masks);
            }
        }
        let mut misplaced = false;
        if let Some(carry) = lines {
            for (masks, &place) in masks.iter_mut().zip(places.iter()).take(active) {
                let (bad, wrong) = lines::check(kernel, carry, masks, &planes[place]);
                errors = errors | bad;
                misplaced |= wrong;
            }
        }
        let mut queued = 0;
        for (masks, slot) in masks.iter().zip(layouts.as_mut()).take(active) {
            let (bad, brackets, inserted) = tokens::check(&mut carries.tokens, masks, LAYOUT);
            errors = errors | bad;
            if LAYOUT {
                *slot = inserted;
            }
            queued += kernel.pack(
                [brackets.all, brackets.open, brackets.object],
                [&mut lanes.all[queued..], &mut lanes.open[queued..], &mut lanes.object[queued..]],
            );
        }
        if queued > 0 && !peek {
            lanes.end(queued);
            nesting.add(kernel, lanes, queued);
        }
        !(errors.any() || misplaced || nesting.failed())
    }
}

/// The check of tiles. It is a pass of its own, so that it is compiled once per kernel and not into every pass that checks tiles.
struct CheckTiles<'c, K: Kernel, const LAYOUT: bool> {
    checker: &'c mut Checker<K>,
    bytes: &'c [u8],
    peek: bool,
    lines: Option<&'c mut Lines<K::Word>>,
}

impl<K: Kernel, const LAYOUT: bool> Pass for CheckTiles<'_, K, LAYOUT> {
    /// Whether no error has been found so far.
    type Output = bool;

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) -> bool {
        let Self { checker, bytes, peek, mut lines } = self;
        for tile in bytes.chunks(Checker::<K>::TILE) {
            if !checker.check_tile::<LAYOUT>(tile, peek, lines.as_deref_mut()) {
                return false;
            }
        }
        true
    }
}
