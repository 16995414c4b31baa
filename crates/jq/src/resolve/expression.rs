//! Expressions as nodes.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::builtins;
use crate::ir;
use crate::ir::Constant;
use crate::ir::FormatPart;
use crate::ir::MemberKey;
use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::Resolver;
use crate::resolve::constant;
use crate::resolve::patterns::check_key;
use crate::resolve::scope::Entry;
use crate::resolve::scope::Function;
use crate::resolve::scope::Scope;
use crate::resolve::suggest;
use crate::stack::FOR_COMPILING;
use crate::syntax::Fault;
use crate::syntax::Span;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::Fold;
use crate::syntax::ast::Part;

impl Resolver<'_> {
    /// Compiles an expression for an environment of `depth` slots.
    pub(super) fn node(&mut self, expr: &Expr, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        if self.base.used() > FOR_COMPILING {
            return Err(Fault::new("expressions and calls are nested too deeply", expr.span)
                .help("name parts of the program with `def`"));
        }
        if let Some(value) = constant::literal(expr) {
            let constant = self.constant(value);
            return Ok(self.make(Op::Constant(constant)));
        }
        let op = match &expr.kind {
            ExprKind::Identity => Op::Identity,
            ExprKind::RecurseAll => Op::RecurseAll(u8::MAX),
            ExprKind::Number(digits) => Op::Constant(self.constant(Constant::Number(constant::number(digits)))),
            ExprKind::String(format, parts) => self.string(format.as_deref(), parts, expr.span, scope, depth)?,
            ExprKind::Format(name) => {
                let name = format_name(name, expr.span)?;
                let input = self.make(Op::Identity);
                Op::Format(name, vec![FormatPart::Value(input)])
            }
            ExprKind::Index(base, key, optional) => return self.index(base, key, *optional, scope, depth),
            ExprKind::Slice(base, from, to, optional) => {
                let base = self.boxed(base, scope, depth)?;
                let from = self.bound(from.as_deref(), scope, depth)?;
                let to = self.bound(to.as_deref(), scope, depth)?;
                Op::Slice(base, from, to, *optional)
            }
            ExprKind::Iterate(base, optional) => Op::Iterate(self.boxed(base, scope, depth)?, *optional),
            ExprKind::Try(body, handler) => {
                let body = self.boxed(body, scope, depth)?;
                Op::Try(body, self.optional(handler.as_deref(), scope, depth)?)
            }
            ExprKind::Array(Some(items)) => Op::Array(self.boxed(items, scope, depth)?),
            ExprKind::Object(members) => self.object(members, scope, depth)?,
            ExprKind::Pipe(steps) => return self.pipe(steps, scope, depth),
            ExprKind::Comma(items) => {
                let items = items.iter().map(|item| self.node(item, scope, depth));
                Op::Comma(items.collect::<Result<_, _>>()?)
            }
            ExprKind::Label(name, body) => {
                let scope = scope.label(name, depth + 1);
                Op::Label(self.boxed(body, &scope, depth + 1)?)
            }
            ExprKind::Break(name) => return self.break_to(name, expr.span, scope, depth),
            ExprKind::Location => self.location(expr.span),
            ExprKind::Variable(name) => return self.variable(name, expr.span, scope, depth),
            ExprKind::Define(definition, body) => {
                let function = Rc::new(Function::new(Rc::clone(definition), &self.source));
                return self.node(body, &scope.function(function, depth), depth);
            }
            ExprKind::Call(name, arguments) => return self.call(name, arguments, expr.span, scope, depth),
            ExprKind::Bind(source, patterns, body) => {
                let source = self.boxed(source, scope, depth)?;
                let (patterns, scope, depth) = self.patterns(patterns, scope, depth)?;
                Op::Bind(source, patterns, self.boxed(body, &scope, depth)?)
            }
            ExprKind::Reduce(fold) => Op::Reduce(self.fold(fold, scope, depth)?),
            ExprKind::Foreach(fold) => Op::Foreach(self.fold(fold, scope, depth)?),
            _ => return self.operator(expr, scope, depth),
        };
        Ok(self.make(op))
    }

    /// Operators, whose operands are expressions of the same scope.
    fn operator(&mut self, expr: &Expr, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        let mut operand = |expr: &Expr| self.boxed(expr, scope, depth);
        let op = match &expr.kind {
            ExprKind::Binary(..) => return self.binary(expr, scope, depth),
            ExprKind::And(left, right) => Op::And(operand(left)?, operand(right)?),
            ExprKind::Or(left, right) => Op::Or(operand(left)?, operand(right)?),
            ExprKind::Alternative(left, right) => Op::Alternative(operand(left)?, operand(right)?),
            ExprKind::Assign(path, value) => Op::Assign(operand(path)?, operand(value)?),
            ExprKind::Update(path, value) => Op::Update(operand(path)?, operand(value)?),
            ExprKind::UpdateBinary(op, path, value) => Op::UpdateBinary(*op, operand(path)?, operand(value)?),
            ExprKind::UpdateAlternative(path, value) => Op::UpdateAlternative(operand(path)?, operand(value)?),
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (operand(condition)?, operand(then)?);
                let otherwise = match otherwise {
                    Some(otherwise) => operand(otherwise)?,
                    None => Box::new(self.make(Op::Identity)),
                };
                Op::If(condition, then, otherwise)
            }
            ExprKind::Negate(inner) => {
                if let Some(number) = constant::of(expr) {
                    Op::Constant(self.constant(number))
                } else {
                    Op::Negate(self.boxed(inner, scope, depth)?)
                }
            }
            _ => Op::Identity,
        };
        Ok(self.make(op))
    }

    /// A row of binary operators, which is deep on the left, without recursion.
    fn binary(&mut self, expr: &Expr, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        let mut operators = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind {
            operators.push((*op, right));
            leftmost = left;
        }
        let mut node = self.node(leftmost, scope, depth)?;
        while let Some((op, right)) = operators.pop() {
            let right = self.boxed(right, scope, depth)?;
            node = self.make(Op::Binary(op, Box::new(node), right));
        }
        Ok(node)
    }

    pub(super) fn boxed(&mut self, expr: &Expr, scope: &Scope, depth: usize) -> Result<Box<Node>, Fault> {
        Ok(Box::new(self.node(expr, scope, depth)?))
    }

    fn optional(&mut self, expr: Option<&Expr>, scope: &Scope, depth: usize) -> Result<Option<Box<Node>>, Fault> {
        match expr {
            Some(expr) => Ok(Some(self.boxed(expr, scope, depth)?)),
            None => Ok(None),
        }
    }

    /// A bound of a slice; null if there is none.
    fn bound(&mut self, bound: Option<&Expr>, scope: &Scope, depth: usize) -> Result<Box<Node>, Fault> {
        if let Some(bound) = bound {
            self.boxed(bound, scope, depth)
        } else {
            let null = self.constant(Constant::Null);
            Ok(Box::new(self.make(Op::Constant(null))))
        }
    }

    fn pipe(&mut self, steps: &[Expr], scope: &Scope, depth: usize) -> Result<Node, Fault> {
        let mut nodes = Vec::new();
        for step in steps {
            nodes.push(self.node(step, scope, depth)?);
        }
        let Some(mut result) = nodes.pop() else { return Ok(self.make(Op::Identity)) };
        while let Some(before) = nodes.pop() {
            result = self.make(Op::Pipe(Box::new(before), Box::new(result)));
        }
        Ok(result)
    }

    fn index(&mut self, base: &Expr, key: &Expr, optional: bool, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        let base = self.boxed(base, scope, depth)?;
        if let Some(text) = key.as_literal() {
            let key = self.key(text);
            return Ok(self.make(Op::Field(base, key, optional)));
        }
        let key = self.boxed(key, scope, depth)?;
        Ok(self.make(Op::Index(base, key, optional)))
    }

    fn object(&mut self, members: &[(Expr, Expr)], scope: &Scope, depth: usize) -> Result<Op, Fault> {
        let mut nodes = Vec::new();
        for (key, value) in members {
            check_key(key)?;
            let key = match key.as_literal() {
                Some(text) => MemberKey::Constant(self.key(text)),
                None => MemberKey::Computed(self.node(key, scope, depth)?),
            };
            nodes.push((key, self.node(value, scope, depth)?));
        }
        if nodes.is_empty() {
            return Ok(Op::Constant(self.constant(Constant::Object(Vec::new()))));
        }
        Ok(Op::Object(nodes))
    }

    fn string(
        &mut self,
        format: Option<&str>,
        parts: &[Part],
        span: Span,
        scope: &Scope,
        depth: usize,
    ) -> Result<Op, Fault> {
        let format = format_name(format.unwrap_or("@text"), span)?;
        let mut nodes = Vec::new();
        for part in parts {
            nodes.push(match part {
                Part::Text(text) => FormatPart::Text(text.clone()),
                Part::Interpolation(inner) => FormatPart::Value(self.node(inner, scope, depth)?),
            });
        }
        match &nodes[..] {
            [] => Ok(Op::Constant(self.constant(Constant::String(String::new())))),
            [FormatPart::Text(text)] => Ok(Op::Constant(self.constant(Constant::String(text.clone())))),
            // Alone, a format would be applied to the value itself, which is the same.
            _ => Ok(Op::Format(format, nodes)),
        }
    }

    fn location(&mut self, span: Span) -> Op {
        let line = self.source.text[..span.start].matches('\n').count() + 1;
        let file = self.source.name.clone().unwrap_or_else(|| "<top-level>".to_owned());
        let members =
            vec![("file".to_owned(), Constant::String(file)), ("line".to_owned(), Constant::Number(line.to_string()))];
        Op::Constant(self.constant(Constant::Object(members)))
    }

    fn variable(&mut self, name: &str, span: Span, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        for (_, link) in scope.links() {
            match &link.entry {
                Entry::Variable(known) if known == name => {
                    let place = self.place(link.depth, depth);
                    return Ok(self.make(Op::Variable(place)));
                }
                Entry::Constant(known, constant) if known == name => return Ok(self.make(Op::Constant(*constant))),
                _ => {}
            }
        }
        if name == "ENV" {
            return Ok(self.make(Op::Environment));
        }
        let fault = Fault::new(format!("${name} is not defined"), span);
        Err(fault.help(suggest::variable(name, scope)))
    }

    fn break_to(&mut self, name: &str, span: Span, scope: &Scope, depth: usize) -> Result<Node, Fault> {
        let label = scope.links().find(|(_, link)| matches!(&link.entry, Entry::Label(known) if known == name));
        match label {
            Some((_, link)) => {
                let place = self.place(link.depth, depth);
                Ok(self.make(Op::Break(place)))
            }
            None => Err(Fault::new(format!("$*label-{name} is not defined"), span)
                .help(format!("`break ${name}` is used inside of what follows `label ${name} |`"))),
        }
    }

    fn fold(&mut self, fold: &Fold, scope: &Scope, depth: usize) -> Result<Box<ir::Fold>, Fault> {
        let source = self.node(&fold.source, scope, depth)?;
        let init = self.node(&fold.init, scope, depth)?;
        let (patterns, scope, depth) = self.patterns(&fold.patterns, scope, depth)?;
        let update = self.node(&fold.update, &scope, depth)?;
        let extract = match &fold.extract {
            Some(extract) => Some(self.node(extract, &scope, depth)?),
            None => None,
        };
        Ok(Box::new(ir::Fold { source, patterns, init, update, extract }))
    }
}

fn format_name(name: &str, span: Span) -> Result<&'static str, Fault> {
    builtins::FORMATS.iter().copied().find(|known| *known == name).ok_or_else(|| {
        let known = builtins::FORMATS.join(", ");
        Fault::new(format!("{} is not a valid format", name.trim_start_matches('@')), span)
            .help(format!("the formats are {known}"))
    })
}
