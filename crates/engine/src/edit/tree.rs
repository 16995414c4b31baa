//! A document that is being changed: values of texts, and lists of items for the containers that edits look into.
//!
//! Nothing is copied from the document. A container whose items are listed is *open*; all others are a place in a text. So the cost of an
//! edit is that of the containers on its path, and an open container still knows the layout of its items. Open containers are on one
//! list and refer to each other by number, so that depth needs no stack.

#![forbid(unsafe_code)]

use std::cell::Cell;
#[cfg(feature = "query")]
use std::collections::VecDeque;
use std::ops::Range;

use crate::document::Kind;
use crate::document::Tokens;
use crate::document::Value;
use crate::edit::interests::Holes;
use crate::edit::table::Found;
use crate::edit::table::Table;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::memory::Grow;
#[cfg(feature = "query")]
use crate::query::Dependence;
#[cfg(feature = "query")]
use crate::query::Query;
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
    /// Whether it is a member that was removed from a wide object, so that the others keep their places in its table.
    pub(super) is_removed: bool,
}

impl Item {
    /// Returns an item that is not in the text of its container.
    pub(super) fn new(key: u32, value: Node) -> Self {
        Self { place: NONE, key, value, is_removed: false }
    }
}

/// An open container.
#[derive(Debug)]
pub(super) struct Container {
    /// The text that it is from, and the token of its opening bracket.
    pub(super) text: u32,
    pub(super) token: u32,
    pub(super) is_object: bool,
    pub(super) items: Vec<Item>,
    /// The number of the hole in which some of its members are.
    pub(super) hidden: Option<usize>,
    /// The members by their keys, if it is an object.
    table: Table,
    has_removed: bool,
}

impl Container {
    /// Returns the first token of an item: that of its key, if it is a member.
    pub(super) fn first_token(&self, place: usize) -> usize {
        if self.is_object { place - 2 } else { place }
    }

    /// Returns where an item begins in its text.
    pub(super) fn start(&self, tokens: Tokens<'_, '_>, place: usize) -> usize {
        tokens.start(self.first_token(place))
    }
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Root,
    Item { container: u32, index: usize },
}

/// How much of the document is still where it was, from more to less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// All values.
    Same,
    /// Some values have been replaced by strings, numbers or literals.
    Scalars,
    /// Some items have been removed, too.
    Emptied,
    Other,
}

#[cfg(feature = "query")]
impl Shape {
    /// Whether what locations depend on is the same, but for what was removed or replaced.
    pub(super) fn keeps(self, dependence: Dependence) -> bool {
        match self {
            Self::Same => true,
            Self::Scalars => dependence < Dependence::Values,
            Self::Emptied => dependence == Dependence::Names,
            Self::Other => false,
        }
    }
}

/// How a document is written.
#[derive(Clone, Debug)]
pub(super) struct Style<'d> {
    /// What is between a key and its value.
    pub(super) colon: &'d [u8],
    /// What a line of the items of a container has before it more than the line of its bracket; `None` if no container has its items
    /// on lines.
    pub(super) step: Option<&'d [u8]>,
    /// The end of a line; `None` if the document has only one.
    pub(super) line_end: Option<&'d [u8]>,
}

/// Members of an object that have the same key.
#[derive(Debug)]
pub(super) struct Duplicate;

/// A document that is being changed.
pub(super) struct Tree<'d> {
    /// The roots of the document and of the texts of the edits.
    texts: Vec<Value<'d, 'd>>,
    /// The text of the document with its comments, if they are to be kept. In `texts`, spaces are in their place.
    commented: Option<&'d [u8]>,
    containers: Vec<Container>,
    /// New keys, without quotes.
    keys: Vec<Vec<u8>>,
    pub(super) root: Node,
    /// The number of spaces for each level, if the document shows none.
    pub(super) indent: Option<u8>,
    pub(super) shape: Shape,
    /// What is left out of a document that is a skeleton.
    pub(super) holes: Option<&'d Holes<'d>>,
    /// The style of the document, if the skeleton does not show it.
    pub(super) style: Option<Style<'d>>,
    /// Whether an edit has looked into what is left out.
    pub(super) has_missed: Cell<bool>,
    /// The limit on the length of the new text, and on the memory of what was copied.
    pub(super) most: u64,
    /// The memory of what was copied, in bytes.
    copied: u64,
    /// The queries of the edits.
    #[cfg(feature = "query")]
    pub(super) queries: &'d [Query],
    /// The first tokens of the matches of the next queries, which were searched for together.
    #[cfg(feature = "query")]
    pub(super) found: VecDeque<Vec<usize>>,
}

