//! Makes edits at all values that a query selects.

#![forbid(unsafe_code)]

use std::ops::Range;

use crate::document::Value;
use crate::edit::error::Failure;
use crate::edit::error::Refusal;
use crate::edit::path::quoted;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Item;
use crate::edit::tree::NONE;
use crate::edit::tree::Node;
use crate::edit::tree::Slot;
use crate::edit::tree::Tree;
use crate::edit::tree::number;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// What becomes of values inside others that are selected, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    Selected,
    /// They are left out, because the outer ones are replaced or removed.
    LeftOut,
}

impl Tree<'_> {
    /// Evaluates queries in the text of the document, so what they depend on must not have changed. The next calls of
    /// [`select`](Self::select) are for them, one after the other.
    pub(super) fn search(&mut self, queries: Range<usize>) -> Result<(), Failure> {
        for found in self.document().find_each(&self.queries[queries])? {
            let mut tokens = Vec::new();
            tokens.room(found.len(), OutOfMemory::Matches)?;
            tokens.extend(found.into_iter().map(Value::token));
            tokens.sort_unstable();
            tokens.dedup();
            self.found.push_back(tokens);
        }
        Ok(())
    }

    /// Returns where the values are that a query selects, in the order of the text. Fails if one was removed or replaced.
    pub(super) fn select(&mut self, query: usize, inner: Inner) -> Result<Vec<Slot>, Failure> {
        if self.found.is_empty() {
            self.search(query..query + 1)?;
        }
        let mut tokens = self.found.pop_front().unwrap_or_default();
        if tokens.is_empty() {
            let message = format!("no value matches {}", quoted(self.queries[query].expression()));
            let place = Some(self.document().start());
            return Err(Refusal { kind: ErrorKind::TargetMissing, message, help: None, place }.into());
        }
        if inner == Inner::LeftOut {
            let (all, mut end) = (self.tokens(DOCUMENT), 0);
            tokens.retain(|&token| {
                let is_outer = token >= end;
                if is_outer {
                    end = all.next(token);
                }
                is_outer
            });
        }
        self.locate(query, &tokens)
    }

    /// Returns where the values with these first tokens are, which are in ascending order and which a query has selected. Opens the
    /// containers around them.
    fn locate(&mut self, query: usize, tokens: &[usize]) -> Result<Vec<Slot>, Failure> {
        let (all, mut slots) = (self.tokens(DOCUMENT), Vec::new());
        slots.room(tokens.len(), OutOfMemory::Matches)?;
        // The open containers around the value, and the tokens after them.
        let mut around: Vec<(u32, usize)> = Vec::new();
        for &token in tokens {
            while around.last().is_some_and(|&(_, end)| token >= end) {
                around.pop();
            }
            let (mut slot, mut place) = match around.last() {
                Some(&(container, _)) => self.item_around(container, token)?,
                None => (Slot::Root, self.document().token()),
            };
            while place != token {
                // A value that has taken the place of another one has nothing of what was in it.
                if self.origin(self.get(slot)) != (DOCUMENT, number(place)) {
                    return Err(Failure::Stale);
                }
                let Some(container) = self.open(slot)? else { break };
                around.grow((container, all.next(place)), OutOfMemory::Matches)?;
                (slot, place) = self.item_around(container, token)?;
            }
            self.check_names(query, &around, token)?;
            slots.push(slot);
        }
        Ok(slots)
    }

    /// Refuses a value in these containers if several members have a key that the query names: it has selected the first one only.
    fn check_names(&mut self, query: usize, around: &[(u32, usize)], token: usize) -> Result<(), Failure> {
        let queries = self.queries;
        for step in queries[query].named_steps(around.len()) {
            let (container, _) = around[step];
            if !self.container(container).is_object {
                continue;
            }
            let (slot, _) = self.item_around(container, token)?;
            let Slot::Item { index, .. } = slot else { continue };
            let (opened, mut key) = (self.container(container), Vec::new());
            let text = self.key(opened, &opened.items[index]);
            key.room(text.len(), OutOfMemory::Keys)?;
            key.extend_from_slice(text);
            if self.member(container, &key).is_err() {
                let (key, expression) = (String::from_utf8_lossy(&key), self.queries[query].expression());
                let message = format!("{} selects the first of several members {}", quoted(expression), quoted(&key));
                let help = "`..` before the name selects all of them, a filter those with some value";
                return Err(self.refusal(ErrorKind::TargetUnsuitable, message, Some(help), slot));
            }
        }
        Ok(())
    }

    /// Returns the item of a container that a token was in, and its place. Fails if the item was removed.
    fn item_around(&self, container: u32, token: usize) -> Result<(Slot, usize), Failure> {
        let items = &self.container(container).items;
        let index = items.partition_point(|item| item.place as usize <= token).checked_sub(1).ok_or(Failure::Stale)?;
        let place = items[index].place as usize;
        if items[index].is_removed || token >= self.tokens(DOCUMENT).next(place) {
            return Err(Failure::Stale);
        }
        Ok((Slot::Item { container, index }, place))
    }

    /// Removes the values at these slots, which are in the order of the text.
    pub(super) fn delete_all(&mut self, slots: &mut [Slot]) -> Result<(), Failure> {
        for (container, slots) in groups(slots) {
            let Some(container) = container else { return self.delete(Slot::Root).map(drop) };
            let (mut index, mut removed) = (0, slots.iter().peekable());
            self.items(container).retain(|_| {
                let is_removed = removed.next_if(|&&slot| slot == Slot::Item { container, index }).is_some();
                index += 1;
                !is_removed
            });
            self.clear_table(container);
        }
        Ok(())
    }

    /// Inserts an element before each of those at these slots, which are in the order of the text.
    pub(super) fn insert_before_all(&mut self, slots: &mut [Slot], value: Node) -> Result<(), Failure> {
        for &slot in &*slots {
            if !matches!(slot, Slot::Item { container, .. } if !self.container(container).is_object) {
                let message = "the match is no element of an array, expected one to insert before".to_owned();
                return Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot));
            }
        }
        for (container, slots) in groups(slots) {
            let Some(container) = container else { continue };
            let mut items = Vec::new();
            items.room(self.container(container).items.len() + slots.len(), OutOfMemory::Document)?;
            let mut before = slots.iter().peekable();
            for (index, item) in self.container(container).items.iter().enumerate() {
                if before.next_if(|&&slot| slot == Slot::Item { container, index }).is_some() {
                    items.push(Item::new(NONE, value));
                }
                items.push(*item);
            }
            *self.items(container) = items;
        }
        Ok(())
    }
}

/// Sorts slots, and returns those of each container. `None` is the container of the root.
fn groups(slots: &mut [Slot]) -> impl Iterator<Item = (Option<u32>, &[Slot])> {
    slots.sort_unstable();
    let container = |slot: &Slot| match *slot {
        Slot::Root => None,
        Slot::Item { container, .. } => Some(container),
    };
    slots
        .chunk_by(move |left, right| container(left) == container(right))
        .map(move |group| (container(&group[0]), group))
}
