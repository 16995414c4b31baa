//! Brackets: the only stack, one bit per open container, fed with up to 63 brackets at a time.
//!
//! Brackets queue up in two words, *is it an opener* and *is the segment before it an object's*. When the queue is full,
//! pairs of neighbours are removed until only closers followed by openers are left, and those meet the stack in one
//! comparison and one push. The grammar has already made each segment agree with the brackets at its ends, so what is
//! left to compare is the kind of the segment in front of an opener with that of the segment behind its closer.

#![forbid(unsafe_code)]

mod fragment;

use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use fragment::Around;
pub(crate) use fragment::Fragment;

/// Lanes of the tile of any kernel, and room for what packing overwrites behind them.
const LANES: usize = MAX_TILE_BYTES / 64 + GROUP;

/// Lanes that are worked on together.
const GROUP: usize = 8;
type Group = [u64; GROUP];

/// The lanes of a tile that hold brackets, packed.
pub(super) struct Lanes {
    pub(super) all: [u64; LANES],
    pub(super) open: [u64; LANES],
    pub(super) object: [u64; LANES],
}

impl Lanes {
    pub(super) fn empty() -> Self {
        Self { all: [0; LANES], open: [0; LANES], object: [0; LANES] }
    }

    /// Empties what packing left behind the first `count` lanes.
    #[inline(always)]
    pub(super) fn end(&mut self, count: usize) {
        self.all[count..count + GROUP].fill(0);
    }
}

/// Brackets that have not met the stack: bit *i* of each word belongs to the *i*-th of them.
///
/// The last one stays when the queue is worked off, since the bracket before it needs to know the segment between them.
#[derive(Clone, Copy, Default)]
struct Queue {
    openers: u64,
    objects: u64,
    length: u32,
}

impl Queue {
    /// The most brackets it holds: shifts by its length stay below 64.
    const MOST: u32 = 63;

    #[inline(always)]
    fn append<K: Kernel>(&mut self, kernel: K, brackets: u64, open: u64, object: u64) {
        self.openers |= kernel.extract(open, brackets) << self.length;
        self.objects |= kernel.extract(object, brackets) << self.length;
        self.length += kernel.count(brackets);
    }
}

/// The brackets of a document so far.
#[derive(Clone)]
pub(crate) struct Nesting {
    queue: Queue,
    /// Bit *i* is set if the container around the one at depth *i* + 1 is an object. Bit 0, the root's, means nothing.
    stack: Vec<u64>,
    depth: usize,
    /// The least depth since it was last asked for.
    lowest: usize,
    limit: usize,
    /// What the limit is for a document; for a fragment it is another.
    max_depth: usize,
    root_seen: bool,
    failed: bool,
    /// Whether that is for want of memory.
    exhausted: bool,
    /// What is known of the containers around a fragment.
    around: Option<Box<Around>>,
}

impl Nesting {
    pub(super) fn new(max_depth: Option<u64>) -> Self {
        let limit = max_depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(usize::MAX >> 1);
        Self {
            queue: Queue::default(),
            stack: vec![0; 8],
            depth: 0,
            lowest: 0,
            limit,
            max_depth: limit,
            root_seen: false,
            failed: false,
            exhausted: false,
            around: None,
        }
    }

    pub(super) fn start(&mut self) {
        self.around = None;
        self.limit = self.max_depth;
        self.queue = Queue::default();
        self.depth = 0;
        self.lowest = 0;
        self.root_seen = false;
        self.failed = false;
        self.exhausted = false;
    }

    /// Begins in an array.
    pub(super) fn start_lines(&mut self) {
        self.start();
        self.root_seen = true;
        self.push(0, 1);
    }

    #[inline(always)]
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Whether there was no memory for the stack. Then it has failed, whatever the brackets are.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Whether a bracket has been seen.
    pub(super) fn any(&self) -> bool {
        self.queue.length != 0 || self.root_seen
    }

    /// Containers that are open; exact only after [`settle`](Self::settle).
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The words of the stack; see [`lowest`](Self::take_lowest) for which of them may have changed.
    pub(crate) fn stack(&self) -> &[u64] {
        &self.stack
    }

    /// The least depth since this was last called: bits of the stack below it have not changed.
    pub(crate) fn take_lowest(&mut self) -> usize {
        std::mem::replace(&mut self.lowest, self.depth)
    }

