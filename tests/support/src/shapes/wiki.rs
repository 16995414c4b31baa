//! Entities with their statements, keyed by property number: objects with varying keys, up to thirteen levels deep, and
//! labels in many scripts.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = ("[\n", ",\n", "\n]\n");

const LABELS: [(&str, &str); 8] = [
    ("en", "country"),
    ("ja", "ベルギー"),
    ("ru", "Королевство"),
    ("el", "Βέλγιο"),
    ("ar", "بلجيكا"),
    ("hi", "बेल्जियम"),
    ("fr", "Royaume de Belgique"),
    ("ko", "벨기에"),
];

/// The properties that an entity may have.
const PROPERTIES: [u64; 12] = [6, 17, 18, 31, 35, 36, 37, 38, 47, 94, 131, 625];

/// One entity in this many has the property P150.
const WITH_PARTS: u64 = 170;

pub fn push_entity(number: u64, random: &mut Random, text: &mut String) {
    // Writing to a string cannot fail.
    write!(text, r#"{{"id":"Q{number}","type":"item","labels":{{"#).ok();
    for (place, (language, label)) in LABELS.iter().enumerate() {
        let between = if place > 0 { "," } else { "" };
        write!(text, r#"{between}"{language}":{{"language":"{language}","value":"{label} {number}"}}"#).ok();
    }
    write!(
        text,
        r#"}},"descriptions":{{"en":{{"language":"en","value":"{}"}}}},"aliases":{{}},"claims":{{"#,
        words(6, random)
    )
    .ok();
    let mut is_first = true;
    for property in PROPERTIES {
        if random.one_in(2) {
            push_claims(property, number, &mut is_first, random, text);
        }
    }
    if number % WITH_PARTS == 12 {
        push_claims(150, number, &mut is_first, random, text);
    }
    push_claims(910, number, &mut is_first, random, text);
    write!(text, r#"}},"sitelinks":{{"enwiki":{{"site":"enwiki","title":"{}","badges":[]}}}}}}"#, words(2, random))
        .ok();
}

fn push_claims(property: u64, entity: u64, is_first: &mut bool, random: &mut Random, text: &mut String) {
    text.push_str(if std::mem::take(is_first) { "" } else { "," });
    // Writing to a string cannot fail.
    write!(text, r#""P{property}":["#).ok();
    for claim in 0..=random.below(3) {
        let between = if claim > 0 { "," } else { "" };
        write!(text, r#"{between}{{"mainsnak":"#).ok();
        push_snak(property, random, text);
        let (high, low) = (random.below(1 << 32), random.below(1 << 48));
        write!(text, r#","type":"statement","id":"q{entity}${high:08X}-{low:012X}","rank":"normal","references":["#)
            .ok();
        if random.one_in(2) {
            write!(text, r#"{{"hash":"{:016x}","snaks":{{"P143":["#, random.below(1 << 60)).ok();
            push_snak(143, random, text);
            text.push_str(r#"]},"snaks-order":["P143"]}"#);
        }
        text.push_str("]}");
    }
    text.push(']');
}

fn push_snak(property: u64, random: &mut Random, text: &mut String) {
    let other = random.below(1 << 22);
    // Writing to a string cannot fail.
    write!(text, r#"{{"snaktype":"value","property":"P{property}","datavalue":{{"value":{{"entity-type":"item","#).ok();
    write!(text, r#""numeric-id":{other},"id":"Q{other}"}},"type":"wikibase-entityid"}},"datatype":"wikibase-item"}}"#)
        .ok();
}
