//! Paths with descendant segments: a sparse automaton over containers.
//!
//! A state *j* says that segment *j* may select children of a container, and in how many ways, since one node can be reached on
//! several. A descendant segment's states are handed down to all containers inside; so a container needs a *frame* of its own
//! only where something else holds in it, or where its end is wanted. Between frames nothing is looked at but the names that
//! are alive and the depth; where only the first segment is alive, and it is a descendant, not even that.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::query::stream::path::Step;
use crate::query::stream::seek::Found;
use crate::query::stream::seek::is_opener;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::Tiles;
use crate::query::stream::tiles::Turn;
use crate::query::structure::below;
use crate::query::structure::deeper;
use crate::query::structure::fall;

/// The most segments there is a plan for.
pub(super) const MOST: usize = 8;

/// A segment with one selector.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) step: Step,
    pub(super) is_descendant: bool,
}

/// In how many ways each segment may select children of a container.
type Ways = [u64; MOST];

/// Of each segment, the head through which it may select children of a container: see `order.rs`.
type Heads = [u32; MOST + 1];

/// A container in which something else holds than around it.
#[derive(Clone, Copy)]
struct Frame {
    /// Containers that are open inside of it; 0 in front of the root.
    depth: usize,
    ways: Ways,
    heads: Heads,
    /// The match that it is.
    number: Option<usize>,
    /// The index of the child, if its children are taken one by one.
    index: u64,
    is_object: bool,
    /// Whether its first child comes next.
    is_fresh: bool,
    /// Whether its children have to be taken one by one.
    iterates: bool,
    /// Segments that look for a name.
    names: Live,
}

/// A list of segments.
#[derive(Clone, Copy, Default)]
struct Live {
    segments: [u8; MOST],
    count: usize,
}

impl Live {
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.segments.into_iter().take(self.count).map(usize::from)
    }
}

/// What a name means where it stands.
#[derive(Clone, Copy, Default)]
struct Named {
    /// In how many ways segments may select children of the value.
    ways: Ways,
    /// In how many ways it is a match.
    hits: u64,
    /// Bit *i*: segment *i* takes no other member of this container.
    used: u32,
}

struct Descent<'d> {
    segments: &'d [Segment],
    frames: Vec<Frame>,
    frame: Frame,
    /// Containers that are open at `place`, from the outermost frame on.
    depth: usize,
    place: u64,
    /// The segment whose children are heads, if the order is that of the RFC.
    leader: Option<usize>,
    /// How many containers were open at least since the last head.
    low: usize,
}

/// Follows a path from the value at `root` on. With `may_roam`, everything up to the end of the text is inside of it.
#[inline(always)]
pub(super) fn descend<K: Kernel, P: Turn<K> + ?Sized>(
    tiles: &mut Tiles<'_, K, P>,
    segments: &[Segment],
    root: u64,
    may_roam: bool,
) -> Result<Outcome, Stop> {
    let mut ways = [0; MOST];
    ways[0] = 1;
    let frame = Frame {
        depth: 0,
        ways,
        heads: [0; MOST + 1],
        number: None,
        index: 0,
        is_object: true,
        is_fresh: false,
        iterates: false,
        names: Live::default(),
    };
    let is_in_order = tiles.report.is_in_order();
    let leader = segments.iter().position(|segment| segment.is_descendant && is_in_order);
    let mut descent = Descent { segments, frames: Vec::new(), frame, depth: 0, place: root, leader, low: 0 };
    descent.settle();
    let heads =
        may_roam && !is_in_order && matches!(segments, [Segment { step: Step::Name(_), is_descendant: true }, ..]);
    if !heads {
        let byte = tiles.byte(root);
        if !is_opener(byte) {
            return Ok(Outcome::Answered(root));
        }
        descent.enter(byte, ways, [0; MOST + 1], None);
    }
    loop {
        let ended = if descent.frame.depth == 0 {
            if !heads {
                return Ok(Outcome::Left(descent.place));
            }
            descent.head(tiles)?;
            None
        } else if descent.frame.iterates {
            descent.child(tiles)?
        } else if descent.frame.names.count > 0 {
            descent.name(tiles)?
        } else if descent.frame.number.is_none() && descent.frames.len() == 1 && !heads {
            return Ok(Outcome::Answered(descent.place));
        } else {
            let levels = descent.depth - descent.frame.depth + 1;
            Some(tiles.leave(descent.place, levels)?)
        };
        if let Some(end) = ended {
            descent.leave(tiles, end)?;
        }
    }
}

