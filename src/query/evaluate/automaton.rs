//! All segments at once, in one walk over the document, in the order of the document.
//!
//! A container has a number for each segment: how often that segment is to be applied to it. From these numbers and the
//! selectors follow those of each child, so that a node which is selected a million times is still met once. Children to
//! which nothing is to be applied are stepped over, and a container that can have no more matches is left.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::descent::Descent;
use crate::query::evaluate::document::Child;
use crate::query::evaluate::place::Step;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::may_select_behind;
use crate::query::evaluate::selection::selects;
use crate::query::syntax::Segment;

pub(super) struct Automaton<'q> {
    segments: &'q [Segment],
    /// Where the walk begins, until it has, and how many of the first segments are applied there.
    start: Option<usize>,
    reached: usize,
    descent: Descent,
    /// For each open container, how often each segment is to be applied to it.
    counts: Vec<u64>,
    /// For each open container, which names of child segments have been found in it.
    seen: Vec<bool>,
    /// Names in child segments.
    names: usize,
    /// How often each segment is to be applied to the child that was met last, and how often that is selected.
    met: Vec<u64>,
    /// The child that was met last, until it has been entered or stepped over.
    child: Option<Child>,
}

/// A node that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::query) struct Found {
    /// Where it begins.
    pub(in crate::query) start: usize,
    /// How many times it is selected.
    pub(in crate::query) times: u64,
}

impl<'q> Automaton<'q> {
    /// Begins with the node at `start`.
    pub(super) fn new(segments: &'q [Segment], start: usize) -> Self {
        let named = |segment: &Segment| segment.selectors.iter().filter(|selector| is_name(selector)).count();
        Self {
            segments,
            start: Some(start),
            reached: 1,
            descent: Descent::default(),
            counts: Vec::new(),
            seen: Vec::new(),
            names: segments.iter().filter(|segment| !segment.descendant).map(named).sum(),
            met: vec![0; segments.len() + 1],
            child: None,
        }
    }

    /// Begins with a node that the first segment, which has descendants, has selected.
    pub(super) fn inside(segments: &'q [Segment], start: usize) -> Self {
        Self { reached: 2, ..Self::new(segments, start) }
    }

    /// The steps to the node that was found last.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        self.descent.steps()
    }

    /// How far the walk has come.
    pub(super) fn at(&self) -> usize {
        self.descent.at()
    }

    /// The next node that is selected, in the order of the document.
    pub(super) fn next(&mut self, scope: &mut Scope<'_>) -> Option<Found> {
        if let Some(start) = self.start.take() {
            self.met[..self.reached].fill(1);
            if self.segments.is_empty() {
                return Some(Found { start, times: 1 });
            }
            self.enter(scope, start);
        }
        loop {
            if scope.document.has_changed() {
                return None;
            }
            if let Some(child) = self.child.take() {
                let is_wanted = self.met[..self.segments.len()].iter().any(|&count| count > 0);
                if !(is_wanted && self.enter(scope, child.start)) {
                    self.step_over(scope, &child);
                }
            }
            if self.descent.depth() == 0 {
                return None;
            }
            let Some(child) = self.descent.next(scope.document) else {
                self.leave(scope);
                continue;
            };
            let start = child.start;
            let times = self.meet(scope, &child);
            self.child = Some(child);
            if times > 0 {
                return Some(Found { start, times });
            }
        }
    }

    /// Goes into a value if it is a container.
    fn enter(&mut self, scope: &Scope<'_>, start: usize) -> bool {
        let is_container = self.descent.enter(scope.document, start);
        if is_container {
            let counts = &self.met[..self.segments.len()];
            let grown = self.counts.room(counts.len(), OutOfMemory::Levels);
            if let Err(lack) = grown.and_then(|()| self.seen.room(self.names, OutOfMemory::Levels)) {
                scope.document.note_lack(lack);
                return false;
            }
            self.counts.extend_from_slice(counts);
            self.seen.resize(self.seen.len() + self.names, false);
        }
        is_container
    }

    /// What the segments of the innermost container mean for its child. Returns how often that is selected.
    fn meet(&mut self, scope: &mut Scope<'_>, child: &Child) -> u64 {
        let level = self.descent.depth() - 1;
        let counts = &self.counts[level * self.segments.len()..];
        let mut seen = self.seen[level * self.names..].iter_mut();
        let Some(container) = self.descent.container_at(level) else { return 0 };
        self.met.fill(0);
        for (number, (segment, &count)) in self.segments.iter().zip(counts).enumerate() {
            if segment.descendant {
                self.met[number] = self.met[number].saturating_add(count);
            }
            for selector in &segment.selectors {
                let seen = if is_name(selector) && !segment.descendant { seen.next() } else { None };
                let is_seen = seen.as_ref().is_some_and(|seen| **seen);
                if count > 0 && !is_seen && selects(selector, child, container, scope) {
                    self.met[number + 1] = self.met[number + 1].saturating_add(count);
                    if let Some(seen) = seen {
                        *seen = true;
                    }
                }
            }
        }
        self.met[self.segments.len()]
    }

    /// Goes on behind a child, or behind the containers in which nothing can be selected any more.
    fn step_over(&mut self, scope: &Scope<'_>, child: &Child) {
        if !self.break_off(scope, child) {
            self.descent.skip(scope.document.end(child.start));
        }
    }

    /// Goes on behind the innermost container, of which there are no more children.
    fn leave(&mut self, scope: &Scope<'_>) {
        self.descent.leave();
        self.forget();
        if let Some(child) = self.descent.child() {
            self.break_off(scope, &child);
        }
    }

    /// Leaves the containers in which nothing can be selected behind the child that was met last.
    fn break_off(&mut self, scope: &Scope<'_>, child: &Child) -> bool {
        let depth = self.descent.depth();
        let mut levels = 0;
        let mut child = Some(child.clone());
        while let Some(last) = child
            && !self.may_go_on(depth - 1 - levels, &last)
        {
            levels += 1;
            child = self.descent.child_at((depth - levels).wrapping_sub(1));
        }
        if levels > 0 {
            self.descent.break_off(scope.document, levels);
            self.forget();
        }
        levels > 0
    }

    /// Whether something may be selected behind `child` of the container at this level.
    fn may_go_on(&self, level: usize, child: &Child) -> bool {
        let counts = &self.counts[level * self.segments.len()..];
        let mut seen = self.seen[level * self.names..].iter();
        self.segments.iter().zip(counts).any(|(segment, &count)| {
            // All names must be passed, whatever comes of them.
            let may_select = segment.selectors.iter().fold(false, |any, selector| {
                let is_counted = is_name(selector) && !segment.descendant;
                let is_seen = is_counted && seen.next().is_some_and(|&seen| seen);
                any | may_select_behind(selector, child, is_seen)
            });
            count > 0 && (segment.descendant || may_select)
        })
    }

    /// Forgets what belongs to containers that are no longer open.
    fn forget(&mut self) {
        let depth = self.descent.depth();
        self.counts.truncate(depth * self.segments.len());
        self.seen.truncate(depth * self.names);
    }
}
