//! Patterns of `as`: the variables get their values, and evaluation goes on for each way to do so.

#![forbid(unsafe_code)]

use crate::eval::machine::Machine;
use crate::eval::machine::Slot;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::ir::Pattern;
use crate::ir::PatternEntry;
use crate::ir::Patterns;
use crate::value::Value;

/// What is done with the variables: it gets the environment with them.
pub(super) type Body<'b, 'p> = &'b mut dyn FnMut(&mut Machine<'p>, usize) -> Flow;

/// A pattern and what it is matched with.
struct Match<'m> {
    /// The first of the variables.
    first: usize,
    environment: usize,
    value: &'m Value,
}

impl<'p> Machine<'p> {
    /// Binds the variables of a simple pattern and returns the environment with them. The value is not kept, so what follows may
    /// change it in place.
    pub(super) fn bind_simple(&mut self, patterns: &'p Patterns, environment: usize, value: Value) -> Flow<usize> {
        if patterns.is_variable() {
            return Ok(self.push(environment, Slot::Variable(value)));
        }
        let first = self.environments.len();
        let mut inner = environment;
        for _ in 0..patterns.variables {
            inner = self.push(inner, Slot::Variable(Value::NULL));
        }
        if let Some(pattern) = patterns.alternatives.first() {
            self.destructure_simple(pattern, first, inner, &value)?;
        }
        Ok(inner)
    }

    fn destructure_simple(&mut self, pattern: &'p Pattern, first: usize, environment: usize, value: &Value) -> Flow {
        match pattern {
            Pattern::Variable(at) => self.set(first + at, value.clone()),
            Pattern::Array(items) => {
                for (at, item) in items.iter().enumerate().rev() {
                    self.destructure_simple(item, first, environment, &value.index(&at.into())?)?;
                }
            }
            Pattern::Object(entries) => {
                for entry in entries {
                    let key = self.one::<Value>(&entry.key, environment, value.clone())?.unwrap_or_default();
                    let member = value.index(&key)?;
                    if let Some(at) = entry.variable {
                        self.set(first + at, member.clone());
                    }
                    if let Some(pattern) = &entry.pattern {
                        self.destructure_simple(pattern, first, environment, &member)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Binds the variables of patterns and evaluates the body. If an alternative fails, or its body does, the next one is tried.
    pub(super) fn bind(
        &mut self,
        patterns: &'p Patterns,
        environment: usize,
        value: Value,
        body: Body<'_, 'p>,
    ) -> Flow {
        let mark = self.environments.len();
        if patterns.is_simple() {
            let inner = self.bind_simple(patterns, environment, value)?;
            let flow = body(self, inner);
            self.environments.truncate(mark);
            return flow;
        }
        let mut inner = environment;
        for _ in 0..patterns.variables {
            inner = self.push(inner, Slot::Variable(Value::NULL));
        }
        let mut flow = Ok(());
        for (at, pattern) in patterns.alternatives.iter().enumerate() {
            for variable in mark..mark + patterns.variables {
                self.set(variable, Value::NULL);
            }
            let matched = Match { first: mark, environment: inner, value: &value };
            flow = self.destructure(pattern, &matched, &mut |machine| body(machine, inner));
            let is_last = at + 1 == patterns.alternatives.len();
            if is_last || !matches!(flow, Err(Stop::Error(_))) {
                break;
            }
            self.environments.truncate(mark + patterns.variables);
        }
        self.environments.truncate(mark);
        flow
    }

    fn destructure(
        &mut self,
        pattern: &'p Pattern,
        matched: &Match<'_>,
        body: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        match pattern {
            Pattern::Variable(at) => {
                self.set(matched.first + at, matched.value.clone());
                body(self)
            }
            Pattern::Array(items) => self.elements(items, matched, body),
            Pattern::Object(entries) => self.entries(entries, matched, body),
        }
    }

    /// The last element comes first, as in jq.
    fn elements(&mut self, items: &'p [Pattern], matched: &Match<'_>, body: &mut dyn FnMut(&mut Self) -> Flow) -> Flow {
        let Some((last, before)) = items.split_last() else { return body(self) };
        let element = matched.value.index(&before.len().into())?;
        let inner = Match { value: &element, ..*matched };
        self.destructure(last, &inner, &mut |machine| machine.elements(before, matched, body))
    }

    fn entries(
        &mut self,
        entries: &'p [PatternEntry],
        matched: &Match<'_>,
        body: &mut dyn FnMut(&mut Self) -> Flow,
    ) -> Flow {
        let Some((entry, rest)) = entries.split_first() else { return body(self) };
        self.many::<Value>(&entry.key, matched.environment, matched.value.clone(), &mut |machine, key| {
            let member = matched.value.index(&key)?;
            if let Some(at) = entry.variable {
                machine.set(matched.first + at, member.clone());
            }
            match &entry.pattern {
                Some(pattern) => {
                    let inner = Match { value: &member, ..*matched };
                    machine.destructure(pattern, &inner, &mut |machine| machine.entries(rest, matched, body))
                }
                None => machine.entries(rest, matched, body),
            }
        })
    }
}
