//! Records of papers with their references: the key `DOI` is in each record and in each of its references.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = (r#"{"status":"ok","message-type":"work-list","items":["#, ",", "]}\n");

/// One record in this many has the member `editor`.
const WITH_EDITOR: u64 = 2500;

pub fn push_paper(number: u64, random: &mut Random, text: &mut String) {
    let (year, month, day) = (1990 + random.below(35), 1 + random.below(12), 1 + random.below(28));
    // Writing to a string cannot fail.
    write!(text, r#"{{"indexed":{{"date-parts":[[{year},{month},{day}]],"timestamp":{}}},"#, 1_500_000_000 + number)
        .ok();
    write!(text, r#""DOI":"10.1000\/{number}","title":["{}"],"#, words(9, random)).ok();
    push_people("author", 1 + random.below(8), 8, random, text);
    if number % WITH_EDITOR == 40 {
        push_people("editor", 1, 1, random, text);
    }
    text.push_str(r#""reference":["#);
    for reference in 0..6 + random.below(24) {
        let between = if reference > 0 { "," } else { "" };
        let (cited, volume) = (random.below(1 << 30), random.below(90));
        write!(text, r#"{between}{{"key":"ref{reference}","doi-asserted-by":"crossref","DOI":"10.1001\/{cited:x}","#)
            .ok();
        write!(text, r#""volume":"{volume}","author":"{}","unstructured":"{}"}}"#, words(1, random), words(18, random))
            .ok();
    }
    write!(text, r#"],"type":"journal-article","abstract":"{}","#, words(120, random)).ok();
    write!(text, r#""is-referenced-by-count":{},"publisher":"{}"}}"#, random.below(300), words(2, random)).ok();
}

/// Appends an array of people. One person in `somewhere` has an affiliation.
fn push_people(role: &str, count: u64, somewhere: u64, random: &mut Random, text: &mut String) {
    // Writing to a string cannot fail.
    write!(text, r#""{role}":["#).ok();
    for person in 0..count {
        let (between, sequence) = if person > 0 { (",", "additional") } else { ("", "first") };
        let (given, family) = (words(1, random), words(1, random));
        write!(text, r#"{between}{{"given":"{given}","family":"{family}","sequence":"{sequence}","affiliation":["#)
            .ok();
        if random.one_in(somewhere) {
            write!(text, r#"{{"name":"{}"}}"#, words(5, random)).ok();
        }
        text.push_str("]}");
    }
    text.push_str("],");
}
