//! The syntax tree of an expression: JSONPath (RFC 9535) or JSON Pointer (RFC 6901).
//!
//! The parser does all work that does not depend on a document: it resolves escapes, checks the range of integers and the types
//! of arguments, and compiles literal patterns. Filters, parentheses and calls are nested at most [`MAX_NESTING`] levels deep, so
//! code that visits the tree may recurse.
//!
//! `path.rs` parses segments and selectors, `filter.rs` filters, `function.rs` calls, and `literal.rs` strings and numbers. They
//! all use the cursor of `cursor.rs`. `pointer.rs` parses JSON Pointers. After an error, `corrector.rs` and
//! `patterns.rs` look for the expression that was meant. `sentences.txt` lists every error message with an expression that causes it; a
//! test checks this list.

#![forbid(unsafe_code)]

mod corrector;
mod cursor;
mod filter;
mod function;
mod literal;
mod path;
mod patterns;
mod pointer;
mod text;

#[cfg(test)]
mod tests;

use crate::query::error::QueryError;
use crate::query::regexp::InvalidPatterns;
use crate::query::regexp::Pattern;
use crate::query::regexp::PatternStyle;
use crate::query::regexp::Patterns;
use corrector::correct;
use cursor::Cursor;
pub(crate) use text::Text;

/// Maximum nesting depth of filters, parentheses and calls.
pub(crate) const MAX_NESTING: usize = 100;

/// A parsed expression.
#[derive(Clone, Debug)]
pub(crate) struct Syntax {
    /// Segments, of which the first is applied to the root of the document.
    pub(crate) segments: Vec<Segment>,
    /// Number of queries in filters that begin at the root. [`Origin::Root`] numbers them.
    pub(crate) root_queries: usize,
    /// Patterns that were taken from documents and are not valid.
    pub(crate) invalid_patterns: InvalidPatterns,
}

/// A segment: selects children, or descendants, of each node selected so far (RFC 9535, section 2.5).
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Whether this is a descendant segment (`..`), which is applied to each node and to all its descendants, parents first.
    pub(crate) descendant: bool,
    /// Selectors, at least one. Several of them may select the same node.
    pub(crate) selectors: Vec<Selector>,
}

/// A selector (RFC 9535, section 2.3), or a reference token of a JSON Pointer.
///
/// If a key is duplicate, a name selector selects the first of its members in a child segment, and all of them in a descendant
/// segment.
#[derive(Clone, Debug)]
pub(crate) enum Selector {
    /// The member with this key.
    Name(Text),
    /// All children.
    Wildcard,
    /// The element with this index. Negative indexes count from the end.
    Index(i64),
    /// Some elements of an array.
    Slice(Slice),
    /// The children for which the test holds.
    Filter(Box<Test>),
    /// A reference token of a JSON Pointer: the member with this key or, in an array, the element with this index.
    Token { name: Text, index: Option<i64> },
}

/// Every `step`-th element from `start` (included) to `end` (excluded). Negative bounds count from the end of the array.
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
    /// `!a`
    Not(Box<Test>),
    /// An existence test: whether the query selects anything.
    Exists(FilterQuery),
    Compare {
        left: Operand,
        comparison: Comparison,
        right: Operand,
    },
    /// `match(text, pattern)`, `search(text, pattern)` or `regex(text, pattern)`.
    Matches {
        text: Operand,
        pattern: Regexp,
    },
}

