//! Expressions with any number of outputs, which are passed on one after the other.

#![forbid(unsafe_code)]

use crate::eval::item::Item;
use crate::eval::item::Tracked;
use crate::eval::machine::Machine;
use crate::eval::machine::Slot;
use crate::eval::one::path_keys;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::eval::stop::caught;
use crate::ir::Cardinality;
use crate::ir::Fold;
use crate::ir::Node;
use crate::ir::Op;
use crate::ir::Patterns;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Value;
use crate::value::arithmetic;

/// Gets each output.
pub(super) type Out<'o, 'p, X> = &'o mut dyn FnMut(&mut Machine<'p>, X) -> Flow;

/// Passes on what an access found, or nothing if it failed and may do so.
fn pass<'p, X>(machine: &mut Machine<'p>, found: Result<X, Error>, optional: bool, out: Out<'_, 'p, X>) -> Flow {
    match found {
        Ok(item) => out(machine, item),
        Err(_) if optional => Ok(()),
        Err(error) => Err(error.into()),
    }
}

impl<'p> Machine<'p> {
    /// Passes on each output of an expression. Slots that it needs are dropped at the end.
    pub(super) fn many<X: Item>(&mut self, node: &'p Node, environment: usize, item: X, out: Out<'_, 'p, X>) -> Flow {
        self.deeper()?;
        let mark = self.environments.len();
        let flow = self.tail(node, environment, item, out, mark);
        self.environments.truncate(mark);
        flow
    }

    /// A loop over what is evaluated last, so that tail calls need no stack.
    fn tail<X: Item>(
        &mut self,
        mut node: &'p Node,
        mut environment: usize,
        mut item: X,
        out: Out<'_, 'p, X>,
        mark: usize,
    ) -> Flow {
        loop {
            if node.cardinality <= Cardinality::Optional {
                return match self.one(node, environment, item)? {
                    Some(output) => out(self, output),
                    None => Ok(()),
                };
            }
            match &node.op {
                Op::Pipe(first, second) => {
                    // A parameter may turn out to have at most one output.
                    let (first, at) = match &first.op {
                        Op::Closure(place) => self.parameter(environment, *place),
                        _ => (&**first, environment),
                    };
                    if first.cardinality == Cardinality::Many {
                        return self.many(first, at, item, &mut |machine, output| {
                            machine.many(second, environment, output, out)
                        });
                    }
                    match self.one(first, at, item)? {
                        Some(output) => item = output,
                        None => return Ok(()),
                    }
                    node = second;
                }
                Op::Comma(items) => {
                    let Some((last, before)) = items.split_last() else { return Ok(()) };
                    for node in before {
                        self.many(node, environment, item.clone(), out)?;
                    }
                    node = last;
                }
                Op::If(condition, then, otherwise) if condition.cardinality <= Cardinality::Optional => {
                    match self.one::<Value>(condition, environment, item.value().clone())? {
                        Some(condition) => node = if condition.is_true() { then } else { otherwise },
                        None => return Ok(()),
                    }
                }
                Op::Call(call) if Self::is_simple(call) => {
                    self.step()?;
                    let Some(inner) = self.enter(call, environment, &item, mark)? else { return Ok(()) };
                    environment = inner;
                    node = self.body(call);
                }
                Op::Closure(place) => (node, environment) = self.parameter(environment, *place),
                Op::Bind(source, patterns, body) if source.cardinality == Cardinality::One && patterns.is_simple() => {
                    let Some(value) = self.one::<Value>(source, environment, item.value().clone())? else {
                        return Ok(());
                    };
                    environment = self.bind_simple(patterns, environment, value)?;
                    node = body;
                }
                Op::Alternative(left, right) => {
                    let mut found = false;
                    self.many(left, environment, item.clone(), &mut |machine, output: X| {
                        if output.value().is_true() {
                            found = true;
                            return out(machine, output);
                        }
                        Ok(())
                    })?;
                    if found {
                        return Ok(());
                    }
                    node = right;
                }
                _ => return self.each(node, environment, item, out),
            }
        }
    }

