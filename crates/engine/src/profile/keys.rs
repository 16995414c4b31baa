//! The keys of the open objects, for finding duplicates.
//!
//! Keys are compared unescaped. While their text is in memory they are spans of it; when the text is released, the keys
//! of objects that are still open are copied. So memory is bounded by the keys of the open objects, whatever the source
//! of the text.
//!
//! Most objects have the keys of an earlier one in the same order, which is a single comparison per key (`scalar/shapes.rs`). Of the others,
//! most are small. Their keys have 32-bit tags that are compared all at once, and only keys with equal tags are
//! compared themselves. From [`SMALL`] keys on, an object has a hash table with a random seed (`RandomState`), which no
//! document can be crafted to attack. Below that, keys crafted to have equal tags cost at most `SMALL` comparisons
//! each.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hash::RandomState;
use std::io;

use crate::scalar::Prediction;
use crate::scalar::Shapes;
use crate::scalar::StringErrorKind;
use crate::scalar::Surrogates;
use crate::scalar::has_backslash;
use crate::scalar::unescape_into;
use crate::scalar::word;

/// Number of keys up to which all tags are compared. Objects in twitter.json have up to 44 keys; a table for each of
/// them halved the speed of the whole scan.
pub(super) const SMALL: usize = 64;

/// Multiplier that mixes the words of a key into its tag: the golden ratio, as in Knuth's multiplicative hashing.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The keys of all open objects.
pub(super) struct Keys {
    /// For each open object, the one around it.
    outer: Vec<Open>,
    /// The innermost object.
    innermost: Open,
    all: Vec<Key>,
    /// The tag of each key, or 0 if its object has its shape.
    tags: Vec<u32>,
    shapes: Shapes,
    /// Tables of the objects with many keys, innermost last.
    tables: Vec<Table>,
    hasher: RandomState,
    /// Number of keys whose bytes are in `copied`.
    copied_count: usize,
    copied: Vec<u8>,
    /// Unescaped keys of the text in memory that contain escapes.
    unescaped: Vec<u8>,
    /// Whether memory ran out for a key.
    exhausted: bool,
}

/// An open object, or what is around the root.
#[derive(Clone, Copy)]
struct Open {
    /// Index of its first key.
    first: usize,
    prediction: Prediction,
}

/// What is around the root.
const OUTERMOST: Open = Open { first: 0, prediction: Prediction::OUTERMOST };

/// A map from hashes to keys. If another key has the same hash, the next hash is used.
struct Table {
    /// Number of open objects, including the one the table belongs to.
    depth: usize,
    keys: HashMap<u64, usize>,
}

/// Error: there is no key where one has been read, so the text has changed.
#[derive(Debug)]
pub(super) struct MissingKey;

#[derive(Clone, Copy)]
struct Key {
    /// Offset in the input of its opening quote.
    offset: u64,
    /// Position of its bytes: in `copied` if it has been copied, otherwise in `unescaped` or in the text.
    start: usize,
    length: usize,
    is_unescaped: bool,
}

impl Keys {
    pub(super) fn new() -> Self {
        Self {
            outer: Vec::new(),
            innermost: OUTERMOST,
            all: Vec::new(),
            tags: Vec::new(),
            shapes: Shapes::new(),
            tables: Vec::new(),
            hasher: RandomState::new(),
            copied_count: 0,
            copied: Vec::new(),
            unescaped: Vec::new(),
            exhausted: false,
        }
    }

    /// Resets to the state in which no object is open.
    pub(super) fn clear(&mut self) {
        self.outer.clear();
        self.all.clear();
        self.tags.clear();
        self.tables.clear();
        self.copied.clear();
        self.unescaped.clear();
        (self.innermost, self.copied_count) = (OUTERMOST, 0);
    }

    pub(super) fn open(&mut self) {
        if self.outer.try_reserve(1).is_err() {
            self.exhausted = true;
            return;
        }
        let around = self.innermost;
        self.outer.push(around);
        self.innermost = Open { first: self.all.len(), prediction: self.shapes.predict(&around.prediction) };
    }

