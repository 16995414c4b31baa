//! Makes edits at JSON Pointers.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::document::OwnedDocument;
use crate::document::Value;
use crate::edit::error::Failure;
use crate::edit::error::Refusal;
use crate::edit::path::ReferenceToken;
use crate::edit::path::quoted;
use crate::edit::path::shown;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Item;
use crate::edit::tree::NONE;
use crate::edit::tree::Node;
use crate::edit::tree::Slot;
use crate::edit::tree::Tree;
use crate::edit::writing::write;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;
use crate::input::blank_comments;
use crate::memory::Grow;

/// The texts of the edits begin with an empty object and an empty array.
pub(super) const EMPTY_OBJECT: Node = Node::Text { text: 1, token: 0 };
pub(super) const EMPTY_ARRAY: Node = Node::Text { text: 2, token: 0 };

/// What is done about containers that do not exist on the way to a new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parents {
    MustExist,
    AreCreated,
}

/// Where a value is to be put.
pub(super) enum Target {
    /// In the place of a value.
    Value(Slot),
    /// As the last item of a container.
    End(u32),
}

impl Tree<'_> {
    /// Returns where the value at a pointer is.
    pub(super) fn find(&mut self, steps: &[ReferenceToken]) -> Result<Slot, Failure> {
        let mut slot = Slot::Root;
        for (depth, step) in steps.iter().enumerate() {
            slot = self.child(slot, &steps[..=depth], step)?;
        }
        Ok(slot)
    }

    /// Returns where the item of a container is that the last of these steps names.
    fn child(&mut self, parent: Slot, steps: &[ReferenceToken], step: &ReferenceToken) -> Result<Slot, Failure> {
        let Some(container) = self.open(parent)? else { return Err(self.no_container(parent, steps)) };
        let opened = self.container(container);
        let found = if opened.is_object {
            self.member(container, &step.key).map_err(|_| self.duplicate(parent, steps))?
        } else {
            step.index.and_then(|index| self.element(container, index))
        };
        match found {
            Some(index) => Ok(Slot::Item { container, index }),
            None => Err(self.missing(parent, container, steps)),
        }
    }

    /// Returns where a value at a pointer is to be put: over the value there, or at the end of its container.
    pub(super) fn place_for(&mut self, steps: &[ReferenceToken], parents: Parents) -> Result<Target, Failure> {
        let Some((last, before)) = steps.split_last() else { return Ok(Target::Value(Slot::Root)) };
        let parent = match parents {
            Parents::MustExist => self.find(before)?,
            Parents::AreCreated => self.find_or_create(steps)?,
        };
        let Some(container) = self.open(parent)? else { return Err(self.no_container(parent, steps)) };
        if self.container(container).is_object {
            let found = self.member(container, &last.key).map_err(|_| self.duplicate(parent, steps))?;
            Ok(found.map_or(Target::End(container), |index| Target::Value(Slot::Item { container, index })))
        } else if last.is_end() {
            Ok(Target::End(container))
        } else {
            self.child(parent, steps, last).map(Target::Value)
        }
    }

    /// Returns where the container is that the last of these steps names an item of. Creates it, and those around it, if they are
    /// members that do not exist: arrays where `-` follows, otherwise objects.
    fn find_or_create(&mut self, steps: &[ReferenceToken]) -> Result<Slot, Failure> {
        let mut slot = Slot::Root;
        for depth in 1..steps.len() {
            let Some(container) = self.open(slot)? else { return Err(self.no_container(slot, &steps[..depth])) };
            let (step, opened) = (&steps[depth - 1], self.container(container));
            let (is_object, end) = (opened.is_object, opened.items.len());
            let found = if is_object {
                self.member(container, &step.key).map_err(|_| self.duplicate(slot, &steps[..depth]))?
            } else if step.is_end() {
                None
            } else {
                step.index.and_then(|index| self.element(container, index))
            };
            let index = match found {
                Some(index) => index,
                None if is_object || step.is_end() => {
                    let node = if steps[depth].is_end() { EMPTY_ARRAY } else { EMPTY_OBJECT };
                    self.add(container, end, step, node)?;
                    end
                }
                None => return Err(self.missing(slot, container, &steps[..depth])),
            };
            slot = Slot::Item { container, index };
        }
        Ok(slot)
    }

    /// Adds an item to a container: an element before that with this index, or a member with the key of `step` at the end.
    fn add(&mut self, container: u32, index: usize, step: &ReferenceToken, value: Node) -> Result<(), OutOfMemory> {
        if self.container(container).is_object {
            let key = self.new_key(&step.key)?;
            return self.push(container, key, value);
        }
        self.items(container).room(1, OutOfMemory::Document)?;
        // mutant: self.items(container).push(Item::new(NONE, value));
        self.items(container).insert(index, Item::new(NONE, value));
        Ok(())
    }

    /// Puts a value at a pointer: over the value there, as a new member, or behind the last element.
    pub(super) fn set(&mut self, steps: &[ReferenceToken], value: Node, parents: Parents) -> Result<(), Failure> {
        if let (Parents::MustExist, Some((_, before))) = (parents, steps.split_last()) {
            self.find(before).map_err(|failure| failure.with_help("missing parents can be created"))?;
        }
        match (self.place_for(steps, parents)?, steps.last()) {
            (Target::Value(slot), _) => self.put(slot, value),
            (Target::End(container), Some(step)) => {
                let index = self.container(container).items.len();
                self.add(container, index, step, value)?;
            }
            (Target::End(_), None) => {}
        }
        Ok(())
    }

    /// Puts a value at a pointer like `add` of RFC 6902: an element before the one with the same index, or a member, in the place of
    /// one with the same key.
    pub(super) fn insert(&mut self, steps: &[ReferenceToken], value: Node, parents: Parents) -> Result<(), Failure> {
        let Some((last, before)) = steps.split_last() else { return self.set(steps, value, parents) };
        let parent = match parents {
            Parents::MustExist => self.find(before)?,
            Parents::AreCreated => self.find_or_create(steps)?,
        };
        let Some(container) = self.open(parent)? else { return Err(self.no_container(parent, steps)) };
        let opened = self.container(container);
        if opened.is_object {
            // The parents exist now.
            return self.set(steps, value, Parents::MustExist);
        }
        let end = opened.items.len();
        let index =
            // mutant: last.index.and_then(|index| self.position(container, index));
            if last.is_end() { Some(end) } else { last.index.and_then(|index| self.position(container, index)) };
        let Some(index) = index else { return Err(self.missing(parent, container, steps)) };
        Ok(self.add(container, index, last, value)?)
    }

    /// Appends an element to the array at a slot. `steps` lead to it, unless a query does.
    pub(super) fn append(&mut self, slot: Slot, steps: Option<&[ReferenceToken]>, value: Node) -> Result<(), Failure> {
        if self.kind(self.get(slot)) != Kind::Array {
            let message = format!("{} is {}, expected an array to append to", target(steps), self.noun(slot));
            return Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot));
        }
        if let Some(container) = self.open(slot)? {
            self.push(container, NONE, value)?;
        }
        Ok(())
    }

    /// Removes the item at a slot, and returns its value.
    pub(super) fn delete(&mut self, slot: Slot) -> Result<Node, Failure> {
        match slot {
            Slot::Root => {
                let message = "the root of a document cannot be deleted".to_owned();
                Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot))
            }
            Slot::Item { container, index } => Ok(self.remove(container, index)),
        }
    }

    /// Gives the member at a slot another key. `steps` lead to it, unless a query does.
    pub(super) fn rename(
        &mut self,
        slot: Slot,
        steps: Option<&[ReferenceToken]>,
        name: &str,
        key: &[u8],
    ) -> Result<(), Failure> {
        let member = match slot {
            Slot::Item { container, index } if self.container(container).is_object => Some((container, index)),
            _ => None,
        };
        let Some((container, index)) = member else {
            let message = format!("{} is no member of an object, so it has no key", target(steps));
            return Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot));
        };
        match self.member(container, key) {
            // mutant: Ok(Some(_)) => Ok(()),
            Ok(Some(found)) if found == index => Ok(()),
            Ok(None) => {
                let key = self.new_key(key)?;
                Ok(self.set_key(container, index, key)?)
            }
            _ => {
                let message = format!("the object has a member {} already", quoted(name));
                Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot))
            }
        }
    }

    /// Moves a value from one pointer to another, like RFC 6902.
    pub(super) fn move_to(
        &mut self,
        from: &[ReferenceToken],
        to: &[ReferenceToken],
        parents: Parents,
    ) -> Result<(), Failure> {
        let slot = self.find(from)?;
        self.look_into(self.get(slot));
        let is_same = |(from, to): (&ReferenceToken, &ReferenceToken)| from.name == to.name;
        if from.len() <= to.len() && from.iter().zip(to).all(is_same) {
            // mutant: if true {
            if from.len() == to.len() {
                return Ok(());
            }
            let message = format!("{} cannot be moved into itself, to {}", shown(from), shown(to));
            return Err(self.refusal(ErrorKind::TargetUnsuitable, message, None, slot));
        }
        // mutant: let value = self.get(slot);
        let value = if to.is_empty() { self.get(slot) } else { self.delete(slot)? };
        self.insert(to, value, parents)
    }

    /// Copies a value from one pointer to another, like RFC 6902.
    pub(super) fn copy_to(
        &mut self,
        from: &[ReferenceToken],
        to: &[ReferenceToken],
        parents: Parents,
    ) -> Result<(), Failure> {
        let slot = self.find(from)?;
        self.look_into(self.get(slot));
        // mutant: let copy = self.get(slot);
        let copy = self.copy(self.get(slot))?;
        self.insert(to, copy, parents)
    }

    /// Compares the value at a slot with another. `steps` lead to it, unless a query does.
    pub(super) fn test(
        &mut self,
        slot: Slot,
        steps: Option<&[ReferenceToken]>,
        expected: Value<'_, '_>,
    ) -> Result<(), Failure> {
        let node = self.get(slot);
        self.look_into(node);
        let is_equal = match node {
            Node::Text { text, token } => self.value(text, token) == expected,
            Node::Open(_) => {
                self.settle();
                let mut text = write(self, node, true)?;
                if self.keeps_comments(DOCUMENT) {
                    blank_comments(&mut text);
                }
                OwnedDocument::new(text)?.root() == expected
            }
        };
        if is_equal {
            return Ok(());
        }
        let message = format!("{} differs from the expected value, {}", target(steps), brief(expected));
        Err(self.refusal(ErrorKind::TestFailed, message, None, slot))
    }

    /// Returns the refusal of an edit, for a reason that is the value at a slot.
    pub(super) fn refusal(&self, kind: ErrorKind, message: String, help: Option<&'static str>, slot: Slot) -> Failure {
        Refusal { kind, message, help, place: self.place(self.get(slot)) }.into()
    }

    /// The container at a slot has several members with the key of the last of these steps.
    pub(super) fn duplicate(&self, object: Slot, steps: &[ReferenceToken]) -> Failure {
        let message = format!("{} is the place of several members with the same key", shown(steps));
        let help = "a query can edit one of them by its value, or all of them";
        self.refusal(ErrorKind::TargetUnsuitable, message, Some(help), object)
    }

    /// The value at a slot has no items, so the last of these steps leads nowhere.
    fn no_container(&self, slot: Slot, steps: &[ReferenceToken]) -> Failure {
        let parent = shown(&steps[..steps.len().saturating_sub(1)]);
        let message = format!("{} does not exist: {parent} is {}", shown(steps), self.noun(slot));
        self.refusal(ErrorKind::TargetMissing, message, Some("only objects and arrays contain values"), slot)
    }

    /// The container at a slot has no item that the last of these steps names.
    fn missing(&self, slot: Slot, container: u32, steps: &[ReferenceToken]) -> Failure {
        let (target, opened) = (shown(steps), self.container(container));
        let Some((step, before)) = steps.split_last() else {
            return self.refusal(ErrorKind::TargetMissing, target, None, slot);
        };
        let parent = if before.is_empty() { String::new() } else { format!(" at {}", shown(before)) };
        let reason = if opened.is_object {
            format!("the object{parent} has no member {}", quoted(&step.name))
        } else if step.index.is_some() || step.is_end() {
            let count = self.length(container);
            let s = if count == 1 { "" } else { "s" };
            format!("the array{parent} has {count} element{s}")
        } else {
            format!("{} is no index of the array{parent}", quoted(&step.name))
        };
        let message = format!("{target} does not exist: {reason}");
        let help = (!opened.is_object && step.index.is_some()).then_some("`-` is the place after the last element");
        self.refusal(ErrorKind::TargetMissing, message, help, slot)
    }

    /// Returns the type of the value at a slot in words.
    fn noun(&self, slot: Slot) -> &'static str {
        match self.kind(self.get(slot)) {
            Kind::Null => "`null`",
            Kind::Bool => "a Boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

/// Returns the name of a target for a message.
fn target(steps: Option<&[ReferenceToken]>) -> String {
    steps.map_or_else(|| "the match".to_owned(), shown)
}

/// Returns the text of a value for a message, if it is short, or else its type.
fn brief(value: Value<'_, '_>) -> String {
    match value.kind() {
        Kind::Array => "an array".to_owned(),
        Kind::Object => "an object".to_owned(),
        _ => quoted(value.raw()),
    }
}
