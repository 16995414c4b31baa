//! JSON Merge Patch (RFC 7396).

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::document::Members;
use crate::document::Value;
use crate::edit::change::EMPTY_OBJECT;
use crate::edit::error::Failure;
use crate::edit::error::Refusal;
use crate::edit::path::quoted;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Node;
use crate::edit::tree::Slot;
use crate::edit::tree::Tree;
use crate::edit::tree::number;
use crate::error::ErrorKind;
use crate::error::OutOfMemory;
use crate::memory::Grow;

impl<'d> Tree<'d> {
    /// Merges a value of a text into the document. Values that are equal already stay as they are written. Returns the number of values
    /// that changed.
    pub(super) fn merge(&mut self, text: u32, token: u32) -> Result<u64, Failure> {
        let patch = self.value(text, token);
        let mut changes = 0;
        let mut open: Vec<(u32, Members<'d, 'd>)> = Vec::new();
        match self.merge_value(Slot::Root, text, patch, &mut changes)? {
            Some(object) => open.grow((object, patch.members()), OutOfMemory::Document)?,
            None => return Ok(changes),
        }
        while let Some((object, members)) = open.last_mut() {
            let (object, Some(member)) = (*object, members.next()) else {
                open.pop();
                continue;
            };
            let view = member.key.tokens();
            let key = &view.text()[member.key.start() + 1..view.start(member.key.token() + 1)];
            let Ok(found) = self.member(object, key) else { return Err(self.ambiguous(object, key)) };
            match found {
                None if member.value.is_null() => {}
                None => {
                    let value = self.without_nulls(text, member.value)?;
                    let key = self.new_key(key)?;
                    self.push(object, key, value)?;
                    changes += 1;
                }
                Some(index) if member.value.is_null() => {
                    self.remove(object, index);
                    changes += 1;
                }
                Some(index) => {
                    let slot = Slot::Item { container: object, index };
                    if let Some(inner) = self.merge_value(slot, text, member.value, &mut changes)? {
                        open.grow((inner, member.value.members()), OutOfMemory::Document)?;
                    }
                }
            }
        }
        Ok(changes)
    }

    /// Merges a value that is not null into the value at a slot. Returns the object there if both are objects, whose members are still
    /// to be merged.
    fn merge_value(
        &mut self,
        slot: Slot,
        text: u32,
        patch: Value<'d, 'd>,
        changes: &mut u64,
    ) -> Result<Option<u32>, Failure> {
        let node = self.get(slot);
        if patch.kind() == Kind::Object {
            if self.kind(node) == Kind::Object {
                return Ok(self.open(slot)?);
            }
            let value = self.without_nulls(text, patch)?;
            self.put(slot, value);
            *changes += 1;
            return Ok(None);
        }
        self.look_into(node);
        if let Node::Text { text, token } = node
            && self.value(text, token) == patch
        {
            return Ok(None);
        }
        self.put(slot, Node::Text { text, token: number(patch.token()) });
        *changes += 1;
        Ok(None)
    }

    /// Returns a value of a patch without the members that are null, except in arrays: what is merged where there is nothing.
    fn without_nulls(&mut self, text: u32, patch: Value<'d, 'd>) -> Result<Node, OutOfMemory> {
        let node = Node::Text { text, token: number(patch.token()) };
        if patch.kind() != Kind::Object || !patch.raw().contains("null") {
            return Ok(node);
        }
        // A root to hold the value while it is changed.
        let outer = std::mem::replace(&mut self.root, node);
        let mut rest = vec![Slot::Root];
        while let Some(slot) = rest.pop() {
            let Some(container) = self.open(slot)? else { continue };
            let mut items = std::mem::take(self.items(container));
            items.retain(|item| self.kind(item.value) != Kind::Null);
            for (index, item) in items.iter().enumerate() {
                if self.kind(item.value) == Kind::Object {
                    rest.grow(Slot::Item { container, index }, OutOfMemory::Document)?;
                }
            }
            *self.items(container) = items;
        }
        let value = std::mem::replace(&mut self.root, outer);
        let is_empty = matches!(value, Node::Open(object) if self.container(object).items.is_empty());
        Ok(if is_empty { EMPTY_OBJECT } else { value })
    }

    /// An object of the document has several members with a key of the patch.
    fn ambiguous(&self, object: u32, key: &[u8]) -> Failure {
        let object = self.container(object);
        let place = (object.text == DOCUMENT).then(|| self.tokens(DOCUMENT).start(object.token as usize));
        let message = format!("the object has several members {}", quoted(&String::from_utf8_lossy(key)));
        Refusal { kind: ErrorKind::TargetUnsuitable, message, help: None, place }.into()
    }
}
