//! The reference of the natural order of keys: a comparison of lists of characters and numbers.

use std::cmp::Ordering;

/// A character, or a number with its digits and their count, in the place of its first digit.
type Item = (char, usize, String);

/// Compares two keys in natural order.
#[must_use]
pub fn compare(left: &str, right: &str) -> Ordering {
    items(left).cmp(&items(right)).then_with(|| left.cmp(right))
}

fn items(key: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut rest = key;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        if end > 0 {
            let digits = rest[..end].trim_start_matches('0');
            items.push(('0', digits.len(), digits.to_owned()));
            rest = &rest[end..];
        } else {
            items.extend(first.to_lowercase().map(|character| (character, 0, String::new())));
            rest = &rest[first.len_utf8()..];
        }
    }
    items
}
