//! What is known of the values at one place.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::scalar::Number;
use crate::scalar::Surrogates;
use crate::scalar::append_quoted;
use crate::scalar::unescape;
use crate::stats::Containers;
use crate::stats::Numbers;
use crate::stats::structure::strings::Strings;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::mem;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Maximum number of bytes of a value that are kept as an example.
const MAX_EXAMPLE: usize = 80;

/// Statistics of the lengths of strings that are values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Texts {
    /// Number of strings.
    pub count: u64,
    /// Number of characters of the shortest string, without escapes; 0 if there are none.
    pub shortest: u64,
    /// Number of characters of the longest string, without escapes.
    pub longest: u64,
}

/// The number of a place in its tree.
pub(super) type NodeId = u32;

/// Instead of a place: there is none yet.
pub(super) const NO_NODE: NodeId = u32::MAX;

/// Instead of a place: there would be too many.
pub(super) const ONE_TOO_MANY: NodeId = u32::MAX - 1;

/// Instead of a place: it has too many levels.
pub(super) const TOO_DEEP: NodeId = u32::MAX - 2;

/// Whether there is a place.
#[inline]
pub(super) fn is_listed(node: NodeId) -> bool {
    node < TOO_DEEP
}

/// How a value is reached from the one around it.
#[derive(Clone, Debug, Default)]
pub(super) enum StepFromParent {
    #[default]
    Root,
    Element,
    AnyMember,
    /// The key without escapes.
    Member(Arc<[u8]>),
}

/// The places of the members of objects.
#[derive(Clone, Debug)]
pub(super) enum Members {
    /// One for each key.
    ByKey(HashMap<Arc<[u8]>, NodeId, RandomState>),
    /// One for all members.
    Any(NodeId),
}

impl Default for Members {
    fn default() -> Self {
        Self::ByKey(HashMap::default())
    }
}

/// A value as an example.
#[derive(Clone, Debug)]
pub(super) struct Example {
    /// How many values came before it.
    pub(super) at: u64,
    /// Its text, which is JSON, even if it is cut.
    pub(super) text: String,
}

/// The values at one place.
#[derive(Clone, Debug)]
pub(super) struct StructureNode {
    pub(super) parent: NodeId,
    pub(super) step: StepFromParent,
    /// Number of steps from the root.
    pub(super) level: u64,
    /// How many values came before the first one here.
    pub(super) first: u64,
    /// Number of objects that have this member.
    pub(super) present: u64,
    /// The number of the last of them.
    pub(super) last_object: u64,
    pub(super) objects: Containers,
    pub(super) arrays: Containers,
    pub(super) strings: Texts,
    /// What the strings have in common, if it is noted.
    pub(super) noted: Option<Box<Strings>>,
    pub(super) numbers: Numbers,
    /// How many values came before the least and the greatest number.
    extremes_at: [u64; 2],
    /// [`Numbers::double_range`].
    pub(super) doubles: Option<RangeInclusive<f64>>,
    pub(super) trues: u64,
    pub(super) falses: u64,
    pub(super) nulls: u64,
    pub(super) example: Option<Example>,
    /// The place of the elements of arrays.
    pub(super) element: NodeId,
    pub(super) members: Members,
}

impl StructureNode {
    pub(super) fn new(parent: NodeId, step: StepFromParent, level: u64, first: u64) -> Self {
        Self {
            parent,
            step,
            level,
            first,
            present: 0,
            last_object: 0,
            objects: Containers::default(),
            arrays: Containers::default(),
            strings: Texts::default(),
            noted: None,
            numbers: Numbers::default(),
            extremes_at: [0; 2],
            doubles: None,
            trues: 0,
            falses: 0,
            nulls: 0,
            example: None,
            element: NO_NODE,
            members: Members::default(),
        }
    }

    /// Notes that the object with this number, counted from 1, has this member. Returns false if that is known.
    #[inline]
    pub(super) fn occurs_in(&mut self, object: u64) -> bool {
        let is_new = self.last_object != object;
        self.present += u64::from(is_new);
        self.last_object = object;
        is_new
    }

