//! The text of one checked document, and the few steps that are taken in it: over a value, into a container, to the next
//! child.
//!
//! Places are indexes of bytes. The text was valid when it was checked, but a mapped file may change, so nothing here relies
//! on that: every step looks for what must stand where it goes, stays inside of the text and goes forward. The first one
//! that does not find it takes note of the change. From then on there are no more children and every value ends with the
//! text, so that at most one scan runs to the end, and whoever asked has no answer.

#![forbid(unsafe_code)]

#[cfg(test)]
mod tests;

use crate::error::OutOfMemory;
use crate::input::look;
use crate::kernel::Isa;
use crate::query::evaluate::index::EvaluationState;
use crate::query::evaluate::index::Index;
use crate::query::evaluate::member::Member;
use crate::query::evaluate::skip::Leave;
use crate::query::syntax::Text;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(super) struct Document<'t> {
    text: &'t [u8],
    isa: Isa,
    state: &'t EvaluationState,
}

/// Bytes of a container that are looked at one by one.
const SHORT: usize = 64;

/// A child of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Child {
    /// Where its value begins.
    pub(super) start: usize,
    /// Its number among the children, from 0 on.
    pub(super) index: i64,
    /// The text of its name, between the quotes, if it is a member of an object.
    pub(super) name: Option<Range<usize>>,
}

/// A walk over the children of a container.
#[derive(Clone, Debug)]
pub(super) struct Children {
    /// Where the container begins.
    pub(super) start: usize,
    /// Behind the opening bracket or the last child; behind the closing bracket once there are no more.
    at: usize,
    next: i64,
    /// How many there are, once that is known.
    length: Option<i64>,
    is_object: bool,
}

impl<'t> Document<'t> {
    pub(super) fn new(text: &'t [u8], isa: Isa, state: &'t EvaluationState) -> Self {
        Self { text, isa, state }
    }

    /// Whether the text was found to have changed since it was checked.
    #[inline]
    pub(super) fn has_changed(self) -> bool {
        self.state.has_changed()
    }

    /// Takes note that the text has changed. Returns its end, where everything ends from now on.
    #[cold]
    pub(super) fn note_change(self) -> usize {
        self.state.note_change();
        self.text.len()
    }

    /// Takes note that there was no memory for what has to be known of the text, from which all ends.
    #[cold]
    pub(super) fn note_lack(self, lack: OutOfMemory) {
        self.state.note_lack(lack);
    }

    pub(super) fn length(self) -> usize {
        self.text.len()
    }

    /// Takes note that so many bytes have been stepped over and may be again.
    #[inline]
    pub(super) fn charge(self, bytes: usize) {
        self.state.charge(self, bytes);
    }

