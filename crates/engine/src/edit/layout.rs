//! The layout of a document, as far as new items copy it.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::edit::gaps;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Style;
use crate::edit::tree::Tree;
use crate::grammar::is_whitespace;

/// The most spaces for a level.
const SPACES: &[u8] = b"                ";

/// Number of bytes at the beginning of a document that are searched for the end of a line.
const MOST_SEARCHED: usize = 1 << 20;

impl<'d> Style<'d> {
    /// Returns the style of a document: that of its first member, and of its first container with items on lines. If it has none of these,
    /// items are put on lines with this number of spaces for each level, if there is one.
    pub(super) fn of(tree: &Tree<'d>) -> Self {
        let (document, indent) = (tree.document(), tree.indent);
        let tokens = document.tokens();
        let text = tree.source_before(DOCUMENT, tokens.end(document.token()));
        let mut style = Self { colon: b": ", step: None, line_end: line_end(text) };
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
                    style.set_lines(tree.indentation(DOCUMENT, at), lead);
                }
            }
            at += 1;
        }
        style.step = style.step.or(indented(indent));
        style
    }

    /// Returns what is before an item on the line of the one before it, unless the container shows it.
    pub(super) fn comma(&self) -> &'static [u8] {
        if self.colon.ends_with(b" ") { b" " } else { b"" }
    }

    /// Takes the step and the end of a line from a container: the indentation around it, and the line break and indentation before its
    /// first item.
    fn set_lines(&mut self, outside: &[u8], lead: &'d [u8]) {
        let inside = indent_of(lead);
        self.step = Some(inside.strip_prefix(outside).unwrap_or(b"  "));
        self.line_end = Some(&lead[..lead.len() - inside.len()]);
    }
}

/// Returns the end of the first line of a document; `None` if there is only one, or if it is long.
fn line_end(text: &[u8]) -> Option<&'static [u8]> {
    let end = memchr::memchr(b'\n', &text[..text.len().min(MOST_SEARCHED)])?;
    Some(if text[..end].ends_with(b"\r") { b"\r\n" } else { b"\n" })
}

/// Returns the whitespace for a level.
fn indented(indent: Option<u8>) -> Option<&'static [u8]> {
    indent.map(|spaces| &SPACES[..SPACES.len().min(usize::from(spaces))])
}

/// Finds the style of a document, as [`Style::of`] does, while its tokens are read, commas and colons as well.
pub(super) struct Shown<'b> {
    bytes: &'b [u8],
    /// Offset of the first token.
    start: u64,
    /// The last tokens and their offsets, from the last one back.
    last: [(u64, u8); 3],
    colon: Option<&'b [u8]>,
    /// The indentation around a container, and the line break and indentation before its first item.
    step: Option<(&'b [u8], &'b [u8])>,
}

impl<'b> Shown<'b> {
    /// `bytes` are the whole input.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, start: 0, last: [(0, 0); 3], colon: None, step: None }
    }

    /// Takes the next token.
    #[inline]
    pub(super) fn token(&mut self, offset: u64, byte: u8) {
        let [last, before, first] = self.last;
        if last.1 == 0 {
            self.start = offset;
        }
        if self.colon.is_none() && last.1 == b':' && first.1 == b'{' {
            let colon = self.part(trimmed(self.bytes, last.0), offset);
            self.colon = is_plain_colon(colon).then_some(colon);
        }
        if self.step.is_none()
            && matches!(last.1, b'{' | b'[')
            && !matches!(byte, b'}' | b']')
            && let Some(lead) = line_break(self.part(last.0 + 1, offset))
        {
            let text = self.part(self.start, last.0);
            self.step = Some((whitespace_at(text, memchr::memrchr(b'\n', text).map_or(0, |end| end + 1)), lead));
        }
        self.last = [(offset, byte), last, before];
    }

    fn part(&self, start: u64, end: u64) -> &'b [u8] {
        let [start, end] = [start, end].map(|offset| usize::try_from(offset).unwrap_or(usize::MAX));
        self.bytes.get(start..end).unwrap_or_default()
    }

    pub(super) fn style(&self, indent: Option<u8>) -> Style<'b> {
        let line_end = line_end(self.part(self.start, self.last[0].0));
        let mut style = Style { colon: self.colon.unwrap_or(b": "), step: indented(indent), line_end };
        if let Some((outside, lead)) = self.step {
            style.set_lines(outside, lead);
        }
        style
    }
}

/// Returns the offset after the last byte before an offset that is no whitespace.
pub(super) fn trimmed(bytes: &[u8], offset: u64) -> u64 {
    let before = bytes.get(..usize::try_from(offset).unwrap_or(usize::MAX)).unwrap_or_default();
    before.iter().rposition(|&byte| !is_whitespace(byte)).map_or(0, |last| last as u64 + 1)
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
