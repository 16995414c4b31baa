//! Line and column of a fault, and the excerpt of the line around it.
//!
//! A line may be a gigabyte long, so the excerpt is truncated here, at character boundaries. Its bytes are raw input:
//! code that prints them must escape them.

#![forbid(unsafe_code)]

use crate::error::ErrorKind;
use crate::error::Excerpt;
use crate::error::Position;
use crate::explain::LOOK_BACK;
use crate::explain::Text;
use crate::input::advance;

/// Maximum number of bytes before the caret, and from the caret on: about the width of one or two terminals.
const LEFT: usize = 100;
const RIGHT: usize = 60;

/// How far back to search for the last line that is not empty, so that an excerpt of it stays within [`LOOK_BACK`].
const LAST_TEXT: usize = LOOK_BACK - LEFT - 4;

impl Text<'_> {
    /// The line and column of the byte at `index`.
    pub(super) fn position(&self, index: usize) -> Position {
        let (start, at) = self.near.filter(|&(near, _)| near <= index).unwrap_or((0, self.at));
        advance(at, &self.bytes[start..index])
    }

    /// The part of the line around `index`; `None` if it is empty.
    pub(super) fn excerpt(&self, index: usize, kind: ErrorKind) -> Option<Excerpt> {
        let place = if kind == ErrorKind::UnexpectedEnd { self.last_text(index) } else { index };
        let (before, after) = self.bytes.split_at(place);
        // Of a longer line, only a part is searched for its ends.
        let far = place.saturating_sub(LEFT + 1);
        let start = memchr::memrchr(b'\n', &before[far..]).map_or(far, |last| far + last + 1);
        let after = &after[..after.len().min(RIGHT + 2)];
        let end = match memchr::memchr(b'\n', after) {
            Some(length) if self.bytes[start..place + length].ends_with(b"\r") => place + length - 1,
            Some(length) => place + length,
            None => place + after.len(),
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

    /// The end of the last line before `index` that is not only whitespace. Truncated input usually ends in a line break,
    /// and an excerpt of the empty line after it would be useless.
    fn last_text(&self, index: usize) -> usize {
        let recent = &self.bytes[index.saturating_sub(LAST_TEXT)..index];
        let text = recent.trim_ascii_end();
        let is_on_earlier_line = !text.is_empty() && recent[text.len()..].contains(&b'\n');
        if is_on_earlier_line { index - recent.len() + text.len() } else { index }
    }

    /// The first index from `index` to `limit` that is a character boundary.
    fn next_character(&self, index: usize, limit: usize) -> usize {
        (index..limit).take(3).find(|&index| !is_continuation(self.bytes[index])).unwrap_or(limit.min(index + 3))
    }

    /// The last index from `limit` to `index` that is a character boundary.
    fn previous_character(&self, index: usize, limit: usize) -> usize {
        let is_inside = |index: &usize| self.bytes.get(*index).is_some_and(|&byte| is_continuation(byte));
        (limit..=index).rev().take(4).find(|index| !is_inside(index)).unwrap_or(index)
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}
