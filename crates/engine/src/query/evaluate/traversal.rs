//! A depth-first traversal of a document, without recursion.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::document::Child;
use crate::query::evaluate::document::Children;
use crate::query::evaluate::document::ValidatedDocument;

/// A depth-first traversal.
#[derive(Default)]
pub(super) struct Traversal {
    /// The open containers.
    open: Vec<Children>,
    /// Offset that the traversal has reached, if no container is open.
    end: usize,
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
        let grown = self.open.grow(children, OutOfMemory::Levels);
        if let Err(out_of_memory) = grown {
            document.note_out_of_memory(out_of_memory);
        }
        grown.is_ok()
    }

    /// Returns the number of open containers.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the offset that the traversal has reached.
    pub(super) fn offset(&self) -> usize {
        self.open.last().map_or(self.end, Children::offset)
    }

    /// Returns the innermost open container.
    pub(super) fn container(&mut self) -> Option<&mut Children> {
        self.open.last_mut()
    }

    /// Returns the next child of the innermost container.
    pub(super) fn next(&mut self, document: ValidatedDocument<'_>) -> Option<Child> {
        self.open.last_mut()?.next(document)
    }

    /// Continues after the last child, which ends at `end`.
    pub(super) fn skip_to(&mut self, end: usize) {
        if let Some(children) = self.open.last_mut() {
            children.skip_to(end);
        }
    }

    /// Exits the innermost container, which has no more children, and continues after it.
    pub(super) fn exit(&mut self) {
        if let Some(children) = self.open.pop() {
            self.end = children.offset();
            self.skip_to(self.end);
        }
    }
}
