//! The members of a wide object by the hashes of their keys, so that many edits of it take no longer than one for each.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hash::Hasher;

use foldhash::fast::RandomState;

use crate::error::OutOfMemory;
use crate::scalar::hash_key;

/// The number of members from which on an object is wide.
const WIDE: usize = if cfg!(test) { 3 } else { 32 };

/// The number of searches for a member before there is a table.
const SEARCHES: u8 = if cfg!(test) { 0 } else { 2 };

/// Stands for several members.
const SEVERAL: u32 = u32::MAX;

/// The members of an object by the hashes of their keys.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The index of the member whose key has the hash; [`SEVERAL`] if there are or were several.
    members: Option<HashMap<u64, u32, RandomState>>,
    state: RandomState,
    searches: u8,
}

/// What a table knows about a key.
pub(super) enum Found {
    Nothing,
    /// Only the member with this index may have the key.
    Only(usize),
    /// All members are to be looked at.
    Unknown,
}

impl Table {
    /// Counts a search among this number of members. Whether it is time to fill the table.
    pub(super) fn is_due(&mut self, members: usize) -> bool {
        self.searches = self.searches.saturating_add(1);
        members >= WIDE && self.members.is_none() && self.searches > SEARCHES
    }

    /// Fills the table with the keys of all members, given without quotes, and their indices.
    pub(super) fn fill<'k>(&mut self, keys: impl Iterator<Item = (usize, &'k [u8])>) -> Result<(), OutOfMemory> {
        self.members = Some(HashMap::with_hasher(self.state.clone()));
        keys.into_iter().try_for_each(|(index, key)| self.add(key, index))
    }

    /// Adds a member, if the table is filled.
    pub(super) fn add(&mut self, key: &[u8], index: usize) -> Result<(), OutOfMemory> {
        let hash = self.hash(key);
        let Some(members) = &mut self.members else { return Ok(()) };
        members.try_reserve(1).map_err(|_| OutOfMemory::Keys)?;
        let index = u32::try_from(index).unwrap_or(SEVERAL);
        // mutant: members.entry(hash).or_insert(index);
        members.entry(hash).and_modify(|member| *member = SEVERAL).or_insert(index);
        Ok(())
    }

    /// Removes a member, if the table is filled.
    pub(super) fn remove(&mut self, key: &[u8]) {
        let hash = self.hash(key);
        if let Some(members) = &mut self.members
            && members.get(&hash).is_some_and(|&member| member != SEVERAL)
        {
            members.remove(&hash);
        }
    }

    pub(super) fn find(&self, key: &[u8]) -> Found {
        match self.members.as_ref().map(|members| members.get(&self.hash(key))) {
            None | Some(Some(&SEVERAL)) => Found::Unknown,
            Some(None) => Found::Nothing,
            Some(Some(&member)) => Found::Only(member as usize),
        }
    }

    /// Forgets the members, whose indices have changed.
    pub(super) fn clear(&mut self) {
        self.members = None;
    }

    fn hash(&self, key: &[u8]) -> u64 {
        let mut hasher = self.state.build_hasher();
        hash_key(key, &mut hasher);
        hasher.finish()
    }
}
