//! Parses string and number literals.

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::regexp::Patterns;
use crate::query::syntax::Text;
use crate::query::syntax::cursor::Cursor;

/// Parses a string in single or double quotes, unescaped.
pub(super) fn string(cursor: &mut Cursor<'_>) -> Result<Text, QueryError> {
    let start = cursor.offset();
    let quote = cursor.take_character().unwrap_or('"');
    let mut text = String::new();
    loop {
        text += cursor.take_while(|character| character != quote && character != '\\' && character >= ' ');
        let at = cursor.offset();
        match cursor.take_character() {
            Some('\\') => text.push(escape(cursor, quote, at)?),
            Some(character) if character == quote => return Ok(Text::new(text)),
            Some(character) => {
                let message = format!("unescaped control character U+{:04X} in a string", u32::from(character));
                return Err(QueryError::new(at, message).with_help("write it as an escape: `\\uXXXX`"));
            }
            None => return Err(QueryError::new(start, "the string is not closed")),
        }
    }
}

/// Returns the offset, in the text of a string literal with its quotes, of the byte `offset` of its value.
pub(super) fn offset_in_text(literal: &str, offset: usize) -> usize {
    let mut cursor = Cursor::new(literal, Patterns::default());
    let quote = cursor.take_character().unwrap_or('"');
    let mut length = 0;
    while length < offset && !cursor.is_at_end() {
        let at = cursor.offset();
        let character = match cursor.take_character() {
            Some('\\') => escape(&mut cursor, quote, at).ok(),
            character => character,
        };
        length += character.map_or(0, char::len_utf8);
    }
    cursor.offset()
}

/// Parses the character of an escape that begins at `at` and whose backslash was read.
fn escape(cursor: &mut Cursor<'_>, quote: char, at: usize) -> Result<char, QueryError> {
    Ok(match cursor.take_character() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some(character) if matches!(character, '/' | '\\') || character == quote => character,
        Some('u') => return unicode(cursor, at),
        Some(other @ ('\'' | '"')) => {
            let kind = if quote == '"' { "double" } else { "single" };
            return Err(QueryError::new(at, format!("`\\{other}` is not a valid escape in a {kind}-quoted string"))
                .with_help("remove the backslash"));
        }
        _ => {
            return Err(QueryError::new(at, "invalid escape sequence")
                .with_help("valid escapes are `\\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX` and the escaped quote"));
        }
    })
}

/// Parses the character of a `\uXXXX`, or of two that form a surrogate pair.
fn unicode(cursor: &mut Cursor<'_>, at: usize) -> Result<char, QueryError> {
    const LONE_SURROGATE: &str = "lone surrogate";
    let mut unit = hexadecimal(cursor, at)?;
    if (0xd800..0xdc00).contains(&unit) {
        if !cursor.eat("\\u") {
            return Err(QueryError::new(at, LONE_SURROGATE));
        }
        let low = hexadecimal(cursor, at)?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(QueryError::new(at, LONE_SURROGATE));
        }
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
    char::from_u32(unit).ok_or_else(|| QueryError::new(at, LONE_SURROGATE))
}

/// Parses four hexadecimal digits.
fn hexadecimal(cursor: &mut Cursor<'_>, at: usize) -> Result<u32, QueryError> {
    let digits = cursor.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let value = value.ok_or_else(|| QueryError::new(at, "`\\u` must be followed by four hexadecimal digits"))?;
    cursor.move_to(cursor.offset() + 4);
    Ok(value)
}

/// Parses a number, and returns it as written.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Result<Box<str>, QueryError> {
    let start = cursor.offset();
    let digits = |cursor: &mut Cursor<'_>| cursor.take_while(|character| character.is_ascii_digit()).len();
    cursor.eat("-");
    let is_zero = cursor.peek() == Some(b'0');
    match digits(cursor) {
        0 => return Err(cursor.expected("a digit")),
        1 => {}
        _ if is_zero => return Err(QueryError::new(start, "a number cannot have leading zeros")),
        _ => {}
    }
    if cursor.eat(".") && digits(cursor) == 0 {
        return Err(cursor.expected("a digit"));
    }
    if cursor.eat("e") || cursor.eat("E") {
        let _ = cursor.eat("-") || cursor.eat("+");
        if digits(cursor) == 0 {
            return Err(cursor.expected("a digit"));
        }
    }
    Ok(cursor.since(start).into())
}
