//! Statistics of documents: number, size and nesting of values, keys, and numbers.
//!
//! The tokens come from the structural index, already validated, and each is visited once. Keys and distinct strings are
//! counted by sketches of bounded size, which are exact for small numbers. Memory otherwise grows only by a few bytes for each
//! open container, the hashes of the keys of open objects (limited), and the longest token.

#![forbid(unsafe_code)]

mod distinct;
mod frequent;

use std::hash::BuildHasher;
use std::hash::Hasher;
use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::Index;
use crate::index::TokenBatch;
use crate::index::Visitor;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::scalar::Number;
use crate::scalar::StringErrorKind;
use crate::scalar::Surrogates;
use crate::scalar::are_paired;
use crate::scalar::has_escapes;
use crate::scalar::hash_key;
use crate::scalar::unescape;
use distinct::DistinctCounter;
use foldhash::quality::FixedState;
use frequent::Frequent;

/// Maximum number of key hashes of open objects that are kept to find duplicates: 8 MiB.
const MAX_KEYS: usize = 1 << 20;

/// Maximum number of bytes of a key that are kept for display.
const MAX_SHOWN: usize = 200;

/// Statistics of documents. Invalid documents are counted up to the error.
///
/// ```
/// use std::ops::ControlFlow;
/// use fjson::{Options, Stats};
///
/// let mut stats = Stats::new();
/// stats.read(r#"{"a": [1, 2.5, "x"], "b": {"a": null}}"#, &Options::new(), &mut |_| ControlFlow::Break(()))?;
/// assert_eq!((stats.objects.count, stats.arrays.count, stats.numbers.count, stats.depth), (2, 1, 2, 2));
/// assert_eq!(stats.frequent_keys(1)[0].key, "a");
/// assert_eq!(stats.numbers.greatest.as_deref(), Some("2.5"));
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Number of documents, including invalid ones.
    pub documents: u64,
    /// Number of invalid documents.
    pub invalid: u64,
    /// Number of input bytes.
    pub bytes: u64,
    /// Number of bytes of all tokens, which is the size without whitespace.
    pub token_bytes: u64,
    /// Maximum nesting depth.
    pub depth: u64,
    /// Statistics of objects.
    pub objects: Containers,
    /// Statistics of arrays.
    pub arrays: Containers,
    /// Statistics of strings that are values, not keys.
    pub strings: Strings,
    /// Statistics of keys.
    pub keys: Strings,
    /// Statistics of numbers.
    pub numbers: Numbers,
    /// Number of `true` literals.
    pub trues: u64,
    /// Number of `false` literals.
    pub falses: u64,
    /// Number of `null` literals.
    pub nulls: u64,
    /// Number of members whose key already occurred in the same object.
    pub repeated_keys: u64,
    /// Number of members that were not checked for duplicate keys, because open objects had more than 1,048,576 keys.
    pub unchecked_keys: u64,
    frequent: Frequent,
    distinct_keys: DistinctCounter,
    distinct_strings: DistinctCounter,
}

/// Statistics of objects or arrays.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Containers {
    /// Number of containers.
    pub count: u64,
    /// Number of empty containers.
    pub empty: u64,
    /// Total number of members or elements.
    pub members: u64,
    /// Maximum number of members or elements in one container.
    pub largest: u64,
}

/// Statistics of strings or keys.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Strings {
    /// Number of strings.
    pub count: u64,
    /// Total number of bytes, without quotes.
    pub bytes: u64,
    /// Number of bytes of the longest string.
    pub longest: u64,
    /// Number of strings with escapes.
    pub escaped: u64,
    /// Number of strings with unescaped non-ASCII characters.
    pub non_ascii: u64,
    /// Number of strings with escapes of lone surrogates.
    pub lone_surrogates: u64,
}

/// Statistics of numbers.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Numbers {
    /// Number of numbers.
    pub count: u64,
    /// Total number of bytes.
    pub bytes: u64,
    /// Number of bytes of the longest number.
    pub longest: u64,
    /// Number of numbers without fraction and exponent.
    pub integers: u64,
    /// Number of numbers with a minus sign.
    pub negative: u64,
    /// Number of numbers whose digits a double does not preserve ([`Number::keeps_digits_in_f64`]), which
    /// [`Options::ijson`] rejects.
    pub inexact: u64,
    /// The least number by exact value, in the notation of its first occurrence.
    pub least: Option<String>,
    /// The greatest number by exact value, in the notation of its first occurrence.
    pub greatest: Option<String>,
}

