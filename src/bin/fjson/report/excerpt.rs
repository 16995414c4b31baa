//! The line an error is in, with the column of the caret under it.

#![forbid(unsafe_code)]

use crate::sanitize;
use fjson::Excerpt;
use unicode_width::UnicodeWidthStr;

/// Tab stops depend on where the line began, which a cut line does not tell; so a tab always takes this much.
const TAB: &str = "    ";
const CUT: &str = "…";

/// Part of a line, and the index in it of the byte that the caret points at.
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

/// The line with control characters escaped, and how many columns precede the caret.
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

    /// The excerpt of `text` with the caret at the byte `at`, drawn as two lines.
    fn drawn(text: &[u8], at: usize, cut: (bool, bool)) -> String {
        let (line, caret) = draw(&Line { bytes: text, caret: at, cut_left: cut.0, cut_right: cut.1 });
        format!("{line}\n{}^", " ".repeat(caret))
    }

    #[test]
    fn the_caret_stands_under_its_byte() {
        assert_eq!(drawn(b"[1 2]", 3, (false, false)), "[1 2]\n   ^");
        assert_eq!(drawn(b"[1", 2, (false, false)), "[1\n  ^");
    }

    #[test]
    fn wide_and_combining_characters_take_their_columns() {
        assert_eq!(drawn("\"日本\" x".as_bytes(), 9, (false, false)), "\"日本\" x\n       ^");
        assert_eq!(drawn("\"e\u{301}\" x".as_bytes(), 6, (false, false)), "\"e\u{301}\" x\n    ^");
    }

    #[test]
    fn tabs_and_invisible_bytes_are_spelled_out() {
        assert_eq!(drawn(b"\t\x1b\xff!", 3, (false, false)), "    <U+001B><FF>!\n                ^");
    }

    #[test]
    fn a_cut_line_says_so_on_both_sides() {
        assert_eq!(drawn(b"abc", 1, (true, true)), "…abc…\n  ^");
    }
}
