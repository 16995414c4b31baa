//! Aligns two lists: which entries of one are those of the other, in the same order.
//!
//! Entries at the beginning and the end that are the same are paired, and those that are in one list only are left out. Of what is left, a
//! longest common subsequence is found by Myers's algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986) in linear space: from
//! both ends, it follows the paths with the fewest differences until two of them meet, and then does the same with what is before and
//! behind that place. Its time grows with the number of differences, so for each part it has a limited number of steps for each entry. If
//! they do not suffice, the first, second … occurrence of a value in one list is that in the other, as far as these are in the same order;
//! the parts between them are aligned once more, and what is then left stays unpaired.

#![forbid(unsafe_code)]

use std::cell::Cell;
use std::ops::Range;

use crate::diff::NONE;
use crate::diff::number;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// The number of steps for a part: for each entry, and in addition. With these, lists of about a hundred entries are aligned best.
const STEPS_PER_ENTRY: usize = 32;
const MORE_STEPS: usize = 4096;

/// A part of both lists.
#[derive(Clone)]
struct RangePair {
    left: Range<usize>,
    right: Range<usize>,
    /// Whether it is between occurrences of the same values, which were paired because there were too many differences.
    is_rest: bool,
}

struct Aligner<'a> {
    are_same: &'a dyn Fn(usize, usize) -> bool,
    /// What `are_same` takes is counted here, too.
    steps: &'a Cell<usize>,
    /// The indices of the entries that may be in both lists.
    left: Vec<u32>,
    right: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

/// Returns the indices of entries that are the same, in ascending order. Only entries with equal hashes are, of those with equal hashes
/// mostly all. `steps` counts what `are_same` takes.
pub(super) fn align(
    left: &[u32],
    right: &[u32],
    are_same: &dyn Fn(usize, usize) -> bool,
    steps: &Cell<usize>,
) -> Result<Vec<(u32, u32)>, OutOfMemory> {
    let mut pairs = Vec::new();
    pairs.room(left.len().min(right.len()), OutOfMemory::Matches)?;
    let (mut lefts, mut rights) = (0..left.len(), 0..right.len());
    while !lefts.is_empty() && !rights.is_empty() && are_same(lefts.start, rights.start) {
        pairs.push((number(lefts.start), number(rights.start)));
        (lefts.start, rights.start) = (lefts.start + 1, rights.start + 1);
    }
    while !lefts.is_empty() && !rights.is_empty() && are_same(lefts.end - 1, rights.end - 1) {
        (lefts.end, rights.end) = (lefts.end - 1, rights.end - 1);
        pairs.push((number(lefts.end), number(rights.end)));
    }
    let (kept_left, kept_right) =
        (in_both(left, lefts.clone(), right, rights.clone())?, in_both(right, rights, left, lefts)?);
    let whole = RangePair { left: 0..kept_left.len(), right: 0..kept_right.len(), is_rest: false };
    let mut aligner = Aligner { are_same, steps, left: kept_left, right: kept_right, pairs };
    let mut parts = vec![whole];
    while let Some(part) = parts.pop() {
        let part = aligner.trimmed(part);
        if part.has_one_side() {
            continue;
        }
        if let Some((before, behind)) = aligner.divided(&part) {
            parts.grow(before, OutOfMemory::Matches)?;
            parts.grow(behind, OutOfMemory::Matches)?;
        } else if !part.is_rest {
            aligner.pair_occurrences(&part, (left, right), &mut parts)?;
        }
    }
    aligner.pairs.sort_unstable();
    Ok(aligner.pairs)
}

/// Returns the indices of a part of a list whose hashes a part of another one has, too.
fn in_both(list: &[u32], part: Range<usize>, other: &[u32], others: Range<usize>) -> Result<Vec<u32>, OutOfMemory> {
    let mut hashes = Vec::new();
    hashes.room(others.len(), OutOfMemory::Matches)?;
    hashes.extend_from_slice(&other[others]);
    hashes.sort_unstable();
    hashes.dedup();
    let mut kept = Vec::new();
    for index in part {
        if hashes.binary_search(&list[index]).is_ok() {
            kept.grow(number(index), OutOfMemory::Matches)?;
        }
    }
    Ok(kept)
}