impl Test {
    /// Returns the query, the operator and the literal of a comparison of one with the other. They are in this order even if the
    /// literal is written first.
    pub(crate) fn with_literal(&self) -> Option<(&FilterQuery, Comparison, &Literal)> {
        match self {
            Self::Compare { left: Operand::Node(nodes), comparison, right: Operand::Literal(literal) } => {
                Some((nodes, *comparison, literal))
            }
            Self::Compare { left: Operand::Literal(literal), comparison, right: Operand::Node(nodes) } => {
                // mutant: Some((nodes, *comparison, literal))
                Some((nodes, comparison.reversed(), literal))
            }
            _ => None,
        }
    }
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the comparison for operands that have changed places.
    fn reversed(self) -> Self {
        match self {
            Self::Equal | Self::NotEqual => self,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// A query inside a filter.
#[derive(Clone, Debug)]
pub(crate) struct FilterQuery {
    pub(crate) origin: Origin,
    pub(crate) segments: Vec<Segment>,
}

/// The node at which a query in a filter begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `@`, the child that is tested.
    Current,
    /// `$`, the root of the document. The query has the same result for all children, which is cached under this number, from 0.
    Root(usize),
}

/// An operand of a comparison. Its value may be `Nothing`.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Literal(Literal),
    /// A singular query, which has only names and indexes, so it selects at most one node.
    Node(FilterQuery),
    /// `length(…)`
    Length(Box<Operand>),
    /// `count(…)`
    Count(FilterQuery),
    /// `value(…)`: the value of the node, if the query selects exactly one.
    Value(FilterQuery),
}

/// A literal in a comparison or call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    String(Text),
    /// The text of the number, which is also valid JSON.
    Number(Box<str>),
    True,
    False,
    Null,
}

/// The second argument of `match`, `search` and `regex`.
#[derive(Clone, Debug)]
pub(crate) enum Regexp {
    /// A literal. `None` if it is not a string, so it matches nothing.
    Fixed(Option<Pattern>),
    /// An operand that is evaluated for each child. The parser of the expression shares where invalid patterns are noted.
    Operand(Operand, PatternStyle, InvalidPatterns),
}

/// A parsed condition on a document. Both `@` and `$` refer to the root of the document.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) test: Test,
    /// Number of queries that begin with `$`, as in [`Syntax`].
    pub(crate) root_queries: usize,
    /// As in [`Syntax`].
    pub(crate) invalid_patterns: InvalidPatterns,
}

impl Condition {
    /// Parses a logical expression, as after the `?` of a filter.
    pub(crate) fn parse(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        corrected(expression, true, |expression| Self::parse_once(expression, patterns))
    }

    /// Parses it without looking for a correction after an error.
    fn parse_once(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        let mut cursor = Cursor::new(expression, patterns);
        let test = filter::parse(&mut cursor)?;
        cursor.skip_whitespace();
        if !cursor.is_at_end() {
            return Err(cursor.expected("an operator or the end of the expression"));
        }
        Ok(Self { test, root_queries: cursor.root_queries(), invalid_patterns: cursor.invalid_patterns() })
    }
}

impl Syntax {
    /// Returns the number of descendant segments.
    pub(crate) fn descendants(&self) -> usize {
        self.segments.iter().filter(|segment| segment.descendant).count()
    }

    /// Parses an expression: a JSON Pointer if it is empty or begins with `/`, otherwise JSONPath.
    pub(crate) fn parse(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        corrected(expression, false, |expression| Self::parse_once(expression, patterns))
    }

    /// Parses it without looking for a correction after an error.
    fn parse_once(expression: &str, patterns: Patterns) -> Result<Self, QueryError> {
        let mut cursor = Cursor::new(expression, patterns);
        let is_pointer = expression.is_empty() || expression.starts_with('/');
        let segments = if is_pointer { pointer::parse(expression)? } else { path::parse(&mut cursor)? };
        Ok(Self { segments, root_queries: cursor.root_queries(), invalid_patterns: cursor.invalid_patterns() })
    }
}

/// Parses an expression, and adds the expression that was probably meant to an error.
fn corrected<T>(
    expression: &str,
    is_condition: bool,
    parse: impl Fn(&str) -> Result<T, QueryError>,
) -> Result<T, QueryError> {
    let offset_of_error = |text: &str| parse(text).map(drop).map_err(|error| error.offset());
    parse(expression).map_err(|error| error.with_suggestion(correct(expression, is_condition, offset_of_error)))
}

impl Segment {
    /// Returns whether the segment selects at most one child of each node.
    pub(crate) fn is_singular(&self) -> bool {
        let is_one = matches!(*self.selectors, [Selector::Name(_) | Selector::Index(_) | Selector::Token { .. }]);
        is_one && !self.descendant
    }
}
