//! The nesting stack: one bit per open container, processed up to 63 brackets at a time.
//!
//! Brackets are queued in two words: *is it an opening bracket* and *does the segment before it belong to an object*. When the
//! queue is full, adjacent pairs of an opening and a closing bracket are removed until only closing brackets followed by opening
//! brackets are left. One comparison and one push then apply those to the stack. The token rules have already checked that each
//! segment agrees with the brackets at its ends. So it remains to compare the kind of the segment before an opening bracket with
//! that of the segment after the matching closing bracket.

#![forbid(unsafe_code)]

mod fragment;

use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use fragment::Around;
pub(crate) use fragment::Fragment;

/// Greatest number of lanes in a tile of any kernel, and room for the entries that packing overwrites after them.
const LANES: usize = MAX_TILE_BYTES / 64 + GROUP;

/// Number of lanes that are processed together.
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

    /// Clears the entries after the first `count` lanes, which packing may have overwritten.
    #[inline(always)]
    pub(super) fn end(&mut self, count: usize) {
        self.all[count..count + GROUP].fill(0);
    }
}

/// Brackets that have not been applied to the stack yet. Bit *i* of each word belongs to the *i*-th of them.
///
/// Flushing keeps the last bracket, because processing a bracket requires the kind of the segment after it, which the next bracket
/// carries.
#[derive(Clone, Copy, Default)]
struct Queue {
    /// Whether each one is an opening bracket.
    openers: u64,
    /// Whether the segment before each one belongs to an object.
    objects: u64,
    length: u32,
}

impl Queue {
    /// Capacity, chosen so that shifts by the length stay below 64.
    const MOST: u32 = 63;

    #[inline(always)]
    fn append<K: Kernel>(&mut self, kernel: K, brackets: u64, open: u64, object: u64) {
        let [openers, objects] = kernel.extract_both([open, object], brackets);
        self.openers |= openers << self.length;
        self.objects |= objects << self.length;
        self.length += kernel.count(brackets);
    }
}

/// State of the brackets of a document.
#[derive(Clone)]
pub(crate) struct Nesting {
    queue: Queue,
    /// Bit *i* is set if the container around the one at depth *i* + 1 is an object. Bit 0, the root's, is unspecified.
    stack: Vec<u64>,
    depth: usize,
    /// Least depth since the last call of [`take_lowest`](Self::take_lowest).
    lowest: usize,
    /// Depth above which the exact depth must be checked: `max_depth` for a document, half of it for a fragment.
    limit: usize,
    /// Greatest depth a document may have.
    max_depth: usize,
    root_seen: bool,
    failed: bool,
    /// Whether it failed because an allocation did.
    exhausted: bool,
    /// Information about the containers around a fragment; `None` for a document.
    around: Option<Box<Around>>,
}

/// Returns the depth that stands for a limit, or for none.
fn limit(max_depth: Option<u64>) -> usize {
    max_depth.and_then(|depth| usize::try_from(depth).ok()).unwrap_or(usize::MAX >> 1)
}

