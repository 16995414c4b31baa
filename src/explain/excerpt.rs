//! Lines and columns, and the piece of the line around a fault.
//!
//! The line may be a whole file of one gigabyte, so the excerpt is cut to a window here, where it is known what is a
//! character; what it holds is still any bytes at all, and whoever prints it has to make them harmless.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Excerpt;
use crate::error::Position;
use crate::explain::LOOK_BACK;
use crate::explain::Text;
use crate::input::advance;

/// The most bytes an excerpt has before the caret and from the caret on: a terminal's width or two.
const LEFT: usize = 100;
const RIGHT: usize = 60;

/// How far back the last line is looked for that is not blank, so that an excerpt of it stays within [`LOOK_BACK`].
const LAST_TEXT: usize = LOOK_BACK - LEFT - 4;

impl Text<'_> {
    /// The line and column of the byte at `index`.
    pub(super) fn position(&self, index: usize) -> Position {
        advance(self.at, &self.bytes[..index])
    }

    /// The line around `index`, cut to a window; `None` if there is nothing to show.
    pub(super) fn excerpt(&self, index: usize, kind: ErrorKind) -> Option<Excerpt> {
        let place = if kind == ErrorKind::UnexpectedEnd { self.last_text(index) } else { index };
        let (before, behind) = self.bytes.split_at(place);
        let start = memchr::memrchr(b'\n', before).map_or(0, |last| last + 1);
        let end = match memchr::memchr(b'\n', behind) {
            Some(length) if self.bytes[start..place + length].ends_with(b"\r") => place + length - 1,
            Some(length) => place + length,
            None => self.bytes.len(),
        };
        let caret = place.min(end);
        let left = self.next_character(start.max(caret.saturating_sub(LEFT)), caret);
        let right = self.previous_character(end.min(caret + RIGHT), caret);
        let from = self.position(left);
        (left < right && kind != ErrorKind::EmptyInput).then(|| Excerpt {
            bytes: self.bytes[left..right].to_vec(),
            line: from.line,
            caret: caret - left,
            cut_left: from.column > 1,
            cut_right: right < end,
        })
    }

    /// Where the last line before `index` ends that is not blank: an input that ends too early usually ends in a line
    /// break, and nobody wants to see the empty line behind it.
    fn last_text(&self, index: usize) -> usize {
        let recent = &self.bytes[index.saturating_sub(LAST_TEXT)..index];
        let text = recent.trim_ascii_end();
        let is_elsewhere = !text.is_empty() && recent[text.len()..].contains(&b'\n');
        if is_elsewhere { index - recent.len() + text.len() } else { index }
    }

    /// The first index from `index` to `limit` that is not inside a character.
    fn next_character(&self, index: usize, limit: usize) -> usize {
        (index..limit).take(3).find(|&index| !is_continuation(self.bytes[index])).unwrap_or(limit.min(index + 3))
    }

    /// The last index from `limit` to `index` that is not inside a character.
    fn previous_character(&self, index: usize, limit: usize) -> usize {
        let is_inside = |index: &usize| self.bytes.get(*index).is_some_and(|&byte| is_continuation(byte));
        (limit..=index).rev().take(4).find(|index| !is_inside(index)).unwrap_or(index)
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
