//! Calls of functions and the types of their arguments (RFC 9535, section 2.4).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::regexp::Pattern;
use crate::query::syntax::Literal;
use crate::query::syntax::Nodes;
use crate::query::syntax::Operand;
use crate::query::syntax::Regexp;
use crate::query::syntax::Segment;
use crate::query::syntax::Test;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::filter::Term;
use crate::query::syntax::filter::operand;
use crate::query::syntax::filter::term;

/// A call by what it yields.
pub(super) enum Call {
    Value(Operand),
    Test(Test),
}

/// The functions there are.
pub(super) const NAMES: [&str; 5] = ["count", "length", "match", "search", "value"];

/// A call of the function `name`, which stands at `start`; the parenthesis is next.
pub(super) fn call(cursor: &mut Cursor<'_>, name: &str, start: usize) -> Result<Call, QueryError> {
    if !NAMES.contains(&name) {
        return Err(QueryError::new(start, "there is no such function")
            .with_help("there are `length`, `count`, `match`, `search` and `value`"));
    }
    cursor.enter()?;
    cursor.eat("(");
    cursor.skip_blank();
    let call = match name {
        "length" => Call::Value(Operand::Length(Box::new(value(cursor)?))),
        "count" => Call::Value(Operand::Count(nodes(cursor)?)),
        "value" => Call::Value(Operand::Value(nodes(cursor)?)),
        _ => {
            let text = value(cursor)?;
            cursor.skip_blank();
            if !cursor.eat(",") {
                return Err(cursor.expected("`,`").with_help("`match` and `search` take a text and a pattern"));
            }
            cursor.skip_blank();
            let whole = name == "match";
            Call::Test(Test::Matches { text, pattern: pattern(cursor, whole)?, whole })
        }
    };
    cursor.skip_blank();
    if !cursor.eat(")") {
        return Err(cursor.expected("`)`"));
    }
    cursor.leave();
    Ok(call)
}

/// Other than beside a comparison, a query may have blanks inside its brackets.
fn value(cursor: &mut Cursor<'_>) -> Result<Operand, QueryError> {
    let start = cursor.at();
    match term(cursor)? {
        Term::Query(nodes, _) if nodes.segments.iter().all(Segment::is_singular) => Ok(Operand::Node(nodes)),
        term => operand(term, start),
    }
}

fn nodes(cursor: &mut Cursor<'_>) -> Result<Nodes, QueryError> {
    let start = cursor.at();
    match term(cursor)? {
        Term::Query(nodes, _) => Ok(nodes),
        Term::Literal(_) | Term::Call(_) => {
            Err(QueryError::new(start, "the argument of this function is a query")
                .with_help("begin it with `@` or `$`"))
        }
    }
}

/// A pattern is compiled if it is known.
fn pattern(cursor: &mut Cursor<'_>, whole: bool) -> Result<Regexp, QueryError> {
    let start = cursor.at();
    Ok(match value(cursor)? {
        Operand::Literal(Literal::String(text)) => {
            let pattern = Pattern::compile(text.value(), whole).map_err(|_| {
                QueryError::new(start, "the pattern is too large").with_help("make its counted repetitions smaller")
            })?;
            Regexp::Fixed(pattern)
        }
        Operand::Literal(_) => Regexp::Fixed(None),
        operand => Regexp::Operand(operand),
    })
}