/// A key and the number of its occurrences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrequentKey {
    /// The unescaped key, truncated if it is long.
    pub key: String,
    /// Minimum number of occurrences.
    pub count: u64,
    /// Maximum number of occurrences; equal to `count` unless there are thousands of different keys.
    pub at_most: u64,
}

/// A number of distinct values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Distinct {
    /// The number of distinct values.
    pub count: u64,
    /// Whether `count` is exact. If not, it is an estimate with a standard error of 0.8 %.
    pub is_exact: bool,
}

impl Stats {
    /// Returns empty statistics.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the statistics of all documents of `input`. Calls `on_error` for each invalid document, like
    /// [`validate_each`](crate::validate_each).
    ///
    /// # Errors
    /// If reading fails, or if a string or number needs more than [`Options::max_memory`] together with the least and the
    /// greatest number, which are also held.
    pub fn read<'a>(
        &mut self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let limit = options.max_memory;
        let collector: &mut dyn Visitor =
            &mut Collector { stats: self, open: Vec::new(), keys: Vec::new(), expects_key: false, limit };
        let summary = Index::new(collector, limit).read(&mut input.into(), options, on_error)?;
        self.documents += summary.documents;
        self.invalid += summary.invalid;
        self.bytes += summary.bytes;
        Ok(summary)
    }

    /// Returns the `limit` most frequent keys; equally frequent ones are ordered by key.
    #[must_use]
    pub fn frequent_keys(&self, limit: usize) -> Vec<FrequentKey> {
        let error = self.frequent.error();
        let counters = self.frequent.top(limit).into_iter();
        counters.map(|it| FrequentKey { key: it.key.clone(), count: it.count, at_most: it.count + error }).collect()
    }

    /// Returns the number of distinct keys.
    #[must_use]
    pub fn distinct_keys(&self) -> Distinct {
        distinct(&self.distinct_keys)
    }

    /// Returns the number of distinct strings that are values.
    #[must_use]
    pub fn distinct_strings(&self) -> Distinct {
        distinct(&self.distinct_strings)
    }
}

fn distinct(counter: &DistinctCounter) -> Distinct {
    let (count, is_exact) = counter.estimate();
    Distinct { count, is_exact }
}

/// An open container.
struct Open {
    is_object: bool,
    members: u64,
    /// Index of its first key in [`Collector::keys`].
    keys: usize,
}

/// A visitor of all tokens that updates the statistics.
struct Collector<'s> {
    stats: &'s mut Stats,
    open: Vec<Open>,
    /// Hashes of the keys of open objects.
    keys: Vec<u64>,
    /// Whether the next string is a key.
    expects_key: bool,
    /// [`Options::max_memory`].
    limit: u64,
}

