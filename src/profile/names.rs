//! The names of the open objects, and whether a new one is among those of its object.
//!
//! Names are compared by what they say: those with escapes are unescaped first. As long as the text they stand in is at
//! hand they are spans of it; when it leaves, those of objects that are still open are copied, so memory is bounded by the
//! names of the open objects, wherever the text comes from.
//!
//! Most objects are small. Their names have tags of 32 bits that are compared all at once; one whose tag is equal is
//! compared itself. From [`SMALL`] names on an object has a table of hashes with a random key (`RandomState`), which no
//! document can be made for; before that, names made to have equal tags cost at most that many comparisons each.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hash::RandomState;
use std::io;

use crate::scalar::StringErrorKind;
use crate::scalar::Surrogates;
use crate::scalar::unescape_into;

/// Names up to which all tags are looked at. Objects of twitter.json have up to 44 names; a table for each of them made
/// the whole half as fast.
const SMALL: usize = 64;

/// What ties the tags of a name's words together: the golden ratio, as in Knuth's multiplicative hashing.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The names of all open objects.
pub(super) struct Names {
    /// For each open object, where the names of the object around it begin.
    outer: Vec<usize>,
    /// Where the names of the innermost object begin.
    first: usize,
    all: Vec<Name>,
    /// The tag of each name.
    tags: Vec<u32>,
    /// Those of objects with many names, innermost last.
    tables: Vec<Table>,
    hasher: RandomState,
    /// So many of the names are in `kept`, one behind the other.
    settled: usize,
    kept: Vec<u8>,
    /// Names of the text at hand that had escapes, without them.
    unescaped: Vec<u8>,
    /// Whether there was no memory for a name.
    exhausted: bool,
}

/// From hashes to names. A name whose hash is taken by another has the next one.
struct Table {
    /// How many objects are open in the one it belongs to.
    depth: usize,
    names: HashMap<u64, usize>,
}

/// There is no name where one has been read: the text is no longer what it was.
#[derive(Debug)]
pub(super) struct NoName;

#[derive(Clone, Copy)]
struct Name {
    /// Offset of its quote in the input.
    offset: u64,
    /// Where its bytes are: in `kept` if it is settled, else in `unescaped` or in the text at hand.
    start: usize,
    length: usize,
    is_unescaped: bool,
}

impl Names {
    pub(super) fn new() -> Self {
        Self {
            outer: Vec::new(),
            first: 0,
            all: Vec::new(),
            tags: Vec::new(),
            tables: Vec::new(),
            hasher: RandomState::new(),
            settled: 0,
            kept: Vec::new(),
            unescaped: Vec::new(),
            exhausted: false,
        }
    }

    /// No object is open.
    pub(super) fn clear(&mut self) {
        self.outer.clear();
        self.all.clear();
        self.tags.clear();
        self.tables.clear();
        self.kept.clear();
        self.unescaped.clear();
        (self.first, self.settled) = (0, 0);
    }

    pub(super) fn open(&mut self) {
        if self.outer.try_reserve(1).is_err() {
            self.exhausted = true;
            return;
        }
        self.outer.push(self.first);
        self.first = self.all.len();
    }

    pub(super) fn close(&mut self) {
        self.tables.pop_if(|table| table.depth == self.outer.len());
        let Some(outer) = self.outer.pop() else { return };
        if self.first < self.settled {
            self.kept.truncate(self.all[self.first].start);
            self.settled = self.first;
        }
        self.all.truncate(self.first);
        self.tags.truncate(self.first);
        self.first = outer;
    }