impl Nesting {
    pub(super) fn new(max_depth: Option<u64>) -> Self {
        let limit = limit(max_depth);
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

    /// Sets the greatest depth of the documents that are started from now on.
    pub(super) fn set_max_depth(&mut self, max_depth: Option<u64>) {
        self.max_depth = limit(max_depth);
    }

    /// Returns the size of the stack in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of::<u64>() * self.stack.capacity()
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

    /// Starts inside an array.
    pub(super) fn start_lines(&mut self) {
        self.start();
        self.root_seen = true;
        self.push(0, 1);
    }

    #[inline(always)]
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Returns whether there was not enough memory for the stack. Checking has then failed even if the brackets are valid.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Returns whether there has been any bracket.
    pub(super) fn any(&self) -> bool {
        self.queue.length != 0 || self.root_seen
    }

    /// Returns the number of open containers. Exact only after [`reconcile`](Self::reconcile).
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns [`depth`](Self::depth) as a signed number, to compare it with levels that are relative to the start of a chunk.
    pub(crate) fn level(&self) -> i64 {
        self.depth.try_into().unwrap_or(i64::MAX)
    }

    /// Returns the depth of the outermost open array. The state must be [reconciled](Self::reconcile) at a comma; `object` tells whether
    /// the comma's container is an object.
    pub(crate) fn outermost_array(&self, object: bool) -> Option<usize> {
        let around = (1..self.depth).find(|depth| self.stack[depth / 64] >> (depth % 64) & 1 == 0);
        around.or((!object).then_some(self.depth))
    }

    /// Returns the words of the stack. [`take_lowest`](Self::take_lowest) tells which of them may have changed.
    pub(crate) fn stack(&self) -> &[u64] {
        &self.stack
    }

    /// Returns the least depth since the last call. Bits of the stack below it have not changed.
    pub(crate) fn take_lowest(&mut self) -> usize {
        std::mem::replace(&mut self.lowest, self.depth)
    }

    /// Adds the brackets of the first `count` lanes of a tile. The lanes after them, up to a multiple of eight, must be zero.
    ///
    /// Eight lanes are processed together, with one test for space in the queue. A loop over single lanes ends at unpredictable
    /// iterations and tests more often, which costs 20 % where brackets are dense.
    #[inline(always)]
    pub(super) fn add<K: Kernel>(&mut self, kernel: K, lanes: &Lanes, count: usize) {
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
                let [openers, objects] = kernel.extract_group([open, object], all, total);
                queue.openers |= openers << queue.length;
                queue.objects |= objects << queue.length;
                queue.length += total;
            } else {
                queue = kernel.run(Dense { nesting: self, queue, all, open, object });
            }
        }
        self.queue = queue;
    }

    /// Adds a group with more brackets than the queue can hold, half a lane at a time.
    #[inline(always)]
    fn add_dense<K: Kernel>(
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

    /// Applies all brackets of the queue except the last one to the stack. Returns the last one.
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
            // An opening bracket followed by a closing one: the segments before and after the pair must be of the same kind.
            let pairs = openers & !(openers >> 1) & (((1 << count) - 1) >> 1);
            if pairs == 0 {
                break;
            }
            // mutant:
            self.failed |= pairs & (objects ^ (objects >> 2)) != 0;
            let kept = !(pairs | pairs << 1) & ((2 << count) - 1);
            [openers, objects] = kernel.extract_both([openers, objects], kept);
            count -= 2 * pairs.count_ones();
        }
        let closers = (openers | 1 << count).trailing_zeros();
        // The root's closing bracket is the last of a document and never gets here. A fragment may close containers around it.
        let own = if self.depth <= closers as usize { self.leave(objects >> 1, closers) } else { closers };
        self.depth -= own as usize;
        // mutant:
        self.lowest = self.lowest.min(self.depth);
        let enclosing = (self.bits_at(self.depth).reverse_bits() >> 1) >> (63 - own);
        // mutant:
        self.failed |= (enclosing ^ objects >> 1) & ((1 << own) - 1) != 0;
        let left = count - closers;
        self.push(objects >> closers & ((1 << left) - 1), left);
        rest
    }

    /// Records that a fragment closes containers around it. `enclosing` has the kind of the container around each. Returns how many
    /// of the closing brackets belong to containers that were opened in the fragment. Fails for a document.
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
        self.check_depth(deepest);
    }

    /// Fails if the depth exceeds the limit. For a fragment, whose absolute depth is unknown, only records the depth.
    fn check_depth(&mut self, deepest: usize) {
        match &mut self.around {
            Some(around) => around.record_depth(deepest),
            // mutant: None => (),
            None => self.failed |= deepest > self.limit,
        }
    }

    /// Returns 64 bits of the stack from index `depth` on.
    #[inline(always)]
    fn bits_at(&self, depth: usize) -> u64 {
        let (word, shift) = (depth >> 6, depth & 63);
        self.stack[word] >> shift | self.stack[word + 1] << 1 << (63 - shift)
    }

    /// Pushes the low `count` (at most 63) bits of `bits`. All other bits must be 0.
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

    /// Applies the whole queue to the stack, at a comma. `object` tells whether the comma's container is an object, if the text
    /// since the last bracket shows it. Returns whether it is an object, or `None` if the brackets so far are invalid.
    #[inline(always)]
    pub(super) fn reconcile<K: Kernel>(&mut self, kernel: K, object: Option<bool>) -> Option<bool> {
        if self.queue.length > 0 {
            let last = kernel.run(Flush { queue: self.queue, nesting: self });
            self.queue = Queue::default();
            let (opener, enclosing) = (last.openers & 1 == 1, last.objects & 1);
            if opener {
                self.root_seen = true;
                self.push(enclosing, 1);
                // mutant:
                self.failed |= self.depth > self.limit;
            } else if self.depth > 1 {
                self.depth -= 1;
                self.lowest = self.lowest.min(self.depth);
                let popped = self.bits_at(self.depth) & 1 == 1;
                // mutant:
                self.failed |= object.is_some_and(|object| object != popped);
                return (!self.failed).then_some(popped);
            } else {
                self.failed = true;
            }
        }
        // mutant:
        self.failed |= !self.root_seen || object.is_none();
        if self.failed { None } else { object }
    }

    /// Returns whether the brackets form a complete document.
    #[inline(always)]
    pub(super) fn finish<K: Kernel>(&mut self, kernel: K) -> bool {
        if !self.any() {
            return !self.failed;
        }
        let last = kernel.run(Flush { queue: self.queue, nesting: self });
        // Only the root's closing bracket is left.
        // mutant: !self.failed && last.length == 1 && last.openers & 1 == 0  && self.root_seen
        !self.failed && last.length == 1 && last.openers & 1 == 0 && self.depth == 1 && self.root_seen
    }
}

/// Flushes the queue. A separate pass, so that it is compiled once for each kernel and not inlined into the loop over lanes.
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

/// Adds a group with many brackets. A separate pass for the same reason.
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
        self.nesting.add_dense(kernel, self.queue, self.all, self.open, self.object)
    }
}

#[cfg(test)]
mod tests;
