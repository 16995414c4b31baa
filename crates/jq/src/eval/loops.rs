//! Builtins that take expressions: generators, limits, and what looks at all outputs.

#![forbid(unsafe_code)]

use crate::builtins::group;
use crate::eval::item::Item;
use crate::eval::machine::Machine;
use crate::eval::many::Out;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::eval::stop::caught;
use crate::eval::stop::fail;
use crate::ir::By;
use crate::ir::Cardinality;
use crate::ir::Node;
use crate::ir::Op;
use crate::syntax::ast::BinaryOp;
use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Object;
use crate::value::Value;
use crate::value::arithmetic;

impl<'p> Machine<'p> {
    pub(super) fn each_loop<X: Item>(
        &mut self,
        node: &'p Node,
        environment: usize,
        item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        match &node.op {
            Op::Recurse(inner) => self.recurse(inner, environment, item, out),
            Op::Limit(count, inner) => {
                let input = item.value().clone();
                self.many::<Value>(count, environment, input, &mut |machine, count| {
                    machine.limit(&count, inner, environment, item.clone(), out)
                })
            }
            Op::Skip(count, inner) => {
                let input = item.value().clone();
                self.many::<Value>(count, environment, input, &mut |machine, count| {
                    let mut remaining = counted(&count, "skip")?.floor();
                    machine.many(inner, environment, item.clone(), &mut |machine, output| {
                        if remaining > 0.0 {
                            remaining -= 1.0;
                            return Ok(());
                        }
                        out(machine, output)
                    })
                })
            }
            Op::Until(condition, update) => self.until(condition, update, environment, item, out),
            Op::While(condition, update) => self.while_true(condition, update, environment, item, out),
            Op::Repeat(inner) => self.repeat(inner, environment, item, out),
            Op::Range(..) => {
                let input = item.into_value();
                self.range(node, environment, &input, &mut |machine, value| out(machine, X::computed(value)))
            }
            Op::Walk(inner) => {
                let input = item.into_value();
                self.walk(inner, environment, input, &mut |machine, value| out(machine, X::computed(value)))
            }
            _ => {
                let input = item.into_value();
                self.each_value(node, environment, input, &mut |machine, value| out(machine, X::computed(value)))
            }
        }
    }

    /// `..`: a container before what it contains. It needs no stack, however deep the value is.
    pub(super) fn recurse_all<X: Item>(&mut self, item: X, kinds: u8, out: Out<'_, 'p, X>) -> Flow {
        if let Some(descendants) = item.descendants(kinds) {
            for value in descendants {
                self.step()?;
                out(self, X::computed(value))?;
            }
            return Ok(());
        }
        let mut open: Vec<X::Children> = Vec::new();
        let mut next = Some(item);
        loop {
            if let Some(item) = next.take() {
                self.step()?;
                let kind = item.value().kind();
                let is_output = kinds & kind.bit() != 0;
                if kind < Kind::Array {
                    if is_output {
                        out(self, item)?;
                    }
                } else {
                    if is_output {
                        out(self, item.clone())?;
                    }
                    open.push(item.children()?);
                }
            }
            let Some(children) = open.last_mut() else { return Ok(()) };
            next = children.next();
            if next.is_none() {
                open.pop();
            }
        }
    }

    fn recurse<X: Item>(&mut self, inner: &'p Node, environment: usize, mut item: X, out: Out<'_, 'p, X>) -> Flow {
        if inner.cardinality == Cardinality::Many {
            out(self, item.clone())?;
            return self.many(inner, environment, item, &mut |machine, output| {
                machine.deeper()?;
                machine.recurse(inner, environment, output, out)
            });
        }
        loop {
            self.step()?;
            out(self, item.clone())?;
            match self.one(inner, environment, item)? {
                Some(output) => item = output,
                None => return Ok(()),
            }
        }
    }

    /// The input is the same each time, as in jq 1.8.
    fn repeat<X: Item>(&mut self, inner: &'p Node, environment: usize, item: X, out: Out<'_, 'p, X>) -> Flow {
        loop {
            self.step()?;
            self.many(inner, environment, item.clone(), out)?;
        }
    }

    fn limit<X: Item>(
        &mut self,
        count: &Value,
        inner: &'p Node,
        environment: usize,
        item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        let mut remaining = counted(count, "limit")?;
        if remaining <= 0.0 {
            return Ok(());
        }
        let label = self.new_label();
        let flow = self.many(inner, environment, item, &mut |machine, output| {
            remaining -= 1.0;
            out(machine, output)?;
            if remaining <= 0.0 { Err(Stop::Break(label)) } else { Ok(()) }
        });
        caught(flow, label)
    }

