//! Edits of records in memory, on any number of threads, beside the same edits of records that are read from a stream.

#![forbid(unsafe_code)]

use proof::random::rounds;

use super::large::outcome;
use super::model;
use crate::input::Input;
use crate::options::Framing;
use crate::options::Options;

#[test]
fn batches_are_edited_like_records_of_a_stream() {
    let (mut made, mut failed) = (0, 0);
    rounds(600, |random| {
        let framings = [Framing::Lines, Framing::Stream, Framing::Sequence, Framing::Documents, Framing::Document];
        let framing = framings[random.below(framings.len())];
        let (mut text, mut model) = (String::new(), serde_json::json!({}));
        let count = random.below(12);
        for _ in 0..count {
            let (document, root) = model::document(random, if framing == Framing::Lines { 0 } else { 2 });
            text += if framing == Framing::Sequence { "\u{1e}" } else { ["", " ", "\n", "\r\n"][random.below(4)] };
            // Rarely, a record is invalid.
            text += if random.below(40) == 0 { "{\"k\": ]" } else { &document };
            text += if framing == Framing::Lines || random.below(2) == 0 { "\n" } else { " " };
            model = root;
        }
        if random.below(3) == 0 {
            text.truncate(text.trim_end().len());
        }
        let (edits, _) = model::random_edits(&mut model, random, false);
        let edits = edits.parents(random.below(2) == 0).missing_ok(random.below(2) == 0);
        let mut options = Options::new().framing(framing);
        let mut expected = Vec::new();
        let result = edits.apply(Input::in_pieces(text.as_bytes(), 0), &mut expected, &options);
        let counter = if result.is_ok() { &mut made } else { &mut failed };
        *counter += 1;
        let expected = outcome(result, &expected);
        for threads in [1, 3] {
            for window in [64, options.window] {
                options.window = window;
                let mut found = Vec::new();
                let result = edits.apply(&text, &mut found, &options.clone().threads(threads));
                assert_eq!(outcome(result, &found), expected, "{framing:?} {threads} {window} {edits:?} {text:?}");
            }
        }
    });
    assert!(made + failed < 600 || (made > 50 && failed > 50), "{made} {failed}");
}