impl Visitor for Collector<'_> {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        self.open.clear();
        self.keys.clear();
        self.expects_key = false;
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        for (offset, token) in batch.tokens() {
            self.stats.token_bytes += token.len() as u64;
            self.token(token, offset)?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl Collector<'_> {
    fn token(&mut self, token: &[u8], offset: u64) -> Result<(), Error> {
        match token {
            [bracket @ (b'{' | b'['), ..] => {
                self.value();
                let is_object = *bracket == b'{';
                self.open.grow(Open { is_object, members: 0, keys: self.keys.len() }, OutOfMemory::Levels)?;
                self.expects_key = is_object;
                self.stats.depth = self.stats.depth.max(self.open.len() as u64);
                if is_object { self.stats.objects.count += 1 } else { self.stats.arrays.count += 1 }
            }
            [b'}' | b']', ..] => self.close(),
            [b',', ..] => self.expects_key = self.open.last().is_some_and(|open| open.is_object),
            [b':', ..] => self.expects_key = false,
            [b'"', text @ .., b'"'] if self.expects_key => self.key(text)?,
            [b'"', text @ .., b'"'] => {
                self.value();
                self.stats.strings.add(text);
                self.stats.distinct_strings.count(hash(text));
            }
            [b't', ..] => {
                self.value();
                self.stats.trues += 1;
            }
            [b'f', ..] => {
                self.value();
                self.stats.falses += 1;
            }
            [b'n', ..] => {
                self.value();
                self.stats.nulls += 1;
            }
            _ => {
                self.value();
                if let Some(number) = Number::new(token) {
                    self.check_memory(token, offset)?;
                    self.stats.numbers.add(number)?;
                }
            }
        }
        Ok(())
    }

    /// Fails if a number, together with the least and greatest number that would then be kept, exceeds the memory limit.
    fn check_memory(&self, number: &[u8], offset: u64) -> Result<(), Error> {
        let Numbers { least, greatest, .. } = &self.stats.numbers;
        let kept = [least, greatest].map(|kept| kept.as_ref().map_or(0, String::len).max(number.len()));
        if (kept[0] + kept[1] + number.len()) as u64 > self.limit {
            return Err(Error::token_limit(self.limit, offset));
        }
        Ok(())
    }

    /// Counts a value that begins as an element if it is in an array.
    fn value(&mut self) {
        if let Some(open) = self.open.last_mut().filter(|open| !open.is_object) {
            self.stats.arrays.add_to(open);
        }
    }

    fn key(&mut self, text: &[u8]) -> Result<(), OutOfMemory> {
        if let Some(open) = self.open.last_mut() {
            self.stats.objects.add_to(open);
        }
        let hash = hash(text);
        self.stats.keys.add(text);
        // A key with a counter is not new.
        if self.stats.frequent.count(hash, || displayed(text)) {
            self.stats.distinct_keys.count(hash);
        }
        if self.keys.len() < MAX_KEYS {
            self.keys.grow(hash, OutOfMemory::Keys)?;
        } else {
            self.stats.unchecked_keys += 1;
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        // A string may follow that is the next record.
        self.expects_key = false;
        let containers = if open.is_object { &mut self.stats.objects } else { &mut self.stats.arrays };
        containers.empty += u64::from(open.members == 0);
        if open.is_object {
            let keys = &mut self.keys[open.keys..];
            keys.sort_unstable();
            self.stats.repeated_keys += keys.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
            self.keys.truncate(open.keys);
        }
    }
}

impl Containers {
    /// Counts a member or element of `open`.
    fn add_to(&mut self, open: &mut Open) {
        open.members += 1;
        self.members += 1;
        self.largest = self.largest.max(open.members);
    }
}

impl Strings {
    fn add(&mut self, text: &[u8]) {
        self.count += 1;
        self.bytes += text.len() as u64;
        self.longest = self.longest.max(text.len() as u64);
        self.non_ascii += u64::from(!text.is_ascii());
        if has_escapes(text) {
            self.escaped += 1;
            let is_lone = are_paired(text).is_err_and(|error| error.kind() == StringErrorKind::LoneSurrogate);
            self.lone_surrogates += u64::from(is_lone);
        }
    }
}

impl Numbers {
    fn add(&mut self, number: Number<'_>) -> Result<(), OutOfMemory> {
        let length = number.text().len() as u64;
        self.count += 1;
        self.bytes += length;
        self.longest = self.longest.max(length);
        self.integers += u64::from(number.is_integer());
        self.negative += u64::from(number.is_negative());
        self.inexact += u64::from(!number.keeps_digits_in_f64());
        let is_beyond = |known: &Option<String>, beyond: fn(&Number<'_>, &Number<'_>) -> bool| {
            let known = known.as_ref().and_then(|known| Number::new(known.as_bytes()));
            known.is_none_or(|known| beyond(&number, &known))
        };
        if is_beyond(&self.least, |number, least| number < least) {
            keep(&mut self.least, number)?;
        }
        if is_beyond(&self.greatest, |number, greatest| number > greatest) {
            keep(&mut self.greatest, number)?;
        }
        Ok(())
    }
}

/// Replaces `kept` by the text of a number.
fn keep(kept: &mut Option<String>, number: Number<'_>) -> Result<(), OutOfMemory> {
    let mut text = kept.take().unwrap_or_default().into_bytes();
    text.clear();
    text.room(number.text().len(), OutOfMemory::Token)?;
    text.extend_from_slice(number.text());
    // Validated only after copying, since the bytes of a memory-mapped file may change.
    *kept = String::from_utf8(text).ok();
    Ok(())
}

/// Returns the hash of an unescaped string, which is the same in every run.
fn hash(text: &[u8]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hash_key(text, &mut hasher);
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
