//! Counts the most frequent keys in bounded memory.
//!
//! The algorithm is by Misra and Gries (*Finding Repeated Elements*, 1982). While there is room, each key has a counter, and
//! all counts are exact. When the table is full, the median is subtracted from all counters, and those that reach zero are
//! removed. A key that occurs more often than the sum of all subtracted medians is never lost, and counts are too small by
//! at most that sum.

#![forbid(unsafe_code)]

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Maximum number of counters. Most documents have fewer different keys; this many take about half a megabyte.
const MAX_COUNTERS: usize = 4096;

/// A table of counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Frequent {
    counters: Vec<Counter>,
    /// Index of the counter of each hash of a key.
    // The hashes have a random key, so the map needs none.
    by_hash: HashMap<u64, u32, FixedState>,
    /// Sum of all values that were subtracted from the counters.
    subtracted: u64,
    /// How often counters have been removed, which changes the indices of the others.
    removals: u32,
}

/// A key and its count.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) count: u64,
    pub(super) key: String,
    hash: u64,
}

/// Which counter a key has, as long as no counter is removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterId {
    index: u32,
    removals: u32,
}

impl Frequent {
    /// Counts the key with this hash. If there is no counter for it, calls `key` and returns true.
    pub(super) fn count(&mut self, hash: u64, key: impl FnOnce() -> String) -> bool {
        if let Some(&index) = self.by_hash.get(&hash) {
            self.counters[index as usize].count += 1;
            return false;
        }
        if self.counters.len() == MAX_COUNTERS {
            self.make_room();
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are at most `MAX_COUNTERS`")]
        let index = self.counters.len() as u32;
        self.counters.push(Counter { count: 1, key: key(), hash });
        self.by_hash.insert(hash, index);
        true
    }

    /// Whether no counter has been removed.
    pub(super) fn is_complete(&self) -> bool {
        self.removals == 0
    }

    /// Whether [`add`](Self::add) would give the same as counting all keys in order: neither table is so full that counters are
    /// removed.
    pub(super) fn can_add(&self, other: &Self) -> bool {
        let is_new = |counter: &&Counter| !self.by_hash.contains_key(&counter.hash);
        let free = MAX_COUNTERS - self.counters.len();
        other.is_complete() && (other.counters.len() <= free || other.counters.iter().filter(is_new).count() <= free)
    }

    /// Adds the counts of another table, whose keys were counted after those of this one.
    pub(super) fn add(&mut self, other: &Self) {
        for Counter { count, key, hash } in &other.counters {
            self.count(*hash, || key.clone());
            self.counters[self.by_hash[hash] as usize].count += count - 1;
        }
    }

    /// Returns the counter of the key with this hash.
    pub(super) fn id(&self, hash: u64) -> CounterId {
        match self.by_hash.get(&hash) {
            Some(&index) => CounterId { index, removals: self.removals },
            None => CounterId { index: 0, removals: self.removals.wrapping_sub(1) },
        }
    }

    /// Counts a key whose counter is known. Returns false if that is no longer so.
    #[inline]
    pub(super) fn count_again(&mut self, id: CounterId) -> bool {
        let is_known = id.removals == self.removals;
        if is_known {
            self.counters[id.index as usize].count += 1;
        }
        is_known
    }

    /// Subtracts the median from all counters, and removes at least half of them.
    #[cold]
    fn make_room(&mut self) {
        let mut counts: Vec<u64> = self.counters.iter().map(|counter| counter.count).collect();
        let (_, &mut median, _) = counts.select_nth_unstable(MAX_COUNTERS / 2);
        self.subtracted += median;
        self.removals += 1;
        self.counters.retain_mut(|counter| {
            counter.count = counter.count.saturating_sub(median);
            counter.count > 0
        });
        self.by_hash = (0..).zip(&self.counters).map(|(index, counter)| (counter.hash, index)).collect();
    }

    /// Returns by how much a count may be too small; 0 if all are exact.
    pub(super) fn error(&self) -> u64 {
        self.subtracted
    }

    /// Returns the `limit` most frequent keys; equally frequent ones are ordered by key.
    pub(super) fn top(&self, limit: usize) -> Vec<&Counter> {
        let mut all: Vec<_> = self.counters.iter().collect();
        all.sort_unstable_by(|left, right| right.count.cmp(&left.count).then_with(|| left.key.cmp(&right.key)));
        all.truncate(limit);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Frequent;
    use super::MAX_COUNTERS;

    #[test]
    fn few_are_counted_exactly() {
        let mut frequent = Frequent::default();
        for hash in 0..100 {
            for _ in 0..=hash {
                frequent.count(hash, || hash.to_string());
            }
        }
        let top: Vec<_> = frequent.top(2).iter().map(|counter| (counter.key.as_str(), counter.count)).collect();
        assert_eq!((top, frequent.error()), (vec![("99", 100), ("98", 99)], 0));
    }

    #[test]
    fn the_most_frequent_of_many_are_found() {
        let mut frequent = Frequent::default();
        let rare = 50 * MAX_COUNTERS as u64;
        for hash in 0..rare {
            frequent.count(hash + 10, || "rare".to_owned());
            frequent.count(hash % 3, || format!("{}", hash % 3));
        }
        let top = frequent.top(3);
        let mut keys: Vec<_> = top.iter().map(|counter| counter.key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["0", "1", "2"]);
        assert!(frequent.error() > 0);
        for counter in top {
            assert!((counter.count..=counter.count + frequent.error()).contains(&(rare / 3)));
        }
    }
}