impl Aligner<'_> {
    fn are_same(&self, left: usize, right: usize) -> bool {
        (self.are_same)(self.left[left] as usize, self.right[right] as usize)
    }

    fn pair(&mut self, left: usize, right: usize) {
        self.pairs.push((self.left[left], self.right[right]));
    }

    /// Pairs the entries at the beginning and the end of a part that are the same, and returns what is between them.
    fn trimmed(&mut self, mut part: RangePair) -> RangePair {
        while !part.has_one_side() && self.are_same(part.left.start, part.right.start) {
            self.pair(part.left.start, part.right.start);
            (part.left.start, part.right.start) = (part.left.start + 1, part.right.start + 1);
        }
        while !part.has_one_side() && self.are_same(part.left.end - 1, part.right.end - 1) {
            (part.left.end, part.right.end) = (part.left.end - 1, part.right.end - 1);
            self.pair(part.left.end, part.right.end);
        }
        part
    }

    /// Divides a trimmed part where the paths with the fewest differences from both ends meet. Returns `None` if that takes too many steps.
    fn divided(&self, part: &RangePair) -> Option<(RangePair, RangePair)> {
        let allowed = STEPS_PER_ENTRY * (part.left.len() + part.right.len()) + MORE_STEPS;
        // A round with d differences takes more than d steps.
        let most = (part.left.len() + part.right.len()).div_ceil(2).min(allowed.isqrt() + 1);
        let (mut forward, mut backward) = (Paths::new(most), Paths::new(most));
        let (start, mut made) = (self.steps.get(), 0);
        let from_start = |left, right| (part.left.start + left, part.right.start + right);
        let from_end = |left, right| (part.left.end - left, part.right.end - right);
        for round in 0..=most {
            let is_same = |left, right| {
                let (left, right) = from_start(left, right);
                self.are_same(left, right)
            };
            let mut met = forward
                .advance(round, part, &backward, &mut made, &is_same)
                .map(|(left, right)| from_start(left, right));
            if met.is_none() {
                let is_same = |left, right| {
                    let (left, right) = from_end(left + 1, right + 1);
                    self.are_same(left, right)
                };
                met = backward
                    .advance(round, part, &forward, &mut made, &is_same)
                    .map(|(left, right)| from_end(left, right));
            }
            if let Some((left, right)) = met {
                let is_corner = (left, right) == from_start(0, 0) || (left, right) == from_end(0, 0);
                return (!is_corner).then(|| part.split(left, right));
            }
            if made + (self.steps.get() - start) > allowed {
                return None;
            }
        }
        None
    }

    /// Pairs the occurrences of the same values that are in the same order, as many as possible, and adds the parts between them.
    fn pair_occurrences(
        &mut self,
        part: &RangePair,
        (left, right): (&[u32], &[u32]),
        parts: &mut Vec<RangePair>,
    ) -> Result<(), OutOfMemory> {
        let occurrences = |kept: &[u32], hashes: &[u32], part: &Range<usize>| {
            let mut list = Vec::new();
            list.room(part.len(), OutOfMemory::Matches)?;
            list.extend(part.clone().map(|index| (hashes[kept[index] as usize], number(index))));
            list.sort_unstable();
            Ok::<_, OutOfMemory>(list)
        };
        let lefts = occurrences(&self.left, left, &part.left)?;
        let rights = occurrences(&self.right, right, &part.right)?;
        let mut partners = Vec::new();
        partners.room(part.left.len(), OutOfMemory::Matches)?;
        partners.resize(part.left.len(), NONE);
        let mut rest = rights.as_slice();
        for group in lefts.chunk_by(|one, other| one.0 == other.0) {
            rest = &rest[rest.partition_point(|right| right.0 < group[0].0)..];
            for (left, right) in group.iter().zip(rest.iter().take_while(|right| right.0 == group[0].0)) {
                partners[left.1 as usize - part.left.start] = right.1;
            }
        }
        let (mut l, mut r) = (part.left.start, part.right.start);
        for (index, partner) in ascending(&partners)? {
            let (next_l, next_r) = (part.left.start + index, partner as usize);
            parts.grow(RangePair { left: l..next_l, right: r..next_r, is_rest: true }, OutOfMemory::Matches)?;
            self.pair(next_l, next_r);
            (l, r) = (next_l + 1, next_r + 1);
        }
        parts.grow(RangePair { left: l..part.left.end, right: r..part.right.end, is_rest: true }, OutOfMemory::Matches)
    }
}

