//! Documents of which parts are left out: whether an edit looks into what is not there.

#![forbid(unsafe_code)]

use crate::edit::tree::Container;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Item;
use crate::edit::tree::Node;
use crate::edit::tree::Tree;

impl Tree<'_> {
    /// Returns the number of the hole that a value is.
    pub(super) fn hole(&self, node: Node) -> Option<usize> {
        let holes = self.holes?;
        let Node::Text { text: DOCUMENT, token } = node else { return None };
        let (tokens, token) = (self.tokens(DOCUMENT), token as usize);
        let is_container = matches!(tokens.text()[tokens.start(token)], b'{' | b'[');
        holes.number(tokens.text()[tokens.start(if is_container { token + 1 } else { token })..].strip_prefix(b"\"")?)
    }

    /// Notes whether a member that was not found may be in a hole.
    pub(super) fn not_shown(&self, container: &Container, key: &[u8]) -> Option<usize> {
        let around = container.hidden.and_then(|hole| self.holes?.counts.get(hole));
        if let Some((holes, &(_, around))) = self.holes.zip(around)
            && holes.interests.get(around).member(key).is_none()
        {
            self.has_missed.set(true);
        }
        None
    }

    /// Notes whether all of a value is needed that is not there.
    pub(super) fn look_into(&self, node: Node) {
        let (text, token) = self.origin(node);
        if let Some(holes) = self.holes.filter(|_| text == DOCUMENT) {
            let raw = self.value(text, token).raw().as_bytes();
            self.has_missed.set(self.has_missed.get() || memchr::memmem::find(raw, &holes.marker).is_some());
        }
    }

    /// Returns the number of elements that an item stands for; 0 if it is one.
    fn count(&self, item: &Item) -> usize {
        self.hole(item.value).and_then(|hole| self.holes?.counts.get(hole)).map_or(0, |&(count, _)| count)
    }

    /// Returns the number of items of a container.
    pub(super) fn length(&self, container: u32) -> usize {
        let items = &self.container(container).items;
        if self.holes.is_none() { items.len() } else { items.iter().map(|item| self.count(item).max(1)).sum() }
    }

    /// Returns where the element with this index is on the list of items, or the end of the list.
    pub(super) fn position(&self, container: u32, index: usize) -> Option<usize> {
        let items = &self.container(container).items;
        if self.holes.is_none() {
            return (index <= items.len()).then_some(index);
        }
        let mut before = 0;
        for (position, item) in items.iter().enumerate() {
            if before >= index {
                return Some(position);
            }
            before += self.count(item).max(1);
            if before > index {
                self.has_missed.set(true);
            }
        }
        (before >= index).then_some(items.len())
    }

    /// Returns where the element with this index is on the list of items.
    pub(super) fn element(&self, container: u32, index: usize) -> Option<usize> {
        let position = self.position(container, index)?;
        let item = self.container(container).items.get(position)?;
        if self.count(item) > 0 {
            self.has_missed.set(true);
        }
        Some(position)
    }
}
