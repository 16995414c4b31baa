//! Whether the keys of listed text are unique, in most cases without a list of keys.
//!
//! Most objects have the keys of an earlier one in the same order, so they are unique (`scalar/shapes.rs`). Of the others, the tags
//! of the keys are compared. Keys with equal tags, or with escapes, leave it open whether there are duplicates: then a scan finds out
//! with the [`Keys`] of all open objects, and also where the duplicates are.
//!
//! [`Keys`]: super::keys::Keys

#![forbid(unsafe_code)]

use crate::input::change_point;
use crate::positions::Positions;
use crate::profile::keys::SMALL;
use crate::profile::keys::tag;
use crate::scalar::Prediction;
use crate::scalar::Shapes;

/// Number of containers that may be open. A scan takes less memory for what is deeper.
const DEEPEST: usize = 1024;

/// Returns true if no object of a text has two equal keys. The text is valid and these are its tokens, unless it has changed since.
/// Returns false if there are equal keys, or if it is not clear.
pub(super) fn has_unique_keys(text: &[u8], tokens: &Positions) -> bool {
    let tokens = tokens.list();
    ListedKeys { text, tokens, shapes: Shapes::new(), tags: Vec::new() }.are_unique().unwrap_or(false)
}

/// The keys of a text whose tokens are listed.
struct ListedKeys<'t> {
    text: &'t [u8],
    /// The positions of the tokens, and the length of the text.
    tokens: &'t [u32],
    shapes: Shapes,
    /// Memory for the tags of the keys of an object.
    tags: Vec<u32>,
}

/// An open container, or what is around the root.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    /// For an array, that of what is around it.
    prediction: Prediction,
    /// How many keys were open before it.
    first: usize,
}

