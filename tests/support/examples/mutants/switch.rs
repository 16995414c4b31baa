//! Compiles many mutants at once (*mutant schemata*, Untch, Offutt and Harrold 1993): what is changed becomes an expression that
//! chooses between the original and the mutants, `if crate::mutant(17) { a <= b } else { a < b }`.
//!
//! A mutant takes the smallest node of the syntax tree around the change, an expression, a statement or a block, that parses with it.
//! If this does not compile, it takes the next larger one.

#![forbid(unsafe_code)]

use std::fmt::Write;
use std::ops::Range;

use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;
use syn::visit;
use syn::visit::Visit;

/// A change of a file.
pub struct Change {
    /// The number of the mutant.
    pub number: usize,
    /// The part of the file that is replaced.
    pub range: Range<usize>,
    pub replacement: String,
    /// The number of nodes around it that are too small.
    pub level: usize,
}

/// A file with switches.
pub struct Switched {
    pub text: String,
    /// The parts of `text` that have the mutants with these numbers.
    pub parts: Vec<(Range<usize>, usize)>,
    /// The mutants for which there is no node that compiles.
    pub not_compiled: Vec<usize>,
}

/// Returns the file with a switch for each change.
pub fn switched(text: &str, changes: &[Change]) -> Switched {
    let mut nodes = Nodes { nodes: Vec::new(), is_place: false };
    nodes.visit_file(&syn::parse_file(text).expect("a source file"));
    // The innermost ones first.
    nodes.nodes.sort_by_key(|node| (node.range.len(), node.kind));
    let (mut switches, mut not_compiled) = (Vec::<Switch>::new(), Vec::new());
    for change in changes {
        let mut around = nodes.nodes.iter().filter_map(|node| Some((node, node.with(text, change)?)));
        match around.nth(change.level) {
            None => not_compiled.push(change.number),
            Some((node, mutated)) => match switches.iter_mut().find(|switch| switch.node == *node) {
                None => switches.push(Switch { node: node.clone(), mutants: vec![(change.number, mutated)] }),
                Some(switch) => switch.mutants.push((change.number, mutated)),
            },
        }
    }
    // The outermost ones first.
    switches.sort_by_key(|switch| (switch.node.range.start, usize::MAX - switch.node.range.len(), switch.node.kind));
    let mut writer = Writer { text, switches: &switches, out: String::new(), parts: Vec::new() };
    writer.write(0..text.len());
    Switched { text: writer.out, parts: writer.parts, not_compiled }
}

/// From larger to smaller nodes of the same range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NodeKind {
    /// What is between the braces of a block.
    Block,
    Statement,
    Expression,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    range: Range<usize>,
    kind: NodeKind,
}

impl Node {
    /// Returns the text with a change, if it parses.
    fn with(&self, text: &str, change: &Change) -> Option<String> {
        let Range { start, end } = self.range;
        if start > change.range.start || end < change.range.end {
            return None;
        }
        let mutated = [&text[start..change.range.start], &change.replacement, &text[change.range.end..end]].concat();
        let parses = match self.kind {
            NodeKind::Expression => syn::parse_str(&mutated).is_ok_and(|expression| !has_let(&expression)),
            _ => syn::parse_str::<syn::Block>(&format!("{{{mutated}\n}}")).is_ok(),
        };
        parses.then_some(mutated)
    }
}

struct Switch {
    node: Node,
    mutants: Vec<(usize, String)>,
}

/// Finds the nodes of a file that can be mutants.
struct Nodes {
    nodes: Vec<Node>,
    /// Whether the next expression may be borrowed or assigned to: if it names a place in memory, a copy of its value would not do.
    is_place: bool,
}

impl Nodes {
    fn add(&mut self, span: Span, kind: NodeKind) {
        self.nodes.push(Node { range: span.byte_range(), kind });
    }

    fn visit_place(&mut self, expression: &Expr) {
        self.is_place = true;
        self.visit_expr(expression);
    }

    /// Finds the nodes inside an expression.
    fn visit_inside(&mut self, expression: &Expr) {
        match expression {
            Expr::Assign(assign) => {
                self.visit_place(&assign.left);
                self.visit_expr(&assign.right);
            }
            Expr::Binary(binary) => {
                // `a += b` assigns to it.
                self.visit_place(&binary.left);
                self.visit_expr(&binary.right);
            }
            Expr::Reference(reference) => self.visit_place(&reference.expr),
            Expr::Field(field) => self.visit_place(&field.base),
            Expr::Index(index) => {
                self.visit_place(&index.expr);
                self.visit_expr(&index.index);
            }
            Expr::MethodCall(call) => {
                self.visit_place(&call.receiver);
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Match(matched) => {
                self.visit_place(&matched.expr);
                matched.arms.iter().for_each(|arm| self.visit_arm(arm));
            }
            Expr::Let(condition) => self.visit_place(&condition.expr),
            Expr::Const(_) => {}
            Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
            _ => visit::visit_expr(self, expression),
        }
    }
}

impl<'a> Visit<'a> for Nodes {
    fn visit_expr(&mut self, expression: &'a Expr) {
        let names_place = matches!(
            expression,
            Expr::Path(_)
                | Expr::Field(_)
                | Expr::Index(_)
                | Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. })
        );
        let is_place = std::mem::take(&mut self.is_place);
        let is_copy_enough = !is_place || !names_place;
        if is_copy_enough && !has_let(expression) {
            self.add(expression.span(), NodeKind::Expression);
        }
        self.visit_inside(expression);
    }

    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        match statement {
            // `if a { b }` has no semicolon, so in parentheses it would be no statement.
            syn::Stmt::Expr(expression, None) if ends_with_block(expression) => {
                self.add(statement.span(), NodeKind::Statement);
                return self.visit_inside(expression);
            }
            syn::Stmt::Expr(_, Some(_)) | syn::Stmt::Macro(_) => self.add(statement.span(), NodeKind::Statement),
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        let braces = block.brace_token.span;
        let range = braces.open().byte_range().end..braces.close().byte_range().start;
        self.nodes.push(Node { range, kind: NodeKind::Block });
        visit::visit_block(self, block);
    }

    visit_code!();
}

/// Whether an expression is a condition that binds names.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether an expression ends with a block, and is a statement without a semicolon.
fn ends_with_block(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Block(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}

struct Writer<'a> {
    text: &'a str,
    /// Those that are not yet written.
    switches: &'a [Switch],
    out: String,
    parts: Vec<(Range<usize>, usize)>,
}

impl Writer<'_> {
    /// Writes a part of the text, and the switches in it.
    fn write(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some((switch, rest)) = self.switches.split_first()
            && switch.node.range.end <= range.end
        {
            self.switches = rest;
            let Range { start, end } = switch.node.range;
            self.out += &self.text[at..start];
            let begin = self.out.len();
            // A line comment ends before a brace.
            let is_expression = switch.node.kind == NodeKind::Expression;
            self.out += if is_expression { "(" } else { " " };
            for (number, mutated) in &switch.mutants {
                write!(self.out, "if crate::mutant({number}) {{{mutated}\n}} else ").expect("a string can grow");
            }
            self.out += "{";
            self.write(start..end);
            self.out += if is_expression { "\n})" } else { "\n}" };
            self.parts.extend(switch.mutants.iter().map(|&(number, _)| (begin..self.out.len(), number)));
            at = end;
        }
        self.out += &self.text[at..range.end];
    }
}