    /// Where its containers are, once too much has been stepped over.
    #[inline]
    pub(super) fn index(self) -> Option<&'t Index> {
        self.state.index()
    }

    /// Where the value of the whole document begins.
    pub(super) fn root(self) -> usize {
        self.skip_blank(0)
    }

    pub(super) fn between(self, range: Range<usize>) -> &'t [u8] {
        look();
        self.text.get(range).unwrap_or_default()
    }

    pub(super) fn from(self, start: usize) -> &'t [u8] {
        look();
        self.text.get(start..).unwrap_or_default()
    }

    /// Where a part of the text begins.
    pub(super) fn place_of(self, part: &[u8]) -> usize {
        part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    /// The byte at a place; zero, which no token begins with, at the end.
    #[inline]
    pub(super) fn byte(self, at: usize) -> u8 {
        look();
        self.text.get(at).copied().unwrap_or_default()
    }

    #[inline]
    fn skip_blank(self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
        }
        at
    }

    /// The place behind the value that begins at `start`.
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

    /// The same of a value that was found before: what stands in front of it is looked at, too, so that places in what has
    /// become one long string or number are not all taken for values.
    pub(super) fn end_of_found(self, start: usize) -> usize {
        let before = start.checked_sub(1).map_or(b' ', |before| self.byte(before));
        let is_value =
            may_begin_value(self.byte(start)) && matches!(before, b'[' | b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
        if is_value { self.end(start) } else { self.note_change() }
    }

    fn container_end(self, start: usize) -> usize {
        if let Some(end) = self.index().and_then(|index| index.end(start)) {
            return end;
        }
        let end = self.leave(start + 1, 1);
        self.charge(end - start);
        end
    }

    /// The place behind the string that begins at `start`.
    #[inline]
    pub(super) fn string_end(self, start: usize) -> usize {
        let mut at = start + 1;
        loop {
            match memchr::memchr2(b'"', b'\\', self.from(at)) {
                Some(distance) if self.text[at + distance] == b'"' => return at + distance + 1,
                Some(distance) => at += distance + 2,
                None => return self.note_change(),
            }
        }
    }

    #[inline]
    fn scalar_end(self, start: usize) -> usize {
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let end = start + self.from(start).iter().take_while(|byte| goes_on(byte)).count();
        // A closing bracket follows, unless this is the whole document.
        if end == start || end >= self.text.len() && self.root() != start { self.note_change() } else { end }
    }

    /// The place behind the closing bracket that leaves so many containers. `at` is outside of strings.
    pub(super) fn leave(self, mut at: usize, mut depth: usize) -> usize {
        if self.has_changed() {
            return self.text.len();
        }
        let start = at;
        while let Some(&byte) = self.text.get(at) {
            if at - start > SHORT {
                let left = self.isa.run(Leave { text: self.from(at), depth });
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

    /// The children of the value that begins at `start`, if it is a container.
    #[inline]
    pub(super) fn children(self, start: usize) -> Option<Children> {
        let byte = self.byte(start);
        let is_object = byte == b'{';
        (is_object || byte == b'[').then_some(Children { start, at: start + 1, next: 0, length: None, is_object })
    }

    /// Where the value of the first member with this name begins, if the value at `start` is an object and has one.
    pub(super) fn member(self, start: usize, name: &Text) -> Option<usize> {
        let mut children = self.children(start).filter(Children::is_object)?;
        while let Some(child) = children.next(self) {
            if child.name.is_some_and(|found| name.is(self.between(found))) {
                return Some(child.start);
            }
            // The index knows where the others end.
            if self.index().is_none()
                && let Some(member) = Member::new(self, child.start, name)
            {
                let found = self.isa.run(member);
                self.charge(found.unwrap_or_else(|end| end) - start);
                return found.ok();
            }
            children.go_on(self.end(child.start));
        }
        None
    }

    /// Where the element with this index begins, if the value at `start` is an array and has one.
    pub(super) fn element(self, start: usize, index: i64) -> Option<usize> {
        let mut children = self.children(start).filter(|children| !children.is_object())?;
        while let Some(child) = children.next(self) {
            if child.index == index {
                return Some(child.start);
            }
            children.go_on(self.end(child.start));
        }
        None
    }

    /// Where the value behind the quote at `end` begins, if that ends a name.
    pub(super) fn value_behind(self, end: usize) -> Option<usize> {
        let colon = self.skip_blank(end + 1);
        (self.byte(colon) == b':').then(|| self.skip_blank(colon + 1))
    }

    /// Whether the container that begins at `start` has no children.
    pub(super) fn is_empty_container(self, start: usize) -> bool {
        matches!(self.byte(self.skip_blank(start + 1)), b']' | b'}')
    }

    /// How many children the container has that begins at `start`.
    pub(super) fn count(self, start: usize) -> i64 {
        if let Some(count) = self.index().and_then(|index| index.children(start)) {
            return count;
        }
        let Some(mut children) = self.children(start) else { return 0 };
        while let Some(child) = children.next(self) {
            children.go_on(self.end(child.start));
        }
        children.next
    }

    /// The name of the member whose value begins at `start`.
    pub(super) fn name_before(self, start: usize) -> Range<usize> {
        self.name_in(self.between(0..start)).unwrap_or_else(|| {
            self.note_change();
            0..0
        })
    }

    /// The name at the end of a text, with the colon behind it.
    fn name_in(self, text: &[u8]) -> Option<Range<usize>> {
        if self.has_changed() {
            return None;
        }
        let text = text.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end().strip_suffix(b"\"")?;
        let mut open = text.len();
        if is_escaped(text) {
            return None;
        }
        // All quotes inside are escaped.
        loop {
            open = memchr::memrchr(b'"', &text[..open])?;
            if !is_escaped(&text[..open]) {
                return Some(open + 1..text.len());
            }
        }
    }
}

/// Whether a quote behind `before` is escaped: an odd number of backslashes stands in front of it.
fn is_escaped(before: &[u8]) -> bool {
    !before.iter().rev().take_while(|&&byte| byte == b'\\').count().is_multiple_of(2)
}

/// Whether a value may begin with this byte.
#[inline]
fn may_begin_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}

impl Children {
    pub(super) fn is_object(&self) -> bool {
        self.is_object
    }

    /// How many children there are in all.
    pub(super) fn length(&mut self, document: Document<'_>) -> i64 {
        *self.length.get_or_insert_with(|| document.count(self.start))
    }

    /// The place behind the last child, or behind the container once there are no more.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next child. Before the one after it, [`go_on`](Self::go_on) must tell where this one ends.
    #[inline]
    pub(super) fn next(&mut self, document: Document<'_>) -> Option<Child> {
        let mut at = document.skip_blank(self.at);
        let found = document.byte(at);
        if found == if self.is_object { b'}' } else { b']' } {
            self.at = at + 1;
            return None;
        }
        if document.has_changed() {
            return None;
        }
        let mut is_good = true;
        if self.next > 0 {
            is_good &= found == b',';
            at = document.skip_blank(at + 1);
        }
        let mut name = None;
        if self.is_object {
            is_good &= document.byte(at) == b'"';
            let end = document.string_end(at);
            name = Some(at + 1..(end - 1).max(at + 1));
            let colon = document.skip_blank(end);
            is_good &= document.byte(colon) == b':';
            at = document.skip_blank(colon + 1);
        }
        if !(is_good && may_begin_value(document.byte(at))) {
            self.at = document.note_change();
            return None;
        }
        self.at = at;
        let index = self.next;
        self.next += 1;
        Some(Child { start: at, index, name })
    }

    /// Goes on behind the last child, which ends at `end`.
    #[inline]
    pub(super) fn go_on(&mut self, end: usize) {
        // Forward even if the text has changed.
        self.at = end.max(self.at + 1);
    }
}
