//! What was probably meant: the known name that is most similar to an unknown one.

#![forbid(unsafe_code)]

use std::cmp::Reverse;

/// Number of characters of a name beyond which nothing is suggested for it.
const MAX_LENGTH: usize = 64;

/// Returns the name among `known` that is most similar to `name`, if any is similar enough: one edit for each three characters, where
/// an edit inserts, removes or replaces a character, or swaps two neighbors. Letter case does not count.
pub(crate) fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    let name = lower(name);
    let length = name.chars().count();
    if length == 0 || length > MAX_LENGTH {
        return None;
    }
    let allowed = (length / 3).max(1);
    let known: Vec<&'k str> = known.into_iter().collect();
    let distance = |other: &'k str| {
        let letters = lower(other);
        let may_be_similar = letters.chars().count().abs_diff(length) <= allowed && !letters.is_empty();
        may_be_similar.then(|| (strsim::osa_distance(&name, &letters), other))
    };
    // A name of one or two letters has neighbors that nobody meant.
    let is_similar = |(distance, _): &(usize, &str)| *distance <= allowed && *distance < length.min(3);
    // Of those with as many edits, the one with the longest common beginning was more probably meant.
    let rank = |(distance, other): &(usize, &str)| {
        (*distance, Reverse(name.chars().zip(lower(other).chars()).take_while(|(one, other)| one == other).count()))
    };
    let nearest =
        known.iter().copied().filter_map(distance).filter(is_similar).min_by_key(rank).map(|(_, other)| other);
    // An abbreviation: `int` for `integer`.
    let begins = |other: &&str| length >= 3 && lower(other).starts_with(&name);
    nearest.or_else(|| known.iter().copied().find(begins))
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
