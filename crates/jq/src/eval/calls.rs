//! Calls of functions.

#![forbid(unsafe_code)]

use crate::eval::item::Item;
use crate::eval::machine::Machine;
use crate::eval::machine::Slot;
use crate::eval::many::Out;
use crate::eval::stop::Flow;
use crate::ir::Argument;
use crate::ir::Call;
use crate::ir::Cardinality;
use crate::ir::Node;
use crate::ir::Op;
use crate::ir::Place;
use crate::value::Value;

impl<'p> Machine<'p> {
    /// The body of a function.
    #[inline]
    pub(super) fn body(&self, call: &Call) -> &'p Node {
        &self.program.functions[call.function]
    }

    /// A slot for an argument that is an expression. One that is only passed on needs no environment of its own.
    pub(super) fn closure(&self, node: &'p Node, environment: usize) -> Slot<'p> {
        match &node.op {
            Op::Closure(place) => self.slot(environment, *place).clone(),
            _ => Slot::Closure(node, environment),
        }
    }

    /// The expression of a parameter, and its environment.
    #[inline]
    pub(super) fn parameter(&self, environment: usize, place: Place) -> (&'p Node, usize) {
        match self.slot(environment, place) {
            Slot::Closure(node, environment) => (node, *environment),
            _ => (&self.program.main, 0),
        }
    }

    /// Whether all arguments that are values have exactly one.
    pub(super) fn is_simple(call: &Call) -> bool {
        call.arguments.iter().all(|argument| match argument {
            Argument::Closure(_) => true,
            Argument::Value(node) => node.cardinality == Cardinality::One,
        })
    }

    /// Prepares a call whose arguments are simple, and returns its environment. Slots from `mark` on are dropped if nothing of the
    /// call needs them, which makes it a tail call in constant memory; None if an argument has no value.
    pub(super) fn enter<X: Item>(
        &mut self,
        call: &'p Call,
        environment: usize,
        item: &X,
        mark: usize,
    ) -> Flow<Option<usize>> {
        let definition = self.find(environment, call.place);
        let mut droppable = definition < mark;
        let mut slots = Vec::new();
        for argument in &call.arguments {
            slots.push(match argument {
                Argument::Closure(node) => {
                    let slot = self.closure(node, environment);
                    if let Slot::Closure(_, of) = slot {
                        droppable &= of < mark;
                    }
                    slot
                }
                Argument::Value(node) => match self.one::<Value>(node, environment, item.value().clone())? {
                    Some(value) => Slot::Variable(value),
                    None => return Ok(None),
                },
            });
        }
        if droppable {
            self.environments.truncate(mark);
        }
        let mut inner = definition;
        for slot in slots {
            inner = self.push(inner, slot);
        }
        Ok(Some(inner))
    }

    /// Calls a function for each combination of its arguments.
    pub(super) fn call_each<X: Item>(
        &mut self,
        call: &'p Call,
        arguments: &'p [Argument],
        environment: usize,
        parent: usize,
        item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        let Some((argument, rest)) = arguments.split_first() else {
            let body = self.body(call);
            return self.many(body, parent, item, out);
        };
        let mark = self.environments.len();
        let flow = match argument {
            Argument::Closure(node) => {
                let slot = self.closure(node, environment);
                let inner = self.push(parent, slot);
                self.call_each(call, rest, environment, inner, item, out)
            }
            Argument::Value(node) => {
                self.many::<Value>(node, environment, item.value().clone(), &mut |machine, value| {
                    let inner = machine.push(parent, Slot::Variable(value));
                    machine.call_each(call, rest, environment, inner, item.clone(), out)
                })
            }
        };
        self.environments.truncate(mark);
        flow
    }
}