    /// Counts a string, given whether it has escapes.
    #[inline]
    pub(super) fn add_string(&mut self, text: &[u8], escapes: bool, at: u64) {
        let length = characters(text, escapes);
        let Texts { count, shortest, longest } = &mut self.strings;
        *shortest = if *count == 0 { length } else { length.min(*shortest) };
        *longest = length.max(*longest);
        *count += 1;
        if self.example.is_none() && !text.is_empty() {
            self.example = Some(Example { at, text: shown_string(text) });
        }
    }

    /// Notes what a string has in common with the others, given whether it has escapes.
    pub(super) fn note_string(&mut self, text: &[u8], escapes: bool) {
        self.noted.get_or_insert_default().add(text, escapes);
    }

    /// Makes `number` the least or the greatest one if it is.
    pub(super) fn extend_range(&mut self, number: Number<'_>, at: u64) -> Result<(), OutOfMemory> {
        let before = self.extremes().map(|text| text.map(str::to_owned));
        if self.numbers.extend_range(number)? {
            self.doubles = self.numbers.double_range();
            let is_changed = [0, 1].map(|side| self.extremes()[side] != before[side].as_deref());
            for (known, is_changed) in self.extremes_at.iter_mut().zip(is_changed) {
                *known = if is_changed { at } else { *known };
            }
        }
        Ok(())
    }

    /// Keeps the text of a number or literal as an example, unless there is one.
    #[inline]
    pub(super) fn show(&mut self, text: &[u8], at: u64) {
        if self.example.is_none() {
            self.example = Some(Example { at, text: shown_scalar(text) });
        }
    }

    fn extremes(&self) -> [Option<&str>; 2] {
        [self.numbers.least.as_deref(), self.numbers.greatest.as_deref()]
    }

    /// Returns the number of bytes of the least and the greatest number.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.extremes().iter().flatten().map(|text| text.len() as u64).sum()
    }

    /// Returns the number of values.
    pub(super) fn count(&self) -> u64 {
        let containers = self.objects.count + self.arrays.count;
        containers + self.strings.count + self.numbers.count + self.trues + self.falses + self.nulls
    }

    /// Adds the values of another place. `base` is the number of values before those that its numbers count from.
    pub(super) fn add(&mut self, other: &Self, base: u64) {
        self.first = self.first.min(other.first.saturating_add(base));
        self.present += other.present;
        self.objects.add(&other.objects);
        self.arrays.add(&other.arrays);
        self.strings.add(&other.strings);
        match (&mut self.noted, &other.noted) {
            (Some(noted), Some(others)) => noted.add_all(others),
            (None, others) => self.noted.clone_from(others),
            (Some(_), None) => {}
        }
        self.add_numbers(other, base);
        self.trues += other.trues;
        self.falses += other.falses;
        self.nulls += other.nulls;
        if let Some(Example { at, text }) = &other.example
            && self.example.as_ref().is_none_or(|example| base + at < example.at)
        {
            self.example = Some(Example { at: base + at, text: text.clone() });
        }
    }

    /// Adds the numbers of another place. Of equal numbers, the first one is the least or the greatest.
    fn add_numbers(&mut self, other: &Self, base: u64) {
        let Numbers { count, bytes, longest, integers, negative, inexact, .. } = other.numbers;
        self.numbers.count += count;
        self.numbers.bytes += bytes;
        self.numbers.longest = self.numbers.longest.max(longest);
        self.numbers.integers += integers;
        self.numbers.negative += negative;
        self.numbers.inexact += inexact;
        let [least_at, greatest_at] = &mut self.extremes_at;
        let Numbers { least, greatest, .. } = &mut self.numbers;
        for (known, known_at, other, other_at, beyond) in [
            (least, least_at, &other.numbers.least, base + other.extremes_at[0], -1),
            (greatest, greatest_at, &other.numbers.greatest, base + other.extremes_at[1], 1),
        ] {
            let Some(text) = other else { continue };
            let numbers =
                known.as_ref().and_then(|known| Number::new(known.as_bytes())).zip(Number::new(text.as_bytes()));
            let order = numbers.map(|(known, other)| other.cmp(&known) as i8);
            if order.is_none_or(|order| order == beyond || order == 0 && other_at < *known_at) {
                (*known, *known_at) = (Some(text.clone()), other_at);
            }
        }
        self.doubles = self.numbers.double_range();
    }

    /// Returns the places in this one.
    pub(super) fn children(&self) -> impl Iterator<Item = NodeId> {
        let (any, by_key) = match &self.members {
            Members::Any(child) => (Some(*child), None),
            Members::ByKey(keys) => (None, Some(keys.values().copied())),
        };
        let element = (self.element != NO_NODE).then_some(self.element);
        element.into_iter().chain(any).chain(by_key.into_iter().flatten())
    }

    /// Returns the places of the members by key, if they are, and forgets them.
    pub(super) fn take_members(&mut self) -> Option<HashMap<Arc<[u8]>, NodeId, RandomState>> {
        match &mut self.members {
            Members::ByKey(keys) => Some(mem::take(keys)),
            Members::Any(_) => None,
        }
    }
}

