//! The executor for plans with child segments only. It needs no nesting stack, just one counter per level.
//!
//! It descends with one operation per segment. On the way up, it leaves in one step all levels at which nothing more can match:
//! those whose named member, or last index, has been found. When no level is left, nothing in the rest of the document can match.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::query::stream::bounds::bounded;
use crate::query::stream::search_string::SearchString;
use crate::query::stream::seek::Found;
use crate::query::stream::seek::is_opener;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

/// Maximum number of segments in such a plan.
pub(super) const MAX_STEPS: usize = 16;

/// The selector of a segment.
#[derive(Clone, Debug)]
pub(super) enum PlanStep {
    /// The first member with this name.
    Name(SearchString),
    /// Every `step`-th element from `first` on, before `end`.
    Items { first: u64, end: u64, step: u64 },
    /// All children.
    All,
    /// A JSON Pointer token: the first member with this name, or the element with this index.
    Token { name: SearchString, index: Option<u64> },
}

impl PlanStep {
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
struct StepState {
    /// The index of the current child.
    index: u64,
    is_object: bool,
}

/// Finds the next container, at the level of `offset`, in which `step` may select something.
#[inline(always)]
fn find_container<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    mut offset: u64,
    step: &PlanStep,
) -> Result<Found, Stop> {
    loop {
        offset = tiles.next_bracket(offset)?;
        let bracket = tiles.byte(offset);
        if !is_opener(bracket) {
            return Ok(Found::Missing(offset + 1));
        }
        if step.enters(bracket) {
            return Ok(Found::At(offset));
        }
        offset = tiles.skip_levels(offset + 1, 1)?;
    }
}

/// Where an offset is, relative to the children of the innermost container that was entered.
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
enum StepResult {
    /// The value of the member that it names.
    Member(u64),
    /// A container whose children are to be visited.
    Container(StepState),
    /// Nothing: the value is an object without the member, and ends at this offset.
    Missing(u64),
    /// Nothing: the value was not read.
    Unread,
}

/// Evaluates the steps on the value at `root`.
#[inline(always)]
pub(super) fn path<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    steps: &[PlanStep],
    root: u64,
) -> Result<Outcome, Stop> {
    let mut levels = [StepState::default(); MAX_STEPS];
    let (mut level, mut offset) = (0, root);
    'values: loop {
        // `offset` is the start of a value that the first `level` steps select.
        let mut side = Side::Before;
        match steps.get(level) {
            None => (offset, side) = tiles.report_node(offset)?,
            Some(step) => match enter(tiles, step, offset)? {
                StepResult::Member(value) => {
                    offset = value;
                    level += 1;
                    continue 'values;
                }
                StepResult::Container(state) => {
                    tiles.visit(level, !state.is_object);
                    levels[bounded::<MAX_STEPS>(level)] = state;
                    (offset, side) = (offset + 1, Side::Inside);
                    level += 1;
                }
                StepResult::Missing(after) => (offset, side) = (after, Side::After),
                StepResult::Unread => {}
            },
        }
        // Find the next value to visit.
        loop {
            if side != Side::Inside {
                let done = done(steps, &levels, level);
                if done == level {
                    let is_root_ended = side == Side::After && level == 0;
                    return Ok(if is_root_ended { Outcome::RootEnded(offset) } else { Outcome::Exhausted(offset) });
                }
                if done > 0 {
                    offset = tiles.skip_levels(offset, done)?;
                    level -= done;
                    side = Side::After;
                }
            }
            match next_child(tiles, &steps[level - 1..], &mut levels[bounded::<MAX_STEPS>(level - 1)], offset, side)? {
                Found::At(value) => {
                    offset = value;
                    continue 'values;
                }
                Found::Missing(after) => {
                    (offset, side) = (after, Side::After);
                    level -= 1;
                    tiles.visit(level, false);
                }
            }
        }
    }
}

