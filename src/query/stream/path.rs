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

/// Where a place is, relative to the children of the innermost container that was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// After the opening bracket, with no child visited.
    Inside,
    /// At the start of a child.
    Before,
    /// After a child.
    After,
}

/// What a step finds in a value.
enum Entry {
    /// The value of the member that it names.
    Member(u64),
    /// A container whose children are to be visited.
    Container(Level),
    /// Nothing: the value is an object without the member, and ends at this offset.
    Missing(u64),
    /// Nothing: the value was not read.
    Unread,
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
        let mut side = Side::Before;
        match steps.get(level) {
            None => (place, side) = tiles.report_node(place)?,
            Some(step) => match enter(tiles, step, place)? {
                Entry::Member(value) => {
                    place = value;
                    level += 1;
                    continue 'values;
                }
                Entry::Container(state) => {
                    levels[bounded::<MAX_STEPS>(level)] = state;
                    (place, side) = (place + 1, Side::Inside);
                    level += 1;
                }
                Entry::Missing(after) => (place, side) = (after, Side::After),
                Entry::Unread => {}
            },
        }
        // Find the next value to visit.
        loop {
            if side != Side::Inside {
                let done = done(steps, &levels, level);
                if done == level {
                    let is_root_ended = side == Side::After && level == 0;
                    return Ok(if is_root_ended { Outcome::RootEnded(place) } else { Outcome::Exhausted(place) });
                }
                if done > 0 {
                    place = tiles.skip_levels(place, done)?;
                    level -= done;
                    side = Side::After;
                }
            }
            match next_child(tiles, &steps[level - 1..], &mut levels[bounded::<MAX_STEPS>(level - 1)], place, side)? {
                Found::At(value) => {
                    place = value;
                    continue 'values;
                }
                Found::Missing(after) => {
                    (place, side) = (after, Side::After);
                    level -= 1;
                }
            }
        }
    }
}

/// Applies a step to the value at `place`.
#[inline(always)]
fn enter<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    step: &Step,
    place: u64,
) -> Result<Entry, Stop> {
    let (name, index) = match step {
        Step::Name(name) => (Some(name), None),
        Step::Items { first, end, .. } => (None, (first < end).then_some(*first)),
        Step::All => (None, Some(0)),
        Step::Token { name, index } => (Some(name), *index),
    };
    Ok(match (tiles.byte(place), name, index) {
        (b'{', Some(name), _) => match tiles.find_member(place + 1, name)? {
            Found::At(value) => Entry::Member(value),
            Found::Missing(after) => Entry::Missing(after),
        },
        (b'{', None, Some(_)) if matches!(step, Step::All) => Entry::Container(Level { index: 0, is_object: true }),
        (b'[', _, Some(first)) => Entry::Container(Level { index: first, is_object: false }),
        _ => Entry::Unread,
    })
}

/// Returns how many of the innermost levels have no more children to visit.
#[inline(always)]
fn done(steps: &[Step], levels: &[Level; MAX_STEPS], level: usize) -> usize {
    let mut done = 0;
    while done < level && steps[level - 1 - done].is_done(levels[bounded::<MAX_STEPS>(level - 1 - done)].index) {
        done += 1;
    }
    done
}

/// Finds the next child that the first of `steps` selects in the container with the state `level`, and in which the second one may
/// select something.
#[inline(always)]
fn next_child<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    steps: &[Step],
    level: &mut Level,
    mut place: u64,
    side: Side,
) -> Result<Found, Stop> {
    let distance = match &steps[0] {
        Step::All => {
            if let Some(wanted) = steps.get(1) {
                // Scalars, keys and commas are irrelevant: go from bracket to bracket.
                if side == Side::Before && is_opener(tiles.byte(place)) {
                    place = tiles.skip_levels(place + 1, 1)?;
                }
                return find_container(tiles, place, wanted);
            }
            u64::from(side != Side::Inside)
        }
        Step::Items { step, .. } if side != Side::Inside => {
            level.index += *step;
            *step
        }
        Step::Items { .. } | Step::Token { .. } | Step::Name(_) => level.index,
    };
    let found =
        if level.is_object { tiles.skip_elements(place, 1, b':')? } else { tiles.element(place, distance, side)? };
    match found {
        Found::At(value) => Ok(Found::At(tiles.skip_whitespace(value)?)),
        Found::Missing(after) => Ok(Found::Missing(after)),
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Returns the element that is `distance` elements after `place`. At the start of an array, the first element is at distance 0,
    /// and elsewhere the next one is at distance 1.
    #[inline(always)]
    fn element(&mut self, place: u64, distance: u64, side: Side) -> Result<Found, Stop> {
        match side {
            Side::Inside => {
                let first = self.skip_whitespace(place)?;
                if self.byte(first) == b']' {
                    return Ok(Found::Missing(first + 1));
                }
                if distance == 0 { Ok(Found::At(first)) } else { self.skip_elements(first, distance, b',') }
            }
            Side::After => {
                let next = self.skip_whitespace(place)?;
                if self.byte(next) != b',' {
                    return Ok(Found::Missing(next + 1));
                }
                if distance == 1 { Ok(Found::At(next + 1)) } else { self.skip_elements(next + 1, distance - 1, b',') }
            }
            Side::Before => self.skip_elements(place, distance, b','),
        }
    }

    /// Reports the value at `place`. Returns where to continue.
    #[inline(always)]
    fn report_node(&mut self, place: u64) -> Result<(u64, Side), Stop> {
        self.report.add(1);
        if !self.report.lists() {
            return if self.report.is_full() { self.stop_at(place) } else { Ok((place, Side::Before)) };
        }
        let number = self.report.begin(place, 1)?;
        let end = self.value_end(place)?;
        self.report.end(number, end);
        if self.report.is_full() { self.stop_at(end) } else { Ok((end, Side::After)) }
    }
}
