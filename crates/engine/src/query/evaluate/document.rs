//! The text of one validated document and the basic moves in it: skip a value, enter a container, get the next child.
//!
//! Offsets are relative to the document. The text was valid when it was checked, but a memory-mapped file may change, so
//! nothing here relies on that: every move checks the bytes it expects, stays inside the text and goes forward. The first move
//! that fails records the change in [`EvaluationState`]. From then on containers have no more children and every value ends at
//! the end of the text, so that at most one scan runs to the end, and the evaluation returns an error.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use crate::error::OutOfMemory;
use crate::grammar::is_whitespace;
use crate::input::change_point;
use crate::kernel::Isa;
use crate::query::evaluate::index::ContainerIndex;
use crate::query::evaluate::index::EvaluationState;
use crate::query::evaluate::member::FindMember;
use crate::query::evaluate::skip::CloseLevels;
use crate::query::syntax::Text;
use std::ops::Range;

/// A validated document. All operations take it by value.
#[derive(Clone, Copy)]
pub(super) struct ValidatedDocument<'t> {
    text: &'t [u8],
    isa: Isa,
    state: &'t EvaluationState,
}

/// Number of bytes of a container that are read one by one before [`CloseLevels`] continues with masks.
const MAX_BYTEWISE_LEN: usize = 64;

/// Number of bytes of a key that are read one by one from its end before `memrchr` continues.
const MOST_SHORT: usize = 24;

/// A child of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Child {
    /// Offset of the value.
    pub(super) start: usize,
    /// Index among the children, from 0.
    pub(super) index: i64,
    /// Its raw key without the quotes, if it is a member of an object.
    pub(super) name: Option<Range<usize>>,
}

/// An iterator over the children of a container.
#[derive(Clone, Debug)]
pub(super) struct Children {
    /// Offset of the container.
    pub(super) start: usize,
    /// Offset after the opening bracket or the last child, or after the closing bracket if there are no more children.
    offset: usize,
    /// Index of the next child.
    next: i64,
    /// Number of children, once it is known.
    length: Option<i64>,
    is_object: bool,
}

impl<'t> ValidatedDocument<'t> {
    pub(super) fn new(text: &'t [u8], isa: Isa, state: &'t EvaluationState) -> Self {
        Self { text, isa, state }
    }

    /// Returns whether the text was found to have changed, or an allocation failed.
    #[inline]
    pub(super) fn has_changed(self) -> bool {
        self.state.has_changed()
    }

    /// Notes that the text has changed. Returns the end of the text, which is now the end of every value.
    #[cold]
    pub(super) fn note_change(self) -> usize {
        self.state.note_change();
        self.text.len()
    }

    /// Notes that an allocation failed, which also ends the evaluation.
    #[cold]
    pub(super) fn note_out_of_memory(self, out_of_memory: OutOfMemory) {
        self.state.note_out_of_memory(out_of_memory);
    }

    pub(super) fn length(self) -> usize {
        self.text.len()
    }

    /// Adds `bytes` to the work that may be repeated; see [`EvaluationState::add_work`].
    #[inline]
    pub(super) fn add_work(self, bytes: usize) {
        self.state.add_work(self, bytes);
    }

