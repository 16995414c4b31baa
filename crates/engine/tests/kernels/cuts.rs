//! Checkpoints: the scan stops after a comma at every position of a superblock and a tile, and continues.

use fjson::Input;
use proof::check;
use proof::check::Verb;
use proof::pieces::Pieces;

/// More than two tiles of any kernel.
const LENGTH: usize = 5000;

#[test]
fn after_every_comma() {
    let members = [
        "\"ab\",",
        "1,",
        "[],",
        "{\"a\":1},",
        "\"a\" : [\"b\"],",
        "\"a\":{},",
        "[\"a\",\"b\"]  ,",
        "[[1],{\"a\":2},3],",
    ];
    for member in members {
        for (open, close) in [("[", "]"), ("{", "}"), ("[[{\"a\":[", "]}]]"), ("[{\"a\":{", "}}]")] {
            for blanks in 0..member.len() + 2 {
                let mut text = [&" ".repeat(blanks), open, &member.repeat(LENGTH / member.len())].concat();
                // A container of the wrong kind for its members is invalid at once, or else the text is valid.
                text.truncate(text.len() - 1);
                text.push_str(close);
                agrees(text.as_bytes());
                // The same, with another bracket at the end.
                text.truncate(text.len() - close.len());
                text.push_str(if close.starts_with(']') { "}" } else { "]" });
                agrees(text.as_bytes());
            }
        }
    }
}

fn agrees(text: &[u8]) {
    for verb in Verb::ALL {
        let expected = check::reference(verb, text);
        for &isa in check::kernels() {
            let options = check::options(verb, isa).window(1);
            let how = format_args!("{verb:?} on {isa}, cut behind commas");
            check::same(&expected, &check::outcome(verb, text, &options), text, how);
            let input = Input::from_reader(Pieces::new(text, std::iter::repeat(700)));
            check::same(&expected, &check::outcome(verb, input, &options), text, how);
        }
    }
}