    /// There is no memory for what would have to be kept.
    pub(super) fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Takes the name whose quote and colon are at these places of `text`, which stands at `offset`. Returns the offset of the
    /// quote of the same name in the same object, if there is one. An error if there is no name.
    pub(super) fn meet(&mut self, text: &[u8], quote: usize, colon: usize, offset: u64) -> Result<Option<u64>, NoName> {
        let start = quote + 1;
        let rest = text.get(start..colon).ok_or(NoName)?;
        let end = start + rest.iter().rposition(|&byte| byte == b'"').ok_or(NoName)?;
        let mut name = Name { offset: offset + quote as u64, start, length: end - start, is_unescaped: false };
        let (mut tag, has_backslash) = tag(text, start, name.length);
        if has_backslash {
            name.start = self.unescaped.len();
            // Surrogates are kept, and proven text has no other fault.
            if let Err(error) = unescape_into(&text[start..end], Surrogates::Keep, &mut self.unescaped) {
                if error.kind() != StringErrorKind::OutOfMemory {
                    return Err(NoName);
                }
                self.exhausted = true;
                return Ok(None);
            }
            name.length = self.unescaped.len() - name.start;
            name.is_unescaped = true;
            tag = self::tag(&self.unescaped, name.start, name.length).0;
        }
        let earlier = if self.all.len() - self.first < SMALL {
            self.find(text, name, tag)
        } else {
            self.find_in_table(text, name)
        };
        if let Some(earlier) = earlier {
            return Ok(Some(self.all[earlier].offset));
        }
        if self.all.try_reserve(1).and_then(|()| self.tags.try_reserve(1)).is_err() {
            self.exhausted = true;
            return Ok(None);
        }
        self.all.push(name);
        self.tags.push(tag);
        Ok(None)
    }

    /// The same name in the innermost object, by its tag.
    fn find(&self, text: &[u8], name: Name, tag: u32) -> Option<usize> {
        // Without an early end this becomes a few vector instructions.
        let mut equal = 0;
        for &other in &self.tags[self.first..] {
            equal += u32::from(other == tag);
        }
        if equal == 0 {
            return None;
        }
        let bytes = self.bytes(text, name);
        let equals = |&index: &usize| self.tags[index] == tag && self.bytes_at(text, index) == bytes;
        (self.first..self.all.len()).find(equals)
    }

    /// The same name in the innermost object, by its hash; if there is none, the next name is in the table.
    fn find_in_table(&mut self, text: &[u8], name: Name) -> Option<usize> {
        let depth = self.outer.len();
        let old = self.tables.pop_if(|table| table.depth == depth);
        let mut table = old.unwrap_or_else(|| Table { depth, names: HashMap::new() });
        if self.tables.try_reserve(1).and_then(|()| table.names.try_reserve(1 + SMALL)).is_err() {
            self.exhausted = true;
            return None;
        }
        for index in self.first + table.names.len()..self.all.len() {
            self.enter(text, &mut table, self.bytes_at(text, index), index);
        }
        let earlier = self.enter(text, &mut table, self.bytes(text, name), self.all.len());
        self.tables.push(table);
        earlier
    }

    /// Enters a name into the table, or returns the same name.
    fn enter(&self, text: &[u8], table: &mut Table, bytes: &[u8], index: usize) -> Option<usize> {
        let mut hash = self.hasher.hash_one(bytes);
        while let Some(&other) = table.names.get(&hash) {
            if self.bytes_at(text, other) == bytes {
                return Some(other);
            }
            hash = hash.wrapping_add(1);
        }
        table.names.insert(hash, index);
        None
    }

    fn bytes_at<'t>(&'t self, text: &'t [u8], index: usize) -> &'t [u8] {
        let name = self.all[index];
        if index < self.settled {
            return &self.kept[name.start..name.start + name.length];
        }
        self.bytes(text, name)
    }

    /// The bytes of a name of the text at hand.
    fn bytes<'t>(&'t self, text: &'t [u8], name: Name) -> &'t [u8] {
        let source = if name.is_unescaped { &self.unescaped } else { text };
        &source[name.start..name.start + name.length]
    }

