//! Calls of functions: as calls, or as the function's body in the place of the call.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::builtins;
use crate::ir::Argument;
use crate::ir::Call;
use crate::ir::Cardinality;
use crate::ir::Node;
use crate::ir::Op;
use crate::ir::Patterns;
use crate::resolve::Definitions;
use crate::resolve::Resolver;
use crate::resolve::scope::Alias;
use crate::resolve::scope::Entry;
use crate::resolve::scope::Function;
use crate::resolve::scope::Scope;
use crate::resolve::scope::State;
use crate::resolve::scope::mentions;
use crate::resolve::suggest;
use crate::syntax::Fault;
use crate::syntax::Span;
use crate::syntax::ast::Expr;
use crate::syntax::parse_module;

/// The size of bodies that may replace calls: what the one-line definitions of the builtins have.
const SMALL_BODY: usize = 48;

/// The size of arguments that may be repeated where the body uses them more than once.
const SMALL_ARGUMENT: usize = 4;

/// How deep calls are replaced within each other, and how many nodes there may be before it ends.
const DEEPEST: usize = 32;
const MOST: usize = 20_000;

impl Resolver<'_> {
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Rc<Expr>],
        span: Span,
        scope: &Scope,
        depth: usize,
    ) -> Result<Node, Fault> {
        let arity = arguments.len();
        for (at, link) in scope.links() {
            match &link.entry {
                Entry::Function(function) if function.is(name, arity) => {
                    return self.call_function(function, at, link.depth, arguments, scope, depth);
                }
                Entry::Imported(known, function, outer)
                    if known == name && function.definition.parameters.len() == arity =>
                {
                    return self.call_function(function, outer, self.globals, arguments, scope, depth);
                }
                Entry::Closure(known) if known == name && arity == 0 => {
                    let place = self.place(link.depth, depth);
                    return Ok(self.make(Op::Closure(place)));
                }
                Entry::Alias(alias) if alias.name == name && arity == 0 => {
                    return self.within(&alias.source, |resolver| resolver.node(&alias.expr, &alias.scope, depth));
                }
                _ => {}
            }
        }
        self.call_builtin(name, arguments, span, scope, depth)
    }

    fn call_builtin(
        &mut self,
        name: &str,
        arguments: &[Rc<Expr>],
        span: Span,
        scope: &Scope,
        depth: usize,
    ) -> Result<Node, Fault> {
        let arity = arguments.len();
        if let Some(op) = self.special(name, arguments, scope, depth)? {
            return Ok(self.make(op));
        }
        if let Some(function) = self.builtin(name, arity) {
            // Like a function of a module, it is defined where there are only the slots of the whole run.
            return self.call_function(&function, &Scope::default(), self.globals, arguments, scope, depth);
        }
        if let Some(native) = builtins::find(name, arity) {
            match name {
                "_debug" | "_stderr" => self.uses.messages = true,
                "input_filename" => self.uses.file_name = true,
                "input_line_number" => self.uses.line_number = true,
                _ => {}
            }
            let nodes = arguments.iter().map(|argument| self.node(argument, scope, depth));
            let nodes = nodes.collect::<Result<_, _>>()?;
            return Ok(self.make(Op::Native(native, nodes)));
        }
        // As in messages of jq, without the arguments.
        let name_span = Span::new(span.start, span.start + name.len());
        let fault = Fault::new(format!("{name}/{arity} is not defined"), name_span);
        Err(match suggest::function(name, arguments, scope, span, &self.source.text) {
            Some(help) => fault.help(help),
            None => fault,
        })
    }

    /// A builtin that is written in the jq language.
    fn builtin(&mut self, name: &str, arity: usize) -> Option<Rc<Function>> {
        let text = Definitions::all().text(name, arity)?;
        if let Some(function) = self.builtins.get(&(name.to_owned(), arity)) {
            return Some(Rc::clone(function));
        }
        let definition = parse_module(text).ok()?.definitions.pop()?;
        let function = Rc::new(Function::new(definition, &self.source));
        self.builtins.insert((name.to_owned(), arity), Rc::clone(&function));
        Some(function)
    }

    /// Calls a function that was found in the scope `at`, in an environment of `slots` slots.
    fn call_function(
        &mut self,
        function: &Rc<Function>,
        at: &Scope,
        slots: usize,
        arguments: &[Rc<Expr>],
        scope: &Scope,
        depth: usize,
    ) -> Result<Node, Fault> {
        if self.replaceable(function, arguments) {
            self.inlined += 1;
            let node = self.replaced(function, at, arguments, scope, depth);
            self.inlined -= 1;
            return node;
        }
        let (id, cardinality) = self.function(function, at, slots)?;
        let mut resolved = Vec::new();
        let parameters = function.definition.parameters.iter().zip(&function.called);
        for ((parameter, is_called), argument) in parameters.zip(arguments) {
            if *is_called {
                resolved.push(Argument::Closure(self.node(argument, scope, depth)?));
            }
            if parameter.is_value {
                resolved.push(Argument::Value(self.node(argument, scope, depth)?));
            }
        }
        let of_values = resolved.iter().map(|argument| match argument {
            Argument::Value(node) => node.cardinality,
            Argument::Closure(_) => Cardinality::One,
        });
        let cardinality = of_values.fold(cardinality, Cardinality::max);
        let place = self.place(slots, depth);
        let op = Op::Call(Box::new(Call { function: id, place, arguments: resolved }));
        self.nodes += 1;
        Ok(Node { op, cardinality })
    }

    /// Whether a call may be replaced by the body.
    fn replaceable(&self, function: &Function, arguments: &[Rc<Expr>]) -> bool {
        let definition = &function.definition;
        let body = &definition.body;
        if function.is_recursive || body.size > SMALL_BODY || self.inlined >= DEEPEST || self.nodes > MOST {
            return false;
        }
        definition.parameters.iter().zip(arguments).all(|(parameter, argument)| {
            let uses = mentions(body, &parameter.name, 0) + usize::from(parameter.is_value);
            argument.size <= SMALL_ARGUMENT || uses <= 1
        })
    }

    /// The body of a function, with its parameters as aliases and variables.
    fn replaced(
        &mut self,
        function: &Rc<Function>,
        at: &Scope,
        arguments: &[Rc<Expr>],
        scope: &Scope,
        depth: usize,
    ) -> Result<Node, Fault> {
        let mut inner = at.clone();
        let mut inner_depth = depth;
        let mut bound = Vec::new();
        let parameters = function.definition.parameters.iter().zip(&function.called);
        for ((parameter, is_called), argument) in parameters.zip(arguments) {
            let name = parameter.name.clone();
            if parameter.is_value {
                bound.push(self.node(argument, scope, inner_depth)?);
                inner_depth += 1;
                inner = inner.variable(&name, inner_depth);
            } else if mentions(&function.definition.body, &name, 0) == 0 {
                // Only its mistakes are wanted.
                self.node(argument, scope, inner_depth)?;
            }
            if *is_called {
                let source = Rc::clone(&self.source);
                let alias = Alias { name, expr: Rc::clone(argument), scope: scope.clone(), source };
                inner = inner.alias(alias, inner_depth);
            }
        }
        let source = Rc::clone(&function.source);
        let mut node =
            self.within(&source, |resolver| resolver.node(&function.definition.body, &inner, inner_depth))?;
        while let Some(value) = bound.pop() {
            let patterns = Patterns { alternatives: vec![crate::ir::Pattern::Variable(0)], variables: 1 };
            node = self.make(Op::Bind(Box::new(value), patterns, Box::new(node)));
        }
        Ok(node)
    }

    /// Compiles a function once. While its own body is compiled, it may have any number of outputs.
    fn function(&mut self, function: &Rc<Function>, at: &Scope, slots: usize) -> Result<(usize, Cardinality), Fault> {
        match function.state.get() {
            State::Compiled(id, cardinality) => return Ok((id, cardinality)),
            State::Compiling(id) => return Ok((id, Cardinality::Many)),
            State::Unused => {}
        }
        let id = self.functions.len();
        self.functions.push(None);
        function.state.set(State::Compiling(id));
        let mut inner = at.clone();
        let mut depth = slots;
        for (parameter, is_called) in function.definition.parameters.iter().zip(&function.called) {
            if *is_called {
                depth += 1;
                inner = inner.closure(&parameter.name, depth);
            }
            if parameter.is_value {
                depth += 1;
                inner = inner.variable(&parameter.name, depth);
            }
        }
        let source = Rc::clone(&function.source);
        let body = self.within(&source, |resolver| resolver.node(&function.definition.body, &inner, depth))?;
        let cardinality = body.cardinality;
        self.functions[id] = Some(body);
        function.state.set(State::Compiled(id, cardinality));
        Ok((id, cardinality))
    }
}
