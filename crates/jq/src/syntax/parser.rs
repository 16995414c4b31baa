//! Expressions with operators, by precedence climbing.
//!
//! From weakest to strongest: `def`, `label` and `as`, whose bodies extend as far as possible; `|`; `,`; `//`; assignments; `or`;
//! `and`; comparisons; `+ -`; `* / %`; `try` and `-`; what follows a term, such as `.a`, `[0]` and `?`.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::stack::FOR_COMPILING;
use crate::stack::StackBase;
use crate::syntax::Fault;
use crate::syntax::Span;
use crate::syntax::ast::BinaryOp;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::hints;
use crate::syntax::lexer::Token;
use crate::syntax::lexer::TokenKind;

/// How deep expressions may be nested.
const DEPTH: usize = 256;

/// How tall the tree of an expression may become through operators in a row.
pub(super) const HEIGHT: usize = 1024;

/// How many operands a chain of `|` or `,` may have, which bounds the depth of what is made of it.
const CHAIN: usize = 4096;

pub(crate) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    depth: usize,
    base: StackBase,
}

/// How a binary operator binds to what is left and right of it.
struct Binding {
    left: u8,
    right: u8,
    /// `a == b == c` is an error.
    chains: bool,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, tokens: Vec<Token>) -> Self {
        Self { text, tokens, at: 0, depth: 0, base: StackBase::here() }
    }

    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    pub(super) fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    /// The kind of a later token.
    pub(super) fn later(&self, count: usize) -> &TokenKind {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)].kind
    }

    /// The place of the last token that was taken.
    pub(super) fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// Takes a token. The last one stays.
    pub(super) fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn is(&self, operator: &str) -> bool {
        matches!(self.kind(), TokenKind::Operator(found) if *found == operator)
    }

    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.kind(), TokenKind::Keyword(found) if *found == keyword)
    }

    pub(super) fn take(&mut self, operator: &str) -> bool {
        let found = self.is(operator);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, operator: &str) -> Result<(), Fault> {
        if self.take(operator) { Ok(()) } else { Err(self.unexpected(&[&format!("'{operator}'")])) }
    }

    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Result<(), Fault> {
        if self.take_keyword(keyword) { Ok(()) } else { Err(self.unexpected(&[keyword])) }
    }

    /// The error for the next token; `expected` is empty where too much would fit.
    pub(super) fn unexpected(&self, expected: &[&str]) -> Fault {
        let mut message = format!("syntax error, unexpected {}", hints::token_name(self.kind()));
        if !expected.is_empty() {
            message += ", expecting ";
            message += &expected.join(" or ");
        }
        let fault = Fault::new(message, self.token().span);
        let position = hints::Position { text: self.text, tokens: &self.tokens, at: self.at };
        match hints::unexpected(&position, expected) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// Runs a parser one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= DEPTH || self.base.used() > FOR_COMPILING {
            let message = format!("expressions are nested more than {} levels deep", self.depth);
            return Err(Fault::new(message, self.token().span).help("give parts of the program names with `def`"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// A whole expression.
    pub(super) fn query(&mut self) -> Result<Expr, Fault> {
        self.deeper(|parser| {
            parser.chain("|", ExprKind::Pipe, |parser| parser.chain(",", ExprKind::Comma, Self::query_head))
        })
    }

    /// Operands between which an operator stands.
    fn chain(
        &mut self,
        operator: &'static str,
        kind: fn(Vec<Expr>) -> ExprKind,
        mut operand: impl FnMut(&mut Self) -> Result<Expr, Fault>,
    ) -> Result<Expr, Fault> {
        let first = operand(self)?;
        if !self.is(operator) {
            return Ok(first);
        }
        let mut span = first.span;
        let mut operands = vec![first];
        while self.take(operator) {
            let next = operand(self)?;
            span = span.to(next.span);
            operands.push(next);
            if operands.len() > CHAIN {
                return Err(Fault::new(
                    format!("more than {CHAIN} expressions in a row with `{operator}`"),
                    self.last(),
                )
                .help("give parts of the program names with `def`, or put them in parentheses"));
            }
        }
        Ok(Expr::new(kind(operands), span))
    }

    /// `def`, `label` and `as`, whose bodies are everything that follows; or an expression of operators.
    fn query_head(&mut self) -> Result<Expr, Fault> {
        let start = self.token().span;
        if self.is_keyword("def") {
            let definition = self.definition()?;
            let body = self.query()?;
            let span = start.to(body.span);
            return Ok(Expr::new(ExprKind::Define(Rc::new(definition), Box::new(body)), span));
        }
        if self.take_keyword("label") {
            let TokenKind::Variable(name) = self.kind().clone() else { return Err(self.unexpected(&["BINDING"])) };
            self.at += 1;
            self.expect("|")?;
            let body = self.query()?;
            let span = start.to(body.span);
            return Ok(Expr::new(ExprKind::Label(name, Box::new(body)), span));
        }
        let source = self.operators(0)?;
        if !self.take_keyword("as") {
            return Ok(source);
        }
        let patterns = self.patterns()?;
        self.expect("|")?;
        let body = self.query()?;
        let span = start.to(body.span);
        Ok(Expr::new(ExprKind::Bind(Box::new(source), patterns, Box::new(body)), span))
    }

    fn binding(&self) -> Option<(&'static str, Binding)> {
        let operator = match self.kind() {
            TokenKind::Operator(operator) | TokenKind::Keyword(operator @ ("or" | "and")) => *operator,
            _ => return None,
        };
        let (left, right, chains) = match operator {
            "//" => (2, 2, true),
            "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" => (3, 4, false),
            "or" => (5, 6, true),
            "and" => (7, 8, true),
            "==" | "!=" | "<" | "<=" | ">" | ">=" => (9, 10, false),
            "+" | "-" => (11, 12, true),
            "*" | "/" | "%" => (13, 14, true),
            _ => return None,
        };
        Some((operator, Binding { left, right, chains }))
    }

    /// Operands and binary operators that bind at least as strongly as `least`.
    pub(super) fn operators(&mut self, least: u8) -> Result<Expr, Fault> {
        let mut left = self.deeper(Self::unary)?;
        let mut before = None;
        while let Some((operator, binding)) = self.binding() {
            if binding.left < least {
                break;
            }
            if before == Some(binding.left) && !binding.chains {
                return Err(self
                    .unexpected(&[])
                    .help("comparisons and assignments do not chain; use parentheses, or `and`"));
            }
            self.at += 1;
            let right = self.deeper(|parser| parser.operators(binding.right))?;
            let span = left.span.to(right.span);
            left = Expr::new(combine(operator, left, right), span);
            before = Some(binding.left);
            if left.height > HEIGHT {
                return Err(Fault::new(format!("more than {HEIGHT} operators in a row"), self.last())
                    .help("put parts of the expression in parentheses, or name them with `def`"));
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Fault> {
        let start = self.token().span;
        if self.take("-") {
            let operand = self.deeper(Self::unary)?;
            let span = start.to(operand.span);
            return Ok(Expr::new(ExprKind::Negate(Box::new(operand)), span));
        }
        self.postfix()
    }
}

fn combine(operator: &str, left: Expr, right: Expr) -> ExprKind {
    let (left, right) = (Box::new(left), Box::new(right));
    let binary = match operator.trim_end_matches('=') {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Subtract,
        "*" => BinaryOp::Multiply,
        "/" => BinaryOp::Divide,
        _ => BinaryOp::Modulo,
    };
    match operator {
        "//" => ExprKind::Alternative(left, right),
        "=" => ExprKind::Assign(left, right),
        "|=" => ExprKind::Update(left, right),
        "//=" => ExprKind::UpdateAlternative(left, right),
        "or" => ExprKind::Or(left, right),
        "and" => ExprKind::And(left, right),
        "==" => ExprKind::Binary(BinaryOp::Equal, left, right),
        "!=" => ExprKind::Binary(BinaryOp::NotEqual, left, right),
        "<" => ExprKind::Binary(BinaryOp::Less, left, right),
        "<=" => ExprKind::Binary(BinaryOp::LessOrEqual, left, right),
        ">" => ExprKind::Binary(BinaryOp::Greater, left, right),
        ">=" => ExprKind::Binary(BinaryOp::GreaterOrEqual, left, right),
        "+=" | "-=" | "*=" | "/=" | "%=" => ExprKind::UpdateBinary(binary, left, right),
        _ => ExprKind::Binary(binary, left, right),
    }
}
