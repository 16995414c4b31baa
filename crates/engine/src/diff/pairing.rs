//! Which of the elements that were removed and added at the same place are compared with each other.
//!
//! Of a few elements, those that have most in common are. Others are paired in their order, as far as they have the same type.

#![forbid(unsafe_code)]

use crate::diff::Differ;
use crate::diff::hashes::Side;
use crate::diff::number;
use crate::document::Kind;
use crate::document::Value;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// The largest number of pairs of which the similarity is computed.
const MOST_PAIRS: usize = 256;

/// The number of items of a container that are looked at.
const MOST_ITEMS: usize = 32;

/// The smallest similarity of elements that are the same ones, changed. All have at most [`EQUAL`].
const SIMILAR: u32 = 40;
const EQUAL: u32 = 100;

type Pairs = Vec<(usize, usize)>;

impl Differ<'_, '_> {
    /// Returns the indices of elements that are to be compared with each other, in ascending order.
    pub(super) fn pairing(&self, olds: &[u32], news: &[u32]) -> Result<Pairs, OutOfMemory> {
        let mut pairs = Vec::new();
        let count = olds.len() * news.len();
        if !(2..=MOST_PAIRS).contains(&count) {
            self.in_order(olds, news, (0, 0), false, &mut pairs)?;
            return Ok(pairs);
        }
        let (mut old, mut new) = (0, 0);
        for (next_old, next_new) in self.most_similar(olds, news).into_iter().chain([(olds.len(), news.len())]) {
            self.in_order(&olds[old..next_old], &news[new..next_new], (old, new), true, &mut pairs)?;
            if next_old < olds.len() {
                pairs.grow((next_old, next_new), OutOfMemory::Matches)?;
            }
            (old, new) = (next_old + 1, next_new + 1);
        }
        Ok(pairs)
    }

    /// Pairs elements in their order: all if as many are on both sides, otherwise those of the same type. Containers of which it is known
    /// that they have little in common are then left.
    fn in_order(
        &self,
        olds: &[u32],
        news: &[u32],
        (first_old, first_new): (usize, usize),
        is_known: bool,
        pairs: &mut Pairs,
    ) -> Result<(), OutOfMemory> {
        let (mut old, mut new) = (0, 0);
        while old < olds.len() && new < news.len() {
            let kinds = (group(self.old.value(olds[old])), group(self.new.value(news[new])));
            let is_pair = kinds.0 == kinds.1 && !(is_known && kinds.0 != Kind::Null);
            let (old_rest, new_rest) = (olds.len() - old, news.len() - new);
            if old_rest == new_rest || is_pair {
                pairs.grow((first_old + old, first_new + new), OutOfMemory::Matches)?;
                (old, new) = (old + 1, new + 1);
            } else if old_rest > new_rest {
                old += 1;
            } else {
                new += 1;
            }
        }
        Ok(())
    }

    /// Returns the pairs in ascending order that have most in common as a whole.
    fn most_similar(&self, olds: &[u32], news: &[u32]) -> Pairs {
        let signs = |side: &Side<'_>, list: &[u32]| list.iter().map(|&token| signs(side, token)).collect::<Vec<_>>();
        let (left, right) = (signs(&self.old, olds), signs(&self.new, news));
        let similarity: Vec<Vec<u32>> =
            left.iter().map(|left| right.iter().map(|right| similarity(left, right)).collect()).collect();
        // For each pair of indices, the sum of the best pairs from there on.
        let mut best = vec![vec![0; news.len() + 1]; olds.len() + 1];
        for old in (0..olds.len()).rev() {
            for new in (0..news.len()).rev() {
                let paired = similarity[old][new] + best[old + 1][new + 1];
                let left = best[old + 1][new].max(best[old][new + 1]);
                best[old][new] = if similarity[old][new] >= SIMILAR { paired.max(left) } else { left };
            }
        }
        let (mut pairs, mut old, mut new) = (Vec::new(), 0, 0);
        while old < olds.len() && new < news.len() {
            if best[old][new] == best[old + 1][new] {
                old += 1;
            } else if best[old][new] == best[old][new + 1] {
                new += 1;
            } else {
                pairs.push((old, new));
                (old, new) = (old + 1, new + 1);
            }
        }
        pairs
    }
}

/// Returns what elements are paired by: objects and arrays with their like, all others with each other.
fn group(value: Value<'_, '_>) -> Kind {
    match value.kind() {
        kind @ (Kind::Array | Kind::Object) => kind,
        _ => Kind::Null,
    }
}

/// Hashes of the items of a container.
struct Signs {
    kind: Kind,
    /// Those of keys, and those of elements or of members with their values, in ascending order.
    keys: Vec<u32>,
    items: Vec<u32>,
}

/// Returns the hashes of the first items of a container.
fn signs(side: &Side<'_>, token: u32) -> Signs {
    let value = side.value(token);
    let mut signs = Signs { kind: value.kind(), keys: Vec::new(), items: Vec::new() };
    for element in value.iter().take(MOST_ITEMS) {
        signs.items.push(side.hash(number(element.token())));
    }
    let members = value.members().map(|member| number(member.value.token()));
    for member in members.filter(|&member| !side.is_ignored(member)).take(MOST_ITEMS) {
        signs.keys.push(side.key_hash(member));
        signs.items.push(side.key_hash(member).rotate_left(1) ^ side.hash(member));
    }
    signs.keys.sort_unstable();
    signs.items.sort_unstable();
    signs
}

/// Returns how much two containers have in common: equal items count twice as much as equal keys.
fn similarity(left: &Signs, right: &Signs) -> u32 {
    if left.kind != right.kind || !matches!(left.kind, Kind::Array | Kind::Object) {
        return 0;
    }
    let all = |signs: &Signs| signs.keys.len() + 2 * signs.items.len();
    let shared = common(&left.keys, &right.keys) + 2 * common(&left.items, &right.items);
    let share = EQUAL as usize * shared / all(left).max(all(right)).max(1);
    u32::try_from(share).unwrap_or(EQUAL)
}

/// Returns how many numbers two ascending lists have in common.
fn common(left: &[u32], right: &[u32]) -> usize {
    let (mut count, mut rest) = (0, right.iter().peekable());
    for number in left {
        while rest.next_if(|&other| other < number).is_some() {}
        count += usize::from(rest.next_if_eq(&number).is_some());
    }
    count
}
