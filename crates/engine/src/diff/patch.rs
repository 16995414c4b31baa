//! Differences as a JSON Patch (RFC 6902) or a merge patch (RFC 7396).

#![forbid(unsafe_code)]

use std::io;
use std::io::Write;

use crate::diff::changes::Change;
use crate::diff::changes::ChangeNode;
use crate::diff::changes::Changes;
use crate::diff::changes::State;
use crate::diff::hashes::NONE;
use crate::document::Kind;
use crate::document::Value;
use crate::scalar::Escape;
use crate::scalar::escape;
use crate::writer::Writer;

impl Changes<'_> {
    /// Returns a JSON Patch (RFC 6902) that makes the second document of the first, with an operation on each line. With
    /// [`ArrayMatching::Set`](crate::ArrayMatching::Set) and [`Key`](crate::ArrayMatching::Key), elements may be in another order.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    #[expect(clippy::expect_used, reason = "like any growing string")]
    pub fn to_patch(&self) -> String {
        let mut patch = Vec::new();
        self.write_patch(&mut patch).expect("enough memory");
        String::from_utf8(patch).expect("made of texts")
    }

    /// Writes the text that [`to_patch`](Self::to_patch) returns.
    ///
    /// # Errors
    /// If `output` fails.
    pub fn write_patch(&self, output: &mut dyn Write) -> io::Result<()> {
        if self.is_empty() {
            return output.write_all(b"[]");
        }
        for (index, change) in self.iter().enumerate() {
            output.write_all(if index == 0 { b"[\n" } else { b",\n" })?;
            write_operation(&change, output)?;
        }
        output.write_all(b"\n]")
    }

    /// Returns a merge patch (RFC 7396) that makes the second document of the first. Arrays that differ are in it as a whole. `None` if there
    /// is none: it cannot set a member to null, nor replace an object by another, which is necessary if it has duplicate keys. There is none of records, either.
    ///
    /// ```
    /// use fjson::{DiffOptions, Parser, diff};
    ///
    /// let (mut left, mut right) = (Parser::new(), Parser::new());
    /// let old = left.document(br#"{"a": {"b": 1, "c": [1]}, "d": 2.0}"#)?.root();
    /// let new = right.document(br#"{"a": {"c": [1, 2]}, "d": 2}"#)?.root();
    /// let changes = diff(old, new, &DiffOptions::new())?;
    /// assert_eq!(changes.to_merge_patch().as_deref(), Some(r#"{"a": {"b": null, "c": [1,2]}}"#));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    #[expect(clippy::expect_used, reason = "like any growing string")]
    pub fn to_merge_patch(&self) -> Option<String> {
        self.merge_patch().expect("enough memory")
    }

    fn merge_patch(&self) -> io::Result<Option<String>> {
        let Some(new) = self.new_value(self.roots.1) else { return Ok(None) };
        let Some(root) = self.nodes.first().filter(|_| !self.is_empty()) else {
            let patch = if new.kind() == Kind::Object { b"{}".to_vec() } else { compact(new)? };
            return Ok(Some(text(patch)));
        };
        let has_changes = self.has_changes();
        let mut patch = Vec::new();
        // The objects that are being written, with the number of their members.
        let mut open: Vec<(u32, usize)> = Vec::new();
        if !self.is_merged_inside(root) {
            return Ok(self.merged(root, true)?.map(text));
        }
        let mut skipped_from = NONE;
        for (index, node) in self.nodes.iter().enumerate().filter(|&(index, _)| has_changes[index]) {
            let index = super::number(index);
            // What is in an array is part of it.
            if node.parent != NONE && node.parent >= skipped_from {
                continue;
            }
            skipped_from = NONE;
            // mutant: if open.last().is_some_and(|around| around.0 != node.parent) {
            while open.last().is_some_and(|around| around.0 != node.parent) {
                open.pop();
                patch.push(b'}');
            }
            if let Some((_, count)) = open.last_mut() {
                *count += 1;
                patch.extend_from_slice(if *count == 1 { b"" } else { b", " });
                patch.extend_from_slice(self.key(&node.item).map_or("", Value::raw).as_bytes());
                patch.extend_from_slice(b": ");
            }
            if self.is_merged_inside(node) {
                open.push((index, 0));
                patch.push(b'{');
            } else {
                skipped_from = index;
                let Some(value) = self.merged(node, false)? else { return Ok(None) };
                patch.extend(value);
            }
        }
        patch.extend(open.iter().map(|_| b'}'));
        Ok(Some(text(patch)))
    }

    /// Whether an item is an object of whose members only some are in a merge patch.
    fn is_merged_inside(&self, node: &ChangeNode) -> bool {
        node.state == State::Inside && self.new_value(node.item.new).is_some_and(|value| value.kind() == Kind::Object)
    }

    /// Returns the value of a member in a merge patch, or of the whole; `None` if there is no such value.
    fn merged(&self, node: &ChangeNode, is_root: bool) -> io::Result<Option<Vec<u8>>> {
        let Some(new) = self.new_value(node.item.new) else { return Ok(Some(b"null".to_vec())) };
        let old = self.old(node.item.old);
        let are_objects = new.kind() == Kind::Object && old.is_some_and(|old| old.kind() == Kind::Object);
        // mutant: let can_be_set = is_mergeable(new) && (is_root || !new.is_null());
        let can_be_set = !are_objects && is_mergeable(new) && (is_root || !new.is_null());
        can_be_set.then(|| compact(new)).transpose()
    }

    /// Returns for each item whether it or an item in it differs.
    fn has_changes(&self) -> Vec<bool> {
        let mut has_changes: Vec<_> = self.nodes.iter().map(|node| node.state == State::Changed).collect();
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if has_changes[index] && node.parent != NONE {
                has_changes[node.parent as usize] = true;
            }
        }
        has_changes
    }
}

fn write_operation(change: &Change<'_, '_>, output: &mut dyn Write) -> io::Result<()> {
    let op = match (change.old_value(), change.new_value()) {
        (None, _) => "add",
        (_, None) => "remove",
        _ => "replace",
    };
    let mut pointer = Vec::new();
    escape(&change.pointer(), Escape::minimal(), &mut pointer).map_err(|_| io::ErrorKind::OutOfMemory)?;
    write!(output, "  {{\"op\": \"{op}\", \"path\": \"")?;
    output.write_all(&pointer)?;
    output.write_all(b"\"")?;
    if let Some(value) = change.new_value() {
        output.write_all(b", \"value\": ")?;
        output.write_all(&compact(value)?)?;
    }
    output.write_all(b"}")
}

/// Returns the text of a value without whitespace.
pub(super) fn compact(value: Value<'_, '_>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new());
    writer.value(value);
    writer.finish().map_err(io::Error::from)
}

fn text(patch: Vec<u8>) -> String {
    String::from_utf8(patch).unwrap_or_default()
}

/// Whether a merge patch can set a value: it has no member that is null, except in arrays.
fn is_mergeable(value: Value<'_, '_>) -> bool {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        for member in value.members() {
            // mutant: if false {
            if member.value.is_null() {
                return false;
            }
            if member.value.kind() == Kind::Object {
                rest.push(member.value);
            }
        }
    }
    true
}