    /// Expressions that may be paths, and are not tail calls.
    #[inline(never)]
    fn each<X: Item>(&mut self, node: &'p Node, environment: usize, item: X, out: Out<'_, 'p, X>) -> Flow {
        match &node.op {
            Op::Iterate(base, optional) => match &base.op {
                Op::Identity => self.children(item, *optional, out),
                _ => {
                    self.many(base, environment, item, &mut |machine, output| machine.children(output, *optional, out))
                }
            },
            Op::RecurseAll(kinds) => self.recurse_all(item, *kinds, out),
            Op::Field(base, key, optional) => self.many(base, environment, item, &mut |machine, base: X| {
                let optional = *optional && base.is_on_path();
                if optional && !matches!(base.value().kind(), Kind::Object | Kind::Null) {
                    return Ok(());
                }
                let found = base.fields(std::slice::from_ref(key), &machine.constants);
                pass(machine, found, optional, out)
            }),
            Op::Index(base, key, optional) => {
                let input = item.value().clone();
                self.many::<Value>(key, environment, input, &mut |machine, key| {
                    machine.many(base, environment, item.clone(), &mut |machine, base: X| {
                        let optional = *optional && base.is_on_path();
                        pass(machine, base.index(&key), optional, out)
                    })
                })
            }
            Op::Slice(..) => self.slice(node, environment, item, out),
            Op::If(condition, then, otherwise) => {
                let input = item.value().clone();
                self.many::<Value>(condition, environment, input, &mut |machine, condition| {
                    let chosen = if condition.is_true() { then } else { otherwise };
                    machine.many(chosen, environment, item.clone(), out)
                })
            }
            Op::Try(body, handler) => self.try_each(body, handler.as_deref(), environment, item, out),
            Op::Label(body) => {
                let label = self.new_label();
                let inner = self.push(environment, Slot::Label(label));
                let flow = self.many(body, inner, item, out);
                caught(flow, label)
            }
            Op::Call(call) => {
                let definition = self.find(environment, call.place);
                self.call_each(call, &call.arguments, environment, definition, item, out)
            }
            Op::Bind(source, patterns, body) => self.bind_each(source, patterns, body, environment, item, out),
            Op::Reduce(fold) => {
                let input = item.value().clone();
                self.many(&fold.init, environment, item, &mut |machine, state| {
                    let state = machine.reduced(fold, environment, input.clone(), state)?;
                    out(machine, state)
                })
            }
            Op::Foreach(fold) => self.foreach(fold, environment, item, out),
            Op::GetPath(path) => {
                let input = item.value().clone();
                self.many::<Value>(path, environment, input, &mut |machine, path| {
                    let found = item.clone().get_path(&path_keys(path)?)?;
                    out(machine, found)
                })
            }
            _ => self.each_loop(node, environment, item, out),
        }
    }

