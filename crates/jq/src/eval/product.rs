//! Expressions with several parts of which each may have many outputs: all combinations are evaluated.

#![forbid(unsafe_code)]

use crate::builtins;
use crate::builtins::Native;
use crate::eval::construct::member_key;
use crate::eval::machine::Machine;
use crate::eval::many::Out;
use crate::eval::stop::Flow;
use crate::ir::FormatPart;
use crate::ir::MemberKey;
use crate::ir::Node;
use crate::ir::Op;
use crate::value::Object;
use crate::value::Text;
use crate::value::Value;

impl<'p> Machine<'p> {
    pub(super) fn product(
        &mut self,
        node: &'p Node,
        environment: usize,
        input: &Value,
        out: Out<'_, 'p, Value>,
    ) -> Flow {
        match &node.op {
            Op::Native(native, arguments) => {
                self.arguments(*native, arguments, environment, input, &mut Vec::new(), out)
            }
            Op::Object(members) => self.members(members, environment, input, &Object::new(), out),
            Op::Format(format, parts) => self.parts(format, parts, environment, input, "", out),
            Op::Assign(path, value) => self.many::<Value>(value, environment, input.clone(), &mut |machine, value| {
                let changed = machine.assign(path, environment, input.clone(), &value)?;
                out(machine, changed)
            }),
            Op::UpdateBinary(op, path, value) => {
                self.many::<Value>(value, environment, input.clone(), &mut |machine, value| {
                    let changed = machine.update_binary(*op, path, environment, input.clone(), &value)?;
                    out(machine, changed)
                })
            }
            Op::UpdateAlternative(path, value) => {
                self.many::<Value>(value, environment, input.clone(), &mut |machine, value| {
                    let changed = machine.update_alternative(path, environment, input.clone(), &value)?;
                    out(machine, changed)
                })
            }
            // Everything else has at most one output, or is evaluated before it comes here.
            _ => match self.one::<Value>(node, environment, input.clone())? {
                Some(output) => out(self, output),
                None => Ok(()),
            },
        }
    }

    /// The last argument is the outer loop, as for jq's functions in C. `values` has those from the last one on.
    fn arguments(
        &mut self,
        native: Native,
        arguments: &'p [Node],
        environment: usize,
        input: &Value,
        values: &mut Vec<Value>,
        out: Out<'_, 'p, Value>,
    ) -> Flow {
        let Some((last, before)) = arguments.split_last() else {
            let mut values: Vec<Value> = values.iter().rev().cloned().collect();
            let output = self.native(native, input.clone(), &mut values)?;
            return out(self, output);
        };
        self.many::<Value>(last, environment, input.clone(), &mut |machine, value| {
            values.push(value);
            let flow = machine.arguments(native, before, environment, input, values, out);
            values.pop();
            flow
        })
    }

    /// The first member is the outer loop.
    fn members(
        &mut self,
        members: &'p [(MemberKey, Node)],
        environment: usize,
        input: &Value,
        object: &Object,
        out: Out<'_, 'p, Value>,
    ) -> Flow {
        let Some(((key, value), rest)) = members.split_first() else { return out(self, object.clone().into()) };
        let mut with_key = |machine: &mut Self, key: Text| {
            machine.many::<Value>(value, environment, input.clone(), &mut |machine, value| {
                let mut object = object.clone();
                object.insert(key.clone(), value);
                machine.members(rest, environment, input, &object, out)
            })
        };
        match key {
            MemberKey::Constant(key) => {
                let key = self.key_text(key.constant)?;
                with_key(self, key)
            }
            MemberKey::Computed(key) => self.many::<Value>(key, environment, input.clone(), &mut |machine, key| {
                with_key(machine, member_key(&key)?)
            }),
        }
    }

    /// The last part is the outer loop. `tail` is the text of those after it.
    fn parts(
        &mut self,
        format: &'static str,
        parts: &'p [FormatPart],
        environment: usize,
        input: &Value,
        tail: &str,
        out: Out<'_, 'p, Value>,
    ) -> Flow {
        let Some((last, before)) = parts.split_last() else { return out(self, tail.into()) };
        match last {
            FormatPart::Text(text) => self.parts(format, before, environment, input, &format!("{text}{tail}"), out),
            FormatPart::Value(node) => self.many::<Value>(node, environment, input.clone(), &mut |machine, value| {
                let room = machine.context.room().saturating_sub(tail.len());
                let text = builtins::format(format, &value, room)?;
                machine.context.reserve(text.len() + tail.len()).map_err(|error| machine.error(error))?;
                machine.parts(format, before, environment, input, &format!("{}{tail}", &*text), out)
            }),
        }
    }
}
