//! Mutants that are made at random places: other operators, negated or constant conditions, other constants, and statements that are
//! left out.

#![forbid(unsafe_code)]

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit;
use syn::visit::Visit;

use crate::selection::Mutant;
use crate::selection::Source;

/// Operators, and what stands in their place.
const OPERATORS: [(&str, &str); 22] = [
    ("==", "!="),
    ("!=", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("%", "/"),
    ("&", "|"),
    ("|", "&"),
    ("^", "|"),
    ("<<", ">>"),
    (">>", "<<"),
    ("+=", "-="),
    ("-=", "+="),
    ("|=", "&="),
    ("&=", "|="),
];

/// Modules that are only compiled for tests, besides those with `tests` in their names.
const TESTS: [&str; 4] = ["explain/random.rs", "explain/reader/reference.rs", "grammar/pictures.rs", "two_versions.rs"];

/// Returns a mutant for each place in a file for which there is one.
pub fn random_mutants(source: &Source) -> Vec<Mutant> {
    // Most kernels are for other processors.
    if source.file.starts_with("kernel") || source.file.contains("tests") || TESTS.contains(&source.file.as_str()) {
        return Vec::new();
    }
    let mut finder = Finder { text: &source.text, found: Vec::new() };
    finder.visit_file(&syn::parse_file(&source.text).expect("a source file"));
    finder.found.into_iter().map(|(range, replacement)| source.mutant(range, &replacement)).collect()
}

struct Finder<'s> {
    text: &'s str,
    found: Vec<(Range<usize>, String)>,
}

impl Finder<'_> {
    fn add(&mut self, range: Range<usize>, replacement: &str) {
        self.found.push((range, replacement.to_owned()));
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_expr(&mut self, expression: &'a syn::Expr) {
        use syn::Expr;
        let range = expression.span().byte_range();
        match expression {
            Expr::Binary(binary) => {
                let operator = binary.op.span().byte_range();
                if let Some((_, other)) = OPERATORS.iter().find(|(known, _)| *known == &self.text[operator.clone()]) {
                    self.add(operator, other);
                }
            }
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(not), .. }) => self.add(not.span().byte_range(), ""),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(value), .. }) => self.add(range, &(!value.value).to_string()),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(value), .. }) => {
                self.add(range, if value.base10_digits() == "0" { "1" } else { "0" });
            }
            Expr::If(condition) if !matches!(*condition.cond, Expr::Let(_)) => {
                let range = condition.cond.span().byte_range();
                self.add(range.clone(), "true");
                self.add(range, "false");
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        if let syn::Stmt::Expr(syn::Expr::MethodCall(_) | syn::Expr::Assign(_) | syn::Expr::Binary(_), Some(_)) =
            statement
        {
            self.add(statement.span().byte_range(), "");
        }
        visit::visit_stmt(self, statement);
    }

    visit_code!();
}