    /// The elements of an array or values of an object.
    pub(super) fn children<X: Item>(&mut self, item: X, optional: bool, out: Out<'_, 'p, X>) -> Flow {
        let optional = optional && item.is_on_path();
        if optional && item.value().kind() < Kind::Array {
            return Ok(());
        }
        match item.children() {
            Ok(children) => {
                for child in children {
                    self.step()?;
                    out(self, child)?;
                }
                Ok(())
            }
            Err(_) if optional => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn slice<X: Item>(&mut self, node: &'p Node, environment: usize, item: X, out: Out<'_, 'p, X>) -> Flow {
        let Op::Slice(base, from, to, optional) = &node.op else { return Ok(()) };
        let input = item.value().clone();
        self.many::<Value>(from, environment, input.clone(), &mut |machine, from| {
            machine.many::<Value>(to, environment, input.clone(), &mut |machine, to| {
                let key = Value::slice_key(from.clone(), to);
                machine.many(base, environment, item.clone(), &mut |machine, base: X| {
                    let optional = *optional && base.is_on_path();
                    pass(machine, base.index(&key), optional, out)
                })
            })
        })
    }

    /// Errors of what gets the outputs are not those of the body.
    fn try_each<X: Item>(
        &mut self,
        body: &'p Node,
        handler: Option<&'p Node>,
        environment: usize,
        item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        let mark = self.environments.len();
        let mut passed_on = false;
        let flow = self.many(body, environment, item, &mut |machine, output: X| {
            let flow = out(machine, output);
            passed_on |= flow.is_err();
            flow
        });
        match flow {
            Err(Stop::Error(error)) if !passed_on => {
                self.environments.truncate(mark);
                match handler {
                    Some(handler) => self.many(handler, environment, X::computed(error.into_value()), out),
                    None => Ok(()),
                }
            }
            flow => flow,
        }
    }

    fn bind_each<X: Item>(
        &mut self,
        source: &'p Node,
        patterns: &'p Patterns,
        body: &'p Node,
        environment: usize,
        item: X,
        out: Out<'_, 'p, X>,
    ) -> Flow {
        let input = item.value().clone();
        let has_alternatives = patterns.alternatives.len() > 1;
        self.many::<Value>(source, environment, input, &mut |machine, value| {
            if !has_alternatives {
                return machine.bind(patterns, environment, value, &mut |machine, inner| {
                    machine.many(body, inner, item.clone(), out)
                });
            }
            // An error of the body leads to the next pattern, but not one of what gets its outputs.
            let mut passed_on = None;
            let flow = machine.bind(patterns, environment, value, &mut |machine, inner| {
                machine.many(body, inner, item.clone(), &mut |machine, output| {
                    out(machine, output).map_err(|stop| {
                        let label = machine.new_label();
                        passed_on = Some(stop);
                        Stop::Break(label)
                    })
                })
            });
            match passed_on {
                Some(stop) => Err(stop),
                None => flow,
            }
        })
    }

    fn foreach<X: Item>(&mut self, fold: &'p Fold, environment: usize, item: X, out: Out<'_, 'p, X>) -> Flow {
        let input = item.value().clone();
        self.many(&fold.init, environment, item, &mut |machine, init| {
            let mut state = init;
            machine.many::<Value>(&fold.source, environment, input.clone(), &mut |machine, value| {
                machine.bind(&fold.patterns, environment, value, &mut |machine, inner| {
                    machine.step()?;
                    let before = std::mem::replace(&mut state, X::computed(Value::NULL));
                    machine.many(&fold.update, inner, before, &mut |machine, next: X| {
                        state = machine.kept(next.clone());
                        match &fold.extract {
                            Some(extract) => machine.many(extract, inner, next, out),
                            None => out(machine, next),
                        }
                    })
                })
            })
        })
    }

    /// Expressions whose outputs are computed.
    pub(super) fn each_value(
        &mut self,
        node: &'p Node,
        environment: usize,
        input: Value,
        out: Out<'_, 'p, Value>,
    ) -> Flow {
        match &node.op {
            Op::Binary(op, left, right) => {
                self.many::<Value>(right, environment, input.clone(), &mut |machine, right| {
                    machine.many::<Value>(left, environment, input.clone(), &mut |machine, left| {
                        let value = machine.binary(*op, left, right.clone())?;
                        out(machine, value)
                    })
                })
            }
            Op::And(left, right) | Op::Or(left, right) => {
                let is_or = matches!(node.op, Op::Or(..));
                self.many::<Value>(left, environment, input.clone(), &mut |machine, left| {
                    if left.is_true() == is_or {
                        return out(machine, is_or.into());
                    }
                    machine.many::<Value>(right, environment, input.clone(), &mut |machine, right| {
                        out(machine, right.is_true().into())
                    })
                })
            }
            Op::Negate(inner) => self.many::<Value>(inner, environment, input, &mut |machine, value| {
                out(machine, arithmetic::negate(value)?)
            }),
            Op::Path(path) => self.many(path, environment, Tracked::root(input), &mut |machine, found: Tracked| {
                let keys = found.into_keys()?;
                out(machine, keys.into())
            }),
            Op::Inputs => loop {
                match self.next_input() {
                    Some(input) => out(self, input?)?,
                    None => return Ok(()),
                }
            },
            Op::Halt(Some(status)) => self.many::<Value>(status, environment, input.clone(), &mut |machine, status| {
                machine.stop_with(&status, input.clone())
            }),
            Op::Error(Some(message)) => self
                .many::<Value>(message, environment, input, &mut |_, message| Err(Error::from_value(message).into())),
            _ => self.product(node, environment, &input, out),
        }
    }
}
