//! Rust values are written byte for byte as `serde_json` writes them.

#![forbid(unsafe_code)]

mod representations;
mod round_trips;
mod writer;

use fjson::Layout;
use proof::random;
use proof::seeds;
use proof::target;
use proof::typed;

/// Random values of types with every representation, compact and indented, to vectors and to a writer.
#[test]
fn random_values() {
    let mut kept = Vec::new();
    random::rounds(1_200, |random| {
        for _ in 0..100 {
            let value = typed::any(random);
            let compact = serde_json::to_string(&value).expect("a text");
            assert_eq!(fjson::to_string(&value).expect("a text"), compact);

            kept.clear();
            fjson::to_end_of(&mut kept, &value).expect("a text");
            assert_eq!(kept, compact.as_bytes());

            let mut streamed = Vec::new();
            fjson::to_writer(&mut streamed, &value).expect("a text");
            assert_eq!(streamed, compact.as_bytes());

            let indented = serde_json::to_string_pretty(&value).expect("a text");
            assert_eq!(fjson::to_string_pretty(&value, &Layout::default()).expect("a text"), indented);
        }
    });
}

/// What the fuzz target checks, on documents and damaged documents.
#[test]
fn documents_are_written_back() {
    random::rounds(980, |random| {
        let mut text = seeds::pick(random);
        target::writer(&text);
        if !text.is_empty() {
            let at = random.below(text.len());
            text[at] = random.byte();
            target::writer(&text);
        }
    });
}
