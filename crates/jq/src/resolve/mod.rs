//! From the syntax tree to the resolved form: names become slots, functions are compiled when they are first called, and small
//! ones are put where they are called.
//!
//! Putting a function's body in the place of a call needs no copy of the tree: a parameter becomes an alias, an expression with
//! the scope in which it was written. Environments only grow on the way down, so the slots of that scope are still found, only
//! further up.

#![forbid(unsafe_code)]

mod calls;
mod cardinality;
mod constant;
mod definitions;
mod expression;
mod modules;
mod node;
mod patterns;
mod scope;
mod simplify;
mod specials;
mod suggest;

use std::collections::HashMap;
use std::rc::Rc;

use crate::ir::Constant;
use crate::ir::Key;
use crate::ir::Node;
use crate::ir::Place;
use crate::ir::Program;
use crate::ir::Uses;
use crate::modules::Modules;
use crate::program_error::ProgramError;
use crate::program_error::Source;
use crate::resolve::scope::Function;
use crate::resolve::scope::Scope;
use crate::stack::StackBase;
use crate::syntax::Fault;
use crate::syntax::Span;

pub(crate) use cardinality::cardinality as cardinality_of;
pub(crate) use definitions::Definitions;
pub(crate) use modules::describe as describe_module;
pub(crate) use specials::names as special_names;

/// Compiles a program.
///
/// The values of `variables` are given when it runs; `definitions` are files, by name and text, whose definitions it may use.
pub(crate) fn compile<'m>(
    text: &str,
    variables: &[String],
    definitions: &[(String, String)],
    modules: Option<&'m mut (dyn Modules + 'm)>,
) -> Result<Program, ProgramError> {
    let source = Rc::new(Source { name: None, text: text.to_owned() });
    let mut resolver = Resolver {
        functions: Vec::new(),
        constants: Vec::new(),
        strings: HashMap::new(),
        builtins: HashMap::new(),
        globals: variables.len(),
        modules,
        loading: Vec::new(),
        source: Rc::clone(&source),
        inlined: 0,
        nodes: 0,
        uses: Uses::default(),
        base: StackBase::here(),
    };
    let main = resolver.program(definitions, variables);
    let main = main.map_err(|fault| fault.in_source(&source).into_error())?;
    let Resolver { functions, constants, uses, .. } = resolver;
    let functions = functions.into_iter().flatten().collect();
    Ok(Program { main, functions, constants, globals: variables.len(), uses })
}

pub(crate) struct Resolver<'s> {
    /// None while it is compiled.
    functions: Vec<Option<Node>>,
    constants: Vec<Constant>,
    /// The numbers of strings among the constants.
    strings: HashMap<String, usize>,
    /// Definitions of builtins that were used.
    builtins: HashMap<(String, usize), Rc<Function>>,
    globals: usize,
    modules: Option<&'s mut (dyn Modules + 's)>,
    /// Modules that are being loaded, from the outermost one.
    loading: Vec<String>,
    /// What the nodes that are compiled come from.
    source: Rc<Source>,
    /// How many calls were replaced by bodies, one within another.
    inlined: usize,
    /// How many nodes were made.
    nodes: usize,
    /// What the nodes ask of the outside world.
    uses: Uses,
    base: StackBase,
}

impl Resolver<'_> {
    fn program(&mut self, files: &[(String, String)], variables: &[String]) -> Result<Node, Fault> {
        let mut scope = Scope::default();
        for (name, text) in files {
            scope = self.definitions_of(name, text, &scope)?;
        }
        let source = Rc::clone(&self.source);
        let module = crate::syntax::parse_module(&source.text)?;
        let mut scope = self.imports(&module, &scope)?;
        for (at, name) in variables.iter().enumerate() {
            scope = scope.variable(name, at + 1);
        }
        let depth = self.globals;
        for definition in &module.definitions {
            scope = scope.function(Rc::new(Function::new(Rc::clone(definition), &self.source)), depth);
        }
        match &module.main {
            Some(main) => self.node(main, &scope, depth),
            None => Err(Fault::new(
                "Top-level program not given (try \".\")",
                Span::new(source.text.len(), source.text.len()),
            )),
        }
    }

    /// Where the slot at a depth is found from an environment of another depth.
    #[expect(clippy::cast_possible_truncation, reason = "depths are bounded by the height of the tree")]
    fn place(&self, slot: usize, depth: usize) -> Place {
        if slot <= self.globals { Place::Global(slot as u32) } else { Place::Up((depth - slot) as u32) }
    }

    fn constant(&mut self, constant: Constant) -> usize {
        if let Constant::String(text) = &constant {
            if let Some(at) = self.strings.get(text) {
                return *at;
            }
            self.strings.insert(text.clone(), self.constants.len());
        }
        self.constants.push(constant);
        self.constants.len() - 1
    }

    fn key(&mut self, text: &str) -> Key {
        Key { text: text.into(), constant: self.constant(Constant::String(text.to_owned())) }
    }

    /// Compiles something that comes from another source.
    fn within<T>(
        &mut self,
        source: &Rc<Source>,
        compile: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let outer = std::mem::replace(&mut self.source, Rc::clone(source));
        let result = compile(self);
        let inner = std::mem::replace(&mut self.source, outer);
        result.map_err(|fault| fault.in_source(&inner))
    }
}
