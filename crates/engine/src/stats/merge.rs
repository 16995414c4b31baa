//! The statistics of a part of the input, and their addition to those of everything before it.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::scalar::Number;
use crate::stats::Containers;
use crate::stats::Numbers;
use crate::stats::Stats;
use crate::stats::Strings;

/// The statistics of a part.
#[derive(Default)]
pub(super) struct StatsPart {
    pub(super) stats: Stats,
    /// The hashes of its strings.
    pub(super) strings: Vec<u64>,
    /// Number of elements of the array in which it begins and ends.
    pub(super) elements: u64,
}

impl Stats {
    /// Adds the statistics of the next part, except for documents, bytes and distinct strings. Its keys must
    /// [fit](super::frequent::Frequent::can_add). Returns whether the least or the greatest number changed.
    pub(super) fn add(&mut self, part: &Self) -> Result<bool, OutOfMemory> {
        let changed = self.numbers.add(&part.numbers)?;
        self.token_bytes += part.token_bytes;
        self.depth = self.depth.max(part.depth);
        self.objects.add(&part.objects);
        self.arrays.add(&part.arrays);
        self.strings.add_all(&part.strings);
        self.keys.add_all(&part.keys);
        self.trues += part.trues;
        self.falses += part.falses;
        self.nulls += part.nulls;
        self.repeated_keys += part.repeated_keys;
        self.unchecked_keys += part.unchecked_keys;
        self.frequent.add(&part.frequent);
        self.distinct_keys.add(&part.distinct_keys);
        Ok(changed)
    }
}

impl Containers {
    pub(super) fn add(&mut self, part: &Self) {
        let Self { count, empty, members, largest } = part;
        self.count += count;
        self.empty += empty;
        self.members += members;
        self.largest = self.largest.max(*largest);
    }
}

impl Strings {
    fn add_all(&mut self, part: &Self) {
        let Self { count, bytes, longest, escaped, non_ascii, lone_surrogates } = part;
        self.count += count;
        self.bytes += bytes;
        self.longest = self.longest.max(*longest);
        self.escaped += escaped;
        self.non_ascii += non_ascii;
        self.lone_surrogates += lone_surrogates;
    }
}

impl Numbers {
    /// Returns whether the least or the greatest number changed. If memory runs out, counts nothing.
    fn add(&mut self, part: &Self) -> Result<bool, OutOfMemory> {
        let Self { count, bytes, longest, integers, negative, inexact, least, greatest } = part;
        let mut changed = false;
        for text in [least, greatest].into_iter().flatten() {
            if let Some(number) = Number::new(text.as_bytes()) {
                changed |= self.extend_range(number)?;
            }
        }
        self.count += count;
        self.bytes += bytes;
        self.longest = self.longest.max(*longest);
        self.integers += integers;
        self.negative += negative;
        self.inexact += inexact;
        Ok(changed)
    }
}
