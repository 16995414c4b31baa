//! Patterns of `as`: their variables get slots, in the order in which they are first named.

#![forbid(unsafe_code)]

use crate::ir;
use crate::resolve::Resolver;
use crate::resolve::constant;
use crate::resolve::scope::Scope;
use crate::syntax::Fault;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Pattern;

/// Lists the variables of a pattern each time they are named.
fn collect<'p>(pattern: &'p Pattern, names: &mut Vec<&'p str>) {
    match pattern {
        Pattern::Variable(name) => names.push(name),
        Pattern::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Pattern::Object(entries) => {
            for entry in entries {
                names.extend(entry.variable.as_deref());
                entry.pattern.iter().for_each(|pattern| collect(pattern, names));
            }
        }
    }
}

/// The slots of the variables of a pattern. If one is named again, what is bound first counts, and the rest goes to a slot that has no
/// name; with `?//`, what is bound last counts.
struct Slots<'n> {
    names: &'n [&'n str],
    has_repeats: bool,
    /// Whether a variable is bound by what was evaluated before.
    bound: Vec<bool>,
}

impl Slots<'_> {
    fn take(&mut self, name: &str) -> usize {
        let at = self.names.iter().position(|known| *known == name).unwrap_or_default();
        let is_bound = std::mem::replace(&mut self.bound[at], true);
        if is_bound && self.has_repeats { self.names.len() } else { at }
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
        let (mut names, mut has_repeats) = (Vec::new(), false);
        for pattern in patterns {
            let mut all = Vec::new();
            collect(pattern, &mut all);
            for (at, name) in all.iter().enumerate() {
                has_repeats |= patterns.len() == 1 && all[..at].contains(name);
                if !names.contains(name) {
                    names.push(*name);
                }
            }
        }
        let mut scope = scope.clone();
        for (at, name) in names.iter().enumerate() {
            scope = scope.variable(name, depth + at + 1);
        }
        let variables = names.len() + usize::from(has_repeats);
        let depth = depth + variables;
        let mut alternatives = Vec::new();
        for pattern in patterns {
            let mut slots = Slots { names: &names, has_repeats, bound: vec![false; names.len()] };
            alternatives.push(self.pattern(pattern, &mut slots, &scope, depth)?);
        }
        Ok((ir::Patterns { alternatives, variables }, scope, depth))
    }

    fn pattern(
        &mut self,
        pattern: &Pattern,
        slots: &mut Slots<'_>,
        scope: &Scope,
        depth: usize,
    ) -> Result<ir::Pattern, Fault> {
        Ok(match pattern {
            Pattern::Variable(name) => ir::Pattern::Variable(slots.take(name)),
            Pattern::Array(items) => {
                // The last element is evaluated first.
                let resolved = items.iter().rev().map(|item| self.pattern(item, slots, scope, depth));
                let mut resolved = resolved.collect::<Result<Vec<_>, _>>()?;
                resolved.reverse();
                ir::Pattern::Array(resolved)
            }
            Pattern::Object(entries) => {
                let mut resolved = Vec::new();
                for entry in entries {
                    check_key(&entry.key)?;
                    let key = self.node(&entry.key, scope, depth)?;
                    let variable = entry.variable.as_deref().map(|name| slots.take(name));
                    let pattern = match &entry.pattern {
                        Some(pattern) => Some(self.pattern(pattern, slots, scope, depth)?),
                        None => None,
                    };
                    resolved.push(ir::PatternEntry { variable, key, pattern });
                }
                ir::Pattern::Object(resolved)
            }
        })
    }
}
