//! A depth-first traversal of a document, without recursion.
//!
//! Its stack holds the open containers, each with the last child that was visited. So the stack is also the path to that child of
//! the innermost container.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::document::Child;
use crate::query::evaluate::document::Children;
use crate::query::evaluate::document::ValidatedDocument;
use crate::query::evaluate::location::PathStep;

/// A depth-first traversal.
#[derive(Default)]
pub(super) struct Traversal {
    frames: Vec<Frame>,
    /// Offset that the traversal has reached, if no container is open.
    end: usize,
}

/// An open container.
struct Frame {
    children: Children,
    /// Last child that was visited.
    child: Option<Child>,
}

impl Traversal {
    /// Begins a traversal of the value that begins at `start`.
    pub(super) fn new(document: ValidatedDocument<'_>, start: usize) -> Self {
        let mut descent = Self::default();
        descent.enter(document, start);
        descent
    }

    /// Enters the value that begins at `start`. Returns false if it is not a container, or if out of memory.
    pub(super) fn enter(&mut self, document: ValidatedDocument<'_>, start: usize) -> bool {
        let Some(children) = document.children(start) else { return false };
        let grown = self.frames.grow(Frame { children, child: None }, OutOfMemory::Levels);
        if let Err(out_of_memory) = grown {
            document.note_out_of_memory(out_of_memory);
        }
        grown.is_ok()
    }

    /// Returns the number of open containers.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Returns the offset that the traversal has reached.
    pub(super) fn offset(&self) -> usize {
        self.container().map_or(self.end, Children::offset)
    }

    /// Returns the innermost open container.
    pub(super) fn container(&self) -> Option<&Children> {
        self.frames.last().map(|frame| &frame.children)
    }

    /// Returns the container at a level; the outermost is at level 0.
    pub(super) fn container_at(&mut self, level: usize) -> Option<&mut Children> {
        self.frames.get_mut(level).map(|frame| &mut frame.children)
    }

    /// Returns the next child of the innermost container.
    pub(super) fn next(&mut self, document: ValidatedDocument<'_>) -> Option<Child> {
        let frame = self.frames.last_mut()?;
        frame.child = frame.children.next(document);
        frame.child.clone()
    }

    /// Returns the last child of the innermost container.
    pub(super) fn child(&self) -> Option<Child> {
        self.child_at(self.frames.len().wrapping_sub(1))
    }

    /// Returns the last child of the container at a level.
    pub(super) fn child_at(&self, level: usize) -> Option<Child> {
        self.frames.get(level)?.child.clone()
    }

    /// Continues after the last child, which ends at `end`.
    pub(super) fn skip_to(&mut self, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children.skip_to(end);
        }
    }

    /// Exits the innermost container, which has no more children, and continues after it.
    pub(super) fn exit(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.end = frame.children.offset();
            self.skip_to(self.end);
        }
    }

    /// Exits the `levels` innermost containers before their ends, and continues after them. If no other container is open, the
    /// traversal ends.
    pub(super) fn exit_early(&mut self, document: ValidatedDocument<'_>, levels: usize) {
        let at = self.offset();
        self.end = at;
        self.frames.truncate(self.frames.len() - levels);
        if !self.frames.is_empty() {
            self.skip_to(document.close_levels(at, levels));
        }
    }

    /// Advances until the innermost open container is the one that begins at `start`.
    pub(super) fn advance_to(&mut self, document: ValidatedDocument<'_>, start: usize) {
        while self.container().is_some_and(|container| container.start != start) {
            match self.next(document).map(|child| child.start) {
                Some(child) if self.enter(document, child) => {}
                Some(child) => self.skip_to(document.end(child)),
                None => self.exit(),
            }
        }
        if self.frames.is_empty() {
            document.note_change();
        }
    }

    /// Returns the steps to the last child of the innermost container.
    pub(super) fn steps(&self) -> impl Iterator<Item = PathStep> {
        self.frames.iter().filter_map(|frame| frame.child.as_ref()).map(PathStep::to)
    }
}
