//! The elements of two arrays, and the order in which their differences can be made one after the other.

#![forbid(unsafe_code)]

use crate::diff::ArrayMatching;
use crate::diff::ComparedItem;
use crate::diff::Differ;
use crate::diff::ItemPlace;
use crate::diff::NONE;
use crate::diff::align::align;
use crate::diff::equal::Likeness;
use crate::diff::number;
use crate::diff::steps::Steps;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// The elements of two arrays, by their first tokens.
#[derive(Clone, Copy)]
pub(super) struct ArrayPair<'e> {
    pub(super) old: &'e [u32],
    pub(super) new: &'e [u32],
}

impl ArrayPair<'_> {
    /// Returns elements of both arrays at the same place, where the elements before `new` are those of the second array already. `None`
    /// if it has none there.
    fn in_order(self, old: usize, new: usize, has_old: bool, has_new: bool) -> ComparedItem {
        let place = ItemPlace::Element {
            at: number(new),
            old: number(old),
            new: number(new),
            before: new.checked_sub(1).map_or(NONE, |before| self.new[before]),
            // mutant: after: self.old.get(old).copied().unwrap_or(NONE),
            after: self.old.get(old + usize::from(has_old)).copied().unwrap_or(NONE),
        };
        let token = |has_any, list: &[u32], index: usize| if has_any { list[index] } else { NONE };
        ComparedItem {
            old: token(has_old, self.old, old),
            new: token(has_new, self.new, new),
            place,
            ..ComparedItem::root()
        }
    }
}

impl<'v> Differ<'_, 'v> {
    /// Returns the elements of two arrays that are not equal.
    pub(super) fn steps_of_arrays(
        &self,
        old: Value<'v, 'v>,
        new: Value<'v, 'v>,
        is_walk: bool,
    ) -> Result<Vec<ComparedItem>, OutOfMemory> {
        let list = |value: Value<'v, 'v>| {
            let mut list = Vec::new();
            value.iter().try_for_each(|element| list.grow(number(element.token()), OutOfMemory::Matches))?;
            Ok::<_, OutOfMemory>(list)
        };
        self.steps_of_elements(&list(old)?, &list(new)?, is_walk)
    }

    /// Returns the elements of two lists that are not equal.
    pub(super) fn steps_of_elements(
        &self,
        old: &[u32],
        new: &[u32],
        is_walk: bool,
    ) -> Result<Vec<ComparedItem>, OutOfMemory> {
        let elements = ArrayPair { old, new };
        match &self.options.arrays {
            ArrayMatching::Sequence => self.sequence(elements, is_walk),
            ArrayMatching::Position => self.positions(elements, is_walk),
            ArrayMatching::Set => self.in_any_order(elements, None, is_walk),
            ArrayMatching::Key(pointer) => self.in_any_order(elements, Some(pointer.as_str()), is_walk),
        }
    }

    fn positions(&self, elements: ArrayPair<'_>, is_walk: bool) -> Result<Vec<ComparedItem>, OutOfMemory> {
        let (mut steps, (olds, news)) = (Steps::new(self.options.context), (elements.old.len(), elements.new.len()));
        let both = olds.min(news);
        for at in 0..both {
            self.pair(&mut steps, ComparedItem { is_walk, ..elements.in_order(at, at, true, true) })?;
        }
        for old in both..olds {
            steps.changed(elements.in_order(old, both, true, false))?;
        }
        for new in both..news {
            steps.changed(elements.in_order(both, new, false, true))?;
        }
        Ok(steps.list)
    }

    /// Matches elements that are equal and in the same order, and pairs those between them.
    fn sequence(&self, elements: ArrayPair<'_>, is_walk: bool) -> Result<Vec<ComparedItem>, OutOfMemory> {
        let hashes = |list: &[u32], hash: &dyn Fn(u32) -> u32| {
            let mut hashes = Vec::new();
            hashes.room(list.len(), OutOfMemory::Matches)?;
            hashes.extend(list.iter().map(|&token| hash(token)));
            Ok::<_, OutOfMemory>(hashes)
        };
        let old_hashes = hashes(elements.old, &|token| self.old.hash(token))?;
        let new_hashes = hashes(elements.new, &|token| self.new.hash(token))?;
        let has_tolerance = self.tolerance().is_positive();
        let are_equal = |old: usize, new: usize| {
            old_hashes[old] == new_hashes[new]
                && (!has_tolerance || self.quick_likeness(elements.old[old], elements.new[new]) != Likeness::Different)
        };
        let matched = align(&old_hashes, &new_hashes, &are_equal, &self.steps)?;
        drop((old_hashes, new_hashes));
        let (mut steps, mut old, mut new) = (Steps::new(self.options.context), 0, 0);
        let end = (number(elements.old.len()), number(elements.new.len()));
        for (next_old, next_new) in matched.into_iter().chain([end]) {
            let (next_old, next_new) = (next_old as usize, next_new as usize);
            self.between(&mut steps, elements, (old, next_old), (new, next_new), is_walk)?;
            if next_old < elements.old.len() {
                self.pair(&mut steps, ComparedItem { is_walk, ..elements.in_order(next_old, next_new, true, true) })?;
            }
            (old, new) = (next_old + 1, next_new + 1);
        }
        Ok(steps.list)
    }

    /// Pairs elements that are between others that are equal, and removes and adds those that are left.
    fn between(
        &self,
        steps: &mut Steps,
        elements: ArrayPair<'_>,
        (mut old, old_end): (usize, usize),
        (mut new, new_end): (usize, usize),
        is_walk: bool,
    ) -> Result<(), OutOfMemory> {
        let (first_old, first_new) = (old, new);
        let pairs = self.pairing(&elements.old[old..old_end], &elements.new[new..new_end])?;
        let pairs = pairs.into_iter().map(|(old, new)| (first_old + old, first_new + new));
        for (next_old, next_new) in pairs.chain([(old_end, new_end)]) {
            while old < next_old {
                steps.changed(elements.in_order(old, new, true, false))?;
                old += 1;
            }
            while new < next_new {
                steps.changed(elements.in_order(old, new, false, true))?;
                new += 1;
            }
            if old < old_end && new < new_end {
                self.pair(steps, ComparedItem { is_walk, ..elements.in_order(old, new, true, true) })?;
                (old, new) = (old + 1, new + 1);
            }
        }
        Ok(())
    }
}
