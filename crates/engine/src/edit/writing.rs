//! Writes a changed document: the text of what stays as it is, and new items in the layout of those around them.
//!
//! The text between two items that were neighbors is copied. A new item repeats the whitespace before the first one; after an item that
//! was removed, the next one takes its place. Lines of a value that comes from elsewhere are indented like the line that it is put on,
//! and joined if its container is on one line.

#![forbid(unsafe_code)]

use crate::document::Tokens;
use crate::edit::layout;
use crate::edit::layout::Style;
use crate::edit::tree::Container;
use crate::edit::tree::DOCUMENT;
use crate::edit::tree::Item;
use crate::edit::tree::NONE;
use crate::edit::tree::Node;
use crate::edit::tree::Tree;
use crate::edit::tree::number;
use crate::error::OutOfMemory;
use crate::grammar::is_whitespace;
use crate::memory::Grow;

/// Returns the text of a changed document, or of a value in it. On `one_line`, it has no line breaks that it had not.
pub(super) fn write(tree: &Tree<'_>, root: Node, one_line: bool) -> Result<Vec<u8>, OutOfMemory> {
    let mut writer =
        Writer { tree, one_line, style: None, out: Vec::new(), line: 0, frames: Vec::new(), shifts: vec![Shift::None] };
    let document = (DOCUMENT, number(tree.document().token()));
    writer.value(root, Some(document))?;
    while !writer.frames.is_empty() {
        writer.step()?;
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
}

struct Writer<'w, 'd> {
    tree: &'w Tree<'d>,
    one_line: bool,
    style: Option<Style<'d>>,
    out: Vec<u8>,
    /// Index in `out` of the beginning of its last line.
    line: usize,
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
                self.piece(self.tree.value(text, token).raw().as_bytes(), shift)?;
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
        if self.one_line || self.is_on_one_line() {
            return Some(Shift::Join);
        }
        let from = layout::indentation(value.tokens().text(), value.start()).to_vec();
        let to = layout::whitespace_at(&self.out, self.line).to_vec();
        let has_returns = value.raw().contains("\r\n");
        let is_same = from == to && (self.style().step.is_none() || (self.style().line_end == b"\r\n") == has_returns);
        (!is_same).then_some(Shift::Indent { from, to })
    }

    fn style(&mut self) -> &Style<'d> {
        let tree = self.tree;
        self.style.get_or_insert_with(|| Style::of(tree.document(), tree.indent))
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
            if !is_inside_one_line && self.style().step.is_some() {
                filled = Some(layout::whitespace_at(&self.out, self.line).to_vec());
            }
        }
        self.piece(if opened.is_object { b"{" } else { b"[" }, 0)?;
        self.frames.grow(Frame { container, next: 0, shift, owns_shift, filled }, OutOfMemory::Output)
    }

    /// Writes the next item of the innermost container, or its end.
    fn step(&mut self) -> Result<(), OutOfMemory> {
        let tree = self.tree;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (container, index, shift) = (tree.container(frame.container), frame.next, frame.shift);
        frame.next += 1;
        let Some(item) = container.items.get(index) else { return self.end(container, shift) };
        self.gap(container, index, shift)?;
        if container.is_object {
            self.key(container, item, shift)?;
        }
        let place = (item.place != NONE).then_some((container.text, item.place));
        self.value(item.value, place)
    }

    /// Writes what is before an item: whitespace, and a comma unless it is the first one.
    fn gap(&mut self, container: &Container, index: usize, shift: usize) -> Result<(), OutOfMemory> {
        let tokens = self.tree.tokens(container.text);
        let is_empty = is_empty(tokens, container);
        let Some(previous) = index.checked_sub(1).map(|previous| &container.items[previous]) else {
            return if is_empty { self.new_gap(container, shift) } else { self.piece(lead(tokens, container), shift) };
        };
        if let Some(gap) = gap_after(tokens, container, previous) {
            return self.piece(gap, shift);
        }
        self.piece(b",", 0)?;
        let item = &container.items[index];
        let is_first = item.place == first_place(container);
        if item.place == NONE || is_first {
            return self.new_gap(container, shift);
        }
        let start = layout::item(tokens, item.place as usize, container.is_object).start;
        self.piece(layout::whitespace_before(tokens.text(), start), shift)
    }

    /// Writes the whitespace before a new item.
    fn new_gap(&mut self, container: &Container, shift: usize) -> Result<(), OutOfMemory> {
        let tokens = self.tree.tokens(container.text);
        if is_empty(tokens, container) {
            let Some(around) = self.frames.last().and_then(|frame| frame.filled.clone()) else {
                let is_first = self.out.last().is_none_or(|&byte| matches!(byte, b'[' | b'{'));
                let comma = if is_first { b"" } else { self.style().comma() };
                return self.piece(comma, 0);
            };
            let Style { step, line_end, .. } = *self.style();
            return [line_end, &around, step.unwrap_or_default()].iter().try_for_each(|part| self.piece(part, 0));
        }
        if let Some(gap) = layout::line_break(lead(tokens, container)) {
            return self.piece(gap, shift);
        }
        // On one line: as before the second item.
        let second = tokens.next(first_place(container) as usize);
        if matches!(tokens.text()[tokens.start(second)], b']' | b'}') {
            let comma = self.style().comma();
            return self.piece(comma, 0);
        }
        self.piece(layout::whitespace_before(tokens.text(), tokens.start(second)), shift)
    }

    /// Writes the key of a member, and what is between it and the value.
    fn key(&mut self, container: &Container, item: &Item, shift: usize) -> Result<(), OutOfMemory> {
        let (tokens, place) = (self.tree.tokens(container.text), item.place as usize);
        if item.key == NONE {
            return self.piece(&tokens.text()[tokens.start(place - 2)..tokens.start(place)], shift);
        }
        self.piece(b"\"", 0)?;
        self.piece(self.tree.key(container, item), 0)?;
        self.piece(b"\"", 0)?;
        if item.place != NONE {
            return self.piece(layout::colon(tokens, place), shift);
        }
        if !is_empty(tokens, container) {
            let colon = layout::colon(tokens, first_place(container) as usize);
            if !colon.contains(&b'\n') {
                return self.piece(colon, 0);
            }
        }
        let colon = self.style().colon;
        self.piece(colon, 0)
    }

    /// Writes the end of the innermost container.
    fn end(&mut self, container: &Container, shift: usize) -> Result<(), OutOfMemory> {
        let tokens = self.tree.tokens(container.text);
        if container.items.is_empty() && !is_empty(tokens, container) {
            // The whitespace around the items went with them.
        } else if let Some(around) = self.frames.last_mut().and_then(|frame| frame.filled.take()) {
            let line_end = self.style().line_end;
            self.piece(line_end, 0)?;
            self.piece(&around, 0)?;
        } else if container.items.is_empty() || !is_empty(tokens, container) {
            let close = tokens.start(tokens.close(container.token as usize));
            self.piece(layout::whitespace_before(tokens.text(), close), shift)?;
        }
        self.piece(if container.is_object { b"}" } else { b"]" }, 0)?;
        if self.frames.pop().is_some_and(|frame| frame.owns_shift) {
            self.shifts.pop();
        }
        Ok(())
    }

    /// Writes a part of a text that begins and ends between tokens.
    fn piece(&mut self, bytes: &[u8], shift: usize) -> Result<(), OutOfMemory> {
        self.out.room(bytes.len(), OutOfMemory::Output)?;
        let mut rest = bytes;
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

    /// Writes what becomes of a line break, which has this ending, and returns what follows it.
    fn line_break<'b>(&mut self, ending: &[u8], rest: &'b [u8], shift: usize) -> Result<&'b [u8], OutOfMemory> {
        let colon = self.style().colon;
        // A document without line breaks gets those of the value.
        let line_end = if self.style().step.is_some() { self.style().line_end } else { ending };
        let comma = self.style().comma();
        match &self.shifts[shift] {
            Shift::None => Ok(rest),
            Shift::Join => {
                while self.out.last().is_some_and(|&byte| is_whitespace(byte)) {
                    self.out.pop();
                }
                let space = match self.out.last() {
                    Some(b',') => comma,
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

/// Returns the whitespace before the first item that a container had.
fn lead<'d>(tokens: Tokens<'_, 'd>, container: &Container) -> &'d [u8] {
    layout::lead(tokens, container.token as usize)
}

/// Returns what followed an item up to the next one; `None` if it is new or was the last one.
fn gap_after<'d>(tokens: Tokens<'_, 'd>, container: &Container, item: &Item) -> Option<&'d [u8]> {
    if item.place == NONE {
        return None;
    }
    let place = item.place as usize;
    let next = tokens.start(tokens.next(place));
    let is_last = matches!(tokens.text()[next], b']' | b'}');
    debug_assert!(next >= layout::item(tokens, place, container.is_object).end, "the next item follows");
    (!is_last).then(|| &tokens.text()[tokens.end(place)..next])
}
