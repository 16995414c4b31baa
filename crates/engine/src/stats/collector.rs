//! Visits the tokens of documents and updates the statistics.
//!
//! Commas and colons are not listed; they follow from the values around them. The keys of most objects are found in the shape of an
//! earlier one, where their hashes, counters and properties are known.

#![forbid(unsafe_code)]

use std::hash::BuildHasher;
use std::hash::Hasher;
use std::ops::Range;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::TokenBatch;
use crate::index::Visitor;
use crate::memory::Grow;
use crate::scalar::Prediction;
use crate::scalar::Shapes;
use crate::scalar::Surrogates;
use crate::scalar::has_escapes;
use crate::scalar::number_length;
use crate::scalar::unescape;
use crate::stats::Numbers;
use crate::stats::Stats;
use crate::stats::frequent::CounterId;
use crate::stats::merge::StatsPart;
use crate::stats::part::Collect;
use crate::stats::tokens::OpenKeys;
use crate::stats::tokens::TokenVisitor;
use foldhash::quality::RandomState;

/// Maximum number of key hashes of open objects that are kept to find duplicates: 8 MiB.
const MAX_KEYS: usize = 1 << 20;

/// Maximum number of bytes of a key that are kept for display.
const MAX_SHOWN: usize = 200;

/// The seed of the hashes of keys and strings, by which they are told apart. It is chosen anew in each process, so that nobody can
/// write different keys with the same hash; and it is one for the whole process, since parts are collected on several threads.
static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// A visitor of all tokens that updates the statistics.
pub(super) struct Collector {
    stats: Stats,
    seed: RandomState,
    /// Number of open containers that are not in `outer`, as the text begins inside them.
    depth: u64,
    /// The containers around the innermost one.
    outer: Vec<Open>,
    innermost: Open,
    /// Hashes of the keys of open objects.
    hashes: Vec<u64>,
    names: OpenKeys,
    shapes: Shapes,
    /// What is known of the keys of each shape.
    known: Vec<Vec<KnownKey>>,
    /// The doubles of short numbers that are neither less than the least nor greater than the greatest number.
    doubles: Option<RangeInclusive<f64>>,
    /// The hashes of strings that are values, if another collector is to count the distinct ones.
    strings: Option<Vec<u64>>,
    /// [`Options::max_memory`](crate::Options::max_memory).
    limit: u64,
}

/// An open container, or what is around the root.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    /// Whether the next string is a key.
    expects_key: bool,
    members: u64,
    /// Index of its first key in [`Collector::hashes`].
    first_hash: usize,
    /// Number of its first key in [`Collector::names`].
    first_name: usize,
    /// The prediction for the object, or for objects in the array.
    prediction: Prediction,
    /// Whether all keys are in [`Collector::names`].
    has_names: bool,
}

/// What is around the root.
const OUTERMOST: Open = Open {
    is_object: false,
    expects_key: false,
    members: 0,
    first_hash: 0,
    first_name: 0,
    prediction: Prediction::OUTERMOST,
    has_names: false,
};

/// A key of a shape.
#[derive(Clone, Copy)]
struct KnownKey {
    hash: u64,
    counter: CounterId,
    is_ascii: bool,
}

impl Visitor for Collector {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        self.depth = 0;
        self.outer.clear();
        self.innermost = OUTERMOST;
        self.hashes.clear();
        self.names.truncate(0);
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        self.visit(batch)
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl Collect for Collector {
    type Settings = ();
    type Part = StatsPart;

    fn settings(&self) {}

    /// `memory` is for the hashes of strings, which are left to the other collector to count.
    fn of_part((): (), memory: StatsPart, limit: u64) -> Self {
        let mut strings = memory.strings;
        strings.clear();
        Self { strings: Some(strings), ..Self::new(Stats::default(), limit) }
    }

    fn into_part(self) -> Option<StatsPart> {
        let elements = self.innermost.members;
        Some(StatsPart { elements, stats: self.stats, strings: self.strings.unwrap_or_default() })
    }

    fn enter_array(&mut self, level: u64) {
        // mutant:
        self.depth = level.saturating_sub(1);
        self.outer = vec![OUTERMOST];
    }

    /// Whether there are not yet too many keys.
    fn can_add(&self) -> bool {
        self.stats.frequent.is_complete()
    }

    /// Very many keys and very long numbers must be visited in order.
    fn add(&mut self, part: &StatsPart) -> Result<bool, OutOfMemory> {
        let StatsPart { stats, strings, elements } = part;
        let may_exceed_keys = self.hashes.len() as u64 + stats.keys.count > MAX_KEYS as u64;
        let longest = usize::try_from(stats.numbers.longest).unwrap_or(usize::MAX);
        // mutant: if self.memory_with(longest) > self.limit || !self.stats.frequent.can_add(&stats.frequent) {
        if may_exceed_keys || self.memory_with(longest) > self.limit || !self.stats.frequent.can_add(&stats.frequent) {
            return Ok(false);
        }
        if self.stats.add(stats)? {
            self.doubles = self.stats.numbers.double_range();
        }
        for &hash in strings {
            self.stats.distinct_strings.count(hash);
        }
        if !self.outer.is_empty() {
            // The comma between the elements before the part and those in it.
            self.stats.token_bytes += 1;
            // mutant:
            self.innermost.members += elements;
            self.stats.arrays.largest = self.stats.arrays.largest.max(self.innermost.members);
        }
        Ok(true)
    }
}

impl TokenVisitor for Collector {
    #[inline]
    fn open(&mut self, is_object: bool) -> Result<(), OutOfMemory> {
        self.value(1);
        let around = &self.innermost.prediction;
        let prediction = if is_object { self.shapes.predict(around) } else { *around };
        let open = Open {
            is_object,
            expects_key: is_object,
            members: 0,
            first_hash: self.hashes.len(),
            first_name: self.names.count(),
            prediction,
            has_names: is_object && prediction.is_new(),
        };
        self.outer.grow(std::mem::replace(&mut self.innermost, open), OutOfMemory::Levels)?;
        self.stats.depth = self.stats.depth.max(self.depth + self.outer.len() as u64);
        let containers = if is_object { &mut self.stats.objects } else { &mut self.stats.arrays };
        containers.count += 1;
        Ok(())
    }

