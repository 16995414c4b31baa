//! The layout of a document, as far as new items copy it.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::edit::gaps;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Tree;
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
    pub(super) fn of(tree: &Tree<'d>) -> Self {
        let (document, indent) = (tree.document(), tree.indent);
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
                    let colon = tree.colon(DOCUMENT, at + 3);
                    has_colon = is_plain_colon(colon);
                    style.colon = if has_colon { colon } else { style.colon };
                }
                if style.step.is_none()
                    && let Some(lead) = line_break(tree.lead(DOCUMENT, at))
                {
                    let (outside, inside) = (tree.indentation(DOCUMENT, at), indent_of(lead));
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

impl<'d> Tree<'d> {
    /// Returns what is between a key and the value that begins with a token.
    pub(super) fn colon(&self, text: u32, value: usize) -> &'d [u8] {
        let tokens = self.tokens(text);
        self.source(text, tokens.start(value - 1) + 1..tokens.start(value))
    }

    /// Returns what is before the first item of a container.
    pub(super) fn lead(&self, text: u32, container: usize) -> &'d [u8] {
        let tokens = self.tokens(text);
        self.source(text, tokens.start(container) + 1..tokens.start(container + 1))
    }

    /// Returns the whitespace before what begins at an index of a text.
    pub(super) fn whitespace_before(&self, text: u32, index: usize) -> &'d [u8] {
        let before = self.source_before(text, index);
        let length = before.iter().rev().take_while(|&&byte| is_whitespace(byte)).count();
        &before[before.len() - length..]
    }

    /// Returns the whitespace at the beginning of the line that a token is on.
    pub(super) fn indentation(&self, text: u32, token: usize) -> &'d [u8] {
        let before = self.source_before(text, self.tokens(text).start(token));
        whitespace_at(before, memchr::memrchr(b'\n', before).map_or(0, |end| end + 1))
    }
}

/// Whether what is between a key and its value can be between others.
pub(super) fn is_plain_colon(colon: &[u8]) -> bool {
    !colon.contains(&b'\n') && !gaps::has_comments(colon)
}

/// Returns the last line break before an item and the whitespace after it; `None` if there is none.
pub(super) fn line_break(space: &[u8]) -> Option<&[u8]> {
    if gaps::has_comments(space) {
        return gaps::line_break(space);
    }
    let end = memchr::memrchr(b'\n', space)?;
    let start = if space[..end].ends_with(b"\r") { end - 1 } else { end };
    Some(&space[start..])
}

/// Returns the whitespace at the end of the line break that it begins with.
fn indent_of(line_break: &[u8]) -> &[u8] {
    let end = line_break.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    &line_break[end..]
}

/// Returns the spaces and tabs at an index of a text.
pub(super) fn whitespace_at(text: &[u8], start: usize) -> &[u8] {
    let rest = &text[start..];
    let length = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &rest[..length]
}
