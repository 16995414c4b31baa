//! Parses JSON Pointers (RFC 6901).

#![forbid(unsafe_code)]

use crate::query::error::QueryError;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Text;

/// Parses the segments of a pointer that is empty or begins with `/`.
pub(super) fn parse(expression: &str) -> Result<Vec<Segment>, QueryError> {
    let mut segments = Vec::new();
    let mut at = 0;
    for token in expression.split('/').skip(1) {
        at += 1;
        let name = Text::new(unescaped(token, at)?);
        let selector = Selector::Token { index: index(token), name };
        segments.push(Segment { descendant: false, selectors: vec![selector] });
        at += token.len();
    }
    Ok(segments)
}

/// Returns the name that a reference token stands for. The token begins at `at`.
fn unescaped(token: &str, at: usize) -> Result<String, QueryError> {
    let mut name = String::with_capacity(token.len());
    let mut rest = token;
    while let Some((before, after)) = rest.split_once('~') {
        name += before;
        name += match after.as_bytes().first() {
            Some(b'0') => "~",
            Some(b'1') => "/",
            _ => {
                let offset = at + token.len() - after.len() - 1;
                let message = "`~` must be followed by `0` or `1` in a JSON Pointer";
                return Err(QueryError::new(offset, message).with_help("write `~0` for `~` and `~1` for `/`"));
            }
        };
        rest = &after[1..];
    }
    Ok(name + rest)
}

/// Returns the array index that a reference token stands for, if it is one: digits without leading zeros.
fn index(token: &str) -> Option<i64> {
    let is_index = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    token.parse().ok().filter(|_| is_index)
}
