//! Words that say nothing, as many as are asked for.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::random::Random;

const WORDS: [&str; 40] = [
    "a", "and", "away", "battery", "black", "blue", "box", "brown", "camera", "case", "cover", "day", "digital",
    "easy", "for", "from", "hand", "home", "in", "kitchen", "light", "made", "new", "of", "on", "pack", "quality",
    "quick", "series", "set", "silver", "small", "steel", "the", "to", "water", "white", "with", "wood", "your",
];

/// Appends words with a space between them.
pub fn push_words(count: u64, random: &mut Random, text: &mut String) {
    for number in 0..count {
        if number > 0 {
            text.push(' ');
        }
        text.push_str(random.pick(&WORDS));
    }
}

/// Words with a space between them.
pub fn words(count: u64, random: &mut Random) -> String {
    let mut text = String::new();
    push_words(count, random, &mut text);
    text
}
