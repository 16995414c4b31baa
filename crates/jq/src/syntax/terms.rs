//! Terms: constants, strings, paths, arrays, objects, calls, `if`, `try`, `reduce`, `foreach`, and what may follow them.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::syntax::Fault;
use crate::syntax::Span;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::Fold;
use crate::syntax::ast::Part;
use crate::syntax::hints;
use crate::syntax::lexer::TokenKind;
use crate::syntax::parser::HEIGHT;
use crate::syntax::parser::Parser;

fn literal(text: String, span: Span) -> Expr {
    Expr::new(ExprKind::String(None, vec![Part::Text(text)]), span)
}

fn identity(span: Span) -> Expr {
    Expr::new(ExprKind::Identity, Span::new(span.start, span.start))
}

impl Parser<'_> {
    /// A term and the fields, brackets and `?` after it.
    pub(super) fn postfix(&mut self) -> Result<Expr, Fault> {
        let mut term = self.term()?;
        loop {
            if term.height > HEIGHT {
                return Err(Fault::new(format!("more than {HEIGHT} fields and brackets in a row"), self.last()));
            }
            match self.kind() {
                TokenKind::Field(_) => term = self.field(term),
                TokenKind::Operator("[") => {
                    self.at += 1;
                    term = self.bracket(term)?;
                }
                TokenKind::Operator(".") => match self.later(1) {
                    TokenKind::StringStart | TokenKind::Format(_) => {
                        self.at += 1;
                        term = self.string_field(term)?;
                    }
                    TokenKind::Operator("[") => {
                        self.at += 2;
                        term = self.bracket(term)?;
                    }
                    _ => return Err(self.after_dot()),
                },
                TokenKind::Operator("?") => {
                    self.at += 1;
                    let span = term.span.to(self.last());
                    term = Expr::new(ExprKind::Try(Box::new(term), None), span);
                }
                _ => return Ok(term),
            }
        }
    }

    /// The error for a dot after a term that nothing fitting follows.
    fn after_dot(&mut self) -> Fault {
        let dot = self.advance().span;
        let fault = self.unexpected(&[]);
        let span = if *self.kind() == TokenKind::End { dot } else { fault.span };
        Fault::new(fault.message, span).help(hints::after_dot(self.kind()))
    }

    /// `.name` after a term.
    fn field(&mut self, term: Expr) -> Expr {
        let token = self.advance();
        let TokenKind::Field(name) = token.kind else { return term };
        let key = literal(name, Span::new(token.span.start + 1, token.span.end));
        self.index(term, key)
    }

    /// `."name"` after a term; the dot is taken already.
    fn string_field(&mut self, term: Expr) -> Result<Expr, Fault> {
        let key = self.string_key()?;
        Ok(self.index(term, key))
    }

    fn index(&mut self, term: Expr, key: Expr) -> Expr {
        let optional = self.take("?");
        let span = term.span.to(self.last());
        Expr::new(ExprKind::Index(Box::new(term), Box::new(key), optional), span)
    }

    /// What is in brackets after a term, and `?`.
    fn bracket(&mut self, term: Expr) -> Result<Expr, Fault> {
        let opening = self.last();
        if self.take("]") {
            let optional = self.take("?");
            let span = term.span.to(self.last());
            return Ok(Expr::new(ExprKind::Iterate(Box::new(term), optional), span));
        }
        let from = if self.is(":") { None } else { Some(self.query()?) };
        let slice = self.take(":");
        let to = if slice && !(from.is_some() && self.is("]")) { Some(self.query()?) } else { None };
        self.close("]", opening)?;
        if !slice && let Some(key) = from {
            return Ok(self.index(term, key));
        }
        let optional = self.take("?");
        let span = term.span.to(self.last());
        Ok(Expr::new(ExprKind::Slice(Box::new(term), from.map(Box::new), to.map(Box::new), optional), span))
    }

    /// A closing bracket; the error shows where the opening one is.
    pub(super) fn close(&mut self, bracket: &str, opening: Span) -> Result<(), Fault> {
        if self.take(bracket) {
            return Ok(());
        }
        let mut fault = self.unexpected(&[]);
        if fault.help.is_none() {
            let place = hints::place(self.text, opening);
            fault.help =
                Some(format!("the `{}` {place} needs a closing `{bracket}`", &self.text[opening.start..opening.end]));
        }
        Err(fault)
    }

    fn term(&mut self) -> Result<Expr, Fault> {
        let token = self.token().clone();
        let span = token.span;
        let kind = match token.kind {
            TokenKind::Number(digits) => ExprKind::Number(digits),
            TokenKind::StringStart => return self.string(None),
            TokenKind::Format(format) => {
                self.at += 1;
                if *self.kind() == TokenKind::StringStart {
                    return self.string(Some((format, span)));
                }
                return Ok(Expr::new(ExprKind::Format(format), span));
            }
            TokenKind::Field(_) => return Ok(self.field(identity(span))),
            TokenKind::Variable(name) if name == "__loc__" => ExprKind::Location,
            TokenKind::Variable(name) => ExprKind::Variable(name),
            TokenKind::Operator("..") => ExprKind::RecurseAll,
            TokenKind::Operator(".") => return self.dot(),
            TokenKind::Operator("(") => {
                self.at += 1;
                let inner = self.query()?;
                self.close(")", span)?;
                return Ok(Expr::new(inner.kind, span.to(self.last())));
            }
            TokenKind::Operator("[") => return self.array(),
            TokenKind::Operator("{") => return self.object(),
            TokenKind::Keyword(keyword) => return self.keyword(keyword, span),
            TokenKind::Name(name) => return self.call(name, span),
            _ => return Err(self.unexpected(&[])),
        };
        self.at += 1;
        Ok(Expr::new(kind, span))
    }

    fn dot(&mut self) -> Result<Expr, Fault> {
        let span = self.advance().span;
        match self.kind() {
            TokenKind::StringStart | TokenKind::Format(_) => self.string_field(identity(span)),
            TokenKind::Operator("[") => {
                self.at += 1;
                self.bracket(Expr::new(ExprKind::Identity, span))
            }
            _ => Ok(Expr::new(ExprKind::Identity, span)),
        }
    }

    fn array(&mut self) -> Result<Expr, Fault> {
        let opening = self.advance().span;
        let items = if self.is("]") { None } else { Some(Box::new(self.query()?)) };
        self.close("]", opening)?;
        Ok(Expr::new(ExprKind::Array(items), opening.to(self.last())))
    }

    fn call(&mut self, name: String, span: Span) -> Result<Expr, Fault> {
        self.at += 1;
        let mut arguments = Vec::new();
        if self.take("(") {
            let opening = self.last();
            loop {
                arguments.push(Rc::new(self.query()?));
                if !self.take(";") {
                    break;
                }
            }
            self.close(")", opening)?;
        }
        Ok(Expr::new(ExprKind::Call(name, arguments), span.to(self.last())))
    }

    fn keyword(&mut self, keyword: &'static str, span: Span) -> Result<Expr, Fault> {
        let kind = match keyword {
            "if" => {
                self.at += 1;
                return self.condition(span);
            }
            "try" => {
                self.at += 1;
                let body = self.operand()?;
                let handler = if self.take_keyword("catch") { Some(Box::new(self.operand()?)) } else { None };
                ExprKind::Try(Box::new(body), handler)
            }
            "reduce" | "foreach" => {
                self.at += 1;
                self.fold(keyword)?
            }
            "break" => {
                self.at += 1;
                let TokenKind::Variable(name) = self.kind().clone() else {
                    return Err(Fault::new("break requires a label to break to", span)
                        .help("`label $out | … break $out …` ends what follows the label"));
                };
                self.at += 1;
                ExprKind::Break(name)
            }
            _ => return Err(self.unexpected(&[])),
        };
        Ok(Expr::new(kind, span.to(self.last())))
    }

    /// The operand of `try` and `catch`: a term, or one with a minus sign.
    fn operand(&mut self) -> Result<Expr, Fault> {
        let start = self.token().span;
        if self.take("-") {
            let operand = self.postfix()?;
            let span = start.to(operand.span);
            return Ok(Expr::new(ExprKind::Negate(Box::new(operand)), span));
        }
        self.postfix()
    }

    /// What follows `if` or `elif`, including `end`.
    fn condition(&mut self, start: Span) -> Result<Expr, Fault> {
        let condition = self.query()?;
        self.expect_keyword("then")?;
        let then = self.query()?;
        let next = self.token().span;
        let otherwise = if self.take_keyword("elif") {
            Some(Box::new(self.condition(next)?))
        } else {
            let otherwise = if self.take_keyword("else") { Some(Box::new(self.query()?)) } else { None };
            if !self.take_keyword("end") {
                let expected: &[&str] = if otherwise.is_some() { &["end"] } else { &["elif", "else", "end"] };
                let place = hints::place(self.text, start);
                let fault = self.unexpected(expected);
                let is_name = matches!(self.kind(), TokenKind::Name(name) if hints::is_elif(name));
                return Err(if is_name { fault } else { fault.help(format!("the `if` {place} ends with `end`")) });
            }
            otherwise
        };
        let span = start.to(self.last());
        Ok(Expr::new(ExprKind::If(Box::new(condition), Box::new(then), otherwise), span))
    }

    fn fold(&mut self, keyword: &str) -> Result<ExprKind, Fault> {
        let source = self.operators(0)?;
        self.expect_keyword("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let opening = self.last();
        let init = self.query()?;
        self.expect(";")?;
        let update = self.query()?;
        let extract = if keyword == "foreach" && self.take(";") { Some(self.query()?) } else { None };
        self.close(")", opening)?;
        let fold = Box::new(Fold { source, patterns, init, update, extract });
        Ok(if keyword == "reduce" { ExprKind::Reduce(fold) } else { ExprKind::Foreach(fold) })
    }

    /// A string, with the format before it.
    pub(super) fn string(&mut self, format: Option<(String, Span)>) -> Result<Expr, Fault> {
        let opening = self.advance().span;
        let start = format.as_ref().map_or(opening, |format| format.1);
        let mut parts: Vec<Part> = Vec::new();
        loop {
            match self.kind().clone() {
                TokenKind::StringText(text) => {
                    self.at += 1;
                    match parts.last_mut() {
                        Some(Part::Text(before)) => before.push_str(&text),
                        _ => parts.push(Part::Text(text)),
                    }
                }
                TokenKind::InterpolationStart => {
                    let opening = self.advance().span;
                    let inner = self.query()?;
                    if *self.kind() != TokenKind::InterpolationEnd {
                        self.close(")", opening)?;
                    }
                    self.at += 1;
                    parts.push(Part::Interpolation(inner));
                }
                TokenKind::StringEnd => {
                    self.at += 1;
                    let span = start.to(self.last());
                    return Ok(Expr::new(ExprKind::String(format.map(|format| format.0), parts), span));
                }
                _ => return Err(self.unexpected(&[])),
            }
        }
    }

    fn object(&mut self) -> Result<Expr, Fault> {
        let opening = self.advance().span;
        let mut members = Vec::new();
        while !self.is("}") {
            members.push(self.member()?);
            if !self.take(",") {
                break;
            }
        }
        self.close("}", opening)?;
        Ok(Expr::new(ExprKind::Object(members), opening.to(self.last())))
    }

    /// `key: value`, or what stands for both.
    fn member(&mut self) -> Result<(Expr, Expr), Fault> {
        let start = self.at;
        let (key, default) = self.key()?;
        if self.take(":") {
            let value = self.member_value()?;
            return Ok((key, value));
        }
        match default {
            Some(value) if self.is(",") || self.is("}") => Ok((key, value)),
            _ => Err(self.key_fault(start)),
        }
    }

    /// The key of a member, and its value if none follows.
    fn key(&mut self) -> Result<(Expr, Option<Expr>), Fault> {
        let token = self.token().clone();
        let span = token.span;
        let field_of_input = |key: Expr| {
            let span = key.span;
            Expr::new(ExprKind::Index(Box::new(identity(span)), Box::new(key), false), span)
        };
        match token.kind {
            TokenKind::Variable(name) => {
                self.at += 1;
                let is_location = name == "__loc__";
                let value = if is_location { ExprKind::Location } else { ExprKind::Variable(name.clone()) };
                let value = Expr::new(value, span);
                let is_key = self.is(":") && !is_location;
                Ok(if is_key { (value, None) } else { (literal(name, span), Some(value)) })
            }
            TokenKind::Name(name) => {
                self.at += 1;
                Ok((literal(name.clone(), span), Some(field_of_input(literal(name, span)))))
            }
            TokenKind::Keyword(name) => {
                self.at += 1;
                Ok((literal(name.to_owned(), span), Some(field_of_input(literal(name.to_owned(), span)))))
            }
            TokenKind::Number(digits) => {
                self.at += 1;
                Ok((Expr::new(ExprKind::Number(digits), span), None))
            }
            TokenKind::StringStart | TokenKind::Format(_) => {
                let start = self.at;
                let key = self.string_key()?;
                let after = self.at;
                // The same text once more, for the value.
                self.at = start;
                let again = self.string_key()?;
                self.at = after;
                Ok((key, Some(field_of_input(again))))
            }
            TokenKind::Operator("(") => {
                self.at += 1;
                let key = self.query()?;
                self.close(")", span)?;
                Ok((key, None))
            }
            _ => {
                let start = self.at;
                Err(self.key_fault(start))
            }
        }
    }

    /// A string that is a key, maybe with a format.
    pub(super) fn string_key(&mut self) -> Result<Expr, Fault> {
        let span = self.token().span;
        let TokenKind::Format(format) = self.kind().clone() else { return self.string(None) };
        self.at += 1;
        if *self.kind() != TokenKind::StringStart {
            return Err(self.unexpected(&["string"]));
        }
        self.string(Some((format, span)))
    }

    /// Operators without `,`, and `|` between them.
    fn member_value(&mut self) -> Result<Expr, Fault> {
        let first = self.operators(0)?;
        if !self.is("|") {
            return Ok(first);
        }
        let mut span = first.span;
        let mut steps = vec![first];
        while self.take("|") {
            let step = self.operators(0)?;
            span = span.to(step.span);
            steps.push(step);
        }
        Ok(Expr::new(ExprKind::Pipe(steps), span))
    }

    /// The error for a key that is none: an expression without parentheses, or something else.
    fn key_fault(&mut self, start: usize) -> Fault {
        let stopped = self.at;
        self.at = start;
        let expression = self.operators(0);
        let is_expression = self.is(":");
        self.at = stopped;
        match expression {
            Ok(expression) if is_expression => {
                Fault::new("May need parentheses around object key expression", expression.span)
                    .help("a key that is computed is written in parentheses: `{(.a): 1}`")
            }
            _ => self.unexpected(&[]),
        }
    }
}