    #[inline]
    fn close(&mut self) {
        self.stats.token_bytes += 1;
        let Some(outer) = self.outer.pop() else { return };
        let open = std::mem::replace(&mut self.innermost, outer);
        let containers = if open.is_object { &mut self.stats.objects } else { &mut self.stats.arrays };
        containers.empty += u64::from(open.members == 0);
        if !open.is_object {
            return;
        }
        self.shapes.record(&open.prediction);
        if open.has_names {
            self.learn(&open);
        } else if open.prediction.shape().is_none() {
            self.count_repeated(&open);
        }
        // mutant:
        self.hashes.truncate(open.first_hash);
        self.names.truncate(open.first_name);
    }

    #[inline]
    fn string(&mut self, text: &[u8], range: Range<usize>) -> Result<(), OutOfMemory> {
        let length = range.len();
        if !self.innermost.expects_key {
            let text = &text[range];
            self.value(length + 2);
            let escapes = has_escapes(text);
            self.stats.strings.add(text, escapes);
            let hash = hash(text, escapes, &self.seed);
            match &mut self.strings {
                Some(strings) => strings.grow(hash, OutOfMemory::Tokens)?,
                None => self.stats.distinct_strings.count(hash),
            }
            return Ok(());
        }
        let open = &mut self.innermost;
        open.expects_key = false;
        // Two quotes, the colon and, unless it is the first, a comma.
        self.stats.token_bytes += length as u64 + 3 + u64::from(open.members > 0);
        self.stats.objects.add_member(open.members);
        open.members += 1;
        if let Some(shape) = open.prediction.shape() {
            let found = self.shapes.find_next(&mut open.prediction, text, range.start);
            if let Some((index, _)) = found
                && let Some(known) = self.known[shape].get(index)
                && self.hashes.len() < MAX_KEYS
                && self.stats.frequent.count_again(known.counter)
            {
                self.stats.keys.add_plain(length, known.is_ascii);
                return self.hashes.grow(known.hash, OutOfMemory::Keys);
            }
            open.prediction.give_up();
        }
        self.key(&text[range])
    }

    #[inline]
    fn scalar(&mut self, first: u8, text: &[u8], offset: u64) -> Result<(), Error> {
        match first {
            b't' => {
                self.value("true".len());
                self.stats.trues += 1;
            }
            b'f' => {
                self.value("false".len());
                self.stats.falses += 1;
            }
            b'n' => {
                self.value("null".len());
                self.stats.nulls += 1;
            }
            _ => {
                let length = number_length(text);
                self.value(length);
                self.number(&text[..length], offset)?;
            }
        }
        Ok(())
    }
}

impl Collector {
    pub(super) fn new(stats: Stats, limit: u64) -> Self {
        Self {
            stats,
            seed: SEED.clone(),
            depth: 0,
            outer: Vec::new(),
            innermost: OUTERMOST,
            hashes: Vec::new(),
            names: OpenKeys::default(),
            shapes: Shapes::new(),
            known: Vec::new(),
            doubles: None,
            strings: None,
            limit,
        }
    }

    /// Returns the statistics.
    pub(super) fn into_stats(self) -> Stats {
        self.stats
    }

    /// Counts the duplicate keys of an object, and returns whether there are none. This changes the order of the hashes.
    fn count_repeated(&mut self, open: &Open) -> bool {
        let hashes = &mut self.hashes[open.first_hash..];
        hashes.sort_unstable();
        let repeated = hashes.windows(2).filter(|pair| pair[0] == pair[1]).count();
        self.stats.repeated_keys += repeated as u64;
        repeated == 0
    }

