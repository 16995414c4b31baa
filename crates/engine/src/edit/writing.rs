//! Writes a changed document: the text of what stays as it is, and new items in the layout of those around them.
//!
//! The text between two items that were neighbors is copied. A new item repeats the whitespace before the first one; after an item that
//! was removed, the next one takes its place. Lines of a value that comes from elsewhere are indented like the line that it is put on,
//! and joined if its container is on one line.
//!
//! In JSON with comments, an item that was removed takes those on its line with it (`gaps.rs`).

#![forbid(unsafe_code)]

use crate::document::Tokens;
use crate::edit::gaps;
use crate::edit::gaps::Stretch;
use crate::edit::layout;
use crate::edit::layout::is_plain_colon;
use crate::edit::tree::Container;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Item;
use crate::edit::tree::NONE;
use crate::edit::tree::Node;
use crate::edit::tree::Style;
use crate::edit::tree::Tree;
use crate::edit::tree::number;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::grammar::is_whitespace;
use crate::memory::Grow;

/// Returns the text of a changed document, or of a value in it. On `one_line`, it has no line breaks that it had not.
pub(super) fn write(tree: &Tree<'_>, root: Node, one_line: bool) -> Result<Vec<u8>, Error> {
    let mut writer = Writer {
        tree,
        one_line,
        style: None,
        out: Vec::new(),
        line: 0,
        is_in_comment: false,
        frames: Vec::new(),
        shifts: vec![Shift::None],
    };
    let (text, token) = tree.origin(root);
    writer.out.room(tree.value(text, token).range().len(), OutOfMemory::Output)?;
    let document = (DOCUMENT, number(tree.document().token()));
    writer.value(root, Some(document))?;
    while !writer.frames.is_empty() {
        writer.step()?;
        // mutant: if false {
        if writer.out.len() as u64 > tree.most {
            return Err(Error::document_limit(tree.most, 0));
        }
    }
    Ok(writer.out)
}

/// What becomes of the line breaks of a text.
enum Shift {
    /// They stay.
    None,
    /// They are left out.
    Join,
    /// After them, one indentation is replaced by another.
    Indent { from: Vec<u8>, to: Vec<u8> },
}

/// An open container that is being written.
struct Frame {
    container: u32,
    /// Index of the next item.
    next: usize,
    /// What becomes of its line breaks; an index of the list of shifts.
    shift: usize,
    /// Whether it has got a shift of its own.
    owns_shift: bool,
    /// Whether it was empty, and now has its items on lines, with this indentation around it.
    filled: Option<Vec<u8>>,
    stretch: Stretch,
}

struct Writer<'w, 'd> {
    tree: &'w Tree<'d>,
    one_line: bool,
    style: Option<Style<'d>>,
    out: Vec<u8>,
    /// Index in `out` of the beginning of its last line.
    line: usize,
    /// Whether `out` ends in a comment that is to be followed by a line break.
    is_in_comment: bool,
    frames: Vec<Frame>,
    shifts: Vec<Shift>,
}