impl Descent<'_> {
    /// Finds out what a new frame, or one of which a way is used up, has to look for.
    #[inline(always)]
    fn settle(&mut self) {
        let frame = &mut self.frame;
        frame.names.count = 0;
        frame.iterates = false;
        for (index, segment) in self.segments.iter().enumerate().take(MOST) {
            if frame.ways[index] == 0 {
                continue;
            }
            match segment.step {
                Step::Name(_) if frame.is_object || segment.is_descendant => {
                    frame.names.segments[frame.names.count % MOST] = u8::try_from(index).unwrap_or(0);
                    frame.names.count += 1;
                }
                Step::All => frame.iterates = true,
                Step::Items { end, .. } => {
                    // Those of a descendant segment are to be asked again in each array inside.
                    frame.iterates |= segment.is_descendant || !frame.is_object && frame.index < end;
                }
                _ => {}
            }
        }
    }

    /// Enters the container at `place`.
    #[inline(always)]
    fn enter(&mut self, byte: u8, ways: Ways, heads: Heads, number: Option<usize>) {
        self.depth += 1;
        self.place += 1;
        let frame = Frame {
            depth: self.depth,
            ways,
            heads,
            number,
            index: 0,
            is_object: byte == b'{',
            is_fresh: true,
            iterates: false,
            names: Live::default(),
        };
        self.frames.push(std::mem::replace(&mut self.frame, frame));
        self.settle();
    }

    /// Leaves the frame's container, which ends in front of `end`.
    #[inline(always)]
    fn leave<K: Kernel, P: Turn<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>, end: u64) -> Result<(), Stop> {
        self.depth = self.frame.depth - 1;
        self.low = self.low.min(self.depth);
        self.place = end;
        if let Some(number) = self.frame.number {
            tiles.report.end(number, end);
            if tiles.report.is_complete() {
                return tiles.enough(end);
            }
        }
        if let Some(frame) = self.frames.pop() {
            self.frame = frame;
        }
        Ok(())
    }

    /// Comes to the value at `place`, which is a match in so many ways and whose children segments may select in `ways`.
    #[inline(always)]
    fn arrive<K: Kernel, P: Turn<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        mut ways: Ways,
        hits: u64,
    ) -> Result<(), Stop> {
        let byte = tiles.byte(self.place);
        let heads = self.heads(tiles, &ways, hits)?;
        let mut number = None;
        if hits > 0 {
            let times = tiles.report.add(hits);
            if tiles.report.lists() {
                if times > 0 {
                    let head = u64::from(heads[self.segments.len() % (MOST + 1)]);
                    let begun = tiles.report.begin(self.place, if self.leader.is_some() { head } else { times });
                    number = Some(begun);
                    if !is_opener(byte) {
                        self.place = tiles.scalar_end(self.place)?;
                        tiles.report.end(begun, self.place);
                    }
                }
                if tiles.report.is_complete() {
                    return tiles.enough(self.place);
                }
            } else if tiles.report.is_full() {
                return tiles.enough(self.place);
            }
        }
        if is_opener(byte) {
            let mut is_frame = self.frame.iterates || number.is_some();
            for (index, segment) in self.segments.iter().enumerate().take(MOST) {
                is_frame |= ways[index] > 0;
                if segment.is_descendant {
                    ways[index] = ways[index].saturating_add(self.frame.ways[index]);
                }
            }
            if is_frame {
                self.enter(byte, ways, heads, number);
            }
        }
        Ok(())
    }

    /// The heads through which a child is selected: those of its container, one segment on, and perhaps itself.
    #[inline(always)]
    fn heads<K: Kernel, P: Turn<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        ways: &Ways,
        hits: u64,
    ) -> Result<Heads, Stop> {
        let mut heads = [0; MOST + 1];
        if let Some(leader) = self.leader {
            heads[1..].copy_from_slice(&self.frame.heads[..MOST]);
            let times = if leader + 1 == self.segments.len() { hits } else { ways[(leader + 1) % MOST] };
            if times > 0 {
                let head = tiles.report.head(self.depth, self.low);
                heads[leader + 1] = head.map_or_else(|| tiles.fail(self.place), Ok)?;
                self.low = self.depth;
            }
        }
        Ok(heads)
    }

    /// What the name in front of the quote at `end` means, if it is one of those that are looked for.
    #[inline(always)]
    fn named<K: Kernel, P: Turn<K> + ?Sized>(
        &self,
        tiles: &Tiles<'_, K, P>,
        end: u64,
        is_child: bool,
    ) -> Option<Named> {
        let (mut named, mut any) = (Named::default(), false);
        for index in self.frame.names.iter() {
            let segment = &self.segments[index];
            if let Step::Name(name) = &segment.step
                && (is_child || segment.is_descendant)
                && tiles.says(end, name)
            {
                any = true;
                named.used |= u32::from(!segment.is_descendant) << index;
                let times = self.frame.ways[index];
                if index + 1 == self.segments.len() {
                    named.hits = named.hits.saturating_add(times);
                } else {
                    named.ways[index + 1] = times;
                }
            }
        }
        any.then_some(named)
    }

    /// A child segment takes the first member of a name only.
    #[inline(always)]
    fn use_up(&mut self, used: u32) {
        if used == 0 {
            return;
        }
        for index in 0..MOST {
            if used >> index & 1 == 1 {
                self.frame.ways[index] = 0;
            }
        }
        self.settle();
    }

    /// Goes to the next member with the name of the first segment, at any depth.
    #[inline(always)]
    fn head<K: Kernel, P: Turn<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) -> Result<(), Stop> {
        let Some(Segment { step: Step::Name(name), .. }) = self.segments.first() else { return Err(Stop::End) };
        let value = match tiles.head(self.place, name) {
            Err(Stop::End) => return Err(Stop::EndAnywhere),
            value => value?,
        };
        self.place = value;
        self.depth = 0;
        let mut ways = [0; MOST];
        ways[1] = u64::from(self.segments.len() > 1);
        self.arrive(tiles, ways, u64::from(self.segments.len() == 1))
    }

    /// Goes to the next member with a name that is looked for, or returns the end of the frame's container.
    #[inline(always)]
    fn name<K: Kernel, P: Turn<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) -> Result<Option<u64>, Stop> {
        tiles.reach(self.place)?;
        let (mut word, mut mask) = tiles.word_of(self.place);
        let (mut open, mut close) = (tiles.masks.open(word) & mask, tiles.masks.close(word) & mask);
        let mut ends = close;
        loop {
            let mut names = 0;
            for index in self.frame.names.iter() {
                if let Step::Name(name) = &self.segments[index].step {
                    names |= tiles.candidates(word, mask, name);
                }
            }
            let floor = self.frame.depth.max(self.low);
            let levels = self.depth - floor + 1;
            let mut last = 64;
            if ends.count_ones() as usize >= levels {
                last = fall(tiles.kernel, open, close, ends, levels);
                if last < 64 {
                    names &= below(last);
                }
            }
            while names != 0 {
                let position = names.trailing_zeros();
                names &= names - 1;
                let before = below(position);
                let depth = deeper(self.depth, open & before, close & before);
                let end = tiles.place_of(word, position);
                let is_child = depth == self.frame.depth;
                if let Some(named) = self.named(tiles, end, is_child) {
                    self.depth = depth;
                    match tiles.value_of(end)? {
                        Ok(value) => {
                            self.place = value;
                            self.use_up(named.used);
                            self.arrive(tiles, named.ways, named.hits)?;
                        }
                        Err(next) => self.place = next,
                    }
                    return Ok(None);
                }
            }
            if last < 64 {
                let behind = tiles.place_of(word, last) + 1;
                if floor == self.frame.depth {
                    return Ok(Some(behind));
                }
                // The container of the last head, or one around it.
                (self.place, self.depth, self.low) = (behind, floor - 1, floor - 1);
                return Ok(None);
            }
            self.depth = deeper(self.depth, open, close);
            (word, mask) = (word + 1, !0);
            if word.is_multiple_of(K::Word::LANES) {
                loop {
                    if word == tiles.words {
                        tiles.turn()?;
                        word = 0;
                    }
                    let levels = self.depth - floor + 1;
                    if tiles.masks.falls::<K>(word) as usize >= levels || self.has_candidates(tiles, word) {
                        break;
                    }
                    self.depth = self.depth.wrapping_add_signed(tiles.masks.rise::<K>(word) as isize);
                    word += K::Word::LANES;
                }
            }
            (open, close) = (tiles.masks.open(word), tiles.masks.close(word));
            ends = tiles.masks.outer_close(word);
        }
    }

    #[inline(always)]
    fn has_candidates<K: Kernel, P: Turn<K> + ?Sized>(&self, tiles: &Tiles<'_, K, P>, word: usize) -> bool {
        for index in self.frame.names.iter() {
            if let Step::Name(name) = &self.segments[index].step
                && tiles.has_candidates(word, name)
            {
                return true;
            }
        }
        false
    }

    /// Goes to the next child, or returns the end of the frame's container.
    #[inline(always)]
    fn child<K: Kernel, P: Turn<K> + ?Sized>(&mut self, tiles: &mut Tiles<'_, K, P>) -> Result<Option<u64>, Stop> {
        let is_fresh = std::mem::replace(&mut self.frame.is_fresh, false);
        if is_fresh {
            self.place = tiles.visible(self.place)?;
            if matches!(tiles.byte(self.place), b']' | b'}') {
                return Ok(Some(self.place + 1));
            }
        } else {
            match tiles.hop(self.place, 1, b',')? {
                Found::Here(next) => self.place = tiles.visible(next)?,
                Found::Behind(end) => return Ok(Some(end)),
            }
            self.frame.index += 1;
            if !self.frame.is_object {
                // Where no more elements are wanted they need not be taken one by one.
                self.settle();
            }
        }
        let Named { mut ways, mut hits, .. } = Named::default();
        let index = self.frame.index;
        if self.frame.is_object {
            if tiles.byte(self.place) != b'"' {
                // No JSON, and nobody has checked it.
                return Err(Stop::End);
            }
            let end = tiles.quote(self.place + 1)?;
            if let Some(named) = self.named(tiles, end, true) {
                (ways, hits) = (named.ways, named.hits);
                self.use_up(named.used);
            }
            match tiles.value_of(end)? {
                Ok(value) => self.place = value,
                Err(_) => return Err(Stop::End),
            }
        }
        for (number, segment) in self.segments.iter().enumerate().take(MOST) {
            let selects = match segment.step {
                Step::All => true,
                Step::Items { first, end, step } => {
                    !self.frame.is_object && first <= index && index < end && (index - first).is_multiple_of(step)
                }
                _ => false,
            };
            let times = self.frame.ways[number];
            if !selects || times == 0 {
                continue;
            }
            if number + 1 == self.segments.len() {
                hits = hits.saturating_add(times);
            } else {
                ways[number + 1] = ways[number + 1].saturating_add(times);
            }
        }
        self.arrive(tiles, ways, hits)?;
        Ok(None)
    }
}