    /// Takes the first `count` lanes of a tile; those behind them, up to a multiple of eight, must be empty.
    ///
    /// Eight at a time, with one question whether the queue has room: a loop over single lanes ends at unforeseeable places
    /// and asks more often, which costs 20 % where brackets are dense.
    #[inline(always)]
    pub(super) fn eat<K: Kernel>(&mut self, kernel: K, lanes: &Lanes, count: usize) {
        let (all, _) = lanes.all.as_chunks::<GROUP>();
        let (open, _) = lanes.open.as_chunks::<GROUP>();
        let (object, _) = lanes.object.as_chunks::<GROUP>();
        let mut queue = self.queue;
        for ((all, open), object) in all.iter().zip(open).zip(object).take(count.div_ceil(GROUP)) {
            let mut total = 0;
            for &lane in all {
                total += kernel.count(lane);
            }
            if queue.length + total > Queue::MOST {
                queue = kernel.run(Flush { nesting: self, queue });
            }
            if queue.length + total <= Queue::MOST {
                for lane in 0..GROUP {
                    queue.append(kernel, all[lane], open[lane], object[lane]);
                }
            } else {
                queue = kernel.run(Dense { nesting: self, queue, all, open, object });
            }
        }
        self.queue = queue;
    }

    /// More brackets in a group than a queue has room for: half a lane at a time.
    #[inline(always)]
    fn eat_dense<K: Kernel>(
        &mut self,
        kernel: K,
        mut queue: Queue,
        all: &Group,
        open: &Group,
        object: &Group,
    ) -> Queue {
        for half in 0..2 * GROUP {
            let lane = half / 2;
            let brackets = all[lane] & 0xffff_ffff << (half % 2 * 32);
            if queue.length + kernel.count(brackets) > Queue::MOST {
                queue = self.flush(kernel, queue);
            }
            queue.append(kernel, brackets, open[lane], object[lane]);
        }
        queue
    }

    /// Works off a queue but for its last bracket, which is left.
    #[inline(always)]
    fn flush<K: Kernel>(&mut self, kernel: K, queue: Queue) -> Queue {
        if queue.length <= 1 || self.failed {
            return Queue { length: queue.length.min(1), ..queue };
        }
        let mut count = queue.length - 1;
        let (mut openers, mut objects) = (queue.openers, queue.objects);
        let rest = Queue { openers: openers >> count & 1, objects: objects >> count & 1, length: 1 };
        openers &= !(1 << count);
        if !self.root_seen {
            self.root_seen = true;
            if let Some(around) = &mut self.around {
                around.first = Some(objects & 1 == 1);
            } else if openers & 1 == 0 {
                self.failed = true;
                return rest;
            } else {
                self.push(0, 1);
                openers >>= 1;
                objects >>= 1;
                count -= 1;
            }
        }
        if self.depth + count as usize > self.limit {
            self.check_limit(openers, count);
        }
        loop {
            // An opener and the closer behind it: the segments around the pair must be of one kind.
            let pairs = openers & !(openers >> 1) & (((1 << count) - 1) >> 1);
            if pairs == 0 {
                break;
            }
            self.failed |= pairs & (objects ^ (objects >> 2)) != 0;
            let kept = !(pairs | pairs << 1) & ((2 << count) - 1);
            openers = kernel.extract(openers, kept);
            objects = kernel.extract(objects, kept);
            count -= 2 * pairs.count_ones();
        }
        let closers = (openers | 1 << count).trailing_zeros();
        // The root's closer is the last bracket of a document and so never gets here; a fragment may close what is around it.
        let own = if self.depth <= closers as usize { self.leave(objects >> 1, closers) } else { closers };
        self.depth -= own as usize;
        self.lowest = self.lowest.min(self.depth);
        let enclosing = (self.bits_at(self.depth).reverse_bits() >> 1) >> (63 - own);
        self.failed |= (enclosing ^ objects >> 1) & ((1 << own) - 1) != 0;
        let left = count - closers;
        self.push(objects >> closers & ((1 << left) - 1), left);
        rest
    }

    /// Closes containers around a fragment; `enclosing` has the kinds of what is around each. Returns how many of the
    /// closers are left for those that were opened in it. A document has nothing around it.
    #[cold]
    fn leave(&mut self, enclosing: u64, closers: u32) -> u32 {
        let Some(around) = &mut self.around else {
            self.failed = true;
            return 0;
        };
        #[expect(clippy::cast_possible_truncation, reason = "fewer than `closers`")]
        let own = (self.depth - 1) as u32;
        self.failed |= around.closed.extend(enclosing >> own & ((1 << (closers - own)) - 1), closers - own).is_err();
        own
    }

