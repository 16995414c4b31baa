//! What edits look into: the objects and arrays on the way to their targets, and the values that they compare, move or copy; and what is
//! left out, because none does.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::HashMap;

use crate::document::Kind;
use crate::document::Value;
use crate::edit::path::ReferenceToken;
use crate::scalar::Surrogates;
use crate::scalar::unescape;

/// The number of the interest in the root.
pub(super) const ROOT: usize = 0;

/// Elements as near as this to one that is of interest are, too: edits change the indices of those after them.
const NEAR: usize = if cfg!(test) { 1 } else { 8 };

/// What edits look into, as a tree of interests that refer to each other by number.
pub(super) struct Interests {
    list: Vec<Interest>,
}

/// A value that edits look at.
#[derive(Default)]
pub(super) struct Interest {
    members: HashMap<String, usize>,
    elements: BTreeMap<usize, usize>,
    /// Whether edits look at its items.
    pub(super) is_open: bool,
    /// Whether edits need all of it.
    pub(super) is_whole: bool,
}

impl Interests {
    pub(super) fn new() -> Self {
        Self { list: vec![Interest::default()] }
    }

    pub(super) fn get(&self, interest: usize) -> &Interest {
        &self.list[interest]
    }

    pub(super) fn at(&mut self, steps: &[ReferenceToken]) -> usize {
        steps.iter().fold(ROOT, |parent, step| self.inside(parent, step))
    }

    pub(super) fn whole(&mut self, steps: &[ReferenceToken]) {
        let interest = self.at(steps);
        self.list[interest].is_whole = true;
    }

    /// Returns the interest in an item of a value.
    pub(super) fn inside(&mut self, parent: usize, step: &ReferenceToken) -> usize {
        let next = self.list.len();
        let Interest { members, elements, is_open, .. } = &mut self.list[parent];
        *is_open = true;
        let inside = *members.entry(step.name.clone()).or_insert(next);
        if let Some(index) = step.index {
            elements.entry(index).or_insert(inside);
        }
        if inside == next {
            self.list.push(Interest::default());
        }
        inside
    }

    /// Adds the items of a container.
    pub(super) fn open(&mut self, interest: usize) {
        self.list[interest].is_open = true;
    }

    /// Adds what a merge patch looks into.
    pub(super) fn merged(&mut self, root: usize, patch: Value<'_, '_>) {
        let mut rest = vec![(root, patch)];
        while let Some((interest, patch)) = rest.pop() {
            if patch.kind() != Kind::Object {
                self.list[interest].is_whole |= !patch.is_null();
                continue;
            }
            self.list[interest].is_open = true;
            for member in patch.members() {
                if let Some(name) = member.key.as_str() {
                    rest.push((self.inside(interest, &ReferenceToken::of(&name)), member.value));
                }
            }
        }
    }
}

impl Interest {
    /// Returns the interest in a member, whose key is given without quotes.
    pub(super) fn member(&self, key: &[u8]) -> Option<usize> {
        let name = unescape(key, Surrogates::Refuse).ok()?;
        self.members.get(str::from_utf8(&name).ok()?).copied()
    }

    /// Returns the interest in an element.
    pub(super) fn element(&self, index: usize) -> Option<usize> {
        self.elements.get(&index).copied()
    }

    /// Whether an element may get an index that is of interest.
    pub(super) fn is_near(&self, index: usize) -> bool {
        self.elements.range(index.saturating_sub(NEAR)..=index + NEAR).next().is_some()
    }
}

/// What is left out of the text of a document.
pub(super) struct Holes<'d> {
    /// The text with which the strings begin that stand for it. Their number follows.
    pub(super) marker: Vec<u8>,
    /// The number of items that each stands for, which is 0 for a value, and the interest in their container.
    pub(super) counts: Vec<(usize, usize)>,
    pub(super) interests: &'d Interests,
}

impl Holes<'_> {
    /// Returns the number of the hole that has this text, which is given without the quote before it.
    pub(super) fn number(&self, text: &[u8]) -> Option<usize> {
        let number = text.strip_prefix(&self.marker[..])?;
        let length = number.iter().take_while(|digit| digit.is_ascii_digit()).count();
        str::from_utf8(&number[..length]).ok()?.parse().ok()
    }
}
