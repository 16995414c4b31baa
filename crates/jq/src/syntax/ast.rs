//! The syntax tree. Its nodes are close to the text; what they mean is decided when names are resolved.

#![forbid(unsafe_code)]

use std::rc::Rc;

/// A range of bytes in the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest range that contains both.
    pub(crate) fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// An expression and its place.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
    /// How many nodes are on the longest way down, this one included.
    pub(crate) height: usize,
    /// How many nodes there are, this one included.
    pub(crate) size: usize,
}

impl Expr {
    pub(crate) fn new(kind: ExprKind, span: Span) -> Self {
        let (mut height, mut size) = (0, 0);
        kind.each_child(&mut |child| {
            height = height.max(child.height);
            size += child.size;
        });
        Self { kind, span, height: height + 1, size: size + 1 }
    }

    /// The string, if it is one without interpolation and format.
    pub(crate) fn as_literal(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::String(None, parts) => match &parts[..] {
                [] => Some(""),
                [Part::Text(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A binary operator between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl BinaryOp {
    /// Whether the result is a boolean, which every two values have.
    pub(crate) fn is_comparison(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Modulo)
    }
}

/// A piece of a string with interpolation.
#[derive(Debug)]
pub(crate) enum Part {
    Text(String),
    Interpolation(Expr),
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    /// `.`
    Identity,
    /// `..`
    RecurseAll,
    /// Its digits.
    Number(String),
    /// With the format before it, such as `@csv`.
    String(Option<String>, Vec<Part>),
    /// `@csv` alone.
    Format(String),
    /// `.a`, `.[1]`, `$x[0]`. The Boolean tells whether `?` follows.
    Index(Box<Expr>, Box<Expr>, bool),
    /// `.[1:2]`
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// `.[]`
    Iterate(Box<Expr>, bool),
    /// `try a catch b`, `a?`
    Try(Box<Expr>, Option<Box<Expr>>),
    Array(Option<Box<Expr>>),
    Object(Vec<(Expr, Expr)>),
    Negate(Box<Expr>),
    /// `a | b | c`
    Pipe(Vec<Expr>),
    /// `a, b, c`
    Comma(Vec<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `a // b`
    Alternative(Box<Expr>, Box<Expr>),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a |= b`
    Update(Box<Expr>, Box<Expr>),
    /// `a += b`
    UpdateBinary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a //= b`
    UpdateAlternative(Box<Expr>, Box<Expr>),
    /// Condition, `then`, `else`.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    Reduce(Box<Fold>),
    Foreach(Box<Fold>),
    /// `def f: a; b`
    Define(Rc<Definition>, Box<Expr>),
    Call(String, Vec<Rc<Expr>>),
    Variable(String),
    /// `a as $x | b`
    Bind(Box<Expr>, Vec<Pattern>, Box<Expr>),
    /// `label $x | a`
    Label(String, Box<Expr>),
    Break(String),
    /// `$__loc__`
    Location,
}

impl ExprKind {
    /// Calls a function with each expression in this one.
    pub(crate) fn each_child<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Identity
            | Self::RecurseAll
            | Self::Number(_)
            | Self::Format(_)
            | Self::Variable(_)
            | Self::Break(_)
            | Self::Location
            | Self::Array(None) => {}
            Self::String(_, parts) => {
                for part in parts {
                    if let Part::Interpolation(inner) = part {
                        f(inner);
                    }
                }
            }
            Self::Slice(base, from, to, _) => {
                f(base);
                from.iter().chain(to).for_each(|bound| f(bound));
            }
            Self::Iterate(inner, _) | Self::Array(Some(inner)) | Self::Negate(inner) | Self::Label(_, inner) => {
                f(inner);
            }
            Self::Try(body, handler) => {
                f(body);
                if let Some(handler) = handler {
                    f(handler);
                }
            }
            Self::Object(members) => {
                for (key, value) in members {
                    f(key);
                    f(value);
                }
            }
            Self::Pipe(items) | Self::Comma(items) => items.iter().for_each(f),
            Self::Call(_, arguments) => arguments.iter().for_each(|argument| f(argument)),
            Self::Index(left, right, _)
            | Self::Binary(_, left, right)
            | Self::And(left, right)
            | Self::Or(left, right)
            | Self::Alternative(left, right)
            | Self::Assign(left, right)
            | Self::Update(left, right)
            | Self::UpdateBinary(_, left, right)
            | Self::UpdateAlternative(left, right) => {
                f(left);
                f(right);
            }
            Self::If(condition, then, otherwise) => {
                f(condition);
                f(then);
                if let Some(otherwise) = otherwise {
                    f(otherwise);
                }
            }
            Self::Reduce(fold) | Self::Foreach(fold) => {
                f(&fold.source);
                for pattern in &fold.patterns {
                    pattern.each_key(f);
                }
                f(&fold.init);
                f(&fold.update);
                fold.extract.iter().for_each(f);
            }
            Self::Define(definition, body) => {
                f(&definition.body);
                f(body);
            }
            Self::Bind(source, patterns, body) => {
                f(source);
                for pattern in patterns {
                    pattern.each_key(f);
                }
                f(body);
            }
        }
    }
}

/// The parts of `reduce` and `foreach`.
#[derive(Debug)]
pub(crate) struct Fold {
    pub(crate) source: Expr,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) init: Expr,
    pub(crate) update: Expr,
    /// Of `foreach` only.
    pub(crate) extract: Option<Expr>,
}

/// A pattern of `as`, whose alternatives are separated by `?//`.
#[derive(Debug)]
pub(crate) enum Pattern {
    Variable(String),
    Array(Vec<Pattern>),
    Object(Vec<MemberPattern>),
}

impl Pattern {
    /// Calls a function with each key in the pattern.
    pub(crate) fn each_key<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Variable(_) => {}
            Self::Array(items) => items.iter().for_each(|item| item.each_key(f)),
            Self::Object(entries) => {
                for entry in entries {
                    f(&entry.key);
                    entry.pattern.iter().for_each(|pattern| pattern.each_key(f));
                }
            }
        }
    }
}

/// A member of an object pattern: `$name`, `key: pattern`, `$name: pattern`.
#[derive(Debug)]
pub(crate) struct MemberPattern {
    pub(crate) variable: Option<String>,
    pub(crate) key: Expr,
    pub(crate) pattern: Option<Pattern>,
}

/// A parameter of a function: `f` is an expression, `$f` a value.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) is_value: bool,
}

/// `def name(parameters): body;`
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Expr,
}

/// `import "path" as name;`, `import "path" as $name;`, `include "path";`
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) path: String,
    /// None for `include`.
    pub(crate) alias: Option<String>,
    pub(crate) is_data: bool,
    pub(crate) metadata: Option<Expr>,
    pub(crate) span: Span,
}

/// A program or a module.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) metadata: Option<Expr>,
    pub(crate) imports: Vec<Import>,
    pub(crate) definitions: Vec<Rc<Definition>>,
    pub(crate) main: Option<Expr>,
}
