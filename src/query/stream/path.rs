//! The executor for plans with child segments only. It needs no nesting stack, just one counter per level.
//!
//! It descends with one operation per segment. On the way up, it leaves in one step all levels at which nothing more can match:
//! those whose named member, or last index, has been found. When no level is left, nothing in the rest of the document can match.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::bounds::bounded;
use crate::query::stream::name::Name;
use crate::query::stream::seek::Found;
use crate::query::stream::seek::is_opener;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

/// The most segments in such a plan.
pub(super) const MAX_STEPS: usize = 16;

/// The selector of a segment.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The first member with this name.
    Name(Name),
    /// Every `step`-th element from `first` on, before `end`.
    Items { first: u64, end: u64, step: u64 },
    /// All children.
    All,
    /// A JSON Pointer token: the first member with this name, or the element with this index.
    Token { name: Name, index: Option<u64> },
}

impl Step {
    /// Whether no sibling after the child with this index can match.
    #[inline(always)]
    fn is_done(&self, index: u64) -> bool {
        match self {
            Self::Name(_) | Self::Token { .. } => true,
            Self::Items { end, step, .. } => index.saturating_add(*step) >= *end,
            Self::All => false,
        }
    }

    /// Whether the step may select something in a container with this opening bracket.
    #[inline(always)]
    fn enters(&self, opener: u8) -> bool {
        match self {
            Self::Name(_) => opener == b'{',
            Self::Items { .. } => opener == b'[',
            Self::All => true,
            Self::Token { index, .. } => opener == b'{' || index.is_some(),
        }
    }
}

/// The state of one level: the container in which a segment selects children.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The index of the current child.
    index: u64,
    is_object: bool,
}

/// Finds the next container, at the level of `place`, in which `step` may select something.
#[inline(always)]
fn find_container<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    mut place: u64,
    step: &Step,
) -> Result<Found, Stop> {
    loop {
        place = tiles.next_bracket(place)?;
        let bracket = tiles.byte(place);
        if !is_opener(bracket) {
            return Ok(Found::Missing(place + 1));
        }
        if step.enters(bracket) {
            return Ok(Found::At(place));
        }
        place = tiles.skip_levels(place + 1, 1)?;
    }
}

/// Evaluates the steps on the value at `root`.
#[inline(always)]
pub(super) fn path<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    steps: &[Step],
    root: u64,
) -> Result<Outcome, Stop> {
    let mut levels = [Level::default(); MAX_STEPS];
    let (mut level, mut place) = (0, root);
    'values: loop {
        // `place` is the start of a value that the first `level` steps select.
        let (mut is_after, mut is_inside) = (false, false);
        let mut hops = 0;
        match steps.get(level) {
            None => (place, is_after) = tiles.report_node(place)?,
            Some(step) => {
                let byte = tiles.byte(place);
                let (name, index) = match step {
                    Step::Name(name) => (Some(name), None),
                    Step::Items { first, end, .. } => (None, (first < end).then_some(*first)),
                    Step::All => (None, Some(0)),
                    Step::Token { name, index } => (Some(name), *index),
                };
                match (byte, name, index) {
                    (b'{', Some(name), _) => match tiles.find_member(place + 1, name)? {
                        Found::At(value) => {
                            place = value;
                            level += 1;
                            continue 'values;
                        }
                        Found::Missing(after) => (place, is_after) = (after, true),
                    },
                    (b'{', None, Some(_)) if matches!(step, Step::All) => {
                        levels[bounded::<MAX_STEPS>(level)] = Level { index: 0, is_object: true };
                        (place, is_inside) = (place + 1, true);
                        level += 1;
                    }
                    (b'[', _, Some(first)) => {
                        levels[bounded::<MAX_STEPS>(level)] = Level { index: first, is_object: false };
                        (place, is_inside, hops) = (place + 1, true, first);
                        level += 1;
                    }
                    _ => {}
                }
            }
        }
        loop {
            // Find the next value to visit. `place` is after a value (`is_after`), inside a container just entered
            // (`is_inside`), or else at the start of a value that has not been skipped.
            if !is_inside {
                let mut done = 0;
                while done < level
                    && steps[level - 1 - done].is_done(levels[bounded::<MAX_STEPS>(level - 1 - done)].index)
                {
                    done += 1;
                }
                if done == level {
                    return Ok(if is_after && level == 0 {
                        Outcome::RootEnded(place)
                    } else {
                        Outcome::Exhausted(place)
                    });
                }
                if done > 0 {
                    place = tiles.skip_levels(place, done)?;
                    level -= done;
                    is_after = true;
                }
            }
            let now = &mut levels[bounded::<MAX_STEPS>(level - 1)];
            let next = match &steps[level - 1] {
                Step::All => match steps.get(level) {
                    Some(wanted) => {
                        // Scalars, keys and commas are irrelevant: go from bracket to bracket.
                        if !is_inside && !is_after && is_opener(tiles.byte(place)) {
                            place = tiles.skip_levels(place + 1, 1)?;
                        }
                        match find_container(tiles, place, wanted)? {
                            Found::At(bracket) => {
                                place = bracket;
                                continue 'values;
                            }
                            Found::Missing(after) => Found::Missing(after),
                        }
                    }
                    None if now.is_object => tiles.skip_elements(place, 1, b':')?,
                    None => tiles.element(place, u64::from(!is_inside), is_after, is_inside)?,
                },
                Step::Items { step, .. } => {
                    if !is_inside {
                        hops = *step;
                        now.index += *step;
                    }
                    tiles.element(place, hops, is_after, is_inside)?
                }
                Step::Token { .. } | Step::Name(_) => tiles.element(place, hops, false, true)?,
            };
            match next {
                Found::At(value) => {
                    place = tiles.skip_whitespace(value)?;
                    continue 'values;
                }
                Found::Missing(after) => {
                    place = after;
                    level -= 1;
                    (is_after, is_inside) = (true, false);
                }
            }
        }
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Returns the element that is `hops` elements after `place`. `place` is at the start of an element, after one (`is_after`),
    /// or after the opening bracket of the array (`is_inside`).
    #[inline(always)]
    fn element(&mut self, place: u64, hops: u64, is_after: bool, is_inside: bool) -> Result<Found, Stop> {
        if is_inside {
            let first = self.skip_whitespace(place)?;
            if self.byte(first) == b']' {
                return Ok(Found::Missing(first + 1));
            }
            return if hops == 0 { Ok(Found::At(first)) } else { self.skip_elements(first, hops, b',') };
        }
        if is_after {
            let next = self.skip_whitespace(place)?;
            let byte = self.byte(next);
            if byte != b',' {
                return Ok(Found::Missing(next + 1));
            }
            return if hops == 1 { Ok(Found::At(next + 1)) } else { self.skip_elements(next + 1, hops - 1, b',') };
        }
        self.skip_elements(place, hops, b',')
    }

    /// Reports the value at `place`. Returns where to continue, and whether that is after the value.
    #[inline(always)]
    fn report_node(&mut self, place: u64) -> Result<(u64, bool), Stop> {
        self.report.add(1);
        if !self.report.lists() {
            return if self.report.is_full() { self.stop_at(place) } else { Ok((place, false)) };
        }
        let number = self.report.begin(place, 1)?;
        let end = self.value_end(place)?;
        self.report.end(number, end);
        if self.report.is_full() { self.stop_at(end) } else { Ok((end, true)) }
    }
}
