//! Whether two values with equal hashes are equal, without what is left out, and with the tolerance for numbers.

#![forbid(unsafe_code)]

use crate::diff::Differ;
use crate::diff::hashes::NONE;
use crate::diff::hashes::number;
use crate::document::Kind;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// The most values that are looked at in elements, to see which of them are near to each other.
const MOST_LOOKED_AT: usize = 64;

/// Whether values are equal as far as they were looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    Equal,
    Different,
    Unknown,
}

impl Differ<'_, '_> {
    pub(super) fn have_same_hash(&self, old: u32, new: u32) -> bool {
        self.old.hash(old) == self.new.hash(new)
    }

    /// Whether two values are equal. Without a tolerance, this takes time proportional to their size only if their hashes are equal.
    pub(super) fn are_equal(&self, old: u32, new: u32) -> Result<bool, OutOfMemory> {
        if !self.have_same_hash(old, new) {
            return Ok(false);
        }
        let (left, right) = (self.old.value(old), self.new.value(new));
        if !self.tolerance().is_positive() && !self.old.ignores_any() && !self.new.ignores_any() {
            // mutant: return Ok(true);
            return Ok(left.raw() == right.raw() || left == right);
        }
        Ok(self.likeness(old, new, usize::MAX)? == Likeness::Equal)
    }

    /// Compares two elements for the alignment of arrays, which may do so again and again.
    pub(super) fn quick_likeness(&self, old: u32, new: u32) -> Likeness {
        // Without enough memory for a few values, the elements are compared later.
        self.likeness(old, new, MOST_LOOKED_AT).unwrap_or(Likeness::Unknown)
    }

    /// Compares two values, of which it looks at `most` values at most.
    fn likeness(&self, old: u32, new: u32, most: usize) -> Result<Likeness, OutOfMemory> {
        let (mut rest, mut looked_at) = (vec![(old, new)], 0);
        while let Some((old, new)) = rest.pop() {
            if self.old.is_ignored(old) || self.new.is_ignored(new) {
                continue;
            }
            looked_at += 1;
            self.steps.set(self.steps.get() + 1);
            if !self.have_same_hash(old, new) {
                return Ok(Likeness::Different);
            }
            if looked_at > most {
                return Ok(Likeness::Unknown);
            }
            let (left, right) = (self.old.value(old), self.new.value(new));
            let are_equal = match (left.kind(), right.kind()) {
                (Kind::Array, Kind::Array) => {
                    let (mut lefts, mut rights) = (left.iter(), right.iter());
                    loop {
                        match (lefts.next(), rights.next()) {
                            (Some(left), Some(right)) => {
                                rest.grow((number(left.token()), number(right.token())), OutOfMemory::Matches)?;
                            }
                            (left, right) => break left.is_none() && right.is_none(),
                        }
                        // The first elements suffice to know that there are too many.
                        if rest.len() > most {
                            return Ok(Likeness::Unknown);
                        }
                    }
                }
                (Kind::Object, Kind::Object) => match self.join(left, right)? {
                    None => left == right,
                    Some(joined) => {
                        let has_all = joined.added.is_empty() && joined.pairs.iter().all(|pair| pair.1 != NONE);
                        rest.room(joined.pairs.len(), OutOfMemory::Matches)?;
                        rest.extend(joined.pairs);
                        has_all
                    }
                },
                (Kind::Number, Kind::Number) => self.tolerance().are_near(left, right),
                _ => left == right,
            };
            if !are_equal {
                return Ok(Likeness::Different);
            }
        }
        Ok(Likeness::Equal)
    }
}
