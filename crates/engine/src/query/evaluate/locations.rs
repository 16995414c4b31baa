//! The locations of matches that were found without them, in one pass over the brackets and commas of the text.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::grammar::StringCarry;
use crate::grammar::padded_superblock;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::MAX_LANES;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;
use crate::memory::Grow;
use crate::query::evaluate::document::ValidatedDocument;
use crate::query::evaluate::location::PathStep;
use crate::query::structure::bits_below;
use std::iter;
use std::mem;

/// The locations of values in a text.
#[derive(Debug, Default)]
pub(in crate::query) struct Locations {
    /// The containers on the way to the values, parents first.
    containers: Vec<ChildLocation>,
    values: Vec<ChildLocation>,
    /// The numbers of the values and where they begin, in the order of the text: memory for reuse.
    wanted: Vec<(usize, usize)>,
}

/// A value in its container.
#[derive(Clone, Copy, Debug)]
struct ChildLocation {
    /// Number of the container; [`NONE`] for a document.
    parent: u32,
    is_member: bool,
    /// The index of an element, or the offset of the value of a member.
    child: usize,
}

const NONE: u32 = u32::MAX;

const DOCUMENT: ChildLocation = ChildLocation { parent: NONE, is_member: false, child: 0 };

impl Locations {
    /// Finds the values that begin at these offsets of a text, which may have several documents.
    pub(in crate::query) fn find(
        &mut self,
        text: &[u8],
        starts: impl ExactSizeIterator<Item = usize>,
        isa: Isa,
    ) -> Result<(), OutOfMemory> {
        let mut wanted = mem::take(&mut self.wanted);
        wanted.clear();
        wanted.room(starts.len(), OutOfMemory::Matches)?;
        wanted.extend(starts.enumerate());
        // mutant:
        wanted.sort_unstable_by_key(|&(_, start)| start);
        self.containers.clear();
        self.values.clear();
        self.values.room(wanted.len(), OutOfMemory::Matches)?;
        self.values.resize(wanted.len(), DOCUMENT);
        isa.run(Find { text, wanted: &wanted, found: self })?;
        self.wanted = wanted;
        Ok(())
    }

    /// Returns the steps to a value, given by its number.
    pub(super) fn steps(&self, number: usize, document: ValidatedDocument<'_>) -> Vec<PathStep> {
        let container = |place: &ChildLocation| self.containers.get(place.parent as usize).copied();
        let places = iter::successors(self.values.get(number).copied(), container);
        let step = |ChildLocation { is_member, child, .. }: ChildLocation| {
            if is_member {
                PathStep::Name(document.name_before(child))
            } else {
                PathStep::Index(i64::try_from(child).unwrap_or_default())
            }
        };
        let mut steps: Vec<_> = places.filter(|place| place.parent != NONE).map(step).collect();
        steps.reverse();
        steps
    }
}

/// An open container.
struct Ancestor {
    start: usize,
    is_object: bool,
    /// Number of commas in it so far, which is the index of the current child.
    commas: usize,
    /// Its number in the list of containers, if it is there.
    number: Option<u32>,
}

impl Ancestor {
    fn place(&self, parent: u32, start: usize) -> ChildLocation {
        ChildLocation { parent, is_member: self.is_object, child: if self.is_object { start } else { self.commas } }
    }
}

/// The pass that finds the values.
struct Find<'f> {
    text: &'f [u8],
    /// The numbers of the values and where they begin, in the order of the text.
    wanted: &'f [(usize, usize)],
    found: &'f mut Locations,
}

impl Find<'_> {
    /// Returns the place of the value that begins at `start`, directly in the innermost of `levels`.
    #[inline(always)]
    fn place(&mut self, levels: &mut [Ancestor], start: usize) -> Result<ChildLocation, OutOfMemory> {
        let known = levels.iter().rposition(|level| level.number.is_some()).map_or(0, |last| last + 1);
        for index in known..levels.len() {
            let (outer, [level, ..]) = levels.split_at_mut(index) else { break };
            let place = match outer.last() {
                Some(parent) => parent.place(parent.number.unwrap_or(NONE), level.start),
                None => DOCUMENT,
            };
            let number = u32::try_from(self.found.containers.len()).ok().filter(|&number| number != NONE);
            level.number = Some(number.ok_or(OutOfMemory::Ways)?);
            self.found.containers.grow(place, OutOfMemory::Ways)?;
        }
        Ok(levels.last().map_or(DOCUMENT, |level| level.place(level.number.unwrap_or(NONE), start)))
    }
}

impl Pass for Find<'_> {
    type Output = Result<(), OutOfMemory>;

    #[inline(always)]
    fn run<K: Kernel>(mut self, kernel: K) -> Self::Output {
        let text = self.text;
        let mut wanted = self.wanted.iter().copied().peekable();
        let mut levels: Vec<Ancestor> = Vec::new();
        let mut strings = StringCarry::default();
        let mut scratch = [0; 64 * MAX_LANES];
        for (part, offset) in text.chunks(K::SUPERBLOCK).zip((0..).step_by(K::SUPERBLOCK)) {
            let structure = strings.classify(kernel, padded_superblock::<K>(&mut scratch, part));
            let [open, close, commas] = [structure.open, structure.close, structure.comma].map(lanes);
            for lane in 0..K::Word::LANES {
                let (base, mut marks, mut commas) = (offset + 64 * lane, open[lane] | close[lane], commas[lane]);
                loop {
                    let mark = marks.trailing_zeros();
                    while let Some((number, start)) =
                        wanted.next_if(|&(_, start)| start <= base + mark as usize && start < base + 64)
                    {
                        if let Some(level) = levels.last_mut() {
                            #[expect(clippy::cast_possible_truncation, reason = "a position in the lane")]
                            let before = commas & bits_below((start.saturating_sub(base)) as u32);
                            level.commas += before.count_ones() as usize;
                            commas ^= before;
                        }
                        self.found.values[number] = self.place(&mut levels, start)?;
                    }
                    let before = if mark < 64 { commas & bits_below(mark) } else { commas };
                    if let Some(level) = levels.last_mut() {
                        level.commas += before.count_ones() as usize;
                    }
                    if mark == 64 {
                        break;
                    }
                    // mutant:
                    commas ^= before;
                    marks &= marks - 1;
                    if open[lane] >> mark & 1 == 1 {
                        let start = base + mark as usize;
                        let is_object = text.get(start) == Some(&b'{');
                        levels.grow(Ancestor { start, is_object, commas: 0, number: None }, OutOfMemory::Levels)?;
                    } else {
                        levels.pop();
                    }
                }
            }
            if wanted.peek().is_none() {
                break;
            }
        }
        Ok(())
    }
}