    /// The text leaves: copies the names in it that are still needed.
    ///
    /// # Errors
    /// There is no memory for them, or was none before.
    pub(super) fn keep(&mut self, text: &[u8]) -> io::Result<()> {
        if self.exhausted {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        for name in &mut self.all[self.settled..] {
            let source = if name.is_unescaped { &self.unescaped } else { text };
            self.kept.try_reserve(name.length)?;
            let start = self.kept.len();
            self.kept.extend_from_slice(&source[name.start..name.start + name.length]);
            name.start = start;
        }
        self.settled = self.all.len();
        self.unescaped.clear();
        Ok(())
    }
}

/// A tag for the `length` bytes of `text` from `start` on, and whether there is a backslash among them.
#[inline]
fn tag(text: &[u8], start: usize, length: usize) -> (u32, bool) {
    let (mut mixed, mut any_backslash) = (length as u64, 0);
    let mut at = start;
    let end = start + length;
    while at < end {
        let mut word = word(text, at);
        if end - at < 8 {
            word &= (1 << (8 * (end - at))) - 1;
        }
        any_backslash |= backslashes(word);
        mixed = (mixed ^ word).wrapping_mul(MULTIPLIER);
        mixed ^= mixed >> 32;
        at += 8;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the low half has seen the high one")]
    (mixed as u32, any_backslash != 0)
}

/// The eight bytes at `at`, as far as there are so many.
#[inline]
fn word(text: &[u8], at: usize) -> u64 {
    let rest = &text[at..];
    match rest.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Not zero if a byte is a backslash (Mycroft's test for a zero byte).
#[inline]
fn backslashes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    let zero = word ^ (ONES * u64::from(b'\\'));
    zero.wrapping_sub(ONES) & !zero & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::Names;
    use super::SMALL;
    use super::tag;

    use std::collections::HashMap;

    /// Meets the names of one object in a text that begins at `offset`; gives what each was told.
    fn meet_all(names: &mut Names, texts: &[String], offset: u64) -> Vec<Option<u64>> {
        let mut text = String::new();
        let mut places = Vec::new();
        for name in texts {
            places.push((text.len(), text.len() + name.len() + 2));
            text.extend(["\"", name, "\":0,"]);
        }
        let found = places
            .iter()
            .map(|&(quote, colon)| names.meet(text.as_bytes(), quote, colon, offset).expect("a name"))
            .collect();
        names.keep(text.as_bytes()).expect("there is memory");
        found
    }

    #[test]
    fn tags_see_every_byte_and_no_byte_more() {
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
    fn a_name_is_found_in_small_and_large_objects() {
        for count in [1, SMALL - 1, SMALL, SMALL + 1, 1000] {
            let mut names = Names::new();
            names.open();
            let all: Vec<String> = (0..count).map(|number| format!("name {number}")).collect();
            assert!(meet_all(&mut names, &all, 0).iter().all(Option::is_none));
            // In an object inside they are new, and behind that the old ones are still there.
            names.open();
            assert!(meet_all(&mut names, &all, 1 << 20).iter().all(Option::is_none));
            names.close();
            let mut offset = 0;
            for name in all {
                let found = meet_all(&mut names, &[name.replace('n', "\\u006e")], 1 << 30);
                assert_eq!(found, [Some(offset)], "{name} of {count}");
                offset += name.len() as u64 + 5;
            }
        }
    }

    /// Names that have the same tag are told apart, in small objects and in large ones.
    #[test]
    fn names_that_collide() {
        let mut by_tag: HashMap<u32, String> = HashMap::new();
        let mut pairs = Vec::new();
        for number in 0..200_000_u64 {
            let name = format!("{:016x}", number.wrapping_mul(0x2545_f491_4f6c_dd1d));
            let (tag, _) = tag(name.as_bytes(), 0, name.len());
            if let Some(other) = by_tag.insert(tag, name.clone()) {
                pairs.push([other, name]);
            }
        }
        assert!(pairs.len() > 1, "{} pairs", pairs.len());
        for filler in [0, 2 * SMALL] {
            let mut names = Names::new();
            names.open();
            let mut all: Vec<String> = (0..filler).map(|number| number.to_string()).collect();
            all.extend(pairs.iter().flatten().cloned());
            assert!(meet_all(&mut names, &all, 0).iter().all(Option::is_none));
            assert!(meet_all(&mut names, &all, 1 << 20).iter().all(Option::is_some));
        }
    }

    #[test]
    fn what_is_closed_is_forgotten() {
        let mut names = Names::new();
        names.open();
        for round in 0..1000 {
            assert_eq!(meet_all(&mut names, &[format!("outer {round}")], 0), [None]);
            names.open();
            assert_eq!(meet_all(&mut names, &["inner".into(), "a\\u0000b".into()], 0), [None, None]);
            names.close();
            assert_eq!(names.all.len(), round + 1);
        }
        names.close();
        assert!(names.kept.is_empty() && names.all.is_empty() && names.outer.is_empty());
    }
}
