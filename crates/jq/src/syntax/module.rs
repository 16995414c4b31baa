//! Programs and modules: metadata, imports, definitions, and the main expression.

#![forbid(unsafe_code)]

use std::rc::Rc;

use crate::syntax::Fault;
use crate::syntax::ast::Definition;
use crate::syntax::ast::Expr;
use crate::syntax::ast::ExprKind;
use crate::syntax::ast::Import;
use crate::syntax::ast::Module;
use crate::syntax::ast::Parameter;
use crate::syntax::ast::Part;
use crate::syntax::lexer;
use crate::syntax::lexer::TokenKind;
use crate::syntax::parser::Parser;

/// Parses a program or a module.
pub(crate) fn parse_module(text: &str) -> Result<Module, Fault> {
    let tokens = lexer::tokens(text)?;
    let mut parser = Parser::new(text, tokens);
    let mut module = Module::default();
    if parser.take_keyword("module") {
        module.metadata = Some(parser.query()?);
        parser.expect(";")?;
    }
    while parser.is_keyword("import") || parser.is_keyword("include") {
        module.imports.push(parser.import()?);
    }
    while parser.is_keyword("def") {
        let definition = parser.definition()?;
        module.definitions.push(Rc::new(definition));
    }
    if *parser.kind() == TokenKind::End {
        return Ok(module);
    }
    if !parser.begins_term() {
        return Err(parser.unexpected(&["end of file"]));
    }
    module.main = Some(parser.query()?);
    if *parser.kind() != TokenKind::End {
        return Err(parser.unexpected(&["end of file"]));
    }
    Ok(module)
}

impl Parser<'_> {
    fn begins_term(&self) -> bool {
        match self.kind() {
            TokenKind::Operator(operator) => matches!(*operator, "." | ".." | "[" | "{" | "(" | "-"),
            TokenKind::Keyword(keyword) => {
                matches!(*keyword, "if" | "try" | "reduce" | "foreach" | "label" | "break" | "def")
            }
            TokenKind::Invalid => false,
            _ => true,
        }
    }

    fn import(&mut self) -> Result<Import, Fault> {
        let start = self.token().span;
        let is_include = self.is_keyword("include");
        self.at += 1;
        if *self.kind() != TokenKind::StringStart {
            return Err(self.unexpected(&["string"]).help("`import \"path\" as name;`, `include \"path\";`"));
        }
        let path = self.string(None)?;
        let Some(path) = constant_path(&path) else {
            return Err(Fault::new("Import path must be constant", path.span));
        };
        let mut import = Import { path, alias: None, is_data: false, metadata: None, span: start };
        if !is_include {
            self.expect_keyword("as")?;
            match self.kind().clone() {
                TokenKind::Variable(name) => (import.alias, import.is_data) = (Some(name), true),
                TokenKind::Name(name) => import.alias = Some(name),
                _ => return Err(self.unexpected(&["name", "BINDING"])),
            }
            self.at += 1;
        }
        import.span = start.to(self.last());
        if !self.is(";") {
            import.metadata = Some(self.query()?);
        }
        self.expect(";")?;
        Ok(import)
    }

    /// `def name(parameters): body;`
    pub(super) fn definition(&mut self) -> Result<Definition, Fault> {
        self.at += 1;
        let name = match self.kind().clone() {
            TokenKind::Name(name) => name,
            TokenKind::Keyword(name) => name.to_owned(),
            _ => return Err(self.unexpected(&["name"])),
        };
        self.at += 1;
        let mut parameters = Vec::new();
        if self.take("(") {
            let opening = self.last();
            loop {
                parameters.push(match self.kind().clone() {
                    TokenKind::Variable(name) => Parameter { name, is_value: true },
                    TokenKind::Name(name) => Parameter { name, is_value: false },
                    TokenKind::Keyword(name) => Parameter { name: name.to_owned(), is_value: false },
                    _ => return Err(self.unexpected(&["name", "BINDING"])),
                });
                self.at += 1;
                if !self.take(";") {
                    break;
                }
            }
            self.close(")", opening)?;
        }
        self.expect(":")?;
        let body = self.query()?;
        self.expect(";")?;
        Ok(Definition { name, parameters, body })
    }
}

fn constant_path(path: &Expr) -> Option<String> {
    let ExprKind::String(_, parts) = &path.kind else { return None };
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Interpolation(_) => None,
        })
        .collect()
}
