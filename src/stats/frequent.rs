//! The most frequent keys of a stream, in bounded memory.
//!
//! Misra and Gries (*Finding Repeated Elements*, 1982): as long as there is room every key has its counter, and all counts are
//! exact. When there is no more, so much is taken from every counter that half of them are empty and go. A key that is
//! seen more often than all that was ever taken is never lost, and no count is too small by more than that.

#![forbid(unsafe_code)]

use std::collections::HashMap;

/// Counters. Most kinds of documents have fewer keys; this many take about half a megabyte.
const ROOM: usize = 4096;

/// Counters by the hash of what they count.
#[derive(Clone, Debug, Default)]
pub(super) struct Frequent {
    counters: HashMap<u64, Counter>,
    taken: u64,
}

/// How often a key was seen, and the key.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) count: u64,
    pub(super) key: String,
}

impl Frequent {
    /// Counts a key; `key` gives it if it is not known yet.
    pub(super) fn count(&mut self, hash: u64, key: impl FnOnce() -> String) {
        if let Some(counter) = self.counters.get_mut(&hash) {
            counter.count += 1;
            return;
        }
        if self.counters.len() == ROOM {
            self.make_room();
        }
        self.counters.insert(hash, Counter { count: 1, key: key() });
    }

    /// Takes the same from all counters, so that half of them go.
    #[cold]
    fn make_room(&mut self) {
        let mut counts: Vec<u64> = self.counters.values().map(|counter| counter.count).collect();
        let (_, &mut median, _) = counts.select_nth_unstable(ROOM / 2);
        self.taken += median;
        self.counters.retain(|_, counter| {
            counter.count = counter.count.saturating_sub(median);
            counter.count > 0
        });
    }

    /// By how much a count may be too small; 0 if all are exact.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// The `most` most frequent, in order; those that are as frequent by key.
    pub(super) fn first(&self, most: usize) -> Vec<&Counter> {
        let mut all: Vec<_> = self.counters.values().collect();
        all.sort_unstable_by(|left, right| right.count.cmp(&left.count).then_with(|| left.key.cmp(&right.key)));
        all.truncate(most);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Frequent;
    use super::ROOM;

    #[test]
    fn few_are_counted_exactly() {
        let mut frequent = Frequent::default();
        for hash in 0..100 {
            for _ in 0..=hash {
                frequent.count(hash, || hash.to_string());
            }
        }
        let first: Vec<_> = frequent.first(2).iter().map(|counter| (counter.key.as_str(), counter.count)).collect();
        assert_eq!((first, frequent.taken()), (vec![("99", 100), ("98", 99)], 0));
    }

    #[test]
    fn the_most_frequent_of_many_are_found() {
        let mut frequent = Frequent::default();
        let rare = 50 * ROOM as u64;
        for hash in 0..rare {
            frequent.count(hash + 10, || "rare".to_owned());
            frequent.count(hash % 3, || format!("{}", hash % 3));
        }
        let first = frequent.first(3);
        let mut keys: Vec<_> = first.iter().map(|counter| counter.key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["0", "1", "2"]);
        assert!(frequent.taken() > 0);
        for counter in first {
            assert!((counter.count..=counter.count + frequent.taken()).contains(&(rare / 3)));
        }
    }
}
