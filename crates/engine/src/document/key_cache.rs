//! A cache of owned keys, for programs that keep many records with the same keys.

#![forbid(unsafe_code)]

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::RandomState;

/// Number of sets. Records rarely have more than a few hundred different keys; the empty cache takes 16 KiB.
const SETS: usize = 256;

/// Number of keys in a set. With a single one, two keys of every record would replace each other if they met in a set.
const KEYS_PER_SET: usize = 4;

/// The length in bytes of the longest key that is kept. So the memory is bounded, and so is the time of a comparison.
const MAX_LENGTH: usize = 64;

/// Shares owned keys among the records that have them, so that a key is allocated once and not once per record.
///
/// It keeps at most 1,024 keys of up to 64 bytes each: about 100 KB. A new key replaces one that was used longer ago, and a longer key
/// is always a new string. Each call takes constant time, whatever the keys are, and the hashes are seeded randomly, so keys
/// cannot be chosen to replace those of other records.
///
/// Nothing else in the library uses it. Keys that are only looked at, or borrowed from the text, are faster without it.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Arc;
///
/// use fjson::{KeyCache, Parser};
///
/// let mut parser = Parser::new();
/// let document = parser.document(br#"[{"id": 1, "size": 20}, {"id": 2, "size": 30}]"#)?;
/// let mut keys = KeyCache::new();
/// let records: Vec<BTreeMap<Arc<str>, u64>> = document
///     .iter()
///     .map(|record| {
///         let members = record.members();
///         members.filter_map(|member| Some((keys.get(&member.key.as_str()?), member.value.as_u64()?))).collect()
///     })
///     .collect();
/// assert_eq!((records[0]["size"], records[1]["size"]), (20, 30));
/// assert!(records[0].keys().zip(records[1].keys()).all(|(first, second)| Arc::ptr_eq(first, second)));
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyCache {
    /// The keys of each set, the one used last first.
    sets: Vec<[Option<Arc<str>>; KEYS_PER_SET]>,
    hasher: RandomState,
}

impl KeyCache {
    /// Creates an empty cache.
    ///
    /// ```
    /// let mut keys = fjson::KeyCache::new();
    /// assert_eq!(&*keys.get("id"), "id");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { sets: vec![[const { None }; KEYS_PER_SET]; SETS], hasher: RandomState::default() }
    }

    /// Returns a key: the string that an earlier call has returned for it if it is still in the cache, or a new one.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// let mut keys = fjson::KeyCache::new();
    /// let (first, second) = (keys.get("id"), keys.get("id"));
    /// assert!(Arc::ptr_eq(&first, &second));
    /// ```
    #[must_use]
    pub fn get(&mut self, key: &str) -> Arc<str> {
        if key.len() > MAX_LENGTH {
            return Arc::from(key);
        }
        // The highest bits depend on all bits of the key.
        let set = self.hasher.hash_one(key) >> (u64::BITS - SETS.ilog2());
        #[expect(clippy::cast_possible_truncation, reason = "it is less than the number of sets")]
        let set = &mut self.sets[set as usize];
        let place = set.iter().position(|kept| kept.as_deref() == Some(key));
        // Without a place, the key that was used longest ago is replaced.
        let used = &mut set[..=place.unwrap_or(KEYS_PER_SET - 1)];
        used.rotate_right(1);
        let first = &mut used[0];
        if place.is_none() {
            *first = None;
        }
        Arc::clone(first.get_or_insert_with(|| Arc::from(key)))
    }
}

impl Default for KeyCache {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of keys that are kept, which do not exceed the bounds.
    fn count(cache: &KeyCache) -> usize {
        let kept: Vec<_> = cache.sets.iter().flatten().flatten().collect();
        assert!(kept.len() <= SETS * KEYS_PER_SET && kept.iter().all(|key| key.len() <= MAX_LENGTH));
        assert_eq!((cache.sets.len(), cache.sets.capacity()), (SETS, SETS));
        kept.len()
    }

    #[test]
    fn a_key_is_shared() {
        let mut cache = KeyCache::new();
        let keys = ["", "id", "é", "a\u{0}", "name", &"x".repeat(MAX_LENGTH)];
        let first = keys.map(|key| cache.get(key));
        let second = keys.map(|key| cache.get(key));
        for ((first, second), key) in first.iter().zip(&second).zip(keys) {
            assert_eq!((&**first, &**second), (key, key));
            assert!(Arc::ptr_eq(first, second), "{key}");
        }
        assert_eq!(count(&cache), keys.len());
    }

    #[test]
    fn a_long_key_is_not_kept() {
        let mut cache = KeyCache::new();
        let key = "x".repeat(MAX_LENGTH + 1);
        let (first, second) = (cache.get(&key), cache.get(&key));
        assert!(*first == *key && *second == *key && !Arc::ptr_eq(&first, &second));
        assert_eq!(count(&cache), 0);
    }

    /// Keys that never come again replace each other, and those that are used between them stay.
    #[test]
    fn the_number_of_keys_is_bounded() {
        let mut cache = KeyCache::new();
        let id = cache.get("id");
        for number in 0..100_000 {
            let key = format!("key {number}");
            assert_eq!(*cache.get(&key), *key);
            assert!(Arc::ptr_eq(&cache.get("id"), &id));
        }
        assert_eq!(count(&cache), SETS * KEYS_PER_SET);
    }

    /// In one set, the key that was used longest ago is replaced.
    #[test]
    fn old_keys_are_replaced() {
        let mut cache = KeyCache::new();
        let set = |cache: &KeyCache, key: &str| cache.hasher.hash_one(key) >> (u64::BITS - SETS.ilog2());
        let keys: Vec<_> = (0..).map(|number| number.to_string()).filter(|key| set(&cache, key) == 7).take(5).collect();
        let first: Vec<_> = keys[..4].iter().map(|key| cache.get(key)).collect();
        assert!(Arc::ptr_eq(&cache.get(&keys[0]), &first[0]));
        assert_eq!(*cache.get(&keys[4]), *keys[4]);
        for index in [0, 2, 3] {
            assert!(Arc::ptr_eq(&cache.get(&keys[index]), &first[index]), "{index}");
        }
        assert!(!Arc::ptr_eq(&cache.get(&keys[1]), &first[1]));
    }
}
