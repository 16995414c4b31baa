//! Parses filters (RFC 9535, section 2.3.5).
//!
//! This is a recursive descent parser with one function for each rule of the grammar. A term is parsed before it is known whether
//! it is a test or one side of a comparison.

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::Comparison;
use crate::query::syntax::FilterQuery;
use crate::query::syntax::Literal;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Test;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::function;
use crate::query::syntax::function::Call;
use crate::query::syntax::literal;
use crate::query::syntax::path;

/// A term, which is either a test or one side of a comparison.
pub(super) enum Term {
    Literal(Literal),
    /// A query, and whether it is written as a singular query, which can be compared.
    Query(FilterQuery, bool),
    Call(Call),
}

/// Parses the test after a question mark.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    cursor.enter()?;
    cursor.skip_whitespace();
    let test = logical_or(cursor)?;
    cursor.leave();
    Ok(test)
}

fn logical_or(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    list(cursor, "||", logical_and, Test::Any)
}

fn logical_and(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    list(cursor, "&&", basic, Test::All)
}

/// Parses one or more `part`s with an operator between them.
fn list(
    cursor: &mut Cursor<'_>,
    operator: &str,
    part: fn(&mut Cursor<'_>) -> Result<Test, QueryError>,
    join: fn(Vec<Test>) -> Test,
) -> Result<Test, QueryError> {
    let mut parts = vec![part(cursor)?];
    loop {
        let end = cursor.offset();
        cursor.skip_whitespace();
        if !cursor.eat(operator) {
            cursor.move_to(end);
            return Ok(if parts.len() == 1 { parts.remove(0) } else { join(parts) });
        }
        cursor.skip_whitespace();
        parts.push(part(cursor)?);
    }
}

/// Parses a test, comparison or parenthesis, with or without `!`.
fn basic(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    let start = cursor.offset();
    if cursor.eat("!") {
        cursor.skip_whitespace();
        let test = if cursor.peek() == Some(b'(') { parenthesis(cursor)? } else { negated(cursor)? };
        return Ok(Test::Not(Box::new(test)));
    }
    if cursor.peek() == Some(b'(') {
        return parenthesis(cursor);
    }
    let left = term(cursor)?;
    let end = cursor.offset();
    cursor.skip_whitespace();
    let Some(comparison) = comparison(cursor) else {
        cursor.move_to(end);
        return as_test(left, start);
    };
    cursor.skip_whitespace();
    let at = cursor.offset();
    let right = term(cursor)?;
    Ok(Test::Compare { left: as_operand(left, start)?, comparison, right: as_operand(right, at)? })
}

fn parenthesis(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    cursor.eat("(");
    cursor.enter()?;
    cursor.skip_whitespace();
    let test = logical_or(cursor)?;
    cursor.skip_whitespace();
    if !cursor.eat(")") {
        return Err(expected_end(cursor, "`)`"));
    }
    cursor.leave();
    refuse_comparison(cursor, "an expression in parentheses cannot be compared")?;
    Ok(test)
}

/// Parses the test after a `!`, without parentheses.
fn negated(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    let start = cursor.offset();
    if cursor.peek() == Some(b'!') {
        return Err(cursor.expected("a query, a function call or `(`"));
    }
    let test = term(cursor)?;
    refuse_comparison(cursor, "`!` cannot be applied to a comparison without parentheses")?;
    as_test(test, start)
}

/// Returns an error with `message` if a comparison operator is next.
fn refuse_comparison(cursor: &mut Cursor<'_>, message: &str) -> Result<(), QueryError> {
    let end = cursor.offset();
    cursor.skip_whitespace();
    let at = cursor.offset();
    let found = comparison(cursor);
    cursor.move_to(end);
    match found {
        Some(_) => Err(QueryError::new(at, message).with_help("put the whole comparison in parentheses")),
        None => Ok(()),
    }
}

fn comparison(cursor: &mut Cursor<'_>) -> Option<Comparison> {
    let operators = [
        ("==", Comparison::Equal),
        ("!=", Comparison::NotEqual),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
    ];
    operators.into_iter().find_map(|(operator, comparison)| cursor.eat(operator).then_some(comparison))
}

/// Returns the error if something other than an operator or `end` follows a test.
pub(super) fn expected_end(cursor: &Cursor<'_>, end: &str) -> QueryError {
    let error = cursor.expected(&format!("an operator or {end}"));
    match cursor.peek() {
        Some(b'=') => error.with_help("use `==` to compare, `match` or `search` to test a pattern"),
        Some(b'&') => error.with_help("write `&&`"),
        Some(b'|') => error.with_help("write `||`"),
        Some(b'a' | b'o') => error.with_help("write `&&` and `||`"),
        Some(b'+' | b'-' | b'*' | b'/' | b'%') => error.with_help("filters have no arithmetic"),
        _ => error,
    }
}

/// Parses a literal, a query or a call.
pub(super) fn term(cursor: &mut Cursor<'_>) -> Result<Term, QueryError> {
    match cursor.peek() {
        Some(b'\'' | b'"') => Ok(Term::Literal(Literal::String(literal::string(cursor)?))),
        Some(b'-' | b'0'..=b'9') => Ok(Term::Literal(Literal::Number(literal::number(cursor)?))),
        Some(b'@') => {
            cursor.eat("@");
            query(cursor, Origin::Current)
        }
        Some(b'$') => {
            cursor.eat("$");
            let origin = cursor.next_root();
            query(cursor, origin)
        }
        Some(byte) if byte.is_ascii_alphabetic() => word(cursor),
        _ => Err(cursor.expected("a query, a literal or a function call")),
    }
}

fn query(cursor: &mut Cursor<'_>, origin: Origin) -> Result<Term, QueryError> {
    let (segments, is_singular) = path::segments(cursor)?;
    Ok(Term::Query(FilterQuery { origin, segments }, is_singular))
}

/// Parses a literal name or a call, which begins with a letter.
fn word(cursor: &mut Cursor<'_>) -> Result<Term, QueryError> {
    let start = cursor.offset();
    let word = cursor.take_while(|character| character.is_ascii_alphanumeric() || character == '_');
    if cursor.peek() == Some(b'(') {
        return function::call(cursor, word, start).map(Term::Call);
    }
    let literal = match word {
        "true" => Literal::True,
        "false" => Literal::False,
        "null" => Literal::Null,
        _ => {
            cursor.move_to(start);
            let error = cursor.expected("a query, a literal or a function call");
            let is_call = function::NAMES.contains(&word);
            return Err(match word.to_ascii_lowercase().as_str() {
                "true" | "false" | "null" => error.with_help("literals are lower case: `true`, `false`, `null`"),
                "nothing" => error.with_help("to test whether a value exists, write the query alone"),
                _ if is_call => error.with_help("`(` must directly follow the function name"),
                _ => error.with_help("write member names after `@.` or `$.`, and strings in quotes"),
            });
        }
    };
    Ok(Term::Literal(literal))
}

/// Converts a term to a test on its own.
fn as_test(term: Term, start: usize) -> Result<Test, QueryError> {
    match term {
        Term::Query(nodes, _) => Ok(Test::Exists(nodes)),
        Term::Call(Call::Test(test)) => Ok(test),
        Term::Call(Call::Value(_)) => Err(QueryError::new(start, "the function returns a value, not a condition")
            .with_help("compare it with something")),
        Term::Literal(_) => {
            Err(QueryError::new(start, "a literal alone is not a condition").with_help("compare it with something"))
        }
    }
}

/// Converts a term to one side of a comparison.
pub(super) fn as_operand(term: Term, start: usize) -> Result<Operand, QueryError> {
    match term {
        Term::Literal(literal) => Ok(Operand::Literal(literal)),
        Term::Query(nodes, true) => Ok(Operand::Node(nodes)),
        Term::Query(nodes, false) if nodes.segments.iter().all(super::Segment::is_singular) => {
            Err(QueryError::new(start, "a query in a comparison cannot have whitespace inside its brackets"))
        }
        Term::Query(..) => Err(QueryError::new(start, "a query that may select several nodes is not a value")
            .with_help("use only names and indexes, or `value(…)`, or test the nodes in a nested filter")),
        Term::Call(Call::Value(operand)) => Ok(operand),
        Term::Call(Call::Test(_)) => Err(QueryError::new(start, "the function returns a condition, not a value")
            .with_help("use it alone, or negate it with `!`")),
    }
}
