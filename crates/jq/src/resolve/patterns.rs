//! Patterns of `as`: their variables get slots, in the order in which they are first named.

#![forbid(unsafe_code)]

use crate::ir;
use crate::resolve::Resolver;
use crate::resolve::constant;
use crate::resolve::scope::Scope;
use crate::syntax::Fault;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Pattern;

fn add<'p>(name: &'p str, names: &mut Vec<&'p str>) {
    if !names.contains(&name) {
        names.push(name);
    }
}

fn collect<'p>(pattern: &'p Pattern, names: &mut Vec<&'p str>) {
    match pattern {
        Pattern::Variable(name) => add(name, names),
        Pattern::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Pattern::Object(entries) => {
            for entry in entries {
                entry.variable.iter().for_each(|name| add(name, names));
                entry.pattern.iter().for_each(|pattern| collect(pattern, names));
            }
        }
    }
}

/// A constant that is no string cannot be a key.
pub(super) fn check_key(key: &Expr) -> Result<(), Fault> {
    match constant::of(key) {
        None | Some(ir::Constant::String(_)) => Ok(()),
        Some(constant) => {
            let (kind, text) = (constant.kind_name(), constant::text(&constant));
            Err(Fault::new(format!("Cannot use {kind} ({text}) as object key"), key.span)
                .help("keys are strings: `tostring` makes one of any value"))
        }
    }
}

impl Resolver<'_> {
    /// Returns the patterns, and the scope and depth with their variables.
    pub(super) fn patterns(
        &mut self,
        patterns: &[Pattern],
        scope: &Scope,
        depth: usize,
    ) -> Result<(ir::Patterns, Scope, usize), Fault> {
        let mut names = Vec::new();
        for pattern in patterns {
            collect(pattern, &mut names);
        }
        let mut scope = scope.clone();
        for (at, name) in names.iter().enumerate() {
            scope = scope.variable(name, false, depth + at + 1);
        }
        let depth = depth + names.len();
        let mut alternatives = Vec::new();
        for pattern in patterns {
            alternatives.push(self.pattern(pattern, &names, &scope, depth)?);
        }
        Ok((ir::Patterns { alternatives, variables: names.len() }, scope, depth))
    }

    fn pattern(
        &mut self,
        pattern: &Pattern,
        names: &[&str],
        scope: &Scope,
        depth: usize,
    ) -> Result<ir::Pattern, Fault> {
        let slot = |name: &str| names.iter().position(|known| *known == name).unwrap_or_default();
        Ok(match pattern {
            Pattern::Variable(name) => ir::Pattern::Variable(slot(name)),
            Pattern::Array(items) => {
                let items = items.iter().map(|item| self.pattern(item, names, scope, depth));
                ir::Pattern::Array(items.collect::<Result<_, _>>()?)
            }
            Pattern::Object(entries) => {
                let mut resolved = Vec::new();
                for entry in entries {
                    check_key(&entry.key)?;
                    let key = self.node(&entry.key, scope, depth)?;
                    let pattern = match &entry.pattern {
                        Some(pattern) => Some(self.pattern(pattern, names, scope, depth)?),
                        None => None,
                    };
                    let variable = entry.variable.as_deref().map(slot);
                    resolved.push(ir::PatternEntry { variable, key, pattern });
                }
                ir::Pattern::Object(resolved)
            }
        })
    }
}
