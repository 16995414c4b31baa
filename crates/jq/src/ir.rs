//! The resolved form of a program: names are slots, functions are numbers, and each node knows how many outputs it may have.
//!
//! It holds no values, so that a program can be used by several threads: constants are kept in a plain form, and a machine makes
//! values of them when it starts.

#![forbid(unsafe_code)]

use crate::builtins::Native;
use crate::syntax::ast::BinaryOp;

/// How many outputs an expression has if it has no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cardinality {
    One,
    /// None or one.
    Optional,
    Many,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) cardinality: Cardinality,
}

/// A constant string that is used as a key; the number is that of its value among the constants.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: Box<str>,
    pub(crate) constant: usize,
}

/// A constant in a form that threads can share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Null,
    Boolean(bool),
    /// Its digits.
    Number(String),
    String(String),
    Array(Vec<Constant>),
    Object(Vec<(String, Constant)>),
    /// Texts of JSON documents; the value is an array of theirs.
    Documents(String),
}

impl Constant {
    pub(crate) fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) | Self::Documents(_) => "array",
            Self::Object(_) => "object",
        }
    }
}

/// Where a slot of the environment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// So many steps up from the current environment.
    Up(u32),
    /// One of the slots that are there for the whole run.
    Global(u32),
}

/// A pattern of `as`; the numbers are those of its variables.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Variable(usize),
    Array(Vec<Pattern>),
    Object(Vec<PatternEntry>),
}

impl Pattern {
    fn is_simple(&self) -> bool {
        match self {
            Self::Variable(_) => true,
            Self::Array(items) => items.iter().all(Self::is_simple),
            Self::Object(entries) => entries.iter().all(|entry| {
                entry.key.cardinality == Cardinality::One && entry.pattern.as_ref().is_none_or(Self::is_simple)
            }),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct PatternEntry {
    pub(crate) variable: Option<usize>,
    pub(crate) key: Node,
    pub(crate) pattern: Option<Pattern>,
}

/// Alternatives separated by `?//`, which have their variables in common.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    pub(crate) alternatives: Vec<Pattern>,
    pub(crate) variables: usize,
}

impl Patterns {
    /// Whether it is a variable and nothing else.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.alternatives[..], [Pattern::Variable(_)])
    }

    /// Whether there is exactly one way to bind the variables.
    pub(crate) fn is_simple(&self) -> bool {
        matches!(&self.alternatives[..], [only] if only.is_simple())
    }
}

/// The parts of `reduce` and `foreach`.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    pub(crate) source: Node,
    pub(crate) patterns: Patterns,
    pub(crate) init: Node,
    pub(crate) update: Node,
    pub(crate) extract: Option<Node>,
}

/// A call of a function that is not part of the expression itself.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: usize,
    /// The environment in which the function was defined.
    pub(crate) place: Place,
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Closure(Node),
    Value(Node),
}

#[derive(Clone, Debug)]
pub(crate) enum MemberKey {
    Constant(Key),
    Computed(Node),
}

/// What is done with the elements of an array after a key was computed for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Sort,
    Group,
    Unique,
    Min,
    Max,
}

#[derive(Clone, Debug)]
pub(crate) enum FormatPart {
    /// The number of a constant.
    Text(String),
    Value(Node),
}

/// The most members of [`Op::Pick`].
pub(crate) const MOST_PICKED: usize = 16;

#[derive(Clone, Debug)]
pub(crate) enum Op {
    Identity,
    Empty,
    Constant(usize),
    Variable(Place),
    /// `$ENV`
    Environment,
    /// `.a.b.c` of the input.
    Fields(Vec<Key>),
    Field(Box<Node>, Key, bool),
    Index(Box<Node>, Box<Node>, bool),
    Slice(Box<Node>, Box<Node>, Box<Node>, bool),
    Iterate(Box<Node>, bool),
    Try(Box<Node>, Option<Box<Node>>),
    Array(Box<Node>),
    Object(Vec<(MemberKey, Node)>),
    /// `{a, b, c: .d.e}`: members of the input and of its members, with different keys.
    Pick(Vec<(Key, Vec<Key>)>),
    Negate(Box<Node>),
    Pipe(Box<Node>, Box<Node>),
    Comma(Vec<Node>),
    Binary(BinaryOp, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Not,
    Alternative(Box<Node>, Box<Node>),
    Assign(Box<Node>, Box<Node>),
    Update(Box<Node>, Box<Node>),
    UpdateBinary(BinaryOp, Box<Node>, Box<Node>),
    UpdateAlternative(Box<Node>, Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    Reduce(Box<Fold>),
    Foreach(Box<Fold>),
    Bind(Box<Node>, Patterns, Box<Node>),
    Label(Box<Node>),
    Break(Place),
    Call(Box<Call>),
    /// A parameter that is an expression.
    Closure(Place),
    Native(Native, Vec<Node>),
    Format(&'static str, Vec<FormatPart>),
    /// Whether the kind of the input is in a set.
    KindIn(u8),

    // Builtins that take expressions, or belong to the evaluator.
    Error(Option<Box<Node>>),
    /// `..`, of which only values of some kinds are outputs.
    RecurseAll(u8),
    Recurse(Box<Node>),
    Range(Box<Node>, Box<Node>, Option<Box<Node>>),
    First(Box<Node>),
    Last(Box<Node>),
    Limit(Box<Node>, Box<Node>),
    Skip(Box<Node>, Box<Node>),
    Until(Box<Node>, Box<Node>),
    While(Box<Node>, Box<Node>),
    Repeat(Box<Node>),
    Path(Box<Node>),
    GetPath(Box<Node>),
    /// Whether one (`any`) or all outputs of the second for outputs of the first are true.
    Any(Box<Node>, Box<Node>, bool),
    IsEmpty(Box<Node>),
    /// The key; None if it is the element itself.
    By(By, Option<Box<Node>>),
    Add(Box<Node>),
    /// `[f] | add`, which is `add(f)` except that the errors of `f` come first.
    AddAll(Box<Node>),
    /// `type`
    KindName,
    Delete(Box<Node>),
    Walk(Box<Node>),
    Input,
    Inputs,
    Halt(Option<Box<Node>>),
    ModuleMetadata,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) main: Node,
    pub(crate) functions: Vec<Node>,
    pub(crate) constants: Vec<Constant>,
    /// How many slots are there for the whole run.
    pub(crate) globals: usize,
    pub(crate) uses: Uses,
}

/// What a program asks of the outside world: whether it may, not whether it will.
///
/// A program that uses nothing has outputs that depend on its input alone, so it can be run on each of many inputs by any thread.
///
/// ```
/// use fjson_jq::Filter;
///
/// assert!(Filter::new("[., input]")?.uses().inputs);
/// assert!(!Filter::new("def all: [inputs]; .a")?.uses().inputs);
/// # Ok::<(), fjson_jq::ProgramError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Uses {
    /// Further inputs: `input` and `inputs`.
    pub inputs: bool,
    /// `halt` and `halt_error`.
    pub halts: bool,
    /// Messages: `debug` and `stderr`.
    pub messages: bool,
    /// Environment variables: `env` and `$ENV`.
    pub environment: bool,
    /// `input_filename`.
    pub file_name: bool,
    /// `input_line_number`.
    pub line_number: bool,
}
