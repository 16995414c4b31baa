//! Compares the nesting stack with a plain stack (result, kinds and depths) for brackets distributed over lanes in many ways.

#![forbid(unsafe_code)]

use super::Lanes;
use super::Nesting;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;

/// A bracket as the nesting stack sees it. Every text that satisfies the token rules is a sequence of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bracket {
    open: bool,
    /// Whether the segment before it belongs to an object.
    object: bool,
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }
}

/// Returns the kinds of the containers that are open after some brackets, outermost first; `None` if no document can begin with
/// them.
///
/// The kind of a container is that of the segment after its opening bracket. The segment after the last bracket has kind `after`.
fn open(brackets: &[Bracket], after: bool, limit: usize) -> Option<Vec<bool>> {
    let mut kinds = Vec::new();
    for (index, bracket) in brackets.iter().enumerate() {
        if index > 0 && kinds.last() != Some(&bracket.object) {
            return None;
        }
        if bracket.open {
            kinds.push(brackets.get(index + 1).map_or(after, |next| next.object));
        } else {
            kinds.pop()?;
        }
        if kinds.len() > limit {
            return None;
        }
    }
    Some(kinds)
}

/// Passes brackets to `nesting` in lanes. In some calls every position is a bracket, in others only a few are.
fn feed<K: Kernel>(kernel: K, nesting: &mut Nesting, brackets: &[Bracket], random: &mut Random) {
    let mut brackets = brackets.iter().peekable();
    let mut lanes = Lanes::empty();
    let sparse = [1, 1, 2, 30][random.below(4)];
    while brackets.peek().is_some() {
        let most = 1 + random.below(MAX_TILE_BYTES / 64);
        let mut count = 0;
        while count < most && brackets.peek().is_some() {
            let (mut all, mut open, mut object) = (0, 0, 0);
            for position in 0..64 {
                if random.below(sparse) == 0
                    && let Some(bracket) = brackets.next()
                {
                    all |= 1 << position;
                    open |= u64::from(bracket.open) << position;
                    object |= u64::from(bracket.object) << position;
                }
            }
            if all != 0 {
                (lanes.all[count], lanes.open[count], lanes.object[count]) = (all, open, object);
                count += 1;
            }
        }
        lanes.end(count);
        nesting.add(kernel, &lanes, count);
    }
}

struct Exhaustive;

impl Pass for Exhaustive {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        const LENGTH: usize = 10;
        let mut nesting = Nesting::new(None);
        let mut random = Random(1);
        for length in 0..=LENGTH {
            for number in 0..1 << (2 * length) {
                let bit = |place: usize| number >> place & 1 == 1;
                let bracket = |place| Bracket { open: bit(2 * place), object: bit(2 * place + 1) };
                let brackets: [_; LENGTH] = std::array::from_fn(bracket);
                let brackets = &brackets[..length];
                nesting.start();
                feed(kernel, &mut nesting, brackets, &mut random);
                let complete = open(brackets, false, usize::MAX).is_some_and(|kinds| kinds.is_empty());
                assert_eq!(nesting.finish(kernel), complete, "{brackets:?}");
            }
        }
    }
}

#[test]
fn sequences_of_up_to_ten_brackets() {
    for isa in Isa::available() {
        isa.run(Exhaustive);
    }
}

/// Returns the brackets of a random document, often with a few errors.
fn document(random: &mut Random) -> Vec<Bracket> {
    let mut kinds = vec![random.below(2) == 0];
    let mut brackets = vec![Bracket { open: true, object: false }];
    let (length, climb) = (random.below(600), 2 + random.below(6));
    while let Some(&object) = kinds.last() {
        let open = brackets.len() < length && random.below(climb) > 0;
        brackets.push(Bracket { open, object });
        if open {
            kinds.push(random.below(2) == 0);
        } else {
            kinds.pop();
        }
    }
    for _ in 0..random.below(3) {
        let place = random.below(brackets.len());
        let bracket = &mut brackets[place];
        match random.below(3) {
            0 => bracket.open ^= true,
            1 => bracket.object ^= true,
            _ => brackets.truncate(place + 1),
        }
    }
    brackets
}