    fn until<X: Item>(
        &mut self,
        condition: &'p Node,
        update: &'p Node,
        environment: usize,
        mut item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        if condition.cardinality == Cardinality::Many || update.cardinality == Cardinality::Many {
            self.deeper()?;
            let input = item.value().clone();
            return self.many::<Value>(condition, environment, input, &mut |machine, done| {
                if done.is_true() {
                    return out(machine, item.clone());
                }
                machine.many(update, environment, item.clone(), &mut |machine, next| {
                    machine.until(condition, update, environment, next, out)
                })
            });
        }
        loop {
            self.step()?;
            match self.one::<Value>(condition, environment, item.value().clone())? {
                Some(done) if done.is_true() => return out(self, item),
                Some(_) => {}
                None => return Ok(()),
            }
            match self.one(update, environment, item)? {
                Some(next) => item = next,
                None => return Ok(()),
            }
        }
    }

    fn while_true<X: Item>(
        &mut self,
        condition: &'p Node,
        update: &'p Node,
        environment: usize,
        mut item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        if condition.cardinality == Cardinality::Many || update.cardinality == Cardinality::Many {
            self.deeper()?;
            let input = item.value().clone();
            return self.many::<Value>(condition, environment, input, &mut |machine, goes_on| {
                if !goes_on.is_true() {
                    return Ok(());
                }
                out(machine, item.clone())?;
                machine.many(update, environment, item.clone(), &mut |machine, next| {
                    machine.while_true(condition, update, environment, next, out)
                })
            });
        }
        loop {
            self.step()?;
            match self.one::<Value>(condition, environment, item.value().clone())? {
                Some(goes_on) if goes_on.is_true() => out(self, item.clone())?,
                _ => return Ok(()),
            }
            match self.one(update, environment, item)? {
                Some(next) => item = next,
                None => return Ok(()),
            }
        }
    }

    /// The bounds are loops from the first to the last.
    fn range(&mut self, node: &'p Node, environment: usize, input: &Value, out: Out<'_, 'p, Value>) -> Flow {
        let Op::Range(from, to, by) = &node.op else { return Ok(()) };
        self.many::<Value>(from, environment, input.clone(), &mut |machine, from| {
            machine.many::<Value>(to, environment, input.clone(), &mut |machine, to| match by {
                None => machine.count(&from, &to, &1_usize.into(), out),
                Some(by) => machine.many::<Value>(by, environment, input.clone(), &mut |machine, by| {
                    machine.count(&from, &to, &by, out)
                }),
            })
        })
    }

    fn count(&mut self, from: &Value, to: &Value, by: &Value, out: Out<'_, 'p, Value>) -> Flow {
        let (Some(mut number), Some(to), Some(by)) = (from.as_number(), to.as_number(), by.as_number()) else {
            return fail("Range bounds must be numeric");
        };
        while (by > 0.0 && number < to) || (by < 0.0 && number > to) {
            self.step()?;
            out(self, number.into())?;
            number += by;
        }
        Ok(())
    }

    /// Whether a condition is as wanted for one output (`any`), or for all (`all`).
    pub(super) fn any(
        &mut self,
        source: &'p Node,
        condition: &'p Node,
        wanted: bool,
        environment: usize,
        input: Value,
    ) -> Flow<bool> {
        let label = self.new_label();
        let mut found = false;
        let flow = self.many::<Value>(source, environment, input, &mut |machine, value| {
            machine.many::<Value>(condition, environment, value, &mut |_, result| {
                if result.is_true() != wanted {
                    return Ok(());
                }
                found = true;
                Err(Stop::Break(label))
            })
        });
        caught(flow, label)?;
        Ok(found == wanted)
    }

    pub(super) fn is_empty(&mut self, inner: &'p Node, environment: usize, input: Value) -> Flow<bool> {
        let label = self.new_label();
        let mut empty = true;
        let flow = self.many::<Value>(inner, environment, input, &mut |_, _| {
            empty = false;
            Err(Stop::Break(label))
        });
        caught(flow, label)?;
        Ok(empty)
    }

    pub(super) fn add(&mut self, inner: &'p Node, environment: usize, input: Value) -> Flow<Value> {
        let mut sum = Value::NULL;
        self.many::<Value>(inner, environment, input, &mut |machine, value| {
            sum = machine.binary(BinaryOp::Add, std::mem::take(&mut sum), value)?;
            Ok(())
        })?;
        Ok(sum)
    }

