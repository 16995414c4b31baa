//! The builtins that are written in the jq language. Each is one line of a text, which is parsed only if a program uses it.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The text; a definition begins with `def` at the start of a line.
const TEXT: &str = include_str!("../definitions.jq");

/// The definitions by name and number of parameters.
pub(crate) struct Definitions(BTreeMap<(&'static str, usize), &'static str>);

impl Definitions {
    pub(crate) fn all() -> &'static Self {
        static ALL: OnceLock<Definitions> = OnceLock::new();
        ALL.get_or_init(|| Self(split(TEXT).map(|text| (signature(text), text)).collect()))
    }

    pub(crate) fn text(&self, name: &str, arity: usize) -> Option<&'static str> {
        self.0.get(&(name, arity)).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.0.keys().copied()
    }
}

/// The texts between lines that begin with `def`.
fn split(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text.find("\ndef ").map_or("", |at| &text[at + 1..]);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find("\ndef ").map_or(rest.len(), |at| at + 1);
        let (definition, following) = rest.split_at(end);
        rest = following;
        Some(definition)
    })
}

/// The name and the number of parameters.
fn signature(text: &'static str) -> (&'static str, usize) {
    let head = &text["def ".len()..];
    let name = &head[..head.find(['(', ':']).unwrap_or(head.len())];
    let parameters = match head[name.len()..].strip_prefix('(') {
        Some(parameters) => parameters.split(')').next().map_or(0, |parameters| parameters.split(';').count()),
        None => 0,
    };
    (name, parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_module;

    #[test]
    fn every_definition_is_found_by_what_it_defines() {
        for ((name, arity), text) in &Definitions::all().0 {
            let module = parse_module(text).unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
            let [definition] = &module.definitions[..] else {
                panic!("{name}: {} definitions", module.definitions.len())
            };
            assert_eq!((definition.name.as_str(), definition.parameters.len()), (*name, *arity));
        }
    }
}