/// Documents of random length with limits near their depth, reconciled at random positions.
struct Cut;

impl Pass for Cut {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        for seed in 1..5000 {
            let mut random = Random(seed);
            let brackets = document(&mut random);
            let unlimited = open(&brackets, false, usize::MAX);
            let deepest = (1..600).find(|&limit| open(&brackets, false, limit) == unlimited).unwrap_or(600);
            let max_depth = [None, Some(deepest), Some(deepest - 1), Some(0)][random.below(4)];
            let limit = max_depth.unwrap_or(usize::MAX);
            let mut nesting = Nesting::new(max_depth.map(|depth| depth as u64));
            let (mut done, mut stack) = (0, Vec::new());
            loop {
                let next = (done + random.below(100)).min(brackets.len());
                feed(kernel, &mut nesting, &brackets[done..next], &mut random);
                if next == brackets.len() {
                    let complete = open(&brackets, false, limit).is_some_and(|kinds| kinds.is_empty());
                    assert_eq!(nesting.finish(kernel), complete, "{seed}: {brackets:?}");
                    break;
                }
                // The comma is in the same segment as the next bracket. If a closing bracket is all that precedes the comma in its
                // segment, the kind may be unknown.
                let object = brackets[next].object;
                let known = next == done || brackets[next - 1].open || random.below(3) > 0;
                let kinds = open(&brackets[..next], object, limit).filter(|kinds| !kinds.is_empty());
                let expected =
                    kinds.as_ref().map(|kinds| kinds[kinds.len() - 1]).filter(|&kind| !known || kind == object);
                assert_eq!(nesting.reconcile(kernel, known.then_some(object)), expected, "{seed}: {brackets:?}");
                let Some(kinds) = kinds.filter(|_| expected == Some(object)) else { break };
                check_stack(&mut nesting, &mut stack, &kinds);
                done = next;
            }
        }
    }
}

/// Checks the depth and the stack of a reconciled nesting. `stack` is a copy that is updated with only the words that may have
/// changed.
fn check_stack(nesting: &mut Nesting, stack: &mut Vec<u64>, kinds: &[bool]) {
    assert_eq!(nesting.depth(), kinds.len());
    let changed = nesting.take_lowest() / 64..nesting.depth() / 64 + 1;
    stack.resize(stack.len().max(changed.end), 0);
    stack[changed.clone()].copy_from_slice(&nesting.stack()[changed]);
    let around = (1..kinds.len()).map(|level| stack[level / 64] >> (level % 64) & 1 == 1);
    assert!(around.eq(kinds[..kinds.len() - 1].iter().copied()), "{kinds:?}");
}

#[test]
fn reconciled_anywhere() {
    for isa in Isa::available() {
        isa.run(Cut);
    }
}

/// A hundred thousand nested containers.
struct Deep;

impl Pass for Deep {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        const DEPTH: u64 = 100_000;
        let object = |level: u64| level > 0 && (level * level).is_multiple_of(3);
        let up = (0..DEPTH).map(|level| Bracket { open: true, object: object(level) });
        let down = (1..=DEPTH).rev().map(|level| Bracket { open: false, object: object(level) });
        let brackets: Vec<_> = up.chain(down).collect();
        for (max_depth, complete) in [(None, true), (Some(DEPTH), true), (Some(DEPTH - 1), false)] {
            let mut nesting = Nesting::new(max_depth);
            feed(kernel, &mut nesting, &brackets, &mut Random(1));
            assert_eq!(nesting.finish(kernel), complete);
        }
    }
}

#[test]
fn deep_nesting() {
    for isa in Isa::available() {
        isa.run(Deep);
    }
}