impl<'d> Writer<'_, 'd> {
    /// Writes a value, or begins to write an open container. `place` is the text and token that it has if it was here before.
    fn value(&mut self, node: Node, place: Option<(u32, u32)>) -> Result<(), OutOfMemory> {
        let (text, token) = self.tree.origin(node);
        let stays = place == Some((text, token));
        let inherited = self.frames.last().map_or(0, |frame| frame.shift);
        let own = if stays { None } else { self.shift(text, token) };
        let owns_shift = own.is_some();
        let shift = match own {
            Some(own) => {
                self.shifts.grow(own, OutOfMemory::Output)?;
                self.shifts.len() - 1
            }
            None if stays => inherited,
            None => 0,
        };
        match node {
            Node::Text { text, token } => {
                self.piece(self.tree.source(text, self.tree.value(text, token).range()), shift)?;
                if owns_shift {
                    self.shifts.pop();
                }
                Ok(())
            }
            Node::Open(container) => self.begin(container, shift, owns_shift),
        }
    }

    /// Returns what becomes of the line breaks of a value that was not here; `None` if it has none, or they stay.
    fn shift(&mut self, text: u32, token: u32) -> Option<Shift> {
        let value = self.tree.value(text, token);
        memchr::memchr(b'\n', value.raw().as_bytes())?;
        // A comment may need the end of its line.
        let has_comments = self.tree.has_comments(text, value.range());
        if (self.one_line || self.is_on_one_line()) && !has_comments {
            return Some(Shift::Join);
        }
        let from = self.tree.indentation(text, token as usize).to_vec();
        let to = layout::whitespace_at(&self.out, self.line).to_vec();
        let has_returns = value.raw().contains("\r\n");
        let is_same = from == to && self.style().line_end.is_none_or(|line_end| (line_end == b"\r\n") == has_returns);
        (!is_same).then_some(Shift::Indent { from, to })
    }

    fn style(&mut self) -> &Style<'d> {
        let tree = self.tree;
        self.style.get_or_insert_with(|| tree.style.clone().unwrap_or_else(|| Style::of(tree)))
    }

    /// Returns the end of a line that the document has not.
    fn line_end(&mut self) -> &'d [u8] {
        self.style().line_end.unwrap_or(b"\n")
    }

    /// Whether the innermost container has no line breaks, and is not to get any.
    fn is_on_one_line(&self) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let container = self.tree.container(frame.container);
        let value = self.tree.value(container.text, container.token);
        if value.is_empty() { frame.filled.is_none() } else { memchr::memchr(b'\n', value.raw().as_bytes()).is_none() }
    }

    /// Begins to write an open container.
    fn begin(&mut self, container: u32, shift: usize, owns_shift: bool) -> Result<(), OutOfMemory> {
        let opened = self.tree.container(container);
        let value = self.tree.value(opened.text, opened.token);
        let mut filled = None;
        if value.is_empty() && !opened.items.is_empty() && !self.one_line {
            let is_inside_one_line = !self.frames.is_empty() && self.is_on_one_line();
            let lead = self.tree.lead(opened.text, opened.token as usize);
            let has_line = gaps::line_break_of_comment(lead).is_some();
            if !is_inside_one_line && !has_line && self.style().step.is_some() {
                filled = Some(layout::whitespace_at(&self.out, self.line).to_vec());
            }
        }
        self.piece(if opened.is_object { b"{" } else { b"[" }, 0)?;
        let stretch = Stretch::plain();
        self.frames.grow(Frame { container, next: 0, shift, owns_shift, filled, stretch }, OutOfMemory::Output)
    }

    /// Writes the next item of the innermost container, with the unchanged ones that follow it if it is unchanged, or the end of the
    /// container.
    fn step(&mut self) -> Result<(), OutOfMemory> {
        let tree = self.tree;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (container, index, shift) = (tree.container(frame.container), frame.next, frame.shift);
        frame.next += 1;
        let Some(item) = container.items.get(index) else { return self.end(container, shift) };
        self.gap(container, index, shift)?;
        if let Some(last) = self.unchanged(container, index) {
            if let Some(frame) = self.frames.last_mut() {
                frame.next = last + 1;
            }
            let tokens = tree.tokens(container.text);
            let start = container.start(tokens, item.place as usize);
            let end = tokens.end(container.items[last].place as usize);
            return self.piece(tree.source(container.text, start..end), shift);
        }
        if container.is_object {
            self.key(container, item, shift)?;
        }
        let place = (item.place != NONE).then_some((container.text, item.place));
        self.value(item.value, place)
    }

    /// Returns the index of the last item of the run of unchanged items that begins with this one. `None` if this one is changed, or if
    /// there may be comments between items.
    fn unchanged(&self, container: &Container, index: usize) -> Option<usize> {
        let (text, tokens) = (container.text, self.tree.tokens(container.text));
        let stays = |item: &Item| item.key == NONE && item.value == Node::Text { text, token: item.place };
        let follow =
            |one: &Item, next: &Item| tokens.next(one.place as usize) == container.first_token(next.place as usize);
        let items = &container.items[index..];
        if self.tree.keeps_comments(text) || !stays(items.first()?) {
            return None;
        }
        let pairs = items.iter().zip(&items[1..]);
        Some(index + pairs.take_while(|(one, next)| stays(next) && follow(one, next)).count())
    }

    /// Writes what is before an item: whitespace, and a comma unless it is the first one.
    fn gap(&mut self, container: &Container, index: usize, shift: usize) -> Result<(), OutOfMemory> {
        let stretch = self.stretch(container, index);
        if stretch.has_comments {
            return self.gap_with_comments(container, index, stretch, shift);
        }
        let tokens = self.tree.tokens(container.text);
        let Some(previous) = index.checked_sub(1).map(|previous| &container.items[previous]) else {
            let is_empty = is_empty(tokens, container);
            return if is_empty { self.new_gap(container, shift) } else { self.piece(self.lead(container), shift) };
        };
        if let Some(gap) = gap_after(tokens, previous) {
            return self.piece(gap, shift);
        }
        self.piece(b",", 0)?;
        let item = &container.items[index];
        let is_first = item.place == first_place(container);
        if item.place == NONE || is_first {
            return self.new_gap(container, shift);
        }
        let start = container.start(tokens, item.place as usize);
        self.piece(self.tree.whitespace_before(container.text, start), shift)
    }

    /// Returns what is around the gap before the item with this index, between items that the container had.
    fn stretch(&mut self, container: &Container, index: usize) -> Stretch {
        let tree = self.tree;
        let from = index.checked_sub(1).map(|previous| container.items[previous].place);
        let Some(frame) = self.frames.last_mut() else { return Stretch::plain() };
        // The gaps before new items are in the same stretch.
        if from != Some(NONE) && tree.keeps_comments(container.text) {
            let to = container.items[index..].iter().map(|item| item.place).find(|&place| place != NONE);
            frame.stretch = Stretch::between(tree, container, from, to);
        }
        frame.stretch
    }

    /// Writes what is before an item, or before the closing bracket, if there are comments, or there were some.
    fn gap_with_comments(
        &mut self,
        container: &Container,
        index: usize,
        stretch: Stretch,
        shift: usize,
    ) -> Result<(), OutOfMemory> {
        let tree = self.tree;
        let gaps = || stretch.gaps(tree, container);
        let item = container.items.get(index);
        if container.items.is_empty() && !gaps().any(|gap| gaps::has_comments(gap.kept())) {
            return Ok(());
        }
        let is_trailing = || gaps().last().is_some_and(|gap| gaps::comma(gap.text).is_some());
        let needs_comma = index > 0 && (item.is_some() || is_trailing());
        match gaps().next() {
            Some(gap) if index == 0 || container.items[index - 1].place != NONE => {
                self.tail(gap.tail, needs_comma, shift)?;
            }
            _ if needs_comma => self.piece(b",", 0)?,
            _ => {}
        }
        if item.is_some_and(|item| item.place == NONE) {
            let lead = self.lead(container);
            let is_first = index == 0 && !is_empty(tree.tokens(container.text), container);
            if is_first && layout::line_break(lead).is_none() {
                return self.piece(&lead[..lead.len() - lead.trim_ascii_start().len()], shift);
            }
            return self.new_gap(container, shift);
        }
        gaps().try_for_each(|gap| {
            let kept = if gap.is_last { gap.rest } else { gaps::own_lines(gap.rest) };
            self.comments(kept, shift)
        })
    }

    /// Writes the tail of a gap, with or without a comma.
    fn tail(&mut self, tail: &[u8], needs_comma: bool, shift: usize) -> Result<(), OutOfMemory> {
        match gaps::comma(tail) {
            Some(comma) if !needs_comma => {
                let after = &tail[comma + 1..];
                if after.trim_ascii_start().is_empty() {
                    return self.comments(tail[..comma].trim_ascii_end(), shift);
                }
                self.comments(&tail[..comma], shift)?;
                self.comments(after, shift)
            }
            None if needs_comma => {
                self.piece(b",", 0)?;
                self.comments(tail, shift)
            }
            _ => self.comments(tail, shift),
        }
    }

    /// Writes a part of a gap, which may end in a comment.
    fn comments(&mut self, part: &[u8], shift: usize) -> Result<(), OutOfMemory> {
        self.piece(part, shift)?;
        self.is_in_comment |= gaps::ends_in_line_comment(part);
        Ok(())
    }

    /// Returns what is before the first item that a container had.
    fn lead(&self, container: &Container) -> &'d [u8] {
        self.tree.lead(container.text, container.token as usize)
    }

    /// Writes the whitespace before a new item.
    fn new_gap(&mut self, container: &Container, shift: usize) -> Result<(), OutOfMemory> {
        let tokens = self.tree.tokens(container.text);
        if is_empty(tokens, container) {
            if let Some(line) = gaps::line_break_of_comment(self.lead(container)) {
                return self.piece(line, shift);
            }
            let Some(around) = self.frames.last().and_then(|frame| frame.filled.clone()) else {
                let is_first = self.out.last().is_none_or(|&byte| matches!(byte, b'[' | b'{'));
                let comma = if is_first { b"" } else { self.style().comma() };
                return self.piece(comma, 0);
            };
            let (step, line_end) = (self.style().step.unwrap_or_default(), self.line_end());
            return [line_end, &around, step].iter().try_for_each(|part| self.piece(part, 0));
        }
        if let Some(gap) = layout::line_break(self.lead(container)) {
            return self.piece(gap, shift);
        }
        // On one line: as before the second item.
        let second = tokens.next(first_place(container) as usize);
        if matches!(tokens.text()[tokens.start(second)], b']' | b'}') {
            let comma = self.style().comma();
            return self.piece(comma, 0);
        }
        let before = self.tree.whitespace_before(container.text, tokens.start(second));
        self.piece(layout::line_break(before).unwrap_or(before), shift)
    }

    /// Writes the key of a member, and what is between it and the value.
    fn key(&mut self, container: &Container, item: &Item, shift: usize) -> Result<(), OutOfMemory> {
        let (tokens, place) = (self.tree.tokens(container.text), item.place as usize);
        if item.key == NONE {
            return self.piece(self.tree.source(container.text, tokens.start(place - 2)..tokens.start(place)), shift);
        }
        self.piece(b"\"", 0)?;
        self.piece(self.tree.key(container, item), 0)?;
        self.piece(b"\"", 0)?;
        if item.place != NONE {
            return self.piece(self.tree.colon(container.text, place), shift);
        }
        if !is_empty(tokens, container) {
            let colon = self.tree.colon(container.text, first_place(container) as usize);
            if is_plain_colon(colon) {
                return self.piece(colon, 0);
            }
        }
        let colon = self.style().colon;
        self.piece(colon, 0)
    }

    /// Writes the end of the innermost container.
    fn end(&mut self, container: &Container, shift: usize) -> Result<(), OutOfMemory> {
        let tokens = self.tree.tokens(container.text);
        let stretch = self.stretch(container, container.items.len());
        if stretch.has_comments && self.frames.last().is_some_and(|frame| frame.filled.is_none()) {
            self.gap_with_comments(container, container.items.len(), stretch, shift)?;
        } else if container.items.is_empty() && !is_empty(tokens, container) {
            // The whitespace around the items went with them.
        } else if let Some(around) = self.frames.last_mut().and_then(|frame| frame.filled.take()) {
            let line_end = self.line_end();
            self.piece(line_end, 0)?;
            self.piece(&around, 0)?;
        } else if container.items.is_empty() || !is_empty(tokens, container) {
            let close = tokens.start(tokens.close(container.token as usize));
            self.piece(self.tree.whitespace_before(container.text, close), shift)?;
        }
        self.piece(if container.is_object { b"}" } else { b"]" }, 0)?;
        if self.frames.pop().is_some_and(|frame| frame.owns_shift) {
            self.shifts.pop();
        }
        Ok(())
    }

    /// Writes a part of a text that begins and ends between tokens.
    fn piece(&mut self, bytes: &[u8], shift: usize) -> Result<(), OutOfMemory> {
        let mut rest = bytes;
        if self.is_in_comment && !bytes.is_empty() {
            self.is_in_comment = false;
            rest = self.end_comment(bytes)?;
        }
        self.out.room(rest.len(), OutOfMemory::Output)?;
        if !matches!(self.shifts[shift], Shift::None) {
            while let Some(end) = memchr::memchr(b'\n', rest) {
                let line = &rest[..end];
                let (text, ending) = match line.strip_suffix(b"\r") {
                    Some(text) => (text, b"\r\n".as_slice()),
                    None => (line, b"\n".as_slice()),
                };
                self.out.extend_from_slice(text);
                rest = self.line_break(ending, &rest[end + 1..], shift)?;
            }
        }
        self.out.room(rest.len(), OutOfMemory::Output)?;
        self.out.extend_from_slice(rest);
        if let Some(end) = memchr::memrchr(b'\n', rest) {
            self.line = self.out.len() - (rest.len() - end - 1);
        }
        Ok(())
    }

    /// Ends the line of a comment, unless what follows does. Returns what is to follow.
    fn end_comment<'b>(&mut self, next: &'b [u8]) -> Result<&'b [u8], OutOfMemory> {
        let rest = next.trim_ascii_start();
        if next[..next.len() - rest.len()].iter().any(|byte| b"\r\n".contains(byte)) {
            return Ok(next);
        }
        let indentation = layout::whitespace_at(&self.out, self.line).to_vec();
        let line_end = self.line_end();
        self.piece(line_end, 0)?;
        self.piece(&indentation, 0)?;
        Ok(rest)
    }

    /// Writes what becomes of a line break, which has this ending, and returns what follows it.
    fn line_break<'b>(&mut self, ending: &[u8], rest: &'b [u8], shift: usize) -> Result<&'b [u8], OutOfMemory> {
        let colon = self.style().colon;
        // A document without line breaks gets those of the value.
        let line_end = self.style().line_end.unwrap_or(ending);
        let comma = self.style().comma();
        match &self.shifts[shift] {
            Shift::None => Ok(rest),
            Shift::Join => {
                while self.out.last().is_some_and(|&byte| is_whitespace(byte)) {
                    self.out.pop();
                }
                let space = match self.out.last() {
                    Some(b',') => comma,
                    // mutant: Some(b':') => b"",
                    Some(b':') if colon.ends_with(b" ") => b" ",
                    _ => b"",
                };
                self.out.room(rest.len() + space.len(), OutOfMemory::Output)?;
                self.out.extend_from_slice(space);
                Ok(rest.trim_ascii_start())
            }
            Shift::Indent { from, to } => {
                self.out.room(line_end.len() + to.len() + rest.len(), OutOfMemory::Output)?;
                self.out.extend_from_slice(line_end);
                self.line = self.out.len();
                if !matches!(rest.first(), Some(b'\n' | b'\r')) {
                    self.out.extend_from_slice(to);
                }
                Ok(rest.strip_prefix(&from[..]).unwrap_or_else(|| &rest[layout::whitespace_at(rest, 0).len()..]))
            }
        }
    }
}

/// Whether a container had no items.
fn is_empty(tokens: Tokens<'_, '_>, container: &Container) -> bool {
    tokens.value(container.token as usize).is_empty()
}

/// Returns the place of the first item that a container had.
fn first_place(container: &Container) -> u32 {
    container.token + if container.is_object { 3 } else { 1 }
}

/// Returns what followed an item up to the next one; `None` if it is new or was the last one.
fn gap_after<'d>(tokens: Tokens<'_, 'd>, item: &Item) -> Option<&'d [u8]> {
    if item.place == NONE {
        return None;
    }
    let place = item.place as usize;
    let next = tokens.start(tokens.next(place));
    let is_last = matches!(tokens.text()[next], b']' | b'}');
    (!is_last).then(|| &tokens.text()[tokens.end(place)..next])
}
