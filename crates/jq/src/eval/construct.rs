//! Arrays, objects and strings that are built from outputs.

#![forbid(unsafe_code)]

use crate::builtins;
use crate::eval::item::Item;
use crate::eval::machine::Machine;
use crate::eval::stop::Flow;
use crate::eval::stop::fail;
use crate::eval::stop::output;
use crate::ir::FormatPart;
use crate::ir::Key;
use crate::ir::MOST_PICKED;
use crate::ir::MemberKey;
use crate::ir::Node;
use crate::value::Array;
use crate::value::Object;
use crate::value::Text;
use crate::value::Value;
use crate::value::excerpt;

impl<'p> Machine<'p> {
    /// A state that is kept until the next value comes.
    #[inline]
    pub(super) fn kept<X: Item>(&self, state: X) -> X {
        if self.context.reads_inputs { state.kept() } else { state }
    }

    /// A value that becomes part of another. While further inputs are read, it must not keep the text of its input for itself.
    #[inline]
    pub(super) fn part(&self, value: Value) -> Value {
        if self.context.reads_inputs { value.kept() } else { value }
    }

    /// All outputs in an array.
    pub(super) fn array(&mut self, items: &'p Node, environment: usize, input: Value) -> Flow<Array> {
        let mut array = Array::new();
        self.many::<Value>(items, environment, input, &mut |machine, output| {
            machine.step()?;
            let output = machine.part(output);
            array.push(output);
            Ok(())
        })?;
        Ok(array)
    }

    pub(super) fn object(
        &mut self,
        members: &'p [(MemberKey, Node)],
        environment: usize,
        input: &Value,
    ) -> Flow<Option<Value>> {
        let mut object = Object::with_capacity(members.len());
        for (key, value) in members {
            let key = match key {
                MemberKey::Constant(key) => self.key_text(key.constant)?,
                MemberKey::Computed(key) => member_key(&output!(self.read(key, environment, input)))?,
            };
            let value = output!(self.read(value, environment, input));
            object.insert(key, self.part(value));
        }
        Ok(Some(object.into()))
    }

    /// A constant string.
    pub(super) fn key_text(&self, constant: usize) -> Flow<Text> {
        member_key(&self.constants[constant])
    }

    pub(super) fn format(
        &mut self,
        format: &str,
        parts: &'p [FormatPart],
        environment: usize,
        input: &Value,
    ) -> Flow<Option<Value>> {
        let mut text = String::new();
        for part in parts {
            match part {
                FormatPart::Text(piece) => text.push_str(piece),
                FormatPart::Value(node) => {
                    let value = output!(self.read(node, environment, input));
                    let room = self.context.room().saturating_sub(text.len());
                    text.push_str(&builtins::format(format, &value, room)?);
                    self.context.reserve(text.len()).map_err(|error| self.error(error))?;
                }
            }
        }
        Ok(Some(text.into()))
    }

    /// Members of the input and of its members, which are looked for in one pass if the input is still text.
    pub(super) fn pick(&mut self, members: &[(Key, Vec<Key>)], input: &Value) -> Flow<Value> {
        let first = members.iter().filter_map(|(_, keys)| keys.first()).map(|key| &*key.text);
        let found = input.find_members::<MOST_PICKED>(first);
        let mut slots = Vec::with_capacity(members.len());
        for (at, (name, keys)) in members.iter().enumerate() {
            let mut keys = keys.iter().map(|key| &*key.text);
            let value = match &found {
                Some(found) if keys.len() == 1 => found.get(at),
                Some(found) => {
                    keys.next();
                    Value::fields(&found.get(at), keys)?
                }
                None => Value::fields(input, keys)?,
            };
            slots.push((Some(self.key_text(name.constant)?), self.part(value)));
        }
        Ok(Object::of_distinct(slots).into())
    }
}

/// The key of a member.
pub(super) fn member_key(key: &Value) -> Flow<Text> {
    match key.to_text() {
        Some(text) => Ok(text),
        None => fail(format!("Cannot use {} ({}) as object key", key.kind().name(), excerpt(key))),
    }
}
