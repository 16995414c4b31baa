//! JSONPath: segments and selectors (RFC 9535, sections 2.1 to 2.5).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Slice;
use crate::query::syntax::Text;
use crate::query::syntax::cursor::Cursor;
use crate::query::syntax::filter;
use crate::query::syntax::literal;

/// A whole expression.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Vec<Segment>, QueryError> {
    if !cursor.eat("$") {
        let help = match cursor.peek() {
            Some(b' ' | b'\t' | b'\n' | b'\r') => "remove the blank",
            Some(b'#') => "leave out `#` in front of a JSON Pointer",
            Some(b'.' | b'[') => "write `$` in front of it",
            _ => "JSONPath begins with `$`, a JSON Pointer with `/`",
        };
        return Err(cursor.expected("`$`").with_help(help));
    }
    let (segments, _) = segments(cursor)?;
    if cursor.is_at_end() {
        return Ok(segments);
    }
    let error = cursor.expected("`.`, `[` or the end");
    cursor.skip_blank();
    Err(if cursor.is_at_end() { error.with_help("remove the blanks at the end") } else { error })
}

/// The segments that follow, and whether they are those of a query that may be compared: such a query has only names and
/// indexes, and no blanks in its brackets.
pub(super) fn segments(cursor: &mut Cursor<'_>) -> Result<(Vec<Segment>, bool), QueryError> {
    let mut segments = Vec::new();
    let mut is_tight = true;
    loop {
        let before = cursor.at();
        cursor.skip_blank();
        let start = cursor.at();
        let descendant = cursor.eat("..");
        let selectors = if cursor.eat("[") {
            let selectors = bracketed(cursor)?;
            is_tight &= !cursor.since(start + 1).starts_with(is_blank) && !inside(cursor, start).ends_with(is_blank);
            selectors
        } else if descendant || cursor.eat(".") {
            vec![shorthand(cursor, descendant)?]
        } else {
            cursor.move_to(before);
            let is_singular = is_tight && segments.iter().all(Segment::is_singular);
            return Ok((segments, is_singular));
        };
        segments.push(Segment { descendant, selectors });
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// What stands in front of the closing bracket.
fn inside<'e>(cursor: &Cursor<'e>, start: usize) -> &'e str {
    let text = cursor.since(start);
    &text[..text.len() - 1]
}

/// What follows a dot, or two.
fn shorthand(cursor: &mut Cursor<'_>, descendant: bool) -> Result<Selector, QueryError> {
    if cursor.eat("*") {
        return Ok(Selector::Wildcard);
    }
    let is_first = |character: char| character.is_ascii_alphabetic() || character == '_' || !character.is_ascii();
    if !cursor.rest().starts_with(is_first) {
        let error = cursor.expected(if descendant { "a name, `*` or `[`" } else { "a name or `*`" });
        return Err(match cursor.peek() {
            Some(b'[') => error.with_help("remove the dot in front of the bracket"),
            Some(b'\'' | b'"') => error.with_help("write `['…']` for a name in quotes"),
            Some(b'0'..=b'9' | b'-') => error.with_help("write `['…']` for a name like this, or `[…]` for an index"),
            _ => error,
        });
    }
    let name = cursor.take_while(|character| is_first(character) || character.is_ascii_digit());
    Ok(Selector::Name(Text::new(name)))
}

/// The most selectors a segment may have: their numbers fit into 16 bits.
const MOST_SELECTORS: usize = 1 << 16;

/// The selectors up to the closing bracket.
fn bracketed(cursor: &mut Cursor<'_>) -> Result<Vec<Selector>, QueryError> {
    let mut selectors = Vec::new();
    loop {
        cursor.skip_blank();
        if selectors.len() == MOST_SELECTORS {
            return Err(QueryError::new(cursor.at(), "a segment has at most 65536 selectors"));
        }
        let selector = selector(cursor)?;
        let is_filter = matches!(selector, Selector::Filter(_));
        selectors.push(selector);
        cursor.skip_blank();
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
        Some(b'(') => Err(cursor.expected("a selector").with_help("a filter begins with `?`; there are no scripts")),
        Some(byte) if byte.is_ascii_alphabetic() => {
            Err(cursor.expected("a selector").with_help("write names in quotes inside brackets"))
        }
        _ => {
            Err(cursor.expected("a selector").with_help("that is a name in quotes, `*`, an index, a slice or a filter"))
        }
    }
}

fn index_or_slice(cursor: &mut Cursor<'_>) -> Result<Selector, QueryError> {
    let start = cursor.integer()?;
    let behind_start = cursor.at();
    cursor.skip_blank();
    if !cursor.eat(":") {
        cursor.move_to(behind_start);
        return start.map(Selector::Index).ok_or_else(|| cursor.expected("an index"));
    }
    cursor.skip_blank();
    let end = cursor.integer()?;
    cursor.skip_blank();
    let mut step = None;
    if cursor.eat(":") {
        cursor.skip_blank();
        step = cursor.integer()?;
    }
    Ok(Selector::Slice(Slice { start, end, step: step.unwrap_or(1) }))
}
