//! What was probably meant: the known name that is most similar to an unknown one.

#![forbid(unsafe_code)]

use std::cmp::Reverse;

/// Number of characters of a name beyond which nothing is suggested for it.
const MAX_LENGTH: usize = 64;

/// Returns the name among `known` that is most similar to `name`, if any is similar enough: one edit for each three characters, where
/// an edit inserts, removes or replaces a character, or swaps two neighbors. Letter case does not count.
pub(crate) fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    if name.is_empty() || name.len() > MAX_LENGTH {
        return None;
    }
    let allowed = (name.len() / 3).max(1);
    let known: Vec<&'k str> = known.into_iter().collect();
    let distance = |other: &'k str| {
        let letters: Vec<char> = other.chars().flat_map(char::to_lowercase).collect();
        let may_be_similar = letters.len().abs_diff(name.len()) <= allowed && !letters.is_empty();
        may_be_similar.then(|| (distance(&name, &letters), other))
    };
    // A name of one or two letters has neighbors that nobody meant.
    let is_similar = |(distance, _): &(usize, &str)| *distance <= allowed && *distance < name.len().min(3);
    // Of those with as many edits, the one with the longest common beginning was more probably meant.
    let rank = |(distance, other): &(usize, &str)| {
        let letters = other.chars().flat_map(char::to_lowercase);
        (*distance, Reverse(name.iter().zip(letters).take_while(|(one, other)| *one == other).count()))
    };
    let nearest =
        known.iter().copied().filter_map(distance).filter(is_similar).min_by_key(rank).map(|(_, other)| other);
    // An abbreviation: `int` for `integer`.
    let begins = |other: &&str| {
        name.len() >= 3 && other.chars().flat_map(char::to_lowercase).take(name.len()).eq(name.iter().copied())
    };
    nearest.or_else(|| known.iter().copied().find(begins))
}

/// Returns the number of edits between two texts.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before = vec![0; other.len() + 1];
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, with) in other.iter().enumerate() {
            let mut edits = (row[j] + usize::from(letter != with)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *with {
                edits = edits.min(before[j - 1] + 1);
            }
            next.push(edits);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn similar_names() {
        let known = ["dev", "version", "devDependencies", "dependencies", "x", "id"];
        for (name, expected) in [
            ("devv", Some("dev")),
            ("verison", Some("version")),
            ("Version", Some("version")),
            ("devDependancies", Some("devDependencies")),
            ("dependencys", Some("dependencies")),
            ("y", None),
            ("is", Some("id")),
            ("dex", Some("dev")),
            ("scripts", None),
            ("dep", Some("dev")),
            ("depend", Some("dependencies")),
            ("", None),
        ] {
            assert_eq!(similar(name, known), expected, "{name}");
        }
        assert_eq!(similar(&"a".repeat(100), [&*"a".repeat(99)]), None);
    }
}
