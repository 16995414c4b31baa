//! What is in documents: how many values of which type, how deep, how large, which keys, which numbers.
//!
//! Tokens come from the structural index, proven, and each is looked at once. Memory does not grow with the input: keys and
//! distinct strings are counted by sketches that are exact while there are few. What grows is small: some bytes for each
//! open container, and the longest token.

#![forbid(unsafe_code)]

mod distinct;
mod frequent;

use std::hash::DefaultHasher;
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
use crate::profile::scan_with;
use crate::scalar::Number;
use crate::scalar::StringErrorKind;
use crate::scalar::Surrogates;
use crate::scalar::are_paired;
use crate::scalar::has_escapes;
use crate::scalar::hash_key;
use crate::scalar::unescape;
use distinct::Counting;
use frequent::Frequent;

/// Keys of open objects that are kept to find those that occur twice: 8 MiB.
const MOST_KEYS: usize = 1 << 20;

/// Bytes of a key that are kept to show it.
const SHOWN: usize = 200;

/// What is in documents; of bad documents, what stands before the error.
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
    /// Documents, bad ones included.
    pub documents: u64,
    /// Bad documents.
    pub invalid: u64,
    /// Bytes of input.
    pub bytes: u64,
    /// Bytes of tokens: what would be left without whitespace.
    pub token_bytes: u64,
    /// The most containers open at once.
    pub depth: u64,
    /// Objects.
    pub objects: Containers,
    /// Arrays.
    pub arrays: Containers,
    /// Strings that are values.
    pub strings: Strings,
    /// Keys of members.
    pub keys: Strings,
    /// Numbers.
    pub numbers: Numbers,
    /// `true`.
    pub trues: u64,
    /// `false`.
    pub falses: u64,
    /// `null`.
    pub nulls: u64,
    /// Members whose key has occurred in the same object before.
    pub repeated_keys: u64,
    /// Members of which that is not known: beyond a million in open objects.
    pub unchecked_keys: u64,
    frequent: Frequent,
    distinct_keys: Counting,
    distinct_strings: Counting,
}

/// Objects, or arrays.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Containers {
    /// How many have been opened.
    pub count: u64,
    /// How many are empty.
    pub empty: u64,
    /// Members or elements of all of them.
    pub members: u64,
    /// The most in one of them.
    pub largest: u64,
}

/// Strings, or keys.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Strings {
    /// How many there are.
    pub count: u64,
    /// Bytes of their text, without quotes.
    pub bytes: u64,
    /// The most bytes of one.
    pub longest: u64,
    /// How many have escapes.
    pub escaped: u64,
    /// How many have characters that are not ASCII, not counting escapes.
    pub non_ascii: u64,
    /// How many have the escape of a lone surrogate.
    pub lone_surrogates: u64,
}

/// Numbers.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Numbers {
    /// How many there are.
    pub count: u64,
    /// Bytes of their text.
    pub bytes: u64,
    /// The most bytes of one.
    pub longest: u64,
    /// How many are written without fraction and exponent.
    pub integers: u64,
    /// How many are written with a minus sign.
    pub negative: u64,
    /// How many have digits that a double does not keep ([`Number::keeps_digits_in_f64`]), which is what I-JSON refuses.
    pub inexact: u64,
    /// The least number, as the first of its value was written. Compared are exact values.
    pub least: Option<String>,
    /// The greatest number.
    pub greatest: Option<String>,
}

/// A key and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrequentKey {
    /// The key, unescaped; of a long one the beginning.
    pub key: String,
    /// At least how often it occurs.
    pub count: u64,
    /// At most how often; the same unless there are thousands of keys.
    pub at_most: u64,
}

/// How many are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Distinct {
    /// The number.
    pub count: u64,
    /// Whether it is exact. If not, it is estimated, with a standard error of 0.8 %.
    pub is_exact: bool,
}

