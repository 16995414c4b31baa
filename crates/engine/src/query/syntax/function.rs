//! Parses function calls and checks the types of their arguments (RFC 9535, section 2.4).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::regexp::Pattern;
use crate::query::regexp::PatternError;
use crate::query::regexp::PatternStyle;
use crate::query::regexp::Patterns;
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
use crate::query::syntax::literal;

/// A call with its result type, which is `ValueType` or `LogicalType` in RFC 9535.
pub(super) enum Call {
    Value(Operand),
    Test(Test),
}

/// The names of all functions. RFC 9535 does not have `regex`.
pub(super) const NAMES: [&str; 6] = ["count", "length", "match", "regex", "search", "value"];

/// Parses a call of the function `name`, which begins at `start`. The opening parenthesis is next.
pub(super) fn call(cursor: &mut Cursor<'_>, name: &str, start: usize) -> Result<Call, QueryError> {
    cursor.enter()?;
    cursor.eat("(");
    cursor.skip_whitespace();
    let call = match name {
        "length" => Call::Value(Operand::Length(Box::new(value(cursor)?))),
        "count" => Call::Value(Operand::Count(nodes(cursor)?)),
        "value" => Call::Value(Operand::Value(nodes(cursor)?)),
        "match" | "search" | "regex" => Call::Test(matches(cursor, name)?),
        _ => {
            return Err(QueryError::new(start, "unknown function")
                .with_help("the functions are `length`, `count`, `match`, `search`, `regex` and `value`"));
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

/// Parses the arguments of `match`, `search` or `regex`.
fn matches(cursor: &mut Cursor<'_>, name: &str) -> Result<Test, QueryError> {
    let text = value(cursor)?;
    cursor.skip_whitespace();
    if !cursor.eat(",") {
        let help = "`match`, `search` and `regex` take a string and a pattern";
        return Err(cursor.expected("`,`").with_help(help));
    }
    cursor.skip_whitespace();
    let start = cursor.offset();
    let pattern = value(cursor)?;
    let literal = cursor.since(start);
    let is_regex = name == "regex";
    let style = PatternStyle {
        syntax: if is_regex { Patterns::Regex } else { cursor.patterns() },
        is_whole: name == "match",
        ignores_case: is_regex && flags(cursor)?,
    };
    Ok(Test::Matches { text, pattern: compiled(pattern, style, cursor, literal, start)? })
}

/// Parses the third argument of `regex`, if there is one. Returns whether case is ignored.
fn flags(cursor: &mut Cursor<'_>) -> Result<bool, QueryError> {
    let end = cursor.offset();
    cursor.skip_whitespace();
    if !cursor.eat(",") {
        cursor.move_to(end);
        return Ok(false);
    }
    cursor.skip_whitespace();
    let start = cursor.offset();
    match value(cursor)? {
        Operand::Literal(Literal::String(flags)) if flags.value() == "i" => Ok(true),
        _ => Err(QueryError::new(start, "the third argument of `regex` is the string `i`, which ignores case")
            .with_help("write other flags in the pattern, for example `(?s)`")),
    }
}

/// Compiles a pattern that is a literal, whose text begins at `start`.
fn compiled(
    pattern: Operand,
    style: PatternStyle,
    cursor: &Cursor<'_>,
    literal: &str,
    start: usize,
) -> Result<Regexp, QueryError> {
    match pattern {
        Operand::Literal(Literal::String(text)) => match Pattern::compile(text.value(), style) {
            Ok(pattern) => Ok(Regexp::Fixed(Some(pattern))),
            Err(PatternError::TooLarge) => {
                Err(QueryError::new(start, "the pattern is too large").with_help("use smaller repetition counts"))
            }
            Err(PatternError::Syntax(error)) => {
                let at = start + literal::offset_in_text(literal, error.offset);
                let refused = QueryError::new(at, error.message);
                Err(match error.help {
                    Some(help) => refused.with_help(help),
                    None => refused,
                })
            }
        },
        Operand::Literal(_) => Ok(Regexp::Fixed(None)),
        operand => Ok(Regexp::Operand(operand, style, cursor.invalid_patterns())),
    }
}