impl Texts {
    fn add(&mut self, other: &Self) {
        if other.count > 0 {
            self.shortest = if self.count == 0 { other.shortest } else { self.shortest.min(other.shortest) };
            self.longest = self.longest.max(other.longest);
            self.count += other.count;
        }
    }
}

/// Returns the number of characters of a string. A lone surrogate counts as one.
#[inline]
fn characters(text: &[u8], escapes: bool) -> u64 {
    let count = |text: &[u8]| text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    match escapes.then(|| unescape(text, Surrogates::Keep)) {
        Some(Ok(unescaped)) => count(&unescaped),
        _ if text.is_ascii() => text.len() as u64,
        _ => count(text),
    }
}

/// Returns the start of a string that is not longer than an example, as JSON.
fn shown_string(text: &[u8]) -> String {
    let is_cut = text.len() > MAX_EXAMPLE;
    let is_border = |end: &usize| text.get(*end).is_none_or(|byte| byte & 0xc0 != 0x80);
    let end = (0..=text.len().min(MAX_EXAMPLE)).rev().find(is_border).unwrap_or_default();
    // A copy, because a memory-mapped file may change while its bytes are converted to characters.
    let start = &text[..end].to_vec();
    // The last escape may be truncated.
    let unescaped = unescape(start, Surrogates::Keep)
        .or_else(|error| unescape(&start[..error.offset()], Surrogates::Keep))
        .unwrap_or_default();
    let whole = match &*unescaped {
        // The first half of a surrogate pair.
        [whole @ .., 0xed, 0xa0..=0xaf, _] if is_cut => whole,
        whole => whole,
    };
    let mut shown = String::from("\"");
    append_quoted(whole, '"', &mut shown);
    shown.push_str(if is_cut { "…\"" } else { "\"" });
    shown
}

/// Returns a number or literal, or the start of a number as a string.
fn shown_scalar(text: &[u8]) -> String {
    let start = String::from_utf8_lossy(&text[..text.len().min(MAX_EXAMPLE)]).into_owned();
    if text.len() > MAX_EXAMPLE { format!("\"{start}…\"") } else { start }
}

#[cfg(test)]
mod tests {
    use super::characters;
    use super::shown_scalar;
    use super::shown_string;

    #[test]
    fn characters_are_those_of_the_value() {
        for (text, expected) in
            [("", 0), ("abc", 3), ("é𝄞", 2), (r"\u00e9\n", 2), (r"\ud834\udd1e", 1), (r"\ud800x\u0041", 3)]
        {
            assert_eq!(characters(text.as_bytes(), text.contains('\\')), expected, "{text}");
        }
    }

    #[test]
    fn long_examples_are_cut_between_characters() {
        assert_eq!(shown_string(br"a\u0062\n"), r#""ab\n""#);
        for (unit, shown, count) in
            [("x", "x", 80), ("é", "é", 40), ("€", "€", 26), (r"\n", r"\n", 40), (r"\u0041", "A", 13)]
        {
            let expected = format!("\"{}…\"", shown.repeat(count));
            assert_eq!(shown_string(unit.repeat(100).as_bytes()), expected);
        }
        assert_eq!(shown_string(r"\ud800".repeat(14).as_bytes()), format!("\"{}…\"", r"\ud800".repeat(12)));
        assert_eq!(shown_scalar(&[b'9'; 80]), "9".repeat(80));
        assert_eq!(shown_scalar(&[b'9'; 81]), format!("\"{}…\"", "9".repeat(80)));
    }
}
