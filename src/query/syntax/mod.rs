//! The syntax tree of an expression: JSONPath (RFC 9535) or JSON Pointer (RFC 6901).
//!
//! Everything that does not depend on a document is done here: escapes are resolved, integers are in range, arguments have the
//! right types, and literal patterns are compiled. Filters, parentheses and calls are nested at most [`MAX_NESTING`] levels
//! deep, so code that visits the tree may recurse.
//!
//! `path.rs` parses segments and selectors, `filter.rs` the tests of filters, `function.rs` calls, `literal.rs` strings and
//! numbers, all with the cursor of `cursor.rs`. `pointer.rs` parses JSON Pointers. `sentences.txt` has every error message
//! with an expression that causes it, and is tested.

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

/// How deep filters, parentheses and calls may be nested.
pub(crate) const MAX_NESTING: usize = 100;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    /// Applied one after the other, beginning with the root of the document.
    pub(crate) segments: Vec<Segment>,
    /// The number of queries in filters that begin at the root. [`Origin::Root`] numbers them.
    pub(crate) root_queries: usize,
}

/// A segment: selects children, or descendants, of each node selected so far (RFC 9535, section 2.5).
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Whether it follows `..`: it is applied to each node and to all its descendants, parents first.
    pub(crate) descendant: bool,
    /// Never empty. Several selectors may select the same node.
    pub(crate) selectors: Vec<Selector>,
}

/// A selector (RFC 9535, section 2.3), or a reference token of a JSON Pointer.
///
/// Of duplicate keys, a name in a child segment selects the first member, and one in a descendant segment all of them.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// The member with this name.
    Name(Text),
    /// All children.
    Wildcard,
    /// An element; negative counts from the end.
    Index(i64),
    Slice(Slice),
    /// The children for which the test holds.
    Filter(Box<Test>),
    /// A reference token of a JSON Pointer: the member with this name, or, if the name is an index, the element.
    Token {
        name: Text,
        index: Option<i64>,
    },
}

/// Every `step`-th element from `start` up to, but not including, `end`. Negative bounds count from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) step: i64,
}

/// A logical expression on a child, `@` (RFC 9535, section 2.3.5).
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// `a || b || …`
    Any(Vec<Test>),
    /// `a && b && …`
    All(Vec<Test>),
    Not(Box<Test>),
    /// An existence test: whether the query selects anything.
    Exists(FilterQuery),
    Compare {
        left: Operand,
        comparison: Comparison,
        right: Operand,
    },
    /// `match(text, pattern)` if the pattern has to match the `whole` text, otherwise `search(text, pattern)`.
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
pub(crate) struct FilterQuery {
    pub(crate) origin: Origin,
    pub(crate) segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `@`, the child to test.
    Current,
    /// `$`, the document. The result of such a query is the same for all children, so it is cached under this number, from 0.
    Root(usize),
}

/// An operand of a comparison: a value or `Nothing`.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Literal(Literal),
    /// A singular query: only names and indexes, so it selects at most one node.
    Node(FilterQuery),
    /// `length(…)`
    Length(Box<Operand>),
    /// `count(…)`
    Count(FilterQuery),
    /// `value(…)`: the value of the node, if the query selects exactly one.
    Value(FilterQuery),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    String(Text),
    /// As written, which is valid JSON.
    Number(Box<str>),
    True,
    False,
    Null,
}

/// The second argument of `match` and `search`.
#[derive(Clone, Debug)]
pub(crate) enum Regexp {
    /// A literal. `None` if it is not a string or not an I-Regexp; it then matches nothing.
    Fixed(Option<Pattern>),
    /// Evaluated for each child.
    Operand(Operand),
}

/// A parsed condition on a document, in which both `@` and `$` stand for the document.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) test: Test,
    /// As in [`Syntax`].
    pub(crate) root_queries: usize,
}

impl Condition {
    /// Parses a logical expression, as after the `?` of a filter.
    pub(crate) fn parse(expression: &str) -> Result<Self, QueryError> {
        let mut cursor = Cursor::new(expression);
        let test = filter::parse(&mut cursor)?;
        cursor.skip_whitespace();
        if !cursor.is_at_end() {
            return Err(cursor.expected("an operator or the end of the expression"));
        }
        Ok(Self { test, root_queries: cursor.root_queries() })
    }
}

impl Syntax {
    /// Parses an expression: a JSON Pointer if it is empty or begins with `/`, otherwise JSONPath.
    pub(crate) fn parse(expression: &str) -> Result<Self, QueryError> {
        if expression.is_empty() || expression.starts_with('/') {
            return Ok(Self { segments: pointer::parse(expression)?, root_queries: 0 });
        }
        let mut cursor = Cursor::new(expression);
        let segments = path::parse(&mut cursor)?;
        Ok(Self { segments, root_queries: cursor.root_queries() })
    }
}

impl Segment {
    /// Whether it selects at most one node.
    pub(crate) fn is_singular(&self) -> bool {
        let is_one = matches!(*self.selectors, [Selector::Name(_) | Selector::Index(_) | Selector::Token { .. }]);
        is_one && !self.descendant
    }
}