impl Stats {
    /// Of nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what is in all documents of `input`, and hands the error of each bad one to `on_error`, as
    /// [`validate_each`](crate::validate_each) does.
    ///
    /// # Errors
    /// Errors of reading, and of [memory](crate::Options::max_memory): a string or number is held until it is whole, and so are the
    /// least number and the greatest.
    pub fn read<'a>(
        &mut self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let limit = options.max_memory;
        let collector: &mut dyn Visitor =
            &mut Collector { stats: self, open: Vec::new(), keys: Vec::new(), expects_key: false, limit };
        let summary = scan_with(&mut input.into(), options, &mut Index::new(collector, limit), &mut (), on_error)?;
        self.documents += summary.documents;
        self.invalid += summary.invalid;
        self.bytes += summary.bytes;
        Ok(summary)
    }

    /// The keys that occur most often, and of those that occur equally often the first in order.
    #[must_use]
    pub fn frequent_keys(&self, most: usize) -> Vec<FrequentKey> {
        let taken = self.frequent.taken();
        let shown = self.frequent.first(most).into_iter();
        shown.map(|it| FrequentKey { key: it.key.clone(), count: it.count, at_most: it.count + taken }).collect()
    }

    /// How many different keys there are.
    #[must_use]
    pub fn distinct_keys(&self) -> Distinct {
        distinct(&self.distinct_keys)
    }

    /// How many different strings there are that are values.
    #[must_use]
    pub fn distinct_strings(&self) -> Distinct {
        distinct(&self.distinct_strings)
    }
}

fn distinct(counting: &Counting) -> Distinct {
    let (count, is_exact) = counting.estimate();
    Distinct { count, is_exact }
}

/// An open container.
struct Open {
    is_object: bool,
    members: u64,
    /// Where its keys begin among those that are kept.
    keys: usize,
}

/// Looks at the tokens of documents one by one.
struct Collector<'s> {
    stats: &'s mut Stats,
    open: Vec<Open>,
    /// The hashes of keys of open objects.
    keys: Vec<u64>,
    expects_key: bool,
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
                    self.check_cost(token, offset)?;
                    self.stats.numbers.add(number)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses a number that takes too much memory with those that are kept, be it one of them or not.
    fn check_cost(&self, number: &[u8], offset: u64) -> Result<(), Error> {
        let Numbers { least, greatest, .. } = &self.stats.numbers;
        let kept = [least, greatest].map(|kept| kept.as_ref().map_or(0, String::len).max(number.len()));
        if (kept[0] + kept[1] + number.len()) as u64 > self.limit {
            return Err(Error::token_limit(self.limit, offset));
        }
        Ok(())
    }

    /// A value begins: an element, if it stands in an array.
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
        self.stats.distinct_keys.count(hash);
        self.stats.frequent.count(hash, || shown(text));
        if self.keys.len() < MOST_KEYS {
            self.keys.grow(hash, OutOfMemory::Keys)?;
        } else {
            self.stats.unchecked_keys += 1;
        }
        Ok(())
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
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
    /// One more in this one of them.
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

/// Keeps the text of a number.
fn keep(kept: &mut Option<String>, number: Number<'_>) -> Result<(), OutOfMemory> {
    let mut text = kept.take().unwrap_or_default().into_bytes();
    text.clear();
    text.room(number.text().len(), OutOfMemory::Token)?;
    text.extend_from_slice(number.text());
    // Looked at only now, since the bytes of a file may change.
    *kept = String::from_utf8(text).ok();
    Ok(())
}

/// The hash of what a string says, the same in every run.
fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_key(text, &mut hasher);
    hasher.finish()
}

/// A key as people read it, or its beginning.
fn shown(text: &[u8]) -> String {
    // A copy, which does not change while it is taken for characters.
    let cut = &text[..text.len().min(SHOWN)].to_vec();
    // The cut may take the last escape or character apart.
    let whole = unescape(cut, Surrogates::Replace)
        .or_else(|error| unescape(&cut[..error.offset()], Surrogates::Replace))
        .unwrap_or_default();
    let key = String::from_utf8_lossy(&whole);
    if cut.len() == text.len() { key.into_owned() } else { format!("{}…", key.trim_end_matches('\u{fffd}')) }
}