    /// Closes the innermost object, whose keys are in `text` unless they have been copied.
    pub(super) fn close(&mut self, text: &[u8]) {
        self.tables.pop_if(|table| table.depth == self.outer.len());
        let Some(outer) = self.outer.pop() else { return };
        let Open { first, prediction } = self.innermost;
        if prediction.shape().is_some() {
            self.shapes.record(&prediction);
        } else if self.all[first..].iter().all(|key| !key.is_unescaped) {
            let mut shapes = std::mem::replace(&mut self.shapes, Shapes::none());
            shapes.learn(&prediction, (first..self.all.len()).map(|index| self.bytes_at(text, index)));
            self.shapes = shapes;
        }
        if first < self.copied_count {
            self.copied.truncate(self.all[first].start);
            // mutant:
            self.copied_count = first;
        }
        self.all.truncate(first);
        self.tags.truncate(first);
        self.innermost = outer;
    }

    /// Records that there is no memory for a key.
    pub(super) fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Adds the key between the quote and the colon at these positions in `text`, which begins at `offset`. If the
    /// object already has this key, returns the offset of the earlier one's quote. Returns an error if there is no key.
    pub(super) fn insert(
        &mut self,
        text: &[u8],
        quote: usize,
        colon: usize,
        offset: u64,
    ) -> Result<Option<u64>, MissingKey> {
        let start = quote + 1;
        if self.innermost.prediction.shape().is_some() {
            if let Some((_, length)) = self.shapes.find_next(&mut self.innermost.prediction, text, start) {
                self.push(Key { offset: offset + quote as u64, start, length, is_unescaped: false }, 0);
                return Ok(None);
            }
            self.tag_keys(text);
        }
        let rest = text.get(start..colon).ok_or(MissingKey)?;
        let end = start + rest.iter().rposition(|&byte| byte == b'"').ok_or(MissingKey)?;
        let mut key = Key { offset: offset + quote as u64, start, length: end - start, is_unescaped: false };
        let (mut tag, has_backslash) = tag(text, start, key.length);
        if has_backslash {
            key.start = self.unescaped.len();
            // Lone surrogates are kept, and valid JSON has no other error.
            if let Err(error) = unescape_into(&text[start..end], Surrogates::Keep, &mut self.unescaped) {
                if error.kind() != StringErrorKind::OutOfMemory {
                    return Err(MissingKey);
                }
                self.exhausted = true;
                return Ok(None);
            }
            // mutant:
            key.length = self.unescaped.len() - key.start;
            key.is_unescaped = true;
            tag = self::tag(&self.unescaped, key.start, key.length).0;
        }
        let earlier = if self.all.len() - self.innermost.first < SMALL {
            self.find(text, key, tag)
        } else {
            self.find_in_table(text, key)
        };
        if let Some(earlier) = earlier {
            return Ok(Some(self.all[earlier].offset));
        }
        self.push(key, tag);
        Ok(None)
    }

    // Not a call, so that the key is written where it stays: to write it to the stack and copy it takes longer.
    #[inline(always)]
    fn push(&mut self, key: Key, tag: u32) {
        if self.all.try_reserve(1).and_then(|()| self.tags.try_reserve(1)).is_err() {
            self.exhausted = true;
            return;
        }
        self.all.push(key);
        self.tags.push(tag);
    }

    /// Computes the tags of the keys of the innermost object, because the next key is not in its shape.
    fn tag_keys(&mut self, text: &[u8]) {
        for index in self.innermost.first..self.all.len() {
            let key = self.all[index];
            let source = if index < self.copied_count { &self.copied } else { text };
            self.tags[index] = tag(source, key.start, key.length).0;
        }
    }