    /// The sum of all outputs. Those after one that cannot be added are computed, since one of them may be an error.
    pub(super) fn add_all(&mut self, inner: &'p Node, environment: usize, input: Value) -> Flow<Value> {
        let mut sum = Ok(Value::NULL);
        self.many::<Value>(inner, environment, input, &mut |machine, value| {
            machine.step()?;
            if let Ok(before) = &mut sum {
                sum = machine.binary(BinaryOp::Add, std::mem::take(before), value);
            }
            Ok(())
        })?;
        sum
    }

    /// Sorts and groups by keys: the outputs of an expression for each element, as an array if there may be several.
    pub(super) fn by(&mut self, by: By, key: Option<&'p Node>, environment: usize, input: Value) -> Flow<Value> {
        let Some(elements) = input.to_array() else { return self.not_sortable(by, key, environment, input) };
        let mut keyed = Vec::with_capacity(elements.len());
        for element in elements.iter() {
            self.step()?;
            let of_element = match key {
                None => element.clone(),
                Some(key) if key.cardinality == Cardinality::One => {
                    self.one::<Value>(key, environment, element.clone())?.unwrap_or_default()
                }
                Some(key) => self.array(key, environment, element.clone())?.into(),
            };
            keyed.push((of_element, element.clone()));
        }
        Ok(match by {
            By::Sort => group::sort_by(keyed)?,
            By::Group => group::group_by(keyed)?,
            By::Unique => group::unique_by(keyed)?,
            By::Min => group::min_by(keyed)?,
            By::Max => group::max_by(keyed)?,
        })
    }

    /// jq has computed all keys before it complains about what they belong to.
    fn not_sortable(&mut self, by: By, key: Option<&'p Node>, environment: usize, input: Value) -> Flow<Value> {
        let keys = match key {
            Some(key) => {
                let mut keys = Array::new();
                for element in input.clone().iterate()? {
                    keys.push(self.array(key, environment, element)?.into());
                }
                Some(Value::from(keys))
            }
            None => None,
        };
        Err(match (by, keys) {
            (By::Min | By::Max, keys) => {
                Error::of_two(&input, keys.as_ref().unwrap_or(&input), "cannot be iterated over")
            }
            (_, Some(keys)) => Error::of_two(&input, &keys, "cannot be sorted, as they are not both arrays"),
            (_, None) => Error::of(&input, "cannot be sorted, as it is not an array"),
        }
        .into())
    }

    /// `walk` with an expression that has exactly one output: containers are changed in place.
    pub(super) fn walk_one(&mut self, inner: &'p Node, environment: usize, mut value: Value) -> Flow<Option<Value>> {
        self.deeper()?;
        if value.kind() >= Kind::Array {
            value.change_each(&mut |child| self.walk_one(inner, environment, child))?;
        }
        self.one::<Value>(inner, environment, value)
    }

    /// Elements may become several, of members only the first output is kept.
    fn walk(&mut self, inner: &'p Node, environment: usize, value: Value, out: Out<'_, 'p, Value>) -> Flow {
        self.deeper()?;
        let value = match value.kind() {
            Kind::Array => {
                let mut array = Array::new();
                for element in value.iterate()? {
                    self.walk(inner, environment, element, &mut |_, output| {
                        array.push(output);
                        Ok(())
                    })?;
                }
                array.into()
            }
            Kind::Object => {
                let mut object = Object::new();
                let mut members = value.iterate()?;
                while let Some((key, member)) = members.next_with_key() {
                    let label = self.new_label();
                    let mut first = None;
                    let flow = self.walk(inner, environment, member, &mut |_, output| {
                        first = Some(output);
                        Err(Stop::Break(label))
                    });
                    caught(flow, label)?;
                    if let (Some(first), Some(key)) = (first, key.to_text()) {
                        object.insert(key, first);
                    }
                }
                object.into()
            }
            _ => value,
        };
        self.many(inner, environment, value, out)
    }
}

/// The number of outputs for `limit` and `skip`.
fn counted(count: &Value, name: &str) -> Flow<f64> {
    match count.as_number() {
        Some(number) if number >= 0.0 => Ok(number),
        // Everything else is compared with numbers and then subtracted from, as in jq's definition.
        None if count.kind() > Kind::Number => match arithmetic::subtract(count.clone(), 1_usize.into()) {
            Err(error) => Err(error.into()),
            Ok(_) => Err(Error::new(format!("{name} doesn't support negative count")).into()),
        },
        _ => fail(format!("{name} doesn't support negative count")),
    }
}
