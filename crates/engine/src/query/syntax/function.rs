//! Parses function calls and checks the types of their arguments (RFC 9535, section 2.4).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::regexp::Pattern;
use crate::query::syntax::FilterQuery;
use crate::query::syntax::Literal;
use crate::query::syntax::Operand;
use crate::query::syntax::Regexp;
use crate::query::syntax::Segment;
use crate::query::syntax::Test;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::filter::Term;
use crate::query::syntax::filter::as_operand;
use crate::query::syntax::filter::term;

/// A call with its result type, which is `ValueType` or `LogicalType` in RFC 9535.
pub(super) enum Call {
    Value(Operand),
    Test(Test),
}

/// The names of all functions.
pub(super) const NAMES: [&str; 5] = ["count", "length", "match", "search", "value"];

/// Parses a call of the function `name`, which begins at `start`. The opening parenthesis is next.
pub(super) fn call(cursor: &mut Cursor<'_>, name: &str, start: usize) -> Result<Call, QueryError> {
    cursor.enter()?;
    cursor.eat("(");
    cursor.skip_whitespace();
    let call = match name {
        "length" => Call::Value(Operand::Length(Box::new(value(cursor)?))),
        "count" => Call::Value(Operand::Count(nodes(cursor)?)),
        "value" => Call::Value(Operand::Value(nodes(cursor)?)),
        "match" | "search" => {
            let text = value(cursor)?;
            cursor.skip_whitespace();
            if !cursor.eat(",") {
                return Err(cursor.expected("`,`").with_help("`match` and `search` take a string and a pattern"));
            }
            cursor.skip_whitespace();
            let whole = name == "match";
            Call::Test(Test::Matches { text, pattern: pattern(cursor, whole)?, whole })
        }
        _ => {
            return Err(QueryError::new(start, "unknown function")
                .with_help("the functions are `length`, `count`, `match`, `search` and `value`"));
        }
    };
    cursor.skip_whitespace();
    if !cursor.eat(")") {
        return Err(cursor.expected("`)`"));
    }
    cursor.leave();
    Ok(call)
}

/// Parses an argument of type `ValueType`. Unlike in a comparison, a singular query may have whitespace inside its brackets.
fn value(cursor: &mut Cursor<'_>) -> Result<Operand, QueryError> {
    let start = cursor.offset();
    match term(cursor)? {
        Term::Query(nodes, _) if nodes.segments.iter().all(Segment::is_singular) => Ok(Operand::Node(nodes)),
        term => as_operand(term, start),
    }
}

/// Parses an argument of type `NodesType`.
fn nodes(cursor: &mut Cursor<'_>) -> Result<FilterQuery, QueryError> {
    let start = cursor.offset();
    match term(cursor)? {
        Term::Query(nodes, _) => Ok(nodes),
        Term::Literal(_) | Term::Call(_) => {
            Err(QueryError::new(start, "the argument of this function must be a query")
                .with_help("begin it with `@` or `$`"))
        }
    }
}

/// Parses the second argument of `match` and `search`. A literal is compiled here.
fn pattern(cursor: &mut Cursor<'_>, whole: bool) -> Result<Regexp, QueryError> {
    let start = cursor.offset();
    Ok(match value(cursor)? {
        Operand::Literal(Literal::String(text)) => {
            let pattern = Pattern::compile(text.value(), whole).map_err(|_| {
                QueryError::new(start, "the pattern is too large").with_help("use smaller repetition counts")
            })?;
            Regexp::Fixed(pattern)
        }
        Operand::Literal(_) => Regexp::Fixed(None),
        operand => Regexp::Operand(operand),
    })
}
