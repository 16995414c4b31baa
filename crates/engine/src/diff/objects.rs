//! The members of two objects by their keys.

#![forbid(unsafe_code)]

use crate::diff::ComparedItem;
use crate::diff::Differ;
use crate::diff::NONE;
use crate::diff::Side;
use crate::diff::number;
use crate::diff::steps::Steps;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::scalar::same_key;

/// The members of two objects, named by their values.
pub(super) struct Joined {
    /// Those of the first object, with those of the second one that have the same key, or [`NONE`].
    pub(super) pairs: Vec<(u32, u32)>,
    /// Those of the second object only.
    pub(super) added: Vec<u32>,
}

impl<'v> Differ<'_, 'v> {
    /// Joins the members of two objects by their keys. Returns `None` if an object has duplicate keys, or a key with a lone surrogate, so
    /// that no JSON Pointer leads to a member.
    pub(super) fn join(&self, old: Value<'v, 'v>, new: Value<'v, 'v>) -> Result<Option<Joined>, OutOfMemory> {
        let (Some(olds), Some(news)) = (members(&self.old, old)?, members(&self.new, new)?) else { return Ok(None) };
        let (mut pairs, mut added) = (Vec::new(), Vec::new());
        pairs.room(olds.len(), OutOfMemory::Keys)?;
        let (mut left, mut right) = (olds.as_slice(), news.as_slice());
        while !(left.is_empty() && right.is_empty()) {
            let hash = left.first().into_iter().chain(right.first()).map(|member| member.0).min();
            let is_group = |member: &&(u32, u32)| Some(member.0) == hash;
            let lefts = left.iter().take_while(is_group).count();
            let rights = right.iter().take_while(is_group).count();
            let group = (&left[..lefts], &right[..rights]);
            (left, right) = (&left[lefts..], &right[rights..]);
            let has_same_key = |old: &(u32, u32), new: &(u32, u32)| same_key(self.old.key(old.1), self.new.key(new.1));
            for old in group.0 {
                let new = group.1.iter().find(|new| has_same_key(old, new));
                pairs.push((old.1, new.map_or(NONE, |new| new.1)));
            }
            for new in group.1 {
                if !group.0.iter().any(|old| has_same_key(old, new)) {
                    added.grow(new.1, OutOfMemory::Keys)?;
                }
            }
        }
        pairs.sort_unstable();
        added.sort_unstable();
        Ok(Some(Joined { pairs, added }))
    }

    /// Returns the members of two objects that are not equal, or `None` like [`join`](Self::join).
    pub(super) fn steps_of_objects(
        &self,
        old: Value<'v, 'v>,
        new: Value<'v, 'v>,
        is_walk: bool,
    ) -> Result<Option<Vec<ComparedItem>>, OutOfMemory> {
        let Some(joined) = self.join(old, new)? else { return Ok(None) };
        let mut steps = Steps::new(self.options.context);
        for (old, new) in joined.pairs {
            let item = ComparedItem { old, new, is_walk, ..ComparedItem::member() };
            if new == NONE {
                steps.changed(item)?;
            } else {
                self.pair(&mut steps, item)?;
            }
        }
        for new in joined.added {
            steps.changed(ComparedItem { new, ..ComparedItem::member() })?;
        }
        Ok(Some(steps.list))
    }
}

/// Returns the hashes and values of the members of an object, in ascending order. `None` if there are duplicate keys, or a key with a lone
/// surrogate.
fn members(side: &Side<'_>, object: Value<'_, '_>) -> Result<Option<Vec<(u32, u32)>>, OutOfMemory> {
    let mut members = Vec::new();
    for member in object.members() {
        let token = number(member.value.token());
        if side.is_ignored(token) {
            continue;
        }
        if side.tokens.has_escapes(token as usize - 2) && member.key.as_str().is_none() {
            return Ok(None);
        }
        members.grow((side.key_hash(token), token), OutOfMemory::Keys)?;
    }
    members.sort_unstable();
    // Different keys with the same hash are few.
    let are_unique = |group: &[(u32, u32)]| {
        group.iter().enumerate().all(|(index, one)| {
            // mutant: group[index + 1..].iter().all(|_| true)
            group[index + 1..].iter().all(|other| !same_key(side.key(one.1), side.key(other.1)))
        })
    };
    let are_unique = members.chunk_by(|one, other| one.0 == other.0).all(are_unique);
    Ok(are_unique.then_some(members))
}
