//! Filters (RFC 9535, section 2.3.5).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::Comparison;
use crate::query::syntax::Literal;
use crate::query::syntax::Nodes;
use crate::query::syntax::Operand;
use crate::query::syntax::Origin;
use crate::query::syntax::Test;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::function;
use crate::query::syntax::function::Call;
use crate::query::syntax::literal;
use crate::query::syntax::path;

/// What may stand alone or beside a comparison.
pub(super) enum Term {
    Literal(Literal),
    /// A query, and whether it may be compared.
    Query(Nodes, bool),
    Call(Call),
}

/// The test behind a question mark.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    cursor.enter()?;
    cursor.skip_blank();
    let test = any(cursor)?;
    cursor.leave();
    Ok(test)
}

fn any(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    list(cursor, "||", all, Test::Any)
}

fn all(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    list(cursor, "&&", basic, Test::All)
}

/// One `part` or several with an operator between them.
fn list(
    cursor: &mut Cursor<'_>,
    operator: &str,
    part: fn(&mut Cursor<'_>) -> Result<Test, QueryError>,
    join: fn(Vec<Test>) -> Test,
) -> Result<Test, QueryError> {
    let mut parts = vec![part(cursor)?];
    loop {
        let behind = cursor.at();
        cursor.skip_blank();
        if !cursor.eat(operator) {
            cursor.move_to(behind);
            return Ok(if parts.len() == 1 { parts.remove(0) } else { join(parts) });
        }
        cursor.skip_blank();
        parts.push(part(cursor)?);
    }
}

fn basic(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    let start = cursor.at();
    if cursor.eat("!") {
        cursor.skip_blank();
        let test = if cursor.peek() == Some(b'(') { parenthesis(cursor)? } else { negated(cursor)? };
        return Ok(Test::Not(Box::new(test)));
    }
    if cursor.peek() == Some(b'(') {
        return parenthesis(cursor);
    }
    let left = term(cursor)?;
    let behind = cursor.at();
    cursor.skip_blank();
    let Some(comparison) = comparison(cursor) else {
        cursor.move_to(behind);
        return alone(left, start);
    };
    cursor.skip_blank();
    let at = cursor.at();
    let right = term(cursor)?;
    Ok(Test::Compare { left: operand(left, start)?, comparison, right: operand(right, at)? })
}

fn parenthesis(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    cursor.eat("(");
    cursor.enter()?;
    cursor.skip_blank();
    let test = any(cursor)?;
    cursor.skip_blank();
    if !cursor.eat(")") {
        return Err(expected_end(cursor, "`)`"));
    }
    cursor.leave();
    refuse_comparison(cursor, "what stands in parentheses cannot be compared")?;
    Ok(test)
}

fn negated(cursor: &mut Cursor<'_>) -> Result<Test, QueryError> {
    let start = cursor.at();
    if cursor.peek() == Some(b'!') {
        return Err(cursor.expected("a query, a call or `(`"));
    }
    let test = term(cursor)?;
    refuse_comparison(cursor, "`!` cannot stand in front of a comparison")?;
    alone(test, start)
}

fn refuse_comparison(cursor: &mut Cursor<'_>, message: &str) -> Result<(), QueryError> {
    let behind = cursor.at();
    cursor.skip_blank();
    let at = cursor.at();
    let found = comparison(cursor);
    cursor.move_to(behind);
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

/// Something other than an operator or `end` follows a test.
pub(super) fn expected_end(cursor: &Cursor<'_>, end: &str) -> QueryError {
    let error = cursor.expected(&format!("an operator or {end}"));
    match cursor.peek() {
        Some(b'=') => error.with_help("to compare, write `==`; patterns are tested by `match` and `search`"),
        Some(b'&') => error.with_help("write `&&`"),
        Some(b'|') => error.with_help("write `||`"),
        Some(b'a' | b'o') => error.with_help("write `&&` and `||`"),
        Some(b'+' | b'-' | b'*' | b'/' | b'%') => error.with_help("there is no arithmetic in filters"),
        _ => error,
    }
}

/// A literal, a query or a call.
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
            let origin = cursor.number_root();
            query(cursor, origin)
        }
        Some(byte) if byte.is_ascii_alphabetic() => word(cursor),
        _ => Err(cursor.expected("a query, a literal or a call")),
    }
}

fn query(cursor: &mut Cursor<'_>, origin: Origin) -> Result<Term, QueryError> {
    let (segments, is_singular) = path::segments(cursor)?;
    Ok(Term::Query(Nodes { origin, segments }, is_singular))
}

fn word(cursor: &mut Cursor<'_>) -> Result<Term, QueryError> {
    let start = cursor.at();
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
            let error = cursor.expected("a query, a literal or a call");
            let is_call = function::NAMES.contains(&word);
            return Err(match word.to_ascii_lowercase().as_str() {
                "true" | "false" | "null" => error.with_help("literals are written in lower case"),
                "nothing" => error.with_help("to ask whether something is there, write the query alone"),
                _ if is_call => error.with_help("`(` must stand right behind the name of a function"),
                _ => error.with_help("names of members stand behind `@.` or `$.`, strings in quotes"),
            });
        }
    };
    Ok(Term::Literal(literal))
}

/// A term as a test of its own.
fn alone(term: Term, start: usize) -> Result<Test, QueryError> {
    match term {
        Term::Query(nodes, _) => Ok(Test::Exists(nodes)),
        Term::Call(Call::Test(test)) => Ok(test),
        Term::Call(Call::Value(_)) => {
            Err(QueryError::new(start, "the function yields a value, which is no test").with_help("compare it"))
        }
        Term::Literal(_) => Err(QueryError::new(start, "a literal is no test").with_help("compare it with something")),
    }
}

/// A term as one side of a comparison.
pub(super) fn operand(term: Term, start: usize) -> Result<Operand, QueryError> {
    match term {
        Term::Literal(literal) => Ok(Operand::Literal(literal)),
        Term::Query(nodes, true) => Ok(Operand::Node(nodes)),
        Term::Query(nodes, false) if nodes.segments.iter().all(super::Segment::is_singular) => {
            Err(QueryError::new(start, "a query that is compared has no blanks inside its brackets"))
        }
        Term::Query(..) => Err(QueryError::new(start, "a query that may select several nodes is no value")
            .with_help("use names and indexes only, or `value(…)`, or ask about the nodes with a filter of their own")),
        Term::Call(Call::Value(operand)) => Ok(operand),
        Term::Call(Call::Test(_)) => {
            Err(QueryError::new(start, "the function yields true or false, which is no value")
                .with_help("let it stand alone; `!` negates it"))
        }
    }
}