    /// Counts the duplicate keys of an object. If it has none, makes them the shape at its place.
    fn learn(&mut self, open: &Open) {
        let names = self.names.since(open.first_name).zip(&self.hashes[open.first_hash..]);
        let known = names.map(|(name, &hash)| KnownKey {
            hash,
            counter: self.stats.frequent.id(hash),
            is_ascii: name.is_ascii(),
        });
        let known = known.collect();
        if !self.count_repeated(open) {
            return;
        }
        if let Some(shape) = self.shapes.learn(&open.prediction, self.names.since(open.first_name)) {
            self.known.resize_with(self.known.len().max(shape + 1), Vec::new);
            self.known[shape] = known;
        }
    }

    /// Counts a value of `length` bytes that begins.
    #[inline]
    fn value(&mut self, length: usize) {
        self.stats.token_bytes += length as u64;
        let open = &mut self.innermost;
        if open.is_object {
            open.expects_key = true;
        } else if !self.outer.is_empty() {
            // An element after the first one follows a comma.
            self.stats.token_bytes += u64::from(open.members > 0);
            self.stats.arrays.add_member(open.members);
            open.members += 1;
        }
    }

    /// Counts a key of an object that has no shape.
    fn key(&mut self, text: &[u8]) -> Result<(), OutOfMemory> {
        let escapes = has_escapes(text);
        let hash = hash(text, escapes, &self.seed);
        self.stats.keys.add(text, escapes);
        // A key with a counter is not new.
        if self.stats.frequent.count(hash, || displayed(text)) {
            self.stats.distinct_keys.count(hash);
        }
        if self.hashes.len() < MAX_KEYS {
            self.hashes.grow(hash, OutOfMemory::Keys)?;
        } else {
            self.stats.unchecked_keys += 1;
        }
        let open = &mut self.innermost;
        open.has_names = open.has_names && !escapes && self.names.add(open.first_name, text)?;
        Ok(())
    }

    fn number(&mut self, text: &[u8], offset: u64) -> Result<(), Error> {
        let Some(number) = self.stats.numbers.count(text, self.doubles.as_ref()) else { return Ok(()) };
        self.check_memory(text, offset)?;
        let numbers = &mut self.stats.numbers;
        if numbers.extend_range(number)? {
            self.doubles = numbers.double_range();
        }
        Ok(())
    }

    /// Fails if a number, together with the least and greatest number that would then be kept, exceeds the memory limit.
    fn check_memory(&self, number: &[u8], offset: u64) -> Result<(), Error> {
        if self.memory_with(number.len()) > self.limit {
            return Err(Error::token_limit(self.limit, offset));
        }
        Ok(())
    }

    /// Returns how much memory a number of `length` bytes takes, together with the least and greatest number that would then be kept.
    fn memory_with(&self, length: usize) -> u64 {
        let Numbers { least, greatest, .. } = &self.stats.numbers;
        let kept = [least, greatest].map(|kept| kept.as_ref().map_or(0, String::len).max(length) as u64);
        kept[0] + kept[1] + length as u64
    }
}

/// Returns the hash of an unescaped string.
#[inline]
fn hash(text: &[u8], escapes: bool, seed: &RandomState) -> u64 {
    let mut hasher = seed.build_hasher();
    match escapes.then(|| unescape(text, Surrogates::Keep)) {
        Some(Ok(unescaped)) => hasher.write(&unescaped),
        _ => hasher.write(text),
    }
    hasher.finish()
}

/// Returns a key unescaped for display, truncated if it is long.
fn displayed(text: &[u8]) -> String {
    // A copy, because a memory-mapped file may change while its bytes are converted to characters.
    let start = &text[..text.len().min(MAX_SHOWN)].to_vec();
    // The last escape or character may be truncated.
    let unescaped = unescape(start, Surrogates::Replace)
        .or_else(|error| unescape(&start[..error.offset()], Surrogates::Replace))
        .unwrap_or_default();
    let key = String::from_utf8_lossy(&unescaped);
    if start.len() == text.len() { key.into_owned() } else { format!("{}…", key.trim_end_matches('\u{fffd}')) }
}

#[cfg(test)]
mod tests {
    use super::RandomState;
    use super::hash;

    /// Keys whose hashes are equal with one seed, found by trying, are not with another.
    #[test]
    fn hashes_depend_on_the_seed() {
        let key = |number: u32| number.to_string();
        let seeds: [RandomState; 2] = std::array::from_fn(|_| RandomState::default());
        for escapes in [false, true] {
            let same = (0..1000).filter(|&number| {
                let [one, other] = seeds.each_ref().map(|seed| hash(key(number).as_bytes(), escapes, seed));
                one == other
            });
            assert_eq!(same.count(), 0);
        }
        let low = |seed: &RandomState, number| hash(key(number).as_bytes(), false, seed) & 0xffff;
        let first = low(&seeds[0], 0);
        let alike: Vec<_> = (1..2_000_000).filter(|&number| low(&seeds[0], number) == first).collect();
        let still_alike = alike.iter().filter(|&&number| low(&seeds[1], number) == low(&seeds[1], 0)).count();
        assert!(alike.len() > 10 && still_alike * 4 < alike.len(), "{still_alike} of {}", alike.len());
    }
}
