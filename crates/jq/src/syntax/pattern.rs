//! Patterns of `as`.

#![forbid(unsafe_code)]

use crate::syntax::Fault;
use crate::syntax::Span;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::MemberPattern;
use crate::syntax::ast::Part;
use crate::syntax::ast::Pattern;
use crate::syntax::lexer::TokenKind;
use crate::syntax::parser::Parser;

impl Parser<'_> {
    /// One pattern, or several with `?//` between them.
    pub(super) fn patterns(&mut self) -> Result<Vec<Pattern>, Fault> {
        let mut patterns = vec![self.pattern(0)?];
        while self.take("?//") {
            patterns.push(self.pattern(0)?);
        }
        Ok(patterns)
    }

    fn pattern(&mut self, depth: usize) -> Result<Pattern, Fault> {
        if depth > 100 {
            return Err(Fault::new("patterns are nested more than 100 levels deep", self.token().span));
        }
        let token = self.token().clone();
        match token.kind {
            TokenKind::Variable(name) => {
                self.at += 1;
                Ok(Pattern::Variable(name))
            }
            TokenKind::Operator("[") => {
                self.at += 1;
                let mut items = vec![self.pattern(depth + 1)?];
                while self.take(",") {
                    items.push(self.pattern(depth + 1)?);
                }
                self.close("]", token.span)?;
                Ok(Pattern::Array(items))
            }
            TokenKind::Operator("{") => {
                self.at += 1;
                let mut entries = vec![self.entry(depth)?];
                while self.take(",") {
                    entries.push(self.entry(depth)?);
                }
                self.close("}", token.span)?;
                Ok(Pattern::Object(entries))
            }
            _ => Err(self.unexpected(&["BINDING", "'['", "'{'"])),
        }
    }

    fn entry(&mut self, depth: usize) -> Result<MemberPattern, Fault> {
        let token = self.token().clone();
        let literal = |name: String, span: Span| Expr::new(ExprKind::String(None, vec![Part::Text(name)]), span);
        let key = match token.kind {
            TokenKind::Variable(name) => {
                self.at += 1;
                let pattern = if self.take(":") { Some(self.pattern(depth + 1)?) } else { None };
                let key = literal(name.clone(), token.span);
                return Ok(MemberPattern { variable: Some(name), key, pattern });
            }
            TokenKind::Name(name) => {
                self.at += 1;
                literal(name, token.span)
            }
            TokenKind::Keyword(name) => {
                self.at += 1;
                literal(name.to_owned(), token.span)
            }
            TokenKind::StringStart | TokenKind::Format(_) => self.string_key()?,
            TokenKind::Operator("(") => {
                self.at += 1;
                let key = self.query()?;
                self.close(")", token.span)?;
                key
            }
            _ => return Err(self.unexpected(&[])),
        };
        self.expect(":")?;
        let pattern = Some(self.pattern(depth + 1)?);
        Ok(MemberPattern { variable: None, key, pattern })
    }
}