    /// Finds the same key in the innermost object by its tag.
    fn find(&self, text: &[u8], key: Key, tag: u32) -> Option<usize> {
        // Without an early exit this becomes a few vector instructions.
        let mut equal = 0;
        for &other in &self.tags[self.innermost.first..] {
            equal += u32::from(other == tag);
        }
        if equal == 0 {
            return None;
        }
        let bytes = self.bytes(text, key);
        let equals = |&index: &usize| self.tags[index] == tag && self.bytes_at(text, index) == bytes;
        (self.innermost.first..self.all.len()).find(equals)
    }

    /// Finds the same key in the innermost object by its hash. If there is none, adds this key to the table.
    fn find_in_table(&mut self, text: &[u8], key: Key) -> Option<usize> {
        let depth = self.outer.len();
        let old = self.tables.pop_if(|table| table.depth == depth);
        let mut table = old.unwrap_or_else(|| Table { depth, keys: HashMap::new() });
        if self.tables.try_reserve(1).and_then(|()| table.keys.try_reserve(1 + SMALL)).is_err() {
            self.exhausted = true;
            return None;
        }
        // mutant: for index in self.all.len()..self.all.len() {
        for index in self.innermost.first + table.keys.len()..self.all.len() {
            self.insert_in_table(text, &mut table, self.bytes_at(text, index), index);
        }
        let earlier = self.insert_in_table(text, &mut table, self.bytes(text, key), self.all.len());
        self.tables.push(table);
        earlier
    }

    /// Adds a key to the table, or returns the same key if it is already there.
    fn insert_in_table(&self, text: &[u8], table: &mut Table, bytes: &[u8], index: usize) -> Option<usize> {
        let mut hash = self.hasher.hash_one(bytes);
        while let Some(&other) = table.keys.get(&hash) {
            if self.bytes_at(text, other) == bytes {
                return Some(other);
            }
            hash = hash.wrapping_add(1);
        }
        table.keys.insert(hash, index);
        None
    }

    fn bytes_at<'t>(&'t self, text: &'t [u8], index: usize) -> &'t [u8] {
        let key = self.all[index];
        if index < self.copied_count {
            return &self.copied[key.start..key.start + key.length];
        }
        self.bytes(text, key)
    }

    /// Returns the bytes of a key of the text in memory.
    fn bytes<'t>(&'t self, text: &'t [u8], key: Key) -> &'t [u8] {
        let source = if key.is_unescaped { &self.unescaped } else { text };
        &source[key.start..key.start + key.length]
    }