/// The paths from one end of a part that lead farthest.
struct Paths {
    /// For each diagonal, how far the path leads in the left list; negative if none leads there. The middle one is that of the end.
    ends: Vec<isize>,
    middle: usize,
    /// The number of rounds that were made, each with one difference more.
    rounds: isize,
}

impl Paths {
    fn new(most_rounds: usize) -> Self {
        let middle = most_rounds + 1;
        Self { ends: vec![-1; 2 * middle + 1], middle, rounds: 0 }
    }

    fn end(&self, diagonal: isize) -> isize {
        self.ends[self.middle.wrapping_add_signed(diagonal)]
    }

    /// Follows the paths with one difference more. Returns where one meets a path from the other end, as distances from this end. The
    /// number of steps is added to `made`.
    fn advance(
        &mut self,
        round: usize,
        part: &RangePair,
        others: &Self,
        made: &mut usize,
        are_same: &dyn Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let (lefts, rights, round) = (signed(part.left.len()), signed(part.right.len()), signed(round));
        let mut diagonal = -(round - 2 * (round - rights).max(0));
        while diagonal <= round - 2 * (round - lefts).max(0) {
            *made += 1;
            let (below, above) = (self.end(diagonal - 1), self.end(diagonal + 1));
            let from_below = if (0..lefts).contains(&below) { below + 1 } else { -1 };
            let from_above = if above - diagonal <= rights { above } else { -1 };
            let mut left = if round == 0 { 0 } else { from_below.max(from_above) };
            if left >= 0 {
                while left < lefts
                    && left - diagonal < rights
                    && are_same(left.unsigned_abs(), (left - diagonal).unsigned_abs())
                {
                    left += 1;
                    *made += 1;
                }
                self.ends[self.middle.wrapping_add_signed(diagonal)] = left;
                let opposite = lefts - rights - diagonal;
                let has_been_there = opposite.abs() < others.rounds && (opposite - others.rounds) % 2 != 0;
                // mutant: if has_been_there && others.end(opposite) >= 0 && left + others.end(opposite) > lefts {
                if has_been_there && others.end(opposite) >= 0 && left + others.end(opposite) >= lefts {
                    return Some((left.unsigned_abs(), (left - diagonal).unsigned_abs()));
                }
            }
            diagonal += 2;
        }
        self.rounds = round + 1;
        None
    }
}

impl RangePair {
    /// Whether one of the lists has no entries in it.
    fn has_one_side(&self) -> bool {
        self.left.is_empty() || self.right.is_empty()
    }

    fn split(&self, left: usize, right: usize) -> (Self, Self) {
        let before = Self { left: self.left.start..left, right: self.right.start..right, is_rest: self.is_rest };
        (before, Self { left: left..self.left.end, right: right..self.right.end, is_rest: self.is_rest })
    }
}

/// Returns a longest ascending subsequence, with the indices. [`NONE`] is left out.
fn ascending(list: &[u32]) -> Result<Vec<(usize, u32)>, OutOfMemory> {
    // For each length, the index of the end of that which ends first, and for each index that before it.
    let (mut ends, mut before): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    before.room(list.len(), OutOfMemory::Matches)?;
    for (index, &value) in list.iter().enumerate() {
        let length = if value == NONE { 0 } else { ends.partition_point(|&end| list[end] < value) };
        before.push(length.checked_sub(1).map_or(usize::MAX, |length| ends[length]));
        if value == NONE {
            continue;
        }
        if length == ends.len() {
            ends.grow(index, OutOfMemory::Matches)?;
        } else {
            ends[length] = index;
        }
    }
    let mut found = Vec::new();
    found.room(ends.len(), OutOfMemory::Matches)?;
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        found.push((at, list[at]));
        at = before[at];
    }
    found.reverse();
    Ok(found)
}

