//! Updates: `=`, `|=` and their relatives.
//!
//! Most paths lead to places that do not contain each other. Such places are changed on the way: the value is taken out of its
//! container, changed, and put back, so nothing is copied. For other paths, all are collected first.

#![forbid(unsafe_code)]

use crate::eval::item::Tracked;
use crate::eval::machine::Machine;
use crate::eval::one::path_keys;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::eval::stop::caught;
use crate::ir::Cardinality;
use crate::ir::Key;
use crate::ir::Node;
use crate::ir::Op;
use crate::paths;
use crate::syntax::ast::BinaryOp;
use crate::value::Array;
use crate::value::Kind;
use crate::value::Value;

/// Returns the new value of a place, or None to remove it.
type Change<'c, 'p> = &'c mut dyn FnMut(&mut Machine<'p>, Value) -> Flow<Option<Value>>;

/// Whether the places of a path do not contain each other, and each is found from the value alone.
fn is_direct(path: &Node) -> bool {
    match &path.op {
        Op::Identity | Op::Empty | Op::Fields(_) => true,
        Op::Field(base, ..) | Op::Iterate(base, _) => is_direct(base),
        Op::Index(base, key, _) => is_direct(base) && key.cardinality == Cardinality::One,
        Op::Slice(base, from, to, _) => {
            is_direct(base) && from.cardinality == Cardinality::One && to.cardinality == Cardinality::One
        }
        Op::GetPath(path) => path.cardinality == Cardinality::One,
        Op::Pipe(first, second) => is_direct(first) && is_direct(second),
        Op::If(condition, then, otherwise) => {
            condition.cardinality == Cardinality::One && is_direct(then) && is_direct(otherwise)
        }
        _ => false,
    }
}

impl<'p> Machine<'p> {
    /// `path |= update`
    pub(super) fn update(&mut self, path: &'p Node, update: &'p Node, environment: usize, input: Value) -> Flow<Value> {
        self.update_with(path, environment, input, &mut |machine, old| {
            if update.cardinality <= Cardinality::Optional {
                return machine.one::<Value>(update, environment, old);
            }
            let label = machine.new_label();
            let mut first = None;
            let flow = machine.many::<Value>(update, environment, old, &mut |_, new| {
                first = Some(new);
                Err(Stop::Break(label))
            });
            caught(flow, label)?;
            Ok(first)
        })
    }

    /// `path = value`
    pub(super) fn assign(&mut self, path: &'p Node, environment: usize, input: Value, value: &Value) -> Flow<Value> {
        if is_direct(path) {
            return self.update_with(path, environment, input, &mut |_, _| Ok(Some(value.clone())));
        }
        let mut result = input.clone();
        for keys in self.paths(path, environment, input)? {
            result = self.set_path(result, &keys, value.clone())?;
        }
        Ok(result)
    }

    /// `path += value`
    pub(super) fn update_binary(
        &mut self,
        op: BinaryOp,
        path: &'p Node,
        environment: usize,
        input: Value,
        value: &Value,
    ) -> Flow<Value> {
        self.update_with(path, environment, input, &mut |machine, old| machine.binary(op, old, value.clone()).map(Some))
    }

    /// `path //= value`
    pub(super) fn update_alternative(
        &mut self,
        path: &'p Node,
        environment: usize,
        input: Value,
        value: &Value,
    ) -> Flow<Value> {
        self.update_with(path, environment, input, &mut |_, old| {
            // mutant: Ok(Some(value.clone()))
            Ok(Some(if old.is_true() { old } else { value.clone() }))
        })
    }

    /// The paths that an expression leads to.
    fn paths(&mut self, path: &'p Node, environment: usize, input: Value) -> Flow<Vec<Array>> {
        let mut found = Vec::new();
        self.many(path, environment, Tracked::root(input), &mut |machine, tracked: Tracked| {
            let keys = tracked.into_keys()?;
            paths::check(&keys)?;
            // Counted as memory, because all paths of a deep value are long.
            found.push(Array::from(keys));
            machine.step()?;
            Ok(())
        })?;
        Ok(found)
    }

    fn set_path(&mut self, value: Value, keys: &[Value], new: Value) -> Flow<Value> {
        for key in keys {
            self.context.reserve_element(key).map_err(|error| self.error(error))?;
        }
        self.step()?;
        Ok(paths::set(value, keys, self.part(new))?)
    }