    /// Copies the keys in `text` that are still needed, since the text is about to be released.
    ///
    /// # Errors
    /// If memory runs out, or has run out before.
    pub(super) fn copy_keys(&mut self, text: &[u8]) -> io::Result<()> {
        if self.exhausted {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        for key in &mut self.all[self.copied_count..] {
            let source = if key.is_unescaped { &self.unescaped } else { text };
            self.copied.try_reserve(key.length)?;
            let start = self.copied.len();
            self.copied.extend_from_slice(&source[key.start..key.start + key.length]);
            key.start = start;
        }
        self.copied_count = self.all.len();
        self.unescaped.clear();
        Ok(())
    }
}

/// Returns a tag for the `length` bytes of `text` from `start` on, and whether a backslash is among them.
#[inline]
pub(super) fn tag(text: &[u8], start: usize, length: usize) -> (u32, bool) {
    let (mut mixed, mut any_backslash) = (length as u64, false);
    let mut at = start;
    let end = start + length;
    while at < end {
        let mut word = word(text, at);
        if end - at < 8 {
            word &= (1 << (8 * (end - at))) - 1;
        }
        any_backslash |= has_backslash(word.to_le_bytes());
        mixed = (mixed ^ word).wrapping_mul(MULTIPLIER);
        mixed ^= mixed >> 32;
        at += 8;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the high half is mixed into the low one")]
    (mixed as u32, any_backslash)
}

#[cfg(test)]
mod tests {
    use super::Keys;
    use super::SMALL;
    use super::tag;

    use std::collections::HashMap;

    /// Adds the keys of one object in a text that begins at `offset`. Returns the result for each.
    fn insert_all(keys: &mut Keys, texts: &[String], offset: u64) -> Vec<Option<u64>> {
        let mut text = String::new();
        let mut places = Vec::new();
        for key in texts {
            places.push((text.len(), text.len() + key.len() + 2));
            text.extend(["\"", key, "\":0,"]);
        }
        let found = places
            .iter()
            .map(|&(quote, colon)| keys.insert(text.as_bytes(), quote, colon, offset).expect("a key"))
            .collect();
        keys.copy_keys(text.as_bytes()).expect("there is memory");
        found
    }

    #[test]
    fn a_tag_depends_on_every_byte_and_no_other() {
        for length in 0..40 {
            let mut text = vec![b'x'; length + 20];
            let (before, backslash) = tag(&text, 3, length);
            assert!(!backslash);
            text[3 + length] = b'\\';
            text[2] = b'\\';
            assert_eq!(tag(&text, 3, length), (before, false));
            for at in 3..3 + length {
                text[at] = b'y';
                assert_ne!(tag(&text, 3, length).0, before);
                text[at] = b'\\';
                assert!(tag(&text, 3, length).1);
                text[at] = b'x';
            }
            text.truncate(3 + length);
            assert_eq!(tag(&text, 3, length), (before, false));
        }
    }

    #[test]
    fn a_key_is_found_in_small_and_large_objects() {
        for count in [1, SMALL - 1, SMALL, SMALL + 1, 1000] {
            let mut keys = Keys::new();
            keys.open();
            let all: Vec<String> = (0..count).map(|number| format!("name {number}")).collect();
            assert!(insert_all(&mut keys, &all, 0).iter().all(Option::is_none));
            // In a nested object they are new; after it the outer ones are still there.
            keys.open();
            assert!(insert_all(&mut keys, &all, 1 << 20).iter().all(Option::is_none));
            keys.close(b"");
            let mut offset = 0;
            for key in all {
                let found = insert_all(&mut keys, &[key.replace('n', "\\u006e")], 1 << 30);
                assert_eq!(found, [Some(offset)], "{key} of {count}");
                offset += key.len() as u64 + 5;
            }
        }
    }

    /// Keys with the same tag are distinguished, in small objects and in large ones.
    #[test]
    fn keys_with_equal_tags() {
        let mut by_tag: HashMap<u32, String> = HashMap::new();
        let mut pairs = Vec::new();
        for number in 0..200_000_u64 {
            let key = format!("{:016x}", number.wrapping_mul(0x2545_f491_4f6c_dd1d));
            let (tag, _) = tag(key.as_bytes(), 0, key.len());
            if let Some(other) = by_tag.insert(tag, key.clone()) {
                pairs.push([other, key]);
            }
        }
        assert!(pairs.len() > 1, "{} pairs", pairs.len());
        for filler in [0, 2 * SMALL] {
            let mut keys = Keys::new();
            keys.open();
            let mut all: Vec<String> = (0..filler).map(|number| number.to_string()).collect();
            all.extend(pairs.iter().flatten().cloned());
            assert!(insert_all(&mut keys, &all, 0).iter().all(Option::is_none));
            assert!(insert_all(&mut keys, &all, 1 << 20).iter().all(Option::is_some));
        }
    }

    #[test]
    fn keys_of_closed_objects_are_dropped() {
        let mut keys = Keys::new();
        keys.open();
        for round in 0..1000 {
            assert_eq!(insert_all(&mut keys, &[format!("outer {round}")], 0), [None]);
            keys.open();
            assert_eq!(insert_all(&mut keys, &["inner".into(), "a\\u0000b".into()], 0), [None, None]);
            keys.close(b"");
            assert_eq!(keys.all.len(), round + 1);
        }
        keys.close(b"");
        assert!(keys.copied.is_empty() && keys.all.is_empty() && keys.outer.is_empty());
    }
}
