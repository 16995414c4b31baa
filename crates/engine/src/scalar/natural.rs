//! The natural order of keys: without regard to case, and with runs of digits compared as numbers.

#![forbid(unsafe_code)]

use std::char::ToLowercase;
use std::cmp::Ordering;
use std::iter;
use std::iter::Peekable;

use crate::scalar::keys::Unescaped;
use crate::scalar::keys::compare_keys;

/// Compares two keys in natural order: `"a2"`, `"A10"`, `"b"`.
///
/// Each key is a sequence of characters and numbers. A number is a run of ASCII digits that is as long as possible, and is compared
/// by value, however long it is. Characters are compared by the code points of their lower-case mappings, and with a number as if it
/// were its first digit. Keys that are equal so far, such as `"a"` and `"A"`, or `"1"` and `"01"`, are compared by
/// [code point](compare_keys).
///
/// ```
/// use std::cmp::Ordering;
/// use fjson::scalar::compare_keys_natural;
///
/// assert_eq!(compare_keys_natural(b"item 9", b"Item 10"), Ordering::Less);
/// assert_eq!(compare_keys_natural(br"\u00c9t\u00e9", "été".as_bytes()), Ordering::Less);
/// assert_eq!(compare_keys_natural(b"07", b"7"), Ordering::Less);
/// ```
#[must_use]
pub fn compare_keys_natural(left: &[u8], right: &[u8]) -> Ordering {
    compare_folded(folded(left), folded(right)).then_with(|| compare_keys(left, right))
}

/// Returns the code points of the lower-case mapping of a key. A lone surrogate has none.
fn folded(key: &[u8]) -> Peekable<impl Iterator<Item = u32>> {
    let mut codes = Unescaped::new(key);
    let mut mapping: Option<ToLowercase> = None;
    let next = move || {
        if let Some(character) = mapping.as_mut().and_then(Iterator::next) {
            return Some(u32::from(character));
        }
        let code = codes.next_code()?;
        match char::from_u32(code) {
            Some(character) if !character.is_ascii() => {
                let mapping = mapping.insert(character.to_lowercase());
                mapping.next().map(u32::from)
            }
            Some(character) => Some(u32::from(character.to_ascii_lowercase())),
            None => Some(code),
        }
    };
    iter::from_fn(next).peekable()
}

fn is_digit(code: u32) -> bool {
    (u32::from(b'0')..=u32::from(b'9')).contains(&code)
}

fn compare_folded<I: Iterator<Item = u32>, J: Iterator<Item = u32>>(
    mut left: Peekable<I>,
    mut right: Peekable<J>,
) -> Ordering {
    loop {
        let both_are_digits = left.peek().copied().is_some_and(is_digit) && right.peek().copied().is_some_and(is_digit);
        let order = if both_are_digits {
            compare_numbers(&mut left, &mut right)
        } else {
            match (left.next(), right.next()) {
                (None, None) => return Ordering::Equal,
                (left, right) => left.cmp(&right),
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Compares the numbers that both keys continue with, and passes them.
fn compare_numbers<I: Iterator<Item = u32>, J: Iterator<Item = u32>>(
    left: &mut Peekable<I>,
    right: &mut Peekable<J>,
) -> Ordering {
    let zero = u32::from(b'0');
    while left.next_if_eq(&zero).is_some() {}
    // mutant:
    while right.next_if_eq(&zero).is_some() {}
    // Of two numbers with equally many digits, the first different digit decides.
    let mut order = Ordering::Equal;
    loop {
        match (left.next_if(|&code| is_digit(code)), right.next_if(|&code| is_digit(code))) {
            (Some(left), Some(right)) => order = order.then(left.cmp(&right)),
            (Some(_), None) => return Ordering::Greater,
            (None, Some(_)) => return Ordering::Less,
            (None, None) => return order,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::compare_keys_natural;
    use std::cmp::Ordering;

    /// In order, and all different.
    const SORTED: [&str; 26] = [
        "",
        "!",
        "0",
        "000",
        "0a",
        "1",
        "2",
        "02b",
        "2b",
        "9",
        "10",
        "010a",
        "100000000000000000000000000000",
        "100000000000000000000000000001",
        ":",
        "A",
        "a",
        "A1",
        "a01b3",
        "a1b02",
        "a2",
        "A10",
        "ab",
        "B",
        "É",
        "é",
    ];

    #[test]
    fn all_pairs() {
        // `a01b3` and `a1b02` differ in the second number.
        let place = |key: &str| SORTED.iter().position(|&sorted| sorted == key);
        for left in SORTED {
            for right in SORTED {
                let expected = match (left, right) {
                    ("a01b3", "a1b02") => Ordering::Greater,
                    ("a1b02", "a01b3") => Ordering::Less,
                    _ => place(left).cmp(&place(right)),
                };
                assert_eq!(compare_keys_natural(left.as_bytes(), right.as_bytes()), expected, "{left} {right}");
            }
        }
    }

    #[test]
    fn escapes_are_the_characters() {
        assert_eq!(compare_keys_natural(br"\u0041\u0031\u0030", b"a9"), Ordering::Greater);
        assert_eq!(compare_keys_natural(br"\u00e9", "é".as_bytes()), Ordering::Equal);
        assert_eq!(compare_keys_natural(br"\ud83d\ude00", "😀".as_bytes()), Ordering::Equal);
        assert_eq!(compare_keys_natural(br"\ud83d", br"\uD83D"), Ordering::Equal);
        assert_eq!(compare_keys_natural(br"\ud83d", br"\ud83e"), Ordering::Less);
        // The lower-case mapping of U+0130 has two characters.
        assert_eq!(compare_keys_natural("İ1".as_bytes(), "i\u{307}2".as_bytes()), Ordering::Less);
    }
}
