//! A document that is being changed: values of texts, and lists of items for the containers that edits look into.
//!
//! Nothing is copied from the document. A container whose items are listed is *open*; all others are a place in a text. So the cost of an
//! edit is that of the containers on its path, and an open container still knows the layout of its items. Open containers are on one
//! list and refer to each other by number, so that depth needs no stack.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::document::Tokens;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::scalar::same_key;

/// The number of no text, token or key.
pub(super) const NONE: u32 = u32::MAX;

/// The number of the text of the document. Those of the edits follow.
pub(super) const DOCUMENT: u32 = 0;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The value that begins with this token of a text.
    Text { text: u32, token: u32 },
    /// An open container, by its number.
    Open(u32),
}

/// An element of an array or a member of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The token of the value that was here in the text of the container, whose layout the item has. [`NONE`] for a new item.
    pub(super) place: u32,
    /// The number of its new key. [`NONE`] if it has the key of its place, or is an element.
    pub(super) key: u32,
    pub(super) value: Node,
}

/// An open container.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// The text that it is from, and the token of its opening bracket.
    pub(super) text: u32,
    pub(super) token: u32,
    pub(super) is_object: bool,
    pub(super) items: Vec<Item>,
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Root,
    Item { container: u32, index: usize },
}

/// Members of an object that have the same key.
#[derive(Debug)]
pub(super) struct Duplicate;

/// A document that is being changed.
pub(super) struct Tree<'d> {
    /// The roots of the document and of the texts of the edits.
    texts: Vec<Value<'d, 'd>>,
    containers: Vec<Container>,
    /// New keys, without quotes.
    keys: Vec<Vec<u8>>,
    pub(super) root: Node,
}

impl<'d> Tree<'d> {
    /// Returns a document without changes. `texts` are those of the edits.
    pub(super) fn new(document: Value<'d, 'd>, texts: impl Iterator<Item = Value<'d, 'd>>) -> Self {
        let texts = [document].into_iter().chain(texts).collect();
        let root = Node::Text { text: DOCUMENT, token: number(document.token()) };
        Self { texts, containers: Vec::new(), keys: Vec::new(), root }
    }

    pub(super) fn document(&self) -> Value<'d, 'd> {
        self.texts[DOCUMENT as usize]
    }

    pub(super) fn tokens(&self, text: u32) -> Tokens<'d, 'd> {
        self.texts[text as usize].tokens()
    }

    /// Returns a value of a text.
    pub(super) fn value(&self, text: u32, token: u32) -> Value<'d, 'd> {
        self.tokens(text).value(token as usize)
    }

    pub(super) fn container(&self, container: u32) -> &Container {
        &self.containers[container as usize]
    }

    pub(super) fn items(&mut self, container: u32) -> &mut Vec<Item> {
        &mut self.containers[container as usize].items
    }

    pub(super) fn get(&self, slot: Slot) -> Node {
        match slot {
            Slot::Root => self.root,
            Slot::Item { container, index } => self.container(container).items[index].value,
        }
    }

    pub(super) fn put(&mut self, slot: Slot, node: Node) {
        match slot {
            Slot::Root => self.root = node,
            Slot::Item { container, index } => self.items(container)[index].value = node,
        }
    }

    /// Returns the first token of a value, or of the container that it was in its text.
    pub(super) fn origin(&self, node: Node) -> (u32, u32) {
        match node {
            Node::Text { text, token } => (text, token),
            Node::Open(container) => (self.container(container).text, self.container(container).token),
        }
    }

    pub(super) fn kind(&self, node: Node) -> Kind {
        let (text, token) = self.origin(node);
        self.value(text, token).kind()
    }

    /// Returns the index in the text of the document where a value was; `None` for a new value.
    pub(super) fn place(&self, node: Node) -> Option<usize> {
        let (text, token) = self.origin(node);
        (text == DOCUMENT).then(|| self.tokens(text).start(token as usize))
    }

    /// Opens the container at a slot. Returns `None` if the value is not a container.
    pub(super) fn open(&mut self, slot: Slot) -> Result<Option<u32>, OutOfMemory> {
        let (text, token) = match self.get(slot) {
            Node::Open(container) => return Ok(Some(container)),
            Node::Text { text, token } => (text, token),
        };
        let value = self.value(text, token);
        let mut items = Vec::new();
        let mut add = |value: Value<'_, '_>| {
            let token = number(value.token());
            items.grow(Item { place: token, key: NONE, value: Node::Text { text, token } }, OutOfMemory::Document)
        };
        match value.kind() {
            Kind::Array => value.iter().try_for_each(add)?,
            Kind::Object => value.members().try_for_each(|member| add(member.value))?,
            _ => return Ok(None),
        }
        let opened = number(self.containers.len());
        let is_object = value.kind() == Kind::Object;
        self.containers.grow(Container { text, token, is_object, items }, OutOfMemory::Document)?;
        self.put(slot, Node::Open(opened));
        Ok(Some(opened))
    }

    /// Returns the key of a member, without quotes.
    pub(super) fn key(&self, container: &Container, item: &Item) -> &[u8] {
        if item.key != NONE {
            return &self.keys[item.key as usize];
        }
        let (tokens, key) = (self.tokens(container.text), item.place as usize - 2);
        &tokens.text()[tokens.start(key) + 1..tokens.start(key + 1)]
    }

    /// Adds a key, given without quotes, and returns its number.
    pub(super) fn new_key(&mut self, key: &[u8]) -> Result<u32, OutOfMemory> {
        let mut copy = Vec::new();
        copy.room(key.len(), OutOfMemory::Keys)?;
        copy.extend_from_slice(key);
        self.keys.grow(copy, OutOfMemory::Keys)?;
        Ok(number(self.keys.len() - 1))
    }

    /// Returns the index of the only member with a key, given without quotes.
    pub(super) fn member(&self, container: u32, key: &[u8]) -> Result<Option<usize>, Duplicate> {
        let container = self.container(container);
        let has_key = |item: &Item| same_key(self.key(container, item), key);
        let Some(index) = container.items.iter().position(has_key) else { return Ok(None) };
        if container.items[index + 1..].iter().any(has_key) { Err(Duplicate) } else { Ok(Some(index)) }
    }

    /// Returns a copy of a value that can be changed on its own.
    pub(super) fn copy(&mut self, node: Node) -> Result<Node, OutOfMemory> {
        let mut root = node;
        // Copied containers whose items are still those of the original.
        let mut rest = Vec::new();
        let copy = |tree: &mut Self, node: &mut Node, rest: &mut Vec<u32>| {
            let Node::Open(original) = *node else { return Ok(()) };
            let copied = number(tree.containers.len());
            tree.containers.grow(tree.container(original).clone(), OutOfMemory::Document)?;
            *node = Node::Open(copied);
            rest.grow(copied, OutOfMemory::Document)
        };
        copy(self, &mut root, &mut rest)?;
        while let Some(container) = rest.pop() {
            for index in 0..self.container(container).items.len() {
                let slot = Slot::Item { container, index };
                let mut node = self.get(slot);
                copy(self, &mut node, &mut rest)?;
                self.put(slot, node);
            }
        }
        Ok(root)
    }
}

/// Returns a number of a list that is shorter than 4 GiB, because each entry is for a byte of a text, or for an edit.
#[expect(clippy::cast_possible_truncation, reason = "lists are limited by texts, which are less than 4 GiB")]
pub(super) fn number(index: usize) -> u32 {
    index as u32
}
