//! What an expression says: JSONPath (RFC 9535) and JSON Pointer (RFC 6901) in one tree.
//!
//! Everything that can be decided without a document is decided here: escapes are resolved, integers are in range,
//! functions have arguments of their types, fixed patterns are compiled. A tree is at most [`NESTING`] filters,
//! parentheses and calls deep, so whoever walks over it may use recursion.
//!
//! What the RFCs leave open, for documents in which members of one object share a name: a child segment takes the first
//! member of a name; a descendant segment, a wildcard and a filter take each.

#![forbid(unsafe_code)]

mod cursor;
mod filter;
mod function;
mod literal;
mod path;
mod pointer;
mod text;

#[cfg(test)]
mod tests;

use crate::query::error::QueryError;
use crate::query::regexp::Pattern;
use cursor::Cursor;
pub(crate) use text::Text;

/// How many filters, parentheses and calls may stand inside each other.
pub(crate) const NESTING: usize = 100;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    /// From the root of the document on.
    pub(crate) segments: Vec<Segment>,
    /// How many queries in filters begin at the root, as [`Origin::Root`] numbers them.
    pub(crate) absolute: usize,
}

/// What is selected at each of the nodes so far: of its children, or of those and of all that is inside of them.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Whether it stands behind `..`: it is applied to each node and to all nodes inside of it, parents first.
    pub(crate) descendant: bool,
    /// Never empty. One node may be selected several times.
    pub(crate) selectors: Vec<Selector>,
}

#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// The member with this name.
    Name(Text),
    /// All children.
    Wildcard,
    /// An element; from the end if negative.
    Index(i64),
    Slice(Slice),
    /// The children for which the test holds.
    Filter(Box<Test>),
    /// A reference token of a JSON Pointer: the member with this name, or, if that is an index, the element.
    Token {
        name: Text,
        index: Option<i64>,
    },
}

/// Elements from `start` up to `end`, every `step`; bounds that are negative count from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) step: i64,
}

/// What a filter asks of a child, `@`.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// `a || b || …`
    Any(Vec<Test>),
    /// `a && b && …`
    All(Vec<Test>),
    Not(Box<Test>),
    /// Whether the query selects anything.
    Exists(Nodes),
    Compare {
        left: Operand,
        comparison: Comparison,
        right: Operand,
    },
    /// `match(text, pattern)` if it is to be the `whole` of the text, or else `search(text, pattern)`.
    Matches {
        text: Operand,
        pattern: Regexp,
        whole: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A query inside a filter.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    pub(crate) origin: Origin,
    pub(crate) segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `@`, the child that is being tested.
    Current,
    /// `$`, the document. All such queries have different numbers from 0 on: what they yield is the same for all children.
    Root(usize),
}

/// What can be compared: one value, or nothing.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Literal(Literal),
    /// A query of names and indexes alone, so that it selects one node at most.
    Node(Nodes),
    /// `length(…)`
    Length(Box<Operand>),
    /// `count(…)`
    Count(Nodes),
    /// `value(…)`: the only node that is selected.
    Value(Nodes),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    String(Text),
    /// As it is written, which is also how JSON writes it.
    Number(Box<str>),
    True,
    False,
    Null,
}

/// The second argument of `match` and `search`.
#[derive(Clone, Debug)]
pub(crate) enum Regexp {
    /// A literal; none if it is not an I-Regexp or no string, and then nothing matches.
    Fixed(Option<Pattern>),
    /// To be looked up.
    Operand(Operand),
}

/// A parsed condition on a document, which is both `@` and `$` in it.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) test: Test,
    /// As in [`Syntax`].
    pub(crate) absolute: usize,
}

impl Condition {
    /// Parses what may stand behind the `?` of a filter.
    pub(crate) fn parse(expression: &str) -> Result<Self, QueryError> {
        let mut cursor = Cursor::new(expression);
        let test = filter::parse(&mut cursor)?;
        cursor.skip_blank();
        if !cursor.is_at_end() {
            return Err(cursor.expected("an operator or the end"));
        }
        Ok(Self { test, absolute: cursor.absolute() })
    }
}

impl Syntax {
    /// Parses an expression: a JSON Pointer if it is empty or begins with `/`, or else JSONPath.
    pub(crate) fn parse(expression: &str) -> Result<Self, QueryError> {
        if expression.is_empty() || expression.starts_with('/') {
            return Ok(Self { segments: pointer::parse(expression)?, absolute: 0 });
        }
        let mut cursor = Cursor::new(expression);
        let segments = path::parse(&mut cursor)?;
        Ok(Self { segments, absolute: cursor.absolute() })
    }
}

impl Segment {
    /// Whether it selects one node at most.
    pub(crate) fn is_singular(&self) -> bool {
        let is_one = matches!(*self.selectors, [Selector::Name(_) | Selector::Index(_) | Selector::Token { .. }]);
        is_one && !self.descendant
    }
}
