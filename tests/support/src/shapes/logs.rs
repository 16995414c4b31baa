//! Records of a log, one per line. A filter on `level` selects every fifth; the members that queries select are up to
//! three levels deep.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = ("", "", "");

const LEVELS: [&str; 5] = ["error", "info", "info", "debug", "warn"];

pub fn push_record(number: u64, random: &mut Random, text: &mut String) {
    let (hour, minute, second) = (number / 3600 % 24, number / 60 % 60, number % 60);
    let (level, message, name) = (random.pick(&LEVELS), words(8, random), words(1, random));
    let (user, host, micros) = (random.below(100_000), random.below(256), random.below(1_000_000));
    // Writing to a string cannot fail.
    write!(text, r#"{{"ts":"2026-11-20T{hour:02}:{minute:02}:{second:02}Z","level":"{level}","msg":"{message}","#).ok();
    write!(text, r#""ctx":{{"user":{{"id":{user},"name":"{name}"}},"ip":"10.0.0.{host}"}},"#).ok();
    write!(text, r#""tags":["a","b"],"ms":{}.{:03}}}"#, micros / 1000, micros % 1000).ok();
    text.push('\n');
}
