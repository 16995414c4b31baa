//! Hash tables of the members of wide objects, so that many look-ups in one take linear time.
//!
//! A table is made when an object with many members has been looked into repeatedly. It is part of the memory of the text, like the
//! links between brackets.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hash::Hasher;

use foldhash::fast::RandomState;

use crate::document::View;
use crate::scalar::hash_key;
use crate::scalar::hash_unescaped;
use crate::scalar::same_key;

/// Number of look-ups in an object before its table is made.
const LOOK_UPS: u8 = 2;

/// The tables of a text, by the tokens of their objects.
#[derive(Debug, Default)]
pub(super) struct Tables {
    objects: HashMap<usize, Object, RandomState>,
    hasher: RandomState,
}

#[derive(Debug)]
enum Object {
    /// An object without a table, with the number of look-ups so far.
    Counted(u8),
    Table(Vec<Slot>),
}

/// The opening quotes of the first and the last key with some value. The first is 0 in an empty slot, since no key is the first token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Tables {
    pub(super) fn clear(&mut self) {
        // The map is usually empty, and clearing it takes time proportional to its capacity.
        if !self.objects.is_empty() {
            self.objects = HashMap::default();
        }
    }

    /// Looks for a key in the table of an object, which may return an empty slot. `None` if the object has no table.
    pub(super) fn get(&self, view: View<'_, '_>, object: usize, key: &str) -> Option<Slot> {
        let Some(Object::Table(slots)) = self.objects.get(&object) else { return None };
        let mut hasher = self.hasher.build_hasher();
        hash_unescaped(key.as_bytes(), &mut hasher);
        let place = find(slots, hasher.finish(), |token| view.is_key(token, key));
        Some(place.map_or(Slot::default(), |place| slots[place]))
    }

    /// Counts a look-up in an object without a table, and makes its table if it is time.
    pub(super) fn count(&mut self, view: View<'_, '_>, object: usize) {
        if self.objects.try_reserve(1).is_err() {
            return;
        }
        let entry = self.objects.entry(object).or_insert(Object::Counted(0));
        if let Object::Counted(count) = entry {
            *count = count.saturating_add(1);
            if *count == LOOK_UPS
                && let Some(slots) = table(view, object, &self.hasher)
            {
                *entry = Object::Table(slots);
            }
        }
    }
}

/// Returns the slot of the key with this hash for which `is_key` is true, or the empty slot where it belongs.
fn find(slots: &[Slot], hash: u64, is_key: impl Fn(usize) -> bool) -> Option<usize> {
    // The number of slots is a power of two.
    let mask = slots.len().checked_sub(1)?;
    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are used")]
    let start = hash as usize;
    (0..slots.len()).map(|step| start.wrapping_add(step) & mask).find(|&place| {
        let first = slots[place].first as usize;
        first == 0 || is_key(first)
    })
}

/// Returns the table of an object. `None` if there is not enough memory.
#[expect(clippy::cast_possible_truncation, reason = "a text has fewer tokens than bytes, which are less than 4 GiB")]
fn table(view: View<'_, '_>, object: usize, hasher: &RandomState) -> Option<Vec<Slot>> {
    let count = keys(view, object).count();
    let mut slots = Vec::new();
    let size = (2 * count).next_power_of_two();
    slots.try_reserve_exact(size).ok()?;
    slots.resize(size, Slot::default());
    for token in keys(view, object) {
        let mut state = hasher.build_hasher();
        hash_key(view.inside(token), &mut state);
        let place = find(&slots, state.finish(), |other| same_key(view.inside(other), view.inside(token)))?;
        let slot = &mut slots[place];
        slot.last = token as u32;
        if slot.first == 0 {
            slot.first = token as u32;
        }
    }
    Some(slots)
}

/// Returns the opening quotes of the keys of an object.
fn keys(view: View<'_, '_>, object: usize) -> impl Iterator<Item = usize> {
    let first = Some(object + 1).filter(|&token| view.byte(token) == b'"');
    std::iter::successors(first, move |&token| Some(view.skip(token + 2)).filter(|&next| view.byte(next) == b'"'))
}
