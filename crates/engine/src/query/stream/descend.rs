//! The executor for plans with descendant segments or several paths: a sparse automaton over containers.
//!
//! State *j* of a container means that segment *j* selects among its children. Each state has a multiplicity, because a node
//! can be reached in several ways. States of descendant segments also hold in all containers inside. So a container needs a
//! *frame* of its own only if its states differ from those around it, or if its end must be reported. Within a frame, the
//! executor looks only for the names that its states select, and tracks the depth. If the only state is that of a first
//! descendant segment, and the order is document order, it does not track the depth either (`descendant_member.rs`).

#![forbid(unsafe_code)]

mod children;
mod members;

use crate::error::OutOfMemory;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::query::stream::bounds::bounded;
use crate::query::stream::path::PlanStep;
use crate::query::stream::seek::is_opener;
use crate::query::stream::set::MAX_SEGMENTS;
use crate::query::stream::set::Set;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

/// A segment and its only selector.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) step: PlanStep,
    pub(super) is_descendant: bool,
    /// 0, or if it is the last segment of its query, what each way to a match adds to the count of that match: 1, or the bit of the
    /// query if there are several.
    pub(super) adds: u64,
}

/// The segments of one query, or those of several queries, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    pub(super) list: Vec<Segment>,
    /// The first segment of each query.
    pub(super) first: Set,
    /// The bits of the queries without segments, which select the root.
    pub(super) root: u64,
}

/// For each segment, how many times it selects among the children of a container.
type Multiplicities = [u64; MAX_SEGMENTS];

/// Maximum number of segments of a plan with descendant segments.
pub(super) const MAX_PATH_SEGMENTS: usize = 8;

/// For each segment, the head through which it selects among the children of a container: see `node_order.rs`.
type Heads = [u32; MAX_PATH_SEGMENTS + 1];

/// The segments, by kind of selector.
struct Kinds {
    names: Set,
    all: Set,
    items: Set,
    descendants: Set,
}

/// A container whose states differ from those of the container around it.
#[derive(Default)]
struct Frame {
    /// Number of open containers, including this one; 0 for the frame around the root.
    depth: usize,
    /// Multiplicities of the segments in `active`.
    multiplicities: Multiplicities,
    /// The states: segments that select among the children.
    active: Set,
    /// The subset of `active` that selects by name here.
    names: Set,
    /// Number of the match, if the container is one whose end must be reported.
    number: Option<usize>,
    /// Index of the current child, if `iterates`.
    index: u64,
    is_object: bool,
    /// Whether the next child is the first.
    is_fresh: bool,
    /// Whether children are visited one by one.
    iterates: bool,
}

/// What the states of a frame select of one child.
#[derive(Default)]
struct Selected {
    /// Multiplicities of the segments in `active`.
    multiplicities: Multiplicities,
    /// The segments that select among the children of this child.
    active: Set,
    /// How many times the child is a match, or the bits of the queries that select it.
    match_count: u64,
}

impl Selected {
    /// Adds `times` to the multiplicity of segment `index`.
    #[inline(always)]
    fn add(&mut self, index: usize, times: u64) {
        let before = if self.active.contains(index) { self.multiplicities[index] } else { 0 };
        self.multiplicities[index] = before.saturating_add(times);
        self.active.add(index);
    }
}

/// The state of the executor. It is kept between documents.
pub(super) struct Descent<'d> {
    segments: &'d [Segment],
    /// As in [`Segments`].
    first: Set,
    root: u64,
    kinds: Kinds,
    /// The frames of the open containers, up to `top`; after it, frames to be reused.
    frames: Vec<Frame>,
    /// Index of the current frame.
    top: usize,
    /// What is selected of the current child.
    selected: Selected,
    /// Number of open containers at `offset`, from the outermost frame on.
    depth: usize,
    offset: u64,
    /// The descendant segments, whose selected children are heads. Empty unless matches are in RFC order.
    head_segments: Vec<usize>,
    /// The heads of all frames, in RFC order only.
    heads: Vec<Heads>,
    /// The lowest depth since the last head, or the depth inside the last node if that is later.
    low: usize,
}

impl<'d> Descent<'d> {
    /// `is_rfc_order`: matches are in RFC order, which differs from document order.
    pub(super) fn new(segments: &'d Segments, is_rfc_order: bool) -> Self {
        let Segments { list, first, root } = segments;
        let kinds = Kinds {
            names: Set::of(list, |segment| matches!(segment.step, PlanStep::Name(_))),
            all: Set::of(list, |segment| matches!(segment.step, PlanStep::All)),
            items: Set::of(list, |segment| matches!(segment.step, PlanStep::Items { .. })),
            descendants: Set::of(list, |segment| segment.is_descendant),
        };
        let makes_heads = |index: &usize| is_rfc_order && list[*index].is_descendant;
        let head_segments: Vec<_> = (0..list.len()).filter(makes_heads).collect();
        let mut descent = Self {
            segments: list,
            first: *first,
            root: *root,
            kinds,
            frames: vec![Frame { is_object: true, ..Frame::default() }],
            top: 0,
            selected: Selected::default(),
            depth: 0,
            offset: 0,
            heads: if head_segments.is_empty() { Vec::new() } else { vec![[0; MAX_PATH_SEGMENTS + 1]] },
            head_segments,
            low: 0,
        };
        descent.select_first();
        descent.inherit();
        descent
    }

