//! Matches the elements of arrays in any order: by the value at a JSON Pointer, or as a whole.

#![forbid(unsafe_code)]

use crate::diff::ComparedItem;
use crate::diff::Differ;
use crate::diff::ItemPlace;
use crate::diff::NONE;
use crate::diff::arrays::ArrayPair;
use crate::diff::hashes::Side;
use crate::diff::number;
use crate::diff::steps::Steps;
use crate::document::Kind;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// The number of elements with the same hash that one is compared with. Mostly the first one is equal, except with a tolerance.
const MOST_CANDIDATES: usize = 64;

/// An element to be matched: by its hash, or that of its key, which are in different halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HashedElement {
    has_key: bool,
    hash: u64,
    index: u32,
}

impl HashedElement {
    fn is_like(&self, other: &Self) -> bool {
        (self.has_key, self.hash) == (other.has_key, other.hash)
    }
}

impl<'v> Differ<'_, 'v> {
    /// Returns the elements that are not equal. Those that are matched keep the order of the first array; the others are removed from the
    /// last one on, so that the indices of those before stay, and then added at the end.
    pub(super) fn in_any_order(
        &self,
        elements: ArrayPair<'_>,
        pointer: Option<&str>,
        is_walk: bool,
    ) -> Result<Vec<ComparedItem>, OutOfMemory> {
        let partners = self.partners(elements, pointer)?;
        let mut is_matched = Vec::new();
        is_matched.room(elements.new.len(), OutOfMemory::Matches)?;
        is_matched.resize(elements.new.len(), false);
        let mut steps = Steps::new(self.options.context);
        for (old, &new) in partners.iter().enumerate().filter(|pair| *pair.1 != NONE) {
            is_matched[new as usize] = true;
            let place = element(number(old), number(old), new);
            let item = ComparedItem {
                old: elements.old[old],
                new: elements.new[new as usize],
                place,
                is_walk,
                ..ComparedItem::root()
            };
            // What is matched as a whole is equal.
            if pointer.is_some() { self.pair(&mut steps, item)? } else { steps.equal(item)? }
        }
        // mutant: for (old, _) in partners.iter().enumerate().filter(|pair| *pair.1 == NONE) {
        for (old, _) in partners.iter().enumerate().rev().filter(|pair| *pair.1 == NONE) {
            let place = element(number(old), number(old), NONE);
            steps.changed(ComparedItem { old: elements.old[old], place, ..ComparedItem::root() })?;
        }
        for (new, _) in is_matched.iter().enumerate().filter(|matched| !*matched.1) {
            let place = element(NONE, NONE, number(new));
            steps.changed(ComparedItem { new: elements.new[new], place, ..ComparedItem::root() })?;
        }
        Ok(steps.list)
    }

    /// Returns for each element of the first array the index of that in the second one, or [`NONE`].
    fn partners(&self, elements: ArrayPair<'_>, pointer: Option<&str>) -> Result<Vec<u32>, OutOfMemory> {
        let olds = self.entries(&self.old, elements.old, pointer)?;
        let news = self.entries(&self.new, elements.new, pointer)?;
        let mut partners = Vec::new();
        partners.room(elements.old.len(), OutOfMemory::Matches)?;
        partners.resize(elements.old.len(), NONE);
        let mut rest = news.as_slice();
        for group in olds.chunk_by(HashedElement::is_like) {
            rest = &rest[rest.partition_point(|new| (new.has_key, new.hash) < (group[0].has_key, group[0].hash))..];
            let (others, after) = rest.split_at(rest.partition_point(|new| new.is_like(&group[0])));
            rest = after;
            self.match_group(elements, pointer, (group, others), &mut partners)?;
        }
        Ok(partners)
    }

    /// Returns what elements are matched by, in ascending order.
    fn entries(&self, side: &Side<'v>, list: &[u32], pointer: Option<&str>) -> Result<Vec<HashedElement>, OutOfMemory> {
        let mut entries = Vec::new();
        entries.room(list.len(), OutOfMemory::Matches)?;
        for (index, &token) in list.iter().enumerate() {
            let key = pointer.and_then(|pointer| side.value(token).pointer(pointer));
            let hash = key.map_or(u64::from(side.hash(token)), |key| self.seeds.exact(key));
            entries.push(HashedElement { has_key: key.is_some(), hash, index: number(index) });
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// Matches elements with the same hash. Mostly, the first one is equal to the first one, and so on.
    fn match_group(
        &self,
        elements: ArrayPair<'_>,
        pointer: Option<&str>,
        (olds, news): (&[HashedElement], &[HashedElement]),
        partners: &mut [u32],
    ) -> Result<(), OutOfMemory> {
        let is_sorted = self.tolerance().is_positive() && olds.first().is_some_and(|old| !old.has_key);
        let (mut olds, mut news) = (indices(olds)?, indices(news)?);
        if is_sorted {
            // In this order, numbers that are near to each other are at near places.
            olds.sort_by_key(|&index| self.old.value(elements.old[index as usize]));
            news.sort_by_key(|&index| self.new.value(elements.new[index as usize]));
        }
        let key = |side: &Side<'v>, token: u32| -> Option<Value<'v, 'v>> { side.value(token).pointer(pointer?) };
        let mut first = 0;
        for old in olds {
            let old_token = elements.old[old as usize];
            let (old_key, old_value) = (key(&self.old, old_token), self.old.value(old_token));
            // With a tolerance, numbers are in ascending order: those that are too small are so for all that follow.
            let is_number = is_sorted && old_value.kind() == Kind::Number;
            let is_passed = |new: u32| {
                new == NONE
                    || is_number && {
                        let value = self.new.value(elements.new[new as usize]);
                        value < old_value && !self.tolerance().are_near(old_value, value)
                    }
            };
            while news.get(first).is_some_and(|&new| is_passed(new)) {
                first += 1;
            }
            let most = if is_number { 1 } else { MOST_CANDIDATES };
            for new in news[first..].iter_mut().take(most).filter(|new| **new != NONE) {
                let new_token = elements.new[*new as usize];
                let is_match = match old_key {
                    Some(key_of_old) => key(&self.new, new_token) == Some(key_of_old),
                    None => self.are_equal(old_token, new_token)?,
                };
                if is_match {
                    partners[old as usize] = std::mem::replace(new, NONE);
                    break;
                }
            }
        }
        Ok(())
    }
}

fn element(at: u32, old: u32, new: u32) -> ItemPlace {
    ItemPlace::Element { at, old, new, before: NONE, after: NONE }
}

fn indices(entries: &[HashedElement]) -> Result<Vec<u32>, OutOfMemory> {
    let mut indices = Vec::new();
    indices.room(entries.len(), OutOfMemory::Matches)?;
    indices.extend(entries.iter().map(|entry| entry.index));
    Ok(indices)
}