impl<'d> Tree<'d> {
    /// Returns a document without changes. `texts` are those of the edits.
    pub(super) fn new(
        document: Value<'d, 'd>,
        commented: Option<&'d [u8]>,
        texts: impl Iterator<Item = Value<'d, 'd>>,
    ) -> Self {
        let texts = [document].into_iter().chain(texts).collect();
        let root = Node::Text { text: DOCUMENT, token: number(document.token()) };
        Self {
            texts,
            commented,
            containers: Vec::new(),
            keys: Vec::new(),
            root,
            indent: None,
            shape: Shape::Same,
            holes: None,
            style: None,
            has_missed: Cell::new(false),
            most: u64::MAX,
            copied: 0,
            #[cfg(feature = "query")]
            queries: &[],
            #[cfg(feature = "query")]
            found: VecDeque::new(),
        }
    }

    pub(super) fn document(&self) -> Value<'d, 'd> {
        self.texts[DOCUMENT as usize]
    }

    pub(super) fn tokens(&self, text: u32) -> Tokens<'d, 'd> {
        self.texts[text as usize].tokens()
    }

    /// Returns a part of a text with its comments.
    pub(super) fn source(&self, text: u32, range: Range<usize>) -> &'d [u8] {
        match self.commented {
            Some(commented) if text == DOCUMENT => {
                let start = self.document().start();
                &commented[range.start - start..range.end - start]
            }
            _ => &self.tokens(text).text()[range],
        }
    }

    /// Returns a text up to an index with its comments. What is before the document on its line depends on how the input is read.
    pub(super) fn source_before(&self, text: u32, end: usize) -> &'d [u8] {
        let start = if text == DOCUMENT { self.document().start() } else { 0 };
        self.source(text, start..end)
    }

    /// Whether a text may have comments.
    pub(super) fn keeps_comments(&self, text: u32) -> bool {
        text == DOCUMENT && self.commented.is_some()
    }

    /// Whether a part of a text has comments, or commas before closing brackets.
    pub(super) fn has_comments(&self, text: u32, range: Range<usize>) -> bool {
        self.keeps_comments(text) && self.source(text, range.clone()) != &self.tokens(text).text()[range]
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
        if self.hole(self.get(slot)).is_some() {
            self.has_missed.set(true);
            return Ok(None);
        }
        let value = self.value(text, token);
        let mut items = Vec::new();
        let mut add = |value: Value<'_, '_>| {
            let token = number(value.token());
            let item = Item { place: token, ..Item::new(NONE, Node::Text { text, token }) };
            items.grow(item, OutOfMemory::Document)
        };
        match value.kind() {
            Kind::Array => value.iter().try_for_each(add)?,
            Kind::Object => value.members().try_for_each(|member| add(member.value))?,
            _ => return Ok(None),
        }
        let opened = number(self.containers.len());
        let is_object = value.kind() == Kind::Object;
        let mut opened_container =
            Container { text, token, is_object, items, hidden: None, table: Table::default(), has_removed: false };
        if is_object
            && text == DOCUMENT
            && let Some(holes) = self.holes
        {
            let mut keys = opened_container.items.iter().map(|item| self.key(&opened_container, item));
            opened_container.hidden = keys.find_map(|key| holes.number(key));
        }
        self.containers.grow(opened_container, OutOfMemory::Document)?;
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
    pub(super) fn member(&mut self, container: u32, key: &[u8]) -> Result<Option<usize>, Duplicate> {
        let count = self.container(container).items.len();
        if self.containers[container as usize].table.is_due(count) {
            let mut table = std::mem::take(&mut self.containers[container as usize].table);
            let container = container as usize;
            let members = self.containers[container].items.iter().enumerate().filter(|(_, item)| !item.is_removed);
            let keys = members.map(|(index, item)| (index, self.key(&self.containers[container], item)));
            // Without enough memory, all members are looked at.
            if table.fill(keys).is_err() {
                table.clear();
            }
            self.containers[container].table = table;
        }
        let container = self.container(container);
        let has_key = |item: &Item| !item.is_removed && same_key(self.key(container, item), key);
        match container.table.find(key) {
            Found::Nothing => return Ok(self.not_shown(container, key)),
            // Another key may have the same hash.
            Found::Only(index) if has_key(&container.items[index]) => return Ok(Some(index)),
            _ => {}
        }
        let Some(index) = container.items.iter().position(has_key) else { return Ok(self.not_shown(container, key)) };
        if container.items[index + 1..].iter().any(has_key) { Err(Duplicate) } else { Ok(Some(index)) }
    }

    /// Whether the root is that of the document, maybe changed.
    pub(super) fn has_root(&self) -> bool {
        let document = (DOCUMENT, number(self.document().token()));
        self.origin(self.root) == document
    }

    /// Forgets where members are, after items were removed from the list.
    pub(super) fn clear_table(&mut self, container: u32) {
        self.containers[container as usize].table.clear();
    }

    /// Adds an item to the end of a container.
    pub(super) fn push(&mut self, container: u32, key: u32, value: Node) -> Result<(), OutOfMemory> {
        self.shape = Shape::Other;
        let Self { containers, keys, .. } = self;
        let container = &mut containers[container as usize];
        if key != NONE {
            container.table.add(&keys[key as usize], container.items.len())?;
        }
        container.items.grow(Item::new(key, value), OutOfMemory::Document)
    }

    /// Removes an item, and returns its value.
    pub(super) fn remove(&mut self, container: u32, index: usize) -> Node {
        let item = self.container(container).items[index];
        if !self.container(container).is_object {
            return self.items(container).remove(index).value;
        }
        let mut table = std::mem::take(&mut self.containers[container as usize].table);
        table.remove(self.key(self.container(container), &item));
        let container = &mut self.containers[container as usize];
        container.table = table;
        container.items[index].is_removed = true;
        container.has_removed = true;
        item.value
    }

    /// Gives a member another key, by its number.
    pub(super) fn set_key(&mut self, container: u32, index: usize, key: u32) -> Result<(), OutOfMemory> {
        let item = self.container(container).items[index];
        let mut table = std::mem::take(&mut self.containers[container as usize].table);
        table.remove(self.key(self.container(container), &item));
        let added = table.add(&self.keys[key as usize], index);
        let container = &mut self.containers[container as usize];
        container.table = table;
        container.items[index].key = key;
        added
    }

    /// Takes members that were removed off the lists, so that the tree can be written.
    pub(super) fn settle(&mut self) {
        for container in self.containers.iter_mut().filter(|container| container.has_removed) {
            container.items.retain(|item| !item.is_removed);
            container.has_removed = false;
            container.table.clear();
        }
    }

    /// Returns a copy of a value that can be changed on its own. Each copy of a document into itself doubles it, so memory is limited.
    pub(super) fn copy(&mut self, node: Node) -> Result<Node, Error> {
        let mut root = node;
        // Copied containers whose items are still those of the original.
        let mut rest = Vec::new();
        let copy = |tree: &mut Self, node: &mut Node, rest: &mut Vec<u32>| -> Result<(), Error> {
            let Node::Open(original) = *node else { return Ok(()) };
            let copied = number(tree.containers.len());
            let copy = tree.copy_container(original)?;
            tree.containers.grow(copy, OutOfMemory::Document)?;
            *node = Node::Open(copied);
            Ok(rest.grow(copied, OutOfMemory::Document)?)
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

    /// Returns a container with the same items, if memory and its limit suffice.
    fn copy_container(&mut self, container: u32) -> Result<Container, Error> {
        let originals = &self.containers[container as usize];
        self.copied += (size_of::<Container>() + size_of_val(&originals.items[..])) as u64;
        // mutant: if false {
        if self.copied > self.most {
            return Err(Error::document_limit(self.most, 0));
        }
        let mut items = Vec::new();
        items.room(originals.items.len(), OutOfMemory::Document)?;
        items.extend_from_slice(&originals.items);
        let Container { text, token, is_object, hidden, has_removed, .. } = *originals;
        Ok(Container { text, token, is_object, items, hidden, table: Table::default(), has_removed })
    }
}

/// Returns a number of a list that is shorter than 4 GiB, because each entry is for a byte of a text, or for an edit.
#[expect(clippy::cast_possible_truncation, reason = "lists are limited by texts, which are less than 4 GiB")]
pub(super) fn number(index: usize) -> u32 {
    index as u32
}
