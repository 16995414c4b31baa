//! Rendering of the line that contains an error, and the column of the caret below it.

#![forbid(unsafe_code)]

use crate::sanitize;
use crate::terminal;
use fjson::Excerpt;
use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Replacement for a tab. Tab stops are unknown in a truncated line, so all tabs have the same width.
const TAB: &str = "    ";
const CUT: &str = "…";

/// Number of columns that a line gets on the narrowest terminal.
const NARROWEST: usize = 20;

/// Part of a line, and the index of the byte that the caret points at.
pub struct Line<'l> {
    pub bytes: &'l [u8],
    pub caret: usize,
    pub cut_left: bool,
    pub cut_right: bool,
}

impl<'l> From<&'l Excerpt> for Line<'l> {
    fn from(excerpt: &'l Excerpt) -> Self {
        let Excerpt { bytes, caret, cut_left, cut_right, .. } = excerpt;
        Self { bytes, caret: *caret, cut_left: *cut_left, cut_right: *cut_right }
    }
}

/// Returns the sanitized line, and the number of columns before the caret. `margin` is the number of columns before the line: on
/// a terminal, line and caret are cut so that neither is wrapped.
pub fn draw(part: &Line<'_>, margin: usize) -> (String, usize) {
    fit(part, terminal::columns().map_or(usize::MAX, |columns| columns.saturating_sub(margin).max(NARROWEST)))
}

/// Returns the line in at most `room` columns.
fn fit(part: &Line<'_>, room: usize) -> (String, usize) {
    let (before, after) = part.bytes.split_at(part.caret.min(part.bytes.len()));
    let mut line = String::from(if part.cut_left { CUT } else { "" });
    push_expanded(&mut line, before);
    let mut rest = String::new();
    push_expanded(&mut rest, after);
    if part.cut_right {
        rest.push_str(CUT);
    }
    // Two thirds are for what is before the caret, unless what follows is short. The caret itself needs a column.
    let room_before = room.saturating_sub(rest.width().clamp(1, room / 3));
    if line.width() > room_before {
        line = format!("{CUT}{}", end_of(&line, room_before - 1));
    }
    let caret = line.width();
    let room_after = room - caret;
    if rest.width() > room_after {
        rest = format!("{}{CUT}", start_of(&rest, room_after - 1));
    }
    (line + &rest, caret)
}

/// Returns as many of the last characters as fit into `room` columns.
fn end_of(text: &str, room: usize) -> &str {
    let mut start = text.len();
    let mut width = 0;
    for (index, character) in text.char_indices().rev() {
        width += character.width().unwrap_or(0);
        if width > room {
            break;
        }
        start = index;
    }
    // A combining character belongs to the one before it.
    text[start..].trim_start_matches(|character: char| character.width() == Some(0))
}

/// Returns as many of the first characters as fit into `room` columns.
fn start_of(text: &str, room: usize) -> &str {
    let mut width = 0;
    let is_over = |character: char| {
        width += character.width().unwrap_or(0);
        width > room
    };
    &text[..text.find(is_over).unwrap_or(text.len())]
}

fn push_expanded(line: &mut String, bytes: &[u8]) {
    for (index, piece) in bytes.split(|&byte| byte == b'\t').enumerate() {
        if index > 0 {
            line.push_str(TAB);
        }
        sanitize::push(line, piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns two lines: the excerpt of `text`, and the caret under the byte `at`.
    fn drawn(text: &[u8], at: usize, cut: (bool, bool)) -> String {
        drawn_in(usize::MAX, text, at, cut)
    }

    fn drawn_in(room: usize, text: &[u8], at: usize, cut: (bool, bool)) -> String {
        let (line, caret) = fit(&Line { bytes: text, caret: at, cut_left: cut.0, cut_right: cut.1 }, room);
        format!("{line}\n{}^", " ".repeat(caret))
    }

    #[test]
    fn the_caret_is_under_its_byte() {
        assert_eq!(drawn(b"[1 2]", 3, (false, false)), "[1 2]\n   ^");
        assert_eq!(drawn(b"[1", 2, (false, false)), "[1\n  ^");
    }

    #[test]
    fn wide_and_combining_characters_are_measured_in_columns() {
        assert_eq!(drawn("\"日本\" x".as_bytes(), 9, (false, false)), "\"日本\" x\n       ^");
        assert_eq!(drawn("\"e\u{301}\" x".as_bytes(), 6, (false, false)), "\"e\u{301}\" x\n    ^");
    }

    #[test]
    fn tabs_and_invisible_characters_are_replaced() {
        assert_eq!(drawn(b"\t\x1b\xff!", 3, (false, false)), "    <U+001B><FF>!\n                ^");
    }

    #[test]
    fn a_truncated_line_is_marked_on_both_sides() {
        assert_eq!(drawn(b"abc", 1, (true, true)), "…abc…\n  ^");
    }

    #[test]
    fn a_line_is_cut_where_the_terminal_ends() {
        let text = b"[1, 2, 3, 4, 5, 6, 7, 8, 9]";
        assert_eq!(
            drawn_in(27, text, 26, (false, false)),
            format!("{}\n{}^", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", " ".repeat(26))
        );
        assert_eq!(drawn_in(20, text, 26, (false, false)), "…, 4, 5, 6, 7, 8, 9]\n                   ^");
        assert_eq!(drawn_in(20, text, 1, (false, false)), "[1, 2, 3, 4, 5, 6, …\n ^");
        assert_eq!(drawn_in(20, text, 16, (true, true)), "… 2, 3, 4, 5, 6, 7,…\n              ^");
        assert_eq!(drawn_in(20, text, 27, (false, false)), "… 4, 5, 6, 7, 8, 9]\n                   ^");
    }

    /// However wide the characters are, the line and the caret fit, and the character above the caret is the same.
    #[test]
    fn every_line_fits_at_every_place() {
        let text =
            "{\"日本語\": \"e\u{301}e\u{301}e\u{301}\u{1}\", \"ключ\": [1, 2, 3], \"k\": \"日本語日本語日本語\"}";
        for (at, character) in text.char_indices().filter(|(_, character)| character.width() != Some(0)) {
            for room in 20..70 {
                let line = Line { bytes: text.as_bytes(), caret: at, cut_left: at % 2 == 0, cut_right: at % 3 == 0 };
                let (line, caret) = fit(&line, room);
                assert!(line.width() <= room && caret < room, "{room} {at}: {line}");
                let above = line.char_indices().rfind(|(index, _)| line[..*index].width() == caret);
                let expected = if character.is_control() { '<' } else { character };
                let shown = above.expect("a character").1;
                assert!(shown == expected || shown == '…' && character.width() == Some(2), "{room} {at}: {line}");
            }
        }
    }
}
