//! Which comments between the items of a container belong to which item, in JSON with comments.
//!
//! A comment belongs to the item before it if it is on the line on which that item ends. Others belong to what follows: to the next item if
//! they are on its line, or else to nothing but their place. So what is between two items, a *gap*, is divided into a tail and the rest, and
//! the rest may begin with comments on lines of their own.
//!
//! ```text
//!   "a": 1, // one↵  // lines of↵  // their own↵  /* two */ "b": 2
//!         └ tail ─┘└──── own lines ───────────┘
//!                  └──── rest ───────────────────────────┘
//! ```

#![forbid(unsafe_code)]

use std::iter;
use std::ops::Range;

use crate::document::Tokens;
use crate::edit::tree::Container;
use crate::edit::tree::Tree;
use crate::edit::tree::number;

/// A part of a gap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GapPart {
    Space,
    LineBreak,
    Comma,
    /// A comment that ends with its line.
    Line,
    Block,
}

/// What a gap is between.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// The brackets of an empty container.
    Brackets,
    /// The opening bracket and the first item.
    BracketAndItem,
    Items,
    /// The last item and the closing bracket.
    ItemAndBracket,
}

/// Returns the parts of a gap, and where they are in it.
fn parts(gap: &[u8]) -> impl Iterator<Item = (Range<usize>, GapPart)> {
    let mut end = 0;
    iter::from_fn(move || {
        let (start, rest) = (end, &gap[end..]);
        let (part, length) = match rest {
            [] => return None,
            [b'/', b'/', ..] => (GapPart::Line, memchr::memchr2(b'\n', b'\r', rest)),
            [b'/', _, text @ ..] => (GapPart::Block, memchr::memmem::find(text, b"*/").map(|length| length + 4)),
            [b'\r', b'\n', ..] => (GapPart::LineBreak, Some(2)),
            [b'\n', ..] => (GapPart::LineBreak, Some(1)),
            [b',', ..] => (GapPart::Comma, Some(1)),
            _ => (GapPart::Space, Some(1)),
        };
        end += length.unwrap_or(rest.len());
        Some((start..end, part))
    })
}

fn is_comment(part: GapPart) -> bool {
    matches!(part, GapPart::Line | GapPart::Block)
}

/// Whether a gap has comments.
pub(super) fn has_comments(gap: &[u8]) -> bool {
    gap.contains(&b'/')
}

/// Returns the tail and the rest of a gap.
fn divided(gap: &[u8], between: Between) -> (&[u8], &[u8]) {
    let after_comments = || parts(gap).filter(|it| is_comment(it.1)).last().map_or(0, |it| it.0.end);
    let after_comma = comma(gap).map(|comma| comma + 1);
    let is_line_end =
        |it: &(Range<usize>, GapPart)| it.1 == GapPart::LineBreak && it.0.start >= after_comma.unwrap_or(0);
    let middle = match (between, parts(gap).find(is_line_end)) {
        // What is added to an empty container follows its comments.
        (Between::Brackets, _) => after_comments(),
        (_, Some((line_end, _))) => line_end.start,
        (Between::ItemAndBracket, None) => after_comma.unwrap_or_else(after_comments),
        (_, None) => after_comma.unwrap_or(0),
    };
    gap.split_at(middle)
}

/// Returns the index of the comma in a gap.
pub(super) fn comma(gap: &[u8]) -> Option<usize> {
    parts(gap).find(|it| it.1 == GapPart::Comma).map(|it| it.0.start)
}

/// Returns the comments on lines of their own with which the rest of a gap begins, and the line breaks before them.
pub(super) fn own_lines(rest: &[u8]) -> &[u8] {
    let last = parts(rest).filter(|it| it.1 == GapPart::LineBreak).last().map_or(0, |it| it.0.start);
    let comments = parts(rest).filter(|it| is_comment(it.1) && it.0.end <= last);
    &rest[..comments.last().map_or(0, |it| it.0.end)]
}

/// Whether a gap ends in a comment that is to be followed by a line break.
pub(super) fn ends_in_line_comment(gap: &[u8]) -> bool {
    parts(gap).last().is_some_and(|it| it.1 == GapPart::Line)
}

