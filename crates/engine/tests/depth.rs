//! A hundred million open brackets: the right result, in one bit each.
//!
//! A separate binary, because it measures the memory of the whole process.

#![forbid(unsafe_code)]

use fjson::ErrorKind;
use fjson::Options;
use proof::check;
use proof::endless;

/// Levels of arrays in the deepest documents, and of objects, whose documents are five times as long.
const LEVELS: [(&str, &str, u64); 2] = [("[", "]", 100_000_000), ("{\"a\":", "}", 20_000_000)];

/// The memory for a hundred million levels at one bit each: the engine's stack, the copy of it in the checkpoint,
/// the precise reader's stack and a clone of that, in vectors that double as they grow; and 16 MiB for everything
/// else.
const MOST_MEMORY: u64 = 4 * 2 * 100_000_000 / 8 + (16 << 20);

#[test]
fn a_hundred_million_brackets() {
    for (open, close, levels) in LEVELS {
        for &isa in check::kernels() {
            let crossed = if open == "[" { "}" } else { "]" };
            let length = open.len() as u64 * levels;
            let read = |parts: &[(&'static str, u64)]| {
                let result = fjson::validate(endless::input(parts), &Options::new().isa(isa));
                result.map(drop).map_err(|error| (error.kind(), error.offset()))
            };
            let unclosed = read(&[(open, levels)]);
            assert_eq!(unclosed, Err((ErrorKind::UnexpectedEnd, length)), "{open} on {isa}");
            let closed = read(&[(open, levels), ("0", 1), (close, levels)]);
            assert_eq!(closed, Ok(()), "{open} on {isa}");
            let wrong = read(&[(open, levels), ("0", 1), (close, levels - 1), (crossed, 1)]);
            assert_eq!(wrong, Err((ErrorKind::MismatchedClose, length + levels)), "{open} on {isa}");
        }
    }
    if let Some(peak) = endless::peak_memory() {
        assert!(peak <= MOST_MEMORY, "took {peak} bytes");
    }
}

#[test]
fn a_million_brackets_written() {
    let text = ["[".repeat(1_000_000), "]".repeat(1_000_000)].concat();
    for &isa in check::kernels() {
        let mut written = Vec::new();
        fjson::minify(&text[..], &mut written, &Options::new().isa(isa)).expect("valid");
        assert!(written == text.as_bytes(), "minified on {isa}");
    }
}
