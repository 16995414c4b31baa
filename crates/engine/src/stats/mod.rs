//! Statistics of documents: number, size and nesting of values, keys, and numbers.
//!
//! The tokens come from the structural index, already validated, and each is visited once. Keys and distinct strings are
//! counted by sketches of bounded size, which are exact for small numbers. Memory otherwise grows only by 88 bytes for each
//! open container, the hashes of the keys of open objects (limited), and the longest token.

#![forbid(unsafe_code)]

mod collector;
mod distinct;
mod frequent;
mod merge;
mod part;
mod structure;
mod tokens;

use std::mem;
use std::ops::ControlFlow;
use std::ops::RangeInclusive;

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::index::Index;
use crate::input::Input;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel;
use crate::positions::List;
use crate::scalar::Number;
use crate::scalar::Numeric;
use crate::scalar::StringErrorKind;
use crate::scalar::are_paired;
use crate::scalar::is_short;
use crate::scalar::read_number;
use collector::Collector;
use distinct::DistinctCounter;
use frequent::Frequent;
pub use structure::Place;
pub use structure::Step;
pub use structure::Structure;
pub use structure::Texts;

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
    /// greatest number, which are also held. What was read before the failure is counted.
    pub fn read<'a>(
        &mut self,
        input: impl Into<Input<'a>>,
        options: &Options,
        on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
    ) -> Result<Summary, Error> {
        let limit = options.max_memory;
        let collector = Collector::new(mem::take(self), limit);
        let mut index = Index::without_separators(collector, List::default(), limit);
        let result = parallel::scan(&mut input.into(), options, &mut index, on_error);
        let read = *result.as_ref().unwrap_or(&index.read);
        *self = index.visitor.into_stats();
        self.documents += read.documents;
        self.invalid += read.invalid;
        self.bytes += read.bytes;
        result
    }

    /// Adds the statistics of inputs that follow. Returns false, and adds nothing, if the result could differ from that of reading
    /// these inputs with `self`, because there are more than 4,096 different keys; then they must be [read](Self::read) again.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Options, Stats};
    ///
    /// let read = |text: &str| {
    ///     let mut stats = Stats::new();
    ///     stats.read(text, &Options::new(), &mut |_| ControlFlow::Break(()))?;
    ///     Ok::<_, fjson::Error>(stats)
    /// };
    /// let mut sum = read(r#"{"a": 1}"#)?;
    /// assert!(sum.merge(&read(r#"{"a": 20, "b": "x"}"#)?)?);
    /// assert_eq!((sum.documents, sum.keys.count, sum.distinct_keys().count), (2, 3, 2));
    /// assert_eq!(sum.numbers.greatest.as_deref(), Some("20"));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn merge(&mut self, others: &Self) -> Result<bool, Error> {
        if !self.frequent.can_add(&others.frequent) {
            return Ok(false);
        }
        self.add(others)?;
        self.documents += others.documents;
        self.invalid += others.invalid;
        self.bytes += others.bytes;
        self.distinct_strings.add(&others.distinct_strings);
        Ok(true)
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

impl Containers {
    /// Counts a member or element of a container that has `members` others.
    #[inline]
    fn add_member(&mut self, members: u64) {
        self.members += 1;
        self.largest = self.largest.max(members + 1);
    }
}

impl Strings {
    /// Counts a string, given whether it has escapes.
    #[inline]
    fn add(&mut self, text: &[u8], escapes: bool) {
        self.add_plain(text.len(), text.is_ascii());
        if escapes {
            self.escaped += 1;
            let is_lone = are_paired(text).is_err_and(|error| error.kind() == StringErrorKind::LoneSurrogate);
            self.lone_surrogates += u64::from(is_lone);
        }
    }

    /// Counts a string without escapes.
    #[inline]
    fn add_plain(&mut self, length: usize, is_ascii: bool) {
        self.count += 1;
        self.bytes += length as u64;
        self.longest = self.longest.max(length as u64);
        self.non_ascii += u64::from(!is_ascii);
    }
}

impl Numbers {
    /// Counts a number, except for the range. Returns it if it may extend the range, of which [`Self::double_range`] is known.
    #[inline]
    fn count<'t>(&mut self, text: &'t [u8], doubles: Option<&RangeInclusive<f64>>) -> Option<Number<'t>> {
        let length = text.len() as u64;
        self.count += 1;
        self.bytes += length;
        self.longest = self.longest.max(length);
        self.negative += u64::from(text.first() == Some(&b'-'));
        if is_short(text) {
            self.integers += u64::from(!text.contains(&b'.'));
            #[expect(clippy::cast_precision_loss, reason = "so few digits are exact")]
            let double = match read_number(text) {
                Numeric::Unsigned(integer) => integer as f64,
                Numeric::Negative(integer) => integer as f64,
                Numeric::Double(double) => double,
            };
            return if doubles.is_some_and(|doubles| doubles.contains(&double)) { None } else { Number::new(text) };
        }
        let number = Number::new(text)?;
        self.integers += u64::from(number.is_integer());
        self.inexact += u64::from(!number.keeps_digits_in_f64());
        Some(number)
    }

    /// Makes `number` the least or the greatest one if it is. Returns whether it is.
    fn extend_range(&mut self, number: Number<'_>) -> Result<bool, OutOfMemory> {
        let is_beyond = |known: &Option<String>, beyond: fn(&Number<'_>, &Number<'_>) -> bool| {
            let known = known.as_ref().and_then(|known| Number::new(known.as_bytes()));
            known.is_none_or(|known| beyond(&number, &known))
        };
        let is_least = is_beyond(&self.least, |number, least| number < least);
        if is_least {
            keep(&mut self.least, number)?;
        }
        let is_greatest = is_beyond(&self.greatest, |number, greatest| number > greatest);
        if is_greatest {
            keep(&mut self.greatest, number)?;
        }
        Ok(is_least || is_greatest)
    }

    /// Returns a range of doubles. A [short](is_short) number whose double is in it is neither less than the least nor greater than
    /// the greatest number.
    fn double_range(&self) -> Option<RangeInclusive<f64>> {
        let (least, greatest) = (self.least.as_ref()?, self.greatest.as_ref()?);
        let double = |text: &String| Some((text.parse::<f64>().ok()?, is_short(text.as_bytes())));
        let ((least, is_short_least), (greatest, is_short_greatest)) = (double(least)?, double(greatest)?);
        // mutant: let start = least;
        let start = if is_short_least { least } else { least.next_up() };
        let end = if is_short_greatest { greatest } else { greatest.next_down() };
        Some(start..=end)
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