impl ListedKeys<'_> {
    /// Returns true if the keys of each object are unique, and false or `None` if it is not clear.
    fn are_unique(mut self) -> Option<bool> {
        let mut outer: Vec<Open> = Vec::new();
        let mut innermost = Open { is_object: false, prediction: Prediction::OUTERMOST, first: 0 };
        // The opening quotes of the keys of all open objects, as indexes of the text.
        let mut keys: Vec<u32> = Vec::new();
        let mut token = 0;
        let last = self.tokens.len() - 1;
        while token < last {
            change_point();
            let mut byte = self.byte(token)?;
            if innermost.is_object && byte == b'"' {
                let quote = self.tokens[token];
                let start = quote as usize + 1;
                if innermost.prediction.shape().is_some() {
                    self.shapes.find_next(&mut innermost.prediction, self.text, start);
                }
                keys.try_reserve(1).ok()?;
                keys.push(quote);
                token += 2;
                byte = self.byte(token)?;
            }
            match byte {
                b'"' => token += 1,
                b'{' | b'[' if outer.len() == DEEPEST => return None,
                b'{' | b'[' => {
                    outer.push(innermost);
                    innermost.is_object = byte == b'{';
                    if innermost.is_object {
                        innermost.prediction = self.shapes.predict(&innermost.prediction);
                        innermost.first = keys.len();
                    }
                }
                b'}' => {
                    self.close(&innermost, keys.get(innermost.first..)?)?;
                    keys.truncate(innermost.first);
                    innermost = outer.pop()?;
                }
                b']' => innermost = outer.pop()?,
                _ => {}
            }
            token += 1;
        }
        Some(outer.is_empty())
    }

    /// Returns the first byte of a token.
    #[inline(always)]
    fn byte(&self, token: usize) -> Option<u8> {
        self.text.get(*self.tokens.get(token)? as usize).copied()
    }

    /// Closes an object. `None` if it is not clear whether its keys are unique.
    #[inline(always)]
    fn close(&mut self, object: &Open, quotes: &[u32]) -> Option<()> {
        if object.prediction.shape().is_some() {
            self.shapes.record(&object.prediction);
            return Some(());
        }
        self.compare(object, quotes)
    }

    /// Compares the keys of an object that has no shape, and learns it.
    #[inline(never)]
    fn compare(&mut self, object: &Open, quotes: &[u32]) -> Option<()> {
        let text = self.text;
        let key = |&quote: &u32| {
            let rest = text.get(quote as usize + 1..)?;
            Some(&rest[..memchr::memchr(b'"', rest)?])
        };
        self.tags.clear();
        self.tags.try_reserve(quotes.len()).ok()?;
        let is_small = quotes.len() <= SMALL;
        for quote in quotes {
            let length = key(quote)?.len();
            let (tag, has_backslash) = tag(text, *quote as usize + 1, length);
            if has_backslash
                || is_small && self.tags.iter().fold(0, |equal, &other| equal + u32::from(other == tag)) > 0
            {
                return None;
            }
            self.tags.push(tag);
        }
        if !is_small {
            self.tags.sort_unstable();
            if self.tags.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
        }
        self.shapes.learn(&object.prediction, quotes.iter().map(|quote| key(quote).unwrap_or_default()));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::has_unique_keys;
    use crate::explain::random::Random;
    use crate::input::Input;
    use crate::options::Framing;
    use crate::options::Options;
    use crate::positions::Positions;
    use crate::validate::validate;

    /// Adds an object or array of these keys at random.
    fn add_value(text: &mut String, keys: &[&str], depth: usize, random: &mut Random) {
        let count = random.below(if depth == 0 { 5 } else { 3 });
        match random.below(if depth > 3 { 3 } else { 6 }) {
            0 => text.push_str("\"x\""),
            1 => text.push_str("-1.5e3"),
            2 => text.push_str("null"),
            3 => {
                text.push('[');
                for number in 0..count {
                    text.push_str(if number > 0 { "," } else { "" });
                    add_value(text, keys, depth + 1, random);
                }
                text.push(']');
            }
            _ => {
                text.push('{');
                let mut next = 0;
                for number in 0..count {
                    // Mostly in order, so that shapes are learnt.
                    next = if random.below(8) == 0 { random.below(keys.len()) } else { (next + 1) % keys.len() };
                    text.push_str(if number > 0 { "," } else { "" });
                    text.extend(["\"", keys[next], "\":"]);
                    add_value(text, keys, depth + 1, random);
                }
                text.push('}');
            }
        }
    }

    /// Keys are found to be unique only where the scan finds them so, and always unless some have escapes.
    #[test]
    fn listed_keys_are_unique_if_the_scan_finds_no_duplicate() {
        let plain = [
            "",
            "a",
            "b",
            "ab",
            "seven77",
            "eight888",
            "a key of more than sixteen bytes",
            "a key of more than 16 bytes",
        ];
        let escaped = ["a", "\\u0061", "b", "\\\\", "\\\"", "c", "é", "\\u00e9"];
        let options = Options::new().framing(Framing::Lines).unique_keys(true);
        let mut random = Random::new(11);
        let (mut unique, mut duplicate) = (0, 0);
        for round in 0..if cfg!(miri) { 20 } else { 20_000 } {
            let keys = if round % 2 == 0 { plain } else { escaped };
            let mut text = String::new();
            for _ in 0..random.below(12) {
                add_value(&mut text, &keys, 0, &mut random);
                text.push('\n');
            }
            let mut tokens = Positions::default();
            let records = tokens.list_records(text.as_bytes(), &options).expect("memory");
            assert!(records.is_some(), "{text}");
            let expected = validate(Input::in_pieces(text.as_bytes(), 7), &options).is_ok();
            let found = has_unique_keys(text.as_bytes(), &tokens);
            let is_exact = !text.contains('\\');
            assert!(found == expected || !found && !is_exact, "{text}");
            unique += u32::from(found);
            duplicate += u32::from(!expected);
        }
        assert!(unique > 0 && duplicate > 0);
    }

    #[test]
    fn deep_text_is_left_to_the_scan() {
        for (depth, expected) in [(super::DEEPEST, true), (super::DEEPEST + 1, false)] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let mut tokens = Positions::default();
            assert!(tokens.list_document(text.as_bytes(), &Options::new()).expect("memory"));
            assert_eq!(has_unique_keys(text.as_bytes(), &tokens), expected, "{depth}");
        }
    }

    #[test]
    fn the_keys_of_large_objects() {
        let object = |count: usize, last: usize| {
            let keys: Vec<_> = (0..count).chain([last]).map(|number| format!("\"key {number}\":[]")).collect();
            format!("{{{}}}", keys.join(","))
        };
        for count in [1, 63, 64, 65, 1000] {
            for (last, expected) in [(count, true), (0, false), (count / 2, false), (count - 1, false)] {
                let text = object(count, last);
                let mut tokens = Positions::default();
                assert!(tokens.list_document(text.as_bytes(), &Options::new()).expect("memory"));
                assert_eq!(has_unique_keys(text.as_bytes(), &tokens), expected, "{count} keys and {last}");
                // The text may have changed since its tokens were listed.
                for at in 0..text.len().min(500) {
                    for byte in *b"{}[]\":,a" {
                        let mut changed = text.clone().into_bytes();
                        changed[at] = byte;
                        has_unique_keys(&changed, &tokens);
                    }
                }
                has_unique_keys(&text.as_bytes()[..text.len() / 2], &tokens);
            }
        }
    }
}
