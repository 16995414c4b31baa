//! Compiles many mutants at once (*mutant schemata*, Untch, Offutt and Harrold 1993): each changed place becomes an expression that
//! chooses between the original and the mutants, `if crate::mutant(17) { a <= b } else { a < b }`.
//!
//! The place of a mutant is the smallest expression, statement or block around the change in which the change parses. If the result does
//! not compile there, the next larger one is taken.

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
    /// The number of places that are too small for it.
    pub level: usize,
}

/// A file with switches.
pub struct Switched {
    pub text: String,
    /// The parts of `text` that have the mutants with these numbers.
    pub parts: Vec<(Range<usize>, usize)>,
    /// The mutants for which there is no place.
    pub unplaced: Vec<usize>,
}

/// Returns the file with a switch for each change that has a place.
pub fn switched(text: &str, changes: &[Change]) -> Switched {
    let mut places = Places { places: Vec::new(), is_place: false };
    places.visit_file(&syn::parse_file(text).expect("a source file"));
    // The innermost ones first.
    places.places.sort_by_key(|place| (place.range.len(), place.kind));
    let (mut switches, mut unplaced) = (Vec::<Switch>::new(), Vec::new());
    for change in changes {
        let mut around = places.places.iter().filter_map(|place| Some((place, place.with(text, change)?)));
        match around.nth(change.level) {
            None => unplaced.push(change.number),
            Some((place, mutated)) => match switches.iter_mut().find(|switch| switch.place == *place) {
                None => switches.push(Switch { place: place.clone(), mutants: vec![(change.number, mutated)] }),
                Some(switch) => switch.mutants.push((change.number, mutated)),
            },
        }
    }
    // The outermost ones first.
    switches.sort_by_key(|switch| (switch.place.range.start, usize::MAX - switch.place.range.len(), switch.place.kind));
    let mut writer = Writer { text, switches: &switches, out: String::new(), parts: Vec::new() };
    writer.write(0..text.len());
    Switched { text: writer.out, parts: writer.parts, unplaced }
}

/// What can be chosen at a place, from larger to smaller ones of the same range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PlaceKind {
    /// What is between the braces of a block.
    Block,
    Statement,
    Expression,
}

#[derive(Clone, Debug, PartialEq)]
struct Place {
    range: Range<usize>,
    kind: PlaceKind,
}

impl Place {
    /// Returns the text of this place with a change, if it parses.
    fn with(&self, text: &str, change: &Change) -> Option<String> {
        let Range { start, end } = self.range;
        if start > change.range.start || end < change.range.end {
            return None;
        }
        let mutated = [&text[start..change.range.start], &change.replacement, &text[change.range.end..end]].concat();
        let parses = match self.kind {
            PlaceKind::Expression => syn::parse_str(&mutated).is_ok_and(|expression| !has_let(&expression)),
            _ => syn::parse_str::<syn::Block>(&format!("{{{mutated}\n}}")).is_ok(),
        };
        parses.then_some(mutated)
    }
}

struct Switch {
    place: Place,
    mutants: Vec<(usize, String)>,
}

/// Finds the places of a file.
struct Places {
    places: Vec<Place>,
    /// Whether the next expression is borrowed or assigned to, so that a copy of its value would not do.
    is_place: bool,
}

impl Places {
    fn add(&mut self, span: Span, kind: PlaceKind) {
        self.places.push(Place { range: span.byte_range(), kind });
    }

    fn visit_place(&mut self, expression: &Expr) {
        self.is_place = true;
        self.visit_expr(expression);
    }

    /// Finds the places inside an expression.
    fn visit_inside(&mut self, expression: &Expr) {
        match expression {
            Expr::Assign(assign) => {
                self.visit_place(&assign.left);
                self.visit_expr(&assign.right);
            }
            Expr::Binary(binary) => {
                self.is_place = is_assignment(&binary.op);
                self.visit_expr(&binary.left);
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

impl<'a> Visit<'a> for Places {
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
            self.add(expression.span(), PlaceKind::Expression);
        }
        self.visit_inside(expression);
    }

    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        match statement {
            // `if a { b }` has no semicolon, so in parentheses it would be no statement.
            syn::Stmt::Expr(expression, None) if ends_with_block(expression) => {
                self.add(statement.span(), PlaceKind::Statement);
                return self.visit_inside(expression);
            }
            syn::Stmt::Expr(_, Some(_)) | syn::Stmt::Macro(_) => self.add(statement.span(), PlaceKind::Statement),
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        let braces = block.brace_token.span;
        let range = braces.open().byte_range().end..braces.close().byte_range().start;
        self.places.push(Place { range, kind: PlaceKind::Block });
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

/// Whether an expression is a statement without a semicolon.
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

fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
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
            && switch.place.range.end <= range.end
        {
            self.switches = rest;
            let Range { start, end } = switch.place.range;
            self.out += &self.text[at..start];
            let begin = self.out.len();
            // A line comment ends before a brace.
            let is_expression = switch.place.kind == PlaceKind::Expression;
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