    /// Returns the index of containers, if there has been enough work to make one.
    #[inline]
    pub(super) fn index(self) -> Option<&'t ContainerIndex> {
        self.state.index()
    }

    /// Returns the offset of the root value.
    pub(super) fn root(self) -> usize {
        self.skip_whitespace(0)
    }

    pub(super) fn slice(self, range: Range<usize>) -> &'t [u8] {
        change_point();
        self.text.get(range).unwrap_or_default()
    }

    pub(super) fn slice_from(self, start: usize) -> &'t [u8] {
        change_point();
        self.text.get(start..).unwrap_or_default()
    }

    /// Returns the offset of a part of the text, which must be a slice of it.
    pub(super) fn offset_of(self, part: &[u8]) -> usize {
        part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    /// Returns the byte at an offset. At the end it is zero, with which no token begins.
    #[inline]
    pub(super) fn byte(self, at: usize) -> u8 {
        change_point();
        self.text.get(at).copied().unwrap_or_default()
    }

    #[inline]
    fn skip_whitespace(self, mut at: usize) -> usize {
        while is_whitespace(self.byte(at)) {
            at += 1;
        }
        at
    }

    /// Returns the end of the value that begins at `start`.
    pub(super) fn end(self, start: usize) -> usize {
        if self.has_changed() {
            return self.text.len();
        }
        match self.byte(start) {
            b'{' | b'[' => self.container_end(start),
            b'"' => self.string_end(start),
            _ => self.scalar_end(start),
        }
    }

    /// Returns the [`end`](Self::end) of a value that was found before. Checks the byte before the value, too: if the text has
    /// changed to one long string or number, this keeps each offset in it from being taken for a value.
    pub(super) fn end_of_match(self, start: usize) -> usize {
        let before = start.checked_sub(1).map_or(b' ', |before| self.byte(before));
        let is_value =
            may_begin_value(self.byte(start)) && (matches!(before, b'[' | b',' | b':') || is_whitespace(before));
        if is_value { self.end(start) } else { self.note_change() }
    }

    fn container_end(self, start: usize) -> usize {
        if let Some(end) = self.index().and_then(|index| index.end(start)) {
            return end;
        }
        let end = self.close_levels(start + 1, 1);
        self.add_work(end - start);
        end
    }

    /// Returns the end of the string that begins at `start`.
    #[inline]
    pub(super) fn string_end(self, start: usize) -> usize {
        let mut at = start + 1;
        loop {
            match memchr::memchr2(b'"', b'\\', self.slice_from(at)) {
                Some(distance) if self.text[at + distance] == b'"' => return at + distance + 1,
                Some(distance) => at += distance + 2,
                None => return self.note_change(),
            }
        }
    }

    #[inline]
    fn scalar_end(self, start: usize) -> usize {
        let is_scalar_byte = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let end = start + self.slice_from(start).iter().take_while(|byte| is_scalar_byte(byte)).count();
        // More text must follow, unless the scalar is the whole document.
        if end == start || end >= self.text.len() && self.root() != start { self.note_change() } else { end }
    }

    /// Returns the end of the outermost of the `depth` innermost containers that are open at the offset `at`, which is outside
    /// strings.
    pub(super) fn close_levels(self, mut at: usize, mut depth: usize) -> usize {
        if self.has_changed() {
            return self.text.len();
        }
        let start = at;
        while let Some(&byte) = self.text.get(at) {
            if at - start > MAX_BYTEWISE_LEN {
                let left = self.isa.run(CloseLevels { text: self.slice_from(at), depth });
                return left.map_or_else(|| self.note_change(), |length| at + length);
            }
            match byte {
                b'"' => {
                    at = self.string_end(at);
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.note_change()
    }

    /// Returns the children of the value that begins at `start`, if it is a container.
    #[inline]
    pub(super) fn children(self, start: usize) -> Option<Children> {
        let byte = self.byte(start);
        let is_object = byte == b'{';
        (is_object || byte == b'[').then_some(Children { start, offset: start + 1, next: 0, length: None, is_object })
    }

    /// Returns the offset of the value of the first member with this name, if the value at `start` is an object and has one.
    pub(super) fn member(self, start: usize, name: &Text) -> Option<usize> {
        let mut children = self.children(start).filter(Children::is_object)?;
        while let Some(child) = children.next(self) {
            if child.name.is_some_and(|found| name.is(self.slice(found))) {
                return Some(child.start);
            }
            // An index is faster, since it has the ends of the members.
            if self.index().is_none()
                && let Some(member) = FindMember::new(self, child.start, name)
            {
                let found = self.isa.run(member);
                self.add_work(found.unwrap_or_else(|end| end) - start);
                return found.ok();
            }
            children.skip_to(self.end(child.start));
        }
        None
    }

    /// Returns the offset of the element with this index, if the value at `start` is an array and has one. A negative index counts
    /// from the end.
    pub(super) fn element(self, start: usize, index: i64) -> Option<usize> {
        let mut children = self.children(start).filter(|children| !children.is_object())?;
        let (is_last, mut last) = (index == -1, None);
        let index = if index < -1 { self.count(start) + index } else { index };
        while let Some(child) = children.next(self) {
            if child.index == index {
                return Some(child.start);
            }
            last = Some(child.start);
            children.skip_to(self.end(child.start));
        }
        // mutant: last
        last.filter(|_| is_last)
    }

    /// Returns the offset of the value that follows the string with its closing quote at `end`, if that string is a key.
    pub(super) fn value_after(self, end: usize) -> Option<usize> {
        let colon = self.skip_whitespace(end + 1);
        (self.byte(colon) == b':').then(|| self.skip_whitespace(colon + 1))
    }

    /// Returns whether the container that begins at `start` has no children.
    pub(super) fn is_empty_container(self, start: usize) -> bool {
        matches!(self.byte(self.skip_whitespace(start + 1)), b']' | b'}')
    }

    /// Returns the number of children of the container that begins at `start`.
    pub(super) fn count(self, start: usize) -> i64 {
        if let Some(count) = self.index().and_then(|index| index.children(start)) {
            return count;
        }
        let Some(mut children) = self.children(start) else { return 0 };
        while let Some(child) = children.next(self) {
            children.skip_to(self.end(child.start));
        }
        children.next
    }

    /// Returns the key of the member whose value begins at `start`.
    pub(super) fn name_before(self, start: usize) -> Range<usize> {
        self.name_at_end(self.slice(0..start)).unwrap_or_else(|| {
            self.note_change();
            0..0
        })
    }

    /// Returns the key at the end of a text in which only a colon follows it.
    fn name_at_end(self, text: &[u8]) -> Option<Range<usize>> {
        if self.has_changed() {
            return None;
        }
        let text = text.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end().strip_suffix(b"\"")?;
        let mut open = text.len();
        // mutant: if false {
        if is_escaped(text) {
            return None;
        }
        // Most keys are short.
        if let Some(place) = text.iter().rev().take(MOST_SHORT).position(|&byte| byte == b'"')
            && !is_escaped(&text[..open - place - 1])
        {
            return Some(open - place..open);
        }
        // All quotes inside the key are escaped.
        loop {
            open = memchr::memrchr(b'"', &text[..open])?;
            // mutant: if true {
            if !is_escaped(&text[..open]) {
                return Some(open + 1..text.len());
            }
        }
    }
}

/// Returns whether a quote after `before` is escaped, that is, whether an odd number of backslashes precedes it.
fn is_escaped(before: &[u8]) -> bool {
    !before.iter().rev().take_while(|&&byte| byte == b'\\').count().is_multiple_of(2)
}

/// Returns whether a value may begin with this byte.
#[inline]
fn may_begin_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}

impl Children {
    pub(super) fn is_object(&self) -> bool {
        self.is_object
    }

    /// Returns the number of all children.
    pub(super) fn length(&mut self, document: ValidatedDocument<'_>) -> i64 {
        *self.length.get_or_insert_with(|| document.count(self.start))
    }

    /// Returns the end of the last child, or of the container when there are no more children.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the next child. [`skip_to`](Self::skip_to) must be called with its end before the next call.
    #[inline]
    pub(super) fn next(&mut self, document: ValidatedDocument<'_>) -> Option<Child> {
        let mut at = document.skip_whitespace(self.offset);
        let found = document.byte(at);
        if found == if self.is_object { b'}' } else { b']' } {
            self.offset = at + 1;
            return None;
        }
        if document.has_changed() {
            return None;
        }
        let mut is_valid = true;
        if self.next > 0 {
            // mutant:
            is_valid &= found == b',';
            at = document.skip_whitespace(at + 1);
        }
        let mut name = None;
        if self.is_object {
            is_valid &= document.byte(at) == b'"';
            let end = document.string_end(at);
            name = Some(at + 1..(end - 1).max(at + 1));
            let colon = document.skip_whitespace(end);
            is_valid &= document.byte(colon) == b':';
            at = document.skip_whitespace(colon + 1);
        }
        if !(is_valid && may_begin_value(document.byte(at))) {
            self.offset = document.note_change();
            return None;
        }
        self.offset = at;
        let index = self.next;
        self.next += 1;
        Some(Child { start: at, index, name })
    }

    /// Continues after the last child, which ends at `end`.
    #[inline]
    pub(super) fn skip_to(&mut self, end: usize) {
        // This moves forward even if the text has changed.
        self.offset = end.max(self.offset + 1);
    }
}
