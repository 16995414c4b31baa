//! What a name means at a place in a program: a list of entries, from the innermost one, whose tails are shared.

#![forbid(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;

use crate::ir::Cardinality;
use crate::program_error::Source;
use crate::syntax::ast::Definition;
use crate::syntax::ast::Expr;
use crate::syntax::ast::Parameter;

/// A list of entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope(Option<Rc<Link>>);

#[derive(Debug)]
pub(super) struct Link {
    pub(super) entry: Entry,
    /// How many slots there are with this entry, counted from the root.
    pub(super) depth: usize,
    outer: Scope,
}

#[derive(Debug)]
pub(super) enum Entry {
    /// In a slot.
    Variable(String),
    /// A parameter that is an expression, in a slot.
    Closure(String),
    /// In a slot.
    Label(String),
    Function(Rc<Function>),
    /// A function of a module, by the name that the import gave it.
    Imported(String, Rc<Function>, Scope),
    /// A variable whose value is known: the number of a constant.
    Constant(String, usize),
    /// A parameter of a function whose body was put in the place of a call.
    Alias(Alias),
}

#[derive(Debug)]
pub(super) struct Alias {
    pub(super) name: String,
    pub(super) expr: Rc<Expr>,
    pub(super) scope: Scope,
    pub(super) source: Rc<Source>,
}

/// A function and whether it has been compiled.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) definition: Rc<Definition>,
    pub(super) source: Rc<Source>,
    pub(super) state: Cell<State>,
    /// Whether the body mentions the function itself.
    pub(super) is_recursive: bool,
    /// For each parameter, whether it is called: each `name`, and a `$name` whose expression is evaluated anew where the body has `name`.
    pub(super) called: Box<[bool]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    Unused,
    Compiling(usize),
    Compiled(usize, Cardinality),
}

impl Function {
    pub(super) fn new(definition: Rc<Definition>, source: &Rc<Source>) -> Self {
        let is_recursive = mentions(&definition.body, &definition.name, definition.parameters.len()) > 0;
        let is_called =
            |parameter: &Parameter| !parameter.is_value || mentions(&definition.body, &parameter.name, 0) > 0;
        let called = definition.parameters.iter().map(is_called).collect();
        Self { definition, source: Rc::clone(source), state: Cell::new(State::Unused), is_recursive, called }
    }

    pub(super) fn is(&self, name: &str, arity: usize) -> bool {
        self.definition.name == name && self.definition.parameters.len() == arity
    }
}

/// How often a function is called in an expression, or one of the same name that hides it.
pub(super) fn mentions(expr: &Expr, name: &str, arity: usize) -> usize {
    use crate::syntax::ast::ExprKind;
    let mut count = match &expr.kind {
        ExprKind::Call(called, arguments) => usize::from(called == name && arguments.len() == arity),
        _ => 0,
    };
    expr.kind.each_child(&mut |child| count += mentions(child, name, arity));
    count
}

impl Scope {
    fn push(&self, entry: Entry, depth: usize) -> Self {
        Self(Some(Rc::new(Link { entry, depth, outer: self.clone() })))
    }

    pub(super) fn variable(&self, name: &str, depth: usize) -> Self {
        self.push(Entry::Variable(name.to_owned()), depth)
    }

    pub(super) fn closure(&self, name: &str, depth: usize) -> Self {
        self.push(Entry::Closure(name.to_owned()), depth)
    }

    pub(super) fn label(&self, name: &str, depth: usize) -> Self {
        self.push(Entry::Label(name.to_owned()), depth)
    }

    pub(super) fn function(&self, function: Rc<Function>, depth: usize) -> Self {
        self.push(Entry::Function(function), depth)
    }

    pub(super) fn imported(&self, name: String, function: Rc<Function>, scope: Self) -> Self {
        self.push(Entry::Imported(name, function, scope), 0)
    }

    pub(super) fn constant(&self, name: String, constant: usize) -> Self {
        self.push(Entry::Constant(name, constant), 0)
    }

    pub(super) fn alias(&self, alias: Alias, depth: usize) -> Self {
        self.push(Entry::Alias(alias), depth)
    }

    /// This scope and those around it that are not empty.
    pub(super) fn links(&self) -> impl Iterator<Item = (&Self, &Link)> {
        std::iter::successors(Some(self), |scope| scope.0.as_ref().map(|link| &link.outer))
            .map_while(|scope| Some((scope, &**scope.0.as_ref()?)))
    }
}

impl Drop for Link {
    /// Frees a long list without recursion.
    fn drop(&mut self) {
        let mut next = self.outer.0.take();
        while let Some(link) = next.and_then(Rc::into_inner) {
            let mut link = link;
            next = link.outer.0.take();
        }
    }
}