    /// Whether the segments can be applied to several documents as if these were one: the first one finds its members by their names
    /// at any depth.
    pub(super) fn searches_anywhere(&self) -> bool {
        self.head_segments.is_empty()
            && matches!(self.segments, [Segment { step: PlanStep::Name(_), is_descendant: true, .. }, ..])
    }

    /// Evaluates the segments on the value at `root`. `is_last_document`: the tiles contain nothing after this document.
    #[inline(always)]
    pub(super) fn run<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        root: u64,
        is_last_document: bool,
    ) -> Result<Outcome, Stop> {
        (self.top, self.depth, self.offset, self.low) = (0, 0, root, 0);
        self.heads.truncate(1);
        self.select_first();
        let searches_anywhere = is_last_document && self.searches_anywhere();
        if !searches_anywhere {
            let (byte, mut number) = (tiles.byte(root), None);
            if self.root != 0 {
                (self.offset, number) = tiles.report_value(root, self.root, None)?;
            }
            if !is_opener(byte) {
                return Ok(Outcome::Exhausted(self.offset));
            }
            self.enter(byte, [0; MAX_PATH_SEGMENTS + 1], number)?;
        }
        loop {
            let ended = if self.frames[self.top].depth == 0 {
                if !searches_anywhere {
                    return Ok(Outcome::RootEnded(self.offset));
                }
                self.next_member_anywhere(tiles)?;
                None
            } else if self.frames[self.top].iterates {
                self.next_child(tiles)?
            } else if !self.frames[self.top].names.is_empty() {
                self.next_named_member(tiles)?
            } else if self.frames[self.top].number.is_none() && self.top == 1 && !searches_anywhere {
                return Ok(Outcome::Exhausted(self.offset));
            } else {
                let levels = self.depth - self.frames[self.top].depth + 1;
                Some(tiles.skip_levels(self.offset, levels)?)
            };
            if let Some(end) = ended {
                self.leave(tiles, end)?;
            }
        }
    }

    /// Selects what the first segments apply to.
    #[inline(always)]
    fn select_first(&mut self) {
        self.select_nothing();
        for index in self.first {
            self.selected.add(index, 1);
        }
    }

    /// Determines what the current frame has to look for, when it is new or has lost a state.
    #[inline(always)]
    fn classify_states(&mut self) {
        let (frame, kinds) = (&mut self.frames[self.top], &self.kinds);
        frame.names = frame.active.intersection(kinds.names);
        if !frame.is_object {
            frame.names = frame.names.intersection(kinds.descendants);
        }
        frame.iterates = !frame.active.intersection(kinds.all).is_empty();
        let items = frame.active.intersection(kinds.items);
        // Indexes of a descendant segment apply to each array inside.
        frame.iterates |= !items.intersection(kinds.descendants).is_empty();
        if !frame.is_object {
            for index in items {
                frame.iterates |= matches!(self.segments[index].step, PlanStep::Items { end, .. } if frame.index < end);
            }
        }
    }

    /// Gives the current frame the states in `selected`.
    #[inline(always)]
    fn inherit(&mut self) {
        let frame = &mut self.frames[self.top];
        frame.active = self.selected.active;
        for index in frame.active {
            frame.multiplicities[index] = self.selected.multiplicities[index];
        }
        self.classify_states();
    }

    /// Pushes a frame for the container at `offset`.
    #[inline(always)]
    fn enter(&mut self, byte: u8, heads: Heads, number: Option<usize>) -> Result<(), OutOfMemory> {
        self.depth += 1;
        self.offset += 1;
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.grow(Frame::default(), OutOfMemory::Levels)?;
        }
        let frame = &mut self.frames[self.top];
        frame.depth = self.depth;
        frame.number = number;
        frame.index = 0;
        frame.is_object = byte == b'{';
        frame.is_fresh = true;
        if !self.head_segments.is_empty() {
            self.heads.grow(heads, OutOfMemory::Levels)?;
        }
        self.inherit();
        Ok(())
    }

    /// Pops the current frame, whose container ends before `end`.
    #[inline(always)]
    fn leave<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        end: u64,
    ) -> Result<(), Stop> {
        self.depth = self.frames[self.top].depth - 1;
        self.update_low(tiles);
        self.offset = end;
        if let Some(number) = self.frames[self.top].number {
            tiles.report.end(number, end);
            if tiles.report.is_complete() {
                return tiles.stop_at(end);
            }
        }
        self.top -= 1;
        if !self.head_segments.is_empty() {
            self.heads.pop();
        }
        Ok(())
    }

    /// Updates `low` when the depth has decreased.
    #[inline(always)]
    fn update_low<K: Kernel, P: TileSource<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) {
        if self.depth < self.low
            && let Some(match_paths) = tiles.report.match_paths()
        {
            // mutant (2 lines):
            self.low = self.depth;
            match_paths.leave(self.depth);
        }
    }

    /// Handles the child at `offset`: reports it if it matches, and enters it if it is a container that needs a frame.
    #[inline(always)]
    fn arrive<K: Kernel, P: TileSource<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) -> Result<(), Stop> {
        let byte = tiles.byte(self.offset);
        let match_count = self.selected.match_count;
        let heads = if self.head_segments.is_empty() { [0; MAX_PATH_SEGMENTS + 1] } else { self.heads(tiles, byte)? };
        let mut number = None;
        let last = self.segments.len() - 1;
        let head_of = |index: usize| {
            self.head_segments.last().map(|_| u64::from(heads[bounded::<{ MAX_PATH_SEGMENTS + 1 }>(index)]))
        };
        if match_count > 0 {
            (self.offset, number) = tiles.report_value(self.offset, match_count, head_of(last + 1))?;
        }
        let (frame, selected) = (&self.frames[self.top], &mut self.selected);
        if is_opener(byte) && (frame.iterates || number.is_some() || !selected.active.is_empty()) {
            for index in frame.active.intersection(self.kinds.descendants) {
                selected.add(index, frame.multiplicities[index]);
            }
            let visits = |kind| !selected.active.intersection(kind).is_empty();
            if byte == b'['
                && let Some(number) = number
                && !visits(self.kinds.all)
                // mutant:
                && !visits(self.kinds.items)
                && let Some(leaf) = tiles.short_array(self.offset + 1)
            {
                // A match in which nothing can match.
                self.offset += 1 + leaf.length();
                tiles.report.end(number, self.offset);
                self.update_low(tiles);
                return if tiles.report.is_complete() { tiles.stop_at(self.offset) } else { Ok(()) };
            }
            if byte == b'['
                && number.is_none()
                && self.root == 0
                // mutant:
                && self.first.is_single()
                && self.head_segments.last() != Some(&last)
                && let Some(leaf) = tiles.short_array(self.offset + 1)
            {
                let head = head_of(last);
                self.skip_short_array(tiles, leaf, head)?;
                self.update_low(tiles);
                return Ok(());
            }
            self.enter(byte, heads, number)?;
        }
        Ok(())
    }

    /// Returns the heads of a child: those of its container, moved by one segment, and the child itself where it is one.
    #[inline(always)]
    fn heads<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        byte: u8,
    ) -> Result<Heads, Stop> {
        let mut heads = [0; MAX_PATH_SEGMENTS + 1];
        if let (Some(outer), Some(match_paths)) = (self.heads.last(), tiles.report.match_paths()) {
            heads[1..].copy_from_slice(&outer[..MAX_PATH_SEGMENTS]);
            let mut is_node = false;
            for (level, &segment) in self.head_segments.iter().enumerate() {
                let is_last = segment + 1 == self.segments.len();
                if if is_last { self.selected.match_count > 0 } else { self.selected.active.contains(segment + 1) } {
                    heads[segment + 1] = match_paths.head(level, self.depth)?;
                    self.low = self.depth;
                }
                if level > 0 && is_opener(byte) && self.selected.active.contains(segment) {
                    match_paths.enter(level - 1, heads[segment], self.depth + 1)?;
                    is_node = true;
                }
            }
            if is_node {
                // mutant:
                self.low = self.depth + 1;
            }
        }
        Ok(heads)
    }

    /// Clears what is selected.
    #[inline(always)]
    fn select_nothing(&mut self) {
        self.selected.active = Set::default();
        self.selected.match_count = 0;
    }

    /// Adds what segment `index` selects: the child itself, or children of it.
    #[inline(always)]
    fn select(&mut self, index: usize) {
        let (times, adds) = (self.frames[self.top].multiplicities[index], self.segments[index].adds);
        if adds > 0 {
            self.selected.match_count = self.selected.match_count.saturating_add(times.saturating_mul(adds));
        } else {
            self.selected.add(bounded::<MAX_SEGMENTS>(index + 1), times);
        }
    }

    /// Selects by the key whose closing quote is at `end`. Returns the states that select no other member of the container.
    /// `None` if the key is not one of the names of the frame.
    #[inline(always)]
    fn select_named<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &Tiles<'_, K, P>,
        end: u64,
        is_child: bool,
    ) -> Option<Set> {
        let (mut any, mut used) = (false, Set::default());
        let names = self.frames[self.top].names;
        for index in if is_child { names } else { names.intersection(self.kinds.descendants) } {
            let segment = &self.segments[index];
            if let PlanStep::Name(name) = &segment.step
                && tiles.has_name(end, name)
            {
                any = true;
                if !segment.is_descendant {
                    used.add(index);
                }
                self.select(index);
            }
        }
        any.then_some(used)
    }

    /// Removes states, by names, whose only member was found: a child segment selects only the first member with its name.
    #[inline(always)]
    fn use_up(&mut self, used: Set) {
        if !used.is_empty() {
            let frame = &mut self.frames[self.top];
            frame.active = frame.active.difference(used);
            frame.names = frame.names.difference(used);
        }
    }
}
