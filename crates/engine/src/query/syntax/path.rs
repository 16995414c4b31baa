//! Parses JSONPath segments and selectors (RFC 9535, sections 2.1 to 2.5).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Slice;
use crate::query::syntax::Text;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::filter;
use crate::query::syntax::literal;

/// Parses a whole expression.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Vec<Segment>, QueryError> {
    if !cursor.eat("$") {
        let help = match cursor.peek() {
            Some(b' ' | b'\t' | b'\n' | b'\r') => "remove the whitespace",
            Some(b'#') => "remove the `#` before the JSON Pointer",
            Some(b'.' | b'[') => "begin the expression with `$`",
            _ => "a JSONPath expression begins with `$`, a JSON Pointer with `/`",
        };
        return Err(cursor.expected("`$`").with_help(help));
    }
    let (segments, _) = segments(cursor)?;
    if cursor.is_at_end() {
        return Ok(segments);
    }
    let error = cursor.expected("`.`, `[` or the end of the expression");
    cursor.skip_whitespace();
    Err(if cursor.is_at_end() { error.with_help("remove the whitespace at the end") } else { error })
}

/// Parses the segments that follow. Also returns whether they are those of a singular query, which can be compared: only names and
/// indexes, and no whitespace inside brackets.
pub(super) fn segments(cursor: &mut Cursor<'_>) -> Result<(Vec<Segment>, bool), QueryError> {
    let mut segments = Vec::new();
    let mut is_tight = true;
    loop {
        let before = cursor.offset();
        cursor.skip_whitespace();
        let start = cursor.offset();
        let descendant = cursor.eat("..");
        let selectors = if cursor.eat("[") {
            let selectors = bracketed(cursor)?;
            is_tight &=
                !cursor.since(start + 1).starts_with(is_whitespace) && !inside(cursor, start).ends_with(is_whitespace);
            selectors
        } else if descendant || cursor.eat(".") {
            vec![shorthand(cursor, descendant)?]
        } else {
            cursor.move_to(before);
            // mutant: let is_singular = true;
            let is_singular = is_tight && segments.iter().all(Segment::is_singular);
            return Ok((segments, is_singular));
        };
        segments.push(Segment { descendant, selectors });
    }
}

fn is_whitespace(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// Returns the text from `start` to the closing bracket, which was just read.
fn inside<'e>(cursor: &Cursor<'e>, start: usize) -> &'e str {
    let text = cursor.since(start);
    &text[..text.len() - 1]
}

/// Parses the shorthand selector after `.` or `..`: a name or a wildcard.
fn shorthand(cursor: &mut Cursor<'_>, descendant: bool) -> Result<Selector, QueryError> {
    if cursor.eat("*") {
        return Ok(Selector::Wildcard);
    }
    if !cursor.rest().starts_with(is_name_start) {
        let error = cursor.expected(if descendant { "a name, `*` or `[`" } else { "a name or `*`" });
        return Err(match cursor.peek() {
            Some(b'[') => error.with_help("remove the dot before the bracket"),
            Some(b'\'' | b'"') => error.with_help("write a quoted name as `['…']`"),
            Some(b'0'..=b'9' | b'-') => error.with_help("write this name as `['…']`, or an index as `[…]`"),
            _ => error,
        });
    }
    Ok(Selector::Name(Text::new(cursor.take_while(is_name_character))))
}

/// Returns whether a name without quotes can begin with this character.
pub(super) fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_' || !character.is_ascii()
}

/// Returns whether a name without quotes can contain this character.
pub(super) fn is_name_character(character: char) -> bool {
    is_name_start(character) || character.is_ascii_digit()
}

/// Maximum number of selectors in a segment.
const MAX_SELECTORS: usize = 1 << 16;

/// Parses the selectors up to the closing bracket.
fn bracketed(cursor: &mut Cursor<'_>) -> Result<Vec<Selector>, QueryError> {
    let mut selectors = Vec::new();
    loop {
        cursor.skip_whitespace();
        if selectors.len() == MAX_SELECTORS {
            return Err(QueryError::new(cursor.offset(), "a segment can have at most 65536 selectors"));
        }
        let selector = selector(cursor)?;
        let is_filter = matches!(selector, Selector::Filter(_));
        selectors.push(selector);
        cursor.skip_whitespace();
        if cursor.eat("]") {
            return Ok(selectors);
        }
        if !cursor.eat(",") {
            return Err(if is_filter { filter::expected_end(cursor, "`]`") } else { cursor.expected("`,` or `]`") });
        }
    }
}

fn selector(cursor: &mut Cursor<'_>) -> Result<Selector, QueryError> {
    match cursor.peek() {
        Some(b'\'' | b'"') => Ok(Selector::Name(literal::string(cursor)?)),
        Some(b'*') => {
            cursor.eat("*");
            Ok(Selector::Wildcard)
        }
        Some(b'?') => {
            cursor.eat("?");
            filter::parse(cursor).map(|test| Selector::Filter(Box::new(test)))
        }
        Some(b'-' | b'0'..=b'9' | b':') => index_or_slice(cursor),
        Some(b'(') => Err(cursor
            .expected("a selector")
            .with_help("a filter begins with `?`; script expressions are not supported")),
        Some(byte) if byte.is_ascii_alphabetic() => {
            Err(cursor.expected("a selector").with_help("put names inside brackets in quotes"))
        }
        _ => Err(cursor
            .expected("a selector")
            .with_help("a selector is a quoted name, `*`, an index, a slice or a filter")),
    }
}

fn index_or_slice(cursor: &mut Cursor<'_>) -> Result<Selector, QueryError> {
    let start = cursor.integer()?;
    let after_start = cursor.offset();
    cursor.skip_whitespace();
    if !cursor.eat(":") {
        cursor.move_to(after_start);
        return start.map(Selector::Index).ok_or_else(|| cursor.expected("an index"));
    }
    cursor.skip_whitespace();
    let end = cursor.integer()?;
    cursor.skip_whitespace();
    let mut step = None;
    if cursor.eat(":") {
        cursor.skip_whitespace();
        step = cursor.integer()?;
    }
    Ok(Selector::Slice(Slice { start, end, step: step.unwrap_or(1) }))
}