    #[cold]
    fn check_limit(&mut self, openers: u64, count: u32) {
        let (mut depth, mut deepest) = (self.depth, self.depth);
        for index in 0..count {
            depth = if openers >> index & 1 == 1 { depth + 1 } else { depth.saturating_sub(1) };
            deepest = deepest.max(depth);
        }
        self.meet_limit(deepest);
    }

    /// Whether the limit holds for a fragment depends on what is around it.
    fn meet_limit(&mut self, deepest: usize) {
        match &mut self.around {
            Some(around) => around.meet_depth(deepest),
            None => self.failed |= deepest > self.limit,
        }
    }

    /// 64 bits of the stack from index `depth` on.
    #[inline(always)]
    fn bits_at(&self, depth: usize) -> u64 {
        let (word, shift) = (depth >> 6, depth & 63);
        self.stack[word] >> shift | self.stack[word + 1] << 1 << (63 - shift)
    }

    /// Pushes the low `count` (at most 63) of `bits`, which has no others.
    #[inline(always)]
    fn push(&mut self, bits: u64, count: u32) {
        let (word, shift) = (self.depth >> 6, self.depth & 63);
        if word + 4 > self.stack.len() && !self.grow() {
            return;
        }
        self.stack[word] = self.stack[word] & ((1 << shift) - 1) | bits << shift;
        self.stack[word + 1] = bits >> 1 >> (63 - shift);
        self.depth += count as usize;
    }

    #[cold]
    fn grow(&mut self) -> bool {
        let more = self.stack.len();
        self.exhausted = self.stack.try_reserve_exact(more).is_err();
        self.failed |= self.exhausted;
        if !self.exhausted {
            self.stack.resize(2 * more, 0);
        }
        !self.exhausted
    }

    /// Works off the whole queue, at a comma. `object` is the kind of the container there as far as the text since the last
    /// bracket tells it. Returns the kind, or nothing if the brackets so far cannot be part of a document.
    #[inline(always)]
    pub(super) fn settle<K: Kernel>(&mut self, kernel: K, object: Option<bool>) -> Option<bool> {
        if self.queue.length > 0 {
            let last = kernel.run(Flush { queue: self.queue, nesting: self });
            self.queue = Queue::default();
            let (opener, enclosing) = (last.openers & 1 == 1, last.objects & 1);
            if opener {
                self.root_seen = true;
                self.push(enclosing, 1);
                self.failed |= self.depth > self.limit;
            } else if self.depth > 1 {
                self.depth -= 1;
                self.lowest = self.lowest.min(self.depth);
                let popped = self.bits_at(self.depth) & 1 == 1;
                self.failed |= object.is_some_and(|object| object != popped);
                return (!self.failed).then_some(popped);
            } else {
                self.failed = true;
            }
        }
        self.failed |= !self.root_seen || object.is_none();
        if self.failed { None } else { object }
    }

    /// Whether the document's brackets are complete.
    #[inline(always)]
    pub(super) fn finish<K: Kernel>(&mut self, kernel: K) -> bool {
        if !self.any() {
            return !self.failed;
        }
        let last = kernel.run(Flush { queue: self.queue, nesting: self });
        // What is left is the root's closer.
        !self.failed && last.length == 1 && last.openers & 1 == 0 && self.depth == 1 && self.root_seen
    }
}

/// Flushing is a pass of its own, so that it is compiled once for each kernel and out of the way of the loop over lanes.
struct Flush<'n> {
    nesting: &'n mut Nesting,
    queue: Queue,
}

impl Pass for Flush<'_> {
    type Output = Queue;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Queue {
        self.nesting.flush(kernel, self.queue)
    }
}

/// Taking a group with many brackets; a pass of its own for the same reason.
struct Dense<'n> {
    nesting: &'n mut Nesting,
    queue: Queue,
    all: &'n Group,
    open: &'n Group,
    object: &'n Group,
}

impl Pass for Dense<'_> {
    type Output = Queue;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Queue {
        self.nesting.eat_dense(kernel, self.queue, self.all, self.open, self.object)
    }
}

#[cfg(test)]
mod tests;
