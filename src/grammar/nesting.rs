//! Brackets: the only stack, one bit per open container, fed with up to 63 brackets at a time.
//!
//! Brackets queue up as two words, *is it an opener* and *is the segment before it an object's*. When the queue is full,
//! pairs of neighbours are removed until only closers followed by openers are left, and those meet the stack in one
//! comparison and one push. The grammar has already made each segment agree with the brackets at its ends, so what is
//! left to compare is the kind of the segment in front of an opener with that of the segment behind its closer.

#![forbid(unsafe_code)]

use crate::kernel::Kernel;

/// Lanes of a tile that hold brackets, and room to work on eight at a time.
pub(super) const QUEUE_LANES: usize = 48;

/// The bracket lanes of a tile, packed.
pub(super) struct Lanes {
    pub(super) all: [u64; QUEUE_LANES],
    pub(super) open: [u64; QUEUE_LANES],
    pub(super) object: [u64; QUEUE_LANES],
}

impl Lanes {
    pub(super) fn empty() -> Self {
        Self { all: [0; QUEUE_LANES], open: [0; QUEUE_LANES], object: [0; QUEUE_LANES] }
    }
}

/// The brackets of a document so far.
#[derive(Clone)]
pub(crate) struct Nesting {
    /// The queue: bit *i* of each word belongs to the *i*-th bracket not yet compared. The last one stays when the queue is
    /// worked off, since the bracket before it needs to know the segment between them.
    openers: u64,
    objects: u64,
    queued: u32,
    /// Bit *i* is set if the container around the one at depth *i* + 1 is an object. Bit 0, the root's, means nothing.
    stack: Vec<u64>,
    depth: usize,
    /// The least depth since it was last asked for.
    lowest: usize,
    limit: usize,
    root_seen: bool,
    failed: bool,
}

impl Nesting {
    pub(super) fn new(max_depth: Option<u64>) -> Self {
        let limit = max_depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(usize::MAX >> 1);
        Self {
            openers: 0,
            objects: 0,
            queued: 0,
            stack: vec![0; 8],
            depth: 0,
            lowest: 0,
            limit,
            root_seen: false,
            failed: false,
        }
    }

    pub(super) fn start(&mut self) {
        self.openers = 0;
        self.objects = 0;
        self.queued = 0;
        self.depth = 0;
        self.lowest = 0;
        self.root_seen = false;
        self.failed = false;
    }

    #[inline(always)]
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Whether a bracket has been seen.
    pub(super) fn any(&self) -> bool {
        self.queued != 0 || self.root_seen
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
    #[inline(always)]
    pub(super) fn eat<K: Kernel>(&mut self, kernel: K, lanes: &Lanes, count: usize) {
        let (all, _) = lanes.all.as_chunks::<8>();
        let (open, _) = lanes.open.as_chunks::<8>();
        let (object, _) = lanes.object.as_chunks::<8>();
        for ((all, open), object) in all.iter().zip(open).zip(object).take(count.div_ceil(8)) {
            let mut total = 0;
            for lane in all {
                total += lane.count_ones();
            }
            if self.queued + total > 63 {
                self.flush(kernel);
            }
            if self.queued + total <= 63 {
                for lane in 0..8 {
                    self.append(kernel, all[lane], open[lane], object[lane]);
                }
            } else {
                self.eat_dense(kernel, all, open, object);
            }
            if self.failed {
                return;
            }
        }
    }

    /// More brackets in eight lanes than the queue can hold: half a lane at a time.
    #[inline(always)]
    fn eat_dense<K: Kernel>(&mut self, kernel: K, all: &[u64; 8], open: &[u64; 8], object: &[u64; 8]) {
        for half in 0..16 {
            let lane = half / 2;
            let brackets = all[lane] & 0xffff_ffff << (half % 2 * 32);
            if self.queued + brackets.count_ones() > 63 {
                self.flush(kernel);
            }
            self.append(kernel, brackets, open[lane], object[lane]);
        }
    }

    #[inline(always)]
    fn append<K: Kernel>(&mut self, kernel: K, brackets: u64, open: u64, object: u64) {
        self.openers |= kernel.extract(open, brackets) << self.queued;
        self.objects |= kernel.extract(object, brackets) << self.queued;
        self.queued += brackets.count_ones();
    }

    /// Works off the queue but for its last bracket.
    #[inline(always)]
    fn flush<K: Kernel>(&mut self, kernel: K) {
        if self.queued <= 1 {
            return;
        }
        let mut count = self.queued - 1;
        let (mut openers, mut objects) = (self.openers, self.objects);
        self.openers = openers >> count & 1;
        self.objects = objects >> count & 1;
        self.queued = 1;
        openers &= !(1 << count);
        if !self.root_seen {
            if openers & 1 == 0 {
                self.failed = true;
                return;
            }
            self.root_seen = true;
            self.push(0, 1);
            openers >>= 1;
            objects >>= 1;
            count -= 1;
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
        if self.depth <= closers as usize {
            // The root's closer is the last bracket of a document and so never gets here.
            self.failed = true;
            return;
        }
        self.depth -= closers as usize;
        self.lowest = self.lowest.min(self.depth);
        let enclosing = (self.bits_at(self.depth).reverse_bits() >> 1) >> (63 - closers);
        self.failed |= (enclosing ^ objects >> 1) & ((1 << closers) - 1) != 0;
        let left = count - closers;
        self.push(objects >> closers & ((1 << left) - 1), left);
    }

    #[cold]
    fn check_limit(&mut self, openers: u64, count: u32) {
        let (mut depth, mut deepest) = (self.depth, self.depth);
        for index in 0..count {
            depth = if openers >> index & 1 == 1 { depth + 1 } else { depth.saturating_sub(1) };
            deepest = deepest.max(depth);
        }
        self.failed |= deepest > self.limit;
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
        if word + 4 > self.stack.len() {
            self.grow();
        }
        self.stack[word] = self.stack[word] & ((1 << shift) - 1) | bits << shift;
        self.stack[word + 1] = bits >> 1 >> (63 - shift);
        self.depth += count as usize;
    }

    #[cold]
    fn grow(&mut self) {
        self.stack.resize(2 * self.stack.len(), 0);
    }

    /// Works off the whole queue, at a comma. `object` is the kind of the container there as far as the text since the last
    /// bracket tells it. Returns the kind, or nothing if the brackets so far cannot be part of a document.
    #[inline(always)]
    pub(super) fn settle<K: Kernel>(&mut self, kernel: K, object: Option<bool>) -> Option<bool> {
        if self.queued > 0 {
            self.flush(kernel);
            let (opener, enclosing) = (self.openers & 1 == 1, self.objects & 1);
            self.start_queue();
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
        self.flush(kernel);
        // What is left is the root's closer.
        !self.failed && self.queued == 1 && self.openers & 1 == 0 && self.depth == 1 && self.root_seen
    }

    fn start_queue(&mut self) {
        self.openers = 0;
        self.objects = 0;
        self.queued = 0;
    }
}
