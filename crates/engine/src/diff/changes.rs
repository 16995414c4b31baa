//! The differences between two documents, as a tree of the containers that they have in common.

#![forbid(unsafe_code)]

use crate::diff::ComparedItem;
use crate::diff::ItemPlace;
use crate::diff::hashes::NONE;
use crate::diff::number;
use crate::document::Tokens;
use crate::document::Value;
use crate::document::push_token;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// What is known about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Changed,
    /// A container whose items were compared.
    Inside,
    /// It is equal, and near to one that is not.
    Context,
}

/// An item, with the number of the container around it. Those of a container follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeNode {
    pub(super) parent: u32,
    pub(super) item: ComparedItem,
    pub(super) state: State,
}

/// The differences between two documents; see [`diff`](crate::diff).
#[derive(Clone, Debug)]
pub struct Changes<'v> {
    old: Option<Tokens<'v, 'v>>,
    new: Option<Tokens<'v, 'v>>,
    /// The documents; [`NONE`] if these are records.
    pub(super) roots: (u32, u32),
    pub(super) nodes: Vec<ChangeNode>,
    count: usize,
}

impl<'v> Changes<'v> {
    pub(super) fn new(
        old: Option<Tokens<'v, 'v>>,
        new: Option<Tokens<'v, 'v>>,
        roots: (u32, u32),
        nodes: Vec<ChangeNode>,
    ) -> Self {
        let count = nodes.iter().filter(|node| node.state == State::Changed).count();
        Self { old, new, roots, nodes, count }
    }

    /// Returns the changes of records that are on one side only.
    pub(super) fn of_one_side(olds: &[Value<'v, 'v>], news: &[Value<'v, 'v>]) -> Result<Self, OutOfMemory> {
        let mut nodes = Vec::new();
        nodes.room(olds.len() + news.len() + 1, OutOfMemory::Matches)?;
        nodes.push(ChangeNode { parent: NONE, item: ComparedItem::root(), state: State::Inside });
        let node = |item: ComparedItem, (at, old, new): (u32, u32, u32)| {
            let place = ItemPlace::Element { at, old, new, before: NONE, after: NONE };
            ChangeNode { parent: 0, item: ComparedItem { place, ..item }, state: State::Changed }
        };
        for (index, old) in olds.iter().enumerate() {
            let item = ComparedItem { old: number(old.token()), ..ComparedItem::root() };
            nodes.push(node(item, (0, number(index), 0)));
        }
        for (index, new) in news.iter().enumerate() {
            let item = ComparedItem { new: number(new.token()), ..ComparedItem::root() };
            nodes.push(node(item, (number(index), 0, number(index))));
        }
        let tokens = |list: &[Value<'v, 'v>]| list.first().map(|value| value.tokens());
        Ok(Self::new(tokens(olds), tokens(news), (NONE, NONE), nodes))
    }

    /// Whether the documents are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the number of differences.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the differences, in an order in which they can be made.
    pub fn iter(&self) -> impl Iterator<Item = Change<'_, 'v>> {
        self.with_context().filter(|change| !change.is_context())
    }