/// Applies a step to the value at `offset`.
#[inline(always)]
fn enter<K: Kernel, P: TileSource<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    step: &PlanStep,
    offset: u64,
) -> Result<StepResult, Stop> {
    let (name, index) = match step {
        PlanStep::Name(name) => (Some(name), None),
        PlanStep::Items { first, end, .. } => (None, (first < end).then_some(*first)),
        PlanStep::All => (None, Some(0)),
        PlanStep::Token { name, index } => (Some(name), *index),
    };
    Ok(match (tiles.byte(offset), name, index) {
        (b'{', Some(name), _) => match tiles.find_member(offset + 1, name)? {
            Found::At(value) => StepResult::Member(value),
            Found::Missing(after) => StepResult::Missing(after),
        },
        (b'{', None, Some(_)) if matches!(step, PlanStep::All) => {
            StepResult::Container(StepState { index: 0, is_object: true })
        }
        (b'[', _, Some(first)) => StepResult::Container(StepState { index: first, is_object: false }),
        _ => StepResult::Unread,
    })
}

/// Returns how many of the innermost levels have no more children to visit.
#[inline(always)]
fn done(steps: &[PlanStep], levels: &[StepState; MAX_STEPS], level: usize) -> usize {
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
    steps: &[PlanStep],
    level: &mut StepState,
    mut offset: u64,
    side: Side,
) -> Result<Found, Stop> {
    let distance = match &steps[0] {
        PlanStep::All => {
            if let Some(wanted) = steps.get(1) {
                // Scalars, keys and commas are irrelevant: go from bracket to bracket.
                if side == Side::Before && is_opener(tiles.byte(offset)) {
                    offset = tiles.skip_levels(offset + 1, 1)?;
                }
                return find_container(tiles, offset, wanted);
            }
            u64::from(side != Side::Inside)
        }
        PlanStep::Items { step, .. } if side != Side::Inside => {
            level.index += *step;
            *step
        }
        PlanStep::Items { .. } | PlanStep::Token { .. } | PlanStep::Name(_) => level.index,
    };
    let found =
        if level.is_object { tiles.skip_elements(offset, 1, b':')? } else { tiles.element(offset, distance, side)? };
    match found {
        Found::At(value) => Ok(Found::At(tiles.skip_whitespace(value)?)),
        Found::Missing(after) => Ok(Found::Missing(after)),
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Returns the element that is `distance` elements after `offset`. At the start of an array, the first element is at distance 0,
    /// and elsewhere the next one is at distance 1.
    #[inline(always)]
    fn element(&mut self, offset: u64, distance: u64, side: Side) -> Result<Found, Stop> {
        match side {
            Side::Inside => {
                let first = self.skip_whitespace(offset)?;
                if self.byte(first) == b']' {
                    return Ok(Found::Missing(first + 1));
                }
                if distance == 0 { Ok(Found::At(first)) } else { self.skip_elements(first, distance, b',') }
            }
            Side::After => {
                let next = self.skip_whitespace(offset)?;
                if self.byte(next) != b',' {
                    return Ok(Found::Missing(next + 1));
                }
                if distance == 1 { Ok(Found::At(next + 1)) } else { self.skip_elements(next + 1, distance - 1, b',') }
            }
            Side::Before => self.skip_elements(offset, distance, b','),
        }
    }

    /// Reports the value at `offset`. Returns where to continue.
    #[inline(always)]
    fn report_node(&mut self, offset: u64) -> Result<(u64, Side), Stop> {
        self.report.add(1);
        if !self.report.lists() {
            return if self.report.limit_reached() { self.stop_at(offset) } else { Ok((offset, Side::Before)) };
        }
        let number = self.report.begin(offset, 1)?;
        let end = self.value_end(offset)?;
        self.report.end(number, end);
        if self.report.limit_reached() { self.stop_at(end) } else { Ok((end, Side::After)) }
    }
}
