//! Nested arrays and objects: mostly brackets, up to 100 levels deep, so that the output of `pretty` stays small.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;

pub const FRAME: Frame = ("[", ",", "]\n");

pub fn push_nested(_: u64, random: &mut Random, text: &mut String) {
    let levels: Vec<bool> = (0..=random.below(100)).map(|_| random.one_in(3)).collect();
    for &is_object in &levels {
        text.push_str(if is_object { r#"{"a":"# } else { "[" });
    }
    text.push_str(random.pick(&["[]", "{}", "1", "null", r#""""#]));
    for &is_object in levels.iter().rev() {
        text.push(if is_object { '}' } else { ']' });
    }
}
