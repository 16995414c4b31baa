//! Meaningless text of a given number of words.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;

const WORDS: [&str; 40] = [
    "a", "and", "away", "battery", "black", "blue", "box", "brown", "camera", "case", "cover", "day", "digital",
    "easy", "for", "from", "hand", "home", "in", "kitchen", "light", "made", "new", "of", "on", "pack", "quality",
    "quick", "series", "set", "silver", "small", "steel", "the", "to", "water", "white", "with", "wood", "your",
];

/// Appends `count` words separated by spaces.
pub fn push_words(count: u64, random: &mut Random, text: &mut String) {
    for number in 0..count {
        if number > 0 {
            text.push(' ');
        }
        text.push_str(random.pick(&WORDS));
    }
}

/// Returns `count` words separated by spaces.
pub fn words(count: u64, random: &mut Random) -> String {
    let mut text = String::new();
    push_words(count, random, &mut text);
    text
}