#[expect(clippy::cast_possible_wrap, reason = "lists have less than 4 Gi entries")]
fn signed(number: usize) -> isize {
    number as isize
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::align;
    use super::ascending;
    use crate::diff::NONE;
    use crate::explain::random::Random;

    /// The length of a longest common subsequence, by its definition.
    fn length(left: &[u32], right: &[u32]) -> usize {
        let mut row = vec![0; right.len() + 1];
        for l in left {
            let mut before = 0;
            for (r, value) in right.iter().enumerate() {
                let old = row[r + 1];
                row[r + 1] = if l == value { before + 1 } else { row[r].max(old) };
                before = old;
            }
        }
        row[right.len()]
    }

    fn check(left: &[u32], right: &[u32]) -> usize {
        let pairs = align(left, right, &|l, r| left[l] == right[r], &Cell::new(0)).expect("enough memory");
        assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{left:?} {right:?} {pairs:?}");
        assert!(pairs.iter().all(|&(l, r)| left[l as usize] == right[r as usize]));
        pairs.len()
    }

    fn number(random: &mut Random, end: usize) -> u32 {
        u32::try_from(random.below(end)).expect("a small number")
    }

    #[test]
    fn short_lists_are_aligned_best() {
        let mut random = Random::new(7);
        for round in 0..1000 {
            let (kinds, most) = (1 + random.below(6), if round % 10 == 0 { 60 } else { 12 });
            let mut list = || (0..random.below(most)).map(|_| number(&mut random, kinds)).collect::<Vec<_>>();
            let (left, right) = (list(), list());
            assert_eq!(check(&left, &right), length(&left, &right), "{left:?} {right:?}");
        }
    }

    #[test]
    fn few_differences_in_long_lists_are_found() {
        let mut random = Random::new(8);
        for kinds in [1, 2, 1000, 1 << 30] {
            let left: Vec<_> = (0..20_000).map(|_| number(&mut random, kinds)).collect();
            let mut right = left.clone();
            for _ in 0..10 {
                right.remove(random.below(right.len()));
                right.insert(random.below(right.len()), u32::MAX - number(&mut random, 3));
            }
            assert!(check(&left, &right) >= 19_990, "{kinds}");
        }
    }

    #[test]
    fn many_differences_in_long_lists_are_found_mostly() {
        let mut random = Random::new(9);
        let left: Vec<_> = (0..20_000).map(|_| number(&mut random, 1 << 30)).collect();
        // Every third is missing, every fifth is new, and a block has moved.
        let mut right: Vec<_> =
            left.iter().copied().enumerate().filter(|(index, _)| index % 3 > 0).map(|it| it.1).collect();
        right.iter_mut().step_by(5).for_each(|value| *value = u32::MAX);
        right.rotate_left(2000);
        assert!(check(&left, &right) >= 8000);
        let (ascending, descending): (Vec<_>, Vec<_>) = ((0..5000).collect(), (0..5000).rev().collect());
        assert_eq!(check(&ascending, &descending), 1);
        let all_equal = vec![7; 30_000];
        assert_eq!(check(&all_equal, &all_equal[..10_000]), 10_000);
    }

    /// It is as long as what the list and its sorted values have in common.
    #[test]
    fn the_longest_ascending_subsequence_is_found() {
        let mut random = Random::new(10);
        for _ in 0..200 {
            let value = |random: &mut Random| if random.below(5) == 0 { NONE } else { number(random, 30) };
            let list: Vec<_> = (0..random.below(30)).map(|_| value(&mut random)).collect();
            let mut values: Vec<_> = list.iter().copied().filter(|&value| value != NONE).collect();
            values.sort_unstable();
            values.dedup();
            let found = ascending(&list).expect("enough memory");
            assert!(found.iter().all(|&(index, value)| list[index] == value), "{list:?} {found:?}");
            assert!(found.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1), "{list:?} {found:?}");
            assert_eq!(found.len(), length(&list, &values), "{list:?} {found:?}");
        }
    }
}