    fn update_with(&mut self, path: &'p Node, environment: usize, input: Value, change: Change<'_, 'p>) -> Flow<Value> {
        if is_direct(path) {
            let outer = std::mem::replace(&mut self.reached, false);
            let changed = self.change(path, environment, input, &mut |machine, old| {
                let new = change(machine, old)?;
                // What is removed is not reached: no containers are made for it.
                // mutant: machine.reached = true;
                machine.reached |= new.is_some();
                Ok(new)
            });
            self.reached = outer;
            return Ok(changed?.unwrap_or_default());
        }
        let mut removed = Vec::new();
        let mut result = input.clone();
        for keys in self.paths(path, environment, input)? {
            let old = paths::get(result.clone(), &keys)?;
            match change(self, old)? {
                Some(new) => result = self.set_path(result, &keys, new)?,
                None => removed.push(keys.into()),
            }
        }
        Ok(paths::delete(result, removed)?)
    }

    /// Changes the places that a direct path leads to.
    fn change(
        &mut self,
        path: &'p Node,
        environment: usize,
        value: Value,
        change: Change<'_, 'p>,
    ) -> Flow<Option<Value>> {
        self.deeper()?;
        match &path.op {
            Op::Empty => Ok(Some(value)),
            Op::Fields(keys) => self.change_fields(keys, value, change),
            Op::Pipe(first, second) => self.change(first, environment, value, &mut |machine, middle| {
                machine.change(second, environment, middle, change)
            }),
            Op::If(condition, then, otherwise) => {
                let condition = self.one::<Value>(condition, environment, value.clone())?.unwrap_or_default();
                let chosen = if condition.is_true() { then } else { otherwise };
                self.change(chosen, environment, value, change)
            }
            Op::Field(base, key, optional) => {
                let key = self.constants[key.constant].clone();
                self.change(base, environment, value, &mut |machine, inner| {
                    machine.change_at(inner, &key, *optional, change)
                })
            }
            Op::Index(base, key, optional) => {
                let key = self.one::<Value>(key, environment, value.clone())?.unwrap_or_default();
                self.change(base, environment, value, &mut |machine, inner| {
                    machine.change_at(inner, &key, *optional, change)
                })
            }
            Op::Slice(base, from, to, optional) => {
                let from = self.one::<Value>(from, environment, value.clone())?.unwrap_or_default();
                let to = self.one::<Value>(to, environment, value.clone())?.unwrap_or_default();
                let key = Value::slice_key(from, to);
                self.change(base, environment, value, &mut |machine, inner| {
                    machine.change_at(inner, &key, *optional, change)
                })
            }
            Op::Iterate(base, optional) => self.change(base, environment, value, &mut |machine, mut inner| {
                // mutant: if *optional {
                if *optional && inner.kind() < Kind::Array {
                    return Ok(Some(inner));
                }
                inner.change_each(&mut |element| {
                    machine.step()?;
                    change(machine, element)
                })?;
                Ok(Some(inner))
            }),
            Op::GetPath(path) => {
                let keys = self.one::<Value>(path, environment, value.clone())?.unwrap_or_default();
                let keys = path_keys(keys)?;
                self.change_keys(&keys, value, change)
            }
            _ => change(self, value),
        }
    }

    fn change_fields(&mut self, keys: &'p [Key], value: Value, change: Change<'_, 'p>) -> Flow<Option<Value>> {
        let Some((key, rest)) = keys.split_first() else { return change(self, value) };
        let key = self.constants[key.constant].clone();
        self.change_at(value, &key, false, &mut |machine, inner| machine.change_fields(rest, inner, change))
    }

    fn change_keys(&mut self, keys: &[Value], value: Value, change: Change<'_, 'p>) -> Flow<Option<Value>> {
        let Some((key, rest)) = keys.split_first() else { return change(self, value) };
        self.deeper()?;
        self.change_at(value, key, false, &mut |machine, inner| machine.change_keys(rest, inner, change))
    }

    /// Changes what is at a key. If the path leads nowhere from there, nothing is added.
    fn change_at(
        &mut self,
        mut value: Value,
        key: &Value,
        optional: bool,
        change: Change<'_, 'p>,
    ) -> Flow<Option<Value>> {
        let old = match value.take(key) {
            Ok(old) => old,
            // mutant: Err(_) if optional => return Ok(None),
            Err(_) if optional => return Ok(Some(value)),
            Err(error) => return Err(error.into()),
        };
        let outer = std::mem::replace(&mut self.reached, false);
        let new = change(self, old);
        let reached = std::mem::replace(&mut self.reached, outer);
        self.reached |= reached;
        match new? {
            // What was not reached is as it was: if it is null, it is null in its place, or missing.
            Some(new) if reached || new.kind() != Kind::Null => {
                self.context.reserve_element(key).map_err(|error| self.error(error))?;
                value.set(key, self.part(new))?;
            }
            Some(_) => {}
            None => value.delete(std::slice::from_ref(key))?,
        }
        Ok(Some(value))
    }
}
