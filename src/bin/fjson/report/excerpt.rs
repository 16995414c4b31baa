//! Rendering of the line that contains an error, and the column of the caret below it.

#![forbid(unsafe_code)]

use crate::sanitize;
use fjson::Excerpt;
use unicode_width::UnicodeWidthStr;

/// Replacement for a tab. Tab stops are unknown in a truncated line, so all tabs have the same width.
const TAB: &str = "    ";
const CUT: &str = "…";

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

/// Returns the sanitized line, and the number of columns before the caret.
pub fn draw(part: &Line<'_>) -> (String, usize) {
    let (before, after) = part.bytes.split_at(part.caret.min(part.bytes.len()));
    let mut line = String::from(if part.cut_left { CUT } else { "" });
    push_expanded(&mut line, before);
    let caret = line.width();
    push_expanded(&mut line, after);
    if part.cut_right {
        line.push_str(CUT);
    }
    (line, caret)
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
        let (line, caret) = draw(&Line { bytes: text, caret: at, cut_left: cut.0, cut_right: cut.1 });
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
}