/// Returns the last line break of a gap that is not in a comment, and the whitespace after it.
pub(super) fn line_break(gap: &[u8]) -> Option<&[u8]> {
    let start = parts(gap).filter(|it| it.1 == GapPart::LineBreak).last()?.0.start;
    let length = parts(&gap[start..]).take_while(|it| !is_comment(it.1)).last().map_or(0, |it| it.0.end);
    Some(&gap[start..start + length])
}

/// Returns the line break before the last comment on a line of its own, and the whitespace after it.
pub(super) fn line_break_of_comment(gap: &[u8]) -> Option<&[u8]> {
    let (mut found, mut line) = (None, None);
    for (range, part) in parts(gap) {
        match part {
            GapPart::LineBreak => line = Some(range.start),
            GapPart::Line | GapPart::Block => found = line.take().map(|start| &gap[start..range.start]).or(found),
            GapPart::Space | GapPart::Comma => {}
        }
    }
    found
}

/// What is between two items that a container had and still has, or between one and a bracket.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    /// The places of these items; `None` is a bracket.
    from: Option<u32>,
    to: Option<u32>,
    pub(super) has_comments: bool,
}

impl Stretch {
    /// Returns one without comments.
    pub(super) fn plain() -> Self {
        Self { from: None, to: None, has_comments: false }
    }

    pub(super) fn between(tree: &Tree<'_>, container: &Container, from: Option<u32>, to: Option<u32>) -> Self {
        let tokens = tree.tokens(container.text);
        let end = match to {
            Some(place) => container.start(tokens, place as usize),
            None => tokens.start(tokens.close(container.token as usize)),
        };
        let has_comments = tree.has_comments(container.text, start_after(tokens, container, from)..end);
        Self { from, to, has_comments }
    }

    /// Returns the gaps of a stretch: one, and one more for each item that was removed.
    pub(super) fn gaps<'d>(self, tree: &Tree<'d>, container: &Container) -> impl Iterator<Item = Gap<'d>> {
        let tokens = tree.tokens(container.text);
        let (text, is_object) = (container.text, container.is_object);
        let (mut from, mut is_over, mut is_first) = (self.from, false, true);
        let starts = (start_after(tokens, container, from), container.token as usize + 1);
        iter::from_fn(move || {
            if is_over {
                return None;
            }
            let (start, next) = from.map_or(starts, |place| (tokens.end(place as usize), tokens.next(place as usize)));
            let is_close = matches!(tokens.text()[tokens.start(next)], b']' | b'}');
            let text = tree.source(text, start..tokens.start(next));
            let between = match (from, is_close) {
                (None, true) => Between::Brackets,
                (None, false) => Between::BracketAndItem,
                (Some(_), false) => Between::Items,
                (Some(_), true) => Between::ItemAndBracket,
            };
            from = Some(number(if is_object { next + 2 } else { next }));
            is_over = is_close || from == self.to;
            let (tail, rest) = divided(text, between);
            let gap = Gap { text, tail, rest, is_first, is_last: is_over };
            is_first = false;
            Some(gap)
        })
    }
}

/// Returns where the text after an item of a container begins, or that after its opening bracket.
fn start_after(tokens: Tokens<'_, '_>, container: &Container, place: Option<u32>) -> usize {
    place.map_or_else(|| tokens.start(container.token as usize) + 1, |place| tokens.end(place as usize))
}

/// A gap in the text of a container.
pub(super) struct Gap<'d> {
    pub(super) text: &'d [u8],
    pub(super) tail: &'d [u8],
    pub(super) rest: &'d [u8],
    is_first: bool,
    pub(super) is_last: bool,
}

impl<'d> Gap<'d> {
    /// Returns what of it is written if no new items are.
    pub(super) fn kept(&self) -> &'d [u8] {
        match (self.is_first, self.is_last) {
            (true, true) => self.text,
            (true, false) => &self.text[..self.tail.len() + own_lines(self.rest).len()],
            (false, true) => self.rest,
            (false, false) => own_lines(self.rest),
        }
    }
}
