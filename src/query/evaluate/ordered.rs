//! Nodes in the order of RFC 9535, which is not always that of the document.
//!
//! Child segments with one selector keep the order, and as many of them as follow each other are one walk. A segment that
//! has several selectors, goes backwards or has descendants is applied to one node at a time: what it selects there is
//! listed in 24 bytes each, put in order, and passed on to the next segments one by one. Only what leads to a match is
//! listed.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::automaton::Automaton;
use crate::query::evaluate::descent::Descent;
use crate::query::evaluate::place::Step;
use crate::query::evaluate::scope::Scope;
use crate::query::evaluate::selection::is_name;
use crate::query::evaluate::selection::may_select_behind;
use crate::query::evaluate::selection::selects;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;

pub(super) struct Ordered<'q> {
    /// One stage inside the other: each works on the node that the one before has found last.
    stages: Vec<Stage<'q>>,
}

/// Some segments at work, and those behind them.
struct Stage<'q> {
    work: Work<'q>,
    behind: &'q [Segment],
}

enum Work<'q> {
    Traverse(Automaton<'q>),
    List(List<'q>),
}

/// What a segment selects, in order.
struct List<'q> {
    segment: &'q Segment,
    entries: Vec<Entry>,
    /// How many have been passed on.
    passed: usize,
    /// Where the segment began.
    start: usize,
    /// A second walk, that follows what is passed on.
    descent: Option<Descent>,
}

/// A node that has been selected.
#[derive(Clone, Copy)]
struct Entry {
    /// Where the container begins that it is a child of.
    parent: u64,
    /// Where it begins.
    start: u64,
    /// The number of the selector, then the index of the child in 48 bits.
    selector_and_index: u64,
}

/// Bits of an index in an entry.
const INDEX: u32 = 48;

impl Entry {
    /// The number of the selector.
    fn selector(&self) -> usize {
        (self.selector_and_index >> INDEX) as usize
    }

    fn index(&self) -> i64 {
        (self.selector_and_index & ((1 << INDEX) - 1)).cast_signed()
    }
}

fn is_backward(selector: &Selector) -> bool {
    matches!(selector, Selector::Slice(slice) if slice.step < 0)
}

/// Whether a segment selects nodes in the order of the document, and none twice.
fn keeps_order(segment: &Segment) -> bool {
    !segment.descendant && segment.selectors.len() == 1 && !segment.selectors.iter().any(is_backward)
}

impl<'q> Ordered<'q> {
    /// Begins with the node at `start`.
    pub(super) fn new(segments: &'q [Segment], start: usize, scope: &mut Scope<'_>) -> Self {
        Self { stages: vec![Stage::new(segments, start, scope)] }
    }

    /// Where the next node begins.
    pub(super) fn next(&mut self, scope: &mut Scope<'_>) -> Option<usize> {
        loop {
            let stage = self.stages.last_mut()?;
            let Some(start) = stage.next(scope) else {
                self.stages.pop();
                continue;
            };
            if stage.behind.is_empty() {
                return Some(start);
            }
            let next = Stage::new(stage.behind, start, scope);
            self.stages.push(next);
        }
    }

    /// The steps to the node that was found last.
    pub(super) fn steps(&mut self, scope: &Scope<'_>) -> Vec<Step> {
        let mut steps = Vec::new();
        for stage in &mut self.stages {
            match &mut stage.work {
                Work::Traverse(automaton) => steps.extend(automaton.steps()),
                Work::List(list) => list.steps(scope, &mut steps),
            }
        }
        steps
    }
}

impl<'q> Stage<'q> {
    fn new(segments: &'q [Segment], start: usize, scope: &mut Scope<'_>) -> Self {
        let in_order = segments.iter().take_while(|segment| keeps_order(segment)).count();
        let (now, behind) = segments.split_at(if segments.is_empty() { 0 } else { in_order.max(1) });
        let work = match now {
            [segment] if in_order == 0 => Work::List(List::new(segment, start, behind, scope)),
            _ => Work::Traverse(Automaton::new(now, start)),
        };
        Self { work, behind }
    }

    fn next(&mut self, scope: &mut Scope<'_>) -> Option<usize> {
        match &mut self.work {
            Work::Traverse(automaton) => automaton.next(scope).map(|found| found.start),
            Work::List(list) => list.next(),
        }
    }
}

impl<'q> List<'q> {
    /// Lists what the segment selects from the node at `start`, as far as the segments behind select something from it.
    fn new(segment: &'q Segment, start: usize, behind: &[Segment], scope: &mut Scope<'_>) -> Self {
        let document = scope.document;
        let mut entries = Vec::new();
        let mut descent = Descent::new(document, start);
        let mut seen = vec![false; segment.selectors.len()];
        while descent.depth() > 0 {
            let Some(child) = descent.next(document) else {
                descent.leave();
                continue;
            };
            let Some(container) = descent.container_at(descent.depth() - 1) else { break };
            let mut leads_on = None;
            for ((number, selector), seen) in segment.selectors.iter().enumerate().zip(&mut seen) {
                let is_first = segment.descendant || !*seen;
                if is_first && selects(selector, &child, container, scope) {
                    *seen = is_name(selector);
                    let leads_on =
                        *leads_on.get_or_insert_with(|| behind.is_empty() || scope.selects_from(child.start, behind));
                    if leads_on {
                        let selector_and_index = (number as u64) << INDEX | child.index.unsigned_abs();
                        let parent = container.start as u64;
                        let entry = Entry { parent, start: child.start as u64, selector_and_index };
                        if let Err(lack) = entries.grow(entry, OutOfMemory::Matches) {
                            document.note_lack(lack);
                        }
                    }
                }
            }
            let more = |(selector, &seen)| may_select_behind(selector, &child, seen);
            if !segment.descendant && !segment.selectors.iter().zip(&seen).any(more) {
                break;
            }
            if !(segment.descendant && descent.enter(document, child.start)) {
                descent.skip(document.end(child.start));
            }
        }
        let is_backward: Vec<_> = segment.selectors.iter().map(is_backward).collect();
        entries.sort_unstable_by_key(|entry| {
            let number = entry.selector();
            (entry.parent, number, if is_backward[number] { !entry.start } else { entry.start })
        });
        Self { segment, entries, passed: 0, start, descent: None }
    }
    fn next(&mut self) -> Option<usize> {
        let entry = self.entries.get(self.passed)?;
        self.passed += 1;
        Some(place(entry.start))
    }

    /// The steps to what was passed on last.
    fn steps(&mut self, scope: &Scope<'_>, steps: &mut Vec<Step>) {
        let Some(entry) = self.passed.checked_sub(1).and_then(|last| self.entries.get(last)) else { return };
        let document = scope.document;
        if self.segment.descendant {
            // Parents come in the order of the document, so this walk only goes forward.
            let descent = self.descent.get_or_insert_with(|| Descent::new(document, self.start));
            descent.find(document, place(entry.parent));
            steps.extend(descent.steps());
        }
        let start = place(entry.start);
        let is_member = document.byte(place(entry.parent)) == b'{';
        steps.push(if is_member { Step::Name(document.name_before(start)) } else { Step::Index(entry.index()) });
    }
}

/// A place in the document, which is in memory.
#[expect(clippy::cast_possible_truncation, reason = "it was one")]
fn place(offset: u64) -> usize {
    offset as usize
}
