//! Writing: the same value by all libraries.

use std::hint::black_box;

use serde::Serialize;

use crate::contest::contestant;
use crate::contest::race;

/// Measures writing a value to a vector that is kept, and to a new one. Before that, all must have written the same text, or at
/// least text with the same value.
pub fn compare(task: &str, value: &impl Serialize) {
    let expected = serde_json::to_vec(value).expect("a text");
    assert!(fjson::to_vec(value).expect("a text") == expected, "{task}: other text than serde_json");
    let theirs = sonic_rs::to_vec(value).expect("a text");
    let parsed = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).expect("valid");
    assert!(theirs == expected || parsed(&theirs) == parsed(&expected), "{task}: sonic-rs writes something else");

    let [mut first, mut second, mut third] = [(); 3].map(|()| Vec::with_capacity(2 * expected.len() + 1024));
    race(
        &format!("{task}, buffer kept"),
        expected.len(),
        vec![
            contestant("sonic-rs", || {
                first.clear();
                sonic_rs::to_writer(&mut first, black_box(value)).expect("a text");
                black_box(first.len())
            }),
            contestant("serde_json", || {
                second.clear();
                serde_json::to_writer(&mut second, black_box(value)).expect("a text");
                black_box(second.len())
            }),
            contestant("fjson", || {
                third.clear();
                fjson::to_end_of(&mut third, black_box(value)).expect("a text");
                black_box(third.len())
            }),
        ],
    );
    race(
        &format!("{task}, new vector"),
        expected.len(),
        vec![
            contestant("sonic-rs", || sonic_rs::to_vec(black_box(value)).expect("a text")),
            contestant("serde_json", || serde_json::to_vec(black_box(value)).expect("a text")),
            contestant("simd-json", || simd_json::serde::to_vec(black_box(value)).expect("a text")),
            contestant("fjson", || fjson::to_vec(black_box(value)).expect("a text")),
        ],
    );
}
