//! The layout of a document, as far as new items copy it.

#![forbid(unsafe_code)]

use std::ops::Range;

use crate::document::Kind;
use crate::document::Tokens;
use crate::document::Value;
use crate::grammar::is_whitespace;

/// The most spaces for a level.
const SPACES: &[u8] = b"                ";

/// How a document is written.
#[derive(Clone, Debug)]
pub(super) struct Style<'d> {
    /// What is between a key and its value.
    pub(super) colon: &'d [u8],
    /// What a line of the items of a container has before it more than the line of its bracket; `None` if no container has its items
    /// on lines.
    pub(super) step: Option<&'d [u8]>,
    /// The end of a line.
    pub(super) line_end: &'d [u8],
}

impl<'d> Style<'d> {
    /// Returns the style of a document: that of its first member, and of its first container with items on lines. If it has none of these,
    /// items are put on lines with this number of spaces for each level, if there is one.
    pub(super) fn of(document: Value<'d, 'd>, indent: Option<u8>) -> Self {
        let tokens = document.tokens();
        let mut style = Self { colon: b": ", step: None, line_end: b"\n" };
        let (mut has_colon, mut at) = (false, document.token());
        let end = tokens.next(at);
        while at < end && !(has_colon && style.step.is_some()) {
            let value = matches!(tokens.text()[tokens.start(at)], b'{' | b'[').then(|| tokens.value(at));
            if let Some(container) = value
                && !container.is_empty()
            {
                if container.kind() == Kind::Object && !has_colon {
                    let colon = colon(tokens, at + 3);
                    has_colon = !colon.contains(&b'\n');
                    style.colon = if has_colon { colon } else { style.colon };
                }
                if style.step.is_none()
                    && let Some(lead) = line_break(lead(tokens, at))
                {
                    let (outside, inside) = (indentation(tokens.text(), container.start()), indent_of(lead));
                    style.step = Some(inside.strip_prefix(outside).unwrap_or(b"  "));
                    style.line_end = &lead[..lead.len() - inside.len()];
                }
            }
            at += 1;
        }
        style.step = style.step.or(indent.map(|spaces| &SPACES[..SPACES.len().min(usize::from(spaces))]));
        style
    }

    /// Returns what is before an item on the line of the one before it, unless the container shows it.
    pub(super) fn comma(&self) -> &'static [u8] {
        if self.colon.ends_with(b" ") { b" " } else { b"" }
    }
}

/// Returns what is between a key and the value that begins with `value`.
pub(super) fn colon<'d>(tokens: Tokens<'_, 'd>, value: usize) -> &'d [u8] {
    &tokens.text()[tokens.start(value - 1) + 1..tokens.start(value)]
}

/// Returns the whitespace before the first item of a container.
pub(super) fn lead<'d>(tokens: Tokens<'_, 'd>, container: usize) -> &'d [u8] {
    &tokens.text()[tokens.start(container) + 1..tokens.start(container + 1)]
}

/// Returns the whitespace before an item, which begins at `start`.
pub(super) fn whitespace_before(text: &[u8], start: usize) -> &[u8] {
    let before = &text[..start];
    let length = before.iter().rev().take_while(|&&byte| is_whitespace(byte)).count();
    &before[start - length..]
}

/// Returns the last line break of whitespace and what follows it; `None` if it has none.
pub(super) fn line_break(space: &[u8]) -> Option<&[u8]> {
    let end = memchr::memrchr(b'\n', space)?;
    let start = if space[..end].ends_with(b"\r") { end - 1 } else { end };
    Some(&space[start..])
}

/// Returns the whitespace at the end of the line break that it begins with.
fn indent_of(line_break: &[u8]) -> &[u8] {
    let end = line_break.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    &line_break[end..]
}

/// Returns the whitespace at the beginning of the line of `text` with this index.
pub(super) fn indentation(text: &[u8], index: usize) -> &[u8] {
    let start = memchr::memrchr(b'\n', &text[..index]).map_or(0, |end| end + 1);
    whitespace_at(text, start)
}

/// Returns the spaces and tabs at an index of a text.
pub(super) fn whitespace_at(text: &[u8], start: usize) -> &[u8] {
    let rest = &text[start..];
    let length = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &rest[..length]
}

/// Returns where an item is in the text: from its key, if it is a member, to the end of its value.
pub(super) fn item(tokens: Tokens<'_, '_>, value: usize, is_object: bool) -> Range<usize> {
    tokens.start(if is_object { value - 2 } else { value })..tokens.end(value)
}
