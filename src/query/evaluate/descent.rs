//! A walk into a document, container by container, without recursion.
//!
//! What lies on the way from the top to the last child is the path of that child.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::document::Child;
use crate::query::evaluate::document::Children;
use crate::query::evaluate::document::Document;
use crate::query::evaluate::place::Step;

#[derive(Default)]
pub(super) struct Descent {
    frames: Vec<Frame>,
    /// Behind the first container, once that has been left.
    behind: usize,
}

/// An open container.
struct Frame {
    children: Children,
    /// The child that was met last.
    child: Option<Child>,
}

impl Descent {
    /// A walk over what is inside of the value that begins at `start`.
    pub(super) fn new(document: Document<'_>, start: usize) -> Self {
        let mut descent = Self::default();
        descent.enter(document, start);
        descent
    }

    /// Goes into the value that begins at `start`, if it is a container.
    pub(super) fn enter(&mut self, document: Document<'_>, start: usize) -> bool {
        let Some(children) = document.children(start) else { return false };
        let grown = self.frames.grow(Frame { children, child: None }, OutOfMemory::Levels);
        if let Err(lack) = grown {
            document.note_lack(lack);
        }
        grown.is_ok()
    }

    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// How far the walk has come.
    pub(super) fn at(&self) -> usize {
        self.container().map_or(self.behind, Children::at)
    }

    /// The innermost open container.
    pub(super) fn container(&self) -> Option<&Children> {
        self.frames.last().map(|frame| &frame.children)
    }

    /// The container so many levels below the first one.
    pub(super) fn container_at(&mut self, level: usize) -> Option<&mut Children> {
        self.frames.get_mut(level).map(|frame| &mut frame.children)
    }

    /// The next child of the innermost container.
    pub(super) fn next(&mut self, document: Document<'_>) -> Option<Child> {
        let frame = self.frames.last_mut()?;
        frame.child = frame.children.next(document);
        frame.child.clone()
    }

    /// The child that was met last in the innermost container, or at a level.
    pub(super) fn child(&self) -> Option<Child> {
        self.child_at(self.frames.len().wrapping_sub(1))
    }

    pub(super) fn child_at(&self, level: usize) -> Option<Child> {
        self.frames.get(level)?.child.clone()
    }

    /// Goes on behind the last child, which ends at `end`.
    pub(super) fn skip(&mut self, end: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.children.go_on(end);
        }
    }

    /// Leaves the innermost container, of which there are no more children, and goes on behind it.
    pub(super) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.behind = frame.children.at();
            self.skip(self.behind);
        }
    }

    /// Leaves so many containers before they end. None are left if those are all.
    pub(super) fn break_off(&mut self, document: Document<'_>, levels: usize) {
        let at = self.at();
        self.behind = at;
        self.frames.truncate(self.frames.len() - levels);
        if !self.frames.is_empty() {
            self.skip(document.leave(at, levels));
        }
    }

    /// Steps from container to container until one is open that begins at `start`.
    pub(super) fn find(&mut self, document: Document<'_>, start: usize) {
        while self.container().is_some_and(|container| container.start != start) {
            match self.next(document).map(|child| child.start) {
                Some(child) if self.enter(document, child) => {}
                Some(child) => self.skip(document.end(child)),
                None => self.leave(),
            }
        }
        if self.frames.is_empty() {
            document.note_change();
        }
    }

    /// The steps to the child that was met last.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        self.frames.iter().filter_map(|frame| frame.child.as_ref()).map(Step::to)
    }
}