    /// Returns the differences, and between them the items that [`DiffOptions::context`](crate::DiffOptions::context) asks for.
    ///
    /// ```
    /// use fjson::{DiffOptions, Parser, diff};
    ///
    /// let (mut left, mut right) = (Parser::new(), Parser::new());
    /// let old = left.document(b"[1, 2, 3, 4, 5]")?.root();
    /// let new = right.document(b"[1, 2, 3, 5]")?.root();
    /// let changes = diff(old, new, &DiffOptions::new().context(1))?;
    /// let lines: Vec<_> = changes.with_context().map(|it| (it.is_context(), it.old_value().unwrap().raw())).collect();
    /// assert_eq!(lines, [(true, "3"), (false, "4"), (true, "5")]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    pub fn with_context(&self) -> impl Iterator<Item = Change<'_, 'v>> {
        let is_shown = |node: &&ChangeNode| node.state != State::Inside;
        self.nodes.iter().filter(is_shown).map(|node| Change { changes: self, node })
    }

    pub(super) fn old(&self, token: u32) -> Option<Value<'v, 'v>> {
        self.old.filter(|_| token != NONE).map(|tokens| tokens.value(token as usize))
    }

    pub(super) fn new_value(&self, token: u32) -> Option<Value<'v, 'v>> {
        self.new.filter(|_| token != NONE).map(|tokens| tokens.value(token as usize))
    }

    /// Returns the key of a member; `None` for an element and the root.
    pub(super) fn key(&self, item: &ComparedItem) -> Option<Value<'v, 'v>> {
        if !matches!(item.place, ItemPlace::Member) {
            return None;
        }
        let (tokens, value) = if item.old == NONE { (self.new, item.new) } else { (self.old, item.old) };
        tokens.map(|tokens| tokens.value(value as usize - 2))
    }

    /// Returns the items around an item and itself, from the root on.
    pub(super) fn path(&self, node: &ChangeNode) -> Vec<&ChangeNode> {
        let mut path = Vec::new();
        let mut parent = node.parent;
        while parent != NONE {
            let around = &self.nodes[parent as usize];
            path.push(around);
            parent = around.parent;
        }
        path.reverse();
        path
    }

    /// Returns the JSON Pointer of an item, with the index of elements that `index` returns.
    fn pointer(&self, node: &ChangeNode, index: impl Fn(&ItemPlace) -> u32) -> String {
        let mut pointer = String::new();
        for node in self.path(node).into_iter().chain([node]) {
            match (self.key(&node.item), &node.item.place) {
                (Some(key), _) => push_token(&mut pointer, &key.as_str_lossy().unwrap_or_default()),
                (None, place @ ItemPlace::Element { .. }) => match index(place) {
                    NONE => pointer += "/-",
                    index => pointer.extend(["/", &index.to_string()]),
                },
                _ => {}
            }
        }
        pointer
    }
}

/// A difference between two documents, or an item near to one.
#[derive(Clone, Copy, Debug)]
pub struct Change<'c, 'v> {
    changes: &'c Changes<'v>,
    node: &'c ChangeNode,
}

impl<'v> Change<'_, 'v> {
    /// Returns the value in the first document; `None` if it was added.
    #[must_use]
    pub fn old_value(&self) -> Option<Value<'v, 'v>> {
        self.changes.old(self.node.item.old)
    }

    /// Returns the value in the second document; `None` if it was removed.
    #[must_use]
    pub fn new_value(&self) -> Option<Value<'v, 'v>> {
        self.changes.new_value(self.node.item.new)
    }

    /// Whether it is equal in both documents, and only near to a difference.
    #[must_use]
    pub fn is_context(&self) -> bool {
        self.node.state == State::Context
    }

    /// Returns where it is: a JSON Pointer into the first document with all changes before this one. `-` is the place after the last
    /// element.
    #[must_use]
    pub fn pointer(&self) -> String {
        self.changes.pointer(self.node, |place| match place {
            ItemPlace::Element { at, .. } => *at,
            _ => NONE,
        })
    }

    /// Returns the JSON Pointer of the value in the first document, or that of the value in the second one if it was added.
    ///
    /// ```
    /// use fjson::{DiffOptions, Parser, diff};
    ///
    /// let (mut left, mut right) = (Parser::new(), Parser::new());
    /// let old = left.document(br#"["a", "b", {"n": 1}]"#)?.root();
    /// let new = right.document(br#"[{"n": 2}]"#)?.root();
    /// let changes = diff(old, new, &DiffOptions::new())?;
    /// let places: Vec<_> = changes.iter().map(|change| (change.pointer(), change.own_pointer())).collect();
    /// assert_eq!(places[0], ("/0".to_owned(), "/0".to_owned()));
    /// assert_eq!(places[1], ("/0".to_owned(), "/1".to_owned()));
    /// assert_eq!(places[2], ("/0/n".to_owned(), "/2/n".to_owned()));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn own_pointer(&self) -> String {
        let is_added = self.node.item.old == NONE;
        self.changes.pointer(self.node, |place| match place {
            ItemPlace::Element { new, .. } if is_added => *new,
            ItemPlace::Element { old, .. } => *old,
            _ => NONE,
        })
    }
}
