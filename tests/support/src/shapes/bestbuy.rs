//! Products of a shop: records of some 150 members, most of them null or empty, and one member that few records have.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = (
    r#"{"from":1,"to":10,"currentPage":1,"canonicalUrl":"\/v1\/products?format=json&show=all","products":["#,
    ",",
    "],\"partial\":false}\n",
);

const FEATURES: [&str; 12] = [
    "screen", "sound", "network", "battery", "memory", "lens", "remote", "cable", "colour", "weight", "warranty",
    "energy",
];
const ASPECTS: [&str; 11] =
    ["Type", "Size", "Class", "Rating", "Minimum", "Maximum", "Included", "Count", "Format", "Features", "Description"];

const NOTHING: [&str; 10] = ["null", "null", "null", "null", "null", "null", "[]", "\"\"", "\"\"", "false"];

/// One product in this many has the member `videoChapters`.
const WITH_CHAPTERS: u64 = 300;

pub fn push_product(number: u64, random: &mut Random, text: &mut String) {
    let (sku, name) = (1_000_000 + number, words(8, random));
    let (euros, cents) = (random.below(2000), random.below(100));
    // Writing to a string cannot fail.
    write!(text, r#"{{"sku":{sku},"name":"{name}","source":"bestbuy","type":"HardGood","active":true,"#).ok();
    write!(text, r#""regularPrice":{euros}.{cents:02},"url":"http:\/\/www.example.com\/site\/{sku}.p?skuId={sku}","#)
        .ok();
    for feature in FEATURES {
        for aspect in ASPECTS {
            write!(text, r#""{feature}{aspect}":"#).ok();
            match random.below(12) {
                0 => write!(text, "{},", random.below(1000)).ok(),
                1 => write!(text, "\"{}\",", words(3, random)).ok(),
                _ => write!(text, "{},", random.pick(&NOTHING)).ok(),
            };
        }
    }
    text.push_str(r#""categoryPath":["#);
    for level in 0..2 + random.below(3) {
        let (between, id, name) = (if level > 0 { "," } else { "" }, random.below(100_000), words(2, random));
        write!(text, r#"{between}{{"id":"cat{id:05}","name":"{name}"}}"#).ok();
    }
    text.push_str("],");
    if number % WITH_CHAPTERS == 17 {
        text.push_str(r#""videoChapters":["#);
        for chapter in 1..=11 {
            let (between, name) = (if chapter > 1 { "," } else { "" }, words(3, random));
            write!(text, r#"{between}{{"chapter":{chapter},"name":"{name}"}}"#).ok();
        }
        text.push_str("],");
    }
    text.push_str(r#""shipping":[{"ground":1.99,"nextDay":"","vendorDelivery":""}],"images":["#);
    for image in 0..3 {
        let between = if image > 0 { "," } else { "" };
        write!(text, r#"{between}{{"rel":"Front_Standard","href":"http:\/\/img.example.com\/{sku}_{image}.jpg"}}"#)
            .ok();
    }
    write!(text, r#"],"description":"{}"}}"#, words(40, random)).ok();
}
